// SPDX-License-Identifier: Apache-2.0
// lost_chunks: chunks that a reader found missing or damaged. Reading threads put them in a queue.
// The loop marks them in the catalog.
//
// Threads: add on any; the rest on the loop that owns it.
// Tests:   tests/unit/collector/test_contention.c, tests/e2e/mend.py

#pragma once

#include "collector/session/sessions.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The most chunks in the queue. A chunk that does not fit is found again by its next reader.
enum { LOST_CHUNKS_MAX = 1024 };

typedef struct lost_chunk {
    char session_id[CATALOG_ID_CHARS + 1];
    uint32_t ordinal;
} lost_chunk;

typedef struct lost_chunks {
    pthread_mutex_t mutex; // guards items and count
    lost_chunk items[LOST_CHUNKS_MAX];
    size_t count;
    lost_chunk taken[LOST_CHUNKS_MAX]; // the loop marks these
} lost_chunks;

void lost_chunks_init(lost_chunks *lost);
void lost_chunks_fini(lost_chunks *lost);

// lost_chunks_add returns whether the caller must wake the loop.
bool lost_chunks_add(lost_chunks *lost, const char *session_id, uint32_t ordinal);

// lost_chunks_mark marks the chunks that are queued now in the catalog, and counts each once as a
// loss of its session. Later ones wake the loop again. Failures are logged; the next reader queues
// the chunk again.
void lost_chunks_mark(lost_chunks *lost, sessions *sessions);
