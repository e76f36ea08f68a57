// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/catalog.h"

#include "collector/store/catalog/catalog_db.h"
#include "collector/store/catalog/catalog_postgres.h"
#include "collector/store/catalog/catalog_sqlite.h"
#include "common/base/lp_assert.h"

#include <string.h>

_Static_assert((int)CATALOG_DB_NODE_CHARS == (int)CATALOG_NODE_ID_CHARS, "ids of nodes");

bool
catalog_id_is_valid(const char *text)
{
    size_t len = strspn(text, "0123456789abcdef");
    return len == CATALOG_ID_CHARS && text[len] == '\0';
}

bool
catalog_is_file(const char *place)
{
    return !catalog_postgres_is_uri(place);
}

lp_err
catalog_format_name(const char *place, char *out_name, size_t name_bytes)
{
    return catalog_postgres_format_name(place, out_name, name_bytes);
}

static lp_err
open_at(const char *place, catalog_db_use use, catalog **out_catalog, lp_problem *out_problem)
{
    return catalog_is_file(place) ? catalog_sqlite_open(place, use, out_catalog, out_problem)
                                  : catalog_postgres_open(place, use, out_catalog, out_problem);
}

lp_err
catalog_open(const char *place, catalog **out_catalog, lp_problem *out_problem)
{
    return open_at(place, CATALOG_DB_WRITES_ALONE, out_catalog, out_problem);
}

lp_err
catalog_open_shared(
    const char *place, const char *node, catalog **out_catalog, lp_problem *out_problem)
{
    LP_ASSERT(strlen(node) == CATALOG_NODE_ID_CHARS);
    lp_err err = open_at(place, CATALOG_DB_WRITES, out_catalog, out_problem);
    if (err == LP_OK) {
        memcpy((*out_catalog)->node, node, CATALOG_NODE_ID_CHARS + 1);
    }
    return err;
}

lp_err
catalog_open_reader(const char *place, catalog **out_catalog, lp_problem *out_problem)
{
    return open_at(place, CATALOG_DB_READS, out_catalog, out_problem);
}

const char *
catalog_get_node(const catalog *self)
{
    return self->node;
}

void
catalog_hurry(catalog *self)
{
    if (self->driver->hurry != NULL) {
        self->driver->hurry(self);
    }
}

bool
catalog_is_durable(const catalog *self)
{
    return self->driver->is_durable;
}

lp_err
catalog_open_log(catalog *self, int *out_fd)
{
    LP_ASSERT(!catalog_is_durable(self));
    return self->driver->open_log(self, out_fd);
}

lp_err
catalog_sync(catalog *self)
{
    return catalog_is_durable(self) ? LP_OK : self->driver->sync(self);
}

lp_err
catalog_probe(catalog *self)
{
    return self->driver->probe == NULL ? LP_OK : self->driver->probe(self);
}

const char *
catalog_get_failure(const catalog *self)
{
    return self->driver->get_failure == NULL ? "" : self->driver->get_failure(self);
}

catalog_counts
catalog_get_counts(void)
{
    return (catalog_counts){
        .errors = catalog_db_count_errors(), .reconnects = catalog_postgres_count_reconnects()};
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
