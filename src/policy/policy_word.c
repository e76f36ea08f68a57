// SPDX-License-Identifier: Apache-2.0
#include "policy/policy_word.h"

#include "common/base/lp_err.h"

#include <string.h>

bool
policy_word_read(const char **at, const char *ends, char **to)
{
    char *out = *to;
    if (**at == '"') {
        for ((*at)++; **at != '"' && **at != '\0'; (*at)++) {
            *at += **at == '\\' && (*at)[1] != '\0';
            *out++ = **at;
        }
        LP_REQUIRE(**at == '"', false);
        (*at)++;
    } else {
        size_t len = strcspn(*at, ends);
        LP_REQUIRE(len > 0, false);
        memcpy(out, *at, len);
        out += len;
        *at += len;
    }
    *out = '\0';
    *to = out + 1;
    return true;
}
