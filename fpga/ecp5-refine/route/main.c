// route CHIP PLACEMENT NETS OUT [option...]: routes a placed design (route.h; refine/placement.c
// and nets.c tell the form of the files).
#include "route.h"

#include <string.h>

static const char usage[] =
    "usage: route CHIP PLACEMENT NETS OUT [option=number...]\n"
    "  CHIP: nextpnr's chip database\n"
    "  aim=0         ns that paths of the first clock may take until no wire is used twice\n"
    "  other=22      ns that paths of the second clock may take\n"
    "  between=22    ns that paths from one clock to the other may take\n"
    "  speed=6       grade of the device, 6 to 8\n"
    "  passes=200    at most, until no wire is used twice\n"
    "  more=60       after that, as long as one of them makes the longest path shorter\n"
    "  sharing=0.5   what a second user of a wire costs at first, as a part of its delay\n"
    "  growth=1.3    times as much with each pass\n"
    "  past=0.5      what each pass in which a wire is shared adds to its price\n"
    "  greed=1.3     weight of the distance left\n"
    "  power=4       of a connection's part of the longest path, by which its delay counts\n"
    "Exit code: 0, 1 for bad input, 2 for a wrong call, 3 not routed, 4 out of memory.\n";

const char *const er_program = "route";

int main(int argc, char **argv) {
  er_route_options o = {.aim = 0,
                        .other = 22,
                        .between = 22,
                        .sharing = 0.5,
                        .growth = USUAL_GROWTH,
                        .past = 0.5,
                        .greed = 1.3,
                        .power = 4};
  double speed = 6, passes = 200, more = 60;
  const er_option known[] = {
      {"aim", &o.aim, 0, 1000},         {"other", &o.other, 1, 1000},
      {"between", &o.between, 1, 1000}, {"speed", &speed, 6, 8},
      {"passes", &passes, 1, 10000},    {"more", &more, 0, 10000},
      {"sharing", &o.sharing, 0, 100},  {"growth", &o.growth, 1, 10},
      {"past", &o.past, 0, 100},        {"greed", &o.greed, 0, 10},
      {"power", &o.power, 0.1, 100},
  };
  if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
    fputs(usage, stdout);
    return 0;
  }
  for (int i = 5; i < argc; i++) {
    if (!er_option_take(known, sizeof known / sizeof *known, argv[i])) {
      fprintf(stderr, "route: error: no such option, or not a number of its range: %s\n%s", argv[i],
              usage);
      return 2;
    }
  }
  if (argc < 5) {
    fputs(usage, stderr);
    return 2;
  }
  o.speed = (int)speed, o.passes = (int)passes, o.more = (int)more;
  er_chip *chip = er_chip_open(argv[1], o.speed);
  er_placement *p = er_placement_read(argv[2]);
  er_graph *g;
  er_routes *r = er_routes_read(argv[3], p, chip, &g);
  printf("reading: %d nets, %d connections, %d more left to nextpnr; %u wires, %u pips\n", r->nets,
         r->sinks, r->left, g->wires, g->first_arc[g->wires]);
  fflush(stdout);
  er_look *look = er_look_new(g, r);
  bool done = er_negotiate(r, p, g, look, &o);
  if (done) er_routes_write(r, g, argv[4]);
  er_look_free(look), er_routes_free(r), er_graph_free(g), er_placement_free(p);
  er_chip_close(chip);
  return done ? 0 : 3;
}
