// SPDX-License-Identifier: Apache-2.0
// ship_window: one session's requests to a collector: which is to be sent when, and what an answer
// changes. It has no clock and no network: the owner says what time it is and what became of a
// request, and sends what it is told to.
//
//   while (ship_window_take_due(&window, now_ms, &sending)) {
//       ... send sending.bytes; later, for sending.slot:
//   }
//   ship_window_note_reply(&window, slot, &reply, now_ms);  // or ship_window_note_failed
//
// It says Hello, also when the collector has another policy than at the last one, and sends a batch
// again that was not taken, as late as the collector says, SHIP_WINDOW_BUSY_MS_MAX at most. How
// often a collector may have that is limited (ship_allowance.h).
//
// While the collector does not let the agent in, it says Hello after pauses that grow to
// SHIP_WINDOW_DENIED_MS_MAX, with the token as it is then.
//
// Threads: one thread at a time.
// Tests: tests/unit/agent/ship/test_ship_window.c, test_ship.c

#ifndef LP_AGENT_SHIP_LINK_SHIP_WINDOW_H
#define LP_AGENT_SHIP_LINK_SHIP_WINDOW_H

#include "agent/ship/link/ship_message.h"
#include "agent/ship/ship_allowance.h"
#include "agent/ship/ship_policy.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_slice.h"
#include "common/wire/wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SHIP_WINDOW_SLOTS = WIRE_WINDOW_MAX,            // of requests that may be unanswered at a time
    SHIP_WINDOW_BATCHES_MAX = WIRE_WINDOW_MAX - 1,  // one of them is kept for Hello
    SHIP_WINDOW_HELLO_SLOT = SHIP_WINDOW_SLOTS - 1, // the others are those of batches
    SHIP_WINDOW_DENIED_MS_MAX = 30 * 1000,
    SHIP_WINDOW_BUSY_MS = 250, // until what the collector had no time for is sent again, at least
    SHIP_WINDOW_BUSY_MS_MAX = 30 * 1000,
    SHIP_WINDOW_LOGGED_BYTES = 320, // that are compared with what is to be logged next
};

enum { SHIP_WINDOW_SETTINGS_MAX = 8192 }; // of a policy; one with more is not followed

// What a collector may have: bytes of batches sent again, sessions that it does not know, policies.
static const ship_allowance_limit SHIP_WINDOW_RESENDS = {
    .what = "batches are sent again with 60 MiB a minute",
    .at_once = 16 << 20,
    .per_minute = 60 << 20,
};
static const ship_allowance_limit SHIP_WINDOW_GREETINGS = {
    .what = "a session that is not known is introduced 12 times a minute",
    .at_once = 50,
    .per_minute = 12,
};
static const ship_allowance_limit SHIP_WINDOW_POLICIES = {
    .what = "another policy is followed once a minute",
    .at_once = 20,
    .per_minute = 1,
};

typedef enum ship_slot_state {
    SHIP_SLOT_FREE,
    SHIP_SLOT_DUE,      // to be sent at due_ms, when the session is known
    SHIP_SLOT_SENT,     // an answer is to come, or word that it failed
    SHIP_SLOT_ANSWERED, // acknowledged, but an earlier one is not yet
} ship_slot_state;

typedef struct ship_slot {
    ship_slot_state state;
    int64_t due_ms;
    bool was_sent; // the next time is one more
    lp_buf packed;
} ship_slot;

// Everything is the window's own.
typedef struct ship_window {
    const Loupe__Wire__Hello *hello;   // borrowed for good
    const Loupe__Wire__Counters *last; // of the last Hello; NULL: it is not due. Borrowed for good
    bool has_left;                     // the collector has taken that
    const char *token;                 // see ship_token.h; borrowed for good. The owner may set it
    bool is_known;                     // the collector has taken our Hello
    bool is_forgotten;
    uint64_t moves; // to another collector
    bool is_moving; // what was on its way to the former collector is taken back before Hello
    bool is_held;   // batches wait for what comes of lacking_chunk
    uint32_t lacking_chunk;    // as Reply has it, until it was taken
    uint64_t durable_sequence; // as Reply has it
    uint64_t policy_id;        // as the last answer to a Hello said
    ship_policy policy;        // that was not taken yet
    bool is_policy_new;
    bool is_policy_asked;               // a Hello asks for it
    uint64_t first_sequence;            // the lowest that is not acknowledged
    uint64_t hello_sequence;            // the same as the last Hello has it
    uint64_t next_sequence;             // of the next batch
    int64_t denied_ms;                  // how long the next pause is, while nobody lets us in
    ship_slot slots[SHIP_WINDOW_SLOTS]; // a batch's is at its number modulo the batches
    ship_allowance resends; // as the SHIP_WINDOW_... of the name says; so with the next two
    ship_allowance greetings;
    ship_allowance policies;
    char refusal[SHIP_WINDOW_LOGGED_BYTES];     // that was logged last
    char token_fault[SHIP_WINDOW_LOGGED_BYTES]; // the same
} ship_window;

// A request to be sent.
typedef struct ship_sending {
    unsigned slot;
    lp_slice bytes; // borrowed until something is noted for the slot
} ship_sending;

// ship_window_init makes a window whose first request is a Hello, packed from hello each time, with
// next_sequence filled in.
void ship_window_init(ship_window *window, const Loupe__Wire__Hello *hello);
void ship_window_fini(ship_window *window);

// ship_window_take_due returns a request that is to be sent at now_ms, once; false: none is.
bool ship_window_take_due(ship_window *window, int64_t now_ms, ship_sending *out_sending);

// ship_window_note_reply acts on the answer to the request of a slot. What it needs of the reply is
// moved out.
void ship_window_note_reply(ship_window *window, unsigned slot, ship_reply *reply, int64_t now_ms);

// ship_window_note_moved notes that what is sent from now on goes to another collector: nothing
// that is due waits for what the one before has said, and Hello goes first. Requests that are on
// their way are not answered any more: the owner notes of each that it was dropped.
void ship_window_note_moved(ship_window *window, int64_t now_ms);
void ship_window_note_dropped(ship_window *window, unsigned slot, int64_t now_ms);

// ship_window_note_failed notes that no answer will come to the request of a slot, or that it could
// not be sent: it is due again in a while.
void ship_window_note_failed(ship_window *window, unsigned slot, int64_t now_ms);

// ship_window_has_room returns whether the collector knows the session and there is a free slot.
bool ship_window_has_room(const ship_window *window);

// ship_window_get_unanswered returns how many batches were pushed and not acknowledged.
uint64_t ship_window_get_unanswered(const ship_window *window);

// ship_window_push has the next batch, packed, sent, and takes *batch. There must be room.
void ship_window_push(ship_window *window, lp_buf *batch, int64_t now_ms);

// ship_window_is_put_off returns whether there are batches which the collector has put off until
// by_ms or later, all that it was sent is answered, and nothing else is due before.
bool ship_window_is_put_off(const ship_window *window, int64_t by_ms);

// ship_window_rests returns whether all is put off for longer than a moment, so that the collector
// has nothing to answer.
bool ship_window_rests(const ship_window *window, int64_t now_ms);

// ship_window_hurry has all that is put off sent at once: at the end, where what the collector said
// before may not hold any more.
void ship_window_hurry(ship_window *window, int64_t now_ms);

// ship_window_sum_put_off adds the bytes of JFR and of context records of those batches.
void ship_window_sum_put_off(
    const ship_window *window, uint64_t *jfr_bytes, uint64_t *contexts_bytes);

// ship_window_leave has a last Hello said, with these counters, which are borrowed for good, while
// the window is put off. No batch is sent after that.
void ship_window_leave(ship_window *window, const Loupe__Wire__Counters *counters, int64_t now_ms);

// ship_window_take_forgotten returns whether the collector did not know the session since the last
// call, so that everything that was sent once must be sent again.
bool ship_window_take_forgotten(ship_window *window);

// ship_window_take_lacking returns whether the collector lacks batches that were acknowledged,
// since the last call, and the lowest chunk of which it may. No batch is sent from then on, until
// the owner has gone back or cannot.
bool ship_window_take_lacking(ship_window *window, uint32_t *out_chunk);

// ship_window_find_lowest returns the lowest chunk of the batches that are not acknowledged, where
// none is on its way; UINT32_MAX: there are none, or one is.
uint32_t ship_window_find_lowest(const ship_window *window);

// ship_window_go_on has batches sent again, after ship_window_take_lacking. All from chunk begin on
// comes once more, under new numbers (UINT32_MAX: nothing does). So batches of these chunks that
// are not acknowledged have nothing any more, nor have those that are on the disk of a collector:
// they may go on with what begins in one that this collector lacks, and it could not tell. Where
// one is on its way, to a collector that gets all of them, they stay as they are.
void ship_window_go_on(ship_window *window, uint32_t begin);

// ship_window_take_policy returns the policy that the collector has for this JVM, if it has changed
// since the last call; at first there is none. The caller owns *out_policy.
bool ship_window_take_policy(ship_window *window, ship_policy *out_policy);

// ship_window_owes_answer returns whether a request was sent and nothing was noted for it yet.
bool ship_window_owes_answer(const ship_window *window);

// ship_window_is_refused returns whether the last answer to a Hello was a refusal, and another one
// is not asked for yet: the collector is there.
bool ship_window_is_refused(const ship_window *window);

// ship_window_get_due_ms returns when a request is due by the clock; INT64_MAX: none is.
int64_t ship_window_get_due_ms(const ship_window *window);

#endif // LP_AGENT_SHIP_LINK_SHIP_WINDOW_H
