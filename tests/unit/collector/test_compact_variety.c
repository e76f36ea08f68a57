// SPDX-License-Identifier: Apache-2.0
// Promised: it does not matter how a chunk says what it says. One story (events with every kind of
// field) is told in the plainest way, and then in every other way that the format allows: other
// versions, ids, places and numbers of metadata and constants, encodings longer than they need be,
// and things in between that mean nothing. What the engine makes of each must read, by a reader of
// the tests' own, like what the plain way says, and hold as many constants and types.

#include "support/compact_run.h"
#include "support/jfr_build.h"
#include "support/jfr_read.h"

#include "common/base/lp_assert.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef enum place { FIRST, AMID, LAST, SPREAD } place; // SPREAD: constants only
typedef enum chain { CHAIN_RIGHT, CHAIN_ZERO, CHAIN_WRONG } chain;

typedef struct telling {
    const char *name;
    uint8_t major; // 0: 2.1
    uint8_t minor;
    place metadata;
    place constants;
    bool is_metadata_split;      // each of two metadata events lacks types that the other has
    bool is_metadata_repeated;   // the same one twice
    bool is_redefined;           // each constant is defined again, otherwise, in the end
    bool has_vague_header;       // the offset of the checkpoint is that of the first
    bool has_unsigned_ids;       // ids in metadata as unsigned decimal numbers
    bool has_unknown_events;     // of types that nothing describes, between the others
    bool has_unknown_annotation; // annotations and settings of types that nothing describes
    bool has_empty_pools;    // also of types that nothing describes; and checkpoints without any
    bool has_trailing_bytes; // behind the fields of each event
    chain chain;
    uint64_t type_bias; // added to every type id above 1
    uint64_t key_bias;  // added to every key but 0
    size_t size_width;  // these make numbers longer than they need be
    size_t type_width;
    size_t value_width;
} telling;

// --- Types

enum {
    BOOLEAN = 2,
    BYTE,
    CHAR,
    SHORT,
    INT,
    LONG,
    FLOAT,
    DOUBLE,
    STRING,
    THREAD,
    SYMBOL,
    CLASS,
    LEAF,
    BRANCH,
    TREE,
    WOOD,
    CONTEXTUAL,
    MARKED, // an annotation
    SCALARS,
    TEXTS,
    NUMBER_LISTS,
    OTHER_LISTS,
    NESTED,
    TIMELESS,
    INSTANT,
    TRACE,
    NOBODY = 7777, // no type has that
};

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
#define START FIELD("startTime", LONG)
#define ON    CONSTANT("eventThread", THREAD)

static const jfr_build_type story_types[] = {
    {.id = BOOLEAN, .name = "boolean"},
    {.id = BYTE, .name = "byte"},
    {.id = CHAR, .name = "char"},
    {.id = SHORT, .name = "short"},
    {.id = INT, .name = "int"},
    {.id = LONG, .name = "long"},
    {.id = FLOAT, .name = "float"},
    {.id = DOUBLE, .name = "double"},
    {.id = STRING, .name = "java.lang.String"},
    {.id = THREAD,
        .name = "java.lang.Thread",
        .fields = {FIELD("osThreadId", LONG), FIELD("javaName", STRING),
            FIELD("javaThreadId", LONG)}},
    {.id = SYMBOL, .name = "jdk.types.Symbol", .fields = {FIELD("string", STRING)}},
    {.id = CLASS,
        .name = "java.lang.Class",
        .fields = {CONSTANT("name", SYMBOL), CONSTANTS("others", SYMBOL), FIELD("leaf", LEAF)}},
    {.id = LEAF,
        .name = "test.Leaf",
        .fields = {FIELD("flag", BYTE), FIELD("tag", STRING), CONSTANT("symbol", SYMBOL)}},
    {.id = BRANCH,
        .name = "test.Branch",
        .fields = {FIELD("leaf", LEAF), ARRAY("leaves", LEAF), ARRAY("names", STRING),
            FIELD("weight", DOUBLE)}},
    {.id = TREE,
        .name = "test.Tree",
        .fields = {FIELD("trunk", BRANCH), ARRAY("branches", BRANCH), FIELD("age", SHORT)}},
    {.id = WOOD, .name = "test.Wood", .fields = {ARRAY("trees", TREE), CONSTANT("owner", CLASS)}},
    {.id = CONTEXTUAL, .name = "any.Contextual", .super = "java.lang.annotation.Annotation"},
    {.id = MARKED, .name = "any.Marked", .super = "java.lang.annotation.Annotation"},
    {.id = SCALARS,
        .name = "test.Scalars",
        .super = EVENT,
        .annotation = MARKED,
        .fields = {START, FIELD("duration", LONG), ON, FIELD("z", BOOLEAN), FIELD("b", BYTE),
            FIELD("c", CHAR), FIELD("s", SHORT), FIELD("i", INT)}},
    {.id = TEXTS,
        .name = "test.Texts",
        .super = EVENT,
        .fields = {START, ON, FIELD("f", FLOAT), FIELD("text", STRING), FIELD("d", DOUBLE),
            CONSTANT("symbol", SYMBOL), CONSTANT("class", CLASS), FIELD("more", STRING)}},
    {.id = NUMBER_LISTS,
        .name = "test.NumberLists",
        .super = EVENT,
        .fields = {START, ON, ARRAY("booleans", BOOLEAN), ARRAY("bytes", BYTE),
            ARRAY("shorts", SHORT), ARRAY("ints", INT), ARRAY("longs", LONG),
            ARRAY("doubles", DOUBLE)}},
    {.id = OTHER_LISTS,
        .name = "test.OtherLists",
        .super = EVENT,
        .fields = {START, ARRAY("floats", FLOAT), ARRAY("chars", CHAR), ARRAY("texts", STRING),
            CONSTANTS("classes", CLASS), ARRAY("leaves", LEAF), CONSTANTS("threads", THREAD), ON}},
    {.id = NESTED,
        .name = "test.Nested",
        .super = EVENT,
        .fields = {START, FIELD("duration", LONG), FIELD("wood", WOOD), ON, FIELD("leaf", LEAF)}},
    {.id = TIMELESS,
        .name = "test.Timeless",
        .super = EVENT,
        .fields = {FIELD("number", LONG), FIELD("text", STRING)}},
    {.id = INSTANT, .name = "test.Instant", .super = EVENT, .fields = {START, FIELD("n", INT)}},
    {.id = TRACE,
        .name = "test.Trace",
        .super = EVENT,
        .fields = {START, FIELD("duration", LONG), ON,
            {.name = "id", .type = LONG, .annotation = CONTEXTUAL}}},
};
enum { TYPE_COUNT = sizeof(story_types) / sizeof(story_types[0]) };

// What is asked of the engine: numbers only in a context, and contexts that hold something.
static const char policy_text[] =
    "<event name='test.NumberLists'><setting name='select'>if-context</setting></event>"
    "<event name='test.Instant'><setting name='enabled'>false</setting></event>";

// --- Values

typedef struct teller {
    const telling *t;
    jfr_build build;
    LP_VEC(struct told_constant {
        uint64_t type;
        uint64_t key;
        lp_buf value;
        lp_buf other; // for a second definition
    })
    constants;
    uint64_t first_checkpoint;
    size_t event_count;
} teller;

static uint64_t
type_of(const teller *w, uint64_t type)
{
    return type == 0 ? 0 : type + w->t->type_bias;
}

static uint64_t
key_of(const teller *w, uint64_t key)
{
    return key == 0 ? 0 : key + w->t->key_bias;
}

// put writes a number in as many bytes as the telling wants.
static void
put(teller *w, uint64_t value)
{
    size_t width = w->t->value_width;
    while (width < 9 && width > 0 && value >> (7 * width) != 0) {
        width++;
    }
    if (width == 0) {
        jfr_build_varint(&w->build.payload, value);
    } else {
        jfr_build_padded(&w->build.payload, value, width);
    }
}

static void
put_bytes(teller *w, const char *bytes, size_t count)
{
    lp_buf_append(&w->build.payload, bytes, count);
}

// put_text writes a text in one of the six encodings; what it says depends on n.
static void
put_text(teller *w, uint64_t n)
{
    static const char *const texts[] = {"a", "two words", "\xe2\x82\xac uro"};
    static const uint16_t units[] = {0x78, 0xd83d, 0xde00, 0x20ac, 0xe9};
    lp_buf *out = &w->build.payload;
    const char *text = texts[n / 6 % 3];
    switch (n % 6) {
    case 0:
        jfr_build_string(out, NULL);
        break;
    case 1:
        jfr_build_string(out, "");
        break;
    case 2:
        put_bytes(w, "\2", 1);
        put(w, key_of(w, 1 + n / 6 % 3));
        break;
    case 3:
        put_bytes(w, "\3", 1);
        put(w, strlen(text));
        put_bytes(w, text, strlen(text));
        break;
    case 4:
        put_bytes(w, "\4", 1);
        put(w, 2 + n / 6 % 4);
        for (size_t i = 0; i < 2 + n / 6 % 4; i++) {
            put(w, units[i]);
        }
        break;
    default:
        put_bytes(w, "\5", 1);
        put(w, 4);
        put_bytes(w, "caf\xe9", 4);
    }
}

static void
put_leaf(teller *w, uint64_t n)
{
    put_bytes(w, "\x80", 1);
    put_text(w, n);
    put(w, key_of(w, n % 4)); // symbol; 0: null
}

static void
put_branch(teller *w, uint64_t n)
{
    put_leaf(w, n);
    put(w, n % 3);
    for (uint64_t i = 0; i < n % 3; i++) {
        put_leaf(w, n + i);
    }
    put(w, n % 7);
    for (uint64_t i = 0; i < n % 7; i++) {
        put_text(w, n + i);
    }
    put_bytes(w, "\x40\x09\x21\xfb\x54\x44\x2d\x18", 8);
}

static void
put_wood(teller *w, uint64_t n)
{
    put(w, 2);
    for (uint64_t i = 0; i < 2; i++) {
        put_branch(w, n + i);
        put(w, i);
        for (uint64_t k = 0; k < i; k++) {
            put_branch(w, n + i + k);
        }
        put(w, 0xfff7); // -9
    }
    put(w, key_of(w, 3));
}

// --- Constants

static void
add_constant(teller *w, uint64_t type, uint64_t key, lp_buf other)
{
    struct told_constant *made = LP_VEC_PUSH(&w->constants);
    assert_non_null(made);
    *made = (struct told_constant){
        .type = type_of(w, type), .key = key_of(w, key), .value = w->build.payload, .other = other};
    w->build.payload = (lp_buf){0};
}

static lp_buf
take_payload(teller *w)
{
    lp_buf out = w->build.payload;
    w->build.payload = (lp_buf){0};
    return out;
}

static void
put_thread(teller *w, uint64_t key, uint64_t name)
{
    put(w, 1000 + key);
    put_text(w, name);
    put(w, key);
}

static void
put_class(teller *w, uint64_t key, bool is_other)
{
    put(w, key_of(w, is_other ? 0 : key));
    put(w, is_other ? 0 : 2);
    for (uint64_t i = 0; i < 2 && !is_other; i++) {
        put(w, key_of(w, 4 + i));
    }
    put_leaf(w, key);
}

// add_constants makes the threads and texts 1 to 4, the symbols 1 to 8 and the classes 1 to 5;
// nothing needs the last of each.
static void
add_constants(teller *w)
{
    for (uint64_t key = 1; key <= 4; key++) {
        put_thread(w, key, 4);
        lp_buf other = take_payload(w);
        put_thread(w, key, 6 * key + 3);
        add_constant(w, THREAD, key, other);
    }
    for (uint64_t key = 1; key <= 4; key++) {
        put_text(w, 1);
        lp_buf other = take_payload(w);
        put_text(w, 6 * key + 3 + key % 3);
        add_constant(w, STRING, key, other);
    }
    for (uint64_t key = 1; key <= 8; key++) {
        put_text(w, 5);
        lp_buf other = take_payload(w);
        put_text(w, 6 * key + 2 + key % 2);
        add_constant(w, SYMBOL, key, other);
    }
    for (uint64_t key = 1; key <= 5; key++) {
        put_class(w, key, true);
        lp_buf other = take_payload(w);
        put_class(w, key, false);
        add_constant(w, CLASS, key, other);
    }
}

static void
put_checkpoint_head(teller *w, uint64_t pool_count)
{
    uint64_t here = w->build.bytes.len;
    uint64_t before = w->build.checkpoint_offset;
    put(w, 5);
    put(w, 0);
    if (w->t->chain == CHAIN_RIGHT) {
        put(w, before == 0 ? 0 : before - here);
    } else {
        put(w, w->t->chain == CHAIN_ZERO ? 0 : 3);
    }
    put_bytes(w, "\7", 1);
    put(w, pool_count);
}

static void
end_checkpoint(teller *w)
{
    uint64_t offset = jfr_build_event(&w->build, 1);
    w->first_checkpoint = w->first_checkpoint == 0 ? offset : w->first_checkpoint;
    w->build.checkpoint_offset = offset;
}

// tell_constants writes those from first on, every step-th, in one checkpoint: one pool for each.
static void
tell_constants(teller *w, size_t first, size_t step, bool is_other)
{
    size_t count = (w->constants.count - first + step - 1) / step;
    put_checkpoint_head(w, count);
    for (size_t i = first; i < w->constants.count; i += step) {
        const struct told_constant *constant = &w->constants.items[i];
        const lp_buf *value = is_other ? &constant->other : &constant->value;
        put(w, constant->type);
        put(w, 1);
        put(w, constant->key);
        lp_buf_append(&w->build.payload, value->ptr, value->len);
    }
    end_checkpoint(w);
}

static void
tell_empty_pools(teller *w)
{
    put_checkpoint_head(w, 0);
    end_checkpoint(w);
    put_checkpoint_head(w, 3);
    put(w, type_of(w, THREAD));
    put(w, 0);
    put(w, NOBODY);
    put(w, 0);
    put(w, type_of(w, DOUBLE));
    put(w, 0);
    end_checkpoint(w);
}

// --- Metadata

// is_left_out says whether the first (or the second) of two metadata events lacks a type.
static bool
is_left_out(const teller *w, uint64_t type, bool is_first)
{
    return w->t->is_metadata_split && (is_first ? type == NESTED || type == WOOD : type == SCALARS);
}

static void
tell_metadata(teller *w, uint64_t id, bool is_first)
{
    jfr_build_type types[TYPE_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < TYPE_COUNT; i++) {
        if (is_left_out(w, story_types[i].id, is_first)) {
            continue;
        }
        jfr_build_type *type = &types[count++];
        *type = story_types[i];
        type->id = type_of(w, type->id);
        type->annotation = type_of(w, type->annotation);
        for (size_t k = 0; k < JFR_BUILD_FIELDS_MAX && type->fields[k].name != NULL; k++) {
            jfr_build_field *field = &type->fields[k];
            field->type = type_of(w, field->type);
            field->annotation = type_of(w, field->annotation);
            if (w->t->has_unknown_annotation && field->annotation == 0) {
                field->annotation = NOBODY + k;
            }
        }
        if (w->t->has_unknown_annotation) {
            type->setting = NOBODY;
        }
    }
    w->build.has_unsigned_ids = w->t->has_unsigned_ids;
    jfr_build_metadata(&w->build, id, types, count);
}

static void
tell_all_metadata(teller *w)
{
    tell_metadata(w, 1, true);
    if (w->t->is_metadata_repeated) {
        tell_metadata(w, 1, true);
    }
}

// --- Events

static void
end_event(teller *w, uint64_t type)
{
    if (w->t->has_trailing_bytes) {
        put_bytes(w, "\xff\xff\0rest", 7);
    }
    (void)jfr_build_event(&w->build, type_of(w, type));
    w->event_count++;
}

static void
tell_scalars(teller *w, uint64_t n)
{
    static const uint64_t ints[] = {0, 0xfffffff7, 0x7fffffff, 0x80000000};
    put(w, 100 + 10 * n);
    put(w, n % 2 == 0 ? 0 : 70000);
    put(w, key_of(w, 1 + n % 3));
    put_bytes(w, n % 2 == 0 ? "\0\x80" : "\1\x7f", 2);
    put(w, 0xffff - n);
    put(w, 0x8000 + n);
    put(w, ints[n % 4]);
    end_event(w, SCALARS);
}

static void
tell_texts(teller *w, uint64_t n)
{
    put(w, 100 + 10 * n);
    put(w, key_of(w, n % 4)); // 0: no thread
    put_bytes(w, "\x7f\xc0\0\0", 4);
    put_text(w, n);
    put_bytes(w, "\xff\xf0\0\0\0\0\0\1", 8);
    put(w, key_of(w, 1 + n % 7));
    put(w, key_of(w, 1 + n % 4));
    put_text(w, n + 1);
    end_event(w, TEXTS);
}

static void
tell_number_lists(teller *w, uint64_t n)
{
    put(w, 100 + 10 * n);
    put(w, key_of(w, 1 + n % 3));
    for (uint64_t field = 0; field < 6; field++) {
        uint64_t count = (n + field) % 4;
        put(w, count);
        for (uint64_t i = 0; i < count; i++) {
            if (field < 2) {
                put_bytes(w, i % 2 == 0 ? "\1" : "\xff", 1);
            } else if (field == 5) {
                put_bytes(w, "\x80\0\0\0\0\0\0\0", 8);
            } else {
                put(w, field == 4 ? UINT64_MAX - i : 0x8001 + i);
            }
        }
    }
    end_event(w, NUMBER_LISTS);
}

static void
tell_other_lists(teller *w, uint64_t n)
{
    put(w, 100 + 10 * n);
    for (uint64_t field = 0; field < 6; field++) {
        uint64_t count = (n + field) % 3;
        put(w, count);
        for (uint64_t i = 0; i < count; i++) {
            if (field == 0) {
                put_bytes(w, "\xbf\x80\0\0", 4);
            } else if (field == 1) {
                put(w, 0xffff);
            } else if (field == 2) {
                put_text(w, n + i);
            } else if (field == 4) {
                put_leaf(w, n + i);
            } else {
                put(w, key_of(w, 1 + i)); // classes, threads
            }
        }
    }
    put(w, key_of(w, 1 + n % 3));
    end_event(w, OTHER_LISTS);
}

static void
tell_nested(teller *w, uint64_t n)
{
    put(w, 100 + 10 * n);
    put(w, 3);
    put_wood(w, n);
    put(w, key_of(w, 1 + n % 3));
    put_leaf(w, n);
    end_event(w, NESTED);
}

static void
tell_short_ones(teller *w, uint64_t n)
{
    put(w, UINT64_MAX - n);
    put_text(w, n);
    end_event(w, TIMELESS);
    put(w, 100 + 10 * n);
    put(w, n);
    end_event(w, INSTANT);
    put(w, 95 + 10 * n); // around the other events n of its thread, or around nothing
    put(w, n % 2 == 0 ? 20 : 1);
    put(w, key_of(w, 1 + n % 3));
    put(w, n);
    end_event(w, TRACE);
}

static void
tell_unknown_events(teller *w, uint64_t n)
{
    (void)jfr_build_event(&w->build, w->t->type_bias + 5000 + n); // nothing but its head
    put_bytes(w, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", n % 11);
    (void)jfr_build_event(&w->build, UINT64_MAX - n);
}

enum { ROUNDS = 13 };

static void
tell_events(teller *w)
{
    for (uint64_t n = 0; n < ROUNDS; n++) {
        if (n == ROUNDS / 2 && w->t->metadata == AMID) {
            tell_all_metadata(w);
        }
        if (n == ROUNDS / 2 && w->t->constants == AMID) {
            tell_constants(w, 0, 1, false);
        }
        if (w->t->constants == SPREAD) {
            tell_constants(w, n, ROUNDS, false);
        }
        if (w->t->has_unknown_events) {
            tell_unknown_events(w, n);
        }
        tell_scalars(w, n);
        tell_texts(w, n);
        tell_number_lists(w, n);
        tell_other_lists(w, n);
        tell_nested(w, n);
        tell_short_ones(w, n);
    }
}

static void
put_be64(uint8_t *at, uint64_t value)
{
    for (size_t i = 0; i < 8; i++) {
        at[i] = (uint8_t)(value >> (56 - 8 * i));
    }
}

// tell makes the chunk; valid until teller_fini.
static lp_slice
tell(teller *w, const telling *t)
{
    *w = (teller){.t = t};
    jfr_build_begin(
        &w->build, &(jfr_build_clock){
                       .start_ticks = 5, .start_wall_ns = 1700000000000000000, .duration_ns = 9});
    w->build.size_width = t->size_width;
    w->build.type_width = t->type_width;
    add_constants(w);
    if (t->metadata == FIRST) {
        tell_all_metadata(w);
    }
    if (t->constants == FIRST) {
        tell_constants(w, 0, 1, false);
    }
    if (t->has_empty_pools) {
        tell_empty_pools(w);
    }
    tell_events(w);
    if (t->constants == LAST) {
        tell_constants(w, 0, 1, false);
    }
    if (t->is_redefined) {
        tell_constants(w, 0, 1, true);
    }
    if (t->metadata == LAST) {
        tell_all_metadata(w);
    }
    if (t->is_metadata_split) {
        tell_metadata(w, 2, false);
    }
    lp_slice chunk = jfr_build_finish(&w->build);
    if (t->major != 0) {
        w->build.bytes.ptr[5] = t->major;
        w->build.bytes.ptr[7] = t->minor;
    }
    if (t->has_vague_header) {
        put_be64(w->build.bytes.ptr + 16, w->first_checkpoint);
    }
    return chunk;
}

static void
teller_fini(teller *w)
{
    for (size_t i = 0; i < w->constants.count; i++) {
        lp_buf_fini(&w->constants.items[i].value);
        lp_buf_fini(&w->constants.items[i].other);
    }
    LP_VEC_FINI(&w->constants);
    jfr_build_fini(&w->build);
}

// --- What comes out

static compact_result
compact(lp_slice chunk)
{
    const compact_source source = {.jfr = chunk};
    policy *rules = compact_run_policy(policy_text);
    compact_result result;
    compact_run(&source, 1, rules, COMPACT_RUN_AS_IT_IS, &result);
    policy_destroy(rules);
    return result;
}

typedef LP_VEC(char *) lines;

static int
compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void
lines_add(lines *all, const jfr_read *read, const jfr_read_event *event)
{
    lp_buf text = {0};
    jfr_read_text(read, event, &text);
    char **line = LP_VEC_PUSH(all);
    assert_non_null(line);
    *line = (char *)text.ptr;
}

static void
lines_fini(lines *all)
{
    for (size_t i = 0; i < all->count; i++) {
        free(all->items[i]);
    }
    LP_VEC_FINI(all);
}

// is_in_trace decides for a NUMBER_LISTS event by the most naive reading of the rules: its thread
// has a trace around its time.
static bool
is_in_trace(uint64_t n)
{
    for (uint64_t trace = 0; trace < ROUNDS; trace++) {
        uint64_t begin = 95 + 10 * trace;
        uint64_t end = begin + (trace % 2 == 0 ? 20 : 1);
        if (trace % 3 == n % 3 && begin <= 100 + 10 * n && 100 + 10 * n <= end) {
            return true;
        }
    }
    return false;
}

// is_around_kept decides for a TRACE, as naively: an event that is kept whatever is around it was
// committed in it, or another trace that is kept.
static bool
is_around_kept(uint64_t trace)
{
    uint64_t thread = 1 + trace % 3;
    uint64_t begin = 95 + 10 * trace;
    uint64_t end = begin + (trace % 2 == 0 ? 20 : 1);
    for (uint64_t n = 0; n < ROUNDS; n++) {
        uint64_t start = 100 + 10 * n;
        uint64_t on = 1 + n % 3;
        uint64_t scalars = start + (n % 2 == 0 ? 0 : 70000);
        bool is_by_texts = n % 4 == thread && begin <= start && start <= end;
        bool is_by_others = on == thread && ((begin <= scalars && scalars <= end) ||
                                                (begin <= start && start <= end) ||
                                                (begin <= start + 3 && start + 3 <= end));
        uint64_t other_end = 95 + 10 * n + (n % 2 == 0 ? 20 : 1); // a trace within the trace
        bool is_by_trace = n != trace && on == thread && begin <= other_end && other_end <= end;
        if (is_by_texts || is_by_others || (is_by_trace && is_around_kept(n))) {
            return true;
        }
    }
    return false;
}

static bool
is_kept(const char *type, uint64_t n)
{
    if (strcmp(type, "test.Instant") == 0) {
        return false;
    }
    if (strcmp(type, "test.NumberLists") == 0) {
        return is_in_trace(n);
    }
    return strcmp(type, "test.Trace") != 0 || is_around_kept(n);
}

// expected_lines gives what the plain chunk says of the events that are kept, sorted.
static lines
expected_lines(lp_slice plain)
{
    enum { EVENTS_IN_ROUND = 8 };
    lines all = {0};
    jfr_read read;
    jfr_read_open(&read, plain);
    assert_int_equal(read.events.count, ROUNDS * EVENTS_IN_ROUND);
    for (size_t i = 0; i < read.events.count; i++) {
        const jfr_read_event *event = &read.events.items[i];
        if (is_kept(jfr_read_name(&read, event), i / EVENTS_IN_ROUND)) {
            lines_add(&all, &read, event);
        }
    }
    jfr_read_close(&read);
    qsort(all.items, all.count, sizeof(char *), compare_lines);
    return all;
}

static void
expect_lines(const lines *want, const jfr_read *read, const char *name)
{
    lines got = {0};
    for (size_t i = 0; i < read->events.count; i++) {
        lines_add(&got, read, &read->events.items[i]);
    }
    qsort(got.items, got.count, sizeof(char *), compare_lines);
    for (size_t i = 0; i < want->count || i < got.count; i++) {
        const char *w = i < want->count ? want->items[i] : "(nothing more)";
        const char *g = i < got.count ? got.items[i] : "(nothing more)";
        if (strcmp(w, g) != 0) {
            fail_msg("%s\n want %s\n  got %s\n", name, w, g);
        }
    }
    lines_fini(&got);
}

typedef struct fixture {
    lines want;
    size_t constant_count; // in the output of the plain way
    size_t type_count;
} fixture;

static void
expect_story(const fixture *f, const telling *t)
{
    teller w;
    jfr_read read;
    compact_result result = compact(tell(&w, t));
    jfr_read_open(&read, lp_buf_slice(&result.jfr));
    expect_lines(&f->want, &read, t->name);
    if (read.constants.count != f->constant_count || read.types.count != f->type_count) {
        fail_msg("%s: %zu constants, %zu types", t->name, read.constants.count, read.types.count);
    }
    assert_int_equal(result.stats.unknown_events, t->has_unknown_events ? 2 * (uint64_t)ROUNDS : 0);
    jfr_read_close(&read);
    compact_result_fini(&result);
    teller_fini(&w);
}

static const telling plain = {.name = "plain"};

static int
setup(void **state)
{
    static fixture f;
    teller w;
    jfr_read read;
    lp_slice chunk = tell(&w, &plain);
    f.want = expected_lines(chunk);
    compact_result result = compact(chunk);
    jfr_read_open(&read, lp_buf_slice(&result.jfr));
    f.constant_count = read.constants.count;
    f.type_count = read.types.count;
    jfr_read_close(&read);
    compact_result_fini(&result);
    teller_fini(&w);
    *state = &f;
    return 0;
}

static int
teardown(void **state)
{
    fixture *f = *state;
    lines_fini(&f->want);
    return 0;
}

// --- Tests

#define HUGE_ID 0xf000000000000000

static void
test_the_plain_way(void **state)
{
    const fixture *f = *state;
    // Of 20 constants a thread, a text, a symbol and a class are for nobody, and the texts that
    // only those name. Beside the types of the events there is nothing to leave out but Instant.
    assert_in_range(f->constant_count, 12, 17);
    assert_int_equal(f->type_count, TYPE_COUNT - 1);
    assert_in_range(f->want.count, ROUNDS * 5 + 1, ROUNDS * 7 - 1);
    expect_story(f, &plain);
}

static void
test_every_other_way(void **state)
{
    static const telling ways[] = {
        {.name = "version 1.0", .major = 1},
        {.name = "version 1.1", .major = 1, .minor = 1},
        {.name = "version 2.0", .major = 2},
        {.name = "metadata amid the events", .metadata = AMID},
        {.name = "metadata last", .metadata = LAST},
        {.name = "metadata last, constants before", .metadata = LAST, .constants = AMID},
        {.name = "constants amid the events", .constants = AMID},
        {.name = "constants last", .constants = LAST},
        {.name = "constants in many checkpoints", .constants = SPREAD},
        {.name = "constants and metadata last", .constants = LAST, .metadata = LAST},
        {.name = "the same metadata twice", .is_metadata_repeated = true},
        {.name = "types in one of two metadata", .is_metadata_split = true},
        {.name = "types in one of two, late", .is_metadata_split = true, .metadata = AMID},
        {.name = "constants defined twice", .is_redefined = true},
        {.name = "constants defined twice, late", .is_redefined = true, .constants = SPREAD},
        {.name = "the header names the first checkpoint",
            .has_vague_header = true,
            .constants = SPREAD},
        {.name = "checkpoints without a chain", .chain = CHAIN_ZERO, .constants = SPREAD},
        {.name = "checkpoints with a wrong chain", .chain = CHAIN_WRONG, .constants = SPREAD},
        {.name = "types above 2^63", .type_bias = HUGE_ID},
        {.name = "types above 2^63, unsigned", .type_bias = HUGE_ID, .has_unsigned_ids = true},
        {.name = "keys above 2^63", .key_bias = HUGE_ID},
        {.name = "types and keys above 2^32", .type_bias = 1ull << 33, .key_bias = 1ull << 40},
        {.name = "unknown events", .has_unknown_events = true},
        {.name = "unknown annotations and settings", .has_unknown_annotation = true},
        {.name = "empty pools", .has_empty_pools = true},
        {.name = "trailing bytes", .has_trailing_bytes = true},
        {.name = "sizes of 4 bytes", .size_width = 4},
        {.name = "sizes of 9 bytes", .size_width = 9},
        {.name = "type ids of 3 bytes", .type_width = 3},
        {.name = "type ids of 9 bytes", .type_width = 9},
        {.name = "numbers of 2 bytes", .value_width = 2},
        {.name = "numbers of 5 bytes", .value_width = 5},
        {.name = "numbers of 9 bytes", .value_width = 9},
    };
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        expect_story(*state, &ways[i]);
    }
}

// Where the constants of an unknown type end nobody can say, so the rest of their checkpoint is
// lost; nothing else is.
static void
test_constants_of_an_unknown_type_cost_their_checkpoint(void **state)
{
    const fixture *f = *state;
    const telling t = {.name = "unknown constants", .constants = LAST};
    teller w;
    (void)tell(&w, &t);
    uint64_t offset = w.build.bytes.len;
    put_checkpoint_head(&w, 2);
    put(&w, NOBODY);
    put(&w, 1);
    put_bytes(&w, "\1\1\1", 3);
    end_checkpoint(&w);
    const compact_source source = {.jfr = jfr_build_finish(&w.build)};
    policy *rules = compact_run_policy(policy_text);
    compact_options options = {.policy = rules, .is_strict = true};
    compact_result result;
    lp_problem problem = {0};
    assert_int_equal(compact_chunk(&source, NULL, NULL, &options, &result, &problem), LP_ECORRUPT);
    assert_in_range(problem.offset, offset, w.build.bytes.len);
    options.is_strict = false;
    assert_int_equal(compact_chunk(&source, NULL, NULL, &options, &result, NULL), LP_OK);
    jfr_read read;
    jfr_read_open(&read, lp_buf_slice(&result.jfr));
    expect_lines(&f->want, &read, t.name);
    assert_int_equal(read.constants.count, f->constant_count);
    assert_int_equal(result.damage.notes.count, 1);
    jfr_read_close(&read);
    compact_result_fini(&result);
    policy_destroy(rules);
    teller_fini(&w);
}

static uint64_t
random_next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static void
test_any_mixture_of_ways(void **state)
{
    static const uint64_t biases[] = {0, 0, 100, 1ull << 33, HUGE_ID};
    static const size_t widths[] = {0, 0, 3, 4, 8, 9};
    uint64_t seed = 20240229;
    for (int i = 0; i < 300; i++) {
        char name[40];
        uint64_t bits = random_next(&seed);
        (void)snprintf(name, sizeof(name), "mixture %d", i);
        telling t = {
            .name = name,
            .major = (uint8_t)(bits % 3),
            .minor = (uint8_t)(bits >> 2 & 1),
            .metadata = (place)(bits >> 3) % 3,
            .constants = (place)(bits >> 8) % 4,
            .is_metadata_split = bits >> 13 & 1,
            .is_metadata_repeated = bits >> 14 & 1,
            .is_redefined = bits >> 15 & 1,
            .has_vague_header = bits >> 16 & 1,
            .has_unsigned_ids = bits >> 17 & 1,
            .has_unknown_events = bits >> 18 & 1,
            .has_unknown_annotation = bits >> 19 & 1,
            .has_empty_pools = bits >> 20 & 1,
            .has_trailing_bytes = bits >> 21 & 1,
            .chain = (chain)(bits >> 22) % 3,
            .type_bias = biases[(bits >> 26) % 5],
            .key_bias = biases[(bits >> 30) % 5],
            .size_width = widths[2 + (bits >> 34) % 4],
            .type_width = widths[(bits >> 38) % 6],
            .value_width = widths[(bits >> 42) % 6],
        };
        expect_story(*state, &t);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_plain_way),
        cmocka_unit_test(test_every_other_way),
        cmocka_unit_test(test_constants_of_an_unknown_type_cost_their_checkpoint),
        cmocka_unit_test(test_any_mixture_of_ways),
    };
    return cmocka_run_group_tests_name("compact_variety", tests, setup, teardown);
}
