# wl_closed(target): of a shared library only wl_* is seen from outside, its own names are its own (also
# where the program or another library has the same), and nothing is missing.
function(wl_closed target)
  set(map "${PROJECT_SOURCE_DIR}/cmake/warplock.map")
  target_link_options(${target} PRIVATE "-Wl,--version-script=${map}" -Wl,-Bsymbolic
                      -Wl,--no-undefined -Wl,--as-needed)
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${map}")
endfunction()

# wl_closed_object(file objects targets): the objects of static libraries joined into one, of whose names
# only wl_* is left. Sections that the linker would take once for a whole program (inline functions)
# become ordinary ones: the program's own may have been compiled from other sources.
# By GNU's linker, also where the compiler is clang: lld has no such option.
find_program(WL_GNU_LD NAMES ld.bfd ld)
find_program(WL_GNU_OBJCOPY NAMES objcopy)
mark_as_advanced(WL_GNU_LD WL_GNU_OBJCOPY)
function(wl_closed_object file objects targets)
  add_custom_command(
    OUTPUT "${file}"
    COMMAND "${WL_GNU_LD}" -r --force-group-allocation -o "${file}.all" "${objects}"
    COMMAND "${WL_GNU_OBJCOPY}" --localize-hidden --wildcard "--keep-global-symbol=wl_*"
            "${file}.all" "${file}"
    COMMAND "${CMAKE_COMMAND}" -E rm "${file}.all"
    DEPENDS ${targets} COMMAND_EXPAND_LISTS VERBATIM COMMENT "Joining ${file}")
  set_source_files_properties("${file}" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
endfunction()
