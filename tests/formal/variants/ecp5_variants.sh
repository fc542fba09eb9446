#!/bin/bash
# Usage: ecp5_variants.sh ROOT BUILD: the cells of rtl/cells/ecp5 under other names, for the bench
# that has both variants.
set -eu
for file in "$1"/rtl/cells/ecp5/*.sv; do
  name=$(basename "$file" .sv)
  sed "s/^module $name\b/module ${name}_ecp5/" "$file"
done
