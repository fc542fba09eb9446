#!/bin/bash
# Usage: tools/figures.sh [--check]
# Draws docs/figures/*.svg from the .dot beside each, with Graphviz (apt install graphviz), and writes
# the source's checksum into it. --check draws nothing: exit 1 when a figure is older than its source.
set -euo pipefail
cd "$(dirname "$0")/../docs/figures"
old=()
for source in *.dot; do
  figure=${source%.dot}.svg
  sum=$(sha256sum <"$source" | cut -c1-16)
  if [ "${1:-}" = --check ]; then
    grep -qF "<!-- source $sum -->" "$figure" || old+=("$figure")
    continue
  fi
  command -v dot >/dev/null || { echo "figures: dot is missing; install with: apt install graphviz" >&2; exit 2; }
  dot -Tsvg "$source" -o "$figure"
  echo "<!-- source $sum -->" >>"$figure"
done
if [ ${#old[@]} -gt 0 ]; then
  echo "figures: not drawn from their sources: ${old[*]}; make figures" >&2
  exit 1
fi
