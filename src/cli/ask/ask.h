// SPDX-License-Identifier: Apache-2.0
// ask: what the commands that ask about contexts have in common: the recordings as the sources of a
// query, the selection out of the options, a line that shows how far it is on a terminal when it
// takes longer than a second, and the complaints.
//
// Threads: the first thread of the program.
// Tests:   tests/e2e/ask.py

#ifndef LP_CLI_ASK_H
#define LP_CLI_ASK_H

#include "cli/base/options.h"
#include "offline/inputs.h"
#include "query/events/events.h"
#include "query/run/run.h"
#include "query/select/comparison.h"
#include "query/select/json_parts.h"
#include "query/slice/slice.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ask {
    const char *program; // what messages begin with; borrowed
    inputs in;
    query_source *chunks; // parallel to those of in
    query_sources sources;
    query_comparison comparison; // a base has only loupe flamegraph
    query_names names;
    query_outcome outcome;
    bool takes_threads;    // set by the caller: query threads if the input has no contexts
    bool has_progress;     // standard error is a terminal
    bool shows_progress;   // the line is there
    int64_t start_mono_ns; // of the query
    bool *is_unreadable;   // parallel to chunks: a query could not read it
    size_t unreadable_chunks;
    bool has_said_damage; // events that were left out; queries of one command leave out the same
} ask;

// ask_open reads the options and opens the recordings, to ask about a unit. Returns -1, or the code
// to exit with at once: what is wrong was printed then. Either way ask_close ends it.
int ask_open(ask *a, const char *program, const options *opts, query_unit unit);
void ask_close(ask *a);

// ask_run runs a query; of question, on_context, arg and wants_frames are given. Returns whether it
// is done. If takes_threads is set, the input has no contexts and no condition is given, the query
// is about threads; standard error says so.
bool ask_run(ask *a, query_question *question);

// ask_scan calls on_event for all events that the selection has (events.h). Returns whether it is
// done.
bool ask_scan(ask *a, query_on_event *on_event, void *arg);

// ask_slice writes a slice; of that, has_around, on_chunk and its arg are given. Returns whether it
// is done. on_chunk says itself why it fails, with LP_ECLOSED.
bool ask_slice(ask *a, query_slice *slice);

// ask_fail prints what went wrong.
void ask_fail(const ask *a, lp_err err);

// ask_say_truncated prints that the answer is not all there is, if that is so: of the query, or, as
// is_truncated says, of what was made of its answers.
void ask_say_truncated(const ask *a, bool is_truncated);

// ask_say_empty prints why there are no contexts in the answer, or none of its unit: the recordings
// have none, or the selection. Returns whether there are none.
bool ask_say_empty(ask *a);

// ask_json adds to an answer as JSON, which may be NULL, what unit it is about, unless that is
// contexts.
json_t *ask_json(const ask *a, json_t *answer);

// ask_percent returns the percentage of a part in a whole; 0 if the whole is 0.
static inline double
ask_percent(int64_t part, int64_t whole)
{
    return whole == 0 ? 0 : (double)part * 100 / (double)whole;
}

// ask_recording returns the name of the recording that has a source; arg is the ask.
const char *ask_recording(const void *arg, uint32_t source);

#endif // LP_CLI_ASK_H
