// SPDX-License-Identifier: Apache-2.0
// policy_keep: limits of the age and bytes of a service's chunks, of the bytes that its agents may
// send a day, how long its raw data is kept, and what is pinned by itself. They come from a file
// with lines such as
//
//   # the shop needs a month
//   age 30d
//   bytes 5G
//   daily 20G
//   recall 15m
//   pin-when crash
//   pin-when p99>1s for 1m
//   pin-pause 30m
//   recall-budget 2G/h
//   trace whole
//
// Each line may be missing. `infinity` means no limit, `recall none` that no raw data is kept,
// `pin-when none` that nothing is pinned, `trace none` that traces are kept as the policies decide.
// Only `pin-when` may be there twice: with `crash`, and with one rule of latency.
//
// Threads: any thread; pure functions, apart from reading the file.
// Tests:   tests/unit/policy/test_policy_keep.c

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stdint.h>

#define POLICY_KEEP_AGES "an age such as 7d, in s, m, h or d"
#define POLICY_PIN_RULES "p99>1s for 1m (p50, p90, p95, p99 or p999; whole minutes up to 30m)"

enum {
    POLICY_KEEP_NO_RECALL = -1,
    POLICY_KEEP_PAUSE_S_MAX = 3600, // pins are remembered as long (PINS_FORGET_S)
    POLICY_PIN_RULE_MINUTES_MAX = 30,
    POLICY_PIN_RULE_BYTES = 64, // of a rule's text
};

// The lines `pin-when`, as bits. 0: there is none.
typedef enum policy_keep_pin {
    POLICY_KEEP_PIN_NONE = 1,
    POLICY_KEEP_PIN_CRASH = 2,   // the last minutes of a JVM that was killed or crashed
    POLICY_KEEP_PIN_LATENCY = 4, // as pin_rule says
} policy_keep_pin;

typedef enum policy_keep_trace {
    POLICY_KEEP_TRACE_UNSET,
    POLICY_KEEP_TRACE_NONE,
    POLICY_KEEP_TRACE_WHOLE, // if a part of a trace is kept, other JVMs keep theirs
} policy_keep_trace;

// A rule in a line `pin-when`, which pins a service when it is slow.
typedef struct policy_pin_rule {
    unsigned permille; // of the requests that are not slower, such as 990; 0: there is no rule
    unsigned minutes;  // in a row
    int64_t over_ns;
} policy_pin_rule;

typedef struct policy_keep {
    int64_t age_ns;       // 0: not set; INT64_MAX: no limit
    uint64_t bytes;       // 0: not set
    uint64_t daily_bytes; // of a day in UTC; 0: not set
    int64_t recall_ns; // of raw data; 0: not set; POLICY_KEEP_NO_RECALL: none; INT64_MAX: no limit
    unsigned pin_when; // of policy_keep_pin
    policy_pin_rule pin_rule;     // {0}: none
    int64_t pin_pause_ns;         // between two pins by pin_rule; 0: not set
    uint64_t recall_budget_bytes; // of an hour, for pins by rules and whole traces; 0: not set
    policy_keep_trace trace;
} policy_keep;

// policy_keep_age reads an age above 0. False, and nothing is written, for any other text.
bool policy_keep_age(const char *text, int64_t *out_ns);

// policy_pin_rule_parse reads a rule, with or without blanks around '>' and in the timespans.
// Returns false, and writes nothing, if the text is none.
bool policy_pin_rule_parse(const char *text, policy_pin_rule *out);

// policy_pin_rule_name returns the name of a rule's percentile, such as p99.
const char *policy_pin_rule_name(const policy_pin_rule *rule);

// policy_pin_rule_format writes a rule, such as "p99>1s for 1m".
void policy_pin_rule_format(const policy_pin_rule *rule, char out_text[POLICY_PIN_RULE_BYTES]);

// policy_keep_parse reads the text of the file at path.
// Errors: LP_ECORRUPT, with the path and the line of the first mistake; LP_ENOMEM
LP_MUST_USE lp_err policy_keep_parse(
    const char *path, lp_slice text, policy_keep *out, lp_problem *out_problem);

// policy_keep_read reads a file. Errors: as policy_text_load and policy_keep_parse
LP_MUST_USE lp_err policy_keep_read(const char *path, policy_keep *out, lp_problem *out_problem);
