// SPDX-License-Identifier: Apache-2.0
// packets: writes a trace for Perfetto, packet by packet (perfetto.proto). A text or a stack trace
// is written once, before its first use, and has a number then.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/perfetto/test_perfetto.c
// Memory:  QUERY_PACKETS_BYTES; some 24 bytes for each text, frame and stack trace; a stack trace.

#pragma once

#include "common/base/lp_buf.h"
#include "query/frames/stacks.h"
#include "query/perfetto/bars.h"
#include "query/select/attributes.h"

enum { QUERY_PACKETS_BYTES = 64 << 10 }; // passed on at once

typedef enum query_text_kind {
    QUERY_TEXT_CATEGORY,
    QUERY_TEXT_NAME,
    QUERY_TEXT_KEY,
    QUERY_TEXT_VALUE,
    QUERY_TEXT_FUNCTION,
    QUERY_TEXT_KINDS,
    // Beside these, two more kinds of numbers:
    QUERY_TEXT_FRAME = QUERY_TEXT_KINDS,
    QUERY_TEXT_STACK,
    QUERY_NUMBER_KINDS,
} query_text_kind;

// To begin, set the first group of members; all others are 0.
typedef struct query_packets {
    query_names *names;
    const query_stacks *stacks;
    lp_err (*on_bytes)(void *arg, lp_slice bytes); // gets the file, piece by piece
    void *arg;

    uint64_t bytes; // passed on
    uint64_t bars;  // begun

    // Private:
    bool has_begun;
    lp_buf piece;
    lp_buf event; // packed
    lp_buf text;
    lp_map number_of; // by kind and the caller's number
    uint64_t counts[QUERY_NUMBER_KINDS];
    LP_VEC(uint64_t) frames; // of a stack trace
    uint64_t tracks;
} query_packets;

void query_packets_fini(query_packets *packets);

// query_packets_begin writes the head of the file before the first packet. Perfetto shows times of
// day for times of this clock, of which wall_ns is one.
LP_MUST_USE lp_err query_packets_begin(query_packets *packets, int64_t wall_ns);

// A track. *out_uuid is its number, above 0.
typedef struct query_packets_track {
    uint64_t process; // the track of its process; 0: it is of a process itself
    int32_t pid;      // of its process
    int64_t tid;      // 0: it is not of a thread
    const char *name;
} query_packets_track;

LP_MUST_USE lp_err query_packets_add_track(
    query_packets *packets, const query_packets_track *track, uint64_t *out_uuid);

// query_packets_add_step writes the begin, the end or the instant of a bar. more: further fields,
// which query_packets_pack_.. packed; none of an end.
LP_MUST_USE lp_err query_packets_add_step(query_packets *packets, const query_bar *bar,
    uint64_t track, query_bar_step step, int64_t wall_ns, lp_slice more);

// query_packets_pack_attributes appends the attributes of a bar as further fields. Numbers are
// numbers there, too.
LP_MUST_USE lp_err query_packets_pack_attributes(
    query_packets *packets, const query_known_attribute *attributes, size_t count, lp_buf *more);

// query_packets_pack_trace appends the id of a trace: Perfetto gives its bars one colour.
LP_MUST_USE lp_err query_packets_pack_trace(query_packets *packets, lp_slice trace, lp_buf *more);

// query_packets_pack_arrow appends one end of an arrow.
LP_MUST_USE lp_err query_packets_pack_arrow(uint64_t arrow, bool is_head, lp_buf *more);

// query_packets_finish passes on the rest of the file.
LP_MUST_USE lp_err query_packets_finish(query_packets *packets);
