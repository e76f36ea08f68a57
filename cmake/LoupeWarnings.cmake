# SPDX-License-Identifier: Apache-2.0
# Every target of ours links loupe_warnings; generated code does not.
option(LOUPE_WERROR "Treat warnings as errors" OFF)
add_library(loupe_warnings INTERFACE)
target_compile_options(loupe_warnings INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wundef -Wvla
  -Wformat=2 -Wpointer-arith -Wimplicit-fallthrough -Wswitch-enum
  -Wno-missing-field-initializers # what tables leave out is 0; GCC and clang disagree about when to say so
  $<$<C_COMPILER_ID:GNU>:-Wcast-qual> # clang looks into the macros that protobuf-c generates
  $<$<BOOL:${LOUPE_WERROR}>:-Werror>)
# The optimiser's guesses, which the checks of sanitizers mislead: the release build has them.
if(LOUPE_SANITIZE AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
  target_compile_options(loupe_warnings INTERFACE -Wno-maybe-uninitialized -Wno-format-truncation)
endif()
if(LOUPE_SANITIZE STREQUAL "thread") # it does not see fences; what ours order is atomic itself
  target_compile_options(loupe_warnings INTERFACE -Wno-tsan)
endif()
