// SPDX-License-Identifier: Apache-2.0
#include "query/list/timeline.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find_or_add.h"
#include "common/base/lp_order.h"
#include "query/run/sums.h"
#include "query/select/json_list.h"

#include <stdlib.h>
#include <string.h>

enum { OF_PAUSES = 0 }; // instead of a thread

void
query_timeline_fini(query_timeline *timeline)
{
    LP_VEC_FINI(&timeline->boxes);
    LP_VEC_FINI(&timeline->lanes);
    lp_map_fini(&timeline->lane_of);
    lp_map_fini(&timeline->is_pause_in);
}

static void
timeline_check(const query_timeline *timeline)
{
    LP_ASSERT(timeline->boxes.count <= QUERY_TIMELINE_BOXES_MAX);
    LP_ASSERT(timeline->lane_of.count <= timeline->lanes.count);
}

// --- Boxes

static bool
has_room(query_timeline *timeline)
{
    bool has = timeline->boxes.count < QUERY_TIMELINE_BOXES_MAX;
    timeline->is_truncated |= !has;
    return has;
}

static lp_err
add_box(query_timeline *timeline, const query_box *box)
{
    LP_ASSERT(box->lane < timeline->lanes.count);
    int64_t length_ns;
    if (__builtin_sub_overflow(box->end_wall_ns, box->begin_wall_ns, &length_ns) || length_ns < 0) {
        return LP_OK; // absurd times have wrapped around
    }
    if (!has_room(timeline)) {
        return LP_OK;
    }
    query_box added = *box;
    added.count = 1;
    added.longest_ns = length_ns;
    return LP_VEC_ADD(&timeline->boxes, added);
}

// find_lane finds or adds the lane of a thread; LP_MAP_NONE if there is no room for a box.
static lp_err
find_lane(query_timeline *timeline, const query_answer *answer, uint64_t thread, uint32_t *out_lane)
{
    const query_lane added = {
        .source = answer->source,
        .offset = answer->context->offset,
        .type = answer->context->type,
        .is_of_pauses = thread == OF_PAUSES,
    };
    size_t max = timeline->boxes.count < QUERY_TIMELINE_BOXES_MAX ? (size_t)LP_MAP_NONE : 0;
    return LP_FIND_OR_ADD(&timeline->lanes, &timeline->lane_of, thread, max,
        &timeline->is_truncated, out_lane, added);
}

static lp_err
add_row(query_timeline *timeline, const query_answer *answer, const query_row *row, uint32_t lane)
{
    // By the context's clock, so that it lies in the context.
    const query_box box = {
        .begin_wall_ns = jfr_clock_wall_ns(&answer->clock, row->begin),
        .end_wall_ns = jfr_clock_wall_ns(&answer->clock, row->commit),
        .lane = lane,
        .name = row->type,
        .source = answer->first_source + row->chunk,
        .offset = row->offset,
        .kind = row->category,
    };
    return add_box(timeline, &box);
}

// add_pause adds a pause, once for all contexts that have it.
static lp_err
add_pause(query_timeline *timeline, const query_answer *answer, const query_row *row)
{
    LP_ASSERT(timeline->has_session);
    uint32_t lane;
    uint64_t key = (uint64_t)row->chunk << 32 | row->offset;
    if (lp_map_find(&timeline->is_pause_in, key) != LP_MAP_NONE || !has_room(timeline)) {
        return LP_OK;
    }
    lp_err err = lp_map_put(&timeline->is_pause_in, key, 1);
    LP_THEN(err, find_lane(timeline, answer, OF_PAUSES, &lane));
    if (err == LP_OK) {
        int64_t length_ns = jfr_clock_between_ns(&answer->clock, row->begin, row->commit);
        query_sum_add(&timeline->lanes.items[lane].total_ns, length_ns > 0 ? length_ns : 0);
        err = add_row(timeline, answer, row, lane);
    }
    return err;
}

static void
begin_session(query_timeline *timeline, uint32_t session)
{
    timeline_check(timeline);
    if (!timeline->has_session || timeline->session != session) {
        lp_map_fini(&timeline->lane_of);
        lp_map_fini(&timeline->is_pause_in);
        timeline->has_session = true;
        timeline->session = session;
    }
}

static lp_err
add_context(query_timeline *timeline, const query_answer *answer, uint32_t lane)
{
    const query_box box = {
        .begin_wall_ns = answer->begin_wall_ns,
        .end_wall_ns = answer->begin_wall_ns + answer->duration_ns,
        .lane = lane,
        .name = answer->context->type,
        .source = answer->source,
        .offset = answer->context->offset,
        .ref = answer->ref,
        .kind = TIME_CATEGORY_COUNT,
    };
    return add_box(timeline, &box);
}

lp_err
query_timeline_add(void *arg, const query_answer *answer)
{
    query_timeline *timeline = arg;
    timeline_check(timeline);
    uint32_t lane;
    begin_session(timeline, answer->first_source);
    lp_err err = find_lane(timeline, answer, answer->context->thread, &lane);
    if (lane == LP_MAP_NONE) {
        return err;
    }
    LP_THEN(err, add_context(timeline, answer, lane));
    if (err != LP_OK || query_answer_is_inner(answer, QUERY_IN_SELECTION)) {
        return err; // the context around it has the same events
    }
    query_sum_add(&timeline->lanes.items[lane].total_ns, answer->duration_ns);
    for (size_t i = 0; i < answer->row_count && err == LP_OK; i++) {
        err = add_row(timeline, answer, &answer->rows[i], lane);
    }
    for (size_t i = 0; i < answer->pause_count && err == LP_OK; i++) {
        err = add_pause(timeline, answer, &answer->pause_rows[i]);
    }
    return err;
}

// --- Order

static int
compare_lanes(const void *a, const void *b, void *arg)
{
    const query_lane *lanes = arg;
    uint32_t one = *(const uint32_t *)a;
    uint32_t other = *(const uint32_t *)b;
    return LP_ORDER(lanes[other].total_ns, lanes[one].total_ns) ?: LP_ORDER(one, other);
}

static lp_err
order_lanes(query_timeline *timeline)
{
    size_t count = timeline->lanes.count;
    uint32_t *order = calloc(count + 1, sizeof(*order));
    LP_REQUIRE(order != NULL, LP_ENOMEM);
    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
    }
    qsort_r(order, count, sizeof(*order), compare_lanes, timeline->lanes.items);
    for (uint32_t i = 0; i < count; i++) {
        timeline->lanes.items[order[i]].order =
            i < QUERY_TIMELINE_LANES ? i : (uint32_t)QUERY_TIMELINE_LANES;
    }
    timeline->is_truncated |= count > QUERY_TIMELINE_LANES;
    free(order);
    return LP_OK;
}

// compare_boxes puts outer boxes first; of equal length contexts first, and then the box that was
// written last.
LP_COMPARE(compare_boxes, query_box,
    LP_ORDER(one->lane, other->lane)
        ?: LP_ORDER(one->begin_wall_ns, other->begin_wall_ns)
        ?: LP_ORDER(other->end_wall_ns, one->end_wall_ns)
        ?: LP_ORDER(other->kind == TIME_CATEGORY_COUNT, one->kind == TIME_CATEGORY_COUNT)
        ?: LP_ORDER(other->source, one->source)
        ?: LP_ORDER(other->offset, one->offset))

// order_boxes sorts the boxes, without lanes that are left out and without duplicates: contexts
// that cross have the same events.
static void
order_boxes(query_timeline *timeline)
{
    LP_VEC_KEEP(at, &timeline->boxes,
        (at->lane = timeline->lanes.items[at->lane].order) < QUERY_TIMELINE_LANES);
    LP_QSORT(timeline->boxes.items, timeline->boxes.count, compare_boxes);
    LP_VEC_KEEP(
        at, &timeline->boxes, at == timeline->boxes.items || compare_boxes(at - 1, at) != 0);
}

// find_levels puts each box below the boxes of its lane that it begins in.
static void
find_levels(query_timeline *timeline)
{
    int64_t ends[QUERY_TIMELINE_LEVELS];
    size_t depth = 0; // open levels
    for (size_t i = 0; i < timeline->boxes.count; i++) {
        query_box *box = &timeline->boxes.items[i];
        LP_ASSERT(depth <= QUERY_TIMELINE_LEVELS);
        depth = i == 0 || box[-1].lane != box->lane ? 0 : depth;
        while (depth > 0 && ends[depth - 1] <= box->begin_wall_ns) {
            depth--;
        }
        if (depth == QUERY_TIMELINE_LEVELS) {
            timeline->is_truncated = true;
            depth--;
        }
        box->level = (uint8_t)depth;
        ends[depth++] = box->end_wall_ns;
    }
}

// --- Pixels

// since returns the time from t0 to a point in time.
static uint64_t
since(int64_t t0_ns, int64_t wall_ns)
{
    return (uint64_t)wall_ns - (uint64_t)t0_ns;
}

static void
merge_into(query_box *merged, const query_box *box)
{
    merged->count += box->count;
    merged->end_wall_ns =
        box->end_wall_ns > merged->end_wall_ns ? box->end_wall_ns : merged->end_wall_ns;
    if (box->longest_ns > merged->longest_ns) {
        merged->longest_ns = box->longest_ns;
        merged->kind = box->kind;
        merged->name = box->name;
    }
}

// merge writes the boxes to draw with a pixel of this length, and returns their number.
static size_t
merge(const query_box *boxes, size_t count, int64_t t0_ns, uint64_t pixel_ns, query_box *out)
{
    LP_ASSERT(pixel_ns > 0);
    size_t made = 0;
    size_t last[QUERY_TIMELINE_LEVELS]; // by level: 1 + the index of its last box, if that is small
    memset(last, 0, sizeof(last));
    for (size_t i = 0; i < count; i++) {
        const query_box *box = &boxes[i];
        if (i > 0 && boxes[i - 1].lane != box->lane) {
            memset(last, 0, sizeof(last));
        }
        bool is_small = (uint64_t)box->longest_ns < pixel_ns;
        query_box *before = last[box->level] == 0 ? NULL : &out[last[box->level] - 1];
        if (is_small && before != NULL &&
            since(t0_ns, before->begin_wall_ns) / pixel_ns ==
                since(t0_ns, box->begin_wall_ns) / pixel_ns) {
            merge_into(before, box);
            continue;
        }
        out[made++] = *box;
        last[box->level] = is_small ? made : 0;
    }
    return made;
}

static void
find_range(const query_timeline *timeline, int64_t *out_t0_ns, int64_t *out_end_ns)
{
    *out_t0_ns = timeline->boxes.count == 0 ? 0 : INT64_MAX;
    *out_end_ns = timeline->boxes.count == 0 ? 0 : INT64_MIN;
    for (size_t i = 0; i < timeline->boxes.count; i++) {
        const query_box *box = &timeline->boxes.items[i];
        *out_t0_ns = box->begin_wall_ns < *out_t0_ns ? box->begin_wall_ns : *out_t0_ns;
        *out_end_ns = box->end_wall_ns > *out_end_ns ? box->end_wall_ns : *out_end_ns;
    }
}

lp_err
query_timeline_finish(query_timeline *timeline, uint64_t width, uint64_t *out_pixel_ns)
{
    timeline_check(timeline);
    LP_ASSERT(width >= 1);
    int64_t t0_ns;
    int64_t end_ns;
    LP_TRY(order_lanes(timeline));
    order_boxes(timeline);
    find_levels(timeline);
    find_range(timeline, &t0_ns, &end_ns);
    uint64_t whole_ns = since(t0_ns, end_ns);
    uint64_t pixel_ns = whole_ns / width + (whole_ns % width != 0);
    pixel_ns = pixel_ns == 0 ? 1 : pixel_ns;
    size_t count = timeline->boxes.count;
    query_box *out = calloc(count + 1, sizeof(*out));
    LP_REQUIRE(out != NULL, LP_ENOMEM);
    size_t made = merge(timeline->boxes.items, count, t0_ns, pixel_ns, out);
    for (; made > QUERY_TIMELINE_BOXES && pixel_ns <= whole_ns / 2; pixel_ns *= 2) {
        made = merge(timeline->boxes.items, count, t0_ns, 2 * pixel_ns, out);
    }
    timeline->is_truncated |= made > QUERY_TIMELINE_BOXES;
    timeline->boxes.count = made < QUERY_TIMELINE_BOXES ? made : (size_t)QUERY_TIMELINE_BOXES;
    if (made > 0) {
        memcpy(timeline->boxes.items, out, timeline->boxes.count * sizeof(*out));
    }
    free(out);
    *out_pixel_ns = pixel_ns;
    return LP_OK;
}

// --- JSON

static json_t *
box_json(const query_box *box, const query_names *names, int64_t t0_ns)
{
    char id[CTX_REF_BYTES];
    bool is_context = box->kind == TIME_CATEGORY_COUNT;
    ctx_ref_format(box->ref, id);
    return json_pack("[i, i, I, I, s, s, I, o]", (int)box->lane, (int)box->level,
        (json_int_t)since(t0_ns, box->begin_wall_ns),
        (json_int_t)since(box->begin_wall_ns, box->end_wall_ns),
        is_context ? "context" : time_category_name((time_category)box->kind),
        query_names_text(names, box->name), (json_int_t)box->count,
        is_context && box->count == 1 ? json_string(id) : json_null());
}

// read_threads lists a context of each thread lane, to read the name of the thread. triggers of an
// item is the lane.
static lp_err
read_threads(const query_timeline *timeline, query_listing *list, const query_sources *sources,
    query_names *names, const atomic_bool *is_cancelled)
{
    timeline_check(timeline);
    for (size_t i = 0; i < timeline->lanes.count; i++) {
        const query_lane *lane = &timeline->lanes.items[i];
        const query_listed item = {.source = lane->source,
            .offset = lane->offset,
            .type = lane->type,
            .triggers = lane->order};
        if (lane->order < QUERY_TIMELINE_LANES && !lane->is_of_pauses) {
            LP_TRY(query_listing_add_item(list, &item));
        }
    }
    return query_listing_read(list, sources, names, is_cancelled);
}

// lane_json makes the object of a lane. of: a context of its thread, NULL for pauses.
static json_t *
lane_json(const query_listed *of, const query_names *names, const char *recording)
{
    return json_pack("{s:o, s:s?, s:o}", "recording", query_json_name(recording), "thread",
        of == NULL ? NULL : query_names_text(names, of->thread), "thread_id",
        query_json_thread_id(of == NULL ? 0 : of->java_thread_id));
}

static json_t *
lanes_json(const query_timeline *timeline, const query_listing *list, const query_names *names,
    const char *(*recording)(const void *arg, uint32_t source), const void *arg)
{
    timeline_check(timeline);
    const query_listed *threads[QUERY_TIMELINE_LANES] = {NULL}; // NULL: of pauses
    const query_lane *lanes[QUERY_TIMELINE_LANES] = {NULL};
    size_t count = 0;
    for (size_t i = 0; i < timeline->lanes.count; i++) {
        const query_lane *lane = &timeline->lanes.items[i];
        if (lane->order < QUERY_TIMELINE_LANES) {
            lanes[lane->order] = lane;
            count++;
        }
    }
    for (size_t i = 0; i < list->items.count; i++) {
        LP_ASSERT(list->items.items[i].triggers < QUERY_TIMELINE_LANES);
        threads[list->items.items[i].triggers] = &list->items.items[i];
    }
    return QUERY_JSON_LIST(lane, lanes, count,
        lane_json(threads[lane - lanes], names, recording(arg, (*lane)->source)));
}

lp_err
query_timeline_json(query_timeline *timeline, uint64_t width, const query_sources *sources,
    query_names *names, const query_outcome *outcome, const atomic_bool *is_cancelled,
    const char *(*recording)(const void *arg, uint32_t source), const void *arg, json_t **out_json)
{
    timeline_check(timeline);
    query_listing list = {.sort = QUERY_SORT_START, .limit = QUERY_TIMELINE_LANES};
    int64_t t0_ns;
    int64_t end_ns;
    uint64_t pixel_ns = 1;
    lp_err err = query_timeline_finish(timeline, width, &pixel_ns);
    LP_THEN(err, read_threads(timeline, &list, sources, names, is_cancelled));
    if (err == LP_OK) {
        find_range(timeline, &t0_ns, &end_ns);
        *out_json = json_pack("{s:o, s:I, s:I, s:o, s:[s, s, s, s, s, s, s, s], s:o, s:b}", "t0_ns",
            query_json_wall_ns(t0_ns), "duration_ns", (json_int_t)since(t0_ns, end_ns), "pixel_ns",
            (json_int_t)pixel_ns, "lanes", lanes_json(timeline, &list, names, recording, arg),
            "columns", "lane", "level", "start", "duration", "kind", "name", "count", "id", "rows",
            QUERY_JSON_LIST(
                box, timeline->boxes.items, timeline->boxes.count, box_json(box, names, t0_ns)),
            "is_truncated", outcome->is_truncated || timeline->is_truncated);
        err = *out_json == NULL ? LP_ENOMEM : LP_OK;
    }
    query_listing_fini(&list);
    return err;
}
