// SPDX-License-Identifier: Apache-2.0
#include "collector/mend/finding.h"

#include "common/base/lp_assert.h"

#include <inttypes.h>
#include <stdio.h>

const finding_words *
finding_get_words(finding_kind kind)
{
    static const finding_words words[] = {
#define LOUPE_FINDING(id, name, text, repair) {name, text, repair},
#include "collector/mend/findings.def"
    };
    LP_ASSERT(kind < FINDING_COUNT);
    return &words[kind];
}

void
finding_format(const finding *found, char out_text[FINDING_TEXT_BYTES])
{
    LP_ASSERT(!found->is_of_chunk || found->session_id != NULL);
    LP_ASSERT(found->detail != NULL);
    char where[80] = "";
    if (found->is_of_chunk) {
        (void)snprintf(where, sizeof(where), "session %s: chunk %" PRIu32 ": ", found->session_id,
            found->ordinal);
    } else if (found->session_id != NULL) {
        (void)snprintf(where, sizeof(where), "session %s: ", found->session_id);
    }
    bool has_detail = found->detail[0] != '\0';
    (void)snprintf(out_text, FINDING_TEXT_BYTES, "%s%s%s%s%s", where,
        finding_get_words(found->kind)->text, has_detail ? " (" : "", found->detail,
        has_detail ? ")" : "");
}
