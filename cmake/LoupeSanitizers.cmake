# SPDX-License-Identifier: Apache-2.0
# LOUPE_SANITIZE=address,undefined or thread: for every target of the build, third-party included.
set(LOUPE_SANITIZE "" CACHE STRING "Value of -fsanitize= for the whole build")
option(LOUPE_FUZZ "Build the libFuzzer targets (clang only)" OFF)
if(LOUPE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
add_compile_options(-fno-omit-frame-pointer)
if(LOUPE_SANITIZE)
  add_compile_options(-fsanitize=${LOUPE_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${LOUPE_SANITIZE})
  # It sees accesses by such pointers itself, and to look for them takes a fifth of the compiler's time. Besides, clang minds NULL + 0,
  # which is what an empty list begins with.
  if(LOUPE_SANITIZE MATCHES "address")
    add_compile_options(-fno-sanitize=null,object-size,pointer-overflow)
    if(NOT LOUPE_FUZZ) # by fuzz targets alone, since it makes programs half as large again
      add_compile_options(-fno-sanitize=alignment)
    endif()
  endif()
  find_program(LOUPE_GOLD ld.gold)
  if(LOUPE_GOLD AND NOT LOUPE_FUZZ) # it links 300 test programs in half of the time
    add_link_options(-fuse-ld=gold)
  else()
    add_link_options(-Wl,-z,pack-relative-relocs) # of which sanitizers make millions of bytes
  endif()
  add_compile_definitions(LOUPE_SANITIZED)
endif()
add_compile_definitions(_GNU_SOURCE)
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  add_compile_definitions(LOUPE_DEBUG) # lp_assert.h
endif()
# Assertions stay on in release: see docs/contribute/style.md.
string(REPLACE "-DNDEBUG" "" CMAKE_C_FLAGS_RELWITHDEBINFO "${CMAKE_C_FLAGS_RELWITHDEBINFO}")
