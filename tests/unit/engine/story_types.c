// SPDX-License-Identifier: Apache-2.0
// The types of a story.

#include "story.h"

#define EVENT "jdk.jfr.Event"
#define FIELD(n, t)                                                                                \
    {                                                                                              \
        .name = n, .type = t                                                                       \
    }
#define ARRAY(n, t)                                                                                \
    {                                                                                              \
        .name = n, .type = t, .is_array = true                                                     \
    }
#define CONSTANT(n, t)                                                                             \
    {                                                                                              \
        .name = n, .type = t, .is_constant = true                                                  \
    }
#define CONSTANTS(n, t)                                                                            \
    {                                                                                              \
        .name = n, .type = t, .is_constant = true, .is_array = true                                \
    }
#define START FIELD("startTime", STORY_LONG)
#define ON    CONSTANT("eventThread", STORY_THREAD)

const jfr_build_type story_types[STORY_TYPES] = {
    {.id = STORY_BOOLEAN, .name = "boolean"},
    {.id = STORY_BYTE, .name = "byte"},
    {.id = STORY_CHAR, .name = "char"},
    {.id = STORY_SHORT, .name = "short"},
    {.id = STORY_INT, .name = "int"},
    {.id = STORY_LONG, .name = "long"},
    {.id = STORY_FLOAT, .name = "float"},
    {.id = STORY_DOUBLE, .name = "double"},
    {.id = STORY_STRING, .name = "java.lang.String"},
    {.id = STORY_THREAD,
        .name = "java.lang.Thread",
        .fields = {FIELD("osThreadId", STORY_LONG), FIELD("javaName", STORY_STRING),
            FIELD("javaThreadId", STORY_LONG)}},
    {.id = STORY_SYMBOL,
        .name = "jdk.types.Symbol",
        .is_simple = true,
        .fields = {FIELD("string", STORY_STRING)}},
    {.id = STORY_CLASS,
        .name = "java.lang.Class",
        .fields = {CONSTANT("name", STORY_SYMBOL), CONSTANTS("others", STORY_SYMBOL),
            FIELD("leaf", STORY_LEAF)}},
    {.id = STORY_LEAF,
        .name = "test.Leaf",
        .fields = {FIELD("flag", STORY_BYTE), FIELD("tag", STORY_STRING),
            CONSTANT("symbol", STORY_SYMBOL)}},
    {.id = STORY_BRANCH,
        .name = "test.Branch",
        .fields = {FIELD("leaf", STORY_LEAF), ARRAY("leaves", STORY_LEAF),
            ARRAY("names", STORY_STRING), FIELD("weight", STORY_DOUBLE)}},
    {.id = STORY_TREE,
        .name = "test.Tree",
        .fields = {FIELD("trunk", STORY_BRANCH), ARRAY("branches", STORY_BRANCH),
            FIELD("age", STORY_SHORT)}},
    {.id = STORY_WOOD,
        .name = "test.Wood",
        .fields = {ARRAY("trees", STORY_TREE), CONSTANT("owner", STORY_CLASS)}},
    {.id = STORY_CONTEXTUAL, .name = "any.Contextual", .super = "java.lang.annotation.Annotation"},
    {.id = STORY_MARKED, .name = "any.Marked", .super = "java.lang.annotation.Annotation"},
    {.id = STORY_SCALARS,
        .name = "test.Scalars",
        .super = EVENT,
        .annotation = STORY_MARKED,
        .fields = {START, FIELD("duration", STORY_LONG), ON, FIELD("z", STORY_BOOLEAN),
            FIELD("b", STORY_BYTE), FIELD("c", STORY_CHAR), FIELD("s", STORY_SHORT),
            FIELD("i", STORY_INT)}},
    {.id = STORY_TEXTS,
        .name = "test.Texts",
        .super = EVENT,
        .fields = {START, ON, FIELD("f", STORY_FLOAT), FIELD("text", STORY_STRING),
            FIELD("d", STORY_DOUBLE), CONSTANT("symbol", STORY_SYMBOL),
            CONSTANT("class", STORY_CLASS), FIELD("more", STORY_STRING)}},
    {.id = STORY_NUMBER_LISTS,
        .name = "test.NumberLists",
        .super = EVENT,
        .fields = {START, ON, ARRAY("booleans", STORY_BOOLEAN), ARRAY("bytes", STORY_BYTE),
            ARRAY("shorts", STORY_SHORT), ARRAY("ints", STORY_INT), ARRAY("longs", STORY_LONG),
            ARRAY("doubles", STORY_DOUBLE)}},
    {.id = STORY_OTHER_LISTS,
        .name = "test.OtherLists",
        .super = EVENT,
        .fields = {START, ARRAY("floats", STORY_FLOAT), ARRAY("chars", STORY_CHAR),
            ARRAY("texts", STORY_STRING), CONSTANTS("classes", STORY_CLASS),
            ARRAY("leaves", STORY_LEAF), CONSTANTS("threads", STORY_THREAD), ON}},
    {.id = STORY_NESTED,
        .name = "test.Nested",
        .super = EVENT,
        .fields = {START, FIELD("duration", STORY_LONG), FIELD("wood", STORY_WOOD), ON,
            FIELD("leaf", STORY_LEAF)}},
    {.id = STORY_TIMELESS,
        .name = "test.Timeless",
        .super = EVENT,
        .fields = {FIELD("number", STORY_LONG), FIELD("text", STORY_STRING)}},
    {.id = STORY_INSTANT,
        .name = "test.Instant",
        .super = EVENT,
        .fields = {START, FIELD("n", STORY_INT)}},
    {.id = STORY_TRACE,
        .name = "test.Trace",
        .super = EVENT,
        .fields = {START, FIELD("duration", STORY_LONG), ON,
            {.name = "id", .type = STORY_LONG, .annotation = STORY_CONTEXTUAL}}},
};
