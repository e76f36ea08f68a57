// SPDX-License-Identifier: Apache-2.0

#include "collector/ask/work/ask_answer.h"

#include "collector/base/gzip.h"
#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_io.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
answer_check(const ask_answer *answer)
{
    LP_ASSERT(answer->files != NULL || answer->file_bytes == 0);
    LP_ASSERT(answer->file_bytes <= ASK_FILE_BYTES_MAX);
    LP_ASSERT(!answer->is_gzip);
}

void
ask_answer_destroy(ask_answer *answer)
{
    if (answer != NULL) {
        if (answer->files != NULL) {
            (void)close(answer->fd);
            atomic_fetch_sub_explicit(&answer->files->count, 1, memory_order_relaxed);
        }
        lp_buf_fini(&answer->body);
        free(answer);
    }
}

lp_err
ask_answer_refuse(ask_answer *answer)
{
    answer_check(answer);
    answer->err = lp_problem_set(&answer->problem, LP_ELIMIT,
        "the answer is longer than %d MB: ask for less", ASK_ANSWER_BYTES_MAX >> 20);
    return answer->err;
}

lp_err
ask_answer_refuse_file(ask_answer *answer)
{
    answer_check(answer);
    return lp_problem_set(&answer->problem, LP_ELIMIT,
        "the answer is longer than %d MB: ask for less", ASK_FILE_BYTES_MAX >> 20);
}

lp_err
ask_answer_begin_file(ask_answer *answer, ask_files *files, blobs *store)
{
    answer_check(answer);
    LP_ASSERT(answer->files == NULL);
    if (atomic_fetch_add_explicit(&files->count, 1, memory_order_relaxed) >= ASK_FILES_MAX) {
        atomic_fetch_sub_explicit(&files->count, 1, memory_order_relaxed);
        metrics_add(METRICS_asks_refused, 1);
        return lp_problem_set(&answer->problem, LP_EAGAIN,
            "too many downloads: %d recordings are being made or sent; try again later",
            ASK_FILES_MAX);
    }
    lp_err err = blobs_spill(store, (lp_slice){0}, &answer->fd);
    if (err != LP_OK) {
        atomic_fetch_sub_explicit(&files->count, 1, memory_order_relaxed);
        return err;
    }
    answer->files = files;
    return LP_OK;
}

lp_err
ask_answer_write(ask_answer *answer, lp_slice bytes)
{
    answer_check(answer);
    if (bytes.len > ASK_FILE_BYTES_MAX - answer->file_bytes) {
        return ask_answer_refuse_file(answer);
    }
    lp_err err = lp_io_write_all(answer->fd, bytes);
    if (err == LP_OK) {
        answer->file_bytes += bytes.len;
    }
    return err;
}

static int
append(const char *text, size_t len, void *arg)
{
    ask_answer *answer = arg;
    if (len > ASK_ANSWER_BYTES_MAX - answer->body.len) {
        (void)ask_answer_refuse(answer);
        return -1;
    }
    lp_buf_append(&answer->body, text, len);
    return answer->body.is_failed ? -1 : 0;
}

lp_err
ask_answer_set_json(ask_answer *answer, json_t *json)
{
    answer_check(answer);
    answer->type = "application/json";
    answer->err = LP_OK; // it may have been too long before
    lp_buf_clear(&answer->body);
    int failure = json == NULL ? -1 : json_dump_callback(json, append, answer, JSON_COMPACT);
    json_decref(json);
    if (failure != 0 && answer->err == LP_OK) {
        answer->err = LP_ENOMEM;
    }
    return answer->err;
}

void
ask_answer_compress(ask_answer *answer)
{
    answer_check(answer);
    bool is_text =
        strcmp(answer->type, "application/json") == 0 || strncmp(answer->type, "text/", 5) == 0;
    lp_buf gzip = {0};
    if (answer->files == NULL && is_text && answer->body.len >= ASK_GZIP_BYTES_MIN &&
        gzip_compress(lp_buf_slice(&answer->body), &gzip) == LP_OK) {
        lp_buf_fini(&answer->body);
        answer->body = gzip;
        answer->is_gzip = true;
    }
}
