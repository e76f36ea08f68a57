// SPDX-License-Identifier: Apache-2.0

#include "collector/journal/late_journals.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"

#include <errno.h>
#include <string.h>

void
late_journals_fini(late_journals *self)
{
    while (self->count > 0) {
        journal_unref(self->items[--self->count]);
    }
}

// find returns the index of the journal at path, or the count if it is not open.
static size_t
find(const late_journals *self, const char *path)
{
    LP_ASSERT(self->count <= LATE_JOURNALS_MAX);
    size_t i = 0;
    while (i < self->count && strcmp(journal_get_path(self->items[i]), path) != 0) {
        i++;
    }
    return i;
}

lp_err
late_journals_open(late_journals *self, const char *path, journal **out_journal)
{
    size_t i = find(self, path);
    if (i == LATE_JOURNALS_MAX) { // until late_journals_tidy closes some
        metrics_add(METRICS_journals_not_opened, 1);
        errno = EMFILE;
        return LP_EIO;
    }
    if (i == self->count) {
        LP_TRY(journal_open(path, &self->items[i]));
        self->count++;
    }
    *out_journal = self->items[i];
    return LP_OK;
}

// forget removes the journal at an index; the last one moves there.
static void
forget(late_journals *self, size_t i)
{
    LP_ASSERT(i < self->count);
    journal_unref(self->items[i]);
    self->items[i] = self->items[--self->count];
}

void
late_journals_tidy(late_journals *self, const sync_rounds *rounds)
{
    for (size_t i = self->count; i-- > 0;) { // backwards: forget moves the last one
        if (!sync_rounds_has(rounds, self->items[i])) {
            forget(self, i);
        }
    }
}

lp_err
late_journals_remove(late_journals *self, const char *path)
{
    size_t i = find(self, path);
    if (i == self->count) {
        return LP_OK;
    }
    if (journal_is_being_read(self->items[i])) { // a copy could replace it (journal_copy)
        errno = EBUSY;
        return LP_EIO;
    }
    LP_TRY(journal_remove(self->items[i]));
    forget(self, i);
    return LP_OK;
}
