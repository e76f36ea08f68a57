// SPDX-License-Identifier: Apache-2.0
// request_id: the id of a request in recordings and answers: a number above 0, as 16 digits 0-9 and
// a-f.
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/query/run/test_query_requests.c

#pragma once

#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { QUERY_REQUEST_ID_BYTES = 17 }; // with the zero

static inline void
query_request_id_format(uint64_t id, char out_text[QUERY_REQUEST_ID_BYTES])
{
    (void)snprintf(out_text, QUERY_REQUEST_ID_BYTES, "%016llx", (unsigned long long)id);
}

// query_request_id_parse reads the format of query_request_id_format. Returns false for any other
// text.
static inline bool
query_request_id_parse(lp_slice text, uint64_t *out_id)
{
    uint64_t id = 0;
    for (size_t i = 0; i < text.len; i++) {
        uint8_t c = text.ptr[i];
        bool is_digit = c >= '0' && c <= '9';
        if (!is_digit && !(c >= 'a' && c <= 'f')) {
            return false;
        }
        id = id << 4 | (uint64_t)(is_digit ? c - '0' : c - 'a' + 10);
    }
    *out_id = id;
    return text.len == QUERY_REQUEST_ID_BYTES - 1 && id != 0;
}
