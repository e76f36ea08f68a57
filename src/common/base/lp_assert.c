// SPDX-License-Identifier: Apache-2.0

#include "common/base/lp_assert.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void (*hook)(const char *file, int line, const char *what, const char *text);

void
lp_assert_init(void (*on_broken)(const char *file, int line, const char *what, const char *text))
{
    hook = on_broken;
}

static void
tell(const char *file, int line, const char *what, const char *text)
{
    if (hook != NULL) {
        hook(file, line, what, text);
        return;
    }
    (void)fprintf(stderr, "%s:%d: %s: %s\n", file, line, what, text);
    abort();
}

void
lp_assert_fail(const char *file, int line, const char *text)
{
    tell(file, line, "not true", text);
    for (;;) {
        (void)pause(); // the end of the process ends it
    }
}

bool
lp_assert_never(const char *file, int line, const char *text)
{
    tell(file, line, "true", text);
    return true;
}
