// Copy engine (docs/microarchitecture.md 23; option Copy): bulk copies between global and shared
// memory beside the warps. Here: the wires between the parts. Does not decide who may issue: memissue.sv
// does, and it holds copy_way.
`include "cells/assert.svh"

module copy
  import wl_pkg::*;
  import config_pkg::*;
  import sm_pkg::*;
  import smem_pkg::*;
  import copy_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                clear_i,
  // Of the launch: limits of device memory and shared memory. CTA slots of the warps.
  input  logic [31:0]         lb_i [LaunchBlockWords],
  input  logic [CtaBits-1:0]  warp_cta_i [Warps],
  // X1 of the sub-cores: at most one has a copy's.
  input  x1_t                 x1_i [SubCores],
  input  logic [31:0]         x1_a_i [SubCores][Lanes],
  input  logic [31:0]         x1_b_i [SubCores][Lanes],
  input  logic [31:0]         x1_c_i [SubCores][Lanes],
  // Issue.
  output logic                put_free_o,      // entry `put` is free
  output logic                resolve_o,       // T of a COPY: copy_way := 0
  // Groups: BCOMMIT in t, by slot; questions of BWAIT, in the next cycle the answers.
  input  logic [Warps-1:0]    commit_i,
  input  bulk_ask_t           ask_i [SubCores],
  output logic [SubCores-1:0] left_o,          // more groups than asked for are pending
  // SM port.
  output logic                req_valid_o,
  output packet_t             req_o,
  input  logic                req_grant_i,
  input  logic                rsp_valid_i,
  input  response_t           rsp_i,
  // Chunk port: the request may change until it is granted, but stays valid.
  output chunk_req_t          chunk_o,
  input  logic                chunk_grant_i,
  input  chunk_rsp_t          chunk_rsp_i,
  // Signal to shared memory (11), and its delivery.
  output copy_signal_t        signal_o,
  input  logic                signal_taken_i,
  input  logic                delivered_i,     // shared memory delivers the signal's results
  input  logic                misuse_i,        // with misuse
  // Ends: an entry is freed; an instruction with a fault is in T. Both may be in one cycle.
  output copy_end_t           freed_o,
  output copy_end_t           refused_o,
  output logic [Warps-1:0]    busy_o,          // warps with an entry in use
  output logic [Warps-1:0]    wake_o,          // wait_wake of these := 1
  output trap_t               trap_o,
  output logic                rest_o           // no entry is used and all rows are FREE (15)
);
endmodule
