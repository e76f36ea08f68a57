// SPDX-License-Identifier: Apache-2.0
#include "story.h"

#include "support/be64.h"

#include "common/base/lp_assert.h"

#include <string.h>

// --- Values

static uint64_t
type_of(const story *w, uint64_t type)
{
    return type == 0 ? 0 : type + w->t->type_bias;
}

static uint64_t
key_of(const story *w, uint64_t key)
{
    return key == 0 ? 0 : key + w->t->key_bias;
}

// put writes a number in as many bytes as the telling wants.
static void
put(story *w, uint64_t value)
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
put_bytes(story *w, const char *bytes, size_t count)
{
    lp_buf_append(&w->build.payload, bytes, count);
}

// put_text writes a text that depends on n, in one of the six encodings.
static void
put_text(story *w, uint64_t n)
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
put_leaf(story *w, uint64_t n)
{
    put_bytes(w, "\x80", 1);
    put_text(w, n);
    put(w, key_of(w, n % 4)); // symbol; 0: null
}

static void
put_branch(story *w, uint64_t n)
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
put_wood(story *w, uint64_t n)
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
add_constant(story *w, uint64_t type, uint64_t key, lp_buf other)
{
    struct story_constant *made = LP_VEC_PUSH(&w->constants);
    LP_ASSERT(made != NULL);
    *made = (struct story_constant){
        .type = type_of(w, type), .key = key_of(w, key), .value = w->build.payload, .other = other};
    w->build.payload = (lp_buf){0};
}

static lp_buf
take_payload(story *w)
{
    lp_buf out = w->build.payload;
    w->build.payload = (lp_buf){0};
    return out;
}

static void
put_thread(story *w, uint64_t key, uint64_t name)
{
    put(w, 1000 + key);
    put_text(w, name);
    put(w, key);
}

static void
put_class(story *w, uint64_t key, bool is_other)
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
add_constants(story *w)
{
    for (uint64_t key = 1; key <= 4; key++) {
        put_thread(w, key, 4);
        lp_buf other = take_payload(w);
        put_thread(w, key, 6 * key + 3);
        add_constant(w, STORY_THREAD, key, other);
    }
    for (uint64_t key = 1; key <= 4; key++) {
        put_text(w, 1);
        lp_buf other = take_payload(w);
        put_text(w, 6 * key + 3 + key % 3);
        add_constant(w, STORY_STRING, key, other);
    }
    for (uint64_t key = 1; key <= 8; key++) {
        put_text(w, 5);
        lp_buf other = take_payload(w);
        put_text(w, 6 * key + 2 + key % 2);
        add_constant(w, STORY_SYMBOL, key, other);
    }
    for (uint64_t key = 1; key <= 5; key++) {
        put_class(w, key, true);
        lp_buf other = take_payload(w);
        put_class(w, key, false);
        add_constant(w, STORY_CLASS, key, other);
    }
}

static void
put_checkpoint_head(story *w, uint64_t pool_count)
{
    uint64_t here = w->build.bytes.len;
    uint64_t before = w->build.checkpoint_offset;
    put(w, 5);
    put(w, 0);
    if (w->t->chain == STORY_CHAIN_RIGHT) {
        put(w, before == 0 ? 0 : before - here);
    } else {
        put(w, w->t->chain == STORY_CHAIN_ZERO ? 0 : 3);
    }
    put_bytes(w, "\7", 1);
    put(w, pool_count);
}

static void
end_checkpoint(story *w)
{
    uint64_t offset = jfr_build_event(&w->build, 1);
    w->first_checkpoint = w->first_checkpoint == 0 ? offset : w->first_checkpoint;
    w->build.checkpoint_offset = offset;
}

// tell_constants writes those from first on, every step-th, in one checkpoint: one pool for each.
static void
tell_constants(story *w, size_t first, size_t step, bool is_other)
{
    size_t count = (w->constants.count - first + step - 1) / step;
    put_checkpoint_head(w, count);
    for (size_t i = first; i < w->constants.count; i += step) {
        const struct story_constant *constant = &w->constants.items[i];
        const lp_buf *value = is_other ? &constant->other : &constant->value;
        put(w, constant->type);
        put(w, 1);
        put(w, constant->key);
        lp_buf_append(&w->build.payload, value->ptr, value->len);
    }
    end_checkpoint(w);
}

static void
tell_empty_pools(story *w)
{
    put_checkpoint_head(w, 0);
    end_checkpoint(w);
    put_checkpoint_head(w, 3);
    put(w, type_of(w, STORY_THREAD));
    put(w, 0);
    put(w, STORY_NOBODY);
    put(w, 0);
    put(w, type_of(w, STORY_DOUBLE));
    put(w, 0);
    end_checkpoint(w);
}

// --- Metadata

// is_left_out says whether the first (or the second) of two metadata events lacks a type.
static bool
is_left_out(const story *w, uint64_t type, bool is_first)
{
    return w->t->is_metadata_split &&
           (is_first ? type == STORY_NESTED || type == STORY_WOOD : type == STORY_SCALARS);
}

static void
tell_metadata(story *w, uint64_t id, bool is_first)
{
    jfr_build_type types[STORY_TYPES];
    size_t count = 0;
    for (size_t i = 0; i < STORY_TYPES; i++) {
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
        }
    }
    jfr_build_metadata(&w->build, id, types, count);
}

static void
tell_all_metadata(story *w)
{
    tell_metadata(w, 1, true);
    if (w->t->is_metadata_repeated) {
        tell_metadata(w, 1, true);
    }
}

// --- Events

static void
end_event(story *w, uint64_t type)
{
    if (w->t->has_trailing_bytes) {
        put_bytes(w, "\xff\xff\0rest", 7);
    }
    (void)jfr_build_event(&w->build, type_of(w, type));
}

static void
tell_scalars(story *w, uint64_t n)
{
    static const uint64_t ints[] = {0, 0xfffffff7, 0x7fffffff, 0x80000000};
    put(w, 100 + 10 * n);
    put(w, n % 2 == 0 ? 0 : 70000);
    put(w, key_of(w, 1 + n % 3));
    put_bytes(w, n % 2 == 0 ? "\0\x80" : "\1\x7f", 2);
    put(w, 0xffff - n);
    put(w, 0x8000 + n);
    put(w, ints[n % 4]);
    end_event(w, STORY_SCALARS);
}

static void
tell_texts(story *w, uint64_t n)
{
    put(w, 100 + 10 * n);
    put(w, key_of(w, n % 4)); // 0: no thread
    put_bytes(w, "\x7f\xc0\0\0", 4);
    put_text(w, n);
    put_bytes(w, "\xff\xf0\0\0\0\0\0\1", 8);
    put(w, key_of(w, 1 + n % 7));
    put(w, key_of(w, 1 + n % 4));
    put_text(w, n + 1);
    end_event(w, STORY_TEXTS);
}

static void
tell_number_lists(story *w, uint64_t n)
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
    end_event(w, STORY_NUMBER_LISTS);
}

static void
tell_other_lists(story *w, uint64_t n)
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
    end_event(w, STORY_OTHER_LISTS);
}

static void
tell_nested(story *w, uint64_t n)
{
    put(w, 100 + 10 * n);
    put(w, 3);
    put_wood(w, n);
    put(w, key_of(w, 1 + n % 3));
    put_leaf(w, n);
    end_event(w, STORY_NESTED);
}

static void
tell_short_ones(story *w, uint64_t n)
{
    put(w, UINT64_MAX - n);
    put_text(w, n);
    end_event(w, STORY_TIMELESS);
    put(w, 100 + 10 * n);
    put(w, n);
    end_event(w, STORY_INSTANT);
    put(w, 95 + 10 * n); // around the other events n of its thread, or around nothing
    put(w, n % 2 == 0 ? 20 : 1);
    put(w, key_of(w, 1 + n % 3));
    put(w, n);
    end_event(w, STORY_TRACE);
}

static void
tell_unknown_events(story *w, uint64_t n)
{
    (void)jfr_build_event(&w->build, w->t->type_bias + 5000 + n); // nothing but its head
    put_bytes(w, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", n % 11);
    (void)jfr_build_event(&w->build, UINT64_MAX - n);
}

static void
tell_events(story *w)
{
    for (uint64_t n = 0; n < STORY_ROUNDS; n++) {
        if (n == STORY_ROUNDS / 2 && w->t->metadata == STORY_AMID) {
            tell_all_metadata(w);
        }
        if (n == STORY_ROUNDS / 2 && w->t->constants == STORY_AMID) {
            tell_constants(w, 0, 1, false);
        }
        if (w->t->constants == STORY_SPREAD) {
            tell_constants(w, n, STORY_ROUNDS, false);
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

lp_slice
story_tell(story *w, const story_telling *t)
{
    *w = (story){.t = t};
    jfr_build_begin(
        &w->build, &(jfr_build_clock){
                       .start_ticks = 5, .start_wall_ns = 1700000000000000000, .duration_ns = 9});
    w->build.size_width = t->size_width;
    w->build.type_width = t->type_width;
    add_constants(w);
    if (t->metadata == STORY_FIRST) {
        tell_all_metadata(w);
    }
    if (t->constants == STORY_FIRST) {
        tell_constants(w, 0, 1, false);
    }
    if (t->has_empty_pools) {
        tell_empty_pools(w);
    }
    tell_events(w);
    if (t->constants == STORY_LAST) {
        tell_constants(w, 0, 1, false);
    }
    if (t->is_redefined) {
        tell_constants(w, 0, 1, true);
    }
    if (t->metadata == STORY_LAST) {
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
        be64_put(w->build.bytes.ptr + 16, w->first_checkpoint);
    }
    return chunk;
}

void
story_fini(story *w)
{
    for (size_t i = 0; i < w->constants.count; i++) {
        lp_buf_fini(&w->constants.items[i].value);
        lp_buf_fini(&w->constants.items[i].other);
    }
    LP_VEC_FINI(&w->constants);
    jfr_build_fini(&w->build);
}

lp_slice
story_add_unknown_constants(story *w)
{
    put_checkpoint_head(w, 2);
    put(w, STORY_NOBODY);
    put(w, 1);
    put_bytes(w, "\1\1\1", 3);
    end_checkpoint(w);
    return jfr_build_finish(&w->build);
}
