#!/bin/sh
# Tests of the program warplock on objects: right runs, and every bad input with its exact message
# and exit code (docs/architecture.md 6 and 7).  test_cli.sh WARPLOCK MAKE_OBJECTS VERSION
warplock=$1
make_objects=$2
version=$3
. "$(dirname "$0")/lib.sh"
"$make_objects" . || exit 1

# no FILE...: must not exist.
no() {
  for f in "$@"; do
    [ ! -e "$f" ] || fail "$f exists and should not"
  done
}

same() {
  cmp -s "$1" "$2" ||
    fail "$1 and $2 differ: $(od -An -tx1 "$1" | head -2) / $(od -An -tx1 "$2" | head -2)"
}

# 5 words: 1..5 plus 10 each.
printf '\001\000\000\000\002\000\000\000\003\000\000\000\004\000\000\000\005\000\000\000' >a.in
printf '\012\000\000\000\012\000\000\000\012\000\000\000\012\000\000\000\012\000\000\000' >b.in
printf '\013\000\000\000\014\000\000\000\015\000\000\000\016\000\000\000\017\000\000\000' >want.bin
printf '\013\000\000\000\014\000\000\000\015\000\000\000\016\000\000\000\020\000\000\000' >off.bin
printf '\000' >short.bin
: >nothing.bin
V="vecadd.wlo --grid 1 --block 32"
AB="--arg in:a.in --arg in:b.in"
ALL="$AB --arg out:20:c.out --arg s32:5"

# ---- right runs
want 0 "vecadd on func, configuration base: grid 1,1,1, block 32,1,1" run $V $ALL
same c.out want.bin
want 0 "1 of 1 expectations met" run $V $ALL --config tiny --expect 2=want.bin --seed 3
want 0 "1 of 1 expectations met" run $V $AB --arg inout:a.in:c2.out --arg u32:5 --expect 2=want.bin
same c2.out want.bin
want 0 '"warp_instructions": 21' run $V $ALL --json -
want 0 "vecadd on func" run $V $ALL --json r.json --log log.txt --dump-state dump.txt
grep -q '"exit": 0' r.json || fail "$(cat r.json)"
grep -q 'warp 0 pc 0 lanes ffffffff of ffffffff  s2r R0, SR0(%tid.x)' log.txt ||
  fail "log: $(head -1 log.txt)"
grep -q 'backend func config base' dump.txt || fail "$(cat dump.txt)"
want 1 "--expect 2=off.bin: 1 of 5 4-byte units differ, first at byte 16: got 0x0000000f, expected 0x00000010" \
  run $V $ALL --expect 2=off.bin
want 0 "1 of 1 expectations met" run $V $ALL --expect 2=off.bin:ulp=1
want 1 "1 of 5 4-byte units differ" run $V $ALL --expect 2=off.bin:ulp=0
want 0 "1 of 1 expectations met" run $V $ALL --expect 2=off.bin:abs=1e-30
P="params.wlo --grid 1 --block 8"
S="--arg bytes:00112233445566778899aabbccddeeff"
want 0 "params on func" run $P --arg out:32:p.out --arg u8:255 --arg s16:-2 --arg f32:1.5 --arg f64:-2 $S
printf '\377\000\376\377\000\000\300\077\000\000\000\000\000\000\000\300' >p.want
printf '\000\021\042\063\104\125\146\167\210\231\252\273\314\335\356\377' >>p.want
same p.out p.want
want 0 "params on func" run $P --arg zero:32 --arg b8:0x1 --arg b16:7 --arg b32:0x3f800000 --arg f64:0x1p-3 $S \
  --symbol table=u32:7 --symbol table=out:4:t.out
printf '\007\000\000\000' >t.want
same t.out t.want
want 0 "warplock $version, machine ISA " --version
want 0 "Usage: warplock COMMAND" --help
for c in as dis info run lockstep replay bench fpga; do
  want 0 "Usage: warplock $c" $c --help
  want 0 "machine ISA" $c --version
done
want 0 "configuration tiny: 8 warps, 4 CTAs" info --config tiny
want 0 "parameter 3: s32 n, 4 bytes at 24, alignment 4" info vecadd.wlo
want 0 "mad.lo.rrr R0, R1, R2, R0" dis vecadd.wlo
want 0 "// vecadd.cu:3" dis --source vecadd.wlo
"$warplock" run - --grid 1 --block 32 $ALL <vecadd.wlo >got.txt 2>&1 ||
  fail "$(cat got.txt)"

# ---- usage
want 2 "unknown command fly; see warplock --help" fly
want 2 "unknown command lokstep (did you mean lockstep?); see warplock --help" lokstep
want 2 "unknown option --gird (did you mean --grid?); see warplock run --help" run $V --gird 1
want 2 "unknown option --max-cycle (did you mean --max-cycles?); see warplock run --help" run $V --max-cycle 1
want 2 "option --json needs a value: --json FILE" run $V --json
want 2 "unknown option --fast; see warplock run --help" run $V --fast
want 2 "option --grid needs a value" run vecadd.wlo --grid
want 2 "one input file is needed, 0 given" run --grid 1 --block 1
want 2 "one input file is needed, 2 given" run vecadd.wlo vecadd.wlo --grid 1 --block 1
want 2 "--grid X[,Y,Z] is needed" run vecadd.wlo --block 1
want 2 "--grid 1,2,3,4: expected X, X,Y or X,Y,Z" run vecadd.wlo --grid 1,2,3,4 --block 1
want 2 "--grid 1,,2: expected" run vecadd.wlo --grid 1,,2 --block 1
want 2 "--block -1: expected" run vecadd.wlo --grid 1 --block -1
want 2 "--seed x: not a number" run $V --seed x
want 2 "unknown backend 'gpu' (func, model, rtl, lockstep, fpga)" run $V $ALL --backend gpu
want 2 "unknown configuration 'huge' (tiny, tiny4, base, full)" run $V $ALL --config huge
want 2 "unknown configuration 'huge'" info --config huge
want 2 "unknown disturbance 'much'" run $V $ALL --disturb much
want 2 "threads 2: 1, or 2 with the backend lockstep" run $V $ALL --threads 2
want 2 "--threads 3: expected 1 or 2" run $V $ALL --threads 3
want 2 "unknown comparison 'some'" run $V $ALL --compare some
want 6 "option -D is not implemented yet" as -D X=1 vecadd.ptx -o x.wlo
want 0 "" run $V $ALL --cluster 1
want 0 "" run $V $ALL --cluster 1,1,1
want 2 "--cluster 0: an extent of 0" run $V $ALL --cluster 0
want 2 "--cluster 1,,1: expected X, X,Y or X,Y,Z" run $V $ALL --cluster 1,,1
want 6 "--cluster 1,2: a cluster of more than one CTA is not implemented [PTX 2.2.2]" run $V $ALL --cluster 1,2
want 2 "backend func has no waves (--trace)" run $V --trace x.fst
want 2 "unknown command stub; see warplock --help" stub
want 2 "unknown option --nothing; see warplock bench --help" bench --nothing

# ---- arguments
want 2 "vecadd(u64 a, u64 b, u64 c, s32 n) takes 4 arguments, 3 --arg given" run $V $AB --arg zero:20
want 2 "vecadd(u64 a, u64 b, u64 c, s32 n) takes 4 arguments, 5 --arg given" run $V $ALL --arg u32:1
want 2 "--arg 3: u64:5: 8 bytes of type u64; parameter n of vecadd(u64 a, u64 b, u64 c, s32 n) is 4 bytes of type s32" \
  run $V $AB --arg zero:20 --arg u64:5
want 2 "--arg 3: f32:5: 4 bytes of type f32; parameter n of vecadd(u64 a, u64 b, u64 c, s32 n) is 4 bytes of type s32" \
  run $V $AB --arg zero:20 --arg f32:5
want 2 "--arg 3: zero:20: an address is passed, which needs 8 bytes; parameter n of" \
  run $V $AB --arg zero:20 --arg zero:20
want 2 "--arg 0: bytes:0011: 2 bytes; parameter a of vecadd(u64 a, u64 b, u64 c, s32 n) is 8 bytes of type u64" \
  run $V --arg bytes:0011 --arg in:b.in --arg zero:20 --arg s32:5
want 2 "--arg 5: bytes:00: 1 bytes; parameter s of params(u64 out, u8 b, s16 h, f32 f, f64 d, bytes[16] s) is a structure of 16 bytes" \
  run $P --arg zero:32 --arg u8:1 --arg s16:1 --arg f32:1 --arg f64:1 --arg bytes:00
want 2 "--arg 5: struct:short.bin: 1 bytes; parameter s of" \
  run $P --arg zero:32 --arg u8:1 --arg s16:1 --arg f32:1 --arg f64:1 --arg struct:short.bin
want 2 "--arg 0: u8:256: '256' is not a value of type u8" run $V --arg u8:256
want 2 "--arg 0: s8:-129: '-129' is not a value of type s8" run $V --arg s8:-129
want 2 "--arg 0: u32:-1: '-1' is not a value of type u32" run $V --arg u32:-1
want 2 "--arg 0: f32:1.5x: '1.5x' is not a value of type f32" run $V --arg f32:1.5x
want 2 "--arg 0: f16:1: give f16 values as bits" run $V --arg f16:1
want 2 "--arg 0: q32:1: expected TYPE:VALUE" run $V --arg q32:1
want 2 "--arg 0: seven: expected TYPE:VALUE" run $V --arg seven
want 2 "--arg 0: bytes:012: an even number of hexadecimal digits is needed" run $V --arg bytes:012
want 2 "--arg 0: zero:0: the size must be 1 to 2^36 bytes" run $V --arg zero:0
want 2 "--arg 0: out:20: expected out:BYTES:FILE" run $V --arg out:20
want 2 "--arg 0: inout:a.in: expected inout:FILE:FILE" run $V --arg inout:a.in
want 2 "cannot read missing.bin: No such file or directory" run $V --arg in:missing.bin
want 2 "nothing.bin is empty" run $V --arg in:nothing.bin
want 2 "faults.wlo has no kernel vecadd; its kernels: outside, misaligned, usertrap, spin" \
  run faults.wlo --kernel vecadd --grid 1 --block 1
want 2 "faults.wlo has 12 kernels, choose one with --kernel: outside, misaligned" \
  run faults.wlo --grid 1 --block 1
want 2 "empty.wlo has no kernel" run empty.wlo --grid 1 --block 1
want 2 "--symbol u33:1: expected TYPE:VALUE" run $P --symbol nix=u33:1
want 2 "params.wlo has no variable nix" \
  run $P --arg zero:32 --arg u8:1 --arg s16:1 --arg f32:1 --arg f64:1 $S --symbol nix=u32:1
want 2 "--symbol table: 8 bytes given, the variable has 4" \
  run $P --arg zero:32 --arg u8:1 --arg s16:1 --arg f32:1 --arg f64:1 $S --symbol table=u64:1

# ---- expectations
want 2 "--expect 4=want.bin: there are 4 arguments, counted from 0" run $V $ALL --expect 4=want.bin
want 2 "--expect 3=want.bin: argument 3 (s32:5) is no buffer" run $V $ALL --expect 3=want.bin
want 2 "--expect 2=short.bin: the file has 1 bytes, the buffer 20" run $V $ALL --expect 2=short.bin
want 2 "cannot read none.bin: No such file or directory" run $V $ALL --expect 2=none.bin
want 2 "--expect want.bin: expected N=FILE" run $V $ALL --expect want.bin
want 2 "--expect 2=want.bin:ulp=x: wrong tolerance" run $V $ALL --expect 2=want.bin:ulp=x

# ---- outputs: checked before the run, no half files after a failure
rm -f c.out
want 2 "cannot write no/such/c.out: No such file or directory" run $V $AB --arg out:20:no/such/c.out --arg s32:5
want 2 "cannot write no/such/r.json: No such file or directory" run $V $ALL --json no/such/r.json
want 2 "cannot write no/such/l: No such file or directory" run $V $ALL --log no/such/l
want 2 "cannot write .: not a regular file" run $V $AB --arg out:20:. --arg s32:5
no c.out c.out.tmp*
want 4 "trap" run faults.wlo --kernel misaligned --grid 1 --block 1 --arg out:8:t2.out
no t2.out t2.out.tmp*
printf '\0\0\0\0\0\0\0\0' >zeros.bin
want 4 "1 of 1 expectations not checked: the launch did not end well" \
  run faults.wlo --kernel misaligned --grid 1 --block 1 --arg zero:8 --expect 0=zeros.bin
want 1 "0 of 1 expectations met" run $V $ALL --expect 2=off.bin

# ---- launches
want 2 "grid 0,1,1: x must be 1 to 2147483647" run vecadd.wlo --grid 0 --block 32 $ALL
want 2 "grid 2147483648,1,1: x must be 1 to 2147483647" run vecadd.wlo --grid 2147483648 --block 32 $ALL
want 2 "grid 1,65536,1: y must be 1 to 65535" run vecadd.wlo --grid 1,65536 --block 32 $ALL
want 2 "block 0,1,1: x must be 1 to 1024" run vecadd.wlo --grid 1 --block 0 $ALL
want 2 "block 1,1,65: z must be 1 to 64" run vecadd.wlo --grid 1 --block 1,1,65 $ALL
want 2 "block 64,32,1: 2048 threads, at most 1024 are possible" run vecadd.wlo --grid 1 --block 64,32 $ALL
F="faults.wlo --grid 1"
want 2 "block 32,1,1: required requires 64,1,1 (.reqntid)" run $F --block 32 --kernel required
want 0 "required on func" run $F --block 64 --kernel required
want 2 "block 16,16,1: 256 threads, limited allows 128 (.maxntid)" run $F --block 16,16 --kernel limited
want 0 "limited on func" run $F --block 16,8 --kernel limited
want 6 "vecadd does not fit: threads per CTA: needed 1024, available 256 in configuration tiny; smallest configuration that has it: base" \
  run vecadd.wlo --grid 1 --block 1024 --config tiny $ALL
want 6 "many_registers does not fit: registers per thread: needed 200, available 64 in configuration tiny; smallest configuration that has it: base" \
  run $F --block 32 --kernel many_registers --config tiny
want 6 "many_registers does not fit: register pages per CTA: needed 800, available 256 in configuration base; no configuration has it" \
  run $F --block 1024 --kernel many_registers
want 6 "many_registers does not fit: register pages in a sub-core: needed 75, available 64 in configuration full; smallest configuration that has it: base" \
  run $F --block 288 --kernel many_registers --config full
want 6 "much_shared does not fit: shared memory bytes per CTA: needed 50000, available 32768 in configuration tiny; smallest configuration that has it: base" \
  run $F --block 32 --kernel much_shared --config tiny
want 6 "much_shared does not fit: shared memory bytes per CTA: needed 140000, available 131072 in configuration base; smallest configuration that has it: full" \
  run $F --block 32 --kernel much_shared --shared 90000
want 6 "needs_fp64 does not fit: 64-bit floating point: needed 1, available 0 in configuration tiny; smallest configuration that has it: base" \
  run $F --block 1 --kernel needs_fp64 --config tiny
want 6 "needs_tensor does not fit: warp group matrix unit: needed 1, available 0 in configuration tiny; no configuration has it" \
  run $F --block 1 --kernel needs_tensor --config tiny
want 6 "needs_later does not fit: a unit that is not known: needed 1, available 0 in configuration base; no configuration has it" \
  run $F --block 1 --kernel needs_later
want 6 "allocation of 60000000 bytes does not fit: device memory has 1048576 bytes" \
  run $V --mem 1048576 --arg zero:60000000 --arg zero:4 --arg zero:4 --arg s32:1
want 2 "device memory of 64 bytes: 1 MiB to 4 GiB are possible" run $V --mem 1 $ALL
want 2 "device memory of 4294967360 bytes: 1 MiB to 4 GiB are possible" run $V --mem 4294967297 $ALL

# ---- objects
want 2 "foreign.wlo: object of another ISA hash: object 0123456789abcdef, this build " run foreign.wlo --grid 1 --block 1
want 2 "foreign.wlo: object of another ISA hash: object 0123456789abcdef, this build " dis foreign.wlo
head -c 200 vecadd.wlo >cut.wlo
want 2 "cut.wlo: damaged object: section table lies outside the file" run cut.wlo --grid 1 --block 1
want 2 "cannot read none.wlo: No such file or directory" run none.wlo --grid 1 --block 1
want 2 "nothing.bin is empty" run nothing.bin --grid 1 --block 1
want 2 "an ELF file for machine 0x" run "$warplock" --grid 1 --block 1

# ---- traps and hangs
want 4 "trap in outside: address out of bounds: instruction 3 \`@P0 st.global.b32 [R4:R5+0x7f000000], R0\`, CTA 0,0,0, warp 0, lanes 0xffffffe0, first lane 5, address 0x" \
  run $F --block 32 --kernel outside --arg zero:64
want 4 "nearest allocation: 2130706368 bytes behind the allocation of 64 bytes at 0x1" \
  run $F --block 32 --kernel outside --arg zero:64
want 4 "trap in misaligned: misaligned address: instruction 6 \`ld.global.b32 R0, [R4:R5+0x2]\`, CTA 0,0,0, warp 0, lanes 0x00000007, first lane 0, address 0x" \
  run $F --block 3 --kernel misaligned --arg zero:64
want 4 "2 bytes into the allocation of 64 bytes" run $F --block 3 --kernel misaligned --arg zero:64
want 4 "trap in usertrap: trap instruction executed" run $F --block 1 --kernel usertrap
want 4 '"trap": {"cause": 5, "pc": 8, "warp": 0, "lane": 0, "lanes": 1' \
  run $F --block 1 --kernel usertrap --json -
want 5 "the limit of cycles was reached after " run $F --block 1 --kernel spin --max-cycles 1000
want 5 "hang: no warp can go on" run $F --block 64 --kernel lost
want 5 "CTA 0,0,0 warp 1 lanes 0xffffffff: instruction 14, at a barrier" run $F --block 64 --kernel lost

# ---- Ctrl-C: ends within a second, with a summary
"$warplock" run $F --block 1 --kernel spin --json stopped.json >got.txt 2>&1 &
pid=$!
sleep 0.3
kill -INT $pid
(sleep 5; kill -KILL $pid) 2>/dev/null &
killer=$!
wait $pid
got=$?
kill $killer 2>/dev/null
if [ $got -ne 5 ] || ! grep -q "stopped by the user after" got.txt ||
  ! grep -q '"exit": 5' stopped.json; then
  fail "Ctrl-C: expected exit 5 and a report, got exit $got"
  cat got.txt
fi

echo "$tests tests, $failures failures"
[ $failures -eq 0 ]
