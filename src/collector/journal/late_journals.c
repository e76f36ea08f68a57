// SPDX-License-Identifier: Apache-2.0

#include "collector/journal/late_journals.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

static void
late_check(const late_journals *self)
{
    LP_ASSERT(self->items.count <= LATE_JOURNALS_MAX);
    LP_ASSERT(self->items.count == self->by_path.count);
}

// hash_of is seeded, as agents choose the session's id in the path.
static uint64_t
hash_of(const char *path)
{
    return lp_hash_text(lp_hash_seed(), path);
}

void
late_journals_fini(late_journals *self)
{
    for (size_t i = 0; i < self->items.count; i++) {
        journal_unref(self->items.items[i]);
    }
    LP_VEC_FINI(&self->items);
    lp_map_fini(&self->by_path);
}

// find returns the index of the journal at path, LP_MAP_NONE if it is not open. Two paths do not
// share a hash (sessions.c).
static uint32_t
find(const late_journals *self, const char *path)
{
    uint32_t place = lp_map_find(&self->by_path, hash_of(path));
    bool is_it =
        place != LP_MAP_NONE && strcmp(journal_get_path(self->items.items[place]), path) == 0;
    return is_it ? place : LP_MAP_NONE;
}

lp_err
late_journals_open(late_journals *self, const char *path, journal **out_journal)
{
    late_check(self);
    uint32_t place = find(self, path);
    if (place != LP_MAP_NONE) {
        *out_journal = self->items.items[place];
        return LP_OK;
    }
    if (self->items.count >= LATE_JOURNALS_MAX) { // until late_journals_tidy closes some
        metrics_add(METRICS_journals_not_opened, 1);
        errno = EMFILE;
        return LP_EIO;
    }
    if (!LP_VEC_ROOM(&self->items)) {
        return LP_ENOMEM;
    }
    journal *opened;
    LP_TRY(journal_open(path, &opened));
    if (lp_map_put(&self->by_path, hash_of(path), (uint32_t)self->items.count) != LP_OK) {
        journal_unref(opened);
        return LP_ENOMEM;
    }
    self->items.items[self->items.count++] = opened;
    *out_journal = opened;
    return LP_OK;
}

// forget removes the journal at an index; the last one moves there.
static void
forget(late_journals *self, uint32_t place)
{
    LP_ASSERT(place < self->items.count);
    journal *gone = self->items.items[place];
    journal *last = self->items.items[--self->items.count];
    self->items.items[place] = last;
    lp_err err = lp_map_put(&self->by_path, hash_of(journal_get_path(last)), place);
    LP_ASSERT(err == LP_OK); // its key is there
    lp_map_remove(&self->by_path, hash_of(journal_get_path(gone)));
    journal_unref(gone);
}

void
late_journals_tidy(late_journals *self, const sync_rounds *rounds)
{
    for (size_t i = self->items.count; i-- > 0;) { // backwards: forget moves the last one
        if (!sync_rounds_has(rounds, self->items.items[i])) {
            forget(self, (uint32_t)i);
        }
    }
}

lp_err
late_journals_remove(late_journals *self, const char *path)
{
    late_check(self);
    uint32_t place = find(self, path);
    if (place == LP_MAP_NONE) {
        return LP_OK;
    }
    journal *open = self->items.items[place];
    if (journal_is_being_read(open)) { // a copy could replace it (journal_copy)
        errno = EBUSY;
        return LP_EIO;
    }
    lp_err err = journal_remove(open);
    if (err == LP_OK) {
        forget(self, place);
    }
    return err;
}
