// SPDX-License-Identifier: Apache-2.0

// loupe open: the page for recordings in files.
//
// Tests: tests/e2e/cli.py

#include "cli/base/cmd.h"
#include "cli/serve/end_watch.h"
#include "cli/serve/opened.h"
#include "collector/page/page_address.h"
#include "common/base/lp_printable.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// build_url appends the address of the recordings: that of their service, if they have the same,
// and their time.
static void
build_url(const opened *o, lp_buf *out)
{
    const uploads_shown *shown = opened_get_shown(o);
    char text[32];
    (void)snprintf(text, sizeof(text), "http://127.0.0.1:%u", opened_get_http_port(o));
    lp_buf_append_text(out, text);
    if (shown->service[0] == '\0') {
        lp_buf_append_text(out, "/");
    } else {
        lp_buf_append_text(out, "/s");
        page_address_part(out, shown->service);
    }
    if (shown->to_wall_ns != 0) {
        (void)snprintf(text, sizeof(text), "%" PRId64, shown->from_wall_ns);
        page_address_parameter(out, "from", text);
        (void)snprintf(text, sizeof(text), "%" PRId64, shown->to_wall_ns);
        page_address_parameter(out, "to", text);
    }
    lp_buf_append(out, "", 1);
}

// show prints the address, opens the browser, and returns when a signal ends the process.
static int
show(const opened *o, const options *opts)
{
    lp_buf url = {0};
    build_url(o, &url);
    bool is_printed = lp_buf_check(&url) == LP_OK;
    if (is_printed) {
        (void)puts((const char *)url.ptr);
    }
    int code = cmd_end(opts->program, is_printed);
    if (code == CMD_DONE) {
        if (!opts->open_has_no_browser && opened_browse(o, (const char *)url.ptr) != LP_OK) {
            lp_printable_line(
                stderr, "%s: no browser opens it: %s", opts->program, strerror(errno));
        }
        (void)end_watch_next();
    }
    lp_buf_fini(&url);
    return code;
}

int
cmd_open(const options *opts)
{
    return opened_run(opts, show);
}
