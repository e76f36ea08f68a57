// SPDX-License-Identifier: Apache-2.0
// policy_store: what a policy holds: every setting of its files as text, and by event type what
// Loupe makes of its own.
//
// Threads: built by one thread, then used by any.
// Tests:   tests/unit/policy/test_policy.c

#ifndef LP_POLICY_POLICY_STORE_H
#define LP_POLICY_POLICY_STORE_H

#include "common/base/lp_vec.h"
#include "policy/policy_name.h"
#include "policy/policy_requests.h"
#include "policy/policy_setting.h"
#include "policy/policy_types.h"

#include <stdatomic.h>

typedef struct policy_line {
    char *event; // name or pattern; owned, and the two others with it
    const char *setting;
    const char *value; // what stands in for it, where it is one of Loupe's and invalid
    unsigned long number;
} policy_line;

// The settings of an event type, or of the types of a pattern. Each atomic stands alone, so relaxed
// order will do.
typedef struct policy_entry {
    char *name;    // as its first line has it
    char *spelled; // as recordings have it (policy_name.h)
    policy_event event;
    uint32_t first_line;                  // the index of its first line, of whatever setting
    uint32_t lines[POLICY_SETTING_COUNT]; // by setting: 1 + the index of its line, 0: not set
    atomic_uint reported; // a bit by setting, and POLICY_STORE_UNMET_BIT (policy_check.c)
    atomic_bool is_met;   // some JVM has had such a type
} policy_entry;

enum { POLICY_STORE_UNMET_BIT = POLICY_SETTING_COUNT };

struct policy {
    LP_VEC(policy_line) lines;        // in the order of the files
    LP_VEC(policy_entry) types;       // by spelled
    LP_VEC(policy_entry) patterns;    // in the order of the files
    policy_requests requests;         // of the type of that name
    char *path;                       // of the last file read, or NULL
    bool is_told;                     // see policy_set_told
    bool is_unmet_over;               // policy_check_unmet is done with it.
    atomic_int_fast64_t used_wall_ns; // since when it has decided chunks (policy_check_unmet); 0:
                                      // it has decided none
};

// policy_store_add adds a setting, and says in *out_invalid whether its value is invalid.
// Errors: LP_ELIMIT over POLICY_EVENTS_MAX or POLICY_PATTERNS_MAX, of a told policy over its own
// limits; LP_ENOMEM
LP_MUST_USE lp_err policy_store_add(
    policy *policy, const policy_line *line, policy_invalid *out_invalid);

// policy_store_set_path remembers which file is being read, for messages. Errors: LP_ENOMEM
LP_MUST_USE lp_err policy_store_set_path(policy *policy, const char *path);

// policy_store_measure returns how many bytes of memory a policy takes, about.
size_t policy_store_measure(const policy *policy);

// policy_store_find_type returns the entry of an event type's own name, or NULL.
policy_entry *policy_store_find_type(const policy *policy, const policy_name *name);

// policy_store_has_for returns whether the entry has a setting for contextual (or plain) types.
bool policy_store_has_for(const policy_entry *entry, size_t setting, bool is_contextual);

// policy_store_find_source returns the entry from which an event type of that kind has a setting;
// NULL: it has the default.
policy_entry *policy_store_find_source(
    const policy *policy, const policy_name *name, bool is_contextual, size_t setting);

// policy_store_matches returns whether a pattern of the policy is one of the name.
bool policy_store_matches(const policy_entry *pattern, const policy_name *name);

#endif // LP_POLICY_POLICY_STORE_H
