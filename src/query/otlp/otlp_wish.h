// SPDX-License-Identifier: Apache-2.0
// otlp_wish: what a caller of otlp_profiles.h gives and gets.
//
// Threads: plain values.
// Tests:   tests/unit/query/otlp/test_otlp_profiles.c

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    QUERY_OTLP_PIECE_BYTES_MAX = 4 << 20, // of a piece: what receivers of gRPC take by default
    // Of all pieces, and of a file; further samples are left out. Each piece repeats the texts that
    // it needs: an event of some bytes may need megabytes of them.
    QUERY_OTLP_ALL_BYTES_MAX = 64 << 20,
    QUERY_OTLP_FILE_BYTES_MAX = 32 << 20,
    QUERY_OTLP_VALUES_MAX = 100,
    QUERY_OTLP_PERIODS_MAX = 16, // of a JVM in a piece
    QUERY_OTLP_FACTS_MAX = 16,   // of a JVM
};

// What is known about a JVM: an attribute of its resource.
typedef struct query_otlp_fact {
    const char *key;
    const char *text; // "": unknown
    int64_t number;   // if text is NULL; 0: unknown
} query_otlp_fact;

typedef struct query_otlp_piece {
    lp_slice bytes; // ProfilesData; lent until on_piece returns
    uint64_t samples;
} query_otlp_piece;

// The caller's choices. Everything is borrowed.
typedef struct query_otlp_wish {
    // Writes up to QUERY_OTLP_FACTS_MAX facts about the JVM of a source and returns their number.
    // Their texts are lent until the next call, in UTF-8.
    size_t (*describe)(
        const void *arg, uint32_t source, query_otlp_fact out_facts[QUERY_OTLP_FACTS_MAX]);
    const void *describe_arg;
    // Gets each piece. An error ends the question.
    lp_err (*on_piece)(void *arg, const query_otlp_piece *piece);
    void *arg;
    bool is_file; // one piece: pieces that follow one another are no ProfilesData
} query_otlp_wish;
