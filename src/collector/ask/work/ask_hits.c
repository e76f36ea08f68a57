// SPDX-License-Identifier: Apache-2.0

#include "collector/ask/work/ask_hits.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_order.h"
#include "common/base/lp_time.h"
#include "common/rollup/rollup_id.h"

#include <string.h>

typedef struct finding {
    ask_hits *hits;
    const ask_hits_rights *rights;
    char recording[CATALOG_ID_CHARS + 1]; // of the last hit; "": none
    bool may_read;                        // that recording
} finding;

static bool
may_read(finding *f, const char *recording)
{
    if (f->rights->may_read == NULL) {
        return true;
    }
    if (strcmp(f->recording, recording) != 0) {
        memcpy(f->recording, recording, sizeof(f->recording));
        f->may_read = f->rights->may_read(f->rights->arg, recording);
    }
    return f->may_read;
}

static void
on_chunk(void *arg, const char *session_id, uint32_t ordinal)
{
    finding *f = arg;
    ask_hits *hits = f->hits;
    LP_ASSERT(hits->is_known && hits->items.count <= ASK_HITS_MAX);
    if (!may_read(f, session_id)) {
        return;
    }
    if (hits->items.count == ASK_HITS_MAX) {
        hits->is_whole = false;
        return;
    }
    ask_hit *hit = LP_VEC_PUSH(&hits->items);
    if (hit == NULL) {
        hits->err = LP_ENOMEM;
        return;
    }
    memcpy(hit->recording, session_id, sizeof(hit->recording));
    hit->ordinal = ordinal;
}

LP_COMPARE(compare, ask_hit,
    strcmp(one->recording, other->recording) ?: LP_ORDER(one->ordinal, other->ordinal))

lp_err
ask_hits_find(ask_hits *hits, id_index *known, catalog *from, const query_selection *selection,
    const ask_hits_rights *rights)
{
    LP_ASSERT(selection->any_id != NULL || selection->trace != NULL);
    const int64_t reach_ns = ASK_REACH_S * (int64_t)1000000000;
    finding found = {.hits = hits, .rights = rights};
    id_search search = {
        .from_wall_ns = lp_time_add(selection->from_wall_ns, -reach_ns),
        .to_wall_ns = lp_time_add(selection->to_wall_ns, reach_ns),
        .on_chunk = on_chunk,
        .arg = &found,
    };
    id_search_counts counts;
    LP_VEC_FINI(&hits->items);
    *hits = (ask_hits){.is_known = true, .is_whole = true, .seen = hits->seen};
    const char *id = selection->any_id != NULL ? selection->any_id : selection->trace;
    if (!rollup_id_hash((lp_slice){(const uint8_t *)id, strlen(id)}, &search.hash)) {
        return LP_OK;
    }
    lp_err err = id_index_find(known, from, &search, &hits->seen, &counts);
    hits->searched = counts.segments;
    hits->unread = counts.unread;
    hits->uncovered = counts.uncovered;
    hits->is_whole &= counts.unread == 0 && !counts.has_more;
    LP_QSORT(hits->items.items, hits->items.count, compare);
    hits->is_eliminated = id_index_is_eliminated(known, search.hash, &hits->since_wall_ns);
    return err == LP_OK ? hits->err : err;
}

void
ask_hits_fini(ask_hits *hits)
{
    LP_VEC_FINI(&hits->items);
    id_search_seen_fini(&hits->seen);
}

// find_first returns the index of the first hit that is not before key.
static size_t
find_first(const ask_hits *hits, const ask_hit *key)
{
    LP_ASSERT(hits->is_known && hits->items.count <= ASK_HITS_MAX);
    return LP_BISECT(hits->items.items, 0, hits->items.count, compare(at, key) < 0);
}

static ask_hit
make_key(const char *recording, uint32_t ordinal)
{
    ask_hit key = {.ordinal = ordinal};
    memcpy(key.recording, recording, sizeof(key.recording));
    return key;
}

bool
ask_hits_has_recording(const ask_hits *hits, const char *recording)
{
    const ask_hit key = make_key(recording, 0);
    size_t at = find_first(hits, &key);
    return at < hits->items.count && strcmp(hits->items.items[at].recording, recording) == 0;
}

bool
ask_hits_has_chunk(const ask_hits *hits, const char *recording, uint32_t ordinal)
{
    const ask_hit key = make_key(recording, ordinal);
    size_t at = find_first(hits, &key);
    return at < hits->items.count && compare(&hits->items.items[at], &key) == 0;
}
