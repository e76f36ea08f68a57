// SPDX-License-Identifier: Apache-2.0
#include "query/frames/frames.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_ends_with.h"
#include "common/base/lp_find.h"
#include "engine/read/methods.h"
#include "query/frames/application.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

// --- Names of classes

// The part of a name behind one of these and a $ is generated.
static const char *const markers[] = {
    "$$Lambda",
    "$$EnhancerBySpringCGLIB",
    "$$FastClassBySpringCGLIB",
    "$$SpringCGLIB",
    "$$EnhancerByCGLIB",
    "$$FastClassByCGLIB",
    "$HibernateProxy",
    "$ByteBuddy",
};

// These end in a number.
static const char *const numbered[] = {
    "GeneratedMethodAccessor",
    "GeneratedConstructorAccessor",
    "GeneratedSerializationConstructorAccessor",
    "$Proxy",
};

enum { MARKERS = sizeof(markers) / sizeof(markers[0]) };

// without_address returns the length up to the address of a hidden class: +0x, .0x or /0x.
static size_t
without_address(const char *name, size_t len)
{
    for (size_t i = 0; i + 3 < len; i++) {
        bool is_mark = name[i] == '+' || name[i] == '.' || name[i] == '/';
        if (is_mark && name[i + 1] == '0' && name[i + 2] == 'x' &&
            isxdigit((unsigned char)name[i + 3])) {
            return i;
        }
    }
    return len;
}

static size_t
without_suffix(const char *name, size_t len)
{
    for (size_t i = 0; i < MARKERS; i++) {
        const char *at = memmem(name, len, markers[i], strlen(markers[i]));
        size_t end = at == NULL ? len : (size_t)(at - name) + strlen(markers[i]);
        if (end < len && name[end] == '$') {
            return end;
        }
    }
    return len;
}

static size_t
without_number(const char *name, size_t len)
{
    size_t end = len;
    while (end > 0 && isdigit((unsigned char)name[end - 1])) {
        end--;
    }
    return LP_FIND(numbered, LP_COUNT(numbered), lp_ends_with(name, end, *at)) == NULL ? len : end;
}

// join_proxies removes the number of jdk.proxy2, a package of the JVM's proxies.
static size_t
join_proxies(char *name, size_t len)
{
    static const char package[] = "jdk.proxy";
    const size_t begin = sizeof(package) - 1;
    size_t end = begin;
    if (len < begin || memcmp(name, package, begin) != 0) {
        return len;
    }
    while (end < len && isdigit((unsigned char)name[end])) {
        end++;
    }
    if (end < len && name[end] != '.') {
        return len;
    }
    memmove(name + begin, name + end, len - end);
    return len - (end - begin);
}

size_t
query_class_name_join(char *name, size_t len)
{
    if (len == 0) {
        return 0;
    }
    len = without_address(name, len);
    len = without_suffix(name, len);
    len = without_number(name, len);
    return join_proxies(name, len);
}

// --- Frames

// Bits above the name of a method or a stack trace.
static const uint32_t IS_READ = (uint32_t)1 << 31;
static const uint32_t IS_CONSTRUCTOR = (uint32_t)1 << 30;
static const uint32_t IS_THROW = (uint32_t)1 << 29; // JFR notes exceptions in this constructor
enum { CODE_SHIFT = 27 };                           // its query_code
static const uint32_t NAME = ((uint32_t)1 << CODE_SHIFT) - 1;
static_assert(QUERY_NAMES_MAX < 1 << CODE_SHIFT && QUERY_CODES <= 1 << 2,
    "the bits above are free in the number of a name");

// Where the parts of stack traces are in a chunk.
struct query_frames {
    uint32_t stack_type;
    compact_methods methods;
    query_place frames;         // in a stack trace
    query_place is_cut;         // in a stack trace
    query_place method;         // in a frame
    query_place line;           // in a frame
    query_stack_name *of_stack; // parallel to the constants; frame has IS_READ once known
    uint32_t *of_method;        // parallel to the constants: the name with the bits above it
};

static size_t
count_constants(const query_chunk *chunk, uint32_t type)
{
    LP_DEBUG_ASSERT(type < chunk->view.schema->metadata.types.count);
    return chunk->view.pools.pools[type].constants.count;
}

// place_of_line returns the place of the line of a frame, if JVMs write that as a number.
static query_place
place_of_line(const query_chunk *chunk, uint32_t frame_type)
{
    const jfr_metadata *metadata = &chunk->view.schema->metadata;
    query_place place = query_chunk_place(chunk, frame_type, "lineNumber");
    uint32_t field =
        jfr_metadata_find_field(metadata, &metadata->types.items[frame_type], "lineNumber");
    place.is_there =
        field != JFR_NONE && jfr_layout_is_number(&chunk->view.schema->layout, metadata, field);
    return place;
}

// place_of_cut returns the place of the flag of a stack trace that is cut.
static query_place
place_of_cut(const query_chunk *chunk, uint32_t stack_type)
{
    LP_ASSERT(stack_type < chunk->view.schema->metadata.types.count);
    const jfr_metadata *metadata = &chunk->view.schema->metadata;
    query_place place = query_chunk_place(chunk, stack_type, "truncated");
    uint32_t field =
        jfr_metadata_find_field(metadata, &metadata->types.items[stack_type], "truncated");
    const jfr_field *f = field == JFR_NONE ? NULL : &metadata->fields.items[field];
    place.is_there =
        f != NULL && f->type != JFR_NONE && !f->is_array && !f->is_constant &&
        strcmp(jfr_metadata_text(metadata, metadata->types.items[f->type].name), "boolean") == 0;
    return place;
}

// open_frames finds the parts of the stack traces of a type. If the chunk describes them in another
// way than JVMs do, or memory runs out, none is read.
static struct query_frames *
open_frames(query_chunk *chunk, uint32_t stack_type)
{
    LP_ASSERT(chunk->frames == NULL);
    lp_arena *arena = &chunk->view.arena;
    struct query_frames *f = LP_ARENA_NEW(arena, struct query_frames);
    LP_REQUIRE(f != NULL, NULL);
    f->stack_type = stack_type;
    f->frames = query_chunk_place(chunk, stack_type, "frames");
    f->is_cut = place_of_cut(chunk, stack_type);
    if (f->frames.is_there) {
        f->method = query_chunk_place(chunk, f->frames.type, "method");
        f->line = place_of_line(chunk, f->frames.type);
    }
    if (f->method.is_there) {
        f->methods = compact_methods_find(&chunk->view, f->method.type);
    }
    if (f->methods.is_whole) {
        f->of_stack = LP_ARENA_ARRAY(arena, query_stack_name, count_constants(chunk, stack_type));
        f->of_method = LP_ARENA_ARRAY(arena, uint32_t, count_constants(chunk, f->methods.type));
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

// bits_of returns the bits of a method by its name.
static uint32_t
bits_of(const query_chunk *chunk, const char *name)
{
    static const query_application nobody = {0};
    const query_application *application =
        chunk->application == NULL ? &nobody : chunk->application;
    const char *dot = strrchr(name, '.'); // NULL if the class name contains a zero byte
    bool is_constructor = dot != NULL && strcmp(dot, ".<init>") == 0;
    bool is_throw = is_constructor && (strcmp(name, "java.lang.Throwable.<init>") == 0 ||
                                          strcmp(name, "java.lang.Error.<init>") == 0);
    return IS_READ | (is_constructor ? IS_CONSTRUCTOR : 0) | (is_throw ? IS_THROW : 0) |
           (uint32_t)query_application_code(application, name) << CODE_SHIFT;
}

// name_method returns the name and the bits of a method, by the index of its constant.
static uint32_t
name_method(query_chunk *chunk, uint32_t index)
{
    const struct query_frames *f = chunk->frames;
    LP_DEBUG_ASSERT(index < count_constants(chunk, f->methods.type));
    uint32_t *known = &f->of_method[index];
    if (*known != 0) {
        return *known;
    }
    lp_buf *text = &chunk->text;
    lp_buf_clear(text);
    compact_methods_append_class(&chunk->view, &f->methods, index, text);
    text->len = query_class_name_join((char *)text->ptr, text->len);
    lp_buf_append(text, ".", 1);
    compact_methods_append_name(&chunk->view, &f->methods, index, text);
    lp_buf_append(text, "", 1); // ends it
    if (text->is_failed) {
        lp_arena_fail(&chunk->view.arena);
        return IS_READ;
    }
    const char *name = (const char *)text->ptr;
    *known = query_names_add(chunk->names, name) | bits_of(chunk, name);
    return *known;
}

// The frames of a stack trace, from the top.
typedef struct walk {
    jfr_cursor rest;
    uint64_t count; // left
} walk;

static walk
begin_walk(const query_chunk *chunk, uint32_t trace)
{
    LP_DEBUG_ASSERT(trace < count_constants(chunk, chunk->frames->stack_type));
    const struct query_frames *f = chunk->frames;
    walk w = {
        .rest = value_of(chunk, &chunk->view.pools.pools[f->stack_type].constants.items[trace])};
    bool is_whole = jfr_layout_walk(&chunk->view.schema->layout, f->frames.before, &w.rest) &&
                    jfr_varint_read(&w.rest, &w.count);
    w.count = is_whole ? w.count : 0;
    return w;
}

// next_frame writes the next frame and the index of its method, LP_MAP_NONE if the chunk does not
// have it. False at the end, or if the frames end early.
static bool
next_frame(const query_chunk *chunk, walk *w, jfr_cursor *out_frame, uint32_t *out_method)
{
    const struct query_frames *f = chunk->frames;
    const jfr_layout *layout = &chunk->view.schema->layout;
    uint64_t key;
    LP_REQUIRE(w->count != 0, false);
    *out_frame = w->rest;
    if (!read_key(chunk, f->method.before, w->rest, &key) ||
        !jfr_layout_walk(layout, layout->types.items[f->frames.type], &w->rest)) {
        w->count = 0;
        return false;
    }
    *out_method = jfr_pools_find_index(&chunk->view.pools, f->methods.type, key);
    w->count--;
    return true;
}

static query_stack_name
name_stack(query_chunk *chunk, uint32_t trace)
{
    uint32_t first[QUERY_CODES] = {0}; // the topmost method of each code; 0: none
    uint32_t topmost = 0;
    uint32_t method;
    jfr_cursor frame;
    bool is_thrown = false; // all frames so far are constructors of a thrown exception
    query_stack_name name = {0};
    walk w = begin_walk(chunk, trace);
    while (first[QUERY_CODE_APPLICATION] == 0 && next_frame(chunk, &w, &frame, &method)) {
        uint32_t known = method == LP_MAP_NONE ? IS_READ : name_method(chunk, method);
        is_thrown =
            topmost == 0 ? (known & IS_THROW) != 0 : is_thrown && (known & IS_CONSTRUCTOR) != 0;
        topmost = topmost == 0 ? known : topmost;
        if (is_thrown) {
            continue;
        }
        query_code code = (query_code)(known >> CODE_SHIFT & 3);
        first[code] = first[code] == 0 ? known : first[code];
        name.via = name.via == 0 && code != QUERY_CODE_JDK ? known & NAME : name.via;
    }
    unsigned code = QUERY_CODE_APPLICATION;
    while (code > QUERY_CODE_JDK && first[code] == 0) {
        code--;
    }
    name.frame = (code == QUERY_CODE_JDK ? topmost : first[code]) & NAME;
    name.via = name.via == name.frame ? (uint32_t)QUERY_NAME_NONE : name.via;
    return name;
}

uint32_t
query_frames_find(query_chunk *chunk, const query_event *event)
{
    const query_place *place = &event->type->stack;
    uint64_t key;
    if (!place->is_there || !read_key(chunk, place->before, event->payload, &key)) {
        return QUERY_NO_TRACE;
    }
    const struct query_frames *f =
        chunk->frames != NULL ? chunk->frames : open_frames(chunk, place->type);
    uint32_t index = jfr_pools_find_index(&chunk->view.pools, place->type, key);
    bool is_known = f != NULL && f->of_stack != NULL && f->of_method != NULL &&
                    index != LP_MAP_NONE && place->type == f->stack_type;
    return is_known ? index : (uint32_t)QUERY_NO_TRACE;
}

query_stack_name
query_frames_name(query_chunk *chunk, const query_event *event)
{
    uint32_t trace = query_frames_find(chunk, event);
    if (trace == QUERY_NO_TRACE) {
        return (query_stack_name){QUERY_NAME_NONE, QUERY_NAME_NONE};
    }
    query_stack_name *known = &chunk->frames->of_stack[trace];
    if (known->frame == 0) {
        *known = name_stack(chunk, trace);
        known->frame |= IS_READ;
    }
    return (query_stack_name){known->frame & NAME, known->via};
}

size_t
query_frames_count(const query_chunk *chunk)
{
    LP_ASSERT(chunk->frames != NULL);
    return count_constants(chunk, chunk->frames->stack_type);
}

static uint32_t
read_line(const query_chunk *chunk, jfr_cursor frame)
{
    const query_place *place = &chunk->frames->line;
    uint64_t line;
    bool is_there = place->is_there && read_key(chunk, place->before, frame, &line);
    return is_there && line <= INT32_MAX ? (uint32_t)line : 0; // -1: native, or unknown
}

// read_some reads up to max frames of a stack trace from an index on, and returns the number of all
// its frames.
static size_t
read_some(query_chunk *chunk, uint32_t trace, size_t from, query_frame *out_frames, size_t max)
{
    size_t count = 0;
    uint32_t method;
    jfr_cursor frame;
    walk w = begin_walk(chunk, trace);
    while (next_frame(chunk, &w, &frame, &method)) {
        if (method == LP_MAP_NONE) {
            continue;
        }
        if (count >= from && count - from < max) {
            uint32_t known = name_method(chunk, method);
            out_frames[count - from] = (query_frame){known & NAME, read_line(chunk, frame)};
        }
        count++;
    }
    return count;
}

size_t
query_frames_read(
    query_chunk *chunk, uint32_t trace, query_frame *out_frames, size_t max, bool *out_is_whole)
{
    LP_ASSERT(trace < query_frames_count(chunk));
    LP_ASSERT(max > 1);
    size_t count = read_some(chunk, trace, 0, out_frames, max);
    *out_is_whole = count <= max;
    if (*out_is_whole) {
        return count;
    }
    size_t top = max / 2;
    size_t bottom = max - top - 1;
    char text[64];
    (void)snprintf(text, sizeof(text), "[%zu frames left out]", count - top - bottom);
    out_frames[top] = (query_frame){query_names_add(chunk->names, text), 0};
    (void)read_some(chunk, trace, count - bottom, out_frames + top + 1, bottom);
    return max;
}

bool
query_frames_are_cut(const query_chunk *chunk, uint32_t trace)
{
    LP_ASSERT(trace < query_frames_count(chunk));
    const struct query_frames *f = chunk->frames;
    jfr_cursor at = value_of(chunk, &chunk->view.pools.pools[f->stack_type].constants.items[trace]);
    return f->is_cut.is_there &&
           jfr_layout_walk(&chunk->view.schema->layout, f->is_cut.before, &at) &&
           jfr_cursor_left(&at) > 0 && *at.at != 0;
}
