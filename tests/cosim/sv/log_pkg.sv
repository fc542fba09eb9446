// A log of records (cosim_tb.sv), read record by record.
package log_pkg;
  import warplock_cosim_pkg::record_logic_t;

  class log_reader;
    bit            more;   // there is a further record,
    longint        cycle;  // of this cycle
    int            kind, words;  // of the record that was taken last
    record_logic_t data;
    protected int  file, next_kind, next_words;

    function new(string path);
      file = $fopen(path, "r");
      head();
    endfunction

    function void take();
      int unsigned value;
      kind = next_kind;
      words = next_words;
      data = '0;
      for (int i = 0; i < words; i++) begin
        void'($fscanf(file, "%h", value));
        data[32*i +: 32] = value;
      end
      head();
    endfunction

    // Stores of the design are those packets.
    function bit is_store();
      return kind == int'(wl_pkg::RecordPacket) && data[31:0] == 32'd1;
    endfunction

    function logic [63:0] store_address();
      return {data[32*6 +: 32], data[32*5 +: 32]} * 64'd32;
    endfunction

    protected function void head();
      more = $fscanf(file, "%d %d %d", cycle, next_kind, next_words) == 3;
    endfunction
  endclass
endpackage
