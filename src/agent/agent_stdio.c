// SPDX-License-Identifier: Apache-2.0
// Makes Debian's libnng.a usable in a shared object.
//
// libnng.a is compiled for programs: its references to stdout and stderr of the C library cannot be
// relocated in a shared object. The link option --wrap redirects them here. NNG writes to them when
// it gives up. Both go to standard error: standard output is the application's.
//
// Tests:   tests/agent/exports.sh, tests/e2e/attach.py

#include <stdio.h>

extern FILE *__real_stderr;
extern FILE *__wrap_stdout;
extern FILE *__wrap_stderr;
FILE *__wrap_stdout;
FILE *__wrap_stderr;

__attribute__((constructor)) static void
set_streams(void)
{
    __wrap_stdout = __real_stderr;
    __wrap_stderr = __real_stderr;
}
