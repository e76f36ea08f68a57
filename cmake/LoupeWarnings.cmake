# SPDX-License-Identifier: Apache-2.0
# Every target of ours links loupe_warnings; generated code does not.
option(LOUPE_WERROR "Treat warnings as errors" OFF)
add_library(loupe_warnings INTERFACE)
target_compile_options(loupe_warnings INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wundef -Wvla
  -Wformat=2 -Wcast-qual -Wpointer-arith -Wimplicit-fallthrough -Wswitch-enum
  $<$<BOOL:${LOUPE_WERROR}>:-Werror>)
