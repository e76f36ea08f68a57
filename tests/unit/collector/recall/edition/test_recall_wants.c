// SPDX-License-Identifier: Apache-2.0
// What pins want of a chunk: each adds to the others, up to a limit; a record in a journal has all
// of it.

#include "support/temp_dir.h"

#include "collector/journal/journal.h"
#include "collector/recall/edition/recall_wants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static pin_work
make(pin_kind kind, const char *id)
{
    pin_work work = {.selection.kind = kind, .from_wall_ns = 10, .to_wall_ns = 20};
    (void)snprintf(work.selection.id, sizeof(work.selection.id), "%s", id);
    return work;
}

static void
expect(recall_wants *wants, pin_kind kind, const char *id, lp_err err, bool is_new)
{
    const pin_work work = make(kind, id);
    bool got = !is_new;
    assert_int_equal(recall_wants_add(wants, &work, &got), err);
    if (err == LP_OK) {
        assert_int_equal(got, is_new);
    }
}

static void
test_what_is_wanted_is_there_once(void **state)
{
    (void)state;
    recall_wants wants = {0};
    expect(&wants, PIN_TRACE, "b", LP_OK, true);
    expect(&wants, PIN_TRACE, "a", LP_OK, true);
    expect(&wants, PIN_TRACE, "B", LP_OK, false); // ids ignore case
    expect(&wants, PIN_REQUEST, "00000000000000ff", LP_OK, true);
    expect(&wants, PIN_REQUEST, "0000000000000001", LP_OK, true);
    expect(&wants, PIN_REQUEST, "00000000000000ff", LP_OK, false);
    expect(&wants, PIN_THREAD, "main", LP_OK, true);
    expect(&wants, PIN_THREAD, "17", LP_OK, true);
    expect(&wants, PIN_THREAD, "17", LP_OK, false);
    compact_also also;
    assert_int_equal(recall_wants_view(&wants, &also), LP_OK);
    assert_int_equal(also.id_count, 2);
    assert_true(also.ids[0] < also.ids[1]);
    assert_int_equal(also.request_count, 2);
    assert_true(also.requests[0] == 1 && also.requests[1] == 255);
    assert_int_equal(also.thread_count, 2);
    assert_true(also.threads[0].java_id == 0 && also.threads[1].java_id == 17);
    assert_string_equal(also.threads[0].name, "main");
    recall_wants_fini(&wants);
}

static void
test_a_view_asks_for_the_request_or_thread_of_a_pin(void **state)
{
    (void)state;
    recall_wants wants = {0};
    static const struct {
        pin_kind kind;
        const char *id;
    } cases[] = {{PIN_REQUEST, "00000000000000ff"}, {PIN_REQUEST, "0000000000000001"},
        {PIN_THREAD, "main"}, {PIN_THREAD, "17"}, {PIN_TRACE, "a"}};
    for (size_t i = 0; i < 5; i++) {
        expect(&wants, cases[i].kind, cases[i].id, LP_OK, true);
    }
    for (size_t i = 0; i < 5; i++) {
        compact_also also;
        const pin_work work = make(cases[i].kind, cases[i].id);
        assert_int_equal(recall_wants_view(&wants, &also), LP_OK);
        recall_wants_ask(&wants, &work, &also);
        assert_ptr_equal(also.asked_request, i < 2 ? &also.requests[1 - i] : NULL);
        assert_ptr_equal(also.asked_thread, i == 2 || i == 3 ? &also.threads[i - 2] : NULL);
    }
    recall_wants_fini(&wants);
}

static void
add_traces(recall_wants *wants, uint64_t from, uint64_t step, size_t count, lp_err err, bool is_new)
{
    rollup_hashes traces = {0};
    bool got = !is_new;
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(LP_VEC_ADD(&traces, from + i * step), LP_OK);
    }
    assert_int_equal(recall_wants_add_traces(wants, &traces, &got), err);
    assert_true(err != LP_OK || got == is_new);
    LP_VEC_FINI(&traces);
}

static void
test_traces_leave_pins_their_room(void **state)
{
    (void)state;
    recall_wants wants = {0};
    compact_also also;
    char id[24];
    add_traces(&wants, 10, 2, 5, LP_OK, true);  // 10 to 18
    add_traces(&wants, 12, 2, 2, LP_OK, false); // 12, 14
    add_traces(&wants, 9, 2, 3, LP_OK, true);   // 9, 11, 13
    for (int i = 0; i < RECALL_WANTS_MAX; i++) {
        (void)snprintf(id, sizeof(id), "%d", i);
        expect(&wants, PIN_TRACE, id, LP_OK, true);
    }
    add_traces(&wants, wants.ids[0], 1, 1, LP_OK, true); // a pin wants it, too
    assert_int_equal(recall_wants_view(&wants, &also), LP_OK);
    assert_int_equal(also.id_count, 8 + RECALL_WANTS_MAX);
    for (size_t i = 0; i < also.id_count; i++) {
        assert_true(
            i < 8 ? also.ids[i] == (i < 6 ? 9 + i : 4 + 2 * i) : also.ids[i] == wants.ids[i - 8]);
    }
    expect(&wants, PIN_TRACE, "one more", LP_ELIMIT, false);
    recall_wants_fini(&wants);
}

static void
test_traces_over_their_limit_are_refused_together(void **state)
{
    (void)state;
    recall_wants wants = {0};
    add_traces(&wants, 1, 1, RECALL_WANTS_TRACES_MAX - 1, LP_OK, true);
    add_traces(&wants, RECALL_WANTS_TRACES_MAX, 1, 2, LP_ELIMIT, true);
    assert_int_equal(wants.traces.count, RECALL_WANTS_TRACES_MAX - 1);
    add_traces(&wants, RECALL_WANTS_TRACES_MAX, 1, 1, LP_OK, true);
    add_traces(&wants, 1, 1, RECALL_WANTS_TRACES_MAX, LP_OK, false);
    recall_wants_fini(&wants);
}

static void
test_some_pins_want_everything(void **state)
{
    (void)state;
    recall_wants wants = {0};
    char id[24];
    expect(&wants, PIN_ALL, "", LP_ELIMIT, false);
    expect(&wants, PIN_THREAD, "worker-*", LP_ELIMIT, false);
    expect(&wants, PIN_REQUEST, "ff", LP_ELIMIT, false);
    expect(&wants, PIN_TRACE, "", LP_ELIMIT, false);
    for (int i = 0; i < RECALL_WANTS_MAX; i++) {
        (void)snprintf(id, sizeof(id), "%d", i);
        expect(&wants, PIN_TRACE, id, LP_OK, true);
    }
    expect(&wants, PIN_TRACE, "7", LP_OK, false);
    expect(&wants, PIN_TRACE, "one more", LP_ELIMIT, false);
    expect(&wants, PIN_THREAD, "main", LP_ELIMIT, false);
    recall_wants_fini(&wants);
}

static void
test_a_record_has_all_of_it(void **state)
{
    (void)state;
    temp_dir dir = temp_dir_make();
    recall_wants wants = {0};
    recall_wants again = {0};
    const recall_counts counts = {1, 2, UINT64_MAX};
    char path[400];
    journal *file;
    journal_cursor cursor;
    const Loupe__Wire__Request *request;
    expect(&wants, PIN_TRACE, "a", LP_OK, true);
    expect(&wants, PIN_REQUEST, "ffffffffffffffff", LP_OK, true);
    expect(&wants, PIN_THREAD, "main", LP_OK, true);
    add_traces(&wants, 1, 3, 1000, LP_OK, true);
    (void)snprintf(path, sizeof(path), "%s/1.log", dir.path);
    assert_int_equal(recall_wants_write(&wants, 3, &counts, path), LP_OK);
    assert_int_equal(journal_open_to_read(path, &file), LP_OK);
    journal_cursor_init(&cursor, file, journal_get_size(file));
    assert_int_equal(journal_request_next(&cursor, &request), LP_OK);
    const Loupe__Wire__Recalled *record = request->recalled;
    assert_true(record->edition == 3 && record->events == 1 && record->contexts == 2);
    assert_true(record->bytes == UINT64_MAX);
    record->traces[1] = 1; // not ascending
    assert_int_equal(recall_wants_read(&again, record), LP_ECORRUPT);
    record->traces[1] = 4;
    assert_int_equal(recall_wants_read(&again, record), LP_OK);
    journal_cursor_fini(&cursor);
    journal_unref(file);
    assert_true(again.id_count == 1 && again.ids[0] == wants.ids[0]);
    assert_true(again.request_count == 1 && again.requests[0] == UINT64_MAX);
    assert_int_equal(again.traces.count, 1000);
    assert_true(again.traces.items[0] == 1 && again.traces.items[999] == 2998);
    assert_int_equal(again.thread_count, 1);
    assert_string_equal(again.threads[0].name, "main");
    assert_true(again.threads[0].from_wall_ns == 10 && again.threads[0].to_wall_ns == 20);
    recall_wants_fini(&again);
    recall_wants_fini(&wants);
    temp_dir_remove(&dir);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_wanted_is_there_once),
        cmocka_unit_test(test_a_view_asks_for_the_request_or_thread_of_a_pin),
        cmocka_unit_test(test_traces_leave_pins_their_room),
        cmocka_unit_test(test_traces_over_their_limit_are_refused_together),
        cmocka_unit_test(test_some_pins_want_everything),
        cmocka_unit_test(test_a_record_has_all_of_it),
    };
    return cmocka_run_group_tests_name("recall_wants", tests, NULL, NULL);
}
