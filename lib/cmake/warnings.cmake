# The warnings that every target of the project is compiled with.

function(opdebug_warnings target)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion)
    # In a unity build the other sources of a unit count as headers. The build of single files checks both.
    if(CMAKE_UNITY_BUILD)
        target_compile_options(${target} PRIVATE -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
    endif()
    # GCC 12 sees overlapping copies in "text" + std::string where there are none (GCC bug 105329).
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
        target_compile_options(${target} PRIVATE -Wno-restrict)
    endif()
    if(OPDEBUG_WARNINGS_AS_ERRORS)
        # What GCC knows of sizes depends on what it happens to inline: such a warning is shown and stops no build.
        target_compile_options(${target} PRIVATE -Werror
            $<$<CXX_COMPILER_ID:GNU>:-Wno-error=stringop-overflow>
            $<$<CXX_COMPILER_ID:GNU>:-Wno-error=stringop-overread>
            $<$<CXX_COMPILER_ID:GNU>:-Wno-error=array-bounds>
            $<$<CXX_COMPILER_ID:GNU>:-Wno-error=maybe-uninitialized>)
    endif()
endfunction()
