// SPDX-License-Identifier: Apache-2.0
// loupe jvm: prints facts of JVMs, their health over time, and the activity of each thread pool.
//
// Tests: tests/e2e/ask.py

#include "cli/ask/ask.h"
#include "cli/base/cmd.h"
#include "cli/base/terminal.h"
#include "common/base/lp_printable.h"
#include "query/events/jvm_facts.h"
#include "query/events/jvm_lines.h"
#include "query/list/pools.h"
#include "query/select/pool_name.h"
#include "query/why/duration_text.h"

#include <inttypes.h>
#include <string.h>

enum {
    TEXT_BYTES = 4096, // of a fact; the rest is cut off
    VALUE_BYTES = 32,  // of a value with its unit
    POOL_COLUMN = 56,  // of a line, where the name of a pool begins
    FACT_COLUMN = 19,  // the same, of a fact
};

// The requested parts.
typedef struct report {
    query_selection asked;
    query_jvm_facts facts;
    int64_t first_wall_ns; // begin of the earliest requested event; INT64_MAX: none
    int64_t last_wall_ns;
    query_jvm_lines lines;
    query_pools pools;
} report;

// --- Asking

static lp_err
on_first_scan(void *arg, query_chunk *chunk, const query_event *event, const query_listed *item)
{
    report *r = arg;
    int64_t begin_ns = item->begin_wall_ns;
    if (begin_ns >= r->asked.from_wall_ns && begin_ns < r->asked.to_wall_ns) {
        r->first_wall_ns = begin_ns < r->first_wall_ns ? begin_ns : r->first_wall_ns;
        r->last_wall_ns = begin_ns > r->last_wall_ns ? begin_ns : r->last_wall_ns;
    }
    return query_jvm_facts_add(&r->facts, chunk, event, item);
}

static lp_err
on_context(void *arg, const query_answer *answer)
{
    return query_pools_add(arg, answer);
}

// ask_of_jvms asks for facts and lines. Returns whether that is done.
static bool
ask_of_jvms(ask *a, report *r, size_t columns)
{
    LP_REQUIRE(ask_scan(a, on_first_scan, r), false);
    bool is_empty = r->first_wall_ns > r->last_wall_ns;
    lp_err err = query_jvm_lines_init(&r->lines, &a->names, is_empty ? 0 : r->first_wall_ns,
        is_empty ? 1 : r->last_wall_ns + 1, columns);
    if (err != LP_OK) {
        ask_fail(a, err);
        return false;
    }
    r->lines.chunks_all = a->sources.count;
    r->lines.chunks_read = a->sources.count;
    return ask_scan(a, query_jvm_lines_add, &r->lines);
}

// ask_all asks for everything. Returns whether it is done.
static bool
ask_all(ask *a, report *r, size_t columns)
{
    // A chunk begins with the JVM's facts; threads of the JVM record its health.
    a->comparison.selection = query_selection_begin(true);
    LP_REQUIRE(ask_of_jvms(a, r, columns), false);
    a->comparison.selection = r->asked;
    query_question question = {.on_context = on_context, .arg = &r->pools};
    query_pools_prepare(&question);
    LP_REQUIRE(ask_run(a, &question), false);
    query_pools_finish(&r->pools);
    return true;
}

// --- As text

static void
print_facts(const json_t *jvm)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)jvm, key, value)
    { // which it only reads
        char raw[TEXT_BYTES];
        char text[TEXT_BYTES];
        char fitting[TEXT_BYTES];
        if (json_is_integer(value)) {
            (void)snprintf(raw, sizeof(raw), "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        } else {
            (void)snprintf(raw, sizeof(raw), "%s", json_string_value(value));
        }
        (void)lp_printable(raw, text, sizeof(text));
        terminal_fit(text, terminal_rest(stdout, FACT_COLUMN), fitting, sizeof(fitting));
        (void)printf("%-16s   %s\n", key, fitting);
    }
}

// bytes_text writes a number of bytes with three digits.
static void
bytes_text(double bytes, char out_text[VALUE_BYTES])
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    size_t unit = 0;
    while (bytes >= 999.5 && unit + 1 < sizeof(units) / sizeof(units[0])) {
        bytes /= 1000;
        unit++;
    }
    int digits = unit == 0 || bytes >= 99.95 ? 0 : bytes >= 9.995 ? 1 : 2;
    (void)snprintf(out_text, VALUE_BYTES, "%.*f %s", digits, bytes, units[unit]);
}

static void
value_text(const char *unit, double value, char out_text[VALUE_BYTES])
{
    if (strcmp(unit, "bytes") == 0) {
        bytes_text(value, out_text);
    } else if (strcmp(unit, "ns") == 0) {
        query_duration_text((int64_t)value, out_text);
    } else if (strcmp(unit, "ratio") == 0) {
        (void)snprintf(out_text, VALUE_BYTES, "%.1f %%", value * 100);
    } else {
        (void)snprintf(out_text, VALUE_BYTES, "%.0f", value);
    }
}

static void
print_lines(const query_jvm_lines *lines)
{
    terminal_begin_heading(stdout);
    (void)printf("%-12s %10s %10s %10s %8s  event\n", "line", "least", "mean", "most", "events");
    terminal_end_heading(stdout);
    for (size_t i = 0; i < QUERY_JVM_LINES; i++) {
        const query_jvm_line *line = query_jvm_line_of(i);
        query_jvm_point all = query_jvm_lines_all(lines, i);
        char texts[3][VALUE_BYTES] = {"-", "-", "-"};
        if (all.count > 0) {
            value_text(line->unit, all.min, texts[0]);
            value_text(line->unit, all.sum / (double)all.count, texts[1]);
            value_text(line->unit, all.max, texts[2]);
        }
        (void)printf("%-12s %10s %10s %10s %8" PRIu64 "  %s\n", line->name, texts[0], texts[1],
            texts[2], all.count, line->type);
    }
}

static void
print_pool(const query_pool *pool, const query_names *names)
{
    char cpu[QUERY_DURATION_BYTES];
    char blocked[QUERY_DURATION_BYTES];
    char bytes[VALUE_BYTES];
    char whole[QUERY_POOL_NAME_BYTES];
    char name[QUERY_POOL_NAME_BYTES];
    const char *text = query_names_text(names, pool->name);
    query_duration_text(pool->cpu_ns, cpu);
    query_duration_text(pool->blocked_ns, blocked);
    bytes_text((double)pool->alloc_bytes, bytes);
    (void)lp_printable(text[0] == '\0' ? "(no name)" : text, whole, sizeof(whole));
    terminal_fit(whole, terminal_rest(stdout, POOL_COLUMN), name, sizeof(name));
    (void)printf("%8" PRIu64 " %10s %8" PRIu64 " %12s %12s  %s\n", pool->threads, cpu,
        pool->samples, blocked, bytes, name);
}

static void
print_pools(const query_pools *pools, size_t limit)
{
    size_t count = pools->items.count < limit ? pools->items.count : limit;
    if (count > 0) {
        terminal_begin_heading(stdout);
        (void)printf("%8s %10s %8s %12s %12s  %s\n", "threads", "cpu", "samples", "blocked",
            "allocated", "pool");
        terminal_end_heading(stdout);
    }
    for (size_t i = 0; i < count; i++) {
        print_pool(&pools->items.items[i], pools->names);
    }
    (void)printf("%zu of %zu pools\n", count, pools->items.count);
}

static bool
print_text(const report *r, size_t limit)
{
    for (size_t i = 0; i < r->facts.count; i++) {
        print_facts(r->facts.items[i].facts);
        (void)putchar('\n');
    }
    print_lines(&r->lines);
    (void)putchar('\n');
    print_pools(&r->pools, limit);
    return true;
}

// --- As JSON

static json_t *
make_json(const ask *a, const report *r, size_t limit)
{
    json_t *json = query_pools_json(&r->pools, limit, &a->outcome);
    json_t *lines = query_jvm_lines_json(&r->lines);
    if (lines == NULL || json == NULL || json_object_update_missing(json, lines) != 0) {
        json_decref(json);
        json = NULL;
    }
    json_decref(lines);
    json = query_json_set(json, "jvms", query_jvm_facts_json(&r->facts));
    json = query_json_set(json, "has_more_jvms", json_boolean(r->facts.is_truncated));
    return query_json_set(
        json, "is_truncated", json_boolean(a->outcome.is_truncated || r->pools.is_truncated));
}

// --- The command

static int
show(ask *a, const options *opts)
{
    report r = {
        .asked = a->comparison.selection,
        .facts = {.names = &a->names, .sources = &a->sources, .recording = ask_recording, .arg = a},
        .first_wall_ns = INT64_MAX,
        .last_wall_ns = INT64_MIN,
        .pools = {.names = &a->names},
    };
    int code = CMD_FAILED;
    if (ask_all(a, &r, opts->ask_is_json ? opts->jvm_columns : 1)) {
        ask_say_truncated(a, r.pools.is_truncated || r.facts.is_truncated);
        code = cmd_end(a->program, opts->ask_is_json
                                       ? cmd_print_json(stdout, make_json(a, &r, opts->jvm_limit))
                                       : print_text(&r, opts->jvm_limit));
    }
    query_jvm_facts_fini(&r.facts);
    query_jvm_lines_fini(&r.lines);
    query_pools_fini(&r.pools);
    return code;
}

int
cmd_jvm(const options *opts)
{
    return ask_command(opts, QUERY_UNIT_THREADS, show, NULL);
}
