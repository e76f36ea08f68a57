// SPDX-License-Identifier: Apache-2.0
// loupe requests: the requests of recordings as a table, or one of them whole.
//
// Tests: tests/e2e/ask_requests.py

#include "cli/ask/answer_list.h"
#include "cli/ask/answer_text.h"
#include "cli/ask/ask.h"
#include "cli/base/cmd.h"
#include "cli/base/terminal.h"
#include "common/base/lp_order.h"
#include "common/base/lp_printable.h"
#include "common/base/lp_time.h"
#include "query/detail/detail.h"
#include "query/why/duration_text.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

static const char program[] = "loupe requests";

static_assert(
    QUERY_SORT_DURATION == 0 && QUERY_SORT_START == 1, "the choices of --sort are in this order");

enum {
    TEXT_BYTES = 1024,  // of a name; the rest is cut off
    ITEM_COLUMNS = 108, // of a line of the list, before the type
    PART_COLUMNS = 23,  // of a part's line of one request, before the type
};

// --- The list

static void
print_name(const ask *a, uint32_t number, size_t columns)
{
    char text[TEXT_BYTES];
    (void)lp_printable(query_names_text(&a->names, number), text, sizeof(text));
    terminal_pad(stdout, text, columns);
}

static void
print_duration(int64_t ns)
{
    char text[QUERY_DURATION_BYTES];
    query_duration_text(ns, text);
    (void)printf(" %9s", text);
}

static void
print_head(void)
{
    (void)printf("%-30s %-16s %9s %9s %9s %9s %6s  %-10s  %s\n", "start", "id", "duration", "busy",
        "queued", "elsewhere", "parts", "kept by", "request");
}

static size_t
print_item(const ask *a, const query_listed *item)
{
    const query_request_facts *facts = &item->request;
    char start[LP_TIME_BYTES];
    char id[QUERY_REQUEST_ID_BYTES];
    lp_time_format(item->begin_wall_ns, start);
    query_request_id_format(facts->id, id);
    (void)printf("%s %s", start, id);
    print_duration(item->duration_ns);
    print_duration(facts->busy_ns);
    print_duration(facts->queued_ns);
    print_duration(facts->elsewhere_ns);
    (void)printf(" %6" PRId64 "  ", facts->part_count);
    print_name(a, facts->kept_by, 10);
    (void)printf("  ");
    return ITEM_COLUMNS;
}

static const answer_list_columns columns = {print_head, print_item};

static int
list(ask *a, const options *opts)
{
    query_attributes attributes = {0};
    query_listing listing = {
        .sort = (query_sort)opts->requests_sort, .limit = opts->requests_limit};
    query_question question = {.contexts_only = true, .attributes = &attributes};
    int code = answer_list(a, &question, &listing, &columns, opts->ask_is_json);
    query_attributes_fini(&attributes);
    return code;
}

// --- One request

static lp_err
on_found(void *arg, const query_answer *answer)
{
    return query_detail_add(arg, answer);
}

// A line of the time axis.
typedef struct line {
    int64_t start_ns;
    int64_t duration_ns;
    enum { TASK, STAY, PART } of; // the order of lines that begin together
    size_t index;
} line;

typedef LP_VEC(line) line_list;

static int
compare_lines(const void *a, const void *b)
{
    const line *one = a;
    const line *other = b;
    return LP_ORDER(one->start_ns, other->start_ns)
               ?: LP_ORDER(one->of, other->of)
               ?: LP_ORDER(one->index, other->index);
}

// find_lines makes the lines of a request that was read, in their order. Errors: LP_ENOMEM
static lp_err
find_lines(const query_detail *detail, line_list *lines)
{
    size_t stays = detail->stays.count;
    size_t tasks = detail->hand_overs.count;
    size_t parts = detail->parts.items.count;
    LP_REQUIRE(LP_VEC_RESERVE(lines, stays + tasks + parts + 1), LP_ENOMEM);
    for (size_t i = 0; i < tasks; i++) {
        const query_request_time_range *task = &detail->hand_overs.items[i];
        lines->items[lines->count++] = (line){task->start_ns, task->duration_ns, TASK, i};
    }
    for (size_t i = 0; i < stays; i++) {
        const query_request_time_range *stay = &detail->stays.items[i];
        lines->items[lines->count++] = (line){stay->start_ns, stay->duration_ns, STAY, i};
    }
    for (size_t i = 0; i < parts; i++) {
        const query_listed *part = &detail->parts.items.items[i];
        int64_t start_ns = part->begin_wall_ns - detail->self.items.items[0].begin_wall_ns;
        lines->items[lines->count++] = (line){start_ns, part->duration_ns, PART, i};
    }
    qsort(lines->items, lines->count, sizeof(line), compare_lines);
    return LP_OK;
}

static void
print_thread(const ask *a, uint32_t name, int64_t java_id)
{
    if (name != QUERY_NAME_NONE) {
        print_name(a, name, 0);
    } else {
        (void)printf("thread %" PRId64, java_id);
    }
}

static void
print_task(const ask *a, const query_request_time_range *task)
{
    (void)printf("queued for ");
    print_thread(a, task->to, 0);
    if (task->from != QUERY_NAME_NONE) {
        (void)printf(", handed over by ");
        print_name(a, task->from, 0);
    }
}

static void
print_line(const ask *a, const query_detail *detail, const line *l)
{
    char start[QUERY_DURATION_BYTES];
    query_duration_text(l->start_ns, start);
    (void)printf("%9s", start);
    print_duration(l->duration_ns);
    (void)printf("  ");
    if (l->of == TASK) {
        print_task(a, &detail->hand_overs.items[l->index]);
    } else if (l->of == STAY) {
        const query_request_thread *thread =
            &detail->threads.items[detail->stays.items[l->index].thread];
        print_thread(a, thread->name, thread->java_id);
    } else {
        (void)printf("  ");
        answer_text_item(a, &detail->parts.items.items[l->index], PART_COLUMNS);
    }
    (void)putchar('\n');
}

static lp_err
print_request(const ask *a, const query_detail *detail)
{
    const query_listed *self = &detail->self.items.items[0];
    line_list lines = {0};
    lp_err err = find_lines(detail, &lines);
    if (err == LP_OK) {
        terminal_begin_heading(stdout);
        print_head();
        terminal_end_heading(stdout);
        answer_list_row(a, &columns, self);
        terminal_begin_heading(stdout);
        (void)printf("\n%9s %9s  thread\n", "start", "duration");
        terminal_end_heading(stdout);
    }
    for (size_t i = 0; i < lines.count; i++) {
        print_line(a, detail, &lines.items[i]);
    }
    if (err == LP_OK) {
        (void)putchar('\n');
        answer_text_why(a, &detail->why);
        answer_text_owners(a, &detail->owners);
    }
    LP_VEC_FINI(&lines);
    return err;
}

// print_found prints the request that was found.
static lp_err
print_found(ask *a, query_detail *detail, bool is_json, bool *out_is_printed)
{
    const char *recording = ask_recording(a, detail->self.items.items[0].source);
    json_t *json = NULL;
    lp_err err = query_detail_read(detail, &a->sources, &a->names, NULL);
    *out_is_printed = true;
    if (err == LP_OK && !is_json) {
        return print_request(a, detail);
    }
    LP_THEN(err,
        query_detail_json(detail, recording, &a->sources, &a->names, &a->outcome, NULL, &json));
    if (err == LP_OK) {
        *out_is_printed = cmd_print_json(stdout, json);
    }
    return err;
}

static int
show(ask *a, const options *opts)
{
    query_detail detail = query_detail_begin(QUERY_UNIT_REQUESTS, &a->names);
    query_question question = {.on_context = on_found, .arg = &detail};
    int code = CMD_FAILED;
    query_detail_prepare(&detail, &question);
    if (ask_run(a, &question)) {
        bool is_printed = true;
        lp_err err =
            detail.is_found ? print_found(a, &detail, opts->ask_is_json, &is_printed) : LP_OK;
        if (err != LP_OK) {
            ask_fail(a, err);
        } else if (!detail.is_found) {
            lp_printable_line(
                stderr, "%s: no request %s in the input", program, opts->requests_request);
        } else {
            ask_say_truncated(a, detail.is_truncated);
            code = cmd_end(program, is_printed);
        }
    }
    query_detail_fini(&detail);
    return code;
}

int
cmd_requests(const options *opts)
{
    return ask_command(
        opts, QUERY_UNIT_REQUESTS, opts->requests_request == NULL ? list : show, NULL);
}
