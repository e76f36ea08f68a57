// SPDX-License-Identifier: Apache-2.0
#include "query/graph/flame_html.h"

#include "common/base/lp_assert.h"

#include <string.h>

// flame_page.html
extern const unsigned char query_flame_page[];
extern const size_t query_flame_page_bytes;

static const char place[] = "@DATA@";

// append_text appends JSON, in which a < is written so that it never ends the script around it.
static int
append_text(const char *text, size_t len, void *arg)
{
    lp_buf *out = arg;
    size_t begin = 0;
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '<') {
            lp_buf_append(out, text + begin, i - begin);
            lp_buf_append(out, "\\u003c", 6);
            begin = i + 1;
        }
    }
    lp_buf_append(out, text + begin, len - begin);
    return out->is_failed ? -1 : 0;
}

void
query_flame_html_write(json_t *graph, const char *title, lp_buf *out)
{
    const unsigned char *found =
        memmem(query_flame_page, query_flame_page_bytes, place, strlen(place));
    LP_ASSERT(found != NULL);
    size_t before = (size_t)(found - query_flame_page);
    size_t after = before + strlen(place);
    if (json_object_set_new(graph, "title", json_string(title)) != 0) {
        out->is_failed = true;
        return;
    }
    lp_buf_append(out, query_flame_page, before);
    if (json_dump_callback(graph, append_text, out, JSON_COMPACT) != 0) {
        out->is_failed = true;
    }
    lp_buf_append(out, query_flame_page + after, query_flame_page_bytes - after);
}
