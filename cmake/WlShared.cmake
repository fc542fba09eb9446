# wl_closed(target): of a shared library only wl_* is seen from outside, its own names are its own (also
# where the program or another library has the same), and nothing is missing.
function(wl_closed target)
  set(map "${PROJECT_SOURCE_DIR}/cmake/warplock.map")
  target_link_options(${target} PRIVATE "-Wl,--version-script=${map}" -Wl,-Bsymbolic
                      -Wl,--no-undefined -Wl,--as-needed)
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${map}")
endfunction()
