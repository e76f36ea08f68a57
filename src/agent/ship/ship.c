// SPDX-License-Identifier: Apache-2.0
#include "agent/ship/ship.h"

#include "agent/agent_fuse.h"
#include "agent/ship/ship_link.h"
#include "agent/ship/ship_message.h"
#include "agent/ship/ship_spool.h"
#include "agent/tail/tail.h"
#include "common/base/lp_log.h"
#include "common/wire/wire.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

enum {
    DRAIN_MS = 5,                // between two drains of the rings while there is something in them
    DRAIN_IDLE_MS = 20,          // the same at rest; more would let the first burst overrun a ring
    LOOK_MS = 100,               // between two looks at the chunks; the JVM flushes once a second
    JFR_PIECE_BYTES = 256 << 10, // of a chunk in one batch, before compression
    SPOOL_BYTES_MAX = 64 << 20,  // of context blocks that wait, packed
    ENDED_WAIT_MS = 1000,        // after which every record that had been written was drained
    MAPS_MAX = 1024,             // of RecordingContexts in one batch
    MAPS_BYTES_MAX = 1 << 20,    // of those, about
    FINISH_UNREACHED_MS = 1000,  // of waiting at the end for a collector that never was there
    FINISH_LOOK_MS = 50,         // between two looks at the fuse while the end of the JVM waits
    FINISH_MARGIN_MS = 200,      // for the thread to see that its time is over, and to say so
};

_Static_assert((int)JFR_PIECE_BYTES <= (int)WIRE_BULK_BYTES_MAX, "the wire's limit");
_Static_assert((int)SHIP_BLOCK_BYTES + (int)CTX_RECORD_BYTES_MAX <= (int)WIRE_BULK_BYTES_MAX,
    "a block ends with the record that fills it");

struct ship {
    // Written by ship_finish, read by the thread: the deadline first, then the release store.
    int64_t finish_by_ms;
    atomic_bool is_finishing;
    atomic_uint_fast64_t jfr_restarts; // a plain fact, it orders nothing
    pthread_mutex_t mutex;             // of what follows, up to policy
    pthread_cond_t over;
    bool is_over;       // the thread has ended
    char *moved_to;     // another repository, for the thread to follow; NULL: none
    bool is_policy_new; // policy was not taken yet
    ship_policy policy;

    // From here on the thread's own.
    int wake_fd;
    uint8_t session[WIRE_SESSION_BYTES];
    Loupe__Wire__Hello hello; // its strings are copies
    ctx_rings *rings;
    ctx_registry *registry;
    ctx_recordings *recordings;
    ctx_filters *filters;
    tail *tail;
    ship_spool spool;
    ship_link *link;
    tail_place place; // behind the last batch
    tail_piece piece; // read from the tail and not sent yet, its bytes in jfr
    bool has_piece;
    uint64_t drain_rank;   // of the chunk that records drained now belong to
    bool is_drain_overdue; // the rings were not drained since the last look, for want of memory
    bool is_all_read;      // the end has come and the last look was had
    bool is_last_pushed;
    size_t types_sent;
    uint64_t maps_sent;            // the id of the last RecordingContext that was sent
    ctx_recording_list maps;       // those that go with the next batch
    bool are_all_maps;             // there are no more than these
    uint64_t filters_sent;         // the id of the last filter that was sent
    ctx_filter_list next_filters;  // those that go with the next batch
    ctx_recording_ids ended;       // RecordingContexts that were released
    int64_t ended_at_ms;           // when more of those are taken
    ctx_recording_ids ended_after; // their last records go with this block of the spool, counted
                                   // from 1; parallel to the first of ended
    lp_buf jfr;
    lp_buf jfr_zstd;
    int64_t drain_at_ms;
    int64_t drain_wait_ms; // DRAIN_MS to DRAIN_IDLE_MS
    int64_t look_at_ms;
    int64_t finish_begin_ms;
    uint64_t missed_chunks_told;
    bool is_look_failing;
};

static int64_t
min_ms(int64_t left, int64_t right)
{
    return left < right ? left : right;
}

static int64_t
read_clock_ms(clockid_t clock)
{
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int64_t
read_clock_wall_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// note_ended is for after a drain, once in ENDED_WAIT_MS. It notes with which block the last
// records go that name the RecordingContexts that were taken the last time, and takes what was
// released since. Where memory is short, a later time does as well.
static void
note_ended(ship *self)
{
    int64_t now_ms = read_clock_ms(CLOCK_MONOTONIC);
    if (now_ms < self->ended_at_ms) {
        return;
    }
    self->ended_at_ms = now_ms + ENDED_WAIT_MS;
    uint64_t block = ship_spool_last_block(&self->spool);
    while (self->ended_after.count < self->ended.count && LP_VEC_ROOM(&self->ended_after)) {
        self->ended_after.items[self->ended_after.count++] = block;
    }
    if (ctx_recordings_take_released(self->recordings, &self->ended) != LP_OK) {
        lp_log(LP_LOG_DEBUG, "no memory for what was released; it is taken later");
    }
}

// drain takes what is in the rings. The records belong to the chunk that still grew when the look
// before this drain began: should that look have seen its end, they come before it all the same.
static void
drain(ship *self)
{
    const ctx_packer *pending = &self->spool.pending;
    size_t before = pending->size_bytes;
    self->is_drain_overdue = ctx_rings_drain(self->rings, &self->spool.pending) != LP_OK;
    if (!self->is_drain_overdue) {
        note_ended(self);
    }
    int64_t longer_ms = min_ms(self->drain_wait_ms * 2, DRAIN_IDLE_MS);
    self->drain_wait_ms =
        pending->size_bytes > before || self->is_drain_overdue ? DRAIN_MS : longer_ms;
    if (pending->size_bytes >= SHIP_BLOCK_BYTES) {
        ship_spool_seal(&self->spool, self->drain_rank);
    }
}

// follow_move goes where the JVM's chunks go, if that has changed.
static void
follow_move(ship *self)
{
    (void)pthread_mutex_lock(&self->mutex);
    char *directory = self->moved_to;
    self->moved_to = NULL;
    (void)pthread_mutex_unlock(&self->mutex);
    if (directory == NULL) {
        return;
    }
    lp_problem problem = {.text = "out of memory"};
    if (tail_move(self->tail, directory, &problem) == LP_OK) {
        lp_log(LP_LOG_INFO, "the JFR repository is now %s", directory);
    } else {
        lp_log(LP_LOG_WARN, "cannot follow the JFR repository: %s", problem.text);
    }
    free(directory);
}

// look finds out what JFR has published, and drains the rings after that: so every begin that
// matters for those bytes is in the spool when they are sent.
static void
look(ship *self, bool is_forced)
{
    follow_move(self);
    lp_err err = tail_look(self->tail, is_forced);
    if (err != LP_OK && !self->is_look_failing) {
        lp_log(LP_LOG_WARN, "cannot follow the JFR repository: %s", lp_err_text(err));
    }
    self->is_look_failing = err != LP_OK;

    uint64_t missed = tail_get_counts(self->tail).missed_chunks;
    if (missed > self->missed_chunks_told) {
        lp_log(LP_LOG_WARN, "JFR deleted %" PRIu64 " chunks before they could be opened",
            missed - self->missed_chunks_told);
        self->missed_chunks_told = missed;
    }

    drain(self);
    uint64_t growing = tail_get_growing(self->tail);
    if (growing != self->drain_rank) {
        ship_spool_seal(&self->spool, self->drain_rank);
        self->drain_rank = growing;
    }
}

static Loupe__Wire__Counters
get_counters(const ship *self)
{
    ctx_rings_counts counts = ctx_rings_get_counts(self->rings);
    Loupe__Wire__Counters counters = LOUPE__WIRE__COUNTERS__INIT;
    counters.contexts_dropped = counts.contexts_dropped;
    counters.context_values_cut = counts.values_cut;
    counters.context_bytes_dropped = self->spool.dropped_bytes;
    counters.chunk_bytes_dropped = tail_get_counts(self->tail).dropped_bytes;
    ctx_recordings_counts maps = ctx_recordings_get_counts(self->recordings);
    counters.context_values_cut += maps.texts_cut;
    counters.contexts_misclosed = maps.misclosed;
    counters.recording_contexts_refused = maps.refused;
    counters.recording_entries_dropped = maps.entries_dropped;
    counters.jfr_restarts = atomic_load_explicit(&self->jfr_restarts, memory_order_relaxed);
    counters.context_filters_refused = ctx_filters_get_refused(self->filters);
    return counters;
}

static size_t
count_types(const ship *self)
{
    size_t count = self->types_sent;
    while (ctx_registry_find(self->registry, count) != NULL) {
        count++;
    }
    return count;
}

// find_maps lists the RecordingContexts that go with the next batch. If those are not all, that
// batch must have no records: these might name the others.
static lp_err
find_maps(ship *self)
{
    return ctx_recordings_list(self->recordings, self->maps_sent, MAPS_MAX, MAPS_BYTES_MAX,
        &self->maps, &self->are_all_maps);
}

// count_ended says how many of self->ended no record after block (NULL: after those sent) names.
static size_t
count_ended(const ship *self, const ship_block *block)
{
    uint64_t sent = self->spool.popped_count + (block != NULL);
    size_t count = 0;
    while (self->are_all_maps && count < self->ended_after.count &&
           self->ended_after.items[count] <= sent) {
        count++;
    }
    return count;
}

// note_maps_sent is for when a batch with self->maps and so many of self->ended was sent.
static void
note_maps_sent(ship *self, size_t ended_count)
{
    if (self->maps.count > 0) {
        self->maps_sent = self->maps.items[self->maps.count - 1].id;
        self->maps.count = 0;
    }
    if (ended_count > 0) {
        ctx_recordings_forget(self->recordings, self->ended.items, ended_count);
        self->ended.count -= ended_count;
        self->ended_after.count -= ended_count;
        memmove(self->ended.items, self->ended.items + ended_count,
            self->ended.count * sizeof(*self->ended.items));
        memmove(self->ended_after.items, self->ended_after.items + ended_count,
            self->ended_after.count * sizeof(*self->ended_after.items));
    }
}

// note_filters_sent is for when a batch with self->next_filters was sent. The last of them stays,
// for a collector that loses the session.
static void
note_filters_sent(ship *self)
{
    if (self->next_filters.count > 0) {
        self->filters_sent = self->next_filters.items[self->next_filters.count - 1].id;
        ctx_filters_forget(self->filters, self->filters_sent);
        self->next_filters.count = 0;
    }
}

// push makes a batch of self->maps, the filters that were set meanwhile, piece, whose bytes are in
// self->jfr, and block (NULL: none), and sends it. Errors: LP_ENOMEM: nothing was sent
static lp_err
push(ship *self, const tail_piece *piece, const ship_block *block, bool is_last)
{
    lp_buf packed = {0};
    lp_buf_clear(&self->jfr_zstd);
    lp_err err =
        piece->size == 0 ? LP_OK : wire_compress(lp_buf_slice(&self->jfr), &self->jfr_zstd);
    if (err == LP_OK) {
        err = ctx_filters_list(self->filters, self->filters_sent, &self->next_filters);
    }
    if (err != LP_OK) {
        return err;
    }
    const ship_batch batch = {
        .session = self->session,
        .sequence = ship_link_get_sequence(self->link),
        .piece = piece,
        .jfr_zstd = lp_buf_slice(&self->jfr_zstd),
        .contexts_packed =
            block == NULL ? (lp_slice){0} : (lp_slice){block->packed, block->packed_bytes},
        .contexts_size = block == NULL ? 0 : block->size_bytes,
        .registry = self->registry,
        .first_type = self->types_sent,
        .end_type = count_types(self),
        .recordings = self->maps.items,
        .recording_count = self->maps.count,
        .recordings_ended = self->ended.items,
        .recordings_ended_count = count_ended(self, block),
        .filters = self->next_filters.items,
        .filter_count = self->next_filters.count,
        .counters = get_counters(self),
        .is_last = is_last,
    };
    err = ship_message_pack_batch(&batch, &packed);
    if (err != LP_OK) {
        lp_buf_fini(&packed);
        return err;
    }
    ship_link_push(self->link, &packed, read_clock_ms(CLOCK_MONOTONIC));
    self->types_sent = batch.end_type;
    note_maps_sent(self, batch.recordings_ended_count);
    note_filters_sent(self);
    self->place = piece->place;
    self->place.offset += piece->size;
    return LP_OK;
}

// push_maps sends self->maps alone, as part of the chunk at place.
static lp_err
push_maps(ship *self, const tail_place *place)
{
    const tail_piece nothing = {.place = *place};
    return push(self, &nothing, NULL, false);
}

// push_contexts sends block alone, as part of the chunk at place, and removes it.
static lp_err
push_contexts(ship *self, const tail_place *place, const ship_block *block)
{
    const tail_piece nothing = {.place = *place};
    lp_err err = push(self, &nothing, block, false);
    if (err == LP_OK) {
        ship_spool_pop(&self->spool);
    }
    return err;
}

// push_piece sends the next batch of those that end with self->piece: all blocks up to its chunk go
// first, the last of them together with it.
static lp_err
push_piece(ship *self)
{
    const tail_piece *piece = &self->piece;
    lp_err err = find_maps(self);
    if (err != LP_OK || !self->are_all_maps) {
        return err != LP_OK ? err : push_maps(self, &piece->place);
    }
    if (self->drain_rank <= piece->place.rank) {
        ship_spool_seal(&self->spool, self->drain_rank);
    }
    const ship_block *block = ship_spool_find(&self->spool);
    if (block != NULL && block->rank > piece->place.rank) {
        block = NULL;
    }
    if (block != NULL && block->next != NULL && block->next->rank <= piece->place.rank) {
        return push_contexts(self, &piece->place, block);
    }
    err = push(self, piece, block, false);
    if (err == LP_OK) {
        self->has_piece = false;
        if (block != NULL) {
            ship_spool_pop(&self->spool);
        }
    }
    return err;
}

// push_rest sends what belongs to no piece: blocks that are full while JFR has not flushed, and at
// the end all blocks and then the batch that says so.
static lp_err
push_rest(ship *self)
{
    tail_place place = self->place;
    bool has_place = tail_find_place(self->tail, &place);
    if (self->is_all_read) {
        ship_spool_seal(&self->spool, self->drain_rank);
    }
    const ship_block *block = ship_spool_find(&self->spool);
    bool has_block =
        block != NULL && (self->is_all_read || (has_place && block->rank <= place.rank));
    if (!has_block && (!self->is_all_read || self->is_last_pushed)) {
        return LP_EEND;
    }
    lp_err err = find_maps(self);
    if (err != LP_OK || !self->are_all_maps) {
        return err != LP_OK ? err : push_maps(self, &place);
    }
    if (has_block) {
        return push_contexts(self, &place, block);
    }
    const tail_piece nothing = {.place = place};
    err = push(self, &nothing, NULL, true);
    self->is_last_pushed = err == LP_OK;
    return err;
}

// pump sends as much as there is and the window takes. When memory is short the next step tries
// again.
static void
pump(ship *self)
{
    lp_err err = LP_OK;
    while (err == LP_OK && ship_link_has_room(self->link) && !self->is_drain_overdue) {
        if (!self->has_piece) {
            lp_buf_clear(&self->jfr);
            err = tail_next(self->tail, JFR_PIECE_BYTES, &self->jfr, &self->piece);
            self->has_piece = err == LP_OK;
        }
        if (self->has_piece) {
            err = push_piece(self);
        } else if (err == LP_EEND) {
            err = push_rest(self);
        }
    }
}

static bool
is_finishing(const ship *self)
{
    return atomic_load_explicit(&self->is_finishing, memory_order_acquire);
}

// take_in does what is due on the JVM's side. Once the end has come and the last look was had, this
// is over: threads of the application may run on, but nothing can follow the batch that says the
// end.
static void
take_in(ship *self, int64_t now_ms)
{
    bool is_end = is_finishing(self);
    if (now_ms >= self->look_at_ms || is_end) {
        look(self, is_end);
        self->look_at_ms = now_ms + LOOK_MS;
        self->drain_at_ms = now_ms + self->drain_wait_ms;
    } else if (now_ms >= self->drain_at_ms) {
        drain(self);
        self->drain_at_ms = now_ms + self->drain_wait_ms;
    }
    if (is_end) {
        self->finish_begin_ms = now_ms;
        self->is_all_read = !self->is_drain_overdue;
    }
}

// pass_policy puts the collector's policy, if it has another, where ship_take_policy finds it.
static void
pass_policy(ship *self)
{
    ship_policy policy;
    if (!ship_link_take_policy(self->link, &policy)) {
        return;
    }
    (void)pthread_mutex_lock(&self->mutex);
    ship_policy before = self->policy;
    self->policy = policy;
    self->is_policy_new = true;
    (void)pthread_mutex_unlock(&self->mutex);
    ship_policy_fini(&before);
}

// step does what is due.
static void
step(ship *self, int64_t now_ms)
{
    ship_link_step(self->link, now_ms);
    if (ship_link_take_forgotten(self->link)) {
        self->types_sent = 0;
        self->maps_sent = 0;
        self->filters_sent = 0;
    }
    pass_policy(self);
    if (!self->is_all_read) {
        take_in(self, now_ms);
    }
    pump(self);
}

// is_over says whether the end has come and there is nothing left to do or to hope for.
static bool
is_over(const ship *self, int64_t now_ms)
{
    if (!self->is_all_read) {
        return is_finishing(self) && now_ms >= self->finish_by_ms;
    }
    bool is_delivered = self->is_last_pushed && ship_link_get_unanswered(self->link) == 0;
    bool is_hopeless = !ship_link_was_connected(self->link) &&
                       now_ms >= self->finish_begin_ms + FINISH_UNREACHED_MS;
    return is_delivered || is_hopeless || now_ms >= self->finish_by_ms;
}

// wait_for_work returns when something may be due.
static void
wait_for_work(ship *self)
{
    int64_t due_ms = ship_link_get_due_ms(self->link);
    if (!self->is_all_read) {
        due_ms = min_ms(due_ms, min_ms(self->look_at_ms, self->drain_at_ms));
    }
    if (is_finishing(self)) {
        due_ms = min_ms(due_ms, self->finish_by_ms);
    }
    // No longer than this, for what memory was short for.
    int64_t wait_ms = min_ms(due_ms - read_clock_ms(CLOCK_MONOTONIC), LOOK_MS);
    struct pollfd fds[] = {
        {.fd = self->wake_fd, .events = POLLIN},
        // poll passes over -1.
        {.fd = self->is_all_read ? -1 : tail_get_fd(self->tail), .events = POLLIN},
    };
    if (poll(fds, sizeof(fds) / sizeof(fds[0]), wait_ms > 0 ? (int)wait_ms : 0) <= 0) {
        return;
    }
    if (fds[0].revents != 0) {
        uint64_t count;
        ssize_t size = read(self->wake_fd, &count, sizeof(count));
        (void)size; // it is non-blocking, and being awake was all it was for
    }
    if (fds[1].revents != 0) {
        self->look_at_ms = 0;
    }
}

static void
report(const ship *self)
{
    uint64_t batches = ship_link_get_unanswered(self->link);
    uint64_t jfr_bytes = tail_get_unread(self->tail) + (self->has_piece ? self->piece.size : 0);
    if (self->is_last_pushed && batches == 0) {
        lp_log(LP_LOG_DEBUG, "everything was delivered");
        return;
    }
    lp_log(LP_LOG_WARN,
        "not delivered: %" PRIu64 " batches without an acknowledgement, %" PRIu64
        " bytes of JFR, %zu bytes of contexts%s",
        batches, jfr_bytes, self->spool.bytes + self->spool.pending.packed.len,
        ship_link_was_connected(self->link) ? "" : " (the collector was never reached)");
}

static void
wake(const ship *self)
{
    uint64_t one = 1;
    ssize_t count = write(self->wake_fd, &one, sizeof(one));
    (void)count; // the thread wakes up by its clock too
}

void
ship_move(ship *self, const char *repository)
{
    char *moved_to = strdup(repository);
    if (moved_to == NULL) {
        lp_log(LP_LOG_WARN, "cannot follow the JFR repository: out of memory");
        return;
    }
    (void)pthread_mutex_lock(&self->mutex);
    free(self->moved_to);
    self->moved_to = moved_to;
    (void)pthread_mutex_unlock(&self->mutex);
    wake(self);
}

void
ship_count_restart(ship *self)
{
    (void)atomic_fetch_add_explicit(&self->jfr_restarts, 1, memory_order_relaxed);
}

bool
ship_take_policy(ship *self, ship_policy *out_policy)
{
    (void)pthread_mutex_lock(&self->mutex);
    bool is_new = self->is_policy_new;
    if (is_new) {
        *out_policy = self->policy; // moves
        self->policy = (ship_policy){0};
        self->is_policy_new = false;
    }
    (void)pthread_mutex_unlock(&self->mutex);
    return is_new;
}

static void *
run(void *arg)
{
    ship *self = arg;
    while (!agent_fuse_is_blown()) {
        step(self, read_clock_ms(CLOCK_MONOTONIC));
        if (is_over(self, read_clock_ms(CLOCK_MONOTONIC))) {
            report(self);
            break;
        }
        wait_for_work(self);
    }
    (void)pthread_mutex_lock(&self->mutex);
    self->is_over = true;
    (void)pthread_cond_signal(&self->over);
    (void)pthread_mutex_unlock(&self->mutex);
    if (agent_fuse_is_blown()) {
        ship_link_hang_up(self->link); // last: nobody waits for this thread any more
    }
    return NULL;
}

// destroy ends a ship whose thread was never started.
static void
destroy(ship *self)
{
    ship_link_close(self->link);
    tail_close(self->tail);
    if (self->wake_fd >= 0) {
        (void)close(self->wake_fd);
    }
    free(self->hello.service);
    free(self->hello.instance);
    free(self->hello.jvm_name);
    free(self->hello.jvm_version);
    (void)pthread_cond_destroy(&self->over);
    (void)pthread_mutex_destroy(&self->mutex);
    free(self);
}

static ship *
create(void)
{
    ship *self = calloc(1, sizeof(*self));
    if (self == NULL) {
        return NULL;
    }
    self->wake_fd = -1;
    self->drain_wait_ms = DRAIN_MS;
    ship_spool_init(&self->spool, SPOOL_BYTES_MAX);
    pthread_condattr_t attributes;
    // None of these four fails with glibc for attributes that are known and locks that are private.
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&self->over, &attributes);
    (void)pthread_condattr_destroy(&attributes);
    (void)pthread_mutex_init(&self->mutex, NULL);
    return self;
}

static lp_err
init_hello(ship *self, const ship_config *config)
{
    static char agent_version[] = LOUPE_VERSION;
    if (getrandom(self->session, sizeof(self->session), 0) != (ssize_t)sizeof(self->session)) {
        return LP_EIO;
    }
    Loupe__Wire__Hello *hello = &self->hello;
    loupe__wire__hello__init(hello);
    hello->session.data = self->session;
    hello->session.len = sizeof(self->session);
    hello->service = strdup(config->service);
    hello->instance = strdup(config->instance);
    hello->jvm_name = strdup(config->jvm_name);
    hello->jvm_version = strdup(config->jvm_version);
    hello->agent_version = agent_version;
    hello->pid = (uint64_t)getpid();
    hello->start_wall_ns = read_clock_wall_ns();
    hello->takes_policy = true;
    bool has_all = hello->service != NULL && hello->instance != NULL && hello->jvm_name != NULL &&
                   hello->jvm_version != NULL;
    return has_all ? LP_OK : LP_ENOMEM;
}

// start_threads opens the link, which starts NNG's threads, and starts ours. All of them inherit a
// mask without the signals that are the JVM's and the application's business; those by which a
// thread reports its own crash stay, so that the JVM's crash report still works.
static lp_err
start_threads(ship *self, const char *url, lp_problem *out_problem)
{
    sigset_t blocked;
    sigset_t before;
    (void)sigfillset(&blocked);
    static const int own_faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    for (size_t i = 0; i < sizeof(own_faults) / sizeof(own_faults[0]); i++) {
        (void)sigdelset(&blocked, own_faults[i]);
    }
    (void)pthread_sigmask(SIG_SETMASK, &blocked, &before);

    pthread_t thread;
    lp_err err = ship_link_open(url, &self->hello, self->wake_fd, &self->link, out_problem);
    if (err == LP_OK) {
        int error = pthread_create(&thread, NULL, run, self);
        if (error != 0) {
            err = lp_problem_set(out_problem, LP_EIO, "no thread: %s", strerror(error));
        } else {
            (void)pthread_setname_np(thread, "loupe-ship");
            (void)pthread_detach(thread);
        }
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return err;
}

lp_err
ship_start(const ship_config *config, ship **out_ship, lp_problem *out_problem)
{
    ship *self = create();
    if (self == NULL) {
        return LP_ENOMEM;
    }
    self->rings = config->rings;
    self->registry = config->registry;
    self->recordings = config->recordings;
    self->filters = config->filters;
    lp_err err = init_hello(self, config);
    if (err != LP_OK) {
        goto fail;
    }
    self->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (self->wake_fd < 0) {
        err = lp_problem_set(out_problem, LP_EIO, "no eventfd: %s", strerror(errno));
        goto fail;
    }
    err = tail_open(config->repository, &TAIL_LIMITS_DEFAULT, &self->tail, out_problem);
    if (err != LP_OK) {
        goto fail;
    }
    err = start_threads(self, config->collector, out_problem);
    if (err != LP_OK) {
        goto fail;
    }
    *out_ship = self;
    return LP_OK;
fail:
    destroy(self);
    return err;
}

void
ship_finish(ship *self, int timeout_ms)
{
    self->finish_by_ms = read_clock_ms(CLOCK_MONOTONIC) + timeout_ms;
    atomic_store_explicit(&self->is_finishing, true, memory_order_release);
    wake(self);

    int64_t until_ms = self->finish_by_ms + FINISH_MARGIN_MS;
    (void)pthread_mutex_lock(&self->mutex);
    for (int64_t now_ms = 0; !self->is_over && !agent_fuse_is_blown() && now_ms < until_ms;) {
        now_ms = read_clock_ms(CLOCK_MONOTONIC);
        int64_t look_ms = min_ms(until_ms, now_ms + FINISH_LOOK_MS);
        const struct timespec look = {
            .tv_sec = look_ms / 1000,
            .tv_nsec = look_ms % 1000 * 1000000,
        };
        (void)pthread_cond_timedwait(&self->over, &self->mutex, &look);
    }
    (void)pthread_mutex_unlock(&self->mutex);
}
