// SPDX-License-Identifier: Apache-2.0
// policy_requests: the settings of the event type dev.loupe.Request, which define requests and
// select the requests that are kept.
//
//   request-keep  parts, whole: whether a request is kept with all its parts if an event is kept in
//                 one of the parts
//   keep-slow     off, or a timespan above 0: keep requests that took at least as long
//   keep-slowest  off, or a number in a time ("10/m"): keep the slowest of each type and route
//   keep-rare     off, or a number in a time: keep at least as many of each type and route
//   keep, drop    off, or conditions: filters (policy_filter.h) of has-key and has-entry, joined by
//                 `or`, for the attributes of a request
//   budget        off, or bytes in a time ("100M/h"): how much the rules may add to a recording
//   request-by    off, or attributes with the same value in all contexts of a request; the syntax
//                 is that of policy_index.h
//   request       outermost, or the name of a context type: each of its contexts is a request
//
// A time is m, h or d. Only lines with the type's own name count, not patterns.
//
// Threads: made by one thread, then used by any.

#pragma once

#include "policy/policy_filter.h"
#include "policy/policy_index.h"
#include "policy/policy_types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define POLICY_REQUESTS_EVENT "dev.loupe.Request"

// The highest number in keep-slowest and keep-rare.
enum { POLICY_REQUESTS_COUNT_MAX = 100 };

// {0} has the defaults: each part is kept or dropped by itself.
typedef struct policy_requests {
    bool is_whole;   // request-keep
    int64_t slow_ns; // keep-slow; 0: off
    // In these three per_ns is 0 if the setting is off; else count is at least 1.
    policy_throttle slowest;       // keep-slowest
    policy_throttle rare;          // keep-rare
    policy_throttle budget;        // count is bytes
    const policy_filter_any *keep; // NULL: none
    const policy_filter_any *drop; // NULL: none
    const policy_index *by;        // NULL: none
    const char *unit;              // name of a type; NULL: the outermost context
} policy_requests;

typedef struct policy_requests_setting {
    const char *name;
    bool (*read)(void *field, const char *value); // as policy_requests_apply
    size_t offset;                                // of the value in policy_requests
    const char *valid;                            // the valid values, as text for users
    const char *stand_in;                         // used in place of an invalid value
} policy_requests_setting;

// policy_requests_keeps returns whether some setting keeps whole requests.
bool policy_requests_keeps(const policy_requests *requests);

// policy_requests_get returns a setting by its index; NULL after the last.
const policy_requests_setting *policy_requests_get(size_t index);

// policy_requests_find returns a setting of an event type by its name; NULL if it is not a setting
// for requests.
const policy_requests_setting *policy_requests_find(const char *event_type_name, const char *name);

// policy_requests_apply sets the value. If the value is not valid, it sets the default and returns
// false.
bool policy_requests_apply(
    const policy_requests_setting *setting, policy_requests *requests, const char *value);

// policy_requests_fini frees the values.
void policy_requests_fini(policy_requests *requests);
