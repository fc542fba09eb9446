#!/usr/bin/env python3
"""Values of legal spellings: each row of TABLE is PTX text that leaves a word in %r1, and what the
PTX ISA says that word is, for thread t of a block of 32. All rows are one kernel.
usage: values_test.py WARPLOCK [BACKEND...]"""
import pathlib
import struct
import subprocess
import sys
import tempfile

THREADS = 32
# %r2 = t, %r3 = 3 * t + 5, %rd2 = this thread's 16 bytes of `data`: t, t + 100, t + 200, t + 300;
# %p2 = (t is odd), %p3 = (t >= 8)
# %f1 = t - 7.5
FLOAT = "cvt.rn.f32.u32 %f1, %r2; sub.f32 %f1, %f1, 0f40F00000; "
LAST_NAN = FLOAT + "setp.eq.u32 %p1, %r2, 31; selp.f32 %f1, 0fFFC00001, %f1, %p1; "


def redux(what, before, source="%f1", mask="-1"):
    return "%s redux.sync.%s.f32 %%f2, %s, %s; mov.b32 %%r1, %%f2;" % (before, what, source, mask)


def bits(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def copied(guard, operands, at=0):
    """Word `at` of 16 bytes of shared memory that were 9 and 0 before a copy."""
    return ("st.shared.v4.u32 [%%r4], {9, 0, 0, 0}; %s cp.async.ca.shared.global %s; cp.async.wait_all; "
            "ld.shared.u32 %%r1, [%%r4+%d];" % (guard, operands, at))


NAN = 0x7fffffff
TABLE = [
    ("ld.global.b32 { %r1 }, [ %rd2 + 0 ];", lambda t: t),
    ("ld.global.b32 { %r1 }, [ %rd2 + 8 ];", lambda t: t + 200),
    ("mov.u32 %r1, 7; @%p2 ld.global.b32 { %r1 }, [ %rd2 + 4 ];", lambda t: t + 100 if t & 1 else 7),
    ("st.shared.b32 [ %r4 + 0 ], { %r3 }; ld.shared.b32 %r1, [%r4];", lambda t: 3 * t + 5),
    ("st.shared.b32 [%r4], { 77 }; ld.shared.b32 {%r1}, [%r4];", lambda t: 77),
    ("st.shared.b32 [%r4], { %tid.x }; ld.shared.b32 %r1, [%r4];", lambda t: t),
    ("mov.b32 { %r1 }, %r3;", lambda t: 3 * t + 5),
    ("mov.b32 %r1, { %r3 };", lambda t: 3 * t + 5),
    ("mov.b32 %r1, { %tid.x };", lambda t: t),
    ("ld.global.v2.u32 {%r1, _}, [%rd2];", lambda t: t),
    ("mov.u32 %r1, 9; ld.global.v2.u32 {_, %r1}, [%rd2];", lambda t: t + 100),
    ("ld.global.v4.u32 {_, %r1, _, %r5}, [%rd2]; add.u32 %r1, %r1, %r5;", lambda t: 2 * t + 400),
    ("ld.global.v4.u8 {%h1, _, _, %h2}, [%rd2+4]; mov.b32 %r1, {%h1, %h2};", lambda t: t + 100),
    ("mov.u32 %r1, 1; mov.b64 {_, %r1}, %rd3;", lambda t: 0x11223344),
    ("mov.b64 {%r1, _}, %rd3;", lambda t: 0x55667788),
    ("mov.v2.u32 {_, %r1}, {%r2, %r3};", lambda t: 3 * t + 5),
    ("shfl.sync.idx.b32 %r1|_, %r3, 2, 31, -1;", lambda t: 11),
    ("mov.u32 %r5, 4; match.all.sync.b32 _|%p1, %r5, -1; selp.b32 %r1, 1, 2, %p1;", lambda t: 1),
    ("setp.lt.u32 _|%p1, %r2, 4; selp.b32 %r1, 1, 2, %p1;", lambda t: 2 if t < 4 else 1),
    ("setp.lt.u32 %p1|_, %r2, 4; selp.b32 %r1, 1, 2, %p1;", lambda t: 1 if t < 4 else 2),
    ("setp.lt.u32 _, %r2, 4; mov.u32 %r1, %r2;", lambda t: t),
    ("st.shared.u32 [%r4], 5; atom.shared.add.u32 _, [%r4], %r2; ld.shared.u32 %r1, [%r4];",
     lambda t: t + 5),
    ("st.shared.u32 [%r4], 5; atom.shared.cas.b32 _, [%r4], 5, %r3; ld.shared.u32 %r1, [%r4];",
     lambda t: 3 * t + 5),
    ("lop3.b32 _, %r2, %r3, %r4, 1; mov.u32 %r1, %r2;", lambda t: t),
    ("cvt.u32.u16 %r1, %tid.x;", lambda t: t),
    ("cvt.u64.u32 %rd1, %ntid.x; cvt.u32.u64 %r1, %rd1;", lambda t: 32),
    ("cvt.u32.u8 %r1, %laneid;", lambda t: t),
    ("cvt.s32.s8 %r1, %lanemask_eq;", lambda t: {0: 1, 7: 0xffffff80}.get(t, 1 << t if t < 7 else 0)),
    ("cvt.u16.u32 %h1, %lanemask_le; cvt.u32.u16 %r1, %h1;", lambda t: ((2 << t) - 1) & 0xffff),
    ("cvt.u32.u64 %r1, %gridid; mov.u32 %r5, %gridid; xor.b32 %r1, %r1, %r5;", lambda t: 0),
    ("cvt.sat.u8.u32 %r1, %lanemask_lt;", lambda t: min((1 << t) - 1, 255)),
    ("selp.b32 %r1, 1, 2, !%p2;", lambda t: 2 if t & 1 else 1),
    ("selp.b32 %r1, %r2, %r3, !%p2;", lambda t: 3 * t + 5 if t & 1 else t),
    ("selp.b64 %rd1, %rd3, 0, !%p2; cvt.u32.u64 %r1, %rd1;", lambda t: 0 if t & 1 else 0x55667788),
    ("setp.eq.and.u32 %p1, %r2, %r2, !%p2; selp.b32 %r1, 1, 2, %p1;", lambda t: 2 if t & 1 else 1),
    ("setp.ne.or.u32 %p1, %r2, %r2, !%p2; selp.b32 %r1, 1, 2, %p1;", lambda t: 2 if t & 1 else 1),
    ("set.eq.and.u32.u32 %r1, %r2, %r2, !%p2;", lambda t: 0 if t & 1 else 0xffffffff),
    ("and.pred %p1, !%p2, %p3; selp.b32 %r1, 1, 2, %p1;", lambda t: 1 if not t & 1 and t >= 8 else 2),
    ("and.pred %p1, %p2, !%p3; selp.b32 %r1, 1, 2, %p1;", lambda t: 1 if t & 1 and t < 8 else 2),
    ("or.pred %p1, !%p2, !%p3; selp.b32 %r1, 1, 2, %p1;", lambda t: 1 if not t & 1 or t < 8 else 2),
    ("xor.pred %p1, !%p2, %p3; selp.b32 %r1, 1, 2, %p1;",
     lambda t: 1 if (not t & 1) != (t >= 8) else 2),
    ("xor.pred %p1, !%p2, !%p3; selp.b32 %r1, 1, 2, %p1;", lambda t: 1 if (t & 1) != (t >= 8) else 2),
    ("not.pred %p1, !%p2; selp.b32 %r1, 1, 2, %p1;", lambda t: 1 if t & 1 else 2),
    ("mov.pred %p1, !%p2; selp.b32 %r1, 1, 2, %p1;", lambda t: 2 if t & 1 else 1),
    ("mov.pred %p1, !%is_explicit_cluster; selp.b32 %r1, 1, 2, %p1;", lambda t: 1),
    ("and.pred %p1, !1, %p2; selp.b32 %r1, 1, 2, %p1;", lambda t: 2),
    ("selp.b32 %r1, 1, 2, !0;", lambda t: 1),
    ("vote.sync.ballot.b32 %r1, !%p2, -1;", lambda t: 0x55555555),
    ("vote.sync.any.pred %p1, !%p3, -1; selp.b32 %r1, 1, 2, %p1;", lambda t: 1),
    ("bar.red.popc.u32 %r1, 0, !%p3;", lambda t: 8),
    ("bar.red.or.pred %p1, 0, !%p3; selp.b32 %r1, 1, 2, %p1;", lambda t: 1),
    ("lop3.or.b32 %r1|%p1, %r2, %r2, %r2, 0x80, !%p2; selp.b32 %r1, 1, 2, %p1;",
     lambda t: 1 if t != 0 or not t & 1 else 2),
    ("ld.const.u32 %r1, [masked];", lambda t: 0),
    ("mov.b64 %rd1, %v; cvt.u32.u64 %r1, %rd1;", lambda t: t),
    ("mov.b64 %rd1, %v; shr.u64 %rd1, %rd1, 32; cvt.u32.u64 %r1, %rd1;", lambda t: 3 * t + 5),
    ("mov.b64 %w, %rd3; mov.b32 %r1, %w.y;", lambda t: 0x11223344),
    ("mov.b64 %rd1, {%tid.x, %ntid.x}; shr.u64 %rd1, %rd1, 32; cvt.u32.u64 %r1, %rd1;",
     lambda t: 32),
    ("st.shared.v2.u32 [%r4], {%tid.x, %ntid.x}; ld.shared.v2.u32 {_, %r1}, [%r4];", lambda t: 32),
    ("ld.global.u32 %r1, [joined+4];", lambda t: 6),
    ("ld.global.u32 %r1, [later+4];", lambda t: 8),
    ("call (%r1), twice, (%r3);", lambda t: 6 * t + 10),
    # The order of f32 numbers across lanes; a NaN gives way, with .NaN it wins.
    (redux("min", FLOAT), lambda t: bits(-7.5)),
    (redux("max", FLOAT), lambda t: bits(23.5)),
    (redux("min.abs", FLOAT), lambda t: bits(0.5)),
    (redux("max.abs", FLOAT), lambda t: bits(23.5)),
    (redux("min", FLOAT + "add.f32 %f1, %f1, 0fC2C80000;"), lambda t: bits(-107.5)),
    (redux("max", FLOAT + "add.f32 %f1, %f1, 0fC2C80000;"), lambda t: bits(-76.5)),
    (redux("min.abs", FLOAT + "add.f32 %f1, %f1, 0fC2C80000;"), lambda t: bits(76.5)),
    (redux("min", FLOAT + "mov.u32 %r5, -1;", mask="%r5"), lambda t: bits(-7.5)),
    (redux("max.NaN", FLOAT), lambda t: bits(23.5)),
    (redux("min.NaN", FLOAT), lambda t: bits(-7.5)),
    (redux("min", LAST_NAN), lambda t: bits(-7.5)),
    (redux("max", LAST_NAN), lambda t: bits(22.5)),
    (redux("min.NaN", LAST_NAN), lambda t: NAN),
    (redux("max.NaN", LAST_NAN), lambda t: NAN),
    (redux("min.abs.NaN", LAST_NAN), lambda t: NAN),
    (redux("max.abs.NaN", LAST_NAN), lambda t: NAN),
    (redux("min.abs", LAST_NAN), lambda t: bits(0.5)),
    (redux("max.abs", LAST_NAN), lambda t: bits(22.5)),
    (redux("min", "", "0fFFFFFFFF"), lambda t: NAN),
    (redux("max", "", "0fFFFFFFFF"), lambda t: NAN),
    (redux("max", "", "0fFF800000"), lambda t: 0xff800000),
    (redux("min", "", "0f7F800000"), lambda t: 0x7f800000),
    (redux("min", "selp.f32 %f1, 0f00000000, 0f80000000, %p2;"), lambda t: 0x80000000),
    (redux("max", "selp.f32 %f1, 0f00000000, 0f80000000, %p2;"), lambda t: 0),
    (redux("min", "selp.f32 %f1, 0f80000002, 0f80000003, %p2;"), lambda t: 0x80000003),
    # Pairs of f16: q is the upper half's result; a destination that is the predicate, too.
    ("mov.b32 %r5, 0x3c004000; mov.b32 %r6, 0x40003c00; setp.lt.f16x2 %p1|_, %r5, %r6;"
     " selp.b32 %r1, 1, 2, %p1;", lambda t: 2),
    ("mov.b32 %r5, 0x3c004000; mov.b32 %r6, 0x40003c00; setp.lt.f16x2 _|%p1, %r5, %r6;"
     " selp.b32 %r1, 1, 2, %p1;", lambda t: 1),
    ("mov.b32 %r5, 0x3c004000; mov.b32 %r6, 0x40003c00; setp.lt.f16x2 %p1, %r5, %r6;"
     " selp.b32 %r1, 1, 2, %p1;", lambda t: 2),
    ("mov.b32 %r5, 0x3c004000; mov.b32 %r6, 0x40003c00; mov.pred %p1, %p2;"
     " setp.lt.xor.f16x2 %p1|%p0, %r5, %r6, %p1; selp.b32 %r1, 1, 0, %p1; selp.b32 %r5, 2, 0, %p0;"
     " or.b32 %r1, %r1, %r5;", lambda t: 1 if t & 1 else 2),
    ("mov.b32 %r5, 0x3c004000; mov.b32 %r6, 0x40003c00; mov.pred %p1, %p2;"
     " @%p1 setp.lt.f16x2 %p1|%p0, %r5, %r6; selp.b32 %r1, 1, 2, %p1;", lambda t: 2),
    ("mov.b16 %h1, 0x3c00; mov.b16 %h2, 0x3800; mov.b32 %r5, {%h1, %h2}; add.f16x2 %r5, %r5, %r5;"
     " mov.b32 {%h1, %h2}, %r5; mov.b32 %r1, {%h2, %h1};", lambda t: 0x40003c00),
    ("mov.b32 %r5, 0x3c003c00; st.shared.v2.b32 [%r4], {%r5, %r5}; ld.shared.v4.b16 {%h1, %h2, %h3, _}, [%r4];"
     " add.f16 %h1, %h2, %h3; cvt.u32.u16 %r1, %h1;", lambda t: 0x4000),
    ("ld.global.u64 %rd1, [behind]; ld.global.u32 %r1, [%rd1];", lambda t: 5),
    (copied("@%p2", "[%r4], [%rd2+4], 4"), lambda t: t + 100 if t & 1 else 9),
    (copied("@!%p2", "[%r4], [%rd2+4], 4, !%p3"),
     lambda t: 9 if t & 1 else 0 if t < 8 else t + 100),
    (copied("@%p2", "[%r4], [%rd2+4], 4, %p3"),
     lambda t: 9 if not t & 1 else 0 if t >= 8 else t + 100),
    (copied("", "[%r4], [%rd2+4], 4, !%p3"), lambda t: 0 if t < 8 else t + 100),
    ("rem.u32 %r5, %r2, 5; " + copied("@!%p3", "[%r4], [%rd2+8], 4, %r5"),
     lambda t: 9 if t >= 8 else t + 200 if t % 5 != 0 else 0),
    (copied("@%p3", "[%r4], [%rd2], 8, 0"), lambda t: 0 if t >= 8 else 9),
    (copied("@%p2", "[%r4], [%rd2], 4, 1"), lambda t: t if t & 1 else 9),
    (copied("", "[%r4], [%rd2], 16, 7", 4), lambda t: t + 100),
    (copied("", "[%r4], [%rd2], 16, 7", 8), lambda t: 0),
    ("mov.u32 %r5, 13; " + copied("", "[%r4], [%rd2], 16, %r5", 8), lambda t: t + 200),
    ("cvt.u64.u32 %rd5, %r4; " + copied("", "[%rd5+4], [%rd2+12], 4", 4), lambda t: t + 300),
    ("cp.async.ca.shared.global [room+496], [joined+4], 4; cp.async.wait_all; ld.shared.u32 %r1, [room+496];",
     lambda t: 6),
    ("createpolicy.fractional.L2::evict_last.b64 %rd5; st.shared.u32 [%r4], 9; "
     "cp.async.ca.shared.global.L2::cache_hint.L2::64B [%r4], [%rd2+4], 4, %p2, %rd5; "
     "cp.async.wait_all; ld.shared.u32 %r1, [%r4];", lambda t: 0 if t & 1 else t + 100),
]
HEAD = """.version 9.0
.target sm_100a
.extern .global .u32 joined[2];
.visible .global .u32 joined[2] = {5, 6};
.visible .global .u32 later[2] = {7, 8};
.extern .global .u32 later[2];
.global .u64 behind = joined+4+-4;
.const .u32 masked = 0xff000000(0x00654321);
.visible .func (.reg .u32 %o) twice (.reg .u32 %i)
.visible .func (.reg .u32 %o) twice (.reg .u32 %i) { add.u32 %o, %i, %i; ret; }
.shared .align 16 .b8 room[512];
.visible .entry values(.param .u64 data, .param .u64 out)
{
  .reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<8>; .reg .f32 %f<4>; .reg .b64 %rd<8>; .reg .v2 .b32 %v, %w;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r2, 3, 5;
  mov.b32 %v.x, %r2; mov.b32 %v.y, %r3;
  ld.param.u64 %rd2, [data];
  mad.wide.u32 %rd2, %r2, 16, %rd2;
  ld.param.u64 %rd4, [out];
  mad.wide.u32 %rd4, %r2, ROWBYTES, %rd4;
  mov.u32 %r4, room; mad.lo.u32 %r4, %r2, 16, %r4;
  mov.u64 %rd3, 0x1122334455667788;
  and.b32 %r5, %r2, 1; setp.ne.u32 %p2, %r5, 0;
  setp.ge.u32 %p3, %r2, 8;
"""


def main():
    warplock, backends = sys.argv[1], sys.argv[2:] or ["func"]
    text = HEAD.replace("ROWBYTES", str(4 * len(TABLE)))
    for i, (row, _) in enumerate(TABLE):
        text += "  %s st.global.u32 [%%rd4+%d], %%r1;\n" % (row, 4 * i)
    data = b"".join(struct.pack("<4I", t, t + 100, t + 200, t + 300) for t in range(THREADS))
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        (place / "values.ptx").write_text(text + "  ret;\n}\n", encoding="ascii")
        (place / "data").write_bytes(data)
        for backend in backends:
            subprocess.run([warplock, "run", place / "values.ptx", "--backend", backend,
                            "--config", "tiny", "--grid", "1", "--block", str(THREADS),
                            "--arg", "in:%s" % (place / "data"),
                            "--arg", "out:%d:%s" % (4 * len(TABLE) * THREADS, place / "out")],
                           check=True, stdout=subprocess.DEVNULL)
            got = struct.unpack("<%dI" % (len(TABLE) * THREADS), (place / "out").read_bytes())
            for t in range(THREADS):
                for i, (row, want) in enumerate(TABLE):
                    value = got[t * len(TABLE) + i]
                    if value != want(t) & 0xffffffff:
                        failures += 1
                        print("%s, thread %d: %s gives 0x%x, not 0x%x" % (
                            backend, t, row, value, want(t) & 0xffffffff))
    print("%d rows, %d threads, %s: %d wrong" % (len(TABLE), THREADS, " ".join(backends), failures))
    return failures != 0


sys.exit(main())
