// SPDX-License-Identifier: Apache-2.0
#include "engine/job/request/request_parts.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_map.h"
#include "common/base/lp_order.h"
#include "common/context/ctx_type.h"
#include "common/jfr/jfr_string.h"
#include "engine/contexts/contexts.h"
#include "engine/contexts/recordings.h"
#include "engine/contexts/value.h"
#include "engine/read/kind_values.h"
#include "engine/read/kinds.h"
#include "engine/read/rows.h"
#include "engine/read/threads.h"
#include "engine/read/view.h"
#include "engine/requests/request_rules.h"
#include "policy/policy_name.h"
#include "policy/policy_requests.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// --- How contexts and contextual events name their request
//
// A context or an event names its request by the first of its attributes that is in the policy's
// request-by, or that tracers use (local_root_span_id). Its attributes are:
//
//   a ContextType         its attributes; one that the program marks (@Root) is before all others
//   a RecordingContext    the entries of its map; before them counts the request of the API, if
//                         that has a root (then that of the entries is a further key), and after
//                         them, if it has none
//   a contextual event    its fields that are attributes (read/kinds.h), if they have a text, a
//                         number or a boolean
//
// Equal values of one name are one key, whatever their type: a number, a boolean or a character is
// equal to its text as String.valueOf returns it. A long is also equal to its 16 hexadecimal
// digits, which some tracers write, unless these are all decimal and the first is not 0 (one long
// of 2,000). Null, an empty text and the integer 0, with which programs mean nothing, are no key.

// How the contexts of a type name their request.
typedef struct key_plan {
    size_t attribute; // whose value is the key; SIZE_MAX: none
    uint64_t seed;    // of keys: the hash of the attribute's name
    bool is_rooted;   // roots begin and end such requests
} key_plan;

// The key in the entries of a map.
typedef struct map_key {
    uint64_t key; // 0: none
    bool is_rooted;
} map_key;

// How the events of a type name their request: by a kind whose only attribute is the key.
typedef struct event_plan {
    compact_kind kind;
    compact_reading reading;
    key_plan key;
} event_plan;

typedef struct request_keys {
    const compact_frame *frame;
    const compact_carry_types *roots; // types of roots, which name attributes, and other types
    const policy_requests *wanted;
    lp_arena *arena;
    key_plan *plans;           // parallel to frame->types
    const compact_view *view;  // of events
    const event_plan **events; // parallel to its types; NULL: such events name no request
    bool has_plans;            // some events of the view name their request
    bool has_events;           // an event of such a type was found
    lp_map by_map;             // id of a RecordingContext's map to an index of map_keys
    LP_VEC(map_key) map_keys;
    lp_buf value;
    lp_buf text;
} request_keys;

static void
keys_check(const request_keys *keys)
{
    LP_ASSERT(keys->arena->is_failed || keys->by_map.count == keys->map_keys.count);
}

// --- Values

static uint64_t
seed_of(const char *name)
{
    return lp_hash_text(LP_HASH_FIXED, name) | 1;
}

static uint64_t
key_of_bits(uint64_t seed, uint64_t bits)
{
    uint64_t key = lp_hash_number(seed, bits);
    return key == 0 ? 1 : key;
}

// parse_hex reads exactly 16 hexadecimal digits.
static bool
parse_hex(lp_slice text, uint64_t *out_bits)
{
    enum { DIGITS = 16 };
    uint64_t bits = 0;
    for (size_t i = 0; i < text.len && text.len == DIGITS; i++) {
        uint8_t c = text.ptr[i];
        bool is_digit = c >= '0' && c <= '9';
        bool is_letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'f';
        if (!is_digit && !is_letter) {
            return false;
        }
        bits = bits << 4 | (uint64_t)(is_digit ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    *out_bits = bits;
    return text.len == DIGITS;
}

// parse_decimal reads a long as Java writes it.
static bool
parse_decimal(lp_slice text, uint64_t *out_bits)
{
    bool is_negative = text.len > 1 && text.ptr[0] == '-';
    size_t begin = is_negative ? 1 : 0;
    bool is_padded = text.len - begin > 1 && text.ptr[begin] == '0';
    int64_t value = 0;
    for (size_t i = begin; i < text.len; i++) {
        int digit = text.ptr[i] - '0';
        if (digit < 0 || digit > 9 || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_sub_overflow(value, digit, &value)) { // downwards: INT64_MIN has no positive
            return false;
        }
    }
    *out_bits = is_negative ? (uint64_t)value : 0 - (uint64_t)value;
    return text.len > begin && !is_padded && (is_negative ? value < 0 : value > INT64_MIN);
}

static uint64_t
key_of_text(uint64_t seed, lp_slice text)
{
    uint64_t bits;
    if (text.len == 0) {
        return 0;
    }
    if (parse_decimal(text, &bits) || parse_hex(text, &bits)) {
        return bits == 0 ? 0 : key_of_bits(seed, bits);
    }
    uint64_t key = lp_hash_bytes(seed, text);
    return key == 0 ? 1 : key;
}

// key_of_written returns the key of keys->text.
static uint64_t
key_of_written(const request_keys *keys, uint64_t seed)
{
    lp_arena_note(keys->arena, lp_buf_check(&keys->text));
    return key_of_text(seed, lp_buf_slice(&keys->text));
}

// key_of_read returns the key of the text in keys->value, which has the form of kind_values.h.
static uint64_t
key_of_read(request_keys *keys, uint64_t seed)
{
    lp_arena_note(keys->arena, lp_buf_check(&keys->value));
    jfr_cursor cursor = jfr_cursor_over(lp_buf_slice(&keys->value));
    bool is_null = keys->value.len == 0 || keys->value.ptr[0] == JFR_STRING_NULL;
    lp_buf_clear(&keys->text);
    return !is_null && jfr_string_read_utf8(&cursor, &keys->text) ? key_of_written(keys, seed) : 0;
}

static uint64_t
key_of_value(request_keys *keys, uint64_t seed, ctx_kind kind, const compact_value *value)
{
    if (kind == CTX_LONG || kind == CTX_HEX) {
        return value->bits == 0 ? 0 : key_of_bits(seed, value->bits);
    }
    if (kind != CTX_STRING) {
        lp_buf_clear(&keys->value);
        compact_kind_append_bits(kind, value->bits, &keys->value);
        return key_of_read(keys, seed);
    }
    if (value->is_null) {
        return 0;
    }
    lp_buf_clear(&keys->text);
    compact_value_append_utf8(value, &keys->text);
    return key_of_written(keys, seed);
}

// --- Names

// is_named returns whether the values of an attribute are keys: it is in the policy's request-by,
// or it is a tracer's name for the first span of a request in a process.
static bool
is_named(const request_keys *keys, const char *name)
{
    static const char *const usual[] = {
        "local_root_span_id", "rootspanid", "localRootSpanId", "local root span id"};
    for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++) {
        if (strcmp(name, usual[i]) == 0) {
            return true;
        }
    }
    return policy_index_has(keys->wanted->by, name);
}

// is_rooted returns whether roots begin and end the requests whose key is the value of this
// attribute.
static bool
is_rooted(const request_keys *keys, const char *attribute)
{
    for (size_t i = 0; i < keys->roots->count; i++) {
        const ctx_type *type = &keys->roots->items[i];
        if (type->is_root && strcmp(type->attributes[0].name, attribute) == 0) {
            return true;
        }
    }
    return false;
}

static void
take_key(compact_request_part *part, uint64_t key, bool has_root)
{
    part->source = COMPACT_REQUEST_BY_ATTRIBUTE;
    part->key = key;
    part->is_rooted = has_root;
}

// --- Contexts

static key_plan
plan_key(const request_keys *keys, const ctx_type *type)
{
    keys_check(keys);
    key_plan plan = {.attribute = SIZE_MAX};
    for (size_t i = 0; i < type->attribute_count && !type->is_recording; i++) {
        bool is_better = plan.attribute == SIZE_MAX && is_named(keys, type->attributes[i].name);
        if (is_better || type->attributes[i].is_root_key) {
            plan.attribute = i;
        }
        if (type->attributes[i].is_root_key) {
            break;
        }
    }
    if (plan.attribute != SIZE_MAX) {
        plan.seed = seed_of(type->attributes[plan.attribute].name);
        plan.is_rooted = is_rooted(keys, type->attributes[plan.attribute].name);
    }
    return plan;
}

static void
init_keys(request_keys *keys, const compact_frame *frame, const compact_carry_types *roots,
    const policy_requests *wanted, lp_arena *arena)
{
    *keys = (request_keys){
        .frame = frame,
        .roots = roots,
        .wanted = wanted,
        .arena = arena,
        .plans = LP_ARENA_ARRAY(arena, key_plan, frame->type_count),
    };
    for (size_t i = 0; i < frame->type_count && keys->plans != NULL; i++) {
        keys->plans[i] = plan_key(keys, &frame->types[i]);
    }
}

static void
fini_keys(request_keys *keys)
{
    keys_check(keys);
    lp_buf_fini(&keys->value);
    lp_buf_fini(&keys->text);
    lp_map_fini(&keys->by_map);
}

static bool
read_attribute(const request_keys *keys, const compact_context *context, const ctx_type *type,
    size_t attribute, compact_value *out)
{
    compact_values values = compact_contexts_values(keys->frame->contexts, context);
    for (size_t i = 0; i <= attribute; i++) {
        if (!compact_values_read(&values, type->attributes[i].kind, out)) {
            return false;
        }
    }
    return true;
}

static map_key
key_of_map(const request_keys *keys, const ctx_recording *map)
{
    for (size_t i = 0; map != NULL && i < map->entry_count; i++) {
        const ctx_entry *entry = &map->entries[i];
        uint64_t key = entry->is_null || !is_named(keys, entry->key)
                           ? 0
                           : key_of_text(seed_of(entry->key), entry->value);
        if (key != 0) {
            return (map_key){key, is_rooted(keys, entry->key)};
        }
    }
    return (map_key){0};
}

// find_in_map adds the key in the entries of a RecordingContext to its part, which has the key of
// the API. If roots begin that request, the key of the API stays the first. Many contexts share a
// map, so each map is read once.
static void
find_in_map(request_keys *keys, const compact_context *context, compact_request_part *part)
{
    keys_check(keys);
    uint64_t id = compact_recordings_id(keys->frame->contexts, context);
    uint32_t index = lp_map_find(&keys->by_map, id);
    if (index == LP_MAP_NONE) {
        const ctx_recording *map = compact_recordings_find(keys->frame->recordings, id);
        index = (uint32_t)keys->map_keys.count;
        LP_ARENA_PUSH(keys->arena, &keys->map_keys, key_of_map(keys, map));
        lp_arena_put(keys->arena, &keys->by_map, id, index);
    }
    if (keys->arena->is_failed || keys->map_keys.items[index].key == 0) {
        return;
    }
    if (part->is_rooted) {
        part->also = keys->map_keys.items[index].key;
    } else {
        take_key(part, keys->map_keys.items[index].key, keys->map_keys.items[index].is_rooted);
    }
}

static void
read_context_key(
    request_keys *keys, const compact_context *context, size_t type, compact_request_part *part)
{
    keys_check(keys);
    const key_plan *plan = &keys->plans[type];
    const ctx_type *described = &keys->frame->types[type];
    compact_value value;
    if (described->is_recording) {
        part->source = COMPACT_REQUEST_BY_API;
        part->key = compact_recordings_request(keys->frame->contexts, context);
        part->is_rooted = compact_recordings_is_rooted(part->key);
        find_in_map(keys, context, part);
    } else if (plan->attribute != SIZE_MAX &&
               read_attribute(keys, context, described, plan->attribute, &value)) {
        ctx_kind kind = described->attributes[plan->attribute].kind;
        take_key(part, key_of_value(keys, plan->seed, kind, &value), plan->is_rooted);
    }
}

// --- Contextual events

// plan_field plans how to read a field of a type of events as a text. NULL if there is no such
// field, or memory ran out.
static const event_plan *
plan_field(const request_keys *keys, uint32_t type, const char *name)
{
    keys_check(keys);
    const jfr_metadata *metadata = &keys->view->schema->metadata;
    const compact_kind kind = {.attribute_count = 1, .attributes = {{.name = name}}};
    const compact_reading reading = compact_reading_make(&kind, metadata, type, &keys->view->pools);
    event_plan *plan = reading.values[0].is_there ? LP_ARENA_NEW(keys->arena, event_plan) : NULL;
    if (plan != NULL) {
        plan->kind = kind;
        plan->reading = reading;
        plan->key.seed = seed_of(name);
        plan->key.is_rooted = is_rooted(keys, name);
    }
    return plan;
}

// plan_event finds the field by which the events of a type name their request; NULL if there is
// none.
static const event_plan *
plan_event(const request_keys *keys, uint32_t type)
{
    keys_check(keys);
    const jfr_metadata *metadata = &keys->view->schema->metadata;
    const jfr_type *t = &metadata->types.items[type];
    for (uint32_t i = t->field_begin; i < t->field_begin + t->field_count; i++) {
        const char *name = jfr_metadata_text(metadata, metadata->fields.items[i].name);
        bool is_key = is_named(keys, name) && compact_kinds_is_attribute(metadata, type, i);
        const event_plan *plan = is_key ? plan_field(keys, type, name) : NULL;
        if (plan != NULL) {
            return plan;
        }
    }
    return NULL;
}

static void
plan_events(request_keys *keys, const compact_view *view)
{
    keys_check(keys);
    size_t count = view->schema->metadata.types.count;
    keys->view = view;
    keys->events = LP_ARENA_ARRAY(keys->arena, const event_plan *, count);
    keys->has_plans = false;
    for (uint32_t i = 0; i < count && keys->events != NULL; i++) {
        if (view->schema->plans[i].rule == COMPACT_RULE_CONTEXTUAL) {
            keys->events[i] = plan_event(keys, i);
            keys->has_plans |= keys->events[i] != NULL;
        }
    }
}

static void
read_event_key(request_keys *keys, const compact_event *event, compact_request_part *part)
{
    keys_check(keys);
    const event_plan *plan = keys->has_plans ? keys->events[event->type] : NULL;
    if (plan == NULL) {
        return;
    }
    keys->has_events = true;
    lp_buf_clear(&keys->value);
    compact_kind_append_event(&plan->kind, &plan->reading, event->payload, false, &keys->value);
    uint64_t key = key_of_read(keys, plan->key.seed);
    if (key != 0) {
        take_key(part, key, plan->key.is_rooted);
    }
}

// --- The policy's `request=TYPE`, the unit. The contexts of one type are the requests, with the
// parts that begin in them on their thread; other parts belong to no request. Whether a contextual
// event is of the type is unknown while it is open where the chunk ends and no known later chunk
// stores it.

LP_COMPARE(compare_intervals, compact_interval,
    LP_ORDER(one->thread, other->thread) ?: LP_ORDER(one->begin, other->begin))

void
compact_intervals_sort(compact_intervals *intervals)
{
    LP_QSORT(intervals->items, intervals->count, compare_intervals);
}

const compact_interval *
compact_intervals_find(const compact_intervals *intervals, uint64_t thread, int64_t ticks)
{
    size_t begin = LP_BISECT(intervals->items, 0, intervals->count,
        at->thread < thread || (at->thread == thread && at->begin <= ticks));
    const compact_interval *found = begin == 0 ? NULL : &intervals->items[begin - 1];
    return found != NULL && found->thread == thread ? found : NULL;
}

void
compact_intervals_join(compact_intervals *all)
{
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++) {
        const compact_interval *next = &all->items[i];
        compact_interval *last = count == 0 ? NULL : &all->items[count - 1];
        if (last != NULL && last->thread == next->thread && next->begin <= last->end) {
            last->end = next->end > last->end ? next->end : last->end;
        } else {
            all->items[count++] = *next;
        }
    }
    all->count = count;
}

// choose_units removes the keys of all parts. Returns which parts belong to requests: those that
// are_units marks as of the type, and the parts in them. In arena; NULL if memory ran out.
static bool *
choose_units(const bool *are_units, compact_request_part *parts, size_t count, lp_arena *arena)
{
    compact_intervals all = {0};
    bool *chosen = LP_ARENA_ARRAY(arena, bool, count + 1);
    for (size_t i = 0; i < count; i++) {
        if (are_units[i]) {
            LP_ARENA_PUSH(
                arena, &all, (compact_interval){parts[i].thread, parts[i].begin, parts[i].end});
        }
    }
    LP_REQUIRE(!arena->is_failed, NULL);
    compact_intervals_sort(&all);
    compact_intervals_join(&all);
    for (size_t i = 0; i < count; i++) {
        const compact_interval *unit =
            compact_intervals_find(&all, parts[i].thread, parts[i].begin);
        chosen[i] = unit != NULL && parts[i].begin <= unit->end;
        parts[i].key = 0;
        parts[i].source = COMPACT_REQUEST_NESTED;
        parts[i].is_rooted = false;
    }
    return chosen;
}

typedef struct finder {
    const compact_frame *frame;
    const compact_opened *opened;
    const compact_decided *decided;
    const compact_carry *before; // NULL: the chunk is the first
    compact_carry *carry;
    lp_arena *arena;
    lp_arena *locals_arena;
    const policy_requests *wanted; // the policy's
    policy_name unit;              // if the policy names one
    compact_request_parts *out;
    LP_VEC(compact_request_part) parts;
    LP_VEC(uint32_t) items;
    LP_VEC(bool) are_units; // parallel to the parts
    LP_VEC(compact_root) roots;
    LP_VEC(compact_hand_over) hand_overs;
    request_keys keys;
    bool *type_is_unit; // parallel to frame->types
    bool has_omitted;   // some events are left out
    compact_request_omitted omitted;
} finder;

// finder_check asserts that each part has an item. Only the last step removes some.
static void
finder_check(const finder *f)
{
    LP_ASSERT(f->frame->carry == f->before && f->carry != f->before);
    LP_ASSERT(f->arena->is_failed ||
              (f->parts.count == f->items.count && f->parts.count == f->are_units.count));
}

// --- The unit

static bool
is_unit(const finder *f, const char *type_name)
{
    policy_name name;
    policy_name_init(&name, type_name);
    return f->wanted->unit != NULL && strcmp(name.spelled, f->unit.spelled) == 0;
}

// --- Parts

// find_borders sets the times of the input. All parts are known that begin up to
// COMPACT_LATENESS_MS after the window; later ones may be unknown, so none of them counts.
static void
find_borders(finder *f)
{
    finder_check(f);
    const compact_frame *frame = f->frame;
    int64_t known;
    if (__builtin_add_overflow(frame->window.hi, frame->lateness_ticks, &known)) {
        known = INT64_MAX;
    }
    f->out->input = (compact_requests_input){
        .open = f->before == NULL ? NULL : &f->before->requests,
        .lo = frame->window.lo,
        .hi = frame->window.hi,
        .known = known < frame->known_ticks ? known : frame->known_ticks,
        .linger_ticks =
            (int64_t)((__int128)frame->clock.ticks_per_s * COMPACT_REQUESTS_LINGER_MS / 1000),
        .is_last = frame->is_last,
        .omits_dropped = !compact_request_parts_are_read(frame),
    };
}

static void
find_units(finder *f)
{
    finder_check(f);
    f->type_is_unit = LP_ARENA_ARRAY(f->arena, bool, f->frame->type_count);
    for (size_t i = 0; i < f->frame->type_count && f->type_is_unit != NULL; i++) {
        f->type_is_unit[i] = is_unit(f, f->frame->types[i].name);
    }
}

// find_omitted finds the events that are left out.
static void
find_omitted(finder *f)
{
    finder_check(f);
    plan_events(&f->keys, f->frame->view);
    if (!compact_request_parts_are_listed(f->frame) && f->frame->contexts->items.count == 0 &&
        f->hand_overs.count == 0 && !f->keys.has_plans && f->wanted->unit == NULL) {
        compact_request_omitted_find(
            f->frame, f->opened, f->decided->tally, f->arena, f->locals_arena, &f->omitted);
        f->has_omitted = true;
        f->out->input.omitted = f->omitted.request_count;
        f->out->locals = f->omitted.locals;
    }
}

// reserve makes room for the parts, of which later chunks have few.
static void
reserve(finder *f)
{
    finder_check(f);
    size_t count = f->frame->contexts->items.count +
                   (f->has_omitted ? f->omitted.others.count : f->frame->view->spans.count);
    count += count / 64;
    (void)LP_ARENA_RESERVE(f->arena, &f->parts, count);
    (void)LP_ARENA_RESERVE(f->arena, &f->items, count);
    (void)LP_ARENA_RESERVE(f->arena, &f->are_units, count);
}

static void
add_part(finder *f, const compact_request_part *part, size_t item, bool is_of_unit)
{
    LP_ARENA_PUSH(f->arena, &f->parts, *part);
    LP_ARENA_PUSH(f->arena, &f->items, (uint32_t)item);
    LP_ARENA_PUSH(f->arena, &f->are_units, is_of_unit);
}

static void
add_contexts(finder *f)
{
    finder_check(f);
    const compact_window *window = &f->frame->window;
    uint64_t seen = f->before == NULL ? 0 : f->before->contexts_seen;
    size_t next = 0;
    for (size_t i = 0; i < f->frame->contexts->items.count; i++) {
        const compact_context *context = &f->frame->contexts->items.items[i];
        bool is_late = context->begin < window->lo && context->id >= seen;
        if ((context->end < window->lo && !is_late) || context->begin > f->out->input.known) {
            continue;
        }
        compact_request_part part = {
            .thread = compact_identity_java(context->thread_id),
            .begin = context->begin,
            .end = context->end > context->begin ? context->end : context->begin,
            .is_new = is_late || compact_window_has(window, context->begin),
            .is_kept = compact_parts_find(&f->decided->parts, &next, i) != NULL,
        };
        size_t type = ctx_type_find(f->frame->types, f->frame->type_count, context->type_id);
        bool has_type = type < f->frame->type_count;
        if (has_type) {
            read_context_key(&f->keys, context, type, &part);
        }
        add_part(f, &part, i, has_type && f->type_is_unit[type]);
    }
}

// add_event adds the part of a contextual event of the view of f->keys. It reads the event only if
// that may tell the part's key, or whether it is of the unit.
static void
add_event(finder *f, const compact_span *span, size_t item, compact_request_part *part)
{
    bool is_of_unit = false;
    if (f->keys.has_plans || f->wanted->unit != NULL) {
        const compact_event event = compact_view_event(f->keys.view, span->offset);
        const jfr_metadata *metadata = &f->keys.view->schema->metadata;
        read_event_key(&f->keys, &event, part);
        is_of_unit =
            f->wanted->unit != NULL && is_unit(f, jfr_metadata_type_name(metadata, event.type));
    }
    add_part(f, part, item, is_of_unit);
}

static void
add_span(finder *f, size_t index)
{
    const compact_span *span = &f->frame->view->spans.items[index];
    if (span->thread == COMPACT_NO_THREAD) {
        return;
    }
    compact_request_part part = {
        .thread = f->frame->identities[span->thread],
        .begin = span->begin,
        .end = span->commit > span->begin ? span->commit : span->begin,
        .is_new = true,
        .is_kept = compact_span_is_kept(span),
    };
    add_event(f, span, index, &part);
}

static void
add_spans(finder *f)
{
    finder_check(f);
    for (size_t i = 0; i < f->omitted.others.count; i++) {
        add_span(f, f->omitted.others.items[i]);
    }
    for (size_t i = 0; i < f->frame->view->spans.count && !f->has_omitted; i++) {
        add_span(f, i);
    }
}

static void
add_aheads(finder *f)
{
    finder_check(f);
    const compact_ahead *ahead = NULL;
    for (size_t i = 0; i < f->opened->open_spans.count; i++) {
        const compact_later_span *later = &f->opened->open_spans.items[i];
        LP_ASSERT(later->ahead != NULL); // list_open (frame_open.c) sets it
        if (later->ahead != ahead) {
            ahead = later->ahead;
            plan_events(&f->keys, ahead->view);
        }
        compact_request_part part = {
            .thread = ahead->identities[later->span.thread],
            .begin = later->span.begin,
            .end = later->span.commit,
        };
        add_event(f, &later->span, 0, &part);
    }
    for (size_t i = 0; i < f->opened->open_far.count && !f->keys.has_events; i++) {
        const compact_interval *far = &f->opened->open_far.items[i];
        const compact_request_part part = {
            .thread = far->thread, .begin = far->begin, .end = far->end};
        add_part(f, &part, 0, false);
    }
}

// --- Signs

static void
take_sign(finder *f, const compact_sign *sign)
{
    finder_check(f);
    const compact_carry_types *types = &f->carry->completing;
    size_t index = ctx_type_find(types->items, types->count, sign->type_id);
    if (index == types->count) {
        return;
    }
    const ctx_type *type = &types->items[index];
    uint64_t thread = compact_identity_java(sign->thread_id);
    if (type->is_hand_over) {
        const compact_hand_over hand_over = {
            .from = compact_identity_java((int64_t)sign->values[0]),
            .to = thread,
            .handed = (int64_t)sign->values[1],
            .taken = sign->ticks,
        };
        LP_ARENA_PUSH(f->arena, &f->hand_overs, hand_over);
    } else if (type->is_root) {
        const char *name = type->attributes[0].name;
        bool is_of_api = strcmp(name, CTX_ROOT_API) == 0;
        const compact_root root = {
            .key = is_of_api ? sign->values[0] : key_of_bits(seed_of(name), sign->values[0]),
            .thread = thread,
            .ticks = sign->ticks,
            .source = is_of_api ? COMPACT_REQUEST_BY_API : COMPACT_REQUEST_BY_ATTRIBUTE,
            .is_end = sign->values[1] != 0,
        };
        LP_ARENA_PUSH(f->arena, &f->roots, root);
    }
}

// carry_sign carries a sign to the next chunk, unless there are too many: a JVM's clock may be
// wrong.
static void
carry_sign(finder *f, const compact_sign *sign)
{
    finder_check(f);
    if (f->carry->signs.count < COMPACT_REQUESTS_OPEN_MAX) {
        LP_ARENA_PUSH(&f->carry->arena, &f->carry->signs, *sign);
    } else {
        f->out->signs_left_out++;
    }
}

// take_signs takes the signs of the window, and earlier ones that were unknown then. It carries
// later signs that came with this chunk or before; others come again.
static void
take_signs(finder *f)
{
    finder_check(f);
    const compact_window *window = &f->frame->window;
    uint64_t seen = f->before == NULL ? 0 : f->before->signs_seen;
    uint64_t next = f->carry->next_sign;
    for (size_t i = 0; i < f->opened->signs.count; i++) {
        const compact_sign *sign = &f->opened->signs.items[i];
        next = sign->number >= next ? sign->number + 1 : next;
        if (sign->ticks >= window->hi) {
            if (i < f->opened->own_sign_count) {
                carry_sign(f, sign);
            }
        } else if (sign->ticks >= window->lo || sign->number >= seen) {
            take_sign(f, sign);
        }
    }
    f->carry->signs_seen = next;
    f->carry->contexts_seen = f->frame->contexts->next_id;
}

// --- The unit

// take_unit removes the parts that belong to no request of the unit.
static void
take_unit(finder *f)
{
    finder_check(f);
    const bool *chosen = choose_units(f->are_units.items, f->parts.items, f->parts.count, f->arena);
    size_t count = 0;
    size_t span_begin = f->out->span_begin;
    size_t ahead_begin = f->out->ahead_begin;
    for (size_t i = 0; chosen != NULL && i < f->parts.count; i++) {
        f->out->span_begin -= i < span_begin && !chosen[i];
        f->out->ahead_begin -= i < ahead_begin && !chosen[i];
        f->parts.items[count] = f->parts.items[i];
        f->items.items[count] = f->items.items[i];
        count += chosen[i];
    }
    f->parts.count = count;
    f->roots.count = 0; // they begin and end other requests
}

void
compact_request_parts_find(const compact_frame *frame, const compact_opened *opened,
    const compact_decided *decided, lp_arena *arena, lp_arena *locals_arena,
    compact_carry *new_carry, compact_request_parts *out)
{
    LP_ASSERT(compact_frame_is_open(frame));
    finder f = {
        .frame = frame,
        .opened = opened,
        .decided = decided,
        .before = frame->carry,
        .carry = new_carry,
        .arena = arena,
        .locals_arena = locals_arena,
        .wanted = policy_get_requests(frame->options->policy),
        .out = out,
    };
    if (f.wanted->unit != NULL) {
        policy_name_init(&f.unit, f.wanted->unit);
    }
    find_borders(&f);
    find_units(&f);
    init_keys(&f.keys, frame, &new_carry->completing, f.wanted, arena);
    take_signs(&f);
    find_omitted(&f);
    reserve(&f);
    if (!arena->is_failed) {
        add_contexts(&f);
    }
    out->span_begin = f.parts.count;
    add_spans(&f);
    out->ahead_begin = f.parts.count;
    out->are_tallied = f.omitted.are_tallied;
    add_aheads(&f);
    fini_keys(&f.keys);
    if (f.wanted->unit != NULL && !arena->is_failed) { // else the arrays may not be parallel
        take_unit(&f);
    }
    LP_ASSERT(arena->is_failed ||
              (out->span_begin <= out->ahead_begin && out->ahead_begin <= f.parts.count));
    out->item_of = f.items.items;
    out->input.parts = f.parts.items;
    out->input.part_count = f.parts.count;
    out->input.roots = f.roots.items;
    out->input.root_count = f.roots.count;
    out->input.hand_overs = f.hand_overs.items;
    out->input.hand_over_count = f.hand_overs.count;
}
