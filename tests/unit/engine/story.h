// SPDX-License-Identifier: Apache-2.0
// story: one story (events with every kind of field), told as a chunk in the plainest way, or in
// any other that the format allows: other versions, ids, places and numbers of metadata and
// constants, encodings longer than they need be, and things in between that mean nothing.
//
// It has STORY_ROUNDS rounds of STORY_EVENTS_IN_ROUND events. Those of round n: SCALARS, TEXTS,
// NUMBER_LISTS, OTHER_LISTS, NESTED, TIMELESS, INSTANT, TRACE. All begin at 100 + 10 n, but for
// TRACE, which begins at 95 + 10 n and takes 20 ticks in even rounds and 1 in odd ones, and
// TIMELESS. SCALARS takes 70000 ticks in odd rounds, NESTED always takes 3. The thread is the one
// with the key 1 + n % 3; of TEXTS it is n % 4 (0: none); TIMELESS and INSTANT have none.

#pragma once

#include "support/jfr_build.h"

#include "common/base/lp_vec.h"

typedef enum story_place {
    STORY_FIRST,
    STORY_AMID,
    STORY_LAST,
    STORY_SPREAD, // constants only
} story_place;
typedef enum story_chain { STORY_CHAIN_RIGHT, STORY_CHAIN_ZERO, STORY_CHAIN_WRONG } story_chain;

typedef struct story_telling {
    const char *name;
    uint8_t major; // 0: 2.1
    uint8_t minor;
    story_place metadata;
    story_place constants;
    bool is_metadata_split;    // each of two metadata events lacks types that the other has
    bool is_metadata_repeated; // the same one twice
    bool is_redefined;         // each constant is defined again, otherwise, in the end
    bool has_vague_header;     // the offset of the checkpoint is that of the first
    bool has_unknown_events;   // of types that nothing describes, between the others
    bool has_empty_pools;      // also of types that nothing describes; and checkpoints without any
    bool has_trailing_bytes;   // behind the fields of each event
    story_chain chain;
    uint64_t type_bias; // added to every type id above 1
    uint64_t key_bias;  // added to every key but 0
    size_t size_width;  // these make numbers longer than they need be
    size_t type_width;
    size_t value_width;
} story_telling;

enum {
    STORY_BOOLEAN = 2,
    STORY_BYTE,
    STORY_CHAR,
    STORY_SHORT,
    STORY_INT,
    STORY_LONG,
    STORY_FLOAT,
    STORY_DOUBLE,
    STORY_STRING,
    STORY_THREAD,
    STORY_SYMBOL,
    STORY_CLASS,
    STORY_LEAF,
    STORY_BRANCH,
    STORY_TREE,
    STORY_WOOD,
    STORY_CONTEXTUAL,
    STORY_MARKED, // an annotation
    STORY_SCALARS,
    STORY_TEXTS,
    STORY_NUMBER_LISTS,
    STORY_OTHER_LISTS,
    STORY_NESTED,
    STORY_TIMELESS,
    STORY_INSTANT,
    STORY_TRACE,
    STORY_NOBODY = 7777, // no type has that
};

enum { STORY_TYPES = 26, STORY_ROUNDS = 13, STORY_EVENTS_IN_ROUND = 8 };

extern const jfr_build_type story_types[STORY_TYPES];

typedef struct story {
    const story_telling *t;
    jfr_build build;
    LP_VEC(struct story_constant {
        uint64_t type;
        uint64_t key;
        lp_buf value;
        lp_buf other; // for a second definition
    })
    constants;
    uint64_t first_checkpoint;
} story;

// story_tell makes the chunk; valid until story_fini.
lp_slice story_tell(story *w, const story_telling *t);
void story_fini(story *w);

// story_add_unknown_constants adds a checkpoint with constants of a type that nothing describes to
// the chunk that was told, and gives it.
lp_slice story_add_unknown_constants(story *w);
