// SPDX-License-Identifier: Apache-2.0
// loupe attributes: which values the attributes of contexts have.
//
// Tests: tests/e2e/ask_collector.py

#include "cli/ask/ask.h"
#include "cli/base/cmd.h"
#include "cli/base/terminal.h"
#include "common/base/lp_printable.h"
#include "query/list/facets.h"
#include "query/why/duration_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum {
    TEXT_BYTES = 1200,           // of a name or a value; the rest is cut off
    COLUMNS = 29,                // of a line, before the value
    BASE_COLUMNS = COLUMNS + 18, // with two columns of the base
};

static lp_err
on_context(void *arg, const query_answer *answer)
{
    return query_facets_add(arg, answer);
}

// --- The table

// The numbers of a table, and whether it has the two columns of a base.
typedef struct table {
    query_facets *facets;
    bool has_base;
} table;

static void
print_head(const table *t)
{
    (void)printf("%7s %9s %9s ", "share", "count", "p99");
    if (t->has_base) {
        (void)printf("%7s %9s ", "base", "lift");
    }
    (void)printf(" value\n");
}

static void
print_base(const table *t, const query_facet *facet)
{
    double lift = query_facets_lift(t->facets, facet);
    char text[32] = "-";
    if (!isnan(lift)) {
        (void)snprintf(text, sizeof(text), "%.2f", lift);
    }
    (void)printf("%5.1f %% %9s ",
        ask_percent((int64_t)facet->base_count, (int64_t)t->facets->base_contexts), text);
}

static void
print_facet(const table *t, const query_facet *facet, const char *value)
{
    char text[TEXT_BYTES];
    char p99[QUERY_DURATION_BYTES] = "-";
    if (facet->lengths.count == facet->count) { // else there was no room for all of them
        query_duration_text(histogram_quantile_ns(&facet->lengths, 0.99), p99);
    }
    (void)printf("%5.1f %% %9" PRIu64 " %9s ",
        ask_percent((int64_t)facet->count, (int64_t)t->facets->contexts), facet->count, p99);
    if (t->has_base) {
        print_base(t, facet);
    }
    terminal_fit(
        value, terminal_rest(stdout, t->has_base ? BASE_COLUMNS : COLUMNS), text, sizeof(text));
    (void)printf(" %s\n", text);
}

static void
print_value(const table *t, uint32_t index)
{
    lp_slice value = t->facets->attributes->values.items[index].text;
    char raw[TEXT_BYTES];
    char text[TEXT_BYTES];
    size_t len = value.len < sizeof(raw) ? value.len : sizeof(raw) - 1;
    memcpy(raw, value.ptr, len);
    raw[len] = '\0';
    (void)lp_printable(raw, text, sizeof(text));
    print_facet(t, &t->facets->of_value.items[index], text);
}

static void
print_key(const table *t, uint32_t index, size_t limit)
{
    const query_key *key = &t->facets->attributes->keys.items[index];
    const query_key_facets found = query_facets_of_key(t->facets, index, limit);
    char name[TEXT_BYTES];
    char rest[64] = "(too many values to list: use --where)";
    (void)lp_printable(key->name, name, sizeof(name));
    (void)printf("%s\n", name);
    for (size_t i = 0; i < found.value_count; i++) {
        print_value(t, found.values[i]);
    }
    if (!key->is_search_only) {
        (void)snprintf(
            rest, sizeof(rest), "(%" PRIu64 " more)", found.distinct - found.value_count);
    }
    if (found.other.count > 0) {
        print_facet(t, &found.other, rest);
    }
}

static void
print_table(const ask *a, const table *t, size_t limit)
{
    uint32_t order[QUERY_KEYS_MAX];
    size_t count = query_facets_order(t->facets, order);
    (void)printf(
        "%" PRIu64 " %s", t->facets->contexts, query_unit_name(a->comparison.selection.unit));
    if (t->has_base) {
        (void)printf(", %" PRIu64 " in the base", t->facets->base_contexts);
    }
    (void)putchar('\n');
    if (count > 0) {
        terminal_begin_heading(stdout);
        print_head(t);
        terminal_end_heading(stdout);
    }
    for (size_t i = 0; i < count; i++) {
        print_key(t, order[i], limit);
    }
}

// --- The command

static bool
print(ask *a, query_facets *facets, const options *opts)
{
    const table t = {facets, a->comparison.has_base};
    if (opts->ask_is_json) {
        return cmd_print_json(stdout, ask_json(a, query_facets_json(facets, opts->attributes_limit,
                                                      t.has_base, &a->outcome)));
    }
    print_table(a, &t, opts->attributes_limit);
    return lp_arena_err(&facets->arena) == LP_OK;
}

static int
list(ask *a, const options *opts)
{
    query_attributes attributes = {0};
    query_facets facets = {.attributes = &attributes};
    query_question question = {
        .contexts_only = true, .attributes = &attributes, .on_context = on_context, .arg = &facets};
    int code = CMD_FAILED;
    if (ask_run(a, &question)) {
        ask_say_truncated(a, facets.is_truncated || attributes.is_truncated);
        (void)ask_say_empty(a);
        code = cmd_end(a->program, print(a, &facets, opts));
    }
    query_facets_fini(&facets);
    query_attributes_fini(&attributes);
    return code;
}

int
cmd_attributes(const options *opts)
{
    static const query_unit units[] = {QUERY_UNIT_CONTEXTS, QUERY_UNIT_REQUESTS};
    return ask_command(opts, units[opts->attributes_unit], list, NULL);
}
