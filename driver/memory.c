/* memory.c: device memory of libwarplock: allocation, copies, the pattern of fresh memory.
 * docs/architecture.md 7 and 8. First fit by address, so that equal calls give equal addresses on
 * every backend. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/internal.h"
#include "driver/splitmix.h"

void wl_mem_pattern(uint64_t seed, uint64_t address, uint64_t *words, uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    words[i] = wl_mix(seed, WL_MIX_MEMORY, (address >> 3) + i);
  }
}

uint8_t *wl_mem_at(const wl_device_t *d, wl_addr_t address, uint64_t bytes) {
  if (address < WL_MEM_BASE || address - WL_MEM_BASE > d->mem_bytes ||
      bytes > d->mem_bytes - (address - WL_MEM_BASE)) {
    return NULL;
  }
  return d->mem + (address - WL_MEM_BASE);
}

static uint64_t round_up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

wl_addr_t wl_block_add(wl_device_t *d, uint64_t bytes, const char *label, bool internal) {
  if (bytes > d->mem_bytes) {
    return 0;
  }
  if (d->block_count == d->block_cap) {
    size_t cap = d->block_cap == 0 ? 16 : d->block_cap * 2;
    wl_block_t *blocks = realloc(d->blocks, cap * sizeof *blocks);
    if (blocks == NULL) {
      return 0;
    }
    d->blocks = blocks;
    d->block_cap = cap;
  }
  uint64_t need = round_up(bytes, WL_ALLOC_ALIGN) + WL_ALLOC_GAP;
  uint64_t at = 0; /* offset in device memory */
  size_t i = 0;
  for (; i < d->block_count; i++) {
    uint64_t start = d->blocks[i].address - WL_MEM_BASE;
    if (start - at >= need) {
      break;
    }
    at = start + round_up(d->blocks[i].bytes, WL_ALLOC_ALIGN) + WL_ALLOC_GAP;
  }
  if (at > d->mem_bytes || need > d->mem_bytes - at) {
    return 0;
  }
  memmove(&d->blocks[i + 1], &d->blocks[i], (d->block_count - i) * sizeof d->blocks[0]);
  d->block_count++;
  d->blocks[i] = (wl_block_t){.address = WL_MEM_BASE + at, .bytes = bytes, .internal = internal};
  (void)snprintf(d->blocks[i].label, sizeof d->blocks[i].label, "%s", label);
  if (d->check != NULL) { /* wl_alloc says that its contents are unknown */
    wl_check_host(d->check, WL_MEM_BASE + at, bytes, true);
  }
  return WL_MEM_BASE + at;
}

const wl_block_t *wl_block_find(const wl_device_t *d, wl_addr_t address) {
  for (size_t i = 0; i < d->block_count; i++) {
    if (d->blocks[i].address == address) {
      return &d->blocks[i];
    }
  }
  return NULL;
}

void wl_block_remove(wl_device_t *d, wl_addr_t address) {
  const wl_block_t *b = wl_block_find(d, address);
  if (b != NULL) {
    size_t i = (size_t)(b - d->blocks);
    memmove(&d->blocks[i], &d->blocks[i + 1], (d->block_count - i - 1) * sizeof *b);
    d->block_count--;
  }
}

static uint64_t distance(const wl_block_t *b, wl_addr_t address) {
  if (address < b->address) {
    return b->address - address;
  }
  uint64_t offset = address - b->address;
  return offset < b->bytes ? 0 : offset - b->bytes + 1;
}

const wl_block_t *wl_block_nearest(const wl_device_t *d, wl_addr_t address) {
  const wl_block_t *best = NULL;
  for (size_t i = 0; i < d->block_count; i++) {
    const wl_block_t *b = &d->blocks[i];
    if (!b->internal && (best == NULL || distance(b, address) < distance(best, address))) {
      best = b;
    }
  }
  return best;
}

wl_status_t wl_alloc(wl_device_t *d, uint64_t bytes, wl_addr_t *out) {
  *out = 0;
  if (d->ops == NULL) {
    return wl_fail(d, WL_ERR_INPUT, "the device is not open");
  }
  if (bytes == 0) {
    return wl_fail(d, WL_ERR_INPUT, "allocation of 0 bytes");
  }
  *out = wl_block_add(d, bytes, "", false);
  if (*out == 0) {
    return wl_fail(d, WL_ERR_UNSUPPORTED,
                   "allocation of %llu bytes does not fit: device memory has %llu bytes",
                   (unsigned long long)bytes, (unsigned long long)d->mem_bytes);
  }
  if (d->check != NULL) {
    wl_check_host(d->check, *out, bytes, false);
  }
  return wl_pass(d);
}

wl_status_t wl_free(wl_device_t *d, wl_addr_t address) {
  const wl_block_t *b = wl_block_find(d, address);
  if (b == NULL || b->internal || b->label[0] != 0) {
    return wl_fail(d, WL_ERR_INPUT, "0x%llx is not the address of an allocation",
                   (unsigned long long)address);
  }
  wl_block_remove(d, address);
  return wl_pass(d);
}

static wl_status_t check_range(wl_device_t *d, wl_addr_t address, uint64_t bytes,
                               const void *host) {
  if (bytes == 0 || host == NULL) {
    return wl_fail(d, WL_ERR_INPUT, "copy of 0 bytes or without a host address");
  }
  if (wl_mem_at(d, address, bytes) == NULL) {
    return wl_fail(d, WL_ERR_INPUT, "copy of %llu bytes at 0x%llx: not inside device memory",
                   (unsigned long long)bytes, (unsigned long long)address);
  }
  return wl_pass(d);
}

wl_status_t wl_write(wl_device_t *d, wl_addr_t to, const void *from, uint64_t bytes) {
  wl_status_t status = check_range(d, to, bytes, from);
  if (status == WL_OK) {
    memcpy(wl_mem_at(d, to, bytes), from, (size_t)bytes);
    if (d->check != NULL) {
      wl_check_host(d->check, to, bytes, true);
    }
  }
  return status;
}

wl_status_t wl_read(wl_device_t *d, void *to, wl_addr_t from, uint64_t bytes) {
  wl_status_t status = check_range(d, from, bytes, to);
  if (status == WL_OK) {
    memcpy(to, wl_mem_at(d, from, bytes), (size_t)bytes);
  }
  return status;
}

wl_status_t wl_fill(wl_device_t *d, wl_addr_t to, uint8_t value, uint64_t bytes) {
  wl_status_t status = check_range(d, to, bytes, &value);
  if (status == WL_OK) {
    memset(wl_mem_at(d, to, bytes), value, (size_t)bytes);
    if (d->check != NULL) {
      wl_check_host(d->check, to, bytes, true);
    }
  }
  return status;
}
