// SPDX-License-Identifier: Apache-2.0
// service_list: from rollups, the services that had JVMs in a time range, with the numbers of their
// contexts and requests.
//
//   {"t0": "2026-01-02T03:04:00.000000000Z", "t0_ns": "1767...", "step_ns": 60000000000,
//    "services": [{"service": "checkout", "jvms": 3,
//      "versions": [{"version": "1.3", "jvms": 2}, ..],
//      "contexts_in": 60114, "contexts_out": 3021,
//      "p50_ns": 1800000, "p99_ns": 639000000, "spark": [p99, null, ..],
//      "types": [{"type": "shop.Request", "contexts_in": .., "contexts_out": ..,
//        "p50_ns": .., "p99_ns": ..}, ..],
//      "top": {"category": "lock", "share": 0.6101},
//      "requests": {"requests_in": 20038, "requests_out": 1002, "p50_ns": 8400000,
//        "p99_ns": 623000000, "spark": [..], "types": [{"type": "shop.Request", "requests_in": ..,
//        "requests_out": .., "p50_ns": .., "p99_ns": ..}, ..], "top": {..}},
//      "today": {"bytes": 20300, "daily_bytes": 20000, "batches_put_off": 12}}, ..],
//    "is_truncated": false}
//
// Services are sorted by name, versions with the newest first. `requests` has the same members for
// requests as the service has for contexts. spark is the p99 of each column; null without contexts.
// top is of the type whose kept contexts took the most time: the category with the largest share of
// that time; null if unknown. today is missing if no data came in today. daily_bytes is the quota,
// or null; batches_put_off is the number of batches that it delayed.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/ask/test_service_list.c
// Memory:  that of the rollups' types (rollup.h), and some 4 KB for each column of each service

#pragma once

#include "collector/ask/sums/time_columns.h"
#include "collector/store/catalog/catalog_days.h"
#include "common/base/lp_names.h"
#include "common/rollup/rollup.h"

enum {
    SERVICE_LIST_MAX = 1000,        // services; is_truncated if there are more
    SERVICE_LIST_VERSIONS_MAX = 32, // of a service; is_truncated if there are more
};

typedef struct service_list_item {
    char *name;
    uint64_t jvms;
    json_t *versions; // array; NULL: none
    rollup total;
    rollup sums;                    // owns the memory of spark
    histogram *spark[ROLLUP_UNITS]; // by unit, each by column
    bool has_today;
    catalog_day today; // service is not set
} service_list_item;

typedef struct service_list {
    time_columns columns;
    LP_VEC(service_list_item *) items;
    lp_names names;
    bool is_truncated;
} service_list;

void service_list_init(service_list *list, const time_columns *columns);
void service_list_fini(service_list *list);

// service_list_add_jvms adds count JVMs of a service. Errors: LP_ENOMEM
LP_MUST_USE lp_err service_list_add_jvms(service_list *list, const char *service, uint64_t count);

// service_list_add_version adds a version with count JVMs to a service, if the service is listed.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err service_list_add_version(
    service_list *list, const char *service, const char *version, uint64_t count);

// service_list_add adds a rollup of a service and a column. Errors: LP_ENOMEM
LP_MUST_USE lp_err service_list_add(
    service_list *list, const char *service, size_t column, const rollup *found);

// service_list_note_today sets the day of a service, if the service is listed. list is a
// service_list.
void service_list_note_today(void *list, const catalog_day *today);

// service_list_json sorts the services and returns the JSON object, which the caller owns; NULL if
// memory ran out.
json_t *service_list_json(service_list *list);
