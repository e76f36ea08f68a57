// SPDX-License-Identifier: Apache-2.0
#include "sim/sim_terms.h"

#include "sim/sim_world.h"

#include "collector/store/catalog/catalog.h"

#include <string.h>

// A session with an owner and its term.
typedef struct owned {
    char session[CATALOG_ID_CHARS + 1];
    char node[CATALOG_NODE_ID_CHARS + 1];
    uint64_t term;
} owned;

typedef struct owned_list {
    owned items[SIM_AGENTS_MAX];
    size_t count;
} owned_list;

static owned_list owners; // as committed
// Of the transaction that goes on.
static owned_list held;
static owned_list taken;

void
sim_terms_begin(void)
{
    owners.count = 0;
}

bool
sim_terms_have_moved(void)
{
    for (size_t i = 0; i < owners.count; i++) {
        if (owners.items[i].term > 1) {
            return true;
        }
    }
    return false;
}

static owned *
find(owned_list *in, const char *session)
{
    for (size_t i = 0; i < in->count; i++) {
        if (strcmp(in->items[i].session, session) == 0) {
            return &in->items[i];
        }
    }
    return NULL;
}

static void
put(owned_list *to, const owned *item)
{
    owned *known = find(to, item->session);
    if (known == NULL) {
        LP_ASSERT(to->count < SIM_AGENTS_MAX);
        known = &to->items[to->count++];
    }
    *known = *item;
}

// make is of a call whose first value is the session.
static owned
make(const catalog_db_call *call, uint64_t term)
{
    owned made = {.term = term};
    LP_ASSERT(call->values[0].bytes.len == CATALOG_ID_CHARS);
    memcpy(made.session, call->values[0].bytes.ptr, CATALOG_ID_CHARS);
    memcpy(made.node, call->of->node, sizeof(made.node));
    return made;
}

static void
note_commit(void)
{
    for (size_t i = 0; i < held.count; i++) {
        const owned *by = &held.items[i];
        const owned *owner = find(&owners, by->session);
        LP_ASSERT(owner != NULL && owner->term == by->term && strcmp(owner->node, by->node) == 0);
    }
    for (size_t i = 0; i < taken.count; i++) {
        const owned *now = &taken.items[i];
        const owned *before = find(&owners, now->session);
        bool is_same = before != NULL && strcmp(before->node, now->node) == 0;
        LP_ASSERT(
            before == NULL || (is_same ? now->term == before->term : now->term > before->term));
        put(&owners, now);
    }
}

void
sim_terms_note_step(catalog_db_call *call, bool has_row)
{
    owned item;
    if (call->which == CATALOG_DB_BEGIN) {
        held.count = taken.count = 0;
    } else if (call->which == CATALOG_DB_HOLD_OWNER && has_row) {
        item = make(call, (uint64_t)call->values[2].number);
        put(&held, &item);
    } else if (call->which == CATALOG_DB_GET_TERM && has_row) {
        // The step is not over yet.
        item = make(call, (uint64_t)call->of->driver->get(call, 0, CATALOG_DB_INT).number);
        put(&taken, &item);
    } else if (call->which == CATALOG_DB_PUT_SESSION || call->which == CATALOG_DB_PUT_CHUNK) {
        item = make(call, 0);
        LP_ASSERT(find(&held, item.session) != NULL);
    } else if (call->which == CATALOG_DB_COMMIT && call->err == LP_OK) {
        note_commit();
    }
}
