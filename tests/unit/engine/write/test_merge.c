// SPDX-License-Identifier: Apache-2.0
// Chunks of several JVMs compacted for one file: each has the same content as when it is compacted
// alone, at the same wall times, and no id in the file has two meanings.

#include "support/ctx_build.h"
#include "unit/engine/compact_session.h"

#include "engine/write/merge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNKS_MAX = 6 };

// Chunks of one file, compacted twice each.
typedef struct file {
    jfr_build builds[CHUNKS_MAX];
    lp_slice chunks[CHUNKS_MAX]; // of builds, unless set
    uint32_t sources[CHUNKS_MAX];
    lp_slice records; // of all chunks
    size_t count;
    compact_merge *merge;
    compact_result alone[CHUNKS_MAX];
    compact_result merged[CHUNKS_MAX];
    jfr_read read_alone[CHUNKS_MAX];
    jfr_read read_merged[CHUNKS_MAX];
} file;

static void
compact_all(file *f, uint32_t source_count)
{
    lp_problem problem;
    for (size_t i = 0; i < f->count; i++) {
        f->chunks[i] = f->chunks[i].len == 0 ? jfr_build_finish(&f->builds[i]) : f->chunks[i];
    }
    f->merge = compact_merge_create(source_count);
    assert_non_null(f->merge);
    for (size_t i = 0; i < f->count; i++) {
        assert_int_equal(
            compact_run_add_to_merge(f->merge, f->sources[i], f->chunks[i], NULL), LP_OK);
    }
    assert_int_equal(compact_merge_number(f->merge), LP_OK);
    for (size_t i = 0; i < f->count; i++) {
        compact_source source = {.jfr = f->chunks[i],
            .records = f->records,
            .types = session_types,
            .type_count = f->records.len == 0 ? 0 : SESSION_TYPES};
        assert_int_equal(
            compact_chunk(&source, NULL, 0, NULL, NULL, &f->alone[i], &problem), LP_OK);
        source.merge = f->merge;
        source.merge_source = f->sources[i];
        assert_int_equal(
            compact_chunk(&source, NULL, 0, NULL, NULL, &f->merged[i], &problem), LP_OK);
        compact_run_read(&f->alone[i], &f->read_alone[i]);
        compact_run_read(&f->merged[i], &f->read_merged[i]);
    }
}

static void
file_fini(file *f)
{
    for (size_t i = 0; i < f->count; i++) {
        jfr_read_close(&f->read_alone[i]);
        jfr_read_close(&f->read_merged[i]);
        compact_result_fini(&f->alone[i]);
        compact_result_fini(&f->merged[i]);
        jfr_build_fini(&f->builds[i]);
    }
    compact_merge_destroy(f->merge);
}

static int64_t
wall_ns(const jfr_read *read, const jfr_read_event *event)
{
    int64_t ticks = jfr_read_number(read, event, "startTime") - read->start_ticks;
    return read->start_wall_ns + (int64_t)((__int128)ticks * 1000000000 / read->ticks_per_s);
}

static int64_t
length_ns(const jfr_read *read, const jfr_read_event *event)
{
    const jfr_read_type *type = &read->types.items[event->type];
    if (type->fields.count < 2 || strcmp(type->fields.items[1].name, "duration") != 0) {
        return 0;
    }
    int64_t ticks = jfr_read_number(read, event, "duration");
    return (int64_t)((__int128)ticks * 1000000000 / read->ticks_per_s);
}

// blank makes the value of each name=value in text a single *, to its end.
static void
blank(lp_buf *text, const char *name)
{
    char *at = (char *)text->ptr;
    while ((at = strstr(at, name)) != NULL) {
        at += strlen(name);
        size_t length = strcspn(at, " }");
        memset(at, '*', length < 1 ? 0 : 1);
        memmove(at + 1, at + length, strlen(at + length) + 1);
    }
}

static void
expect_same_event(const jfr_read *alone, const jfr_read *merged, size_t index)
{
    const jfr_read_event *a = &alone->events.items[index];
    const jfr_read_event *b = &merged->events.items[index];
    static const char *const moved[] = {"startTime=", "duration=", "contextId="};
    lp_buf text_a = {0};
    lp_buf text_b = {0};
    assert_int_equal(wall_ns(alone, a), wall_ns(merged, b));
    assert_int_equal(length_ns(alone, a), length_ns(merged, b));
    jfr_read_text(alone, a, &text_a);
    jfr_read_text(merged, b, &text_b);
    for (size_t i = 0; i < sizeof(moved) / sizeof(moved[0]); i++) {
        blank(&text_a, moved[i]);
        blank(&text_b, moved[i]);
    }
    assert_string_equal((const char *)text_a.ptr, (const char *)text_b.ptr);
    lp_buf_fini(&text_a);
    lp_buf_fini(&text_b);
}

static void
expect_same_events(const file *f)
{
    for (size_t i = 0; i < f->count; i++) {
        assert_int_equal(f->read_alone[i].events.count, f->read_merged[i].events.count);
        for (size_t k = 0; k < f->read_alone[i].events.count; k++) {
            expect_same_event(&f->read_alone[i], &f->read_merged[i], k);
        }
        assert_int_equal(f->read_alone[i].constants.count, f->read_merged[i].constants.count);
    }
}

// is_same_state says whether two constants are of the one enumeration that there is here, and say
// the same.
static bool
is_same_state(
    const jfr_read *a, const jfr_read_constant *x, const jfr_read *b, const jfr_read_constant *y)
{
    const jfr_read_type *type = jfr_read_find_type(a, "jdk.types.ThreadState");
    if (type == NULL || x->type != type->id) {
        return false;
    }
    lp_buf text_a = {0};
    lp_buf text_b = {0};
    assert_true(jfr_read_constant_value(a, x, "name", &text_a));
    assert_true(jfr_read_constant_value(b, y, "name", &text_b));
    bool is_same = strcmp((const char *)text_a.ptr, (const char *)text_b.ptr) == 0;
    lp_buf_fini(&text_a);
    lp_buf_fini(&text_b);
    return is_same;
}

// expect_own_ids compares two chunks: types with one id are the same type. If the chunks are of two
// JVMs, they share no key of a constant, except in common enumerations.
static void
expect_own_ids(const file *f, size_t i, size_t k)
{
    const jfr_read *a = &f->read_merged[i];
    const jfr_read *b = &f->read_merged[k];
    for (size_t x = 0; x < a->types.count; x++) {
        for (size_t y = 0; y < b->types.count; y++) {
            if (a->types.items[x].id == b->types.items[y].id) {
                assert_string_equal(a->types.items[x].name, b->types.items[y].name);
                assert_int_equal(a->types.items[x].fields.count, b->types.items[y].fields.count);
            }
        }
    }
    for (size_t x = 0; x < a->constants.count && f->sources[i] != f->sources[k]; x++) {
        for (size_t y = 0; y < b->constants.count; y++) {
            bool is_one = a->constants.items[x].type == b->constants.items[y].type &&
                          a->constants.items[x].key == b->constants.items[y].key;
            assert_false(
                is_one && !is_same_state(a, &a->constants.items[x], b, &b->constants.items[y]));
        }
    }
    assert_int_equal(a->ticks_per_s, 1000000000);
    assert_int_equal(a->start_wall_ns - a->start_ticks, b->start_wall_ns - b->start_ticks);
    assert_true(a->start_ticks > 0);
}

static void
expect_one_file(const file *f)
{
    expect_same_events(f);
    for (size_t i = 0; i < f->count; i++) {
        for (size_t k = 0; k < f->count; k++) {
            expect_own_ids(f, i, k);
        }
    }
}

static uint64_t
type_id(const jfr_read *read, const char *name)
{
    const jfr_read_type *type = jfr_read_find_type(read, name);
    assert_non_null(type);
    return type->id;
}

// fill_sample adds events of each kind; thread and state are names that this JVM alone has.
static void
fill_sample(jfr_build *build, int64_t start, int64_t thread, const char *state)
{
    for (uint64_t key = 1; key <= 3; key++) {
        jfr_sample_thread(build, key, thread + (int64_t)key);
    }
    jfr_sample_stack(build, 100);
    if (state != NULL) {
        jfr_build_string(&build->payload, state);
        jfr_build_constant(build, JFR_SAMPLE_THREAD_STATE, 0);
    }
    jfr_build_string(&build->payload, state == NULL ? "pooled" : state);
    jfr_build_constant(build, JFR_SAMPLE_STRING, 7);
    static const uint64_t sample_types[] = {JFR_SAMPLE_PLAIN, JFR_SAMPLE_TRACE, JFR_SAMPLE_MARK,
        JFR_SAMPLE_IDLE, JFR_SAMPLE_EXECUTION, JFR_SAMPLE_ODD, JFR_SAMPLE_SPAN, JFR_SAMPLE_BOTH};
    for (size_t i = 0; i < sizeof(sample_types) / sizeof(sample_types[0]); i++) {
        int64_t at = start + 10 * (int64_t)i;
        (void)jfr_sample_event(build, &(jfr_sample){.type = sample_types[i],
                                          .start = at,
                                          .end = at + 100,
                                          .thread = 1 + i % 3,
                                          .stack = i % 2 == 0 ? 100 : 0,
                                          .text = "text"});
    }
    jfr_build_varint(&build->payload, (uint64_t)start + 200);
    jfr_build_varint(&build->payload, 2);
    jfr_build_string_constant(&build->payload, 7);
    (void)jfr_build_event(build, JFR_SAMPLE_MARK);
    jfr_build_checkpoint(build);
}

static void
test_two_jvms_with_the_same_ids(void **state)
{
    (void)state;
    file f = {.count = 3, .sources = {0, 1, 0}};
    static const int64_t starts[] = {5000000000, 77, 9000000000};
    for (size_t i = 0; i < 3; i++) {
        jfr_sample_begin(&f.builds[i], starts[i]);
        // The second JVM does not define state 0: there it is null.
        fill_sample(&f.builds[i], starts[i], f.sources[i] == 0 ? 10 : 20,
            f.sources[i] == 0 ? "state of JVM 0" : NULL);
    }
    compact_all(&f, 2);
    expect_one_file(&f);
    // The types are the same, so they are in the file once.
    const char *const names[] = {"test.Plain", "java.lang.Thread", "jdk.types.StackTrace"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        assert_int_equal(type_id(&f.read_merged[0], names[i]), type_id(&f.read_alone[0], names[i]));
        assert_int_equal(
            type_id(&f.read_merged[1], names[i]), type_id(&f.read_merged[0], names[i]));
    }
    // The same thread in another chunk of its JVM has the same key.
    for (size_t i = 0; i < f.read_merged[0].constants.count; i++) {
        const jfr_read_constant *constant = &f.read_merged[0].constants.items[i];
        bool is_there = false;
        for (size_t k = 0; k < f.read_merged[2].constants.count; k++) {
            const jfr_read_constant *other = &f.read_merged[2].constants.items[k];
            is_there |= other->type == constant->type && other->key == constant->key;
        }
        assert_true(is_there);
    }
    file_fini(&f);
}

// Another JVM has other types under the ids of the first, and counts two ticks a nanosecond.
static void
test_jvms_with_other_types_and_another_clock(void **state)
{
    (void)state;
    static const jfr_build_type types[] = {
        {.id = JFR_SAMPLE_STRING, .name = "long"},
        {.id = JFR_SAMPLE_LONG, .name = "java.lang.String"},
        {.id = JFR_SAMPLE_SYMBOL,
            .name = "java.lang.Thread",
            .fields = {{"javaName", JFR_SAMPLE_LONG}, {"javaThreadId", JFR_SAMPLE_STRING}}},
        {.id = JFR_SAMPLE_THREAD,
            .name = "test.Plain",
            .super = "jdk.jfr.Event",
            .fields = {{"startTime", JFR_SAMPLE_STRING}, {"duration", JFR_SAMPLE_STRING},
                {"eventThread", JFR_SAMPLE_SYMBOL, .is_constant = true}}},
        {.id = JFR_SAMPLE_PLAIN, .name = "java.lang.Class"},
    };
    file f = {.count = 2, .sources = {0, 1}};
    jfr_sample_begin(&f.builds[0], 5000000000);
    fill_sample(&f.builds[0], 5000000000, 10, "state");
    jfr_build *other = &f.builds[1];
    jfr_build_begin(other, &(jfr_build_clock){.start_ticks = 1234567890,
                               .ticks_per_s = 2000000000,
                               .start_wall_ns = 1700000009000000000,
                               .duration_ns = 5});
    jfr_build_metadata(other, 1, types, sizeof(types) / sizeof(types[0]));
    for (uint64_t i = 0; i < 20; i++) {
        jfr_build_varint(&other->payload, 1234567890 + 2 * i - 20);
        jfr_build_varint(&other->payload, 6 * i);
        jfr_build_varint(&other->payload, i % 3);
        (void)jfr_build_event(other, JFR_SAMPLE_THREAD);
    }
    for (uint64_t key = 1; key <= 2; key++) {
        jfr_build_string(&other->payload, key == 1 ? "one" : "two");
        jfr_build_varint(&other->payload, key);
        jfr_build_constant(other, JFR_SAMPLE_SYMBOL, key);
    }
    jfr_build_checkpoint(other);
    compact_all(&f, 2);
    expect_one_file(&f);
    assert_int_equal(f.read_merged[1].events.count, 20);
    assert_int_not_equal(
        type_id(&f.read_merged[0], "test.Plain"), type_id(&f.read_merged[1], "test.Plain"));
    assert_int_equal(type_id(&f.read_merged[0], "long"), type_id(&f.read_merged[1], "long"));
    assert_int_not_equal(f.read_merged[0].metadata_id, f.read_merged[1].metadata_id);
    file_fini(&f);
}

// expect_contexts compares the ids of contexts in two chunks of two JVMs: each has as many
// different ones as alone, and none is in both.
static void
expect_contexts(const file *f, size_t count)
{
    uint64_t ids[20];
    size_t id_count = 0;
    for (size_t i = 0; i < 2; i++) {
        const jfr_read *read = &f->read_merged[i];
        for (size_t k = 0; k < read->events.count; k++) {
            const jfr_read_event *event = &read->events.items[k];
            if (strcmp(jfr_read_name(read, event), "tracer") == 0) {
                ids[id_count++] = (uint64_t)jfr_read_number(read, event, "contextId");
            }
        }
    }
    assert_int_equal(id_count, 2 * count);
    for (size_t i = 0; i < id_count; i++) {
        for (size_t k = 0; k < i; k++) {
            assert_int_not_equal(ids[i], ids[k]);
        }
    }
}

// The second file is made of what came out as the first: that is how contexts of the Loupe API get
// into a recording that is merged with others.
static void
test_contexts_of_two_jvms_stay_apart(void **state)
{
    (void)state;
    lp_buf records = {0};
    lp_buf values = {0};
    for (int64_t i = 0; i < 3; i++) {
        ctx_build_latin1(&values, "trace");
        ctx_build_record(&records, 1, SESSION_TRACER, 11 + i, 5000000000 + 5 * i, &values);
    }
    file first = {.count = 2, .sources = {0, 1}, .records = lp_buf_slice(&records)};
    for (size_t i = 0; i < 2; i++) {
        jfr_sample_begin(&first.builds[i], 5000000000);
        fill_sample(&first.builds[i], 5000000000, 10, "state");
    }
    compact_all(&first, 2);
    expect_one_file(&first);
    expect_contexts(&first, 3);

    file second = {.count = 2, .sources = {0, 1}};
    second.chunks[0] = lp_buf_slice(&first.alone[0].jfr);
    second.chunks[1] = lp_buf_slice(&first.alone[1].jfr);
    compact_all(&second, 2);
    expect_one_file(&second);
    expect_contexts(&second, 3);
    file_fini(&second);
    file_fini(&first);
    lp_buf_fini(&records);
    lp_buf_fini(&values);
}

// A JVM with an enumeration of up to three constants; NULL where it does not define one.
typedef struct states {
    const char *names[3]; // of the keys 0, 5 and 6
    int64_t type_of;      // the JVM with which it shares the type
} states;

static const uint64_t state_keys[] = {0, 5, 6};

static void
fill_states(jfr_build *build, const states *s)
{
    jfr_sample_begin(build, 0);
    for (size_t i = 0; i < 3; i++) {
        if (s->names[i] != NULL) {
            jfr_build_string(&build->payload, s->names[i]);
            jfr_build_constant(build, JFR_SAMPLE_THREAD_STATE, state_keys[i]);
        }
        jfr_build_varint(&build->payload, 10 + i);
        jfr_build_varint(&build->payload, 0);
        jfr_build_varint(&build->payload, 0);
        jfr_build_varint(&build->payload, state_keys[i]);
        (void)jfr_build_event(build, JFR_SAMPLE_EXECUTION);
    }
    jfr_build_checkpoint(build);
}

static void
test_enumerations_keep_their_keys(void **state)
{
    (void)state;
    static const states jvms[] = {
        {{"new", "runs", "waits"}, 0},
        {{"new", "runs", NULL}, 0}, // key 6 leads to nothing
        {{"new", "sleeps", NULL}, 2},
        {{NULL, "runs", "waits"}, 3}, // key 0 is null
        {{"new", NULL, "waits"}, 0},
        {{NULL, NULL, "waits"}, 3},
    };
    enum { JVMS = sizeof(jvms) / sizeof(jvms[0]) };
    file f = {.count = JVMS};
    for (uint32_t i = 0; i < JVMS; i++) {
        f.sources[i] = i;
        fill_states(&f.builds[i], &jvms[i]);
    }
    compact_all(&f, JVMS);
    expect_one_file(&f);
    for (size_t i = 0; i < JVMS; i++) {
        const jfr_read *read = &f.read_merged[i];
        for (size_t k = 0; k < 3; k++) {
            assert_int_equal(
                jfr_read_find_constant(read, "jdk.types.ThreadState", state_keys[k]) != NULL,
                jvms[i].names[k] != NULL);
            uint64_t key;
            assert_true(jfr_read_key(read, &read->events.items[k], "state", &key));
            bool is_null = jvms[i].names[k] == NULL && jvms[i].names[0] == NULL;
            if (jvms[i].names[k] != NULL || is_null) {
                assert_int_equal(key, is_null ? 0 : state_keys[k]);
            } else { // it is nobody's
                assert_true(key >> 63 == 1);
            }
        }
        for (size_t k = 0; k < JVMS; k++) {
            assert_int_equal(type_id(read, "jdk.types.ThreadState") ==
                                 type_id(&f.read_merged[k], "jdk.types.ThreadState"),
                jvms[i].type_of == jvms[k].type_of);
        }
    }
    file_fini(&f);
}

static void
test_a_chunk_that_was_not_added_is_refused(void **state)
{
    (void)state;
    file f = {.count = 1, .sources = {0}};
    jfr_sample_begin(&f.builds[0], 0);
    compact_all(&f, 2);
    const compact_source source = {.jfr = f.chunks[0], .merge = f.merge, .merge_source = 1};
    compact_result result;
    lp_problem problem;
    assert_int_equal(compact_chunk(&source, NULL, 0, NULL, NULL, &result, &problem), LP_ECORRUPT);
    assert_string_not_equal(problem.text, "");
    file_fini(&f);
}

static void
test_a_chunk_that_is_cut_off_is_not_added(void **state)
{
    (void)state;
    jfr_build build;
    jfr_sample_begin(&build, 0);
    lp_slice chunk = jfr_build_finish(&build);
    compact_merge *merge = compact_merge_create(1);
    assert_int_equal(
        compact_run_add_to_merge(merge, 0, (lp_slice){chunk.ptr, 100}, NULL), LP_ECORRUPT);
    assert_int_equal(compact_merge_number(merge), LP_OK);
    compact_merge_destroy(merge);
    jfr_build_fini(&build);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_jvms_with_the_same_ids),
        cmocka_unit_test(test_jvms_with_other_types_and_another_clock),
        cmocka_unit_test(test_contexts_of_two_jvms_stay_apart),
        cmocka_unit_test(test_enumerations_keep_their_keys),
        cmocka_unit_test(test_a_chunk_that_was_not_added_is_refused),
        cmocka_unit_test(test_a_chunk_that_is_cut_off_is_not_added),
    };
    return cmocka_run_group_tests_name("compact_merge", tests, NULL, NULL);
}
