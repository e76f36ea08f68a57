// SPDX-License-Identifier: Apache-2.0
#include "../compact_session.h"

#include <string.h>

enum { WITHHELD = 600 };

#define FIELD(field)                                                                               \
    {                                                                                              \
        .name = (field), .type = JFR_SAMPLE_LONG                                                   \
    }

// begin starts a chunk in which the JVM may report withheld events.
static void
begin(session *s)
{
    static const jfr_build_type withheld = {.id = WITHHELD,
        .name = "dev.loupe.Withheld",
        .super = "jdk.jfr.Event",
        .fields = {FIELD("startTime"), FIELD("duration"),
            {.name = "eventThread", .type = JFR_SAMPLE_THREAD, .is_constant = true},
            FIELD("eventType"), FIELD("count")}};
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX + 1];
    memset(types, 0, sizeof(types));
    size_t count = jfr_sample_types(types);
    types[count] = withheld;
    session_chunk(s, 0);
    jfr_build_metadata(session_build(s), 2, types, count + 1);
}

static void
put(session *s, uint64_t type, uint64_t count)
{
    jfr_build *build = session_build(s);
    jfr_build_varint(&build->payload, 5);
    jfr_build_varint(&build->payload, 0);
    jfr_build_varint(&build->payload, 1);
    jfr_build_varint(&build->payload, type);
    jfr_build_varint(&build->payload, count);
    (void)jfr_build_event(build, WITHHELD);
}

// stats_of returns the numbers of a type; zeroes if there are none.
static compact_type_stats
stats_of(const compact_result *result, const char *name)
{
    const compact_stats *stats = &result->stats;
    for (size_t i = 0; i < stats->type_count; i++) {
        if (strcmp(stats->types[i].name, name) == 0) {
            return stats->types[i];
        }
    }
    return (compact_type_stats){0};
}

static void
test_events_that_were_withheld_count_as_dropped(void **state)
{
    session *s = *state;
    session_rules(s, "<event name='test.Plain'><setting name='threshold'>2 ns</setting></event>");
    begin(s);
    session_plain(s, KEPT, 1, 9, 1);
    session_plain(s, GONE, 4, 5, 1);
    put(s, JFR_SAMPLE_PLAIN, 70);
    put(s, JFR_SAMPLE_IDLE, 5);
    put(s, JFR_SAMPLE_PLAIN, 7);
    session_run(s);
    const compact_type_stats plain = stats_of(&s->results[0], "test.Plain");
    assert_int_equal(plain.events_in, 79);
    assert_int_equal(plain.events_out, 1);
    assert_int_equal(plain.dropped.by[COMPACT_BY_WITHHELD], 77);
    assert_int_equal(plain.dropped.by[COMPACT_BY_THRESHOLD], 1);
    assert_int_equal(compact_dropped_sum(&plain.dropped), 78);
    const compact_type_stats idle = stats_of(&s->results[0], "test.Idle");
    assert_int_equal(idle.events_in, 5);
    assert_int_equal(idle.events_out, 0);
    assert_int_equal(stats_of(&s->results[0], "dev.loupe.Withheld").events_in, 0);
    assert_int_equal(s->results[0].stats.events_in, 84);
    assert_int_equal(s->results[0].stats.events_dropped.by[COMPACT_BY_WITHHELD], 82);
    assert_int_equal(s->results[0].damage.place_count, 0);
}

static void
test_an_event_that_names_no_event_type_is_damaged(void **state)
{
    static const struct {
        uint64_t type;
        uint64_t count;
    } cases[] = {{777, 3}, {JFR_SAMPLE_STRING, 3}, {JFR_SAMPLE_PLAIN, ((uint64_t)1 << 40) + 1},
        {JFR_SAMPLE_PLAIN, UINT64_MAX}};
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        session *s = session_create();
        begin(s);
        session_plain(s, KEPT, 1, 9, 1);
        put(s, cases[i].type, cases[i].count);
        const compact_source source = {.jfr = jfr_build_finish(session_build(s))};
        const compact_options options = {0};
        compact_result result;
        assert_int_equal(compact_chunk(&source, NULL, 0, NULL, &options, &result, NULL), LP_OK);
        assert_int_equal(stats_of(&result, "test.Plain").events_in, 1);
        const compact_type_stats own = stats_of(&result, "dev.loupe.Withheld");
        assert_int_equal(own.events_in, 1);
        assert_int_equal(own.dropped.by[COMPACT_BY_DAMAGED], 1);
        assert_int_equal(result.damage.place_count, 1);
        compact_result_fini(&result);
        session_destroy(s);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_events_that_were_withheld_count_as_dropped),
        cmocka_unit_test(test_an_event_that_names_no_event_type_is_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
