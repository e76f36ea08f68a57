// SPDX-License-Identifier: Apache-2.0
// bearer: requests to a collector at --url, with the token in a file.
//
// Threads: one thread at a time.
// Tests:   tests/e2e/assistants.py, tests/e2e/pins.py

#pragma once

#include "cli/base/options.h"

#include <stdbool.h>

enum {
    BEARER_TOKEN_BYTES_MAX = 512,
    BEARER_BYTES = BEARER_TOKEN_BYTES_MAX + sizeof("Bearer "),
};

// bearer_is_url returns whether a text may be the address of a collector.
bool bearer_is_url(const char *text);

// bearer_read reads a token, without the blanks around it, as the value of the header
// Authorization. Returns false after printing the problem.
bool bearer_read(const char *program, const char *path, char out_header[BEARER_BYTES]);

// bearer_make_url returns the address of a path, such as "mcp", of a collector; NULL if memory ran
// out. The caller frees it.
char *bearer_make_url(const char *url, const char *path);
