// SPDX-License-Identifier: Apache-2.0
#include "cli/ask/answer_text.h"

#include "cli/base/terminal.h"
#include "common/base/lp_printable.h"
#include "query/why/duration_text.h"
#include "query/why/why_json.h"

#include <inttypes.h>
#include <string.h>

enum {
    TEXT_BYTES = 1024, // of a name or a value; the rest is cut off
    ATTRIBUTE_BYTES = 2 * TEXT_BYTES + 2,
    ITEM_COLUMNS = 40,      // of a type and attributes that are cut, at least
    ATTRIBUTE_COLUMNS = 12, // a shorter piece of an attribute says nothing
    MORE_COLUMNS = 2,       // a blank and an ellipsis
    NAME_COLUMN = 38,       // of a line
    BARS_FROM = 72,         // columns that a terminal has at least where there are bars
    BAR_COLUMNS = TERMINAL_BAR_COLUMNS + 2,
};

// --- Contexts and requests

static bool
has_value(const query_attribute *attribute)
{
    return !attribute->is_null && attribute->value.len > 0;
}

static size_t
count_values(const query_listed *item)
{
    size_t count = 0;
    for (size_t i = 0; i < item->attribute_count; i++) {
        count += has_value(&item->attributes[i]);
    }
    return count;
}

// write_attribute writes a blank and KEY=VALUE.
static void
write_attribute(const query_attribute *attribute, char out_text[ATTRIBUTE_BYTES])
{
    char raw[TEXT_BYTES];
    char name[TEXT_BYTES];
    char text[TEXT_BYTES];
    size_t len = attribute->value.len < sizeof(raw) ? attribute->value.len : sizeof(raw) - 1;
    memcpy(raw, attribute->value.ptr, len);
    raw[len] = '\0';
    (void)lp_printable(attribute->name, name, sizeof(name));
    (void)lp_printable(raw, text, sizeof(text));
    (void)snprintf(out_text, ATTRIBUTE_BYTES, " %s=%s", name, text);
}

// print_piece prints a piece of a line with *rest columns left, and leaves room for an ellipsis if
// more follows. Returns whether more may follow: if the piece does not fit, an ellipsis ends the
// line.
static bool
print_piece(const char *piece, bool has_more, size_t *rest)
{
    char fit[ATTRIBUTE_BYTES];
    size_t room = *rest - (has_more ? (size_t)MORE_COLUMNS : 0);
    bool is_end = room < ATTRIBUTE_COLUMNS && terminal_width(piece) > room;
    terminal_fit(piece, is_end ? (size_t)MORE_COLUMNS : room, fit, sizeof(fit));
    (void)fputs(fit, stdout);
    *rest -= terminal_width(fit);
    return !is_end;
}

void
answer_text_item(const ask *a, const query_listed *item, size_t used)
{
    char piece[ATTRIBUTE_BYTES];
    size_t columns = terminal_columns(stdout);
    size_t rest = columns < used + ITEM_COLUMNS ? SIZE_MAX : columns - used;
    size_t left = count_values(item);
    (void)lp_printable(query_names_text(&a->names, item->type), piece, TEXT_BYTES);
    bool may_follow = print_piece(piece, left > 0, &rest);
    for (size_t i = 0; i < item->attribute_count && may_follow; i++) {
        if (has_value(&item->attributes[i])) {
            write_attribute(&item->attributes[i], piece);
            left--;
            may_follow = print_piece(piece, left > 0, &rest);
        }
    }
}

// --- Where the time went

static bool
has_bars(void)
{
    return terminal_columns(stdout) >= BARS_FROM;
}

// name_column returns where names begin.
static int
name_column(void)
{
    return NAME_COLUMN + (has_bars() ? BAR_COLUMNS : 0);
}

// print_name ends a row with its name, behind the bar of its share where there are bars.
static void
print_name(double share, const char *name)
{
    if (has_bars()) {
        (void)printf("  ");
        terminal_print_bar(stdout, share);
    }
    (void)printf("  %s\n", name);
}

// print_line prints how much time something took, of all requests and of each.
static void
print_line(const query_why *why, int64_t ns, uint64_t events, const char *name)
{
    char total[QUERY_DURATION_BYTES];
    char each[QUERY_DURATION_BYTES];
    double percent = ask_percent(ns, why->total_ns);
    query_duration_text(ns, total);
    query_duration_text(why->requests == 0 ? 0 : ns / (int64_t)why->requests, each);
    (void)printf("%5.1f %% %9s %9s %8" PRIu64, percent, each, total, events);
    print_name(percent / 100, name);
}

// print_count prints how many events there are that take no time, of all requests and of each.
static void
print_count(const query_why *why, uint64_t events, const char *name)
{
    char each[32];
    (void)snprintf(each, sizeof(each), "%.1f x", (double)events / (double)why->requests);
    (void)printf("%7s %9s %9s %8" PRIu64, "-", each, "-", events);
    print_name(0, name);
}

// write_to_fit writes a name to out, as it fits on a line whose first `used` characters are taken.
static void
write_to_fit(const ask *a, uint32_t number, size_t used, char *out, size_t size)
{
    char text[TEXT_BYTES];
    (void)lp_printable(query_names_text(&a->names, number), text, sizeof(text));
    terminal_fit(text, terminal_rest(stdout, used), out, size);
}

static void
print_frame(const ask *a, const query_why *why, const query_why_frame *frame, bool is_count)
{
    char name[TEXT_BYTES] = "  ";
    char via[TEXT_BYTES];
    write_to_fit(a, frame->frame, (size_t)name_column() + 2, name + 2, sizeof(name) - 2);
    if (is_count) {
        print_count(why, frame->events, name);
    } else {
        print_line(why, frame->total_ns, frame->events, name);
    }
    if (frame->via != QUERY_NAME_NONE) {
        write_to_fit(
            a, frame->via, (size_t)name_column() + sizeof("    via ") - 1, via, sizeof(via));
        (void)printf("%*s    via %s\n", name_column(), "", via);
    }
}

static void
print_slice(const ask *a, const query_why *why, const query_why_slice *slice)
{
    char name[QUERY_WHY_NAME_BYTES];
    query_why_slice_name(slice, &a->names, name);
    if (slice->stopped_ns > 0) {
        size_t len = strlen(name);
        char stopped[QUERY_DURATION_BYTES];
        query_duration_text(slice->stopped_ns, stopped);
        (void)snprintf(name + len, sizeof(name) - len, " (JVM stopped: %s)", stopped);
    }
    if (slice->is_count) {
        print_count(why, slice->events, name);
    } else {
        print_line(why, slice->total_ns, slice->events, name);
    }
    for (size_t i = 0; i < slice->top_count; i++) {
        if (slice->is_count || slice->top[i].total_ns > 0) {
            print_frame(a, why, &slice->top[i], slice->is_count);
        }
    }
}

// print_repeats prints which frames have many events in one context.
static void
print_repeats(const ask *a, const query_why *why)
{
    for (size_t i = 0; i < why->repeat_count; i++) {
        const query_why_repeat *repeat = &why->repeats[i];
        char category[QUERY_WHY_NAME_BYTES];
        char frame[TEXT_BYTES];
        char each[QUERY_DURATION_BYTES];
        char total[QUERY_DURATION_BYTES];
        query_why_repeat_name(repeat, &a->names, category);
        (void)lp_printable(query_names_text(&a->names, repeat->frame), frame, sizeof(frame));
        query_duration_text(query_why_repeat_each_ns(repeat), each);
        query_duration_text(repeat->total_ns, total);
        (void)printf("%s%" PRIu64 " x %s (%s), %s each: in %" PRIu64 " %s, %s in all\n",
            i == 0 ? "\nrepeated:\n  " : "  ", repeat->events / repeat->requests, frame, category,
            each, repeat->requests, query_unit_name(a->comparison.selection.unit), total);
    }
}

void
answer_text_why(const ask *a, const query_why *why)
{
    if (why->requests == 0) {
        return;
    }
    terminal_begin_heading(stdout);
    (void)printf("%7s %9s %9s %8s\n", "share", "each", "all", "events");
    terminal_end_heading(stdout);
    for (size_t i = 0; i < why->slices.count; i++) {
        print_slice(a, why, &why->slices.items[i]);
    }
    if (why->filter != NULL) {
        print_line(why, why->other_ns, why->other_events, "other frames");
    }
    print_line(why, why->unaccounted_ns, 0, "not accounted");
    print_repeats(a, why);
}

// print_owner prints the line of an owner.
static void
print_owner(const ask *a, const query_lock_owners *owners, uint32_t index, int depth)
{
    char had[QUERY_DURATION_BYTES];
    char text[TEXT_BYTES];
    const query_owner *owner = &owners->owners.items.items[index];
    const char *name = query_lock_owners_name(owners, index, &a->names);
    query_duration_text(query_lock_owners_held_ns(owners, index), had);
    (void)lp_printable(name == NULL ? "(unknown)" : name, text, sizeof(text));
    (void)printf("%9s %5" PRIu64 "  %*s%s%s, ", had, owner->waits, 2 * depth, "",
        depth > 0 ? "waited for " : "", text);
    (void)lp_printable(query_names_text(&a->names, owner->class_name), text, sizeof(text));
    (void)printf("%s\n", text);
}

static void
print_owners(const ask *a, const query_lock_owners *owners, uint32_t parent, int depth)
{
    for (uint32_t i = query_lock_owners_next(owners, parent, QUERY_NO_OWNER); i != QUERY_NO_OWNER;
         i = query_lock_owners_next(owners, parent, i)) {
        print_owner(a, owners, i, depth);
        print_owners(a, owners, i, depth + 1); // QUERY_OWNERS_DEPTH deep at most
    }
}

void
answer_text_owners(const ask *a, const query_lock_owners *owners)
{
    if (owners->owners.items.count == 0) {
        return;
    }
    terminal_begin_heading(stdout);
    (void)printf("\n%9s %5s  who had the monitor\n", "had", "waits");
    terminal_end_heading(stdout);
    print_owners(a, owners, QUERY_NO_OWNER, 0);
}
