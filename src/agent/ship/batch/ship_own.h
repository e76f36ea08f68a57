// SPDX-License-Identifier: Apache-2.0
// ship_own: the JVM's own settings, each with its start time, for chunks that are unsent or are
// sent again.
//
// A chunk has the settings that were in force when it began, whenever it is sent: the last settings
// that start at or before the chunk's start. Settings are kept until each chunk that has them is
// released and a later chunk has others. Over a limit the oldest settings are dropped, and the
// collector keeps all events of the chunks that had them.
//
// Threads: any thread; a mutex inside. Only the shipping thread calls ship_own_find,
//          ship_own_note_sent and ship_own_release.
// Tests:   tests/unit/agent/ship/test_ship_known.c, test_ship.c

#pragma once

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    SHIP_OWN_POLICY_BYTES_MAX = 256 << 10, // of one text
    SHIP_OWN_COUNT_MAX = 256,              // settings that are kept
    SHIP_OWN_BYTES_MAX = 1 << 20,          // of all kept settings, compressed
};

typedef struct ship_own ship_own;

// Settings of a chunk. Starts as {0}; lp_buf_fini frees zstd.
typedef struct ship_own_settings {
    uint64_t id;   // 0: there are no settings; different settings have different ids
    lp_buf zstd;   // the text of a .jfc file, compressed
    uint32_t size; // of the text; 0: there are no settings
    bool is_lost;  // the settings were dropped; then size is 0
} ship_own_settings;

ship_own *ship_own_create(void); // NULL if memory ran out

// For tests, and if the start fails.
void ship_own_destroy(ship_own *own); // NULL is fine

// Adds settings that hold from a time on. text is the text of a .jfc file; "": no settings hold
// from then on. A text over SHIP_OWN_POLICY_BYTES_MAX counts as "", and is logged once.
// from_wall_ns is in nanoseconds, as in chunks; INT64_MIN: the settings always held. Errors:
// LP_ENOMEM: nothing was added
LP_MUST_USE lp_err ship_own_add(ship_own *own, int64_t from_wall_ns, const char *text);

// Writes the settings of a chunk that began at start_wall_ns to *settings, unless *settings already
// has them. Errors: LP_ENOMEM
LP_MUST_USE lp_err ship_own_find(ship_own *own, int64_t start_wall_ns, ship_own_settings *settings);

// Notes that a batch of a chunk was sent with the settings with this id.
void ship_own_note_sent(ship_own *own, uint64_t id, uint32_t chunk);

// Frees settings that no chunk needs any more. All chunks with numbers below end are released, and
// the current chunk has the settings with this id.
void ship_own_release(ship_own *own, uint64_t id, uint32_t end);
