// SPDX-License-Identifier: Apache-2.0
// Memory runs out once: each allocation of the collector's own code fails in a start on the
// directory of tests/fixtures, and while a request is answered, with all that is compacted for
// it of recordings that run. A start works or says why not; an answer is right, or an error; and
// nothing is left behind (AddressSanitizer). Of the later allocations some fail; with the argument
// `all` each of them.

#include "support/failing_alloc.h"
#include "support/large.h"
#include "support/temp_dir.h"
#include "unit/collector/http/http_client.h"

#include "collector/collect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define RANGE  "from=2023-11-14T22:00:00Z&to=2023-11-15T02:00:00Z"
#define ORDERS "0d000000000000000000000000000000"
#define BASKET "ba000000000000000000000000000000"

enum { DENSE = 16, SPARSER = 8 }; // each of the first ones, then an 8th more each time

typedef struct fixture {
    temp_dir dir;
    char data[300];
    collect *collect; // NULL: not running
} fixture;

static void
restore(const fixture *f)
{
    char command[800];
    (void)snprintf(command, sizeof(command), "rm -rf %s && cp -r " LOUPE_FIXTURES "/0001/data %s",
        f->data, f->data);
    assert_int_equal(system(command), 0); // NOLINT(cert-env33-c): both paths are the test's
}

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    f->dir = temp_dir_make();
    (void)snprintf(f->data, sizeof(f->data), "%s/data", f->dir.path);
    restore(f);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    collect_stop(f->collect);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

static lp_err
start(fixture *f, lp_problem *out_problem)
{
    const collect_config config = {
        .server =
            {
                .agents_url = "tcp://127.0.0.1:0",
                .data_dir = f->data,
                .memory = memory_plan_make(MEMORY_PLAN_BYTES_LEAST),
                .idle_ms_max = SERVER_IDLE_MS_MAX,
                .killed_ms_max = INT32_MAX, // slices say it of a JVM that counts as killed
                .linger_ms_max = SERVER_LINGER_MS_MAX,
                .lack_ms_max = SERVER_LACK_MS_MAX,
                .snapshot_kept_ms = 0,            // each is made
                .context_hold_ns = INT64_MAX / 2, // nothing is compacted for good meanwhile
            },
        .http_address = "127.0.0.1:0",
    };
    return collect_start(&config, &f->collect, out_problem);
}

static size_t
next_number(size_t number)
{
    return number + 1 + (is_large || number < DENSE ? 0 : number / SPARSER);
}

// disarm returns whether an allocation has failed.
static bool
disarm(void)
{
    return atomic_exchange(&allocations_left, 0) == 0;
}

static void
test_starts(void **state)
{
    fixture *f = *state;
    bool has_failed = true;
    size_t number = 1;
    for (; has_failed; number = next_number(number)) {
        lp_problem problem = {.text = ""};
        restore(f);
        allocations_left = number;
        lp_err err = start(f, &problem);
        has_failed = disarm();
        if (err != LP_OK) {
            assert_true(has_failed);
            assert_true(problem.text[0] != '\0');
        }
        collect_stop(f->collect);
        f->collect = NULL;
    }
    assert_true(number > DENSE);
}

static http_answer
ask(const fixture *f, const char *path)
{
    return http_client_ask(collect_get_http_port(f->collect), "GET", path, "");
}

// compared returns the part of a body that stays the same while the collector runs: how many
// segments a search of ids has read changes when the collector writes one.
static lp_slice
compared(const http_answer *answer)
{
    static const char searched[] = "\"searched\":";
    const uint8_t *at = memmem(answer->body.ptr, answer->body.len, searched, sizeof(searched) - 1);
    size_t len = at == NULL ? answer->body.len : (size_t)(at - answer->body.ptr);
    return (lp_slice){answer->body.ptr, len};
}

static bool
is_same(const http_answer *a, const http_answer *b)
{
    lp_slice x = compared(a);
    lp_slice y = compared(b);
    return a->is_complete && a->status == 200 && x.len == y.len && memcmp(x.ptr, y.ptr, x.len) == 0;
}

// fail_answer has an allocation fail while a path is answered. Returns false if none did.
static bool
fail_answer(const fixture *f, const char *path, size_t number, const http_answer *right)
{
    allocations_left = number;
    http_answer answer = ask(f, path);
    bool has_failed = disarm();
    bool is_error = answer.status == 500 || answer.status == 503 || !answer.is_complete;
    if (!is_same(&answer, right) && !(has_failed && is_error)) {
        fail_msg("%s, allocation %zu: %d, and another content", path, number, answer.status);
    }
    http_answer_fini(&answer);
    return has_failed;
}

static void
test_answers(void **state)
{
    static const char *const paths[] = {
        "/api/v1/recordings",
        "/api/v1/recordings/" ORDERS,
        "/api/v1/recordings/" BASKET ".jfr",
        "/api/v1/recordings/" ORDERS ".jfr",
        "/api/v1/recordings/" ORDERS ".jfr?sample-contexts=true",
        "/api/v1/services?" RANGE,
        "/api/v1/contexts/types?" RANGE,
        "/api/v1/contexts/heatmap?service=orders&" RANGE,
        "/api/v1/contexts?" RANGE,
        "/api/v1/ids/0de50",
        "/api/v1/why?service=orders&" RANGE,
        "/api/v1/timeline?service=orders&width=800&" RANGE,
        "/api/v1/flamegraph?service=basket&" RANGE,
        "/api/v1/events?service=orders&event=test.Plain&" RANGE,
        "/api/v1/attributes?service=orders&" RANGE,
        "/api/v1/slice.jfr?service=orders&" RANGE,
        "/api/v1/slice.pprof?service=orders&" RANGE,
        "/api/v1/accounting?" RANGE,
    };
    fixture *f = *state;
    lp_problem problem;
    if (start(f, &problem) != LP_OK) {
        fail_msg("%s", problem.text);
    }
    is_thread_spared = true; // those of the client
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        http_answer right = ask(f, paths[i]);
        assert_int_equal(right.status, 200);
        size_t number = 1;
        while (fail_answer(f, paths[i], number, &right)) {
            number = next_number(number);
        }
        assert_false(fail_answer(f, paths[i], SIZE_MAX, &right)); // the next one is right
        http_answer_fini(&right);
    }
    is_thread_spared = false;
}

int
main(int argc, char **argv)
{
    large_init(argc, argv);
    temp_dir_use_memory();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_starts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_answers, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
