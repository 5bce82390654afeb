# `cmake --install`: programs, libraries, headers and the package that
# find_package(CMA) loads. The package may be moved as a whole.
include(CMakePackageConfigHelpers)

set(CMA_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/CMA")
get_property(CMA_EXPORTED_TARGETS GLOBAL PROPERTY CMA_EXPORTED_TARGETS)
install(TARGETS ${CMA_EXPORTED_TARGETS} EXPORT CMATargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT CMATargets NAMESPACE CMA:: DESTINATION ${CMA_PACKAGE_DIR})

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/CMAConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/cmake/CMAConfig.cmake"
  INSTALL_DESTINATION ${CMA_PACKAGE_DIR}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/cmake/CMAConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/cmake/CMAConfig.cmake"
  "${PROJECT_BINARY_DIR}/cmake/CMAConfigVersion.cmake"
  DESTINATION ${CMA_PACKAGE_DIR})

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/cma"
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.td")
install(DIRECTORY "${PROJECT_BINARY_DIR}/include/cma"
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.inc"
  PATTERN "CMakeFiles" EXCLUDE)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION ${CMAKE_INSTALL_DOCDIR})
