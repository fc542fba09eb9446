#!/bin/bash
# Usage: tools/farm.sh BUILD [OPTION...] [--slurm [SBATCH-OPTION...]]
# Campaigns in shards, here or as Slurm job arrays, with one report: docs/farm.md and --help.
here=$(cd "$(dirname "$0")" && pwd)
if ! command -v python3 >/dev/null; then
  echo "farm: no python3 (apt install python3)" >&2
  exit 2
fi
export PYTHONDONTWRITEBYTECODE=1
exec python3 "$here/farm/farm.py" "$@"
