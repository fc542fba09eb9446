# wl_verilate(TARGET name TOP module SOURCES file... [INCLUDE dir...] [DEFINES name[=value]...]
#             [CONFIG tiny|base|full] [ARGS argument...] [DEPENDS file...]
#             [PREFIX class] [FAST_GROUPS n] [SLOW_GROUPS n] [TRACE fst|vcd] [REPLACE source=file...]
#             [PGO])
#
# Makes the static library `name` from SystemVerilog: class V<module>, with CONFIG V<module>_<config>
# so that several configurations fit into one program, in the header of the same name. Consumers
# link `name` and get the include paths, the Verilator runtime and its libraries.
# Verilator runs at build time into <build>/verilated/<name>, again only when a source, an included
# file, the arguments or Verilator change. What it writes is joined into a fixed number of groups
# (FAST_GROUPS of the evaluated code, SLOW_GROUPS of the set-up code), because CMake must know the
# file names before Verilator has run. Verilator's own makefiles are not used: they fail below a
# folder with a blank in its name.
#   CONFIG   puts <build>/gen/wl_pkg.sv and <build>/gen/config_<config>_pkg.sv before the sources;
#            what they include is looked for in <build>/gen
#   REPLACE  takes a file, from wherever it is, in place of a source (relative to the project)
#   ARGS     come last and override the defaults below
#   PGO      the evaluated code follows WL_PGO (below)
# The evaluated code of benches is compiled with -O1, which takes about half the time of -O2; that of the
# configurations' models (PGO) with WL_RTL_OPT, -O2 unless it is set.
# Without Verilator (WL_HAVE_VERILATOR), or TRACE fst without its libraries (WL_HAVE_FST), no target
# is made: callers ask `if(TARGET name)`.
set(WL_VERILATOR_ARGS -Wall -O3 --x-assign fast --x-initial fast --no-assert)
if(NOT WL_WERROR)
  list(APPEND WL_VERILATOR_ARGS -Wno-fatal)  # a newer Verilator may warn about more
endif()
# The same for tests (ARGS): the assertions of the RTL are checked (rtl/cells/assert.svh), and what is
# 'x or has no reset starts with a value of its own, where the program asks for that
# (VerilatedContext::randReset(2)) another one with each seed.
set(WL_VERILATOR_CHECKS --assert --x-assign unique --x-initial unique)
# For the whole SM. Short functions: those of equal lanes then become one (rtl/exec/exec_lane.sv).
set(WL_RTL_ARGS --output-split-cfuncs 2000)
set(WL_GEN_WAIVERS "${PROJECT_SOURCE_DIR}/tools/gen_packages.vlt")
set(WL_VERILATE_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/verilate_run.cmake")

# wl_verilator_settings(target PUBLIC|INTERFACE): include paths and macros of code that Verilator wrote.
function(wl_verilator_settings target scope)
  set(dir "${WL_VERILATOR_ROOT}/include")
  target_include_directories(${target} SYSTEM ${scope} "${dir}" "${dir}/vltstd")
  target_compile_definitions(${target} ${scope} VERILATOR=1 VM_COVERAGE=0 VM_SC=0 VM_TIMING=0
    VL_IGNORE_UNKNOWN_ARCH)
endfunction()

# wl_rtl_class(target class): driver/lockstep/side_rtl.cpp in this target is compiled for this class.
function(wl_rtl_class target class)
  target_compile_definitions(${target} PRIVATE "WL_RTL_HEADER=\"${class}.h\"" WL_RTL_CLASS=${class}
    "WL_RTL_ROOT_HEADER=\"${class}___024root.h\"")
endfunction()

# The runtime library, made once and shared by all models, and the writer of a kind of waves ("fst",
# "vcd") over it: a program may have models with waves and models without.
function(wl_verilator_runtime trace out)
  set(lib wl_verilator_runtime_${trace})
  set(${out} ${lib} PARENT_SCOPE)
  if(TARGET ${lib})
    return()
  endif()
  set(dir "${WL_VERILATOR_ROOT}/include")
  if(NOT trace STREQUAL "none")
    wl_verilator_runtime(none runtime)
    add_library(${lib} STATIC "${dir}/verilated_${trace}_c.cpp")
    target_link_libraries(${lib} PUBLIC ${runtime} PRIVATE wl_no_warnings)
    if(trace STREQUAL "fst")
      target_link_libraries(${lib} PUBLIC lz4 z)
    endif()
    return()
  endif()
  find_package(Threads REQUIRED)
  add_library(${lib} STATIC "${dir}/verilated.cpp" "${dir}/verilated_threads.cpp")
  wl_verilator_settings(${lib} PUBLIC)
  target_link_libraries(${lib} PUBLIC Threads::Threads PRIVATE wl_no_warnings)
endfunction()

# The sources named in a list, absolute paths in order.
function(wl_source_list out list)
  set(list "${PROJECT_SOURCE_DIR}/${list}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${list}")
  file(STRINGS "${list}" lines REGEX "^[^#]")
  set(sources "")
  foreach(line IN LISTS lines)
    string(STRIP "${line}" line)
    list(APPEND sources "${PROJECT_SOURCE_DIR}/${line}")
  endforeach()
  set(${out} "${sources}" PARENT_SCOPE)
endfunction()

# Those of the SM.
macro(wl_rtl_sources out)
  wl_source_list(${out} rtl/files.txt)
endmacro()

# wl_ecp5_cells(list): the cells of the ECP5 take the place of the generic ones (rtl/files.txt).
macro(wl_ecp5_cells list)
  list(TRANSFORM ${list} REPLACE "/rtl/cells/generic/" "/rtl/cells/ecp5/")
endmacro()

# Profile-guided optimisation of Verilated code, by gcc (tools/pgo.sh). In the tree that counts
# (generate) the profile of an object lies beside it. The tree that uses it (use) has the other as its
# folder pgo/. Code that the training did not reach is optimised as without a profile.
set(WL_RTL_OPT -O2 CACHE STRING "Optimisation of the Verilated models of configurations, without a profile")
set(WL_PGO "" CACHE STRING "Profile of the Verilated models: generate, use, or empty")
function(wl_pgo target)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  if(WL_PGO STREQUAL "generate")
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -fprofile-generate)
    target_link_options(${target} INTERFACE -fprofile-generate)
    return()
  endif()
  foreach(source IN LISTS ARGN)
    file(RELATIVE_PATH path "${PROJECT_BINARY_DIR}" "${source}")
    set(profile "${PROJECT_BINARY_DIR}/pgo/rtl/CMakeFiles/${target}.dir/__/${path}.gcda")
    set_source_files_properties("${source}" PROPERTIES COMPILE_OPTIONS
      "-fprofile-use=${profile};-fprofile-partial-training;-Wno-missing-profile;-Wno-coverage-mismatch")
    if(EXISTS "${profile}")
      set_source_files_properties("${source}" PROPERTIES OBJECT_DEPENDS "${profile}")
    endif()
  endforeach()
endfunction()

function(wl_verilate)
  cmake_parse_arguments(PARSE_ARGV 0 v "PGO" "TARGET;TOP;CONFIG;PREFIX;FAST_GROUPS;SLOW_GROUPS;TRACE"
                        "SOURCES;INCLUDE;DEFINES;ARGS;DEPENDS;REPLACE")
  if(v_UNPARSED_ARGUMENTS OR NOT v_TARGET OR NOT v_TOP OR NOT v_SOURCES)
    message(FATAL_ERROR "wl_verilate: TARGET, TOP and SOURCES; got '${ARGV}'")
  endif()
  if(NOT WL_HAVE_VERILATOR)
    message(STATUS "${v_TARGET}: not built without Verilator")
    return()
  endif()
  if(v_TRACE STREQUAL "fst" AND NOT WL_HAVE_FST)
    message(STATUS "${v_TARGET}: not built without FST (apt install ${WL_FST_PACKAGES})")
    return()
  endif()
  foreach(default FAST_GROUPS=4 SLOW_GROUPS=2 TRACE=none)
    string(REGEX MATCH "^(.*)=(.*)$" _ "${default}")
    if(NOT v_${CMAKE_MATCH_1})
      set(v_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
    endif()
  endforeach()

  set(sources "")
  if(v_CONFIG)
    list(APPEND sources "${WL_GEN_WAIVERS}" "${WL_GEN_DIR}/wl_pkg.sv"
         "${WL_GEN_DIR}/config_${v_CONFIG}_pkg.sv")
  endif()
  foreach(source IN LISTS v_SOURCES)
    get_filename_component(source "${source}" ABSOLUTE)
    list(APPEND sources "${source}")
  endforeach()
  foreach(pair IN LISTS v_REPLACE)
    if(NOT pair MATCHES "^([^=]+)=(.+)$")
      message(FATAL_ERROR "${v_TARGET}: REPLACE source=file, got '${pair}'")
    endif()
    set(from "${PROJECT_SOURCE_DIR}/${CMAKE_MATCH_1}")
    get_filename_component(to "${CMAKE_MATCH_2}" ABSOLUTE BASE_DIR "${CMAKE_BINARY_DIR}")
    list(FIND sources "${from}" at)
    if(at EQUAL -1)
      message(FATAL_ERROR "${v_TARGET}: REPLACE: ${CMAKE_MATCH_1} is no source of it")
    endif()
    list(REMOVE_AT sources ${at})
    list(INSERT sources ${at} "${to}")
  endforeach()

  if(v_PREFIX)
    set(prefix "${v_PREFIX}")
  elseif(v_CONFIG)
    set(prefix "V${v_TOP}_${v_CONFIG}")
  else()
    set(prefix "V${v_TOP}")
  endif()
  set(dir "${PROJECT_BINARY_DIR}/verilated/${v_TARGET}")
  set(args --cc --make json --top-module "${v_TOP}" --prefix "${prefix}" ${WL_VERILATOR_ARGS})
  if(v_TRACE MATCHES "^(fst|vcd)$")
    list(APPEND args --trace-${v_TRACE} --trace-structs)
  endif()
  foreach(define IN LISTS v_DEFINES)
    list(APPEND args "-D${define}")
  endforeach()
  foreach(include IN LISTS v_INCLUDE)
    get_filename_component(include "${include}" ABSOLUTE)
    list(APPEND args "-I${include}")
  endforeach()
  list(APPEND args "-I${PROJECT_SOURCE_DIR}/rtl") # `include "cells/assert.svh"
  if(v_CONFIG)
    list(APPEND args "-I${WL_GEN_DIR}")
  endif()
  list(APPEND args ${v_ARGS} ${sources})

  # The arguments travel in a file: rewritten only when they change, it is also the dependency.
  list(JOIN args "\n" lines)
  file(MAKE_DIRECTORY "${dir}")
  file(CONFIGURE OUTPUT "${dir}/arguments.txt" CONTENT "${lines}\n" @ONLY)

  set(fast "")
  set(slow "")
  foreach(kind fast slow)
    string(TOUPPER ${kind}_GROUPS count)
    math(EXPR last "${v_${count}} - 1")
    foreach(i RANGE ${last})
      list(APPEND ${kind} "${dir}/${kind}_${i}.cpp")
    endforeach()
  endforeach()
  set(headers "")
  foreach(name .h ___024root.h __Syms.h)
    list(APPEND headers "${dir}/${prefix}${name}")
  endforeach()

  # The groups are by-products: a group that did not change keeps its time and is not compiled.
  add_custom_command(
    OUTPUT "${dir}/verilate.stamp"
    BYPRODUCTS ${fast} ${slow} ${headers}
    COMMAND "${CMAKE_COMMAND}" "-DDIR=${dir}" "-DPREFIX=${prefix}"
            "-DBIN=${WL_VERILATOR_BIN}" "-DROOT=${WL_VERILATOR_ROOT}"
            "-DFAST=${v_FAST_GROUPS}" "-DSLOW=${v_SLOW_GROUPS}" -P "${WL_VERILATE_SCRIPT}"
    DEPENDS ${sources} ${v_DEPENDS} "${dir}/arguments.txt" "${WL_VERILATE_SCRIPT}"
            "${WL_VERILATOR_BIN}"
    DEPFILE "${dir}/verilate.d"
    COMMENT "Verilating ${v_TARGET}" VERBATIM)
  add_custom_target(${v_TARGET}_verilate DEPENDS "${dir}/verilate.stamp")
  if(v_CONFIG)
    add_dependencies(${v_TARGET}_verilate wl_gen)
  endif()

  wl_verilator_runtime(${v_TRACE} runtime)
  add_library(${v_TARGET} STATIC ${fast} ${slow})
  set_source_files_properties(${fast} ${slow} PROPERTIES GENERATED TRUE)
  # Set-up code runs once: optimising it costs minutes and gains nothing.
  set_source_files_properties(${slow} PROPERTIES COMPILE_OPTIONS -O0)
  if(v_PGO AND WL_PGO)
    wl_pgo(${v_TARGET} ${fast})
  elseif(v_PGO)
    set_source_files_properties(${fast} PROPERTIES COMPILE_OPTIONS ${WL_RTL_OPT})
  else()
    set_source_files_properties(${fast} PROPERTIES COMPILE_OPTIONS -O1)
  endif()
  add_dependencies(${v_TARGET} ${v_TARGET}_verilate)
  target_include_directories(${v_TARGET} SYSTEM PUBLIC "${dir}")
  target_link_libraries(${v_TARGET} PUBLIC ${runtime} PRIVATE wl_no_warnings)
endfunction()
