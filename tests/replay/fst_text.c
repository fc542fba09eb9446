/* fst_text.c: an FST file as VCD text on standard output, for the tests of waves where GTKWave's
 * fst2vcd is not there. Reads what Verilator writes: packed hierarchy, value changes with dynamic
 * aliases; scopes, variables and two-state values only. Format: "fstapi" of GTKWave 3.3.
 *   fst_text FILE.fst */
#include <lz4.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "tests/common/read_file.h"

typedef struct bytes {
  const uint8_t *at, *end;
} bytes_t;
typedef struct change {
  uint32_t time, handle; /* time: index of the section's table */
  uint32_t order;
  char *bits;
} change_t;

static uint32_t *width; /* by handle, from 0 */
static uint32_t handles;
static uint64_t last_time = UINT64_MAX;

static void die(const char *text) {
  fprintf(stderr, "fst_text: %s\n", text);
  exit(1);
}

static void *get(size_t n) {
  void *p = calloc(n + 1, 1);
  if (p == NULL) die("out of memory");
  return p;
}

static uint64_t big(const uint8_t *b) {
  uint64_t v = 0;
  for (int i = 0; i < 8; i++)
    v = v << 8 | b[i];
  return v;
}

static uint8_t byte(bytes_t *b) {
  if (b->at >= b->end) die("cut file");
  return *b->at++;
}

static uint64_t varint(bytes_t *b) {
  uint64_t v = 0;
  for (unsigned shift = 0;; shift += 7) {
    const uint8_t x = byte(b);
    v |= (uint64_t)(x & 127) << shift;
    if ((x & 128) == 0) return v;
  }
}

static int64_t signed_varint(bytes_t *b) {
  int64_t v = 0;
  for (unsigned shift = 0;;) {
    const uint8_t x = byte(b);
    v |= (int64_t)(x & 127) << shift;
    shift += 7;
    if ((x & 128) != 0) continue;
    return shift < 64 && (x & 64) != 0 ? v | -(INT64_C(1) << shift) : v;
  }
}

static const char *name(bytes_t *b) {
  const char *text = (const char *)b->at;
  while (byte(b) != 0) {
  }
  return text;
}

static uint8_t *unzip(const uint8_t *from, uint64_t packed, uint64_t size) {
  uint8_t *to = get(size);
  uLongf got = (uLongf)size;
  if (packed == size)
    memcpy(to, from, size);
  else if (uncompress(to, &got, from, (uLong)packed) != Z_OK || got != size)
    die("zlib");
  return to;
}

static uint8_t *unlz4(const uint8_t *from, uint64_t packed, uint64_t size) {
  uint8_t *to = get(size);
  if (LZ4_decompress_safe((const char *)from, (char *)to, (int)packed, (int)size) != (int)size)
    die("lz4");
  return to;
}

static void geometry(bytes_t b) {
  const uint64_t size = big(b.at), count = big(b.at + 8);
  uint8_t *data = unzip(b.at + 16, (uint64_t)(b.end - b.at) - 16, size);
  bytes_t in = {data, data + size};
  handles = (uint32_t)count;
  width = get(count * sizeof *width);
  for (uint32_t i = 0; i < handles; i++)
    width[i] = (uint32_t)varint(&in);
  free(data);
}

static void put_id(uint32_t handle) {
  do {
    putchar('!' + (int)(handle % 94));
    handle /= 94;
  } while (handle != 0);
}

static void hierarchy(bytes_t b, bool lz4) {
  const uint64_t size = big(b.at);
  if (!lz4) die("a hierarchy that is not LZ4");
  uint8_t *data = unlz4(b.at + 8, (uint64_t)(b.end - b.at) - 8, size);
  bytes_t in = {data, data + size};
  uint32_t next = 0;
  while (in.at < in.end) {
    const uint8_t tag = byte(&in);
    if (tag == 254) { /* scope */
      (void)byte(&in);
      printf("$scope module %s $end\n", name(&in));
      (void)name(&in);
    } else if (tag == 255) {
      printf("$upscope $end\n");
    } else if (tag == 252) { /* attribute */
      (void)byte(&in), (void)byte(&in), (void)name(&in), (void)varint(&in);
    } else if (tag != 253) { /* variable */
      (void)byte(&in);
      const char *text = name(&in);
      const uint64_t bits = varint(&in), alias = varint(&in);
      const uint32_t handle = alias != 0 ? (uint32_t)alias - 1 : next++;
      printf("$var wire %u ", (unsigned)bits);
      put_id(handle);
      printf(" %s $end\n", text);
    }
  }
  printf("$enddefinitions $end\n");
  free(data);
}

static void put_value(uint32_t handle, const char *bits) {
  if (width[handle] != 1) putchar('b');
  fputs(bits, stdout);
  if (width[handle] != 1) putchar(' ');
  put_id(handle);
  putchar('\n');
}

static int by_time(const void *a, const void *b) {
  const change_t *x = a, *y = b;
  if (x->time != y->time) return x->time < y->time ? -1 : 1;
  return x->order < y->order ? -1 : 1;
}

static change_t *list;
static size_t listed, list_cap;

static char *add(uint32_t time, uint32_t handle) {
  if (listed == list_cap) {
    list_cap = list_cap == 0 ? 4096 : 2 * list_cap;
    list = realloc(list, list_cap * sizeof *list);
    if (list == NULL) die("out of memory");
  }
  list[listed] = (change_t){time, handle, (uint32_t)listed, get(width[handle])};
  return list[listed++].bits;
}

/* The changes of one signal. */
static void chain(bytes_t in, uint32_t handle) {
  uint32_t time = 0;
  const uint32_t bits = width[handle];
  while (in.at < in.end) {
    const uint64_t v = varint(&in);
    if (bits == 1) {
      if ((v & 1) != 0) die("a value that is neither 0 nor 1");
      time += (uint32_t)(v >> 2);
      add(time, handle)[0] = (v & 2) != 0 ? '1' : '0';
      continue;
    }
    time += (uint32_t)(v >> 1);
    char *to = add(time, handle);
    for (uint32_t i = 0; i < bits; i += (v & 1) != 0 ? 1 : 8) {
      const uint8_t x = byte(&in);
      if ((v & 1) != 0) to[i] = (char)x;
      for (uint32_t k = 0; (v & 1) == 0 && k < 8 && i + k < bits; k++)
        to[i + k] = (x >> (7 - k) & 1) != 0 ? '1' : '0';
    }
  }
}

/* Where each signal's chain lies; an alias points to another's. */
static void positions(bytes_t in, uint64_t *place, int64_t *alias, uint32_t count) {
  uint64_t at = 0;
  int64_t previous = 0;
  for (uint32_t i = 0; in.at < in.end && i < count;) {
    if ((*in.at & 1) == 0) {
      i += (uint32_t)(varint(&in) >> 1);
      continue;
    }
    const int64_t v = signed_varint(&in) >> 1;
    if (v > 0) {
      at += (uint64_t)v;
      place[i++] = at;
    } else {
      if (v < 0) previous = v;
      alias[i++] = -previous; /* handle from 1 */
    }
  }
}

static void frame(bytes_t *in) {
  const uint64_t size = varint(in), packed = varint(in), count = varint(in);
  uint8_t *data = unzip(in->at, packed, size);
  char text[8192];
  const uint8_t *at = data;
  in->at += packed;
  for (uint32_t i = 0; i < count && last_time == UINT64_MAX; i++) {
    if (width[i] >= sizeof text) die("a wide signal");
    memcpy(text, at, width[i]);
    text[width[i]] = '\0';
    at += width[i];
    put_value(i, text);
  }
  free(data);
}

static uint64_t *times(const uint8_t *end, uint64_t *packed, uint64_t *count) {
  const uint64_t size = big(end - 24);
  *packed = big(end - 16);
  *count = big(end - 8);
  uint8_t *data = unzip(end - 24 - *packed, *packed, size);
  bytes_t in = {data, data + size};
  uint64_t *out = get(*count * sizeof *out), now = 0;
  for (uint64_t i = 0; i < *count; i++)
    out[i] = now += varint(&in);
  free(data);
  return out;
}

static void changes(bytes_t b) {
  uint64_t packed, count;
  bytes_t in = {b.at + 24, b.end};
  uint64_t *time = times(b.end, &packed, &count);
  if (last_time == UINT64_MAX) printf("#%llu\n", (unsigned long long)big(b.at));
  frame(&in);
  last_time = big(b.at);
  const uint32_t n = (uint32_t)varint(&in);
  const uint8_t *base = in.at; /* places count from the kind of packing */
  const uint8_t *chain_end = b.end - 24 - packed - 8;
  const uint8_t *index = chain_end - big(chain_end);
  uint64_t *place = get((n + 1) * sizeof *place);
  int64_t *alias = get((n + 1) * sizeof *alias);
  if (*base != '4' && *base != 'Z') die("unknown packing");
  positions((bytes_t){index, chain_end}, place, alias, n);
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t from = alias[i] != 0 ? (uint32_t)alias[i] - 1 : i;
    if (place[from] == 0) continue;
    uint64_t stop = (uint64_t)(index - base);
    for (uint32_t k = from + 1; k < n; k++)
      if (place[k] != 0) {
        stop = place[k];
        break;
      }
    bytes_t c = {base + place[from], base + stop};
    const uint64_t size = varint(&c), have = (uint64_t)(c.end - c.at);
    uint8_t *data = size == 0      ? NULL
                    : *base == '4' ? unlz4(c.at, have, size)
                                   : unzip(c.at, have, size);
    chain(data != NULL ? (bytes_t){data, data + size} : c, i);
    free(data);
  }
  qsort(list, listed, sizeof *list, by_time);
  for (size_t i = 0; i < listed; i++) {
    const uint64_t at = time[list[i].time];
    if (at != last_time) printf("#%llu\n", (unsigned long long)at);
    last_time = at;
    put_value(list[i].handle, list[i].bits);
    free(list[i].bits);
  }
  listed = 0;
  free(place);
  free(alias);
  free(time);
}

int main(int argc, char **argv) {
  size_t size;
  if (argc != 2) die("usage: fst_text FILE.fst");
  uint8_t *data = (uint8_t *)wl_read_file(argv[1], &size);
  if (data == NULL) die("cannot read the file");
  /* First what the value changes need: the geometry stands behind them. */
  for (int pass = 0; pass < 3; pass++)
    for (size_t at = 0; at + 9 <= size;) {
      const uint8_t kind = data[at];
      const uint64_t n = big(data + at + 1);
      if (n < 8 || n > size - at - 1) die("cut file");
      const bytes_t b = {data + at + 9, data + at + 1 + n};
      if (pass == 0 && kind == 3) geometry(b);
      if (pass == 1 && (kind == 4 || kind == 6)) hierarchy(b, kind == 6);
      if (pass == 2 && (kind == 5 || kind == 8)) changes(b);
      if (pass == 2 && kind == 1) die("value changes without dynamic aliases");
      at += 1 + n;
    }
  free(data);
  free(width);
  free(list);
  return 0;
}
