// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/catalog.h"

#include "collector/store/catalog/catalog_db.h"
#include "common/base/lp_assert.h"

#include <string.h>

_Static_assert((int)CATALOG_DB_NODE_CHARS == (int)CATALOG_NODE_ID_CHARS, "ids of nodes");

bool
catalog_id_is_valid(const char *text)
{
    size_t len = strspn(text, "0123456789abcdef");
    return len == CATALOG_ID_CHARS && text[len] == '\0';
}

const char *
catalog_get_node(const catalog *self)
{
    catalog_db_check(self);
    return self->node;
}

bool
catalog_is_shared(const catalog *self)
{
    catalog_db_check(self);
    return self->node[0] != '\0';
}

void
catalog_hurry(catalog *self)
{
    catalog_db_check(self);
    if (self->driver->hurry != NULL) {
        self->driver->hurry(self);
    }
}

bool
catalog_is_durable(const catalog *self)
{
    catalog_db_check(self);
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
    catalog_db_check(self);
    return catalog_is_durable(self) ? LP_OK : self->driver->sync(self);
}

lp_err
catalog_probe(catalog *self)
{
    catalog_db_check(self);
    return self->driver->probe == NULL ? LP_OK : self->driver->probe(self);
}

const char *
catalog_get_failure(const catalog *self)
{
    catalog_db_check(self);
    return self->driver->get_failure == NULL ? "" : self->driver->get_failure(self);
}

unsigned
catalog_count_changes(catalog *self)
{
    catalog_db_check(self);
    return self->driver->count_changes(self);
}

void
catalog_close(catalog *self)
{
    if (self != NULL) {
        self->driver->close(self);
    }
}
