// SPDX-License-Identifier: Apache-2.0
#include "collector/http/http_frame.h"

#include "collector/http/http_request.h"
#include "collector/http/routes/http_access.h"
#include "collector/http/routes/http_audit.h"
#include "collector/http/routes/http_catalog.h"
#include "collector/http/routes/http_download.h"
#include "collector/http/routes/http_rewriter.h"
#include "collector/http/routes/http_route.h"
#include "collector/http/routes/http_upload.h"
#include "collector/http/wire/http_reply.h"
#include "common/base/lp_assert.h"

#include <stdlib.h>
#include <string.h>

static enum MHD_Result (*const handlers[HTTP_ROUTE_COUNT])(http_call *call) = {
#define ROUTE(path, methods, right, need, params, handler) handler,
#include "collector/http/routes/http_routes.def"
#undef ROUTE
};

static enum MHD_Result
reply_stopping(const http_call *call)
{
    return http_reply_error(call->connection, MHD_HTTP_SERVICE_UNAVAILABLE,
        "the collector is stopping: try again later");
}

// --- Before the waits.

static enum MHD_Result
reply_bad_id(const http_call *call)
{
    LP_ASSERT(call->route.has_id);
    switch (call->route.line->right) {
    case HTTP_RIGHT_NODE:
        return http_reply_error(call->connection, MHD_HTTP_BAD_REQUEST,
            "an id is %d hexadecimal digits", CATALOG_ID_CHARS);
    case HTTP_RIGHT_REMOVE:
        return http_reply_error(call->connection, MHD_HTTP_NOT_FOUND, "there is no such recording");
    case HTTP_RIGHT_ANYONE:
    case HTTP_RIGHT_PROBE:
    case HTTP_RIGHT_KNOWN:
    case HTTP_RIGHT_READ_ANY:
    case HTTP_RIGHT_READ_ALL:
    case HTTP_RIGHT_READ:
        break;
    }
    return http_reply_error(call->connection, MHD_HTTP_NOT_FOUND,
        "a recording's id is %d characters of 0-9 and a-f: /api/v1/recordings lists them",
        CATALOG_ID_CHARS);
}

// is_good returns whether the request may be answered by its handler. Returns false with the answer
// where it may not.
static bool
is_good(http_call *call, enum MHD_Result *out_result)
{
    LP_ASSERT(call->came.snapshot == NULL && call->came.download == NULL);
    bool is_known = call->upload != NULL; // since http_frame_begin
    if (!is_known && !http_access_check(call, out_result)) {
        return false;
    }
    if (!call->route.has_method) {
        char methods[HTTP_ROUTE_METHODS_BYTES];
        http_route_list_methods(&call->route, methods);
        *out_result = http_reply_method(call->connection, call->method, methods);
        return false;
    }
    if (!http_access_check_place(call, out_result)) {
        return false;
    }
    if (call->route.has_id && call->route.session_id[0] == '\0') {
        *out_result = reply_bad_id(call);
        return false;
    }
    return call->route.line->params != HTTP_PARAMS_NONE ||
           !http_reply_parameters(call->connection, out_result);
}

bool
http_frame_begin(http_request *request, enum MHD_Result *out_result)
{
    LP_ASSERT(!http_request_has_waited(request));
    http_call *call = http_request_get_call(request);
    if (call->route.line->need != HTTP_NEED_FILE || !call->route.has_method) {
        return true;
    }
    if (!http_access_check(call, out_result)) {
        http_upload_refuse();
        return false;
    }
    *out_result = http_upload_begin(call, &call->upload);
    return call->upload != NULL;
}

// --- The audit.

static void
on_session(void *arg, const catalog_session *session)
{
    char **service = arg;
    *service = strdup(session->service); // NULL: nobody knows
}

// note_service notes of which service the recording is, which the catalog may not know any more
// once it is removed.
static void
note_service(http_call *call)
{
    LP_ASSERT(call->service == NULL);
    http_catalog *store = &call->shared->store;
    if (call->shared->audit.log != NULL) {
        (void)pthread_mutex_lock(&store->mutex);
        lp_err err =
            catalog_find(store->catalog, call->route.session_id, on_session, &call->service);
        (void)pthread_mutex_unlock(&store->mutex);
        if (err != LP_OK) {
            free(call->service);
            call->service = NULL;
        }
    }
}

static void
note_download(const http_call *call)
{
    LP_ASSERT(call->route.line->need == HTTP_NEED_CONTENT);
    if (strcmp(call->method, MHD_HTTP_METHOD_HEAD) != 0) {
        const http_audit_entry entry = {.event = "download",
            .identity = access_caller_get_name(&call->caller),
            .recording = call->route.session_id,
            .service = call->service};
        http_audit_note_once(&call->shared->audit, call->connection, &entry);
    }
}

// note_removal audits a removal; why: how it is not known to have been done, NULL: it is.
static void
note_removal(const http_call *call, const char *why)
{
    LP_ASSERT(call->route.line->right == HTTP_RIGHT_REMOVE);
    const http_audit_entry entry = {.event = "delete",
        .identity = access_caller_get_name(&call->caller),
        .recording = call->route.session_id,
        .service = call->service,
        .why = why};
    http_audit_note(&call->shared->audit, call->connection, &entry);
}

// note_question audits a question whose answer is made of what is in recordings.
static void
note_question(const http_call *call, const ask_query *query)
{
    if (!query->route->is_of_catalog) {
        const query_selection *asked = &query->asked.selection;
        const http_audit_entry entry = {.event = "question",
            .identity = access_caller_get_name(&call->caller),
            .recording = asked->recording,
            .service = asked->service,
            .path = call->route.path};
        http_audit_note_once(&call->shared->audit, call->connection, &entry);
    }
}

// --- The waits, and the answer.

// check_came asserts that a call has what its line in the table says that its handler needs.
static void
check_came(const http_call *call)
{
    const http_came *came = &call->came;
    http_need need = call->route.line->need;
    LP_ASSERT(call->route.has_method);
    LP_ASSERT((need >= HTTP_NEED_TOTALS && need != HTTP_NEED_CONTENT) == (came->snapshot != NULL));
    LP_ASSERT((need == HTTP_NEED_CONTENT) == (came->download != NULL));
    LP_ASSERT((need == HTTP_NEED_ANSWER) == (came->answer != NULL));
    LP_ASSERT((need == HTTP_NEED_FILE) == (call->upload != NULL));
    LP_ASSERT(!call->route.has_id || call->route.session_id[0] != '\0');
}

// answer calls the handler, which has all that it needs.
static enum MHD_Result
answer(http_request *request)
{
    http_call *call = http_request_get_call(request);
    check_came(call);
    enum MHD_Result result = handlers[call->route.line - http_route_lines](call);
    http_request_drop(request); // as long as the answer is being sent would be too long
    return result;
}

// waits_or_stops returns what a wait that began, or did not, has libmicrohttpd do.
static enum MHD_Result
waits_or_stops(const http_call *call, lp_err err)
{
    LP_ASSERT(err == LP_OK || err == LP_ECLOSED);
    return err == LP_OK ? MHD_YES : reply_stopping(call);
}

static enum MHD_Result
wait_for_answer(http_request *request)
{
    const http_call *call = http_request_get_call(request);
    ask_query *query = NULL;
    enum MHD_Result result = http_questions_read(call, &query);
    if (query == NULL) {
        return result;
    }
    note_question(call, query);
    return waits_or_stops(call, http_request_wait_for_answer(request, query));
}

// begin has the request wait for what its handler needs, or answers it, where that is nothing.
static enum MHD_Result
begin(http_request *request)
{
    static const snapshot_kind kinds[] = {
        [HTTP_NEED_TOTALS] = SNAPSHOT_TOTALS,
        [HTTP_NEED_CONTENT] = SNAPSHOT_JFR,
        [HTTP_NEED_REMOVAL] = SNAPSHOT_REMOVE,
        [HTTP_NEED_OWN] = SNAPSHOT_OWN,
        [HTTP_NEED_OWN_WIDE] = SNAPSHOT_OWN_WIDE,
    };
    http_call *call = http_request_get_call(request);
    enum MHD_Result result;
    if (!is_good(call, &result)) {
        return result;
    }
    http_need need = call->route.line->need;
    switch (need) {
    case HTTP_NEED_NOTHING:
        return answer(request);
    case HTTP_NEED_FILE:
        return waits_or_stops(call, http_request_wait_for_upload(request));
    case HTTP_NEED_ANSWER:
        return wait_for_answer(request);
    case HTTP_NEED_CONTENT:
    case HTTP_NEED_REMOVAL:
        note_service(call);
        break;
    case HTTP_NEED_TOTALS:
    case HTTP_NEED_OWN:
    case HTTP_NEED_OWN_WIDE:
        break;
    }
    return waits_or_stops(call, http_request_wait_for_snapshot(request, kinds[need]));
}

// rewrite makes the request wait until download, which it takes, is rewritten.
static enum MHD_Result
rewrite(http_request *request, http_download *download)
{
    LP_ASSERT(download != NULL);
    const http_call *call = http_request_get_call(request);
    if (http_rewriter_reserve(call->shared->rewriter, download) != LP_OK) {
        http_download_destroy(download);
        return http_reply_error(call->connection, MHD_HTTP_SERVICE_UNAVAILABLE,
            "%d downloads with context-style or sample-contexts=true, or from an object store, are "
            "being made or "
            "sent, which is as many as may be at once: try again later",
            HTTP_REWRITTEN_MAX);
    }
    return waits_or_stops(call, http_request_wait_for_rewriting(request, download));
}

// make_content makes a download of the snapshot that came, and answers with that, or has it
// rewritten before.
static enum MHD_Result
make_content(http_request *request)
{
    http_call *call = http_request_get_call(request);
    LP_ASSERT(call->came.snapshot != NULL);
    http_download *download = NULL;
    enum MHD_Result result = http_download_open(call, &download);
    http_request_drop(request);
    if (download == NULL) {
        return result;
    }
    note_download(call);
    if (http_download_needs_rewriting(download, call)) {
        return rewrite(request, download);
    }
    call->came.download = download;
    return answer(request);
}

enum MHD_Result
http_frame_go_on(http_request *request)
{
    if (!http_request_has_waited(request)) {
        return begin(request);
    }
    http_wait_end end = http_request_end_wait(request);
    const http_call *call = http_request_get_call(request);
    if (end == HTTP_WAIT_LEFT) {
        return MHD_NO;
    }
    http_need need = call->route.line->need;
    if (end == HTTP_WAIT_CLOSED) {
        return reply_stopping(call);
    }
    const http_came *came = &call->came;
    if (need != HTTP_NEED_FILE && came->snapshot == NULL && came->download == NULL &&
        came->answer == NULL) {
        return http_reply_out_of_memory(call->connection);
    }
    if (need == HTTP_NEED_REMOVAL && came->snapshot->err == LP_OK) {
        note_removal(call, NULL);
    }
    return need == HTTP_NEED_CONTENT && came->download == NULL ? make_content(request)
                                                               : answer(request);
}

void
http_frame_note_closed(const http_call *call)
{
    if (call->route.line->need == HTTP_NEED_REMOVAL) {
        note_removal(call, "asked for, and the collector stopped before it said how it ended");
    }
}
