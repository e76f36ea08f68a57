// SPDX-License-Identifier: Apache-2.0
#include "common/jfr/rewrite/jfr_printable.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/jfr/jfr_string.h"
#include "common/jfr/rewrite/jfr_turns.h"

#include <stdlib.h>
#include <string.h>

// How many texts may be keys of texts, and how many class loaders may lead to one another by their
// classes. The reader takes a constant that leads back to itself for null.
enum { HOPS_MAX = 64 };

// How many numbers may lie before a field by which class loaders lead to one another. HotSpot has
// one; behind more than that loaders are not followed.
enum { NUMBERS_MAX = 16 };

typedef jfr_printable_place place;

// --- Types and fields

// is_named returns whether a type has a name, or that name in the package of the JDK's own types.
static bool
is_named(const jfr_metadata *metadata, uint32_t type, const char *name)
{
    static const char *const prefixes[] = {"jdk.types.", "com.oracle.jfr.types."};
    const char *full = jfr_metadata_text(metadata, metadata->types.items[type].name);
    for (size_t i = 0; i < LP_COUNT(prefixes); i++) {
        size_t length = strlen(prefixes[i]);
        if (strncmp(full, prefixes[i], length) == 0) {
            full += length;
            break;
        }
    }
    return strcmp(full, name) == 0;
}

// find_field returns the field of a type by its name, NULL if there is none that is described, or
// the type is JFR_NONE.
static const jfr_field *
find_field(const jfr_metadata *metadata, uint32_t type, const char *name)
{
    uint32_t index = type == JFR_NONE
                         ? JFR_NONE
                         : jfr_metadata_find_field(metadata, &metadata->types.items[type], name);
    const jfr_field *field = index == JFR_NONE ? NULL : &metadata->fields.items[index];
    return field == NULL || field->type == JFR_NONE ? NULL : field;
}

static place
place_of(
    const jfr_metadata *metadata, const jfr_layout *layout, uint32_t type, const jfr_field *field)
{
    size_t index = (size_t)(field - metadata->fields.items);
    const jfr_program before = {layout->types.items[type].begin, layout->field_ops.items[index]};
    return (place){
        .is_there = true,
        .is_constant = field->is_constant,
        .is_behind_numbers =
            layout->ops.items[before.begin].varint_run >= before.end - before.begin,
        .before = before,
        .pool = field->type,
    };
}

// find_reference finds the field of a type that refers to a constant of another.
static place
find_reference(const jfr_metadata *metadata, const jfr_layout *layout, uint32_t type,
    const char *name, const char *target)
{
    const jfr_field *field = find_field(metadata, type, name);
    bool is_one = field != NULL && field->is_constant && !field->is_array &&
                  is_named(metadata, field->type, target);
    return is_one ? place_of(metadata, layout, type, field)
                  : (place){.is_there = false, .pool = JFR_NONE};
}

// find_text finds the field of a type of which the reader makes a String.
static place
find_text(const jfr_metadata *metadata, const jfr_layout *layout, uint32_t type, const char *name)
{
    const jfr_field *field = find_field(metadata, type, name);
    bool is_one = field != NULL && !field->is_array && jfr_layout_is_text(layout, field->type) &&
                  (metadata->types.items[field->type].field_count == 0 ||
                      jfr_turns_is_simple(metadata, field->type));
    return is_one ? place_of(metadata, layout, type, field)
                  : (place){.is_there = false, .pool = JFR_NONE};
}

// --- Values. All of them are whole, as jfr_pools_add has found.

// value_of returns where a constant begins; numbers are read faster where more lies behind them.
static inline jfr_cursor
value_of(const jfr_pools *pools, const jfr_constant *constant)
{
    return (jfr_cursor){pools->chunk.ptr + constant->offset, pools->chunk.ptr + pools->chunk.len};
}

static void
walk(const jfr_layout *layout, jfr_program program, jfr_cursor *cursor)
{
    bool is_whole = jfr_layout_walk(layout, program, cursor);
    LP_ASSERT(is_whole);
}

static inline uint64_t
read_number(jfr_cursor *cursor)
{
    uint64_t number;
    bool is_whole = jfr_varint_read(cursor, &number);
    LP_ASSERT(is_whole);
    return number;
}

// go_to moves a cursor from a value to one of its fields.
static inline void
go_to(const jfr_pools *pools, const place *p, jfr_cursor *cursor)
{
    if (!p->is_behind_numbers) {
        walk(pools->layout, p->before, cursor);
        return;
    }
    for (uint32_t i = p->before.begin; i < p->before.end; i++) {
        (void)jfr_varint_skip(cursor);
    }
}

// find_index returns the index of the constant that a value refers to in a field; LP_MAP_NONE if
// that is null.
static inline uint32_t
find_index(const jfr_pools *pools, const place *p, jfr_cursor value)
{
    if (!p->is_there) {
        return LP_MAP_NONE;
    }
    go_to(pools, p, &value);
    return jfr_pools_find_index(pools, p->pool, read_number(&value));
}

// find_value is find_index, and makes *out_value the constant's value. Returns false if that is
// null.
static bool
find_value(const jfr_pools *pools, const place *p, jfr_cursor value, jfr_cursor *out_value)
{
    uint32_t index = find_index(pools, p, value);
    if (index != LP_MAP_NONE) {
        *out_value = value_of(pools, &pools->pools[p->pool].constants.items[index]);
    }
    return index != LP_MAP_NONE;
}

// find_string moves cursor, at a text that may be a constant, to the text itself. *out_index is
// its constant, LP_MAP_NONE where it is in place. Returns false if it is null.
static bool
find_string(const jfr_pools *pools, jfr_cursor *cursor, uint32_t *out_index)
{
    uint32_t type = pools->layout->string_type;
    *out_index = LP_MAP_NONE;
    for (int hops = 0; *cursor->at == JFR_STRING_CONSTANT && hops < HOPS_MAX; hops++) {
        cursor->at++;
        *out_index =
            type == JFR_NONE ? LP_MAP_NONE : jfr_pools_find_index(pools, type, read_number(cursor));
        LP_REQUIRE(*out_index != LP_MAP_NONE, false);
        *cursor = value_of(pools, &pools->pools[type].constants.items[*out_index]);
    }
    return *cursor->at != JFR_STRING_NULL && *cursor->at != JFR_STRING_CONSTANT;
}

// read_text reads the text at cursor, which is neither null nor a constant. The result is in UTF-8,
// or in Latin-1, in which ASCII characters are the same bytes. It may lie in scratch, whose failure
// is that of pools.
static lp_slice
read_text(jfr_pools *pools, jfr_cursor cursor, lp_buf *scratch)
{
    if (*cursor.at == JFR_STRING_UTF16) {
        bool is_whole = jfr_string_read_utf8(&cursor, scratch);
        LP_ASSERT(is_whole);
        pools->is_failed |= scratch->is_failed;
        return lp_buf_slice(scratch);
    }
    if (*cursor.at++ == JFR_STRING_EMPTY) {
        return (lp_slice){0};
    }
    size_t length = (size_t)read_number(&cursor);
    return (lp_slice){cursor.at, length};
}

// are_descriptors returns whether the JDK's printer can take descriptors apart: an array has
// elements, and the name of a class ends with a semicolon.
static bool
are_descriptors(lp_slice text)
{
    const uint8_t *end = text.ptr + text.len;
    for (const uint8_t *at = text.ptr; at < end; at++) {
        while (at < end && *at == '[') {
            at++;
        }
        const uint8_t *last = at < end && *at == 'L' ? memchr(at, ';', (size_t)(end - at)) : at;
        LP_REQUIRE(last != NULL && last != end, false);
        at = last;
    }
    return true;
}

// is_descriptor returns whether a text is a method's descriptor: parameters in brackets.
static bool
is_descriptor(lp_slice text)
{
    size_t end = text.len;
    while (end > 0 && text.ptr[end - 1] != ')') {
        end--;
    }
    return end >= 2 && are_descriptors((lp_slice){text.ptr + 1, end - 2});
}

static bool
is_class_name(lp_slice text)
{
    return text.len == 0 || text.ptr[0] != '[' || are_descriptors(text);
}

// A kind of texts. Constants share texts, which may be long: each is checked once.
typedef struct text_kind {
    bool (*has)(lp_slice text);
    uint8_t mark; // of a constant that is one; the next bit is that of one that is none
} text_kind;

static const text_kind class_names = {is_class_name, JFR_MARK_NAMES};
static const text_kind descriptors = {is_descriptor, JFR_MARK_METHODS};

static bool is_text_at(jfr_pools *pools, text_kind kind, uint32_t type, uint32_t index);

static __attribute__((noinline)) bool
is_other_text(jfr_pools *pools, text_kind kind, jfr_cursor cursor)
{
    uint32_t index;
    LP_REQUIRE(find_string(pools, &cursor, &index), false);
    if (index != LP_MAP_NONE) {
        return is_text_at(pools, kind, pools->layout->string_type, index);
    }
    lp_buf scratch = {0};
    bool is_one = kind.has(read_text(pools, cursor, &scratch));
    lp_buf_fini(&scratch);
    return is_one;
}

// is_text returns whether the text at cursor is one of a kind.
static inline __attribute__((always_inline)) bool
is_text(jfr_pools *pools, text_kind kind, jfr_cursor cursor)
{
    if (*cursor.at != JFR_STRING_UTF8) {
        return is_other_text(pools, kind, cursor);
    }
    cursor.at++; // what HotSpot writes
    size_t length = (size_t)read_number(&cursor);
    return kind.has((lp_slice){cursor.at, length});
}

// is_text_at is is_text for the constant at index.
static inline __attribute__((always_inline)) bool
is_text_at(jfr_pools *pools, text_kind kind, uint32_t type, uint32_t index)
{
    jfr_pool *pool = &pools->pools[type];
    uint8_t no = (uint8_t)(kind.mark << 1);
    if ((pool->marks[index] & (kind.mark | no)) == 0) {
        bool is_one = is_text(pools, kind, value_of(pools, &pool->constants.items[index]));
        pool->marks[index] |= is_one ? kind.mark : no;
    }
    return (pool->marks[index] & kind.mark) != 0;
}

// --- What constants need

bool
jfr_printable_fits(jfr_pools *pools, uint32_t type, uint32_t index)
{
    jfr_pool *pool = &pools->pools[type];
    if (pool->printable == NULL) {
        return true;
    }
    if ((pool->marks[index] & (JFR_MARK_FITS | JFR_MARK_LACKS)) == 0) {
        jfr_cursor value = value_of(pools, &pool->constants.items[index]);
        bool fits = pool->printable->fits(pools, pool->printable, value);
        pool->marks[index] |= fits ? JFR_MARK_FITS : JFR_MARK_LACKS;
    }
    return (pool->marks[index] & JFR_MARK_FITS) != 0;
}

static bool
fits_owner(jfr_pools *pools, const jfr_printable *self, jfr_cursor value)
{
    uint32_t index = find_index(pools, &self->owner, value);
    return index != LP_MAP_NONE && jfr_printable_fits(pools, self->owner.pool, index);
}

// has_text returns whether a value has a text of a kind.
static inline __attribute__((always_inline)) bool
has_text(jfr_pools *pools, const jfr_printable *self, jfr_cursor value, text_kind kind)
{
    if (self->text.is_there && !self->text.is_constant) {
        go_to(pools, &self->text, &value);
        return is_text(pools, kind, value);
    }
    uint32_t index = find_index(pools, &self->text, value);
    return index != LP_MAP_NONE && is_text_at(pools, kind, self->text.pool, index);
}

static bool
has_any_text(const jfr_pools *pools, const jfr_printable *self, jfr_cursor value)
{
    uint32_t index;
    if (self->text.is_there && !self->text.is_constant) {
        go_to(pools, &self->text, &value);
    } else if (!find_value(pools, &self->text, value, &value)) {
        return false;
    }
    return find_string(pools, &value, &index);
}

static bool
fits_class(jfr_pools *pools, const jfr_printable *self, jfr_cursor value)
{
    return has_text(pools, self, value, class_names);
}

// is_near returns whether a field costs little to find, in constants that many others lead to.
static bool
is_near(const place *p)
{
    return p->is_behind_numbers && p->before.end - p->before.begin <= NUMBERS_MAX;
}

static bool
fits_loader(jfr_pools *pools, const jfr_printable *self, jfr_cursor value)
{
    if (has_any_text(pools, self, value)) {
        return true;
    }
    LP_REQUIRE(fits_owner(pools, self, value), false);
    if (!is_near(&self->owner) || !is_near(&self->loader)) {
        return true;
    }
    for (int hops = 0; hops < HOPS_MAX; hops++) { // from a loader to that of its class
        if (!find_value(pools, &self->owner, value, &value) ||
            !find_value(pools, &self->loader, value, &value)) {
            return true;
        }
    }
    return false;
}

// fits_usual_method is fits_method for a type whose class and descriptor are keys behind numbers,
// in this order.
static bool
fits_usual_method(jfr_pools *pools, const jfr_printable *self, jfr_cursor value)
{
    uint64_t owner = 0;
    uint64_t text = 0;
    for (uint32_t i = self->text.before.begin; i <= self->text.before.end; i++) {
        text = read_number(&value);
        owner = i == self->owner.before.end ? text : owner;
    }
    uint32_t class = jfr_pools_find_index(pools, self->owner.pool, owner);
    uint32_t descriptor = jfr_pools_find_index(pools, self->text.pool, text);
    return class != LP_MAP_NONE && descriptor != LP_MAP_NONE &&
           jfr_printable_fits(pools, self->owner.pool, class) &&
           is_text_at(pools, descriptors, self->text.pool, descriptor);
}

static bool
fits_method(jfr_pools *pools, const jfr_printable *self, jfr_cursor value)
{
    if (self->is_usual) {
        return fits_usual_method(pools, self, value);
    }
    return fits_owner(pools, self, value) && has_text(pools, self, value, descriptors);
}

static const struct rule {
    const char *type;
    const char *text; // the fields that it looks at
    const char *owner;
    const char *owner_type;
    bool (*fits)(jfr_pools *, const jfr_printable *, jfr_cursor);
    bool is_needed_by_frames;
} rules[] = {
    {"java.lang.Class", "name", "", "", fits_class, false},
    {"ClassLoader", "name", "type", "java.lang.Class", fits_loader, false},
    {"Method", "descriptor", "type", "java.lang.Class", fits_method, true},
    {"StackFrame", "", "method", "Method", fits_owner, true},
};
enum { RULES = LP_COUNT(rules) };

static const struct rule *
find_rule(const jfr_metadata *metadata, uint32_t type)
{
    return LP_FIND(rules, RULES, is_named(metadata, type, at->type));
}

static jfr_printable
printable_of(
    const jfr_metadata *metadata, const jfr_layout *layout, uint32_t type, const struct rule *rule)
{
    const place owner = find_reference(metadata, layout, type, rule->owner, rule->owner_type);
    const place text = find_text(metadata, layout, type, rule->text);
    return (jfr_printable){
        .fits = rule->fits,
        .is_needed_by_frames = rule->is_needed_by_frames,
        .is_usual = owner.is_there && text.is_there && text.is_constant && text.is_behind_numbers &&
                    owner.before.end < text.before.end,
        .text = text,
        .owner = owner,
        .loader = find_reference(metadata, layout, owner.pool, "classLoader", "ClassLoader"),
    };
}

lp_err
jfr_printable_prepare(jfr_pools *pools, const jfr_metadata *metadata)
{
    size_t count = 0;
    for (uint32_t i = 0; i < pools->pool_count; i++) {
        count += find_rule(metadata, i) != NULL;
    }
    pools->printables = calloc(count + 1, sizeof(*pools->printables));
    LP_REQUIRE(pools->printables != NULL, LP_ENOMEM);
    jfr_printable *next = pools->printables;
    for (uint32_t i = 0; i < pools->pool_count; i++) {
        const struct rule *rule = find_rule(metadata, i);
        if (rule != NULL) {
            *next = printable_of(metadata, pools->layout, i, rule);
            pools->pools[i].printable = next++;
        }
    }
    return LP_OK;
}

// --- All constants of a pool

// Constants that are checked together: enough that their texts arrive meanwhile, and few enough
// that these stay in the cache.
enum { CHECKED_TOGETHER = 32 };

// prefetch_texts begins to load the texts of the constants between begin and end.
static void
prefetch_texts(const jfr_pools *pools, const jfr_pool *pool, uint32_t begin, uint32_t end)
{
    const place *text = &pool->printable->text;
    const jfr_pool *texts = &pools->pools[text->pool];
    uint32_t indexes[CHECKED_TOGETHER];
    uint32_t count = 0;
    LP_ASSERT(end - begin <= CHECKED_TOGETHER);
    for (uint32_t i = begin; i < end; i++) {
        indexes[count] = find_index(pools, text, value_of(pools, &pool->constants.items[i]));
        if (indexes[count] != LP_MAP_NONE) {
            __builtin_prefetch(&texts->constants.items[indexes[count++]]);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        __builtin_prefetch(value_of(pools, &texts->constants.items[indexes[i]]).at);
    }
}

void
jfr_printable_check_all(jfr_pools *pools, uint32_t type)
{
    const jfr_pool *pool = &pools->pools[type];
    if (pool->printable == NULL) {
        return;
    }
    if (pool->printable->owner.is_there) { // of another rule, and at most a class in the end
        jfr_printable_check_all(pools, pool->printable->owner.pool);
    }
    bool has_texts = pool->printable->text.is_there && pool->printable->text.is_constant;
    uint32_t count = (uint32_t)pool->constants.count;
    for (uint32_t begin = 0; begin < count; begin += CHECKED_TOGETHER) {
        uint32_t end = count - begin < CHECKED_TOGETHER ? count : begin + CHECKED_TOGETHER;
        if (has_texts) {
            prefetch_texts(pools, pool, begin, end);
        }
        for (uint32_t i = begin; i < end; i++) {
            (void)jfr_printable_fits(pools, type, i);
        }
    }
}

// --- Stack traces

bool
jfr_printable_find_trace(const jfr_metadata *metadata, const jfr_layout *layout, uint32_t type,
    jfr_printable_trace *out_trace)
{
    const jfr_field *frames =
        is_named(metadata, type, "StackTrace") ? find_field(metadata, type, "frames") : NULL;
    if (frames == NULL || !frames->is_array || !is_named(metadata, frames->type, "StackFrame")) {
        return false;
    }
    const place p = place_of(metadata, layout, type, frames);
    const jfr_program element = layout->types.items[frames->type];
    const place method = find_reference(metadata, layout, frames->type, "method", "Method");
    *out_trace = (jfr_printable_trace){
        .before = p.before,
        .behind = {p.before.end + 1, layout->types.items[type].end},
        .frame = frames->is_constant ? (jfr_program){0} : element,
        .before_method = frames->is_constant ? (jfr_program){0} : method.before,
        .pool = frames->is_constant ? frames->type : method.pool,
    };
    return frames->is_constant || element.begin < element.end; // else it has no bytes
}

// is_kept moves cursor over a frame, and returns whether it has a method.
static bool
is_kept(const jfr_rewrite *rewrite, const jfr_printable_trace *trace, jfr_cursor *cursor)
{
    bool is_constant = trace->frame.begin == trace->frame.end;
    jfr_cursor key = *cursor;
    if (is_constant) {
        (void)read_number(cursor);
    } else {
        walk(rewrite->layout, trace->before_method, &key);
        walk(rewrite->layout, trace->frame, cursor);
    }
    return trace->pool != JFR_NONE &&
           jfr_pools_find_index(rewrite->pools, trace->pool, read_number(&key)) != LP_MAP_NONE;
}

static void
append_values(const jfr_rewrite *rewrite, jfr_program program, jfr_cursor *cursor, lp_buf *out)
{
    bool is_whole = jfr_rewrite_value(rewrite, program, true, cursor, out);
    LP_ASSERT(is_whole);
}

static void
append_frame(
    const jfr_rewrite *rewrite, const jfr_printable_trace *trace, jfr_cursor frame, lp_buf *out)
{
    if (trace->frame.begin == trace->frame.end) {
        jfr_varint_append(out, jfr_rewrite_key(rewrite, trace->pool, read_number(&frame)));
    } else {
        append_values(rewrite, trace->frame, &frame, out);
    }
}

uint64_t
jfr_printable_append_trace(const jfr_rewrite *rewrite, const jfr_printable_trace *trace,
    jfr_cursor value, lp_buf *out, uint64_t *out_bytes)
{
    append_values(rewrite, trace->before, &value, out);
    uint64_t count = read_number(&value);
    uint64_t left_out = 0;
    *out_bytes = 0;
    jfr_cursor rest = value;
    for (uint64_t i = 0; i < count; i++) {
        const uint8_t *begin = rest.at;
        if (!is_kept(rewrite, trace, &rest)) {
            left_out++;
            *out_bytes += (uint64_t)(rest.at - begin);
        }
    }
    jfr_varint_append(out, count - left_out);
    for (uint64_t i = 0; i < count; i++) {
        const jfr_cursor frame = value;
        if (is_kept(rewrite, trace, &value)) {
            append_frame(rewrite, trace, frame, out);
        }
    }
    append_values(rewrite, trace->behind, &value, out);
    return left_out;
}
