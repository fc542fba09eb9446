// examples/uvm in a simulator, with the classes of uvm/uvm_pkg.sv: a recorded run (cosim_tb.sv) comes to
// the scoreboard clock by clock, as a monitor of the design would send it.
// +log=FILE +ptx=FILE +dir=FOLDER (x.bin, y.bin) +flip=N: bit 7 of word 4 of record N. +short: one clock
// only. +hash=wrong
module uvm_tb
  import warplock_uvm_pkg::*;
  import log_pkg::*;
(
  input  logic clk_i,
  output logic finish_o
);
  warplock_scoreboard scoreboard;
  log_reader          log;
  string              path, ptx, dir, hash;
  int                 flip, number;
  longint             cycle;
  bit                 ready;

  initial begin
    finish_o = 1'b0;
    flip = -1;
    number = 0;
    cycle = 0;
    hash = "";
    void'($value$plusargs("log=%s", path));
    void'($value$plusargs("ptx=%s", ptx));
    void'($value$plusargs("dir=%s", dir));
    void'($value$plusargs("hash=%s", hash));
    void'($value$plusargs("flip=%d", flip));
    log = new(path);
    scoreboard = warplock_scoreboard::type_id::create("scoreboard", null);
    scoreboard.build_phase(null);
    ready = scoreboard.open("tiny", hash == "" ? config_pkg::LayoutHash : 64'd1, 64'd3);
    ready = ready && scoreboard.load(ptx, "saxpy") && scoreboard.value_arg(64'h4000_0000, 4) &&
            scoreboard.buffer_arg(64'd400, {dir, "/x.bin"}) &&
            scoreboard.buffer_arg(64'd400, {dir, "/y.bin"}) && scoreboard.value_arg(64'd100, 4) &&
            scoreboard.launch(4, 32);
    if (!ready) finish_o = 1'b1;
  end

  // What acted in this clock.
  function automatic warplock_clock sample();
    warplock_clock clock;
    clock = warplock_clock::type_id::create("clock");
    while (log.more && log.cycle == cycle) begin
      log.take();
      if (number == flip) log.data[32*4 + 7] = !log.data[32*4 + 7];
      number = number + 1;
      clock.records.push_back('{kind: log.kind, words: log.words, data: log.data});
      if (log.is_store())
        clock.stores.push_back('{address: log.store_address(), data: log.data[32*8 +: 256],
                                 strobe: log.data[32*7 +: 32]});
    end
    clock.done = !log.more;
    return clock;
  endfunction

  always @(posedge clk_i) if (!finish_o) begin
    scoreboard.clocks.write(sample());
    cycle = cycle + 1;
    if (!log.more || $test$plusargs("short") != 0) begin
      scoreboard.check_phase(null);
      $display("launches %0d", scoreboard.launches);
      scoreboard.final_phase(null);
      finish_o = 1'b1;
    end
  end
endmodule
