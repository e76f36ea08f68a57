// SPDX-License-Identifier: Apache-2.0

#include "collector/http/routes/http_pin_wish.h"

#include "collector/http/wire/http_query.h"
#include "common/base/lp_find.h"
#include "common/base/lp_quote.h"
#include "common/base/lp_time.h"
#include "common/base/lp_utf8.h"
#include "policy/policy_value.h"
#include "query/select/request_id.h"

#include <string.h>

static const int64_t MINUTE_NS = INT64_C(60000000000);

enum {
    BEFORE_MINUTES = 10, // of a pin without times, before what it is about
    AFTER_MINUTES = 2,   // and after
    AHEAD_MINUTES = 60,  // how far a pin may reach
};

// The parameters of a request.
typedef struct parameters {
    const char *service;
    const char *recording;
    const char *trace;
    const char *request;
    const char *thread;
    const char *from;
    const char *to;
    const char *key;
    const char *reason;
} parameters;

static lp_err
read_parameters(struct MHD_Connection *connection, parameters *out, lp_problem *out_problem)
{
    const http_query_text texts[] = {{"service", &out->service}, {"recording", &out->recording},
        {"trace", &out->trace}, {"request", &out->request}, {"thread", &out->thread},
        {"from", &out->from}, {"to", &out->to}, {"key", &out->key}, {"reason", &out->reason}};
    const http_query all = {texts, LP_COUNT(texts)};
    return http_query_read(&all, connection, out_problem);
}

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

void
http_pin_wish_set_times(pin *of, int64_t from_wall_ns, int64_t to_wall_ns)
{
    of->from_wall_ns = lp_time_add(from_wall_ns, -BEFORE_MINUTES * MINUTE_NS);
    of->to_wall_ns = lp_time_add(to_wall_ns, AFTER_MINUTES * MINUTE_NS);
}

static lp_err
take_times(const parameters *asked, pin *to, lp_problem *out_problem)
{
    int64_t now = lp_time_now();
    int64_t end = now; // before which a pin without from= begins
    to->made_wall_ns = now;
    LP_TRY(take_time("to", asked->to, now, &end, out_problem));
    http_pin_wish_set_times(to, end < now ? end : now, now);
    LP_TRY(take_time("from", asked->from, now, &to->from_wall_ns, out_problem));
    to->to_wall_ns = asked->to != NULL ? end : to->to_wall_ns;
    LP_REQUIRE(to->from_wall_ns <= to->to_wall_ns,
        lp_problem_set(out_problem, LP_ECORRUPT, "from is after to"));
    return to->to_wall_ns - AHEAD_MINUTES * MINUTE_NS <= now
               ? LP_OK
               : lp_problem_set(
                     out_problem, LP_ECORRUPT, "to is more than %d minutes ahead", AHEAD_MINUTES);
}

// is_id returns whether a text is an id, as a selection of this kind has it.
static bool
is_id(pin_kind kind, const char *text)
{
    lp_slice id = {(const uint8_t *)text, strlen(text)};
    uint64_t number;
    return kind == PIN_TRACE     ? rollup_id_hash(id, &number)
           : kind == PIN_REQUEST ? query_request_id_parse(id, &number)
                                 : true;
}

static lp_err
take_selection(const parameters *asked, pin_selection *to, lp_problem *out_problem)
{
    const struct {
        const char *name;
        const char *value;
        const char *form;
        pin_kind kind;
    } kinds[] = {
        {"trace", asked->trace, "an id of up to 128 bytes", PIN_TRACE},
        {"request", asked->request, "an id of 16 digits 0-9 and a-f", PIN_REQUEST},
        {"thread", asked->thread, "the name or the Java id of a thread", PIN_THREAD},
    };
    for (size_t i = 0; i < LP_COUNT(kinds); i++) {
        if (kinds[i].value == NULL) {
            continue;
        }
        LP_REQUIRE(to->kind == PIN_ALL, lp_problem_set(out_problem, LP_ECORRUPT,
                                            "only one of trace, request and thread is allowed"));
        LP_TRY(take_text(kinds[i].name, kinds[i].value, PINS_ID_BYTES_MAX, to->id, out_problem));
        LP_REQUIRE(is_id(kinds[i].kind, kinds[i].value),
            lp_problem_set(out_problem, LP_ECORRUPT, "%s must be %s: '%s'", kinds[i].name,
                kinds[i].form, lp_quote_text(kinds[i].value).text));
        to->kind = kinds[i].kind;
    }
    return LP_OK;
}

// take_place reads whose chunks are wanted.
static lp_err
take_place(const parameters *asked, http_pin_wish *to, lp_problem *out_problem)
{
    bool is_free = asked->trace != NULL && asked->recording == NULL && asked->service == NULL;
    LP_REQUIRE(is_free || (asked->service == NULL) != (asked->recording == NULL),
        lp_problem_set(out_problem, LP_ECORRUPT, "either service or recording is required"));
    LP_REQUIRE(asked->request == NULL || asked->recording != NULL,
        lp_problem_set(out_problem, LP_ECORRUPT, "a request requires its recording"));
    LP_REQUIRE(asked->recording == NULL || catalog_id_is_valid(asked->recording),
        lp_problem_set(
            out_problem, LP_ECORRUPT, "recording must be an id of 32 hexadecimal digits"));
    LP_REQUIRE(asked->service == NULL || strchr(asked->service, '\n') == NULL,
        lp_problem_set(out_problem, LP_ECORRUPT, "service must be one service"));
    if (asked->recording != NULL) {
        memcpy(to->pin.session_id, asked->recording, sizeof(to->pin.session_id));
    }
    return take_text("service", asked->service, PINS_NAME_BYTES_MAX, to->pin.service, out_problem);
}

lp_err
http_pin_wish_read(struct MHD_Connection *connection, http_pin_wish *out, lp_problem *out_problem)
{
    parameters asked = {.service = NULL};
    *out = (http_pin_wish){.has_from = false};
    LP_TRY(read_parameters(connection, &asked, out_problem));
    out->has_recording = asked.recording != NULL;
    out->has_from = asked.from != NULL;
    LP_TRY(take_place(&asked, out, out_problem));
    LP_TRY(take_selection(&asked, &out->pin.selection, out_problem));
    LP_TRY(take_text("key", asked.key, PINS_KEY_BYTES_MAX, out->pin.key, out_problem));
    LP_TRY(take_text("reason", asked.reason, PINS_REASON_BYTES_MAX, out->pin.reason, out_problem));
    return take_times(&asked, &out->pin, out_problem);
}
