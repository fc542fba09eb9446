// Choices among the bits of a word, up to 64 of them: rows_t'(lowest(64'(rows))), and counts. Functions, because a
// module for each would make the simulation slower; in gates the unused bits vanish.
package cells_pkg;
  typedef struct packed {
    logic [63:0] first;  // the bit chosen, one-hot; 0 for none
    logic [63:0] above;  // the places above it
  } choice_t;

  // The lowest bit that is set, one-hot. 0 for 0.
  function automatic logic [63:0] lowest(input logic [63:0] v);
    return v & (64'd0 - v);
  endfunction

  // All bits that are set but the lowest.
  function automatic logic [63:0] others(input logic [63:0] v);
    return v & ~lowest(v);
  endfunction

  // Number of the only bit that is set. 0 for 0.
  function automatic logic [5:0] number(input logic [63:0] one_hot);
    return {(one_hot & 64'hffff_ffff_0000_0000) != '0, (one_hot & 64'hffff_0000_ffff_0000) != '0,
            (one_hot & 64'hff00_ff00_ff00_ff00) != '0, (one_hot & 64'hf0f0_f0f0_f0f0_f0f0) != '0,
            (one_hot & 64'hcccc_cccc_cccc_cccc) != '0, (one_hot & 64'haaaa_aaaa_aaaa_aaaa) != '0};
  endfunction

  // The first bit that is set at the places `from` (those above the last choice), else the lowest of
  // all: circular, in ascending order.
  function automatic choice_t first_after(input logic [63:0] v, input logic [63:0] from);
    logic [63:0] ahead, minus;
    ahead = ((v & from) != '0) ? v & from : v;
    minus = 64'd0 - ahead;
    return '{first: ahead & minus, above: ahead ^ minus};
  endfunction

  // Bits that are set, counted in two steps between which a register may lie: four bits in three
  // functions of four bits each, then these counts in pairs.
  typedef logic [7:0][2:0] fours_t;
  function automatic fours_t count_fours(input logic [31:0] v);
    fours_t n;
    for (int unsigned k = 0; k < 8; k++) begin
      n[k] = 3'(v[4*k]) + 3'(v[4*k+1]) + 3'(v[4*k+2]) + 3'(v[4*k+3]);
    end
    return n;
  endfunction

  function automatic logic [5:0] add_fours(input fours_t n);
    return ((6'(n[0]) + 6'(n[1])) + (6'(n[2]) + 6'(n[3]))) +
           ((6'(n[4]) + 6'(n[5])) + (6'(n[6]) + 6'(n[7])));
  endfunction
endpackage
