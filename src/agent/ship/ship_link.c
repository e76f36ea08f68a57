// SPDX-License-Identifier: Apache-2.0
#include "agent/ship/ship_link.h"

#include "agent/ship/ship_absence.h"
#include "agent/ship/ship_dialer.h"
#include "agent/ship/ship_message.h"
#include "agent/ship/ship_wake.h"

#include <nng/nng.h>
#include <nng/protocol/reqrep0/req.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { RESEND_MS = 30 * 1000 }; // until NNG sends a request again that got no answer

// The request of a slot of the window.
typedef struct request {
    ship_link *link;
    nng_ctx ctx;
    nng_aio *aio;
    bool is_answering;   // the aio waits for the answer, no more for a connection that takes it
    atomic_bool is_done; // the aio has ended; on_done stores it (release), collect takes (acquire)
} request;

struct ship_link {
    nng_socket socket;
    char *url;
    ship_tls tls; // its paths are the link's; all NULL: no TLS
    int wake_fd;
    ship_dialer dialer;
    ship_absence absence;
    ship_window window;
    request requests[SHIP_WINDOW_SLOTS];
};

static void
on_done(void *arg)
{
    request *item = arg;
    atomic_store_explicit(&item->is_done, true, memory_order_release);
    ship_wake(item->link->wake_fd);
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
    int error = set_options(link->socket); // before contexts, which copy the time to resend
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
    free(link->url);
    free((char *)(uintptr_t)link->tls.ca);
    free((char *)(uintptr_t)link->tls.cert);
    free((char *)(uintptr_t)link->tls.key);
    free(link);
}

// copy_addresses copies what the link dials with. False: memory ran out.
static bool
copy_addresses(ship_link *link, const char *url, const ship_tls *tls)
{
    link->url = strdup(url);
    if (link->url == NULL || tls == NULL) {
        return link->url != NULL;
    }
    link->tls.ca = strdup(tls->ca);
    link->tls.cert = tls->cert == NULL ? NULL : strdup(tls->cert);
    link->tls.key = tls->key == NULL ? NULL : strdup(tls->key);
    return link->tls.ca != NULL && (tls->cert == NULL) == (link->tls.cert == NULL) &&
           (tls->key == NULL) == (link->tls.key == NULL);
}

// start opens the socket and begins to dial.
static lp_err
start(ship_link *link, lp_problem *out_problem)
{
    int error = nng_req0_open(&link->socket);
    if (error == 0) {
        error = init_requests(link);
    }
    if (error != 0) {
        return lp_problem_set(out_problem, error == NNG_ENOMEM ? LP_ENOMEM : LP_EIO,
            "collector %s: %s", link->url, nng_strerror(error));
    }
    const ship_tls *tls = link->tls.ca == NULL ? NULL : &link->tls;
    ship_absence_init(&link->absence, link->url, tls, link->wake_fd);
    return ship_dialer_start(
        &link->dialer, link->socket, link->url, tls, link->wake_fd, out_problem);
}

lp_err
ship_link_open(const char *url, const ship_tls *tls, const Loupe__Wire__Hello *hello, int wake_fd,
    ship_link **out_link, lp_problem *out_problem)
{
    ship_link *link = calloc(1, sizeof(*link));
    if (link == NULL) {
        return LP_ENOMEM;
    }
    ship_window_init(&link->window, hello);
    link->wake_fd = wake_fd;
    lp_err err = copy_addresses(link, url, tls)
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

// take_answer takes the message of the aio, which has received one.
static void
take_answer(ship_link *link, unsigned slot, int64_t now_ms)
{
    request *item = &link->requests[slot];
    nng_msg *message = nng_aio_get_msg(item->aio);
    ship_dialer_note_alive(&link->dialer, now_ms);
    ship_absence_note_answer(&link->absence, now_ms);
    ship_reply reply =
        ship_message_unpack_reply((lp_slice){nng_msg_body(message), nng_msg_len(message)});
    nng_msg_free(message);
    nng_aio_set_msg(item->aio, NULL);
    ship_window_note_reply(&link->window, slot, &reply, now_ms);
    ship_message_reply_fini(&reply);
}

// collect handles the result of the aio of a slot's request.
static void
collect(ship_link *link, unsigned slot, int64_t now_ms)
{
    request *item = &link->requests[slot];
    if (!atomic_exchange_explicit(&item->is_done, false, memory_order_acquire)) {
        return;
    }
    if (nng_aio_result(item->aio) != 0) {
        if (!item->is_answering) {
            nng_msg_free(nng_aio_get_msg(item->aio)); // it failed to send it and gives it back
        }
        ship_window_note_failed(&link->window, slot, now_ms);
    } else if (!item->is_answering) {
        item->is_answering = true;
        nng_aio_set_msg(item->aio, NULL);
        nng_ctx_recv(item->ctx, item->aio);
    } else {
        take_answer(link, slot, now_ms);
    }
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
        !ship_dialer_is_connected(&link->dialer)) { // one that is only slow is left to the dialer
        ship_dialer_redial(&link->dialer, now_ms);
    }
    collect(link, SHIP_WINDOW_HELLO_SLOT, now_ms);
    for (unsigned i = 0; i < SHIP_WINDOW_SLOTS; i++) {
        collect(link, i, now_ms);
    }
    ship_link_send(link, now_ms);
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
ship_link_get_due_ms(const ship_link *link)
{
    int64_t due_ms = ship_window_get_due_ms(&link->window);
    int64_t dialer_ms =
        ship_window_owes_answer(&link->window) ? ship_dialer_get_due_ms(&link->dialer) : INT64_MAX;
    return dialer_ms < due_ms ? dialer_ms : due_ms;
}
