// SPDX-License-Identifier: Apache-2.0
// jfr_build: makes JFR chunks for tests, byte by byte, and knows nothing of the code that reads
// them: of src/ it uses only lp_buf.
//
//   jfr_build b;
//   jfr_build_begin(&b, &(jfr_build_clock){.start_ticks = 100, ...});
//   jfr_build_metadata(&b, 7, types, type_count);
//   jfr_build_varint(&b.payload, 120), ...; jfr_build_event(&b, 101);
//   jfr_build_string(&b.payload, "x");      jfr_build_constant(&b, 20, 1);
//   jfr_build_checkpoint(&b);               // all constants since the last one
//   lp_slice chunk = jfr_build_finish(&b);  // until jfr_build_fini
//
// Running out of memory aborts.

#pragma once

#include "common/base/lp_buf.h"
#include "common/base/lp_names.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stdint.h>

enum { JFR_BUILD_FIELDS_MAX = 24 };

typedef struct jfr_build_field {
    const char *name; // NULL ends the fields of a type
    uint64_t type;
    bool is_constant;
    bool is_array;
    uint64_t annotation;          // type id; 0: none
    const char *annotation_value; // of its member `value`; NULL: none
} jfr_build_field;

typedef struct jfr_build_type {
    uint64_t id;
    const char *name;
    const char *super; // NULL: none
    uint64_t annotation;
    const char *annotation_value; // of its member `value`; NULL: none
    uint64_t setting;             // type id of the control of a setting; 0: none
    const char *setting_name;     // NULL: "enabled"
    bool is_simple;               // it has the attribute simpleType
    jfr_build_field fields[JFR_BUILD_FIELDS_MAX];
} jfr_build_type;

typedef struct jfr_build_clock {
    int64_t start_ticks;
    int64_t ticks_per_s; // 0: 1e9
    int64_t start_wall_ns;
    int64_t duration_ns;
} jfr_build_clock;

typedef struct jfr_build {
    lp_buf bytes;
    lp_buf payload; // of the event or constant that is being made
    jfr_build_clock clock;
    uint64_t metadata_offset;
    uint64_t checkpoint_offset;
    size_t size_width; // of the size of the events to come; 0: as short as it can be
    size_t type_width; // of their type id; 0: as short as it can be
    lp_buf values;     // of the constants below
    LP_VEC(struct jfr_build_constant {
        uint64_t type;
        uint64_t key;
        size_t offset;
        size_t size_bytes;
    })
    constants;
    lp_names strings; // of the metadata that is being made; it owns them
} jfr_build;

void jfr_build_begin(jfr_build *build, const jfr_build_clock *clock);
void jfr_build_fini(jfr_build *build);

// jfr_build_metadata writes a metadata event with these types. Its strings use the encodings UTF-8,
// UTF-16 and Latin-1 in turn.
void jfr_build_metadata(
    jfr_build *build, uint64_t metadata_id, const jfr_build_type *types, size_t count);

// jfr_build_event, _constant and _checkpoint take what is in payload, and leave it empty.
// jfr_build_event returns the offset of the event.
size_t jfr_build_event(jfr_build *build, uint64_t type);
void jfr_build_constant(jfr_build *build, uint64_t type, uint64_t key);
void jfr_build_checkpoint(jfr_build *build);

// jfr_build_flush writes a checkpoint as HotSpot does at the end of each flush, and when it
// finishes a chunk: a copy of the chunk's header as of now is its only constant, of that type.
void jfr_build_flush(jfr_build *build, uint64_t chunk_header_type);

// jfr_build_finish writes the header of a finished chunk of version 2.1. More may be added, and
// jfr_build_finish called again.
lp_slice jfr_build_finish(jfr_build *build);

// jfr_build_payload gives what follows size and type id of the event at offset; until more is
// added.
lp_slice jfr_build_payload(const jfr_build *build, size_t offset);

void jfr_build_varint(lp_buf *out, uint64_t value);

// jfr_build_padded writes value in exactly width bytes (1..9), longer than it needs.
void jfr_build_padded(lp_buf *out, uint64_t value, size_t width);

void jfr_build_string(lp_buf *out, const char *utf8); // encodings 0, 1, 3
void jfr_build_string_utf16(lp_buf *out, const uint16_t *units, size_t count);
void jfr_build_string_latin1(lp_buf *out, const char *bytes);
void jfr_build_string_constant(lp_buf *out, uint64_t key);
