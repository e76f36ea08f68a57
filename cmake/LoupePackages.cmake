# SPDX-License-Identifier: Apache-2.0
# Debian packages of the components that LoupeInstall.cmake has, built by cpack. scripts/package does all of it.
if(NOT TARGET loupe_otel_jar)
  message(FATAL_ERROR "loupe-agent has loupe-otel.jar, which is not built: see above")
endif()

# A package is for the release of Debian that it is built on, as it needs that one's libraries: VERSION-1~deb12.
cmake_host_system_information(RESULT system QUERY DISTRIB_ID)
cmake_host_system_information(RESULT release QUERY DISTRIB_VERSION_ID)
string(REPLACE "debian" "deb" system "${system}")
set(revision 1~${system}${release})
set(version ${PROJECT_VERSION}-${revision})
set(maintainer "Loupe maintainers <maintainers@loupe.invalid>")

# Licences of what is linked in, and changelogs.
set(documents ${CMAKE_CURRENT_BINARY_DIR}/debian)
add_custom_command(OUTPUT ${documents}/loupe-tools/copyright
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/cmake/debian_docs.py ${PROJECT_SOURCE_DIR} ${CMAKE_BINARY_DIR} ${version}
          ${maintainer} ${documents}
  DEPENDS cmake/debian_docs.py cmake/linked.py CHANGELOG.md web/dist/LICENSES.txt loupe_whole loupe_agent_so VERBATIM)
add_custom_target(loupe_debian_docs ALL DEPENDS ${documents}/loupe-tools/copyright)

# loupe-agent has the agent for musl libc as well, of a build of its own, where scripts/package has made that.
set(CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR};loupe;ALL;/")
set(more)
if(EXISTS ${CMAKE_BINARY_DIR}/musl/lib/libloupe.so)
  list(APPEND CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR}/musl;loupe;ALL;/")
  set(more ",\nand another one for JVMs with musl libc")
  # There dpkg-shlibdeps finds musl, which is no dependency: a JVM for it comes with it.
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_SOURCE_DIR}/build/musl-libraries/lib)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL tools collector agent)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_STRIP_FILES ON)
set(CPACK_SET_DESTDIR ON) # /etc is not below /usr
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS ${CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS})
set(CPACK_PACKAGE_NAME loupe)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT ${maintainer})
set(CPACK_DEBIAN_PACKAGE_RELEASE ${revision})
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

set(CPACK_COMPONENT_TOOLS_DESCRIPTION "magnifying glass for JVMs in production: tools
Keeps, of recordings of Java Flight Recorder, what happened in the requests,
orders or traces that matter, and says where their time went.

This package has the program loupe, its manual and policies.")
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SHLIBDEPS ON)

set(CPACK_COMPONENT_COLLECTOR_DESCRIPTION "magnifying glass for JVMs in production: collector's service
Receives recordings of JVMs from agents, keeps what happened in the requests
that matter, and serves it over HTTP.

This package runs the collector of loupe-tools as a service of systemd, on
127.0.0.1 until /etc/loupe/collect.env says otherwise.")
set(CPACK_DEBIAN_COLLECTOR_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_COLLECTOR_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_COLLECTOR_PACKAGE_DEPENDS
  "loupe-tools (= ${version}), systemd | systemd-standalone-sysusers | systemd-sysusers")
set(CPACK_DEBIAN_COLLECTOR_PACKAGE_CONTROL_EXTRA ${documents}/conffiles ${PROJECT_SOURCE_DIR}/deploy/debian/postinst
  ${PROJECT_SOURCE_DIR}/deploy/debian/prerm ${PROJECT_SOURCE_DIR}/deploy/debian/postrm)

set(CPACK_COMPONENT_AGENT_DESCRIPTION "magnifying glass for JVMs in production: agent
The agent follows the Flight Recorder of a JVM, and sends what it records to
a collector, with the contexts that the application sets.

This package has the Java API for applications, an extension for
OpenTelemetry, and the agent for JDK 17 and later${more}.")
set(CPACK_DEBIAN_AGENT_PACKAGE_SECTION java)
set(CPACK_DEBIAN_AGENT_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_AGENT_PACKAGE_SUGGESTS loupe-collector)

foreach(component ${CPACK_COMPONENTS_ALL})
  install(DIRECTORY ${documents}/loupe-${component} DESTINATION ${CMAKE_INSTALL_DATADIR}/doc COMPONENT ${component})
endforeach()
install(FILES deploy/debian/loupe-agent.lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
  RENAME loupe-agent COMPONENT agent)
include(CPack)
