// SPDX-License-Identifier: Apache-2.0
#include "query/list/cursor.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_quote.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char letters[] = {[QUERY_SORT_DURATION] = 'd',
    [QUERY_SORT_START] = 's',
    [QUERY_SORT_TRIGGERS] = 't',
    [QUERY_SORT_BLOCKED] = 'b'};

void
query_cursor_format(const query_cursor *cursor, char out_text[QUERY_CURSOR_BYTES])
{
    LP_ASSERT(cursor->sort <= QUERY_SORT_BLOCKED);
    (void)snprintf(out_text, QUERY_CURSOR_BYTES, "%c.%" PRId64 ".%" PRId64 ".%" PRIu32,
        letters[cursor->sort], cursor->key, cursor->begin_wall_ns, cursor->equal_count);
}

// read_number reads a number of 64 bits and the dot before it.
static bool
read_number(const char **text, int64_t *out_number)
{
    char *end;
    if (**text != '.' || (*text)[1] == '\0' || strchr("-0123456789", (*text)[1]) == NULL) {
        return false;
    }
    errno = 0;
    *out_number = strtoll(*text + 1, &end, 10);
    bool is_number = end > *text + 1 && errno == 0;
    *text = end;
    return is_number;
}

lp_err
query_cursor_parse(
    const char *text, query_sort sort, query_cursor *out_cursor, lp_problem *out_problem)
{
    LP_ASSERT(sort <= QUERY_SORT_BLOCKED);
    int64_t key;
    int64_t begin_ns;
    int64_t equal;
    const char *at = text + 1;
    if (text[0] == '\0' || !read_number(&at, &key) || !read_number(&at, &begin_ns) ||
        !read_number(&at, &equal) || *at != '\0' || equal < 1 || equal > QUERY_CURSOR_EQUALS_MAX) {
        return lp_problem_set(out_problem, LP_ECORRUPT, "cursor '%s': not `next` of an answer",
            lp_quote_text(text).text);
    }
    if (text[0] != letters[sort]) {
        return lp_problem_set(out_problem, LP_ECORRUPT,
            "cursor '%s': of an answer with another sort", lp_quote_text(text).text);
    }
    *out_cursor = (query_cursor){
        .sort = sort, .key = key, .begin_wall_ns = begin_ns, .equal_count = (uint32_t)equal};
    return LP_OK;
}
