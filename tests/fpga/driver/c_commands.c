/* c_commands.c: the commands of docs/fpga.md 4 on the test board. */
#include <string.h>

#include "driver/include/warplock.h"
#include "tests/fpga/driver/c_board.h"

static uint32_t crc_of(const uint8_t *p, uint32_t n) {
  uint32_t crc = 0xffffffff;
  for (uint32_t i = 0; i < n; i++) {
    crc ^= p[i];
    for (int b = 0; b < 8; b++)
      crc = crc & 1 ? (crc >> 1) ^ 0xedb88320 : crc >> 1;
  }
  return ~crc;
}

static int hello(board_t *b, const uint8_t *p, uint8_t *out) {
  (void)p;
  memset(out, 0, 40);
  memcpy(out, "WLB1", 4);
  put_number(out + 4, 2, b->hello.protocol);
  out[6] = (uint8_t)b->hello.config;
  put_number(out + 8, 4, b->hello.mem_bytes);
  put_number(out + 12, 4, 50000);
  put_number(out + 16, 8, b->hello.isa);
  put_number(out + 24, 8, b->hello.layout);
  put_number(out + 32, 8, b->hello.bitstream);
  return 40;
}

static int status(const core_t *c, uint8_t *out) {
  wl_side_trap_t t;
  wl_side_model.trap(c->side, &t);
  if (c->fault.what == FAKE_TRAP && c->cycle >= c->fault.cycle)
    t = (wl_side_trap_t){.valid = true, .cause = 1, .pc = 7};
  out[0] = (uint8_t)((c->run_left > 0) | wl_side_model.done(c->side) << 1 |
                     wl_side_model.hung(c->side) << 2 | t.valid << 3 | c->lost << 4);
  out[1] = (uint8_t)t.cause;
  out[2] = (uint8_t)t.warp;
  out[3] = (uint8_t)t.lane;
  put_number(out + 4, 4, t.pc);
  put_number(out + 8, 8, t.address);
  put_number(out + 16, 8, c->cycle);
  put_number(out + 24, 4, c->run_left);
  put_number(out + 28, 4, c->freezes);
  return 32;
}

static bool inside(const board_t *b, uint64_t at, uint64_t n) {
  return at % 4 == 0 && n % 4 == 0 && at + n <= b->core.config->board_mem_bytes;
}

/* Memory as its faults make it. */
static void put_byte(board_t *b, uint64_t at, uint8_t value) {
  if ((at & ~UINT64_C(3)) == b->stuck_at) value = (uint8_t)(value & ~(b->stuck_mask >> at % 4 * 8));
  b->core.mem[at & ~(uint64_t)b->alias] = value;
}
static void get_bytes(const board_t *b, uint64_t at, uint64_t n, uint8_t *out) {
  for (uint64_t i = 0; i < n; i++)
    out[i] = b->core.mem[(at + i) & ~(uint64_t)b->alias];
}

static int memory(board_t *b, uint8_t type, const uint8_t *p, uint32_t len, uint8_t *out) {
  uint8_t block[1024];
  const uint64_t at = len >= 4 ? get_number(p, 4) : 0;
  if (type == WL_LINK_CMD_WRITE) {
    if (len < 4 || len % 4 != 0 || len > 4 + 1024) return -WL_LINK_ERR_LENGTH;
    if (!inside(b, at, len - 4)) return -WL_LINK_ERR_OUT_OF_RANGE;
    for (uint32_t i = 4; i < len; i++)
      put_byte(b, at + i - 4, p[i]);
    return 0;
  }
  if (len != (type == WL_LINK_CMD_FILL ? 12u : 6u)) return -WL_LINK_ERR_LENGTH;
  if (type == WL_LINK_CMD_FILL) {
    const uint64_t n = get_number(p + 4, 4);
    if (!inside(b, at, n)) return -WL_LINK_ERR_OUT_OF_RANGE;
    for (uint64_t i = 0; i < n; i++)
      put_byte(b, at + i, p[8 + i % 4]);
    return 0;
  }
  const uint64_t n = get_number(p + 4, 2);
  if (type == WL_LINK_CMD_READ) {
    if (n > 1024 || !inside(b, at, n)) return -WL_LINK_ERR_OUT_OF_RANGE;
    get_bytes(b, at, n, out);
    return (int)n;
  }
  if (n > 128 || at % 1024 != 0 || !inside(b, at, n * 1024)) return -WL_LINK_ERR_OUT_OF_RANGE;
  for (uint64_t i = 0; i < n; i++) {
    get_bytes(b, at + 1024 * i, sizeof block, block);
    put_number(out + 4 * i, 4, crc_of(block, sizeof block));
  }
  return (int)n * 4;
}

static int poke(core_t *c, const uint8_t *p, uint32_t len) {
  if (len < 8 || len % 4 != 0 || len > 8 + 1024) return -WL_LINK_ERR_LENGTH;
  if (!core_idle(c)) return -WL_LINK_ERR_BUSY;
  const uint32_t n = (len - 8) / 4, slice = (uint32_t)get_number(p + 2, 2);
  const uint32_t row = (uint32_t)get_number(p + 4, 4);
  if (n != 0 && core_word(c, p[0], slice, row + n - 1) == NULL) return -WL_LINK_ERR_OUT_OF_RANGE;
  for (uint32_t i = 0; i < n; i++) {
    *core_word(c, p[0], slice, row + i) = (uint32_t)get_number(p + 8 + 4 * i, 4);
    core_tick(c, NULL);
  }
  return 0;
}

static int peek(core_t *c, const uint8_t *p, uint32_t len, uint8_t *out) {
  if (len != 10) return -WL_LINK_ERR_LENGTH;
  const uint32_t n = (uint32_t)get_number(p + 8, 2), slice = (uint32_t)get_number(p + 2, 2);
  const uint32_t row = (uint32_t)get_number(p + 4, 4);
  if (n > 256 || (n != 0 && core_word(c, p[0], slice, row + n - 1) == NULL))
    return -WL_LINK_ERR_OUT_OF_RANGE;
  c->lost = true;
  for (uint32_t i = 0; i < n; i++)
    put_number(out + 4 * i, 4, *core_word(c, p[0], slice, row + i));
  c->cycle += n * (uint64_t)WL_PEEK_TICKS;
  return (int)(4 * n);
}

static int start(core_t *c, const uint8_t *p, uint32_t len) {
  if (len != 8) return -WL_LINK_ERR_LENGTH;
  if (c->lost) return -WL_LINK_ERR_LOST;
  const uint64_t block = get_number(p, 8);
  core_tick(c, &block);
  return 0;
}

static int digest(const core_t *c, uint8_t *out) {
  put_number(out, 8, c->cycle);
  for (unsigned k = 0; k < KINDS; k++)
    put_number(out + 8 + 4 * k, 4, c->signature[k]);
  return 8 + 4 * KINDS;
}

static int always(board_t *b, uint8_t type, const uint8_t *p, uint32_t len, uint8_t *out) {
  core_t *c = &b->core;
  switch (type) {
  case WL_LINK_CMD_HELLO:
    return len == 4 ? hello(b, p, out) : -WL_LINK_ERR_LENGTH;
  case WL_LINK_CMD_STATUS:
    return len == 0 ? status(c, out) : -WL_LINK_ERR_LENGTH;
  case WL_LINK_CMD_STOP:
    c->run_left = 0;
    put_number(out, 8, c->cycle);
    return len == 0 ? 8 : -WL_LINK_ERR_LENGTH;
  case WL_LINK_CMD_LED:
    b->led = p[0];
    return len == 2 ? 0 : -WL_LINK_ERR_LENGTH;
  default: /* ECHO */
    memcpy(out, p, len);
    return (int)len;
  }
}

int board_execute(board_t *b, uint8_t type, const uint8_t *p, uint32_t len, uint8_t *out) {
  core_t *c = &b->core;
  if (type == WL_LINK_CMD_HELLO || type == WL_LINK_CMD_STATUS || type == WL_LINK_CMD_STOP ||
      type == WL_LINK_CMD_LED || type == WL_LINK_CMD_ECHO)
    return always(b, type, p, len, out);
  if (type < 1 || type > 16) return -WL_LINK_ERR_UNKNOWN;
  if (c->run_left > 0) return -WL_LINK_ERR_RUNNING;
  switch (type) {
  case WL_LINK_CMD_RESET:
    if (len != 0) return -WL_LINK_ERR_LENGTH;
    core_reset(c);
    return 0;
  case WL_LINK_CMD_START:
    return start(c, p, len);
  case WL_LINK_CMD_RUN:
    if (len != 5) return -WL_LINK_ERR_LENGTH;
    c->run_left = (uint32_t)get_number(p, 4);
    c->stop_when_done = (p[4] & 1) != 0;
    return 0;
  case WL_LINK_CMD_DIGEST:
    return len == 0 ? digest(c, out) : -WL_LINK_ERR_LENGTH;
  case WL_LINK_CMD_POKE:
    return poke(c, p, len);
  case WL_LINK_CMD_PEEK:
    return peek(c, p, len, out);
  case WL_LINK_CMD_FREEZE:
    if (len != 5) return -WL_LINK_ERR_LENGTH;
    c->lfsr = (uint32_t)get_number(p, 4) | 1;
    c->density = p[4] & 7;
    return 0;
  default:
    return memory(b, type, p, len, out);
  }
}
