// SPDX-License-Identifier: Apache-2.0
// http_pins: makes pins (pins.h) for a request and for the alerts that Alertmanager or Grafana send
// (http_alert_body.h), lists them, and shows what raw data there is (raw_list.h).
//
// Tests:   tests/unit/collector/http/routes/test_http_pins.c

#include "collector/http/routes/http_access.h"
#include "collector/http/routes/http_alert_body.h"
#include "collector/http/routes/http_call.h"
#include "collector/http/routes/http_pin_wish.h"
#include "collector/http/wire/http_query.h"
#include "collector/http/wire/http_reply.h"
#include "collector/recall/raw/pin_find.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_map.h"
#include "common/base/lp_time.h"
#include "common/base/lp_vec.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- As JSON

static json_t *
time_json(int64_t wall_ns)
{
    char text[LP_TIME_BYTES];
    lp_time_format(wall_ns, text);
    return json_string(text);
}

// is_of_one returns whether a pin is of one service, whose name may be empty.
static bool
is_of_one(const pin *of)
{
    return of->session_id[0] != '\0' ||
           (of->service[0] != '\0' && strchr(of->service, '\n') == NULL);
}

// set_selection adds what a pin wants, unless that is everything.
static void
set_selection(json_t *body, const pin *of)
{
    static const char *const names[] = {
        [PIN_TRACE] = "trace", [PIN_REQUEST] = "request", [PIN_THREAD] = "thread"};
    if (of->selection.kind != PIN_ALL) {
        (void)json_object_set_new(
            body, names[of->selection.kind], http_reply_text_json(of->selection.id));
    }
}

// as_json describes a pin as it is.
static json_t *
as_json(const pin *of)
{
    json_t *body = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "key", http_reply_text_json(of->key),
        "service", is_of_one(of) ? http_reply_text_json(of->service) : json_null(), "reason",
        http_reply_text_json(of->reason), "owner", http_reply_text_json(of->owner), "from",
        time_json(of->from_wall_ns), "to", time_json(of->to_wall_ns));
    const struct {
        const char *name;
        uint64_t count;
    } counts[] = {{"waiting", of->waiting}, {"kept", of->outcomes[PIN_KEPT]},
        {"missing", of->outcomes[PIN_MISSING]}, {"failed", of->outcomes[PIN_FAILED]},
        {"without", of->outcomes[PIN_WITHOUT]}, {"over_budget", of->outcomes[PIN_OVER_BUDGET]},
        {"left_out", of->left_out}};
    for (size_t i = 0; i < LP_COUNT(counts) && body != NULL; i++) {
        (void)json_object_set_new(body, counts[i].name, http_reply_count_json(counts[i].count));
    }
    if (body != NULL && of->session_id[0] != '\0') {
        (void)json_object_set_new(body, "recording", json_string(of->session_id));
    }
    if (body != NULL) {
        set_selection(body, of);
    }
    return body;
}

static void
on_away(void *arg, const char *name)
{
    (void)json_array_append_new(arg, http_reply_text_json(name));
}

// pin_json describes a pin, with what other collectors did for it; NULL if memory ran out.
static json_t *
pin_json(const http_call *call, const pin *of)
{
    pin_peers *peers = call->shared->config.peers;
    json_t *away = peers == NULL ? NULL : json_array();
    LP_REQUIRE(away != NULL, as_json(of));
    pin_peers_view view = {.on_away = on_away, .arg = away};
    pin all = *of;
    pin_peers_add(peers, &all, lp_time_now(), &view);
    json_t *body = as_json(&all);
    if (body != NULL) {
        (void)json_object_set_new(body, "unasked", http_reply_count_json(view.unasked));
        (void)json_object_set(body, "away", away);
    }
    json_decref(away);
    return body;
}

// may_see returns whether a caller may read all services of a pin.
static bool
may_see(const access_caller *caller, const pin *of)
{
    char names[sizeof(of->service)];
    memcpy(names, of->service, sizeof(names));
    if (names[0] == '\0' && of->session_id[0] == '\0') {
        return access_caller_may(caller, ACCESS_READ, NULL);
    }
    char *rest = names;
    for (char *name; (name = strsep(&rest, "\n")) != NULL;) {
        LP_REQUIRE(access_caller_may(caller, ACCESS_READ, name), false);
    }
    return true;
}

// The pins that a caller may see. They are described later: the loop waits for the list of pins.
typedef struct pin_list {
    const access_caller *caller;
    LP_VEC(pin) items;
    lp_err err;
} pin_list;

static void
on_pin(void *arg, const pin *of)
{
    pin_list *list = arg;
    if (may_see(list->caller, of)) {
        LP_THEN(list->err, LP_VEC_ADD(&list->items, *of));
    }
}

enum MHD_Result
http_pins_list(http_call *call)
{
    http_call_check(call, HTTP_NEED_NOTHING);
    LP_ASSERT(call->route.line->right == HTTP_RIGHT_READ_ANY);
    pin_list list = {.caller = &call->caller};
    pins *from = call->shared->config.pins;
    if (from != NULL) {
        pins_each(from, on_pin, &list);
    }
    json_t *items = json_array();
    for (size_t i = 0; i < list.items.count; i++) {
        (void)json_array_append_new(items, pin_json(call, &list.items.items[i]));
    }
    LP_VEC_FINI(&list.items);
    json_t *body = json_pack("{s:o}", "pins", items);
    if (list.err != LP_OK) {
        json_decref(body);
        return http_reply_out_of_memory(call->connection);
    }
    return http_reply_json(call->connection, MHD_HTTP_OK, body);
}

// --- Raw data

// automatic_json describes what rules stored for a service.
static json_t *
automatic_json(const http_config *config, const char *service)
{
    const recall_budget_state now =
        recall_budget_get(config->recall_budget, service, lp_time_now());
    const uint64_t set_bytes = policy_dir_find_keep(config->policies, service).recall_budget_bytes;
    return json_pack("{s:o, s:o, s:o, s:o}", "bytes", http_reply_count_json(now.hour_bytes),
        "budget", http_reply_count_json(set_bytes != 0 ? set_bytes : RECALL_BUDGET_BYTES),
        "over_budget", http_reply_count_json(now.chunks_over), "paused",
        http_reply_count_json(now.pins_paused));
}

// The raw data of all collectors, by service.
typedef struct service_sums {
    const access_caller *caller;
    LP_VEC(raw_list_service) items; // own their names
    lp_map by_name;                 // hash of a name to an index in items
    json_t *away;
    lp_err err;
} service_sums;

static void
add_sums(raw_list_service *to, const raw_list_service *more)
{
    // All raw data is there since the last of the times.
    bool is_later = to->from_wall_ns == INT64_MAX ||
                    (more->from_wall_ns != INT64_MAX && more->from_wall_ns > to->from_wall_ns);
    to->from_wall_ns = is_later ? more->from_wall_ns : to->from_wall_ns;
    to->chunks += more->chunks;
    to->bytes += more->bytes;
    for (size_t i = 0; i < RAW_LIST_WHY_COUNT; i++) {
        to->dropped[i] += more->dropped[i];
    }
}

static void
on_service(void *arg, const raw_list_service *service)
{
    service_sums *sums = arg;
    if (sums->err != LP_OK || !access_caller_may(sums->caller, ACCESS_READ, service->name)) {
        return;
    }
    uint64_t hash = lp_hash_text(lp_hash_seed(), service->name);
    uint32_t index = lp_map_find(&sums->by_name, hash);
    LP_ASSERT(index == LP_MAP_NONE || index < sums->items.count);
    raw_list_service *sum = index == LP_MAP_NONE ? NULL : &sums->items.items[index];
    if (sum != NULL && strcmp(sum->name, service->name) == 0) {
        add_sums(sum, service);
        return;
    }
    raw_list_service copy = *service;
    copy.name = strdup(service->name);
    sums->err = copy.name == NULL ? LP_ENOMEM
                                  : lp_map_put(&sums->by_name, hash, (uint32_t)sums->items.count);
    LP_THEN(sums->err, LP_VEC_ADD(&sums->items, copy));
    if (sums->err != LP_OK) {
        free((char *)(uintptr_t)copy.name);
    }
}

static void
on_away_of_all(void *arg, const char *name)
{
    const service_sums *sums = arg;
    on_away(sums->away, name);
}

static json_t *
service_json(const http_config *config, const raw_list_service *service)
{
    static const char *const whys[RAW_LIST_WHY_COUNT] = {
        "age", "bytes", "disk", "removed", "failed"};
    json_t *dropped = json_object();
    for (size_t i = 0; i < RAW_LIST_WHY_COUNT; i++) {
        (void)json_object_set_new(dropped, whys[i], http_reply_count_json(service->dropped[i]));
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "service",
        http_reply_text_json(service->name), "from",
        service->from_wall_ns == INT64_MAX ? json_null() : time_json(service->from_wall_ns),
        "chunks", http_reply_count_json(service->chunks), "bytes",
        http_reply_count_json(service->bytes), "dropped", dropped, "automatic",
        automatic_json(config, service->name));
}

enum MHD_Result
http_pins_recall(http_call *call)
{
    http_call_check(call, HTTP_NEED_NOTHING);
    LP_ASSERT(call->route.line->right == HTTP_RIGHT_READ_ANY);
    const http_config *config = &call->shared->config;
    service_sums sums = {.caller = &call->caller, .away = json_array()};
    if (config->raw != NULL) {
        raw_list_each(config->raw, on_service, &sums);
    }
    if (config->peers != NULL) {
        pin_peers_each_service(config->peers, on_service, on_away_of_all, &sums);
    }
    json_t *services = json_array();
    for (size_t i = 0; i < sums.items.count; i++) {
        (void)json_array_append_new(services, service_json(config, &sums.items.items[i]));
    }
    json_t *body = json_pack("{s:o}", "services", services);
    if (config->peers != NULL && body != NULL) {
        (void)json_object_set(body, "away", sums.away);
    }
    json_decref(sums.away);
    LP_VEC_FINI_EACH(&sums.items, free((char *)(uintptr_t)at->name));
    lp_map_fini(&sums.by_name);
    LP_REQUIRE(sums.err == LP_OK, http_reply_out_of_memory(call->connection));
    return http_reply_json(call->connection, MHD_HTTP_OK, body);
}

// --- For other collectors

// read_number reads digits. Returns false if text, which may be NULL, is something else.
static bool
read_number(const char *text, uint64_t *out)
{
    char *end = NULL;
    LP_REQUIRE(text != NULL && text[0] >= '0' && text[0] <= '9', false);
    *out = strtoull(text, &end, 10);
    return *end == '\0';
}

enum MHD_Result
http_pins_exchange(http_call *call)
{
    http_call_check(call, HTTP_NEED_NOTHING);
    LP_ASSERT(call->route.line->right == HTTP_RIGHT_NODE);
    trace_ids_mark mark = {.run = 0};
    const char *run = NULL;
    const char *next = NULL;
    const http_query all = {(const http_query_text[]){{"run", &run}, {"next", &next}}, 2};
    lp_problem problem;
    LP_REQUIRE(call->shared->config.peers != NULL,
        http_reply_error(call->connection, MHD_HTTP_NOT_FOUND, "no catalog is shared"));
    LP_REQUIRE(http_query_read(&all, call->connection, &problem) == LP_OK,
        http_reply_error(call->connection, MHD_HTTP_BAD_REQUEST, "%s", problem.text));
    LP_REQUIRE(read_number(run, &mark.run) && read_number(next, &mark.next),
        http_reply_error(call->connection, MHD_HTTP_BAD_REQUEST, "run and next must be numbers"));
    return http_reply_json(
        call->connection, MHD_HTTP_OK, pin_peers_write(call->shared->config.peers, mark));
}

// --- A new pin

static void
note_service(void *arg, const catalog_session *row)
{
    pin *to = arg;
    (void)snprintf(to->service, sizeof(to->service), "%s", row->service);
    memcpy(to->session_id, row->id, sizeof(to->session_id));
}

static void
note_new(http_call *call, const pin *now)
{
    const http_audit_entry entry = {.event = "pin",
        .identity = now->owner,
        .recording = now->session_id,
        .service = now->service,
        .why = now->reason[0] == '\0' ? NULL : now->reason};
    http_audit_note(&call->shared->audit, call->connection, &entry);
}

// add_chunks adds the stored chunks to a new pin.
static lp_err
add_chunks(const http_call *call, pin *now)
{
    http_catalog *store = &call->shared->store;
    const http_config *config = &call->shared->config;
    uint64_t id = now->id;
    (void)pthread_mutex_lock(&store->mutex);
    lp_err err = pin_find_fill(store->catalog, config->raw, store->is_shared, config->pins, now);
    (void)pthread_mutex_unlock(&store->mutex);
    if (err != LP_OK) {
        pins_cancel(config->pins, id); // a repeat makes it again
    }
    return err;
}

// make makes a pin that the caller may make, and writes the audit. *out_pin is the pin as it is
// now, and *out_is_new whether it is new. asked gets its owner, and a key if it has none. Errors:
// as pins_add; as pin_find_fill
static lp_err
make(http_call *call, pin *asked, pin *out_pin, bool *out_is_new)
{
    LP_ASSERT(call->shared->config.pins != NULL);
    if (asked->key[0] == '\0') {
        (void)snprintf(asked->key, sizeof(asked->key), "%" PRId64, asked->made_wall_ns);
    }
    (void)snprintf(asked->owner, sizeof(asked->owner), "%s", access_caller_get_name(&call->caller));
    LP_TRY(pins_add(call->shared->config.pins, asked, out_pin, out_is_new));
    if (*out_is_new) {
        LP_TRY(add_chunks(call, out_pin));
        note_new(call, out_pin);
    }
    return LP_OK;
}

// reply_failure answers a failure of make.
static enum MHD_Result
reply_failure(http_call *call, lp_err err)
{
    LP_REQUIRE(err != LP_ELIMIT, http_reply_error(call->connection, MHD_HTTP_SERVICE_UNAVAILABLE,
                                     "there are %d pins: try again later", PINS_MAX));
    LP_REQUIRE(err != LP_EAGAIN,
        http_reply_error(call->connection, MHD_HTTP_SERVICE_UNAVAILABLE,
            "%d pins were made within a minute: try again later", PINS_MINUTE_MAX));
    return http_reply_failure(call->connection, err, "pinning");
}

// find_services sets the services of a pin that names none. Returns LP_ENOENT if the recording
// is unknown, LP_ELIMIT if the caller may pin too many services.
static lp_err
find_services(const http_call *call, http_pin_wish *wish)
{
    http_catalog *store = &call->shared->store;
    if (!wish->has_recording) {
        return access_caller_list(
            &call->caller, ACCESS_PIN, '\n', wish->pin.service, sizeof(wish->pin.service));
    }
    (void)pthread_mutex_lock(&store->mutex);
    lp_err err = catalog_find(store->catalog, wish->pin.session_id, note_service, &wish->pin);
    (void)pthread_mutex_unlock(&store->mutex);
    return err;
}

// refuse answers a caller that may not pin the service.
static enum MHD_Result
refuse(http_call *call, const http_pin_wish *wish)
{
    bool may_read =
        !wish->has_recording || access_caller_may(&call->caller, ACCESS_READ, wish->pin.service);
    return may_read ? http_access_reply_forbidden(call, &call->caller, "pins of this service")
                    : http_reply_failure(call->connection, LP_ENOENT, "reading the catalog");
}

enum MHD_Result
http_pins_add(http_call *call)
{
    http_call_check(call, HTTP_NEED_NOTHING);
    LP_ASSERT(call->route.line->right == HTTP_RIGHT_PIN);
    struct MHD_Connection *connection = call->connection;
    http_pin_wish wish;
    lp_problem problem;
    LP_REQUIRE(call->shared->config.pins != NULL,
        http_reply_error(connection, MHD_HTTP_NOT_FOUND, "this collector has no raw data"));
    LP_REQUIRE(http_pin_wish_read(connection, &wish, &problem) == LP_OK,
        http_reply_error(connection, MHD_HTTP_BAD_REQUEST, "%s", problem.text));
    bool is_listed = wish.pin.service[0] == '\0' && !wish.has_recording;
    if (wish.pin.service[0] == '\0') {
        lp_err err = find_services(call, &wish);
        LP_REQUIRE(err != LP_ELIMIT, http_reply_error(connection, MHD_HTTP_BAD_REQUEST,
                                         "the token may pin too many services: give one of them"));
        LP_REQUIRE(err == LP_OK, http_reply_failure(connection, err, "reading the catalog"));
    }
    if (!is_listed && !access_caller_may(&call->caller, ACCESS_PIN, wish.pin.service)) {
        return refuse(call, &wish);
    }
    if (wish.pin.selection.kind == PIN_TRACE && !wish.has_from) {
        lp_err err = pin_find_time(call->shared->config.raw, &wish.pin);
        wish.pin.is_anytime = true;
        LP_REQUIRE(err == LP_OK, http_reply_failure(connection, err, "looking for the trace"));
    }
    pin now;
    bool is_new;
    lp_err err = make(call, &wish.pin, &now, &is_new);
    LP_REQUIRE(err == LP_OK, reply_failure(call, err));
    return http_reply_json(
        connection, is_new ? MHD_HTTP_CREATED : MHD_HTTP_OK, pin_json(call, &now));
}

// --- Alerts

// make_pins makes the pins that the caller may make, and adds them to items.
static lp_err
make_pins(http_call *call, http_alert_body *body, json_t *items, size_t *out_forbidden)
{
    *out_forbidden = 0;
    for (size_t i = 0; i < body->pins.count; i++) {
        pin *asked = &body->pins.items[i];
        pin now;
        bool is_new;
        if (!access_caller_may(&call->caller, ACCESS_PIN, asked->service)) {
            ++*out_forbidden;
            continue;
        }
        LP_TRY(make(call, asked, &now, &is_new));
        (void)json_array_append_new(items, pin_json(call, &now));
    }
    return LP_OK;
}

// reply_alerts answers with the pins:
//
//   {"pins": [..], "ignored": {"resolved": 1, "old": 0, "without_service": 0, "forbidden": 0,
//     "left_out": 0}}
//
// Takes ownership of items. If there is none, mistakes of who has configured the webhook are
// failures, which the sender logs.
static enum MHD_Result
reply_alerts(http_call *call, const http_alert_body *body, json_t *items, size_t forbidden)
{
    bool is_empty = json_array_size(items) == 0;
    if (is_empty && forbidden > 0) {
        json_decref(items);
        return http_access_reply_forbidden(call, &call->caller, "pins of these services");
    }
    if (is_empty && body->without_service > 0) {
        json_decref(items);
        return http_reply_error(call->connection, MHD_HTTP_BAD_REQUEST,
            "no alert has a label with the name of a service: set service_label");
    }
    return http_reply_json(call->connection, MHD_HTTP_OK,
        json_pack("{s:o, s:{s:o, s:o, s:o, s:o, s:o}}", "pins", items, "ignored", "resolved",
            http_reply_count_json(body->resolved), "old", http_reply_count_json(body->old),
            "without_service", http_reply_count_json(body->without_service), "forbidden",
            http_reply_count_json(forbidden), "left_out", http_reply_count_json(body->left_out)));
}

// answer_alerts makes the pins of a body.
static enum MHD_Result
answer_alerts(http_call *call, http_alert_body *body)
{
    size_t forbidden;
    json_t *items = json_array();
    lp_err err = items == NULL ? LP_ENOMEM : make_pins(call, body, items, &forbidden);
    if (err != LP_OK) {
        json_decref(items);
        return reply_failure(call, err);
    }
    return reply_alerts(call, body, items, forbidden);
}

enum MHD_Result
http_alerts_add(http_call *call)
{
    LP_ASSERT(call->route.line->need == HTTP_NEED_BODY);
    struct MHD_Connection *connection = call->connection;
    const char *label = NULL;
    const http_query all = {&(const http_query_text){"service_label", &label}, 1};
    lp_problem problem;
    http_alert_body body;
    LP_REQUIRE(call->shared->config.pins != NULL,
        http_reply_error(connection, MHD_HTTP_NOT_FOUND, "this collector has no raw data"));
    LP_REQUIRE(http_query_read(&all, connection, &problem) == LP_OK,
        http_reply_error(connection, MHD_HTTP_BAD_REQUEST, "%s", problem.text));
    LP_REQUIRE(!call->body.is_failed, http_reply_out_of_memory(connection));
    lp_err err =
        http_alert_body_read(lp_buf_slice(&call->body), label, lp_time_now(), &body, &problem);
    enum MHD_Result result =
        err == LP_OK       ? answer_alerts(call, &body)
        : err == LP_ENOMEM ? http_reply_out_of_memory(connection)
                           : http_reply_error(connection, MHD_HTTP_BAD_REQUEST, "%s", problem.text);
    http_alert_body_fini(&body);
    return result;
}
