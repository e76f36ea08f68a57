// SPDX-License-Identifier: Apache-2.0
#include "agent/ship/ship.h"

#include "agent/agent_fuse.h"
#include "agent/ship/batch/ship_known.h"
#include "agent/ship/batch/ship_own.h"
#include "agent/ship/batch/ship_sender.h"
#include "agent/ship/batch/ship_source.h"
#include "agent/ship/link/ship_link.h"
#include "agent/ship/ship_patience.h"
#include "agent/ship/ship_thread.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"
#include "common/wire/wire.h"

#include <errno.h>
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
    RETRY_MS = 100,             // at most, until a retry after memory ran out
    WAIT_MS_MAX = 1000,         // between checks of the fuse
    FINISH_UNREACHED_MS = 1000, // wait at the end per collector, if none was ever reached
    FINISH_LOOK_MS = 50,        // between checks of the fuse while the end of the JVM waits
    FINISH_MARGIN_MS = 200,     // for the thread to notice its time-out and report
};

struct ship {
    // Written by ship_finish before the release store, from then on by the thread.
    ship_patience patience;
    atomic_bool is_finishing;
    atomic_int_fast64_t finish_by_ms;  // copy of patience.by_ms for ship_finish; orders nothing
    atomic_uint_fast64_t jfr_restarts; // orders nothing
    atomic_bool is_chunk_full;         // likewise
    atomic_bool is_drain_due;          // likewise; the thread was woken for it
    pthread_mutex_t mutex;             // guards the members up to policy
    pthread_cond_t over;
    bool is_over;       // the thread has ended
    char *moved_to;     // the new repository that the thread must follow; NULL: none
    bool is_policy_new; // policy was not taken yet
    ship_policy policy;

    // From here on the thread's own.
    int wake_fd;
    uint8_t session[WIRE_SESSION_BYTES];
    uint8_t secret[WIRE_SECRET_BYTES];
    Loupe__Wire__Hello hello; // its strings are copies
    char *token;              // see ship_window.h
    ship_own *own;
    ship_known known;
    ship_source source;
    ship_link *link;
    ship_sender sender;
    int64_t finish_begin_ms;
};

static int64_t
min_ms(int64_t left, int64_t right)
{
    return left < right ? left : right;
}

// Makes the source follow the JVM to another repository, if there is one.
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
    ship_source_move(&self->source, directory);
    free(directory);
}

static bool
is_finishing(const ship *self)
{
    return atomic_load_explicit(&self->is_finishing, memory_order_acquire);
}

static void
take_in(ship *self, int64_t now_ms)
{
    bool is_end = is_finishing(self);
    follow_move(self);
    if (atomic_exchange_explicit(&self->is_drain_due, false, memory_order_relaxed)) {
        ship_source_note_full(&self->source);
    }
    ship_source_step(&self->source, is_end, now_ms);
    if (is_end) {
        self->finish_begin_ms = now_ms;
        ship_link_hurry(self->link, now_ms);
    }
}

// Publishes the collector's new policy, if there is one, for ship_take_policy.
static void
pass_policy(ship *self)
{
    ship_policy policy;
    if (!ship_window_take_policy(ship_link_get_window(self->link), &policy)) {
        return;
    }
    (void)pthread_mutex_lock(&self->mutex);
    ship_policy before = self->policy;
    self->policy = policy;
    self->is_policy_new = true;
    (void)pthread_mutex_unlock(&self->mutex);
    ship_policy_fini(&before);
}

// Extends the wait of ship_finish if the collector has taken something.
static void
lengthen_wait(ship *self)
{
    ship_patience_note_taken(&self->patience, ship_link_get_taken_ms(self->link));
    atomic_store_explicit(&self->finish_by_ms, self->patience.by_ms, memory_order_relaxed);
}

// One round of the thread.
static void
step(ship *self, int64_t now_ms)
{
    ship_window *window = ship_link_get_window(self->link);
    ship_link_step(self->link, now_ms);
    if (is_finishing(self)) {
        lengthen_wait(self);
    }
    if (ship_window_take_forgotten(window)) {
        ship_known_forget(&self->known);
    }
    uint32_t lacking;
    if (ship_window_take_lacking(window, &lacking)) {
        ship_sender_go_back(&self->sender, lacking);
    }
    pass_policy(self);
    if (!self->source.is_all_read) {
        take_in(self, now_ms);
        atomic_store_explicit(
            &self->is_chunk_full, ship_source_is_chunk_full(&self->source), memory_order_relaxed);
    }
    uint64_t restarts = atomic_load_explicit(&self->jfr_restarts, memory_order_relaxed);
    while (ship_sender_step(&self->sender, restarts, now_ms)) {
        ship_link_send(self->link, now_ms);
    }
    if (self->source.is_all_read) {
        ship_sender_leave(&self->sender, now_ms, self->patience.by_ms);
        ship_link_send(self->link, now_ms);
    }
}

// Returns whether the thread can end: everything is acknowledged, or the wait is over.
static bool
is_over(const ship *self, int64_t now_ms)
{
    if (!self->source.is_all_read) {
        return is_finishing(self) && now_ms >= self->patience.by_ms;
    }
    int64_t collectors = (int64_t)ship_link_count_addresses(self->link);
    bool is_hopeless =
        !ship_link_was_connected(self->link) &&
        now_ms >= self->finish_begin_ms + FINISH_UNREACHED_MS * (collectors > 0 ? collectors : 1);
    bool is_known = ship_sender_is_done(&self->sender) ||
                    ship_link_get_window(self->link)->has_left; // the collector knows the losses
    return is_known || is_hopeless || now_ms >= self->patience.by_ms;
}

// Returns when something may be due.
static void
wait_for_work(ship *self)
{
    int64_t due_ms =
        min_ms(ship_link_get_due_ms(self->link), ship_source_get_due_ms(&self->source));
    if (is_finishing(self)) {
        due_ms = min_ms(due_ms, self->patience.by_ms);
    }
    int64_t wait_ms =
        min_ms(due_ms - lp_time_mono_ms(), self->sender.is_short ? RETRY_MS : WAIT_MS_MAX);
    struct pollfd fds[] = {
        {.fd = self->wake_fd, .events = POLLIN},
        {.fd = ship_source_get_fd(&self->source), .events = POLLIN}, // poll ignores -1
    };
    if (poll(fds, sizeof(fds) / sizeof(fds[0]), wait_ms > 0 ? (int)wait_ms : 0) <= 0) {
        return;
    }
    if (fds[0].revents != 0) {
        uint64_t count;
        ssize_t size = read(self->wake_fd, &count, sizeof(count));
        (void)size; // it only resets the eventfd
    }
    if (fds[1].revents != 0) {
        ship_source_note_file(&self->source);
    }
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
    ship_wake(self->wake_fd);
}

void
ship_count_restart(ship *self)
{
    (void)atomic_fetch_add_explicit(&self->jfr_restarts, 1, memory_order_relaxed);
}

void
ship_drain_soon(ship *self)
{
    if (!atomic_exchange_explicit(&self->is_drain_due, true, memory_order_relaxed)) {
        ship_wake(self->wake_fd);
    }
}

bool
ship_is_chunk_full(const ship *self)
{
    return atomic_load_explicit(&self->is_chunk_full, memory_order_relaxed);
}

bool
ship_set_own_policy(ship *self, int64_t from_wall_ns, const char *text)
{
    return ship_own_add(self->own, from_wall_ns, text) == LP_OK;
}

void
ship_watch_events(ship *self, const uint64_t *types, size_t count)
{
    tail_events_watch(self->source.events, types, count);
}

tail_events_counts
ship_count_events(ship *self)
{
    return tail_events_get(self->source.events);
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
        step(self, lp_time_mono_ms());
        if (is_over(self, lp_time_mono_ms())) {
            ship_sender_report(&self->sender, ship_link_was_connected(self->link));
            break;
        }
        wait_for_work(self);
    }
    (void)pthread_mutex_lock(&self->mutex);
    self->is_over = true;
    (void)pthread_cond_signal(&self->over);
    (void)pthread_mutex_unlock(&self->mutex);
    if (agent_fuse_is_blown()) {
        ship_link_hang_up(self->link); // last: ship_finish does not wait for this
    }
    return NULL;
}

// Frees a ship whose thread was never started.
static void
destroy(ship *self)
{
    ship_link_close(self->link);
    ship_source_close(&self->source);
    if (self->wake_fd >= 0) {
        (void)close(self->wake_fd);
    }
    free(self->hello.service);
    free(self->hello.instance);
    free(self->hello.version);
    free(self->token);
    free(self->hello.jvm_name);
    free(self->hello.jvm_version);
    ship_own_destroy(self->own);
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
    self->own = ship_own_create();
    if (self->own == NULL) {
        free(self);
        return NULL;
    }
    pthread_condattr_t attributes;
    // None of these calls fails with glibc for known attributes and private locks.
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
    if (getrandom(self->session, sizeof(self->session), 0) != (ssize_t)sizeof(self->session) ||
        getrandom(self->secret, sizeof(self->secret), 0) != (ssize_t)sizeof(self->secret)) {
        return LP_EIO;
    }
    Loupe__Wire__Hello *hello = &self->hello;
    loupe__wire__hello__init(hello);
    hello->session.data = self->session;
    hello->session.len = sizeof(self->session);
    hello->secret.data = self->secret;
    hello->secret.len = sizeof(self->secret);
    hello->service = strdup(config->service);
    hello->instance = strdup(config->instance);
    hello->version = strdup(config->version == NULL ? "" : config->version);
    self->token = strdup(config->token == NULL ? "" : config->token);
    hello->jvm_name = strdup(config->jvm_name);
    hello->jvm_version = strdup(config->jvm_version);
    hello->agent_version = agent_version;
    hello->pid = (uint64_t)getpid();
    hello->start_wall_ns = lp_time_now();
    hello->takes_policy = true;
    bool has_all = hello->service != NULL && hello->instance != NULL && hello->version != NULL &&
                   self->token != NULL && hello->jvm_name != NULL && hello->jvm_version != NULL;
    return has_all ? LP_OK : LP_ENOMEM;
}

// Opens the link, which starts NNG's threads, and starts ours. All of them inherit a signal mask
// that blocks the signals of the JVM and the application, but not those by which a thread reports
// its own crash, so that the JVM's crash report still works.
static lp_err
start_threads(ship *self, const ship_config *config, lp_problem *out_problem)
{
    sigset_t blocked;
    sigset_t before;
    (void)sigfillset(&blocked);
    static const int own_faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    for (size_t i = 0; i < sizeof(own_faults) / sizeof(own_faults[0]); i++) {
        (void)sigdelset(&blocked, own_faults[i]);
    }
    (void)pthread_sigmask(SIG_SETMASK, &blocked, &before);

    lp_err err = ship_link_open(config->collectors, config->collector_count, config->tls,
        &self->hello, self->wake_fd, &self->link, out_problem);
    if (err == LP_OK) {
        self->sender = (ship_sender){
            .session = self->session,
            .source = &self->source,
            .known = &self->known,
            .window = ship_link_get_window(self->link),
        };
        self->sender.window->token = self->token;
        int error = ship_thread_start("loupe-ship", run, self);
        if (error != 0) {
            err = lp_problem_set(out_problem, LP_EIO, "cannot start a thread: %s", strerror(error));
        }
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return err;
}

static lp_err
open_wake(ship *self, lp_problem *out_problem)
{
    self->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return self->wake_fd >= 0 ? LP_OK
                              : lp_problem_set(out_problem, LP_EIO, "cannot create an eventfd: %s",
                                    strerror(errno));
}

lp_err
ship_start(const ship_config *config, ship **out_ship, lp_problem *out_problem)
{
    ship *self = create();
    LP_REQUIRE(self != NULL, LP_ENOMEM);
    self->known = (ship_known){
        .registry = config->registry,
        .recordings = config->recordings,
        .filters = config->filters,
        .own = self->own,
    };
    lp_err err = init_hello(self, config);
    if (err == LP_OK && config->own_policy != NULL) {
        err = ship_own_add(self->own, INT64_MIN, config->own_policy);
    }
    LP_THEN(err, open_wake(self, out_problem));
    LP_THEN(err, ship_source_open(
                     &self->source, config->repository, config->rings, &self->known, out_problem));
    LP_THEN(err, start_threads(self, config, out_problem));
    if (err != LP_OK) {
        destroy(self);
        return err;
    }
    *out_ship = self;
    return LP_OK;
}

void
ship_finish(ship *self, int wait_ms)
{
    self->patience = ship_patience_begin(wait_ms, lp_time_mono_ms());
    atomic_store_explicit(&self->finish_by_ms, self->patience.by_ms, memory_order_relaxed);
    atomic_store_explicit(&self->is_finishing, true, memory_order_release);
    ship_wake(self->wake_fd);

    (void)pthread_mutex_lock(&self->mutex);
    while (!self->is_over && !agent_fuse_is_blown()) {
        int64_t until_ms = atomic_load_explicit(&self->finish_by_ms, memory_order_relaxed);
        until_ms += FINISH_MARGIN_MS;
        int64_t now_ms = lp_time_mono_ms();
        if (now_ms >= until_ms) {
            break;
        }
        int64_t look_ms = min_ms(until_ms, now_ms + FINISH_LOOK_MS);
        const struct timespec look = {
            .tv_sec = look_ms / 1000,
            .tv_nsec = look_ms % 1000 * 1000000,
        };
        (void)pthread_cond_timedwait(&self->over, &self->mutex, &look);
    }
    (void)pthread_mutex_unlock(&self->mutex);
}
