// SPDX-License-Identifier: Apache-2.0
#include "policy/policy_word.h"

#include "common/base/lp_buf.h"

#include <stdbool.h>
#include <string.h>

// append_quoted appends the text up to the closing quote. False if there is none.
static bool
append_quoted(const char **at, lp_buf *out)
{
    for (; **at != '"' && **at != '\0'; (*at)++) {
        *at += **at == '\\' && (*at)[1] != '\0';
        lp_buf_append(out, *at, 1);
    }
    LP_REQUIRE(**at != '\0', false);
    (*at)++;
    return true;
}

lp_err
policy_word_read(const char **at, const char *ends, char **out_word)
{
    lp_buf text = {0};
    bool is_valid;
    if (**at == '"') {
        (*at)++;
        is_valid = append_quoted(at, &text);
    } else {
        size_t len = strcspn(*at, ends);
        lp_buf_append(&text, *at, len);
        *at += len;
        is_valid = len > 0;
    }
    lp_buf_append(&text, "", 1);
    lp_err err = is_valid ? lp_buf_check(&text) : LP_ECORRUPT;
    if (err != LP_OK) {
        lp_buf_fini(&text);
        return err;
    }
    *out_word = (char *)text.ptr;
    return LP_OK;
}
