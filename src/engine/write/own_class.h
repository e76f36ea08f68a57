// SPDX-License-Identifier: Apache-2.0
// own_class: event types of Loupe's own, which say something of the recording:
// dev.loupe.Accounting, dev.loupe.RequestAccounting, dev.loupe.Loss and dev.loupe.ContextAttribute.
// Their fields are numbers and texts, startTime first and then, if there is one, duration; they are
// in the category Loupe.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/write/test_account.c

#ifndef LP_ENGINE_WRITE_OWN_CLASS_H
#define LP_ENGINE_WRITE_OWN_CLASS_H

#include "engine/write/classes.h"

#include <stddef.h>
#include <stdint.h>

typedef struct compact_own_field {
    const char *name;
    const char *type;
    const char *label;
} compact_own_field;

typedef struct compact_own_class {
    const char *name;
    const char *label;
    const char *description;
    uint64_t wanted_id; // or the next one below that is free, but none of the known types'
    const compact_own_field *fields;
    size_t field_count;
} compact_own_class;

// compact_own_class_add adds the event type, or uses the one that the input has of that name with
// exactly these fields, and returns its id: once for a chunk. The input may have others of the
// name, of other versions.
uint64_t compact_own_class_add(compact_classes *classes, const compact_own_class *own);

#endif // LP_ENGINE_WRITE_OWN_CLASS_H
