// SPDX-License-Identifier: Apache-2.0
#include "engine/job/request_parts.h"

#include "common/base/lp_hash.h"
#include "common/context/ctx_type.h"
#include "engine/job/request_unit.h"
#include "engine/read/rows.h"
#include "engine/read/threads.h"

#include <string.h>

// How the contexts of a type name their request.
typedef struct key_plan {
    bool is_recording;
    size_t attribute; // whose value is the key; SIZE_MAX: none
    uint64_t seed;    // of keys: the hash of the attribute's name
    bool is_rooted;   // roots say when such requests begin and end
    bool is_unit;     // the policy names the type: its contexts are the requests
} key_plan;

typedef struct finder {
    const compact_frame *frame;
    const compact_opened *opened;
    const compact_carry *before; // NULL: the chunk is the first
    compact_carry *carry;
    lp_arena *arena;
    const policy_requests *wanted; // the policy's
    policy_name unit;              // where the policy names one
    compact_request_parts *out;
    LP_VEC(compact_request_part) parts;
    LP_VEC(uint32_t) items;
    LP_VEC(bool) are_units; // parallel to the parts
    LP_VEC(compact_root) roots;
    LP_VEC(compact_hand_over) hand_overs;
    key_plan *plans; // parallel to frame->types
} finder;

// --- Keys

// The attributes by which tracers name the first span of a request in a process.
static bool
is_usual_name(const char *name)
{
    static const char *const names[] = {
        "local_root_span_id", "rootspanid", "localRootSpanId", "local root span id"};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        if (strcmp(name, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

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

// parse_hex reads 16 hexadecimal digits, as which tracers also write a long.
static bool
parse_hex(lp_slice text, uint64_t *out_bits)
{
    enum { DIGITS = 16 };
    uint64_t bits = 0;
    for (size_t i = 0; i < text.len; i++) {
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

// key_of_value returns the key of a value; 0, which is none, for null, for an empty text and for
// the number 0, by which programs say that there is nothing.
static uint64_t
key_of_value(finder *f, uint64_t seed, ctx_kind kind, const compact_value *value)
{
    if (kind != CTX_STRING) {
        return value->bits == 0 ? 0 : key_of_bits(seed, value->bits);
    }
    if (value->is_null || value->bytes.len == 0) {
        return 0;
    }
    lp_buf text = {0};
    compact_value_append_utf8(value, &text);
    lp_arena_note(f->arena, lp_buf_check(&text));
    uint64_t bits;
    bool is_hex = parse_hex(lp_buf_slice(&text), &bits);
    uint64_t key = is_hex ? key_of_bits(seed, bits) : lp_hash_bytes(seed, lp_buf_slice(&text));
    lp_buf_fini(&text);
    if (is_hex && bits == 0) {
        return 0;
    }
    return key == 0 ? 1 : key;
}

// is_rooted returns whether roots say when the requests begin and end whose key is the value of
// this attribute.
static bool
is_rooted(const finder *f, const char *attribute)
{
    const compact_carry_types *types = &f->carry->completing;
    for (size_t i = 0; i < types->count; i++) {
        if (types->items[i].is_root && strcmp(types->items[i].attributes[0].name, attribute) == 0) {
            return true;
        }
    }
    return false;
}

// plan_key plans by which attribute contexts of a type name their request: one that the program
// says, else one that the policy names or that tracers use.
static key_plan
plan_key(const finder *f, const ctx_type *type)
{
    key_plan plan = {.is_recording = type->is_recording, .attribute = SIZE_MAX};
    for (size_t i = 0; i < type->attribute_count && !type->is_recording; i++) {
        const char *name = type->attributes[i].name;
        bool is_named = policy_index_has(f->wanted->by, name) || is_usual_name(name);
        bool is_better = plan.attribute == SIZE_MAX && is_named;
        if (is_better || type->attributes[i].is_root_key) {
            plan.attribute = i;
        }
        if (type->attributes[i].is_root_key) {
            break;
        }
    }
    if (plan.attribute != SIZE_MAX) {
        plan.seed = seed_of(type->attributes[plan.attribute].name);
        plan.is_rooted = is_rooted(f, type->attributes[plan.attribute].name);
    }
    return plan;
}

static bool
is_unit(const finder *f, const char *type_name)
{
    return f->wanted->unit != NULL && compact_request_unit_is(&f->unit, type_name);
}

static void
plan_keys(finder *f)
{
    f->plans = LP_ARENA_ARRAY(f->arena, key_plan, f->frame->type_count);
    for (size_t i = 0; i < f->frame->type_count && f->plans != NULL; i++) {
        f->plans[i] = plan_key(f, &f->frame->types[i]);
        f->plans[i].is_unit = is_unit(f, f->frame->types[i].name);
    }
}

// read_attribute reads the value of an attribute of a context. False if it is damaged.
static bool
read_attribute(const finder *f, const compact_context *context, const ctx_type *type,
    size_t attribute, compact_value *out)
{
    compact_values values = compact_contexts_values(f->frame->contexts, context);
    for (size_t i = 0; i <= attribute; i++) {
        if (!compact_values_read(&values, type->attributes[i].kind, out)) {
            return false;
        }
    }
    return true;
}

// find_key fills in the key of a context's part. index is that of its type.
static void
find_key(finder *f, const compact_context *context, size_t index, compact_request_part *part)
{
    const key_plan *plan = &f->plans[index];
    const ctx_type *type = &f->frame->types[index];
    compact_value value;
    if (plan->is_recording) {
        part->source = COMPACT_REQUEST_BY_API;
        part->key = compact_recordings_request(f->frame->contexts, context);
        part->is_rooted = compact_recordings_is_rooted(part->key);
    } else if (plan->attribute != SIZE_MAX &&
               read_attribute(f, context, type, plan->attribute, &value)) {
        part->source = COMPACT_REQUEST_BY_ATTRIBUTE;
        part->key = key_of_value(f, plan->seed, type->attributes[plan->attribute].kind, &value);
        part->is_rooted = plan->is_rooted;
    }
}

// --- Parts

// find_borders fills in what the input says of the window. All parts are known that begin up to
// COMPACT_LATENESS_MS behind it, and what is known beyond depends on who asks.
static void
find_borders(finder *f)
{
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
    };
}

// is_unit_event returns whether a contextual event of a view is of the policy's unit.
static bool
is_unit_event(const finder *f, const compact_view *view, const compact_span *span)
{
    if (f->wanted->unit == NULL) {
        return false;
    }
    const jfr_metadata *metadata = &view->schema->metadata;
    uint32_t type = compact_view_event(view, span->offset).type;
    return is_unit(f, jfr_metadata_text(metadata, metadata->types.items[type].name));
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
    const compact_window *window = &f->frame->window;
    uint64_t seen = f->before == NULL ? 0 : f->before->contexts_seen;
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
        };
        size_t type = ctx_type_find(f->frame->types, f->frame->type_count, context->type_id);
        bool has_type = type < f->frame->type_count;
        if (has_type) {
            find_key(f, context, type, &part);
        }
        add_part(f, &part, i, has_type && f->plans[type].is_unit);
    }
}

static void
add_spans(finder *f)
{
    const compact_view *view = f->frame->view;
    for (size_t i = 0; i < view->spans.count; i++) {
        const compact_span *span = &view->spans.items[i];
        if (span->thread == COMPACT_NO_THREAD) {
            continue;
        }
        const compact_request_part part = {
            .thread = f->frame->identities[span->thread],
            .begin = span->begin,
            .end = span->commit > span->begin ? span->commit : span->begin,
            .is_new = true,
        };
        add_part(f, &part, i, is_unit_event(f, view, span));
    }
}

// add_open adds a contextual event of a chunk behind, if it is open where this one ends.
static void
add_open(finder *f, uint64_t thread, int64_t begin, int64_t end, bool is_of_unit)
{
    if (begin < f->frame->window.hi && end >= f->frame->window.hi) {
        const compact_request_part part = {.thread = thread, .begin = begin, .end = end};
        add_part(f, &part, 0, is_of_unit);
    }
}

static void
add_aheads(finder *f)
{
    for (size_t i = 0; i < f->frame->ahead_count; i++) {
        const compact_ahead *ahead = &f->frame->aheads[i];
        for (size_t k = 0; k < ahead->view->spans.count; k++) {
            const compact_span *span = &ahead->view->spans.items[k];
            if (span->thread != COMPACT_NO_THREAD) {
                add_open(f, ahead->identities[span->thread], span->begin, span->commit,
                    is_unit_event(f, ahead->view, span));
            }
        }
    }
    for (size_t i = 0; i < f->frame->far_count; i++) {
        const compact_interval *far = &f->frame->far[i];
        add_open(f, far->thread, far->begin, far->end, false);
    }
}

// --- Signs

static const ctx_type *
type_of_sign(const finder *f, const compact_sign *sign)
{
    const compact_carry_types *types = &f->carry->completing;
    size_t index = ctx_type_find(types->items, types->count, sign->type_id);
    return index < types->count ? &types->items[index] : NULL;
}

static void
take_sign(finder *f, const compact_sign *sign)
{
    const ctx_type *type = type_of_sign(f, sign);
    uint64_t thread = compact_identity_java(sign->thread_id);
    if (type != NULL && type->is_hand_over) {
        const compact_hand_over hand_over = {
            .from = compact_identity_java((int64_t)sign->values[0]),
            .to = thread,
            .handed = (int64_t)sign->values[1],
            .taken = sign->ticks,
        };
        LP_ARENA_PUSH(f->arena, &f->hand_overs, hand_over);
    } else if (type != NULL && type->is_root) {
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

// carry_sign leaves a sign for the next chunk, unless there are too many: a JVM's clock may be
// wrong.
static void
carry_sign(finder *f, const compact_sign *sign)
{
    if (f->carry->signs.count < COMPACT_REQUESTS_OPEN_MAX) {
        LP_ARENA_PUSH(&f->carry->arena, &f->carry->signs, *sign);
    } else {
        f->out->signs_left_out++;
    }
}

// take_signs takes the signs of the window, and those of earlier ones that were not known then.
// Those of later ones stay for the next chunk, if they came with this one or before: others come
// again.
static void
take_signs(finder *f)
{
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

// take_unit leaves the parts of requests alone, where the policy names the type of the requests.
static void
take_unit(finder *f)
{
    const bool *chosen =
        compact_request_unit_choose(f->are_units.items, f->parts.items, f->parts.count, f->arena);
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
    f->roots.count = 0; // they say when other requests begin and end
}

void
compact_request_parts_find(const compact_frame *frame, const compact_opened *opened,
    lp_arena *arena, compact_carry *new_carry, compact_request_parts *out)
{
    finder f = {
        .frame = frame,
        .opened = opened,
        .before = frame->carry,
        .carry = new_carry,
        .arena = arena,
        .wanted = policy_get_requests(frame->options->policy),
        .out = out,
    };
    if (f.wanted->unit != NULL) {
        policy_name_init(&f.unit, f.wanted->unit);
    }
    find_borders(&f);
    plan_keys(&f);
    take_signs(&f);
    if (!arena->is_failed) {
        add_contexts(&f);
    }
    out->span_begin = f.parts.count;
    add_spans(&f);
    out->ahead_begin = f.parts.count;
    add_aheads(&f);
    if (f.wanted->unit != NULL) {
        take_unit(&f);
    }
    out->item_of = f.items.items;
    out->input.parts = f.parts.items;
    out->input.part_count = f.parts.count;
    out->input.roots = f.roots.items;
    out->input.root_count = f.roots.count;
    out->input.hand_overs = f.hand_overs.items;
    out->input.hand_over_count = f.hand_overs.count;
}
