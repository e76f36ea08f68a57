// SPDX-License-Identifier: Apache-2.0
// carry_bytes: saves a carry-over as bytes and loads it (types.h).
//
// Tests:   tests/unit/engine/carry/test_carry_bytes.c,
//          tests/unit/engine/job/request/test_request_step.c, tests/fuzz/fuzz_carry.c,
//          tests/prop/test_compact_prop.c

#include "common/base/lp_assert.h"
#include "common/context/ctx_type.h"
#include "engine/carry/carry.h"
#include "engine/codec.h"
#include "engine/requests/request_rules.h"

#include <string.h>

// The format is that of codec.h, in the order of code_carry.
enum { FORMAT_VERSION = 1 };

// code_slice returns bytes borrowed from the input, or those that it saved.
static lp_slice
code_slice(compact_codec *c, lp_slice bytes)
{
    bytes.len = compact_codec_count(c, bytes.len);
    if (compact_codec_loads(c)) {
        bytes.ptr = c->cursor.at;
        c->cursor.at += bytes.len;
    } else {
        lp_buf_append(c->out, bytes.ptr, bytes.len);
    }
    return bytes;
}

// load_text returns a text in the arena; "" from the first failure on.
static char *
load_text(compact_codec *c)
{
    LP_ASSERT(compact_codec_loads(c));
    static char none[1];
    lp_slice text = code_slice(c, (lp_slice){0});
    compact_codec_expect(c, text.len == 0 || memchr(text.ptr, 0, text.len) == NULL);
    char *copy = lp_arena_alloc(c->arena, text.len + 1, 1);
    if (copy == NULL) {
        compact_codec_fail(c, LP_ENOMEM);
        return none;
    }
    memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    return copy;
}

static void
save_text(compact_codec *c, const char *text)
{
    LP_ASSERT(!compact_codec_loads(c));
    (void)code_slice(c, (lp_slice){(const uint8_t *)text, strlen(text)});
}

// CODE_TEXTS codes up to four texts in place.
#define CODE_TEXTS(codec_, ...) COMPACT_CODE_EACH(CODE_TEXT, codec_, __VA_ARGS__)
#define CODE_TEXT(codec_, text)                                                                    \
    (compact_codec_loads(codec_) ? (void)((text) = load_text(codec_)) : save_text(codec_, text))

// CODE_ITEMS codes a vector. code is an expression that codes the item at `it`. push is
// LP_ARENA_PUSH, or LP_ARENA_PUSH_BESIDE for a vector on malloc.
#define CODE_ITEMS(codec_, vec, push, code)                                                        \
    do {                                                                                           \
        size_t count_ = compact_codec_count(codec_, (vec)->count);                                 \
        for (size_t i_ = 0; i_ < count_ && (codec_)->err == LP_OK; i_++) {                         \
            __typeof__(*(vec)->items) item_ = {0};                                                 \
            item_ = compact_codec_loads(codec_) ? item_ : (vec)->items[i_];                        \
            __typeof__(item_) *it = &item_;                                                        \
            code;                                                                                  \
            if (compact_codec_loads(codec_) && (codec_)->err == LP_OK) {                           \
                push((codec_)->arena, vec, item_);                                                 \
                compact_codec_fail(codec_, lp_arena_err((codec_)->arena));                         \
            }                                                                                      \
        }                                                                                          \
    } while (0)

// --- Types, maps and filters

enum {
    ROLE_RECORDING = 1, // of types
    ROLE_ROOT = 2,
    KIND_ROOT_KEY = 16, // a bit in the kind of an attribute
};

static void
code_attribute(compact_codec *c, ctx_attribute *attribute)
{
    uint64_t flag = attribute->is_root_key ? KIND_ROOT_KEY : 0U;
    uint64_t number = compact_codec_number(c, (uint64_t)attribute->kind | flag);
    uint64_t kind = number & ~(uint64_t)KIND_ROOT_KEY;
    attribute->kind = kind <= CTX_HEX ? (ctx_kind)kind : (ctx_kind)0;
    attribute->is_root_key = kind != number;
    CODE_TEXTS(c, attribute->name, attribute->label, attribute->description);
}

static void
code_type(compact_codec *c, ctx_type *type)
{
    type->id = (uint16_t)compact_codec_up_to(c, type->id, UINT16_MAX);
    CODE_TEXTS(c, type->name, type->label, type->description);
    uint64_t role = type->is_root ? ROLE_ROOT : type->is_recording ? ROLE_RECORDING : 0U;
    role = compact_codec_up_to(c, role, ROLE_ROOT);
    type->is_recording = role == ROLE_RECORDING;
    type->is_root = role == ROLE_ROOT;
    // No type completes itself: its own id stands for a hand-over.
    uint64_t completes =
        compact_codec_up_to(c, type->is_hand_over ? type->id : type->completes, UINT16_MAX);
    type->is_hand_over = completes != 0 && completes == type->id;
    type->completes = type->is_hand_over ? 0 : (uint16_t)completes;
    type->attribute_count = compact_codec_up_to(c, type->attribute_count, CTX_TYPE_ATTRIBUTES_MAX);
    for (size_t i = 0; i < type->attribute_count && c->err == LP_OK; i++) {
        code_attribute(c, &type->attributes[i]);
    }
}

// code_types codes a list of types that begin contexts, or of types that do not.
static void
code_types(compact_codec *c, compact_carry_types *list, bool begins)
{
    size_t count = compact_codec_count(c, list->count);
    for (size_t i = 0; i < count && c->err == LP_OK; i++) {
        ctx_type type = {0};
        type = compact_codec_loads(c) ? type : list->items[i];
        code_type(c, &type);
        if (compact_codec_loads(c) && c->err == LP_OK) {
            compact_codec_expect(c, ctx_type_is_sound(&type) && i < CTX_TYPES_MAX &&
                                        ctx_type_begins_contexts(&type) == begins);
            LP_ARENA_PUSH(c->arena, list, type);
            compact_codec_fail(c, lp_arena_err(c->arena));
        }
    }
}

static void
code_keys(compact_codec *c, compact_recordings *recordings)
{
    size_t count = compact_codec_count(c, recordings->key_count);
    for (size_t i = 0; i < count && c->err == LP_OK; i++) {
        if (compact_codec_loads(c)) {
            compact_recordings_add_key(recordings, load_text(c));
        } else {
            save_text(c, recordings->keys[i]);
        }
    }
}

static void
code_entry(compact_codec *c, ctx_entry *entry)
{
    CODE_TEXTS(c, entry->key);
    COMPACT_CODE(c, entry->is_null);
    entry->value = code_slice(c, entry->value);
    compact_codec_expect(c, !entry->is_null || entry->value.len == 0);
}

static void
code_recordings(compact_codec *c, compact_recordings *recordings)
{
    const bool is_loading = compact_codec_loads(c);
    size_t count = compact_codec_count(c, recordings->items.count);
    for (size_t i = 0; i < count && c->err == LP_OK; i++) {
        ctx_entry entries[CTX_RECORDING_ENTRIES_MAX];
        compact_recording recording = {0};
        recording = is_loading ? recording : recordings->items.items[i];
        ctx_recording *map = &recording.map;
        COMPACT_CODE(c, map->id, recording.is_ended);
        map->entry_count = compact_codec_up_to(c, map->entry_count, CTX_RECORDING_ENTRIES_MAX);
        for (size_t k = 0; k < map->entry_count && c->err == LP_OK; k++) {
            entries[k] = is_loading ? (ctx_entry){0} : map->entries[k];
            code_entry(c, &entries[k]);
        }
        if (is_loading && c->err == LP_OK) {
            map->entries = entries;
            compact_recordings_add(recordings, map, recording.is_ended);
        }
    }
}

static void
code_filter(compact_codec *c, ctx_filter *filter)
{
    COMPACT_CODE(c, filter->id, filter->begin_ticks);
    filter->rule_count = compact_codec_count(c, filter->rule_count);
    if (compact_codec_loads(c)) {
        filter->rules = LP_ARENA_ARRAY(c->arena, ctx_filter_rule, filter->rule_count);
        compact_codec_fail(c, lp_arena_err(c->arena));
    }
    for (size_t i = 0; i < filter->rule_count && c->err == LP_OK; i++) {
        ctx_filter_rule rule = filter->rules[i];
        CODE_TEXTS(c, rule.type, rule.terms);
        if (compact_codec_loads(c)) {
            filter->rules[i] = rule;
        }
    }
}

static void
code_filters(compact_codec *c, compact_filters *filters)
{
    size_t count = compact_codec_count(c, filters->items.count);
    for (size_t i = 0; i < count && c->err == LP_OK; i++) {
        ctx_filter filter = {0};
        filter = compact_codec_loads(c) ? filter : filters->items.items[i].source;
        code_filter(c, &filter);
        if (compact_codec_loads(c) && c->err == LP_OK) {
            compact_filters_add(filters, &filter);
        }
    }
}

// --- Throttles

static void
code_sampler(compact_codec *c, compact_sampler *sampler)
{
    compact_load *load = &sampler->load;
    COMPACT_CODE(c, sampler->is_started, sampler->slot, sampler->kept);
    COMPACT_CODE(c, load->seen, load->part_seen, load->window_seen, load->window_count);
    COMPACT_CODE(c, load->rate_fixed, load->spread_fixed, load->has_usual, load->usual);
    compact_codec_expect(c, compact_sampler_is_sound(sampler));
}

static void
code_throttle(compact_codec *c, compact_throttles *throttles, size_t index)
{
    LP_ASSERT(compact_codec_loads(c) || index < throttles->items.count);
    compact_throttle item = {0};
    item = compact_codec_loads(c) ? item : throttles->items.items[index];
    policy_throttle *rate = &item.sampler.throttle;
    CODE_TEXTS(c, item.type);
    COMPACT_CODE(c, rate->count, rate->per_ns);
    compact_codec_expect(c, rate->per_ns > 0);
    if (!compact_codec_loads(c)) {
        code_sampler(c, &item.sampler);
        return;
    }
    uint32_t added = 0;
    if (c->err == LP_OK) {
        compact_codec_fail(c, compact_throttles_add(throttles, item.type, *rate, &added));
        compact_codec_expect(c, added == index);
    }
    if (c->err == LP_OK) {
        code_sampler(c, &throttles->items.items[index].sampler);
    }
}

// The flags of an early decision.
enum { EARLY_IS_KEPT = 1, EARLY_IS_SAMPLE = 2 };

static void
code_early(compact_codec *c, compact_early *early)
{
    COMPACT_CODE(c, early->start_ticks, early->offset);
    uint64_t flags =
        (early->is_kept ? EARLY_IS_KEPT : 0U) | (early->is_sample ? EARLY_IS_SAMPLE : 0U);
    flags = compact_codec_up_to(c, flags, EARLY_IS_KEPT | EARLY_IS_SAMPLE);
    early->is_kept = (flags & EARLY_IS_KEPT) != 0;
    early->is_sample = (flags & EARLY_IS_SAMPLE) != 0;
    early->weight = early->is_sample ? compact_codec_up_to(c, early->weight, INT64_MAX) : 0;
}

static void
code_throttles(compact_codec *c, compact_throttles *throttles)
{
    size_t count = compact_codec_count(c, throttles->items.count);
    for (size_t i = 0; i < count && c->err == LP_OK; i++) {
        code_throttle(c, throttles, i);
    }
    CODE_ITEMS(c, &throttles->early, LP_ARENA_PUSH_BESIDE, code_early(c, it));
}

// --- Contexts

static compact_standing
code_standing(compact_codec *c, compact_standing standing)
{
    return (compact_standing)compact_codec_up_to(c, standing, COMPACT_STANDING_PASSED);
}

static void
code_context(compact_codec *c, compact_context *context)
{
    COMPACT_CODE(c, context->id, context->thread_id, context->begin, context->end);
    COMPACT_CODE(c, context->type_id, context->is_written, context->is_unmeasured);
    context->standing = code_standing(c, context->standing);
}

// save_late saves the late texts of a context. A text of several contexts is saved with the first
// one; the others refer to its number. numbers maps offsets of saved texts to numbers.
static void
save_late(compact_codec *c, const compact_contexts *contexts, const compact_context *context,
    lp_map *numbers)
{
    LP_ASSERT(!compact_codec_loads(c));
    for (uint32_t late = context->late; late != 0;) {
        const compact_late_text *text = &contexts->late_texts.items[late - 1];
        uint32_t number = lp_map_find(numbers, text->offset);
        bool is_new = number == LP_MAP_NONE;
        number = is_new ? (uint32_t)numbers->count : number;
        (void)compact_codec_number(c, 1); // one more
        (void)compact_codec_number(c, text->attribute);
        (void)compact_codec_number(c, number);
        if (is_new) {
            (void)code_slice(c, (lp_slice){contexts->values.ptr + text->offset, text->bytes});
            c->out->is_failed |= lp_map_put(numbers, text->offset, number) != LP_OK;
        }
        late = text->next;
    }
    (void)compact_codec_number(c, 0);
}

static void
load_context(compact_codec *c, compact_contexts *contexts, compact_context *context,
    lp_slice values, uint64_t next_id)
{
    LP_ASSERT(compact_codec_loads(c));
    size_t count = contexts->items.count;
    uint64_t last_id = count == 0 ? 0 : contexts->items.items[count - 1].id;
    compact_codec_expect(c, context->id > last_id && context->id < next_id);
    if (c->err == LP_OK) {
        context->values_bytes = (uint32_t)values.len;
        compact_contexts_add(contexts, context, values.ptr);
        compact_codec_fail(c, compact_contexts_err(contexts));
    }
}

typedef LP_VEC(compact_late_text) late_texts;

// load_new_text reads a text that no earlier context has.
static void
load_new_text(compact_codec *c, compact_contexts *contexts, late_texts *texts)
{
    LP_ASSERT(compact_codec_loads(c));
    lp_slice bytes = code_slice(c, (lp_slice){0});
    compact_late_text text = {.bytes = (uint32_t)bytes.len};
    compact_codec_expect(c, text.bytes >= CTX_STRING_HEADER_BYTES);
    if (c->err == LP_OK) {
        text.offset = compact_contexts_append(contexts, bytes);
        LP_ARENA_PUSH_BESIDE(c->arena, texts, text);
        compact_codec_fail(c, compact_contexts_err(contexts));
        compact_codec_fail(c, lp_arena_err(c->arena));
    }
}

// load_late reads the late texts of the last context.
static void
load_late(compact_codec *c, compact_contexts *contexts, late_texts *texts)
{
    LP_ASSERT(compact_codec_loads(c));
    while (compact_codec_number(c, 0) != 0) {
        uint64_t attribute = compact_codec_number(c, 0);
        uint64_t number = compact_codec_number(c, 0);
        compact_codec_expect(c, attribute < CTX_TYPE_ATTRIBUTES_MAX && number <= texts->count);
        if (number == texts->count) {
            load_new_text(c, contexts, texts);
        }
        if (c->err == LP_OK) {
            compact_late_text text = texts->items[number];
            text.attribute = (uint16_t)attribute;
            compact_contexts_complete(
                contexts, &contexts->items.items[contexts->items.count - 1], &text);
        }
    }
}

static void
code_contexts(compact_codec *c, compact_contexts *contexts)
{
    lp_map numbers = {0};
    late_texts texts = {0};
    uint64_t next_id = compact_codec_up_to(c, contexts->next_id, INT64_MAX); // ids never run out
    size_t count = compact_codec_count(c, contexts->items.count);
    for (size_t i = 0; i < count && c->err == LP_OK; i++) {
        compact_context context = {0};
        context = compact_codec_loads(c) ? context : contexts->items.items[i];
        code_context(c, &context);
        lp_slice values = code_slice(c, compact_contexts_recorded(contexts, &context));
        if (compact_codec_loads(c)) {
            load_context(c, contexts, &context, values, next_id);
            load_late(c, contexts, &texts);
        } else {
            save_late(c, contexts, &context, &numbers);
        }
    }
    contexts->next_id = next_id;
    LP_VEC_FINI(&texts);
    lp_map_fini(&numbers);
}

// --- Times and threads

static void
code_past_thread(compact_codec *c, compact_kept_times *past, size_t index)
{
    bool loads = compact_codec_loads(c);
    LP_ASSERT(loads || index < past->threads.count);
    compact_times times = loads ? (compact_times){0} : compact_kept_times_at(past, index);
    compact_kept_times_thread thread = {0};
    thread = loads ? thread : past->threads.items[index];
    COMPACT_CODE(c, thread.identity);
    size_t count = compact_codec_count(c, times.count);
    compact_codec_expect(
        c, count > 0 && (index == 0 || past->threads.items[index - 1].identity < thread.identity));
    int64_t ticks = 0;
    for (size_t i = 0; i < count && c->err == LP_OK; i++) {
        ticks = compact_codec_after(c, i == 0, ticks, loads ? ticks : times.items[i]);
        if (loads) {
            LP_ARENA_PUSH_BESIDE(c->arena, &past->times, ticks);
        }
    }
    if (loads) {
        thread.end = past->times.count;
        LP_ARENA_PUSH_BESIDE(c->arena, &past->threads, thread);
        compact_codec_fail(c, lp_arena_err(c->arena));
    }
}

static void
code_past(compact_codec *c, compact_kept_times *past)
{
    size_t count = compact_codec_count(c, past->threads.count);
    for (size_t i = 0; i < count && c->err == LP_OK; i++) {
        code_past_thread(c, past, i);
    }
}

// A trigger's begin is saved as a duration, which is short.
static void
code_trigger(compact_codec *c, compact_trigger *trigger)
{
    COMPACT_CODE(c, trigger->thread, trigger->commit);
    uint64_t duration =
        compact_codec_number(c, (uint64_t)trigger->commit - (uint64_t)trigger->begin);
    trigger->begin = (int64_t)((uint64_t)trigger->commit - duration);
}

// --- Requests

// The flags of a request, but for its type and reason: FLAG(bit, member).
#define REQUEST_FLAGS(FLAG)                                                                        \
    FLAG(1, has_root)                                                                              \
    FLAG(2, is_over)                                                                               \
    FLAG(4, is_unended)                                                                            \
    FLAG(8, is_kept)                                                                               \
    FLAG(32, is_decided)                                                                           \
    FLAG(64, is_counted)                                                                           \
    FLAG(128, has_event)

enum {
    HAS_TYPE = 16,
    DROPPED_BY = 256, // times compact_request_dropped_by
    FLAGS_END = DROPPED_BY * COMPACT_REQUEST_DROPPED_COUNT,
};

// code_flags returns whether the request has a type.
static bool
code_flags(compact_codec *c, compact_request *request)
{
    uint64_t flags =
        (request->type != NULL ? HAS_TYPE : 0U) | (unsigned)request->dropped_by * DROPPED_BY;
#define FLAG(bit, member) flags |= request->member ? bit : 0U;
    REQUEST_FLAGS(FLAG)
#undef FLAG
    flags = compact_codec_up_to(c, flags, FLAGS_END - 1);
#define FLAG(bit, member) request->member = (flags & bit) != 0;
    REQUEST_FLAGS(FLAG)
#undef FLAG
    request->dropped_by = (uint8_t)(flags / DROPPED_BY);
    return (flags & HAS_TYPE) != 0;
}

static void
code_request_attributes(compact_codec *c, compact_request *request)
{
    request->attribute_count =
        compact_codec_up_to(c, request->attribute_count, COMPACT_REQUEST_ATTRIBUTES_MAX);
    if (compact_codec_loads(c)) {
        request->attributes =
            LP_ARENA_ARRAY(c->arena, compact_request_attribute, request->attribute_count);
        compact_codec_fail(c, lp_arena_err(c->arena));
    }
    for (size_t i = 0; i < request->attribute_count && c->err == LP_OK; i++) {
        compact_request_attribute attribute = request->attributes[i];
        CODE_TEXTS(c, attribute.name);
        attribute.text = code_slice(c, attribute.text);
        if (compact_codec_loads(c)) {
            attribute.text = lp_arena_copy(c->arena, attribute.text);
            request->attributes[i] = attribute;
        }
    }
}

static void
code_request(compact_codec *c, compact_request *request)
{
    COMPACT_CODE(c, request->key, request->id, request->thread);
    COMPACT_CODE(c, request->begin, request->end, request->busy_ticks, request->queued_ticks);
    compact_codec_expect(c, request->busy_ticks >= 0 && request->queued_ticks >= 0);
    COMPACT_CODE(c, request->worked_until, request->part_count);
    request->source =
        (compact_request_source)compact_codec_up_to(c, request->source, COMPACT_REQUEST_BY_API);
    bool has_type = code_flags(c, request);
    request->kept_by =
        (uint8_t)compact_codec_up_to(c, request->kept_by, COMPACT_REQUEST_KEPT_COUNT - 1);
    code_request_attributes(c, request);
    if (has_type) {
        CODE_TEXTS(c, request->type);
    }
}

static void
code_sign(compact_codec *c, compact_sign *sign)
{
    COMPACT_CODE(c, sign->number, sign->ticks, sign->thread_id);
    COMPACT_CODE(c, sign->values[0], sign->values[1]);
    sign->type_id = (uint16_t)compact_codec_up_to(c, sign->type_id, UINT16_MAX);
}

static void
code_joined(compact_codec *c, compact_joined_key *joined)
{
    COMPACT_CODE(c, joined->key, joined->to, joined->begin, joined->until);
    joined->is_further = compact_codec_up_to(c, joined->is_further, 1) != 0;
}

static void
code_requests(compact_codec *c, compact_carry *carry)
{
    COMPACT_CODE(c, carry->next_sign, carry->signs_seen, carry->contexts_seen);
    CODE_ITEMS(c, &carry->signs, LP_ARENA_PUSH, code_sign(c, it));
    CODE_ITEMS(c, &carry->requests.items, LP_ARENA_PUSH, code_request(c, it));
    CODE_ITEMS(c, &carry->requests.joined, LP_ARENA_PUSH, code_joined(c, it));
    if (!compact_codec_loads(c)) {
        compact_request_rules_save(&carry->request_rules, c->out);
    } else if (c->err == LP_OK) {
        compact_codec_fail(c, compact_request_rules_load(&c->cursor, &carry->request_rules));
    }
}

// --- The carry-over

static void
code_times(compact_codec *c, compact_carry *carry)
{
    if (compact_codec_number(c, FORMAT_VERSION) != FORMAT_VERSION) {
        compact_codec_fail(c, LP_EVERSION);
    }
    COMPACT_CODE(c, carry->border_ticks, carry->limit_ticks);
    COMPACT_CODE(c, carry->sampled_end_ns, carry->judged_end_ns, carry->period_ns);
    compact_codec_expect(c, carry->period_ns >= 0);
    compact_clock *clock = &carry->clock;
    COMPACT_CODE(c, clock->start_wall_ns, clock->start_ticks, clock->ticks_per_s);
    COMPACT_CODE(c, carry->start_wall_ns);
}

static void
code_carry(compact_codec *c, compact_carry *carry)
{
    code_times(c, carry);
    code_types(c, &carry->types, true);
    code_types(c, &carry->completing, false);
    code_keys(c, &carry->recordings);
    code_recordings(c, &carry->recordings);
    code_filters(c, &carry->filters);
    code_throttles(c, &carry->throttles);
    COMPACT_CODE(c, carry->pending_bytes);
    compact_codec_expect(c, carry->pending_bytes <= INT64_MAX);
    code_throttles(c, &carry->quotas);
    code_contexts(c, &carry->contexts);
    code_past(c, &carry->past);
    CODE_ITEMS(c, &carry->triggers, LP_ARENA_PUSH_BESIDE, code_trigger(c, it));
    CODE_ITEMS(c, &carry->intervals, LP_ARENA_PUSH_BESIDE,
        COMPACT_CODE(c, it->thread, it->begin, it->end));
    CODE_ITEMS(c, &carry->written_ahead, LP_ARENA_PUSH_BESIDE, COMPACT_CODE(c, *it));
    CODE_ITEMS(c, &carry->standings_ahead, LP_ARENA_PUSH_BESIDE,
        (COMPACT_CODE(c, it->id), it->standing = code_standing(c, it->standing)));
    CODE_ITEMS(c, &carry->threads, LP_ARENA_PUSH, COMPACT_CODE(c, it->key, it->identity));
    COMPACT_CODE(c, carry->prune_at);
    CODE_ITEMS(c, &carry->borders, LP_ARENA_PUSH_BESIDE, COMPACT_CODE(c, it->ticks, it->known));
    code_requests(c, carry);
}

lp_err
compact_carry_save(const compact_carry *carry, lp_buf *out)
{
    compact_carry_check(carry);
    compact_carry saved = *carry; // others may save it, too
    code_carry(&(compact_codec){.out = out}, &saved);
    return lp_buf_check(out);
}

// explain sets the problem of a failed load.
static void
explain(const compact_codec *c, lp_slice bytes, lp_problem *problem)
{
    jfr_cursor cursor = jfr_cursor_over(bytes);
    uint64_t version;
    if (c->err == LP_EVERSION && jfr_varint_read(&cursor, &version)) {
        (void)lp_problem_set(problem, c->err,
            "its version is %lld, and this version of Loupe reads %d", (long long)version,
            FORMAT_VERSION);
    } else if (c->err == LP_ECORRUPT) {
        (void)lp_problem_set(problem, c->err, "it is damaged at byte %zu of %zu",
            (size_t)(c->failed_at - bytes.ptr), bytes.len);
    }
}

lp_err
compact_carry_load(lp_slice bytes, compact_carry **out_carry, lp_problem *out_problem)
{
    LP_REQUIRE(bytes.len != 0, lp_problem_set(out_problem, LP_ECORRUPT, "it has no bytes"));
    compact_carry *carry = compact_carry_create();
    LP_REQUIRE(carry != NULL, LP_ENOMEM);
    compact_codec c = {.cursor = jfr_cursor_over(bytes), .arena = &carry->arena};
    code_carry(&c, carry);
    compact_codec_fail(&c, lp_arena_err(&carry->arena));
    compact_codec_expect(&c, jfr_cursor_left(&c.cursor) == 0);
    if (c.err != LP_OK) {
        explain(&c, bytes, out_problem);
        compact_carry_destroy(carry);
        return c.err;
    }
    compact_carry_check(carry);
    *out_carry = carry;
    return LP_OK;
}
