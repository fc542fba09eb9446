#!/bin/sh
# examples/saxpy.c built against an installed tree, by find_package or by pkg-config, with an archive, the
# shared library, or (alone) without any shared library, from a folder with a blank in its name.
#   test_install.sh cmake|pkg-config static|shared|alone BUILD SOURCE CC
how=$1
kind=$2
shift
build=$2
source=$3
cc=$4
if [ "$how" = pkg-config ] && ! command -v pkg-config >/dev/null 2>&1; then
  echo "SKIP: no pkg-config (apt install pkg-config)"
  exit 77
fi
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
prefix="$dir/in stalled"
cmake --install "$build" --prefix "$prefix" >"$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
mkdir "$dir/user"
cp "$source/examples/saxpy.c" "$source/examples/saxpy.ptx" "$dir/user"
cd "$dir/user" || exit 1
if [ "$how" = cmake ]; then
  target=warplock
  [ "$kind" = static ] || target=shared
  cat >CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.25)
project(user C CXX)
find_package(warplock REQUIRED)
add_executable(saxpy saxpy.c)
target_link_libraries(saxpy PRIVATE warplock::$target m)
END
  cmake -S . -B b "-DCMAKE_PREFIX_PATH=$prefix" >log 2>&1 && cmake --build b >>log 2>&1 ||
    { cat log; exit 1; }
  program=b/saxpy
else
  # pkg-config quotes the blank; eval takes the quotes away again.
  package=warplock alone=
  [ "$kind" != static ] || package=warplock-static
  [ "$kind" != alone ] || alone=-static
  flags=$(PKG_CONFIG_PATH="$(dirname "$(find "$prefix" -name warplock.pc)")" \
    pkg-config ${alone:+--static} --cflags --libs $package) || exit 1
  eval "$cc $alone -std=c11 -Wall -Wextra -o saxpy saxpy.c $flags -lm" >log 2>&1 || { cat log; exit 1; }
  program=./saxpy
fi
# The program must have the kind of library that was asked for.
needed=$(objdump -p "$program" | grep -c 'NEEDED .*libwarplock\.so\.[0-9]*\.[0-9]*$')
if [ "$needed" -ne "$([ "$kind" = shared ] && echo 1 || echo 0)" ]; then
  echo "$kind: the program needs $needed shared libwarplock"
  exit 1
fi
got=$("$program" saxpy.ptx) || { echo "$got"; exit 1; }
echo "$got"
case $got in
"saxpy: 1003 of 1003 right, "*) ;;
*) exit 1 ;;
esac
"$prefix/bin/warplock" --version
