// SPDX-License-Identifier: Apache-2.0
// http_pins: makes pins (pins.h), lists them, and shows what raw data there is (raw_list.h).
//
// Tests:   tests/unit/collector/http/routes/test_http_pins.c

#include "collector/http/routes/http_pins.h"

#include "collector/http/routes/http_access.h"
#include "collector/http/routes/http_call.h"
#include "collector/http/routes/http_pin_wish.h"
#include "collector/http/wire/http_reply.h"
#include "collector/recall/pin_find.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_time.h"

#include <inttypes.h>
#include <stdio.h>
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

json_t *
http_pins_json(const pin *of)
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

typedef struct pin_list {
    const access_caller *caller;
    const http_config *config;
    json_t *items;
} pin_list;

static void
on_pin(void *arg, const pin *of)
{
    const pin_list *list = arg;
    if (may_see(list->caller, of)) {
        (void)json_array_append_new(list->items, http_pins_json(of));
    }
}

enum MHD_Result
http_pins_list(http_call *call)
{
    http_call_check(call, HTTP_NEED_NOTHING);
    LP_ASSERT(call->route.line->right == HTTP_RIGHT_READ_ANY);
    const pin_list list = {
        .caller = &call->caller, .config = &call->shared->config, .items = json_array()};
    pins *from = call->shared->config.pins;
    if (from != NULL && list.items != NULL) {
        pins_each(from, on_pin, (void *)(uintptr_t)&list);
    }
    return http_reply_json(call->connection, MHD_HTTP_OK, json_pack("{s:o}", "pins", list.items));
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

static void
on_service(void *arg, const raw_list_service *service)
{
    static const char *const whys[RAW_LIST_WHY_COUNT] = {
        "age", "bytes", "disk", "removed", "failed"};
    const pin_list *list = arg;
    if (!access_caller_may(list->caller, ACCESS_READ, service->name)) {
        return;
    }
    json_t *dropped = json_object();
    for (size_t i = 0; i < RAW_LIST_WHY_COUNT; i++) {
        (void)json_object_set_new(dropped, whys[i], http_reply_count_json(service->dropped[i]));
    }
    (void)json_array_append_new(list->items,
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "service", http_reply_text_json(service->name),
            "from",
            service->from_wall_ns == INT64_MAX ? json_null() : time_json(service->from_wall_ns),
            "chunks", http_reply_count_json(service->chunks), "bytes",
            http_reply_count_json(service->bytes), "dropped", dropped, "automatic",
            automatic_json(list->config, service->name)));
}

enum MHD_Result
http_pins_recall(http_call *call)
{
    http_call_check(call, HTTP_NEED_NOTHING);
    LP_ASSERT(call->route.line->right == HTTP_RIGHT_READ_ANY);
    const pin_list list = {
        .caller = &call->caller, .config = &call->shared->config, .items = json_array()};
    raw_list *from = call->shared->config.raw;
    if (from != NULL && list.items != NULL) {
        raw_list_each(from, on_service, (void *)(uintptr_t)&list);
    }
    return http_reply_json(
        call->connection, MHD_HTTP_OK, json_pack("{s:o}", "services", list.items));
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
    const pin made = *now;
    pin_chunks found = {0};
    (void)pthread_mutex_lock(&store->mutex);
    lp_err err = pin_find_chunks(store->catalog, config->raw, &made, &found);
    (void)pthread_mutex_unlock(&store->mutex);
    if (err == LP_OK) {
        pins_fill(config->pins, now->id, &found, now);
    } else {
        pins_cancel(config->pins, now->id); // a repeat makes it again
    }
    LP_VEC_FINI(&found);
    return err;
}

lp_err
http_pins_make(http_call *call, pin *asked, pin *out_pin, bool *out_is_new)
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

enum MHD_Result
http_pins_reply_failure(http_call *call, lp_err err)
{
    LP_REQUIRE(err != LP_ELIMIT, http_reply_error(call->connection, MHD_HTTP_SERVICE_UNAVAILABLE,
                                     "there are %d pins: try again later", PINS_MAX));
    LP_REQUIRE(err != LP_EAGAIN,
        http_reply_error(call->connection, MHD_HTTP_SERVICE_UNAVAILABLE,
            "%d pins were made within a minute: try again later", PINS_MINUTE_MAX));
    return http_reply_failure(call->connection, err, "pinning");
}

// find_time sets the time of a trace's pin, around the chunks that have it.
static lp_err
find_time(const http_call *call, http_pin_wish *wish)
{
    pin_chunks ignored = {0};
    raw_list_span span;
    pin anytime = wish->pin;
    anytime.from_wall_ns = INT64_MIN;
    lp_err err = raw_list_find(call->shared->config.raw, &anytime, &ignored, &span);
    LP_VEC_FINI(&ignored);
    if (err == LP_OK && span.from_wall_ns <= span.to_wall_ns) {
        int64_t to_wall_ns = wish->pin.to_wall_ns;
        http_pin_wish_set_times(&wish->pin, span.from_wall_ns, span.to_wall_ns);
        wish->pin.to_wall_ns = to_wall_ns; // as it was asked for, or after now
    }
    return err;
}

// find_services sets the services of a pin that names none. Returns LP_ENOENT if the recording is
// unknown, LP_ELIMIT if the caller may pin too many services.
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
        lp_err err = find_time(call, &wish);
        LP_REQUIRE(err == LP_OK, http_reply_failure(connection, err, "looking for the trace"));
    }
    pin now;
    bool is_new;
    lp_err err = http_pins_make(call, &wish.pin, &now, &is_new);
    LP_REQUIRE(err == LP_OK, http_pins_reply_failure(call, err));
    return http_reply_json(
        connection, is_new ? MHD_HTTP_CREATED : MHD_HTTP_OK, http_pins_json(&now));
}
