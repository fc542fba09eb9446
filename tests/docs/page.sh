# Read by tests of pages whose commands are run as they stand there (docs/first-divergence.md, docs/flows.md).
#   run_page PAGE OUT KIND...: runs the page's commands in order, in the folder of the caller, and writes the
# page with what they print to OUT. A block "console" has lines "$ COMMAND", each followed by its output; a
# block "KIND NAME" is a file; a block "text" is a drawing. A page has those of the given kinds only, "text"
# being one of them. Counts commands in $tests.
#   same_page PAGE NEW [--write]: fails where they differ; --write: PAGE becomes NEW if nothing has failed.
#   fail MESSAGE: counts in $failures; the message is seen wherever the output goes.
# $dir is a folder of the test's own.
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failures=0
tests=0
fail() {
  failures=$((failures + 1))
  echo "$*" >&3
}
exec 3>&1

page_last=0
page_again() { return "$page_last"; } # so that a command sees the exit code of the one before

run_page() {
  local page=$1 new=$2 line kind file rest mode=text out
  shift 2
  local kinds="$*"
  out=$(mktemp) || return 1
  while IFS= read -r line || [ -n "$line" ]; do
    case $mode:$line in
    text:'```console') mode=console ;;
    text:'```'*)
      read -r kind file rest <<<"${line#'```'}"
      case " $kinds :$kind:$file:$rest" in
      *" text "*:text::) mode=drawing ;;
      *" $kind "*:"$kind":?*:)
        mode=file
        : >"$file"
        ;;
      *) fail "a block that is not run: $line" ;;
      esac
      ;;
    text:'    '*) fail "an indented block: $line" ;;
    *:'```') mode=text ;;
    file:*) printf '%s\n' "$line" >>"$file" ;;
    console:'$ '*)
      tests=$((tests + 1))
      printf '%s\n' "$line"
      page_again
      eval "${line#'$ '}" >"$out" 2>&1 </dev/null
      page_last=$?
      cat "$out"
      continue
      ;;
    console:*) continue ;; # what the page says, replaced by what comes
    esac
    printf '%s\n' "$line"
  done <"$page" >"$new"
  rm -f "$out"
}

same_page() {
  [ "${3:-}" = --write ] && [ $failures -eq 0 ] && cp "$2" "$1"
  diff "$1" "$2" >"$dir/diff" || fail "the page (<) and what its commands print (>):
$(cat "$dir/diff")"
}
