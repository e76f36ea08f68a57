// SPDX-License-Identifier: Apache-2.0
// accounting_class: the event type dev.loupe.Accounting: startTime, duration, offered, kept, a
// number for each compact_reason, in their order, and eventTypes (a text).
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/write/test_account.c

#ifndef LP_ENGINE_WRITE_ACCOUNTING_CLASS_H
#define LP_ENGINE_WRITE_ACCOUNTING_CLASS_H

#include "engine/write/classes.h"

#include <stdint.h>

// compact_accounting_class_add adds the event type, or uses the one that the input has, and returns
// its id. A failure is that of the arena.
uint64_t compact_accounting_class_add(compact_classes *classes);

#endif // LP_ENGINE_WRITE_ACCOUNTING_CLASS_H
