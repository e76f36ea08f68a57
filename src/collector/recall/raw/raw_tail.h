// SPDX-License-Identifier: Apache-2.0

// raw_tail: the journals of compacted chunks, kept for some minutes: they have the events that the
// policy dropped. The directory (DATA_DIR_RAW) is the truth. The list in memory is made from names,
// sizes and times; no file is opened for it.
//
// A journal arrives by rename, at the moment in which it would be deleted: once the disk has the
// catalog with its chunk. The time of the file is that of the rename. Nothing here is synced: a
// power cut may cost raw data, and never anything else.
//
// A file is deleted when the first of these holds:
// - it is older than the time of its service (policy_keep.h), or than the age of the service's
//   chunks;
// - the files exceed bytes_max. The oldest file goes first, among the sessions that have more than
//   their share: bytes_max divided by the number of sessions;
// - the disk is nearly full (raw_tail_relieve). The oldest file goes first;
// - its recording is removed (journal_list_remove_raw).
//
// If a session moves to another collector, the journals of its waiting chunks come here, too: an
// earlier chunk may need them. They cannot be written, and are no raw data of their own chunk.
//
// Threads: the loop that owns it.
// Tests:   tests/unit/collector/recall/raw/test_raw_tail.c,
// tests/unit/collector/server/test_server_raw.c

#pragma once

#include "collector/journal/data_dir.h"
#include "collector/recall/raw/raw_list.h"
#include "collector/store/catalog/catalog.h"
#include "common/base/lp_err.h"
#include "policy/policy_dir.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    RAW_TAIL_LOOKS = 256,        // sessions in one tick
    RAW_TAIL_DROPPED = 1024,     // files over the limit of bytes, in one tick
    RAW_TAIL_RELIEF_FILES = 256, // in one raw_tail_relieve, or the bytes below
    RAW_TAIL_RELIEF_BYTES = 64 << 20,
    RAW_TAIL_FREE_SHARE = 10, // without bytes_max: the part of the free space at the start,
};
static const uint64_t RAW_TAIL_BYTES_MAX = (uint64_t)10 << 30; // and the most of it

typedef struct raw_tail raw_tail;

typedef struct raw_tail_config {
    int64_t keep_ns;      // of services without a time of their own; 0: none is kept
    int64_t age_ns;       // of their chunks (retention.h); 0: unlimited
    uint64_t bytes_max;   // 0: a part of the free space
    policy_dir *policies; // of services; NULL: none
    // Borrowed until raw_tail_close.
    const data_dir *dir;
    catalog *catalog; // only raw_tail_open uses it
    raw_list *list;   // of what is here, for other threads
} raw_tail_config;

// raw_tail_open lists the files. A directory that cannot be read is skipped and logged. Errors:
// LP_ENOMEM
LP_MUST_USE lp_err raw_tail_open(const raw_tail_config *config, raw_tail **out_tail);
void raw_tail_close(raw_tail *tail); // NULL is fine

// raw_tail_wants returns whether raw data of a service is kept; raw_tail_wants_by, of a service
// with these limits.
bool raw_tail_wants(const raw_tail *tail, const char *service);
bool raw_tail_wants_by(const raw_tail *tail, const policy_keep *own);

// raw_tail_take moves a session's journal here, in place of an earlier one of the same chunk.
// Returns false if the journal is not wanted or cannot be moved, which is counted. tail is a
// raw_tail.
bool raw_tail_take(void *tail, const char *session_id, const char *service, uint32_t ordinal);

// raw_tail_measure returns the bytes of a chunk's journal, which is here or waits until it is
// moved; 0: there is none.
uint64_t raw_tail_measure(raw_tail *tail, const char *session_id, uint32_t ordinal);

// raw_tail_tick deletes what is over a limit at now_wall_ns. Cost: at most RAW_TAIL_LOOKS sessions
// and RAW_TAIL_DROPPED files
void raw_tail_tick(raw_tail *tail, int64_t now_wall_ns);

// raw_tail_relieve deletes the oldest files, because the disk is nearly full. Returns false if
// there are none. tail is a raw_tail.
bool raw_tail_relieve(void *tail);

uint64_t raw_tail_get_bytes(const raw_tail *tail);
