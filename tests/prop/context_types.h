// SPDX-License-Identifier: Apache-2.0
// context_types: the context types of random sessions: 1 is "tracer", 2 is "order". Both have a
// long n, the number of the record that begins a context.

#ifndef LP_TESTS_PROP_CONTEXT_TYPES_H
#define LP_TESTS_PROP_CONTEXT_TYPES_H

#include "common/context/ctx_type.h"

extern const ctx_type prop_context_types[2];

#endif // LP_TESTS_PROP_CONTEXT_TYPES_H
