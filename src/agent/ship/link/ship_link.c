// SPDX-License-Identifier: Apache-2.0
#include "agent/ship/link/ship_link.h"

#include "agent/ship/dial/ship_absence.h"
#include "agent/ship/dial/ship_dialer.h"
#include "agent/ship/dial/ship_endpoints.h"
#include "agent/ship/dial/ship_names.h"
#include "agent/ship/link/ship_message.h"
#include "agent/ship/ship_thread.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_log.h"

#include <nng/nng.h>
#include <nng/protocol/reqrep0/req.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    RESEND_MS = 30 * 1000, // until NNG resends an unanswered request
    ASK_MS = 1000,         // between name lookups, and how long a move waits for them
    AGAIN_MS = 1000,       // until a failed move is retried
    LOG_MS = 60 * 1000,    // between log lines about moves, once all collectors have failed
    STEP_MS = 100,         // between steps while the collector owes an answer or is not there
};

// The request of a slot of the window.
typedef struct request {
    ship_link *link;
    nng_ctx ctx;
    nng_aio *aio;
    bool is_answering; // the request was sent, and the aio waits for the answer
    ship_reply reply;  // if the aio has received an answer; moved out by take_answer
    // The aio has ended. Sequentially consistent: on_done stores it and then loads may_wait,
    // ship_link_get_due_ms stores that and then loads this. So no answer that the owner needs
    // waits. collect takes it.
    atomic_bool is_done;
    // Its result is ignored. Sequentially consistent: drop_requests stores it and then cancels the
    // aio, on_done begins to wait for the answer and then loads it. So one of them ends the wait.
    atomic_bool is_dropped;
} request;

struct ship_link {
    nng_socket socket;
    char *urls[SHIP_NAMES_MAX]; // the first url_count
    size_t url_count;
    ship_tls tls; // owns the paths; all NULL: no TLS
    int wake_fd;
    atomic_bool may_wait; // an OK for a batch wakes nobody; see is_done
    ship_names names;
    ship_endpoints endpoints;
    bool is_leaving;    // there has been a reason to leave since
    int64_t leaving_ms; // this time
    int64_t ask_at_ms;  // earliest time of the next name lookup
    int64_t move_at_ms; // earliest time of the next move
    int64_t log_at_ms;  // earliest time of the next log line about a move
    bool is_hurried;
    bool is_there;      // the connection, at the last step
    int64_t stepped_ms; // time of that step
    int64_t taken_ms;   // time of the last answer with OK; 0: none
    ship_dialer dialer;
    ship_absence absence;
    ship_window window;
    request requests[SHIP_WINDOW_SLOTS];
};

// Starts to receive the answer to a request that was sent. This also ends a dropped request, which
// NNG can only cancel while it waits for an answer.
static void
start_to_receive(request *item)
{
    item->is_answering = true;
    nng_aio_set_msg(item->aio, NULL);
    nng_ctx_recv(item->ctx, item->aio); // from here on, on_done may run on another thread
    if (atomic_load(&item->is_dropped)) {
        nng_aio_cancel(item->aio);
    }
}

// Unpacks the answer that the aio has received. Returns whether it can wait for the next step: it
// acknowledges a batch and asks for nothing at once.
static bool
unpack_answer(request *item)
{
    nng_msg *message = nng_aio_get_msg(item->aio);
    item->reply =
        ship_message_unpack_reply((lp_slice){nng_msg_body(message), nng_msg_len(message)});
    nng_msg_free(message);
    nng_aio_set_msg(item->aio, NULL);
    return item != &item->link->requests[SHIP_WINDOW_HELLO_SLOT] && item->reply.status == SHIP_OK &&
           !item->reply.go_elsewhere;
}

static void
on_done(void *arg)
{
    request *item = arg;
    ship_link *link = item->link;
    bool has_ended = nng_aio_result(item->aio) == 0;
    if (has_ended && !item->is_answering) {
        start_to_receive(item);
        return;
    }
    bool can_wait = has_ended && unpack_answer(item);
    atomic_store(&item->is_done, true); // from here on the request is the owner's
    if (!can_wait || !atomic_load(&link->may_wait)) {
        ship_wake(link->wake_fd);
    }
}

void
ship_link_hang_up(ship_link *link)
{
    ship_dialer_hang_up(&link->dialer);
}

static int
init_request(ship_link *link, request *item)
{
    item->link = link;
    int error = nng_ctx_open(&item->ctx, link->socket);
    return error != 0 ? error : nng_aio_alloc(&item->aio, on_done, item);
}

static int
set_options(nng_socket socket)
{
    int error = nng_socket_set_ms(socket, NNG_OPT_REQ_RESENDTIME, RESEND_MS);
    return error != 0 ? error
                      : nng_socket_set_size(socket, NNG_OPT_RECVMAXSZ, WIRE_REPLY_BYTES_MAX);
}

static int
init_requests(ship_link *link)
{
    int error = set_options(link->socket); // before contexts, which copy the resend time
    for (size_t i = 0; i < SHIP_WINDOW_SLOTS && error == 0; i++) {
        error = init_request(link, &link->requests[i]);
    }
    return error;
}

void
ship_link_close(ship_link *link)
{
    if (link == NULL) {
        return;
    }
    (void)nng_close(link->socket);
    for (size_t i = 0; i < SHIP_WINDOW_SLOTS; i++) {
        nng_aio_free(link->requests[i].aio);
    }
    ship_window_fini(&link->window);
    ship_names_fini(&link->names);
    for (size_t i = 0; i < link->url_count; i++) {
        free(link->urls[i]);
    }
    free((char *)(uintptr_t)link->tls.ca);
    free((char *)(uintptr_t)link->tls.cert);
    free((char *)(uintptr_t)link->tls.key);
    free(link);
}

// Copies the URLs and the paths of tls. Returns false if memory ran out.
static bool
copy_urls(ship_link *link, const char *const *urls, size_t url_count, const ship_tls *tls)
{
    LP_ASSERT(url_count > 0 && url_count <= SHIP_NAMES_MAX);
    for (; link->url_count < url_count; link->url_count++) {
        link->urls[link->url_count] = strdup(urls[link->url_count]);
        LP_REQUIRE(link->urls[link->url_count] != NULL, false);
    }
    if (tls == NULL) {
        return true;
    }
    link->tls.ca = strdup(tls->ca);
    link->tls.cert = tls->cert == NULL ? NULL : strdup(tls->cert);
    link->tls.key = tls->key == NULL ? NULL : strdup(tls->key);
    return link->tls.ca != NULL && (tls->cert == NULL) == (link->tls.cert == NULL) &&
           (tls->key == NULL) == (link->tls.key == NULL);
}

// Opens the socket and prepares the dialer.
static lp_err
open_socket(ship_link *link, lp_problem *out_problem)
{
    int error = nng_req0_open(&link->socket);
    if (error == 0) {
        error = init_requests(link);
    }
    if (error != 0) {
        return lp_problem_set(out_problem, error == NNG_ENOMEM ? LP_ENOMEM : LP_EIO,
            "collector %s: %s", link->urls[0], nng_strerror(error));
    }
    const ship_tls *tls = link->tls.ca == NULL ? NULL : &link->tls;
    lp_err err = ship_dialer_init(&link->dialer, link->socket, tls, link->wake_fd, out_problem);
    link->dialer.to.endpoint = link->urls[0]; // for the log, until there is an address
    ship_absence_init(&link->absence, &link->dialer.to, tls, link->wake_fd);
    return err;
}

// Checks the URLs and the files of TLS before they are needed.
static lp_err
check_urls(const ship_link *link, lp_problem *out_problem)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < link->url_count && err == LP_OK; i++) {
        const ship_address to = {.endpoint = link->urls[i]};
        err = ship_dialer_check(&link->dialer, &to, out_problem);
    }
    return err;
}

// Takes the addresses that are known by now.
static void
learn(ship_link *link)
{
    ship_address found[SHIP_ADDRESSES_MAX];
    size_t count;
    if (ship_names_take(&link->names, found, &count)) {
        ship_endpoints_set(&link->endpoints, found, count);
    }
}

// Begins to dial, unless a name has to be looked up first.
static lp_err
start(ship_link *link, lp_problem *out_problem)
{
    lp_err err = open_socket(link, out_problem);
    LP_THEN(err, ship_names_init(&link->names, (const char *const *)link->urls, link->url_count,
                     link->wake_fd, out_problem));
    bool is_asked_for = ship_names_are_asked_for(&link->names);
    if (err == LP_OK && (is_asked_for || link->url_count > 1)) {
        err = check_urls(link, out_problem);
    }
    if (err != LP_OK || is_asked_for) {
        return err;
    }
    learn(link);
    const ship_address *to = ship_endpoints_find(&link->endpoints, SHIP_BEGINS, 0);
    err = ship_dialer_start(&link->dialer, to, out_problem);
    if (err == LP_OK) {
        ship_endpoints_note_dialled(&link->endpoints, to, SHIP_BEGINS, 0);
    }
    return err;
}

lp_err
ship_link_open(const char *const *urls, size_t url_count, const ship_tls *tls,
    const Loupe__Wire__Hello *hello, int wake_fd, ship_link **out_link, lp_problem *out_problem)
{
    ship_link *link = calloc(1, sizeof(*link));
    LP_REQUIRE(link != NULL, LP_ENOMEM);
    ship_window_init(&link->window, hello);
    link->wake_fd = wake_fd;
    link->endpoints.seed =
        lp_hash_bytes(LP_HASH_FIXED, (lp_slice){hello->session.data, hello->session.len});
    lp_err err = copy_urls(link, urls, url_count, tls)
                     ? start(link, out_problem)
                     : lp_problem_set(out_problem, LP_ENOMEM, "out of memory");
    if (err != LP_OK) {
        ship_link_close(link);
        return err;
    }
    *out_link = link;
    return LP_OK;
}

void
ship_link_send(ship_link *link, int64_t now_ms)
{
    bool is_owed = ship_window_owes_answer(&link->window);
    for (ship_sending next; ship_window_take_due(&link->window, now_ms, &next);) {
        request *item = &link->requests[next.slot];
        nng_msg *message;
        if (nng_msg_alloc(&message, next.bytes.len) != 0) {
            ship_window_note_failed(&link->window, next.slot, now_ms);
            continue;
        }
        memcpy(nng_msg_body(message), next.bytes.ptr, next.bytes.len);
        nng_aio_set_msg(item->aio, message);
        if (!is_owed) {
            ship_dialer_note_alive(&link->dialer, now_ms);
            is_owed = true;
        }
        item->is_answering = false;
        nng_ctx_send(item->ctx, item->aio);
    }
}

// Handles the answer that the aio has received.
static void
take_answer(ship_link *link, unsigned slot, int64_t now_ms)
{
    ship_reply reply = link->requests[slot].reply; // moves
    link->requests[slot].reply = (ship_reply){0};
    ship_dialer_note_alive(&link->dialer, now_ms);
    ship_absence_note_answer(&link->absence, now_ms);
    ship_endpoints_note_answer(&link->endpoints, reply.go_elsewhere, now_ms);
    if (reply.status == SHIP_OK) {
        ship_dialer_note_taken(&link->dialer);
        link->taken_ms = now_ms;
    }
    ship_window_note_reply(&link->window, slot, &reply, now_ms);
    ship_message_reply_fini(&reply);
}

// Ends a dropped request.
static void
collect_dropped(ship_link *link, unsigned slot, int64_t now_ms)
{
    request *item = &link->requests[slot];
    if (!item->is_answering) {
        nng_msg_free(nng_aio_get_msg(item->aio)); // the request
        nng_aio_set_msg(item->aio, NULL);
    }
    ship_message_reply_fini(&item->reply);
    atomic_store(&item->is_dropped, false);
    ship_window_note_dropped(&link->window, slot, now_ms);
}

// Handles the result of the aio of a slot's request.
static void
collect(ship_link *link, unsigned slot, int64_t now_ms)
{
    request *item = &link->requests[slot];
    if (!atomic_exchange(&item->is_done, false)) {
        return;
    }
    if (atomic_load(&item->is_dropped)) {
        collect_dropped(link, slot, now_ms);
        return;
    }
    if (nng_aio_result(item->aio) != 0) {
        if (!item->is_answering) {
            nng_msg_free(nng_aio_get_msg(item->aio)); // sending failed: the aio still owns it
        }
        ship_window_note_failed(&link->window, slot, now_ms);
    } else {
        take_answer(link, slot, now_ms);
    }
}

// Cancels all requests in flight.
static void
drop_requests(ship_link *link)
{
    for (unsigned i = 0; i < SHIP_WINDOW_SLOTS; i++) {
        request *item = &link->requests[i];
        if (link->window.slots[i].state == SHIP_SLOT_SENT) {
            atomic_store(&item->is_dropped, true);
            nng_aio_cancel(item->aio); // no effect if it has ended
        }
    }
}

static void
log_move(ship_link *link, const ship_address *to, ship_reason why, int64_t now_ms)
{
    if (ship_endpoints_get_rounds(&link->endpoints) > 0 && now_ms < link->log_at_ms) {
        return;
    }
    link->log_at_ms = now_ms + LOG_MS;
    lp_log(why == SHIP_DRAINED ? LP_LOG_INFO : LP_LOG_WARN,
        "moving from the collector at %s to the one at %s: %s",
        ship_address_get_url(&link->dialer.to), ship_address_get_url(to), ship_reason_text(why));
}

// Dials another address, or the first one. Returns false if that failed.
static bool
go(ship_link *link, const ship_address *to, ship_reason why, int64_t now_ms)
{
    lp_problem problem;
    if (!link->dialer.has_dialer) {
        lp_err err = ship_dialer_start(&link->dialer, to, &problem);
        if (err != LP_OK) {
            lp_log(LP_LOG_DEBUG, "%s", problem.text); // ship_absence logs the reason, once
        }
        return err == LP_OK;
    }
    LP_REQUIRE(ship_dialer_can_replace(&link->dialer, now_ms), false);
    if (ship_dialer_check(&link->dialer, to, &problem) !=
        LP_OK) { // before the old connection is closed
        lp_log(LP_LOG_DEBUG, "%s", problem.text);
        return false;
    }
    log_move(link, to, why, now_ms);
    drop_requests(link);
    ship_window_note_moved(&link->window, now_ms);
    return ship_dialer_move(&link->dialer, to, now_ms);
}

// Returns whether the agent moves now that it has a reason: the name lookup has finished or timed
// out.
static bool
is_time_to_go(ship_link *link, int64_t now_ms)
{
    if (!link->is_leaving) {
        link->is_leaving = true;
        link->leaving_ms = now_ms;
    }
    bool has_answers = !ship_names_is_asking(&link->names) || now_ms - link->leaving_ms >= ASK_MS;
    return has_answers && now_ms >= link->move_at_ms;
}

// Moves to another collector if there is a reason and another address.
static void
travel(ship_link *link, int64_t now_ms)
{
    const ship_connection connection = {
        .is_there = ship_dialer_was_there(&link->dialer),
        .is_owing = ship_window_owes_answer(&link->window),
        .is_hurried = link->is_hurried,
    };
    link->is_there = connection.is_there;
    link->stepped_ms = now_ms;
    ship_reason why = ship_endpoints_look(&link->endpoints, &connection, now_ms);
    if ((why != SHIP_STAYS || !connection.is_there) && now_ms >= link->ask_at_ms) {
        link->ask_at_ms = now_ms + ASK_MS;
        ship_names_ask(&link->names);
    }
    learn(link);
    if (why == SHIP_STAYS) {
        link->is_leaving = false;
        return;
    }
    if (!is_time_to_go(link, now_ms)) {
        return;
    }
    const ship_address *to = ship_endpoints_find(&link->endpoints, why, now_ms);
    if (to == NULL) {
        return;
    }
    if (!go(link, to, why, now_ms)) {
        link->move_at_ms = now_ms + AGAIN_MS;
        return;
    }
    ship_endpoints_note_dialled(&link->endpoints, to, why, now_ms);
    link->is_leaving = false;
}

void
ship_link_step(ship_link *link, int64_t now_ms)
{
    const ship_window *window = &link->window;
    bool is_owed = (!window->is_known || ship_window_get_unanswered(window) > 0) &&
                   !ship_window_is_refused(window);
    if (ship_window_rests(window, now_ms)) {
        ship_absence_note_rest(&link->absence, now_ms);
    }
    ship_dialer_step(&link->dialer, ship_window_owes_answer(window), now_ms);
    if (ship_absence_step(&link->absence, is_owed, ship_link_was_connected(link), now_ms) &&
        !ship_dialer_is_connected(&link->dialer)) { // the dialer handles a slow connection
        ship_dialer_redial(&link->dialer, now_ms);
    }
    collect(link, SHIP_WINDOW_HELLO_SLOT, now_ms);
    for (unsigned i = 0; i < SHIP_WINDOW_SLOTS; i++) {
        collect(link, i, now_ms);
    }
    travel(link, now_ms);
    ship_link_send(link, now_ms);
}

void
ship_link_hurry(ship_link *link, int64_t now_ms)
{
    if (!link->is_hurried) {
        link->is_hurried = true;
        ship_dialer_hurry(&link->dialer, now_ms);
    }
    ship_window_hurry(&link->window, now_ms);
}

size_t
ship_link_count_addresses(const ship_link *link)
{
    return link->endpoints.count;
}

ship_window *
ship_link_get_window(ship_link *link)
{
    return &link->window;
}

bool
ship_link_was_connected(const ship_link *link)
{
    return ship_dialer_was_connected(&link->dialer);
}

int64_t
ship_link_get_taken_ms(const ship_link *link)
{
    return link->taken_ms;
}

// Returns whether only the clock can tell what to do next: whether the collector is gone, or which
// other one to use.
static bool
is_waiting(const ship_link *link)
{
    const ship_window *window = &link->window;
    return !link->is_there || link->is_leaving || !window->is_known ||
           ship_window_owes_answer(window) || ship_window_get_unanswered(window) > 0;
}

int64_t
ship_link_get_due_ms(ship_link *link)
{
    bool may_wait = !link->is_hurried && ship_window_has_room(&link->window);
    atomic_store(&link->may_wait, may_wait);
    if (!may_wait && LP_ANY(link->requests, SHIP_WINDOW_SLOTS, atomic_load(&at->is_done))) {
        return link->stepped_ms; // it waited while it could
    }
    int64_t due_ms = ship_window_get_due_ms(&link->window);
    int64_t step_ms = is_waiting(link) ? link->stepped_ms + STEP_MS : INT64_MAX;
    return step_ms < due_ms ? step_ms : due_ms;
}
