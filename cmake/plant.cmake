# cmake -DFILE=source -DOUT=copy -DFROM=text -DTO=text -P plant.cmake
# Copies a source with one change; the text must occur exactly once, so that a bug cannot silently
# stop being planted when the source changes.
file(READ "${FILE}" source)
string(LENGTH "${source}" before)
string(REPLACE "${FROM}" "" without "${source}")
string(LENGTH "${without}" after)
string(LENGTH "${FROM}" length)
math(EXPR times "(${before} - ${after}) / ${length}")
if(NOT times EQUAL 1)
  message(FATAL_ERROR "plant: '${FROM}' occurs ${times} times in ${FILE}, not once")
endif()
string(REPLACE "${FROM}" "${TO}" planted "${source}")
file(WRITE "${OUT}" "${planted}")
