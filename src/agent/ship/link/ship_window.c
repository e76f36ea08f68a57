// SPDX-License-Identifier: Apache-2.0
#include "agent/ship/link/ship_window.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_log.h"

#include <stdio.h>
#include <string.h>

enum {
    REFUSED_MS = 10 * 1000, // between retries after a refusal: only a change there helps
    DENIED_MS = 1000,       // the first pause after a rejected token, doubled each time
    FORGOTTEN_MS = 100,     // between Hellos, if the collector forgets the session at once
};

void
ship_window_init(ship_window *self, const Loupe__Wire__Hello *hello)
{
    LP_ASSERT(hello != NULL);
    *self = (ship_window){.hello = hello, .token = "", .denied_ms = DENIED_MS};
    self->slots[SHIP_WINDOW_HELLO_SLOT].state = SHIP_SLOT_DUE;
}

void
ship_window_fini(ship_window *self)
{
    for (size_t i = 0; i < SHIP_WINDOW_SLOTS; i++) {
        lp_buf_fini(&self->slots[i].packed);
    }
    lp_buf_fini(&self->spare);
    ship_policy_fini(&self->policy);
}

static ship_slot *
hello_slot(ship_window *self)
{
    return &self->slots[SHIP_WINDOW_HELLO_SLOT];
}

static ship_slot *
find_batch(ship_window *self, uint64_t sequence)
{
    return &self->slots[sequence % SHIP_WINDOW_BATCHES_MAX];
}

// Makes the slot's request due at due_ms.
static void
postpone(ship_slot *slot, int64_t due_ms)
{
    slot->state = SHIP_SLOT_DUE;
    slot->due_ms = due_ms;
}

// Does so for a request that the collector answered with BUSY.
static void
postpone_busy(ship_slot *slot, const ship_reply *reply, int64_t now_ms)
{
    uint32_t ms = reply->again_after_ms < SHIP_WINDOW_BUSY_MS_MAX ? reply->again_after_ms
                                                                  : SHIP_WINDOW_BUSY_MS_MAX;
    postpone(slot, now_ms + (ms > SHIP_WINDOW_BUSY_MS ? ms : SHIP_WINDOW_BUSY_MS));
}

static bool
is_due(const ship_slot *slot, int64_t now_ms)
{
    return slot->state == SHIP_SLOT_DUE && slot->due_ms <= now_ms;
}

// Logs a text unless it equals last, the previous one.
static void
log_once(char last[SHIP_WINDOW_LOGGED_BYTES], const char *text)
{
    if (strncmp(last, text, SHIP_WINDOW_LOGGED_BYTES - 1) != 0) {
        lp_log(LP_LOG_WARN, "%s", text);
        (void)snprintf(last, SHIP_WINDOW_LOGGED_BYTES, "%s", text);
    }
}

static void
log_refusal(ship_window *self, const char *message)
{
    char text[SHIP_WINDOW_LOGGED_BYTES];
    (void)snprintf(text, sizeof(text), "the collector refuses: %s; retrying every %d s", message,
        REFUSED_MS / 1000);
    log_once(self->refusal, text);
}

static void
log_denial(ship_window *self, const char *message)
{
    char text[SHIP_WINDOW_LOGGED_BYTES];
    (void)snprintf(text, sizeof(text),
        "the collector rejects this agent: %s; retrying at least every %d s", message,
        SHIP_WINDOW_DENIED_MS_MAX / 1000);
    log_once(self->refusal, text);
}

// Returns false if memory ran out.
static bool
pack_hello(ship_window *self)
{
    Loupe__Wire__Hello hello = *self->hello;
    ship_token token;
    lp_problem problem;
    if (ship_token_read(self->token, &token, &problem) == LP_OK) {
        hello.token = (ProtobufCBinaryData){token.len, token.bytes};
    } else {
        log_once(self->token_fault, problem.text); // the collector may not require one
    }
    hello.next_sequence = self->hello_sequence = self->first_sequence;
    hello.last_counters = (Loupe__Wire__Counters *)(uintptr_t)self->last; // packing does not write
    lp_buf_clear(&hello_slot(self)->packed);
    return ship_message_pack_hello(&hello, &hello_slot(self)->packed) == LP_OK;
}

// Returns whether the batch of a slot may be sent now: the first time always.
static bool
may_send(ship_window *self, const ship_slot *slot, int64_t now_ms)
{
    return !slot->was_sent || ship_allowance_is_open(&self->resends, &SHIP_WINDOW_RESENDS, now_ms);
}

// Returns the next request to send at now_ms; NULL if there is none.
static ship_slot *
find_due(ship_window *self, int64_t now_ms)
{
    if (self->is_moving && ship_window_owes_answer(self)) {
        return NULL;
    }
    self->is_moving = false;
    if (is_due(hello_slot(self), now_ms)) {
        if (pack_hello(self)) {
            return hello_slot(self);
        }
        postpone(hello_slot(self), now_ms + SHIP_WINDOW_BUSY_MS);
    }
    bool may_send_batches = self->is_known && self->last == NULL && !self->is_held;
    for (uint64_t i = self->first_sequence; i < self->next_sequence && may_send_batches; i++) {
        ship_slot *slot = find_batch(self, i);
        if (is_due(slot, now_ms) && may_send(self, slot, now_ms)) {
            return slot;
        }
    }
    return NULL;
}

bool
ship_window_take_due(ship_window *self, int64_t now_ms, ship_sending *out_sending)
{
    LP_ASSERT(self->next_sequence - self->first_sequence <= SHIP_WINDOW_BATCHES_MAX);
    ship_slot *slot = find_due(self, now_ms);
    LP_REQUIRE(slot != NULL, false);
    if (slot->was_sent) {
        ship_allowance_take(
            &self->resends, &SHIP_WINDOW_RESENDS, (int64_t)slot->packed.len, now_ms);
    }
    slot->was_sent = slot != hello_slot(self); // Hello has its own limits
    slot->state = SHIP_SLOT_SENT;
    *out_sending = (ship_sending){(unsigned)(slot - self->slots), lp_buf_slice(&slot->packed)};
    return true;
}

// Makes a Hello due at due_ms; batches wait for its answer.
static void
lose_session(ship_window *self, int64_t due_ms)
{
    self->is_known = false;
    if (hello_slot(self)->state == SHIP_SLOT_FREE) {
        postpone(hello_slot(self), due_ms);
    }
}

static void
advance(ship_window *self)
{
    while (self->first_sequence < self->next_sequence) {
        ship_slot *first = find_batch(self, self->first_sequence);
        if (first->state != SHIP_SLOT_ANSWERED) {
            return;
        }
        first->state = SHIP_SLOT_FREE;
        lp_buf_fini(&self->spare);
        self->spare = first->packed; // moves
        first->packed = (lp_buf){0};
        self->first_sequence++;
    }
}

// Makes a Hello due for a collector that does not know the session.
static void
introduce(ship_window *self, int64_t now_ms)
{
    int64_t open_ms = now_ms;
    if (!ship_allowance_is_open(&self->greetings, &SHIP_WINDOW_GREETINGS, now_ms)) {
        open_ms = ship_allowance_get_open_ms(&self->greetings, &SHIP_WINDOW_GREETINGS);
    }
    ship_allowance_take(&self->greetings, &SHIP_WINDOW_GREETINGS, self->is_known ? 1 : 0, now_ms);
    lose_session(self, open_ms + FORGOTTEN_MS);
}

// Returns whether a policy has more than SHIP_WINDOW_SETTINGS_MAX settings, and logs it.
static bool
is_too_large(const ship_policy *policy)
{
    if (policy->settings == NULL || policy->settings->n_settings <= SHIP_WINDOW_SETTINGS_MAX) {
        return false;
    }
    lp_log(LP_LOG_WARN,
        "the collector's policy has %zu settings for the JVM, over the limit of %d: the JVM keeps "
        "its settings",
        policy->settings->n_settings, SHIP_WINDOW_SETTINGS_MAX);
    return true;
}

// Takes the policy of an answer to Hello, if it is a new one. A Hello that asked for a policy in
// vain counts against the limit, too.
static void
take_policy(ship_window *self, ship_policy *policy, int64_t now_ms)
{
    bool is_other = policy->id != self->policy_id;
    bool is_counted = (is_other || self->is_policy_asked) &&
                      ship_allowance_is_open(&self->policies, &SHIP_WINDOW_POLICIES, now_ms);
    self->is_policy_asked = false;
    if (is_counted) {
        ship_allowance_take(&self->policies, &SHIP_WINDOW_POLICIES, 1, now_ms);
    }
    if (!is_other || !is_counted) {
        return;
    }
    self->policy_id = policy->id;
    if (is_too_large(policy)) {
        return;
    }
    self->is_policy_new = true;
    ship_policy_fini(&self->policy);
    self->policy = *policy; // moves
    *policy = (ship_policy){0};
}

// Makes a Hello due if the collector has a new policy, which its answer contains.
static void
ask_for_policy(ship_window *self, uint64_t policy_id, int64_t now_ms)
{
    if (policy_id != self->policy_id && hello_slot(self)->state == SHIP_SLOT_FREE &&
        ship_allowance_is_open(&self->policies, &SHIP_WINDOW_POLICIES, now_ms)) {
        self->is_policy_asked = true;
        postpone(hello_slot(self), now_ms);
    }
}

// Notes the chunk from which the answer to a Hello asks for batches again.
static void
note_lacking(ship_window *self, const ship_reply *reply)
{
    if (reply->lacking_chunk != 0 &&
        (self->lacking_chunk == 0 || reply->lacking_chunk < self->lacking_chunk)) {
        self->lacking_chunk = reply->lacking_chunk;
        self->is_held = true;
    }
}

// Notes that the collector has exactly the batches below next_sequence. A batch that it
// acknowledged after a missing one may be lost: it is sent again.
static void
believe(ship_window *self, uint64_t next_sequence, int64_t now_ms)
{
    for (uint64_t i = self->first_sequence; i < self->next_sequence; i++) {
        ship_slot *slot = find_batch(self, i);
        if (i < next_sequence && slot->state == SHIP_SLOT_DUE) {
            slot->state = SHIP_SLOT_ANSWERED;
        } else if (i >= next_sequence && slot->state == SHIP_SLOT_ANSWERED) {
            postpone(slot, now_ms);
        }
    }
}

static void
on_hello_reply(ship_window *self, ship_reply *reply, int64_t now_ms)
{
    switch (reply->status) {
    case SHIP_OK:
        if (reply->next_sequence < self->first_sequence &&
            self->hello_sequence < self->first_sequence) {
            // The Hello was sent when less was acknowledged, and its collector has no more. That
            // collector waits for batches; only a new Hello tells it that they will not come.
            postpone(hello_slot(self), now_ms + FORGOTTEN_MS);
            break;
        }
        self->is_known = true;
        self->has_left = self->last != NULL;
        take_policy(self, &reply->policy, now_ms);
        hello_slot(self)->state = SHIP_SLOT_FREE;
        note_lacking(self, reply);
        self->refusal[0] = '\0';
        self->token_fault[0] = '\0';
        self->denied_ms = DENIED_MS;
        believe(self, reply->next_sequence, now_ms);
        advance(self);
        break;
    case SHIP_BUSY:
        postpone_busy(hello_slot(self), reply, now_ms);
        break;
    case SHIP_NOT_ALLOWED:
        log_denial(self, reply->message);
        postpone(hello_slot(self), now_ms + self->denied_ms);
        self->denied_ms = self->denied_ms * 2 < SHIP_WINDOW_DENIED_MS_MAX
                              ? self->denied_ms * 2
                              : SHIP_WINDOW_DENIED_MS_MAX;
        break;
    case SHIP_UNKNOWN_SESSION:
    case SHIP_REFUSED:
        log_refusal(self, reply->message);
        postpone(hello_slot(self), now_ms + REFUSED_MS);
        break;
    }
}

static void
on_batch_reply(ship_window *self, ship_slot *slot, const ship_reply *reply, int64_t now_ms)
{
    switch (reply->status) {
    case SHIP_OK:
        slot->state = SHIP_SLOT_ANSWERED;
        advance(self);
        ask_for_policy(self, reply->policy.id, now_ms);
        break;
    case SHIP_BUSY:
        postpone_busy(slot, reply, now_ms);
        break;
    case SHIP_UNKNOWN_SESSION:
        self->is_forgotten = true;
        postpone(slot, now_ms);
        introduce(self, now_ms);
        break;
    case SHIP_NOT_ALLOWED:
    case SHIP_REFUSED:
        log_refusal(self, reply->message);
        postpone(slot, now_ms);
        lose_session(self, now_ms + REFUSED_MS);
        break;
    }
}

void
ship_window_note_reply(ship_window *self, unsigned index, ship_reply *reply, int64_t now_ms)
{
    LP_ASSERT(index < SHIP_WINDOW_SLOTS && self->slots[index].state == SHIP_SLOT_SENT);

    ship_slot *slot = &self->slots[index];
    if (reply->status == SHIP_OK && reply->durable_sequence > self->durable_sequence) {
        self->durable_sequence = reply->durable_sequence;
    }
    if (index == SHIP_WINDOW_HELLO_SLOT) {
        on_hello_reply(self, reply, now_ms);
    } else {
        on_batch_reply(self, slot, reply, now_ms);
    }
}

void
ship_window_note_moved(ship_window *self, int64_t now_ms)
{
    self->is_forgotten = true;
    self->moves++;
    self->is_moving = true;
    self->is_held = false;
    self->lacking_chunk = 0;
    self->denied_ms = DENIED_MS;
    self->refusal[0] = '\0';
    ship_window_hurry(self, now_ms);
    lose_session(self, now_ms);
}

void
ship_window_note_dropped(ship_window *self, unsigned index, int64_t now_ms)
{
    LP_ASSERT(index < SHIP_WINDOW_SLOTS && self->slots[index].state == SHIP_SLOT_SENT);

    postpone(&self->slots[index], now_ms);
}

void
ship_window_note_failed(ship_window *self, unsigned index, int64_t now_ms)
{
    LP_ASSERT(index < SHIP_WINDOW_SLOTS && self->slots[index].state == SHIP_SLOT_SENT);

    postpone(&self->slots[index], now_ms + SHIP_WINDOW_BUSY_MS);
}

bool
ship_window_has_room(const ship_window *self)
{
    return self->is_known && self->last == NULL && !self->is_held &&
           self->next_sequence - self->first_sequence < SHIP_WINDOW_BATCHES_MAX;
}

uint64_t
ship_window_get_unanswered(const ship_window *self)
{
    return self->next_sequence - self->first_sequence;
}

lp_buf
ship_window_take_spare(ship_window *self)
{
    lp_buf spare = self->spare;
    self->spare = (lp_buf){0};
    lp_buf_clear(&spare);
    return spare;
}

void
ship_window_push(ship_window *self, lp_buf *batch, int64_t now_ms)
{
    LP_ASSERT(ship_window_has_room(self));
    ship_slot *slot = find_batch(self, self->next_sequence);
    LP_ASSERT(slot->state == SHIP_SLOT_FREE && slot->packed.ptr == NULL);
    slot->packed = *batch;
    slot->was_sent = false;
    *batch = (lp_buf){0};
    self->next_sequence++;
    postpone(slot, now_ms);
}

bool
ship_window_take_forgotten(ship_window *self)
{
    bool is_forgotten = self->is_forgotten;
    self->is_forgotten = false;
    return is_forgotten;
}

bool
ship_window_take_lacking(ship_window *self, uint32_t *out_chunk)
{
    if (self->lacking_chunk == 0) {
        return false;
    }
    *out_chunk = self->lacking_chunk - 1;
    self->lacking_chunk = 0;
    return true;
}

// Returns whether a batch is in flight.
static bool
has_any_sent(const ship_window *self)
{
    for (uint64_t i = self->first_sequence; i < self->next_sequence; i++) {
        if (self->slots[i % SHIP_WINDOW_BATCHES_MAX].state == SHIP_SLOT_SENT) {
            return true;
        }
    }
    return false;
}

// Returns the slot of a batch that is neither in flight nor acknowledged; else NULL.
static const ship_slot *
find_waiting(const ship_window *self, uint64_t sequence)
{
    const ship_slot *slot = &self->slots[sequence % SHIP_WINDOW_BATCHES_MAX];
    return slot->state == SHIP_SLOT_DUE ? slot : NULL;
}

uint32_t
ship_window_find_lowest(const ship_window *self)
{
    uint32_t lowest = UINT32_MAX;
    for (uint64_t i = self->first_sequence; i < self->next_sequence && !has_any_sent(self); i++) {
        const ship_slot *slot = find_waiting(self, i);
        uint32_t chunk;
        if (slot != NULL && ship_message_get_chunk(lp_buf_slice(&slot->packed), &chunk) &&
            chunk < lowest) {
            lowest = chunk;
        }
    }
    return lowest;
}

void
ship_window_go_on(ship_window *self, uint32_t begin)
{
    self->is_held = false;
    for (uint64_t i = self->first_sequence; i < self->next_sequence && !has_any_sent(self); i++) {
        uint32_t chunk;
        if (find_waiting(self, i) == NULL ||
            !ship_message_get_chunk(lp_buf_slice(&find_batch(self, i)->packed), &chunk)) {
            continue;
        }
        bool comes_again = begin < UINT32_MAX && chunk >= begin;
        if (comes_again || i < self->durable_sequence) {
            lp_err err = ship_message_empty(
                &find_batch(self, i)->packed, begin < UINT32_MAX ? begin : chunk);
            (void)err; // it is sent unchanged
        }
    }
}

bool
ship_window_take_policy(ship_window *self, ship_policy *out_policy)
{
    if (!self->is_policy_new) {
        return false;
    }
    *out_policy = self->policy; // moves
    self->policy = (ship_policy){0};
    self->is_policy_new = false;
    return true;
}

bool
ship_window_owes_answer(const ship_window *self)
{
    return LP_ANY(self->slots, SHIP_WINDOW_SLOTS, at->state == SHIP_SLOT_SENT);
}

bool
ship_window_is_refused(const ship_window *self)
{
    return self->refusal[0] != '\0' && self->slots[SHIP_WINDOW_HELLO_SLOT].state == SHIP_SLOT_DUE;
}

int64_t
ship_window_get_due_ms(const ship_window *self)
{
    int64_t due_ms = INT64_MAX;
    int64_t resends_ms = ship_allowance_get_open_ms(&self->resends, &SHIP_WINDOW_RESENDS);
    for (size_t i = 0; i < SHIP_WINDOW_SLOTS; i++) {
        const ship_slot *slot = &self->slots[i];
        bool is_waiting = i != SHIP_WINDOW_HELLO_SLOT && (!self->is_known || self->is_held);
        int64_t open_ms = slot->was_sent ? resends_ms : INT64_MIN;
        int64_t slot_ms = slot->due_ms > open_ms ? slot->due_ms : open_ms;
        if (slot->state == SHIP_SLOT_DUE && !is_waiting && slot_ms < due_ms) {
            due_ms = slot_ms;
        }
    }
    return due_ms;
}

bool
ship_window_is_put_off(const ship_window *self, int64_t by_ms)
{
    return self->is_known && self->last == NULL && ship_window_get_unanswered(self) > 0 &&
           !ship_window_owes_answer(self) && ship_window_get_due_ms(self) >= by_ms;
}

void
ship_window_sum_put_off(const ship_window *self, uint64_t *jfr_bytes, uint64_t *contexts_bytes)
{
    for (uint64_t i = self->first_sequence; i < self->next_sequence; i++) {
        const ship_slot *slot = &self->slots[i % SHIP_WINDOW_BATCHES_MAX];
        if (slot->state == SHIP_SLOT_DUE) {
            ship_message_measure_batch(lp_buf_slice(&slot->packed), jfr_bytes, contexts_bytes);
        }
    }
}

void
ship_window_leave(ship_window *self, const Loupe__Wire__Counters *counters, int64_t now_ms)
{
    LP_ASSERT(counters != NULL);
    self->last = counters;
    postpone(hello_slot(self), now_ms);
}

bool
ship_window_rests(const ship_window *self, int64_t now_ms)
{
    int64_t due_ms = ship_window_get_due_ms(self);
    return !ship_window_owes_answer(self) && due_ms < INT64_MAX &&
           due_ms > now_ms + SHIP_WINDOW_BUSY_MS;
}

void
ship_window_hurry(ship_window *self, int64_t now_ms)
{
    for (size_t i = 0; i < SHIP_WINDOW_SLOTS; i++) {
        if (self->slots[i].state == SHIP_SLOT_DUE) {
            self->slots[i].due_ms = now_ms;
        }
    }
}
