// SPDX-License-Identifier: Apache-2.0
// jfr_rewrite: converts values of events and constants from their chunk for an output file, without
// changing their meaning. The file uses the ids and times of one recording, or its own if it holds
// chunks of several sources. A source is the recording of one JVM.
//
// In every file:
//
//   nulls     Keys that the chunk does not define mean null, and become 0: the JDK's reader caches
//             the last key and value of each field across chunks, and could confuse the null with
//             a constant of that key in another chunk. Keys of threads stay, as they identify
//             threads in other chunks. So do the keys of a pool that defines 0, as enumerations do.
//
// In a file of several sources also:
//
//   keys      A key k of source s of n becomes k * n + s + 1. So a constant has the same key in
//             every chunk of the file, and sources never share one. Keys of 2^48 and more (some
//             producers use hashes as keys) are hashed to 63 bits with the top bit set. Key 0, the
//             null of references, stays 0 unless the pool defines it. Enumerations
//             (jfr_enumeration.h) keep their keys, as tools know them by number: sources share
//             such a type only if they agree about it. Undefined keys of an enumeration are
//             hashed, because another source may define them.
//   times     become nanoseconds since a wall time that all sources share. Start and end of an
//             event are converted, and the duration is their difference. That preserves the order
//             of all points in time. The markers for "none" and "forever" stay.
//   type ids  in values (jdk.ActiveSetting has one) become the types' ids in the file.
//   contexts  that Loupe wrote have ids, which change as keys do.
//
// Threads: any thread.

#pragma once

#include "common/base/lp_buf.h"
#include "common/jfr/jfr_clock.h"
#include "common/jfr/jfr_layout.h"
#include "common/jfr/jfr_metadata.h"
#include "common/jfr/jfr_pool.h"

#include <stdbool.h>
#include <stdint.h>

enum { JFR_REWRITE_SOURCES_MAX = 1 << 14 };

// The input and the output. Everything is borrowed.
typedef struct jfr_rewrite {
    const jfr_metadata *metadata;
    const jfr_layout *layout;
    const jfr_pools *pools;   // of the chunk
    uint32_t source_count;    // at most JFR_REWRITE_SOURCES_MAX. 0: the file has the ids and times
                              // of the recording, and the members below are not used
    uint32_t source;          // counts from 0
    jfr_clock clock;          // of the input
    int64_t zero_wall_ns;     // of the output's tick 0
    const uint64_t *type_ids; // in the output; parallel to metadata->types
} jfr_rewrite;

// jfr_rewrite_key returns the key in the output of a constant of type (an index), or of a reference
// to one.
uint64_t jfr_rewrite_key(const jfr_rewrite *rewrite, uint32_t type, uint64_t key);

// jfr_rewrite_type_id returns the id in the output of the type that has this id in the input. An id
// that the input does not describe becomes a negative one, which no JVM gives to a type.
uint64_t jfr_rewrite_type_id(const jfr_rewrite *rewrite, uint64_t id);

// jfr_rewrite_context_id returns the id in the output of a context; 0, for none, stays 0.
uint64_t jfr_rewrite_context_id(const jfr_rewrite *rewrite, uint64_t id);

// jfr_rewrite_time converts a point in time from ticks of the input to ticks of the output.
int64_t jfr_rewrite_time(const jfr_rewrite *rewrite, int64_t ticks);

// jfr_rewrite_defined_key is jfr_rewrite_key for a key that the chunk describes.
uint64_t jfr_rewrite_defined_key(const jfr_rewrite *rewrite, uint32_t type, uint64_t key);

// jfr_rewrite_value moves cursor over the ops of program, as jfr_layout_walk does, and appends the
// converted value to out. False if the value does not fit into the bytes or has a type that the
// metadata does not describe; out then holds a part of it. has_nulls: a key in it may become null.
// Pass false if marking counted no nulls (jfr_pools_mark.h): most keys then need no lookup.
bool jfr_rewrite_value(const jfr_rewrite *rewrite, jfr_program program, bool has_nulls,
    jfr_cursor *cursor, lp_buf *out);
