# Installation of the library. Components: library (the shared object), dev (what programs are built with), tool (JSON Schemas).

include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/opdebug")

install(TARGETS opdebug EXPORT opdebugTargets
        LIBRARY COMPONENT library NAMELINK_COMPONENT dev
        ARCHIVE COMPONENT dev)
install(DIRECTORY include/opdebug "${OPDEBUG_GENERATED_DIR}/include/opdebug"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT dev
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")

# find_package(opdebug). A new minor version keeps the interface (semver.org).
install(EXPORT opdebugTargets NAMESPACE opdebug:: DESTINATION "${package_dir}" COMPONENT dev)
configure_package_config_file(cmake/opdebugConfig.cmake.in "${CMAKE_CURRENT_BINARY_DIR}/opdebugConfig.cmake"
                              INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/opdebugConfigVersion.cmake"
                                 COMPATIBILITY SameMajorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/opdebugConfig.cmake" "${CMAKE_CURRENT_BINARY_DIR}/opdebugConfigVersion.cmake"
        DESTINATION "${package_dir}" COMPONENT dev)

# pkg-config. A shared library brings what it uses with it; an archive leaves that to the program's link line, and a C program's
# linker does not know the C++ library by itself.
set(used_libraries "-lboost_regex -lfmt -lzstd -lz -lstdc++ -lm -pthread")
if(BUILD_SHARED_LIBS)
    set(PKG_CONFIG_LIBS "")
    set(PKG_CONFIG_LIBS_PRIVATE "${used_libraries}")
else()
    set(PKG_CONFIG_LIBS " ${used_libraries}")
    set(PKG_CONFIG_LIBS_PRIVATE "")
endif()
# Folders are relative to the file, so that the installed tree may be moved.
file(RELATIVE_PATH PKG_CONFIG_PREFIX "/root/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/root")
configure_file(cmake/opdebug.pc.in "${CMAKE_CURRENT_BINARY_DIR}/opdebug.pc" @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/opdebug.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT dev)

# The documents that headers and error messages speak of.
if(NOT OPDEBUG_PACKAGES)  # these have their own, under other names
    install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/CHANGELOG.md"
            DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT dev)
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/" DESTINATION "${CMAKE_INSTALL_DOCDIR}/docs" COMPONENT dev)

# JSON Schemas of what the tool writes (docs/reference/json.md).
install(DIRECTORY data/schema DESTINATION "${CMAKE_INSTALL_DATADIR}/opdebug" COMPONENT tool
        FILES_MATCHING PATTERN "*.schema.json")
