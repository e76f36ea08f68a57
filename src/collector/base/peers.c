// SPDX-License-Identifier: Apache-2.0

#include "collector/base/peers.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"

#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

enum { NETWORK_BYTES = 8 }; // of an IPv6 address: its owner has the whole network

void
peers_fini(peers *all)
{
    lp_map_fini(&all->by_id);
    LP_VEC_FINI(&all->items);
}

// number returns a seeded hash, never PEERS_NONE, that no peer can choose.
static uint64_t
number(char kind, const void *bytes, size_t size)
{
    uint64_t seed = lp_hash_bytes(lp_hash_seed(), (lp_slice){(const uint8_t *)&kind, 1});
    uint64_t hash = lp_hash_bytes(seed, (lp_slice){bytes, size});
    return hash == PEERS_NONE ? 1 : hash;
}

uint64_t
peers_of_address(const struct sockaddr *address)
{
    LP_ASSERT(address != NULL);
    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *in = (const struct sockaddr_in *)(const void *)address;
        return number('4', &in->sin_addr, sizeof(in->sin_addr));
    }
    if (address->sa_family == AF_INET6) {
        const struct in6_addr *in =
            &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
        return IN6_IS_ADDR_V4MAPPED(in) ? number('4', in->s6_addr + 12, sizeof(struct in_addr))
                                        : number('6', in->s6_addr, NETWORK_BYTES);
    }
    return number('u', "", 0);
}

void
peers_format_address(const struct sockaddr *address, char out_text[PEERS_ADDRESS_BYTES])
{
    socklen_t size = address != NULL && address->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6)
                                                                       : sizeof(struct sockaddr_in);
    if (address != NULL && address->sa_family == AF_UNIX) {
        (void)snprintf(out_text, PEERS_ADDRESS_BYTES, "a Unix socket");
    } else if (address == NULL || getnameinfo(address, size, out_text, PEERS_ADDRESS_BYTES, NULL, 0,
                                      NI_NUMERICHOST) != 0) {
        (void)snprintf(out_text, PEERS_ADDRESS_BYTES, "an unknown address");
    }
}

bool
peers_find_address(int fd, struct sockaddr_storage *out_address)
{
    socklen_t size = sizeof(*out_address);
    return getpeername(fd, (struct sockaddr *)out_address, &size) == 0;
}

uint64_t
peers_of_name(const char *name)
{
    return name[0] == '\0' ? PEERS_NONE : number('n', name, strlen(name));
}

static peers_one *
find(const peers *all, uint64_t id)
{
    uint32_t at = id == PEERS_NONE ? LP_MAP_NONE : lp_map_find(&all->by_id, id);
    LP_ASSERT(at == LP_MAP_NONE || all->items.items[at].id == id);
    return at == LP_MAP_NONE ? NULL : &all->items.items[at];
}

// find_or_add returns NULL for PEERS_NONE, and if memory ran out.
static peers_one *
find_or_add(peers *all, uint64_t id)
{
    peers_one *found = find(all, id);
    if (found != NULL || id == PEERS_NONE || !LP_VEC_ROOM(&all->items) ||
        lp_map_put(&all->by_id, id, (uint32_t)all->items.count) != LP_OK) {
        return found;
    }
    found = LP_VEC_PUSH(&all->items); // there is room
    found->id = id;
    return found;
}

uint64_t
peers_get_held(const peers *all, uint64_t id)
{
    const peers_one *found = find(all, id);
    return found == NULL ? 0 : found->held;
}

bool
peers_has_room(const peers *all, uint64_t id)
{
    return id == PEERS_NONE || peers_get_held(all, id) < all->held_max;
}

bool
peers_may_begin(const peers *all, uint64_t id, uint64_t now_ms)
{
    LP_ASSERT(all->begin_max == 0 || all->begin_ms > 0);
    const peers_one *found = find(all, id);
    return all->begin_max == 0 || found == NULL ||
           found->due_ms <= now_ms + (all->begin_max - 1) * all->begin_ms;
}

void
peers_note_begin(peers *all, uint64_t id, uint64_t now_ms)
{
    peers_one *found = find_or_add(all, id);
    if (found != NULL) {
        found->due_ms = (found->due_ms > now_ms ? found->due_ms : now_ms) + all->begin_ms;
    }
}

void
peers_hold(peers *all, uint64_t id)
{
    peers_one *found = find_or_add(all, id);
    if (found != NULL) {
        found->held++;
    }
}

void
peers_release(peers *all, uint64_t id)
{
    peers_one *found = find(all, id);
    if (found != NULL && found->held > 0) {
        found->held--;
    }
}

void
peers_move(peers *all, uint64_t *held, uint64_t to)
{
    if (*held != to) {
        peers_release(all, *held);
        peers_hold(all, to);
        *held = to;
    }
}

void
peers_forget(peers *all, uint64_t now_ms)
{
    for (size_t i = all->items.count; i-- > 0;) {
        peers_one *one = &all->items.items[i];
        if (one->held > 0 || one->due_ms > now_ms) {
            continue;
        }
        const peers_one *last = &all->items.items[--all->items.count];
        LP_ASSERT(lp_map_find(&all->by_id, one->id) == i);
        lp_map_remove(&all->by_id, one->id);
        if (last != one) {
            *one = *last;
            lp_err err = lp_map_put(&all->by_id, one->id, (uint32_t)i);
            LP_ASSERT(err == LP_OK); // its key is there
        }
    }
}
