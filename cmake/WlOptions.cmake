# Language levels, build type, warnings and sanitizers: the same for every folder.
option(WL_WERROR "Treat compiler warnings as errors (CI)" OFF)
option(WL_SANITIZE "Build with the address and undefined-behaviour sanitizers" OFF)
option(WL_COVERAGE "Count the executed lines of isa/lower (tools/coverage.sh)" OFF)
option(WL_ALL_PLANTED "All planted bugs of the units' benches and rarely built cores, for the campaign" OFF)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
endif()
# No NDEBUG: an assertion in a test or in a contract must hold in the build people run.
set(CMAKE_C_FLAGS_RELEASE "-O2")
set(CMAKE_CXX_FLAGS_RELEASE "-O2")

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# -std=c11 alone hides POSIX; files that need it (mmap, rename, isatty) get it here, once.
add_compile_definitions(_POSIX_C_SOURCE=200809L)

# One compilation serves the archive and the shared libraries: code that may lie anywhere, and of
# whose names only those of the public headers are seen outside (a pragma there says so). Calls
# inside the library are bound when it is linked, so that nothing is slower for it.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-fno-semantic-interposition WL_HAVE_NO_INTERPOSITION)
# A unique symbol is one for the whole process, even of two libraries that were loaded apart.
check_cxx_compiler_flag(-fno-gnu-unique WL_HAVE_NO_GNU_UNIQUE)
if(WL_HAVE_NO_INTERPOSITION)
  add_compile_options(-fno-semantic-interposition)
endif()
if(WL_HAVE_NO_GNU_UNIQUE)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-gnu-unique>)
endif()

# Warnings are for every C and C++ file of ours; generated C++ (wl_verilate) links wl_no_warnings.
set(WL_WARNINGS -Wall -Wextra -Wconversion -Wshadow)
add_library(wl_warnings INTERFACE)
target_compile_options(wl_warnings INTERFACE ${WL_WARNINGS} $<$<BOOL:${WL_WERROR}>:-Werror>)
add_library(wl_no_warnings INTERFACE)
target_compile_options(wl_no_warnings INTERFACE -w)
add_compile_options(${WL_WARNINGS})
# A switch over an enumeration that forgets a code does not build.
add_compile_options($<$<COMPILE_LANGUAGE:C>:-Werror=switch>)
if(WL_WERROR)
  add_compile_options(-Werror)
endif()

if(WL_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

# Generated headers are "gen/x.h", own headers are "isa/ptx/ast.h".
include_directories("${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}")
