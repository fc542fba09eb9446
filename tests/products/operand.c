/* operand.c: operands in shared memory. A region is filled by stores or by bulk copies, from data of the module; each
 * CTA begins so many bytes further on in them. */
#include <string.h>

#include "tests/products/gen.h"
#include "tests/unit/lower/umma_data.h"

enum {
  CHUNK = 16,
  ATOM = 1024,
  BEHIND = 128 /* bytes of data: the second CTA begins further on */
};

/* ---- data: chunks of elements of a type */
static void draw_chunk(pr_gen_t *g, const umma_type_t *type, uint8_t *chunk) {
  for (unsigned b = 0; b < CHUNK; b++) {
    chunk[b] = (uint8_t)pr_below(g, 256);
  }
  for (unsigned at = 0; at + type->bits <= 8 * CHUNK; at += type->bits) {
    umma_random = pr_below(g, 0xffffffff);
    const uint32_t bits = umma_draw(type);
    for (unsigned n = at; n < at + type->bits; n++) {
      chunk[n / 8] = (uint8_t)((chunk[n / 8] & ~(1u << n % 8)) | (bits >> (n - at) & 1) << n % 8);
    }
  }
}

static bool has_room(const pr_gen_t *g, uint32_t bytes) {
  return g->data_used + bytes + ATOM <= g->data_room &&
         g->blobs < sizeof g->blob / sizeof g->blob[0];
}

static bool has_data(const pr_gen_t *g, const umma_type_t *type, uint32_t bytes) {
  bool has = has_room(g, bytes);
  for (unsigned k = 0; k < g->blobs; k++) {
    has = has || (g->blob[k].type == type && g->blob[k].bytes >= bytes);
  }
  return has;
}

/* So many bytes of a type, new ones or some that are there; UINT32_MAX: there is no room. */
static uint32_t data_of(pr_gen_t *g, const umma_type_t *type, uint32_t bytes) {
  const bool room = has_room(g, bytes);
  uint32_t found = UINT32_MAX;
  for (unsigned k = 0; k < g->blobs; k++) {
    const pr_blob_t *b = &g->blob[k];
    if (b->type == type && b->bytes >= bytes && (found == UINT32_MAX || pr_chance(g, 50))) {
      found = b->at + pr_below(g, (b->bytes - bytes) / CHUNK + 1) * CHUNK;
    }
  }
  if (!room || (found != UINT32_MAX && pr_chance(g, 30))) {
    return found;
  }
  g->blob[g->blobs++] = (pr_blob_t){g->data_used, bytes, type};
  for (uint32_t at = 0; at < bytes + BEHIND; at += CHUNK) {
    draw_chunk(g, type, g->data + g->data_used + at);
  }
  g->data_used += bytes + BEHIND;
  return g->data_used - bytes - BEHIND;
}

/* ---- filling */
/* Nobody reads or writes it any more, and the warp knows. */
static void before_refill(pr_gen_t *g, unsigned warp, const pr_region_t *r) {
  for (unsigned v = 0; v < g->warps; v++) {
    pr_know_command(g, warp, v, r->read[v]);
    pr_know_op(g, warp, v, r->gen[v]);
  }
  if (r->bulk != 0) {
    pr_know_bulk(g, warp, r->bulk_issuer, r->bulk);
  }
}

static void by_stores(pr_gen_t *g, const pr_region_t *r, uint32_t from, unsigned warps) {
  const unsigned each = (unsigned)__builtin_popcount(warps);
  unsigned part = 0;
  for (unsigned v = 0; v < g->warps; v++) {
    const unsigned label = g->label++;
    if ((warps >> v & 1) == 0) {
      continue;
    }
    pr_put(g, v,
           "\tmov.u32 %%x, %%lane;\n\tadd.u32 %%x, %%x, %u;\n\tshl.b32 %%x, %%x, 4;\n"
           "L%u:\n\tcvt.u64.u32 %%rd, %%x;\n\tadd.u64 %%rd, %%rd, %%data;\n"
           "\tadd.u32 %%y, %%mem, %%x;\n\tsetp.lt.u32 %%p, %%x, %u;\n"
           "\t@%%p ld.global.v4.b32 {%%v0, %%v1, %%v2, %%v3}, [%%rd+%u];\n"
           "\t@%%p st.shared.v4.b32 [%%y+%u], {%%v0, %%v1, %%v2, %%v3};\n"
           "\tadd.u32 %%x, %%x, %u;\n\tsetp.lt.u32 %%p, %%x, %u;\n\t@%%p bra L%u;\n"
           "\tbar.warp.sync -1;\n\tfence.proxy.async%s;\n\tbar.warp.sync -1;\n",
           32 * part, label, r->bytes, from, r->begin, 512 * each, r->bytes, label,
           pr_chance(g, 50) ? ".shared::cta" : "");
    g->warp[v].ops++;
    part++;
  }
}

/* In pieces, by one thread. */
static void by_copies(pr_gen_t *g, unsigned warp, const pr_region_t *r, uint32_t from,
                      unsigned bar) {
  char operands[128];
  pr_claim(g, warp, bar);
  g->bar[bar].bulk = true;
  g->bar[bar].upto = ++g->warp[warp].bulks;
  (void)snprintf(operands, sizeof operands, "_, [bars+%u], %u", 8 * bar, r->bytes);
  pr_issue(g, warp, "mbarrier.arrive.expect_tx.shared::cta.b64", operands);
  for (uint32_t at = 0, n; at < r->bytes; at += n) {
    n = r->bytes - at > 256 && pr_chance(g, 40) ? CHUNK * (1 + pr_below(g, (r->bytes - at) / CHUNK))
                                                : r->bytes - at;
    (void)snprintf(operands, sizeof operands, "[mem+%u], [%%data+%u], %u, [bars+%u]", r->begin + at,
                   from + at, n, 8 * bar);
    pr_issue(g, warp, "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes",
             operands);
  }
}

void pr_refill(pr_gen_t *g, unsigned region) {
  pr_region_t *r = &g->region[region];
  const uint32_t from = data_of(g, r->type, r->bytes);
  const unsigned warp = pr_below(g, g->warps);
  const bool copies = g->warp[warp].bulks < PR_BULKS && pr_chance(g, 50),
             all = !copies && pr_chance(g, 40);
  const unsigned warps = all ? (1u << g->warps) - 1 : 1u << warp;
  if (from == UINT32_MAX) {
    return;
  }
  for (unsigned v = 0; v < g->warps; v++) {
    if ((warps >> v & 1) != 0) {
      before_refill(g, v, r);
    }
  }
  memset(r->gen, 0, sizeof r->gen);
  memset(r->read, 0, sizeof r->read);
  r->bulk = 0;
  if (copies) {
    by_copies(g, warp, r, from, pr_below(g, PR_BARS));
    r->bulk = g->warp[warp].bulks;
    r->bulk_issuer = warp;
  } else {
    by_stores(g, r, from, warps);
    for (unsigned v = 0; v < g->warps; v++) {
      r->gen[v] = (warps >> v & 1) != 0 ? g->warp[v].ops : 0;
    }
  }
  for (unsigned cta = 0; cta < g->ctas; cta++) {
    memcpy(g->shared[cta] + r->begin, g->data + from + cta * g->skew, r->bytes);
  }
}

void pr_use_region(pr_gen_t *g, unsigned warp, unsigned region) {
  const pr_region_t *r = &g->region[region];
  for (unsigned v = 0; v < g->warps; v++) {
    pr_know_op(g, warp, v, r->gen[v]);
  }
  if (r->bulk != 0) {
    pr_know_bulk(g, warp, r->bulk_issuer, r->bulk);
  }
}

/* ---- operands */
/* MN-major: of tf32 128 bytes with atoms of 32 alone, of others all but that. */
static umma_matrix_t matrix(pr_gen_t *g, unsigned kind, unsigned rows, bool k_major) {
  const unsigned size = kind == UMMA_KINDS ? 1 : umma_kinds[kind].size, j = 16 / size;
  const bool mn = !k_major && kind != UMMA_KINDS && rows % j == 0 && pr_chance(g, 35);
  const unsigned p = pr_chance(g, 35) ? 0 : pr_below(g, UMMA_PATTERNS);
  umma_matrix_t m = {.pattern = &umma_patterns[p], .rows = rows, .size = size, .mn = mn};
  if (mn) {
    m.pattern = &umma_patterns[kind == UMMA_TF32 ? 4 : p % 4];
  }
  m.steps = 1 + pr_below(g, g->wide ? 3 : 2);
  m.wide = pr_chance(g, 50);
  m.base = m.pattern->code != 0 && pr_chance(g, 30) ? pr_below(g, 8) : 0;
  return m;
}

/* A region for it: a new one, or one that is there. */
static int region_for(pr_gen_t *g, uint32_t bytes) {
  if (g->regions < PR_REGIONS && g->shared_used + bytes <= g->shared_room) {
    pr_region_t *r = &g->region[g->regions];
    *r = (pr_region_t){.begin = g->shared_used};
    g->shared_used += (bytes + ATOM - 1) / ATOM * ATOM;
    return (int)g->regions++;
  }
  const unsigned from = g->regions != 0 ? pr_below(g, g->regions) : 0;
  for (unsigned k = 0; k < g->regions; k++) {
    const unsigned at = (from + k) % g->regions;
    if (g->region[at].room >= bytes && (int)at != g->locked) {
      return (int)at;
    }
  }
  return -1;
}

int pr_operand(pr_gen_t *g, unsigned kind, const umma_type_t *type, unsigned rows, bool k_major) {
  for (unsigned k = 0; k < g->regions && pr_chance(g, 80); k++) {
    const pr_region_t *r = &g->region[k];
    if (r->kind == kind && r->type == type && r->m.rows >= rows && !(k_major && r->m.mn) &&
        pr_chance(g, 70)) {
      if (pr_chance(g, 20)) {
        pr_refill(g, k);
      }
      return (int)k;
    }
  }
  for (unsigned tries = 0; tries < 4; tries++) {
    umma_matrix_t m = matrix(g, kind, rows, k_major);
    umma_lay_out(&m, 0);
    const uint32_t bytes = (m.bytes + CHUNK - 1) / CHUNK * CHUNK;
    if (bytes > g->most_bytes || bytes > g->shared_room / 2 || !has_data(g, type, bytes)) {
      continue;
    }
    const int at = region_for(g, bytes);
    if (at >= 0) {
      pr_region_t *r = &g->region[at];
      umma_lay_out(&m, r->begin);
      r->m = m;
      r->kind = kind;
      r->type = type;
      r->bytes = bytes;
      r->room = r->room > bytes ? r->room : bytes;
      pr_refill(g, (unsigned)at);
      return at;
    }
  }
  return -1;
}

/* Bits of an element, from the bytes of shared memory. */
uint32_t pr_element(const pr_gen_t *g, unsigned cta, const pr_region_t *r, unsigned row,
                    unsigned k) {
  const bool halves = r->kind == UMMA_KINDS;
  unsigned number;
  const uint8_t *chunk = g->shared[cta] + umma_place(&r->m, row, halves ? k / 2 : k, &number);
  uint32_t bits = 0;
  number = halves ? 2 * number + k % 2 : number;
  for (unsigned n = 0; n < r->type->bits; n++) {
    const unsigned at = number * r->type->bits + n;
    bits |= (uint32_t)(chunk[at / 8] >> at % 8 & 1) << n;
  }
  return bits;
}
