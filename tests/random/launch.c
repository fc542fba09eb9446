/* launch.c: the launch of a program, as its comments say it (program.h), and what its buffers hold.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/common/digest.h"
#include "tests/common/splitmix.h"
#include "tests/random/program.h"

/* ---- the comments ---- */
static bool parse_arg(const char *line, rp_launch_t *l) {
  char fill[16] = "";
  rp_arg_t *a = &l->arg[l->nargs];
  if (l->nargs == RP_MAX_ARGS) {
    return false;
  }
  a->buffer = sscanf(line, " buffer %" SCNu32 " %15s", &a->bytes, fill) == 2;
  a->random = !a->buffer || strcmp(fill, "random") == 0;
  if (!a->buffer && sscanf(line, " value %" SCNu32, &a->bytes) != 1) {
    return false;
  }
  l->nargs++;
  return a->bytes != 0 && a->bytes <= 1u << 22 &&
         (!a->buffer || a->random || strcmp(fill, "zero") == 0);
}

bool rp_parse(const char *text, rp_launch_t *out, char *why, size_t cap) {
  bool launch = false;
  memset(out, 0, sizeof *out);
  for (const char *line = text; *line != 0; line += strcspn(line, "\n"), line += *line != 0) {
    uint32_t *g = out->grid, *b = out->block;
    if (strncmp(line, "// wl-launch ", 13) == 0) {
      launch =
          sscanf(line + 13,
                 "grid %" SCNu32 " %" SCNu32 " %" SCNu32 " block %" SCNu32 " %" SCNu32 " %" SCNu32
                 " data %" SCNx64 " keep %" SCNx64 " regs %" SCNu32,
                 &g[0], &g[1], &g[2], &b[0], &b[1], &b[2], &out->data, &out->keep, &out->regs) == 9;
    } else if (strncmp(line, "// wl-arg ", 10) == 0 && !parse_arg(line + 9, out)) {
      (void)snprintf(why, cap, "wrong line '%.*s'", (int)strcspn(line, "\n"), line);
      return false;
    }
  }
  if (!launch) {
    (void)snprintf(why, cap,
                   "no line '// wl-launch grid X Y Z block X Y Z data SEED keep MASK regs N'");
  }
  return launch;
}

int rp_format(const rp_launch_t *l, char *to, size_t cap) {
  int n =
      snprintf(to, cap,
               "// wl-launch grid %" PRIu32 " %" PRIu32 " %" PRIu32 " block %" PRIu32 " %" PRIu32
               " %" PRIu32 " data 0x%" PRIx64 " keep 0x%" PRIx64 " regs %" PRIu32 "\n",
               l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2], l->data,
               l->keep, l->regs);
  for (uint32_t i = 0; i < l->nargs; i++) {
    const rp_arg_t *a = &l->arg[i];
    n += snprintf(to + n, cap - (size_t)n, "// wl-arg %s %" PRIu32 "%s\n",
                  a->buffer ? "buffer" : "value", a->bytes,
                  !a->buffer  ? ""
                  : a->random ? " random"
                              : " zero");
  }
  return n;
}

size_t rp_bytes(const rp_launch_t *l) {
  size_t n = 0;
  for (uint32_t i = 0; i < l->nargs; i++) {
    n += l->arg[i].buffer ? l->arg[i].bytes : 0;
  }
  return n;
}

/* ---- contents ---- */
static uint32_t data_word(uint64_t *state) {
  static const uint32_t edges[] = {0,          1,          2,          0x7f,       0x80,
                                   0xffff,     0x8000,     0x7fffffff, 0x80000000, 0xffffffff,
                                   0x3f800000, 0xbf800000, 0x00800000, 0x007fffff, 0x7f800000,
                                   0x7fc00000, 0x4b000000, 0x34000000, 0x3f000000, 0x80000001};
  uint64_t r = wl_splitmix64(state);
  switch (r & 7) {
  case 0:
    return edges[(r >> 8) % (sizeof edges / sizeof edges[0])];
  case 1:
    return (uint32_t)(r >> 8) % 70;
  case 2:
  case 3:
    return (uint32_t)(r >> 32 & 0x807fffff) | (uint32_t)(110 + (r >> 8) % 40) << 23;
  case 4:
    return UINT32_C(0) - (uint32_t)((r >> 8) % 40);
  default:
    return (uint32_t)(r >> 32);
  }
}

/* Bytes by hand: the image must not depend on the host's order. */
void rp_fill(const rp_launch_t *l, uint32_t index, uint8_t *to) {
  const rp_arg_t *a = &l->arg[index];
  uint64_t state = l->data + index * UINT64_C(0x1234567), part = a->bytes / 64 + 1;
  memset(to, 0, a->bytes);
  for (uint32_t i = 0; a->random && i < a->bytes; i += 4) {
    uint32_t w = data_word(&state);
    for (uint32_t b = 0; b < 4 && i + b < a->bytes; b++) {
      to[i + b] = l->keep >> ((i + b) / part) & 1 ? (uint8_t)(w >> (8 * b)) : 0;
    }
  }
}

bool rp_entry(const char *text, char *to, size_t cap) {
  const char *at = strstr(text, ".entry ");
  if (at == NULL) {
    return false;
  }
  at += 7;
  at += strspn(at, " \t\n");
  (void)snprintf(to, cap, "%.*s", (int)strcspn(at, " \t\n("), at);
  return true;
}

uint64_t rp_digest(const rp_launch_t *l, const uint8_t *image) {
  uint64_t digest = WL_DIGEST_START;
  size_t bytes = rp_bytes(l);
  for (size_t i = 0; i < bytes; i++) {
    digest = wl_digest(digest, image[i]);
  }
  return digest;
}
