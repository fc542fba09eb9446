// The runs of umma_tb.cpp: commands at random, and the cycles of the tables in sections 25 and 26.
#pragma once

void Bench::start(unsigned smem_units) {
  units = smem_units;
  top->smem_units_i = static_cast<uint16_t>(units);
  top->smem_bytes_i = units * 1024;
  for (unsigned w = 0; w < z.warps; w++)
    top->warp_cta_i[w] = static_cast<uint8_t>(cta[w]);
  for (unsigned u = 0; u < z.columns / 32; u++) {
    top->columns_used_i[u] = used[u];
    top->columns_cta_i[u] = static_cast<uint8_t>(owner[u]);
  }
}

uint32_t Bench::look(unsigned quarter, unsigned column, unsigned lane) {
  top->look_quarter_i = static_cast<uint8_t>(quarter);
  top->look_row_i = static_cast<uint16_t>(column * z.beats() + lane / z.lanes);
  top->look_lane_i = static_cast<uint8_t>(lane % z.lanes);
  settle(1);
  return top->look_o;
}

// Tensor memory is what the commands and stores left.
void Bench::contents() {
  for (unsigned i = 0; i < 2000 && !failures; i++) {
    const unsigned quarter = rnd(4), column = rnd(z.columns), lane = rnd(32);
    expect("contents", look(quarter, column, lane), word(quarter, column, lane));
  }
}

// Good scales of a kind: poked, a word a cycle.
void Bench::scales() {
  const unsigned kind = rnd(6);
  top->delivered_i = top->misuse_i = top->grant_i = top->taken_i = top->rsp_i = 0;
  for (unsigned k = 0; k < z.subs; k++)
    top->x1_i[k] = top->issue_i[k] = top->result_grant_i[k] = 0;
  for (unsigned q = 0; q < 4; q++)
    for (unsigned c = first_scale; c < first_scale + 32; c++)
      for (unsigned l = 0; l < 32; l++) {
        word(q, c, l) = scale_word(kind == 5 ? rnd(5) : kind);
        top->poke_i = 1;
        top->look_quarter_i = static_cast<uint8_t>(q);
        top->look_row_i = static_cast<uint16_t>(c * z.beats() + l / z.lanes);
        top->look_lane_i = static_cast<uint8_t>(l % z.lanes);
        top->poke_data_i = word(q, c, l);
        settle(0);
        settle(1);
      }
  top->poke_i = 0;
  settle(0);
}

// Two commands that follow each other, and a commit, with nothing else.
void Bench::table() {
  struct Line {
    unsigned op, imm; // of a product: bit 0 A in tensor memory, bit 1 operands MN-major
    unsigned m, n;
    uint64_t first, steps, last, write, end, period, requests;
    bool write_before;   // the last step
    uint64_t scales = 0; // of the first block are FULL; 0: none
  };
  static const Line lines[] = {UMMA_TABLE};
  for (unsigned w = 0; w < z.warps; w++)
    cta[w] = 0;
  std::fill(used.begin(), used.end(), true);
  std::fill(owner.begin(), owner.end(), 0);
  start(z.smem / 1024 > 16 ? 16 : 8);
  calm = true;
  grants = takes = 16;
  wants = mixes = 0;
  for (const Line &line : lines) {
    static const uint32_t types[] = {1u << 4, 0,        1u << 4 | 2u << 7 | 2u << 10, 0, 2u << 4, 0,
                                     0,       1u << 23, 1u << 7 | 1u << 10 | 1u << 23};
    Command c{};
    c.op = line.op;
    // Rows of 16 bytes, eight of them in a row of shared memory; the two halves of K side by side.
    const uint64_t d = 8ull << 16 | 16ull << 32 | 1ull << 46;
    c.a[0] = c.a[2] = static_cast<uint32_t>(d);
    c.a[1] = c.a[3] = static_cast<uint32_t>(d >> 32);
    if (product(line.op)) {
      c.b[1] =
          types[line.op] | line.n / 8 << 17 | line.m / 16 << 24 | (line.imm & 2 ? 3u << 15 : 0);
      c.ta = line.imm & 1;
      if (c.ta) c.a[0] = 0;
      c.b[2] = z.columns - 64; // scales, beside D
      c.b[3] = z.columns - 60;
    } else {
      c.imm = line.imm;
      if (line.op == SHIFT) c.a[0] = 0;
    }
    c.read = true;
    for (unsigned run = 0; run < 2 && !failures; run++) {
      Command commit{};
      commit.op = COMMIT;
      given.push_back(c);
      given.push_back(run ? c : commit);
      at_t = at_grant = at_offer = at_begin = at_scales = 0;
      steps = requests = 0;
      for (unsigned i = 0; i < 100 || !active.empty() || !given.empty(); i++) {
        if (failures || i > 60000) return check(false, "the table's command ends", i, 0, cycle);
        step();
      }
      if (run) {
        expect("cycles: period", period, line.period);
        expect("cycles: requests", requests, 2 * line.requests);
        continue;
      }
      if (!c.ta && line.op != SHIFT) expect("cycles: first request", at_grant - at_t, 1);
      expect("cycles: first step", at_begin - at_t, line.first);
      expect("cycles: steps", steps, line.steps);
      if (line.scales) expect("cycles: scales", at_scales - at_t, line.scales);
      if (line.steps) {
        expect("cycles: last step", at_last - at_t, line.last);
        expect("cycles: last row", line.write_before ? at_last - at_write : at_write - at_last,
               line.write);
        expect("cycles: end", at_end - at_last, line.end);
      } else { // from T
        expect("cycles: last row", at_write - at_t, line.write);
        expect("cycles: end", at_end - at_t, line.end);
      }
      expect("cycles: commit offers", at_offer - at_end, 1);
    }
    if (failures) std::printf("in the table's line of operation %u, %u\n", line.op, line.imm);
  }
}

void Bench::run() {
  top->rst_ni = 0;
  top->poke_i = 0;
  top->clear_i = 0;
  for (unsigned k = 0; k < z.subs; k++)
    top->x1_i[k] = top->issue_i[k] = top->result_grant_i[k] = 0;
  top->rsp_i = top->delivered_i = top->misuse_i = top->grant_i = top->taken_i = 0;
  start(8);
  settle(0);
  settle(1);
  settle(0);
  settle(1);
  top->rst_ni = 1;
  // Before reset registers are random: a row or two may have been written.
  for (unsigned q = 0; q < 4; q++)
    for (unsigned c = 0; c < z.columns; c++)
      for (unsigned l = 0; l < 32; l++)
        word(q, c, l) = look(q, c, l);
  fill();
  table();
  static const unsigned chances[] = {2, 6, 12, 16};
  for (unsigned e = 0; e < UMMA_EPISODES && !failures; e++) {
    const unsigned ctas = 1 + rnd(z.ctas);
    for (unsigned w = 0; w < z.warps; w++)
      cta[w] = rnd(ctas);
    for (unsigned u = 0; u < z.columns / 32; u++) {
      // The last unit is that of loads and stores, of every warp: its CTA is that of all.
      used[u] = true;
      owner[u] = 0;
    }
    if (e % 2)
      for (unsigned w = 0; w < z.warps; w++)
        cta[w] = 0; // loads and stores need their CTA's columns
    start(z.smem / 1024 / z.ctas);
    fill();
    if (has_scales()) scales();
    calm = rnd(4) == 0;
    spoil = rnd(2) ? 0 : 10;
    wants = chances[rnd(4)];
    mixes = e % 2 ? chances[rnd(4)] : 0;
    grants = calm ? 16 : chances[rnd(4)];
    takes = calm ? 16 : chances[rnd(4)];
    if (e % 2 == 0) { // several CTAs: faults of columns
      for (unsigned u = 0; u < z.columns / 32; u++) {
        used[u] = rnd(16);
        owner[u] = rnd(ctas);
      }
      for (unsigned w = 0; w < z.warps; w++) // each finds a unit
        cta[w] = owner[rnd(z.columns / 32 - 1)];
      used.assign(used.size(), true);
      start(units);
    }
    for (unsigned i = 0; i < UMMA_CYCLES && !failures; i++)
      step();
    wants = mixes = 0;
    grants = takes = 16;
    for (unsigned i = 0; i < 60000 && !failures; i++) {
      bool left = !active.empty() || on_way;
      for (unsigned k = 0; k < z.subs; k++)
        left = left || !way[k].empty() || !sets[k].empty() || !loads[k].empty();
      if (!left && i > 40) break;
      step();
      if (i == 59999) check(false, "all ends", i, 0, cycle);
    }
    if (!failures) expect("rest at the end", top->rest_o, 1);
    if (!failures) contents();
  }
  if (failures) return;
  uint64_t acted = 0;
  for (const unsigned op : {UMMA_OPS}) {
    check(seen.ops[op] > 5, "operations", seen.ops[op], op, cycle);
    acted += seen.ops[op];
  }
  check(acted > 50 && seen.ops[COMMIT] > 10, "commands", acted, seen.ops[COMMIT], cycle);
  check(!UMMA_TA || seen.with_ta > 10, "A in tensor memory", seen.with_ta, 0, cycle);
  check(seen.traps > 10 && seen.misuse > 0, "traps", seen.traps, seen.misuse, cycle);
  check(seen.sets > 50 && seen.loads > 20 && seen.stores > 20, "others", seen.sets, seen.loads,
        cycle);
  check(seen.both > 5, "turns", seen.both, 5, cycle);
  std::printf("%" PRIu64 " cycles; f16, commit, tf32, f8f6f4, i8, cp, shift, mxf8f6f4, mxf4:",
              cycle);
  for (unsigned op = 0; op < 9; op++)
    std::printf(" %" PRIu64, seen.ops[op]);
  std::printf("; %" PRIu64 " with A in tensor memory, %" PRIu64 " rows, %" PRIu64 " traps (%" PRIu64
              " descriptor, %" PRIu64 " lanes, %" PRIu64 " columns), %" PRIu64 " misuses, %" PRIu64
              " sets, %" PRIu64 " loads, %" PRIu64 " stores\n",
              seen.with_ta, seen.rows, seen.traps, seen.causes[24], seen.causes[22],
              seen.causes[23], seen.misuse, seen.sets, seen.loads, seen.stores);
}
