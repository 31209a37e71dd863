# Data files as part of the library.
#
#   opdebug_embed(<name> <file>...)
#
# adds to the target opdebug_objects the generated embedded/<name>_data.hpp and .cpp, which declare and define
#   std::span<const opdebug::embedded::File> opdebug::embedded::<name>_files();
# with the files in the given order. They are generated again whenever a data file or the generator changes.

set(OPDEBUG_GENERATED_DIR "${CMAKE_CURRENT_BINARY_DIR}/generated")
configure_file("${CMAKE_CURRENT_LIST_DIR}/embedded_file.hpp.in" "${OPDEBUG_GENERATED_DIR}/embedded/file.hpp" COPYONLY)

function(opdebug_embed name)
    set(generator "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/embed_files.cmake")
    set(stem "${OPDEBUG_GENERATED_DIR}/embedded/${name}_data")
    list(TRANSFORM ARGN PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/" REGEX "^[^/]" OUTPUT_VARIABLE files)
    add_custom_command(
        OUTPUT "${stem}.hpp" "${stem}.cpp"
        COMMAND "${CMAKE_COMMAND}" "-DNAME=${name}" "-DSTEM=${stem}" -P "${generator}" -- ${files}
        DEPENDS ${files} "${generator}"
        COMMENT "Embedding ${name} data"
        VERBATIM)
    target_sources(opdebug_objects PRIVATE "${stem}.cpp" "${stem}.hpp")
    # To load the precompiled headers takes longer than to compile the data.
    set_source_files_properties("${stem}.cpp" PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endfunction()
