// SPDX-License-Identifier: Apache-2.0
// Promised: the constants that the JDK's tools cannot print are left out and reported, and nothing
// else is. Each kind of dangling reference is tested alone in a chunk; events always stay. The
// expected output follows from how the chunk was made, and a reader that shares no code with the
// engine reads it. tests/e2e/damage.py shows that `jfr print` fails on these constants.

#include "support/compact_run.h"
#include "support/jfr_read.h"
#include "support/jfr_sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Ids of types that jfr_sample does not have, and a key that nothing defines.
enum { LOADER = 33, MEETING = 120, MISSING = 9999 };

// A class, its loader and a method, and a stack trace of two frames. 0 is null, MISSING a key that
// nothing defines.
typedef struct parts {
    const char *class_name; // NULL: null
    uint64_t class_name_key;
    uint64_t class_loader;
    const char *loader_name;
    uint64_t loader_class;
    uint64_t method_class;
    uint64_t method_name;
    const char *descriptor;
    uint64_t frame_methods[2];
} parts;

// The keys of the constants, each in its own pool.
enum { CLASS = 1, METHOD = 1, TRACE = 1, CLASS_NAME = 1, METHOD_NAME = 2, DESCRIPTOR = 3 };

static const parts SOUND = {
    .class_name = "pack/Class",
    .class_name_key = CLASS_NAME,
    .class_loader = 1,
    .loader_name = "app",
    .loader_class = CLASS,
    .method_class = CLASS,
    .method_name = METHOD_NAME,
    .descriptor = "(I[[JLjava/lang/String;)V",
    .frame_methods = {METHOD, METHOD},
};

static size_t
find_type(jfr_build_type *types, size_t count, uint64_t id)
{
    size_t i = 0;
    while (i < count && types[i].id != id) {
        i++;
    }
    assert_true(i < count);
    return i;
}

static void
add_types(jfr_build *build)
{
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX + 2];
    size_t count = jfr_sample_types(types);
    jfr_build_type *class = &types[find_type(types, count, JFR_SAMPLE_CLASS)];
    class->fields[2] =
        (jfr_build_field){.name = "classLoader", .type = LOADER, .is_constant = true};
    types[count++] = (jfr_build_type){
        .id = LOADER,
        .name = "jdk.types.ClassLoader",
        .fields = {{.name = "type", .type = JFR_SAMPLE_CLASS, .is_constant = true},
            {.name = "name", .type = JFR_SAMPLE_SYMBOL, .is_constant = true}},
    };
    types[count++] = (jfr_build_type){
        .id = MEETING,
        .name = "test.Meeting",
        .super = "jdk.jfr.Event",
        .fields = {{.name = "startTime", .type = JFR_SAMPLE_LONG},
            {.name = "stackTrace", .type = JFR_SAMPLE_STACK_TRACE, .is_constant = true},
            {.name = "met", .type = JFR_SAMPLE_CLASS, .is_constant = true},
            {.name = "loader", .type = LOADER, .is_constant = true},
            {.name = "how", .type = JFR_SAMPLE_METHOD, .is_constant = true},
            {.name = "group", .type = JFR_SAMPLE_THREAD_GROUP, .is_constant = true}},
    };
    jfr_build_metadata(build, 1, types, count);
}

static void
add_symbol(jfr_build *build, uint64_t key, const char *text)
{
    jfr_build_string(&build->payload, text);
    jfr_build_constant(build, JFR_SAMPLE_SYMBOL, key);
}

static void
add_parts(jfr_build *build, const parts *p)
{
    lp_buf *out = &build->payload;
    jfr_build_varint(out, p->class_name_key);
    jfr_build_varint(out, 1); // modifiers
    jfr_build_varint(out, p->class_loader);
    jfr_build_constant(build, JFR_SAMPLE_CLASS, CLASS);
    jfr_build_varint(out, p->loader_class);
    jfr_build_varint(out, p->loader_name == NULL ? 0 : 4);
    jfr_build_constant(build, LOADER, 1);
    jfr_build_varint(out, p->method_class);
    jfr_build_varint(out, p->method_name);
    lp_buf_append(out, "\0", 1); // not hidden
    jfr_build_varint(out, DESCRIPTOR);
    jfr_build_constant(build, JFR_SAMPLE_METHOD, METHOD);
    lp_buf_append(out, "\0\2", 2); // not truncated, two frames
    for (uint64_t i = 0; i < 2; i++) {
        jfr_build_varint(out, p->frame_methods[i]);
        jfr_build_varint(out, 10 + i); // line
    }
    jfr_build_constant(build, JFR_SAMPLE_STACK_TRACE, TRACE);
    add_symbol(build, CLASS_NAME, p->class_name);
    add_symbol(build, METHOD_NAME, "run");
    add_symbol(build, DESCRIPTOR, p->descriptor);
    if (p->loader_name != NULL) {
        add_symbol(build, 4, p->loader_name);
    }
    jfr_build_checkpoint(build);
}

static void
add_meeting(jfr_build *build, uint64_t group)
{
    const uint64_t values[] = {200, TRACE, CLASS, 1, METHOD, group};
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        jfr_build_varint(&build->payload, values[i]);
    }
    (void)jfr_build_event(build, MEETING);
}

static lp_slice
make(jfr_build *build, const parts *p, uint64_t group)
{
    jfr_build_begin(build, &(jfr_build_clock){.start_ticks = 100});
    add_types(build);
    add_parts(build, p);
    add_meeting(build, group);
    return jfr_build_finish(build);
}

// The remaining references: which of the event are not null, and how many frames there are.
typedef struct left {
    bool has_class;
    bool has_loader;
    bool has_method;
    size_t frames;
    uint64_t places; // of damage
} left;

static bool
has_reference(const jfr_read *read, const char *field, const char *type)
{
    uint64_t key;
    assert_true(jfr_read_key(read, &read->events.items[0], field, &key));
    bool is_there = jfr_read_find_constant(read, type, key) != NULL;
    assert_int_equal(is_there, key != 0); // a missing one is null
    return is_there;
}

static size_t
count_frames(const jfr_read *read)
{
    const jfr_read_constant *trace = jfr_read_find_constant(read, "jdk.types.StackTrace", TRACE);
    lp_buf text = {0};
    assert_non_null(trace);
    assert_true(jfr_read_constant_value(read, trace, "frames", &text));
    size_t count = 0;
    for (const char *at = (const char *)text.ptr; (at = strstr(at, "run")) != NULL; at++) {
        count++;
    }
    lp_buf_fini(&text);
    return count;
}

static left
compact_parts(const parts *p, uint64_t group)
{
    jfr_build build;
    const compact_source source = {.jfr = make(&build, p, group)};
    const compact_options strict = {.refused = COMPACT_REFUSED_ALL};
    compact_result result;
    compact_result refused;
    lp_problem problem;
    jfr_read read;
    assert_int_equal(compact_chunk(&source, NULL, 0, NULL, NULL, &result, &problem), LP_OK);
    jfr_read_open(&read, lp_buf_slice(&result.jfr));
    assert_int_equal(jfr_read_count(&read, "test.Meeting"), 1);
    const left found = {
        .has_class = has_reference(&read, "met", "java.lang.Class"),
        .has_loader = has_reference(&read, "loader", "jdk.types.ClassLoader"),
        .has_method = has_reference(&read, "how", "jdk.types.Method"),
        .frames = count_frames(&read),
        .places = result.damage.place_count,
    };
    lp_err err = compact_chunk(&source, NULL, 0, NULL, &strict, &refused, &problem);
    assert_int_equal(err, found.places > 0 ? LP_ECORRUPT : LP_OK);
    if (err == LP_OK) {
        compact_result_fini(&refused);
    } else {
        assert_true(problem.has_offset && problem.offset < source.jfr.len);
    }
    // All of it was read: where only what cannot be read is refused, nothing is.
    const compact_options readable = {.refused = COMPACT_REFUSED_UNREADABLE};
    assert_int_equal(compact_chunk(&source, NULL, 0, NULL, &readable, &refused, &problem), LP_OK);
    assert_int_equal(refused.damage.unprintable_count, found.places);
    assert_int_equal(refused.jfr.len, result.jfr.len);
    assert_memory_equal(refused.jfr.ptr, result.jfr.ptr, result.jfr.len);
    compact_result_fini(&refused);
    jfr_read_close(&read);
    compact_result_fini(&result);
    jfr_build_fini(&build);
    return found;
}

static void
expect(const char *what, const parts *p, left expected)
{
    left found = compact_parts(p, 0);
    bool is_same = found.has_class == expected.has_class &&
                   found.has_loader == expected.has_loader &&
                   found.has_method == expected.has_method && found.frames == expected.frames &&
                   found.places == expected.places;
    if (!is_same) {
        fail_msg("%s: class %d, loader %d, method %d, %zu frames, %llu places", what,
            found.has_class, found.has_loader, found.has_method, found.frames,
            (unsigned long long)found.places);
    }
}

static const left ALL = {true, true, true, 2, 0};

static void
test_what_the_reader_takes_for_null_stays(void **state)
{
    (void)state;
    expect("sound", &SOUND, ALL);
    parts p = SOUND;
    p.class_loader = MISSING;
    expect("a class whose loader is missing", &p, ALL);
    p = SOUND;
    p.method_name = MISSING;
    assert_int_equal(compact_parts(&p, 0).places, 0);
    p = SOUND;
    p.loader_class = MISSING;
    expect("a loader with a name alone", &p, ALL);
    p = SOUND;
    p.loader_name = NULL;
    p.class_loader = 0;
    expect("a loader with a class alone", &p, ALL);
    assert_int_equal(compact_parts(&SOUND, MISSING).places, 0); // a group of threads
}

static void
test_a_frame_needs_a_method(void **state)
{
    (void)state;
    static const uint64_t none[] = {0, MISSING};
    for (size_t i = 0; i < 2; i++) {
        parts p = SOUND;
        p.frame_methods[0] = none[i];
        expect("one frame", &p, (left){true, true, true, 1, 1});
        p.frame_methods[1] = none[i];
        expect("both frames", &p, (left){true, true, true, 0, 1});
    }
}

static void
test_a_method_needs_a_class_and_a_descriptor(void **state)
{
    (void)state;
    const left without_method = {true, true, false, 0, 2}; // the method and the trace
    parts p = SOUND;
    p.method_class = 0;
    expect("null for the class", &p, without_method);
    p.method_class = MISSING;
    expect("a class that is missing", &p, without_method);
    static const char *const bad[] = {NULL, "", ")", "(I", "([)V", "(Lpack/Class)V", "(I[)V"};
    static const char *const fine[] = {"()", "()V", "I)V", "([[I)V", "(Lpack/Class;B)V", "(?)V"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        p = SOUND;
        p.descriptor = bad[i];
        expect(bad[i] == NULL ? "null" : bad[i], &p, without_method);
    }
    for (size_t i = 0; i < sizeof(fine) / sizeof(fine[0]); i++) {
        p = SOUND;
        p.descriptor = fine[i];
        expect(fine[i], &p, ALL);
    }
}

static void
test_a_class_needs_a_name(void **state)
{
    (void)state;
    const left without_class = {false, true, false, 0, 3}; // the class, the method, the trace
    static const uint64_t none[] = {0, MISSING};
    for (size_t i = 0; i < 2; i++) {
        parts p = SOUND;
        p.class_name_key = none[i];
        expect("no name", &p, without_class);
    }
    static const char *const bad[] = {NULL, "[", "[[", "[Lpack/Class"};
    static const char *const fine[] = {"[I", "[[Lpack/Class;", "", "?"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        parts p = SOUND;
        p.class_name = bad[i];
        expect(bad[i] == NULL ? "null" : bad[i], &p, without_class);
    }
    for (size_t i = 0; i < sizeof(fine) / sizeof(fine[0]); i++) {
        parts p = SOUND;
        p.class_name = fine[i];
        expect(fine[i], &p, ALL);
    }
}

static void
test_a_loader_needs_a_name_or_a_class(void **state)
{
    (void)state;
    const left without_loader = {true, false, true, 2, 1};
    parts p = SOUND;
    p.loader_name = NULL;
    p.loader_class = 0;
    expect("neither", &p, without_loader);
    p.loader_class = MISSING;
    expect("a class that is missing", &p, without_loader);
    p.loader_class = CLASS;
    p.class_loader = 1;
    expect("a class that it has loaded itself", &p, without_loader);
}

// add_many adds many classes or methods that have one text in common, and a trace of these methods.
static void
add_many(jfr_build *build, uint64_t type, uint64_t count, const char *text)
{
    lp_buf *out = &build->payload;
    bool is_class = type == JFR_SAMPLE_CLASS;
    add_symbol(build, CLASS_NAME, is_class ? text : "pack/Class");
    add_symbol(build, DESCRIPTOR, is_class ? "()V" : text);
    jfr_build_checkpoint(build);
    for (uint64_t i = 0; i < (is_class ? count : 1); i++) {
        jfr_build_varint(out, CLASS_NAME);
        lp_buf_append(out, "\1\0", 2); // modifiers, loader
        jfr_build_constant(build, JFR_SAMPLE_CLASS, CLASS + i);
    }
    jfr_build_checkpoint(build);
    for (uint64_t i = 0; i < count; i++) {
        jfr_build_varint(out, is_class ? CLASS + i : CLASS);
        lp_buf_append(out, "\0\0\3", 3); // no name, not hidden, DESCRIPTOR
        jfr_build_constant(build, JFR_SAMPLE_METHOD, METHOD + i);
    }
    jfr_build_checkpoint(build);
    lp_buf_append(out, "\0", 1); // not truncated
    jfr_build_varint(out, count);
    for (uint64_t i = 0; i < count; i++) {
        jfr_build_varint(out, METHOD + i);
        lp_buf_append(out, "\1", 1); // line
    }
    jfr_build_constant(build, JFR_SAMPLE_STACK_TRACE, TRACE);
    jfr_build_checkpoint(build);
}

// Reading a text of 8 MB 100,000 times takes longer than any test may.
static void
test_a_text_in_common_is_read_once(void **state)
{
    (void)state;
    enum { MANY = 100000, TEXT_BYTES = 8 << 20 };
    static const char *const ends[] = {"[[", "[I", "[[", "I)"};
    char *text = malloc(TEXT_BYTES + 1);
    assert_non_null(text);
    memset(text, '[', TEXT_BYTES);
    text[TEXT_BYTES] = '\0';
    for (size_t i = 0; i < 4; i++) {
        bool is_fine = i % 2 != 0;
        uint64_t type = i < 2 ? JFR_SAMPLE_CLASS : JFR_SAMPLE_METHOD;
        memcpy(text + TEXT_BYTES - 2, ends[i], 2);
        jfr_build build;
        jfr_build_begin(&build, &(jfr_build_clock){.start_ticks = 100});
        add_types(&build);
        add_many(&build, type, MANY, text);
        add_meeting(&build, 0);
        const compact_source source = {.jfr = jfr_build_finish(&build)};
        compact_result result;
        lp_problem problem;
        assert_int_equal(compact_chunk(&source, NULL, 0, NULL, NULL, &result, &problem), LP_OK);
        uint64_t places = MANY + 1 + (type == JFR_SAMPLE_CLASS); // trace, class of the event
        assert_int_equal(result.damage.place_count, is_fine ? 0 : places);
        compact_result_fini(&result);
        jfr_build_fini(&build);
    }
    free(text);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_the_reader_takes_for_null_stays),
        cmocka_unit_test(test_a_frame_needs_a_method),
        cmocka_unit_test(test_a_method_needs_a_class_and_a_descriptor),
        cmocka_unit_test(test_a_class_needs_a_name),
        cmocka_unit_test(test_a_loader_needs_a_name_or_a_class),
        cmocka_unit_test(test_a_text_in_common_is_read_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
