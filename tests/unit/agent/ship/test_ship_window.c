// SPDX-License-Identifier: Apache-2.0
// The window of requests: the test is the clock, the network and the collector.

#include "agent/ship/link/ship_window.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    HELLO = SHIP_WINDOW_HELLO_SLOT,
    SOON_MS = 1000,       // longer than anything waits but after a refusal
    LATER_MS = 60 * 1000, // longer than that
};

typedef struct fixture {
    uint8_t session[WIRE_SESSION_BYTES];
    Loupe__Wire__Hello hello;
    ship_window window;
    int64_t now_ms;
} fixture;

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->hello = (Loupe__Wire__Hello)LOUPE__WIRE__HELLO__INIT;
    f->hello.session = (ProtobufCBinaryData){sizeof(f->session), f->session};
    ship_window_init(&f->window, &f->hello);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    ship_window_fini(&f->window);
    free(f);
    return 0;
}

static Loupe__Wire__Request *
unpack(lp_slice bytes)
{
    Loupe__Wire__Request *request = loupe__wire__request__unpack(NULL, bytes.len, bytes.ptr);
    assert_non_null(request);
    return request;
}

// expect_hello checks that a Hello is due, and nothing else.
static void
expect_hello(fixture *f, uint64_t next_sequence)
{
    ship_sending sending;
    assert_true(ship_window_take_due(&f->window, f->now_ms, &sending));
    assert_int_equal(sending.slot, HELLO);
    Loupe__Wire__Request *request = unpack(sending.bytes);
    assert_int_equal(request->version, WIRE_VERSION);
    assert_int_equal(request->body_case, LOUPE__WIRE__REQUEST__BODY_HELLO);
    assert_int_equal(request->hello->next_sequence, next_sequence);
    loupe__wire__request__free_unpacked(request, NULL);
    assert_false(ship_window_take_due(&f->window, f->now_ms, &sending));
}

// expect_batch checks that this batch is the next that is due, and returns its slot.
static unsigned
expect_batch(fixture *f, uint64_t sequence)
{
    ship_sending sending;
    assert_true(ship_window_take_due(&f->window, f->now_ms, &sending));
    Loupe__Wire__Request *request = unpack(sending.bytes);
    assert_int_equal(request->version, WIRE_VERSION);
    assert_int_equal(request->body_case, LOUPE__WIRE__REQUEST__BODY_BATCH);
    assert_int_equal(request->batch->sequence, sequence);
    loupe__wire__request__free_unpacked(request, NULL);
    return sending.slot;
}

static void
expect_nothing(fixture *f)
{
    ship_sending sending;
    assert_false(ship_window_take_due(&f->window, f->now_ms, &sending));
}

static void
push(fixture *f)
{
    const tail_piece nothing = {.size = 0};
    const ship_batch batch = {
        .session = f->session,
        .sequence = f->window.next_sequence,
        .piece = &nothing,
        .counters = LOUPE__WIRE__COUNTERS__INIT,
    };
    lp_buf packed = ship_window_take_spare(&f->window);
    assert_int_equal(packed.len, 0);
    assert_int_equal(ship_message_pack_batch(&batch, &packed), LP_OK);
    ship_window_push(&f->window, &packed, f->now_ms);
}

static void
answer(fixture *f, unsigned slot, ship_reply reply)
{
    ship_window_note_reply(&f->window, slot, &reply, f->now_ms);
}

static void
greet(fixture *f)
{
    expect_hello(f, 0);
    answer(f, HELLO, (ship_reply){.status = SHIP_OK});
}

// The memory of a batch that may be sent again is not used for another one: expect_batch would read
// the wrong sequence.
static void
test_a_batch_gets_the_memory_of_an_acknowledged_one(void **state)
{
    fixture *f = *state;
    greet(f);
    push(f);
    push(f);
    unsigned first = expect_batch(f, 0);
    unsigned second = expect_batch(f, 1);
    const uint8_t *memory = f->window.slots[first].packed.ptr;
    answer(f, first, (ship_reply){.status = SHIP_OK});
    push(f);
    unsigned third = expect_batch(f, 2);
    assert_ptr_equal(f->window.slots[third].packed.ptr, memory);
    push(f);
    (void)expect_batch(f, 3);
    answer(f, second, (ship_reply){.status = SHIP_BUSY});
    f->now_ms += SOON_MS;
    assert_int_equal(expect_batch(f, 1), second);
    expect_nothing(f);
}

static void
test_batches_wait_for_hello_and_for_room(void **state)
{
    fixture *f = *state;
    unsigned slots[SHIP_WINDOW_BATCHES_MAX];
    assert_false(ship_window_has_room(&f->window));
    greet(f);
    for (unsigned i = 0; i < SHIP_WINDOW_BATCHES_MAX; i++) {
        assert_true(ship_window_has_room(&f->window));
        push(f);
        slots[i] = expect_batch(f, i);
    }
    assert_false(ship_window_has_room(&f->window));
    answer(f, slots[1], (ship_reply){.status = SHIP_OK});
    assert_false(ship_window_has_room(&f->window)); // the one before it is not acknowledged
    answer(f, slots[0], (ship_reply){.status = SHIP_OK});
    assert_int_equal(f->window.first_sequence, 2);
    assert_true(ship_window_has_room(&f->window));
    expect_nothing(f);
}

static void
test_what_failed_or_was_put_off_comes_again(void **state)
{
    fixture *f = *state;
    greet(f);
    push(f);
    push(f);
    unsigned first = expect_batch(f, 0);
    unsigned second = expect_batch(f, 1);
    ship_window_note_failed(&f->window, first, f->now_ms);
    answer(f, second, (ship_reply){.status = SHIP_BUSY});
    expect_nothing(f);
    assert_true(ship_window_get_due_ms(&f->window) <= f->now_ms + SOON_MS);
    f->now_ms += SOON_MS;
    answer(f, expect_batch(f, 0), (ship_reply){.status = SHIP_OK});
    answer(f, expect_batch(f, 1), (ship_reply){.status = SHIP_OK});
    assert_int_equal(f->window.first_sequence, 2);
    assert_false(ship_window_owes_answer(&f->window));
    assert_true(ship_window_get_due_ms(&f->window) == INT64_MAX);
}

static void
test_batches_of_a_session_that_is_lost_are_not_due(void **state)
{
    fixture *f = *state;
    greet(f);
    push(f);
    push(f);
    answer(f, expect_batch(f, 0), (ship_reply){.status = SHIP_REFUSED});
    const int64_t hello_ms = f->window.slots[HELLO].due_ms;
    assert_true(hello_ms > f->now_ms + SOON_MS);
    assert_int_equal(ship_window_get_due_ms(&f->window), hello_ms); // who waits sleeps until then
}

// The collector says when; an agent that believed any number would not come for seven weeks.
static void
test_what_was_put_off_comes_when_the_collector_says(void **state)
{
    fixture *f = *state;
    static const struct {
        uint32_t said_ms;
        int64_t waited_ms;
    } cases[] = {{0, 250}, {1, 250}, {251, 251}, {10000, 10000}, {30000, 30000}, {30001, 30000},
        {UINT32_MAX, 30000}};
    expect_hello(f, 0);
    answer(f, HELLO, (ship_reply){.status = SHIP_BUSY, .again_after_ms = 10000});
    assert_int_equal(ship_window_get_due_ms(&f->window), f->now_ms + 10000);
    f->now_ms += 10000;
    greet(f);
    push(f);
    unsigned slot = expect_batch(f, 0);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        answer(f, slot, (ship_reply){.status = SHIP_BUSY, .again_after_ms = cases[i].said_ms});
        assert_int_equal(ship_window_get_due_ms(&f->window), f->now_ms + cases[i].waited_ms);
        f->now_ms += cases[i].waited_ms - 1;
        expect_nothing(f);
        f->now_ms++;
        slot = expect_batch(f, 0);
    }
    answer(f, slot, (ship_reply){.status = SHIP_OK});
    assert_int_equal(f->window.first_sequence, 1);
}

static void
test_nothing_is_owed_while_all_is_put_off(void **state)
{
    fixture *f = *state;
    greet(f);
    assert_false(ship_window_rests(&f->window, f->now_ms)); // there is nothing
    push(f);
    push(f);
    unsigned first = expect_batch(f, 0);
    unsigned second = expect_batch(f, 1);
    answer(f, first, (ship_reply){.status = SHIP_BUSY, .again_after_ms = 10000});
    assert_false(ship_window_rests(&f->window, f->now_ms)); // the second is owed
    answer(f, second, (ship_reply){.status = SHIP_BUSY, .again_after_ms = 10000});
    assert_true(ship_window_rests(&f->window, f->now_ms));
    assert_false(ship_window_rests(&f->window, f->now_ms + 9750));

    f->now_ms += 10; // the JVM ends
    ship_window_hurry(&f->window, f->now_ms);
    first = expect_batch(f, 0);
    second = expect_batch(f, 1);
    answer(f, first, (ship_reply){.status = SHIP_OK});
    ship_window_note_failed(&f->window, second, f->now_ms); // that is no answer
    assert_false(ship_window_rests(&f->window, f->now_ms));
}

// An agent leaves only where nothing that it sent may be there after all: what it says is lost, is.
static void
test_who_is_put_off_for_longer_than_it_lives_leaves(void **state)
{
    fixture *f = *state;
    Loupe__Wire__Counters last = LOUPE__WIRE__COUNTERS__INIT;
    last.chunk_bytes_dropped = 17;
    greet(f);
    assert_false(ship_window_is_put_off(&f->window, 0)); // it has nothing
    push(f);
    push(f);
    assert_false(ship_window_is_put_off(&f->window, f->now_ms + 1)); // it may be taken
    unsigned first = expect_batch(f, 0);
    unsigned second = expect_batch(f, 1);
    answer(f, first, (ship_reply){.status = SHIP_BUSY, .again_after_ms = 10000});
    assert_false(ship_window_is_put_off(&f->window, f->now_ms)); // the second may be
    answer(f, second, (ship_reply){.status = SHIP_BUSY, .again_after_ms = 10000});
    assert_true(ship_window_is_put_off(&f->window, f->now_ms + 10000));
    assert_false(ship_window_is_put_off(&f->window, f->now_ms + 10001));

    ship_window_leave(&f->window, &last, f->now_ms);
    for (int i = 0; i < 2; i++) { // it goes on saying so until it is heard
        ship_sending sending;
        assert_false(f->window.has_left);
        assert_false(ship_window_has_room(&f->window));
        assert_true(ship_window_take_due(&f->window, f->now_ms, &sending));
        Loupe__Wire__Request *request = unpack(sending.bytes);
        assert_int_equal(request->body_case, LOUPE__WIRE__REQUEST__BODY_HELLO);
        assert_non_null(request->hello->last_counters);
        assert_int_equal(request->hello->last_counters->chunk_bytes_dropped, 17);
        loupe__wire__request__free_unpacked(request, NULL);
        answer(f, HELLO, (ship_reply){.status = i == 0 ? SHIP_BUSY : SHIP_OK});
        f->now_ms += SOON_MS;
    }
    assert_true(f->window.has_left);
    f->now_ms += LATER_MS; // by which batches would be due
    expect_nothing(f);
}

static void
test_an_unknown_session_says_hello_and_skips_what_is_there(void **state)
{
    fixture *f = *state;
    greet(f);
    push(f);
    push(f);
    unsigned first = expect_batch(f, 0);
    unsigned second = expect_batch(f, 1);
    answer(f, first, (ship_reply){.status = SHIP_UNKNOWN_SESSION});
    answer(f, second, (ship_reply){.status = SHIP_UNKNOWN_SESSION});
    assert_true(ship_window_take_forgotten(&f->window));
    assert_false(ship_window_take_forgotten(&f->window));
    f->now_ms += SOON_MS;
    expect_hello(f, 0);
    answer(f, HELLO, (ship_reply){.status = SHIP_OK, .next_sequence = 1}); // the first is there
    answer(f, expect_batch(f, 1), (ship_reply){.status = SHIP_OK});
    assert_int_equal(f->window.first_sequence, 2);
}

static void
test_a_batch_that_was_acknowledged_behind_another_goes_again(void **state)
{
    fixture *f = *state;
    greet(f);
    for (unsigned i = 0; i < 3; i++) {
        push(f);
        (void)expect_batch(f, i);
    }
    answer(f, 1, (ship_reply){.status = SHIP_OK});
    answer(f, 2, (ship_reply){.status = SHIP_OK});
    // The machine loses its power, and with it batch 2.
    answer(f, 0, (ship_reply){.status = SHIP_UNKNOWN_SESSION});
    f->now_ms += LATER_MS;
    expect_hello(f, 0);
    answer(f, HELLO, (ship_reply){.status = SHIP_OK, .next_sequence = 2});
    assert_int_equal(expect_batch(f, 2), 2);
    expect_nothing(f);
    answer(f, 2, (ship_reply){.status = SHIP_OK});
    assert_int_equal(f->window.first_sequence, 3);
}

static void
test_a_hello_that_says_too_little_is_said_again(void **state)
{
    fixture *f = *state;
    greet(f);
    push(f);
    push(f);
    (void)expect_batch(f, 0);
    (void)expect_batch(f, 1);
    answer(f, 1, (ship_reply){.status = SHIP_UNKNOWN_SESSION});
    f->now_ms += LATER_MS;
    expect_hello(f, 0);
    // While it is on its way the other one is acknowledged, and the collector replaced.
    answer(f, 0, (ship_reply){.status = SHIP_OK});
    answer(f, HELLO, (ship_reply){.status = SHIP_OK, .next_sequence = 0});
    f->now_ms += LATER_MS;
    expect_hello(f, 1);
    answer(f, HELLO, (ship_reply){.status = SHIP_OK, .next_sequence = 1});
    assert_int_equal(expect_batch(f, 1), 1);
}

static void
test_an_answer_of_another_version_is_a_refusal(void **state)
{
    (void)state;
    static const char *const messages[] = {"as it says itself", ""};
    static const char *const expected[] = {
        "as it says itself", "it speaks version 2 of the protocol, this agent version 1"};
    for (size_t i = 0; i < 2; i++) {
        Loupe__Wire__Reply message = LOUPE__WIRE__REPLY__INIT;
        uint8_t bytes[64];
        message.version = 2;
        message.next_sequence = 7; // whatever that is by then
        message.message = (char *)(uintptr_t)messages[i];
        size_t size = loupe__wire__reply__pack(&message, bytes);
        ship_reply reply = ship_message_unpack_reply((lp_slice){bytes, size});
        assert_int_equal(reply.status, SHIP_REFUSED);
        assert_int_equal(reply.next_sequence, 0);
        assert_string_equal(reply.message, expected[i]);
        ship_message_reply_fini(&reply);
    }
}

// expect_token checks that a Hello is due at now_ms, and its token.
static void
expect_token(fixture *f, const char *expected)
{
    ship_sending sending;
    assert_true(ship_window_take_due(&f->window, f->now_ms, &sending));
    Loupe__Wire__Request *request = unpack(sending.bytes);
    assert_int_equal(request->body_case, LOUPE__WIRE__REQUEST__BODY_HELLO);
    assert_int_equal(request->hello->token.len, strlen(expected));
    if (expected[0] != '\0') {
        assert_memory_equal(request->hello->token.data, expected, strlen(expected));
    }
    loupe__wire__request__free_unpacked(request, NULL);
}

// The pauses grow to a limit, begin anew once the agent was let in, and the token is the one that
// the option names at the time.
static void
test_an_agent_that_is_not_let_in_tries_again_and_again(void **state)
{
    fixture *f = *state;
    const ship_reply denied = {.status = SHIP_NOT_ALLOWED, .message = "no"};
    f->window.token = "first";
    expect_token(f, "first");
    f->window.token = "second";
    int64_t pause_ms = 1000;
    for (int i = 0; i < 8; i++) {
        assert_false(ship_window_is_refused(&f->window)); // it may be gone by now
        answer(f, HELLO, denied);
        assert_true(ship_window_is_refused(&f->window));
        assert_false(ship_window_has_room(&f->window));
        f->now_ms += pause_ms - 1;
        expect_nothing(f);
        f->now_ms++;
        expect_token(f, "second");
        pause_ms =
            pause_ms * 2 < SHIP_WINDOW_DENIED_MS_MAX ? pause_ms * 2 : SHIP_WINDOW_DENIED_MS_MAX;
    }
    answer(f, HELLO, (ship_reply){.status = SHIP_OK});
    assert_false(ship_window_is_refused(&f->window));
    push(f);
    answer(f, expect_batch(f, 0), (ship_reply){.status = SHIP_UNKNOWN_SESSION});
    assert_false(ship_window_is_refused(&f->window));
    f->now_ms += SOON_MS;
    expect_token(f, "second");
    answer(f, HELLO, denied); // the pauses are short again
    f->now_ms += SOON_MS;
    expect_token(f, "second");
    answer(f, HELLO, (ship_reply){.status = SHIP_OK});
    (void)expect_batch(f, 0);
}

static void
test_a_token_that_cannot_be_read_is_none(void **state)
{
    fixture *f = *state;
    f->window.token = "@/there/is/no/such/file";
    expect_token(f, ""); // a collector that asks for one says so
}

static void
test_another_policy_is_asked_for(void **state)
{
    fixture *f = *state;
    ship_policy policy;
    greet(f);
    push(f);
    answer(f, expect_batch(f, 0), (ship_reply){.status = SHIP_OK, .policy = {.id = 7}});
    assert_false(ship_window_take_policy(&f->window, &policy));
    expect_hello(f, 1);
    assert_true(ship_window_has_room(&f->window)); // the session is known all the time
    answer(f, HELLO, (ship_reply){.status = SHIP_OK, .policy = {.id = 7}});
    assert_true(ship_window_take_policy(&f->window, &policy));
    assert_true(policy.id == 7);
    ship_policy_fini(&policy);
    expect_nothing(f);
}

static void
test_what_is_lacking_is_asked_for_once(void **state)
{
    fixture *f = *state;
    uint32_t chunk;
    expect_hello(f, 0);
    answer(f, HELLO, (ship_reply){.status = SHIP_OK, .lacking_chunk = 4, .durable_sequence = 7});
    assert_true(ship_window_take_lacking(&f->window, &chunk));
    assert_int_equal(chunk, 3);
    assert_false(ship_window_take_lacking(&f->window, &chunk));
    assert_int_equal(f->window.durable_sequence, 7);
    assert_false(ship_window_has_room(&f->window)); // until what lacks is looked for
    ship_window_go_on(&f->window, UINT32_MAX);
    push(f);
    answer(f, expect_batch(f, 0),
        (ship_reply){.status = SHIP_OK, .lacking_chunk = 4, .durable_sequence = 5});
    assert_false(ship_window_take_lacking(&f->window, &chunk)); // only a Hello's answer asks
    assert_int_equal(f->window.durable_sequence, 7);
}

// push_of pushes a batch of a chunk, with context records, that begins the chunk again.
static void
push_of(fixture *f, uint32_t chunk)
{
    static const uint8_t records[] = {1, 2, 3};
    const tail_piece piece = {.place = {.chunk = chunk, .offset = 7}};
    const ship_batch batch = {
        .session = f->session,
        .sequence = f->window.next_sequence,
        .piece = &piece,
        .contexts_packed = {records, sizeof(records)},
        .contexts_size = 10,
        .counters = LOUPE__WIRE__COUNTERS__INIT,
        .is_last = true,
        .begins_again = true,
    };
    lp_buf packed = {0};
    assert_int_equal(ship_message_pack_batch(&batch, &packed), LP_OK);
    ship_window_push(&f->window, &packed, f->now_ms);
}

// expect_of expects the next batch that is due: one with nothing, of this chunk, or one as push_of
// makes it.
static void
expect_of(fixture *f, uint64_t sequence, uint32_t chunk, bool is_empty)
{
    ship_sending sending;
    assert_true(ship_window_take_due(&f->window, f->now_ms, &sending));
    Loupe__Wire__Request *request = unpack(sending.bytes);
    const Loupe__Wire__Batch *batch = request->batch;
    assert_int_equal(batch->sequence, sequence);
    assert_memory_equal(batch->session.data, f->session, sizeof(f->session));
    assert_int_equal(batch->chunk, chunk);
    assert_int_equal(batch->chunk_offset, is_empty ? 0 : 7);
    assert_int_equal(batch->contexts_size, is_empty ? 0 : 10);
    assert_int_equal(batch->contexts_packed.len, is_empty ? 0 : 3);
    assert_int_equal(batch->is_last, !is_empty);
    assert_int_equal(batch->begins_again, !is_empty);
    assert_non_null(batch->counters);
    loupe__wire__request__free_unpacked(request, NULL);
}

// lack has the collector of a moved agent, which has pushed batches of chunks 4, 6 and 8 and no
// answer to them, lack something; of it the first so many are on the former's disk.
static void
lack(fixture *f, uint64_t durable)
{
    expect_hello(f, 0);
    answer(f, HELLO, (ship_reply){.status = SHIP_OK});
    for (uint32_t chunk = 4; chunk <= 8; chunk += 2) {
        push_of(f, chunk);
        unsigned slot = expect_batch(f, chunk / 2 - 2);
        ship_window_note_failed(&f->window, slot, f->now_ms);
    }
    assert_int_equal(ship_window_find_lowest(&f->window), 4);
    f->window.durable_sequence = durable;
    ship_window_note_moved(&f->window, f->now_ms);
    expect_hello(f, 0);
    answer(f, HELLO, (ship_reply){.status = SHIP_OK, .lacking_chunk = 1});
    expect_nothing(f);
    uint32_t chunk;
    assert_true(ship_window_take_lacking(&f->window, &chunk));
    expect_nothing(f);
}

static void
test_what_comes_again_is_not_sent_twice(void **state)
{
    fixture *f = *state;
    lack(f, 0);
    ship_window_go_on(&f->window, 6);
    expect_of(f, 0, 4, false);
    expect_of(f, 1, 6, true);
    expect_of(f, 2, 6, true);
}

static void
test_what_is_on_a_disk_is_not_sent_again_where_something_lacks(void **state)
{
    fixture *f = *state;
    lack(f, 1);
    ship_window_go_on(&f->window, 8);
    expect_of(f, 0, 8, true);
    expect_of(f, 1, 6, false);
    expect_of(f, 2, 8, true);
}

// As after a connection was lost: what is on its way may go on with what is not.
static void
test_where_something_is_on_its_way_all_stays_as_it_is(void **state)
{
    fixture *f = *state;
    lack(f, 0);
    f->window.slots[1].state = SHIP_SLOT_SENT;
    assert_int_equal(ship_window_find_lowest(&f->window), UINT32_MAX);
    ship_window_go_on(&f->window, 4);
    expect_of(f, 0, 4, false);
    expect_of(f, 2, 8, false);
}

static void
test_what_does_not_come_again_is_sent_as_it_is(void **state)
{
    fixture *f = *state;
    lack(f, 0);
    ship_window_go_on(&f->window, UINT32_MAX);
    for (uint32_t i = 0; i < 3; i++) {
        expect_of(f, i, 4 + 2 * i, false);
    }
    assert_int_equal(ship_window_find_lowest(&f->window), UINT32_MAX); // all are on their way
}

// answer_for_a_minute plays a collector that answers each batch like that and each Hello with
// SHIP_OK, while the clock goes on. Returns the bytes of batches that it was sent.
static size_t
answer_for_a_minute(fixture *f, ship_reply to_batch)
{
    size_t bytes = 0;
    for (int64_t end_ms = f->now_ms + LATER_MS; f->now_ms < end_ms; f->now_ms += 10) {
        for (ship_sending next; ship_window_take_due(&f->window, f->now_ms, &next);) {
            bytes += next.slot == HELLO ? 0 : next.bytes.len;
            answer(f, next.slot, next.slot == HELLO ? (ship_reply){.status = SHIP_OK} : to_batch);
        }
    }
    return bytes;
}

static void
push_large(fixture *f, size_t size)
{
    push(f);
    ship_slot *slot = &f->window.slots[(f->window.next_sequence - 1) % SHIP_WINDOW_BATCHES_MAX];
    uint8_t *more = lp_buf_extend(&slot->packed, size);
    assert_non_null(more);
    memset(more, 0, size);
}

static void
test_batches_are_sent_again_so_often_only(void **state)
{
    static const ship_status statuses[] = {SHIP_BUSY, SHIP_UNKNOWN_SESSION};
    fixture *f = *state;
    greet(f);
    for (unsigned i = 0; i < SHIP_WINDOW_BATCHES_MAX; i++) {
        push_large(f, 1 << 20);
    }
    for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
        for (int minute = 0; minute < 3; minute++) {
            size_t bytes = answer_for_a_minute(f, (ship_reply){.status = statuses[i]});
            size_t first = minute == 0 && i == 0 ? (size_t)7 << 20 : 0;
            size_t max = (size_t)(SHIP_WINDOW_RESENDS.at_once + SHIP_WINDOW_RESENDS.per_minute);
            assert_in_range(bytes, 7 << 20, first + max + (1 << 20) + 1000);
        }
    }
    assert_true(f->window.resends.reached_count > 0);
    // None of them is lost for that.
    (void)answer_for_a_minute(f, (ship_reply){.status = SHIP_OK});
    assert_int_equal(f->window.first_sequence, SHIP_WINDOW_BATCHES_MAX);
}

static void
test_a_session_is_introduced_so_often_only(void **state)
{
    fixture *f = *state;
    unsigned hellos = 0;
    for (int64_t end_ms = 10 * LATER_MS; f->now_ms < end_ms; f->now_ms += 10) {
        if (ship_window_has_room(&f->window)) {
            push(f);
        }
        for (ship_sending next; ship_window_take_due(&f->window, f->now_ms, &next);) {
            bool is_hello = next.slot == HELLO;
            hellos += is_hello;
            answer(f, next.slot, (ship_reply){.status = is_hello ? SHIP_OK : SHIP_UNKNOWN_SESSION});
        }
        (void)ship_window_take_forgotten(&f->window);
    }
    int64_t max = 1 + SHIP_WINDOW_GREETINGS.at_once + 10 * SHIP_WINDOW_GREETINGS.per_minute;
    assert_in_range(hellos, max / 2, max + 1);
    assert_true(f->window.greetings.reached_count > 0);
}

// go_on pushes a batch if there is room, and answers what is due: each batch tells of another
// policy, and each Hello's answer brings another one, or none. Returns how many Hellos there were.
static unsigned
go_on(fixture *f, bool brings_policies, uint64_t *id)
{
    unsigned hellos = 0;
    if (ship_window_has_room(&f->window)) {
        push(f);
    }
    for (ship_sending next; ship_window_take_due(&f->window, f->now_ms, &next);) {
        bool is_hello = next.slot == HELLO;
        hellos += is_hello;
        uint64_t told = is_hello && !brings_policies ? 0 : ++*id;
        answer(f, next.slot, (ship_reply){.status = SHIP_OK, .policy = {.id = told}});
    }
    return hellos;
}

static void
test_a_policy_is_followed_so_often_only(void **state)
{
    fixture *f = *state;
    unsigned policies = 0;
    uint64_t id = 0;
    for (int64_t end_ms = 10 * LATER_MS; f->now_ms < end_ms; f->now_ms += 100) {
        (void)go_on(f, true, &id);
        ship_policy policy;
        if (ship_window_take_policy(&f->window, &policy)) {
            policies++;
            ship_policy_fini(&policy);
        }
    }
    int64_t max = SHIP_WINDOW_POLICIES.at_once + 10 * SHIP_WINDOW_POLICIES.per_minute;
    assert_in_range(policies, max - 2, max + 1);
    // Then it has the one that there is.
    f->now_ms += LATER_MS;
    push(f);
    for (int i = 0; i < 2; i++) {
        for (ship_sending next; ship_window_take_due(&f->window, f->now_ms, &next);) {
            answer(f, next.slot, (ship_reply){.status = SHIP_OK, .policy = {.id = 77777}});
        }
    }
    ship_policy last;
    assert_true(ship_window_take_policy(&f->window, &last));
    assert_true(last.id == 77777);
    ship_policy_fini(&last);
}

// Batches are told of one policy after the other, of which no Hello's answer has any.
static void
test_a_policy_is_asked_for_so_often_only(void **state)
{
    fixture *f = *state;
    unsigned hellos = 0;
    uint64_t id = 0;
    for (int64_t end_ms = 10 * LATER_MS; f->now_ms < end_ms; f->now_ms += 100) {
        hellos += go_on(f, false, &id);
    }
    int64_t max = SHIP_WINDOW_POLICIES.at_once + 10 * SHIP_WINDOW_POLICIES.per_minute;
    assert_in_range(hellos, max - 2, max + 2); // with the first one
}

// make_policy makes a policy with so many empty settings.
static ship_policy
make_policy(uint64_t id, size_t count)
{
    Loupe__Wire__JvmPolicy__Setting setting = LOUPE__WIRE__JVM_POLICY__SETTING__INIT;
    Loupe__Wire__JvmPolicy__Setting **items = calloc(count, sizeof(*items));
    assert_non_null(items);
    for (size_t i = 0; i < count; i++) {
        items[i] = &setting;
    }
    Loupe__Wire__JvmPolicy message = LOUPE__WIRE__JVM_POLICY__INIT;
    message.n_settings = count;
    message.settings = items;
    size_t size = loupe__wire__jvm_policy__get_packed_size(&message);
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    (void)loupe__wire__jvm_policy__pack(&message, bytes);
    ship_policy policy = {id, loupe__wire__jvm_policy__unpack(NULL, size, bytes)};
    assert_non_null(policy.settings);
    free(bytes);
    free((void *)items);
    return policy;
}

static void
test_a_policy_that_is_too_large_is_not_followed(void **state)
{
    fixture *f = *state;
    ship_policy policy;
    expect_hello(f, 0);
    ship_reply reply = {.status = SHIP_OK, .policy = make_policy(1, SHIP_WINDOW_SETTINGS_MAX + 1)};
    ship_window_note_reply(&f->window, HELLO, &reply, f->now_ms);
    ship_policy_fini(&reply.policy);
    assert_false(ship_window_take_policy(&f->window, &policy));
    push(f);
    answer(f, expect_batch(f, 0), (ship_reply){.status = SHIP_OK, .policy = {.id = 1}});
    expect_nothing(f); // it is not asked for again
    push(f);
    answer(f, expect_batch(f, 1), (ship_reply){.status = SHIP_OK, .policy = {.id = 2}});
    expect_hello(f, 2);
    reply = (ship_reply){.status = SHIP_OK, .policy = make_policy(2, SHIP_WINDOW_SETTINGS_MAX)};
    ship_window_note_reply(&f->window, HELLO, &reply, f->now_ms);
    assert_true(ship_window_take_policy(&f->window, &policy));
    assert_int_equal(policy.settings->n_settings, SHIP_WINDOW_SETTINGS_MAX);
    ship_policy_fini(&policy);
}

// Nothing that the former collector said holds for the other one, and what was on its way goes
// again, behind Hello.
static void
test_a_move_begins_with_hello(void **state)
{
    fixture *f = *state;
    expect_hello(f, 0);
    answer(f, HELLO, (ship_reply){.status = SHIP_OK});
    for (int i = 0; i < 3; i++) {
        push(f);
    }
    unsigned first = expect_batch(f, 0);
    unsigned second = expect_batch(f, 1);
    unsigned third = expect_batch(f, 2);
    answer(f, first, (ship_reply){.status = SHIP_OK});
    answer(f, third, (ship_reply){.status = SHIP_BUSY, .again_after_ms = 20000});
    f->window.lacking_chunk = 3; // it was not acted on yet
    ship_window_note_moved(&f->window, f->now_ms);
    expect_nothing(f); // while something is on its way
    ship_window_note_dropped(&f->window, second, f->now_ms);
    expect_hello(f, 1);
    uint32_t chunk;
    assert_false(ship_window_take_lacking(&f->window, &chunk));
    assert_true(ship_window_take_forgotten(&f->window));
    answer(f, HELLO, (ship_reply){.status = SHIP_OK, .next_sequence = 1});
    assert_int_equal(expect_batch(f, 1), second);
    assert_int_equal(expect_batch(f, 2), third); // however long it was put off for
}

// Also while Hello is on its way, and where the former collector refuses it.
static void
test_a_hello_is_said_anew_after_a_move(void **state)
{
    fixture *f = *state;
    expect_hello(f, 0);
    ship_window_note_moved(&f->window, f->now_ms);
    expect_nothing(f);
    ship_window_note_dropped(&f->window, HELLO, f->now_ms);
    expect_hello(f, 0);
    answer(f, HELLO, (ship_reply){.status = SHIP_REFUSED});
    expect_nothing(f);
    ship_window_note_moved(&f->window, f->now_ms);
    assert_false(ship_window_is_refused(&f->window));
    expect_hello(f, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_a_batch_gets_the_memory_of_an_acknowledged_one),
        TEST(test_batches_wait_for_hello_and_for_room),
        TEST(test_what_failed_or_was_put_off_comes_again),
        TEST(test_batches_of_a_session_that_is_lost_are_not_due),
        TEST(test_what_was_put_off_comes_when_the_collector_says),
        TEST(test_nothing_is_owed_while_all_is_put_off),
        TEST(test_who_is_put_off_for_longer_than_it_lives_leaves),
        TEST(test_an_unknown_session_says_hello_and_skips_what_is_there),
        TEST(test_a_batch_that_was_acknowledged_behind_another_goes_again),
        TEST(test_a_hello_that_says_too_little_is_said_again),
        TEST(test_an_answer_of_another_version_is_a_refusal),
        TEST(test_an_agent_that_is_not_let_in_tries_again_and_again),
        TEST(test_a_token_that_cannot_be_read_is_none),
        TEST(test_another_policy_is_asked_for),
        TEST(test_what_is_lacking_is_asked_for_once),
        TEST(test_what_comes_again_is_not_sent_twice),
        TEST(test_what_is_on_a_disk_is_not_sent_again_where_something_lacks),
        TEST(test_where_something_is_on_its_way_all_stays_as_it_is),
        TEST(test_what_does_not_come_again_is_sent_as_it_is),
        TEST(test_a_move_begins_with_hello),
        TEST(test_a_hello_is_said_anew_after_a_move),
        TEST(test_batches_are_sent_again_so_often_only),
        TEST(test_a_session_is_introduced_so_often_only),
        TEST(test_a_policy_is_followed_so_often_only),
        TEST(test_a_policy_is_asked_for_so_often_only),
        TEST(test_a_policy_that_is_too_large_is_not_followed),
    };
    return cmocka_run_group_tests_name("ship_window", tests, NULL, NULL);
}
