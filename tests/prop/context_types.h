// SPDX-License-Identifier: Apache-2.0
// context_types: the context types of random sessions: 1 is "tracer", 2 is "order". Both have a
// long n, the number of the record that begins a context.

#pragma once

#include "common/context/ctx_type.h"

extern const ctx_type prop_context_types[2];
