// Journal records of the RTL (docs/microarchitecture.md 15): one module per row of
// isa/def/journal.def, ports in the order of the row's words, made by wlgen. journal_UNIT.sv binds
// them to a unit: it says of which signals of the unit a record consists. The units themselves know
// nothing of it. valid_i stands in the cycle in which the event acts. In simulation a record is a call
// of its DPI import, on a board (WL_BOARD) a fold for a signature (docs/fpga.md 5). Modules and not
// calls, so that other tools can keep an instance that they do not look into: a netlist of the units
// still makes records (tests/mutants), and a board has another body. Lanes come as one vector, lane 0
// (word 0) in the lowest bits; words of disabled lanes are cleared there. No output: nothing returns to
// the core. fpga/rtl/record_signatures.sv reads `fold` by name.
`ifdef WL_JOURNAL
`include "journal_records.svh"
`endif
