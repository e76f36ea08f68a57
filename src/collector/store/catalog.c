// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog.h"

#include "collector/store/catalog_db.h"
#include "collector/store/catalog_sqlite.h"

#include <string.h>

bool
catalog_id_is_valid(const char *text)
{
    size_t len = strspn(text, "0123456789abcdef");
    return len == CATALOG_ID_CHARS && text[len] == '\0';
}

lp_err
catalog_open(const char *path, catalog **out_catalog, lp_problem *out_problem)
{
    return catalog_sqlite_open(path, false, out_catalog, out_problem);
}

lp_err
catalog_open_reader(const char *path, catalog **out_catalog, lp_problem *out_problem)
{
    return catalog_sqlite_open(path, true, out_catalog, out_problem);
}

lp_err
catalog_open_log(catalog *self, int *out_fd)
{
    return self->driver->open_log(self, out_fd);
}

lp_err
catalog_sync(catalog *self)
{
    return self->driver->sync(self);
}

unsigned
catalog_count_changes(catalog *self)
{
    return self->driver->count_changes(self);
}

void
catalog_close(catalog *self)
{
    if (self != NULL) {
        self->driver->close(self);
    }
}
