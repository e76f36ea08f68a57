// SPDX-License-Identifier: Apache-2.0
#include "offline/jvm_sessions.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_map.h"
#include "common/base/lp_order.h"

#include <stdlib.h>

enum { NONE = UINT32_MAX };

// How far apart two chunks of one JVM may see its tick counter at 0.
static const double meeting_slack_ns = 1e9; // wall time was set; that they meet says enough
static const double gap_slack_ns = 1e7;     // whole milliseconds of older JVMs, and the scheduler

// A chunk on its way into a session.
typedef struct node {
    const jvm_chunk *chunk;
    size_t index; // of the chunk
    int64_t begin_wall_ns;
    int64_t end_wall_ns;
    uint32_t twin;    // these index nodes, or are NONE
    uint32_t before;  // in its run
    uint32_t after;   // in its run
    uint32_t session; // NONE: not yet
} node;

// Chunks that meet, from head to tail.
typedef struct run {
    uint32_t head; // these index nodes
    uint32_t tail;
    uint32_t session;
} run;

typedef struct session {
    uint32_t tail; // of the last run: indexes nodes
    bool has_identity;
    jvm_identity identity;
    size_t chunk_count;
} session;

typedef struct job {
    const jvm_chunk_reader *reader;
    node *nodes; // by start
    uint32_t *node_of_chunk;
    size_t count;
    run *runs; // by start
    size_t run_count;
    session *sessions;
    size_t session_count;
    lp_map session_of_jvm; // the last one that said so, by a hash of the identity
} job;

static bool
is_unfinished(const jfr_chunk_info *info)
{
    return info->minor > 0 && info->state != JFR_CHUNK_STATE_FINISHED;
}

// compare_starts orders by what makes two chunks the same one.
static int
compare_starts(const jfr_chunk_info *a, const jfr_chunk_info *b)
{
    return LP_ORDER(a->start_wall_ns, b->start_wall_ns)
               ?: LP_ORDER(a->ticks_per_s, b->ticks_per_s)
               ?: LP_ORDER(a->start_ticks, b->start_ticks);
}

// compare_nodes orders by start, and of the same chunk the best comes first.
static int
compare_nodes(const void *left, const void *right)
{
    const node *x = left;
    const node *y = right;
    const jvm_chunk *a = x->chunk;
    const jvm_chunk *b = y->chunk;
    return compare_starts(&a->info, &b->info)
               ?: LP_ORDER(a->is_damaged, b->is_damaged)
               ?: LP_ORDER(is_unfinished(&a->info), is_unfinished(&b->info))
               ?: LP_ORDER(b->size_bytes, a->size_bytes)
               ?: LP_ORDER(x->index, y->index);
}

static void
make_nodes(job *j, const jvm_chunk *chunks)
{
    for (size_t i = 0; i < j->count; i++) {
        const jfr_chunk_info *info = &chunks[i].info;
        int64_t end;
        LP_ASSERT(i == 0 || chunks[i - 1].file <= chunks[i].file);
        if (info->duration_ns < 0 ||
            __builtin_add_overflow(info->start_wall_ns, info->duration_ns, &end)) {
            end = info->start_wall_ns; // no JVM wrote this header
        }
        j->nodes[i] = (node){.chunk = &chunks[i],
            .index = i,
            .begin_wall_ns = info->start_wall_ns,
            .end_wall_ns = end,
            .twin = NONE,
            .before = NONE,
            .after = NONE,
            .session = NONE};
    }
    qsort(j->nodes, j->count, sizeof(*j->nodes), compare_nodes);
    for (uint32_t i = 0; i < j->count; i++) {
        j->node_of_chunk[j->nodes[i].index] = i;
    }
}

static void
find_twins(job *j)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < j->count; i++) {
        const node *a = &j->nodes[best];
        node *b = &j->nodes[i];
        if (compare_starts(&a->chunk->info, &b->chunk->info) != 0) {
            best = i;
        } else if ((a->chunk->file != b->chunk->file && a->begin_wall_ns != 0) ||
                   j->reader->has_same_bytes(j->reader->arg, a->index, b->index)) {
            b->twin = best;
        }
    }
}

// zero_wall_ns is the wall time at which the chunk's tick counter was 0: the JVM's start, or the
// machine's.
static double
zero_wall_ns(const jfr_chunk_info *info)
{
    return (double)info->start_wall_ns -
           (double)info->start_ticks * 1e9 / (double)info->ticks_per_s;
}

// is_clock_same returns whether two chunks may be of one JVM by their clocks: one clock has one
// frequency, which may be off by 0.2 % in the header.
static bool
is_clock_same(const jfr_chunk_info *a, const jfr_chunk_info *b, double slack_ns)
{
    double apart = (double)b->start_wall_ns - (double)a->start_wall_ns;
    double difference = zero_wall_ns(a) - zero_wall_ns(b);
    double tolerance = slack_ns + 0.003 * (apart < 0 ? -apart : apart);
    return a->ticks_per_s == b->ticks_per_s && difference < tolerance && difference > -tolerance;
}

// find_follower returns the first chunk that begins when that node ends, at later ticks of such a
// clock; NONE if there is none.
static uint32_t
find_follower(const job *j, const node *of)
{
    const jfr_chunk_info wanted = {
        .start_wall_ns = of->end_wall_ns,
        .ticks_per_s = of->chunk->info.ticks_per_s,
        .start_ticks = of->chunk->info.start_ticks,
    };
    // The first that is behind wanted.
    size_t low = LP_BISECT(j->nodes, 0, j->count, compare_starts(&at->chunk->info, &wanted) <= 0);
    if (low == j->count) {
        return NONE;
    }
    const node *found = &j->nodes[low];
    bool is_meeting = found->begin_wall_ns == of->end_wall_ns &&
                      is_clock_same(&of->chunk->info, &found->chunk->info, meeting_slack_ns);
    return is_meeting ? (uint32_t)low : NONE;
}

// has_other_types returns whether an id is that of two types: the file could not be read if both
// were of one session.
static bool
has_other_types(const job *j, const node *before, const node *after)
{
    return j->reader->has_other_types(j->reader->arg, before->index, after->index);
}

static void
make_runs(job *j)
{
    for (uint32_t i = 0; i < j->count; i++) {
        uint32_t after = j->nodes[i].twin == NONE ? find_follower(j, &j->nodes[i]) : NONE;
        if (after != NONE && j->nodes[after].twin == NONE && j->nodes[after].before == NONE &&
            !has_other_types(j, &j->nodes[i], &j->nodes[after])) {
            j->nodes[i].after = after;
            j->nodes[after].before = i;
        }
    }
    for (uint32_t i = 0; i < j->count; i++) {
        if (j->nodes[i].before == NONE && j->nodes[i].twin == NONE) {
            run *r = &j->runs[j->run_count++];
            *r = (run){.head = i, .tail = i};
            while (j->nodes[r->tail].after != NONE) {
                r->tail = j->nodes[r->tail].after;
            }
        }
    }
}

static uint64_t
hash_of(const jvm_identity *identity)
{
    return (uint64_t)identity->start_wall_ms << 22 ^ (uint64_t)identity->pid;
}

static bool
identify(const job *j, const run *r, jvm_identity *out_identity)
{
    const jvm_chunk_reader *reader = j->reader;
    return reader->identify(reader->arg, j->nodes[r->head].index, out_identity) ||
           (r->tail != r->head &&
               reader->identify(reader->arg, j->nodes[r->tail].index, out_identity));
}

// is_zero_same returns whether two clocks begin at the same moment. It compares only clocks in
// nanoseconds: they advance like wall time. Merges write such clocks with an arbitrary begin.
static bool
is_zero_same(const jfr_chunk_info *a, const jfr_chunk_info *b)
{
    double difference = zero_wall_ns(a) - zero_wall_ns(b);
    return a->ticks_per_s != 1000000000 ||
           (difference < gap_slack_ns && difference > -gap_slack_ns);
}

static bool
is_after(const job *j, const run *r, const session *s)
{
    return j->nodes[r->head].begin_wall_ns >= j->nodes[s->tail].end_wall_ns;
}

// find_session_of_jvm returns the last session of a JVM with that identity, unless r belongs to
// another JVM; else NONE.
static uint32_t
find_session_of_jvm(const job *j, const run *r, const jvm_identity *identity)
{
    uint32_t index = lp_map_find(&j->session_of_jvm, hash_of(identity));
    if (index == LP_MAP_NONE) {
        return NONE;
    }
    const session *s = &j->sessions[index];
    const node *tail = &j->nodes[s->tail];
    const node *head = &j->nodes[r->head];
    bool is_same = s->identity.pid == identity->pid &&
                   s->identity.start_wall_ms == identity->start_wall_ms &&
                   tail->chunk->info.ticks_per_s == head->chunk->info.ticks_per_s &&
                   is_zero_same(&tail->chunk->info, &head->chunk->info);
    return is_same && is_after(j, r, s) && !has_other_types(j, tail, head) ? index : NONE;
}

// find_session_in_file returns the session of the chunk before r in its file if r continues it,
// else NONE.
static uint32_t
find_session_in_file(const job *j, const run *r, bool has_identity)
{
    const node *head = &j->nodes[r->head];
    if (head->index == 0) {
        return NONE;
    }
    const node *before = &j->nodes[j->node_of_chunk[head->index - 1]];
    if (before->chunk->file != head->chunk->file) {
        return NONE;
    }
    uint32_t index = before->twin == NONE ? before->session : j->nodes[before->twin].session;
    if (index == NONE) {
        return NONE;
    }
    const session *s = &j->sessions[index];
    const node *tail = &j->nodes[s->tail];
    bool is_same = !(has_identity && s->has_identity) && is_after(j, r, s) &&
                   is_clock_same(&tail->chunk->info, &head->chunk->info, gap_slack_ns);
    return is_same && !has_other_types(j, tail, head) ? index : NONE;
}

// place_run finds or makes the session of r. identity is NULL if r does not tell.
static lp_err
place_run(job *j, run *r, const jvm_identity *identity)
{
    r->session = identity == NULL ? NONE : find_session_of_jvm(j, r, identity);
    if (r->session == NONE) {
        r->session = find_session_in_file(j, r, identity != NULL);
    }
    if (r->session == NONE) {
        r->session = (uint32_t)j->session_count++;
        j->sessions[r->session] = (session){0};
    }
    session *s = &j->sessions[r->session];
    s->tail = r->tail;
    for (uint32_t i = r->head; i != NONE; i = j->nodes[i].after) {
        j->nodes[i].session = r->session;
        s->chunk_count++;
    }
    if (identity == NULL) {
        return LP_OK;
    }
    s->identity = *identity;
    s->has_identity = true;
    return lp_map_put(&j->session_of_jvm, hash_of(identity), r->session);
}

static lp_err
make_sessions(job *j)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < j->run_count && err == LP_OK; i++) {
        jvm_identity identity;
        bool has_identity = j->run_count > 1 && identify(j, &j->runs[i], &identity);
        err = place_run(j, &j->runs[i], has_identity ? &identity : NULL);
    }
    return err;
}

static void
write_places(job *j, jvm_place *out_places)
{
    size_t begin = 0;
    for (size_t i = 0; i < j->session_count; i++) {
        size_t count = j->sessions[i].chunk_count;
        j->sessions[i].chunk_count = begin; // from here on: where its next chunk goes
        begin += count;
    }
    for (size_t i = 0; i < j->run_count; i++) {
        for (uint32_t n = j->runs[i].head; n != NONE; n = j->nodes[n].after) {
            out_places[j->sessions[j->runs[i].session].chunk_count++] =
                (jvm_place){.chunk = j->nodes[n].index, .session = j->runs[i].session};
        }
    }
    for (size_t i = 0; i < j->count; i++) {
        if (j->nodes[i].twin != NONE) {
            out_places[begin++] = (jvm_place){.chunk = j->nodes[i].index,
                .session = JVM_SESSIONS_DUPLICATE,
                .twin = j->nodes[j->nodes[i].twin].index};
        }
    }
    LP_ASSERT(begin == j->count); // each chunk has one place
}

lp_err
jvm_sessions_find(
    const jvm_chunk *chunks, size_t count, const jvm_chunk_reader *reader, jvm_place *out_places)
{
    job j = {.reader = reader, .count = count};
    if (count == 0) {
        return LP_OK;
    }
    LP_REQUIRE(count < NONE, LP_ENOMEM);
    j.nodes = calloc(count, sizeof(*j.nodes));
    j.node_of_chunk = calloc(count, sizeof(*j.node_of_chunk));
    j.runs = calloc(count, sizeof(*j.runs));
    j.sessions = calloc(count, sizeof(*j.sessions));
    lp_err err = LP_ENOMEM;
    if (j.nodes != NULL && j.node_of_chunk != NULL && j.runs != NULL && j.sessions != NULL) {
        make_nodes(&j, chunks);
        find_twins(&j);
        make_runs(&j);
        err = make_sessions(&j);
    }
    if (err == LP_OK) {
        write_places(&j, out_places);
    }
    free(j.nodes);
    free(j.node_of_chunk);
    free(j.runs);
    free(j.sessions);
    lp_map_fini(&j.session_of_jvm);
    return err;
}
