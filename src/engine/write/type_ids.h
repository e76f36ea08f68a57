// SPDX-License-Identifier: Apache-2.0
// type_ids: the ids of types that Loupe adds to a chunk's metadata.
//
// HotSpot numbers types and loaded classes together, from 1. Its numbers cannot reach 2^27, which
// still fits a varint of four bytes. A type has the same id in all chunks of a session: the JDK's
// tools remember types by id across a file.
//
// Threads: constants.
// Tests:   tests/unit/engine/write/test_classes.c

#pragma once

#include "common/context/ctx_record.h"
#include "engine/reason.h"

#include <stdint.h>

enum {
    COMPACT_TYPE_IDS_KNOWN = 1 << 27, // plus the place in the known types (classes.c)
    COMPACT_TYPE_IDS_KNOWN_MAX = 64,  // limit of known types
    COMPACT_TYPE_IDS_STATE = COMPACT_TYPE_IDS_KNOWN + 1023, // of loupe.Context (style.h)
    COMPACT_TYPE_IDS_VALUES = COMPACT_TYPE_IDS_KNOWN + 255, // of context values, plus ctx_kind
    // If the id is taken, the types from here to COMPACT_TYPE_IDS_ATTRIBUTE use the next free id
    // below, down to the known types. A version of Loupe with more reasons has another accounting
    // type, maybe in the same file. Versions that wrote an accounting event for each event type may
    // have taken ids down to COMPACT_TYPE_IDS_STATE - 9.
    COMPACT_TYPE_IDS_ACCOUNTING = COMPACT_TYPE_IDS_STATE - COMPACT_REASON_COUNT - 1,
    COMPACT_TYPE_IDS_LOSS = COMPACT_TYPE_IDS_KNOWN + 511,
    COMPACT_TYPE_IDS_REQUEST = COMPACT_TYPE_IDS_KNOWN + 510,
    COMPACT_TYPE_IDS_HAND_OVER = COMPACT_TYPE_IDS_KNOWN + 509,
    COMPACT_TYPE_IDS_REQUEST_ACCOUNT = COMPACT_TYPE_IDS_KNOWN + 508,
    COMPACT_TYPE_IDS_ATTRIBUTE = COMPACT_TYPE_IDS_KNOWN + 254,
    COMPACT_TYPE_IDS_CONTEXTS = COMPACT_TYPE_IDS_KNOWN + 1024, // plus the id of the context type
    // Context types that are RecordingContexts: plus KEY_COUNTS times the id of the context type,
    // plus the number of its keys. In a session, types with the same number of keys are the same
    // (recordings.h). JDK 25's `jfr print` remembers the fields of contexts by type id across a
    // file.
    COMPACT_TYPE_IDS_RECORDINGS = COMPACT_TYPE_IDS_CONTEXTS + UINT16_MAX + 1,
    COMPACT_TYPE_IDS_KEY_COUNTS = CTX_RECORDING_KEYS_MAX + 1,
    // The first id to try if the input has taken one of the above.
    COMPACT_TYPE_IDS_SPARE =
        COMPACT_TYPE_IDS_RECORDINGS + (UINT16_MAX + 1) * COMPACT_TYPE_IDS_KEY_COUNTS,
};
