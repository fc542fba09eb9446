# wl_add_test(NAME name [SOURCES file...] [LIBS target...] [LABELS label...] [ARGS arg...]
#             [COMMAND command...] [TIMEOUT seconds] [COST seconds] [WAITS] [ENV name=value...])
#   Builds the sources into a program (or takes COMMAND) and registers it with ctest.
#   Exit 0 passes. Exit 77 skips; the program prints a line "SKIP: reason (apt install package)".
#   WAITS: the test sleeps most of its time, so tools/run_tests.sh runs it beside those that need a
#   processor. COST: about how long it takes; the dearest start first.
#   tests/campaign_only.txt names tests that get the label campaign.
# wl_programs_of_labels(label...)
#   At the end of the top list: a target wl_programs_LABEL builds what the tests of a label run (their
#   programs, and the targets that $<TARGET_FILE:..> names in their arguments), for builds of these alone.
# wl_add_skipped_test(NAME name REASON text [LABELS label...])
#   A test that this build could not make, so that it is counted and listed instead of vanishing.
# wl_plant(copy original from to)
#   Makes `copy` at build time: the original with one text changed, which must occur exactly once.
# wl_sources_with(out part copy name...)
#   The files rtl/NAME.sv, and the file `copy` in place of that of the name `part` (both may be empty).
# wl_left_out(out name test copy)
#   For the planted bug `name` of a unit's bench. Those that are not in the list `first_tier` belong to the
#   campaign, and to builds with WL_ALL_PLANTED, as each is a Verilation of its own. out: not in this build;
#   then only `copy` is made, so that a text that is gone still shows.
# wl_rare(out test)
#   For a test that needs a large Verilation of its own, where the first tier has another witness
#   (tests/campaign_only.txt): of the campaign, in builds with WL_ALL_PLANTED only. out: in this build.
file(STRINGS "${PROJECT_SOURCE_DIR}/tests/campaign_only.txt" wl_campaign_only REGEX "^[^#]")
list(TRANSFORM wl_campaign_only REPLACE " .*" "")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/campaign_only.txt")

function(wl_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 t "WAITS" "NAME;TIMEOUT;COST" "SOURCES;LIBS;LABELS;ARGS;COMMAND;ENV")
  if(t_UNPARSED_ARGUMENTS OR "${t_NAME}" STREQUAL "" OR "${t_SOURCES}${t_COMMAND}" STREQUAL "")
    message(FATAL_ERROR "wl_add_test: NAME and SOURCES or COMMAND; got '${ARGV}'")
  endif()
  if(t_SOURCES)
    string(REPLACE "/" "_" target "test_${t_NAME}")
    add_executable(${target} ${t_SOURCES})
    target_link_libraries(${target} PRIVATE ${t_LIBS})
    set(t_COMMAND ${target})
  endif()
  add_test(NAME ${t_NAME} COMMAND ${t_COMMAND} ${t_ARGS}
           WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  foreach(label IN LISTS t_LABELS)
    set_property(GLOBAL APPEND PROPERTY wl_words_${label} ${t_COMMAND} ${t_ARGS})
  endforeach()
  if(t_NAME IN_LIST wl_campaign_only)
    list(PREPEND t_LABELS campaign)
  endif()
  if(NOT t_TIMEOUT)
    set(t_TIMEOUT 120)
  endif()
  if(WL_SANITIZE) # several times slower, which on a busy machine is too near the limit
    math(EXPR t_TIMEOUT "3 * ${t_TIMEOUT}")
  endif()
  set_tests_properties(${t_NAME} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${t_TIMEOUT}
                       LABELS "${t_LABELS}" ENVIRONMENT "${t_ENV}")
  # Taken into account where ctest is told what there is of each.
  set_tests_properties(${t_NAME} PROPERTIES
                       RESOURCE_GROUPS "$<IF:$<BOOL:${t_WAITS}>,waits,processors>:1")
  if(t_COST)
    set_tests_properties(${t_NAME} PROPERTIES COST ${t_COST})
  endif()
endfunction()

function(wl_programs_of_labels)
  foreach(label IN LISTS ARGN)
    get_property(words GLOBAL PROPERTY wl_words_${label})
    list(TRANSFORM words REPLACE "^\\$<TARGET_FILE:(.*)>$" "\\1")
    list(REMOVE_DUPLICATES words)
    add_custom_target(wl_programs_${label})
    foreach(word IN LISTS words)
      if(TARGET "${word}")
        add_dependencies(wl_programs_${label} ${word})
      endif()
    endforeach()
  endforeach()
endfunction()

function(wl_add_skipped_test)
  cmake_parse_arguments(PARSE_ARGV 0 t "" "NAME;REASON" "LABELS")
  wl_add_test(NAME ${t_NAME} LABELS ${t_LABELS}
    COMMAND "${CMAKE_COMMAND}" "-DREASON=${t_REASON}" -P "${PROJECT_SOURCE_DIR}/cmake/skip.cmake")
  # A cmake script cannot choose its exit code, so the printed line is what marks the skip.
  set_tests_properties(${t_NAME} PROPERTIES SKIP_REGULAR_EXPRESSION "SKIP: ")
endfunction()

function(wl_plant copy original from to)
  set(script "${PROJECT_SOURCE_DIR}/cmake/plant.cmake")
  add_custom_command(
    OUTPUT "${copy}"
    COMMAND "${CMAKE_COMMAND}" "-DFILE=${original}" "-DOUT=${copy}" "-DFROM=${from}" "-DTO=${to}"
            -P "${script}"
    DEPENDS "${original}" "${script}" VERBATIM)
endfunction()

function(wl_sources_with out part copy)
  set(sources "")
  foreach(name IN LISTS ARGN)
    if(name STREQUAL part)
      list(APPEND sources "${copy}")
    else()
      list(APPEND sources "${PROJECT_SOURCE_DIR}/rtl/${name}.sv")
    endif()
  endforeach()
  set(${out} "${sources}" PARENT_SCOPE)
endfunction()

function(wl_left_out out name test copy)
  set(${out} OFF PARENT_SCOPE)
  if(NOT name IN_LIST first_tier)
    set(wl_campaign_only ${wl_campaign_only} ${test} PARENT_SCOPE)
    if(NOT WL_ALL_PLANTED)
      set(${out} ON PARENT_SCOPE)
      string(REPLACE "/" "_" target "wl_planted_${test}")
      add_custom_target(${target} ALL DEPENDS "${copy}")
    endif()
  endif()
endfunction()

function(wl_rare out test)
  set(${out} "${WL_ALL_PLANTED}" PARENT_SCOPE)
  if(NOT test IN_LIST wl_campaign_only)
    message(FATAL_ERROR "wl_rare: ${test} is not in tests/campaign_only.txt")
  endif()
endfunction()
