# SPDX-License-Identifier: Apache-2.0
# What makes a mistake in C harder to use: for every target of a build that has no sanitizer. tests/tree/check_elf.py reads it from
# what is built.
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)
if(LOUPE_SANITIZE)
  return()
endif()

add_compile_options(-fstack-protector-strong -fstack-clash-protection)
# x86: branches end where they may (IBT), and returns go where they came from (SHSTK).
check_c_compiler_flag(-fcf-protection=full LOUPE_HAS_CF_PROTECTION)
if(LOUPE_HAS_CF_PROTECTION)
  add_compile_options(-fcf-protection=full)
endif()
add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack)

# Checks of the sizes that the optimiser knows.
if(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
  set(CMAKE_REQUIRED_FLAGS "-O2 -D_FORTIFY_SOURCE=3")
  check_c_source_compiles("
    #include <features.h>
    #if __USE_FORTIFY_LEVEL < 3
    #error
    #endif
    int main(void) { return 0; }" LOUPE_HAS_FORTIFY_3)
  unset(CMAKE_REQUIRED_FLAGS)
  if(LOUPE_HAS_FORTIFY_3)
    add_compile_definitions(_FORTIFY_SOURCE=3)
  else()
    add_compile_definitions(_FORTIFY_SOURCE=2)
  endif()
endif()
