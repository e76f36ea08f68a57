// SPDX-License-Identifier: Apache-2.0
#include "agent/ship/ship_link.h"

#include "agent/ship/ship_absence.h"
#include "agent/ship/ship_dialer.h"
#include "agent/ship/ship_message.h"
#include "agent/ship/ship_wake.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"

#include <nng/nng.h>
#include <nng/protocol/reqrep0/req.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BATCHES_MAX = WIRE_WINDOW_MAX - 1, // one place of the window is kept for Hello
    RESEND_MS = 30 * 1000,             // until a request that got no answer is sent again
    BUSY_MS = 250,                     // the same for one that the collector had no time for
    REFUSED_MS = 10 * 1000, // the same after a refusal: only a change at the other side will help
    FORGOTTEN_MS = 100,     // between two Hellos, should the collector forget the session at once
};

typedef enum request_state {
    REQUEST_FREE,
    REQUEST_DUE,       // to be sent at due_ms, when the session is known
    REQUEST_SENDING,   // its aio waits until NNG has a connection that takes it
    REQUEST_ANSWERING, // its aio waits for the answer
    REQUEST_ANSWERED,  // acknowledged, but an earlier one is not yet
} request_state;

typedef struct request {
    ship_link *link;
    request_state state;
    int64_t due_ms;
    lp_buf packed;
    nng_ctx ctx;
    nng_aio *aio;
    atomic_bool is_done; // the aio has ended; on_done stores it (release), collect takes (acquire)
} request;

struct ship_link {
    nng_socket socket;
    char *url;
    const Loupe__Wire__Hello *hello;
    int wake_fd;
    ship_dialer dialer;
    ship_absence absence;
    bool is_known; // the collector has taken our Hello
    bool is_forgotten;
    uint64_t policy_id; // as the last answer to a Hello said
    ship_policy policy; // that was not taken yet
    bool is_policy_new;
    uint64_t first_sequence; // the lowest that is not acknowledged
    uint64_t next_sequence;  // of the next batch
    request hello_request;
    request batches[BATCHES_MAX]; // the batch of a sequence is at that number modulo BATCHES_MAX
    char refusal[sizeof(((ship_reply *)NULL)->message)]; // that was logged last
};

static request *
find_batch(ship_link *link, uint64_t sequence)
{
    return &link->batches[sequence % BATCHES_MAX];
}

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
start_socket(ship_link *link)
{
    int error = set_options(link->socket); // before contexts, which copy the time to resend
    error = error != 0 ? error : init_request(link, &link->hello_request);
    for (size_t i = 0; i < BATCHES_MAX && error == 0; i++) {
        error = init_request(link, &link->batches[i]);
    }
    return error != 0 ? error
                      : ship_dialer_start(&link->dialer, link->socket, link->url, link->wake_fd);
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

void
ship_link_close(ship_link *link)
{
    if (link == NULL) {
        return;
    }
    (void)nng_close(link->socket);
    nng_aio_free(link->hello_request.aio);
    for (size_t i = 0; i < BATCHES_MAX; i++) {
        nng_aio_free(link->batches[i].aio);
    }
    ship_policy_fini(&link->policy);
    free(link->url);
    free(link);
}

lp_err
ship_link_open(const char *url, const Loupe__Wire__Hello *hello, int wake_fd, ship_link **out_link,
    lp_problem *out_problem)
{
    ship_link *link = calloc(1, sizeof(*link));
    if (link == NULL) {
        return LP_ENOMEM;
    }
    link->hello = hello;
    link->wake_fd = wake_fd;
    link->hello_request.state = REQUEST_DUE;
    link->url = strdup(url);
    int error = link->url == NULL ? NNG_ENOMEM : nng_req0_open(&link->socket);
    if (error == 0) {
        ship_absence_init(&link->absence, link->url, wake_fd);
        error = start_socket(link);
    }
    if (error != 0) {
        ship_link_close(link);
        return lp_problem_set(
            out_problem, map_nng_error(error), "collector %s: %s", url, nng_strerror(error));
    }
    *out_link = link;
    return LP_OK;
}

// postpone has request sent again at due_ms.
static void
postpone(request *item, int64_t due_ms)
{
    item->state = REQUEST_DUE;
    item->due_ms = due_ms;
}

static bool
is_waiting(const request *item)
{
    return item->state == REQUEST_SENDING || item->state == REQUEST_ANSWERING;
}

// owes_answer returns whether the collector has a request to take or to answer.
static bool
owes_answer(const ship_link *link)
{
    bool is_owing = is_waiting(&link->hello_request);
    for (size_t i = 0; i < BATCHES_MAX; i++) {
        is_owing |= is_waiting(&link->batches[i]);
    }
    return is_owing;
}

static void
send_request(request *item, int64_t now_ms)
{
    nng_msg *message;
    if (nng_msg_alloc(&message, item->packed.len) != 0) {
        postpone(item, now_ms + BUSY_MS);
        return;
    }
    memcpy(nng_msg_body(message), item->packed.ptr, item->packed.len);
    nng_aio_set_msg(item->aio, message);
    if (!owes_answer(item->link)) {
        ship_dialer_note_alive(&item->link->dialer, now_ms);
    }
    item->state = REQUEST_SENDING;
    nng_ctx_send(item->ctx, item->aio);
}

static void
say_hello(ship_link *link, int64_t now_ms)
{
    Loupe__Wire__Hello hello = *link->hello;
    hello.next_sequence = link->first_sequence;
    lp_buf_clear(&link->hello_request.packed);
    if (ship_message_pack_hello(&hello, &link->hello_request.packed) != LP_OK) {
        postpone(&link->hello_request, now_ms + BUSY_MS);
        return;
    }
    send_request(&link->hello_request, now_ms);
}

// log_refusal logs each reason once, not each time.
static void
log_refusal(ship_link *link, const char *message)
{
    if (strcmp(link->refusal, message) != 0) {
        lp_log(LP_LOG_WARN, "the collector refuses: %s; trying again every %d s", message,
            REFUSED_MS / 1000);
        (void)snprintf(link->refusal, sizeof(link->refusal), "%s", message);
    }
}

// lose_session has Hello said at due_ms; batches wait for its answer.
static void
lose_session(ship_link *link, int64_t due_ms)
{
    link->is_known = false;
    if (link->hello_request.state == REQUEST_FREE) {
        postpone(&link->hello_request, due_ms);
    }
}

static void
advance_window(ship_link *link)
{
    while (link->first_sequence < link->next_sequence) {
        request *first = find_batch(link, link->first_sequence);
        if (first->state != REQUEST_ANSWERED) {
            return;
        }
        first->state = REQUEST_FREE;
        lp_buf_clear(&first->packed);
        link->first_sequence++;
    }
}

// take_policy keeps the policy of an answer to Hello, if it is another than the one before.
static void
take_policy(ship_link *link, ship_policy *policy)
{
    if (policy->id == link->policy_id) {
        return;
    }
    link->policy_id = policy->id;
    link->is_policy_new = true;
    ship_policy_fini(&link->policy);
    link->policy = *policy; // moves
    *policy = (ship_policy){0};
}

// ask_for_policy has Hello said, for its answer, if the collector has another policy by now.
static void
ask_for_policy(ship_link *link, uint64_t policy_id, int64_t now_ms)
{
    if (policy_id != link->policy_id && link->hello_request.state == REQUEST_FREE) {
        postpone(&link->hello_request, now_ms);
    }
}

static void
on_hello_reply(ship_link *link, ship_reply *reply, int64_t now_ms)
{
    switch (reply->status) {
    case SHIP_OK:
        link->is_known = true;
        take_policy(link, &reply->policy);
        link->hello_request.state = REQUEST_FREE;
        link->refusal[0] = '\0';
        // A batch that the collector has, by its answer, need not be sent again.
        for (uint64_t i = link->first_sequence; i < link->next_sequence; i++) {
            if (i < reply->next_sequence && find_batch(link, i)->state == REQUEST_DUE) {
                find_batch(link, i)->state = REQUEST_ANSWERED;
            }
        }
        advance_window(link);
        break;
    case SHIP_BUSY:
        postpone(&link->hello_request, now_ms + BUSY_MS);
        break;
    case SHIP_UNKNOWN_SESSION:
    case SHIP_REFUSED:
        log_refusal(link, reply->message);
        postpone(&link->hello_request, now_ms + REFUSED_MS);
        break;
    }
}

static void
on_batch_reply(request *item, const ship_reply *reply, int64_t now_ms)
{
    ship_link *link = item->link;
    switch (reply->status) {
    case SHIP_OK:
        item->state = REQUEST_ANSWERED;
        advance_window(link);
        ask_for_policy(link, reply->policy.id, now_ms);
        break;
    case SHIP_BUSY:
        postpone(item, now_ms + BUSY_MS);
        break;
    case SHIP_UNKNOWN_SESSION:
        link->is_forgotten = true;
        postpone(item, now_ms);
        lose_session(link, now_ms + FORGOTTEN_MS);
        break;
    case SHIP_REFUSED:
        log_refusal(link, reply->message);
        postpone(item, now_ms);
        lose_session(link, now_ms + REFUSED_MS);
        break;
    }
}

// collect handles the result of the request's aio.
static void
collect(request *item, int64_t now_ms)
{
    if (!atomic_exchange_explicit(&item->is_done, false, memory_order_acquire)) {
        return;
    }
    nng_msg *message = nng_aio_get_msg(item->aio);
    if (nng_aio_result(item->aio) != 0) {
        if (item->state == REQUEST_SENDING) {
            nng_msg_free(message); // an aio that failed to send gives the message back
        }
        postpone(item, now_ms + BUSY_MS);
        return;
    }
    if (item->state == REQUEST_SENDING) {
        item->state = REQUEST_ANSWERING;
        nng_aio_set_msg(item->aio, NULL);
        nng_ctx_recv(item->ctx, item->aio);
        return;
    }
    LP_ASSERT(item->state == REQUEST_ANSWERING);
    ship_dialer_note_alive(&item->link->dialer, now_ms);
    ship_absence_note_answer(&item->link->absence, now_ms);
    ship_reply reply =
        ship_message_unpack_reply((lp_slice){nng_msg_body(message), nng_msg_len(message)});
    nng_msg_free(message);
    nng_aio_set_msg(item->aio, NULL);
    if (item == &item->link->hello_request) {
        on_hello_reply(item->link, &reply, now_ms);
    } else {
        on_batch_reply(item, &reply, now_ms);
    }
    ship_message_reply_fini(&reply);
}

void
ship_link_step(ship_link *link, int64_t now_ms)
{
    bool is_owed = !link->is_known || link->first_sequence < link->next_sequence;
    ship_dialer_step(&link->dialer, owes_answer(link), now_ms);
    ship_absence_step(&link->absence, is_owed, ship_link_was_connected(link), now_ms);
    collect(&link->hello_request, now_ms);
    for (size_t i = 0; i < BATCHES_MAX; i++) {
        collect(&link->batches[i], now_ms);
    }
    if (link->hello_request.state == REQUEST_DUE && link->hello_request.due_ms <= now_ms) {
        say_hello(link, now_ms);
    }
    for (uint64_t i = link->first_sequence; i < link->next_sequence && link->is_known; i++) {
        request *batch = find_batch(link, i);
        if (batch->state == REQUEST_DUE && batch->due_ms <= now_ms) {
            send_request(batch, now_ms);
        }
    }
}

bool
ship_link_has_room(const ship_link *link)
{
    return link->is_known && link->next_sequence - link->first_sequence < BATCHES_MAX;
}

uint64_t
ship_link_get_sequence(const ship_link *link)
{
    return link->next_sequence;
}

void
ship_link_push(ship_link *link, lp_buf *batch, int64_t now_ms)
{
    LP_ASSERT(ship_link_has_room(link));
    request *item = find_batch(link, link->next_sequence);
    LP_ASSERT(item->state == REQUEST_FREE);
    lp_buf_fini(&item->packed);
    item->packed = *batch;
    *batch = (lp_buf){0};
    link->next_sequence++;
    send_request(item, now_ms);
}

uint64_t
ship_link_get_unanswered(const ship_link *link)
{
    return link->next_sequence - link->first_sequence;
}

bool
ship_link_take_forgotten(ship_link *link)
{
    bool is_forgotten = link->is_forgotten;
    link->is_forgotten = false;
    return is_forgotten;
}

bool
ship_link_take_policy(ship_link *link, ship_policy *out_policy)
{
    if (!link->is_policy_new) {
        return false;
    }
    *out_policy = link->policy; // moves
    link->policy = (ship_policy){0};
    link->is_policy_new = false;
    return true;
}

bool
ship_link_was_connected(const ship_link *link)
{
    return ship_dialer_was_connected(&link->dialer);
}

int64_t
ship_link_get_due_ms(const ship_link *link)
{
    int64_t due_ms = owes_answer(link) ? ship_dialer_get_due_ms(&link->dialer) : INT64_MAX;
    if (link->hello_request.state == REQUEST_DUE && link->hello_request.due_ms < due_ms) {
        due_ms = link->hello_request.due_ms;
    }
    for (size_t i = 0; i < BATCHES_MAX && link->is_known; i++) {
        const request *batch = &link->batches[i];
        if (batch->state == REQUEST_DUE && batch->due_ms < due_ms) {
            due_ms = batch->due_ms;
        }
    }
    return due_ms;
}
