// SPDX-License-Identifier: Apache-2.0
// catalog_fixture: an open catalog in a place of its own, for each test of a program.

#pragma once

#include "support/catalog_place.h"

#include "collector/store/catalog/catalog.h"

typedef struct fixture {
    catalog_place place;
    catalog *catalog;
} fixture;

static int
setup(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->place = catalog_place_make();
    assert_int_equal(catalog_open(f->place.path, &f->catalog, NULL), LP_OK);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    fixture *f = *state;
    catalog_close(f->catalog);
    catalog_place_remove(&f->place);
    free(f);
    return 0;
}
