// SPDX-License-Identifier: Apache-2.0
// feed: sends recordings from files to a collector on this machine over its Unix socket, as the
// agents of their JVMs would, one request at a time.
//
// Threads: one thread.
// Tests:   tests/unit/cli/serve/test_feed.c, tests/e2e/cli.py

#pragma once

#include "common/base/lp_err.h"
#include "common/wire/wire.h"
#include "offline/inputs.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    FEED_AGAIN_MS = 50,               // retry delay, if a busy collector names none
    FEED_PUT_OFF_MS_MAX = 600 * 1000, // a request fails if the collector is busy for so long
    FEED_NAME_BYTES = 256,
};

typedef struct feed {
    int fd;
    bool (*is_ending)(void *arg); // asked between requests
    uint32_t request_id;
    uint8_t session[WIRE_SESSION_BYTES];
    uint64_t sequence;
    uint32_t chunk;
} feed;

// feed_open connects to the Unix socket at path.
// Owns:   the caller ends *out_feed with feed_close, after an error as well.
// Errors: LP_EIO, LP_ELIMIT the path is too long
LP_MUST_USE lp_err feed_open(
    const char *path, bool (*is_ending)(void *arg), feed *out_feed, lp_problem *out_problem);
void feed_close(feed *self);

// feed_session sends all chunks of one JVM in order of time. The name of the service comes from
// file (feed_name_service), which holds the first chunk.
// Errors: LP_ECLOSED is_ending returned true; LP_EIO; LP_ECORRUPT the collector refused a chunk;
//         LP_ELIMIT the collector was busy for FEED_PUT_OFF_MS_MAX; LP_ENOMEM
LP_MUST_USE lp_err feed_session(
    feed *self, const char *file, const input_chunk *chunks, size_t count, lp_problem *out_problem);

// feed_name_service derives a service name from a file name, without folder and extensions;
// "unnamed" if nothing is left. Unprintable characters are escaped.
void feed_name_service(const char *file, char out_name[FEED_NAME_BYTES]);
