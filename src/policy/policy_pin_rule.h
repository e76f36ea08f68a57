// SPDX-License-Identifier: Apache-2.0
// policy_pin_rule: a rule in a .keep file (policy_keep.h) that pins a service when it is slow:
//
//   p99>1s for 1m    p50, p90, p95, p99 or p999; whole minutes
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/policy/test_policy_keep.c

#pragma once

#include <stdbool.h>
#include <stdint.h>

#define POLICY_PIN_RULES "p99>1s for 1m (p50, p90, p95, p99 or p999; whole minutes up to 30m)"

enum {
    POLICY_PIN_RULE_MINUTES_MAX = 30,
    POLICY_PIN_RULE_BYTES = 64, // of a rule's text
};

typedef struct policy_pin_rule {
    unsigned permille; // of the requests that are not slower, such as 990; 0: there is no rule
    unsigned minutes;  // in a row
    int64_t over_ns;
} policy_pin_rule;

// policy_pin_rule_parse reads a rule, with or without blanks around '>' and in the timespans.
// Returns false, and writes nothing, if the text is none.
bool policy_pin_rule_parse(const char *text, policy_pin_rule *out);

// policy_pin_rule_name returns the name of a rule's percentile, such as p99.
const char *policy_pin_rule_name(const policy_pin_rule *rule);

// policy_pin_rule_format writes a rule, such as "p99>1s for 1m".
void policy_pin_rule_format(const policy_pin_rule *rule, char out_text[POLICY_PIN_RULE_BYTES]);
