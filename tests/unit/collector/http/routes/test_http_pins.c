// SPDX-License-Identifier: Apache-2.0
// Pins over HTTP: who may pin which service, what a request must say, that a key is made once, and
// that nobody learns of pins and recordings that they may not see. A second of CPU.

#include "unit/collector/ask/ask_fixture.h"

#include "collector/recall/pin/pins.h"
#include "collector/recall/raw/raw_ids.h"
#include "collector/recall/raw/raw_list.h"
#include "common/base/lp_time.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

// Tokens, and their hashes as sha256sum has them.
#define SHOP "0123456789abcdef"
#define OPS  "fedcba9876543210"
static const char rules[] =
    "shop read,pin shop "
    "sha256:9f9f5111f7b27a781f1f1ddde5ebc2dd2b796bfc7365c9c28b548e564176929f\n"
    "ops read * sha256:3465f6e6975baa864ca957f0914ecda9bf7eb601ac31ac20a5dc3d329279a843\n";

#define D "dddddddddddddddddddddddddddddddd" // of shop, with a file
#define E "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee" // of bank, with a file
#define F "ffffffffffffffffffffffffffffffff" // of nobody

#define PINS   "/api/v1/pins"
#define ALERTS PINS "/alertmanager"
#define RECALL "/api/v1/recall"
#define SINCE  "&from=1600000000000000000"

typedef struct fixture {
    http_fixture *http;
    access_file *access;
} fixture;

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    char path[300];
    assert_int_equal(http_fixture_setup((void **)&f->http), 0);
    http_fixture_store_file(f->http, 'd', "shop");
    http_fixture_store_file(f->http, 'e', "bank");
    (void)snprintf(path, sizeof(path), "%s/tokens", f->http->dir.path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(rules, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(access_file_open(path, false, &f->access, NULL), LP_OK);
    f->http->pins = pins_create();
    f->http->raw = raw_list_create(RAW_LIST_FILTER_BYTES_MAX);
    f->http->budget = recall_budget_create();
    http_fixture_serve(f->http, f->access, false);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    pins *made = f->http->pins;
    raw_list *raw = f->http->raw;
    recall_budget *budget = f->http->budget;
    assert_int_equal(http_fixture_teardown((void **)&f->http), 0);
    pins_destroy(made);
    raw_list_destroy(raw);
    recall_budget_destroy(budget);
    access_file_close(f->access);
    free(f);
    return 0;
}

// ask returns the answer's body, lent until the next call.
static const char *
ask(const fixture *f, const char *method, const char *path, const char *token, int status)
{
    static char body[8192];
    char headers[300] = "";
    if (token != NULL) {
        (void)snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n", token);
    }
    http_answer answer = http_client_ask(f->http->port, method, path, headers);
    (void)snprintf(body, sizeof(body), "%.*s", (int)answer.body.len, (const char *)answer.body.ptr);
    http_answer_fini(&answer);
    if (answer.status != status) {
        fail_msg("%s %s: %d: %s", method, path, answer.status, body);
    }
    return body;
}

static void
test_only_who_may_pin_a_service_does(void **state)
{
    const fixture *f = *state;
    static const struct {
        const char *path;
        const char *token;
        int status;
    } cases[] = {
        {PINS "?service=shop", NULL, 401},
        {PINS "?service=shop", OPS, 403}, // it has no such right
        {PINS "?service=bank", SHOP, 403},
        {PINS "?recording=" E, SHOP, 404}, // which it may not read
        {PINS "?recording=" F, SHOP, 404},
        {PINS "?service=shop", SHOP, 201},
        {PINS "?recording=" D SINCE, SHOP, 201},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        (void)ask(f, "POST", cases[i].path, cases[i].token, cases[i].status);
    }
}

static void
test_mistakes_are_named(void **state)
{
    const fixture *f = *state;
    static const struct {
        const char *parameters;
        const char *problem;
    } cases[] = {
        {"", "either service or recording is required"},
        {"?service=shop&recording=" D, "either service or recording is required"},
        {"?recording=7", "recording must be an id"},
        {"?service=", "service must be text"},
        {"?service=shop&from=soon", "from must be a time"},
        {"?service=shop&from=1m&to=2m", "from is after to"},
        {"?service=shop&to=2200-01-01T00:00:00Z", "to is more than 60 minutes ahead"},
        {"?service=shop&key=", "key must be text"},
        {"?service=shop&trace=", "trace must be text"},
        {"?service=shop&trace=1&thread=x", "only one of trace, request and thread"},
        {"?recording=" D "&request=12", "request must be an id of 16 digits"},
        {"?service=shop&request=0123456789abcdef", "a request requires its recording"},
        {"?thread=main", "either service or recording is required"},
        {"?service=shop&trace=1&recording=" D, "either service or recording is required"},
        {"?service=shop&span=1", "span"},
        {"?service=shop%0Abank", "service must be"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char path[300];
        (void)snprintf(path, sizeof(path), PINS "%s", cases[i].parameters);
        assert_non_null(strstr(ask(f, "POST", path, SHOP, 400), cases[i].problem));
    }
    assert_non_null(strstr(ask(f, "GET", PINS, SHOP, 200), "\"pins\": []"));
}

static void
test_a_pin_without_its_begin_begins_before_its_end(void **state)
{
    const fixture *f = *state;
    static const char *const paths[] = {
        PINS "?service=shop&to=2026-01-02T03:04:05Z", PINS "?trace=ab&to=2026-01-02T03:04:05Z"};
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        const char *body = ask(f, "POST", paths[i], SHOP, 201);
        assert_non_null(strstr(body, "\"from\": \"2026-01-02T02:54:05."));
        assert_non_null(strstr(body, "\"to\": \"2026-01-02T03:04:05."));
    }
}

static void
test_a_key_is_made_once_and_listed(void **state)
{
    const fixture *f = *state;
    const char path[] = PINS "?service=shop&key=alert-7&reason=slow" SINCE;
    const char *body = ask(f, "POST", path, SHOP, 201);
    assert_non_null(strstr(body, "\"waiting\": 1"));
    assert_non_null(strstr(body, "\"owner\": \"shop\""));
    assert_non_null(strstr(ask(f, "POST", path, SHOP, 200), "\"waiting\": 1"));
    pin_work work;
    assert_true(pins_take(f->http->pins, &work));
    assert_string_equal(work.chunk.session_id, D);
    assert_false(pins_take(f->http->pins, &work));
    pins_note(f->http->pins, work.pin_id, PIN_KEPT);
    body = ask(f, "GET", PINS, OPS, 200);
    assert_non_null(strstr(body, "\"key\": \"alert-7\""));
    assert_non_null(strstr(body, "\"kept\": 1"));

    // Of another service, with the same key: others learn nothing of it.
    pin other = {.key = "alert-8", .service = "bank", .to_wall_ns = INT64_MAX};
    bool is_new;
    assert_int_equal(pins_add(f->http->pins, &other, &other, &is_new), LP_OK);
    assert_null(strstr(ask(f, "GET", PINS, SHOP, 200), "bank"));
    assert_null(strstr(ask(f, "POST", PINS "?service=shop&key=alert-8", SHOP, 201), "bank"));
}

// add_raw lists raw data of a chunk, with a context of an id that was dropped.
static void
add_raw(const fixture *f, char session, const char *service, const char *id)
{
    uint64_t hash;
    assert_true(rollup_id_hash((lp_slice){(const uint8_t *)id, strlen(id)}, &hash));
    const rollup_ids ids = {{0}, {&hash, 1, 1}};
    int64_t now = lp_time_now();
    pin_stored stored = {.service = service, .start_wall_ns = now - 5000, .end_wall_ns = now};
    lp_buf filter = {0};
    assert_int_equal(raw_ids_make(&ids, &filter), LP_OK);
    memset(stored.chunk.session_id, session, CATALOG_ID_CHARS);
    raw_list_add(f->http->raw, &stored, lp_buf_slice(&filter));
    lp_buf_fini(&filter);
    raw_list_measure(f->http->raw, &stored.chunk, 1234);
}

static void
test_a_trace_is_pinned_where_the_caller_may_pin(void **state)
{
    const fixture *f = *state;
    add_raw(f, 'd', "shop", "4bf92f3577b34da6a3ce929d0e0e4736");
    add_raw(f, 'e', "bank", "4bf92f3577b34da6a3ce929d0e0e4736");
    const char path[] = PINS "?trace=4BF92F3577b34da6a3ce929d0e0e4736&key=t";
    const char *body = ask(f, "POST", path, SHOP, 201);
    assert_non_null(strstr(body, "\"waiting\": 1"));
    assert_non_null(strstr(body, "\"service\": \"shop\""));
    assert_non_null(strstr(body, "\"trace\": \"4BF92F3577b34da6a3ce929d0e0e4736\""));
    pin_work work;
    assert_true(pins_take(f->http->pins, &work));
    assert_string_equal(work.chunk.session_id, D);
    assert_int_equal(work.selection.kind, PIN_TRACE);
    assert_false(pins_take(f->http->pins, &work));
    (void)ask(f, "POST", PINS "?trace=ab&service=bank", SHOP, 403);
    (void)ask(f, "POST", PINS "?trace=ab&recording=" E, SHOP, 404);
    (void)ask(f, "POST", PINS "?thread=7&recording=" E, SHOP, 404);
    (void)ask(f, "POST", PINS "?thread=7&recording=" D, SHOP, 201);
    (void)ask(f, "POST", PINS "?request=0123456789abcdef&recording=" D, SHOP, 201);
    assert_non_null(strstr(ask(f, "POST", PINS "?trace=ab", SHOP, 201), "\"waiting\": 0"));

    // Who may pin all services has a pin of all. Others do not see it.
    http_fixture_serve(f->http, NULL, false);
    body = ask(f, "POST", path, NULL, 201);
    assert_non_null(strstr(body, "\"waiting\": 2"));
    assert_non_null(strstr(body, "\"service\": null"));
    http_fixture_serve(f->http, f->access, false);
    assert_null(strstr(ask(f, "GET", PINS, SHOP, 200), "\"service\": null"));
    assert_non_null(strstr(ask(f, "GET", PINS, OPS, 200), "\"service\": null"));
}

static void
test_raw_data_is_shown_by_service(void **state)
{
    const fixture *f = *state;
    assert_non_null(strstr(ask(f, "GET", RECALL, OPS, 200), "\"services\": []"));
    add_raw(f, 'd', "shop", "1");
    add_raw(f, 'e', "bank", "1");
    const char *body = ask(f, "GET", RECALL, SHOP, 200);
    assert_non_null(strstr(body, "\"bytes\": 1234"));
    assert_non_null(strstr(body, "\"disk\": 0"));
    assert_null(strstr(body, "bank"));
    assert_non_null(strstr(body, "\"budget\": 10737418240"));
    assert_non_null(strstr(body, "\"over_budget\": 0"));
    recall_budget_add(f->http->budget, "shop", 7, lp_time_now());
    recall_budget_note_pause(f->http->budget, "shop", lp_time_now());
    assert_false(recall_budget_admit(f->http->budget, "shop", 7, lp_time_now()));
    body = ask(f, "GET", RECALL, SHOP, 200);
    assert_non_null(strstr(body, "\"bytes\": 7"));
    assert_non_null(strstr(body, "\"over_budget\": 1"));
    assert_non_null(strstr(body, "\"paused\": 1"));
    assert_non_null(strstr(ask(f, "GET", RECALL, OPS, 200), "bank"));
    (void)ask(f, "GET", RECALL, NULL, 401);
}

// post sends a body, and returns the answer's body, lent until the next call.
static const char *
post(const fixture *f, const char *path, const char *token, const char *body, int status)
{
    static char text[4096];
    static char answered[8192];
    int fd = http_client_connect(f->http->port);
    (void)snprintf(text, sizeof(text),
        "POST %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: "
        "application/json\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n%s",
        path, token, strlen(body), body);
    http_client_send(fd, text);
    http_answer answer = http_client_receive(fd, false);
    (void)close(fd);
    (void)snprintf(
        answered, sizeof(answered), "%.*s", (int)answer.body.len, (const char *)answer.body.ptr);
    assert_int_equal(answer.status, status);
    http_answer_fini(&answer);
    return answered;
}

// make_alerts makes the body of two alerts of a group.
static const char *
make_alerts(const char *first, const char *second, const char *status)
{
    static char text[2048];
    char now[LP_TIME_BYTES];
    lp_time_format(lp_time_now() / 1000000000 * 1000000000, now);
    (void)snprintf(text, sizeof(text),
        "{\"version\":\"4\",\"groupKey\":\"{}:{}\",\"alerts\":[{\"status\":\"%s\",\"labels\":{%s},"
        "\"startsAt\":\"%s\"},{\"status\":\"%s\",\"labels\":{%s},\"startsAt\":\"%s\"}]}",
        status, first, now, status, second, now);
    return text;
}

static void
test_alerts_pin_the_services_that_the_caller_may_pin(void **state)
{
    const fixture *f = *state;
#define SHOP_LABEL "\"alertname\":\"Slow\",\"service\":\"shop\""
#define BANK_LABEL "\"job\":\"bank\""
    const char *body = make_alerts(SHOP_LABEL, BANK_LABEL, "firing");
    const char *made = post(f, ALERTS, SHOP, body, 200);
    assert_non_null(strstr(made, "\"service\": \"shop\""));
    assert_non_null(strstr(made, "\"reason\": \"Slow\""));
    assert_non_null(strstr(made, "\"forbidden\": 1"));
    assert_null(strstr(made, "bank"));
    (void)post(f, ALERTS, SHOP, body, 200); // again: the same pin
    (void)post(f, ALERTS, SHOP, make_alerts(BANK_LABEL, BANK_LABEL, "firing"), 403);
    (void)post(f, ALERTS, OPS, body, 403);
    (void)post(f, ALERTS "?service_label=app", SHOP, body, 400);
    (void)post(f, ALERTS "?label=app", SHOP, body, 400);
    (void)post(f, ALERTS, SHOP, "{}", 400);
    (void)post(f, ALERTS, SHOP, "", 400);
    made = post(f, ALERTS, SHOP, make_alerts(SHOP_LABEL, SHOP_LABEL, "resolved"), 200);
    assert_non_null(strstr(made, "\"pins\": []"));
    const char *all = ask(f, "GET", PINS, OPS, 200);
    assert_non_null(strstr(all, "alert-"));
    assert_null(strstr(strstr(all, "alert-") + 1, "alert-")); // once
    (void)ask(f, "GET", ALERTS, SHOP, 405);
}

static void
test_without_tokens_this_machine_may_pin(void **state)
{
    fixture *f = *state;
    http_fixture_serve(f->http, NULL, false);
    (void)ask(f, "POST", PINS "?recording=" D SINCE, NULL, 201);
    pins *made = f->http->pins;
    f->http->pins = NULL;
    http_fixture_serve(f->http, NULL, false);
    (void)ask(f, "POST", PINS "?recording=" D, NULL, 404);
    (void)ask(f, "GET", PINS, NULL, 200);
    f->http->pins = made;
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_only_who_may_pin_a_service_does),
        TEST(test_mistakes_are_named),
        TEST(test_a_pin_without_its_begin_begins_before_its_end),
        TEST(test_a_key_is_made_once_and_listed),
        TEST(test_a_trace_is_pinned_where_the_caller_may_pin),
        TEST(test_raw_data_is_shown_by_service),
        TEST(test_alerts_pin_the_services_that_the_caller_may_pin),
        TEST(test_without_tokens_this_machine_may_pin),
    };
    return cmocka_run_group_tests_name("http_pins", tests, NULL, NULL);
}
