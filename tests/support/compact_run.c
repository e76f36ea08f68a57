// SPDX-License-Identifier: Apache-2.0
#include "support/compact_run.h"

#include "support/temp_dir.h"

#include "common/base/lp_assert.h"

#include <stdlib.h>
#include <string.h>

// expect_field checks a field of an event dev.loupe.Accounting.
static void
expect_field(const jfr_read *read, const jfr_read_event *event, const char *field, uint64_t want)
{
    lp_buf text = {0};
    LP_ASSERT(jfr_read_value(read, event, field, &text));
    LP_ASSERT(strtoull((const char *)text.ptr, NULL, 10) == want);
    lp_buf_fini(&text);
}

static void
expect_account(const jfr_read *read, const jfr_read_event *event, const compact_type_stats *stats)
{
    static const char *const fields[COMPACT_REASON_COUNT] = {[COMPACT_BY_ENABLED] = "enabled",
        [COMPACT_BY_THRESHOLD] = "threshold",
        [COMPACT_BY_CONTEXT_THRESHOLD] = "contextThreshold",
        [COMPACT_BY_CONTEXT_MATCH] = "contextMatch",
        [COMPACT_BY_CONTEXT_THROTTLE] = "contextThrottle",
        [COMPACT_BY_SELECT] = "select",
        [COMPACT_BY_FILTER] = "filter",
        [COMPACT_BY_THROTTLE] = "throttle",
        [COMPACT_BY_DAMAGED] = "damaged"};
    lp_buf text = {0};
    LP_ASSERT(jfr_read_value(read, event, "eventType", &text));
    LP_ASSERT(strstr((const char *)text.ptr, stats->name) != NULL ||
              jfr_read_find_type(read, stats->name) == NULL);
    lp_buf_fini(&text);
    uint64_t sum = 0;
    for (size_t i = 0; i < COMPACT_REASON_COUNT; i++) {
        expect_field(read, event, fields[i], stats->dropped.by[i]);
        sum += stats->dropped.by[i];
    }
    expect_field(read, event, "kept", stats->events_out);
    expect_field(read, event, "offered", stats->events_out + sum);
    LP_ASSERT(jfr_read_number(read, event, "startTime") == read->start_ticks);
    __int128 ticks = (__int128)read->duration_ns * read->ticks_per_s / 1000000000;
    bool is_absurd = ticks < 0 || ticks + read->start_ticks > INT64_MAX || ticks > INT64_MAX;
    LP_ASSERT(jfr_read_number(read, event, "duration") == (is_absurd ? 0 : (int64_t)ticks));
}

void
compact_run_read(const compact_result *result, jfr_read *out_read)
{
    jfr_read_open(out_read, lp_buf_slice(&result->jfr));
    size_t type = 0;
    size_t left = 0;
    for (size_t i = 0; i < out_read->events.count; i++) {
        const jfr_read_event *event = &out_read->events.items[i];
        if (strcmp(jfr_read_name(out_read, event), "dev.loupe.Accounting") != 0) {
            LP_ASSERT(type == 0); // they come last
            out_read->events.items[left++] = *event;
            continue;
        }
        while (type < result->stats.type_count &&
               compact_dropped_sum(&result->stats.types[type].dropped) == 0) {
            type++;
        }
        LP_ASSERT(type < result->stats.type_count);
        expect_account(out_read, event, &result->stats.types[type++]);
    }
    for (; type < result->stats.type_count; type++) {
        LP_ASSERT(compact_dropped_sum(&result->stats.types[type].dropped) == 0);
    }
    out_read->events.count = left;
}

compact_carry *
compact_run_through_bytes(const compact_carry *carry)
{
    lp_buf bytes = {0};
    lp_buf again = {0};
    compact_carry *loaded;
    LP_ASSERT(compact_carry_save(carry, &bytes) == LP_OK);
    LP_ASSERT(compact_carry_load(lp_buf_slice(&bytes), &loaded) == LP_OK);
    LP_ASSERT(compact_carry_save(loaded, &again) == LP_OK);
    LP_ASSERT(bytes.len == again.len && memcmp(bytes.ptr, again.ptr, bytes.len) == 0);
    lp_buf_fini(&bytes);
    lp_buf_fini(&again);
    return loaded;
}

static void
run(const compact_source *chunks, size_t count, const compact_options *options,
    compact_run_carry how, compact_result *out_results)
{
    for (size_t i = 0; i < count; i++) {
        const compact_carry *carry = i == 0 ? NULL : out_results[i - 1].carry;
        compact_carry *loaded = NULL;
        if (how == COMPACT_RUN_SAVED && carry != NULL) {
            carry = loaded = compact_run_through_bytes(carry);
        }
        lp_problem problem = {0};
        lp_err err = compact_chunk(&chunks[i], i + 1 < count ? &chunks[i + 1] : NULL, carry,
            options, &out_results[i], &problem);
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
    const compact_options options = {.policy = rules, .is_strict = true};
    run(chunks, count, &options, how, out_results);
}

void
compact_run_with(const compact_source *chunks, size_t count, const compact_options *options,
    compact_result *out_results)
{
    run(chunks, count, options, COMPACT_RUN_AS_IT_IS, out_results);
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
