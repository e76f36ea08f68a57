// SPDX-License-Identifier: Apache-2.0
// Tests:   tests/unit/engine/requests/test_requests.c, tests/prop/test_requests_prop.c
#include "common/base/lp_assert.h"
#include "engine/requests/request_steps.h"

// Design notes
//
// The parts of a request without a key follow each other in the order of their thread, as a run:
// first the part that is the request, or several that begin with it, then the parts in it. A part
// with a key among them would have made the first one a shell.

// drop_shells drops the requests of earlier windows that turn out to be shells.
static void
drop_shells(const compact_thread_stays *stays, compact_request_walk *walk)
{
    for (size_t i = 0; i < stays->shells.count; i++) {
        const compact_request_part *part = &walk->input->parts[stays->shells.items[i].part];
        uint32_t found = lp_map_find(&walk->by_key, compact_thread_stays_key(part));
        if (found != LP_MAP_NONE && walk->items.items[found].source == COMPACT_REQUEST_NESTED) {
            walk->joined_to.items[found] = COMPACT_REQUEST_NONE;
        }
    }
}

static bool
is_request(const compact_thread_stays *stays, const compact_request_part *parts, uint32_t part)
{
    return parts[part].key == 0 && stays->places[part].role == COMPACT_PART_FIRST;
}

// is_in_run returns whether a part belongs to the run of the request that first is.
static bool
is_in_run(const compact_thread_stays *stays, const compact_request_part *parts, uint32_t part,
    uint32_t first)
{
    return is_request(stays, parts, part)
               ? parts[part].thread == parts[first].thread &&
                     parts[part].begin == parts[first].begin
               : parts[part].key == 0 && stays->places[part].role == COMPACT_PART_WITHIN &&
                     stays->places[part].other == first;
}

static bool
is_any_kept(const compact_request_part *parts, const uint32_t *run, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (parts[run[i]].is_kept) {
            return true;
        }
    }
    return false;
}

// is_omitted returns whether a run only counts. A part that begins before the window may belong to
// a carried request.
static bool
is_omitted(const compact_thread_stays *stays, const compact_requests_input *input,
    const uint32_t *run, size_t count)
{
    return input->omits_dropped && input->hand_over_count == 0 &&
           input->parts[run[0]].begin >= input->lo && stays->places[run[0]].end < input->hi &&
           !is_any_kept(input->parts, run, count);
}

// find_or_begin returns the request that a part is.
static uint32_t
find_or_begin(compact_request_walk *walk, const compact_request_part *part)
{
    uint64_t key = compact_thread_stays_key(part);
    uint32_t carried = part->begin < walk->input->lo ? compact_request_walk_meant(walk, key)
                                                     : COMPACT_REQUEST_NONE;
    const compact_request request = {
        .key = key,
        .id = key,
        .thread = part->thread,
        .begin = part->begin,
        .end = part->begin,
        .worked_until = part->begin,
        .source = COMPACT_REQUEST_NESTED,
    };
    return carried != COMPACT_REQUEST_NONE ? carried : compact_request_walk_add(walk, &request);
}

static void
take_run(const compact_thread_stays *stays, compact_request_walk *walk, const uint32_t *run,
    size_t count)
{
    const compact_request_part *parts = walk->input->parts;
    uint32_t request = find_or_begin(walk, &parts[run[0]]);
    for (size_t i = 0; i < count && request != COMPACT_REQUEST_NONE; i++) {
        walk->request_of[run[i]] = request;
        if (is_request(stays, parts, run[i])) {
            walk->was_open[run[i]] = request < walk->carried_count;
            compact_request_walk_extend(walk, request, &parts[run[i]], stays->places[run[i]].end);
        }
    }
}

void
compact_nested_requests_find(const compact_thread_stays *stays, compact_request_walk *walk)
{
    LP_ASSERT(walk->items.count == walk->carried_count); // before the walk
    const compact_request_part *parts = walk->input->parts;
    const uint32_t *order = stays->order;
    drop_shells(stays, walk);
    for (size_t i = 0, end; i < stays->order_count && !walk->arena->is_failed; i = end) {
        end = i + 1;
        if (!is_request(stays, parts, order[i])) {
            continue;
        }
        while (end < stays->order_count && is_in_run(stays, parts, order[end], order[i])) {
            end++;
        }
        if (is_omitted(stays, walk->input, &order[i], end - i)) {
            walk->omitted++;
        } else {
            take_run(stays, walk, &order[i], end - i);
        }
    }
}
