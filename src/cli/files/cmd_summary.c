// SPDX-License-Identifier: Apache-2.0
// loupe summary: counts the events of a recording, without decoding them, and those that the
// recording itself says were dropped. It prints these, and the time of the recording.
//
// Tests: tests/e2e/cli.py

#include "cli/base/cmd.h"
#include "cli/base/terminal.h"
#include "cli/files/request_counts_json.h"
#include "collector/base/dropped_json.h"
#include "common/base/lp_printable.h"
#include "common/jfr/jfr_chunk.h"
#include "offline/event_tally.h"
#include "offline/inputs.h"
#include "offline/lost_input.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

static const char program[] = "loupe summary";

// A summary starts zeroed, but for its tally, which the caller owns.
typedef struct summary {
    uint64_t chunks;
    uint16_t major;
    uint16_t minor;
    int64_t start_wall_ns;
    int64_t end_wall_ns;
    event_tally tally;
} summary;

static const char unknown[] = "unknown"; // reasons, of another version of Loupe's

// count_events returns how many events there are, without metadata and checkpoints, or only how
// many contexts.
static uint64_t
count_events(const summary *s, bool only_contexts)
{
    uint64_t events = 0;
    for (size_t i = 0; i < s->tally.types.count; i++) {
        const event_tally_type *type = &s->tally.types.items[i];
        events += (only_contexts ? type->is_contextual : !type->is_built_in) ? type->events : 0;
    }
    return events;
}

// dropped_of returns how many events of a type were dropped, by the accounts of the recording.
static account_tally_dropped
dropped_of(const event_tally *tally, const event_tally_type *type)
{
    const account_tally_type *account = account_tally_find(&tally->accounts, type->name);
    return account == NULL ? (account_tally_dropped){0} : account->dropped;
}

// add_header adds the time of a chunk.
static void
add_header(summary *s, const jfr_chunk_info *info)
{
    int64_t end;
    if (__builtin_add_overflow(info->start_wall_ns, info->duration_ns, &end)) {
        end = info->start_wall_ns; // no JVM wrote this header
    }
    if (s->chunks == 0 || info->start_wall_ns < s->start_wall_ns) {
        s->start_wall_ns = info->start_wall_ns;
    }
    if (s->chunks == 0 || end > s->end_wall_ns) {
        s->end_wall_ns = end;
    }
    s->major = info->major;
    s->minor = info->minor;
    s->chunks++;
}

// --- As text

static void
print_reason(const char **separator, const char *name, uint64_t events)
{
    if (events > 0) {
        (void)printf("%s%s %" PRIu64, *separator, name, events);
        *separator = ", ";
    }
}

// print_reasons prints how many events each setting dropped, behind separator.
static void
print_reasons(const char *separator, const account_tally_dropped *dropped)
{
    for (compact_reason i = 0; i < COMPACT_REASON_COUNT; i++) {
        print_reason(&separator, compact_reason_name(i), dropped->known.by[i]);
    }
    print_reason(&separator, unknown, dropped->unknown);
}

enum { NAME_BYTES = 4096 };

static void
print_name(const char *name)
{
    char printable[NAME_BYTES];
    (void)lp_printable(name, printable, sizeof(printable));
    terminal_pad(stdout, printable, 48);
}

static void
print_types(const summary *s, bool has_accounts)
{
    terminal_begin_heading(stdout);
    (void)printf("%-48s %12s %14s", "Event type", "Count", "Size (bytes)");
    (void)printf(has_accounts ? " %12s\n" : "\n", "Dropped");
    terminal_end_heading(stdout);
    for (size_t i = 0; i < s->tally.types.count; i++) {
        const event_tally_type *type = &s->tally.types.items[i];
        const account_tally_dropped dropped = dropped_of(&s->tally, type);
        print_name(type->name);
        (void)printf(" %12" PRIu64 " %14" PRIu64, type->events, type->bytes);
        if (has_accounts) {
            (void)printf(" %12" PRIu64, account_tally_sum(&dropped));
        }
        (void)fputs(type->is_contextual ? "  contextual" : "", stdout);
        print_reasons("  ", &dropped);
        (void)putchar('\n');
    }
}

static void
print_losses(const loss_tally *losses)
{
    for (size_t i = 0; i < losses->count; i++) {
        char printable[4 * LOSS_TALLY_KIND_BYTES];
        (void)lp_printable(losses->kinds[i].name, printable, sizeof(printable));
        (void)printf(
            "%s%s %" PRIu64, i == 0 ? "Losses:   " : ", ", printable, losses->kinds[i].amount);
    }
    (void)fputs(losses->count > 0 ? "\n" : "", stdout);
}

// print_request_reasons prints why requests were kept, from the strongest reason on, and why not.
static void
print_request_reasons(const compact_request_reasons *reasons)
{
    const char *separator = ": ";
    for (int i = COMPACT_REQUEST_KEPT_COUNT - 1; i > 0; i--) {
        print_reason(
            &separator, compact_request_kept_name((compact_request_kept_by)i), reasons->kept[i]);
    }
    separator = "; dropped by ";
    for (int i = 1; i < COMPACT_REQUEST_DROPPED_COUNT; i++) {
        print_reason(&separator, compact_request_dropped_name((compact_request_dropped_by)i),
            reasons->dropped[i]);
    }
}

// print_requests prints the request counts of the recording.
static void
print_requests(const request_tally *requests)
{
    if (requests->offered > 0) {
        (void)printf("Requests: %" PRIu64 ", kept %" PRIu64, requests->offered, requests->kept);
        print_request_reasons(&requests->reasons);
        (void)putchar('\n');
    }
    const char *separator = "Missing of requests: ";
#define COMPACT_REQUEST_LOSS(id, field, label) print_reason(&separator, #id, requests->losses.id);
#include "engine/request_losses.def"
    (void)fputs(compact_request_losses_sum(&requests->losses) > 0 ? "\n" : "", stdout);
}

// print_text and print_json write it to standard output, once the tally is
// finished. JSON: false where memory or the output's disk ran out.
static void
print_text(const summary *s)
{
    char start[64] = "";
    time_t seconds = (time_t)(s->start_wall_ns / 1000000000);
    struct tm utc;
    const account_tally_dropped dropped = account_tally_get_total(&s->tally.accounts);
    if (gmtime_r(&seconds, &utc) != NULL) {
        (void)strftime(start, sizeof(start), "%Y-%m-%d %H:%M:%S (UTC)", &utc);
    }
    (void)printf("Version:  %u.%u\nChunks:   %" PRIu64 "\nStart:    %s\n", s->major, s->minor,
        s->chunks, start);
    (void)printf("Duration: %.3f s\n", (double)(s->end_wall_ns - s->start_wall_ns) / 1e9);
    (void)printf("Events:   %" PRIu64 "\nContexts: %" PRIu64 "\n", count_events(s, false),
        count_events(s, true));
    if (account_tally_sum(&dropped) > 0) {
        (void)printf("Dropped:  %" PRIu64, account_tally_sum(&dropped));
        print_reasons(": ", &dropped);
        (void)putchar('\n');
    }
    print_requests(&s->tally.requests);
    print_losses(&s->tally.losses);
    (void)putchar('\n');
    print_types(s, account_tally_sum(&dropped) > 0);
}

// --- As JSON

static json_t *
dropped_as_json(const account_tally_dropped *dropped)
{
    json_t *json = dropped_json(&dropped->known);
    if (dropped->unknown > 0 &&
        json_object_set_new(json, unknown, json_integer((json_int_t)dropped->unknown)) != 0) {
        json_decref(json);
        return NULL;
    }
    return json;
}

static json_t *
losses_as_json(const loss_tally *losses)
{
    json_t *json = json_object();
    for (size_t i = 0; i < losses->count; i++) { // a name that is not UTF-8 has no place in JSON
        (void)json_object_set_new(
            json, losses->kinds[i].name, json_integer((json_int_t)losses->kinds[i].amount));
    }
    return json;
}

// Whether a type is contextual, a recording that has none of its events need not know.
static json_t *
type_as_json(const event_tally_type *type, const account_tally_dropped *dropped)
{
    return json_pack("{s:I, s:I, s:o, s:o}", "events", (json_int_t)type->events, "bytes",
        (json_int_t)type->bytes, "contextual",
        type->events == 0 ? json_null() : json_boolean(type->is_contextual), "dropped",
        dropped_as_json(dropped));
}

static bool
print_json(const summary *s)
{
    json_t *types = json_object();
    const account_tally_dropped total = account_tally_get_total(&s->tally.accounts);
    for (size_t i = 0; i < s->tally.types.count; i++) {
        const event_tally_type *type = &s->tally.types.items[i];
        const account_tally_dropped dropped = dropped_of(&s->tally, type);
        (void)json_object_set_new(types, type->name, type_as_json(type, &dropped));
    }
    json_t *root =
        json_pack("{s:o, s:I, s:I, s:I, s:I, s:I, s:o, s:{s:I, s:I}, s:o, s:o, s:o, s:o, s:o}",
            "version", json_sprintf("%u.%u", s->major, s->minor), "chunks", (json_int_t)s->chunks,
            "start_ns", (json_int_t)s->start_wall_ns, "duration_ns",
            (json_int_t)(s->end_wall_ns - s->start_wall_ns), "events",
            (json_int_t)count_events(s, false), "contexts", (json_int_t)count_events(s, true),
            "dropped", dropped_as_json(&total), "requests", "offered",
            (json_int_t)s->tally.requests.offered, "kept", (json_int_t)s->tally.requests.kept,
            "requests_kept_by", requests_kept_by_json(&s->tally.requests.reasons),
            "requests_dropped_by", requests_dropped_by_json(&s->tally.requests.reasons),
            "request_losses", request_losses_json(&s->tally.requests.losses), "losses",
            losses_as_json(&s->tally.losses), "types", types);
    return cmd_print_json(stdout, root);
}

// --- Reading

static void
complain(const char *name, lp_problem problem, lp_err err)
{
    if (problem.text[0] == '\0') {
        (void)snprintf(problem.text, sizeof(problem.text), "%s", lp_err_text(err));
    }
    cmd_complain(program, name, &problem);
}

static bool
on_note(void *arg, const input_note *note)
{
    (void)arg;
    if (note->kind != INPUT_NOTE_CUT) { // add_chunk reports it, with more detail
        lp_printable_line(stderr, "%s: %s: offset %" PRIu64 ": %s", program, note->name,
            note->offset, note->text);
    }
    return true;
}

static void
release(void *arg, lp_slice bytes)
{
    recording_file_release(arg, bytes);
}

// add_chunk adds what can be read of a chunk and complains of the rest.
static lp_err
add_chunk(summary *s, const input_chunk *chunk)
{
    lp_problem problem = {.text = ""};
    uint64_t events = count_events(s, false);
    s->tally.arg = (void *)(uintptr_t)chunk->file; // which it only reads
    lp_err err = event_tally_add(&s->tally, &chunk->info, chunk->bytes, &problem);
    if (err == LP_ENOMEM) {
        complain(chunk->file->name, problem, err);
        return err;
    }
    if (err == LP_OK || count_events(s, false) > events) {
        add_header(s, &chunk->info);
    }
    if (chunk->damage != NULL) {
        cmd_complain(program, chunk->file->name, chunk->damage);
    } else if (err != LP_OK) {
        complain(chunk->file->name, inputs_locate(chunk, &problem), err);
    }
    return LP_OK;
}

static int
print(summary *s, bool is_json)
{
    event_tally_finish(&s->tally);
    if (is_json) {
        return cmd_end(program, print_json(s));
    }
    print_text(s);
    return cmd_end(program, true);
}

static int
summarize(char *path, bool is_json)
{
    summary s = {0};
    inputs in = {0};
    const char *name;
    lp_problem problem = {.text = ""};
    lp_err err = event_tally_init(&s.tally);
    s.tally.on_passed = release;
    LP_THEN(err, inputs_open(&in, &path, 1, on_note, NULL, &name, &problem));
    if (err != LP_OK) {
        complain(path, problem, err);
    }
    for (size_t i = 0; i < in.chunks.count && err == LP_OK; i++) {
        err = add_chunk(&s, &in.chunks.items[i]);
    }
    if (err == LP_OK) {
        err = inputs_check(&in, &name, &problem);
        if (err != LP_OK) {
            complain(name, problem, err);
        }
    }
    int code = CMD_FAILED; // why has been said
    if (err == LP_OK && s.chunks > 0) {
        code = print(&s, is_json);
    }
    inputs_close(&in);
    event_tally_fini(&s.tally);
    return code;
}

int
cmd_summary(const options *opts)
{
    LP_REQUIRE(opts->operand_count == 1, cmd_refuse(opts, "give one FILE.jfr"));
    lost_input_start(program);
    return summarize(opts->operands[0], opts->summary_is_json);
}
