# The manual page and the completions of shells: written by the built tool, so they cannot tell something else than it.
# A cross build needs an emulator for that (CMAKE_CROSSCOMPILING_EMULATOR).

set(OPDEBUG_ZSH_COMPLETION_DIR "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions" CACHE STRING
    "Folder for zsh's completion below the prefix; vendor-completions is Debian's for packages, /usr/local has site-functions")
mark_as_advanced(OPDEBUG_ZSH_COMPLETION_DIR)

if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    message(STATUS "opdebug: no manual page and no completions: the tool does not run here, and "
                   "CMAKE_CROSSCOMPILING_EMULATOR is not set")
    return()
endif()

set(folder "${CMAKE_CURRENT_BINARY_DIR}/manual_and_completions")
add_custom_command(
    OUTPUT "${folder}/opdebug.1" "${folder}/opdebug" "${folder}/_opdebug"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${folder}"
    COMMAND opdebug_tool manual -o "${folder}/opdebug.1"
    COMMAND opdebug_tool completion bash -o "${folder}/opdebug"
    COMMAND opdebug_tool completion zsh -o "${folder}/_opdebug"
    DEPENDS opdebug_tool
    COMMENT "Writing the manual page and the completions of bash and zsh"
    VERBATIM)
add_custom_target(opdebug_manual_and_completions ALL
                  DEPENDS "${folder}/opdebug.1" "${folder}/opdebug" "${folder}/_opdebug")

if(OPDEBUG_INSTALL)
    install(FILES "${folder}/opdebug.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT tool)
    install(FILES "${folder}/opdebug" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" COMPONENT tool)
    install(FILES "${folder}/_opdebug" DESTINATION "${OPDEBUG_ZSH_COMPLETION_DIR}" COMPONENT tool)
endif()
