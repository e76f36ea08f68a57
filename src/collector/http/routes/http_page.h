// SPDX-License-Identifier: Apache-2.0
// http_page: GET of the page's files: compressed where the client can read that, and only what it
// does not know yet.
//
// Threads: the thread that handles the connection.
// Tests:   tests/unit/collector/http/routes/test_http_page.c

#ifndef LP_COLLECTOR_HTTP_HTTP_PAGE_H
#define LP_COLLECTOR_HTTP_HTTP_PAGE_H

#include "collector/page/page.h"

#include <microhttpd.h>
#include <stdbool.h>

// http_page_reply answers with the file.
enum MHD_Result http_page_reply(struct MHD_Connection *connection, const page_file *file);

// http_page_is_wanted returns whether a browser asks for a path at which nothing is, and which is
// not the API's: Accept names text/html.
bool http_page_is_wanted(struct MHD_Connection *connection, const char *path, const char *method);

// http_page_reply_nowhere answers 404 with the page, which says that nothing is at its path.
enum MHD_Result http_page_reply_nowhere(struct MHD_Connection *connection);

#endif // LP_COLLECTOR_HTTP_HTTP_PAGE_H
