// SPDX-License-Identifier: Apache-2.0
#include "collector/http/routes/http_about.h"

#include "collector/http/wire/http_reply.h"
#include "common/base/lp_time.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct time_texts {
    char text[LP_TIME_BYTES];
    char ns[sizeof("-9223372036854775808")];
} time_texts;

static time_texts
texts_of(int64_t wall_ns)
{
    time_texts texts;
    lp_time_format(wall_ns, texts.text);
    (void)snprintf(texts.ns, sizeof(texts.ns), "%" PRId64, wall_ns);
    return texts;
}

enum MHD_Result
http_about_reply(struct MHD_Connection *connection, http_catalog *store,
    const access_caller *caller, const http_about *about)
{
    int64_t data_wall_ns = 0;
    lp_err err = LP_ENOENT;
    if (access_caller_may(caller, ACCESS_READ, NULL)) {
        (void)pthread_mutex_lock(&store->mutex);
        err = catalog_first_start(store->catalog, &data_wall_ns);
        (void)pthread_mutex_unlock(&store->mutex);
    }
    if (err != LP_OK && err != LP_ENOENT) {
        return http_catalog_reply_failure(connection, err, "reading the catalog");
    }
    time_texts start = texts_of(about->start_wall_ns);
    time_texts now = texts_of(lp_time_now());
    time_texts data = texts_of(data_wall_ns);
    return http_reply_json(connection, MHD_HTTP_OK,
        json_pack("{s:s, s:s?, s:s, s:s, s:s, s:s, s:s?, s:s?, s:b, s:s?, s:s?}", "version",
            LOUPE_VERSION, "agents", about->agents_url, "start", start.text, "start_ns", start.ns,
            "now", now.text, "now_ns", now.ns, "data_start", err == LP_OK ? data.text : NULL,
            "data_start_ns", err == LP_OK ? data.ns : NULL, "takes_files", about->takes_files,
            "trace_link", about->links->trace, "source_link", about->links->source));
}
