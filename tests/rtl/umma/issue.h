// Instructions of the bench umma_tb.cpp, whose Bench this belongs to: words that come in X1, and what
// they must give.
#pragma once

void Bench::issue_product(unsigned k, const Command &c) {
  const bool masked = c.off[0] | c.off[1] | c.off[2] | c.off[3];
  const unsigned n = !product(c.op) ? 1 : scaled(c.op) ? 3 : masked ? 4 : 2;
  for (unsigned s = 0; s < n; s++) {
    X1 x{};
    x.op = c.op;
    x.step = s;
    x.beat = c.lane / z.lanes;
    x.mask = 1u << c.lane % z.lanes;
    x.last = s + 1 == n;
    x.warp = c.warp / z.subs;
    x.pc = c.pc;
    x.imm = c.imm;
    x.ta = c.ta;
    x.b16 = c.b16;
    x.a_words = product(c.op) ? 4 : c.op == CP || c.generic ? 2 : 1;
    x.b_words = scaled(c.op) ? 4 : 2;
    x.c_words = masked ? 4 : 0;
    x.ps = c.read ? x.mask : ~x.mask;
    uint32_t list[12] = {c.a[0],   c.a[1],   c.op == CP ? c.b[0] : c.a[2],
                         c.a[3],   c.b[0],   c.b[1],
                         c.off[0], c.off[1], c.off[2],
                         c.off[3], 0,        0};
    if (scaled(c.op)) std::copy_n(c.b + 2, 2, list + 6);
    for (unsigned i = 0; i < 3; i++)
      for (unsigned l = 0; l < z.lanes; l++)
        x.words[i][l] = l == c.lane % z.lanes ? list[3 * s + i] : static_cast<uint32_t>(rnd());
    way[k].push_back(x);
  }
  command = c;
  on_way = true;
}

// A product of zeros: D is C.
void Bench::issue_set(unsigned k) {
  const unsigned warp = rnd(z.warps / z.subs), rd = rnd(100);
  uint32_t c[4][32];
  for (auto &word : c)
    for (uint32_t &x : word)
      x = (static_cast<uint32_t>(rnd()) & 0x87ffffff) | 0x38000000;
  const unsigned n = (10 + z.words - 1) / z.words;
  for (unsigned beat = 0; beat < z.beats(); beat++) {
    for (unsigned s = 0; s < n; s++) {
      X1 x{};
      x.unit = 1;
      x.step = s;
      x.beat = beat;
      x.mask = ~0u >> (32 - z.lanes);
      x.last = beat + 1 == z.beats() && s + 1 == n;
      x.warp = warp;
      x.a_words = x.c_words = 4;
      x.b_words = 2;
      for (unsigned i = 0; i < z.words; i++)
        for (unsigned l = 0; l < z.lanes; l++) {
          const unsigned w = z.words * s + i;
          x.words[i][l] = w >= 6 && w < 10 ? c[w - 6][beat * z.lanes + l] : 0;
        }
      way[k].push_back(x);
    }
  }
  for (unsigned w = 0; w < 4; w++)
    for (unsigned beat = 0; beat < z.beats(); beat++)
      sets[k].push_back(
          {rd + w, beat,
           std::vector<uint32_t>(c[w] + beat * z.lanes, c[w] + (beat + 1) * z.lanes)});
  top->issue_i[k] = 1;
  top->issue_load_i[k] = 0;
  top->issue_warp_i[k] = static_cast<uint8_t>(warp);
  top->issue_rd_i[k] = static_cast<uint8_t>(rd);
  seen.sets++;
}

void Bench::issue_load(unsigned k) {
  const unsigned warp = rnd(z.warps / z.subs), rd = 128 + rnd(64), n = 1 + rnd(16);
  const unsigned quarter = (warp * z.subs + k) % 4, column = z.columns - 16 + rnd(17 - n);
  X1 x{};
  x.unit = 2;
  x.op = LOAD;
  x.mask = 1;
  x.last = true;
  x.warp = warp;
  x.imm = n - 1;
  x.a_words = 1;
  x.words[0][0] = quarter << 21 | column;
  way[k].push_back(x);
  for (unsigned w = 0; w < n; w++)
    for (unsigned beat = 0; beat < z.beats(); beat++) {
      Word r{rd + w, beat, {}};
      for (unsigned l = 0; l < z.lanes; l++)
        r.data.push_back(word(quarter, column + w, beat * z.lanes + l));
      loads[k].push_back(r);
    }
  top->issue_i[k] = 1;
  top->issue_load_i[k] = 1;
  top->issue_warp_i[k] = static_cast<uint8_t>(warp);
  top->issue_rd_i[k] = static_cast<uint8_t>(rd);
  top->issue_imm_i[k] = n - 1;
  seen.loads++;
}

void Bench::issue_store(unsigned k) {
  const unsigned warp = rnd(z.warps / z.subs), n = 1u << rnd(5);
  const unsigned quarter = (warp * z.subs + k) % 4, column = z.columns - 32 + rnd(17 - n);
  static const unsigned codes[] = {1, 2, 4, UMMA_WORDS}; // of 1, 2, 4, 8 and 16 words
  for (unsigned beat = 0; beat < z.beats(); beat++)
    for (unsigned s = 0; s <= n; s++) {
      X1 x{};
      x.unit = 2;
      x.op = STORE;
      x.step = s;
      x.beat = beat;
      x.mask = ~0u >> (32 - z.lanes);
      x.last = beat + 1 == z.beats() && s == n;
      x.warp = warp;
      x.a_words = 1;
      x.b_words = codes[__builtin_ctz(n)];
      for (unsigned l = 0; l < z.lanes; l++) {
        x.words[0][l] = s ? static_cast<uint32_t>(rnd()) : quarter << 21 | column;
        if (s) word(quarter, column + s - 1, beat * z.lanes + l) = x.words[0][l];
      }
      way[k].push_back(x);
    }
  seen.stores++;
}
