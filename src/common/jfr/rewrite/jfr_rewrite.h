// SPDX-License-Identifier: Apache-2.0
// jfr_rewrite: moves values (of events and of constants) out of their chunk into a file, without
// changing their meaning. The file has the terms of the recording that they come from, or else
// terms of its own, since it holds chunks of several sources, a source being one JVM's recording.
//
// In every file:
//
//   nulls     Keys that the chunk does not describe become 0. They mean null; but the JDK's reader
//             keeps the last key and value of each field from one chunk to the next, and would show
//             the null where the next chunk describes that key, or its constant here. Keys of
//             threads stay: by them a thread is known in other chunks. The others stay, too, where
//             the pool defines 0, as pools of enumerations do.
//
// In a file of several sources, also what means something in one of them only:
//
//   keys      A key k of source s of n becomes k * n + s + 1: without a table, the same constant
//             has the same key in every chunk of the file, and two sources never share one. Keys
//             that are too large for that (some producers use hashes as keys) are hashed, with the
//             top bit set; two of them meet by accident only, like any two hashes of 63 bits. The
//             null of references, key 0, stays 0; where a pool defines key 0 it is a key like the
//             others. Enumerations (jfr_enumeration.h), which tools know by number, keep their
//             keys: sources share the type of one only where they agree about it. Keys that
//             an enumeration does not define, which another source's may, are hashed.
//   times     become nanoseconds since a wall time that all sources share. An event's start and
//             end are converted, and its duration is their difference: the order of all points in
//             time stays as it was. The markers that readers show as "none" and "forever" stay.
//   type ids  in values (jdk.ActiveSetting has one) follow the types.
//   contexts  that Loupe wrote have ids, which change as keys do.
//
// Threads: any thread.

#ifndef LP_COMMON_JFR_JFR_REWRITE_H
#define LP_COMMON_JFR_JFR_REWRITE_H

#include "common/base/lp_buf.h"
#include "common/jfr/jfr_clock.h"
#include "common/jfr/jfr_layout.h"
#include "common/jfr/jfr_metadata.h"
#include "common/jfr/jfr_pool.h"

#include <stdbool.h>
#include <stdint.h>

enum { JFR_REWRITE_SOURCES_MAX = 1 << 14 };

// From where to where. Everything is borrowed.
typedef struct jfr_rewrite {
    const jfr_metadata *metadata;
    const jfr_layout *layout;
    const jfr_pools *pools;   // of the chunk
    uint32_t source_count;    // at most JFR_REWRITE_SOURCES_MAX. 0: the file has the terms of the
                              // recording, and what follows is not used
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

// jfr_rewrite_time returns the output's ticks for a point in time in the input's.
int64_t jfr_rewrite_time(const jfr_rewrite *rewrite, int64_t ticks);

// jfr_rewrite_defined_key is jfr_rewrite_key for a key that the chunk describes.
uint64_t jfr_rewrite_defined_key(const jfr_rewrite *rewrite, uint32_t type, uint64_t key);

// jfr_rewrite_value moves cursor over the ops of program, as jfr_layout_walk does, and appends what
// it passes to out in the output's terms. False if the value does not fit into the bytes or is of a
// type that the metadata does not describe; out then holds a part of it. has_nulls: a key in it may
// be null in the output. Where marking it has counted none (jfr_pools_mark.h), most keys need not
// be looked up.
bool jfr_rewrite_value(const jfr_rewrite *rewrite, jfr_program program, bool has_nulls,
    jfr_cursor *cursor, lp_buf *out);

#endif // LP_COMMON_JFR_JFR_REWRITE_H
