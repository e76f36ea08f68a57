// SPDX-License-Identifier: Apache-2.0

// raw_seal: notes in the journal of a compacted chunk how it was compacted (Sealed of
// proto/loupe.proto), so that raw data can be compacted again: with the same result, or with more
// events.
//
// Threads: the loop that owns the sessions.
// Tests:   tests/unit/collector/server/test_server_raw.c

#pragma once

#include "collector/chunks/chunk_commit.h"

// raw_seal_write appends the record to the journal with the chunk's JFR bytes, if the raw data of
// its service is kept. A failure is counted. tail is a raw_tail.
void raw_seal_write(void *tail, const chunk_commit *commit);
