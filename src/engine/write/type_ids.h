// SPDX-License-Identifier: Apache-2.0
// type_ids: the ids of types that Loupe adds to the metadata of a chunk.
//
// HotSpot numbers types together with loaded classes, from 1; 2^27 classes are out of reach, and
// the id still fits four bytes. Ids are the same in every chunk of a session: the JDK's tools
// remember types by id over a whole file.
//
// Threads: constants.
// Tests:   tests/unit/engine/write/test_classes.c

#ifndef LP_ENGINE_WRITE_TYPE_IDS_H
#define LP_ENGINE_WRITE_TYPE_IDS_H

#include "common/context/ctx_record.h"
#include "engine/reason.h"

#include <stdint.h>

enum {
    COMPACT_TYPE_IDS_KNOWN = 1 << 27, // plus the place in the known types (classes.c)
    COMPACT_TYPE_IDS_KNOWN_MAX = 64,  // how many there may be of these
    COMPACT_TYPE_IDS_STATE = COMPACT_TYPE_IDS_KNOWN + 1023, // of what applies to an event
    COMPACT_TYPE_IDS_VALUES = COMPACT_TYPE_IDS_KNOWN + 255, // of values of contexts, plus ctx_kind
    // Where another type has the id, the next one below that is free, but none of the known types'.
    // A version of Loupe with more reasons writes another type, maybe into the same file; and so
    // did those that wrote an event for each event type, with the ids down to
    // COMPACT_TYPE_IDS_STATE - 9.
    COMPACT_TYPE_IDS_ACCOUNTING = COMPACT_TYPE_IDS_STATE - COMPACT_REASON_COUNT - 1,
    COMPACT_TYPE_IDS_LOSS = COMPACT_TYPE_IDS_KNOWN + 511,            // likewise
    COMPACT_TYPE_IDS_REQUEST = COMPACT_TYPE_IDS_KNOWN + 510,         // likewise
    COMPACT_TYPE_IDS_HAND_OVER = COMPACT_TYPE_IDS_KNOWN + 509,       // likewise
    COMPACT_TYPE_IDS_REQUEST_ACCOUNT = COMPACT_TYPE_IDS_KNOWN + 508, // likewise
    COMPACT_TYPE_IDS_ATTRIBUTE = COMPACT_TYPE_IDS_KNOWN + 254,       // likewise
    COMPACT_TYPE_IDS_CONTEXTS = COMPACT_TYPE_IDS_KNOWN + 1024, // plus the id of the context type
    // Of context types that are RecordingContexts, plus KEY_COUNTS times the id of the context type
    // and the number of their keys: of one session, as many are the same ones (recordings.h).
    // JDK 25's `jfr print` knows the fields of contexts by the type's id over a whole file.
    COMPACT_TYPE_IDS_RECORDINGS = COMPACT_TYPE_IDS_CONTEXTS + UINT16_MAX + 1,
    COMPACT_TYPE_IDS_KEY_COUNTS = CTX_RECORDING_KEYS_MAX + 1,
    // Where the input uses one of those.
    COMPACT_TYPE_IDS_SPARE =
        COMPACT_TYPE_IDS_RECORDINGS + (UINT16_MAX + 1) * COMPACT_TYPE_IDS_KEY_COUNTS,
};

#endif // LP_ENGINE_WRITE_TYPE_IDS_H
