// SPDX-License-Identifier: Apache-2.0

// raw_list: which chunks have raw data (raw_tail.h), and which ids they have, for other threads
// than the loop.
//
// The ids of a chunk, of dropped contexts too, are in a filter (raw_ids.h). Of chunks that were
// compacted before this process began, and of the oldest ones if the filters exceed
// RAW_LIST_FILTER_BYTES_MAX, the ids are unknown: their journals have the filters. Who looks for an
// id must expect each of them to have it.
//
// Threads: any; a mutex protects it.
// Tests:   tests/unit/collector/recall/raw/test_raw_list.c
// Memory:  some 120 bytes a chunk and 1.5 an id

#pragma once

#include "collector/recall/pin/pins.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    RAW_LIST_CHUNKS_MAX = 100000,  // further ones are not listed
    RAW_LIST_SERVICES_MAX = 10000, // those without raw data are forgotten first
};
static const uint64_t RAW_LIST_FILTER_BYTES_MAX = 64 << 20;

// Why raw data is gone.
typedef enum raw_list_why {
    RAW_LIST_AGE,
    RAW_LIST_BYTES,
    RAW_LIST_DISK,
    RAW_LIST_REMOVED,
    RAW_LIST_FAILED, // it could not be moved
    RAW_LIST_WHY_COUNT,
} raw_list_why;

typedef struct raw_list_service {
    const char *name; // lent by raw_list_each
    // All raw data since then is there, as far as it could be written; INT64_MAX: there is none.
    int64_t from_wall_ns;
    int64_t dropped_wall_ns; // private: the end of the latest chunk whose raw data is gone
    uint64_t chunks;
    uint64_t bytes;
    uint64_t dropped[RAW_LIST_WHY_COUNT]; // chunks, since this process began
} raw_list_service;

typedef struct raw_list raw_list;

// raw_list_create returns NULL if memory ran out. filter_bytes_max: RAW_LIST_FILTER_BYTES_MAX, or
// less in tests.
raw_list *raw_list_create(uint64_t filter_bytes_max);
void raw_list_destroy(raw_list *list); // NULL is fine

// raw_list_add adds a chunk, in place of an earlier one of the same number. filter: of its ids, or
// empty if they are unknown.
void raw_list_add(raw_list *list, const pin_stored *stored, lp_slice filter);

// raw_list_measure notes how many bytes the raw data of a chunk has, if the chunk is listed.
void raw_list_measure(raw_list *list, const pin_chunk *chunk, uint64_t bytes);

// raw_list_drop notes that the raw data of a chunk is gone.
void raw_list_drop(raw_list *list, const pin_chunk *chunk, raw_list_why why);

// The time that a pin's chunks, or one of them, cover. from > to: there are none.
typedef struct raw_list_span {
    int64_t from_wall_ns;
    int64_t to_wall_ns;
} raw_list_span;

// raw_list_find_span returns the time of a chunk. from > to: it has no raw data.
raw_list_span raw_list_find_span(raw_list *list, const pin_chunk *chunk);

// raw_list_find adds the chunks to out that a pin wants: of its services or recording, in its time,
// and perhaps with its id, or before a chunk with its id. Those whose ids are unknown come last.
// Adds up to PINS_CHUNKS_MAX + 1. Errors: LP_ENOMEM
LP_MUST_USE lp_err raw_list_find(
    raw_list *list, const pin *wanted, pin_chunks *out, raw_list_span *out_span);

// raw_list_each calls on_service for each service that has raw data, or had some. on_service must
// not use list.
void raw_list_each(
    raw_list *list, void (*on_service)(void *arg, const raw_list_service *service), void *arg);
