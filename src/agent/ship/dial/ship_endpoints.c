// SPDX-License-Identifier: Apache-2.0
#include "agent/ship/dial/ship_endpoints.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_order.h"

#include <stdlib.h>
#include <string.h>

const char *
ship_address_get_url(const ship_address *address)
{
    return address->numeric[0] == '\0' ? address->endpoint : address->numeric;
}

const char *
ship_reason_text(ship_reason reason)
{
    static const char *const texts[SHIP_REASON_COUNT] = {
        [SHIP_STAYS] = "no reason",
        [SHIP_BEGINS] = "first connection",
        [SHIP_UNCONNECTED] = "there is no connection",
        [SHIP_SILENT] = "it does not answer",
        [SHIP_DRAINED] = "it is being drained",
    };
    return texts[reason];
}

static bool
is_same(const ship_address *a, const ship_address *b)
{
    return strcmp(ship_address_get_url(a), ship_address_get_url(b)) == 0 &&
           strcmp(a->endpoint, b->endpoint) == 0;
}

// Orders by preference, and then by the agent's own order.
static int
compare(const void *left, const void *right)
{
    const ship_endpoint *a = left;
    const ship_endpoint *b = right;
    return LP_ORDER(a->address.preference, b->address.preference)
               ?: LP_ORDER(a->rank, b->rank)
               ?: strcmp(ship_address_get_url(&a->address), ship_address_get_url(&b->address));
}

static ship_endpoint *
find_same(ship_endpoint *items, size_t count, const ship_address *address)
{
    return LP_FIND(items, count, is_same(&at->address, address));
}

static uint64_t
rank_of(const ship_endpoints *self, const ship_address *address)
{
    const char *url = ship_address_get_url(address);
    return lp_hash_bytes(self->seed, (lp_slice){(const uint8_t *)url, strlen(url)});
}

void
ship_endpoints_set(ship_endpoints *self, const ship_address *addresses, size_t count)
{
    ship_endpoint items[SHIP_ADDRESSES_MAX];
    size_t kept = 0;
    for (size_t i = 0; i < count && kept < SHIP_ADDRESSES_MAX; i++) {
        if (find_same(items, kept, &addresses[i]) != NULL) {
            continue;
        }
        const ship_endpoint *before = find_same(self->items, self->count, &addresses[i]);
        items[kept++] = (ship_endpoint){
            .address = addresses[i],
            .rank = rank_of(self, &addresses[i]),
            .avoided_until_ms = before == NULL ? INT64_MIN : before->avoided_until_ms,
        };
    }
    qsort(items, kept, sizeof(items[0]), compare);
    memcpy(self->items, items, kept * sizeof(items[0]));
    self->count = kept;
}

// Returns how many times all addresses have failed.
static unsigned
count_rounds(const ship_endpoints *self, unsigned failures)
{
    return self->count == 0 ? 0 : failures / (unsigned)self->count;
}

unsigned
ship_endpoints_get_rounds(const ship_endpoints *self)
{
    return count_rounds(self, self->silences + self->refusals);
}

// Returns a time to wait, doubled with each round.
static int64_t
get_limit_ms(const ship_endpoints *self, unsigned failures, int64_t first_ms)
{
    unsigned rounds = count_rounds(self, failures);
    return first_ms << (rounds < SHIP_ENDPOINTS_ROUNDS_MAX ? rounds : SHIP_ENDPOINTS_ROUNDS_MAX);
}

void
ship_endpoints_note_answer(ship_endpoints *self, bool go_elsewhere, int64_t now_ms)
{
    self->silent_ms = 0;
    self->refusals = 0;
    self->is_drained = go_elsewhere;
    if (now_ms - self->dialled_ms >= SHIP_ENDPOINTS_WELL_MS) {
        self->silences = 0;
    }
}

ship_reason
ship_endpoints_look(ship_endpoints *self, const ship_connection *connection, int64_t now_ms)
{
    int64_t passed_ms = self->has_looked ? now_ms - self->looked_ms : 0;
    int64_t counted_ms =
        passed_ms < SHIP_ENDPOINTS_LOOK_MS_MAX ? passed_ms : SHIP_ENDPOINTS_LOOK_MS_MAX;
    self->looked_ms = now_ms;
    self->has_looked = true;
    if (!self->has_current) {
        return SHIP_BEGINS;
    }
    self->unconnected_ms = connection->is_there ? 0 : self->unconnected_ms + counted_ms;
    self->silent_ms =
        connection->is_there && connection->is_owing ? self->silent_ms + counted_ms : 0;
    int64_t unconnected_ms_max =
        connection->is_hurried ? SHIP_ENDPOINTS_CONNECT_MS
                               : get_limit_ms(self, self->refusals, SHIP_ENDPOINTS_CONNECT_MS);
    int64_t silent_ms_max = connection->is_hurried
                                ? SHIP_ENDPOINTS_HURRY_MS
                                : get_limit_ms(self, self->silences, SHIP_ENDPOINTS_SILENT_MS);
    if (self->unconnected_ms > 0 &&
        (self->unconnected_ms >= unconnected_ms_max ||
            find_same(self->items, self->count, &self->current.address) == NULL)) {
        return SHIP_UNCONNECTED;
    }
    return self->silent_ms >= silent_ms_max ? SHIP_SILENT
           : self->is_drained               ? SHIP_DRAINED
                                            : SHIP_STAYS;
}

// Returns the first address behind the current one in the agent's order, which wraps around; skips
// those that are avoided at now_ms.
static const ship_endpoint *
find_next(const ship_endpoints *self, int64_t now_ms)
{
    const ship_endpoint *first = NULL;
    for (size_t i = 0; i < self->count; i++) {
        const ship_endpoint *item = &self->items[i];
        if (item->avoided_until_ms > now_ms ||
            (self->has_current && is_same(&item->address, &self->current.address))) {
            continue;
        }
        if (!self->has_current || compare(item, &self->current) > 0) {
            return item;
        }
        first = first == NULL ? item : first;
    }
    return first;
}

const ship_address *
ship_endpoints_find(const ship_endpoints *self, ship_reason reason, int64_t now_ms)
{
    const ship_endpoint *next = find_next(self, now_ms);
    if (next == NULL && reason != SHIP_DRAINED) {
        next = find_next(self, INT64_MAX);
    }
    return next == NULL ? NULL : &next->address;
}

void
ship_endpoints_note_dialled(
    ship_endpoints *self, const ship_address *to, ship_reason reason, int64_t now_ms)
{
    const ship_endpoint *next = find_same(self->items, self->count, to);
    LP_ASSERT(next != NULL);
    ship_endpoint *left =
        self->has_current ? find_same(self->items, self->count, &self->current.address) : NULL;
    if (left != NULL) {
        left->avoided_until_ms = now_ms + SHIP_ENDPOINTS_AVOID_MS;
    }
    self->refusals += reason == SHIP_UNCONNECTED;
    self->silences += reason == SHIP_SILENT;
    self->current = *next;
    self->has_current = true;
    self->is_drained = false;
    self->dialled_ms = now_ms;
    self->has_looked = false;
    self->unconnected_ms = 0;
    self->silent_ms = 0;
}
