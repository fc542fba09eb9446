#!/bin/sh
# Usage: check_places.sh BUILD FILE..: the tables against the package tensor-layouts, with the Python that has it.
build=$1
shift
python=$build/tools/venv/bin/python
[ -x "$python" ] || python=python3
exec "$python" "$(dirname "$0")/make_places.py" check "$@"
