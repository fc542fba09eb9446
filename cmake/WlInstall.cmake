# Installation of libwarplock: one static archive holding wl_driver and every static library below
# it, the public headers of driver/include and the generated warplock_layout.h, a pkg-config file, a
# CMake package, and the program.
# The archive is complete, so that a user links one library and no internal name leaves the tree.
include(GNUInstallDirs)
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
add_library(warplock_lib STATIC ${wl_objects})
add_library(warplock::warplock ALIAS warplock_lib)
add_dependencies(warplock_lib ${wl_static})
set_target_properties(warplock_lib PROPERTIES OUTPUT_NAME warplock EXPORT_NAME warplock
  LINKER_LANGUAGE CXX ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
target_include_directories(warplock_lib INTERFACE
  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/driver/include>" "$<BUILD_INTERFACE:${WL_GEN_DIR}>"
  "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
# A C program links it too: the C++ runtime of the Verilated model is named here.
set(WL_LINK_LIBS ${wl_system} stdc++ m)
list(REMOVE_DUPLICATES WL_LINK_LIBS)
target_link_libraries(warplock_lib INTERFACE ${WL_LINK_LIBS} Threads::Threads)

install(TARGETS warplock_lib EXPORT warplockTargets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/driver/include/"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")
# The record layout of warplock_cosim.h.
install(FILES "${WL_GEN_DIR}/warplock_layout.h" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
if(TARGET warplock)
  install(TARGETS warplock RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

set(wl_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/warplock")
install(EXPORT warplockTargets NAMESPACE warplock:: DESTINATION "${wl_package_dir}")
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/package/warplockConfig.cmake" CONTENT
"include(CMakeFindDependencyMacro)
find_dependency(Threads)
include(\"\${CMAKE_CURRENT_LIST_DIR}/warplockTargets.cmake\")
" @ONLY)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/warplockConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/package/warplockConfig.cmake"
              "${PROJECT_BINARY_DIR}/package/warplockConfigVersion.cmake"
        DESTINATION "${wl_package_dir}")

# The prefix follows the file, so that an installed tree may be moved.
set(WL_PC_LIBS "")
foreach(lib IN LISTS WL_LINK_LIBS)
  string(APPEND WL_PC_LIBS " -l${lib}")
endforeach()
file(RELATIVE_PATH WL_PC_UP "/p/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/p")
configure_file("${PROJECT_SOURCE_DIR}/cmake/warplock.pc.in"
               "${PROJECT_BINARY_DIR}/package/warplock.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/package/warplock.pc"
        DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
