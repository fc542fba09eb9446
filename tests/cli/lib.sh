# Shared by the tests of the program warplock; to be sourced with $warplock set. They run in a
# temporary folder, $dir, which goes away with them.
failures=0
tests=0
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1

fail() {
  failures=$((failures + 1))
  echo "$*"
}

# want CODE TEXT ARGUMENT...: exit code and a line (or part of one) of standard output or error,
# which stay in got.txt.
want() {
  code=$1
  text=$2
  shift 2
  tests=$((tests + 1))
  "$warplock" "$@" >got.txt 2>&1 </dev/null
  got=$?
  if [ $got -ne "$code" ] || { [ -n "$text" ] && ! grep -qF -- "$text" got.txt; }; then
    fail "warplock $*"
    echo "  expected: exit $code, '$text'"
    echo "  got:      exit $got"
    sed 's/^/    /' got.txt
  fi
}
