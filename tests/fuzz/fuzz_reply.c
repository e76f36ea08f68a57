// SPDX-License-Identifier: Apache-2.0
// An agent's window of requests, and any bytes as answers: whatever comes, no request is
// acknowledged that was not answered with OK, and a collector that then takes what it is sent has
// every batch that was not.
//
//   input: steps: SEND what is due; PUSH a batch, if there is room; ANSWER and FAIL a request that
//   waits: 1 byte, which; with ANSWER 1 byte, how long, and the answer; WAIT 1 byte of 100 ms

#include "fuzz.h"

#include "agent/ship/link/ship_window.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"

#include <string.h>

enum { SEND, PUSH, ANSWER, FAIL, WAIT, STEPS };
enum { WAIT_MS = 100, LATER_MS = 60 * 1000, ROUNDS_MAX = 20, BATCHES_MAX = 200 };

typedef struct link {
    uint8_t session[WIRE_SESSION_BYTES];
    Loupe__Wire__Hello hello;
    ship_window window;
    int64_t now_ms;
    unsigned sent[SHIP_WINDOW_SLOTS]; // slots whose requests wait for an answer
    size_t sent_count;
    uint64_t pushed;
} link;

static void
pack(Loupe__Wire__Batch *batch, lp_buf *out)
{
    Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
    request.version = WIRE_VERSION;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_BATCH;
    request.batch = batch;
    uint8_t *bytes = lp_buf_extend(out, loupe__wire__request__get_packed_size(&request));
    LP_ASSERT(bytes != NULL);
    (void)loupe__wire__request__pack(&request, bytes);
}

static void
push(link *l)
{
    Loupe__Wire__Batch batch = LOUPE__WIRE__BATCH__INIT;
    lp_buf packed = {0};
    if (ship_window_has_room(&l->window) && l->pushed < BATCHES_MAX) {
        batch.sequence = l->pushed++;
        pack(&batch, &packed);
        ship_window_push(&l->window, &packed, l->now_ms);
    }
}

// send_due sends what is due. What is sent is a message of the protocol.
static void
send_due(link *l)
{
    ship_sending sending;
    while (ship_window_take_due(&l->window, l->now_ms, &sending)) {
        Loupe__Wire__Request *request =
            loupe__wire__request__unpack(NULL, sending.bytes.len, sending.bytes.ptr);
        LP_ASSERT(request != NULL && request->version == WIRE_VERSION);
        LP_ASSERT((sending.slot == SHIP_WINDOW_HELLO_SLOT) ==
                  (request->body_case == LOUPE__WIRE__REQUEST__BODY_HELLO));
        loupe__wire__request__free_unpacked(request, NULL);
        LP_ASSERT(l->sent_count < SHIP_WINDOW_SLOTS);
        l->sent[l->sent_count++] = sending.slot;
    }
}

// take_sent returns the slot of a request that waits, which then does not.
static unsigned
take_sent(link *l, size_t which)
{
    size_t index = which % l->sent_count;
    unsigned slot = l->sent[index];
    l->sent[index] = l->sent[--l->sent_count];
    return slot;
}

static void
note_answer(link *l, unsigned slot, lp_slice answer)
{
    ship_reply reply = ship_message_unpack_reply(answer);
    uint64_t first = l->window.first_sequence;
    LP_ASSERT(memchr(reply.message, '\0', sizeof(reply.message)) != NULL);
    bool is_ok = reply.status == SHIP_OK;
    ship_window_note_reply(&l->window, slot, &reply, l->now_ms);
    LP_ASSERT(l->window.first_sequence == first || is_ok);
    ship_message_reply_fini(&reply);
}

static void
step(link *l, lp_slice *rest)
{
    unsigned kind = rest->ptr[0] % STEPS;
    size_t number = rest->len > 1 && kind >= ANSWER ? rest->ptr[1] : 0;
    size_t size = rest->len > 2 && kind == ANSWER ? rest->ptr[2] : 0;
    size_t head = kind < ANSWER ? 1 : kind == ANSWER ? 3 : 2;
    head = head < rest->len ? head : rest->len;
    *rest = (lp_slice){rest->ptr + head, rest->len - head};
    size = size < rest->len ? size : rest->len;
    if (kind == SEND) {
        send_due(l);
    } else if (kind == PUSH) {
        push(l);
    } else if (kind == WAIT) {
        l->now_ms += (int64_t)number * WAIT_MS;
    } else if (l->sent_count > 0 && kind == ANSWER) {
        note_answer(l, take_sent(l, number), (lp_slice){rest->ptr, size});
    } else if (l->sent_count > 0) {
        ship_window_note_failed(&l->window, take_sent(l, number), l->now_ms);
    }
    *rest = (lp_slice){rest->ptr + size, rest->len - size};
}

static void
check(link *l)
{
    ship_policy policy;
    const ship_window *w = &l->window;
    LP_ASSERT(w->first_sequence <= w->next_sequence);
    LP_ASSERT(w->next_sequence - w->first_sequence <= SHIP_WINDOW_BATCHES_MAX);
    LP_ASSERT(ship_window_owes_answer(w) == (l->sent_count > 0));
    (void)ship_window_take_forgotten(&l->window);
    if (ship_window_take_policy(&l->window, &policy)) {
        ship_policy_fini(&policy);
    }
}

// end_well answers with OK from now on, until nothing is left to send.
static void
end_well(link *l)
{
    static const uint8_t ok[] = {1 << 3, WIRE_VERSION}; // its version; all else is 0
    for (int i = 0; l->window.first_sequence < l->window.next_sequence; i++) {
        LP_ASSERT(i < ROUNDS_MAX);
        l->now_ms += LATER_MS;
        send_due(l);
        while (l->sent_count > 0) {
            note_answer(l, take_sent(l, 0), (lp_slice){ok, sizeof(ok)});
        }
        check(l);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    link l = {.hello = LOUPE__WIRE__HELLO__INIT};
    lp_slice rest = {bytes, count};
    lp_log_init("fuzz", LP_LOG_ERROR);
    l.hello.session = (ProtobufCBinaryData){sizeof(l.session), l.session};
    ship_window_init(&l.window, &l.hello);
    while (rest.len > 0) {
        step(&l, &rest);
        check(&l);
    }
    end_well(&l);
    ship_window_fini(&l.window);
    return 0;
}
