// SPDX-License-Identifier: Apache-2.0
#include "engine/read/reader.h"

#include "common/base/lp_assert.h"
#include "engine/read/kind_values.h"

#include <stdlib.h>
#include <string.h>

enum {
    TYPE_NEW,
    TYPE_IGNORED,
    TYPE_FIRST, // plus an index of types
};

lp_err
compact_reader_init(compact_reader *reader, const compact_kinds *kinds, const compact_view *view,
    const compact_view *target)
{
    compact_view_check(view);
    compact_view_check(target);
    *reader = (compact_reader){
        .kinds = kinds,
        .view = view,
        .target = target,
        .known = calloc(view->schema->metadata.types.count + 1, sizeof(*reader->known)),
    };
    return reader->known == NULL ? LP_ENOMEM : LP_OK;
}

void
compact_reader_fini(compact_reader *reader)
{
    free(reader->known);
    LP_VEC_FINI(&reader->types);
}

static void
reader_check(const compact_reader *r)
{
    LP_ASSERT(r->known != NULL && r->view != NULL && r->target != NULL);
}

// find_lasting returns the target's pool of a type whose keys are the same in all chunks, or
// JFR_NONE.
static uint32_t
find_lasting(const compact_reader *r, const char *reference)
{
    reader_check(r);
    static const char *const names[] = {"java.lang.Class", "java.lang.Thread", "jdk.types.Method"};
    for (size_t i = 0; reference != NULL && i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(reference, names[i]) == 0) {
            return jfr_metadata_find_type_named(&r->target->schema->metadata, reference);
        }
    }
    return JFR_NONE;
}

static lp_err
add_type(compact_reader *r, uint32_t type)
{
    reader_check(r);
    LP_ASSERT(r->known[type] == TYPE_NEW);
    const jfr_metadata *metadata = &r->view->schema->metadata;
    uint32_t kind = compact_kinds_find(r->kinds, jfr_metadata_type_name(metadata, type));
    if (kind == COMPACT_KINDS_MAX) {
        r->known[type] = TYPE_IGNORED;
        return LP_OK;
    }
    LP_REQUIRE(LP_VEC_ROOM(&r->types), LP_ENOMEM);
    const compact_kind *k = &r->kinds->items.items[kind];
    struct compact_reader_type new_type = {
        .kind = kind,
        .reading = compact_reading_make(k, metadata, type, &r->view->pools),
    };
    for (size_t i = 0; i < k->attribute_count; i++) {
        new_type.lasting[i] = find_lasting(r, k->attributes[i].reference);
    }
    r->known[type] = (uint32_t)r->types.count + TYPE_FIRST;
    r->types.items[r->types.count++] = new_type;
    return LP_OK;
}

lp_err
compact_reader_find(compact_reader *reader, uint32_t offset, uint32_t *out_kind)
{
    reader_check(reader);
    uint32_t type = compact_view_event(reader->view, offset).type;
    if (reader->known[type] == TYPE_NEW) {
        LP_TRY(add_type(reader, type));
    }
    *out_kind = reader->known[type] == TYPE_IGNORED
                    ? (uint32_t)COMPACT_KINDS_MAX
                    : reader->types.items[reader->known[type] - TYPE_FIRST].kind;
    return LP_OK;
}

// means_the_same returns whether the event's chunk and the target both have the constant of a
// lasting reference.
static bool
means_the_same(
    const compact_reader *r, const struct compact_reader_type *type, size_t attribute, uint64_t key)
{
    reader_check(r);
    uint32_t own = type->reading.values[attribute].pool;
    uint32_t lasting = type->lasting[attribute];
    return type->reading.values[attribute].is_there && lasting != JFR_NONE &&
           jfr_pools_find(&r->view->pools, own, key) != NULL &&
           jfr_pools_find(&r->target->pools, lasting, key) != NULL;
}

static void
append_lasting(const compact_reader *r, const struct compact_reader_type *type,
    const compact_kind *kind, lp_slice values, lp_buf *out)
{
    reader_check(r);
    jfr_cursor cursor = jfr_cursor_over(values);
    for (size_t i = 0; i < kind->attribute_count; i++) {
        const compact_attribute *attribute = &kind->attributes[i];
        uint64_t key;
        lp_slice value = compact_kind_next_value(attribute, &cursor, &key);
        if (attribute->reference == NULL || means_the_same(r, type, i, key)) {
            lp_buf_append(out, value.ptr, value.len);
        } else {
            lp_buf_append(out, "", 1);
        }
    }
}

lp_err
compact_reader_append(const compact_reader *reader, uint32_t offset, lp_buf *out)
{
    reader_check(reader);
    const compact_event event = compact_view_event(reader->view, offset);
    LP_ASSERT(reader->known[event.type] >= TYPE_FIRST); // compact_reader_find was called
    const struct compact_reader_type *type =
        &reader->types.items[reader->known[event.type] - TYPE_FIRST];
    const compact_kind *kind = &reader->kinds->items.items[type->kind];
    bool is_own = reader->view == reader->target;
    if (is_own) {
        compact_kind_append_event(kind, &type->reading, event.payload, true, out);
        return lp_buf_check(out);
    }
    lp_buf values = {0};
    compact_kind_append_event(kind, &type->reading, event.payload, false, &values);
    lp_err err = lp_buf_check(&values);
    if (err == LP_OK) {
        append_lasting(reader, type, kind, lp_buf_slice(&values), out);
        err = lp_buf_check(out);
    }
    lp_buf_fini(&values);
    return err;
}
