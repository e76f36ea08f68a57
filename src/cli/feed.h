// SPDX-License-Identifier: Apache-2.0
// feed: gives recordings in files to a collector of this machine, as the agents of their JVMs would
// have, over its Unix socket. One request is on the way at a time.
//
// Threads: one thread.
// Tests:   tests/unit/cli/test_feed.c, tests/e2e/cli.py

#ifndef LP_CLI_FEED_H
#define LP_CLI_FEED_H

#include "common/base/lp_err.h"
#include "common/wire/wire.h"
#include "offline/inputs.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    FEED_AGAIN_MS = 50, // between two tries, if a busy collector does not say when
    FEED_PUT_OFF_MS_MAX =
        600 * 1000, // after which a request fails that the collector keeps refusing as busy
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

// feed_session gives all chunks of one JVM: those at chunks, in the order of time. The collector
// has its recording under the service of file (feed_name_service), from which the first of them is.
// Errors: LP_ECLOSED it was to end; LP_EIO; LP_ECORRUPT the collector refuses it;
//         LP_ELIMIT the collector was busy for FEED_PUT_OFF_MS_MAX; LP_ENOMEM
LP_MUST_USE lp_err feed_session(
    feed *self, const char *file, const input_chunk *chunks, size_t count, lp_problem *out_problem);

// feed_name_service writes what the service of a file is called: the file, without its folder and
// what says the format; "unnamed" where nothing is left. What cannot stand in a line becomes
// escapes.
void feed_name_service(const char *file, char out_name[FEED_NAME_BYTES]);

#endif // LP_CLI_FEED_H
