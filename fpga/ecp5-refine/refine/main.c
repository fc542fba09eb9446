// refine IN OUT [option...]: improves a placement (refine.h; placement.c tells the form of the
// files).
#include "refine.h"

#include <string.h>

static const char usage[] =
    "usage: refine IN OUT [option=number...]\n"
    "  effort=8000   moves tried for each group of cells\n"
    "  time=0.25     tiles of wire that 1 ps of a critical connection is worth\n"
    "  heat=500      tiles of wire that a move may cost at first\n"
    "  crowded=50    tiles of wire in a tile from which on it is crowded\n"
    "  trees=0       1: crowded by the shortest trees over nets, not by their boxes\n"
    "  price=8       what wire costs more where it is crowded twice\n"
    "  pins=8        what a pin costs where there are twice as many as elsewhere\n"
    "  polish=300    rounds at the end in which cells of the longest paths alone are moved\n"
    "  aim=0         ns that paths of the first clock may take before they cost wire\n"
    "  other=22      ns that paths of the second clock may take\n"
    "  between=22    ns that paths from one clock to the other may take\n"
    "Exit code: 0, 1 for bad input, 2 for a wrong call, 4 out of memory.\n";

const char *const er_program = "refine";

int main(int argc, char **argv) {
  er_options options = {.effort = 8000,
                        .time = 0.25,
                        .heat = 500,
                        .crowded = 50,
                        .trees = 0,
                        .crowded_price = 8,
                        .pin_price = 8,
                        .polish = 300,
                        .aim = 0,
                        .other = 22,
                        .between = 22};
  const er_option known[] = {
      {"effort", &options.effort, 0, 1000000}, {"time", &options.time, 0, 1000},
      {"heat", &options.heat, 0, 100000},      {"crowded", &options.crowded, 1, 10000},
      {"trees", &options.trees, 0, 1},         {"price", &options.crowded_price, 0, 1000},
      {"pins", &options.pin_price, 0, 1000},   {"polish", &options.polish, 0, 100000},
      {"aim", &options.aim, 0, 1000},          {"other", &options.other, 1, 1000},
      {"between", &options.between, 1, 1000},
  };
  if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
    fputs(usage, stdout);
    return 0;
  }
  for (int i = 3; i < argc; i++) {
    if (!er_option_take(known, sizeof known / sizeof *known, argv[i])) {
      fprintf(stderr, "refine: error: no such option, or not a number of its range: %s\n%s",
              argv[i], usage);
      return 2;
    }
  }
  if (argc < 3) {
    fputs(usage, stderr);
    return 2;
  }
  er_placement *p = er_placement_read(argv[1]);
  if (er_tiles_illegal(p)) {
    fprintf(stderr, "refine: error: %s: %d tiles hold what they cannot\n", argv[1],
            er_tiles_illegal(p));
    return 1;
  }
  er_anneal(p, &options);
  if (er_tiles_illegal(p)) {
    fprintf(stderr, "refine: error: %d tiles hold what they cannot (a fault of this program)\n",
            er_tiles_illegal(p));
    return 1;
  }
  er_placement_write(p, argv[2]);
  er_placement_free(p);
  return 0;
}
