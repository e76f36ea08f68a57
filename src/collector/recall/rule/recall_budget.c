// SPDX-License-Identifier: Apache-2.0

#include "collector/recall/rule/recall_budget.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_err.h"
#include "common/base/lp_find.h"
#include "common/base/lp_vec.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct spender {
    char *name;
    int64_t hour; // since 1970, of hour_bytes
    recall_budget_state state;
} spender;

struct recall_budget {
    pthread_mutex_t mutex;    // guards the rest
    LP_VEC(spender) services; // by name
};

// budget_check is called with the mutex.
static void
budget_check(const recall_budget *self)
{
    LP_ASSERT(self->services.count <= RECALL_BUDGET_SERVICES_MAX);
    LP_ASSERT(self->services.count <= self->services.capacity);
}

recall_budget *
recall_budget_create(void)
{
    recall_budget *self = calloc(1, sizeof(*self));
    if (self != NULL) {
        (void)pthread_mutex_init(&self->mutex, NULL); // Linux's cannot fail
    }
    return self;
}

void
recall_budget_destroy(recall_budget *self)
{
    if (self != NULL) {
        LP_VEC_FINI_EACH(&self->services, free(at->name));
        (void)pthread_mutex_destroy(&self->mutex);
        free(self);
    }
}

static int64_t
hour_of(int64_t wall_ns)
{
    return wall_ns / INT64_C(3600000000000);
}

static size_t
find_index(const recall_budget *self, const char *name)
{
    return LP_BISECT(self->services.items, 0, self->services.count, strcmp(at->name, name) < 0);
}

static bool
is_at(const recall_budget *self, size_t index, const char *name)
{
    LP_ASSERT(index <= self->services.count);
    return index < self->services.count && strcmp(self->services.items[index].name, name) == 0;
}

// make_room removes a service of an earlier hour if there are too many. False: there is none.
static bool
make_room(recall_budget *self, int64_t hour)
{
    LP_REQUIRE(self->services.count == RECALL_BUDGET_SERVICES_MAX, LP_VEC_ROOM(&self->services));
    spender *old = LP_FIND(self->services.items, self->services.count, at->hour != hour);
    LP_REQUIRE(old != NULL, false);
    free(old->name);
    size_t after = (size_t)(&self->services.items[--self->services.count] - old);
    memmove(old, old + 1, after * sizeof(*old));
    return true;
}

// find finds or adds a service, in this hour. NULL: there is no room for it. The caller holds the
// mutex.
static spender *
find(recall_budget *self, const char *name, int64_t hour)
{
    size_t index = find_index(self, name);
    if (!is_at(self, index, name)) {
        char *copy = make_room(self, hour) ? strdup(name) : NULL;
        LP_REQUIRE(copy != NULL, NULL);
        index = find_index(self, name); // make_room may have moved it
        LP_ASSERT(index <= self->services.count && self->services.count < self->services.capacity);
        spender *made = &self->services.items[index];
        memmove(made + 1, made, (self->services.count++ - index) * sizeof(*made));
        *made = (spender){.name = copy, .hour = hour};
    }
    budget_check(self);
    LP_ASSERT(is_at(self, index, name));
    spender *found = &self->services.items[index];
    if (found->hour != hour) {
        found->hour = hour;
        found->state.hour_bytes = 0;
    }
    return found;
}

bool
recall_budget_admit(
    recall_budget *self, const char *service, uint64_t bytes_max, int64_t now_wall_ns)
{
    (void)pthread_mutex_lock(&self->mutex);
    spender *of = find(self, service, hour_of(now_wall_ns));
    uint64_t most = bytes_max == 0 ? RECALL_BUDGET_BYTES : bytes_max;
    LP_ASSERT(most > 0);
    bool has_room = of != NULL && of->state.hour_bytes < most;
    if (of != NULL) {
        of->state.chunks_over += !has_room;
    }
    (void)pthread_mutex_unlock(&self->mutex);
    metrics_add(METRICS_recall_over_budget, !has_room);
    return has_room;
}

void
recall_budget_add(recall_budget *self, const char *service, uint64_t bytes, int64_t now_wall_ns)
{
    (void)pthread_mutex_lock(&self->mutex);
    spender *of = find(self, service, hour_of(now_wall_ns));
    if (of != NULL) {
        of->state.hour_bytes += bytes;
    }
    (void)pthread_mutex_unlock(&self->mutex);
}

void
recall_budget_note_pause(recall_budget *self, const char *service, int64_t now_wall_ns)
{
    (void)pthread_mutex_lock(&self->mutex);
    spender *of = find(self, service, hour_of(now_wall_ns));
    if (of != NULL) {
        of->state.pins_paused++;
    }
    (void)pthread_mutex_unlock(&self->mutex);
    metrics_add(METRICS_recall_pins_paused, 1);
}

recall_budget_state
recall_budget_get(recall_budget *self, const char *service, int64_t now_wall_ns)
{
    (void)pthread_mutex_lock(&self->mutex);
    budget_check(self);
    size_t index = find_index(self, service);
    const spender *of = is_at(self, index, service) ? &self->services.items[index] : NULL;
    recall_budget_state state = of == NULL ? (recall_budget_state){0} : of->state;
    if (of != NULL && of->hour != hour_of(now_wall_ns)) {
        state.hour_bytes = 0;
    }
    (void)pthread_mutex_unlock(&self->mutex);
    return state;
}
