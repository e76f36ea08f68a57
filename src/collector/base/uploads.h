// SPDX-License-Identifier: Apache-2.0
// uploads: who takes files that come over HTTP, and shows what is in them as recordings.
//
// Threads: show is called on a thread of its own, for one file at a time.
// Tests:   tests/unit/collector/http/routes/test_http_upload.c

#ifndef LP_COLLECTOR_BASE_UPLOADS_H
#define LP_COLLECTOR_BASE_UPLOADS_H

#include "common/base/lp_err.h"

#include <stdint.h>

enum {
    UPLOADS_SERVICE_BYTES = 256,
    UPLOADS_NOTES_MAX = 4, // more are counted alone
    UPLOADS_NOTE_BYTES = 384,
};

// Where the recordings of a file are.
typedef struct uploads_shown {
    char service[UPLOADS_SERVICE_BYTES];
    int64_t from_wall_ns; // the time that they are of
    int64_t to_wall_ns;
    unsigned note_count; // of what could not be read, or is there already
    char notes[UPLOADS_NOTES_MAX][UPLOADS_NOTE_BYTES];
} uploads_shown;

typedef struct uploads {
    const char *directory; // in which files are until show returns
    // Returns once the recordings of the file at path, which somebody called name, are there.
    // *out_shown is zeroed before. It returns soon after the collector was told to end.
    // Errors: LP_EAGAIN others are being read; LP_ECLOSED it was to end; LP_ECORRUPT there are none
    //         that can be read; LP_EIO, LP_ENOMEM, LP_ELIMIT
    lp_err (*show)(void *arg, const char *path, const char *name, uploads_shown *out_shown,
        lp_problem *out_problem);
    void *arg;
} uploads;

#endif // LP_COLLECTOR_BASE_UPLOADS_H
