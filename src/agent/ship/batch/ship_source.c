// SPDX-License-Identifier: Apache-2.0
#include "agent/ship/batch/ship_source.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"

#include <inttypes.h>

enum {
    DRAIN_MS = 5,               // between drains of the rings, at least
    DRAIN_MS_MAX = 1000,        // the same, at most; a full ring causes a drain at once
    DRAIN_NAP_MS = 100,         // longer pauses are naps (ctx_rings_note_pause)
    LOOK_MS = 100,              // between looks at the chunks while a flush may come
    LOOK_MS_MAX = 900,          // the same after a flush; the JVM flushes once a second
    SPOOL_BYTES_MAX = 64 << 20, // of waiting context blocks, packed
    // Of records that are sealed without a flush: the collector needs them with JFR's next bytes,
    // and for batches that go together NNG's threads wake up less often.
    SEAL_BYTES = 4 * SHIP_BLOCK_BYTES,
    // Of records at which a chunk is full: compacting it takes several times that in memory. JFR
    // ends a chunk at 12 MB, but does not count records.
    CHUNK_RECORD_BYTES = 32 << 20,
};

lp_err
ship_source_open(ship_source *source, const char *directory, ctx_rings *rings, ship_known *known,
    lp_problem *out_problem)
{
    *source = (ship_source){.rings = rings, .known = known, .drain_wait_ms = DRAIN_MS};
    ship_spool_init(&source->spool, SPOOL_BYTES_MAX);
    source->events = tail_events_create();
    LP_REQUIRE(source->events != NULL, LP_ENOMEM);
    return tail_open(directory, &TAIL_LIMITS_DEFAULT, &source->tail, out_problem);
}

void
ship_source_close(ship_source *source)
{
    tail_close(source->tail);
    tail_events_destroy(source->events);
}

void
ship_source_move(ship_source *source, const char *directory)
{
    lp_problem problem = {.text = "out of memory"};
    if (tail_move(source->tail, directory, &problem) == LP_OK) {
        lp_log(LP_LOG_INFO, "the JFR repository is now %s", directory);
        source->look_at_ms = 0; // it may have chunks already
    } else {
        lp_log(LP_LOG_WARN, "cannot follow the JFR repository: %s", problem.text);
    }
}

void
ship_source_seal(ship_source *source)
{
    ship_spool_seal(&source->spool, source->drain_rank);
}

// Plans the next drain for when the rings are as full as they should become, at the speed of the
// last records.
static void
plan_drain(ship_source *source, int64_t now_ms)
{
    unsigned percent = ctx_rings_get_load(source->rings);
    int64_t wait_ms = percent == 0 ? DRAIN_MS_MAX : (now_ms - source->drained_ms) * 100 / percent;
    if (source->is_drain_overdue || wait_ms < DRAIN_MS) {
        wait_ms = DRAIN_MS;
    }
    wait_ms = wait_ms < 2 * source->drain_wait_ms ? wait_ms : 2 * source->drain_wait_ms;
    int64_t max_ms = ctx_rings_may_nap(source->rings) ? DRAIN_MS_MAX : DRAIN_NAP_MS;
    source->drain_wait_ms = wait_ms < max_ms ? wait_ms : max_ms;
    source->drained_ms = now_ms;
    source->drain_at_ms = now_ms + source->drain_wait_ms;
    ctx_rings_note_pause(source->rings, source->drain_wait_ms > DRAIN_NAP_MS);
}

// Empties the rings. The records belong to the chunk that still grew when the look before this
// drain began, even if that look has seen its end.
static void
drain(ship_source *source, int64_t now_ms)
{
    const ctx_packer *pending = &source->spool.pending;
    size_t before = pending->size_bytes;
    source->is_drain_overdue = ctx_rings_drain(source->rings, &source->spool.pending) != LP_OK;
    source->drained_bytes += pending->size_bytes - before;
    if (!source->is_drain_overdue) {
        ship_known_note_drained(source->known, ship_spool_last_block(&source->spool));
    }
    plan_drain(source, now_ms);
    if (pending->size_bytes >= SEAL_BYTES) {
        ship_source_seal(source);
    }
}

// Plans the next look. After a flush no other is expected for as long as none came before it: from
// the flush before to the previous look.
static void
plan_look(ship_source *source, bool has_flushed, int64_t now_ms)
{
    int64_t wait_ms = LOOK_MS;
    bool has_notices = tail_get_fd(source->tail) >= 0; // otherwise only a look finds new chunks
    if (has_flushed && has_notices) {
        int64_t quiet_ms = source->looked_ms - source->flushed_ms;
        wait_ms = quiet_ms < LOOK_MS ? LOOK_MS : quiet_ms < LOOK_MS_MAX ? quiet_ms : LOOK_MS_MAX;
    }
    source->flushed_ms = has_flushed ? now_ms : source->flushed_ms;
    source->looked_ms = now_ms;
    source->look_at_ms = now_ms + wait_ms;
}

// Finds out what JFR has published, and then drains the rings.
static void
look(ship_source *source, bool is_forced, int64_t now_ms)
{
    uint64_t unread = tail_get_unread(source->tail);
    lp_err err = tail_look(source->tail, is_forced);
    plan_look(source, tail_get_unread(source->tail) > unread, now_ms);
    if (err != LP_OK && !source->is_look_failing) {
        lp_log(LP_LOG_WARN, "cannot follow the JFR repository: %s", lp_err_text(err));
    }
    source->is_look_failing = err != LP_OK;

    uint64_t missed = tail_get_counts(source->tail).missed_chunks;
    if (missed > source->missed_chunks_logged) {
        lp_log(LP_LOG_WARN, "JFR deleted %" PRIu64 " chunks before they could be opened",
            missed - source->missed_chunks_logged);
        source->missed_chunks_logged = missed;
    }

    drain(source, now_ms);
    uint64_t growing = tail_get_growing(source->tail);
    if (growing != source->drain_rank) {
        ship_source_seal(source);
        source->drain_rank = growing;
        source->drained_bytes = 0;
    }
}

void
ship_source_step(ship_source *source, bool is_end, int64_t now_ms)
{
    LP_ASSERT(!source->is_all_read);
    if (now_ms >= source->look_at_ms || is_end) {
        look(source, is_end, now_ms);
    } else if (now_ms >= source->drain_at_ms) {
        drain(source, now_ms);
    }
    source->is_all_read = is_end && !source->is_drain_overdue;
}

bool
ship_source_is_chunk_full(const ship_source *source)
{
    return source->drained_bytes >= CHUNK_RECORD_BYTES;
}

void
ship_source_note_file(ship_source *source)
{
    source->look_at_ms = 0;
}

void
ship_source_note_full(ship_source *source)
{
    source->drain_at_ms = 0;
    source->drain_wait_ms = DRAIN_MS; // before it doubles
}

int
ship_source_get_fd(const ship_source *source)
{
    return source->is_all_read ? -1 : tail_get_fd(source->tail);
}

int64_t
ship_source_get_due_ms(const ship_source *source)
{
    if (source->is_all_read) {
        return INT64_MAX;
    }
    return source->look_at_ms < source->drain_at_ms ? source->look_at_ms : source->drain_at_ms;
}
