// SPDX-License-Identifier: Apache-2.0
// shown_fields: the fields in which events show their contexts, where the context style is `fields`
// or `ref` (style.h).
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/show/test_style.c

#ifndef LP_ENGINE_WRITE_SHOWN_FIELDS_H
#define LP_ENGINE_WRITE_SHOWN_FIELDS_H

#include "engine/read/schema.h"
#include "engine/show/style.h"
#include "engine/write/classes.h"

// compact_shown_fields_add adds the fields to the event types that are used. With the style `ref`
// it adds the type of the constants to which events refer: type (its name), startTime, a field for
// each column, parent (of the same type), truncated. Texts are constants of loupe.Text, which
// readers show as texts: unlike those of java.lang.String, grafana/jfr-parser can skip them.
// Numbers and booleans are constants of loupe.Long and so on: a field of a primitive type could not
// be absent. Returns the ids of these types. schema is the chunk's. Where memory runs out, the
// arena of classes fails.
compact_style_types compact_shown_fields_add(
    const compact_style *style, const compact_schema *schema, compact_classes *classes);

#endif // LP_ENGINE_WRITE_SHOWN_FIELDS_H
