// SPDX-License-Identifier: Apache-2.0
// inputs: opens the recordings that a command works on, finds their chunks and sorts them.
//
// Threads: one thread opens and closes; in between any number of threads may read.

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/base/lp_vec.h"
#include "common/jfr/jfr_chunk.h"
#include "offline/recording_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A chunk and its position in the input. Everything is lent until inputs_close.
typedef struct input_chunk {
    const recording_file *file;
    uint64_t offset;
    lp_slice bytes;
    jfr_chunk_info info;
    uint32_t session; // the same for all chunks of one JVM, which are consecutive
    // Why the chunk does not have the size that its header says, with an offset in the file; NULL
    // if the size is right.
    const lp_problem *damage;
} input_chunk;

// A problem of an input, for the user.
typedef enum input_note_kind {
    INPUT_NOTE_PACKED,    // a file could not be unpacked to its end; offset is in the packed file
    INPUT_NOTE_SKIPPED,   // bytes that are in no chunk
    INPUT_NOTE_CUT,       // a chunk whose size is not that in its header; it is in inputs.chunks
    INPUT_NOTE_DUPLICATE, // a chunk that another input has as well; it is not in inputs.chunks
} input_note_kind;

typedef struct input_note {
    input_note_kind kind;
    const char *name; // of the input
    uint64_t offset;
    uint64_t size_bytes; // 0 for INPUT_NOTE_PACKED
    const char *text;    // the problem, for a person
} input_note;

typedef struct inputs {
    recording_file *files;
    size_t file_count;
    LP_VEC(input_chunk) chunks; // by session, then by time
    size_t session_count;
    LP_VEC(lp_problem *) problems; // of damaged chunks
} inputs;

// inputs_open opens the recordings at paths ("-" is standard input) and finds their chunks. It
// calls on_note for each problem, and stops if that returns false.
//
// Owns:   the caller ends *out_inputs with inputs_close, after an error as well; paths are borrowed
//         until then.
// Errors: LP_ENOENT, LP_EIO, LP_ENOMEM, LP_ECORRUPT (unpack.h); *out_name is then the input or
//         NULL. LP_ECLOSED on_note returned false
LP_MUST_USE lp_err inputs_open(inputs *out_inputs, char *const *paths, size_t count,
    bool (*on_note)(void *arg, const input_note *note), void *arg, const char **out_name,
    lp_problem *out_problem);

// inputs_locate converts a problem's offset in the chunk to one in the file. A problem without an
// offset gets the start of the chunk.
lp_problem inputs_locate(const input_chunk *chunk, const lp_problem *problem);

// inputs_have returns whether path names one of the input files, even if the input was given by
// another path.
bool inputs_have(const inputs *in, const char *path);

// inputs_check reports an input that was truncated after it was opened (recording_file_check).
// Errors: LP_EIO, with the input in *out_name
LP_MUST_USE lp_err inputs_check(const inputs *in, const char **out_name, lp_problem *out_problem);

void inputs_close(inputs *in);
