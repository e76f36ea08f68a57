// SPDX-License-Identifier: Apache-2.0
// flame_html: a flame graph as a web page of its own: its JSON (flame_json.h) and a script that
// draws it (flame_page.html). Nothing is fetched when it is opened.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/graph/test_flame.c

#ifndef LP_QUERY_FLAME_HTML_H
#define LP_QUERY_FLAME_HTML_H

#include "common/base/lp_buf.h"

#include <jansson.h>

// query_flame_html_write appends the page. graph is what query_flame_json returned, to which a
// member "title" is added. Where memory runs out, out fails.
void query_flame_html_write(json_t *graph, const char *title, lp_buf *out);

#endif // LP_QUERY_FLAME_HTML_H
