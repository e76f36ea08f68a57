// SPDX-License-Identifier: Apache-2.0

// recall_news: what a collector tells those that share its catalog (pin_peers.h): its pins, the
// services with raw data, and ids of traces that it kept.
//
//   {"pins": [.., as in pin_json.h],
//    "services": [{"name": .., "from": NS, "chunks": 1, "bytes": 2, "dropped": [..]}, ..],
//    "ids": {"run": 1, "next": 2, "missed": 0, "hashes": [..]}}
//
// from is null without raw data. A hash is its number as a signed one. Agents choose the names of
// services: those that would make the answer too long are left out, and counted.
//
// Threads: any.
// Tests:   tests/unit/collector/recall/peers/test_pin_peers.c
// Memory:  at most some 4 MB

#pragma once

#include "collector/recall/pin/pins.h"
#include "collector/recall/raw/raw_list.h"
#include "collector/recall/rule/trace_ids.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/base/lp_vec.h"

#include <jansson.h>

// Pins and services, as they are written. With TRACE_IDS_READ_MAX hashes of up to 30 bytes the news
// are shorter than the longest answer that is read (client_http.h).
enum { RECALL_NEWS_BYTES_MAX = 3 << 20 };

// recall_news_write tells the ids since a mark. NULL if memory ran out. The caller owns the result.
json_t *recall_news_write(pins *pins, raw_list *raw, trace_ids *ids, trace_ids_mark since);

// {0} is empty.
typedef struct recall_news {
    LP_VEC(pin) pins;
    LP_VEC(raw_list_service) services; // own their names
    rollup_hashes ids;
    trace_ids_mark mark; // for the next ones
    uint64_t missed;     // ids
} recall_news;

void recall_news_fini(recall_news *news);

// recall_news_read reads news. Pins and services that are malformed are skipped: a later version
// may have made them. Errors: LP_ECORRUPT; LP_ENOMEM
LP_MUST_USE lp_err recall_news_read(lp_slice text, recall_news *out);
