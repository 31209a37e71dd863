# The tool as one file, and the Python module as one folder, to copy to machines that have nothing of what they are linked with.
# OPDEBUG_ONE_FILE is
#
#   OFF   both are linked with the system's shared libraries;
#   libs  everything but the C library is inside: needs a C library as new as the build machine's;
#   all   the C library too: needs Linux only. Not so in the Python module, which lives with the C library of Python.
#
# To be included before dependencies.cmake, which looks for archives then. docs/install.md states which one to take.

set(OPDEBUG_ONE_FILE OFF CACHE STRING "Put the libraries into the tool: OFF, libs (all but the C library) or all")
set_property(CACHE OPDEBUG_ONE_FILE PROPERTY STRINGS OFF libs all)

if(NOT OPDEBUG_ONE_FILE)
    return()
endif()
if(NOT OPDEBUG_ONE_FILE MATCHES "^(libs|all)$")
    message(FATAL_ERROR "OPDEBUG_ONE_FILE is '${OPDEBUG_ONE_FILE}'; it may be OFF, libs or all")
endif()
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    message(FATAL_ERROR "OPDEBUG_ONE_FILE=${OPDEBUG_ONE_FILE} needs GCC; the compiler is ${CMAKE_CXX_COMPILER_ID}")
endif()
if(BUILD_SHARED_LIBS)
    message(FATAL_ERROR "OPDEBUG_ONE_FILE=${OPDEBUG_ONE_FILE} needs the static library: BUILD_SHARED_LIBS is ON")
endif()

set(Boost_USE_STATIC_LIBS ON)
set(ZLIB_USE_STATIC_LIBS ON)

# The target for fmt::fmt (dependencies.cmake): compiled once, so that everything else is compiled as without this option.
find_package(fmt REQUIRED)
add_library(opdebug_fmt STATIC EXCLUDE_FROM_ALL lib/cmake/fmt_archive.cpp)
target_link_libraries(opdebug_fmt PRIVATE fmt::fmt-header-only)
target_compile_features(opdebug_fmt PUBLIC cxx_std_20)
set_target_properties(opdebug_fmt PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_compile_options(opdebug_fmt PRIVATE -fkeep-inline-functions -ffunction-sections -fdata-sections)
target_compile_definitions(opdebug_fmt INTERFACE FMT_SHARED)

# Makes the executable or module carry its libraries.
function(opdebug_one_file target)
    target_link_options(${target} PRIVATE -Wl,--gc-sections)
    # Nothing is looked for at run time; the start of a program that is static and position independent refuses such paths.
    set_target_properties(${target} PROPERTIES SKIP_BUILD_RPATH ON INSTALL_RPATH "")
    get_target_property(kind ${target} TYPE)
    if(OPDEBUG_ONE_FILE STREQUAL "libs" OR NOT kind STREQUAL "EXECUTABLE")
        target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc)
    else()
        # Position independent like any other program. The linker warns of functions (dlopen, getpwnam, getaddrinfo) that
        # load parts of the C library at run time: a program with these would not be one file.
        target_link_options(${target} PRIVATE -static-pie -Wl,--fatal-warnings)
    endif()
endfunction()
