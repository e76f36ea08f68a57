// SPDX-License-Identifier: Apache-2.0
// shown_fields: the fields that show the contexts of an event in the styles `fields` and `ref`
// (style.h).
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/show/test_style.c

#pragma once

#include "engine/read/schema.h"
#include "engine/show/style.h"
#include "engine/write/classes.h"

// compact_shown_fields_add adds the fields to the used event types, and returns the ids of the
// types of their constants. Errors: in the arena of classes
//
// ref     references to constants with type (a name), startTime, a field for each column, parent
//         (of the same type) and truncated
// texts   constants of loupe.Text, which readers show as texts; grafana/jfr-parser cannot skip
//         those of java.lang.String
// numbers constants of loupe.Long and so on: primitive fields could not be absent
compact_style_types compact_shown_fields_add(
    const compact_style *style, const compact_schema *schema, compact_classes *classes);
