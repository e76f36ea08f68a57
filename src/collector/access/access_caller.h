// SPDX-License-Identifier: Apache-2.0

// access_caller: who asks for something, by the rules that were in force when it began to ask. {0}
// is everybody where nobody is asked for a token, and may do everything.
//
// Threads: a value; it may be read by any thread.
// Tests:   tests/unit/collector/access/test_access_caller.c

#ifndef LP_COLLECTOR_ACCESS_ACCESS_CALLER_H
#define LP_COLLECTOR_ACCESS_ACCESS_CALLER_H

#include "collector/access/access_rules.h"

#include <stdbool.h>

typedef struct access_caller {
    access_rules *rules; // a reference; NULL: nobody is asked
    const access_rule *rule;
} access_caller;

// access_caller_copy returns the same caller, which is ended by itself.
access_caller access_caller_copy(const access_caller *caller);
void access_caller_fini(access_caller *caller);

// access_caller_may returns whether it has a right for a service; of NULL, for all of them.
bool access_caller_may(const access_caller *caller, access_right right, const char *service);

// access_caller_has returns whether it has a right for any service at all.
bool access_caller_has(const access_caller *caller, access_right right);

// access_caller_get_name returns the name of its identity, "" where nobody is asked.
const char *access_caller_get_name(const access_caller *caller);

#endif // LP_COLLECTOR_ACCESS_ACCESS_CALLER_H
