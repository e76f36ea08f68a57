// SPDX-License-Identifier: Apache-2.0
#include "collector/http/routes/http_access.h"

#include "collector/base/loopback.h"
#include "collector/base/metrics.h"
#include "collector/base/secret_hash.h"
#include "collector/http/routes/http_audit.h"
#include "collector/http/routes/http_callers.h"
#include "collector/http/routes/http_route.h"
#include "collector/http/wire/http_connection.h"
#include "collector/http/wire/http_reply.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { HOST_BYTES_MAX = 255 };

// --- The Host header

// cut_port copies a host without its port and brackets. Returns false if it is too long.
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
    LP_REQUIRE(len <= HOST_BYTES_MAX, false);
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

// is_localhost returns whether browsers resolve a name to this machine themselves.
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

// --- Pages of other origins

static bool
is_text(const char *value, const char *wanted)
{
    return value != NULL && strcmp(value, wanted) == 0;
}

// has_port returns whether longer is host followed by port.
static bool
has_port(const char *longer, const char *host, const char *port)
{
    size_t len = strlen(host);
    return strncasecmp(longer, host, len) == 0 && strcmp(longer + len, port) == 0;
}

// is_origin_of returns whether origin has this host. The scheme may differ: TLS may end at a proxy.
static bool
is_origin_of(const char *origin, const char *host)
{
    const char *colons = strstr(origin, "://");
    LP_REQUIRE(colons != NULL && host != NULL, false); // "null": a page without an origin
    const char *port = strncasecmp(origin, "https", strlen("https")) == 0 ? ":443" : ":80";
    const char *own = colons + strlen("://");
    return strcasecmp(own, host) == 0 || has_port(own, host, port) || has_port(host, own, port);
}

bool
http_access_is_foreign(const http_access_origin *from)
{
    LP_ASSERT(from->method != NULL);
    if (from->site != NULL) {
        bool is_navigation = is_text(from->method, "GET") && is_text(from->mode, "navigate") &&
                             is_text(from->dest, "document");
        return !is_text(from->site, "same-origin") && !is_text(from->site, "none") &&
               !is_navigation;
    }
    return from->origin != NULL && !from->has_own_header && !is_origin_of(from->origin, from->host);
}

// --- Refusals

// note_refusal audits a refused request, and logs it at most once in HTTP_ACCESS_LOG_MS. identity
// NULL: unknown.
static void
note_refusal(http_call *call, const char *identity, const char *why)
{
    LP_ASSERT(why != NULL && call->route.path != NULL);
    http_shared *shared = call->shared;
    const http_audit_entry entry = {.event = "refused",
        .identity = identity,
        .path = call->route.path,
        .why = why,
        .is_once = true};
    http_audit_note(&shared->audit, call->connection, &entry);
    int64_t now = lp_time_mono_ms();
    int64_t due = atomic_load_explicit(&shared->refusal_log_ms, memory_order_relaxed);
    if (now < due || !atomic_compare_exchange_strong_explicit(&shared->refusal_log_ms, &due,
                         now + HTTP_ACCESS_LOG_MS, memory_order_relaxed, memory_order_relaxed)) {
        return;
    }
    char address[PEERS_ADDRESS_BYTES];
    http_connection_format_peer(call->connection, address);
    lp_log(LP_LOG_WARN, "refused a request from %s: %s", address, why);
}

// note_failure also counts it.
static void
note_failure(http_call *call, const char *identity, const char *why)
{
    metrics_add(METRICS_logins_failed_http, 1);
    note_refusal(call, identity, why);
}

enum MHD_Result
http_access_reply_forbidden(http_call *call, const access_caller *caller, const char *what)
{
    LP_ASSERT(caller->rule != NULL);
    char why[256];
    (void)snprintf(why, sizeof(why), "the token of '%s' does not allow %s",
        access_caller_get_name(caller), what);
    note_failure(call, access_caller_get_name(caller), why);
    return http_reply_error(call->connection, MHD_HTTP_FORBIDDEN, "%s", why);
}

// --- The caller

enum MHD_Result
http_access_refuse(http_call *call, http_callers_finding finding)
{
    LP_ASSERT(finding != HTTP_CALLERS_KNOWN);
    switch (finding) {
    case HTTP_CALLERS_STRANGE:
        note_failure(call, NULL, "unknown token");
        return http_reply_challenge(call->connection, "unknown token: check that it is complete");
    case HTTP_CALLERS_ELSEWHERE:
        note_failure(call, NULL, "a session used by another page");
        return http_reply_error(call->connection, MHD_HTTP_FORBIDDEN,
            "a session works from the collector's own page only: open that page; a request that "
            "changes something needs a header " HTTP_COOKIE_PAGE_HEADER);
    case HTTP_CALLERS_OVER:
        return http_reply_challenge(call->connection, "the session has ended: log in again");
    case HTTP_CALLERS_SILENT: // browsers at first
    case HTTP_CALLERS_KNOWN:
        break;
    }
    return http_reply_challenge(
        call->connection, "a token is required: send Authorization: Bearer TOKEN");
}

// --- Rights

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

// may_have_recording checks the rights for the recording's service.
static bool
may_have_recording(http_call *call, enum MHD_Result *out_result)
{
    LP_ASSERT(call->route.has_id);
    http_catalog *store = &call->shared->store;
    question q = {.caller = &call->caller};
    (void)pthread_mutex_lock(&store->mutex);
    lp_err err = catalog_find(store->catalog, call->route.session_id, on_session, &q);
    (void)pthread_mutex_unlock(&store->mutex);
    bool is_removal = call->route.line->right == HTTP_RIGHT_REMOVE;
    if (err == LP_OK && (is_removal ? q.may_remove : q.may_read)) {
        return true;
    }
    if (err == LP_OK && q.may_read) {
        *out_result =
            http_access_reply_forbidden(call, &call->caller, "removing recordings of this service");
        return false;
    }
    if (err == LP_OK) {
        const http_audit_entry entry = {.event = "refused",
            .identity = access_caller_get_name(&call->caller),
            .path = call->route.path,
            .why = "a recording of a service it may not read",
            .is_once = true};
        http_audit_note(&call->shared->audit, call->connection, &entry);
    }
    *out_result =
        http_reply_failure(call->connection, err == LP_OK ? LP_ENOENT : err, "reading the catalog");
    return false;
}

bool
http_access_is_default_policy(const char *service)
{
    return strcmp(service, "default") == 0;
}

// find_missing returns the right that the caller's token lacks, in words. NULL: none.
static const char *
find_missing(const http_call *call)
{
    const access_caller *caller = &call->caller;
    const char *service = call->route.service;
    http_right right = call->route.line->right;
    if (right == HTTP_RIGHT_READ_ALL) {
        return access_caller_may(caller, ACCESS_READ, NULL) ? NULL : "reading all services";
    }
    LP_ASSERT(right != HTTP_RIGHT_READ || service != NULL);
    if (right == HTTP_RIGHT_READ && !http_access_is_default_policy(service)) {
        return access_caller_may(caller, ACCESS_READ, service) ? NULL : "reading this service";
    }
    if (right == HTTP_RIGHT_PIN) {
        return access_caller_has(caller, ACCESS_PIN) ? NULL : "pins";
    }
    bool needs_read = right == HTTP_RIGHT_READ || right == HTTP_RIGHT_READ_ANY;
    return !needs_read || access_caller_has(caller, ACCESS_READ) ? NULL : "reading";
}

static bool
may_have(http_call *call, enum MHD_Result *out_result)
{
    LP_ASSERT(call->caller.rule != NULL);
    if (call->route.has_id) {
        return may_have_recording(call, out_result);
    }
    const char *missing = find_missing(call);
    if (missing != NULL) {
        *out_result = http_access_reply_forbidden(call, &call->caller, missing);
    }
    return missing == NULL;
}

// changes returns whether a right is to change what is stored.
static bool
changes(http_right right)
{
    return right == HTTP_RIGHT_REMOVE || right == HTTP_RIGHT_PIN;
}

// is_host_good returns whether the Host header names this machine, if it must: on a local
// collector, and for changes without tokens. These must come from this machine, but so may the
// browser of a foreign page.
static bool
is_host_good(const http_call *call)
{
    const http_config *config = &call->shared->config;
    const char *host = http_connection_get_host(call->connection);
    bool is_change = changes(call->route.line->right);
    bool is_checked = config->is_local || (is_change && config->access == NULL);
    // Browsers always send one.
    return !is_checked || host == NULL || http_access_is_host_local(host, config->address);
}

// is_of_other_page returns whether a page of another origin made the request.
static bool
is_of_other_page(const http_call *call)
{
    struct MHD_Connection *connection = call->connection;
    const http_access_origin from = {.method = call->method,
        .site = http_connection_get_header(connection, "Sec-Fetch-Site"),
        .mode = http_connection_get_header(connection, "Sec-Fetch-Mode"),
        .dest = http_connection_get_header(connection, "Sec-Fetch-Dest"),
        .origin = http_connection_get_header(connection, MHD_HTTP_HEADER_ORIGIN),
        .host = http_connection_get_host(connection),
        .has_own_header =
            http_connection_get_header(connection, MHD_HTTP_HEADER_AUTHORIZATION) != NULL ||
            http_connection_get_header(connection, HTTP_COOKIE_PAGE_HEADER) != NULL};
    return http_access_is_foreign(&from);
}

// has_node_key returns whether a request has the key of the collectors that share the catalog.
static bool
has_node_key(const http_call *call)
{
    LP_ASSERT(call->route.line->right == HTTP_RIGHT_NODE);
    const char *key = atomic_load_explicit(&call->shared->node_key, memory_order_acquire);
    lp_slice shown = http_callers_find_token(call->connection);
    LP_REQUIRE(key != NULL && shown.ptr != NULL, false);
    uint8_t hashes[2][SECRET_HASH_BYTES];
    secret_hash_make(shown, hashes[0]);
    secret_hash_make((lp_slice){(const uint8_t *)key, strlen(key)}, hashes[1]);
    return secret_hash_is_equal(hashes[0], hashes[1]);
}

bool
http_access_check(http_call *call, enum MHD_Result *out_result)
{
    LP_ASSERT(call->caller.rule == NULL);
    http_right right = call->route.line->right;
    if (is_of_other_page(call)) {
        metrics_add(METRICS_http_cross_site, 1);
        note_refusal(call, NULL, "a request by a page of another site");
        *out_result = http_reply_error(call->connection, MHD_HTTP_FORBIDDEN,
            "a page of another site may only link here: open this address directly, or use a "
            "program");
        return false;
    }
    if (!is_host_good(call)) {
        note_failure(call, NULL, "its Host header names another machine");
        *out_result = http_reply_error(call->connection, MHD_HTTP_MISDIRECTED_REQUEST,
            "this collector only serves its own machine: use localhost, 127.0.0.1 or [::1]");
        return false;
    }
    if (call->shared->config.access == NULL || right == HTTP_RIGHT_ANYONE ||
        right == HTTP_RIGHT_PROBE || right == HTTP_RIGHT_NODE) {
        return true;
    }
    http_callers_finding finding =
        http_callers_find(&call->shared->callers, call->connection, changes(right), &call->caller);
    if (finding != HTTP_CALLERS_KNOWN) {
        *out_result = http_access_refuse(call, finding);
        return false;
    }
    return may_have(call, out_result);
}

bool
http_access_check_place(const http_call *call, enum MHD_Result *out_result)
{
    LP_ASSERT(call->route.has_method);
    http_right right = call->route.line->right;
    if (right == HTTP_RIGHT_NODE && !has_node_key(call)) {
        metrics_add(METRICS_logins_failed_nodes, 1);
        *out_result = http_reply_error(call->connection, MHD_HTTP_FORBIDDEN,
            "this path is only for collectors that share the catalog");
        return false;
    }
    if (changes(right) && call->shared->config.access == NULL &&
        !http_connection_is_local(call->connection)) {
        *out_result = http_reply_error(call->connection, MHD_HTTP_FORBIDDEN,
            "without tokens, recordings can only be removed or pinned from the collector's own "
            "machine");
        return false;
    }
    return true;
}
