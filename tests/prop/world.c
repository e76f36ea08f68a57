// SPDX-License-Identifier: Apache-2.0
#include "world.h"

#include "context_types.h"
#include "support/chance.h"
#include "support/compact_run.h"
#include "support/ctx_build.h"

#include "common/base/lp_log.h"
#include "engine/read/rows.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CHUNK_TICKS_MIN = 1000, NS_PER_S = 1000000000 };

const world_kind world_kinds[WORLD_KINDS] = {
    {JFR_SAMPLE_PLAIN, "test.Plain", true, true, false},
    {JFR_SAMPLE_MARK, "test.Mark", false, true, false},
    {JFR_SAMPLE_TRACE, "test.Trace", true, true, true},
    {JFR_SAMPLE_SPAN, "test.Span", true, true, true},
    {JFR_SAMPLE_IDLE, "test.Idle", true, false, false},
    {JFR_SAMPLE_EXECUTION, "jdk.ExecutionSample", false, true, false},
    {JFR_SAMPLE_ODD, "test.Odd", true, true, false},
};

static void
make_rules(world *w, uint64_t *chance)
{
    for (size_t i = 0; i < WORLD_KINDS; i++) {
        world_settings *s = &w->rules[world_kinds[i].id];
        bool is_annotated = world_kinds[i].is_contextual;
        bool may_be_said = is_annotated || world_kinds[i].id == JFR_SAMPLE_PLAIN;
        s->is_contextual = is_annotated != (may_be_said && chance_below(chance, 8) == 0);
        if (chance_below(chance, 12) == 0) {
            s->is_disabled = true;
        }
        if (chance_below(chance, 6) == 0) {
            s->threshold = (int64_t)chance_below(chance, (uint64_t)w->ticks / 4);
        }
        if (s->is_contextual) {
            s->select =
                chance_below(chance, 8) == 0 ? POLICY_SELECT_ALL : POLICY_SELECT_IF_TRIGGERED;
        } else {
            s->select = chance_below(chance, 3) == 0 ? POLICY_SELECT_IF_CONTEXT : POLICY_SELECT_ALL;
        }
    }
}

static void
want(const world *w, uint64_t *chance, bool has_attribute, world_wants *out)
{
    *out = (world_wants){0};
    if (chance_below(chance, 2) == 0) {
        out->threshold =
            (int64_t)chance_below(chance, chance_below(chance, 2) == 0 ? (uint64_t)w->ticks : 60);
    }
    if (has_attribute && chance_below(chance, 2) == 0) {
        out->has_match = true;
        out->is_prefix = chance_below(chance, 4) > 0; // most values are there once
        out->value = chance_below(chance, WORLD_RECORDS_MAX);
    }
}

void
world_want(world *w, uint64_t *chance)
{
    for (size_t i = 0; i < WORLD_KINDS; i++) {
        uint64_t id = world_kinds[i].id;
        want(w, chance, id == JFR_SAMPLE_TRACE || id == JFR_SAMPLE_PLAIN, &w->rules[id].wants);
    }
    for (size_t i = 0; i < 2; i++) {
        want(w, chance, true, &w->context_wants[i]);
        w->context_wants[i].is_none = chance_below(chance, 8) == 0;
    }
}

static const struct {
    const char *name;
    int64_t ns;
} units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", NS_PER_S}, {"m", 60LL * NS_PER_S},
    {"h", 3600LL * NS_PER_S}, {"d", 86400LL * NS_PER_S}};
enum { UNITS = sizeof(units) / sizeof(units[0]) };

static size_t
write_rate(const char *setting, const policy_throttle *rate, char *text, size_t room)
{
    size_t unit = 0;
    while (units[unit].ns != rate->per_ns) {
        unit++;
    }
    return (size_t)snprintf(text, room, "<setting name='%s'>%" PRId64 "/%s</setting>", setting,
        rate->count, units[unit].name);
}

// make_rate makes a rate whose unit is about as long as the session, or shorter.
static policy_throttle
make_rate(const world *w, uint64_t *chance)
{
    int64_t session_ns = w->ticks * (NS_PER_S / w->ticks_per_s);
    size_t longest = 0; // as long as the session, or nearly so
    while (longest + 1 < UNITS && units[longest + 1].ns <= session_ns) {
        longest++;
    }
    uint64_t shorter = chance_below(chance, 3);
    return (policy_throttle){
        .count = (int64_t)chance_below(chance, 5),
        .per_ns = units[shorter < longest ? longest - shorter : longest].ns,
    };
}

// write_wants writes settings of a type whose attribute has that name.
static size_t
write_wants(
    const world *w, const world_wants *wants, const char *attribute, char *text, size_t room)
{
    size_t used = 0;
    if (wants->is_none) {
        used += (size_t)snprintf(text, room, "<setting name='contextual'>false</setting>");
    }
    if (wants->threshold > 0) {
        used += (size_t)snprintf(text + used, room - used,
            "<setting name='context-threshold'>%" PRId64 " ns</setting>",
            wants->threshold * (NS_PER_S / w->ticks_per_s));
    }
    if (wants->has_match) {
        used += (size_t)snprintf(text + used, room - used,
            "<setting name='context-match'>%s=%" PRIu64 "%s</setting>", attribute, wants->value,
            wants->is_prefix ? "*" : "");
    }
    return used;
}

void
world_throttle(world *w, uint64_t *chance)
{
    for (size_t i = 0; i < WORLD_KINDS; i++) {
        w->rules[world_kinds[i].id].throttle = make_rate(w, chance);
        // What looks the same of JFR_SAMPLE_ODD need not be on the same thread.
        if (world_kinds[i].id == JFR_SAMPLE_ODD || chance_below(chance, 2) == 0) {
            w->rules[world_kinds[i].id].throttle = (policy_throttle){0};
        }
    }
}

// Some settings are of another kind than the type: these change nothing, and each is a warning.
policy *
world_policy(const world *w)
{
    lp_log_init("prop", LP_LOG_ERROR);
    static const char *const selects[] = {"", "all", "if-context", "if-triggered"};
    char text[8192];
    size_t used = 0;
    for (size_t i = 0; i < WORLD_KINDS; i++) {
        const world_settings *s = &w->rules[world_kinds[i].id];
        used += (size_t)snprintf(text + used, sizeof(text) - used,
            "<event name='%s'><setting name='enabled'>%s</setting>"
            "<setting name='threshold'>%" PRId64 " ns</setting>"
            "<setting name='contextual'>%s</setting>"
            "<setting name='select'>%s</setting>",
            world_kinds[i].name, s->is_disabled ? "false" : "true",
            world_kinds[i].has_duration ? s->threshold * (NS_PER_S / w->ticks_per_s) : 0,
            s->is_contextual ? "true" : "false", selects[s->select]);
        if (s->throttle.per_ns > 0) {
            used += write_rate("throttle", &s->throttle, text + used, sizeof(text) - used);
        }
        used +=
            write_wants(w, &s->wants, world_kinds[i].id == JFR_SAMPLE_TRACE ? "traceId" : "text",
                text + used, sizeof(text) - used);
        used += (size_t)snprintf(text + used, sizeof(text) - used, "</event>");
        assert_true(used < sizeof(text));
    }
    for (size_t i = 0; i < 2; i++) {
        used += (size_t)snprintf(
            text + used, sizeof(text) - used, "<event name='%s'>", prop_context_types[i].name);
        used += write_wants(w, &w->context_wants[i], "n", text + used, sizeof(text) - used);
        used += (size_t)snprintf(text + used, sizeof(text) - used, "</event>");
        assert_true(used < sizeof(text));
    }
    return compact_run_policy(text);
}

static void
make_items(world *w, uint64_t *chance)
{
    w->item_count = 1 + chance_below(chance, WORLD_EVENTS_MAX);
    for (size_t i = 0; i < w->item_count; i++) {
        size_t kind = chance_below(chance, WORLD_KINDS);
        int64_t a = (int64_t)chance_below(chance, (uint64_t)w->ticks);
        int64_t length = 0;
        if (world_kinds[kind].has_duration) {
            length = (int64_t)chance_below(
                chance, chance_below(chance, 4) == 0 ? (uint64_t)w->ticks : 60);
        }
        if (a + length >= w->ticks) {
            a = w->ticks - 1 - length;
        }
        w->items[i] = (world_item){.type = world_kinds[kind].id,
            .begin = a,
            .commit = a + length,
            .thread = world_kinds[kind].has_thread ? 1 + chance_below(chance, WORLD_THREADS) : 0};
    }
}

static int
compare_times(const void *a, const void *b)
{
    const world_record *ra = a;
    const world_record *rb = b;
    return ra->time < rb->time ? -1 : ra->time > rb->time;
}

static void
make_records(world *w, uint64_t *chance)
{
    w->record_count = chance_below(chance, WORLD_RECORDS_MAX);
    for (size_t i = 0; i < w->record_count; i++) {
        uint64_t kind = chance_below(chance, 9);
        w->records[i] = (world_record){
            .kind = kind < 5   ? CTX_RECORD_SET
                    : kind < 8 ? CTX_RECORD_UNSET
                               : CTX_RECORD_THREAD_END,
            .type = (uint16_t)(1 + chance_below(chance, 2)),
            .thread = 1 + chance_below(chance, WORLD_THREADS),
            .time = (int64_t)chance_below(chance, (uint64_t)w->ticks),
        };
    }
    qsort(w->records, w->record_count, sizeof(world_record), compare_times);
}

// put_together makes the contexts out of the records, which are in the order of their times.
static void
put_together(world *w)
{
    for (size_t i = 0; i < w->record_count; i++) {
        const world_record *from = &w->records[i];
        if (from->kind != CTX_RECORD_SET) {
            continue;
        }
        int64_t end = INT64_MAX;
        for (size_t k = i + 1; k < w->record_count && end == INT64_MAX; k++) {
            const world_record *to = &w->records[k];
            if (to->thread == from->thread &&
                (to->kind == CTX_RECORD_THREAD_END || to->type == from->type)) {
                end = to->time;
            }
        }
        w->contexts[w->context_count++] = (world_context){.type = from->type,
            .thread = from->thread,
            .begin = from->time,
            .end = end,
            .record = i};
    }
}

static int
compare_borders(const void *a, const void *b)
{
    const int64_t *ta = a;
    const int64_t *tb = b;
    return *ta < *tb ? -1 : *ta > *tb;
}

size_t
world_chunk_at(const world *w, int64_t time)
{
    size_t chunk = 0;
    while (chunk + 1 < w->chunk_count && w->borders[chunk + 1] <= time) {
        chunk++;
    }
    return chunk;
}

// key_of is the key by which chunk names a thread where it has a second one.
static uint64_t
key_of(uint64_t thread, size_t chunk, bool is_second)
{
    return thread * 10 + chunk + (is_second ? WORLD_CHUNKS_MAX : 0);
}

// choose_key chooses among the keys that chunks up to the event's own describe. In the first chunk
// the next one's go, too: later, the chunk before may have to know the thread.
static uint64_t
choose_key(const world *w, uint64_t *chance, const world_item *it)
{
    size_t last = it->chunk == 0 && w->chunk_count > 1 ? 1 : it->chunk;
    size_t chunk = chance_below(chance, 4) == 0 ? chance_below(chance, last + 1) : it->chunk;
    return key_of(it->thread, chunk, chance_below(chance, 4) == 0);
}

static bool
has_records(const world *w, uint64_t thread)
{
    bool is_found = false;
    for (size_t i = 0; i < w->record_count; i++) {
        is_found |= w->records[i].thread == thread;
    }
    return is_found;
}

// store puts an event into the chunk of its commit time or, now and then, into a later one that
// begins less than a second later, or into the one before: where the records of contexts may come
// later than that, nothing is promised.
static void
store(const world *w, uint64_t *chance, world_item *it)
{
    it->chunk = world_chunk_at(w, it->commit);
    for (uint64_t late = chance_below(chance, 6) == 0 ? 1 + chance_below(chance, 2) : 0; late > 0;
         late--) {
        if (it->chunk + 1 < w->chunk_count &&
            w->borders[it->chunk + 1] - w->ticks_per_s <= it->commit) {
            it->chunk++;
        }
    }
    if (it->chunk > 0 && chance_below(chance, 8) == 0 && !has_records(w, it->thread)) {
        it->chunk--;
    }
    it->key = it->thread == 0 ? 0 : choose_key(w, chance, it);
}

// store_records puts records into the chunk of their time or, now and then, into the next one;
// those of a thread stay in order.
static void
store_records(world *w, uint64_t *chance)
{
    size_t late_chunk[WORLD_THREADS + 1] = {0};
    for (size_t i = 0; i < w->record_count; i++) {
        world_record *record = &w->records[i];
        record->chunk = world_chunk_at(w, record->time);
        if (record->chunk + 1 < w->chunk_count && chance_below(chance, 8) == 0) {
            record->chunk++;
        }
        if (record->chunk < late_chunk[record->thread]) {
            record->chunk = late_chunk[record->thread];
        }
        late_chunk[record->thread] = record->chunk;
    }
}

// make_borders cuts the session, and stores the events.
static void
make_borders(world *w, uint64_t *chance)
{
    w->chunk_count = 1 + chance_below(chance, WORLD_CHUNKS_MAX);
    w->borders[0] = 0;
    for (size_t i = 1; i < w->chunk_count; i++) {
        w->borders[i] = (int64_t)(1 + chance_below(chance, (uint64_t)w->ticks - 1));
    }
    qsort(w->borders, w->chunk_count, sizeof(int64_t), compare_borders);
    size_t count = 1;
    for (size_t i = 1; i < w->chunk_count; i++) { // no two of them at the same tick
        if (w->borders[i] != w->borders[count - 1]) {
            w->borders[count++] = w->borders[i];
        }
    }
    w->chunk_count = count;
    for (size_t i = 0; i < w->item_count; i++) {
        store(w, chance, &w->items[i]);
    }
    for (size_t i = 0, order = 0; i < w->chunk_count; i++) {
        for (size_t k = 0; k < w->item_count; k++) {
            if (w->items[k].chunk == i) {
                w->items[k].order = order++;
            }
        }
    }
}

// is_cover_within_reach is true if what covers an if-context event is stored at most one chunk
// behind the chunk in which that event, or what it may trigger, is.
static bool
is_cover_within_reach(const world *w, const world_item *event)
{
    size_t needed_in = world_chunk_at(w, event->commit);
    needed_in = event->chunk < needed_in ? event->chunk : needed_in;
    for (size_t i = 0; i < w->item_count; i++) {
        const world_item *c = &w->items[i];
        if (w->rules[c->type].is_contextual && c->thread == event->thread &&
            c->begin <= event->commit && event->commit <= c->commit && c->chunk > needed_in + 1) {
            return false;
        }
    }
    return true;
}

// is_trigger_within_reach is true if an event is stored at most one chunk behind all that it may
// trigger, by way of others too.
static bool
is_trigger_within_reach(const world *w, const world_item *event)
{
    size_t stored_in = world_chunk_at(w, event->commit);
    for (size_t i = 0; i < w->item_count; i++) {
        const world_item *c = &w->items[i];
        const world_settings *rules = &w->rules[c->type];
        bool may_be_triggered = rules->is_contextual && !rules->is_disabled &&
                                rules->select == POLICY_SELECT_IF_TRIGGERED;
        if (may_be_triggered && c->thread == event->thread && c->commit >= event->commit &&
            event->chunk > c->chunk + 1) {
            return false;
        }
    }
    for (size_t i = 0; i < w->context_count && event->chunk > stored_in + 1; i++) {
        const world_context *c = &w->contexts[i];
        if (c->thread == event->thread && c->end >= event->commit) {
            return false;
        }
    }
    return true;
}

// is_cut_short is true if a context that is too short is open where a chunk ends.
static bool
is_cut_short(const world *w, const world_context *c)
{
    for (size_t i = 1; i < w->chunk_count; i++) {
        if (c->begin < w->borders[i] && c->end >= w->borders[i] &&
            world_context_worth(w, c) == WORLD_TOO_SHORT) {
            return true;
        }
    }
    return false;
}

// is_within_reach is true if the engine can know what it needs.
static bool
is_within_reach(const world *w)
{
    for (size_t i = 0; i < w->context_count; i++) {
        if (is_cut_short(w, &w->contexts[i])) {
            return false;
        }
    }
    for (size_t i = 0; i < w->item_count; i++) {
        const world_item *event = &w->items[i];
        bool needs_cover = w->rules[event->type].select == POLICY_SELECT_IF_CONTEXT;
        if ((needs_cover && !is_cover_within_reach(w, event)) ||
            !is_trigger_within_reach(w, event)) {
            return false;
        }
    }
    return true;
}

// world_comes_before is the order of decisions.
bool
world_comes_before(const world *w, const world_item *a, const world_item *b)
{
    bool a_is_context = w->rules[a->type].is_contextual;
    bool b_is_context = w->rules[b->type].is_contextual;
    if (a->commit != b->commit) {
        return a->commit < b->commit;
    }
    if (a_is_context != b_is_context) {
        return b_is_context;
    }
    if (a_is_context && a->begin != b->begin) {
        return a->begin > b->begin;
    }
    return a->order < b->order;
}

// worth_of judges a context of that length and attribute by what the policy wants.
static world_worth
worth_of(const world_wants *wants, int64_t length, size_t attribute)
{
    char value[24];
    char found[24];
    (void)snprintf(value, sizeof(value), "%" PRIu64, wants->value);
    (void)snprintf(found, sizeof(found), "%zu", attribute);
    bool is_match =
        wants->is_prefix ? strncmp(found, value, strlen(value)) == 0 : strcmp(found, value) == 0;
    if (wants->is_none) {
        return WORLD_NO_CONTEXT;
    }
    if (length < wants->threshold) {
        return WORLD_TOO_SHORT;
    }
    if (wants->has_match && !is_match) {
        return WORLD_NO_MATCH;
    }
    return WORLD_MATTERS;
}

world_worth
world_item_worth(const world *w, const world_item *it)
{
    const world_settings *s = &w->rules[it->type];
    return s->is_contextual ? worth_of(&s->wants, it->commit - it->begin, (size_t)(it - w->items))
                            : WORLD_MATTERS;
}

world_worth
world_context_worth(const world *w, const world_context *c)
{
    int64_t length = c->end == INT64_MAX ? INT64_MAX : c->end - c->begin;
    return worth_of(&w->context_wants[c->type - 1], length, c->record);
}

static bool
is_covered(const world *w, const world_item *event)
{
    for (size_t i = 0; i < w->item_count; i++) {
        const world_item *c = &w->items[i];
        if (c != event && w->rules[c->type].is_contextual && c->thread == event->thread &&
            c->begin <= event->commit && event->commit <= c->commit &&
            world_item_worth(w, c) == WORLD_MATTERS) {
            return event->thread != 0;
        }
    }
    for (size_t i = 0; i < w->context_count; i++) {
        const world_context *c = &w->contexts[i];
        if (c->thread == event->thread && c->begin <= event->commit && event->commit <= c->end &&
            world_context_worth(w, c) == WORLD_MATTERS) {
            return true;
        }
    }
    return false;
}

static bool
is_triggered(const world *w, const world_item *c)
{
    for (size_t i = 0; i < w->item_count; i++) {
        const world_item *event = &w->items[i];
        if (event != c && event->is_decided && event->is_kept && event->thread == c->thread &&
            c->begin <= event->commit && event->commit <= c->commit) {
            return true;
        }
    }
    return false;
}

static bool
is_item_kept(const world *w, const world_item *it)
{
    const world_settings *s = &w->rules[it->type];
    if (s->is_disabled) {
        return false;
    }
    if (it->type != JFR_SAMPLE_MARK && it->type != JFR_SAMPLE_EXECUTION &&
        it->commit - it->begin < s->threshold) {
        return false;
    }
    if (world_item_worth(w, it) != WORLD_MATTERS) {
        return false;
    }
    bool is_selected = s->select == POLICY_SELECT_ALL ||
                       (s->select == POLICY_SELECT_IF_CONTEXT && is_covered(w, it)) ||
                       (s->select == POLICY_SELECT_IF_TRIGGERED && is_triggered(w, it));
    return is_selected && (s->throttle.per_ns == 0 || it->is_sampled);
}

// triggers says whether a kept event triggers a context of the API. At equal ends an inner context
// is decided before the contextual event around it, as between events.
static bool
triggers(const world *w, const world_item *event, const world_context *c)
{
    if (event->thread != c->thread || event->commit < c->begin || event->commit > c->end ||
        world_context_worth(w, c) != WORLD_MATTERS) {
        return false;
    }
    return event->commit < c->end || !w->rules[event->type].is_contextual ||
           event->begin >= c->begin;
}

void
world_decide(world *w)
{
    for (size_t done = 0; done < w->item_count; done++) {
        world_item *next = NULL;
        for (size_t i = 0; i < w->item_count; i++) {
            world_item *it = &w->items[i];
            it->is_decided = done == 0 ? false : it->is_decided;
            if (!it->is_decided && (next == NULL || world_comes_before(w, it, next))) {
                next = it;
            }
        }
        next->is_kept = is_item_kept(w, next);
        next->is_decided = true;
    }
    for (size_t i = 0; i < w->context_count; i++) {
        world_context *c = &w->contexts[i];
        c->is_kept = false;
        for (size_t k = 0; k < w->item_count; k++) {
            const world_item *event = &w->items[k];
            c->is_kept |= event->is_kept && triggers(w, event, c);
        }
    }
}

// limit_of is up to where events are decided with a chunk.
static int64_t
limit_of(const world *w, size_t chunk)
{
    int64_t limit = chunk + 1 < w->chunk_count ? w->borders[chunk + 1] : INT64_MAX;
    for (size_t i = 0; i < w->item_count; i++) {
        const world_item *it = &w->items[i];
        limit = it->chunk == chunk && it->commit > limit ? it->commit : limit;
    }
    return limit;
}

size_t
world_decided_with(const world *w, const world_item *it)
{
    return it->chunk > 0 && it->commit <= limit_of(w, it->chunk - 1) ? it->chunk - 1 : it->chunk;
}

static void
build_records(const world *w, world_bytes *b)
{
    lp_buf values = {0};
    for (size_t i = 0; i < w->record_count; i++) {
        const world_record *from = &w->records[i];
        ctx_build_le(&values, i, 8);
        ctx_build_record(&b->records[from->chunk], (uint8_t)from->kind,
            from->kind == CTX_RECORD_THREAD_END ? 0 : from->type, (int64_t)from->thread, from->time,
            from->kind == CTX_RECORD_SET ? &values : NULL);
        lp_buf_clear(&values);
    }
    lp_buf_fini(&values);
}

// has_spacers returns whether events without a thread, of a contextual type, are put between
// others: nothing keeps or samples these.
static bool
has_spacers(const world *w)
{
    const world_settings *rule = &w->rules[JFR_SAMPLE_SPAN];
    return w->is_long && rule->select == POLICY_SELECT_IF_TRIGGERED;
}

// So many of them are put between two that the next event is in another block of rows.
enum { SPACERS = COMPACT_BLOCK_ROWS - 1 };

static void
build_spacers(jfr_build *chunk, int64_t time)
{
    for (int i = 0; i < SPACERS; i++) {
        (void)jfr_sample_event(
            chunk, &(jfr_sample){.type = JFR_SAMPLE_SPAN, .start = time, .end = time});
    }
}

size_t
world_spacer_count(const world *w, size_t chunk)
{
    size_t count = 0;
    for (size_t i = 0; i < w->item_count; i++) {
        count += w->items[i].chunk == chunk && has_spacers(w) ? SPACERS : 0;
    }
    return count;
}

void
world_build(const world *w, world_bytes *b)
{
    memset(b, 0, sizeof(*b));
    build_records(w, b);
    for (size_t i = 0; i < w->chunk_count; i++) {
        jfr_sample_begin(&b->chunks[i], w->borders[i]);
        b->chunks[i].clock.ticks_per_s = w->ticks_per_s;
        b->chunks[i].clock.start_wall_ns = w->borders[i] * (NS_PER_S / w->ticks_per_s);
        for (size_t k = 0; k < w->item_count; k++) {
            const world_item *it = &w->items[k];
            char name[24];
            (void)snprintf(name, sizeof(name), "%zu", k);
            if (it->chunk == i) {
                (void)jfr_sample_event(&b->chunks[i], &(jfr_sample){.type = it->type,
                                                          .start = it->begin,
                                                          .end = it->commit,
                                                          .thread = it->key,
                                                          .text = name});
            }
            if (it->chunk == i && has_spacers(w)) {
                build_spacers(&b->chunks[i], it->commit);
            }
        }
        for (uint64_t id = 1; id <= WORLD_THREADS; id++) {
            jfr_sample_thread(&b->chunks[i], key_of(id, i, false), (int64_t)id);
            jfr_sample_thread(&b->chunks[i], key_of(id, i, true), (int64_t)id);
        }
        jfr_build_checkpoint(&b->chunks[i]);
        b->sources[i] = (compact_source){.jfr = jfr_build_finish(&b->chunks[i]),
            .records = lp_buf_slice(&b->records[i]),
            .types = prop_context_types,
            .type_count = i == 0 ? 2 : 0};
    }
}

void
world_bytes_fini(const world *w, world_bytes *b)
{
    for (size_t i = 0; i < w->chunk_count; i++) {
        jfr_build_fini(&b->chunks[i]);
        lp_buf_fini(&b->records[i]);
    }
}

void
world_make(world *w, uint64_t *chance)
{
    w->ticks = (int64_t)(CHUNK_TICKS_MIN + chance_below(chance, 4) * 500);
    if (chance_below(chance, 3) == 0) {
        w->ticks = 40; // many equal times
    }
    static const int64_t ticks_per_s[] = {NS_PER_S, 1000, 100, 20, 5};
    w->ticks_per_s =
        ticks_per_s[chance_below(chance, 5)]; // chunks are shorter and longer than a second
    make_rules(w, chance);
    make_items(w, chance);
    make_records(w, chance);
    put_together(w);
    w->is_long = chance_below(chance, 16) == 0;
}

void
world_cut(world *w, uint64_t *chance)
{
    do {
        make_borders(w, chance);
    } while (!is_within_reach(w));
    store_records(w, chance);
    world_decide(w);
}

static int
compare_order(const void *a, const void *b)
{
    const world_item *x = a;
    const world_item *y = b;
    return (x->order > y->order) - (x->order < y->order);
}

void
world_join(const world *w, world *out)
{
    *out = *w;
    out->chunk_count = 1;
    qsort(out->items, out->item_count, sizeof(*out->items), compare_order);
    for (size_t i = 0; i < out->record_count; i++) {
        out->records[i].chunk = 0;
    }
    for (size_t i = 0; i < out->item_count; i++) {
        world_item *it = &out->items[i];
        it->chunk = 0;
        it->key = it->thread == 0 ? 0 : key_of(it->thread, 0, false);
    }
}

static uint64_t
number_of(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    return text == NULL ? otherwise : strtoull(text, NULL, 10);
}

static bool
is_round_right(uint64_t seed, int cuts, world_check *is_right)
{
    uint64_t chance = seed;
    world w = {0};
    world_make(&w, &chance);
    if (chance_below(&chance, 2) == 0) {
        world_want(&w, &chance);
    }
    policy *rules = world_policy(&w);
    bool is_good = true;
    for (int cut = 0; cut < cuts && is_good; cut++) {
        world_bytes b;
        world_cut(&w, &chance);
        world_build(&w, &b);
        is_good = is_right(&w, &b, rules);
        world_bytes_fini(&w, &b);
    }
    policy_destroy(rules);
    return is_good;
}

void
world_round(uint64_t seed, int cuts, world_check *is_right)
{
    if (!is_round_right(seed, cuts, is_right)) {
        print_error("LOUPE_PROP_SEED=%" PRIu64 " LOUPE_PROP_ROUNDS=1 shows it\n", seed);
        fail();
    }
}

void
world_rounds(uint64_t rounds, int cuts, world_check *is_right)
{
    uint64_t seed = number_of("LOUPE_PROP_SEED", 1);
    rounds = number_of("LOUPE_PROP_ROUNDS", rounds);
    for (uint64_t i = 0; i < rounds; i++) {
        world_round(seed + i, cuts, is_right);
    }
}
