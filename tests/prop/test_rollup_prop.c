// SPDX-License-Identifier: Apache-2.0
// The statistics of all contexts, against a naive count on random sessions: of each contextual type
// in each chunk, how many contexts there are, how many are kept, how long they took, the same for
// each value of their attribute, and how much of the time of the kept ones lies in no event that
// takes time. Contexts of the API are counted over the whole session, those that ended. And what
// the statistics say is what stats say, survives being stored, and adds up in any order. The
// requests of a session are its outermost contexts, where contexts nest.

#include "context_types.h"
#include "support/compact_run.h"
#include "world.h"

#include "common/rollup/rollup_bytes.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const int64_t NS_PER_S = 1000000000;

typedef struct amounts {
    uint64_t all;
    uint64_t all_ns;
    uint64_t kept;
    uint64_t kept_ns;
} amounts;

static void
add(amounts *sums, int64_t ns, bool is_kept)
{
    sums->all++;
    sums->all_ns += (uint64_t)ns;
    sums->kept += is_kept;
    sums->kept_ns += is_kept ? (uint64_t)ns : 0;
}

static amounts
amounts_of(const rollup_numbers *numbers)
{
    return (amounts){
        numbers->all.count, numbers->all.sum_ns, numbers->kept.count, numbers->kept.sum_ns};
}

static bool
is_same(const char *what, const amounts *want, const amounts *got)
{
    bool is = memcmp(want, got, sizeof(*want)) == 0;
    if (!is) {
        print_error("%s: %" PRIu64 " of %" PRIu64 " ns, kept %" PRIu64 " of %" PRIu64
                    " ns, and not %" PRIu64 " of %" PRIu64 ", %" PRIu64 " of %" PRIu64 "\n",
            what, got->all, got->all_ns, got->kept, got->kept_ns, want->all, want->all_ns,
            want->kept, want->kept_ns);
    }
    return is;
}

static int64_t
tick_ns(const world *w)
{
    return NS_PER_S / w->ticks_per_s;
}

// find_value returns what is counted of the value of an attribute that is a number.
static amounts
find_value(const rollup_type *type, const char *name, size_t number)
{
    char text[24];
    (void)snprintf(text, sizeof(text), "%zu", number);
    const rollup_attribute *attribute = type == NULL ? NULL : rollup_find_attribute(type, name);
    for (size_t i = 0; attribute != NULL && i < attribute->values.count; i++) {
        const rollup_value *value = &attribute->values.items[i];
        if (value->text.len == strlen(text) &&
            memcmp(value->text.ptr, text, value->text.len) == 0) {
            return amounts_of(&value->numbers);
        }
    }
    return (amounts){0};
}

static const world_kind *
kind_of(uint64_t type)
{
    size_t i = 0;
    while (world_kinds[i].id != type) {
        i++;
    }
    return &world_kinds[i];
}

// counts_in returns whether an event takes time that counts in a context.
static bool
counts_in(const world *w, const world_item *it, const world_item *context)
{
    return it->is_kept && !w->rules[it->type].is_contextual && kind_of(it->type)->has_duration &&
           it->thread != 0 && it->thread == context->thread && it->chunk == context->chunk &&
           it->commit >= context->begin && it->commit <= context->commit;
}

// left_of returns how many ticks of a context lie in no event: between any two times at which one
// begins or ends either all lie in one or none.
static int64_t
left_of(const world *w, const world_item *context)
{
    int64_t left = 0;
    int64_t at = context->begin;
    while (at < context->commit) {
        int64_t next = context->commit;
        bool is_covered = false;
        for (size_t i = 0; i < w->item_count; i++) {
            const world_item *it = &w->items[i];
            if (!counts_in(w, it, context)) {
                continue;
            }
            is_covered |= it->begin <= at && it->commit > at;
            next = it->begin > at && it->begin < next ? it->begin : next;
            next = it->commit > at && it->commit < next ? it->commit : next;
        }
        left += is_covered ? 0 : next - at;
        at = next;
    }
    return left;
}

static bool
is_time_right(const world *w, size_t chunk, const world_kind *kind, const rollup_type *type)
{
    int64_t whole = 0;
    int64_t left = 0;
    for (size_t i = 0; i < w->item_count; i++) {
        const world_item *it = &w->items[i];
        if (it->chunk == chunk && it->type == kind->id && it->is_kept && it->thread != 0) {
            whole += it->commit - it->begin;
            left += left_of(w, it);
        }
    }
    uint64_t other_ns = type == NULL ? 0 : type->numbers.time_ns[TIME_OTHER];
    uint64_t left_ns = type == NULL ? 0 : type->numbers.left_ns;
    bool is = left_ns == (uint64_t)(left * tick_ns(w)) &&
              other_ns == (uint64_t)((whole - left) * tick_ns(w));
    if (!is) {
        print_error("chunk %zu: %s: %" PRIu64 " ns left and %" PRIu64 " in events, not %" PRId64
                    " and %" PRId64 "\n",
            chunk, kind->name, left_ns, other_ns, left * tick_ns(w), (whole - left) * tick_ns(w));
    }
    return is;
}

static bool
is_type_right(const world *w, size_t chunk, const world_kind *kind, const rollup *got)
{
    const rollup_type *type = rollup_find_type(got, kind->name);
    const char *attribute = kind->id == JFR_SAMPLE_TRACE ? "traceId" : "text";
    bool has_text = kind->id == JFR_SAMPLE_TRACE || kind->id == JFR_SAMPLE_PLAIN;
    bool is_right = true;
    amounts want = {0};
    for (size_t i = 0; i < w->item_count && is_right; i++) {
        const world_item *it = &w->items[i];
        if (it->chunk == chunk && it->type == kind->id) {
            amounts one = {0};
            add(&want, (it->commit - it->begin) * tick_ns(w), it->is_kept);
            add(&one, (it->commit - it->begin) * tick_ns(w), it->is_kept);
            amounts found = find_value(type, attribute, i);
            is_right = !has_text || is_same(attribute, &one, &found);
        }
    }
    if (kind->id == JFR_SAMPLE_SPAN) {
        want.all += world_spacer_count(w, chunk);
    }
    amounts found = type == NULL ? (amounts){0} : amounts_of(&type->numbers);
    return is_right && is_same(kind->name, &want, &found) && is_time_right(w, chunk, kind, type);
}

// are_slices_whole returns whether each context of a type is in one slice.
static bool
are_slices_whole(const rollup_types *types)
{
    for (size_t i = 0; i < types->count; i++) {
        const rollup_type *type = &types->items[i];
        uint64_t all = 0;
        uint64_t kept = 0;
        for (size_t k = 0; k < type->slices.count; k++) {
            all += type->slices.items[k].all.count;
            kept += type->slices.items[k].kept.count;
        }
        if (all != type->numbers.all.count || kept != type->numbers.kept.count) {
            printf("%s: %" PRIu64 " and %" PRIu64 " in slices, not %" PRIu64 " and %" PRIu64 "\n",
                type->name, all, kept, type->numbers.all.count, type->numbers.kept.count);
            return false;
        }
    }
    return true;
}

static bool
is_chunk_right(const world *w, size_t chunk, const rollup *got)
{
    bool is_right = are_slices_whole(&got->types) && are_slices_whole(&got->requests);
    for (size_t i = 0; i < WORLD_KINDS && is_right; i++) {
        bool is_contextual = w->rules[world_kinds[i].id].is_contextual;
        const amounts none = {0};
        const rollup_type *type = rollup_find_type(got, world_kinds[i].name);
        amounts found = type == NULL ? none : amounts_of(&type->numbers);
        is_right = is_contextual ? is_type_right(w, chunk, &world_kinds[i], got)
                                 : is_same(world_kinds[i].name, &none, &found);
    }
    return is_right;
}

static bool
are_contexts_right(const world *w, const rollup *total)
{
    bool is_right = true;
    for (uint16_t t = 1; t <= 2 && is_right; t++) {
        const rollup_type *type = rollup_find_type(total, prop_context_types[t - 1].name);
        amounts want = {0};
        for (size_t i = 0; i < w->context_count && is_right; i++) {
            const world_context *c = &w->contexts[i];
            if (c->type != t || c->end == INT64_MAX) {
                continue;
            }
            amounts one = {0};
            add(&want, (c->end - c->begin) * tick_ns(w), c->is_kept);
            add(&one, (c->end - c->begin) * tick_ns(w), c->is_kept);
            amounts found = find_value(type, "n", c->record);
            is_right = is_same("n", &one, &found);
        }
        amounts found = type == NULL ? (amounts){0} : amounts_of(&type->numbers);
        is_right = is_right && is_same(prop_context_types[t - 1].name, &want, &found);
    }
    return is_right;
}

// --- Requests

// A context or a contextual event on a thread.
typedef struct part {
    uint64_t thread;
    int64_t begin;
    int64_t end;
    bool is_kept;
} part;

static int
compare_parts(const void *a, const void *b)
{
    const part *x = a;
    const part *y = b;
    if (x->thread != y->thread) {
        return x->thread < y->thread ? -1 : 1;
    }
    if (x->begin != y->begin) {
        return x->begin < y->begin ? -1 : 1;
    }
    return (x->end < y->end) - (x->end > y->end);
}

static size_t
list_parts(const world *w, part out[WORLD_EVENTS_MAX + WORLD_RECORDS_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < w->item_count; i++) {
        const world_item *it = &w->items[i];
        if (w->rules[it->type].is_contextual && it->thread != 0 &&
            world_item_worth(w, it) == WORLD_MATTERS) {
            out[count++] = (part){it->thread, it->begin, it->commit, it->is_kept};
        }
    }
    for (size_t i = 0; i < w->context_count; i++) {
        const world_context *c = &w->contexts[i];
        out[count++] = (part){c->thread, c->begin, c->end, c->is_kept};
    }
    qsort(out, count, sizeof(*out), compare_parts);
    return count;
}

// is_plain returns whether all contextual events are stored in the chunks in which they ended, and
// none is of a type that is turned off.
static bool
is_plain(const world *w)
{
    bool is = true;
    for (size_t i = 0; i < w->item_count; i++) {
        const world_item *it = &w->items[i];
        const world_settings *rule = &w->rules[it->type];
        is &= !rule->is_contextual ||
              (it->chunk == world_chunk_at(w, it->commit) && !rule->is_disabled);
    }
    return is;
}

// are_requests_right counts the outermost parts of each thread, which are kept if one in them is.
// Parts that begin at one tick are one request, even if they end there.
// Where parts of a thread cross nothing is expected, and no times where one is open at the end.
static bool
are_requests_right(const world *w, const rollup *total)
{
    part parts[WORLD_EVENTS_MAX + WORLD_RECORDS_MAX];
    size_t count = list_parts(w, parts);
    amounts want = {0};
    amounts found = {0};
    bool has_open = false;
    for (size_t i = 0; i < count;) {
        const part *outermost = &parts[i];
        bool is_kept = false;
        for (; i < count && parts[i].thread == outermost->thread &&
               (parts[i].begin == outermost->begin || parts[i].begin < outermost->end);
             i++) {
            if (parts[i].end > outermost->end) {
                return true;
            }
            is_kept |= parts[i].is_kept;
        }
        has_open |= outermost->end == INT64_MAX;
        add(&want, has_open ? 0 : (outermost->end - outermost->begin) * tick_ns(w), is_kept);
    }
    for (size_t i = 0; i < total->requests.count; i++) {
        amounts one = amounts_of(&total->requests.items[i].numbers);
        found.all += one.all;
        found.kept += one.kept;
        found.all_ns += has_open ? 0 : one.all_ns;
        found.kept_ns += has_open ? 0 : one.kept_ns;
    }
    if (has_open) {
        want.all_ns = 0;
        want.kept_ns = 0;
    }
    return is_same("requests", &want, &found);
}

// says_the_same returns whether a chunk has as many requests in its rollup as in its statistics,
// and as many exemplars as it may have.
static bool
says_the_same(const compact_result *result)
{
    uint64_t in = result->rollup.requests_left_out;
    uint64_t out = 0;
    bool is = true;
    for (size_t i = 0; i < result->rollup.requests.count; i++) {
        const rollup_type *type = &result->rollup.requests.items[i];
        in += type->numbers.all.count;
        out += type->numbers.kept.count;
        is = is && type->exemplars.count <= type->numbers.kept.count;
    }
    return is && in == result->stats.requests_in && out == result->stats.requests_out;
}

static lp_buf
bytes_of(const rollup *sums)
{
    lp_buf bytes = {0};
    assert_int_equal(rollup_bytes_encode(sums, &bytes), LP_OK);
    return bytes;
}

static bool
are_rollups_right(const world *w, const world_bytes *b, const policy *rules)
{
    const compact_options options = {.policy = rules, .has_rollup = true, .has_requests = true};
    compact_result results[WORLD_CHUNKS_MAX];
    rollup total;
    rollup backwards;
    rollup_init(&total);
    rollup_init(&backwards);
    bool is_right = true;
    compact_run_with(b->sources, w->chunk_count, &options, results);
    for (size_t i = 0; i < w->chunk_count; i++) {
        is_right =
            is_right && is_chunk_right(w, i, &results[i].rollup) && says_the_same(&results[i]);
        rollup_add(&total, &results[i].rollup, "r");
        lp_buf bytes = bytes_of(&results[w->chunk_count - 1 - i].rollup);
        assert_int_equal(rollup_bytes_add(&backwards, lp_buf_slice(&bytes), "r"), LP_OK);
        lp_buf_fini(&bytes);
    }
    lp_buf one = bytes_of(&total);
    lp_buf other = bytes_of(&backwards);
    is_right = is_right && are_contexts_right(w, &total) &&
               (!is_plain(w) || are_requests_right(w, &total)) && one.len == other.len &&
               memcmp(one.ptr, other.ptr, one.len) == 0;
    for (size_t i = 0; i < w->chunk_count; i++) {
        compact_result_fini(&results[i]);
    }
    lp_buf_fini(&one);
    lp_buf_fini(&other);
    rollup_fini(&total);
    rollup_fini(&backwards);
    return is_right;
}

static void
test_rollups_are_what_a_naive_count_finds(void **state)
{
    (void)state;
    world_rounds(1200, 3, are_rollups_right);
}

// Two contexts that begin and end at one tick are one request.
static void
test_a_session_that_was_wrong_once_is_right(void **state)
{
    (void)state;
    world_round(12027, 3, are_rollups_right);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rollups_are_what_a_naive_count_finds),
        cmocka_unit_test(test_a_session_that_was_wrong_once_is_right),
    };
    return cmocka_run_group_tests_name("rollup_prop", tests, NULL, NULL);
}
