// SPDX-License-Identifier: Apache-2.0
// ship_token: the token that identifies the sender: a text, or @FILE, the name of a file that
// contains it. The file is read for each Hello, so that it may be replaced at any time.
//
// Threads: any thread.
// Tests: tests/unit/agent/ship/test_ship_token.c

#ifndef LP_AGENT_SHIP_LINK_SHIP_TOKEN_H
#define LP_AGENT_SHIP_LINK_SHIP_TOKEN_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

enum { SHIP_TOKEN_BYTES_MAX = 512 }; // without surrounding blanks

typedef struct ship_token {
    size_t len;
    uint8_t bytes[SHIP_TOKEN_BYTES_MAX];
} ship_token;

// Writes the token of the option's text to *out_token; "" is no token. Ignores blanks and line ends
// around the content of a file.
// Errors: LP_EIO if the file cannot be read; LP_ELIMIT if the token is too long; LP_ECORRUPT if it
// is
//         empty
LP_MUST_USE lp_err ship_token_read(
    const char *option, ship_token *out_token, lp_problem *out_problem);

#endif // LP_AGENT_SHIP_LINK_SHIP_TOKEN_H
