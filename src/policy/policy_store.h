// SPDX-License-Identifier: Apache-2.0
// policy_store: the data of a policy: all settings of its files as text, and the values of Loupe's
// settings by event type.
//
// Threads: built by one thread, then used by any.
// Tests:   tests/unit/policy/test_policy.c

#pragma once

#include "common/base/lp_vec.h"
#include "policy/policy_name.h"
#include "policy/policy_requests.h"
#include "policy/policy_setting.h"
#include "policy/policy_types.h"

#include <stdatomic.h>

typedef struct policy_line {
    char *event; // name or pattern; owns the memory of all three texts
    const char *setting;
    const char *value; // the one that is used, if an invalid value was replaced
    unsigned long number;
} policy_line;

// The settings of an event type or a pattern. The atomics are independent: relaxed order suffices.
typedef struct policy_entry {
    char *name;    // as its first line has it
    char *spelled; // as recordings have it (policy_name.h)
    policy_event event;
    uint32_t first_line;                  // the index of its first line
    uint32_t lines[POLICY_SETTING_COUNT]; // by setting: 1 + the index of its line, 0: not set
    atomic_uint reported; // a bit by setting, and POLICY_STORE_UNMET_BIT (policy_check.c)
    atomic_bool is_met;   // a JVM had such a type
} policy_entry;

enum { POLICY_STORE_UNMET_BIT = POLICY_SETTING_COUNT };

struct policy {
    LP_VEC(policy_line) lines;        // in the order of the files
    LP_VEC(policy_entry) types;       // sorted by `spelled`
    LP_VEC(policy_entry) patterns;    // in the order of the files
    policy_requests requests;         // of dev.loupe.Request
    char *path;                       // of the last file read, or NULL
    bool is_told;                     // policy_set_told
    bool is_unmet_over;               // policy_check_unmet logs no more
    atomic_int_fast64_t used_wall_ns; // the first call of policy_check_unmet; 0: none yet
};

// policy_store_add adds a setting, and writes the result of checking its value to *out_invalid.
// Errors: LP_ELIMIT over POLICY_EVENTS_MAX or POLICY_PATTERNS_MAX, or POLICY_TOLD_... if is_told;
//         LP_ENOMEM
LP_MUST_USE lp_err policy_store_add(
    policy *policy, const policy_line *line, policy_invalid *out_invalid);

// policy_store_set_path sets the path for messages. Errors: LP_ENOMEM
LP_MUST_USE lp_err policy_store_set_path(policy *policy, const char *path);

// policy_store_measure returns about how many bytes of memory a policy takes.
size_t policy_store_measure(const policy *policy);

// policy_store_get returns an entry by its index, types before patterns; NULL after the last.
policy_entry *policy_store_get(const policy *policy, size_t index);

// policy_store_find_type returns the entry of an event type's own name; NULL: none.
policy_entry *policy_store_find_type(const policy *policy, const policy_name *name);

// policy_store_has_for returns whether the entry has a setting for contextual (or plain) types.
bool policy_store_has_for(const policy_entry *entry, size_t setting, bool is_contextual);

// policy_store_find_source returns the entry from which an event type of that kind gets a setting;
// NULL: the type has the default.
policy_entry *policy_store_find_source(
    const policy *policy, const policy_name *name, bool is_contextual, size_t setting);

// policy_store_matches returns whether a pattern of the policy matches a name.
bool policy_store_matches(const policy_entry *pattern, const policy_name *name);
