// SPDX-License-Identifier: Apache-2.0
// otlp_pieces: samples as pieces of OTLP profiles, each with its dictionary (otlp_dictionary.h).
//
// The samples of the JVM at hand are packed by profile; a JVM that is complete is packed as the
// field of a ProfilesData.
//
//   resources   a ResourceProfiles for each complete JVM
//   profiles    of the JVM at hand: the samples of a measure, and of a sampling period
//   dictionary  of all
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/otlp/test_otlp_profiles.c
// Memory:  as otlp_profiles.h

#pragma once

#include "query/otlp/otlp_dictionary.h"
#include "query/otlp/otlp_wish.h"
#include "query/run/request_contexts.h"

// Attributes of a sample: those of a request and the tags.
enum { QUERY_OTLP_ATTRIBUTES_MAX = QUERY_REQUEST_ATTRIBUTES_MAX + QUERY_OTLP_TAGS };

typedef enum query_otlp_measure {
    QUERY_OTLP_CPU,
    QUERY_OTLP_WALL,
    QUERY_OTLP_ALLOC,
    QUERY_OTLP_LOCK,
    QUERY_OTLP_PARK,
    QUERY_OTLP_IO,
    QUERY_OTLP_EVENTS,
    QUERY_OTLP_MEASURES,
} query_otlp_measure;

// A sample. Indexes are of the dictionary.
typedef struct query_otlp_sample {
    query_otlp_measure measure;
    int64_t period_ns; // of QUERY_OTLP_CPU; 0: unknown
    int64_t value;
    int64_t wall_ns;
    int32_t stack;
    int32_t link;
    const int32_t *attributes;
    size_t attribute_count;
    int64_t begin_wall_ns; // of its request: a time of the profile
    int64_t end_wall_ns;
} query_otlp_sample;

// To begin, set wish and the members of dictionary; all others are 0.
typedef struct query_otlp_pieces {
    const query_otlp_wish *wish;
    query_otlp_dictionary dictionary;
    uint64_t samples; // passed on
    uint64_t bytes;

    // Private:
    lp_buf resources;
    lp_buf resource; // the facts of the JVM at hand, as a Resource
    lp_buf text;
    LP_VEC(struct query_otlp_profile {
        query_otlp_measure measure;
        int64_t period;
        uint64_t begin_wall_ns;
        uint64_t end_wall_ns;
        lp_buf samples; // as fields of a Profile
    })
    profiles;
    size_t packed_bytes;  // of the samples of profiles
    uint64_t new_samples; // not passed on
} query_otlp_pieces;

void query_otlp_pieces_fini(query_otlp_pieces *pieces);

// query_otlp_pieces_begin_jvm ends the JVM at hand, if there is one, and begins another.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_otlp_pieces_begin_jvm(query_otlp_pieces *pieces, uint32_t source);

// query_otlp_pieces_has_room returns whether any sample, with all that it needs in the dictionary,
// has room in the piece.
bool query_otlp_pieces_has_room(const query_otlp_pieces *pieces);

// query_otlp_pieces_add adds a sample, for which there was room before anything of it was added to
// the dictionary. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_otlp_pieces_add(
    query_otlp_pieces *pieces, const query_otlp_sample *sample);

// query_otlp_pieces_pass passes on the piece, if it has samples, and empties the dictionary. The
// JVM goes on in the next piece. Errors: LP_ENOMEM; errors of on_piece
LP_MUST_USE lp_err query_otlp_pieces_pass(query_otlp_pieces *pieces);
