// SPDX-License-Identifier: Apache-2.0
// accounting_class: the event type dev.loupe.Accounting: startTime, duration, offered, kept, a
// number for each compact_reason, in their order, and eventTypes (a text).
//
// Threads: one thread at a time.

#ifndef LP_ENGINE_WRITE_ACCOUNTING_CLASS_H
#define LP_ENGINE_WRITE_ACCOUNTING_CLASS_H

#include "engine/write/classes.h"

#include <stdint.h>

// compact_accounting_class_add adds the event type, or uses the one that the input has.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_accounting_class_add(compact_classes *classes, uint64_t *out_id);

#endif // LP_ENGINE_WRITE_ACCOUNTING_CLASS_H
