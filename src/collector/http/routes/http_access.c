// SPDX-License-Identifier: Apache-2.0
#include "collector/http/routes/http_access.h"

#include "collector/base/loopback.h"
#include "collector/base/metrics.h"
#include "collector/http/routes/http_policies.h"
#include "collector/http/wire/http_connection.h"
#include "collector/http/wire/http_peer.h"
#include "collector/http/wire/http_reply.h"
#include "collector/http/wire/http_site.h"
#include "common/base/lp_log.h"
#include "common/base/lp_quote.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum { HOST_BYTES_MAX = 255 };

// --- The Host header

// cut_port copies a host without its port and brackets. False: it is too long.
static bool
cut_port(const char *host, char out[HOST_BYTES_MAX + 1])
{
    size_t len = strlen(host);
    const char *bracket = strchr(host, ']');
    if (host[0] == '[' && bracket != NULL && (bracket[1] == '\0' || bracket[1] == ':')) {
        host++;
        len = (size_t)(bracket - host);
    } else if (strchr(host, ':') != NULL) {
        len = (size_t)(strrchr(host, ':') - host);
    }
    if (len > HOST_BYTES_MAX) {
        return false;
    }
    memcpy(out, host, len);
    out[len] = '\0';
    return true;
}

static bool
is_loopback_literal(const char *host)
{
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } at = {.v4 = {.sin_family = AF_INET}};
    if (inet_pton(AF_INET, host, &at.v4.sin_addr) == 1) {
        return loopback_has_address(&at.any);
    }
    at.v6 = (struct sockaddr_in6){.sin6_family = AF_INET6};
    return inet_pton(AF_INET6, host, &at.v6.sin6_addr) == 1 && loopback_has_address(&at.any);
}

// is_localhost returns whether browsers take a name for this machine without asking anybody.
static bool
is_localhost(const char *host)
{
    static const char localhost[] = "localhost";
    size_t len = strlen(host);
    size_t own_len = sizeof(localhost) - 1;
    return len >= own_len && strcasecmp(host + len - own_len, localhost) == 0 &&
           (len == own_len || host[len - own_len - 1] == '.');
}

bool
http_access_is_host_local(const char *host, const char *address)
{
    char name[HOST_BYTES_MAX + 1];
    char own[HOST_BYTES_MAX + 1];
    return cut_port(host, name) && (is_localhost(name) || is_loopback_literal(name) ||
                                       (cut_port(address, own) && strcasecmp(name, own) == 0));
}

// --- Refusals

static int64_t
now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// note_refusal audits that somebody was not let in, and logs some of them. identity: NULL, nobody
// knows.
static void
note_refusal(http_access *self, struct MHD_Connection *connection, const http_route *route,
    const char *identity, const char *why)
{
    const http_audit_entry entry = {
        .event = "refused", .identity = identity, .path = route->path, .why = why};
    http_audit_note_once(self->audit, connection, &entry);
    int64_t now = now_ms();
    int64_t due = atomic_load_explicit(&self->log_ms, memory_order_relaxed);
    if (now < due || !atomic_compare_exchange_strong_explicit(&self->log_ms, &due,
                         now + HTTP_ACCESS_LOG_MS, memory_order_relaxed, memory_order_relaxed)) {
        return;
    }
    char address[HTTP_PEER_BYTES];
    http_peer_format(connection, address);
    lp_log(LP_LOG_WARN, "refused a request from %s: %s", address, why);
}

// note_failure counts it as well.
static void
note_failure(http_access *self, struct MHD_Connection *connection, const http_route *route,
    const char *identity, const char *why)
{
    metrics_add(METRICS_logins_failed_http, 1);
    note_refusal(self, connection, route, identity, why);
}

enum MHD_Result
http_access_reply_forbidden(http_access *self, struct MHD_Connection *connection,
    const http_route *route, const access_caller *caller, const char *what)
{
    char why[256];
    (void)snprintf(
        why, sizeof(why), "the token of '%s' is not for %s", access_caller_get_name(caller), what);
    note_failure(self, connection, route, access_caller_get_name(caller), why);
    return http_reply_error(connection, MHD_HTTP_FORBIDDEN, "%s", why);
}

// --- Who asks

enum MHD_Result
http_access_refuse(http_access *self, struct MHD_Connection *connection, const http_route *route,
    http_callers_finding finding)
{
    switch (finding) {
    case HTTP_CALLERS_STRANGE:
        note_failure(self, connection, route, NULL, "a token that is not known");
        return http_reply_challenge(connection, "this token is not known");
    case HTTP_CALLERS_ELSEWHERE:
        note_failure(self, connection, route, NULL, "a session that another page used");
        return http_reply_error(connection, MHD_HTTP_FORBIDDEN,
            "a session is for the collector's own page: to read, open that; what changes something "
            "has a header " HTTP_COOKIE_PAGE_HEADER);
    case HTTP_CALLERS_OVER:
        return http_reply_challenge(connection, "the session is over: log in again");
    case HTTP_CALLERS_SILENT: // as browsers are at first
    case HTTP_CALLERS_KNOWN:
        break;
    }
    return http_reply_challenge(connection, "this needs a token: send Authorization: Bearer TOKEN");
}

// --- What it may have

typedef struct question {
    const access_caller *caller;
    bool may_read;
    bool may_remove;
} question;

static void
on_session(void *arg, const catalog_session *session)
{
    question *q = arg;
    q->may_read = access_caller_may(q->caller, ACCESS_READ, session->service);
    q->may_remove = access_caller_may(q->caller, ACCESS_ADMIN, session->service);
}

// may_have_recording looks whose the recording is. One that the catalog does not know is not there
// for anybody.
static bool
may_have_recording(http_access *self, struct MHD_Connection *connection, http_catalog *store,
    const http_route *route, bool is_removal, const access_caller *caller,
    enum MHD_Result *out_result)
{
    question q = {.caller = caller};
    (void)pthread_mutex_lock(&store->mutex);
    lp_err err = catalog_find(store->catalog, route->session_id, on_session, &q);
    (void)pthread_mutex_unlock(&store->mutex);
    if (err == LP_OK && (is_removal ? q.may_remove : q.may_read)) {
        return true;
    }
    if (err == LP_OK && !q.may_read) {
        const http_audit_entry entry = {.event = "refused",
            .identity = access_caller_get_name(caller),
            .path = route->path,
            .why = "a recording of a service that it may not read"};
        http_audit_note_once(self->audit, connection, &entry);
    }
    bool is_known_to_be_there = err == LP_OK && q.may_read;
    *out_result = is_known_to_be_there ? http_access_reply_forbidden(self, connection, route,
                                             caller, "removing recordings of this service")
                                       : http_catalog_reply_failure(connection,
                                             err == LP_OK ? LP_ENOENT : err, "reading the catalog");
    return false;
}

static bool
may_have(http_access *self, struct MHD_Connection *connection, http_catalog *store,
    const http_route *route, bool is_removal, const access_caller *caller,
    enum MHD_Result *out_result)
{
    const char *missing = NULL;
    switch (route->kind) {
    case HTTP_ROUTE_SHOW:
    case HTTP_ROUTE_DOWNLOAD:
        return may_have_recording(self, connection, store, route, is_removal, caller, out_result);
    case HTTP_ROUTE_METRICS:
        missing = access_caller_may(caller, ACCESS_READ, NULL) ? NULL : "reading all services";
        break;
    case HTTP_ROUTE_POLICY:
        if (!http_policies_is_default(route->service)) {
            missing = access_caller_may(caller, ACCESS_READ, route->service)
                          ? NULL
                          : "reading this service";
            break;
        }
        missing = access_caller_has(caller, ACCESS_READ) ? NULL : "reading";
        break;
    case HTTP_ROUTE_LIST:
    case HTTP_ROUTE_POLICIES:
    case HTTP_ROUTE_ABOUT:
    case HTTP_ROUTE_ASK:
        missing = access_caller_has(caller, ACCESS_READ) ? NULL : "reading";
        break;
    case HTTP_ROUTE_NONE:
    case HTTP_ROUTE_UPLOAD: // where there are tokens no files are taken
    case HTTP_ROUTE_HEALTH:
    case HTTP_ROUTE_READY:
    case HTTP_ROUTE_PAGE:
    case HTTP_ROUTE_LOGIN:
    case HTTP_ROUTE_PENDING:
        break;
    }
    if (missing != NULL) {
        *out_result = http_access_reply_forbidden(self, connection, route, caller, missing);
    }
    return missing == NULL;
}

// is_for_all returns whether a route says nothing that is anybody's, or asks by itself who it is.
static bool
is_for_all(const http_route *route)
{
    return route->kind == HTTP_ROUTE_NONE || route->kind == HTTP_ROUTE_HEALTH ||
           route->kind == HTTP_ROUTE_READY || route->kind == HTTP_ROUTE_PAGE ||
           route->kind == HTTP_ROUTE_LOGIN || route->kind == HTTP_ROUTE_PENDING;
}

// is_host_good returns whether the Host header is this machine's, where it has to be. Where there
// are no tokens a removal has to come from this machine, which the browser of a page of elsewhere
// may be on.
static bool
is_host_good(const http_access *self, struct MHD_Connection *connection, bool is_removal)
{
    const char *host = http_connection_get_host(connection);
    bool is_checked = self->checks_host || (is_removal && self->callers.access == NULL);
    // What sends none (HTTP/1.0) is no browser.
    return !is_checked || host == NULL || http_access_is_host_local(host, self->address);
}

static const char *
header_of(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

// is_of_other_page returns whether a browser asks for a page of another origin (http_site.h).
static bool
is_of_other_page(struct MHD_Connection *connection, const char *method)
{
    const http_site_head head = {.method = method,
        .site = header_of(connection, "Sec-Fetch-Site"),
        .mode = header_of(connection, "Sec-Fetch-Mode"),
        .dest = header_of(connection, "Sec-Fetch-Dest"),
        .origin = header_of(connection, MHD_HTTP_HEADER_ORIGIN),
        .host = http_connection_get_host(connection),
        .has_own_header = header_of(connection, MHD_HTTP_HEADER_AUTHORIZATION) != NULL ||
                          header_of(connection, HTTP_COOKIE_PAGE_HEADER) != NULL};
    return http_site_is_foreign(&head);
}

bool
http_access_check(http_access *self, struct MHD_Connection *connection, http_catalog *store,
    const http_route *route, const char *method, access_caller *out_caller,
    enum MHD_Result *out_result)
{
    bool is_removal = http_route_is_removal(route, method);
    if (is_of_other_page(connection, method)) {
        metrics_add(METRICS_http_cross_site, 1);
        note_refusal(self, connection, route, NULL, "a page of another site asks");
        *out_result = http_reply_error(connection, MHD_HTTP_FORBIDDEN,
            "a page of another site may link here, and not ask: open this address itself, or have "
            "a program ask");
        return false;
    }
    if (!is_host_good(self, connection, is_removal)) {
        note_failure(self, connection, route, NULL, "its Host header names another machine");
        *out_result = http_reply_error(connection, MHD_HTTP_MISDIRECTED_REQUEST,
            "this collector serves its own machine alone, as localhost, 127.0.0.1 or [::1]");
        return false;
    }
    *out_caller = (access_caller){0};
    if (self->callers.access == NULL || is_for_all(route)) {
        return true;
    }
    access_caller caller;
    http_callers_finding finding =
        http_callers_find(&self->callers, connection, is_removal, &caller);
    if (finding != HTTP_CALLERS_KNOWN) {
        *out_result = http_access_refuse(self, connection, route, finding);
        return false;
    }
    if (!may_have(self, connection, store, route, is_removal, &caller, out_result)) {
        access_caller_fini(&caller);
        return false;
    }
    *out_caller = caller;
    return true;
}
