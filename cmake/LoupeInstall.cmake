# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where, in three components: tools (the program, its manual, policies), collector (what its
# service needs besides) and agent. tests/tree/check_install.py has the list.
include(GNUInstallDirs)

# The agent and the jars for applications are in one folder, under whatever name libraries have elsewhere; the agent for musl
# libc, which is a build of its own, has a folder in it.
set(agent lib/loupe)
if(LOUPE_MUSL)
  set(agent lib/loupe/musl)
endif()
install(TARGETS loupe_agent_so LIBRARY DESTINATION ${agent} COMPONENT agent
  PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
if(LOUPE_MUSL)
  return()
endif()
install(FILES ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/loupe.jar DESTINATION ${agent} COMPONENT agent)
if(TARGET loupe_otel_jar)
  install(FILES ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/loupe-otel.jar DESTINATION ${agent} COMPONENT agent)
endif()

find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
  WORLD_READ WORLD_EXECUTE)

set(manual ${CMAKE_CURRENT_BINARY_DIR}/man)
add_custom_command(OUTPUT ${manual}/loupe.1.gz
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/cmake/man.py ${PROJECT_SOURCE_DIR} ${PROJECT_VERSION} ${manual}
  DEPENDS src/cli/base/options.def cmake/man.py cmake/options_def.py VERBATIM)
add_custom_target(loupe_manual ALL DEPENDS ${manual}/loupe.1.gz)

# What shells complete with, printed by the program itself. Debian's zsh looks for that of packages in a folder of its own.
set(completions ${CMAKE_CURRENT_BINARY_DIR}/completions)
set(zsh_folder zsh/site-functions)
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set(zsh_folder zsh/vendor-completions)
endif()
set(completion_files)
foreach(pair bash:loupe zsh:_loupe fish:loupe.fish)
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 shell)
  list(GET pair 1 name)
  add_custom_command(OUTPUT ${completions}/${name} COMMAND loupe completion ${shell} > ${completions}/${name}
    DEPENDS loupe VERBATIM)
  list(APPEND completion_files ${completions}/${name})
endforeach()
file(MAKE_DIRECTORY ${completions})
add_custom_target(loupe_completions ALL DEPENDS ${completion_files})
install(FILES ${completions}/loupe DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT tools)
install(FILES ${completions}/_loupe DESTINATION ${CMAKE_INSTALL_DATADIR}/${zsh_folder} COMPONENT tools)
install(FILES ${completions}/loupe.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT tools)

install(TARGETS loupe RUNTIME COMPONENT tools)
install(TARGETS loupe_whole RUNTIME DESTINATION lib/loupe COMPONENT tools) # where bin/loupe looks for it
install(DIRECTORY ${manual}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tools FILES_MATCHING PATTERN *.gz)
install(DIRECTORY policies/ DESTINATION ${CMAKE_INSTALL_DATADIR}/loupe/policies COMPONENT tools)

# The unit names files by where they will be.
file(READ deploy/loupe.service unit)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS deploy/loupe.service)
string(REPLACE "/usr/bin/loupe" "${CMAKE_INSTALL_FULL_BINDIR}/loupe" unit "${unit}")
string(REPLACE "/etc/loupe" "${CMAKE_INSTALL_FULL_SYSCONFDIR}/loupe" unit "${unit}")
file(CONFIGURE OUTPUT deploy/loupe.service CONTENT "${unit}" @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/deploy/loupe.service DESTINATION lib/systemd/system COMPONENT collector)
install(FILES deploy/sysusers.conf DESTINATION lib/sysusers.d RENAME loupe.conf COMPONENT collector)
install(FILES deploy/collect.env DESTINATION ${CMAKE_INSTALL_FULL_SYSCONFDIR}/loupe COMPONENT collector)
