// SPDX-License-Identifier: Apache-2.0

// wire: the parts that both sides of the protocol in proto/loupe.proto share: the version, the
// limits, and the compression of bulk fields.
//
// Threads: any thread.

#pragma once

#include "loupe.pb-c.h"

#include "common/base/lp_arena.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/context/ctx_filter.h"
#include "common/context/ctx_record.h"
#include "common/context/ctx_recording.h"

enum {
    WIRE_VERSION = 1,
    WIRE_SESSION_BYTES = 16,
    WIRE_SECRET_BYTES = 16,
    WIRE_WINDOW_MAX = 8,              // messages of one agent that may be unanswered at a time
    WIRE_BULK_BYTES_MAX = 1 << 20,    // unpacked, of one jfr or contexts field
    WIRE_MESSAGE_BYTES_MAX = 4 << 20, // of one message; a receiver refuses more
    WIRE_REPLY_BYTES_MAX = 1 << 20,   // of an answer to an agent that takes policies
};

// Batches of a session have numbers below this one. It is enough for 1,000 batches a second over
// 8,900 years.
#define WIRE_SEQUENCE_MAX (UINT64_C(1) << 48)

// wire_compress appends bytes to out as one zstd frame.
LP_MUST_USE lp_err wire_compress(lp_slice bytes, lp_buf *out);

// wire_compress_often does the same with memory that stays, some 600 KiB: half the time for small
// frames. *compressor is NULL at first.
// Owns: the caller ends *compressor with wire_compressor_free, which accepts NULL
typedef struct ZSTD_CCtx_s wire_compressor;
LP_MUST_USE lp_err wire_compress_often(wire_compressor **compressor, lp_slice bytes, lp_buf *out);
void wire_compressor_free(wire_compressor *compressor);

// wire_decompress unpacks frame, which holds size_bytes, and appends the result to out.
// Errors: LP_ECORRUPT if frame is not one zstd frame of exactly size_bytes
//         LP_ELIMIT   if size_bytes is over WIRE_BULK_BYTES_MAX
//         LP_ENOMEM; on any error out is unchanged
LP_MUST_USE lp_err wire_decompress(lp_slice frame, size_t size_bytes, lp_buf *out);

// A context type as a message. Do not move the struct: the message points into it.
typedef struct wire_type {
    Loupe__Wire__ContextType message;
    Loupe__Wire__ContextType__Attribute attributes[CTX_TYPE_ATTRIBUTES_MAX];
    Loupe__Wire__ContextType__Attribute *pointers[CTX_TYPE_ATTRIBUTES_MAX];
} wire_type;

// wire_type_encode writes type as a message. *out_type borrows the strings of type.
void wire_type_encode(const ctx_type *type, wire_type *out_type);

// wire_type_decode copies a context type out of a message, and checks every limit of ctx_type.
// Owns: on LP_OK the caller owns what out_type points to and ends it with ctx_type_fini.
LP_MUST_USE lp_err wire_type_decode(const Loupe__Wire__ContextType *message, ctx_type *out_type);

// The map of a RecordingContext as a message. Do not move the struct: the message points into it.
typedef struct wire_recording {
    Loupe__Wire__RecordingContext message;
    Loupe__Wire__RecordingContext__Entry entries[CTX_RECORDING_ENTRIES_MAX];
    Loupe__Wire__RecordingContext__Entry *pointers[CTX_RECORDING_ENTRIES_MAX];
} wire_recording;

// wire_recording_encode writes map as a message. *out_recording borrows the texts of map.
void wire_recording_encode(const ctx_recording *map, wire_recording *out_recording);

// wire_recording_decode copies a map out of a message. It checks the limits of ctx_recording.h,
// that the map has an id, and that no key appears twice.
// Owns: arena owns the copy. Errors: LP_ECORRUPT; LP_ENOMEM if the arena has failed
LP_MUST_USE lp_err wire_recording_decode(
    const Loupe__Wire__RecordingContext *message, lp_arena *arena, ctx_recording *out_map);

// wire_recordings_measure returns how many bytes the copies of all maps of a batch take, including
// a ctx_recording for each map.
uint64_t wire_recordings_measure(const Loupe__Wire__Batch *batch);

// RecordingContextFilters as messages, with the memory that these point into.
typedef struct wire_filters {
    size_t count;
    Loupe__Wire__ContextFilter **pointers;
    Loupe__Wire__ContextFilter *messages;
    Loupe__Wire__ContextFilter__Rule **rule_pointers;
    Loupe__Wire__ContextFilter__Rule *rules;
} wire_filters;

// wire_filters_encode writes filters as messages, which borrow the texts of filters.
// Owns: the caller ends *out_filters with wire_filters_fini, also after an error. Errors: LP_ENOMEM
LP_MUST_USE lp_err wire_filters_encode(
    const ctx_filter *filters, size_t count, wire_filters *out_filters);
void wire_filters_fini(wire_filters *filters);

// wire_filter_decode copies a filter out of a message. A filter over CTX_FILTER_BYTES_MAX is copied
// without rules: it replaces the previous filter, and drops nothing.
// Owns: on LP_OK the caller ends *out_filter with ctx_filter_fini.
// Errors: LP_ECORRUPT if the filter has no id; LP_ENOMEM
LP_MUST_USE lp_err wire_filter_decode(
    const Loupe__Wire__ContextFilter *message, ctx_filter *out_filter);
