// SPDX-License-Identifier: Apache-2.0
// ask: the common part of the commands that query contexts. It opens the recordings as the sources
// of a query, reads the selection from the options, shows progress on a terminal after one second,
// and prints errors.
//
// Threads: the first thread of the program.
// Tests:   tests/e2e/ask.py

#pragma once

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
    const char *program; // prefix of messages; borrowed
    void *own;           // for answer (ask_command)
    inputs in;
    query_source *chunks; // parallel to in.chunks
    query_sources sources;
    query_comparison comparison; // only loupe flamegraph has a base
    query_names names;
    query_outcome outcome;
    bool takes_threads;    // set by the caller: query threads if the input has no contexts
    bool takes_contexts;   // set by the caller: query contexts if the input has no requests
    bool has_progress;     // standard error is a terminal
    bool shows_progress;   // the progress line is visible
    int64_t start_mono_ns; // of the query
    bool *is_unreadable;   // parallel to chunks: a query could not read the chunk
    size_t unreadable_chunks;
    bool has_said_damage; // left-out events are reported once per command
} ask;

// ask_command opens the recordings for queries about a unit, with the selection of the options, and
// calls answer, which returns the exit code. own is for answer. Returns the exit code, after
// printing the problem if the recordings cannot be opened.
int ask_command(
    const options *opts, query_unit unit, int (*answer)(ask *a, const options *opts), void *own);

// ask_run runs a query with the question's on_context, arg and wants_frames. Returns whether it
// succeeded. If takes_threads is set, and there are neither contexts in the input nor conditions,
// it queries threads and says so on standard error; likewise with takes_contexts, even with
// conditions.
bool ask_run(ask *a, query_question *question);

// ask_scan calls on_event for each selected event (events.h). Returns whether it succeeded.
bool ask_scan(ask *a, query_on_event *on_event, void *arg);

// ask_slice writes a slice with the given has_around, on_chunk and arg. Returns whether it
// succeeded. on_chunk prints its own errors and returns LP_ECLOSED.
bool ask_slice(ask *a, query_slice *slice);

// ask_fail prints what went wrong.
void ask_fail(const ask *a, lp_err err);

// ask_say_truncated prints a note if the query did not return everything, or if is_truncated says
// that the command left out something.
void ask_say_truncated(const ask *a, bool is_truncated);

// ask_say_empty returns whether the answer has no contexts (or requests). If so it prints whether
// the recordings or only the selection have none.
bool ask_say_empty(ask *a);

// ask_json adds the unit to answer, unless the unit is contexts, and returns answer. Returns NULL
// if answer is NULL or memory ran out.
json_t *ask_json(const ask *a, json_t *answer);

// ask_percent returns the percentage of a part in a whole; 0 if the whole is 0.
static inline double
ask_percent(int64_t part, int64_t whole)
{
    return whole == 0 ? 0 : (double)part * 100 / (double)whole;
}

// ask_recording returns the name of a source's recording; arg is the ask.
const char *ask_recording(const void *arg, uint32_t source);
