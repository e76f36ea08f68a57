// SPDX-License-Identifier: Apache-2.0
// The reading half of catalog_objects.h, and what forgets; catalog_write.c commits.
#include "collector/store/catalog/catalog_objects.h"

#include "collector/store/catalog/catalog_db.h"

#include <stdio.h>

lp_err
catalog_find_place(catalog *self, const char *session_id, uint32_t ordinal, blob_place *out_place,
    uint64_t *out_stored_bytes)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_FIND_PLACE, &call);
    catalog_db_bind_text(&call, session_id);
    catalog_db_bind_uint(&call, ordinal);
    blob_place place = {.object = ""};
    bool has_row = catalog_db_step(&call);
    const char *object = has_row ? catalog_db_get_text(&call, 0) : NULL;
    uint64_t stored_bytes = has_row ? catalog_db_get_uint(&call, 2) : 0;
    if (object != NULL) {
        (void)snprintf(place.object, sizeof(place.object), "%s", object);
        place.offset = catalog_db_get_uint(&call, 1);
    }
    lp_err err = catalog_db_finish(&call);
    if (err == LP_OK && has_row) {
        *out_place = place;
        *out_stored_bytes = stored_bytes;
    }
    return err == LP_OK && !has_row ? LP_ENOENT : err;
}

lp_err
catalog_has_object(catalog *self, const char *name)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_HAS_OBJECT, &call);
    catalog_db_bind_text(&call, name);
    bool has_row = catalog_db_step(&call);
    lp_err err = catalog_db_finish(&call);
    return err == LP_OK && !has_row ? LP_ENOENT : err;
}

// each_object calls on_object for every row of a call, and ends it.
static lp_err
each_object(
    catalog_db_call *call, void (*on_object)(void *arg, const catalog_object *object), void *arg)
{
    while (catalog_db_step(call)) {
        const char *name = catalog_db_get_text(call, 0);
        int64_t live = catalog_db_get_int(call, 2);
        catalog_object object = {
            .bytes = catalog_db_get_uint(call, 1),
            .live_bytes = live < 0 ? 0 : (uint64_t)live,
            .is_settled = catalog_db_get_int(call, 3) != 0,
        };
        if (name != NULL) {
            (void)snprintf(object.name, sizeof(object.name), "%s", name);
            on_object(arg, &object);
        }
    }
    return catalog_db_finish(call);
}

lp_err
catalog_list_empty_objects(catalog *self, size_t count_max,
    void (*on_object)(void *arg, const catalog_object *object), void *arg)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_LIST_EMPTY_OBJECTS, &call);
    catalog_db_bind_uint(&call, count_max);
    return each_object(&call, on_object, arg);
}

lp_err
catalog_list_sparse_objects(catalog *self, size_t count_max,
    void (*on_object)(void *arg, const catalog_object *object), void *arg)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_LIST_SPARSE_OBJECTS, &call);
    catalog_db_bind_uint(&call, count_max);
    catalog_db_bind_int(&call, CATALOG_OBJECTS_SPARSE);
    return each_object(&call, on_object, arg);
}

lp_err
catalog_sum_objects(catalog *self, uint64_t *out_bytes, uint64_t *out_live_bytes)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_SUM_OBJECTS, &call);
    bool has_row = catalog_db_step(&call);
    int64_t bytes = has_row ? catalog_db_get_int(&call, 0) : 0;
    int64_t live = has_row ? catalog_db_get_int(&call, 1) : 0;
    lp_err err = catalog_db_finish(&call);
    if (err == LP_OK) {
        *out_bytes = bytes < 0 ? 0 : (uint64_t)bytes;
        *out_live_bytes = live < 0 ? 0 : (uint64_t)live;
    }
    return err;
}

// run_for runs a statement whose value is a name, in a transaction of its own.
static lp_err
run_for(catalog *self, catalog_db_statement which, const char *name)
{
    catalog_db_call call;
    LP_TRY(catalog_db_begin(self));
    catalog_db_start(self, which, &call);
    catalog_db_bind_text(&call, name);
    return catalog_db_end(self, catalog_db_run(&call));
}

lp_err
catalog_settle_objects(catalog *self, const char *before_name)
{
    return run_for(self, CATALOG_DB_SETTLE_OBJECTS, before_name);
}

lp_err
catalog_forget_object(catalog *self, const char *name)
{
    return run_for(self, CATALOG_DB_DROP_OBJECT, name);
}
