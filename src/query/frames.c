// SPDX-License-Identifier: Apache-2.0
#include "query/frames.h"

#include "common/jfr/jfr_string.h"

#include <assert.h>
#include <string.h>

static const uint32_t IS_READ = (uint32_t)1 << 31; // of what is known of a method or a stack trace
static const uint32_t IS_JDK = (uint32_t)1 << 30;
static_assert(QUERY_NAMES_MAX < 1 << 30, "the bits above are free in the number of a name");

// Where the parts of stack traces are, in the chunk at hand.
struct query_frames {
    uint32_t stack_type;
    uint32_t method_type;
    query_place frames; // in a stack trace
    query_place method; // in a frame
    query_place class;  // in a method
    query_place method_name;
    query_place class_name; // in a class
    uint32_t *of_stack;     // parallel to the constants: the name, and IS_READ once it is known
    uint32_t *of_method;    // the same, and IS_JDK
};

static size_t
count_constants(const query_chunk *chunk, uint32_t type)
{
    return chunk->view.pools.pools[type].constants.count;
}

// open_frames finds the parts of the stack traces to which a field of events refers. Where the
// chunk describes them otherwise than JVMs do, or memory runs out, none is read.
static struct query_frames *
open_frames(query_chunk *chunk, uint32_t stack_type)
{
    lp_arena *arena = &chunk->view.arena;
    struct query_frames *f = LP_ARENA_NEW(arena, struct query_frames);
    if (f == NULL) {
        return NULL;
    }
    f->stack_type = stack_type;
    f->frames = query_chunk_place(chunk, stack_type, "frames");
    if (f->frames.is_there) {
        f->method = query_chunk_place(chunk, f->frames.type, "method");
    }
    if (f->method.is_there) {
        f->method_type = f->method.type;
        f->class = query_chunk_place(chunk, f->method.type, "type");
        f->method_name = query_chunk_place(chunk, f->method.type, "name");
    }
    if (f->class.is_there) {
        f->class_name = query_chunk_place(chunk, f->class.type, "name");
    }
    if (f->class_name.is_there && f->method_name.is_there) {
        f->of_stack = LP_ARENA_ARRAY(arena, uint32_t, count_constants(chunk, stack_type));
        f->of_method = LP_ARENA_ARRAY(arena, uint32_t, count_constants(chunk, f->method_type));
    }
    chunk->frames = f;
    return f;
}

// read_key reads the key behind the fields of a program.
static bool
read_key(const query_chunk *chunk, jfr_program before, jfr_cursor cursor, uint64_t *out_key)
{
    return jfr_layout_walk(&chunk->view.schema->layout, before, &cursor) &&
           jfr_varint_read(&cursor, out_key);
}

static jfr_cursor
value_of(const query_chunk *chunk, const jfr_constant *constant)
{
    const uint8_t *value = chunk->view.chunk.ptr + constant->offset;
    return (jfr_cursor){value, value + constant->size_bytes};
}

// append_symbol appends the text of a constant that is one: a symbol, or a string.
static void
append_symbol(const query_chunk *chunk, uint32_t type, uint64_t key, lp_buf *out)
{
    const jfr_constant *constant = jfr_pools_find(&chunk->view.pools, type, key);
    if (constant == NULL) {
        return;
    }
    jfr_cursor cursor = value_of(chunk, constant);
    jfr_cursor text = cursor;
    uint32_t string = chunk->view.schema->layout.string_type;
    uint64_t string_key;
    bool is_constant = text.at < text.end && *text.at == JFR_STRING_CONSTANT;
    if (is_constant && type != string && string != JFR_NONE &&
        jfr_string_skip(&text, &string_key)) {
        append_symbol(chunk, string, string_key, out);
    } else if (!is_constant) {
        (void)jfr_string_read_utf8(&cursor, out);
    }
}

static bool
is_of_jdk(const char *name)
{
    static const char *const packages[] = {"java.", "javax.", "jdk.", "sun.", "com.sun."};
    for (size_t i = 0; i < sizeof(packages) / sizeof(packages[0]); i++) {
        if (strncmp(name, packages[i], strlen(packages[i])) == 0) {
            return true;
        }
    }
    return false;
}

// append_class appends the name of a method's class, with dots.
static void
append_class(const query_chunk *chunk, jfr_cursor method, lp_buf *out)
{
    const struct query_frames *f = chunk->frames;
    uint64_t key;
    const jfr_constant *class = read_key(chunk, f->class.before, method, &key)
                                    ? jfr_pools_find(&chunk->view.pools, f->class.type, key)
                                    : NULL;
    if (class == NULL || !read_key(chunk, f->class_name.before, value_of(chunk, class), &key)) {
        return;
    }
    append_symbol(chunk, f->class_name.type, key, out);
    for (size_t i = 0; i < out->len; i++) {
        out->ptr[i] = out->ptr[i] == '/' ? '.' : out->ptr[i];
    }
}

// name_method returns what is known of a method, by the index of its constant.
static uint32_t
name_method(query_chunk *chunk, uint32_t index)
{
    const struct query_frames *f = chunk->frames;
    uint32_t *known = &f->of_method[index];
    if (*known != 0) {
        return *known;
    }
    const jfr_pool *pool = &chunk->view.pools.pools[f->method_type];
    jfr_cursor method = value_of(chunk, &pool->constants.items[index]);
    uint64_t key;
    lp_buf *text = &chunk->text;
    lp_buf_clear(text);
    append_class(chunk, method, text);
    lp_buf_append(text, ".", 1);
    if (read_key(chunk, f->method_name.before, method, &key)) {
        append_symbol(chunk, f->method_name.type, key, text);
    }
    lp_buf_append(text, "", 1); // ends it
    if (text->is_failed) {
        lp_arena_fail(&chunk->view.arena);
        return IS_READ;
    }
    const char *name = (const char *)text->ptr;
    *known = query_names_add(chunk->names, name) | IS_READ | (is_of_jdk(name) ? IS_JDK : 0);
    return *known;
}

// name_stack returns the name of the frame that names a stack trace.
static uint32_t
name_stack(query_chunk *chunk, jfr_cursor cursor)
{
    const struct query_frames *f = chunk->frames;
    const jfr_layout *layout = &chunk->view.schema->layout;
    uint64_t count;
    uint32_t topmost = QUERY_NAME_NONE;
    if (!jfr_layout_walk(layout, f->frames.before, &cursor) || !jfr_varint_read(&cursor, &count)) {
        return QUERY_NAME_NONE;
    }
    jfr_program frame = layout->types.items[f->frames.type];
    for (; count > 0; count--) {
        uint64_t key;
        if (!read_key(chunk, f->method.before, cursor, &key) ||
            !jfr_layout_walk(layout, frame, &cursor)) {
            break;
        }
        uint32_t index = jfr_pools_find_index(&chunk->view.pools, f->method_type, key);
        uint32_t known = index == LP_MAP_NONE ? IS_JDK : name_method(chunk, index);
        uint32_t name = known & ~(IS_READ | IS_JDK);
        topmost = topmost == QUERY_NAME_NONE ? name : topmost;
        if ((known & IS_JDK) == 0) {
            return name;
        }
    }
    return topmost;
}

uint32_t
query_frame_of(query_chunk *chunk, const query_event *event)
{
    const query_place *place = &event->type->stack;
    uint64_t key;
    if (!place->is_there || !read_key(chunk, place->before, event->payload, &key)) {
        return QUERY_NAME_NONE;
    }
    const struct query_frames *f =
        chunk->frames != NULL ? chunk->frames : open_frames(chunk, place->type);
    uint32_t index = jfr_pools_find_index(&chunk->view.pools, place->type, key);
    if (f == NULL || f->of_stack == NULL || f->of_method == NULL || index == LP_MAP_NONE ||
        place->type != f->stack_type) {
        return QUERY_NAME_NONE;
    }
    uint32_t *known = &f->of_stack[index];
    if (*known == 0) {
        const jfr_pool *pool = &chunk->view.pools.pools[f->stack_type];
        *known = name_stack(chunk, value_of(chunk, &pool->constants.items[index])) | IS_READ;
    }
    return *known & ~IS_READ;
}
