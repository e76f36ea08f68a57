// SPDX-License-Identifier: Apache-2.0
#include "policy/policy_name.h"

#include "common/jfr/jfr_name.h"
#include "policy/policy_pattern.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

void
policy_name_init(policy_name *self, const char *given)
{
    self->given = given;
    jfr_type_name_copy(self->spelled, sizeof(self->spelled), given);
}

// spell_pattern replaces what cannot stand in a Java class name. A * may stand for the beginning or
// the end of a part, so that nothing is added to parts.
static void
spell_pattern(char *out, const char *pattern)
{
    for (; *pattern != '\0'; pattern++) {
        bool is_continuation = ((unsigned char)*pattern & 0xc0) == 0x80; // of a character in UTF-8
        bool stays = ((unsigned char)*pattern < 0x80 && isalnum((unsigned char)*pattern)) ||
                     strchr("_$.*", *pattern) != NULL;
        if (!is_continuation) {
            *out++ = stays ? *pattern : '_';
        }
    }
    *out = '\0';
}

char *
policy_name_spell(const char *given)
{
    char spelled[POLICY_NAME_SPELLED_BYTES_MAX];
    if (policy_pattern_is(given)) {
        spell_pattern(spelled, given);
    } else {
        jfr_type_name_copy(spelled, sizeof(spelled), given);
    }
    return strdup(spelled);
}

bool
policy_name_matches(const char *pattern, const char *spelled_pattern, const policy_name *name)
{
    bool is_same = strcmp(name->given, name->spelled) == 0 && strcmp(pattern, spelled_pattern) == 0;
    return policy_pattern_matches(pattern, name->given) ||
           (!is_same && policy_pattern_matches(spelled_pattern, name->spelled));
}
