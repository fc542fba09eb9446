#!/bin/bash
# Usage: box.sh BUILD
# Whether the black box of records (digest_box.sv, records.sv) takes every record of tiny. The netlist itself is
# made by a campaign only; this takes no time. Prints what is too narrow; exit code 1.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
gen=${1:?usage: box.sh BUILD}/gen
lanes=$(sed -n 's/.*localparam int unsigned Lanes = \([0-9]*\);.*/\1/p' "$gen/config_tiny_pkg.sv")
most=0
while read -r words; do
  words=$((${words//config_pkg::Lanes/$lanes}))
  [ $words -le $most ] || most=$words
done < <(sed -n 's/.*[.]Words(\([^)]*\)).*/\1/p' "$gen/journal_records.svh")
[ $most -gt 0 ] || { echo "box: no records in $gen/journal_records.svh"; exit 1; }
failed=0
for file in digest_box.sv records.sv; do
  widths=$(sed -n 's/.*\[\([0-9]*\):0\] words.*/\1/p' "$here/$file")
  [ -n "$widths" ] || { echo "box: $file has no words"; failed=1; }
  for high in $widths; do
    [ $((high + 1)) -ge $((32 * most)) ] ||
      { echo "box: $file takes $(((high + 1) / 32)) words, a record of tiny has $most"; failed=1; }
  done
done
exit $failed
