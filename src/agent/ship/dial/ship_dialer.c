// SPDX-License-Identifier: Apache-2.0
#include "agent/ship/dial/ship_dialer.h"

#include "agent/ship/ship_thread.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"

#include <stdlib.h>

enum {
    RECONNECT_MS_MAX = 1000,
    RARELY_MS_MAX = 60 * 1000, // the same while each attempt leaks a descriptor
    FOREVER_MS = INT32_MAX,
    WATCH_MS = 250,        // between checks of a connection that owes an answer
    DEAD_MS = 1000,        // until the agent replaces a closed connection that NNG does not replace
    SILENT_MS = 30 * 1000, // the same for an open connection
    REAPER_MS = 1000,      // until NNG's reaper thread counts as stuck
};

// A question to NNG's reaper thread (ask_reaper).
typedef struct question {
    ship_dialer *dialer;
    nng_aio *aio;
} question;

static void
on_pipe(nng_pipe pipe, nng_pipe_ev event, void *arg)
{
    ship_dialer *dialer = arg;
    if (event == NNG_PIPE_EV_ADD_POST) {
        atomic_store_explicit(&dialer->was_connected, true, memory_order_relaxed);
        atomic_store(&dialer->pipe_id, pipe.id);
        if (atomic_load(&dialer->is_hung_up)) {
            (void)nng_pipe_close(pipe);
        }
    }
    // Pairs with check: the step that sees it sees the connection.
    atomic_store_explicit(&dialer->is_changed, true, memory_order_release);
    ship_wake(dialer->wake_fd);
}

static lp_err
map_nng_error(int error)
{
    switch (error) {
    case NNG_ENOMEM:
        return LP_ENOMEM;
    case NNG_EINVAL:
    case NNG_EADDRINVAL:
    case NNG_ENOTSUP:
        return LP_ECORRUPT;
    default:
        return LP_EIO;
    }
}

static lp_err
fail(const char *url, int error, lp_problem *out_problem)
{
    return lp_problem_set(
        out_problem, map_nng_error(error), "collector %s: %s", url, nng_strerror(error));
}

// Creates a dialer of NNG's that does not dial yet. The certificate must be for the configured
// name, whatever the address is.
static lp_err
create(const ship_dialer *dialer, const ship_address *to, nng_dialer *out, lp_problem *out_problem)
{
    int error = nng_dialer_create(out, dialer->socket, ship_address_get_url(to));
    LP_REQUIRE(error == 0, fail(to->endpoint, error, out_problem));
    lp_err err =
        dialer->tls == NULL ? LP_OK : ship_tls_give(dialer->tls, to->endpoint, *out, out_problem);
    if (err != LP_OK) {
        (void)nng_dialer_close(*out);
    }
    return err;
}

lp_err
ship_dialer_init(ship_dialer *dialer, nng_socket socket, const ship_tls *tls, int wake_fd,
    lp_problem *out_problem)
{
    dialer->socket = socket;
    dialer->tls = tls;
    dialer->wake_fd = wake_fd;
    dialer->pause_ms = SHIP_PACE_MS_MIN;
    int error = nng_socket_set_ms(socket, NNG_OPT_RECONNMINT, SHIP_PACE_MS_MIN);
    error = error != 0 ? error : nng_socket_set_ms(socket, NNG_OPT_RECONNMAXT, RECONNECT_MS_MAX);
    error = error != 0 ? error : nng_pipe_notify(socket, NNG_PIPE_EV_ADD_POST, on_pipe, dialer);
    error = error != 0 ? error : nng_pipe_notify(socket, NNG_PIPE_EV_REM_POST, on_pipe, dialer);
    return error == 0 ? LP_OK
                      : lp_problem_set(out_problem, map_nng_error(error), "no dialer: %s",
                            nng_strerror(error));
}

lp_err
ship_dialer_check(const ship_dialer *dialer, const ship_address *to, lp_problem *out_problem)
{
    nng_dialer tried;
    lp_err err = create(dialer, to, &tried, out_problem);
    if (err == LP_OK) {
        (void)nng_dialer_close(tried);
    }
    return err;
}

lp_err
ship_dialer_start(ship_dialer *dialer, const ship_address *to, lp_problem *out_problem)
{
    LP_ASSERT(!dialer->has_dialer);
    LP_TRY(create(dialer, to, &dialer->dialer, out_problem));
    dialer->has_dialer = true;
    dialer->to = *to;
    dialer->check_at_ms = 0;
    int error = nng_dialer_start(dialer->dialer, NNG_FLAG_NONBLOCK);
    return error == 0 ? LP_OK : fail(to->endpoint, error, out_problem);
}

void
ship_dialer_hang_up(ship_dialer *dialer)
{
    atomic_store(&dialer->is_hung_up, true);
    if (dialer->has_dialer) {
        (void)nng_dialer_close(dialer->dialer);
    }
    const nng_pipe pipe = {.id = atomic_load(&dialer->pipe_id)};
    (void)nng_pipe_close(pipe); // may be closed already
}

void
ship_dialer_note_alive(ship_dialer *dialer, int64_t now_ms)
{
    dialer->alive_ms = now_ms;
}

static void
on_reaped(void *arg)
{
    question *asked = arg;
    // Result 0: it slept for 24 days and was not reaped.
    if (nng_aio_result(asked->aio) != 0) {
        atomic_store_explicit(&asked->dialer->is_reaping, true, memory_order_relaxed);
        ship_wake(asked->dialer->wake_fd);
    }
    free(asked);
}

// Finds out whether NNG's reaper thread works: gives it an aio that sleeps until it is reaped. One
// question is open at a time. Without memory the next check asks.
static void
ask_reaper(ship_dialer *dialer, int64_t now_ms)
{
    if (dialer->is_asking) {
        return;
    }
    question *asked = malloc(sizeof(*asked));
    if (asked == NULL) {
        return;
    }
    *asked = (question){.dialer = dialer};
    if (nng_aio_alloc(&asked->aio, on_reaped, asked) != 0) {
        free(asked);
        return;
    }
    dialer->is_asking = true;
    dialer->asked_ms = now_ms;
    nng_aio *aio = asked->aio;
    nng_sleep_aio(FOREVER_MS, aio); // on_reaped may free asked from here on
    nng_aio_reap(aio);
}

// Once the reaper has answered, an unreachable collector is dialled often again.
static void
hear_reaper(ship_dialer *dialer)
{
    if (atomic_exchange_explicit(&dialer->is_reaping, false, memory_order_relaxed)) {
        (void)nng_dialer_set_ms(dialer->dialer, NNG_OPT_RECONNMAXT, RECONNECT_MS_MAX);
        dialer->replacements = (ship_allowance){0};
        dialer->is_asking = false;
    }
}

// Asks the reaper, and returns whether its answer is overdue.
static bool
is_reaper_stuck(ship_dialer *dialer, int64_t now_ms)
{
    ask_reaper(dialer, now_ms);
    return dialer->is_asking && now_ms - dialer->asked_ms >= REAPER_MS;
}

// Sets the pause before NNG's next connection.
static void
apply_pace(ship_dialer *dialer)
{
    int64_t pause_ms = ship_pace_get_ms(&dialer->pace);
    if (pause_ms != dialer->pause_ms) {
        dialer->pause_ms = pause_ms;
        (void)nng_dialer_set_ms(dialer->dialer, NNG_OPT_RECONNMINT, (nng_duration)pause_ms);
    }
}

void
ship_dialer_note_taken(ship_dialer *dialer)
{
    ship_pace_note_taken(&dialer->pace);
    apply_pace(dialer);
}

void
ship_dialer_hurry(ship_dialer *dialer, int64_t now_ms)
{
    if (!dialer->has_dialer) {
        return; // the first dialer dials at once
    }
    dialer->pace = (ship_pace){0};
    apply_pace(dialer);
    if (!ship_dialer_is_connected(dialer)) {
        ship_dialer_redial(dialer, now_ms);
    }
}

bool
ship_dialer_can_replace(ship_dialer *dialer, int64_t now_ms)
{
    return ship_allowance_is_open(&dialer->replacements, &SHIP_DIALER_REPLACEMENTS, now_ms);
}

// Starts the new dialer. Returns one of NNG's errors, 0 for success.
static int
start_next(ship_dialer *dialer, int64_t now_ms)
{
    int error = nng_dialer_set_ms(dialer->dialer, NNG_OPT_RECONNMAXT, RARELY_MS_MAX);
    if (error == 0) {
        error =
            nng_dialer_set_ms(dialer->dialer, NNG_OPT_RECONNMINT, (nng_duration)dialer->pause_ms);
    }
    if (error == 0) {
        ship_allowance_take(
            &dialer->replacements, &SHIP_DIALER_REPLACEMENTS, SHIP_DIALER_REPLACEMENT, now_ms);
        ask_reaper(dialer, now_ms);
        error = nng_dialer_start(dialer->dialer, NNG_FLAG_NONBLOCK);
    }
    return error;
}

bool
ship_dialer_move(ship_dialer *dialer, const ship_address *to, int64_t now_ms)
{
    LP_ASSERT(dialer->has_dialer);
    nng_dialer next;
    lp_problem problem;
    if (create(dialer, to, &next, &problem) != LP_OK) {
        // The old dialer stays, and its connection stays the last one, so that watch retries.
        // ship_absence logs problems with files of TLS, once.
        lp_log(dialer->tls == NULL ? LP_LOG_WARN : LP_LOG_DEBUG, "%s", problem.text);
        dialer->alive_ms = now_ms;
        return false;
    }
    unsigned pipe_id = atomic_exchange_explicit(&dialer->pipe_id, 0, memory_order_relaxed);
    (void)nng_dialer_close(dialer->dialer);
    dialer->dialer = next;
    dialer->to = *to;
    dialer->check_at_ms = 0;
    int error = start_next(dialer, now_ms);
    if (error != 0) {
        lp_log(LP_LOG_WARN, "cannot dial %s: %s", ship_address_get_url(to), nng_strerror(error));
        atomic_store_explicit(&dialer->pipe_id, pipe_id, memory_order_relaxed); // as above
        dialer->alive_ms = now_ms;
    }
    return true;
}

void
ship_dialer_redial(ship_dialer *dialer, int64_t now_ms)
{
    if (dialer->has_dialer && ship_dialer_can_replace(dialer, now_ms)) {
        lp_log(LP_LOG_DEBUG, "dialling the collector anew");
        const ship_address to = dialer->to;
        (void)ship_dialer_move(dialer, &to, now_ms);
    }
}

// Returns whether a connection is closed: then NNG does not know the peer's address. The error
// varies: the pipe is unknown once it is reaped; until then, which is for good if the reaper is
// stuck, getpeername returns ENOTCONN, for which NNG 1.5.2 has no code of its own. A connection of
// ipc:// keeps its address until then, and is replaced as a silent one.
static bool
is_closed(nng_pipe pipe)
{
    nng_sockaddr peer;
    return nng_pipe_get_addr(pipe, NNG_OPT_REMADDR, &peer) != 0;
}

// Replaces a silent connection, and a closed one that NNG does not replace.
static void
watch(ship_dialer *dialer, bool is_owing, int64_t now_ms)
{
    const nng_pipe pipe = {.id = atomic_load_explicit(&dialer->pipe_id, memory_order_relaxed)};
    if (pipe.id != dialer->watched_id) {
        dialer->watched_id = pipe.id;
        dialer->alive_ms = now_ms;
        if (pipe.id != 0) {
            ship_pace_note_connected(&dialer->pace, now_ms);
            apply_pace(dialer);
        }
    }
    if (now_ms < dialer->watch_at_ms) {
        return;
    }
    dialer->watch_at_ms = now_ms + WATCH_MS;
    int64_t silent_ms = now_ms - dialer->alive_ms;
    int64_t dead_ms = dialer->pause_ms > DEAD_MS ? dialer->pause_ms : DEAD_MS;
    if (pipe.id == 0 || silent_ms < dead_ms || !is_owing) {
        return;
    }
    if (is_closed(pipe) ? is_reaper_stuck(dialer, now_ms) : silent_ms >= SILENT_MS) {
        ship_dialer_redial(dialer, now_ms);
    }
}

// Finds out whether there is a connection. A look at each step would take as long as the rest of
// the step.
static void
check(ship_dialer *dialer, int64_t now_ms)
{
    bool is_changed = atomic_exchange_explicit(&dialer->is_changed, false, memory_order_acquire);
    if (is_changed || now_ms >= dialer->check_at_ms) {
        dialer->check_at_ms = now_ms + SHIP_DIALER_CHECK_MS;
        dialer->is_there = ship_dialer_is_connected(dialer);
    }
}

void
ship_dialer_step(ship_dialer *dialer, bool is_owing, int64_t now_ms)
{
    hear_reaper(dialer); // before watch checks for a late answer
    watch(dialer, is_owing, now_ms);
    check(dialer, now_ms); // last: watch may have dialled anew
}

bool
ship_dialer_is_connected(const ship_dialer *dialer)
{
    const nng_pipe pipe = {.id = atomic_load_explicit(&dialer->pipe_id, memory_order_relaxed)};
    return pipe.id != 0 && !is_closed(pipe);
}

bool
ship_dialer_was_there(const ship_dialer *dialer)
{
    return dialer->is_there && atomic_load_explicit(&dialer->pipe_id, memory_order_relaxed) != 0;
}

bool
ship_dialer_was_connected(const ship_dialer *dialer)
{
    return atomic_load_explicit(&dialer->was_connected, memory_order_relaxed);
}
