// SPDX-License-Identifier: Apache-2.0

#include "collector/base/presence.h"

#include "common/base/lp_hash.h"
#include "common/base/lp_map.h"

#include <pthread.h>
#include <stdlib.h>

struct presence {
    pthread_mutex_t mutex;
    lp_map connected; // hashes of ids
};

presence *
presence_create(void)
{
    presence *self = calloc(1, sizeof(*self));
    if (self != NULL) {
        (void)pthread_mutex_init(&self->mutex, NULL); // Linux's cannot fail
    }
    return self;
}

void
presence_destroy(presence *self)
{
    if (self != NULL) {
        lp_map_fini(&self->connected);
        (void)pthread_mutex_destroy(&self->mutex);
        free(self);
    }
}

void
presence_set(presence *self, const char *session_id, bool is_connected)
{
    uint64_t hash = lp_hash_text(lp_hash_seed(), session_id);
    (void)pthread_mutex_lock(&self->mutex);
    if (is_connected) {
        lp_err ignored = lp_map_put(&self->connected, hash, 1);
        (void)ignored;
    } else {
        lp_map_remove(&self->connected, hash);
    }
    (void)pthread_mutex_unlock(&self->mutex);
}

bool
presence_has(presence *self, const char *session_id)
{
    uint64_t hash = lp_hash_text(lp_hash_seed(), session_id);
    (void)pthread_mutex_lock(&self->mutex);
    bool is_connected = lp_map_find(&self->connected, hash) != LP_MAP_NONE;
    (void)pthread_mutex_unlock(&self->mutex);
    return is_connected;
}
