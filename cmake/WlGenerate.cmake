# The files that both twins share, made from isa/def by the program wlgen (target of isa/gen).
#   wl_gen          target: everything below <build>/gen is up to date
#   wl_gen_headers  interface library: include paths and the dependency on wl_gen
#   wl_generate()   run by the top after all folders; needs target wlgen, else wl_gen does nothing
# isa/gen names what wlgen writes with set_property(GLOBAL APPEND PROPERTY WL_GEN_OUTPUTS name...).
# The list matters to Ninja only: a file it does not know as an output is seen changed one run late.
set(WL_GEN_DIR "${PROJECT_BINARY_DIR}/gen")
set(WL_CONFIGS tiny tiny4 base full)
set(WL_TEST_CONFIGS probe probe32)  # for tests only: WL_RTL_CONFIGS has them on request
define_property(GLOBAL PROPERTY WL_GEN_OUTPUTS)
set_property(GLOBAL PROPERTY WL_GEN_OUTPUTS "")

add_custom_target(wl_gen)
add_library(wl_gen_headers INTERFACE)
target_include_directories(wl_gen_headers INTERFACE "${PROJECT_BINARY_DIR}" "${PROJECT_SOURCE_DIR}"
                           "${WL_GEN_DIR}") # warplock_layout.h, as users include it
add_dependencies(wl_gen_headers wl_gen)

function(wl_generate)
  if(NOT TARGET wlgen)
    message(STATUS "isa/gen has no target wlgen: nothing is generated")
    return()
  endif()
  file(GLOB_RECURSE defs CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/isa/def/*.def")
  get_property(outputs GLOBAL PROPERTY WL_GEN_OUTPUTS)
  list(APPEND outputs wl_pkg.sv)
  foreach(config IN LISTS WL_CONFIGS WL_TEST_CONFIGS)
    list(APPEND outputs config_${config}_pkg.sv)
  endforeach()
  list(REMOVE_DUPLICATES outputs)
  list(TRANSFORM outputs PREPEND "${WL_GEN_DIR}/")
  add_custom_command(
    OUTPUT "${WL_GEN_DIR}.stamp"
    BYPRODUCTS ${outputs}
    COMMAND "${CMAKE_COMMAND}" "-DWLGEN=$<TARGET_FILE:wlgen>"
            "-DDEF=${PROJECT_SOURCE_DIR}/isa/def" "-DOUT=${WL_GEN_DIR}"
            -P "${PROJECT_SOURCE_DIR}/cmake/run_wlgen.cmake"
    COMMAND "${CMAKE_COMMAND}" -E touch "${WL_GEN_DIR}.stamp"
    DEPENDS wlgen ${defs} "${PROJECT_SOURCE_DIR}/cmake/run_wlgen.cmake"
    COMMENT "Generating gen/ from isa/def" VERBATIM)
  add_custom_target(wl_gen_run DEPENDS "${WL_GEN_DIR}.stamp")
  add_dependencies(wl_gen wl_gen_run)
endfunction()
