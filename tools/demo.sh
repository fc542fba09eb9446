#!/bin/bash
# Usage: tools/demo.sh BUILD
# Runs what the build can show, and says what it cannot.
set -euo pipefail
build=$1
if [ -x "$build/warplock" ]; then
  "$build/warplock" --version
  echo "demo: no kernel is wired into the demo yet"
  exit 1
fi
echo "demo: the tools and the libraries are built, the program $build/warplock is not there yet:"
echo "demo: no kernel can run"
exit 1
