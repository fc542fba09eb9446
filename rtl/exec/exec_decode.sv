// Decode for the lanes: form and word of the X1 token to the control of exec_pkg, once for all
// lanes (docs/microarchitecture.md 6.2). active_o = 0: the form gives nothing to the fixed pipe.
module exec_decode
  import wl_pkg::*;
  import sm_pkg::*;
  import exec_pkg::*;
(
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  x1_t         x1_i,
  // verilator lint_on UNUSEDSIGNAL
  output logic        active_o,
  output ctl_t        ctl_o,
  output logic        field_imm_o,  // position and length of bfe, bfi are immediate
  output logic [15:0] field_o
);
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  insn_word_t word;
  // verilator lint_on UNUSEDSIGNAL
  logic [7:0] op;
  assign word = x1_i.word;
  assign op = x1_i.info.op;
  assign field_imm_o = x1_i.info.imm == ImmL;
  assign field_o = word.imm[15:0];

  always_comb begin
    active_o = x1_i.valid;
    ctl_o = '0;
    ctl_o.grp = GrpSel;
    ctl_o.op = SelSreg;
    ctl_o.step = x1_i.step[0];
    ctl_o.rnd = word.rnd;
    ctl_o.ftz = word.ftz;
    ctl_o.sat = word.sat;
    ctl_o.nan = word.nan;
    ctl_o.neg_a = word.neg_a;
    ctl_o.neg_b = word.neg_b;
    ctl_o.neg_c = word.neg_c;
    ctl_o.cmp = word.cmp;
    ctl_o.bop = word.bop;
    ctl_o.lut = word.lut;
    unique case (x1_i.info.unit)
      UnitAlu: begin
        unique case (op)
          AluMova: ctl_o.op = SelA;
          AluMovb: ctl_o.op = SelB;
          AluSelp: ctl_o.op = SelPred;
          AluAdd, AluAddsat, AluAdd64: begin
            ctl_o.grp = GrpAdd;
            ctl_o.op = AddAdd;
            ctl_o.sat = op == AluAddsat;
            ctl_o.wide = op == AluAdd64;
          end
          AluSub, AluSubsat, AluSub64: begin
            ctl_o.grp = GrpAdd;
            ctl_o.op = AddSub;
            ctl_o.sat = op == AluSubsat;
            ctl_o.wide = op == AluSub64;
          end
          AluRsub: begin
            ctl_o.grp = GrpAdd;
            ctl_o.op = AddRsub;
          end
          AluAbs: begin
            ctl_o.grp = GrpAdd;
            ctl_o.op = AddAbs;
          end
          AluMins, AluMinu, AluMaxs, AluMaxu: begin
            ctl_o.grp = GrpCmp;
            ctl_o.op = (op == AluMins || op == AluMinu) ? CmpMin : CmpMax;
            ctl_o.sgn = op == AluMins || op == AluMaxs;
          end
          AluSetps, AluSetpu, AluSetps64, AluSetpu64: begin
            ctl_o.grp = GrpCmp;
            ctl_o.op = CmpSetp;
            ctl_o.sgn = op == AluSetps || op == AluSetps64;
            ctl_o.wide = op == AluSetps64 || op == AluSetpu64;
          end
          AluLop3: ctl_o.grp = GrpLop;
          AluShflc, AluShflw: begin
            ctl_o.grp = GrpShift;
            ctl_o.op = ShLeft;
            ctl_o.wrap = op == AluShflw;
          end
          AluShfrc, AluShfrw: begin
            ctl_o.grp = GrpShift;
            ctl_o.op = ShRight;
            ctl_o.wrap = op == AluShfrw;
          end
          AluShrs: begin
            ctl_o.grp = GrpShift;
            ctl_o.op = ShArith;
          end
          AluBfeu, AluBfes: begin
            ctl_o.grp = GrpShift;
            ctl_o.op = ShExtract;
            ctl_o.sgn = op == AluBfes;
          end
          AluBfi: begin
            ctl_o.grp = GrpShift;
            ctl_o.op = ShInsert;
          end
          AluPrmt: ctl_o.grp = GrpPrmt;
          AluPopc, AluClz, AluBrev, AluBfindu, AluBfinds: begin
            ctl_o.grp = GrpCount;
            ctl_o.sgn = op == AluBfinds;
            unique case (op)
              AluPopc: ctl_o.op = CntPopc;
              AluClz:  ctl_o.op = CntClz;
              AluBrev: ctl_o.op = CntBrev;
              default: ctl_o.op = CntBfind;
            endcase
          end
          AluPlop: ctl_o.grp = GrpPlop;
          default: ctl_o.op = SelSreg;  // S2R, ACTMASK
        endcase
      end
      UnitMul: begin
        ctl_o.grp = GrpMul;
        ctl_o.op = (op == MulMadhiu || op == MulMadhis) ? MulHigh : MulLow;
        ctl_o.sgn = op == MulMadhis || op == MulMadws;
        ctl_o.wide = op == MulMadwu || op == MulMadws;
      end
      UnitFpu: begin
        unique case (op)
          FpuFadd, FpuFmul, FpuFfma: begin
            ctl_o.grp = GrpFma;
            ctl_o.op = (op == FpuFadd) ? FmaAdd : (op == FpuFmul) ? FmaMul : FmaFma;
          end
          FpuFmin, FpuFmax, FpuFsetp: begin
            ctl_o.grp = GrpCmp;
            ctl_o.op = (op == FpuFmin) ? CmpMin : (op == FpuFmax) ? CmpMax : CmpSetp;
            ctl_o.fp = 1'b1;
          end
          FpuI2fu, FpuI2fs, FpuI2fu64, FpuI2fs64: begin
            ctl_o.grp = GrpI2f;
            ctl_o.sgn = op == FpuI2fs || op == FpuI2fs64;
            ctl_o.wide = op == FpuI2fu64 || op == FpuI2fs64;
          end
          FpuFrnd: ctl_o.grp = GrpFrnd;
          default: begin
            ctl_o.grp = GrpF2i;
            ctl_o.sgn = op == FpuF2is || op == FpuF2is64;
            ctl_o.wide = op == FpuF2iu64 || op == FpuF2is64;
          end
        endcase
      end
      UnitCtl: active_o = x1_i.valid && (op == CtlCall || op == CtlCallx);
      UnitBar: begin
        active_o = x1_i.valid && x1_i.released;
        ctl_o.bop = 2'd3;  // the latched truth passes through
      end
      default: active_o = 1'b0;
    endcase
  end
endmodule
