// SPDX-License-Identifier: Apache-2.0
// The file of pins: what was written is read back, in the same order; whoever is not settled is
// looked at again, with counts that begin anew; damage is named, and never trusted. Below a second.

#include "support/temp_dir.h"

#include "collector/recall/pin/pin_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ONE "11111111111111111111111111111111"

typedef struct fixture {
    temp_dir dir;
    char path[300];
    uv_loop_t loop;
    pins *pins;
} fixture;

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->dir = temp_dir_make();
    (void)snprintf(f->path, sizeof(f->path), "%s/pins.json", f->dir.path);
    assert_int_equal(uv_loop_init(&f->loop), 0);
    f->pins = pins_create();
    *state = f;
    return f->pins == NULL;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    pins_destroy(f->pins);
    assert_int_equal(uv_run(&f->loop, UV_RUN_DEFAULT), 0);
    assert_int_equal(uv_loop_close(&f->loop), 0);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

static pin
add(pins *to, const pin *asked, uint32_t chunks)
{
    pin now;
    bool is_new;
    pin_chunks items = {0};
    for (uint32_t i = 0; i < chunks; i++) {
        pin_chunk chunk = {.session_id = ONE, .ordinal = i};
        assert_int_equal(LP_VEC_ADD(&items, chunk), LP_OK);
    }
    assert_int_equal(pins_add(to, asked, &now, &is_new), LP_OK);
    pins_fill(to, now.id, &items, &now);
    LP_VEC_FINI(&items);
    return now;
}

typedef struct loaded {
    pin items[4];
    size_t count;
    size_t unsettled;
} loaded;

static void
on_pin(void *arg, const pin *of)
{
    loaded *all = arg;
    assert_true(all->count < 4);
    all->items[all->count++] = *of;
}

static void
on_unsettled(void *arg, const pin *of)
{
    loaded *all = arg;
    assert_true(of->id != 0 && !of->is_settled);
    all->unsettled++;
}

// load reads the file as the next process does.
static lp_err
load(const fixture *f, loaded *out, lp_problem *out_problem)
{
    pins *next = pins_create();
    assert_non_null(next);
    *out = (loaded){.count = 0};
    lp_err err = pin_file_load(f->path, next, on_unsettled, out, out_problem);
    pins_each(next, on_pin, out);
    pins_destroy(next);
    return err;
}

static const pin trace = {.key = "a",
    .service = "shop\nbank",
    .selection = {PIN_TRACE, "4bf92f"},
    .reason = "slow \xc3\xa4",
    .owner = "ops",
    .from_wall_ns = INT64_MIN,
    .to_wall_ns = 20,
    .made_wall_ns = 7};
static const pin request = {.key = "b",
    .origin = PIN_BY_LATENCY,
    .service = "shop",
    .session_id = ONE,
    .selection = {PIN_REQUEST, "0123456789abcdef"},
    .from_wall_ns = 5,
    .to_wall_ns = INT64_MAX};

static void
test_pins_are_read_as_they_were(void **state)
{
    fixture *f = *state;
    loaded all;
    lp_problem problem;
    assert_int_equal(load(f, &all, &problem), LP_OK); // there is no file
    assert_int_equal(all.count, 0);
    pin_file *file = pin_file_create(&f->loop, f->pins, f->path);
    assert_non_null(file);
    pin first = add(f->pins, &trace, 3);
    (void)add(f->pins, &request, 1);
    pin_work work;
    for (int i = 0; i < 2; i++) {
        assert_true(pins_take(f->pins, &work));
        pins_note(f->pins, work.pin_id, PIN_KEPT);
    }
    pin_file_tick(file);
    pin_file_tick(file); // while the first one writes
    assert_int_equal(uv_run(&f->loop, UV_RUN_DEFAULT), 0);
    assert_int_equal(load(f, &all, &problem), LP_OK);
    assert_int_equal(all.count, 2);
    assert_int_equal(all.unsettled, 2);
    const pin *again = &all.items[1];
    assert_true(again->outcomes[PIN_KEPT] == 0 && again->waiting == 0);
    assert_string_equal(again->key, "a");
    assert_string_equal(again->service, trace.service);
    assert_string_equal(again->reason, trace.reason);
    assert_string_equal(again->owner, "ops");
    assert_true(again->selection.kind == PIN_TRACE && again->from_wall_ns == INT64_MIN);
    assert_string_equal(again->selection.id, first.selection.id);
    assert_true(again->to_wall_ns == 20 && again->made_wall_ns == 7);
    again = &all.items[0];
    assert_true(again->selection.kind == PIN_REQUEST && again->to_wall_ns == INT64_MAX);
    assert_string_equal(again->session_id, ONE);
    assert_true(again->origin == PIN_BY_LATENCY && all.items[1].origin == PIN_BY_CALLER);
    pin_file_destroy(file);
}

static void
test_settled_pins_keep_their_counts(void **state)
{
    fixture *f = *state;
    loaded all;
    lp_problem problem;
    pin_work work;
    pin_file *file = pin_file_create(&f->loop, f->pins, f->path);
    (void)add(f->pins, &trace, 1);
    assert_true(pins_take(f->pins, &work));
    pins_note(f->pins, work.pin_id, PIN_KEPT);
    pins_forget(f->pins, (PINS_SETTLED_S + 1) * INT64_C(1000000000));
    pin_file_destroy(file); // it writes what has changed
    assert_int_equal(load(f, &all, &problem), LP_OK);
    assert_true(all.count == 1 && all.unsettled == 0);
    assert_true(all.items[0].is_settled && all.items[0].outcomes[PIN_KEPT] == 1);
    file = pin_file_create(&f->loop, f->pins, f->path);
    const pin_stored late = {
        .chunk.ordinal = 9, .service = "shop", .end_wall_ns = 5, .ids = &(rollup_ids){{0}, {0}}};
    pin everything = request;
    everything.session_id[0] = '\0';
    everything.selection = (pin_selection){PIN_ALL, ""};
    (void)add(f->pins, &everything, 0);
    pins_expect(f->pins, &late);
    pin_file_destroy(file);
    assert_int_equal(load(f, &all, &problem), LP_OK);
    assert_true(all.count == 2 && all.unsettled == 1);
}

static void
test_damage_is_named(void **state)
{
    const fixture *f = *state;
#define GOOD                                                                                       \
    "\"services\":\"s\",\"reason\":\"\",\"owner\":\"\",\"from\":1,\"made\":1,\"outcomes\":[],"     \
    "\"left_out\":0,\"is_settled\":false"
    static const struct {
        const char *text;
        lp_err err;
        size_t count; // of pins that are read
    } cases[] = {
        {"", LP_ECORRUPT},
        {"[]", LP_ECORRUPT},
        {"{\"pins\":[]}", LP_OK},
        {"{\"pins\":[7]}", LP_ECORRUPT},
        {"{\"pins\":[{" GOOD ",\"key\":\"k\",\"recording\":\"\",\"kind\":0,\"id\":\"\",\"to\":1}]}",
            LP_OK, 1},
        {"{\"pins\":[{" GOOD
         ",\"key\":\"k\",\"recording\":\"\",\"kind\":0,\"id\":\"\",\"to\":1},7,{" GOOD
         ",\"key\":\"l\",\"recording\":\"\",\"kind\":0,\"id\":\"\",\"to\":1}]}",
            LP_ECORRUPT, 2},
        {"{\"pins\":[{" GOOD ",\"key\":\"\",\"recording\":\"\",\"kind\":0,\"id\":\"\",\"to\":1}]}",
            LP_ECORRUPT},
        {"{\"pins\":[{" GOOD ",\"key\":\"k\",\"recording\":\"\",\"kind\":0,\"id\":\"\",\"to\":0}]}",
            LP_ECORRUPT},
        {"{\"pins\":[{" GOOD
         ",\"key\":\"k\",\"recording\":\"x\",\"kind\":0,\"id\":\"\",\"to\":1}]}",
            LP_ECORRUPT},
        {"{\"pins\":[{" GOOD ",\"key\":\"k\",\"recording\":\"\",\"kind\":4,\"id\":\"\",\"to\":1}]}",
            LP_ECORRUPT},
        {"{\"pins\":[{" GOOD ",\"key\":\"k\",\"recording\":\"\",\"kind\":1,\"id\":\"\",\"to\":1}]}",
            LP_ECORRUPT},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        FILE *file = fopen(f->path, "w");
        assert_non_null(file);
        assert_true(fputs(cases[i].text, file) >= 0);
        assert_int_equal(fclose(file), 0);
        loaded all;
        lp_problem problem = {.text = ""};
        assert_int_equal(load(f, &all, &problem), cases[i].err);
        assert_int_equal(all.count, cases[i].count);
        assert_int_equal(pin_file_check(f->path, &problem), cases[i].err);
        assert_int_equal(problem.text[0] != '\0', cases[i].err != LP_OK);
        // What can be read survives a repair.
        assert_int_equal(pin_file_mend(f->path), LP_OK);
        assert_int_equal(load(f, &all, &problem), LP_OK);
        assert_int_equal(all.count, cases[i].count);
    }
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_pins_are_read_as_they_were),
        TEST(test_settled_pins_keep_their_counts),
        TEST(test_damage_is_named),
    };
    return cmocka_run_group_tests_name("pin_file", tests, NULL, NULL);
}
