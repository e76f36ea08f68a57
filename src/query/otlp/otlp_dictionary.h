// SPDX-License-Identifier: Apache-2.0
// otlp_dictionary: the dictionary of a piece of OTLP profiles: texts, frames, stack traces, links
// and attributes, each once. They are written when they are first used, and their index is known
// then. Index 0 of each list is the empty one.
//
// A text is valid UTF-8 of at most QUERY_OTLP_TEXT_BYTES_MAX, and ends before a zero byte. A longer
// one is cut.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/otlp/test_otlp_profiles.c
// Memory:  the packed dictionary, and 12 to 100 bytes for each item of it

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_names.h"
#include "query/frames/stacks.h"
#include "query/select/selection.h"

enum {
    QUERY_OTLP_TEXT_BYTES_MAX = 1024, // bounds a sample, and so a piece
    QUERY_OTLP_TRACE_BYTES = 16,
    QUERY_OTLP_SPAN_BYTES = 8,
};

// The ids of a link. Bytes of 0 are no id.
typedef struct query_otlp_ids {
    uint8_t trace[QUERY_OTLP_TRACE_BYTES];
    uint8_t span[QUERY_OTLP_SPAN_BYTES];
    bool has_trace;
    bool has_span;
} query_otlp_ids;

// query_otlp_ids_read reads an attribute that is named as an id (rollup_id.h). A trace id has 32 or
// 16 hexadecimal digits, the latter are its last ones; a span id has 16, or is a number. Returns
// false, and changes nothing, for any other attribute, and for an id of zeros.
bool query_otlp_ids_read(query_otlp_ids *ids, const query_attribute *attribute);

// query_otlp_text_make makes out a valid text that ends with a zero byte. Sets *out_is_cut if the
// text was too long. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_otlp_text_make(lp_buf *out, lp_slice text, bool *out_is_cut);

// To begin, set the first two members; all others are 0. Both are borrowed.
typedef struct query_otlp_dictionary {
    query_names *names;
    const query_stacks *stacks;
    lp_buf bytes;      // the fields of a ProfilesDictionary; empty: no item yet
    bool is_truncated; // a text was cut

    // Private:
    lp_buf text;
    lp_arena arena; // of the texts below
    lp_names texts;
    lp_names links;      // by their digits
    lp_names attributes; // by their key and value
    lp_map number_of;    // by kind and the caller's number
    LP_VEC(int32_t) locations;
    int32_t function_count; // without the empty one, as the next two
    int32_t location_count;
    int32_t stack_count;
} query_otlp_dictionary;

void query_otlp_dictionary_fini(query_otlp_dictionary *dictionary);

// query_otlp_dictionary_reset makes the dictionary empty, for the next piece.
void query_otlp_dictionary_reset(query_otlp_dictionary *dictionary);

// The next functions find or add an item and write its index. Errors: LP_ENOMEM

LP_MUST_USE lp_err query_otlp_dictionary_text(
    query_otlp_dictionary *dictionary, lp_slice text, int32_t *out_index);

// A stack trace, by its node.
LP_MUST_USE lp_err query_otlp_dictionary_stack(
    query_otlp_dictionary *dictionary, uint32_t node, int32_t *out_index);

// The index is 0 if ids has no trace.
LP_MUST_USE lp_err query_otlp_dictionary_link(
    query_otlp_dictionary *dictionary, const query_otlp_ids *ids, int32_t *out_index);

// An attribute whose key is a text of the dictionary. It is a number if is_number.
LP_MUST_USE lp_err query_otlp_dictionary_attribute(query_otlp_dictionary *dictionary,
    int32_t key_index, lp_slice value, bool is_number, int32_t *out_index);

// Attributes that all samples may have.
typedef enum query_otlp_tag {
    QUERY_OTLP_THREAD,
    QUERY_OTLP_CONTEXT,
    QUERY_OTLP_CATEGORY,
    QUERY_OTLP_TAGS,
} query_otlp_tag;

const char *query_otlp_tag_key(query_otlp_tag tag);

// A tag with a name of names.
LP_MUST_USE lp_err query_otlp_dictionary_tag(
    query_otlp_dictionary *dictionary, query_otlp_tag tag, uint32_t name, int32_t *out_index);
