// SPDX-License-Identifier: Apache-2.0

#include "collector/chunks/snapshots.h"

#include "collector/base/metrics.h"
#include "collector/chunks/chunk_task.h"
#include "collector/store/catalog/catalog_owners.h"
#include "common/base/lp_assert.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// --- Snapshots

// A snapshot in work.
typedef struct session_making {
    side_work_job work;
    memory_room_user memory;
    bool is_wide;
    struct session_making *next; // in the queue
    snapshots *owner;
    char session_id[CATALOG_ID_CHARS + 1];
    chunk_task task;
    bool is_run;              // a thread took it
    unsigned end;             // end_of the session at the start
    uint64_t begun_ms;        // loop time
    snapshot *snapshot;       // NULL before it has room, or memory ran out
    snapshots_request *first; // its requests
    atomic_bool is_cancelled; // orders nothing
} making;

// answer calls the request's receiver, and frees the request; the receiver takes snap.
static void
answer(snapshots_request *request, snapshot *snap)
{
    LP_ASSERT(request->on_snapshot != NULL);
    if (snap != NULL) {
        snapshot_check(snap);
    }
    request->on_snapshot(request->arg, snap);
    free(request);
}

// is_wide returns whether a request is for a wide question.
static bool
is_wide(const snapshots_request *request)
{
    return request->kind == SNAPSHOT_WIDE || request->kind == SNAPSHOT_OWN_WIDE;
}

static void
snapshots_check(const snapshots *self)
{
    LP_ASSERT(self->narrow.count <= SNAPSHOTS_AT_ONCE && self->wide.count <= SNAPSHOTS_AT_ONCE);
    LP_ASSERT(self->fetch_count <= SNAPSHOTS_FETCHED_AT_ONCE);
}

// --- Making one

// slot_of returns the session's slot for a wide or a narrow snapshot in work.
static making **
slot_of(session *s, bool is_wide)
{
    return is_wide ? &s->making_wide : &s->making;
}

static void
make(void *arg)
{
    making *m = arg;
    lp_err err = atomic_load_explicit(&m->owner->is_stopping, memory_order_relaxed)
                     ? LP_ECLOSED
                     : chunk_task_run_all(&m->task, m->owner->files, &m->is_cancelled, m->snapshot);
    if (err != LP_OK) {
        snapshot_fail(m->snapshot, err);
    }
}

// end_of returns a number that changes with the knowledge of the session's end, which its last
// chunk reports.
static unsigned
end_of(const session *s)
{
    return (unsigned)s->row.ended_how * 2 + (session_has_ended(s) ? 1 : 0);
}

// keep lets the session reuse the snapshot for a while, unless it has a later one.
static void
keep(const making *m)
{
    session *s = sessions_find(m->owner->sessions, m->session_id);
    if (s == NULL || *slot_of(s, m->is_wide) != m) {
        return; // the session was dropped, or all requests cancelled
    }
    *slot_of(s, m->is_wide) = NULL;
    bool is_given_up = m->snapshot == NULL;
    if (is_given_up || (s->kept != NULL && s->kept_begun_ms > m->begun_ms)) {
        return;
    }
    snapshot_unref(s->kept);
    s->kept = m->snapshot->err == LP_OK ? snapshot_ref(m->snapshot) : NULL;
    s->kept_begun_ms = m->begun_ms;
    s->kept_at_ms = uv_now(m->owner->loop);
    s->kept_end = m->end;
}

static snapshots_lane *
lane_of(const making *m)
{
    return m->is_wide ? &m->owner->wide : &m->owner->narrow;
}

// has_place returns whether one more of its kind may start now.
static bool
has_place(const making *m)
{
    bool is_beside = m->is_wide && m->owner->narrow.count > 0;
    return lane_of(m)->count < (is_beside ? SNAPSHOTS_WIDE_BESIDE : SNAPSHOTS_AT_ONCE);
}

// begin_waiting starts queued snapshots of a lane while it has places; each waits for room in
// memory.
static void
begin_waiting(snapshots_lane *lane)
{
    making *m;
    while ((m = lane->first_waiting) != NULL && has_place(m)) {
        lane->first_waiting = m->next;
        lane->count++;
        memory_room_ask(m->owner->memory, &m->memory);
    }
}

// finish answers all requests of m, and frees it.
static void
finish(making *m)
{
    snapshots *self = m->owner;
    keep(m);
    chunk_task_fini(&m->task);
    while (m->first != NULL) {
        snapshots_request *request = m->first;
        m->first = request->next;
        answer(request, m->snapshot == NULL ? NULL : snapshot_ref(m->snapshot));
    }
    snapshot_unref(m->snapshot);
    memory_room_leave(self->memory, &m->memory);
    snapshots_check(self);
    LP_ASSERT(lane_of(m)->count > 0);
    lane_of(m)->count--;
    free(m);
    begin_waiting(&self->narrow);
    begin_waiting(&self->wide);
}

static void
on_made(void *arg)
{
    metrics_sub(METRICS_jobs_running, 1);
    finish(arg);
}

static void
note_row(void *arg, const catalog_session *row)
{
    snapshot *snap = arg;
    snap->next_chunk = row->next_chunk;
    snap->totals = row->totals;
}

// look_up makes a snapshot without compacting anything. s is NULL if the session is not in memory.
static snapshot *
look_up(snapshots *self, const char *session_id, const session *s)
{
    snapshot *snap = snapshot_create(LP_OK);
    LP_REQUIRE(snap != NULL, NULL);
    if (s != NULL) {
        note_row(snap, &s->row);
        snap->waiting = session_get_waiting(s);
    } else {
        snap->err = catalog_find(self->sessions->catalog, session_id, note_row, snap);
    }
    return snap;
}

// prepare makes m ready to run, and returns whether there are chunks to compact. It reads the
// session now: chunks may have been compacted while m waited for memory.
static bool
prepare(making *m)
{
    snapshots_check(m->owner);
    snapshots *self = m->owner;
    session *s = sessions_find(self->sessions, m->session_id);
    m->begun_ms = uv_now(self->loop);
    if (m->first == NULL) { // all requests were cancelled
        metrics_add(METRICS_snapshots_given_up, 1);
        return false;
    }
    if (atomic_load_explicit(&self->is_stopping, memory_order_relaxed)) {
        m->snapshot = snapshot_create(LP_ECLOSED);
        return false;
    }
    m->snapshot = look_up(self, m->session_id, s);
    LP_REQUIRE(m->snapshot != NULL && s != NULL && session_get_unit(s, 0).has_jfr, false);
    // A thousand wide ones may exist, and most of them wait for the last one.
    m->snapshot->room = m->is_wide ? NULL : &self->room;
    m->end = end_of(s);
    lp_err err = sessions_load_carry(self->sessions, s);
    if (err == LP_OK) {
        uint64_t bytes = chunk_task_estimate_all(s, self->context_hold_ns);
        bool suffices = memory_room_suffices(self->memory, &m->memory, bytes);
        err = chunk_task_init(&m->task, s, 0, self->policy, self->context_hold_ns,
            suffices ? -1 : blobs_get_directory(self->files));
    }
    if (err != LP_OK) {
        snapshot_fail(m->snapshot, err);
    }
    return err == LP_OK;
}

static void
run(void *arg)
{
    making *m = arg;
    if (!prepare(m)) {
        finish(m);
        return;
    }
    m->is_run = true;
    metrics_add(METRICS_snapshots, 1);
    metrics_add(METRICS_jobs_running, 1);
    m->work = (side_work_job){.on_thread = make, .on_done = on_made, .arg = m};
    side_work_push(lane_of(m)->work, &m->work);
}

// begin queues a snapshot.
static void
begin(making *m)
{
    snapshots_lane *lane = lane_of(m);
    making **place = lane->first_waiting == NULL ? &lane->first_waiting : &lane->last_waiting->next;
    m->next = NULL;
    *place = m;
    lane->last_waiting = m;
    begin_waiting(lane);
}

// start begins the snapshot of a session with chunks to compact, and takes request.
static void
start(snapshots *self, session *s, snapshots_request *request)
{
    making *m = calloc(1, sizeof(*m));
    if (m == NULL) {
        answer(request, snapshot_create(LP_ENOMEM));
        return;
    }
    m->owner = self;
    memcpy(m->session_id, s->row.id, sizeof(m->session_id));
    m->end = end_of(s);
    m->first = request;
    m->is_wide = is_wide(request);
    m->memory = (memory_room_user){
        .bytes = chunk_task_estimate_all(s, self->context_hold_ns),
        .rank = m->is_wide ? MEMORY_ROOM_WIDE : MEMORY_ROOM_NARROW,
        .on_room = run,
        .arg = m,
    };
    *slot_of(s, m->is_wide) = m;
    begin(m);
}

// --- Requests

static bool
is_fresh(const snapshots *self, const session *s)
{
    return s->kept != NULL && s->kept_end == end_of(s) &&
           uv_now(self->loop) - s->kept_at_ms < self->kept_ms;
}

// find_usable returns a snapshot in work that satisfies a request: any for a wide one, a narrow one
// for a narrow one. NULL if there is none.
static making *
find_usable(session *s, bool is_wide)
{
    making *m = s->making;
    if (is_wide && (m == NULL || m->end != end_of(s))) {
        m = s->making_wide;
    }
    return m != NULL && m->end == end_of(s) ? m : NULL;
}

// A snapshot that another collector makes.
typedef struct remote_making {
    side_work_job work;
    struct remote_making *next; // in the queue
    snapshots *owner;
    snapshots_request *request;
    catalog_owner from;
    snapshot *snapshot;
} remote_making;

static void
fetch(void *arg)
{
    remote_making *m = arg;
    m->snapshot = remote_pending_fetch(
        m->owner->remote, &m->from, m->request->session_id, is_wide(m->request));
}

// begin_fetches starts queued fetches while threads are free.
static void
begin_fetches(snapshots *self)
{
    snapshots_check(self);
    remote_making *m;
    while ((m = self->first_fetch) != NULL && self->fetch_count < SNAPSHOTS_FETCHED_AT_ONCE) {
        self->first_fetch = m->next;
        self->fetch_count++;
        side_work_push(self->fetches, &m->work);
    }
}

// drop_fetches answers the queued ones.
static void
drop_fetches(snapshots *self)
{
    snapshots_check(self);
    remote_making *m;
    while ((m = self->first_fetch) != NULL) {
        self->first_fetch = m->next;
        answer(m->request, snapshot_create(LP_ECLOSED));
        free(m);
    }
}

static void
finish_remote(void *arg)
{
    remote_making *m = arg;
    answer(m->request, m->snapshot);
    LP_ASSERT(m->owner->fetch_count > 0);
    m->owner->fetch_count--;
    begin_fetches(m->owner);
    free(m);
}

// find_remote returns whether another, reachable collector owns the session.
static bool
find_remote(const snapshots *self, const snapshots_request *request, catalog_owner *out_owner)
{
    catalog *of = self->sessions->catalog;
    LP_REQUIRE(
        self->remote != NULL && request->kind != SNAPSHOT_OWN && request->kind != SNAPSHOT_OWN_WIDE,
        false);
    bool is_elsewhere = catalog_owners_find(of, request->session_id, out_owner) == LP_OK &&
                        out_owner->is_running && strcmp(out_owner->node, catalog_get_node(of)) != 0;
    metrics_add(METRICS_pending_not_fetched, is_elsewhere && !out_owner->is_there);
    return is_elsewhere && out_owner->is_there;
}

// start_remote fetches the snapshot of another collector's session, and takes the request. Returns
// false, and takes nothing, if there is no such collector.
static bool
start_remote(snapshots *self, snapshots_request *request)
{
    catalog_owner owner;
    LP_REQUIRE(find_remote(self, request, &owner), false);
    remote_making *m = calloc(1, sizeof(*m));
    if (m == NULL) {
        answer(request, NULL);
        return true;
    }
    *m = (remote_making){.work = {.on_thread = fetch, .on_done = finish_remote, .arg = m},
        .owner = self,
        .request = request,
        .from = owner};
    remote_making **place = &self->first_fetch;
    while (*place != NULL) {
        place = &(*place)->next;
    }
    *place = m;
    begin_fetches(self);
    return true;
}

static void
serve_jfr(snapshots *self, session *s, snapshots_request *request)
{
    snapshots_check(self);
    making *m = s == NULL ? NULL : find_usable(s, is_wide(request));
    if (s != NULL && is_fresh(self, s)) {
        answer(request, snapshot_ref(s->kept));
        return;
    }
    if (m != NULL) {
        request->next = m->first;
        m->first = request;
        return;
    }
    if (s == NULL && start_remote(self, request)) {
        return;
    }
    if (s == NULL || !session_get_unit(s, 0).has_jfr) {
        answer(request, look_up(self, request->session_id, s));
    } else {
        start(self, s, request);
    }
}

// cancel_in cancels a request that waits for the wide or the narrow snapshot.
static void
cancel_in(session *s, bool is_wide, uint64_t ticket)
{
    making *m = *slot_of(s, is_wide);
    if (m == NULL) {
        return; // it was answered
    }
    snapshots_request **place = &m->first;
    while (*place != NULL && (*place)->ticket != ticket) {
        place = &(*place)->next;
    }
    snapshots_request *found = *place;
    if (found == NULL) {
        return;
    }
    *place = found->next;
    answer(found, snapshot_create(LP_ECLOSED));
    if (m->first == NULL && m->is_run) { // a queued one may still get requests
        metrics_add(METRICS_snapshots_given_up, 1);
        atomic_store_explicit(&m->is_cancelled, true, memory_order_relaxed);
        *slot_of(s, is_wide) = NULL; // later requests start another one
    }
}

lp_err
snapshots_open(snapshots *self, uv_loop_t *loop)
{
    self->loop = loop;
    LP_TRY(side_work_create(
        loop, "loupe-narrow", WORKERS_NORMAL, SNAPSHOTS_AT_ONCE, &self->narrow.work));
    LP_TRY(side_work_create(loop, "loupe-wide", WORKERS_LOW, SNAPSHOTS_AT_ONCE, &self->wide.work));
    return side_work_create(
        loop, "loupe-fetch", WORKERS_NORMAL, SNAPSHOTS_FETCHED_AT_ONCE, &self->fetches);
}

void
snapshots_serve(snapshots *self, snapshots_request *request)
{
    snapshots_check(self);
    session *s = sessions_find(self->sessions, request->session_id);
    s = s != NULL && s->standing != SESSION_OURS && request->on_snapshot != NULL ? NULL : s;
    request->next = NULL;
    if (request->on_snapshot == NULL) {
        if (s != NULL) {
            cancel_in(s, false, request->ticket);
            cancel_in(s, true, request->ticket);
        }
        free(request);
    } else if (request->kind == SNAPSHOT_REMOVE) {
        answer(request, snapshot_create(retention_remove(self->retention, request->session_id)));
    } else if (request->kind == SNAPSHOT_TOTALS) {
        answer(request, look_up(self, request->session_id, s));
    } else {
        serve_jfr(self, s, request);
    }
}

void
snapshots_stop(snapshots *self)
{
    snapshots_check(self);
    atomic_store_explicit(&self->is_stopping, true, memory_order_relaxed);
    remote_pending_interrupt(self->remote); // running fetches fail at once
    drop_fetches(self);
    side_work_stop(self->narrow.work);
    side_work_stop(self->wide.work);
    side_work_stop(self->fetches);
}

void
snapshots_close(snapshots *self)
{
    side_work_destroy(self->narrow.work);
    side_work_destroy(self->wide.work);
    side_work_destroy(self->fetches);
}

void
snapshots_forget(const snapshots *self, session *s)
{
    snapshots_check(self);
    if (!is_fresh(self, s)) {
        snapshot_unref(s->kept);
        s->kept = NULL;
    }
}
