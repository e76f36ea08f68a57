// SPDX-License-Identifier: Apache-2.0
#include "offline/jvm_identity.h"

#include "common/jfr/jfr_chunk.h"
#include "common/jfr/jfr_event.h"
#include "common/jfr/jfr_layout.h"
#include "common/jfr/jfr_metadata.h"

#include <stdlib.h>
#include <string.h>

static const char event_name[] = "jdk.JVMInformation";
static const char enumeration_prefix[] = "jdk.types.";

// The types of a chunk and the fields that are needed to read the event. Fields index the
// metadata's.
typedef struct jvm_identity_types {
    jfr_metadata metadata;
    bool is_planned; // the following are known,
    bool has_event;  // if this is true
    jfr_layout layout;
    uint64_t type_id;
    uint32_t first_field;
    uint32_t pid;
    uint32_t start;
} plan;

// find_metadata finds the metadata event that the header names: JFR writes each anew and whole.
static bool
find_metadata(lp_slice chunk, lp_slice *out_payload)
{
    jfr_chunk_info info;
    jfr_event event;
    LP_REQUIRE(jfr_chunk_parse_cut(chunk, &info, NULL) == LP_OK && info.metadata_offset < chunk.len,
        false);
    jfr_cursor rest = {chunk.ptr + info.metadata_offset, chunk.ptr + chunk.len};
    LP_REQUIRE(
        jfr_event_next(&rest, &event) == LP_OK && event.type_id == JFR_TYPE_ID_METADATA, false);
    *out_payload = jfr_event_payload(&event);
    return true;
}

static void
plan_destroy(plan *p)
{
    if (p != NULL) {
        jfr_layout_fini(&p->layout);
        jfr_metadata_fini(&p->metadata);
        free(p);
    }
}

void
jvm_identity_reader_fini(jvm_identity_reader *reader)
{
    for (size_t i = 0; i < JVM_IDENTITY_KEPT; i++) {
        plan_destroy(reader->kept[i]);
    }
    *reader = (jvm_identity_reader){0};
}

// read_types returns the types that a metadata event describes; NULL if it cannot be read.
static plan *
read_types(lp_slice payload)
{
    plan *p = calloc(1, sizeof(*p));
    LP_REQUIRE(p != NULL, NULL);
    jfr_metadata_init(&p->metadata);
    if (jfr_metadata_add(&p->metadata, payload, NULL) != LP_OK ||
        jfr_metadata_resolve(&p->metadata, NULL) != LP_OK) {
        plan_destroy(p);
        return NULL;
    }
    return p;
}

// find_types is read_types with a cache. The types are lent until JVM_IDENTITY_KEPT more have been
// found.
static plan *
find_types(jvm_identity_reader *reader, lp_slice payload)
{
    size_t place = 0;
    while (place < JVM_IDENTITY_KEPT && reader->kept[place] != NULL &&
           !jfr_metadata_is_made_of(&reader->kept[place]->metadata, &payload, 1)) {
        place++;
    }
    bool is_kept = place < JVM_IDENTITY_KEPT && reader->kept[place] != NULL;
    plan *found = is_kept ? reader->kept[place] : read_types(payload);
    LP_REQUIRE(found != NULL, NULL);
    if (place == JVM_IDENTITY_KEPT) {
        plan_destroy(reader->kept[--place]);
    }
    memmove(reader->kept + 1, reader->kept, place * sizeof(*reader->kept));
    reader->kept[0] = found;
    return found;
}

static bool
make_plan(plan *p)
{
    if (p->is_planned) {
        return p->has_event;
    }
    p->is_planned = true;
    uint32_t index = jfr_metadata_find_type_named(&p->metadata, event_name);
    LP_REQUIRE(
        index != JFR_NONE && jfr_layout_init(&p->layout, &p->metadata, NULL) == LP_OK, false);
    const jfr_type *type = &p->metadata.types.items[index];
    p->type_id = type->id;
    p->first_field = type->field_begin;
    p->pid = jfr_metadata_find_field(&p->metadata, type, "pid");
    p->start = jfr_metadata_find_field(&p->metadata, type, "jvmStartTime");
    p->has_event = p->pid != JFR_NONE && p->start != JFR_NONE &&
                   jfr_layout_is_number(&p->layout, &p->metadata, p->pid) &&
                   jfr_layout_is_number(&p->layout, &p->metadata, p->start);
    return p->has_event;
}

static bool
read_number(const plan *p, jfr_cursor payload, uint32_t field, int64_t *out_number)
{
    const jfr_program before = {
        p->layout.field_ops.items[p->first_field],
        p->layout.field_ops.items[field],
    };
    uint64_t number;
    LP_REQUIRE(
        jfr_layout_walk(&p->layout, before, &payload) && jfr_varint_read(&payload, &number), false);
    *out_number = (int64_t)number;
    return true;
}

static bool
find_event(const plan *p, lp_slice chunk, jvm_identity *out_identity)
{
    jfr_cursor rest = {chunk.ptr + JFR_CHUNK_HEADER_SIZE, chunk.ptr + chunk.len};
    jfr_event event;
    while (jfr_event_next(&rest, &event) == LP_OK) {
        if (event.type_id == p->type_id) {
            return read_number(p, event.payload, p->pid, &out_identity->pid) &&
                   read_number(p, event.payload, p->start, &out_identity->start_wall_ms);
        }
    }
    return false;
}

bool
jvm_identity_read(jvm_identity_reader *reader, lp_slice chunk, jvm_identity *out_identity)
{
    lp_slice payload;
    plan *p = find_metadata(chunk, &payload) ? find_types(reader, payload) : NULL;
    jvm_identity identity;
    bool is_found = p != NULL && make_plan(p) && find_event(p, chunk, &identity);
    if (is_found) {
        *out_identity = identity;
    }
    return is_found;
}

// has_another_id returns whether name is an enumeration of HotSpot's that other has, too. The
// caller knows that its id is not in other. This happens in files that Loupe has merged, where JVMs
// do not agree about an enumeration.
static bool
has_another_id(const jfr_metadata *other, const char *name)
{
    return strncmp(name, enumeration_prefix, sizeof(enumeration_prefix) - 1) == 0 &&
           jfr_metadata_find_type_named(other, name) != JFR_NONE;
}

static bool
is_other(const jfr_metadata *metadata, const jfr_metadata *other)
{
    for (size_t i = 0; i < metadata->types.count; i++) {
        const jfr_type *type = &metadata->types.items[i];
        const char *name = jfr_metadata_text(metadata, type->name);
        uint32_t index = jfr_metadata_find_type(other, type->id);
        if (index == JFR_NONE
                ? has_another_id(other, name)
                : strcmp(name, jfr_metadata_text(other, other->types.items[index].name)) != 0) {
            return true;
        }
    }
    return false;
}

bool
jvm_identity_has_other_types(jvm_identity_reader *reader, lp_slice chunk, lp_slice other)
{
    lp_slice payload;
    lp_slice other_payload;
    if (!find_metadata(chunk, &payload) || !find_metadata(other, &other_payload) ||
        jfr_metadata_is_same_payload(payload, other_payload)) {
        return false;
    }
    const plan *first = find_types(reader, payload);
    const plan *second = find_types(reader, other_payload);
    return first != NULL && second != NULL && is_other(&first->metadata, &second->metadata);
}
