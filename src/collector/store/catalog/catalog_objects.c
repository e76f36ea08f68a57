// SPDX-License-Identifier: Apache-2.0
// catalog_objects.h but for catalog_commit_object, which is in catalog_write.c.
#include "collector/store/catalog/catalog_objects.h"

#include "collector/store/catalog/catalog_db.h"

#include <stdio.h>

lp_err
catalog_find_place(catalog *self, const char *session_id, uint32_t ordinal, blob_place *out_place,
    uint64_t *out_stored_bytes)
{
    catalog_db_call call;
    CATALOG_DB_START(
        self, FIND_PLACE, &call, catalog_db_text(session_id), catalog_db_uint(ordinal));
    blob_place place = {.object = ""};
    uint64_t stored_bytes = 0;
    bool has_row = catalog_db_step(&call);
    if (has_row) {
        catalog_db_copy_text(&call, 0, place.object, sizeof(place.object));
        place.offset = catalog_db_get_uint(&call, 1);
        stored_bytes = catalog_db_get_uint(&call, 2);
    }
    LP_TRY(catalog_db_finish_row(&call, has_row));
    *out_place = place;
    *out_stored_bytes = stored_bytes;
    return LP_OK;
}

lp_err
catalog_has_object(catalog *self, const char *name)
{
    catalog_db_call call;
    CATALOG_DB_START(self, HAS_OBJECT, &call, catalog_db_text(name));
    bool has_row = catalog_db_step(&call);
    return catalog_db_finish_row(&call, has_row);
}

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
    CATALOG_DB_START(self, LIST_EMPTY_OBJECTS, &call, catalog_db_uint(count_max));
    return each_object(&call, on_object, arg);
}

lp_err
catalog_list_sparse_objects(catalog *self, size_t count_max,
    void (*on_object)(void *arg, const catalog_object *object), void *arg)
{
    catalog_db_call call;
    CATALOG_DB_START(self, LIST_SPARSE_OBJECTS, &call, catalog_db_uint(count_max),
        catalog_db_int(CATALOG_OBJECTS_SPARSE));
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

lp_err
catalog_settle_objects(catalog *self, const char *before_name)
{
    return CATALOG_DB_WRITE(self, SETTLE_OBJECTS, catalog_db_text(before_name));
}

lp_err
catalog_forget_object(catalog *self, const char *name)
{
    return CATALOG_DB_WRITE(self, DROP_OBJECT, catalog_db_text(name));
}
