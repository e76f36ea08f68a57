// SPDX-License-Identifier: Apache-2.0
// Lets Debian's libnng.a be part of a shared object.
//
// It is compiled for programs: its references to variables of the C library, stdout and stderr,
// cannot be relocated in a shared object. The link option --wrap leads them here. NNG writes there
// when it gives up, and that is for standard error in both cases: standard output is the
// application's.
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
