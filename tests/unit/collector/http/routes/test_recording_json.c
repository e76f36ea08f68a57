// SPDX-License-Identifier: Apache-2.0

// A recording as JSON equals jansson's output for any text and number, and has the members listed
// in docs/reference/http-api.md.

#include "collector/http/routes/recording_json.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char service[] = "shop \"1\" \\ \t/\x7f";
static char instance[] = "h\xc3\xb6st:1";
static char broken[] = "no \xff UTF-8";
static char nothing[] = "";
static char version[] = "1.2";

static catalog_session
make_session(void)
{
    return (catalog_session){
        .id = "00112233445566778899aabbccddeeff",
        .service = service,
        .instance = instance,
        .jvm_name = broken,
        .jvm_version = nothing,
        .version = version,
        .pid = UINT64_MAX,
        .start_wall_ns = 1000000000,
        .end_wall_ns = 2500000000,
        .totals = {.events_in = 5,
            .late_contexts = 7,
            .requests_in = 6,
            .requests_out = 4,
            .requests_kept_by = {1, 0, 0, 0, 0, 0, 3},
            .requests_dropped_by = {0, 2}},
        .context_values_cut = 8,
        .losses = {[CATALOG_LOSS_POWER_CUTS] = 9},
    };
}

// parse checks that the text is jansson's output inside `depth` arrays.
static json_t *
parse(const catalog_session *session, unsigned depth)
{
    lp_buf text = {0};
    for (unsigned i = 0; i < depth; i++) {
        lp_buf_append(&text, "[\n        ", 2 + 2 * ((size_t)i + 1));
    }
    recording_json_append(&text, session, true, &(http_base){""}, depth);
    for (unsigned i = depth; i-- > 0;) {
        lp_buf_append(&text, "\n        ", 1 + 2 * (size_t)i);
        lp_buf_append(&text, "]", 1);
    }
    assert_int_equal(lp_buf_check(&text), LP_OK);
    json_error_t error;
    json_t *json = json_loadb((const char *)text.ptr, text.len, 0, &error);
    assert_non_null(json);
    char *again = json_dumps(json, JSON_INDENT(2));
    assert_int_equal(strlen(again), text.len);
    assert_memory_equal(again, text.ptr, text.len);
    free(again);
    lp_buf_fini(&text);
    return json;
}

static const char *
text_of(const json_t *json, const char *key)
{
    const json_t *value = json_object_get(json, key);
    assert_true(json_is_string(value));
    return json_string_value(value);
}

static json_int_t
number_of(const json_t *json, const char *key)
{
    const json_t *value = json_object_get(json, key);
    assert_true(json_is_integer(value));
    return json_integer_value(value);
}

// A catalog that is damaged may have anything for an id.
static void
test_an_id_that_is_none_is_written_as_it_is(void **state)
{
    (void)state;
    catalog_session session = make_session();
    (void)snprintf(session.id, sizeof(session.id), "a\"\\b\n");
    json_t *json = parse(&session, 0);
    assert_string_equal(text_of(json, "id"), session.id);
    json_decref(json);
}

static void
test_it_is_what_jansson_writes(void **state)
{
    (void)state;
    const catalog_session session = make_session();
    for (unsigned depth = 0; depth < 4; depth++) {
        json_decref(parse(&session, depth));
    }
}

static void
test_a_session_that_runs(void **state)
{
    (void)state;
    const catalog_session session = make_session();
    json_t *json = recording_json_make(&session, true, &(http_base){"/tools/loupe"});
    assert_int_equal(json_object_size(json), 33);
    assert_string_equal(text_of(json, "lost_batches"), "");
    assert_string_equal(text_of(json, "id"), session.id);
    assert_string_equal(text_of(json, "service"), service);
    assert_string_equal(text_of(json, "instance"), instance);
    assert_string_equal(text_of(json, "jvm_name"), "no ? UTF-8");
    assert_string_equal(text_of(json, "jvm_version"), "");
    assert_string_equal(text_of(json, "version"), "1.2");
    assert_int_equal(number_of(json, "pid"), INT64_MAX);
    assert_true(json_is_true(json_object_get(json, "is_running")));
    assert_true(json_is_true(json_object_get(json, "connected")));
    assert_true(json_is_null(json_object_get(json, "last_heard")));
    assert_true(json_is_null(json_object_get(json, "last_heard_ns")));
    assert_true(json_is_null(json_object_get(json, "ended_how")));
    assert_string_equal(text_of(json, "start"), "1970-01-01T00:00:01.000000000Z");
    assert_int_equal(number_of(json, "end_ns"), 2500000000);
    assert_int_equal(number_of(json, "events_in"), 5);
    assert_int_equal(number_of(json, "requests_in"), 6);
    assert_int_equal(number_of(json, "requests_out"), 4);
    const json_t *kept_by = json_object_get(json, "requests_kept_by");
    assert_int_equal(json_object_size(kept_by), 7);
    assert_int_equal(number_of(kept_by, "parts"), 1);
    assert_int_equal(number_of(kept_by, "condition"), 3);
    const json_t *dropped_by = json_object_get(json, "requests_dropped_by");
    assert_int_equal(json_object_size(dropped_by), 2);
    assert_int_equal(number_of(dropped_by, "drop"), 2);
    assert_int_equal(number_of(json, "kept_from_ns"), 1000000000);
    const json_t *losses = json_object_get(json, "losses");
    assert_int_equal(json_object_size(losses), 6 + CATALOG_LOSS_COUNT);
    assert_int_equal(number_of(losses, "late_contexts"), 7);
    assert_int_equal(number_of(losses, "context_values_cut"), 8);
    assert_int_equal(number_of(losses, "power_cuts"), 9);
    assert_string_equal(text_of(json, "download"),
        "/tools/loupe/api/v1/recordings/00112233445566778899aabbccddeeff.jfr");
    json_decref(json);
}

static void
test_a_session_that_has_ended(void **state)
{
    (void)state;
    catalog_session session = make_session();
    session.heard_wall_ns = 3;
    session.ended_how = CATALOG_ENDED_TIMED_OUT;
    session.expired_chunks = 1;
    session.kept_wall_ns = 2000000000;
    json_t *json = parse(&session, 0);
    assert_true(json_is_false(json_object_get(json, "is_running")));
    assert_string_equal(text_of(json, "ended_how"), "timed out");
    assert_int_equal(number_of(json, "last_heard_ns"), 3);
    assert_string_equal(text_of(json, "kept_from"), "1970-01-01T00:00:02.000000000Z");
    json_decref(json);

    session.is_ended = false;
    session.ended_how = CATALOG_ENDED_CLOSED; // its last chunk is not compacted yet
    json = parse(&session, 0);
    assert_true(json_is_null(json_object_get(json, "ended_how")));
    json_decref(json);
    session.is_ended = true;
    json = parse(&session, 0);
    assert_string_equal(text_of(json, "ended_how"), "closed");
    json_decref(json);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_is_what_jansson_writes),
        cmocka_unit_test(test_an_id_that_is_none_is_written_as_it_is),
        cmocka_unit_test(test_a_session_that_runs),
        cmocka_unit_test(test_a_session_that_has_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
