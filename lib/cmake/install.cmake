# Installation of the library: headers, archive or shared object, CMake package, JSON Schemas.

include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/opdebug")

install(TARGETS opdebug EXPORT opdebugTargets)
install(DIRECTORY include/opdebug "${OPDEBUG_GENERATED_DIR}/include/opdebug" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(EXPORT opdebugTargets NAMESPACE opdebug:: DESTINATION "${package_dir}")

configure_package_config_file(cmake/opdebugConfig.cmake.in "${CMAKE_CURRENT_BINARY_DIR}/opdebugConfig.cmake"
                              INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/opdebugConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/opdebugConfig.cmake" "${CMAKE_CURRENT_BINARY_DIR}/opdebugConfigVersion.cmake"
        DESTINATION "${package_dir}")

# JSON Schemas of what the tool writes (docs/json-output.md).
install(DIRECTORY data/schema DESTINATION "${CMAKE_INSTALL_DATADIR}/opdebug" FILES_MATCHING PATTERN "*.schema.json")
