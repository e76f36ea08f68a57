// SPDX-License-Identifier: Apache-2.0
// loupe compare: how long the requests of two versions, services, JVMs or times took, out of the
// catalog of a collector.
//
// Tests: tests/e2e/compare.py

#include "cli/base/cmd.h"
#include "cli/base/terminal.h"
#include "cli/serve/places.h"
#include "collector/ask/ask_service.h"
#include "collector/ask/routes/ask_routes.h"
#include "collector/journal/data_dir.h"
#include "common/base/lp_printable.h"
#include "query/why/duration_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TEXT_BYTES = 1200, // of a name; the rest is cut off
    COLUMNS = 46,      // of a line, before the name
};

static const char program[] = "loupe compare";

// --- The table

static void
print_duration(const json_t *side, const char *key)
{
    const json_t *ns = json_object_get(side, key);
    char text[QUERY_DURATION_BYTES] = "-";
    if (json_is_integer(ns)) {
        query_duration_text(json_integer_value(ns), text);
    }
    (void)printf(" %10s", text);
}

static void
print_side(const json_t *side)
{
    if (!json_is_object(side)) {
        (void)printf("%10s %10s %10s %10s", "-", "-", "-", "-");
        return;
    }
    (void)printf("%10.3g", json_number_value(json_object_get(side, "per_s")));
    print_duration(side, "mean_ns");
    print_duration(side, "p50_ns");
    print_duration(side, "p99_ns");
}

// print_verdicts prints in which numbers requests are slower, or faster, than in the base.
static void
print_verdicts(const json_t *verdicts)
{
    static const char *const words[] = {"slower", "faster"};
    static const struct {
        const char *key;
        const char *name;
    } numbers[] = {{"mean", "mean"}, {"p50", "median"}, {"p99", "p99"}};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        bool is_first = true;
        for (size_t k = 0; k < sizeof(numbers) / sizeof(numbers[0]); k++) {
            const char *said = json_string_value(json_object_get(verdicts, numbers[k].key));
            if (said != NULL && strcmp(said, words[i]) == 0) {
                (void)printf(
                    is_first ? "; %s in %s" : ", %s%s", is_first ? words[i] : "", numbers[k].name);
                is_first = false;
            }
        }
    }
}

// print_row prints a type, or a value of an attribute of one, and its base in a line below.
static void
print_row(const json_t *row, const char *name)
{
    char printable[TEXT_BYTES];
    char text[TEXT_BYTES];
    (void)lp_printable(name, printable, sizeof(printable));
    terminal_fit(printable, terminal_rest(stdout, COLUMNS), text, sizeof(text));
    print_side(json_object_get(row, "here"));
    (void)printf("  %s\n", text);
    print_side(json_object_get(row, "base"));
    (void)printf("    base");
    print_verdicts(json_object_get(row, "verdicts"));
    (void)putchar('\n');
}

static void
print_type(const json_t *type)
{
    size_t i;
    const json_t *attribute;
    print_row(type, json_string_value(json_object_get(type, "type")));
    json_array_foreach(json_object_get(type, "attributes"), i, attribute)
    {
        const char *key = json_string_value(json_object_get(attribute, "key"));
        size_t k;
        const json_t *value;
        json_array_foreach(json_object_get(attribute, "values"), k, value)
        {
            char name[TEXT_BYTES];
            (void)snprintf(name, sizeof(name), "%s=%s", key,
                json_string_value(json_object_get(value, "value")));
            print_row(value, name);
        }
    }
}

static void
print_table(const json_t *found)
{
    const json_t *types = json_object_get(found, "types");
    size_t i;
    const json_t *type;
    if (json_array_size(types) == 0) {
        (void)printf("no %s on either side\n", json_string_value(json_object_get(found, "unit")));
        return;
    }
    terminal_begin_heading(stdout);
    (void)printf("%10s %10s %10s %10s  %s\n", "per second", "mean", "median", "p99",
        json_string_value(json_object_get(found, "unit")));
    terminal_end_heading(stdout);
    json_array_foreach(types, i, type)
    {
        print_type(type);
    }
    if (json_is_true(json_object_get(found, "is_truncated"))) {
        lp_printable_line(
            stderr, "%s: some statistics could not be read, or are left out", program);
    }
}

// --- The command

// set_query sets the parameters of the route that the options are. Errors: as ask_query_set
static lp_err
set_query(ask_query *query, const options *chosen, lp_problem *problem)
{
    static const char *const units[] = {"requests", "contexts"};
    const struct {
        const char *name;
        const char *value;
    } given[] = {
        {"unit", units[chosen->compare_unit]},
        {"service", chosen->compare_service},
        {"service_version", chosen->compare_version},
        {"instance", chosen->compare_instance},
        {"recording", chosen->compare_recording},
        {"context", chosen->compare_context},
        {"from", chosen->compare_from},
        {"to", chosen->compare_to},
        {"base_service", chosen->compare_base_service},
        {"base_service_version", chosen->compare_base_version},
        {"base_instance", chosen->compare_base_instance},
        {"base_recording", chosen->compare_base_recording},
        {"base_context", chosen->compare_base_context},
        {"base_from", chosen->compare_base_from},
        {"base_to", chosen->compare_base_to},
    };
    lp_err err = LP_OK;
    for (size_t i = 0; i < sizeof(given) / sizeof(given[0]) && err == LP_OK; i++) {
        if (given[i].value != NULL) {
            err = ask_query_set(query, given[i].name, given[i].value, problem);
        }
    }
    return err == LP_OK ? ask_query_finish(query, problem) : err;
}

static bool
print(const ask_answer *found, bool is_json)
{
    json_t *json = json_loadb((const char *)found->body.ptr, found->body.len, 0, NULL);
    if (is_json) {
        return cmd_print_json(stdout, json);
    }
    if (json != NULL) {
        print_table(json);
    }
    json_decref(json);
    return json != NULL;
}

static char *
build_catalog_place(const options *chosen)
{
    if (chosen->compare_catalog != NULL) {
        return strdup(chosen->compare_catalog);
    }
    char *path;
    return asprintf(&path, "%s/" DATA_DIR_CATALOG, chosen->compare_data) < 0 ? NULL : path;
}

static int
run(ask_query *query, const options *chosen)
{
    lp_problem problem = {.text = ""};
    ask_answer *found = NULL;
    char *place = NULL;
    lp_err err = set_query(query, chosen, &problem);
    int code = err == LP_ECORRUPT || err == LP_ENOENT ? CMD_USAGE : CMD_FAILED;
    if (err == LP_OK) {
        place = build_catalog_place(chosen);
        err = place == NULL ? lp_problem_set(&problem, LP_ENOMEM, "out of memory")
                            : ask_service_answer_offline(place, query, &found, &problem);
    }
    if (err == LP_ENOENT && place != NULL) {
        (void)lp_problem_set(&problem, err,
            "there is no catalog in %s: say by --data where the collector keeps everything",
            chosen->compare_data);
    }
    if (found != NULL) {
        code = cmd_end(program, print(found, chosen->compare_is_json));
    } else {
        lp_printable_line(stderr, "%s: %s", program, problem.text);
    }
    ask_answer_destroy(found);
    free(place);
    return code;
}

static bool
has_base(const options *chosen)
{
    return chosen->compare_base_service != NULL || chosen->compare_base_version != NULL ||
           chosen->compare_base_instance != NULL || chosen->compare_base_recording != NULL ||
           chosen->compare_base_context != NULL || chosen->compare_base_from != NULL ||
           chosen->compare_base_to != NULL;
}

int
cmd_compare(const options *opts)
{
    lp_problem problem;
    if (opts->compare_catalog != NULL &&
        places_check_catalog(opts->compare_catalog, &problem) != LP_OK) {
        return cmd_refuse(opts, "%s", problem.text);
    }
    LP_REQUIRE(has_base(opts),
        cmd_refuse(opts, "nothing to compare with: an option that begins with --base- is needed"));
    ask_query *query;
    if (ask_query_create(&ask_compare_route, "", true, &query, &problem) != LP_OK) {
        lp_printable_line(stderr, "%s: %s", program, problem.text);
        return CMD_FAILED;
    }
    int code = run(query, opts);
    ask_query_destroy(query);
    return code;
}
