/* c_main.c: the program wl_c_board: a test board behind a pseudo-terminal, to which it makes a
 * link. It ends when the link is gone, when its line is cut, or by a signal. wl_c_board --link PATH
 * [--config C] [--loss SEED:OF_1000] [--cut-after REQUESTS] [--cut-cycle C]
 *     [--flip CYCLE:ARRAY:SLICE:ROW:MASK] [--flip-record CYCLE:KIND:WORD:MASK]
 *     [--wrong-write CYCLE:WORD:MASK] [--mute-after REQUESTS] [--drop-record CYCLE:KIND]
 * [--flip-memory CYCLE:OFFSET:MASK] [--fake-trap CYCLE] [--once]
 *     [--hello protocol|config|isa|layout|bitstream|mem=NUMBER] [--silent] [--garbage]
 *     [--stuck OFFSET:MASK] [--alias ADDRESS-LINES] [--forget NTH-ANSWER] [--halt MS] */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "driver/include/warplock.h"
#include "tests/fpga/driver/c_board.h"

enum { SLICE = 2000 /* cycles between looks at the line */ };

static int usage(const char *what) {
  fprintf(stderr, "wl_c_board: %s\n", what);
  return 2;
}

static unsigned numbers(const char *text, uint64_t *out, unsigned most) {
  unsigned n = 0;
  for (char *end; n < most; text = end + 1) {
    out[n++] = strtoull(text, &end, 0);
    if (*end != ':') break;
  }
  return n;
}

static bool set_fault(board_t *b, const char *name, const char *value) {
  uint64_t v[5] = {0};
  const unsigned n = numbers(value, v, 5);
  fault_t f = {.cycle = v[0], .once = b->core.fault.once};
  if (strcmp(name, "--flip") == 0 && n == 5) {
    f.what = FLIP_WORD;
    f.array = (unsigned)v[1];
    f.slice = (unsigned)v[2];
    f.row = (unsigned)v[3];
    f.mask = (uint32_t)v[4];
  } else if (strcmp(name, "--flip-record") == 0 && n == 4) {
    f.what = FLIP_RECORD;
    f.array = (unsigned)v[1];
    f.slice = (unsigned)v[2];
    f.mask = (uint32_t)v[3];
  } else if (strcmp(name, "--wrong-write") == 0 && n == 3) {
    f.what = FLIP_RECORD;
    f.array = WL_J_RF;
    f.slice = (unsigned)v[1];
    f.mask = (uint32_t)v[2];
    f.write = true;
  } else if (strcmp(name, "--drop-record") == 0 && n == 2) {
    f.what = DROP_RECORD;
    f.array = (unsigned)v[1];
  } else if (strcmp(name, "--flip-memory") == 0 && n == 3) {
    f.what = FLIP_MEMORY;
    f.row = (unsigned)v[1] % MOST_MEMORY;
    f.mask = (uint32_t)v[2];
  } else if (strcmp(name, "--fake-trap") == 0 && n == 1) {
    f.what = FAKE_TRAP;
  } else {
    return false;
  }
  b->core.fault = f;
  return true;
}

static bool set_hello(board_t *b, const char *value) {
  const struct {
    const char *name;
    uint64_t *to;
  } all[] = {{"protocol", &b->hello.protocol},
             {"config", &b->hello.config},
             {"isa", &b->hello.isa},
             {"layout", &b->hello.layout},
             {"bitstream", &b->hello.bitstream},
             {"mem", &b->hello.mem_bytes}};
  const char *equals = strchr(value, '=');
  for (unsigned i = 0; equals != NULL && i < sizeof all / sizeof all[0]; i++)
    if (strncmp(all[i].name, value, (size_t)(equals - value)) == 0) {
      *all[i].to = strtoull(equals + 1, NULL, 0);
      return true;
    }
  return false;
}

static bool set(board_t *b, const char *name, const char *value) {
  uint64_t v[2] = {0};
  if (strcmp(name, "--loss") == 0 && numbers(value, v, 2) == 2) {
    channel_t *c = &b->channel;
    c->random = v[0] * 2 + 1;
    c->corrupt = c->drop = c->twice = c->swap = (unsigned)v[1];
    return true;
  }
  if (strcmp(name, "--cut-after") == 0) return numbers(value, &b->cut_after, 1) == 1;
  if (strcmp(name, "--cut-cycle") == 0) return numbers(value, &b->cut_cycle, 1) == 1;
  if (strcmp(name, "--alias") == 0 && numbers(value, v, 1) == 1) {
    b->alias = (uint32_t)v[0];
    return true;
  }
  if (strcmp(name, "--stuck") == 0 && numbers(value, v, 2) == 2) {
    b->stuck_at = (uint32_t)v[0] % MOST_MEMORY & ~3u;
    b->stuck_mask = (uint32_t)v[1];
    return true;
  }
  if (strcmp(name, "--mute-after") == 0) return numbers(value, &b->mute_after, 1) == 1;
  if (strcmp(name, "--forget") == 0) return numbers(value, &b->forget, 1) == 1;
  if (strcmp(name, "--halt") == 0) return numbers(value, &b->halt_ms, 1) == 1 && b->halt_ms < 1000;
  if (strcmp(name, "--hello") == 0) return set_hello(b, value);
  return set_fault(b, name, value);
}

static void own_hello(board_t *b) {
  const unsigned id = (unsigned)(b->core.config - wl_configs);
  b->hello = (hello_values_t){.protocol = 1,
                              .config = id,
                              .isa = wl_isa_hash(),
                              .layout = wl_layouts[id].hash,
                              .bitstream = 0xb175,
                              .mem_bytes = b->core.config->board_mem_bytes};
}

/* The slave is held open too, so that drivers may come and go. */
static int open_pty(board_t *b, const char *file) {
  b->file = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
  if (b->file < 0 || grantpt(b->file) != 0 || unlockpt(b->file) != 0) return -1;
  const int slave = open(ptsname(b->file), O_RDWR | O_NOCTTY);
  struct termios t;
  if (slave < 0 || tcgetattr(slave, &t) != 0) return -1;
  cfmakeraw(&t);
  (void)tcsetattr(slave, TCSANOW, &t);
  (void)unlink(file);
  return symlink(ptsname(b->file), file) == 0 ? slave : -1;
}

static long now_ms(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void serve(board_t *b, const char *file) {
  struct stat s;
  uint64_t noise = 99;
  for (long heard = now_ms(); !b->cut && lstat(file, &s) == 0;) {
    struct pollfd f = {.fd = b->file, .events = POLLIN};
    uint8_t bytes[4096];
    const bool running = b->core.run_left > 0;
    (void)poll(&f, 1, running ? 0 : 100);
    const ssize_t n = (f.revents & POLLIN) != 0 ? read(b->file, bytes, sizeof bytes) : 0;
    if (n > 0 && b->garbage) {
      for (ssize_t i = 0; i < n; i++)
        bytes[i] = (uint8_t)next_random(&noise);
      (void)!write(b->file, bytes, (size_t)n);
    }
    for (ssize_t i = 0; i < n && !b->silent && !b->garbage && !b->cut; i++)
      board_byte(b, bytes[i]);
    if (n > 0)
      heard = now_ms();
    else if (b->n != 0 && now_ms() - heard > 20)
      board_pause(b);
    if (running && now_ms() - heard > 1000 * (long)WL_LINK_WATCHDOG_SECONDS) b->core.run_left = 0;
    core_run(&b->core, SLICE);
    if (b->cut_cycle != 0 && b->core.started && b->core.cycle >= b->cut_cycle) b->cut = true;
  }
}

int main(int argc, char **argv) {
  board_t *b = calloc(1, sizeof *b);
  const char *config = "tiny", *file = NULL;
  if (b == NULL) return usage("out of memory");
  for (int i = 1; i + 1 < argc; i++) {
    config = strcmp(argv[i], "--config") == 0 ? argv[i + 1] : config;
    file = strcmp(argv[i], "--link") == 0 ? argv[i + 1] : file;
  }
  if (file == NULL || !core_open(&b->core, config)) return usage("--link PATH, --config NAME");
  own_hello(b);
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--once") == 0) {
      b->core.fault.once = true;
    } else if (strcmp(argv[i], "--silent") == 0) {
      b->silent = true;
    } else if (strcmp(argv[i], "--garbage") == 0) {
      b->garbage = true;
    } else if (i + 1 < argc) {
      const bool known = strcmp(argv[i], "--config") == 0 || strcmp(argv[i], "--link") == 0;
      if (!known && !set(b, argv[i], argv[i + 1])) return usage(argv[i]);
      i++;
    } else {
      return usage(argv[i]);
    }
  }
  const int slave = open_pty(b, file);
  if (slave < 0) return usage(strerror(errno));
  serve(b, file);
  (void)close(slave);
  (void)close(b->file);
  (void)remove(file);
  core_close(&b->core);
  free(b);
  return 0;
}
