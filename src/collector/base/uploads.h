// SPDX-License-Identifier: Apache-2.0
// uploads: the interface that stores files uploaded over HTTP as recordings.
//
// Threads: show is called on a thread of its own, for one file at a time.
// Tests:   tests/unit/collector/http/routes/test_http_upload.c

#pragma once

#include "common/base/lp_err.h"

#include <stdint.h>

enum {
    UPLOADS_SERVICE_BYTES = 256,
    UPLOADS_NOTES_MAX = 4, // more are only counted
    UPLOADS_NOTE_BYTES = 384,
};

typedef struct uploads_shown {
    char service[UPLOADS_SERVICE_BYTES];
    int64_t from_wall_ns; // the time range of the recordings
    int64_t to_wall_ns;
    unsigned note_count; // about unreadable and already stored parts
    char notes[UPLOADS_NOTES_MAX][UPLOADS_NOTE_BYTES];
} uploads_shown;

typedef struct uploads {
    const char *directory; // of the files until show returns
    // Stores the recordings of the file at path; name is the user's name for it. The caller zeroes
    // *out_shown. Returns early if the collector stops.
    // Errors: LP_EAGAIN: another file is being read; LP_ECLOSED: the collector stops; LP_ECORRUPT:
    //         no readable recording; LP_EIO, LP_ENOMEM, LP_ELIMIT
    lp_err (*show)(void *arg, const char *path, const char *name, uploads_shown *out_shown,
        lp_problem *out_problem);
    void *arg;
} uploads;
