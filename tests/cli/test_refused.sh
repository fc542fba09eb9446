#!/bin/sh
# Modules of which some kernels reach PTX that is not implemented: what may be launched runs with the
# right result, what may not is refused with the clause, and the object says which is which.
#   test_refused.sh WARPLOCK SOURCE BACKEND:CONFIG...
warplock=$1
source=$2
shift 2
sides=$*
. "$(dirname "$0")/lib.sh"

# result FILE KERNEL WANT ARGUMENT...: on every side the first buffer is what the file WANT says.
result() {
  file=$1
  kernel=$2
  expected=$3
  shift 3
  for side in $sides; do
    want 0 "1 of 1 expectations met" run "$file" --kernel "$kernel" --backend "${side%:*}" \
      --config "${side#*:}" --expect "0=$expected" "$@"
  done
}

# refused FILE KERNEL LINE TEXT CLAUSE: it is marked with that reason, in text and object alike.
refused() {
  want 6 "$1:$3: error: $4 [PTX $5]" run "$1" --kernel "$2" --grid 1 --block 1
  want 6 "$1:$3: error: $4 [PTX $5]" run module.wlo --kernel "$2" --grid 1 --block 1
  want 0 "" info module.wlo
  awk -v k="kernel $2" '/^kernel /{ on = $0 == k } on' got.txt >kernel.txt
  grep -qF "refused: $1:$3: $4 [PTX $5]" kernel.txt || {
    fail "info of $2 does not say '$1:$3: $4 [PTX $5]':"
    sed 's/^/    /' kernel.txt
  }
  rm -f none.wlo
  want 6 "error: $4 [PTX $5]" as "$1" --kernel "$2" -o none.wlo
  [ ! -e none.wlo ] || fail "as --kernel $2 wrote an object"
}

# marked FILE KERNEL...: exactly these are marked.
marked() {
  file=$1
  shift
  want 0 "" as "$file" -o module.wlo
  want 0 "" info module.wlo
  have=$(awk '/^kernel /{ k = $2 } /^  refused: / && k != "" { print k; k = "" }' got.txt | sort | tr '\n' ' ')
  expected=$(printf '%s\n' "$@" | sort | tr '\n' ' ')
  [ "$have" = "$expected" ] || fail "$file: marked are '$have', expected '$expected'"
  rm -f none.wlo
  want 6 "" as "$file" --strict -o none.wlo
  [ ! -e none.wlo ] || fail "as --strict wrote an object"
}

# ---- a module of nvcc; the results are computed here
cp "$source/tests/modules/mixed.nvcc.ptx" mixed.ptx || exit 1
marked mixed.ptx prints asserts allocates doubles deep indirect cycle
want 0 "mixed.ptx: note: 7 of 10 kernels cannot be launched: prints, asserts, allocates, doubles, deep, indirect, cycle" \
  as mixed.ptx -o module.wlo
want 0 "needed by prints, deep, indirect, cycle; 1 more place" as mixed.ptx -o module.wlo
[ "$(grep -c 'warning: .*vprintf' got.txt)" -eq 1 ] || fail "vprintf is not told once"
want 0 "" as mixed.ptx --kernel table -o module.wlo
# words EXPRESSION: 64 little-endian words, of i; in octal, for no awk prints every byte.
words() {
  awk "BEGIN { for (i = 0; i < 64; i++) { v = $1; printf \"\\\\%03o\\\\%03o\\\\%03o\\\\000\", v % 256, int(v / 256) % 256, int(v / 65536) } }" >octal
  # shellcheck disable=SC2059
  printf "$(cat octal)"
}
words "3 * i * i + 7" >square.want
words "i % 2 ? i * (i + 5) : i + i + 5" >table.want
words "(i % 9) % 2 == 0" >parity.want
for input in mixed.ptx module.wlo; do
  for kernel in square table parity; do
    result $input $kernel $kernel.want --grid 2 --block 32 --arg out:256:out --arg u32:64
  done
done
refused mixed.ptx prints 506 "function 'vprintf' has no body in this module" 11.6.1
refused mixed.ptx asserts 551 "function '__assertfail' has no body in this module" 11.6.1
refused mixed.ptx allocates 613 "function 'free' has no body in this module" 11.6.1
refused mixed.ptx doubles 636 'conversion of f64 is not implemented' 9.7.9.21
for kernel in deep indirect cycle; do
  refused mixed.ptx $kernel 150 "function 'vprintf' has no body in this module" 11.6.1
done
want 0 "// refused: mixed.ptx:551: function '__assertfail'" dis module.wlo
want 0 '"refused": [{"kernel": "prints", "line": 506, "clause": "11.6.1", "text": "function ' as mixed.ptx \
  --check --json -
want 6 '{"kernel": "cycle", "line": 150, "clause": "11.6.1"' as mixed.ptx --check --strict --json -
want 2 "mixed.ptx: error: no kernel nobody" as mixed.ptx --kernel nobody -o none.wlo
want 2 "mixed.ptx has no kernel nobody; its kernels: square" run mixed.ptx --kernel nobody --grid 1 --block 1

# ---- one module per kind; text: what stands before `good`, which is always the last
head='.version 9.0
.target sm_80
.address_size 64'
good='.visible .entry good(.param .u64 p) {
 .reg .b64 %d<3>; .reg .b32 %r<3>;
 ld.param.u64 %d1, [p];
 cvta.to.global.u64 %d1, %d1;
 mov.u32 %r1, %tid.x;
 mad.lo.u32 %r1, %r1, 5, 37;
 st.global.u32 [%d1], %r1;
 ret;
}'
words 37 | head -c 4 >good.want
kind() { # kind MARKED...: module.ptx from standard input
  { echo "$head"; cat; echo "$good"; } >module.ptx
  marked module.ptx "$@"
  want 0 "1 of 1 expectations met" run module.ptx --kernel good --grid 1 --block 1 \
    --arg out:4:out --expect 0=good.want
}

kind bad <<'END'
.extern .func (.param .b32 r) outside (.param .b32 a);
.visible .entry bad() { .reg .b32 %r<3>; .param .b32 a; .param .b32 b;
 call (a), outside, (b);
 ret; }
END
refused module.ptx bad 6 "function 'outside' has no body in this module" 11.6.1
result module.ptx good good.want --grid 1 --block 1 --arg out:4:out

kind bad <<'END'
.visible .entry bad() { .reg .b32 %r<9>; .reg .b64 %d;
 stacksave.u32 %r1; stacksave.u32 %r1;
 vadd.u32.u32.u32 %r1, %r1.b0, %r1.h1;
 ret; }
END
refused module.ptx bad 6 "\`vadd.u32.u32.u32\` is not implemented" 9.7.18.1
want 0 "needed by bad; 1 more place" as module.ptx -o module.wlo

# In a callee, which another kernel does not call; the callee of both is clean.
kind bad <<'END'
.func clean(.reg .u32 %x) { ret; }
.func dirty(.reg .f64 %x) { .reg .f64 %d<3>; .reg .u32 %r;
 div.rn.f64 %d1, %x, %x; call clean, (%r); ret; }
.visible .entry fine() { .reg .u32 %r; call clean, (%r); ret; }
.visible .entry bad() { .reg .f64 %f; call dirty, (%f); ret; }
END
refused module.ptx bad 6 "'div.rn.f64' is not implemented" 9.7.3

# A cycle of calls, entered at either end; and one without anything refused.
kind bad1 bad2 <<'END'
.func two(.reg .f32 %x);
.func one(.reg .f32 %x) { call two, (%x); ret; }
.func two(.reg .f32 %x) { call one, (%x); sin.approx.f32 %x, %x; ret; }
.func ring(.reg .f32 %x) { call ring, (%x); ret; }
.visible .entry bad1() { .reg .f32 %f; call one, (%f); ret; }
.visible .entry bad2() { .reg .f32 %f; call two, (%f); ret; }
.visible .entry fine() { .reg .f32 %f; call ring, (%f); ret; }
END
refused module.ptx bad1 6 "'sin.approx.f32' is not implemented" 9.7.3.18
refused module.ptx bad2 6 "'sin.approx.f32' is not implemented" 9.7.3.18

# Indirect calls: by the list of targets; by interface, of functions whose address is taken, also in
# an initialiser of another kernel's table. A function of that interface without address is not meant.
kind listed taken initial <<'END'
.func dirty(.reg .u32 %x) { .reg .f64 %d; div.rn.f64 %d, %d, %d; ret; }
.func clean(.reg .u32 %x) { ret; }
.func dirty64(.reg .u64 %x) { .reg .f64 %d; div.rn.f64 %d, %d, %d; ret; }
.func clean64(.reg .u64 %x) { ret; }
.func dirty16(.param .b8 x[16]) { .reg .f64 %d; div.rn.f64 %d, %d, %d; ret; }
.global .u64 table[2] = {clean, dirty};
.visible .entry listed(.param .u64 a) { .reg .u64 %d; .reg .u32 %r; ld.param.u64 %d, [a];
 t: .calltargets clean, dirty; call %d, (%r), t; ret; }
.visible .entry fine(.param .u64 a) { .reg .u64 %d; .reg .u32 %r; ld.param.u64 %d, [a];
 t: .calltargets clean; call %d, (%r), t; ret; }
.visible .entry taken(.param .u64 a) { .reg .u64 %d, %e; ld.param.u64 %d, [a]; mov.u64 %e, dirty64;
 p: .callprototype _ (.reg .u64 %y); call %d, (%d), p; ret; }
.visible .entry initial(.param .u64 a) { .reg .u64 %d; .reg .u32 %r; ld.param.u64 %d, [a];
 p: .callprototype _ (.reg .u32 %y); call %d, (%r), p; ret; }
.visible .entry nobody(.param .u64 a) { .reg .u64 %d; .param .b8 s[16]; ld.param.u64 %d, [a];
 p: .callprototype _ (.param .b8 x[16]); call %d, (s), p; ret; }
.visible .entry reads() { .reg .u64 %d; ld.global.u64 %d, [table]; ret; }
END
refused module.ptx initial 4 "'div.rn.f64' is not implemented" 9.7.3

# Variables: opaque, in the initialiser of another, defined elsewhere, too large for their space.
kind opaque points outside large sum own <<'END'
.global .texref image;
.global .u64 pointer = image;
.extern .global .u32 elsewhere;
.const .b8 heap[70000];
.const .b8 early[40000];
.const .b8 late[30000];
.visible .entry opaque() { .reg .u64 %d; mov.u64 %d, image; ret; }
.visible .entry points() { .reg .u64 %d; ld.global.u64 %d, [pointer]; ret; }
.visible .entry outside() { .reg .u32 %r; ld.global.u32 %r, [elsewhere]; ret; }
.visible .entry large() { .reg .u32 %r; ld.const.u8 %r, [heap+4]; ret; }
.visible .entry sum() { .reg .u32 %r; ld.const.u8 %r, [late]; ret; }
.visible .entry own() { .reg .u32 %r; .shared .b8 s[20000000]; ld.shared.u8 %r, [s]; ret; }
.visible .shared .b8 s[16];
.visible .entry fine() { .reg .u32 %r; ld.shared.u8 %r, [s]; ret; }
END
refused module.ptx opaque 4 "opaque type \`.texref\` is not implemented" 5.3
refused module.ptx points 4 "opaque type \`.texref\` is not implemented" 5.3
refused module.ptx outside 6 "'elsewhere' is defined in no module" 11.6.1
refused module.ptx large 7 "'heap' exceeds the constant bank" 5.1.3
refused module.ptx sum 9 "'late' exceeds the constant bank" 5.1.3

# Interfaces that cannot be read: of a kernel, of a function, of an indirect call; with an alias.
kind param caller proto other <<'END'
.func (.param .b32 r) many (.param .b32 f, .param .b8 list[]) {
 .reg .b32 %x; { mov.b32 %x, nothing_declared; } ret; }
.visible .entry param(.param .texref t, .param .u64 a) { .reg .u64 %d; ld.param.u64 %d, [a]; ret; }
.visible .entry caller() { .param .b32 a; .param .b32 b; .param .b8 c[8]; call (a), many, (b, c); ret; }
.visible .entry proto(.param .u64 a) { .reg .u64 %d; ld.param.u64 %d, [a];
 p: .callprototype _ (.param .b8 x[]); call %d, (%d), p; ret; }
.func dirty(.reg .u32 %x) { .reg .f64 %d; div.rn.f64 %d, %d, %d; ret; }
.func second(.reg .u32 %x);
.alias second, dirty;
.visible .entry other() { .reg .u32 %r; call second, (%r); ret; }
END
refused module.ptx param 6 "opaque type \`.texref\` is not implemented" 5.3
refused module.ptx caller 4 "variadic functions are not implemented" 7.2
refused module.ptx proto 9 "variadic functions are not implemented" 7.2
refused module.ptx other 10 "'div.rn.f64' is not implemented" 9.7.3

# Declared before and defined later, with and without a semicolon; the alias of a refused function.
kind points caller aliased param large <<'END'
.global .texref image;
.extern .const .b8 heap[70000];
.visible .const .b8 heap[70000];
.visible .entry large() { .reg .u32 %r; ld.const.u8 %r, [heap+4]; ret; }
.extern .global .u64 pointer;
.visible .global .u64 pointer = image;
.extern .func many (.param .b8 list[])
.func other (.param .b8 list[]);
.func second (.param .b8 list[])
.func other (.param .b8 list[]) .noreturn { ret; }
.alias second, other;
.visible .entry param(.param .texref t);
.visible .entry points() { .reg .u64 %d; ld.global.u64 %d, [pointer]; ret; }
.visible .entry caller() { .param .b8 c[8]; call many, (c); ret; }
.visible .entry aliased() { .param .b8 c[8]; call second, (c); ret; }
.visible .entry param(.param .texref t) .maxntid 64, 1, 1 { ret; }
END
refused module.ptx points 4 "opaque type \`.texref\` is not implemented" 5.3

# What no kernel reaches is told and refuses nothing; shared memory of a refused kernel moves nothing.
kind bad <<'END'
.func lonely(.reg .f64 %x) { div.rn.f64 %x, %x, %x; ret; }
.extern .shared .b8 dynamic[];
.visible .entry bad() { .reg .u32 %r; .shared .b8 s[4096]; vadd.x; ld.shared.u8 %r, [s]; ret; }
.visible .entry fine() { .reg .u32 %r; ld.shared.u8 %r, [dynamic]; ret; }
END
want 0 "shared dynamic at 0, size 0" info module.wlo
{ echo "$head"; echo '.func lonely(.reg .f64 %x) { div.rn.f64 %x, %x, %x; ret; }'; echo "$good"; } >alone.ptx
want 0 "alone.ptx:4:30: warning: 'div.rn.f64' is not implemented [PTX 9.7.3]" as alone.ptx --strict
want 0 "" as alone.ptx --kernel good

# ---- all kernels refused: exit 6 as before, everything listed, nothing written
{ echo "$head"
  echo '.visible .entry a() { .reg .f64 %d; div.rn.f64 %d, %d, %d; ret; }'
  echo '.visible .entry b() { .reg .f64 %d; min.f64 %d, %d, %d; ret; }'; } >all.ptx
rm -f all.wlo
want 6 "all.ptx:4:37: error: 'div.rn.f64' is not implemented [PTX 9.7.3]" as all.ptx
want 6 "all.ptx:5:37: error: 'min.f64' is not implemented [PTX 9.7.3]" run all.ptx --kernel b --grid 1 --block 1
[ ! -e all.wlo ] || fail "an object without a usable kernel"

# Without any kernel the module is all that there is.
{ echo "$head"; echo '.visible .func f(.reg .f64 %x) { div.rn.f64 %x, %x, %x; ret; }'; } >none.ptx
want 6 "none.ptx:4:34: error: 'div.rn.f64' is not implemented [PTX 9.7.3]" as none.ptx
echo "$head" >none.ptx
want 0 "" as none.ptx

# ---- illegal text is exit 2 wherever it stands: beside, in, and behind what is refused
illegal() { # illegal LINE:COLUMN, module from standard input
  { echo "$head"; cat; echo "$good"; } >illegal.ptx
  rm -f illegal.wlo
  want 2 "illegal.ptx:$1: error: " as illegal.ptx
  want 2 "illegal.ptx:$1: error: " run illegal.ptx --kernel good --grid 1 --block 1 --arg out:4:out
  [ ! -e illegal.wlo ] || fail "an object of illegal text"
}
illegal 6:2 <<'END'
.visible .entry bad() { .reg .b32 %r<3>;
 stacksave.u32 %r1;
 add.u32 %r1, %r2;
 ret; }
END
sed -i 's/^ stacksave.*/ /' illegal.ptx
want 2 "illegal.ptx:6:2: error: " as illegal.ptx
illegal 5:33 <<'END'
.global .texref image;
.visible .entry bad() { mov.u64 %d, image; ret; }
END
illegal 5:10 <<'END'
.visible .entry bad(.param .texref t) { ret; }
.visible .u32 broken;
END
illegal 5:17 <<'END'
.global .u32 image;
.global .texref image;
END
illegal 7:2 <<'END'
.global .texref image;
.visible .entry bad() { .reg .u64 %d<3>; .reg .u32 %r<3>;
 mov.u64 %d1, image;
 add.u32 %r1, %r2;
 ret; }
END
illegal 5:14 <<'END'
.global .texref image;
.global .u32 image;
END
illegal 6:1 <<'END'
.func one(.param .b8 list[]) { ret; }
.visible .entry bad(.param .texref t) { ret; }
.func one(.param .b8 list[]) { ret; }
END
illegal 4:17 <<'END'
.visible .entry bad(.param .texref t) { ret;
END

echo "$tests tests, $failures failures"
[ $failures -eq 0 ]
