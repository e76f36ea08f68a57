// SPDX-License-Identifier: Apache-2.0
// http_about: the collector's state: /api/v1/collector, /healthz and /readyz.
//
// Tests:   tests/unit/collector/http/test_http.c

#include "collector/http/routes/http_call.h"
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

// {"version": "1.2.3", "agents": "tcp://127.0.0.1:7411", "start": "2026-01-02T03:04:05.1..Z",
//  "start_ns": "1767...", "now": .., "now_ns": .., "data_start": .., "data_start_ns": ..,
//  "takes_files": false, "trace_link": null, "source_link": null}
//
// agents is the address for agents, null until the collector listens there. data_start is the start
// of the first stored recording, null if there is none or the caller may not read all services.
// takes_files is whether the page can upload files (http_upload.h). The links are templates
// (http_links.h).
enum MHD_Result
http_about_reply(http_call *call)
{
    http_call_check(call, HTTP_NEED_NOTHING);
    http_shared *shared = call->shared;
    int64_t data_wall_ns = 0;
    lp_err err = LP_ENOENT;
    if (access_caller_may(&call->caller, ACCESS_READ, NULL)) {
        (void)pthread_mutex_lock(&shared->store.mutex);
        err = catalog_first_start(shared->store.catalog, &data_wall_ns);
        (void)pthread_mutex_unlock(&shared->store.mutex);
    }
    LP_REQUIRE(err == LP_OK || err == LP_ENOENT,
        http_reply_failure(call->connection, err, "reading the catalog"));
    time_texts start = texts_of(shared->start_wall_ns);
    time_texts now = texts_of(lp_time_now());
    time_texts data = texts_of(data_wall_ns);
    const http_links *links = &shared->config.links;
    return http_reply_json(call->connection, MHD_HTTP_OK,
        json_pack("{s:s, s:s?, s:s, s:s, s:s, s:s, s:s?, s:s?, s:b, s:s?, s:s?}", "version",
            LOUPE_VERSION, "agents",
            atomic_load_explicit(&shared->agents_url, memory_order_acquire), "start", start.text,
            "start_ns", start.ns, "now", now.text, "now_ns", now.ns, "data_start",
            err == LP_OK ? data.text : NULL, "data_start_ns", err == LP_OK ? data.ns : NULL,
            "takes_files", shared->uploads != NULL, "trace_link", links->trace, "source_link",
            links->source));
}

enum MHD_Result
http_about_health(http_call *call)
{
    http_call_check(call, HTTP_NEED_NOTHING);
    return http_reply_json(call->connection, MHD_HTTP_OK, json_pack("{s:s}", "status", "alive"));
}

enum MHD_Result
http_about_ready(http_call *call)
{
    http_call_check(call, HTTP_NEED_NOTHING);
    const http_readiness *readiness = &call->shared->config.readiness;
    lp_problem problem;
    LP_REQUIRE(atomic_load_explicit(&call->shared->is_ready, memory_order_relaxed),
        http_reply_error(call->connection, MHD_HTTP_SERVICE_UNAVAILABLE,
            "the collector is starting or stopping: try again later"));
    LP_REQUIRE(readiness->check == NULL || readiness->check(readiness->arg, &problem) == LP_OK,
        http_reply_error(call->connection, MHD_HTTP_SERVICE_UNAVAILABLE,
            "batches are refused or delayed: %s", problem.text));
    return http_reply_json(call->connection, MHD_HTTP_OK, json_pack("{s:s}", "status", "ready"));
}
