// Choices among the bits of a word, for words of any width: bits #(8)::lowest(v). Functions, because a
// module for each would make the simulation slower. Depends on nothing.
package cells_pkg;
  // verilator lint_off DECLFILENAME // the file has the name of the package
  virtual class bits #(
    parameter int unsigned Width = 8
  );
    localparam int unsigned NumberBits = (Width > 1) ? $clog2(Width) : 1;
    typedef logic [Width-1:0]      word_t;
    typedef logic [NumberBits-1:0] number_t;
    typedef struct packed {
      word_t first;  // the bit chosen, one-hot; 0 for none
      word_t above;  // the places above it
    } choice_t;

    // The lowest bit that is set, one-hot. 0 for 0.
    static function automatic word_t lowest(input word_t v);
      return v & (~v + word_t'(1));
    endfunction

    // All but the lowest bit that is set.
    static function automatic word_t others(input word_t v);
      return v & (v - word_t'(1));
    endfunction

    // More than one bit is set.
    static function automatic logic many(input word_t v);
      return others(v) != '0;
    endfunction

    // Number of the only bit that is set. 0 for 0.
    static function automatic number_t number(input word_t one_hot);
      number_t n;
      n = '0;
      for (int unsigned k = 0; k < NumberBits; k++) begin
        for (int unsigned i = 0; i < Width; i++) if (i[k]) n[k] |= one_hot[i];
      end
      return n;
    endfunction

    // Number of the lowest bit that is set. 0 for 0.
    // Timing: pairs, then pairs of pairs and so on, without the chain of carries of lowest().
    static function automatic number_t lowest_number(input word_t v);
      word_t   some;
      number_t n [Width];
      some = v;
      for (int unsigned i = 0; i < Width; i++) n[i] = '0;
      for (int unsigned k = 0; k < NumberBits; k++) begin
        for (int unsigned i = 0; 2 * i < (Width + (1 << k) - 1) >> k; i++) begin
          if (2 * i + 1 < (Width + (1 << k) - 1) >> k) begin
            n[i] = some[2*i] ? n[2*i] : n[2*i+1];
            n[i][k] = !some[2*i] && some[2*i+1];
            some[i] = some[2*i] || some[2*i+1];
          end else begin
            n[i] = n[2*i];
            some[i] = some[2*i];
          end
        end
      end
      return n[0];
    endfunction

    // The first bit that is set at the places `from` (those above the last choice), else the lowest of
    // all: circular, in ascending order.
    // Timing: of few places both choices in parallel with the question which of them counts.
    static function automatic choice_t first_after(input word_t v, input word_t from);
      word_t ahead, minus, minus_all;
      ahead = v & from;
      if (Width > 8 && ahead == '0) ahead = v;
      minus = ~ahead + word_t'(1);
      minus_all = ~v + word_t'(1);
      if (Width > 8 || ahead != '0) return '{first: ahead & minus, above: ahead ^ minus};
      return '{first: v & minus_all, above: v ^ minus_all};
    endfunction

    // Its number.
    static function automatic number_t number_after(input word_t v, input word_t from);
      return ((v & from) != '0) ? lowest_number(v & from) : lowest_number(v);
    endfunction
  endclass
endpackage
