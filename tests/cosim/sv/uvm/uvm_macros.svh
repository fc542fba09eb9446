// Of UVM's macros those that examples/uvm uses, for tests (see uvm_pkg.sv).
`ifndef WL_TESTS_UVM_MACROS
`define WL_TESTS_UVM_MACROS
`define uvm_component_utils(T) \
  typedef uvm_component_registry #(T) type_id;
`define uvm_object_utils(T) \
  typedef uvm_object_registry #(T) type_id;
`define uvm_info(ID, TEXT, VERBOSITY) uvm_say("UVM_INFO", ID, TEXT, VERBOSITY);
`define uvm_error(ID, TEXT) uvm_say("UVM_ERROR", ID, TEXT, UVM_NONE);
`endif
