// SPDX-License-Identifier: Apache-2.0
// ship_token: the token by which the collector knows who sends: a text, or @FILE, a file that has
// it. The file is read for each Hello, so that it may be written anew at any time.
//
// Threads: any thread.
// Tests: tests/unit/agent/ship/test_ship_token.c

#ifndef LP_AGENT_SHIP_LINK_SHIP_TOKEN_H
#define LP_AGENT_SHIP_LINK_SHIP_TOKEN_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

enum { SHIP_TOKEN_BYTES_MAX = 512 }; // without the blanks around it

typedef struct ship_token {
    size_t len;
    uint8_t bytes[SHIP_TOKEN_BYTES_MAX];
} ship_token;

// ship_token_read makes *out_token of the option's text; "" is no token. Blanks and ends of lines
// around the content of a file do not count.
// Errors: LP_EIO the file cannot be read; LP_ELIMIT, LP_ECORRUPT it has no token
LP_MUST_USE lp_err ship_token_read(
    const char *option, ship_token *out_token, lp_problem *out_problem);

#endif // LP_AGENT_SHIP_LINK_SHIP_TOKEN_H
