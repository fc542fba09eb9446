#!/bin/sh
# Products in tensor memory and atomics of 128 bits on configurations that lack them: a kernel that has one is refused
# before it starts,
# with the clause and a configuration that has it, from PTX and from its object, whatever it would do; others run.
#   test_lacks.sh WARPLOCK BACKEND:CONFIG...   on base every kernel runs
warplock=$1
shift
sides=$*
. "$(dirname "$0")/lib.sh"

# kernel NAME: what is read stands behind a branch that is taken, so nothing happens where it may run.
kernel() {
  echo ".visible .entry $1(.param .u64 out) {
 .reg .b64 %d, %a; .reg .b32 %r, %i; .reg .pred %p, %q;
 ld.param.u64 %d, [out];
 mov.u32 %r, 7;
 st.global.u32 [%d], %r;
 mov.u32 %r, %tid.x;
 setp.lt.u32 %p, %r, 1024;
 setp.eq.u32 %q, %r, 0;
 @%p bra done;
 mov.b32 %i, 0;
 mov.b64 %a, 0;"
  cat
  echo "done:
 ret; }"
}
mma() { # mma KIND OPERANDS
  kernel "$(echo "$1" | tr -c 'a-z0-9\n' _)" <<END
 tcgen05.mma.cta_group::1.kind::$1 [%r], $2, %q;
END
}
scales='%i, [%r], [%r]'
scaled='mxf8f6f4 mxf4 mxf4nvf4 mxf4nvf4_16 mxf4_of_tensor'
atoms='atom_exch_global atom_exch_shared atom_exch_generic atom_cas_global atom_cas_shared atom_cas_generic'
plain='f16 tf32 f8f6f4 i8 commit cp shift'
{
  printf '.version 9.0\n.target sm_100a\n.address_size 64\n'
  mma f16 '%a, %a, %i'
  mma tf32 '%a, %a, %i'
  mma f8f6f4 '%a, %a, %i'
  mma i8 '%a, %a, %i'
  for kind in mxf8f6f4 mxf4 mxf4nvf4; do
    mma $kind.block_scale.block32 "%a, %a, $scales" | sed 's/_block_scale_block32//'
  done
  mma mxf4nvf4.block_scale.block16 "%a, %a, $scales" | sed 's/_block_scale_block16/_16/'
  mma mxf4.block_scale.block32 "[%r], %a, $scales" | sed 's/_block_scale_block32/_of_tensor/'
  kernel commit <<END
 .shared .align 8 .b64 m;
 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [m];
END
  kernel cp <<END
 tcgen05.cp.cta_group::1.32x128b.warpx4 [%r], %a;
END
  kernel shift <<END
 tcgen05.shift.cta_group::1.down [%r];
END
  for op in exch cas; do
    for space in global shared generic; do
      word=.$space
      [ $space != generic ] || word=
      kernel "atom_${op}_$space" <<END
 .reg .b128 %v;
 mov.b128 %v, {%a, %a};
 atom$word.$op.b128 _, [%a], $([ $op = exch ] || echo %v,) %v;
END
    done
  done
  kernel columns <<END
 .shared .align 4 .b32 place;
 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [place], 32;
END
} >lacks.ptx
want 0 "" as lacks.ptx --strict -o lacks.wlo
printf '\007\000\000\000' >seven

# refused SIDE KERNEL UNIT OTHER CLAUSE
refused() {
  for input in lacks.ptx lacks.wlo; do
    rm -f got.bin
    want 6 "$2 does not fit: $3: needed 1, available 0 in configuration ${1#*:}; smallest configuration that has it: $4 [PTX $5]" \
      run $input --kernel "$2" --grid 1 --block 32 --backend "${1%:*}" --config "${1#*:}" --arg out:4:got.bin
    [ ! -e got.bin ] || fail "$1 $2 wrote its buffer"
  done
}
runs() { # runs SIDE KERNEL
  want 0 "1 of 1 expectations met" run lacks.ptx --kernel "$2" --grid 1 --block 32 --backend "${1%:*}" \
    --config "${1#*:}" --arg out:4:got.bin --expect 0=seven
}
block_scales='block scales of products in tensor memory; needs Umma, 32 lanes and 16 terms'
products='products in tensor memory; needs Tensor and Tmem'
atomics='atomics of 128 bits; needs LsuWords = 4 and SmemWide = 1'
for side in $sides; do
  for name in $scaled $plain $atoms columns; do
    case "${side#*:} $name" in
    base*|tiny\ f16|tiny\ tf32|tiny\ f8f6f4|tiny\ i8|tiny\ commit|tiny\ cp|tiny\ shift|*columns) runs "$side" "$name" ;;
    *atom_*) refused "$side" "$name" "$atomics" base 9.7.13.5 ;;
    *mx*) refused "$side" "$name" "$block_scales" base 9.7.16.10.9.1 ;;
    *) refused "$side" "$name" "$products" tiny 9.7.16 ;;
    esac
  done
done

echo "$tests tests, $failures failures"
[ $failures -eq 0 ]
