// SPDX-License-Identifier: Apache-2.0

#include "collector/chunks/chunk_task.h"

#include "collector/base/disk_reason.h"
#include "collector/base/dropped_json.h"
#include "collector/base/metrics.h"
#include "collector/base/request_totals.h"
#include "collector/session/session_settle.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_large.h"
#include "common/base/lp_time.h"
#include "engine/carry/carry.h"
#include "engine/job/reach.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t LATENESS_NS = COMPACT_LATENESS_MS * (int64_t)1000000;

static void
task_check(const chunk_task *self)
{
    LP_ASSERT(self->part_count <= SESSION_CHUNKS_MAX);
}

static uint64_t
smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

// end_of returns the number behind the batches of a chunk; next if it has none.
static uint64_t
end_of(const session_chunk *chunk, uint64_t next)
{
    return lp_ranges_is_empty(&chunk->batches) ? next : lp_ranges_end(&chunk->batches);
}

// take_part returns the part of a chunk. *next_sequence is the number behind the batches of earlier
// chunks, and is moved on; absent are the missing batches that are not late.
static assembly_part
take_part(const session_chunk *chunk, const lp_ranges *absent, uint64_t *next_sequence)
{
    LP_ASSERT(chunk->journal != NULL);
    assembly_part part = {
        .ordinal = chunk->ordinal,
        .journal = journal_begin_reading(chunk->journal),
        .end_bytes = journal_get_size(chunk->journal),
        .has_jfr = chunk->has_jfr && !chunk->is_damaged,
        .is_damaged = chunk->is_damaged,
        .gap_before = {*next_sequence, lp_ranges_first(&chunk->batches, *next_sequence)},
        .due = lp_ranges_copy(absent),
        .ignored_from = session_get_ignored_from(chunk),
    };
    lp_ranges_unite(&part.due, &chunk->batches); // its journal may be damaged by now
    *next_sequence = end_of(chunk, *next_sequence);
    return part;
}

// find_absent returns the missing batches of a session that are not late. Resent batches are among
// them: their chunk may arrive incomplete.
static lp_ranges
find_absent(const session *from)
{
    lp_ranges absent = session_find_missing(from);
    lp_ranges_subtract(&absent, &from->row.late);
    lp_ranges_unite(&absent, &from->made_good);
    return absent;
}

// take_carry copies the carry-over of the chunk before begin.
static lp_err
take_carry(chunk_task *self, const session *from, size_t begin)
{
    lp_slice carry = begin > 0 ? from->packed_carry : lp_buf_slice(&from->carry);
    lp_large_begin(self->large_fd, LP_LARGE_BYTES);
    lp_buf_append(&self->carry_in, carry.ptr, carry.len);
    lp_large_end();
    lp_err err = lp_buf_check(&self->carry_in);
    if (err != LP_OK) {
        lp_buf_fini(&self->carry_in);
    }
    return err;
}

// take_end writes why the end of a session is unknown, if it is.
static void
take_end(chunk_task *self, const catalog_session *row)
{
    if (catalog_is_end_unknown(row->ended_how)) {
        char until[LP_TIME_BYTES];
        lp_time_format(row->end_wall_ns, until);
        (void)snprintf(self->end_message, sizeof(self->end_message), "nothing after %s: the JVM %s",
            until, row->ended_how == CATALOG_ENDED_KILLED ? "was killed" : "fell silent");
    }
}

// has_own_policy returns whether a JVM sent the policy of any chunk from begin on.
static bool
has_own_policy(const session *from, size_t begin)
{
    LP_ASSERT(begin <= from->chunk_count);
    return LP_ANY(from->chunks + begin, from->chunk_count - begin,
        at->policy != NULL && policy_file_is_told(at->policy));
}

lp_err
chunk_task_init(chunk_task *self, const session *from, size_t begin, policy *rules,
    int64_t context_hold_ns, int large_fd)
{
    session_check(from);
    LP_ASSERT(from->has_carry && session_get_unit(from, begin).has_jfr);
    *self = (struct chunk_task){
        .policy = rules,
        .has_ended = session_has_ended(from),
        .context_hold_ns = context_hold_ns,
        .large_fd = large_fd,
    };
    memcpy(self->session_id, from->row.id, sizeof(self->session_id));
    for (size_t i = 0; i < CATALOG_LOSS_COUNT; i++) {
        self->untold[i] = from->untold[i] - (begin > 0 ? from->packed_told[i] : 0);
    }
    take_end(self, &from->row);
    LP_TRY(take_carry(self, from, begin));
    if (has_own_policy(from, begin) &&
        asprintf(&self->own_source, "the own policy of JVMs of %s", from->row.service) < 0) {
        self->own_source = NULL;
        lp_buf_fini(&self->carry_in);
        return LP_ENOMEM;
    }
    uint64_t next_sequence = lp_ranges_first_gap(&from->row.settled, 0);
    uint32_t next_chunk = begin > 0 ? from->packed_end : from->row.next_chunk;
    for (size_t i = 0; i < begin; i++) {
        next_sequence = end_of(&from->chunks[i], next_sequence);
    }
    lp_ranges absent = find_absent(from);
    for (size_t i = begin; i < from->chunk_count; i++) {
        const session_chunk *chunk = &from->chunks[i];
        assembly_part *part = &self->parts[self->part_count];
        *part = take_part(chunk, &absent, &next_sequence);
        part->owns_gap = i == begin && chunk->ordinal == next_chunk;
        self->policies[self->part_count++] =
            chunk->policy == NULL ? NULL : policy_file_ref(chunk->policy);
    }
    lp_ranges_fini(&absent);
    return LP_OK;
}

void
chunk_task_fini(chunk_task *self)
{
    task_check(self);
    for (size_t i = 0; i < self->part_count; i++) {
        journal_end_reading(self->parts[i].journal);
        lp_ranges_fini(&self->parts[i].due);
        policy_file_unref(self->policies[i]);
    }
    lp_buf_fini(&self->carry_in);
    free(self->own_source);
    *self = (struct chunk_task){0};
}

// journals_size returns the bytes of all journals of a session.
static uint64_t
journals_size(const session *from)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < from->chunk_count; i++) {
        bytes += journal_get_size(from->chunks[i].journal);
    }
    return bytes;
}

uint64_t
chunk_task_estimate(const session *from, session_unit unit, int64_t reach_ns)
{
    LP_ASSERT(unit.begin <= unit.end && unit.end <= from->chunk_count);
    size_t carry_bytes = from->carry.len;
    carry_bytes = from->packed_carry.len > carry_bytes ? from->packed_carry.len : carry_bytes;
    uint64_t bytes = CHUNK_TASK_BYTES_LEAST + CHUNK_TASK_BYTES_PER_CARRY * carry_bytes;
    int64_t behind_ns = 0;
    uint64_t left = unpack_limit_session(journals_size(from));
    for (size_t i = unit.begin; i < from->chunk_count && behind_ns <= reach_ns; i++) {
        const session_chunk *chunk = &from->chunks[i];
        uint64_t most = unpack_limit_chunk(journal_get_size(chunk->journal));
        uint64_t jfr_bytes = smaller(chunk->jfr_bytes, smaller(most, left));
        left -= jfr_bytes;
        bytes += i < unit.end ? CHUNK_TASK_BYTES_PER_JFR * jfr_bytes +
                                    CHUNK_TASK_BYTES_PER_RECORD * chunk->record_bytes +
                                    CHUNK_TASK_BYTES_PER_MAP * chunk->map_bytes
                              : CHUNK_TASK_BYTES_PER_BEHIND *
                                    (jfr_bytes + chunk->record_bytes + chunk->map_bytes);
        if (i >= unit.end && chunk->duration_ns > 0 &&
            __builtin_add_overflow(behind_ns, chunk->duration_ns, &behind_ns)) {
            break;
        }
    }
    return bytes;
}

uint64_t
chunk_task_estimate_all(const session *from, int64_t reach_ns)
{
    uint64_t most = CHUNK_TASK_BYTES_LEAST;
    session_unit unit = {0};
    while (unit.end < from->chunk_count) {
        unit = session_get_unit(from, unit.end);
        uint64_t bytes = chunk_task_estimate(from, unit, reach_ns);
        most = bytes > most ? bytes : most;
    }
    return most;
}

size_t
chunk_task_unit_end(const chunk_task *self, size_t begin)
{
    task_check(self);
    LP_ASSERT(begin <= self->part_count);
    size_t end = begin;
    while (end < self->part_count && !self->parts[end].has_jfr) {
        end++;
    }
    return end < self->part_count ? end + 1 : end;
}

policy *
chunk_task_get_policy(const chunk_task *self, size_t end)
{
    task_check(self);
    LP_ASSERT(end > 0 && end <= self->part_count);
    const policy_file *file = self->policies[end - 1];
    return file == NULL ? self->policy : policy_file_get_rules(file);
}

const char *
chunk_task_get_source(const chunk_task *self, size_t end)
{
    task_check(self);
    LP_ASSERT(end > 0 && end <= self->part_count);
    const policy_file *file = self->policies[end - 1];
    return file != NULL && policy_file_is_told(file) ? self->own_source : NULL;
}

// begin_unit returns an empty assembly for the unit that ends at end, with at most left bytes of
// JFR.
static assembly
begin_unit(const chunk_task *self, size_t end, uint64_t left)
{
    uint64_t most = unpack_limit_chunk(self->parts[end - 1].end_bytes);
    return (assembly){
        .jfr_bytes_max = (size_t)smaller(most, left), .record_bytes_max = UNPACK_LIMIT_BYTES_MAX};
}

// session_limit returns the most bytes of JFR of all units that are read at a time.
static uint64_t
session_limit(const chunk_task *self)
{
    uint64_t journals = 0;
    for (size_t i = 0; i < self->part_count; i++) {
        journals += self->parts[i].end_bytes;
    }
    return unpack_limit_session(journals);
}

// assemble reads the parts of one unit. Errors: as assembly_add; LP_ECORRUPT as assembly_finish
static lp_err
assemble(const chunk_task *self, size_t begin, size_t end, assembly *out_assembly,
    lp_problem *out_problem)
{
    for (size_t i = begin; i < end; i++) {
        const assembly_part *part = &self->parts[i];
        lp_err err = assembly_add(out_assembly, part);
        LP_REQUIRE(err == LP_OK, lp_problem_set(out_problem, err, "cannot read the journal %s: %s",
                                     journal_get_path(part->journal), lp_err_reason(err)));
    }
    return assembly_finish(out_assembly, out_problem);
}

// The units behind the compacted one, as many as it needs.
typedef struct behind {
    assembly units[SESSION_CHUNKS_MAX];
    compact_source sources[SESSION_CHUNKS_MAX];
    compact_intervals contexts[SESSION_CHUNKS_MAX]; // of far units, which are not read whole
    size_t count;
    uint64_t damaged_bytes; // of their journals
    bool has_all;           // every waiting unit was read whole
    uint64_t left;          // bytes of JFR that they may still take
    jfr_chunk_info first;   // the first header, if has_first
    bool has_first;
} behind;

static void
behind_destroy(behind *b)
{
    for (size_t i = 0; b != NULL && i < b->count; i++) {
        assembly_fini(&b->units[i]);
        LP_VEC_FINI(&b->contexts[i]);
    }
    free(b);
}

// distance_ns returns how long after the first unit behind the compacted one another one starts.
static int64_t
distance_ns(behind *b, const assembly *unit)
{
    jfr_chunk_info info;
    if (jfr_chunk_parse_cut(lp_buf_slice(&unit->jfr), &info, NULL) != LP_OK) {
        return 0; // it has records only
    }
    if (!b->has_first) {
        b->has_first = true;
        b->first = info;
    }
    __int128 ns =
        ((__int128)info.start_ticks - b->first.start_ticks) * 1000000000 / info.ticks_per_s;
    return ns > INT64_MAX ? INT64_MAX : ns < 0 ? 0 : (int64_t)ns;
}

// known_ns returns compact_options.known_ns of a policy.
static int64_t
known_ns(const chunk_task *self, const policy *rules)
{
    return self->context_hold_ns > LATENESS_NS && policy_waits(rules)
               ? self->context_hold_ns - LATENESS_NS
               : 0;
}

// How long after the first unit behind the compacted one other units may begin that it needs.
typedef struct reach {
    int64_t whole_ns; // as a whole
    int64_t far_ns;   // at all
} reach;

// reach_of returns the reach of a policy. If contexts are sampled, all contexts count that end
// within the known time.
static reach
reach_of(const chunk_task *self, const policy *rules)
{
    int64_t whole_ns = compact_reach_ns(rules);
    int64_t far_ns = known_ns(self, rules) + LATENESS_NS;
    far_ns = far_ns > whole_ns ? far_ns : whole_ns;
    return (reach){policy_samples_contexts(rules) ? far_ns : whole_ns, far_ns};
}

// keep_contexts reduces the last, far unit to its records and the times of its contextual events
// that began within whole_ns.
static lp_err
keep_contexts(behind *b, const policy *rules, int64_t whole_ns, const compact_carry *carry)
{
    __int128 before = b->first.start_ticks + (__int128)whole_ns * b->first.ticks_per_s / 1000000000;
    assembly *unit = &b->units[b->count - 1];
    lp_err err = LP_OK;
    if (policy_selects_by_context(rules)) {
        err = compact_far_read(lp_buf_slice(&unit->jfr), rules,
            before > INT64_MAX ? INT64_MAX : (int64_t)before, carry, &b->contexts[b->count - 1]);
    }
    lp_buf_fini(&unit->jfr);
    return err == LP_ENOMEM ? err : LP_OK; // its own compaction reports unreadable bytes
}

// read_behind reads the units from begin on that the compaction with a policy needs.
static lp_err
read_behind(const chunk_task *self, size_t begin, const policy *rules, const compact_carry *carry,
    behind *b, lp_problem *out_problem)
{
    task_check(self);
    const reach needed = reach_of(self, rules);
    bool are_whole = true;
    while (begin < self->part_count) {
        size_t end = chunk_task_unit_end(self, begin);
        LP_ASSERT(b->count < SESSION_CHUNKS_MAX); // each unit has a part
        assembly *unit = &b->units[b->count++];
        *unit = begin_unit(self, end, b->left);
        lp_err err = assemble(self, begin, end, unit, out_problem);
        b->left -= unit->jfr.len;
        b->damaged_bytes += unit->damaged_bytes;
        metrics_add(METRICS_chunks_read_in_part, unit->over_bytes > 0 ? 1 : 0);
        if (err == LP_ECORRUPT) { // its own compaction reports this; its records count
            lp_buf_clear(&unit->jfr);
        } else if (err != LP_OK) {
            return err;
        }
        int64_t distance = distance_ns(b, unit);
        if (distance > needed.far_ns) {
            assembly_fini(unit);
            b->count--;
            break;
        }
        are_whole &= distance <= needed.whole_ns && unit->over_bytes == 0;
        LP_REQUIRE(
            distance <= needed.whole_ns || keep_contexts(b, rules, needed.whole_ns, carry) == LP_OK,
            lp_problem_set(out_problem, LP_ENOMEM, "out of memory"));
        begin = end;
    }
    b->has_all = are_whole && begin == self->part_count;
    return LP_OK;
}

static void
lend_sources(behind *b)
{
    for (size_t i = 0; i < b->count; i++) {
        b->sources[i] = assembly_view(&b->units[i]);
        b->sources[i].intervals = b->contexts[i].items;
        b->sources[i].interval_count = b->contexts[i].count;
    }
}

// The losses of a unit, for its events dev.loupe.Loss.
typedef struct loss_list {
    compact_loss losses[CATALOG_LOSS_COUNT];
    size_t count; // each kind is at most once in it
    char batches[CHUNK_TASK_BATCHES_BYTES];
} loss_list;

static void
add_loss(loss_list *t, catalog_loss loss, uint64_t amount, const char *message)
{
    LP_ASSERT(t->count < CATALOG_LOSS_COUNT || amount == 0);
    if (amount > 0) {
        t->losses[t->count++] = (compact_loss){catalog_loss_name(loss), amount, message};
    }
}

// list_losses lists the losses of a unit's journals. It adds the session's losses for the first
// unit, and an unknown end for the last. *out borrows unit.
static void
list_losses(const chunk_task *self, size_t begin, size_t end, const assembly *unit,
    const lp_problem *carry_problem, loss_list *out)
{
    LP_ASSERT(begin < end && end <= self->part_count);
    uint64_t unreadable = 0;
    for (size_t i = begin; i < end; i++) {
        unreadable += self->parts[i].is_damaged ? 1 : 0;
    }
    *out = (loss_list){.count = 0};
    int len = snprintf(out->batches, sizeof(out->batches), "acknowledged, and in no journal: ");
    lp_ranges_format(&unit->lost, out->batches + len, sizeof(out->batches) - (size_t)len);
    add_loss(out, CATALOG_LOSS_BATCHES_LOST, lp_ranges_count(&unit->lost), out->batches);
    add_loss(out, CATALOG_LOSS_JOURNAL_BYTES_LOST, unit->damaged_bytes, "damaged records");
    add_loss(out, CATALOG_LOSS_GAP_BYTES, unit->lost_bytes, unit->gap.text);
    add_loss(out, CATALOG_LOSS_CHUNKS_UNREADABLE, unreadable, "before this one");
    add_loss(out, CATALOG_LOSS_CARRIES_LOST, carry_problem->text[0] != '\0', carry_problem->text);
    for (catalog_loss loss = 0; loss < CATALOG_LOSS_COUNT && begin == 0; loss++) {
        add_loss(out, loss, self->untold[loss], "noticed while this chunk waited");
    }
    bool is_end_unknown = self->end_message[0] != '\0' &&
                          !LP_ANY(self->parts + end, self->part_count - end, at->has_jfr);
    add_loss(out, CATALOG_LOSS_END_UNKNOWN, is_end_unknown ? 1 : 0, self->end_message);
}

// The units of a task: each is compacted with the carry-over of the previous one.
typedef struct walk {
    const chunk_task *task;
    size_t begin; // of the next unit
    compact_carry *carry;
    lp_problem carry_problem;    // empty, or why the first carry-over could not be read
    assembly unit;               // the last compacted one
    compact_result result;       // of the unit
    uint64_t read_damaged_bytes; // of its journals, and of those behind it
    bool is_read;                // ahead has the next unit
    assembly ahead;
} walk;

static void
walk_check(const walk *w)
{
    task_check(w->task);
    LP_ASSERT(w->begin <= w->task->part_count);
}

static void
walk_fini(walk *w)
{
    assembly_fini(&w->unit);
    assembly_fini(&w->ahead);
    compact_carry_destroy(w->carry);
    compact_result_fini(&w->result);
}

// read_unit reads the unit that ends at end, unless it was read ahead.
static lp_err
read_unit(walk *w, size_t end, lp_problem *out_problem)
{
    walk_check(w);
    LP_ASSERT(end > w->begin && end <= w->task->part_count);
    assembly_fini(&w->unit);
    if (w->is_read) {
        w->unit = w->ahead; // moves
        w->ahead = (assembly){0};
        w->is_read = false;
        return LP_OK;
    }
    w->unit = begin_unit(w->task, end, session_limit(w->task));
    return assemble(w->task, w->begin, end, &w->unit, out_problem);
}

// fill_metadata gives a unit with holes the metadata of a later unit.
static void
fill_metadata(assembly *unit, const behind *b)
{
    for (size_t i = 0; i < b->count; i++) {
        if (assembly_lend_metadata(unit, &b->units[i])) {
            return;
        }
    }
}

// compact_read compacts the unit that was read and ends at end, with later units as look-ahead.
static lp_err
compact_read(walk *w, size_t end, behind *b, lp_problem *out_problem)
{
    walk_check(w);
    LP_ASSERT(w->unit.jfr.len <= session_limit(w->task));
    const chunk_task *self = w->task;
    policy *rules = chunk_task_get_policy(self, end);
    b->left = session_limit(self) - w->unit.jfr.len;
    LP_TRY(read_behind(self, end, rules, w->carry, b, out_problem));
    w->read_damaged_bytes = w->unit.damaged_bytes + b->damaged_bytes;
    fill_metadata(&w->unit, b);
    lend_sources(b);
    loss_list losses;
    list_losses(self, w->begin, end, &w->unit, &w->carry_problem, &losses);
    // An unreadable chunk is put aside whole; the rest of a chunk with holes is used.
    bool has_holes = w->unit.holes.items.count > 0;
    const compact_options options = {
        .policy = rules,
        .policy_source = chunk_task_get_source(self, end),
        .refused = has_holes ? COMPACT_REFUSED_NONE : COMPACT_REFUSED_UNREADABLE,
        .has_settings = true,
        .has_rollup = true,
        .has_traces = self->wants_traces,
        .has_requests = true,
        .has_ended = self->has_ended && b->has_all,
        .known_ns = known_ns(self, rules),
        .losses = losses.losses,
        .loss_count = losses.count,
        .also = self->also,
    };
    compact_source source = assembly_view(&w->unit);
    lp_err err =
        compact_chunk(&source, b->sources, b->count, w->carry, &options, &w->result, out_problem);
    return err == LP_ELIMIT ? LP_ECORRUPT : err; // every retry hits the limit again
}

// keep_first keeps the first unit behind for its own compaction, unless it is unreadable or lacks
// bytes because earlier units left no room.
static void
keep_first(walk *w, behind *b)
{
    walk_check(w);
    w->is_read = b->count > 0 && b->units[0].jfr.len > 0 && b->units[0].over_bytes == 0;
    if (w->is_read) {
        w->ahead = b->units[0]; // moves
        b->units[0] = (assembly){0};
    }
}

// compact_next compacts the next unit, which has JFR bytes.
static lp_err
compact_next(walk *w, lp_problem *out_problem)
{
    walk_check(w);
    size_t end = chunk_task_unit_end(w->task, w->begin);
    LP_ASSERT(end > w->begin && w->task->parts[end - 1].has_jfr);
    behind *b = calloc(1, sizeof(*b));
    LP_REQUIRE(b != NULL, lp_problem_set(out_problem, LP_ENOMEM, "out of memory"));
    lp_large_begin(w->task->large_fd, LP_LARGE_BYTES);
    lp_err err = read_unit(w, end, out_problem);
    LP_THEN(err, compact_read(w, end, b, out_problem));
    if (err == LP_OK) {
        keep_first(w, b);
    }
    behind_destroy(b);
    lp_large_end();
    return err;
}

// load_carry reads the carry-over of the previous chunk. A damaged one is left out, and
// *out_problem says why: a chunk without the open contexts is better than none. Else *out_problem
// is empty.
static lp_err
load_carry(const chunk_task *self, compact_carry **out_carry, lp_problem *out_problem)
{
    lp_problem why;
    *out_carry = NULL;
    *out_problem = (lp_problem){.text = ""};
    if (self->carry_in.len == 0) {
        return LP_OK;
    }
    lp_err err = compact_carry_load(lp_buf_slice(&self->carry_in), out_carry, &why);
    LP_REQUIRE(err == LP_ECORRUPT || err == LP_EVERSION, err);
    (void)lp_problem_set(out_problem, err,
        "contexts that were open when the chunk began are unknown: cannot read the carry-over of "
        "the chunk before: %s",
        why.text);
    return LP_OK;
}

// format_types formats the statistics by type for catalog_chunk. NULL if memory ran out.
static char *
format_types(const compact_stats *stats)
{
    compact_stats by_name = {0}; // classes of several class loaders may share a name
    if (compact_stats_add(&by_name, stats) != LP_OK) {
        compact_stats_fini(&by_name);
        return NULL;
    }
    json_t *all = json_object();
    for (size_t i = 0; i < by_name.type_count; i++) {
        const compact_type_stats *type = &by_name.types[i];
        if (type->events_in == 0 && type->events_out == 0 &&
            compact_dropped_sum(&type->dropped) == 0) {
            continue;
        }
        json_t *one = json_pack("{s:I,s:I,s:I,s:I,s:o}", "in", (json_int_t)type->events_in, "out",
            (json_int_t)type->events_out, "bytes_in", (json_int_t)type->bytes_in, "bytes_out",
            (json_int_t)type->bytes_out, "dropped", dropped_json(&type->dropped));
        // JSON cannot hold a name that is not UTF-8: such a type is left out.
        (void)json_object_set_new(all, type->name, one);
    }
    char *text = json_dumps(all, JSON_COMPACT);
    json_decref(all);
    compact_stats_fini(&by_name);
    return text;
}

// store_chunk stores a chunk in blobs or packs.
static lp_err
store_chunk(const chunk_task *self, blobs *store, pack_files *packs, lp_slice bytes,
    chunk_task_output *output)
{
    LP_ASSERT(bytes.len > 0);
    if (packs == NULL) {
        return blobs_put(store, self->session_id, output->ordinal, bytes, &output->stored);
    }
    lp_err err = pack_files_append(packs, bytes, &output->piece);
    output->stored = (blobs_stored){blobs_hash(bytes), output->piece.stored_bytes};
    return err;
}

// take_result moves the result to an output, except for the carry-over. Errors: LP_ENOMEM
static lp_err
take_result(const chunk_task *self, walk *w, chunk_task_output *output)
{
    LP_ASSERT(output->part_count > 0);
    output->carry_problem = w->carry_problem;
    output->gap = w->unit.gap;
    output->gap_bytes = w->unit.lost_bytes;
    output->over_bytes = w->unit.over_bytes;
    output->damaged_bytes = w->unit.damaged_bytes;
    output->read_damaged_bytes = w->read_damaged_bytes;
    if (self->parts[output->part_count - 1].ignored_from > 0) {
        output->unhealed = w->unit.lost; // moves
        w->unit.lost = (lp_ranges){0};
    }
    compact_result *result = &w->result;
    output->unprintable = result->damage.unprintable_count;
    output->size_bytes = result->jfr.len;
    output->types_json = format_types(&result->stats);
    output->stats = result->stats; // moves
    result->stats = (compact_stats){0};
    output->contexts = result->rollup; // moves
    rollup_init(&result->rollup);
    output->ids = result->ids; // moves
    result->ids = (rollup_ids){0};
    rollup_ids_tidy(&output->ids);
    return output->types_json == NULL ? LP_ENOMEM : LP_OK;
}

lp_err
chunk_task_compact(
    const chunk_task *self, chunk_task_output *out_output, lp_buf *out_jfr, lp_problem *out_problem)
{
    task_check(self);
    size_t end = chunk_task_unit_end(self, 0);
    LP_ASSERT(end > 0 && self->parts[end - 1].has_jfr);
    chunk_task_output output = {.ordinal = self->parts[end - 1].ordinal, .part_count = end};
    walk w = {.task = self};
    lp_err err = load_carry(self, &w.carry, &w.carry_problem);
    LP_REQUIRE(err == LP_OK,
        lp_problem_set(out_problem, err, "cannot read the carry-over: %s", lp_err_text(err)));
    err = compact_next(&w, out_problem);
    if (err != LP_OK) {
        walk_fini(&w);
        return err;
    }
    err = take_result(self, &w, &output);
    LP_THEN(err, compact_carry_save(w.result.carry, &output.carry));
    if (err == LP_OK) {
        *out_output = output;
        *out_jfr = w.result.jfr; // moves
        w.result.jfr = (lp_buf){0};
    } else {
        (void)lp_problem_set(out_problem, err, "%s", lp_err_text(err));
        chunk_task_output_fini(&output);
    }
    walk_fini(&w);
    return err;
}

lp_err
chunk_task_run(const chunk_task *self, blobs *store, pack_files *packs,
    chunk_task_output *out_output, lp_problem *out_problem)
{
    task_check(self);
    LP_REQUIRE(packs != NULL || blobs_check(store) == LP_OK, // before all the work
        lp_problem_set(out_problem, LP_EIO, "cannot store the chunk: %s", lp_err_reason(LP_EIO)));
    lp_buf jfr = {0};
    LP_TRY(chunk_task_compact(self, out_output, &jfr, out_problem));
    lp_err err = store_chunk(self, store, packs, lp_buf_slice(&jfr), out_output);
    lp_buf_fini(&jfr);
    if (err != LP_OK) {
        (void)lp_problem_set(out_problem, err, "cannot store the chunk: %s",
            disk_reason(blobs_get_name(store), err));
        chunk_task_output_fini(out_output);
    }
    return err;
}

void
chunk_task_add_totals(const compact_stats *stats, catalog_totals *totals)
{
    totals->events_in += stats->events_in;
    totals->events_out += stats->events_out;
    totals->contexts_in += stats->contexts_in;
    totals->contexts_out += stats->contexts_out;
    totals->bytes_in += stats->bytes_in;
    totals->bytes_out += stats->bytes_out;
    totals->late_events += stats->late_events;
    totals->late_contexts += stats->late_contexts;
    request_totals_add(totals, stats->requests_in, stats->requests_out, &stats->request_reasons);
}

void
chunk_task_output_fini(chunk_task_output *output)
{
    pack_files_settle(&output->piece);
    compact_stats_fini(&output->stats);
    rollup_fini(&output->contexts);
    rollup_ids_fini(&output->ids);
    free(output->types_json);
    lp_buf_fini(&output->carry);
    lp_ranges_fini(&output->unhealed);
    *output = (chunk_task_output){0};
}

// add_compacted adds the last result to a snapshot, and moves to the next unit.
static lp_err
add_compacted(walk *w, blobs *files, snapshot *out_snapshot)
{
    walk_check(w);
    LP_ASSERT(w->result.carry != NULL);
    compact_result *result = &w->result;
    lp_err err = snapshot_add_chunk(out_snapshot, files, &result->jfr);
    LP_THEN(err, snapshot_add_statistics(out_snapshot, files, result->stats.start_wall_ns,
                     result->stats.duration_ns, &result->rollup));
    compact_carry_destroy(w->carry);
    w->carry = result->carry; // moves
    result->carry = NULL;
    compact_result_fini(result);
    w->carry_problem = (lp_problem){.text = ""};
    w->begin = chunk_task_unit_end(w->task, w->begin);
    return err;
}

lp_err
chunk_task_run_all(
    chunk_task *self, blobs *files, const atomic_bool *is_cancelled, snapshot *out_snapshot)
{
    task_check(self);
    walk w = {.task = self};
    lp_err err = load_carry(self, &w.carry, &w.carry_problem); // the chunk's job counts the problem
    while (err == LP_OK && w.begin < self->part_count) {
        assembly_part *last = &self->parts[chunk_task_unit_end(self, w.begin) - 1];
        if (!last->has_jfr) {
            break; // only context records, without events
        }
        err = atomic_load_explicit(is_cancelled, memory_order_relaxed) ? LP_ECLOSED
                                                                       : compact_next(&w, NULL);
        if (err == LP_ECORRUPT || err == LP_EVERSION) {
            last->has_jfr = false; // its records move to the next unit
            last->is_damaged = true;
            err = LP_OK;
        } else if (err == LP_OK) {
            err = add_compacted(&w, files, out_snapshot);
        }
    }
    walk_fini(&w);
    return err;
}
