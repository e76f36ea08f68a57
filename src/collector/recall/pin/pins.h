// SPDX-License-Identifier: Apache-2.0

// pins: what people and alerts want to keep, however the policy decides: chunks of a time, of some
// services or of a recording, and in them everything, or a trace, a request or a thread. A pin has
// the chunks that existed when it was made, and those that come later and overlap its time. Of a
// trace they must have its id. recall_queue.h keeps them.
//
// A pin with the key and services of an earlier one is that one. pin_file.h has them survive a
// restart.
//
// Threads: any thread; a mutex protects them.
// Tests:   tests/unit/collector/recall/pin/test_pins.c
// Memory:  40 bytes for each chunk of a pin, until the pin is forgotten

#pragma once

#include "collector/store/catalog/catalog.h"
#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"
#include "common/rollup/rollup_id.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    PINS_MAX = 256,               // further ones must wait until earlier ones are forgotten
    PINS_MINUTE_MAX = 64,         // that are made within a minute, but copies
    PINS_CHUNKS_MAX = 20000,      // of one pin; others count as left out
    PINS_CHUNKS_ALL_MAX = 200000, // of all pins together
    PINS_KEY_BYTES_MAX = 128,     // of a key
    PINS_REASON_BYTES_MAX = 256,
    PINS_NAME_BYTES_MAX = 1024, // of the services
    PINS_ID_BYTES_MAX = 256,    // of the id of a trace or request, or the name of a thread
    PINS_SETTLED_S = 600,       // after its time has ended, when nothing waits: see is_settled
    PINS_FORGET_S = 3600,       // after it was made and its time has ended, when nothing waits
};

typedef struct pin_chunk {
    char session_id[CATALOG_ID_CHARS + 1];
    uint32_t ordinal;
} pin_chunk;

typedef LP_VEC(pin_chunk) pin_chunks;

// What a pin wants of its chunks.
typedef enum pin_kind {
    PIN_ALL,     // everything
    PIN_TRACE,   // contexts with an id, such as that of a trace (rollup_id.h)
    PIN_REQUEST, // the request with an id (query/select/request_id.h)
    PIN_THREAD,  // threads with a name or a Java thread id (query/select/selection.h)
} pin_kind;

typedef struct pin_selection {
    pin_kind kind;
    char id[PINS_ID_BYTES_MAX + 1]; // "": PIN_ALL
} pin_selection;

// What became of a chunk.
typedef enum pin_outcome {
    PIN_KEPT,        // it is stored with all events, perhaps by an earlier pin
    PIN_MISSING,     // there is no raw data of it (any more), or the chunk is gone
    PIN_FAILED,      // it could not be compacted or stored
    PIN_WITHOUT,     // it has nothing of the trace, request or thread
    PIN_OVER_BUDGET, // the service's recall-budget is used up (recall_budget.h)
    PIN_OUTCOME_COUNT,
} pin_outcome;

// Who made a pin.
typedef enum pin_origin {
    PIN_BY_CALLER,  // over HTTP
    PIN_BY_CRASH,   // the rule `pin-when crash` (auto_pin.h)
    PIN_BY_LATENCY, // a rule such as `pin-when p99>1s for 1m`
} pin_origin;

typedef struct pin {
    uint64_t id; // of pins_add
    pin_origin origin;
    char key[PINS_KEY_BYTES_MAX + 1];
    char service[PINS_NAME_BYTES_MAX + 1]; // one or several, a '\n' between them; "": all
    char session_id[CATALOG_ID_CHARS + 1]; // of this recording alone; "": of all of the services
    pin_selection selection;
    char reason[PINS_REASON_BYTES_MAX + 1];
    char owner[PINS_KEY_BYTES_MAX + 1]; // who made it; "": unknown
    int64_t from_wall_ns;
    int64_t to_wall_ns;
    int64_t made_wall_ns;
    uint64_t waiting; // chunks
    uint64_t outcomes[PIN_OUTCOME_COUNT];
    uint64_t left_out; // over PINS_CHUNKS_MAX or PINS_CHUNKS_ALL_MAX
    bool is_settled;   // no further chunk is expected: a restart does not look for chunks
    // Only if several collectors share the catalog (pin_peers.h):
    uint64_t found;  // chunks that had raw data at this collector when it heard of the pin
    uint64_t stored; // chunks in the catalog when the pin was made; 0: another collector made it
    bool is_copy;    // another collector made it
    bool is_anytime; // its time begins with the chunks of its trace, which each collector looks for
} pin;

typedef struct pins pins;

// pins_create returns NULL if memory ran out.
pins *pins_create(void);
void pins_destroy(pins *pins); // NULL is fine

// pins_add adds a pin, unless there is one with its key and services. *out_pin is the pin as it is
// now, and *out_is_new whether it is new. The caller then lists the chunks that exist, and passes
// them to pins_fill: in this order no chunk is missed that is stored meanwhile. Errors: LP_ELIMIT
// PINS_MAX; LP_EAGAIN PINS_MINUTE_MAX; LP_ENOMEM
LP_MUST_USE lp_err pins_add(pins *pins, const pin *asked, pin *out_pin, bool *out_is_new);

// pins_fill adds chunks to a pin, apart from those that it has. *out_pin is the pin as it is now;
// it stays as it was if the pin is forgotten.
void pins_fill(pins *pins, uint64_t id, const pin_chunks *chunks, pin *out_pin);

// pins_has returns whether there is a pin with the key and services of another one.
bool pins_has(pins *pins, const pin *as);

// pins_count sets found and stored of a pin, unless the ones that it has are higher.
void pins_count(pins *pins, uint64_t id, uint64_t found, uint64_t stored);

// pins_cancel forgets a pin whose chunks could not be listed, unless a chunk of it waits.
void pins_cancel(pins *pins, uint64_t id);

// pins_each calls on_pin for each pin, the latest first. on_pin must not use pins.
void pins_each(pins *pins, void (*on_pin)(void *arg, const pin *pin), void *arg);

// A chunk that was just stored. ids are tidy (rollup_id.h).
typedef struct pin_stored {
    pin_chunk chunk;
    const char *service;
    int64_t start_wall_ns;
    int64_t end_wall_ns; // pins_stored_end
    const rollup_ids *ids;
    bool is_before; // the ids are of the next chunk: only pins of a trace want it
} pin_stored;

// pins_stored_end returns the end of a chunk. The header that a JVM sent may have an absurd
// duration: the chunk then ends where it begins.
int64_t pins_stored_end(int64_t start_wall_ns, int64_t duration_ns);

// pins_expect adds a chunk that was just stored to the pins that it belongs to.
void pins_expect(pins *pins, const pin_stored *stored);

// pins_has_service returns whether a service is among those of a pin.
bool pins_has_service(const pin *pin, const char *service);

// pins_has_id returns whether a chunk with these ids has something of what a selection wants.
bool pins_has_id(const pin_selection *selection, const rollup_ids *ids);

// A chunk to keep, and what a pin wants of it.
typedef struct pin_work {
    pin_chunk chunk;
    uint64_t pin_id;
    pin_origin origin;
    pin_selection selection;
    int64_t from_wall_ns; // of the pin
    int64_t to_wall_ns;
} pin_work;

// pins_take takes a chunk that waits. Pins take turns: raw data of a small pin must not expire
// while a large one is in work. False: nothing waits.
bool pins_take(pins *pins, pin_work *out_work);

// pins_note notes what became of a chunk that pins_take returned.
void pins_note(pins *pins, uint64_t id, pin_outcome outcome);

// pins_get_version returns a number that changes with the list of pins, and when the last chunk of
// a pin no longer waits.
uint64_t pins_get_version(pins *pins);

// pins_forget forgets pins that are done, and notes which are settled.
void pins_forget(pins *pins, int64_t now_wall_ns);
