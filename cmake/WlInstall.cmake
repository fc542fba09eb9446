# Installation of libwarplock: archives and a shared library, each with wl_driver and every static
# library below it, the public headers of driver/include and the generated warplock_layout.h, a pkg-config file, a
# CMake package, the program, and where the RTL was built its sources for warplock_core().
# Each is complete, so that a user links one library and needs none of our other targets.
include(GNUInstallDirs)
include(WlShared)
include(CMakePackageConfigHelpers)

if(NOT TARGET wl_driver)
  message(STATUS "driver/ has no target wl_driver: nothing is installed")
  return()
endif()

wl_library_closure(wl_parts wl_driver)
set(wl_objects "")
set(wl_static "")
set(wl_system "")
foreach(part IN LISTS wl_parts)
  get_target_property(type ${part} TYPE)
  if(type MATCHES "^(STATIC|OBJECT)_LIBRARY$")
    list(APPEND wl_objects "$<TARGET_OBJECTS:${part}>")
    list(APPEND wl_static ${part})
    # Plain names (m, lz4, z) are system libraries: a static archive cannot carry them along.
    get_target_property(links ${part} LINK_LIBRARIES)
    foreach(link IN LISTS links)
      if(link MATCHES "^[a-z][a-z0-9_+]*$" AND NOT TARGET ${link})
        list(APPEND wl_system ${link})
      endif()
    endforeach()
  endif()
endforeach()

find_package(Threads REQUIRED)
# What a C program needs beside the archive: the C++ run time of the Verilated model is named here.
set(WL_LINK_LIBS ${wl_system} stdc++ m)
list(REMOVE_DUPLICATES WL_LINK_LIBS)

# wl_public(target name): a library under the name warplock::name, with the public headers.
function(wl_public target name)
  add_library(warplock::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} LINKER_LANGUAGE CXX
    ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib"
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
  target_include_directories(${target} INTERFACE
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/driver/include>" "$<BUILD_INTERFACE:${WL_GEN_DIR}>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
endfunction()

add_library(warplock_lib STATIC ${wl_objects})
wl_public(warplock_lib warplock)
set_target_properties(warplock_lib PROPERTIES OUTPUT_NAME warplock)
add_dependencies(warplock_lib ${wl_static})
target_link_libraries(warplock_lib INTERFACE ${WL_LINK_LIBS} Threads::Threads)

# The same objects as a shared library, of which only the functions of the public headers are seen:
# a program with a Verilated model of its own, from another Verilator, may load it (docs/cosim.md).
# 0.x: each minor version may change the interface, so it is a part of the name.
add_library(warplock_shared SHARED ${wl_objects})
wl_public(warplock_shared shared)
set_target_properties(warplock_shared PROPERTIES OUTPUT_NAME warplock VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
add_dependencies(warplock_shared ${wl_static})
wl_closed(warplock_shared)
target_link_libraries(warplock_shared PRIVATE ${WL_LINK_LIBS} Threads::Threads)

# The same as an archive, for linking without a shared library: one object, in which every other name
# has become local. The first archive stays in parts, in which warplock_core() puts a unit of the user.
set(wl_closed_object "${PROJECT_BINARY_DIR}/lib/warplock_closed.o")
wl_closed_object("${wl_closed_object}" "${wl_objects}" "${wl_static}")
add_library(warplock_closed STATIC "${wl_closed_object}")
wl_public(warplock_closed closed)
target_link_libraries(warplock_closed INTERFACE ${WL_LINK_LIBS} Threads::Threads)

install(TARGETS warplock_lib warplock_shared warplock_closed EXPORT warplockTargets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/driver/include/"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")
# The record layout of warplock_cosim.h.
install(FILES "${WL_GEN_DIR}/warplock_layout.h" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples" DESTINATION "${CMAKE_INSTALL_DATADIR}/warplock")
if(TARGET warplock)
  install(TARGETS warplock RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  set(wl_pages "${PROJECT_BINARY_DIR}/docs") # driver/cli/CMakeLists.txt
  install(DIRECTORY "${wl_pages}/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" FILES_MATCHING PATTERN "*.1")
  install(FILES "${wl_pages}/warplock.bash" RENAME warplock
          DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
  install(FILES "${wl_pages}/_warplock" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
  install(FILES "${wl_pages}/warplock.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
endif()

# What a test bench in another simulator needs (docs/cosim.md): a component of its own, since `make dpi`
# builds nothing else.
if(TARGET warplock_dpi)
  set(wl_dpi_dir "${CMAKE_INSTALL_DATADIR}/warplock/dpi")
  install(TARGETS warplock_dpi EXPORT warplockTargets LIBRARY COMPONENT dpi
          DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/driver/include/" COMPONENT dpi
          DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")
  install(FILES "${WL_GEN_DIR}/warplock_layout.h" COMPONENT dpi
          DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  set(wl_dpi_sources "${PROJECT_SOURCE_DIR}/rtl/dpi/warplock_cosim_pkg.sv" "${WL_GEN_DIR}/wl_pkg.sv")
  foreach(config IN LISTS WL_CONFIGS)
    list(APPEND wl_dpi_sources "${WL_GEN_DIR}/config_${config}_pkg.sv")
  endforeach()
  install(FILES ${wl_dpi_sources} COMPONENT dpi DESTINATION "${wl_dpi_dir}")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples/uvm" COMPONENT dpi DESTINATION "${wl_dpi_dir}")
endif()

# What warplock_core() (cmake/WarplockCore.cmake) builds a core from: the RTL with its generated files,
# and the side of lockstep, which is compiled for each Verilated class. In folders as in our tree.
set(wl_core_configs "")
foreach(config IN LISTS WL_RTL_CONFIGS)
  if(TARGET wl_side_rtl_${config})
    list(APPEND wl_core_configs ${config})
  endif()
endforeach()
set(wl_core_version "")
if(wl_core_configs)
  execute_process(COMMAND "${WL_VERILATOR_BIN}" --version OUTPUT_VARIABLE wl_core_version ERROR_QUIET
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(STRIP "${wl_core_version}" wl_core_version)
  set(wl_core_dir "${CMAKE_INSTALL_DATADIR}/warplock/core")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/rtl" DESTINATION "${wl_core_dir}"
          FILES_MATCHING PATTERN "*.sv" PATTERN "*.svh" PATTERN "files.txt")
  install(DIRECTORY "${WL_GEN_DIR}/" DESTINATION "${wl_core_dir}/gen"
          FILES_MATCHING PATTERN "*.sv" PATTERN "*.svh" PATTERN "debug.vlt" PATTERN "*.h")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/driver/include" DESTINATION "${wl_core_dir}/driver"
          FILES_MATCHING PATTERN "*.h")
  foreach(file driver/lockstep/side_rtl.cpp driver/lockstep/side.h driver/lockstep/journal.h
          driver/lockstep/memport.h driver/lockstep/rtl_debug.h driver/lockstep/rtl_dpi.h
          tools/gen_packages.vlt cmake/Verilate.cmake cmake/verilate_run.cmake)
    get_filename_component(folder "${file}" DIRECTORY)
    install(FILES "${PROJECT_SOURCE_DIR}/${file}" DESTINATION "${wl_core_dir}/${folder}")
  endforeach()
endif()

set(wl_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/warplock")
file(RELATIVE_PATH wl_core_from "/p/${wl_package_dir}" "/p/${CMAKE_INSTALL_DATADIR}/warplock/core")
install(EXPORT warplockTargets NAMESPACE warplock:: DESTINATION "${wl_package_dir}")
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/package/warplockConfig.cmake" CONTENT
"include(CMakeFindDependencyMacro)
find_dependency(Threads)
include(\"\${CMAKE_CURRENT_LIST_DIR}/warplockTargets.cmake\")
get_filename_component(WARPLOCK_CORE_DIR \"\${CMAKE_CURRENT_LIST_DIR}/@wl_core_from@\" ABSOLUTE)
set(WARPLOCK_CORE_CONFIGS \"@wl_core_configs@\")
set(WARPLOCK_BUILT_VERILATOR \"@WL_VERILATOR_BIN@\")
set(WARPLOCK_BUILT_VERILATOR_ROOT \"@WL_VERILATOR_ROOT@\")
set(WARPLOCK_BUILT_VERILATOR_NUMBER \"@WL_VERILATOR_VERSION@\")
set(WARPLOCK_BUILT_VERILATOR_TEXT \"@wl_core_version@\")
include(\"\${CMAKE_CURRENT_LIST_DIR}/warplockCore.cmake\")
" @ONLY)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/warplockConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/package/warplockConfig.cmake"
              "${PROJECT_BINARY_DIR}/package/warplockConfigVersion.cmake"
        DESTINATION "${wl_package_dir}")
install(FILES "${PROJECT_SOURCE_DIR}/cmake/WarplockCore.cmake" DESTINATION "${wl_package_dir}"
        RENAME warplockCore.cmake)

# The prefix follows the file, so that an installed tree may be moved.
set(WL_PC_LIBS "")
foreach(lib IN LISTS WL_LINK_LIBS)
  string(APPEND WL_PC_LIBS " -l${lib}")
endforeach()
file(RELATIVE_PATH WL_PC_UP "/p/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/p")
foreach(pc warplock warplock-static)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/${pc}.pc.in" "${PROJECT_BINARY_DIR}/package/${pc}.pc"
                 @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/package/${pc}.pc"
          DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endforeach()

# The Python package as pip takes it, `pip install PREFIX/share/warplock/python`: docs/python.md.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/python" DESTINATION "${CMAKE_INSTALL_DATADIR}/warplock"
        PATTERN __pycache__ EXCLUDE)
