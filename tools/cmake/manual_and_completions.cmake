# The manual page and the bash completion. The built tool writes both, so they always match it.
# A cross build needs an emulator for that (CMAKE_CROSSCOMPILING_EMULATOR).

if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    message(STATUS "opdebug: no manual page and no completion: the tool does not run here, and "
                   "CMAKE_CROSSCOMPILING_EMULATOR is not set")
    return()
endif()

set(folder "${CMAKE_CURRENT_BINARY_DIR}/manual_and_completions")
set(written "${folder}/opdebug.1" "${folder}/opdebug")
add_custom_command(
    OUTPUT ${written}
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${folder}"
    COMMAND opdebug_tool manual -o "${folder}/opdebug.1"
    COMMAND opdebug_tool completion bash -o "${folder}/opdebug"
    DEPENDS opdebug_tool
    COMMENT "Writing the manual page and the bash completion"
    VERBATIM)
add_custom_target(opdebug_manual_and_completions ALL DEPENDS ${written})

if(OPDEBUG_INSTALL)
    install(FILES "${folder}/opdebug.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT tool)
    install(FILES "${folder}/opdebug" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" COMPONENT tool)
endif()
