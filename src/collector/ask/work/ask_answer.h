// SPDX-License-Identifier: Apache-2.0

// ask_answer: the answer to a question, before HTTP sends it.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/ask/test_ask.c

#pragma once

#include "collector/store/chunks/blobs.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"

#include <jansson.h>
#include <stdatomic.h>

enum {
    ASK_ANSWER_BYTES_MAX = 64 << 20, // in memory
    ASK_FILES_MAX = 8,               // answers in files, until they are sent
    ASK_FILE_BYTES_MAX = 1 << 30,    // of each file, and of the chunks collected for a file
    ASK_GZIP_BYTES_MIN = 32 << 10,   // compressing less takes longer than it saves
};

// The number of answers in files. {0}: none. Threads: any thread.
typedef struct ask_files {
    atomic_uint count; // relaxed
} ask_files;

// {0} is empty.
typedef struct ask_answer {
    // LP_OK, or an error with problem: LP_ECORRUPT bad question, LP_ENOENT not found, LP_ELIMIT too
    // large, LP_EAGAIN not now, LP_ECLOSED the collector stops.
    lp_err err;
    lp_problem problem;
    const char *type;      // Content-Type; static
    const char *file_name; // of a download; static. NULL: no download
    // The next two are for a download. An answer in JSON has them in its body.
    bool is_truncated;
    uint64_t left_out; // chunks
    bool is_gzip;      // body is compressed
    lp_buf body;
    ask_files *files; // NULL: the answer is in body; else it is in the file, and counts here
    int fd;           // of the file
    uint64_t file_bytes;
} ask_answer;

// ask_answer_destroy frees an answer on the heap. NULL is fine.
void ask_answer_destroy(ask_answer *answer);

// ask_answer_begin_file makes the answer an empty file without a name, in the directory of blobs.
// Call it before all other work for the answer. Borrows files until the answer is destroyed.
// Errors: LP_EAGAIN over ASK_FILES_MAX, with the problem in *answer; LP_EIO
LP_MUST_USE lp_err ask_answer_begin_file(ask_answer *answer, ask_files *files, blobs *blobs);

// ask_answer_write appends bytes to the file.
// Errors: LP_ELIMIT over ASK_FILE_BYTES_MAX, with the problem in *answer; LP_EIO
LP_MUST_USE lp_err ask_answer_write(ask_answer *answer, lp_slice bytes);

// ask_answer_set_json replaces the body. Takes ownership of json, which may be NULL if memory ran
// out. Errors: LP_ENOMEM; LP_ELIMIT over ASK_ANSWER_BYTES_MAX, with the problem in *answer
LP_MUST_USE lp_err ask_answer_set_json(ask_answer *answer, json_t *json);

// ask_answer_compress compresses a text body of at least ASK_GZIP_BYTES_MIN. If memory runs out,
// the body stays as it is.
void ask_answer_compress(ask_answer *answer);

// ask_answer_refuse makes the answer say that it is too large. Returns LP_ELIMIT
lp_err ask_answer_refuse(ask_answer *answer);

// ask_answer_refuse_file sets the problem that a file exceeds ASK_FILE_BYTES_MAX. Returns LP_ELIMIT
lp_err ask_answer_refuse_file(ask_answer *answer);
