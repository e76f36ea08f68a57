// SPDX-License-Identifier: Apache-2.0
// finding: a contradiction between parts of a data directory. findings.def lists the kinds.
//
// Threads: any thread.
// Tests:   tests/unit/collector/mend/test_reconcile.c

#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum finding_kind {
#define LOUPE_FINDING(id, name, text, repair) FINDING_##id,
#include "collector/mend/findings.def"
    FINDING_COUNT,
} finding_kind;

// See findings.def.
typedef struct finding_words {
    const char *name;
    const char *text;
    const char *repair;
} finding_words;

const finding_words *finding_get_words(finding_kind kind);

// Borrowed until the callback returns.
typedef struct finding {
    finding_kind kind;
    const char *session_id; // NULL: of no session
    bool is_of_chunk;
    uint32_t ordinal;
    const char *detail; // more; "": nothing
    bool is_repaired;
} finding;

enum { FINDING_TEXT_BYTES = 512 };

// finding_format writes a text with the finding and its place, without the repair.
void finding_format(const finding *found, char out_text[FINDING_TEXT_BYTES]);
