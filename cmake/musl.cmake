# SPDX-License-Identifier: Apache-2.0
# The toolchain for musl libc: Debian's musl-gcc, and the libraries that scripts/musl has built.
cmake_path(SET LOUPE_MUSL_LIBRARIES NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../build/musl-libraries)
set(CMAKE_C_COMPILER musl-gcc)
set(CMAKE_C_STANDARD_INCLUDE_DIRECTORIES ${LOUPE_MUSL_LIBRARIES}/include)
foreach(kind EXE MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT -L${LOUPE_MUSL_LIBRARIES}/lib) # a libc.so with the name that Alpine's has
endforeach()
set(CMAKE_FIND_ROOT_PATH ${LOUPE_MUSL_LIBRARIES})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${LOUPE_MUSL_LIBRARIES}/lib/pkgconfig)
