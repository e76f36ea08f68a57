// SPDX-License-Identifier: Apache-2.0
#include "support/compact_run.h"

#include "support/temp_dir.h"

#include "common/base/lp_assert.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What the event dev.loupe.Accounting calls them.
static const char *const reasons[COMPACT_REASON_COUNT] = {[COMPACT_BY_WITHHELD] = "withheld",
    [COMPACT_BY_ENABLED] = "enabled",
    [COMPACT_BY_THRESHOLD] = "threshold",
    [COMPACT_BY_CONTEXT_THRESHOLD] = "contextThreshold",
    [COMPACT_BY_CONTEXT_MATCH] = "contextMatch",
    [COMPACT_BY_CONTEXT_THROTTLE] = "contextThrottle",
    [COMPACT_BY_SELECT] = "select",
    [COMPACT_BY_FILTER] = "filter",
    [COMPACT_BY_THROTTLE] = "throttle",
    [COMPACT_BY_DAMAGED] = "damaged"};

// expect_field checks a field of an event dev.loupe.Accounting.
static void
expect_field(const jfr_read *read, const jfr_read_event *event, const char *field, uint64_t want)
{
    lp_buf text = {0};
    LP_ASSERT(jfr_read_value(read, event, field, &text));
    LP_ASSERT(strtoull((const char *)text.ptr, NULL, 10) == want);
    lp_buf_fini(&text);
}

// expect_number expects at the text a number of a type, and gives what is behind it.
static const char *
expect_number(const char *text, const char *key, uint64_t number)
{
    char want[64];
    int length = snprintf(want, sizeof(want), " %s=%" PRIu64, key, number);
    if (number == 0) {
        return text;
    }
    LP_ASSERT(strncmp(text, want, (size_t)length) == 0);
    return text + length;
}

// expect_type does the same for a type.
static const char *
expect_type(const jfr_read *read, const char *text, const compact_type_stats *stats)
{
    size_t length = strcspn(text, " ");
    LP_ASSERT((strlen(stats->name) == length && strncmp(text, stats->name, length) == 0) ||
              jfr_read_find_type(read, stats->name) == NULL);
    text = expect_number(
        text + length, "offered", stats->events_out + compact_dropped_sum(&stats->dropped));
    text = expect_number(text, "kept", stats->events_out);
    for (size_t i = 0; i < COMPACT_REASON_COUNT; i++) {
        text = expect_number(text, reasons[i], stats->dropped.by[i]);
    }
    return text;
}

// expect_types expects the list of types that are in total, whose numbers it adds to that.
static void
expect_types(const jfr_read *read, const jfr_read_event *event, const compact_stats *stats,
    compact_type_stats *total)
{
    lp_buf list = {0};
    LP_ASSERT(jfr_read_value(read, event, "eventTypes", &list));
    const char *text = (const char *)list.ptr;
    const char *between = "\"";
    for (size_t i = 0; i < stats->type_count; i++) {
        const compact_type_stats *type = &stats->types[i];
        if (compact_dropped_sum(&type->dropped) > 0) {
            LP_ASSERT(strncmp(text, between, strlen(between)) == 0);
            text = expect_type(read, text + strlen(between), type);
            between = "; ";
            total->events_out += type->events_out;
            compact_dropped_add(&total->dropped, &type->dropped);
        }
    }
    LP_ASSERT(strcmp(text, "\"") == 0);
    lp_buf_fini(&list);
}

static void
expect_account(const jfr_read *read, const jfr_read_event *event, const compact_stats *stats)
{
    compact_type_stats total = {0};
    expect_types(read, event, stats, &total);
    for (size_t i = 0; i < COMPACT_REASON_COUNT; i++) {
        expect_field(read, event, reasons[i], total.dropped.by[i]);
    }
    expect_field(read, event, "kept", total.events_out);
    expect_field(read, event, "offered", total.events_out + compact_dropped_sum(&total.dropped));
    LP_ASSERT(jfr_read_number(read, event, "startTime") == read->start_ticks);
    __int128 ticks = (__int128)read->duration_ns * read->ticks_per_s / 1000000000;
    bool is_absurd = ticks < 0 || ticks + read->start_ticks > INT64_MAX || ticks > INT64_MAX;
    LP_ASSERT(jfr_read_number(read, event, "duration") == (is_absurd ? 0 : (int64_t)ticks));
}

static bool
has_dropped(const compact_stats *stats)
{
    for (size_t i = 0; i < stats->type_count; i++) {
        if (compact_dropped_sum(&stats->types[i].dropped) > 0) {
            return true;
        }
    }
    return false;
}

void
compact_run_read(const compact_result *result, jfr_read *out_read)
{
    jfr_read_open(out_read, lp_buf_slice(&result->jfr));
    bool has_account = false;
    bool has_attribute = false;
    size_t left = 0;
    for (size_t i = 0; i < out_read->events.count; i++) {
        const jfr_read_event *event = &out_read->events.items[i];
        const char *name = jfr_read_name(out_read, event);
        if (strcmp(name, "dev.loupe.ContextAttribute") == 0) {
            has_attribute = true;
            continue;
        }
        LP_ASSERT(!has_account && !has_attribute); // they come last
        if (strcmp(name, "dev.loupe.Accounting") != 0) {
            out_read->events.items[left++] = *event;
            continue;
        }
        has_account = true;
        expect_account(out_read, event, &result->stats);
    }
    LP_ASSERT(has_account == has_dropped(&result->stats));
    out_read->events.count = left;
}

compact_carry *
compact_run_through_bytes(const compact_carry *carry)
{
    lp_buf bytes = {0};
    lp_buf again = {0};
    compact_carry *loaded;
    LP_ASSERT(compact_carry_save(carry, &bytes) == LP_OK);
    LP_ASSERT(compact_carry_load(lp_buf_slice(&bytes), &loaded, NULL) == LP_OK);
    LP_ASSERT(compact_carry_save(loaded, &again) == LP_OK);
    LP_ASSERT(bytes.len == again.len && memcmp(bytes.ptr, again.ptr, bytes.len) == 0);
    lp_buf_fini(&bytes);
    lp_buf_fini(&again);
    return loaded;
}

void
compact_run_how(const compact_source *chunks, size_t count, const compact_options *options,
    compact_run_carry how, compact_result *out_results)
{
    for (size_t i = 0; i < count; i++) {
        const compact_carry *carry = i == 0 ? NULL : out_results[i - 1].carry;
        compact_carry *loaded = NULL;
        if (how == COMPACT_RUN_SAVED && carry != NULL) {
            carry = loaded = compact_run_through_bytes(carry);
        }
        lp_problem problem = {0};
        size_t behind = count - i - 1;
        behind = behind > 1 && how == COMPACT_RUN_ONE_BEHIND ? 1 : behind;
        lp_err err = compact_chunk(
            &chunks[i], &chunks[i + 1], behind, carry, options, &out_results[i], &problem);
        if (err != LP_OK) {
            (void)fprintf(stderr, "chunk %zu: %s: %s at %llu\n", i, lp_err_text(err), problem.text,
                (unsigned long long)problem.offset);
            abort();
        }
        compact_carry_destroy(loaded);
    }
}

void
compact_run(const compact_source *chunks, size_t count, const policy *rules, compact_run_carry how,
    compact_result *out_results)
{
    const compact_options options = {.policy = rules, .refused = COMPACT_REFUSED_ALL};
    compact_run_how(chunks, count, &options, how, out_results);
}

void
compact_run_with(const compact_source *chunks, size_t count, const compact_options *options,
    compact_result *out_results)
{
    compact_run_how(chunks, count, options, COMPACT_RUN_AS_IT_IS, out_results);
}

lp_err
compact_run_add_to_merge(compact_merge *merge, uint32_t source, lp_slice chunk, const policy *rules)
{
    compact_view view;
    lp_err err = compact_view_open_enumerations(&view, chunk, rules, NULL);
    if (err == LP_OK) {
        err = compact_merge_add(merge, source, &view);
        compact_view_close(&view);
    }
    return err;
}

policy *
compact_run_policy(const char *events)
{
    temp_dir dir = temp_dir_make();
    char path[300];
    (void)snprintf(path, sizeof(path), "%s/policy.jfc", dir.path);
    FILE *file = fopen(path, "w");
    LP_ASSERT(file != NULL);
    (void)fprintf(file, "<configuration version=\"2.0\">%s</configuration>", events);
    LP_ASSERT(fclose(file) == 0);
    policy *rules = policy_create();
    LP_ASSERT(rules != NULL && policy_read(rules, path, NULL) == LP_OK);
    temp_dir_remove(&dir);
    return rules;
}
