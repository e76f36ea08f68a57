// SPDX-License-Identifier: Apache-2.0
#include "query/events/jvm_lines.h"

#include "common/base/lp_assert.h"
#include "query/select/json_list.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const query_jvm_line table[] = {
    {"heap_used", "bytes", "jdk.GCHeapSummary", {"heapUsed"}},
    {"gc_pause", "ns", "jdk.GCPhasePause", {NULL}},
    {"cpu_jvm", "ratio", "jdk.CPULoad", {"jvmUser", "jvmSystem"}},
    {"cpu_machine", "ratio", "jdk.CPULoad", {"machineTotal"}},
    {"resident", "bytes", "jdk.ResidentSetSize", {"size"}},
    {"threads", "count", "jdk.JavaThreadStatistics", {"activeCount"}},
    {"classes", "count", "jdk.ClassLoadingStatistics", {"loadedClassCount"}},
};

static_assert(sizeof(table) / sizeof(table[0]) == QUERY_JVM_LINES, "the table has all lines");

enum { NUMBER_BYTES = 64 }; // longer texts are no numbers

const query_jvm_line *
query_jvm_line_of(size_t index)
{
    LP_ASSERT(index < QUERY_JVM_LINES);
    return &table[index];
}

lp_err
query_jvm_lines_init(query_jvm_lines *lines, const query_names *names, int64_t from_wall_ns,
    int64_t to_wall_ns, size_t columns)
{
    LP_ASSERT(from_wall_ns < to_wall_ns);
    LP_ASSERT(columns >= 1 && columns <= QUERY_JVM_COLUMNS_MAX);
    uint64_t length_ns = (uint64_t)to_wall_ns - (uint64_t)from_wall_ns;
    uint64_t step_ns = length_ns / columns + (length_ns % columns != 0);
    *lines = (query_jvm_lines){
        .names = names,
        .from_wall_ns = from_wall_ns,
        .to_wall_ns = to_wall_ns,
        .step_ns = step_ns > INT64_MAX ? INT64_MAX : (int64_t)step_ns,
        .columns = columns,
        .points = calloc(QUERY_JVM_LINES * columns, sizeof(*lines->points)),
    };
    return lines->points == NULL ? LP_ENOMEM : LP_OK;
}

void
query_jvm_lines_fini(query_jvm_lines *lines)
{
    free(lines->points);
    *lines = (query_jvm_lines){0};
}

static void
lines_check(const query_jvm_lines *lines)
{
    LP_ASSERT(lines->points != NULL && lines->names != NULL);
    LP_ASSERT(lines->columns >= 1 && lines->columns <= QUERY_JVM_COLUMNS_MAX);
    LP_ASSERT(lines->step_ns > 0 && lines->from_wall_ns < lines->to_wall_ns);
}

// --- Which chunks

void
query_jvm_lines_choose(
    query_jvm_lines *lines, const query_sources *sources, size_t chunks_max, bool *out_is_chosen)
{
    LP_ASSERT(chunks_max >= 1);
    lines_check(lines);
    size_t all = 0;
    for (size_t i = 0; i < sources->count; i++) {
        out_is_chosen[i] =
            query_source_may_have(&sources->items[i], lines->from_wall_ns, lines->to_wall_ns);
        all += out_is_chosen[i];
    }
    size_t met = 0;
    for (size_t i = 0; i < sources->count && all > chunks_max; i++) {
        out_is_chosen[i] = out_is_chosen[i] && met++ * chunks_max % all < chunks_max;
    }
    lines->chunks_all = all;
    lines->chunks_read = all > chunks_max ? chunks_max : all;
}

// --- Adding

// number_of returns the number in a text; NaN if there is none.
static double
number_of(const query_attribute *attribute)
{
    char text[NUMBER_BYTES];
    char *end;
    if (attribute->is_null || attribute->value.len == 0 || attribute->value.len >= sizeof(text)) {
        return NAN;
    }
    memcpy(text, attribute->value.ptr, attribute->value.len);
    text[attribute->value.len] = '\0';
    double number = strtod(text, &end);
    return *end == '\0' ? number : NAN;
}

// The fields of an event that lines need. They are read together.
typedef struct fields {
    const char *names[QUERY_JVM_LINES * 2];
    size_t count;
    query_attribute values[QUERY_JVM_LINES * 2];
} fields;

static void
read_fields(query_chunk *chunk, const query_event *event, const char *type, fields *f)
{
    f->count = 0;
    for (size_t i = 0; i < QUERY_JVM_LINES; i++) {
        for (size_t j = 0; j < 2 && strcmp(table[i].type, type) == 0; j++) {
            if (table[i].fields[j] != NULL) {
                f->names[f->count++] = table[i].fields[j];
            }
        }
    }
    if (f->count > 0) {
        query_chunk_fields(chunk, event, f->names, f->count, f->values);
    }
}

// value_of returns the value of a line in an event; NaN if there is none.
static double
value_of(const query_jvm_line *line, const fields *f, const query_listed *item)
{
    if (line->fields[0] == NULL) {
        return (double)item->duration_ns;
    }
    double sum = 0;
    for (size_t j = 0; j < 2 && line->fields[j] != NULL; j++) {
        for (size_t i = 0; i < f->count; i++) {
            sum += f->names[i] == line->fields[j] ? number_of(&f->values[i]) : 0;
        }
    }
    return sum;
}

static void
add_to_point(query_jvm_point *to, const query_jvm_point *point)
{
    if (point->count > 0) {
        to->min = to->count == 0 || point->min < to->min ? point->min : to->min;
        to->max = to->count == 0 || point->max > to->max ? point->max : to->max;
        to->sum += point->sum;
        to->count += point->count;
    }
}

// column_of returns the column of a point in time; `columns` if it is in none.
static size_t
column_of(const query_jvm_lines *lines, int64_t wall_ns)
{
    bool is_in = wall_ns >= lines->from_wall_ns && wall_ns < lines->to_wall_ns;
    uint64_t behind_ns = (uint64_t)wall_ns - (uint64_t)lines->from_wall_ns;
    uint64_t column = behind_ns / (uint64_t)lines->step_ns;
    uint64_t last = lines->columns - 1; // has the rest if a step would be over 292 years
    return !is_in ? lines->columns : (size_t)(column < last ? column : last);
}

lp_err
query_jvm_lines_add(
    void *arg, query_chunk *chunk, const query_event *event, const query_listed *item)
{
    query_jvm_lines *lines = arg;
    lines_check(lines);
    const char *type = query_names_text(lines->names, event->type->name);
    size_t column = column_of(lines, item->begin_wall_ns);
    bool is_read = false;
    fields f;
    for (size_t i = 0; i < QUERY_JVM_LINES && column < lines->columns; i++) {
        if (strcmp(table[i].type, type) != 0) {
            continue;
        }
        if (!is_read) {
            read_fields(chunk, event, type, &f);
            is_read = true;
        }
        double value = value_of(&table[i], &f, item);
        if (isfinite(value)) {
            const query_jvm_point one = {.min = value, .max = value, .sum = value, .count = 1};
            add_to_point(&lines->points[i * lines->columns + column], &one);
        }
    }
    return LP_OK;
}

// --- The answer

query_jvm_point
query_jvm_lines_all(const query_jvm_lines *lines, size_t line)
{
    lines_check(lines);
    LP_ASSERT(line < QUERY_JVM_LINES);
    query_jvm_point all = {0};
    for (size_t i = 0; i < lines->columns; i++) {
        add_to_point(&all, &lines->points[line * lines->columns + i]);
    }
    return all;
}

// value_json returns a value, as a whole number unless its unit has fractions.
static json_t *
value_json(const query_jvm_line *line, double value)
{
    bool has_parts = strcmp(line->unit, "ratio") == 0 || fabs(value) >= (double)(INT64_C(1) << 62);
    return has_parts ? query_json_real(value) : query_json_integer(llround(value));
}

static json_t *
points_json(const query_jvm_lines *lines, size_t line)
{
    lines_check(lines);
    json_t *points = json_array();
    size_t count = 0;
    for (size_t i = 0; i < lines->columns; i++) {
        const query_jvm_point *point = &lines->points[line * lines->columns + i];
        if (point->count > 0) {
            (void)json_array_append_new(
                points, json_pack("[I, I, o, o, o]", (json_int_t)i, (json_int_t)point->count,
                            value_json(&table[line], point->min),
                            value_json(&table[line], point->sum / (double)point->count),
                            value_json(&table[line], point->max)));
            count++;
        }
    }
    return query_json_whole(points, count);
}

json_t *
query_jvm_lines_json(const query_jvm_lines *lines)
{
    lines_check(lines);
    json_t *list = QUERY_JSON_LIST(line, table, QUERY_JVM_LINES,
        json_pack("{s:s, s:s, s:s, s:o}", "line", line->name, "unit", line->unit, "event",
            line->type, "points", points_json(lines, (size_t)(line - table))));
    return json_pack("{s:o, s:o, s:I, s:o, s:{s:I, s:I}}", "t0_ns",
        query_json_wall_ns(lines->from_wall_ns), "step_ns", query_json_integer(lines->step_ns),
        "column_count", (json_int_t)lines->columns, "lines", list, "chunks", "read",
        (json_int_t)lines->chunks_read, "all", (json_int_t)lines->chunks_all);
}
