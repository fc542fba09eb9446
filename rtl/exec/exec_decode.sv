// Decode for the lanes: form and word of the X1 token to the control of exec_pkg, once for all
// lanes (docs/microarchitecture.md 6.2). active_o = 0: the form gives nothing to the fixed pipe.
// The choices by operation have no default: an operation without its arm does not pass the linter.
module exec_decode
  import wl_pkg::*;
  import sm_pkg::*;
  import exec_pkg::*;
(
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  input  x1_t         x1_i,
  // verilator lint_on UNUSEDSIGNAL
  output logic        active_o,
  output logic        link_o,       // the value of x1_sreg passes through, the same in all lanes
  output prep_t       prep_o,
  output ctl_t        ctl_o,
  output logic        field_imm_o,  // position and length of bfe, bfi are immediate
  output logic [15:0] field_o
);
  // verilator lint_off UNUSEDSIGNAL // of wire structs a unit reads what it needs
  insn_word_t word;
  // verilator lint_on UNUSEDSIGNAL
  logic [7:0] op;
  alu_op_e alu_op;
  mul_op_e mul_op;
  fpu_op_e fpu_op;
  assign word = x1_i.word;
  assign op = x1_i.info.op;
  assign alu_op = alu_op_e'(op);
  assign mul_op = mul_op_e'(op);
  assign fpu_op = fpu_op_e'(op);
  // The table of lop3 for a = 0, and where it is another for a = 1.
  logic [3:0] k0, k1;
  assign k0 = word.mods.bitwise.lut[3:0];
  assign k1 = word.mods.bitwise.lut[7:4] ^ word.mods.bitwise.lut[3:0];
  assign field_imm_o = x1_i.info.imm == ImmL;
  assign field_o = word.imm[15:0];

  always_comb begin
    active_o = x1_i.valid && form_fixed(x1_i.info, x1_i.released);
    link_o = 1'b0;
    prep_o = '0;
    prep_o.a = 1'b1;
    prep_o.b = 1'b1;
    prep_o.c_is_c = 1'b1;
    ctl_o = '0;
    ctl_o.grp = GrpSel;
    ctl_o.rnd = word.mods.arithmetic.rnd;
    ctl_o.ftz = word.mods.arithmetic.ftz;
    ctl_o.cmp = word.mods.comparison.cmp;
    ctl_o.bop = word.mods.comparison.bop;
    unique case (x1_i.info.unit)
      UnitAlu: begin
        unique case (alu_op)
          AluMova, AluMovb: begin
            ctl_o.sum = 1'b1;
            prep_o.a = op == AluMova;
            prep_o.b = op == AluMovb;
          end
          AluSelp: begin
            ctl_o.sum = 1'b1;
            prep_o.selp = 1'b1;
          end
          AluAdd, AluAddsat, AluAdd64, AluSub, AluSubsat, AluSub64, AluRsub: begin
            ctl_o.grp = GrpAdd;
            ctl_o.sum = 1'b1;
            ctl_o.sat = op == AluAddsat || op == AluSubsat;
            ctl_o.wide = op == AluAdd64 || op == AluSub64;
            prep_o.inv_b = op == AluSub || op == AluSubsat || op == AluSub64;
            prep_o.inv_a = op == AluRsub;
          end
          AluAddc: begin
            // The source predicate is the carry into the sum.
            ctl_o.grp = GrpAdd;
            ctl_o.sum = 1'b1;
            ctl_o.carry = 1'b1;
            ctl_o.bop = 2'd3;
            prep_o.carry = 1'b1;
            prep_o.inv_b = word.mods.arithmetic.neg_b;
          end
          AluVadd, AluVmin, AluVmax: begin
            ctl_o.grp = GrpPacked;
            ctl_o.op = (op == AluVadd) ? PackAdd : (op == AluVmin) ? PackMin : PackMax;
            ctl_o.sgn = !word.mods.arithmetic.uns;
            ctl_o.bytes = word.mods.arithmetic.bytes;
            ctl_o.sat = op == AluVadd && word.mods.arithmetic.sat;
            ctl_o.neg_b = op == AluVadd && word.mods.arithmetic.neg_b;
            ctl_o.relu = op != AluVadd && word.mods.arithmetic.relu;
          end
          AluAbs: begin
            ctl_o.grp = GrpAdd;
            ctl_o.sum = 1'b1;
            prep_o.b = 1'b0;
            prep_o.abs = 1'b1;
          end
          AluMins, AluMinu, AluMaxs, AluMaxu: begin
            ctl_o.grp = GrpCmp;
            ctl_o.op = (op == AluMins || op == AluMinu) ? CmpMin : CmpMax;
            ctl_o.sgn = op == AluMins || op == AluMaxs;
            prep_o.inv_b = 1'b1;
          end
          AluSetps, AluSetpu, AluSetps64, AluSetpu64: begin
            ctl_o.grp = GrpCmp;
            ctl_o.op = CmpSetp;
            ctl_o.sgn = op == AluSetps || op == AluSetps64;
            ctl_o.wide = op == AluSetps64 || op == AluSetpu64;
            prep_o.inv_b = 1'b1;
          end
          AluLop3: begin
            ctl_o.grp = GrpLop;
            ctl_o.terms = {^k1, k1[0] ^ k1[2], k1[0] ^ k1[1], k1[0],
                           ^k0, k0[0] ^ k0[2], k0[0] ^ k0[1], k0[0]};
          end
          AluShflc, AluShflw, AluShfrc, AluShfrw: begin
            ctl_o.grp = GrpShift;
            ctl_o.left = op == AluShflc || op == AluShflw;
            ctl_o.wrap = op == AluShflw || op == AluShfrw;
            prep_o.left = ctl_o.left;
          end
          AluShrs: begin
            ctl_o.grp = GrpShift;
            prep_o.b = 1'b0;
            prep_o.sar = 1'b1;
            prep_o.c_is_b = 1'b1;
            prep_o.c_is_c = 1'b0;
          end
          AluBfeu, AluBfes, AluBfi: begin
            ctl_o.grp = GrpField;
            ctl_o.insert = op == AluBfi;
            ctl_o.sgn = op == AluBfes;
          end
          AluPrmt: ctl_o.grp = GrpPrmt;
          AluPopc, AluClz, AluBrev, AluBfindu, AluBfinds: begin
            ctl_o.grp = GrpCount;
            ctl_o.sgn = op == AluBfinds;
            ctl_o.op = (op == AluPopc) ? CntPopc : (op == AluClz) ? CntClz :
                       (op == AluBrev) ? CntBrev : CntBfind;
          end
          AluPlop: ctl_o.grp = GrpPlop;
          AluS2r, AluActmask: begin
            if (x1_i.info.slow) ctl_o.grp = GrpSreg;
            else link_o = 1'b1;
          end
        endcase
      end
      UnitMul: begin
        ctl_o.grp = GrpMul;
        unique case (mul_op)
          MulMadlo:             ctl_o.high = x1_i.step[0];
          MulMadhiu, MulMadhis: ctl_o.high = 1'b1;
          MulMadwu, MulMadws: begin
            ctl_o.wide = 1'b1;
            ctl_o.high = x1_i.step[0];
          end
        endcase
        ctl_o.sgn = op == MulMadhis || op == MulMadws;
        ctl_o.terms = 8'h02;  // the addend passes through the integer part
      end
      UnitFpu: begin
        unique case (fpu_op)
          FpuFadd, FpuFmul, FpuFfma: begin
            // add: a * 1 + b; mul: a * b + zero of the product's sign.
            ctl_o.grp = GrpFma;
            ctl_o.arith = 1'b1;
            ctl_o.sat = word.mods.arithmetic.sat;
            prep_o.b = op != FpuFadd;
            prep_o.one = op == FpuFadd;
            prep_o.c_is_b = op == FpuFadd;
            prep_o.c_is_c = op == FpuFfma;
            prep_o.sign = op == FpuFmul;
            prep_o.fp = 1'b1;
            prep_o.ftz = word.mods.arithmetic.ftz;
            prep_o.neg_a = word.mods.arithmetic.neg_a;
            prep_o.neg_b = op == FpuFadd && word.mods.arithmetic.neg_b;
            prep_o.neg_c = op == FpuFfma && word.mods.arithmetic.neg_c;
          end
          FpuFmin, FpuFmax, FpuFsetp: begin
            ctl_o.grp = GrpCmp;
            ctl_o.op = (op == FpuFmin) ? CmpMin : (op == FpuFmax) ? CmpMax : CmpSetp;
            ctl_o.nan = op != FpuFsetp && word.mods.arithmetic.nan;
            ctl_o.fp = 1'b1;
            prep_o.fp = 1'b1;
            prep_o.ftz = word.mods.arithmetic.ftz;
            prep_o.inv_b = 1'b1;
          end
          FpuI2fu, FpuI2fs, FpuI2fu64, FpuI2fs64: begin
            ctl_o.grp = GrpI2f;
            ctl_o.arith = 1'b1;
            ctl_o.sgn = op == FpuI2fs || op == FpuI2fs64;
            prep_o.b = op == FpuI2fu64 || op == FpuI2fs64;
            prep_o.sar = op == FpuI2fs;
          end
          FpuFrnd: ctl_o.grp = GrpFrnd;
          FpuFex2, FpuFlg2, FpuFtanh: begin
            ctl_o.grp = GrpSpecial;
            ctl_o.op = (op == FpuFex2) ? SpecEx2 : (op == FpuFlg2) ? SpecLg2 : SpecTanh;
          end
          FpuHfma, FpuHmin, FpuHmax, FpuHset: begin
            ctl_o.grp = GrpHalf;
            ctl_o.op = (op == FpuHfma) ? HalfFma : (op == FpuHmin) ? HalfMin :
                       (op == FpuHmax) ? HalfMax : HalfSet;
            ctl_o.fmt = x1_i.info.format;
            ctl_o.sat = op == FpuHfma && word.mods.arithmetic.sat;
            ctl_o.relu = op == FpuHfma && word.mods.arithmetic.relu;
            ctl_o.oob = op == FpuHfma && word.mods.arithmetic.oob;
            ctl_o.neg_a = op == FpuHfma && word.mods.arithmetic.neg_a;
            ctl_o.neg_c = op == FpuHfma && word.mods.arithmetic.neg_c;
            ctl_o.nan = op != FpuHset && word.mods.arithmetic.nan;
            ctl_o.xorsign = op != FpuHset && word.mods.arithmetic.xorsign;
          end
          FpuFnarrow, FpuFnarrow2, FpuFtf32a, FpuFwiden, FpuFwiden8, FpuFnarrow8, FpuFstoch2,
          FpuFstoch8: begin
            ctl_o.grp = GrpFormat;
            ctl_o.op = (op == FpuFtf32a) ? FmtTf32 : (op == FpuFwiden) ? FmtWiden :
                       (op == FpuFwiden8) ? FmtWiden8 : FmtNarrow;
            ctl_o.wide = op == FpuFnarrow2 || op == FpuFstoch2;
            ctl_o.fmt = x1_i.info.format;
            ctl_o.bytes = op == FpuFnarrow8 || op == FpuFstoch8;
            ctl_o.random = op == FpuFstoch2 || op == FpuFstoch8;
          end
          FpuF2iu, FpuF2is, FpuF2iu64, FpuF2is64: begin
            ctl_o.grp = GrpF2i;
            ctl_o.sgn = op == FpuF2is || op == FpuF2is64;
            ctl_o.wide = op == FpuF2iu64 || op == FpuF2is64;
          end
        endcase
      end
      UnitCtl: link_o = 1'b1;
      UnitBar: begin
        link_o = 1'b1;
        ctl_o.bop = 2'd3;  // the latched truth passes through
      end
      UnitSync, UnitLsu, UnitLdc, UnitProbe, UnitTensor, UnitFp64, UnitCopy, UnitTmem, UnitUmma: ;  // others
    endcase
    ctl_o.second = ctl_o.wide && x1_i.step[0];
    if (link_o) begin
      prep_o.a = 1'b0;
      prep_o.b = 1'b0;
      ctl_o.sum = 1'b1;
    end
  end
endmodule
