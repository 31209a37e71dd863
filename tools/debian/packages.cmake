# Debian packages, one for each install component: libopdebug0 (library), libopdebug-dev (dev), opdebug (tool) and
# python3-opdebug (python, where the module is built). The preset "package" sets what they need, tools/package.sh builds them.
#
# To be included when every folder has been: what is installed is known then. The packages of a time (SOURCE_DATE_EPOCH) and
# a source are always the same bytes.

set(OPDEBUG_PACKAGE_MAINTAINER "The opdebug maintainers <maintainers@opdebug.invalid>" CACHE STRING
    "Who made the packages: NAME <ADDRESS>")

# The number in the name of the shared object is the library's ABI (lib/CMakeLists.txt).
get_target_property(abi opdebug SOVERSION)
set(library_package "libopdebug${abi}")
set(dev_package "libopdebug-dev")
set(tool_package "opdebug")
set(python_package "python3-opdebug")

set(CPACK_COMPONENTS_ALL library dev tool)
if(OPDEBUG_BUILD_PYTHON)
    list(APPEND CPACK_COMPONENTS_ALL python)
endif()

# Policy: each package has its copyright and its changes in a folder of its name. The Debian revision's are generated.
set(revision 1)
set(documents "${CMAKE_CURRENT_BINARY_DIR}/debian")
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file("${CMAKE_CURRENT_LIST_DIR}/changelog.in" "${documents}/changelog.Debian" @ONLY)
configure_file(CHANGELOG.md "${documents}/changelog" COPYONLY)
foreach(name changelog changelog.Debian)
    execute_process(COMMAND gzip -9n INPUT_FILE "${documents}/${name}" OUTPUT_FILE "${documents}/${name}.gz"
                    COMMAND_ERROR_IS_FATAL ANY)
endforeach()
# What is compiled in: libraries that are headers, and an archive.
execute_process(COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/tools/licenses/licenses.py" debian "${CMAKE_SYSTEM_PROCESSOR}" "${documents}"
                COMMAND_ERROR_IS_FATAL ANY)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    if(NOT component STREQUAL "dev")
        install(FILES "${documents}/NOTICE" "${documents}/opdebug.spdx.json"
                DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${${component}_package}" COMPONENT ${component})
    endif()
    install(FILES "${CMAKE_CURRENT_LIST_DIR}/copyright" "${documents}/changelog.gz" "${documents}/changelog.Debian.gz"
            DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${${component}_package}" COMPONENT ${component})
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
set(CPACK_PACKAGE_CONTACT "${OPDEBUG_PACKAGE_MAINTAINER}")
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/compress_manual.cmake")
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE ${revision})
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# What the files need: of other packages as dpkg-shlibdeps finds it, of each other exactly the same version.
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_COMPONENT_DEV_DEPENDS library)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${CMAKE_CURRENT_BINARY_DIR}/lib")
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.8)")
# Dependencies of programs that are linked with the library: CPack's own way would also use the object of the Python module.
# After installation the system's list of shared objects is renewed.
configure_file("${CMAKE_CURRENT_LIST_DIR}/shlibs.in" "${documents}/shlibs" @ONLY)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA "${documents}/shlibs" "${CMAKE_CURRENT_LIST_DIR}/triggers")

# The first line of a description is its summary; CPack would put a common one before it.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(about "When a number overflows on an Ascend NPU, CANN writes a small binary dump.
opdebug tells what happened, in which operator of which model, and shows
the log lines that prove it.
")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME "${library_package}")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "decoder of Ascend OpDebug overflow dumps - shared library
${about}
This package holds the library that programs are linked with.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME "${dev_package}")
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_DESCRIPTION "decoder of Ascend OpDebug overflow dumps - development files
${about}
This package holds what programs are built with: headers, and files for
CMake and pkg-config.")

set(CPACK_DEBIAN_TOOL_PACKAGE_NAME "${tool_package}")
set(CPACK_DEBIAN_TOOL_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_TOOL_DESCRIPTION "explains overflow dumps of Ascend NPUs
${about}
This package holds the command-line tool, and JSON Schemas of what it
writes.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME "${python_package}")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA
    "${CMAKE_CURRENT_LIST_DIR}/python/postinst" "${CMAKE_CURRENT_LIST_DIR}/python/prerm")
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "decoder of Ascend OpDebug overflow dumps - Python module
${about}
This package holds the module opdebug; the library is inside.")

include(CPack)
