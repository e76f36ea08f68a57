// SPDX-License-Identifier: Apache-2.0
#include "query/why/why_markdown.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_printable.h"
#include "common/base/lp_time.h"
#include "query/select/request_id.h"
#include "query/why/duration_text.h"
#include "query/why/why_json.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum { TEXT_BYTES = 256 }; // a longer name or value is cut

static_assert((int)TEXT_BYTES >= (int)LP_TIME_BYTES && (int)TEXT_BYTES >= (int)QUERY_DURATION_BYTES,
    "times and durations fit");

__attribute__((format(printf, 2, 3))) static void
print(lp_buf *out, const char *format, ...)
{
    char text[4 * TEXT_BYTES];
    va_list args;
    va_start(args, format);
    int len = vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    lp_buf_append(out, text, len < (int)sizeof(text) ? (size_t)len : sizeof(text) - 1);
}

// plain replaces what would end a cell of a table or a piece of code.
static const char *
plain(const char *text, char out_text[TEXT_BYTES])
{
    (void)lp_printable(text, out_text, TEXT_BYTES);
    for (char *at = out_text; *at != '\0'; at++) {
        *at = *at == '|' ? '/' : *at == '`' ? '\'' : *at;
    }
    return out_text;
}

// --- The question

static void
add_text(lp_buf *out, const char *name, const char *value)
{
    char text[TEXT_BYTES];
    if (value != NULL) {
        print(out, "`%s=%s` ", name, plain(value, text));
    }
}

// add_ns adds a time or a duration, unless it is any.
static void
add_ns(lp_buf *out, const char *name, int64_t ns, int64_t any, void (*format)(int64_t, char *))
{
    char text[TEXT_BYTES];
    if (ns != any) {
        format(ns, text);
        add_text(out, name, text);
    }
}

static void
add_where(lp_buf *out, const query_where *where)
{
    static const char *const ops[] = {
        [QUERY_OP_IS] = "=",
        [QUERY_OP_IS_NOT] = "!=",
        [QUERY_OP_BEGINS] = "^=",
        [QUERY_OP_AT_LEAST] = ">=",
        [QUERY_OP_AT_MOST] = "<=",
    };
    LP_ASSERT(where->op <= QUERY_OP_AT_MOST);
    char text[TEXT_BYTES];
    (void)snprintf(text, sizeof(text), "%.*s%s%.*s", (int)where->key.len,
        (const char *)where->key.ptr, ops[where->op], (int)where->value.len,
        (const char *)where->value.ptr);
    add_text(out, "where", text);
}

static void
add_selection(lp_buf *out, const query_selection *selection)
{
    char id[CTX_REF_BYTES];
    char request[QUERY_REQUEST_ID_BYTES];
    size_t before = out->len;
    ctx_ref_format(selection->id, id);
    query_request_id_format(selection->request, request);
    add_text(out, "service", selection->service);
    add_text(out, "instance", selection->instance);
    add_text(out, "recording", selection->recording);
    add_ns(out, "from", selection->from_wall_ns, INT64_MIN, lp_time_format);
    add_ns(out, "to", selection->to_wall_ns, INT64_MAX, lp_time_format);
    add_text(out, "context", selection->context);
    for (size_t i = 0; i < selection->where_count; i++) {
        add_where(out, &selection->where[i]);
    }
    add_ns(out, "min_duration", selection->min_duration_ns, 0, query_duration_text);
    add_ns(out, "max_duration", selection->max_duration_ns, INT64_MAX, query_duration_text);
    add_text(out, "trace", selection->trace);
    add_text(out, "thread", selection->thread);
    add_text(out, "pool", selection->pool);
    add_text(out, "id", selection->has_id ? id : NULL);
    add_text(out, "request", selection->has_request ? request : NULL);
    if (out->len == before) {
        print(out, "All %s.", query_unit_name(selection->unit));
    }
    print(out, "\n\n");
}

// --- The table

// add_row adds a row. is_count: of events that take no time.
static void
add_row(lp_buf *out, const query_why *why, bool is_count, int64_t ns, uint64_t events,
    const char *mark, const char *name)
{
    char total[QUERY_DURATION_BYTES];
    char each[QUERY_DURATION_BYTES];
    char text[TEXT_BYTES];
    if (is_count) {
        print(
            out, "| | %.1f x | |", why->requests == 0 ? 0 : (double)events / (double)why->requests);
    } else {
        query_duration_text(ns, total);
        query_duration_text(why->requests == 0 ? 0 : ns / (int64_t)why->requests, each);
        double share = why->total_ns == 0 ? 0 : (double)ns * 100 / (double)why->total_ns;
        print(out, "| %.1f %% | %s | %s |", share, each, total);
    }
    print(out, " %" PRIu64 " | %s%s%s |\n", events, mark, plain(name, text), mark);
}

static void
add_frame(lp_buf *out, const query_why *why, const query_why_frame *frame, bool is_count,
    const query_names *names)
{
    char text[TEXT_BYTES];
    add_row(out, why, is_count, frame->total_ns, frame->events, "`",
        query_names_text(names, frame->frame));
    if (frame->via != QUERY_NAME_NONE) {
        print(out, "| | | | | via `%s` |\n", plain(query_names_text(names, frame->via), text));
    }
}

static void
add_slice(lp_buf *out, const query_why *why, const query_why_slice *slice, const query_names *names)
{
    LP_ASSERT(slice->top_count <= QUERY_WHY_TOP);
    char name[QUERY_WHY_NAME_BYTES];
    query_why_slice_name(slice, names, name);
    add_row(out, why, slice->is_count, slice->total_ns, slice->events, "**", name);
    for (size_t i = 0; i < slice->top_count; i++) {
        if (slice->is_count || slice->top[i].total_ns > 0) {
            add_frame(out, why, &slice->top[i], slice->is_count, names);
        }
    }
}

static void
add_repeats(lp_buf *out, const query_why *why, const query_names *names)
{
    for (size_t i = 0; i < why->repeat_count; i++) {
        const query_why_repeat *repeat = &why->repeats[i];
        LP_ASSERT(repeat->requests > 0);
        char category[QUERY_WHY_NAME_BYTES];
        char text[TEXT_BYTES];
        char frame[TEXT_BYTES];
        char each[QUERY_DURATION_BYTES];
        char total[QUERY_DURATION_BYTES];
        query_why_repeat_name(repeat, names, category);
        query_duration_text(query_why_repeat_each_ns(repeat), each);
        query_duration_text(repeat->total_ns, total);
        print(out, "%s- %" PRIu64 " x `%s` (%s), %s each: in %" PRIu64 " contexts, %s in all\n",
            i == 0 ? "\nRepeated:\n\n" : "", repeat->events / repeat->requests,
            plain(query_names_text(names, repeat->frame), frame), plain(category, text), each,
            repeat->requests, total);
    }
}

// add_caps adds the rules of the table and the rows that it leaves out.
static void
add_caps(lp_buf *out, const query_why *why, const query_outcome *outcome, uint64_t left_out)
{
    print(out,
        "\nEach moment counts once, for the innermost event or pause. Below a row are up to %d "
        "frames with most of its time: the application's topmost frame of each stack trace, via "
        "the library's frame that it called.",
        QUERY_WHY_TOP);
    if (why->slices.count > QUERY_WHY_MARKDOWN_ROWS) {
        print(out, " %zu rows with less time are not shown.",
            why->slices.count - QUERY_WHY_MARKDOWN_ROWS);
    }
    if (outcome->is_truncated || why->is_truncated) {
        print(out, " **A limit was reached: something is missing.**");
    }
    if (left_out > 0 || outcome->unreadable_events > 0 || outcome->damaged_places > 0) {
        print(out,
            " **Could not be read: %" PRIu64 " chunks, and of others %" PRIu64
            " events and %" PRIu64 " damaged places.**",
            left_out, outcome->unreadable_events, outcome->damaged_places);
    }
    print(out, "\n");
}

void
query_why_markdown(const query_why *why, const query_names *names, const query_selection *selection,
    const query_outcome *outcome, uint64_t left_out, lp_buf *out)
{
    LP_ASSERT(why->repeat_count <= QUERY_WHY_REPEATS);
    char total[QUERY_DURATION_BYTES];
    query_duration_text(why->total_ns, total);
    print(out, "# Why: %" PRIu64 " %s, %s\n\n", why->requests, query_unit_name(selection->unit),
        total);
    add_selection(out, selection);
    print(out, "| share | each | all | events | |\n| ---: | ---: | ---: | ---: | --- |\n");
    for (size_t i = 0; i < why->slices.count && i < QUERY_WHY_MARKDOWN_ROWS; i++) {
        add_slice(out, why, &why->slices.items[i], names);
    }
    add_row(out, why, false, why->unaccounted_ns, 0, "**", "not accounted");
    add_repeats(out, why, names);
    add_caps(out, why, outcome, left_out);
}
