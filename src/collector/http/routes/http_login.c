// SPDX-License-Identifier: Apache-2.0
// http_login: login and logout of the page. POST with Authorization: Bearer TOKEN begins a session,
// whose cookie (http_cookie.h) replaces the token; DELETE ends it. There is no form, so a page of
// another origin cannot send the login.
//
// Tests:   tests/unit/collector/http/routes/test_http_login.c

#include "collector/base/metrics.h"
#include "collector/http/routes/http_access.h"
#include "collector/http/routes/http_audit.h"
#include "collector/http/routes/http_call.h"
#include "collector/http/routes/http_callers.h"
#include "collector/http/wire/http_connection.h"
#include "collector/http/wire/http_reply.h"
#include "common/base/lp_assert.h"

#include <stdio.h>

// reply_state answers with the identity that is logged in; NULL: nobody. cookie: the value of
// Set-Cookie; NULL: none.
static enum MHD_Result
reply_state(const http_call *call, const char *identity, const char *cookie)
{
    json_t *state = json_pack("{s:b}", "is_needed", call->shared->config.access != NULL);
    json_t *name = identity == NULL ? json_null() : http_reply_text_json(identity);
    if (state == NULL || json_object_set_new(state, "identity", name) != 0) {
        json_decref(state);
        return http_reply_out_of_memory(call->connection);
    }
    return http_reply_json_with(call->connection, MHD_HTTP_OK, state,
        (http_header){cookie == NULL ? NULL : MHD_HTTP_HEADER_SET_COOKIE, cookie});
}

enum MHD_Result
http_login_show(http_call *call)
{
    http_call_check(call, HTTP_NEED_NOTHING);
    LP_ASSERT(call->caller.rule == NULL);
    access_caller caller;
    http_callers_finding finding =
        http_callers_find(&call->shared->callers, call->connection, false, &caller);
    LP_REQUIRE(finding != HTTP_CALLERS_STRANGE, http_access_refuse(call, finding)); // audited
    bool is_known = finding == HTTP_CALLERS_KNOWN;
    enum MHD_Result result =
        reply_state(call, is_known ? access_caller_get_name(&caller) : NULL, NULL);
    access_caller_fini(&caller);
    return result;
}

static void
note(const http_call *call, const char *event, const access_caller *caller)
{
    const http_audit_entry entry = {.event = event, .identity = access_caller_get_name(caller)};
    http_audit_note(&call->shared->audit, call->connection, &entry);
}

// begin begins a session for a caller with a token, and ends the sessions in its cookies.
static enum MHD_Result
begin(const http_call *call, const access_caller *caller)
{
    LP_ASSERT(caller->rule != NULL);
    const http_callers *callers = &call->shared->callers;
    char id[ACCESS_LOGIN_ID_CHARS + 1];
    char cookie[HTTP_COOKIE_BYTES];
    for (access_caller owner; http_callers_end_session(callers, call->connection, &owner);) {
        access_caller_fini(&owner);
    }
    if (access_logins_begin(callers->logins, caller->rule, http_callers_now_ns(), id) != LP_OK) {
        return http_reply_error(call->connection, MHD_HTTP_INTERNAL_SERVER_ERROR,
            "the system returned no random bytes for a session: try again later");
    }
    http_cookie_format(&callers->cookie, http_connection_get_base(call->connection), id, cookie);
    note(call, "login", caller);
    return reply_state(call, access_caller_get_name(caller), cookie);
}

// refuse answers an unknown token. Over the limit of attempts it answers 429 with Retry-After.
static enum MHD_Result
refuse(http_call *call)
{
    LP_ASSERT(call->shared->config.access != NULL);
    unsigned wait_s = access_attempts_take(&call->shared->attempts,
        http_connection_find_peer(call->connection), http_callers_now_ns());
    LP_REQUIRE(wait_s != 0, http_access_refuse(call, HTTP_CALLERS_STRANGE));
    char seconds[16];
    metrics_add(METRICS_logins_put_off, 1);
    const http_audit_entry entry = {.event = "refused",
        .path = call->route.path,
        .why = "too many failed logins",
        .is_once = true};
    http_audit_note(&call->shared->audit, call->connection, &entry);
    (void)snprintf(seconds, sizeof(seconds), "%u", wait_s);
    return http_reply_json_with(call->connection, MHD_HTTP_TOO_MANY_REQUESTS,
        json_pack("{s:s}", "error", "too many failed logins: try again later"),
        (http_header){MHD_HTTP_HEADER_RETRY_AFTER, seconds});
}

enum MHD_Result
http_login_begin(http_call *call)
{
    http_call_check(call, HTTP_NEED_NOTHING);
    LP_ASSERT(call->caller.rule == NULL); // HTTP_RIGHT_ANYONE
    LP_REQUIRE(call->shared->config.access != NULL,
        http_reply_error(call->connection, MHD_HTTP_NOT_FOUND,
            "this collector has no tokens: no login is needed"));
    LP_REQUIRE(http_callers_find_token(call->connection).ptr != NULL,
        http_reply_challenge(
            call->connection, "a login needs a token: send Authorization: Bearer TOKEN"));
    access_caller caller;
    LP_REQUIRE(http_callers_find(&call->shared->callers, call->connection, false, &caller) ==
                   HTTP_CALLERS_KNOWN,
        refuse(call));
    bool is_good =
        access_caller_has(&caller, ACCESS_READ) || access_caller_has(&caller, ACCESS_ADMIN);
    enum MHD_Result result =
        is_good ? begin(call, &caller) : http_access_reply_forbidden(call, &caller, "reading");
    access_caller_fini(&caller);
    return result;
}

enum MHD_Result
http_login_end(http_call *call)
{
    http_call_check(call, HTTP_NEED_NOTHING);
    LP_ASSERT(call->caller.rule == NULL);
    const http_callers *callers = &call->shared->callers;
    LP_REQUIRE(callers->access != NULL, reply_state(call, NULL, NULL));
    access_caller caller;
    http_callers_finding finding = http_callers_find(callers, call->connection, true, &caller);
    access_caller_fini(&caller);
    LP_REQUIRE(finding != HTTP_CALLERS_ELSEWHERE, http_access_refuse(call, finding));
    // Also with an unknown token: another page cannot send one.
    for (access_caller owner; http_callers_end_session(callers, call->connection, &owner);) {
        note(call, "logout", &owner);
        access_caller_fini(&owner);
    }
    LP_REQUIRE(finding != HTTP_CALLERS_STRANGE, http_access_refuse(call, finding));
    char cookie[HTTP_COOKIE_BYTES];
    http_cookie_format(&callers->cookie, http_connection_get_base(call->connection), NULL, cookie);
    return reply_state(call, NULL, cookie);
}
