// SPDX-License-Identifier: Apache-2.0
#include "engine/job/request_parts.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/context/ctx_type.h"
#include "engine/job/request_keys.h"
#include "engine/read/rows.h"
#include "engine/read/threads.h"
#include "policy/policy_name.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// --- The policy's `request=TYPE`. The contexts of one type are the requests, with the parts that
// begin in them on their thread; all other parts are of no request. A contextual event that is open
// where the chunk ends, and is not in the chunks at hand behind, is not known to be of the type
// yet.

// A stretch of a thread in contexts of the type.
typedef struct stretch {
    uint64_t thread;
    int64_t begin;
    int64_t end;
} stretch;

typedef LP_VEC(stretch) stretches;

static int
compare_stretches(const void *a, const void *b)
{
    const stretch *x = a;
    const stretch *y = b;
    if (x->thread != y->thread) {
        return x->thread < y->thread ? -1 : 1;
    }
    return (x->begin > y->begin) - (x->begin < y->begin);
}

// join joins stretches that overlap, which are in order.
static void
join(stretches *all)
{
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++) {
        const stretch *next = &all->items[i];
        stretch *last = count == 0 ? NULL : &all->items[count - 1];
        if (last != NULL && last->thread == next->thread && next->begin <= last->end) {
            last->end = next->end > last->end ? next->end : last->end;
        } else {
            all->items[count++] = *next;
        }
    }
    all->count = count;
}

// is_inside returns whether a part begins in one of the stretches.
static bool
is_inside(const stretches *all, const compact_request_part *part)
{
    // The last that begins up to the part lies before it.
    size_t begin = LP_BISECT(all->items, 0, all->count,
        at->thread < part->thread || (at->thread == part->thread && at->begin <= part->begin));
    const stretch *found = begin == 0 ? NULL : &all->items[begin - 1];
    return found != NULL && found->thread == part->thread && part->begin <= found->end;
}

// choose_units takes the keys of all parts away, and returns which of them belong to
// requests: those of which are_units says that they are of the type, and those in them. In arena;
// NULL where memory ran out.
static bool *
choose_units(const bool *are_units, compact_request_part *parts, size_t count, lp_arena *arena)
{
    stretches all = {0};
    bool *chosen = LP_ARENA_ARRAY(arena, bool, count + 1);
    for (size_t i = 0; i < count; i++) {
        if (are_units[i]) {
            LP_ARENA_PUSH(arena, &all, (stretch){parts[i].thread, parts[i].begin, parts[i].end});
        }
    }
    if (arena->is_failed) {
        return NULL;
    }
    if (all.count > 0) {
        qsort(all.items, all.count, sizeof(*all.items), compare_stretches);
    }
    join(&all);
    for (size_t i = 0; i < count; i++) {
        chosen[i] = is_inside(&all, &parts[i]);
        parts[i].key = 0;
        parts[i].source = COMPACT_REQUEST_NESTED;
        parts[i].is_rooted = false;
    }
    return chosen;
}

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
    compact_request_keys keys;
    bool *type_is_unit; // parallel to frame->types
} finder;

// --- The unit

static bool
is_unit(const finder *f, const char *type_name)
{
    policy_name name;
    policy_name_init(&name, type_name);
    return f->wanted->unit != NULL && strcmp(name.spelled, f->unit.spelled) == 0;
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

// find_units finds the types of contexts that are the policy's unit.
static void
find_units(finder *f)
{
    f->type_is_unit = LP_ARENA_ARRAY(f->arena, bool, f->frame->type_count);
    for (size_t i = 0; i < f->frame->type_count && f->type_is_unit != NULL; i++) {
        f->type_is_unit[i] = is_unit(f, f->frame->types[i].name);
    }
}

// is_unit_event returns whether a contextual event of a view is of the policy's unit.
static bool
is_unit_event(const finder *f, const compact_view *view, const compact_event *event)
{
    const jfr_metadata *metadata = &view->schema->metadata;
    return f->wanted->unit != NULL &&
           is_unit(f, jfr_metadata_text(metadata, metadata->types.items[event->type].name));
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
            compact_request_keys_context(&f->keys, context, type, &part);
        }
        add_part(f, &part, i, has_type && f->type_is_unit[type]);
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
        const compact_event event = compact_view_event(view, span->offset);
        compact_request_part part = {
            .thread = f->frame->identities[span->thread],
            .begin = span->begin,
            .end = span->commit > span->begin ? span->commit : span->begin,
            .is_new = true,
        };
        compact_request_keys_event(&f->keys, view, &event, &part);
        add_part(f, &part, i, is_unit_event(f, view, &event));
    }
}

// is_open returns whether a contextual event of a chunk behind is open where this one ends.
static bool
is_open(const finder *f, int64_t begin, int64_t end)
{
    return begin < f->frame->window.hi && end >= f->frame->window.hi;
}

static void
add_ahead(finder *f, const compact_ahead *ahead)
{
    for (size_t i = 0; i < ahead->view->spans.count; i++) {
        const compact_span *span = &ahead->view->spans.items[i];
        if (span->thread == COMPACT_NO_THREAD || !is_open(f, span->begin, span->commit)) {
            continue;
        }
        const compact_event event = compact_view_event(ahead->view, span->offset);
        compact_request_part part = {
            .thread = ahead->identities[span->thread],
            .begin = span->begin,
            .end = span->commit,
        };
        compact_request_keys_event(&f->keys, ahead->view, &event, &part);
        add_part(f, &part, 0, is_unit_event(f, ahead->view, &event));
    }
}

static void
add_aheads(finder *f)
{
    for (size_t i = 0; i < f->frame->ahead_count; i++) {
        add_ahead(f, &f->frame->aheads[i]);
    }
    for (size_t i = 0; i < f->frame->far_count && !f->keys.has_events; i++) {
        const compact_interval *far = &f->frame->far[i];
        if (is_open(f, far->begin, far->end)) {
            const compact_request_part part = {
                .thread = far->thread, .begin = far->begin, .end = far->end};
            add_part(f, &part, 0, false);
        }
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
            .key = is_of_api ? sign->values[0] : compact_request_keys_root(name, sign->values[0]),
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
    f->roots.count = 0; // they say when other requests begin and end
}

void
compact_request_parts_find(const compact_frame *frame, const compact_opened *opened,
    lp_arena *arena, compact_carry *new_carry, compact_request_parts *out)
{
    LP_ASSERT(compact_frame_is_open(frame));
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
    find_units(&f);
    compact_request_keys_init(&f.keys, frame, &new_carry->completing, f.wanted, arena);
    take_signs(&f);
    if (!arena->is_failed) {
        add_contexts(&f);
    }
    out->span_begin = f.parts.count;
    add_spans(&f);
    out->ahead_begin = f.parts.count;
    add_aheads(&f);
    compact_request_keys_fini(&f.keys);
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
