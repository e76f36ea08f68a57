// SPDX-License-Identifier: Apache-2.0

#include "collector/intake/agent_places.h"

#include "collector/session/sessions.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_hash.h"

#include <stdlib.h>
#include <string.h>

static uint64_t
hash_of(const char *session_id)
{
    return lp_hash_text(lp_hash_seed(), session_id);
}

agent_place *
agent_places_find(const agent_places *self, const char *session_id)
{
    uint32_t index = lp_map_find(&self->by_id, hash_of(session_id));
    agent_place *place = index == LP_MAP_NONE ? NULL : self->all.items[index];
    LP_ASSERT(place == NULL || place->index == index);
    return place != NULL && strcmp(place->id, session_id) == 0 ? place : NULL;
}

static void
destroy(agent_place *place)
{
    for (size_t i = 0; i < WIRE_WINDOW_MAX; i++) {
        agent_socket_drop(place->slots[i].request);
    }
    free(place->service);
    free(place);
}

void
agent_places_set_holders(agent_places *self, agent_place *place, const uint64_t holders[2])
{
    for (size_t i = 0; i < 2 && self->peers.held_max > 0; i++) {
        peers_move(&self->peers, &place->holders[i], holders[i]);
    }
}

agent_place *
agent_places_add(
    agent_places *self, const char *session_id, const uint64_t holders[2], uint64_t now_ms)
{
    LP_ASSERT(agent_places_find(self, session_id) == NULL);
    uint64_t hash = hash_of(session_id);
    bool is_free = lp_map_find(&self->by_id, hash) == LP_MAP_NONE && LP_VEC_ROOM(&self->all);
    agent_place *place = is_free ? calloc(1, sizeof(*place)) : NULL;
    LP_REQUIRE(place != NULL, NULL);
    place->index = (uint32_t)self->all.count;
    memcpy(place->id, session_id, sizeof(place->id));
    if (lp_map_put(&self->by_id, hash, place->index) != LP_OK) {
        free(place);
        return NULL;
    }
    for (size_t i = 0; i < 2 && self->peers.held_max > 0; i++) {
        peers_note_begin(&self->peers, holders[i], now_ms);
    }
    agent_places_set_holders(self, place, holders);
    self->all.items[self->all.count++] = place;
    return place;
}

void
agent_places_drop(agent_places *self, agent_place *place)
{
    LP_ASSERT(place->index < self->all.count && self->all.items[place->index] == place);
    agent_places_set_holders(self, place, (const uint64_t[2]){PEERS_NONE, PEERS_NONE});
    agent_place *last = self->all.items[--self->all.count];
    last->index = place->index;
    self->all.items[place->index] = last;
    lp_err err = lp_map_put(&self->by_id, hash_of(last->id), last->index);
    LP_ASSERT(err == LP_OK); // its key is there
    lp_map_remove(&self->by_id, hash_of(place->id));
    destroy(place);
}

void
agent_places_fini(agent_places *self)
{
    LP_VEC_FINI_EACH(&self->all, destroy(*at));
    lp_map_fini(&self->by_id);
    peers_fini(&self->peers);
}

metrics_id
agent_places_find_limit(const agent_places *self, const uint64_t holders[2], uint64_t now_ms)
{
    LP_REQUIRE(self->all.count < SESSIONS_MAX, METRICS_sessions_put_off_all);
    for (size_t i = 0; i < 2; i++) {
        LP_REQUIRE(peers_has_room(&self->peers, holders[i]), METRICS_sessions_put_off_peer);
        LP_REQUIRE(
            peers_may_begin(&self->peers, holders[i], now_ms), METRICS_sessions_put_off_rate);
    }
    return METRICS_COUNT;
}

agent_slot *
agent_place_find_slot(agent_place *place, uint64_t sequence)
{
    LP_ASSERT(sequence >= place->acknowledged);
    LP_ASSERT(sequence - place->acknowledged < WIRE_WINDOW_MAX);
    return &place->slots[sequence % WIRE_WINDOW_MAX];
}

bool
agent_place_is_waiting(const agent_place *place)
{
    return LP_ANY(place->slots, WIRE_WINDOW_MAX, at->request != NULL);
}
