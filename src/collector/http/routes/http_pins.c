// SPDX-License-Identifier: Apache-2.0
// http_pins: makes pins (pins.h), and lists them.
//
// Tests:   tests/unit/collector/http/routes/test_http_pins.c

#include "collector/http/routes/http_access.h"
#include "collector/http/routes/http_call.h"
#include "collector/http/wire/http_query.h"
#include "collector/http/wire/http_reply.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_quote.h"
#include "common/base/lp_time.h"
#include "common/base/lp_utf8.h"
#include "policy/policy_value.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const int64_t MINUTE_NS = INT64_C(60000000000);

enum {
    BEFORE_MINUTES = 10, // of a pin without times, before now
    AFTER_MINUTES = 2,   // and after
    AHEAD_MINUTES = 60,  // how far a pin may reach
};

// The parameters of a request.
typedef struct wish {
    const char *service;
    const char *recording;
    const char *from;
    const char *to;
    const char *key;
    const char *reason;
} wish;

// --- As JSON

static json_t *
time_json(int64_t wall_ns)
{
    char text[LP_TIME_BYTES];
    lp_time_format(wall_ns, text);
    return json_string(text);
}

static json_t *
pin_json(const pin *of)
{
    json_t *body = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "key",
        http_reply_text_json(of->key), "service", http_reply_text_json(of->service), "reason",
        http_reply_text_json(of->reason), "owner", http_reply_text_json(of->owner), "from",
        time_json(of->from_wall_ns), "to", time_json(of->to_wall_ns), "waiting",
        http_reply_count_json(of->waiting), "kept", http_reply_count_json(of->outcomes[PIN_KEPT]),
        "missing", http_reply_count_json(of->outcomes[PIN_MISSING]), "failed",
        http_reply_count_json(of->outcomes[PIN_FAILED]), "left_out",
        http_reply_count_json(of->left_out));
    if (body != NULL && of->session_id[0] != '\0') {
        (void)json_object_set_new(body, "recording", json_string(of->session_id));
    }
    return body;
}

typedef struct pin_list {
    const access_caller *caller;
    json_t *items;
} pin_list;

static void
on_pin(void *arg, const pin *of)
{
    const pin_list *list = arg;
    if (access_caller_may(list->caller, ACCESS_READ, of->service)) {
        (void)json_array_append_new(list->items, pin_json(of));
    }
}

enum MHD_Result
http_pins_list(http_call *call)
{
    LP_ASSERT(call->route.line->right == HTTP_RIGHT_READ_ANY);
    const pin_list list = {.caller = &call->caller, .items = json_array()};
    pins *from = call->shared->config.pins;
    if (from != NULL && list.items != NULL) {
        pins_each(from, on_pin, (void *)(uintptr_t)&list);
    }
    return http_reply_json(call->connection, MHD_HTTP_OK, json_pack("{s:o}", "pins", list.items));
}

// --- A new pin

static lp_err
take_text(const char *name, const char *text, size_t bytes_max, char *out, lp_problem *out_problem)
{
    if (text == NULL) {
        return LP_OK;
    }
    LP_REQUIRE(text[0] != '\0' && strlen(text) <= bytes_max && lp_utf8_is_text(text),
        lp_problem_set(out_problem, LP_ECORRUPT, "%s must be text in UTF-8 of 1 to %zu bytes: '%s'",
            name, bytes_max, lp_quote_text(text).text));
    memcpy(out, text, strlen(text) + 1);
    return LP_OK;
}

static lp_err
take_time(const char *name, const char *text, int64_t now, int64_t *out, lp_problem *out_problem)
{
    return text == NULL || policy_value_time(text, now, out)
               ? LP_OK
               : lp_problem_set(out_problem, LP_ECORRUPT, "%s must be " POLICY_VALUE_TIMES ": '%s'",
                     name, lp_quote_text(text).text);
}

static lp_err
take_times(const wish *asked, pin *to, lp_problem *out_problem)
{
    int64_t now = lp_time_now();
    to->made_wall_ns = now;
    to->from_wall_ns = now - BEFORE_MINUTES * MINUTE_NS;
    to->to_wall_ns = now + AFTER_MINUTES * MINUTE_NS;
    LP_TRY(take_time("from", asked->from, now, &to->from_wall_ns, out_problem));
    LP_TRY(take_time("to", asked->to, now, &to->to_wall_ns, out_problem));
    LP_REQUIRE(to->from_wall_ns <= to->to_wall_ns,
        lp_problem_set(out_problem, LP_ECORRUPT, "from is after to"));
    return to->to_wall_ns - AHEAD_MINUTES * MINUTE_NS <= now
               ? LP_OK
               : lp_problem_set(
                     out_problem, LP_ECORRUPT, "to is more than %d minutes ahead", AHEAD_MINUTES);
}

// read_wish reads the parameters of a request, but not whether the recording exists. Errors:
// LP_ECORRUPT
static lp_err
read_wish(struct MHD_Connection *connection, wish *asked, pin *to, lp_problem *out_problem)
{
    const http_query_text texts[] = {{"service", &asked->service}, {"recording", &asked->recording},
        {"from", &asked->from}, {"to", &asked->to}, {"key", &asked->key},
        {"reason", &asked->reason}};
    const http_query all = {texts, sizeof(texts) / sizeof(texts[0])};
    LP_TRY(http_query_read(&all, connection, out_problem));
    LP_REQUIRE((asked->service == NULL) != (asked->recording == NULL),
        lp_problem_set(out_problem, LP_ECORRUPT, "either service or recording is required"));
    LP_REQUIRE(asked->recording == NULL || catalog_id_is_valid(asked->recording),
        lp_problem_set(
            out_problem, LP_ECORRUPT, "recording must be an id of 32 hexadecimal digits"));
    LP_TRY(take_text("service", asked->service, PINS_NAME_BYTES_MAX, to->service, out_problem));
    LP_TRY(take_text("key", asked->key, PINS_KEY_BYTES_MAX, to->key, out_problem));
    LP_TRY(take_text("reason", asked->reason, PINS_REASON_BYTES_MAX, to->reason, out_problem));
    return take_times(asked, to, out_problem);
}

static void
note_service(void *arg, const catalog_session *row)
{
    pin *to = arg;
    (void)snprintf(to->service, sizeof(to->service), "%s", row->service);
    memcpy(to->session_id, row->id, sizeof(to->session_id));
}

// The chunks that a pin names now.
typedef struct found_chunks {
    const pin *of;
    LP_VEC(pin_chunk) sessions; // their session_id
    const char *session_id;     // whose chunks are listed
    pin_chunks chunks;
    lp_err err;
} found_chunks;

static void
note_session(void *arg, const catalog_session *row)
{
    found_chunks *found = arg;
    pin_chunk item = {.ordinal = 0};
    memcpy(item.session_id, row->id, sizeof(item.session_id));
    LP_THEN(found->err, LP_VEC_ADD(&found->sessions, item));
}

static void
note_chunk(void *arg, const catalog_chunk *chunk)
{
    found_chunks *found = arg;
    bool is_in_time =
        chunk->start_wall_ns <= found->of->to_wall_ns &&
        lp_time_add(chunk->start_wall_ns, chunk->duration_ns) >= found->of->from_wall_ns;
    if (is_in_time && !chunk->is_lost && found->chunks.count <= PINS_CHUNKS_MAX) {
        pin_chunk item = {.ordinal = chunk->ordinal};
        (void)snprintf(item.session_id, sizeof(item.session_id), "%s", found->session_id);
        LP_THEN(found->err, LP_VEC_ADD(&found->chunks, item));
    }
}

// find_chunks lists the stored chunks that a pin names. The caller holds the catalog's mutex.
static lp_err
find_chunks(catalog *from, found_chunks *found)
{
    const pin *of = found->of;
    const catalog_query query = {.service = of->service,
        .from_wall_ns = of->from_wall_ns,
        .to_wall_ns = of->to_wall_ns,
        .now_wall_ns = lp_time_now()};
    lp_err err = of->session_id[0] == '\0'
                     ? catalog_list(from, &query, note_session, found)
                     : catalog_find(from, of->session_id, note_session, found);
    LP_THEN(err, found->err);
    bool has_room = true;
    for (size_t i = 0; i < found->sessions.count && has_room && err == LP_OK; i++) {
        found->session_id = found->sessions.items[i].session_id;
        err = catalog_list_chunks(from, found->session_id, note_chunk, found);
        LP_THEN(err, found->err);
        has_room = found->chunks.count <= PINS_CHUNKS_MAX;
    }
    return err;
}

static enum MHD_Result
reply_pin(http_call *call, const pin *now, bool is_new)
{
    if (is_new) {
        const http_audit_entry entry = {.event = "pin",
            .identity = now->owner,
            .recording = now->session_id,
            .service = now->service,
            .why = now->reason[0] == '\0' ? NULL : now->reason};
        http_audit_note(&call->shared->audit, call->connection, &entry);
    }
    return http_reply_json(
        call->connection, is_new ? MHD_HTTP_CREATED : MHD_HTTP_OK, pin_json(now));
}

// add_chunks adds the stored chunks to a new pin.
static lp_err
add_chunks(http_call *call, pin *now)
{
    http_catalog *store = &call->shared->store;
    const pin made = *now;
    found_chunks found = {.of = &made};
    (void)pthread_mutex_lock(&store->mutex);
    lp_err err = find_chunks(store->catalog, &found);
    (void)pthread_mutex_unlock(&store->mutex);
    if (err == LP_OK) {
        pins_fill(call->shared->config.pins, now->id, &found.chunks, now);
    } else {
        pins_cancel(call->shared->config.pins, now->id); // a repeat makes it again
    }
    LP_VEC_FINI(&found.sessions);
    LP_VEC_FINI(&found.chunks);
    return err;
}

// add makes the pin of a request that may make it.
static enum MHD_Result
add(http_call *call, pin *asked)
{
    bool is_new = false;
    if (asked->key[0] == '\0') {
        (void)snprintf(asked->key, sizeof(asked->key), "%" PRId64, asked->made_wall_ns);
    }
    pin now;
    lp_err err = pins_add(call->shared->config.pins, asked, &now, &is_new);
    LP_THEN(err, is_new ? add_chunks(call, &now) : LP_OK);
    LP_REQUIRE(err != LP_ELIMIT, http_reply_error(call->connection, MHD_HTTP_SERVICE_UNAVAILABLE,
                                     "%d pins are in work: try again later", PINS_MAX));
    LP_REQUIRE(err == LP_OK, http_reply_failure(call->connection, err, "pinning"));
    return reply_pin(call, &now, is_new);
}

enum MHD_Result
http_pins_add(http_call *call)
{
    LP_ASSERT(call->route.line->right == HTTP_RIGHT_PIN);
    struct MHD_Connection *connection = call->connection;
    http_catalog *store = &call->shared->store;
    wish asked = {.service = NULL};
    pin made = {.key = ""};
    lp_problem problem;
    LP_REQUIRE(call->shared->config.pins != NULL,
        http_reply_error(connection, MHD_HTTP_NOT_FOUND, "this collector has no raw data"));
    LP_REQUIRE(read_wish(connection, &asked, &made, &problem) == LP_OK,
        http_reply_error(connection, MHD_HTTP_BAD_REQUEST, "%s", problem.text));
    if (asked.recording != NULL) {
        (void)pthread_mutex_lock(&store->mutex);
        lp_err err = catalog_find(store->catalog, asked.recording, note_service, &made);
        (void)pthread_mutex_unlock(&store->mutex);
        LP_REQUIRE(err == LP_OK, http_reply_failure(connection, err, "reading the catalog"));
    }
    if (!access_caller_may(&call->caller, ACCESS_PIN, made.service)) {
        bool may_read =
            asked.recording == NULL || access_caller_may(&call->caller, ACCESS_READ, made.service);
        return may_read ? http_access_reply_forbidden(call, &call->caller, "pins of this service")
                        : http_reply_failure(connection, LP_ENOENT, "reading the catalog");
    }
    (void)snprintf(made.owner, sizeof(made.owner), "%s", access_caller_get_name(&call->caller));
    return add(call, &made);
}
