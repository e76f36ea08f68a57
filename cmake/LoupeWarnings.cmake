# SPDX-License-Identifier: Apache-2.0
# Every target of ours links loupe_warnings; generated code does not.
option(LOUPE_WERROR "Treat warnings as errors" OFF)
add_library(loupe_warnings INTERFACE)
target_compile_options(loupe_warnings INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wundef -Wvla
  -Wformat=2 -Wpointer-arith -Wimplicit-fallthrough -Wswitch-enum
  $<$<C_COMPILER_ID:GNU>:-Wcast-qual> # clang looks into the macros that protobuf-c generates
  $<$<BOOL:${LOUPE_WERROR}>:-Werror>)
