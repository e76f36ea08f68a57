// SPDX-License-Identifier: Apache-2.0
#include "offline/jvm_identity.h"

#include "common/jfr/jfr_chunk.h"
#include "common/jfr/jfr_event.h"
#include "common/jfr/jfr_layout.h"
#include "common/jfr/jfr_metadata.h"

#include <string.h>

static const char event_name[] = "jdk.JVMInformation";
static const char enumeration_prefix[] = "jdk.types.";

// What has to be known of the event to read it. Fields index the metadata's.
typedef struct plan {
    jfr_metadata metadata;
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
    if (jfr_chunk_parse_cut(chunk, &info, NULL) != LP_OK || info.metadata_offset >= chunk.len) {
        return false;
    }
    jfr_cursor rest = {chunk.ptr + info.metadata_offset, chunk.ptr + chunk.len};
    if (jfr_event_next(&rest, &event) != LP_OK || event.type_id != JFR_TYPE_ID_METADATA) {
        return false;
    }
    *out_payload = jfr_event_payload(&event);
    return true;
}

static bool
read_metadata(jfr_metadata *metadata, lp_slice payload)
{
    return jfr_metadata_add(metadata, payload, NULL) == LP_OK &&
           jfr_metadata_resolve(metadata, NULL) == LP_OK;
}

static bool
make_plan(plan *p)
{
    uint32_t index = jfr_metadata_find_type_named(&p->metadata, event_name);
    if (index == JFR_NONE) {
        return false;
    }
    const jfr_type *type = &p->metadata.types.items[index];
    p->type_id = type->id;
    p->first_field = type->field_begin;
    p->pid = jfr_metadata_find_field(&p->metadata, type, "pid");
    p->start = jfr_metadata_find_field(&p->metadata, type, "jvmStartTime");
    return p->pid != JFR_NONE && p->start != JFR_NONE &&
           jfr_layout_is_number(&p->layout, &p->metadata, p->pid) &&
           jfr_layout_is_number(&p->layout, &p->metadata, p->start);
}

static bool
read_number(const plan *p, jfr_cursor payload, uint32_t field, int64_t *out_number)
{
    const jfr_program before = {
        p->layout.field_ops.items[p->first_field],
        p->layout.field_ops.items[field],
    };
    uint64_t number;
    if (!jfr_layout_walk(&p->layout, before, &payload) || !jfr_varint_read(&payload, &number)) {
        return false;
    }
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
jvm_identity_read(lp_slice chunk, jvm_identity *out_identity)
{
    plan p = {0};
    jvm_identity identity;
    lp_slice payload;
    jfr_metadata_init(&p.metadata);
    bool is_found = find_metadata(chunk, &payload) && read_metadata(&p.metadata, payload) &&
                    jfr_layout_init(&p.layout, &p.metadata, NULL) == LP_OK && make_plan(&p) &&
                    find_event(&p, chunk, &identity);
    if (is_found) {
        *out_identity = identity;
    }
    jfr_layout_fini(&p.layout);
    jfr_metadata_fini(&p.metadata);
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
jvm_identity_has_other_types(lp_slice chunk, lp_slice other)
{
    lp_slice payload;
    lp_slice other_payload;
    if (!find_metadata(chunk, &payload) || !find_metadata(other, &other_payload) ||
        jfr_metadata_is_same_payload(payload, other_payload)) {
        return false;
    }
    jfr_metadata first;
    jfr_metadata second;
    jfr_metadata_init(&first);
    jfr_metadata_init(&second);
    bool has_other = read_metadata(&first, payload) && read_metadata(&second, other_payload) &&
                     is_other(&first, &second);
    jfr_metadata_fini(&first);
    jfr_metadata_fini(&second);
    return has_other;
}
