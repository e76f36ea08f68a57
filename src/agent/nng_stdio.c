// SPDX-License-Identifier: Apache-2.0

// nng_stdio: what the statically linked NNG writes its panics to. CMakeLists.txt says why it has
// variables of its own for that.
//
// Threads: written before any of ours starts, then only read.

#include <stdio.h>

extern FILE *nng_stdio_stdout;
extern FILE *nng_stdio_stderr;

FILE *nng_stdio_stdout;
FILE *nng_stdio_stderr;

static __attribute__((constructor)) void
init(void)
{
    nng_stdio_stdout = stdout;
    nng_stdio_stderr = stderr;
}
