# The manual page and the completions of shells: written by the built tool, so they cannot tell something else than it.
# A cross build needs an emulator for that (CMAKE_CROSSCOMPILING_EMULATOR).

set(OPDEBUG_ZSH_COMPLETION_DIR "" CACHE STRING
    "Folder for zsh's completion; empty: share/zsh/site-functions, or vendor-completions with the prefix /usr")
mark_as_advanced(OPDEBUG_ZSH_COMPLETION_DIR)
# zsh looks into site-functions below /usr/local; below /usr that is zsh's own, and Debian's packages have a second folder.
set(zsh_folder "${OPDEBUG_ZSH_COMPLETION_DIR}")
if(NOT zsh_folder AND CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    set(zsh_folder "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")
elseif(NOT zsh_folder)
    set(zsh_folder "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
endif()

if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    message(STATUS "opdebug: no manual page and no completions: the tool does not run here, and "
                   "CMAKE_CROSSCOMPILING_EMULATOR is not set")
    return()
endif()

set(folder "${CMAKE_CURRENT_BINARY_DIR}/manual_and_completions")
set(written "${folder}/opdebug.1" "${folder}/opdebug" "${folder}/_opdebug" "${folder}/opdebug.fish")
add_custom_command(
    OUTPUT ${written}
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${folder}"
    COMMAND opdebug_tool manual -o "${folder}/opdebug.1"
    COMMAND opdebug_tool completion bash -o "${folder}/opdebug"
    COMMAND opdebug_tool completion zsh -o "${folder}/_opdebug"
    COMMAND opdebug_tool completion fish -o "${folder}/opdebug.fish"
    DEPENDS opdebug_tool
    COMMENT "Writing the manual page and the completions of bash, zsh and fish"
    VERBATIM)
add_custom_target(opdebug_manual_and_completions ALL DEPENDS ${written})

if(OPDEBUG_INSTALL)
    install(FILES "${folder}/opdebug.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT tool)
    install(FILES "${folder}/opdebug" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" COMPONENT tool)
    install(FILES "${folder}/_opdebug" DESTINATION "${zsh_folder}" COMPONENT tool)
    install(FILES "${folder}/opdebug.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" COMPONENT tool)
endif()
