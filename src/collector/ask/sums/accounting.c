// SPDX-License-Identifier: Apache-2.0
#include "collector/ask/sums/accounting.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_buf.h"
#include "common/jfr/jfr_string.h"

#include <string.h>

accounting
accounting_begin(size_t types_max)
{
    LP_ASSERT(types_max > 0);
    return (accounting){.types = json_object(), .types_max = types_max};
}

static void
accounting_check(const accounting *sums)
{
    LP_ASSERT(sums->types_max > 0);
    LP_ASSERT(json_object_size(sums->types) <= sums->types_max); // 0 of NULL
}

void
accounting_fini(accounting *sums)
{
    json_decref(sums->types);
    sums->types = NULL;
}

// add_member adds to a member of an object, which is 0 if it is missing.
static bool
add_member(json_t *object, const char *key, uint64_t amount)
{
    uint64_t sum = (uint64_t)json_integer_value(json_object_get(object, key)) + amount;
    json_int_t shown = sum > INT64_MAX ? INT64_MAX : (json_int_t)sum;
    return json_object_set_new(object, key, json_integer(shown)) == 0;
}

// find_object finds or adds an object in another; NULL if out of memory.
static json_t *
find_object(json_t *in, const char *name)
{
    json_t *found = json_object_get(in, name);
    if (found == NULL) {
        found = json_object();
        found = json_object_set_new(in, name, found) == 0 ? found : NULL;
    }
    return found;
}

// drop_unless drops all types if something could not be added.
static void
drop_unless(accounting *sums, bool is_added)
{
    if (!is_added) {
        accounting_fini(sums);
    }
}

// find_type finds or adds the object of a type; NULL if there is no room, or out of memory.
static json_t *
find_type(accounting *sums, const char *name)
{
    accounting_check(sums);
    lp_buf key = {0}; // agents choose the names of types; JSON requires UTF-8
    jfr_utf8_append_valid(&key, (lp_slice){(const uint8_t *)name, strlen(name)});
    lp_buf_append(&key, "", 1);
    const char *text = key.is_failed ? NULL : (const char *)key.ptr;
    json_t *type = NULL;
    if (text != NULL && json_object_get(sums->types, text) == NULL &&
        json_object_size(sums->types) >= sums->types_max) {
        sums->is_truncated = true;
    } else {
        type = text == NULL ? NULL : find_object(sums->types, text);
        drop_unless(sums, type != NULL);
    }
    lp_buf_fini(&key);
    return type;
}

static void
on_type(void *arg, const catalog_type *counts)
{
    accounting *sums = arg;
    json_t *type = sums->types == NULL ? NULL : find_type(sums, counts->name);
    if (type != NULL) {
        drop_unless(sums, add_member(type, "events_in", counts->events_in) &&
                              add_member(type, "events_out", counts->events_out) &&
                              add_member(type, "bytes_in", counts->bytes_in) &&
                              add_member(type, "bytes_out", counts->bytes_out) &&
                              add_member(type, "offered", counts->events_out) &&
                              add_member(type, "kept", counts->events_out) &&
                              find_object(type, "dropped") != NULL);
    }
}

static void
on_dropped(void *arg, const catalog_dropped *dropped)
{
    accounting *sums = arg;
    if (sums->types == NULL || dropped->events == 0) {
        return;
    }
    json_t *type = find_type(sums, dropped->type_name);
    if (type != NULL) {
        drop_unless(
            sums, add_member(type, "offered", dropped->events) &&
                      add_member(find_object(type, "dropped"), dropped->reason, dropped->events));
    }
}

lp_err
accounting_add(accounting *sums, catalog *from, const catalog_chunk_range *chunks)
{
    accounting_check(sums);
    lp_err err = catalog_list_types(from, chunks, on_type, sums);
    LP_THEN(err, catalog_list_dropped(from, chunks, on_dropped, sums));
    return err == LP_OK && sums->types == NULL ? LP_ENOMEM : err;
}
