// SPDX-License-Identifier: Apache-2.0

#include "collector/journal/sync_work.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"

#include <stdio.h>

// key_of returns the key of what is to come to the disk of a session; agents choose its id. Two
// sessions do not share one (sessions.c).
static uint64_t
key_of(sync_item_kind kind, const char *session_id)
{
    return lp_hash_text(lp_hash_seed() + (uint64_t)kind, session_id);
}

// note_key notes an item in a map that has room for it.
static void
note_key(lp_map *in, sync_item_kind kind, const sync_work *of, const sync_item *it)
{
    lp_err err = lp_map_put(in, key_of(kind, it->session_id), (uint32_t)(it - of->items.items));
    LP_ASSERT(err == LP_OK); // make_room
}

void
sync_work_note_failed(sync_work *in, const sync_item *it)
{
    note_key(
        &in->failed, it->kind == SYNC_ITEM_NAMES ? SYNC_ITEM_NAMES : SYNC_ITEM_JOURNAL, in, it);
}

bool
sync_work_make_room(sync_work *to, size_t count)
{
    size_t least = to->items.count + count;
    bool has_room =
        least <= to->items.capacity || lp_vec_grow((void **)&to->items.items, &to->items.capacity,
                                           least, sizeof(to->items.items[0]));
    return has_room && lp_map_reserve(&to->others, least) == LP_OK &&
           lp_map_reserve(&to->failed, least) == LP_OK;
}

sync_item *
sync_work_add(sync_work *to, sync_item_kind kind, const char *session_id)
{
    LP_ASSERT(to->items.count < to->items.capacity);

    sync_item *it = &to->items.items[to->items.count++];
    *it = (sync_item){.kind = kind};
    (void)snprintf(it->session_id, sizeof(it->session_id), "%s", session_id);
    if (kind != SYNC_ITEM_JOURNAL) {
        note_key(&to->others, kind, to, it);
    }
    return it;
}

void
sync_work_put_back(sync_work *to, const sync_item *it)
{
    LP_ASSERT(to->items.count < to->items.capacity);

    sync_item *kept = &to->items.items[to->items.count];
    *kept = *it;
    if (it->kind == SYNC_ITEM_JOURNAL) {
        *journal_get_note(it->journal) = (journal_note){to->number, to->items.count};
    } else {
        note_key(&to->others, it->kind, to, kept);
    }
    sync_work_note_failed(to, kept);
    to->items.count++;
}

sync_item *
sync_work_find_failed(const sync_work *in, const char *session_id)
{
    uint32_t place = in->failed.count == 0
                         ? LP_MAP_NONE
                         : lp_map_find(&in->failed, key_of(SYNC_ITEM_JOURNAL, session_id));
    return place == LP_MAP_NONE ? NULL : &in->items.items[place];
}

bool
sync_work_has_names_failed(const sync_work *in, const char *session_id)
{
    return lp_map_find(&in->failed, key_of(SYNC_ITEM_NAMES, session_id)) != LP_MAP_NONE;
}

sync_item *
sync_work_find(const sync_work *in, sync_item_kind kind, const char *session_id)
{
    uint32_t place = lp_map_find(&in->others, key_of(kind, session_id));
    return place == LP_MAP_NONE ? NULL : &in->items.items[place];
}

void
sync_work_fini(sync_work *self)
{
    for (size_t i = 0; i < self->items.count; i++) {
        sync_item_fini(&self->items.items[i]);
    }
    LP_VEC_FINI(&self->items);
    lp_map_fini(&self->others);
    lp_map_fini(&self->failed);
}
