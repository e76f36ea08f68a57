// SPDX-License-Identifier: Apache-2.0
// catalog_objects.h but for catalog_commit_object, which is in catalog_write.c.
#include "collector/store/catalog/catalog_objects.h"

#include "collector/store/catalog/catalog_db.h"
#include "common/base/lp_assert.h"

lp_err
catalog_find_place(catalog *self, const char *session_id, uint32_t ordinal, blob_place *out_place,
    uint64_t *out_stored_bytes)
{
    catalog_db_call call;
    blob_place place;
    uint64_t stored_bytes;
    CATALOG_DB_START(self, FIND_PLACE, &call, session_id, ordinal);
    bool has_row =
        CATALOG_DB_NEXT(&call, CATALOG_DB_CHARS(place.object), &place.offset, &stored_bytes);
    LP_TRY(catalog_db_finish_row(&call, has_row));
    *out_place = place;
    *out_stored_bytes = stored_bytes;
    return LP_OK;
}

lp_err
catalog_has_object(catalog *self, const char *name)
{
    catalog_db_call call;
    CATALOG_DB_START(self, HAS_OBJECT, &call, name);
    return catalog_db_finish_row(&call, catalog_db_step(&call));
}

static uint64_t
at_least_0(int64_t bytes)
{
    return bytes < 0 ? 0 : (uint64_t)bytes;
}

static lp_err
each_object(
    catalog_db_call *call, void (*on_object)(void *arg, const catalog_object *object), void *arg)
{
    LP_ASSERT(on_object != NULL);
    catalog_object object;
    int64_t live;
    while (CATALOG_DB_NEXT(
        call, CATALOG_DB_CHARS(object.name), &object.bytes, &live, &object.is_settled)) {
        object.live_bytes = at_least_0(live);
        on_object(arg, &object);
    }
    return catalog_db_finish(call);
}

lp_err
catalog_list_empty_objects(catalog *self, size_t count_max,
    void (*on_object)(void *arg, const catalog_object *object), void *arg)
{
    LP_ASSERT(on_object != NULL);
    catalog_db_call call;
    CATALOG_DB_START(self, LIST_EMPTY_OBJECTS, &call, count_max);
    return each_object(&call, on_object, arg);
}

lp_err
catalog_list_sparse_objects(catalog *self, size_t count_max,
    void (*on_object)(void *arg, const catalog_object *object), void *arg)
{
    LP_ASSERT(on_object != NULL);
    catalog_db_call call;
    CATALOG_DB_START(self, LIST_SPARSE_OBJECTS, &call, count_max, CATALOG_OBJECTS_SPARSE);
    return each_object(&call, on_object, arg);
}

lp_err
catalog_sum_objects(catalog *self, uint64_t *out_bytes, uint64_t *out_live_bytes)
{
    catalog_db_call call;
    int64_t bytes = 0;
    int64_t live = 0;
    CATALOG_DB_START_PLAIN(self, SUM_OBJECTS, &call);
    (void)CATALOG_DB_NEXT(&call, &bytes, &live);
    LP_TRY(catalog_db_finish(&call));
    *out_bytes = at_least_0(bytes);
    *out_live_bytes = at_least_0(live);
    return LP_OK;
}

lp_err
catalog_settle_objects(catalog *self, const char *before_name)
{
    return CATALOG_DB_WRITE(self, SETTLE_OBJECTS, before_name);
}

lp_err
catalog_forget_object(catalog *self, const char *name)
{
    return CATALOG_DB_WRITE(self, DROP_OBJECT, name);
}
