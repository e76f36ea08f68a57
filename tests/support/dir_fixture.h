// SPDX-License-Identifier: Apache-2.0
// dir_fixture: an open data directory of its own, for each test of a program.

#pragma once

#include "support/temp_dir.h"

#include "collector/journal/data_dir.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct fixture {
    temp_dir temp;
    data_dir *dir;
    lp_problem problem;
} fixture;

static int
setup(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->temp = temp_dir_make();
    assert_int_equal(data_dir_open(f->temp.path, &f->dir, NULL), LP_OK);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    fixture *f = *state;
    data_dir_close(f->dir);
    temp_dir_remove(&f->temp);
    free(f);
    return 0;
}
