// SPDX-License-Identifier: Apache-2.0
// loupe summary: counts the events of a recording, without decoding them, and those that the
// recording itself says were dropped.
//
// Tests: tests/e2e/cli.py

#include "cli/base/cmd.h"
#include "cli/files/summary.h"
#include "common/base/lp_printable.h"
#include "offline/inputs.h"
#include "offline/lost_input.h"

#include <inttypes.h>
#include <stdio.h>

static const char program[] = "loupe summary";

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
    uint64_t events = summary_count_events(s);
    s->tally.arg = (void *)(uintptr_t)chunk->file; // which it only reads
    lp_err err = event_tally_add(&s->tally, &chunk->info, chunk->bytes, &problem);
    if (err == LP_ENOMEM) {
        complain(chunk->file->name, problem, err);
        return err;
    }
    if (err == LP_OK || summary_count_events(s) > events) {
        summary_add_header(s, &chunk->info);
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
        return cmd_end(program, summary_print_json(s));
    }
    summary_print_text(s);
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
    if (err == LP_OK) {
        err = inputs_open(&in, &path, 1, on_note, NULL, &name, &problem);
    }
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
cmd_summary(int argc, char **argv)
{
    options chosen;
    int code = cmd_parse(OPTIONS_summary, argc, argv, &chosen);
    if (code >= 0) {
        return code;
    }
    if (chosen.operand_count != 1) {
        return cmd_refuse(OPTIONS_summary, argv[0], "give one FILE.jfr");
    }
    lost_input_start(program);
    return summarize(chosen.operands[0], chosen.summary_is_json);
}
