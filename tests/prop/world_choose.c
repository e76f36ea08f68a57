// SPDX-License-Identifier: Apache-2.0
#include "world_choose.h"

#include "engine/sample/sampler.h"

enum { NS_PER_S = 1000000000 };

// A context that is offered, as an event or as one of the API.
typedef struct offered {
    int64_t begin;
    int64_t end;
    size_t place; // among those that begin and end with it
    bool is_open; // somewhere where a chunk ends
    bool *out_is_chosen;
} offered;

typedef struct offers {
    offered items[WORLD_EVENTS_MAX + WORLD_RECORDS_MAX];
    size_t count;
} offers;

// limit_of is up to where events are decided with a chunk.
static int64_t
limit_of(const world *w, size_t chunk)
{
    int64_t limit = chunk + 1 < w->chunk_count ? w->borders[chunk + 1] : INT64_MAX;
    for (size_t i = 0; i < w->item_count; i++) {
        const world_item *it = &w->items[i];
        limit = it->chunk == chunk && it->commit > limit ? it->commit : limit;
    }
    return limit;
}

size_t
world_decided_with(const world *w, const world_item *it)
{
    return it->chunk > 0 && it->commit <= limit_of(w, it->chunk - 1) ? it->chunk - 1 : it->chunk;
}

static void
offer_items(world *w, uint64_t type, size_t chunk, offers *out)
{
    for (size_t i = 0; i < w->item_count; i++) {
        world_item *it = &w->items[i];
        if (it->type != type || world_decided_with(w, it) != chunk ||
            world_item_worth(w, it) != WORLD_MATTERS) {
            continue;
        }
        int64_t limit = chunk == 0 ? 0 : limit_of(w, chunk - 1);
        it->is_open = chunk > 0 && it->begin <= limit && it->commit > limit;
        out->items[out->count++] =
            (offered){it->begin, it->commit, it->order, it->is_open, &it->is_chosen};
    }
}

// Those that begin up to the last event of the chunk before may have been contexts there, if that
// event was not more than a second behind where it ended.
static void
offer_contexts(world *w, uint16_t type, size_t chunk, offers *out)
{
    for (size_t i = 0; i < w->context_count; i++) {
        world_context *c = &w->contexts[i];
        if (c->type != type || c->end == INT64_MAX || world_chunk_at(w, c->end) != chunk ||
            world_context_worth(w, c) != WORLD_MATTERS) {
            continue;
        }
        c->is_open = chunk > 0 && c->begin <= limit_of(w, chunk - 1) &&
                     c->begin <= w->borders[chunk] + w->ticks_per_s;
        const world_record *record = &w->records[c->record];
        size_t place = record->chunk * WORLD_RECORDS_MAX + c->record;
        out->items[out->count++] = (offered){c->begin, c->end, place, c->is_open, &c->is_chosen};
    }
}

static bool
is_before(const offered *a, const offered *b)
{
    if (a->end != b->end) {
        return a->end < b->end;
    }
    return a->begin != b->begin ? a->begin > b->begin : a->place < b->place;
}

static void
choose(const world *w, offers *all, compact_sampler *sampler)
{
    while (all->count > 0) {
        offered *next = &all->items[0];
        for (size_t i = 1; i < all->count; i++) {
            next = is_before(&all->items[i], next) ? &all->items[i] : next;
        }
        int64_t time_ns = next->end * (NS_PER_S / w->ticks_per_s);
        if (next->is_open) {
            compact_sampler_force(sampler, time_ns);
        } else {
            *next->out_is_chosen = compact_sampler_keep(sampler, time_ns);
        }
        *next = all->items[--all->count];
    }
}

// choose_of chooses among the contexts of one type, chunk by chunk. A time that is far behind the
// chunk in which it is stored is wrong.
static void
choose_of(world *w, const char *name, uint64_t type, bool is_event, policy_throttle rate)
{
    compact_sampler sampler;
    compact_sampler_init(&sampler, name, true, rate);
    for (size_t chunk = 0; chunk < w->chunk_count && rate.per_ns > 0; chunk++) {
        offers all = {.count = 0};
        if (is_event) {
            offer_items(w, type, chunk, &all);
        } else {
            offer_contexts(w, (uint16_t)type, chunk, &all);
        }
        if (chunk + 1 < w->chunk_count &&
            sampler.time_ns >
                (w->borders[chunk + 1] + w->ticks_per_s) * (NS_PER_S / w->ticks_per_s)) {
            compact_sampler_restart(&sampler);
        }
        choose(w, &all, &sampler);
    }
}

void
world_choose(world *w)
{
    for (size_t i = 0; i < w->item_count; i++) {
        w->items[i].is_chosen = true;
        w->items[i].is_open = false;
    }
    for (size_t i = 0; i < w->context_count; i++) {
        w->contexts[i].is_chosen = true;
        w->contexts[i].is_open = false;
    }
    for (size_t i = 0; i < WORLD_KINDS; i++) {
        const world_settings *s = &w->rules[world_kinds[i].id];
        if (s->is_contextual) {
            choose_of(w, world_kinds[i].name, world_kinds[i].id, true, s->wants.quota);
        }
    }
    for (uint16_t i = 0; i < 2; i++) {
        choose_of(w, world_context_types[i].name, i + 1, false, w->context_wants[i].quota);
    }
}
