// SPDX-License-Identifier: Apache-2.0
// The settings in a recording: those that apply, by their effect on a policy, and the log lines
// about the others. The chunks are built by hand.

#include "support/jfr_sample.h"

#include "query/chunk/settings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { SETTING = 301, ORDER = 302, ITEM = 303, ACCOUNTING = 304, CONTROL = 305, CHUNKS_MAX = 3 };

static const jfr_build_type setting_type = {.id = SETTING,
    .name = "jdk.ActiveSetting",
    .super = "jdk.jfr.Event",
    .fields = {JFR_SAMPLE_START_TIME, {.name = "id", .type = JFR_SAMPLE_LONG},
        {.name = "name", .type = JFR_SAMPLE_STRING}, {.name = "value", .type = JFR_SAMPLE_STRING}}};

typedef struct fixture {
    jfr_build builds[CHUNKS_MAX];
    size_t count;
    uint64_t annotation; // of the settings' type; 0: none
    policy *rules;
    char log[4096];
} fixture;

static jfr_build_type
event_type(uint64_t id, const char *name, const char *setting)
{
    return (jfr_build_type){.id = id,
        .name = name,
        .super = "jdk.jfr.Event",
        .setting = setting == NULL ? 0 : CONTROL,
        .setting_name = setting,
        .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_EVENT_THREAD}};
}

// begin_chunk begins a chunk in which shop.Order declares a setting, and shop.Item `select`. more:
// the name of another type, or NULL.
static jfr_build *
begin_chunk(fixture *f, const char *setting, const char *more)
{
    jfr_build *build = &f->builds[f->count++];
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX + 5];
    size_t count = jfr_sample_types(types);
    types[count] = setting_type;
    types[count++].annotation = f->annotation;
    types[count++] = event_type(ORDER, "shop.Order", setting);
    types[count++] = event_type(ITEM, "shop.Item", "select");
    types[count++] = (jfr_build_type){.id = CONTROL, .name = "shop.Control"};
    if (more != NULL) {
        types[count++] = event_type(ACCOUNTING, more, NULL);
    }
    jfr_build_begin(build, &(jfr_build_clock){.start_ticks = 100, .duration_ns = 1000});
    jfr_build_metadata(build, 1, types, count);
    return build;
}

static void
add(jfr_build *build, uint64_t type, const char *name, const char *value)
{
    jfr_build_varint(&build->payload, 110);
    jfr_build_varint(&build->payload, type);
    jfr_build_string(&build->payload, name);
    if (value == NULL) {
        jfr_build_varint(&build->payload, 0); // null
    } else {
        jfr_build_string(&build->payload, value);
    }
    jfr_build_event(build, SETTING);
}

// read_all reads the chunks, and then checks the settings of a shop.Item, which is no context.
static lp_err
read_all(fixture *f)
{
    lp_slice chunks[CHUNKS_MAX];
    for (size_t i = 0; i < f->count; i++) {
        jfr_build_checkpoint(&f->builds[i]);
        chunks[i] = jfr_build_finish(&f->builds[i]);
    }
    FILE *log = tmpfile();
    int kept = dup(STDERR_FILENO);
    assert_true(log != NULL && kept >= 0);
    assert_int_equal(dup2(fileno(log), STDERR_FILENO), STDERR_FILENO);
    lp_err err = query_settings_read(chunks, f->count, f->rules);
    policy_check_type(f->rules, "shop.Item", false);
    assert_int_equal(dup2(kept, STDERR_FILENO), STDERR_FILENO);
    close(kept);
    rewind(log);
    f->log[fread(f->log, 1, sizeof(f->log) - 1, log)] = '\0';
    (void)fclose(log);
    return err;
}

static policy_select
selected(const fixture *f, const char *type)
{
    return policy_find(f->rules, type, false).select;
}

static size_t
count_lines(const fixture *f)
{
    size_t count = 0;
    for (const char *at = f->log; (at = strchr(at, '\n')) != NULL; at++) {
        count++;
    }
    return count;
}

static int
set_up(void **state)
{
    static fixture f;
    f = (fixture){.rules = policy_create()};
    *state = &f;
    return f.rules == NULL;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < f->count; i++) {
        jfr_build_fini(&f->builds[i]);
    }
    policy_destroy(f->rules);
    return 0;
}

static void
test_a_declared_setting_counts(void **state)
{
    fixture *f = *state;
    jfr_build *build = begin_chunk(f, "context-threshold", NULL);
    add(build, ORDER, "context-threshold", "20 ms");
    add(build, ITEM, "select", "if-context");
    begin_chunk(f, "context-threshold", NULL); // JFR says settings where they change
    assert_int_equal(read_all(f), LP_OK);
    assert_int_equal(policy_find(f->rules, "shop.Order", true).context_threshold_ns, 20000000);
    assert_int_equal(selected(f, "shop.Item"), POLICY_SELECT_IF_CONTEXT);
    assert_int_equal(selected(f, "shop.Order"), POLICY_SELECT_DEFAULT);
    assert_string_equal(f->log, "");
}

static void
test_each_class_of_a_name_has_to_declare_it(void **state)
{
    fixture *f = *state;
    jfr_build *build = begin_chunk(f, "select", "shop.Item"); // another class loader's
    add(build, ITEM, "select", "if-context");
    add(build, ORDER, "select", "if-context");
    assert_int_equal(read_all(f), LP_OK);
    assert_int_equal(selected(f, "shop.Item"), POLICY_SELECT_DEFAULT);
    assert_int_equal(selected(f, "shop.Order"), POLICY_SELECT_IF_CONTEXT);
    assert_non_null(
        strstr(f->log, "event type shop.Item, setting select: ignored, as a part of the "
                       "recording does not declare it"));
}

static void
test_settings_of_jfr_do_not_count(void **state)
{
    fixture *f = *state;
    jfr_build *build = begin_chunk(f, "select", NULL);
    add(build, ORDER, "enabled", "false");
    add(build, ORDER, "threshold", "20 ms");
    add(build, ORDER, "throttle", "1/s");
    add(build, ORDER, "select", NULL);
    add(build, 9999, "select", "if-context"); // of no type
    assert_int_equal(read_all(f), LP_OK);
    policy_event settings = policy_find(f->rules, "shop.Order", false);
    assert_false(settings.is_disabled);
    assert_int_equal(settings.threshold_ns, 0);
    assert_int_equal(settings.throttle.per_ns, 0);
    assert_int_equal(settings.select, POLICY_SELECT_DEFAULT);
    assert_string_equal(f->log, "");
}

static void
test_an_invalid_value_is_logged_once(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < 2; i++) {
        jfr_build *build = begin_chunk(f, "select", NULL);
        add(build, ORDER, "select", "if-contxt");
        add(build, ORDER, "select", "if-contxt");
    }
    assert_int_equal(read_all(f), LP_OK);
    assert_int_equal(selected(f, "shop.Order"), POLICY_SELECT_ALL);
    assert_non_null(
        strstr(f->log, "settings in the recording: event type shop.Order, setting select: invalid "
                       "value 'if-contxt', expected all, if-context or if-triggered; using all"));
    assert_int_equal(count_lines(f), 1);
}

static void
test_a_misplaced_value_is_logged_without_a_line(void **state)
{
    fixture *f = *state;
    add(begin_chunk(f, "select", NULL), ITEM, "select", "if-triggered");
    assert_int_equal(read_all(f), LP_OK);
    assert_non_null(
        strstr(f->log, "settings in the recording: event type shop.Item, setting "
                       "select: invalid value 'if-triggered' for a type that is not contextual"));
    assert_int_equal(count_lines(f), 1);
}

static void
test_of_two_values_none_counts(void **state)
{
    fixture *f = *state;
    jfr_build *build = begin_chunk(f, "select", NULL);
    add(build, ORDER, "select", "if-context");
    add(build, ITEM, "select", "if-context");
    build = begin_chunk(f, "select", NULL);
    add(build, ORDER, "select", "all");
    add(build, ORDER, "select", "if-triggered");
    assert_int_equal(read_all(f), LP_OK);
    assert_int_equal(selected(f, "shop.Order"), POLICY_SELECT_DEFAULT);
    assert_int_equal(selected(f, "shop.Item"), POLICY_SELECT_IF_CONTEXT);
    assert_non_null(strstr(f->log,
        "event type shop.Order, setting select: ignored, as it is first 'if-context' and then "
        "'all'"));
    assert_int_equal(count_lines(f), 1);
}

static void
test_all_chunks_have_to_declare_it(void **state)
{
    fixture *f = *state;
    begin_chunk(f, NULL, NULL); // of another JVM, say
    add(begin_chunk(f, "select", NULL), ORDER, "select", "if-context");
    assert_int_equal(read_all(f), LP_OK);
    assert_int_equal(selected(f, "shop.Order"), POLICY_SELECT_DEFAULT);
    assert_non_null(strstr(
        f->log, "event type shop.Order, setting select: ignored, as a part of the recording"));
    assert_int_equal(count_lines(f), 1);
}

static void
test_what_loupe_wrote_was_decided(void **state)
{
    fixture *f = *state;
    add(begin_chunk(f, "select", "dev.loupe.Accounting"), ORDER, "select", "if-context");
    jfr_build *build = begin_chunk(f, "select", NULL);
    add(build, ORDER, "select", "if-context");
    add(build, SETTING, "policy", "shop.jfc");
    assert_int_equal(read_all(f), LP_OK);
    assert_int_equal(selected(f, "shop.Order"), POLICY_SELECT_DEFAULT);
    assert_string_equal(f->log, "");
}

static void
test_a_part_that_was_decided_is_one_without(void **state)
{
    fixture *f = *state;
    add(begin_chunk(f, "select", NULL), ORDER, "select", "if-context");
    add(begin_chunk(f, "select", NULL), SETTING, "policy", "shop.jfc");
    assert_int_equal(read_all(f), LP_OK);
    assert_int_equal(selected(f, "shop.Order"), POLICY_SELECT_DEFAULT);
    assert_int_equal(count_lines(f), 1);
}

// A class of the application's may have JFR's name, and be a context.
static void
test_a_context_is_no_setting(void **state)
{
    fixture *f = *state;
    f->annotation = JFR_SAMPLE_CONTEXTUAL;
    add(begin_chunk(f, "select", NULL), ORDER, "select", "if-context");
    assert_int_equal(read_all(f), LP_OK);
    assert_int_equal(selected(f, "shop.Order"), POLICY_SELECT_DEFAULT);
    assert_string_equal(f->log, "");
}

static void
test_chunks_that_cannot_be_read_are_passed_over(void **state)
{
    fixture *f = *state;
    add(begin_chunk(f, "select", NULL), ORDER, "select", "if-context");
    jfr_build_checkpoint(&f->builds[0]);
    const lp_slice whole = jfr_build_finish(&f->builds[0]);
    const lp_slice chunks[] = {{whole.ptr, 10}, whole, {(const uint8_t *)"", 0}};
    assert_int_equal(query_settings_read(chunks, 3, f->rules), LP_OK);
    assert_int_equal(selected(f, "shop.Order"), POLICY_SELECT_IF_CONTEXT);
}

// The header leads to the types; if it does not, the whole chunk is searched.
static void
test_a_header_that_leads_nowhere_hides_no_setting(void **state)
{
    fixture *f = *state;
    enum { METADATA_AT = 24, OFFSET_BYTES = 8, BYTES_MAX = 65536 };
    static uint8_t bytes[BYTES_MAX];
    add(begin_chunk(f, "select", NULL), ORDER, "select", "if-context");
    jfr_build_checkpoint(&f->builds[0]);
    const lp_slice whole = jfr_build_finish(&f->builds[0]);
    assert_true(whole.len <= BYTES_MAX);
    memcpy(bytes, whole.ptr, whole.len);
    memset(bytes + METADATA_AT, 0, OFFSET_BYTES);
    const lp_slice chunk = {bytes, whole.len};
    assert_int_equal(query_settings_read(&chunk, 1, f->rules), LP_OK);
    assert_int_equal(selected(f, "shop.Order"), POLICY_SELECT_IF_CONTEXT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_a_declared_setting_counts),
        TEST(test_each_class_of_a_name_has_to_declare_it),
        TEST(test_settings_of_jfr_do_not_count),
        TEST(test_an_invalid_value_is_logged_once),
        TEST(test_a_misplaced_value_is_logged_without_a_line),
        TEST(test_of_two_values_none_counts),
        TEST(test_all_chunks_have_to_declare_it),
        TEST(test_what_loupe_wrote_was_decided),
        TEST(test_a_part_that_was_decided_is_one_without),
        TEST(test_a_context_is_no_setting),
        TEST(test_chunks_that_cannot_be_read_are_passed_over),
        TEST(test_a_header_that_leads_nowhere_hides_no_setting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
