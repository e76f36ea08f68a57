// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/sqlite/catalog_copier.h"

#include "collector/store/catalog/sqlite/catalog_sqlite.h"
#include "common/base/lp_assert.h"

#include <stdlib.h>

struct catalog_copier {
    catalog *of;
    catalog *own; // the connection
    int pages;    // of the log after the last commit
};

// copy copies as many pages as readers allow. *out_is_done: all of them.
static lp_err
copy(sqlite3 *db, bool *out_is_done)
{
    int pages = 0;
    int copied = 0;
    int code = sqlite3_wal_checkpoint_v2(db, NULL, SQLITE_CHECKPOINT_PASSIVE, &pages, &copied);
    *out_is_done = code == SQLITE_OK && copied == pages;
    return code == SQLITE_BUSY ? LP_OK : catalog_sqlite_err(code);
}

static void
copier_check(const catalog_copier *self)
{
    LP_ASSERT(self->of != NULL && self->own != NULL && self->of != self->own);
}

static int
on_commit(void *arg, sqlite3 *db, const char *name, int pages)
{
    (void)name;
    catalog_copier *self = arg;
    copier_check(self);
    LP_ASSERT(db == catalog_sqlite_get_db(self->of));
    self->pages = pages;
    if (pages >= CATALOG_COPIER_PAGES_MAX) {
        bool is_done;
        (void)!copy(db, &is_done); // it stays in the log
    }
    return SQLITE_OK;
}

lp_err
catalog_copier_create(catalog *of, catalog_copier **out_copier)
{
    catalog_copier *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, LP_ENOMEM);
    self->of = of;
    lp_err err = catalog_sqlite_open(sqlite3_db_filename(catalog_sqlite_get_db(of), "main"),
        CATALOG_DB_WRITES_ALONE, &self->own, NULL);
    if (err != LP_OK) {
        free(self);
        return err;
    }
    (void)sqlite3_wal_hook(catalog_sqlite_get_db(of), on_commit, self);
    *out_copier = self;
    return LP_OK;
}

void
catalog_copier_destroy(catalog_copier *self)
{
    if (self != NULL) {
        copier_check(self);
        (void)sqlite3_wal_autocheckpoint(
            catalog_sqlite_get_db(self->of), CATALOG_COPIER_PAGES); // in place of the hook
        catalog_close(self->own);
        free(self);
    }
}

bool
catalog_copier_is_due(const catalog_copier *self)
{
    copier_check(self);
    return self->pages >= CATALOG_COPIER_PAGES;
}

lp_err
catalog_copier_run(catalog_copier *self)
{
    bool is_done = false;
    lp_err err = LP_OK;
    copier_check(self);
    for (int i = 0; i < CATALOG_COPIER_TRIES && !is_done && err == LP_OK; i++) {
        err = copy(catalog_sqlite_get_db(self->own), &is_done);
    }
    return err;
}
