// SPDX-License-Identifier: Apache-2.0
// ship_window: decides when to send which request of a session, and handles the answers. It has no
// clock and no network: the owner passes the time, sends the returned requests, and reports their
// results.
//
//   while (ship_window_take_due(&window, now_ms, &sending)) {
//       ... send sending.bytes
//   }
//   // later, for sending.slot; or ship_window_note_failed:
//   ship_window_note_reply(&window, slot, &reply, now_ms);
//
// The window sends Hello first, and again when the collector has a new policy. If the collector
// does not accept a batch, the window resends it as late as the collector asks, but within
// SHIP_WINDOW_BUSY_MS_MAX. The number of such repetitions is limited (ship_allowance.h).
//
// If the collector rejects the agent, the window repeats Hello, each time with the current token.
// The pauses grow up to SHIP_WINDOW_DENIED_MS_MAX.
//
// Threads: one thread at a time.
// Tests:   tests/unit/agent/ship/test_ship_window.c, test_ship.c

#pragma once

#include "agent/ship/link/ship_message.h"
#include "agent/ship/ship_allowance.h"
#include "agent/ship/ship_policy.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/wire/wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// --- ship_token
//
// The token that identifies the sender: a text, or @FILE, the name of a file that contains the
// text. The file is read for each Hello, so it may be replaced at any time.

enum { SHIP_TOKEN_BYTES_MAX = 512 }; // without surrounding blanks

typedef struct ship_token {
    size_t len;
    uint8_t bytes[SHIP_TOKEN_BYTES_MAX];
} ship_token;

// Writes the token of the option's text to *out_token; for "" its len is 0. Ignores blanks and line
// ends around the token. Errors: LP_EIO if the file cannot be read; LP_ELIMIT if the token is too
// long; LP_ECORRUPT if the file, or an option other than "", has no token
LP_MUST_USE lp_err ship_token_read(
    const char *option, ship_token *out_token, lp_problem *out_problem);

enum {
    SHIP_WINDOW_SLOTS = WIRE_WINDOW_MAX,            // unanswered requests at a time
    SHIP_WINDOW_BATCHES_MAX = WIRE_WINDOW_MAX - 1,  // one slot is reserved for Hello
    SHIP_WINDOW_HELLO_SLOT = SHIP_WINDOW_SLOTS - 1, // the others are for batches
    SHIP_WINDOW_DENIED_MS_MAX = 30 * 1000,
    SHIP_WINDOW_BUSY_MS = 250, // minimum until a request that got BUSY is resent
    SHIP_WINDOW_BUSY_MS_MAX = 30 * 1000,
    SHIP_WINDOW_LOGGED_BYTES = 320, // of the last log line, to log each once
};

enum { SHIP_WINDOW_SETTINGS_MAX = 8192 }; // of a policy; a larger one is ignored

// Limits on the work that a collector may cause: bytes of resent batches, unknown sessions,
// policies.
static const ship_allowance_limit SHIP_WINDOW_RESENDS = {
    .what = "batches are resent at 60 MiB a minute",
    .at_once = 16 << 20,
    .per_minute = 60 << 20,
};
static const ship_allowance_limit SHIP_WINDOW_GREETINGS = {
    .what = "an unknown session is introduced 12 times a minute",
    .at_once = 50,
    .per_minute = 12,
};
static const ship_allowance_limit SHIP_WINDOW_POLICIES = {
    .what = "a new policy is applied once a minute",
    .at_once = 20,
    .per_minute = 1,
};

typedef enum ship_slot_state {
    SHIP_SLOT_FREE,
    SHIP_SLOT_DUE,      // to be sent at due_ms; a batch not before is_known
    SHIP_SLOT_SENT,     // in flight
    SHIP_SLOT_ANSWERED, // acknowledged, but an earlier batch is not
} ship_slot_state;

typedef struct ship_slot {
    ship_slot_state state;
    int64_t due_ms;
    bool was_sent; // at least once
    lp_buf packed;
} ship_slot;

// The owner changes none of the members, except where a comment allows it.
typedef struct ship_window {
    const Loupe__Wire__Hello *hello;   // borrowed for good
    const Loupe__Wire__Counters *last; // for the last Hello; NULL: not leaving. Borrowed for good
    bool has_left;                     // the collector has accepted the last Hello
    const char *token;         // see ship_token_read; borrowed for good. The owner may set it
    bool is_known;             // the collector has accepted our Hello
    bool is_forgotten;         // see ship_window_take_forgotten
    uint64_t moves;            // how often the link moved to another collector
    bool is_moving;            // requests to the former collector are being cancelled
    bool is_held;              // batches wait until lacking_chunk is handled
    uint32_t lacking_chunk;    // see Reply; 0 after ship_window_take_lacking
    uint64_t durable_sequence; // see Reply
    uint64_t policy_id;        // from the last answer to a Hello
    ship_policy policy;        // not taken yet, if is_policy_new
    bool is_policy_new;
    bool is_policy_asked;               // a Hello asks for the policy
    uint64_t first_sequence;            // the lowest unacknowledged batch
    uint64_t hello_sequence;            // first_sequence in the last Hello
    uint64_t next_sequence;             // of the next batch
    int64_t denied_ms;                  // the next pause after a rejected token
    ship_slot slots[SHIP_WINDOW_SLOTS]; // of batches: by sequence modulo SHIP_WINDOW_BATCHES_MAX
    lp_buf spare;                       // memory of the last acknowledged batch
    ship_allowance resends;             // limit: SHIP_WINDOW_RESENDS
    ship_allowance greetings;           // limit: SHIP_WINDOW_GREETINGS
    ship_allowance policies;            // limit: SHIP_WINDOW_POLICIES
    char refusal[SHIP_WINDOW_LOGGED_BYTES];     // the last one that was logged
    char token_fault[SHIP_WINDOW_LOGGED_BYTES]; // the last one that was logged
} ship_window;

// A request to be sent.
typedef struct ship_sending {
    unsigned slot;
    lp_slice bytes; // borrowed until a result is noted for the slot
} ship_sending;

// Makes a window whose first request is a Hello. Each Hello is packed from hello, with
// next_sequence set to first_sequence.
void ship_window_init(ship_window *window, const Loupe__Wire__Hello *hello);
void ship_window_fini(ship_window *window);

// Writes a request to send at now_ms to *out_sending, each request once. Returns false if none is
// due.
bool ship_window_take_due(ship_window *window, int64_t now_ms, ship_sending *out_sending);

// Handles the answer to the request of a slot. Moves parts out of *reply.
void ship_window_note_reply(ship_window *window, unsigned slot, ship_reply *reply, int64_t now_ms);

// Notes that the link moves to another collector. Requests no longer wait for times that the
// previous collector set, and Hello is sent first. Requests in flight get no answer: the owner
// calls ship_window_note_dropped for each.
void ship_window_note_moved(ship_window *window, int64_t now_ms);
void ship_window_note_dropped(ship_window *window, unsigned slot, int64_t now_ms);

// Notes that the request of a slot could not be sent, or will get no answer. It is due again after
// SHIP_WINDOW_BUSY_MS.
void ship_window_note_failed(ship_window *window, unsigned slot, int64_t now_ms);

// Returns whether the collector knows the session and a batch slot is free.
bool ship_window_has_room(const ship_window *window);

// Returns the number of unacknowledged batches.
uint64_t ship_window_get_unanswered(const ship_window *window);

// Returns an empty buffer for the next batch, with the memory of an acknowledged one: new memory
// would cost more than packing. The caller owns it.
lp_buf ship_window_take_spare(ship_window *window);

// Adds the next packed batch and takes ownership of *batch. There must be room.
void ship_window_push(ship_window *window, lp_buf *batch, int64_t now_ms);

// Returns whether the collector has postponed the remaining batches until by_ms or later, and no
// request is in flight or due before that.
bool ship_window_is_put_off(const ship_window *window, int64_t by_ms);

// Returns whether all requests are postponed for longer than SHIP_WINDOW_BUSY_MS, so that the
// collector has nothing to answer.
bool ship_window_rests(const ship_window *window, int64_t now_ms);

// Makes all postponed requests due at once: at the end of the JVM, or after a move, when times that
// the previous collector set no longer count.
void ship_window_hurry(ship_window *window, int64_t now_ms);

// Adds the bytes of JFR and of context records of the postponed batches.
void ship_window_sum_put_off(
    const ship_window *window, uint64_t *jfr_bytes, uint64_t *contexts_bytes);

// Sends a last Hello with these counters, borrowed for good, while the batches are postponed. No
// batch is sent after that.
void ship_window_leave(ship_window *window, const Loupe__Wire__Counters *counters, int64_t now_ms);

// Returns whether the collector has lost the session since the last call. Everything must then be
// sent again.
bool ship_window_take_forgotten(ship_window *window);

// Returns whether the collector has asked for acknowledged batches again since the last call, and
// sets *out_chunk to the lowest chunk of these. The window then sends no batch until
// ship_window_go_on.
bool ship_window_take_lacking(ship_window *window, uint32_t *out_chunk);

// Returns the lowest chunk of the unacknowledged batches; UINT32_MAX if there are none, or one is
// in flight.
uint32_t ship_window_find_lowest(const ship_window *window);

// Continues to send batches after ship_window_take_lacking. The owner sends everything from chunk
// begin on again, in new batches (UINT32_MAX: nothing). So the window empties the unacknowledged
// batches of these chunks, even those that the collector has on its disk: they may continue events
// whose begin the collector lacks, which it could not notice. If a batch is in flight, all batches
// stay unchanged: the collector will get all of them.
void ship_window_go_on(ship_window *window, uint32_t begin);

// Writes the collector's policy for this JVM to *out_policy and returns true if it has changed
// since the last call. At first there is no policy. The caller owns *out_policy.
bool ship_window_take_policy(ship_window *window, ship_policy *out_policy);

// Returns whether a request is in flight.
bool ship_window_owes_answer(const ship_window *window);

// Returns whether the last answer to a Hello was a refusal, and the next Hello was not sent yet.
// The collector is then reachable.
bool ship_window_is_refused(const ship_window *window);

// Returns the time at which the next request is due; INT64_MAX: none.
int64_t ship_window_get_due_ms(const ship_window *window);
