// SPDX-License-Identifier: Apache-2.0
#include "naive.h"

#include "context_types.h"
#include "support/chance.h"
#include "support/ctx_build.h"
#include "support/jfr_build.h"
#include "support/jfr_sample.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NS_PER_S = 1000000000 };

static const struct {
    const char *name;
    uint64_t id; // of an event type, or of a context type
    const char *text;
} types[NAIVE_TYPES] = {
    {"test.Plain", JFR_SAMPLE_PLAIN, "text"},
    {"test.Mark", JFR_SAMPLE_MARK, "text"},
    {"test.Trace", JFR_SAMPLE_TRACE, "traceId"},
    {"tracer", 1, "n"},
    {"order", 2, "n"},
};

static bool
is_one_in(uint64_t *chance, uint64_t n)
{
    return chance_below(chance, n) == 0;
}

static int64_t
below(uint64_t *chance, int64_t limit)
{
    return (int64_t)chance_below(chance, (uint64_t)limit);
}

// --- The policy

static policy_throttle
make_rate(const naive_settings *settings, uint64_t *chance)
{
    static const int64_t units[] = {
        NS_PER_S, NS_PER_S, 1000000, 60LL * NS_PER_S, 3600LL * NS_PER_S};
    return (policy_throttle){
        .count = below(chance, 6),
        .per_ns = units[chance_below(chance, settings->has_long_units ? 5 : 3)],
    };
}

// make_length returns a length of some ticks, of about a second, or of nearly all of the session.
static int64_t
make_length(const naive *s, uint64_t *chance)
{
    int64_t limits[] = {20, s->ticks_per_s / 10, s->ticks_per_s * 2, s->ticks};
    return below(chance, limits[chance_below(chance, 4)]);
}

static void
make_plain_rules(naive *s, naive_type type, const naive_settings *settings, uint64_t *chance)
{
    naive_rules *rules = &s->rules[type];
    rules->select = settings->selects_by_context && is_one_in(chance, 2) ? POLICY_SELECT_IF_CONTEXT
                                                                         : POLICY_SELECT_ALL;
    if (settings->throttles_plain && !is_one_in(chance, 4)) {
        rules->throttle = make_rate(settings, chance);
    }
}

static void
make_contextual_rules(naive *s, naive_type type, const naive_settings *settings, uint64_t *chance)
{
    naive_rules *rules = &s->rules[type];
    bool is_of_api = type >= NAIVE_TRACER;
    rules->is_contextual = true;
    rules->select = POLICY_SELECT_IF_TRIGGERED;
    if (settings->has_thresholds && is_one_in(chance, 2)) {
        rules->context_threshold = make_length(s, chance);
    }
    if (settings->throttles_contexts && is_one_in(chance, 2)) {
        rules->context_throttle = make_rate(settings, chance);
        rules->select = is_of_api ? POLICY_SELECT_IF_TRIGGERED : POLICY_SELECT_ALL;
    } else if (!is_of_api) {
        rules->select = is_one_in(chance, 4) ? POLICY_SELECT_ALL : POLICY_SELECT_IF_TRIGGERED;
        rules->is_disabled = is_one_in(chance, 12);
        rules->threshold = is_one_in(chance, 6) ? make_length(s, chance) : 0;
        if (settings->throttles_contextual && is_one_in(chance, 2)) {
            rules->throttle = make_rate(settings, chance);
        }
    }
}

// Marks keep the contexts of the API for certain where these are sampled.
static void
make_rules(naive *s, const naive_settings *settings, uint64_t *chance)
{
    if (is_one_in(chance, 3)) {
        make_contextual_rules(s, NAIVE_PLAIN, settings, chance);
    } else {
        make_plain_rules(s, NAIVE_PLAIN, settings, chance);
    }
    make_contextual_rules(s, NAIVE_TRACE, settings, chance);
    make_contextual_rules(s, NAIVE_TRACER, settings, chance);
    make_contextual_rules(s, NAIVE_ORDER, settings, chance);
    bool keeps_marks = s->rules[NAIVE_TRACER].context_throttle.per_ns > 0 ||
                       s->rules[NAIVE_ORDER].context_throttle.per_ns > 0;
    s->rules[NAIVE_MARK].select = POLICY_SELECT_ALL;
    if (!keeps_marks || !settings->has_records) {
        make_plain_rules(s, NAIVE_MARK, settings, chance);
    }
}

static int
print_rate(char *text, size_t room, const char *setting, policy_throttle rate)
{
    const char *unit = rate.per_ns == 1000000           ? "ms"
                       : rate.per_ns == NS_PER_S        ? "s"
                       : rate.per_ns == 60LL * NS_PER_S ? "m"
                                                        : "h";
    return rate.per_ns == 0 ? snprintf(text, room, "%s", "")
                            : snprintf(text, room, "<setting name='%s'>%" PRId64 "/%s</setting>",
                                  setting, rate.count, unit);
}

static void
print_policy(naive *s)
{
    static const char *const selects[] = {"", "all", "if-context", "if-triggered"};
    size_t used = 0;
    size_t room = sizeof(s->policy);
    for (size_t i = 0; i < NAIVE_TYPES; i++) {
        const naive_rules *rules = &s->rules[i];
        int64_t tick_ns = NS_PER_S / s->ticks_per_s;
        used += (size_t)snprintf(s->policy + used, room - used, "<event name='%s'>", types[i].name);
        if (i < NAIVE_TRACER) {
            used += (size_t)snprintf(s->policy + used, room - used,
                "<setting name='enabled'>%s</setting><setting name='contextual'>%s</setting>"
                "<setting name='select'>%s</setting>"
                "<setting name='threshold'>%" PRId64 " ns</setting>",
                rules->is_disabled ? "false" : "true", rules->is_contextual ? "true" : "false",
                selects[rules->select], rules->threshold * tick_ns);
        }
        if (rules->is_contextual) {
            used += (size_t)snprintf(s->policy + used, room - used,
                "<setting name='context-threshold'>%" PRId64 " ns</setting>",
                rules->context_threshold * tick_ns);
        }
        used += (size_t)print_rate(s->policy + used, room - used, "throttle", rules->throttle);
        used += (size_t)print_rate(
            s->policy + used, room - used, "context-throttle", rules->context_throttle);
        used += (size_t)snprintf(s->policy + used, room - used, "</event>\n");
        assert_true(used < room);
    }
}

// --- What happens

static bool
is_taken(const naive *s, int64_t commit)
{
    for (size_t i = 0; i < s->event_count; i++) {
        if (s->events[i].commit == commit) {
            return true;
        }
    }
    return false;
}

// free_commit returns the first tick from one on, or else before it, at which nothing is committed.
static int64_t
free_commit(const naive *s, int64_t commit)
{
    int64_t free = commit;
    while (free < s->ticks && is_taken(s, free)) {
        free++;
    }
    if (free == s->ticks) {
        free = commit;
        while (is_taken(s, free)) {
            free--;
        }
    }
    return free;
}

static void
add_event(naive *s, naive_type type, uint64_t thread, int64_t begin, int64_t commit, int64_t late)
{
    commit = free_commit(s, commit);
    begin = type == NAIVE_MARK || begin > commit ? commit : begin;
    s->events[s->event_count] =
        (naive_event){type, thread, begin, commit, late, s->event_count, false};
    s->event_count++;
}

static int64_t
make_late(const naive *s, uint64_t *chance)
{
    int64_t early = is_one_in(chance, 12) ? below(chance, s->ticks_per_s / 5) : 0;
    return is_one_in(chance, 6) ? below(chance, s->ticks_per_s) : -early;
}

// make_burst makes some events in a short time, or only one.
static void
make_burst(naive *s, uint64_t *chance)
{
    int64_t widths[] = {s->ticks_per_s / 200 + 1, s->ticks_per_s / 4, s->ticks_per_s * 3};
    int64_t start = below(chance, s->ticks);
    int64_t width = widths[chance_below(chance, 3)];
    size_t count = is_one_in(chance, 2) ? 1 : 1 + chance_below(chance, 30);
    uint64_t type = chance_below(chance, 4); // 3: any
    for (size_t i = 0; i < count && s->event_count < NAIVE_EVENTS_MAX / 2; i++) {
        naive_type of = (naive_type)(type == 3 ? chance_below(chance, 3) : type);
        int64_t commit = start + below(chance, width);
        commit = commit < s->ticks ? commit : s->ticks - 1;
        int64_t begin = commit - make_length(s, chance);
        add_event(s, of, 1 + chance_below(chance, NAIVE_THREADS), begin < 0 ? 0 : begin, commit,
            make_late(s, chance));
    }
}

static int
compare_records(const void *a, const void *b)
{
    const naive_record *x = a;
    const naive_record *y = b;
    return x->time != y->time ? (x->time > y->time) - (x->time < y->time)
                              : (x->number > y->number) - (x->number < y->number);
}

static void
make_records(naive *s, uint64_t *chance)
{
    s->record_count = chance_below(chance, NAIVE_RECORDS_MAX);
    for (size_t i = 0; i < s->record_count; i++) {
        uint64_t kind = chance_below(chance, 9);
        s->records[i] = (naive_record){
            .kind = kind < 5   ? CTX_RECORD_SET
                    : kind < 8 ? CTX_RECORD_UNSET
                               : CTX_RECORD_THREAD_END,
            .type = is_one_in(chance, 2) ? NAIVE_TRACER : NAIVE_ORDER,
            .thread = 1 + chance_below(chance, NAIVE_THREADS),
            .time = below(chance, s->ticks),
            .late = is_one_in(chance, 8) ? below(chance, s->ticks_per_s) : 0,
            .number = i,
        };
    }
    qsort(s->records, s->record_count, sizeof(*s->records), compare_records);
    for (size_t i = 0; i < s->record_count; i++) {
        s->records[i].number = i;
    }
}

// add_marks adds a mark in each context of a type of the API that is sampled.
static void
add_marks(naive *s, uint64_t *chance)
{
    for (size_t i = 0; i < s->context_count; i++) {
        const naive_context *c = &s->contexts[i];
        if (s->rules[c->type].context_throttle.per_ns > 0) {
            int64_t end = c->end == INT64_MAX ? s->ticks : c->end + 1;
            int64_t time = c->begin + below(chance, end - c->begin);
            int64_t commit = free_commit(s, time);
            if (commit >= end || commit < c->begin) { // no room: it is as it is
                s->rules[c->type].context_throttle = (policy_throttle){0};
                continue;
            }
            add_event(s, NAIVE_MARK, c->thread, commit, commit, make_late(s, chance));
        }
    }
}

static int
compare_borders(const void *a, const void *b)
{
    const int64_t *x = a;
    const int64_t *y = b;
    return (*x > *y) - (*x < *y);
}

// make_cut makes chunks of a fifth of a second and longer.
static void
make_cut(const naive *s, naive_cut *cut, uint64_t *chance)
{
    size_t count = 1 + chance_below(chance, is_one_in(chance, 2) ? 5 : NAIVE_CHUNKS_MAX - 1);
    int64_t borders[NAIVE_CHUNKS_MAX];
    for (size_t i = 0; i < count; i++) {
        borders[i] = below(chance, s->ticks);
    }
    qsort(borders, count, sizeof(*borders), compare_borders);
    cut->borders[0] = 0;
    cut->count = 1;
    for (size_t i = 0; i < count; i++) {
        if (borders[i] - cut->borders[cut->count - 1] >= s->ticks_per_s / 5) {
            cut->borders[cut->count++] = borders[i];
        }
    }
}

static void
put_together(naive *s)
{
    s->context_count = 0;
    for (size_t i = 0; i < s->record_count; i++) {
        const naive_record *from = &s->records[i];
        int64_t end = INT64_MAX;
        for (size_t k = i + 1; k < s->record_count && end == INT64_MAX; k++) {
            const naive_record *to = &s->records[k];
            if (to->thread == from->thread &&
                (to->kind == CTX_RECORD_THREAD_END || to->type == from->type)) {
                end = to->time;
            }
        }
        if (from->kind == CTX_RECORD_SET) {
            s->contexts[s->context_count++] =
                (naive_context){from->type, from->thread, from->time, end, from->number, false};
        }
    }
}

void
naive_put_together(naive *s)
{
    put_together(s);
    print_policy(s);
}

static bool
has_mark(const naive *s, const naive_context *c)
{
    for (size_t i = 0; i < s->event_count; i++) {
        const naive_event *event = &s->events[i];
        if (event->type == NAIVE_MARK && event->thread == c->thread && event->commit >= c->begin &&
            event->commit <= c->end) {
            return true;
        }
    }
    return false;
}

bool
naive_is_valid(const naive *s)
{
    for (size_t i = 0; i < s->context_count; i++) {
        const naive_context *c = &s->contexts[i];
        if (s->rules[c->type].context_throttle.per_ns > 0 && !has_mark(s, c)) {
            return false;
        }
    }
    return true;
}

void
naive_make(naive *s, const naive_settings *settings, uint64_t *chance)
{
    static const int64_t ticks_per_s[] = {NS_PER_S, 1000000, 1000};
    s->ticks_per_s = ticks_per_s[chance_below(chance, 3)];
    int64_t seconds = is_one_in(chance, 3) ? NAIVE_SECONDS_MAX : 30;
    s->ticks = (1 + below(chance, seconds)) * s->ticks_per_s;
    s->wall_ns = 1700000000000000000 + below(chance, 4000000000000);
    make_rules(s, settings, chance);
    if (settings->has_records) {
        make_records(s, chance);
    }
    put_together(s);
    for (uint64_t bursts = 1 + chance_below(chance, 20); bursts > 0; bursts--) {
        make_burst(s, chance);
    }
    add_marks(s, chance);
    for (size_t i = 0; i < NAIVE_CUTS; i++) {
        make_cut(s, &s->cuts[i], chance);
    }
    naive_put_together(s);
}

// --- As bytes

size_t
naive_chunk_at(const naive_cut *cut, int64_t time)
{
    size_t chunk = cut->count - 1;
    while (chunk > 0 && cut->borders[chunk] > time) {
        chunk--;
    }
    return chunk;
}

static void
build_records(const naive *s, const naive_cut *cut, naive_chunks *out)
{
    size_t last[NAIVE_THREADS + 1] = {0};
    lp_buf values = {0};
    for (size_t i = 0; i < s->record_count; i++) {
        const naive_record *record = &s->records[i];
        size_t chunk = naive_chunk_at(cut, record->time + record->late);
        chunk = chunk < last[record->thread] ? last[record->thread] : chunk;
        last[record->thread] = chunk;
        ctx_build_le(&values, record->number, 8);
        ctx_build_record(&out->records[chunk], (uint8_t)record->kind,
            record->kind == CTX_RECORD_THREAD_END ? 0 : (uint16_t)types[record->type].id,
            (int64_t)record->thread, record->time, record->kind == CTX_RECORD_SET ? &values : NULL);
        lp_buf_clear(&values);
    }
    lp_buf_fini(&values);
}

static void
build_chunk(const naive *s, const naive_cut *cut, size_t chunk, lp_buf *out)
{
    jfr_build build;
    jfr_sample_begin(&build, cut->borders[chunk]);
    build.clock.ticks_per_s = s->ticks_per_s;
    build.clock.start_wall_ns = s->wall_ns + cut->borders[chunk] * (NS_PER_S / s->ticks_per_s);
    for (size_t i = 0; i < s->event_count; i++) {
        const naive_event *event = &s->events[i];
        char text[24];
        (void)snprintf(text, sizeof(text), "%zu", event->number);
        if (naive_chunk_at(cut, event->commit + event->late) == chunk) {
            (void)jfr_sample_event(&build, &(jfr_sample){.type = types[event->type].id,
                                               .start = event->begin,
                                               .end = event->commit,
                                               .thread = event->thread,
                                               .text = text});
        }
    }
    for (uint64_t key = 1; key <= NAIVE_THREADS; key++) {
        jfr_sample_thread(&build, key, (int64_t)key);
    }
    jfr_build_checkpoint(&build);
    lp_slice bytes = jfr_build_finish(&build);
    lp_buf_append(out, bytes.ptr, bytes.len);
    assert_false(out->is_failed);
    jfr_build_fini(&build);
}

static bool
samples_contexts(const naive *s)
{
    bool samples = false;
    for (size_t i = 0; i < NAIVE_TYPES; i++) {
        samples |= s->rules[i].context_throttle.per_ns > 0;
    }
    return samples;
}

// needed_by returns how many chunks behind one may matter to it: those that begin up to three
// seconds behind the second in which it ends, as events may be stored a second late, and those that
// have contexts of that time; all, where contexts are sampled as far as is known.
static size_t
needed_by(const naive *s, const naive_cut *cut, size_t chunk)
{
    if (chunk + 1 == cut->count) {
        return 0;
    }
    if (samples_contexts(s)) {
        return cut->count - chunk - 1;
    }
    int64_t end = cut->borders[chunk + 1] + 4 * s->ticks_per_s;
    size_t last = naive_chunk_at(cut, end);
    for (size_t i = 0; i < s->event_count; i++) {
        const naive_event *event = &s->events[i];
        size_t at = naive_chunk_at(cut, event->commit + event->late);
        last = event->begin <= end && at > last ? at : last;
    }
    for (size_t i = 0; i < s->context_count; i++) {
        const naive_context *c = &s->contexts[i];
        bool is_open = c->begin <= end && c->end != INT64_MAX;
        size_t at = is_open ? naive_chunk_at(cut, c->end + s->ticks_per_s) : 0;
        last = at > last ? at : last;
    }
    return last > chunk ? last - chunk : 0;
}

void
naive_build(const naive *s, const naive_cut *cut, naive_chunks *out)
{
    memset(out, 0, sizeof(*out));
    out->count = cut->count;
    build_records(s, cut, out);
    for (size_t i = 0; i < cut->count; i++) {
        build_chunk(s, cut, i, &out->jfr[i]);
        out->needed[i] = needed_by(s, cut, i);
        out->sources[i] = (compact_source){
            .jfr = lp_buf_slice(&out->jfr[i]),
            .records = lp_buf_slice(&out->records[i]),
            .types = prop_context_types,
            .type_count = i == 0 ? 2 : 0,
        };
    }
}

void
naive_chunks_fini(naive_chunks *chunks)
{
    for (size_t i = 0; i < chunks->count; i++) {
        lp_buf_fini(&chunks->jfr[i]);
        lp_buf_fini(&chunks->records[i]);
    }
}

// --- What was kept

// number_of reads which event or context one of the output is.
static size_t
number_of(const jfr_read *read, const jfr_read_event *event, const char *field)
{
    lp_buf text = {0};
    assert_true(jfr_read_value(read, event, field, &text));
    const char *digits = (const char *)text.ptr;
    size_t number = strtoull(digits + strspn(digits, "\""), NULL, 10);
    lp_buf_fini(&text);
    return number;
}

static bool
take_event(naive *s, const naive_cut *cut, size_t chunk, naive_type type, size_t number,
    const jfr_read *read, const jfr_read_event *event)
{
    for (size_t i = 0; i < s->event_count; i++) {
        naive_event *known = &s->events[i];
        if (known->number == number && known->type == type && !known->is_kept &&
            naive_chunk_at(cut, known->commit + known->late) == chunk &&
            jfr_read_number(read, event, "startTime") == known->begin) {
            known->is_kept = true;
            return true;
        }
    }
    naive_say("%s %zu should not be in chunk %zu\n", types[type].name, number, chunk);
    return false;
}

static bool
take_context(naive *s, naive_type type, size_t number)
{
    for (size_t i = 0; i < s->context_count; i++) {
        naive_context *known = &s->contexts[i];
        if (known->number == number && known->type == type) {
            known->is_kept = true;
            return true;
        }
    }
    naive_say("there is no %s %zu\n", types[type].name, number);
    return false;
}

static bool
take(
    naive *s, const naive_cut *cut, size_t chunk, const jfr_read *read, const jfr_read_event *event)
{
    naive_type type = NAIVE_PLAIN;
    while (strcmp(types[type].name, jfr_read_name(read, event)) != 0) {
        type++;
        assert_int_not_equal(type, NAIVE_TYPES);
    }
    size_t number = number_of(read, event, types[type].text);
    return type < NAIVE_TRACER ? take_event(s, cut, chunk, type, number, read, event)
                               : take_context(s, type, number);
}

bool
naive_take(naive *s, const naive_cut *cut, const jfr_read *outputs)
{
    for (size_t i = 0; i < s->event_count; i++) {
        s->events[i].is_kept = false;
    }
    for (size_t i = 0; i < s->context_count; i++) {
        s->contexts[i].is_kept = false;
    }
    for (size_t i = 0; i < cut->count; i++) {
        for (size_t k = 0; k < outputs[i].events.count; k++) {
            if (!take(s, cut, i, &outputs[i], &outputs[i].events.items[k])) {
                return false;
            }
        }
    }
    return true;
}

void
naive_print(const naive *s)
{
    print_message("%s%" PRId64 " ticks, %" PRId64 " a second, from %" PRId64 " ns on\n", s->policy,
        s->ticks, s->ticks_per_s, s->wall_ns);
    for (size_t i = 0; i < s->event_count; i++) {
        const naive_event *event = &s->events[i];
        print_message("%s %zu [%" PRId64 ", %" PRId64 "] thread %" PRIu64 " stored at %" PRId64
                      ", %s\n",
            types[event->type].name, event->number, event->begin, event->commit, event->thread,
            event->commit + event->late, event->is_kept ? "kept" : "dropped");
    }
    for (size_t i = 0; i < s->record_count; i++) {
        const naive_record *record = &s->records[i];
        print_message("%s %zu kind %d at %" PRId64 " thread %" PRIu64 " stored at %" PRId64 "\n",
            types[record->type].name, record->number, (int)record->kind, record->time,
            record->thread, record->time + record->late);
    }
    for (size_t i = 0; i < NAIVE_CUTS; i++) {
        for (size_t k = 0; k < s->cuts[i].count; k++) {
            print_message("%s%" PRId64, k == 0 ? "cut at " : ", ", s->cuts[i].borders[k]);
        }
        print_message("\n");
    }
}
