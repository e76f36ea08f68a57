// SPDX-License-Identifier: Apache-2.0
#include "agent/context/ctx_filters.h"

#include "common/base/lp_log.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct ctx_filters {
    pthread_mutex_t mutex;
    ctx_filter_list items; // ascending ids
    size_t bytes;          // of items
    uint64_t last_id;
    uint64_t refused;
};

ctx_filters *
ctx_filters_create(void)
{
    ctx_filters *filters = calloc(1, sizeof(*filters));
    LP_REQUIRE(filters != NULL, NULL);
    // The last place is for an empty filter, so its memory is reserved now.
    if (!LP_VEC_RESERVE(&filters->items, CTX_FILTERS_UNSENT_MAX) ||
        pthread_mutex_init(&filters->mutex, NULL) != 0) {
        LP_VEC_FINI(&filters->items);
        free(filters);
        return NULL;
    }
    return filters;
}

void
ctx_filters_destroy(ctx_filters *filters)
{
    if (filters == NULL) {
        return;
    }
    LP_VEC_FINI_EACH(&filters->items, ctx_filter_fini(at));
    (void)pthread_mutex_destroy(&filters->mutex);
    free(filters);
}

// Copies filter if that is within the limits. It never takes the last place.
static bool
make_copy(ctx_filters *self, const ctx_filter *filter, ctx_filter *out_copy)
{
    size_t bytes = ctx_filter_measure(filter);
    return bytes <= CTX_FILTER_BYTES_MAX && self->bytes + bytes <= CTX_FILTERS_UNSENT_BYTES_MAX &&
           self->items.count + 1 < CTX_FILTERS_UNSENT_MAX &&
           ctx_filter_copy(filter, out_copy) == LP_OK;
}

static void
set_locked(ctx_filters *self, const ctx_filter *filter)
{
    size_t count = self->items.count;
    bool is_none = count == 0 || self->items.items[count - 1].rule_count == 0;
    ctx_filter copy = {.begin_ticks = filter->begin_ticks};
    if (filter->rule_count > 0 && !make_copy(self, filter, &copy)) {
        if (self->refused++ == 0) {
            lp_log(LP_LOG_WARN,
                "a RecordingContextFilter of %zu bytes was dropped, and no filter is set: the "
                "collector "
                "does not have %zu earlier filters with %zu bytes yet",
                ctx_filter_measure(filter), count, self->bytes);
        }
    }
    if (copy.rule_count == 0 && is_none) {
        return;
    }
    copy.id = ++self->last_id;
    self->items.items[self->items.count++] = copy;
    self->bytes += ctx_filter_measure(&copy);
}

void
ctx_filters_set(ctx_filters *self, const ctx_filter *filter)
{
    (void)pthread_mutex_lock(&self->mutex);
    set_locked(self, filter);
    (void)pthread_mutex_unlock(&self->mutex);
}

lp_err
ctx_filters_list(ctx_filters *self, uint64_t after, ctx_filter_list *out_list)
{
    out_list->count = 0;
    (void)pthread_mutex_lock(&self->mutex);
    lp_err err = LP_VEC_RESERVE(out_list, self->items.count) ? LP_OK : LP_ENOMEM;
    for (size_t i = 0; i < self->items.count && err == LP_OK; i++) {
        if (self->items.items[i].id > after) {
            out_list->items[out_list->count++] = self->items.items[i];
        }
    }
    (void)pthread_mutex_unlock(&self->mutex);
    return err;
}

lp_err
ctx_filters_take(ctx_filters *self, uint64_t id, ctx_filter_list *out)
{
    size_t gone = 0;
    (void)pthread_mutex_lock(&self->mutex);
    while (gone < self->items.count && self->items.items[gone].id < id) {
        gone++;
    }
    lp_err err = LP_VEC_RESERVE(out, gone) ? LP_OK : LP_ENOMEM;
    for (size_t i = 0; i < gone && err == LP_OK; i++) {
        self->bytes -= ctx_filter_measure(&self->items.items[i]);
        out->items[out->count++] = self->items.items[i]; // moves
    }
    if (err == LP_OK) {
        self->items.count -= gone;
        memmove(self->items.items, self->items.items + gone,
            self->items.count * sizeof(*self->items.items));
    }
    (void)pthread_mutex_unlock(&self->mutex);
    return err;
}

uint64_t
ctx_filters_get_refused(ctx_filters *self)
{
    (void)pthread_mutex_lock(&self->mutex);
    uint64_t refused = self->refused;
    (void)pthread_mutex_unlock(&self->mutex);
    return refused;
}
