// SPDX-License-Identifier: Apache-2.0
#include "collector/http/routes/http_login.h"

#include "collector/base/metrics.h"
#include "collector/http/wire/http_connection.h"
#include "collector/http/wire/http_peer.h"
#include "collector/http/wire/http_reply.h"

#include <stdio.h>
#include <string.h>

// reply_state answers who is logged in; identity may be NULL. cookie: as it is to be set; NULL:
// not.
static enum MHD_Result
reply_state(const http_login *self, struct MHD_Connection *connection, const char *identity,
    const char *cookie)
{
    json_t *state = json_pack("{s:b}", "is_needed", self->access->callers.access != NULL);
    json_t *name = identity == NULL ? json_null() : http_reply_text_json(identity);
    if (state == NULL || json_object_set_new(state, "identity", name) != 0) {
        json_decref(state);
        return http_reply_out_of_memory(connection);
    }
    return http_reply_json_with(connection, MHD_HTTP_OK, state,
        (http_header){cookie == NULL ? NULL : MHD_HTTP_HEADER_SET_COOKIE, cookie});
}

static enum MHD_Result
show(http_login *self, struct MHD_Connection *connection, const http_route *route)
{
    access_caller caller;
    http_callers_finding finding =
        http_callers_find(&self->access->callers, connection, false, &caller);
    if (finding == HTTP_CALLERS_STRANGE) { // tokens are not tried without a trace
        return http_access_refuse(self->access, connection, route, finding);
    }
    bool is_known = finding == HTTP_CALLERS_KNOWN;
    enum MHD_Result result =
        reply_state(self, connection, is_known ? access_caller_get_name(&caller) : NULL, NULL);
    access_caller_fini(&caller);
    return result;
}

static void
note(http_login *self, struct MHD_Connection *connection, const char *event,
    const access_caller *caller)
{
    const http_audit_entry entry = {.event = event, .identity = access_caller_get_name(caller)};
    http_audit_note(self->audit, connection, &entry);
}

// begin begins the session of a caller with a token, in the place of those that it had.
static enum MHD_Result
begin(http_login *self, struct MHD_Connection *connection, const access_caller *caller)
{
    const http_callers *callers = &self->access->callers;
    char id[ACCESS_LOGIN_ID_CHARS + 1];
    char cookie[HTTP_COOKIE_BYTES];
    for (access_caller owner; http_callers_end_session(callers, connection, &owner);) {
        access_caller_fini(&owner);
    }
    if (access_logins_begin(callers->logins, caller->rule, http_callers_now_ns(), id) != LP_OK) {
        return http_reply_error(connection, MHD_HTTP_INTERNAL_SERVER_ERROR,
            "the system has no random bytes for a session");
    }
    http_cookie_format(&callers->cookie, http_connection_get_base(connection), id, cookie);
    note(self, connection, "login", caller);
    return reply_state(self, connection, access_caller_get_name(caller), cookie);
}

// refuse answers a token that nobody knows. An attempt too many is counted elsewhere, and its
// answer says when to try again.
static enum MHD_Result
refuse(http_login *self, struct MHD_Connection *connection, const http_route *route)
{
    unsigned wait_s =
        access_attempts_take(&self->attempts, http_peer_hash(connection), http_callers_now_ns());
    if (wait_s == 0) {
        return http_access_refuse(self->access, connection, route, HTTP_CALLERS_STRANGE);
    }
    char seconds[16];
    metrics_add(METRICS_logins_put_off, 1);
    const http_audit_entry entry = {
        .event = "refused", .path = route->path, .why = "too many attempts to log in"};
    http_audit_note_once(self->audit, connection, &entry);
    (void)snprintf(seconds, sizeof(seconds), "%u", wait_s);
    return http_reply_json_with(connection, MHD_HTTP_TOO_MANY_REQUESTS,
        json_pack("{s:s}", "error", "too many attempts to log in have failed: try again later"),
        (http_header){MHD_HTTP_HEADER_RETRY_AFTER, seconds});
}

static enum MHD_Result
log_in(http_login *self, struct MHD_Connection *connection, const http_route *route)
{
    if (self->access->callers.access == NULL) {
        return http_reply_error(connection, MHD_HTTP_NOT_FOUND,
            "this collector asks nobody for a token: there is nothing to log in to");
    }
    if (!http_callers_has_token(connection)) {
        return http_reply_challenge(
            connection, "logging in needs a token: send Authorization: Bearer TOKEN");
    }
    access_caller caller;
    if (http_callers_find(&self->access->callers, connection, false, &caller) !=
        HTTP_CALLERS_KNOWN) {
        return refuse(self, connection, route);
    }
    enum MHD_Result result;
    if (!access_caller_has(&caller, ACCESS_READ) && !access_caller_has(&caller, ACCESS_ADMIN)) {
        result = http_access_reply_forbidden(self->access, connection, route, &caller, "reading");
    } else {
        result = begin(self, connection, &caller);
    }
    access_caller_fini(&caller);
    return result;
}

static enum MHD_Result
log_out(http_login *self, struct MHD_Connection *connection, const http_route *route)
{
    const http_callers *callers = &self->access->callers;
    if (callers->access == NULL) {
        return reply_state(self, connection, NULL, NULL);
    }
    access_caller caller;
    http_callers_finding finding = http_callers_find(callers, connection, true, &caller);
    access_caller_fini(&caller);
    if (finding == HTTP_CALLERS_ELSEWHERE) {
        return http_access_refuse(self->access, connection, route, finding);
    }
    // With a token of any kind as well: another page could not have sent that.
    for (access_caller owner; http_callers_end_session(callers, connection, &owner);) {
        note(self, connection, "logout", &owner);
        access_caller_fini(&owner);
    }
    if (finding == HTTP_CALLERS_STRANGE) {
        return http_access_refuse(self->access, connection, route, finding);
    }
    char cookie[HTTP_COOKIE_BYTES];
    http_cookie_format(&callers->cookie, http_connection_get_base(connection), NULL, cookie);
    return reply_state(self, connection, NULL, cookie);
}

enum MHD_Result
http_login_reply(http_login *self, struct MHD_Connection *connection, const http_route *route,
    const char *method)
{
    if (strcmp(method, MHD_HTTP_METHOD_POST) == 0) {
        return log_in(self, connection, route);
    }
    if (strcmp(method, MHD_HTTP_METHOD_DELETE) == 0) {
        return log_out(self, connection, route);
    }
    if (strcmp(method, MHD_HTTP_METHOD_GET) == 0 || strcmp(method, MHD_HTTP_METHOD_HEAD) == 0) {
        return show(self, connection, route);
    }
    return http_reply_method(connection, method, "GET, HEAD, POST, DELETE");
}
