// SPDX-License-Identifier: Apache-2.0
// request_counts_json: the losses of requests and the reasons for keeping or dropping them, as
// JSON.
//
// Threads: any thread; pure functions.
// Tests:   tests/e2e/cli.py

#pragma once

#include "engine/request_losses.h"
#include "engine/request_reasons.h"

#include <jansson.h>

// Each returns an object with a number for each name, which the caller owns; NULL if memory ran
// out.

static inline json_t *
request_losses_json(const compact_request_losses *losses)
{
    json_t *json = json_object();
#define COMPACT_REQUEST_LOSS(id, field, label)                                                     \
    (void)json_object_set_new(json, #id, json_integer((json_int_t)losses->id));
#include "engine/request_losses.def"
    return json;
}

static inline json_t *
requests_kept_by_json(const compact_request_reasons *reasons)
{
    json_t *json = json_object();
    for (int i = 1; i < COMPACT_REQUEST_KEPT_COUNT; i++) {
        (void)json_object_set_new(json, compact_request_kept_name((compact_request_kept_by)i),
            json_integer((json_int_t)reasons->kept[i]));
    }
    return json;
}

// Reasons for which requests were not kept whole.
static inline json_t *
requests_dropped_by_json(const compact_request_reasons *reasons)
{
    json_t *json = json_object();
    for (int i = 1; i < COMPACT_REQUEST_DROPPED_COUNT; i++) {
        (void)json_object_set_new(json, compact_request_dropped_name((compact_request_dropped_by)i),
            json_integer((json_int_t)reasons->dropped[i]));
    }
    return json;
}
