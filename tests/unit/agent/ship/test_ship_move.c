// SPDX-License-Identifier: Apache-2.0
// A link that has two collectors: it goes from the one that is away, silent or drained to the other
// one, says Hello there first, and what the former has not acknowledged comes there. The collectors
// are real ones of NNG's, the clock is the test's.

#include "support/certificates.h"
#include "support/fake_collector.h"
#include "support/files.h"

#include "agent/ship/dial/ship_endpoints.h"
#include "agent/ship/link/ship_link.h"
#include "agent/ship/link/ship_message.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    STEP_MS = 50,     // of the link's clock
    WAIT_MS = 5,      // at most, for something to happen
    SLOW_STEP_MS = 5, // about as fast as the time passes
    STEPS_MAX = 60 * 1000 / WAIT_MS,
};

typedef struct fixture {
    fake_collector *collectors[2];
    bool is_started[2];
    Loupe__Wire__Hello hello;
    uint8_t session[WIRE_SESSION_BYTES];
    int wake_fd;
    ship_link *link;
    int64_t now_ms;
    int64_t step_ms;   // STEP_MS, or SLOW_STEP_MS where handshakes need their time
    uint64_t sequence; // of the next batch
    // With TLS.
    certificates certificates;
    certificates_path ca;
    certificates_path identity; // of both collectors
    ship_tls tls;
} fixture;

// begin opens a link to collectors that are away.
static void
begin(fixture *f, const ship_tls *tls)
{
    f->step_ms = STEP_MS;
    f->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    assert_true(f->wake_fd >= 0);
    loupe__wire__hello__init(&f->hello);
    f->hello.session = (ProtobufCBinaryData){sizeof(f->session), f->session};
    const char *urls[2];
    for (int i = 0; i < 2; i++) {
        urls[i] = f->collectors[i]->url;
    }
    lp_problem problem;
    assert_int_equal(
        ship_link_open(urls, 2, tls, &f->hello, f->wake_fd, &f->link, &problem), LP_OK);
}

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    for (int i = 0; i < 2; i++) {
        f->collectors[i] = fake_collector_create();
    }
    begin(f, NULL);
    *state = f;
    return 0;
}

static int
set_up_tls(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->certificates = certificates_make();
    f->ca = certificates_find(&f->certificates, "ca.pem");
    f->identity = certificates_find(&f->certificates, "both.pem");
    lp_buf both = {0};
    files_read(certificates_find(&f->certificates, "server.pem").text, &both);
    files_read(certificates_find(&f->certificates, "server.key").text, &both);
    files_write(f->identity.text, both.ptr, both.len);
    lp_buf_fini(&both);
    for (int i = 0; i < 2; i++) {
        fake_collector *c = f->collectors[i] = fake_collector_create();
        (void)snprintf(c->url, sizeof(c->url), "tls+tcp://localhost:%d", c->port.number);
        c->identity = f->identity.text;
    }
    f->tls = (ship_tls){.ca = f->ca.text};
    begin(f, &f->tls);
    *state = f;
    return 0;
}

// After its first step a link is never closed, and what it borrowed stays.
static int
tear_down(void **state)
{
    fixture *f = *state;
    ship_link_hang_up(f->link);
    for (int i = 0; i < 2; i++) {
        if (f->is_started[i]) {
            fake_collector_stop(f->collectors[i]);
        }
        fake_collector_destroy(f->collectors[i]);
    }
    return 0;
}

static void
start(fixture *f, int index)
{
    fake_collector_start(f->collectors[index]);
    f->is_started[index] = true;
}

static void
stop(fixture *f, int index)
{
    fake_collector_stop(f->collectors[index]);
    f->is_started[index] = false;
}

static void
step(fixture *f)
{
    struct pollfd wake = {.fd = f->wake_fd, .events = POLLIN};
    ship_link_step(f->link, f->now_ms);
    (void)poll(&wake, 1, WAIT_MS);
    uint64_t count;
    ssize_t size = read(f->wake_fd, &count, sizeof(count));
    (void)size; // nothing was there, or it was counted
    f->now_ms += f->step_ms;
}

static uint64_t
peek(fixture *f, int index, const uint64_t *counter)
{
    return fake_collector_peek(f->collectors[index], counter);
}

// find_place steps until a collector was said Hello to, and returns which.
static int
find_place(fixture *f)
{
    for (int i = 0; i < STEPS_MAX; i++) {
        for (int j = 0; j < 2; j++) {
            if (peek(f, j, &f->collectors[j]->hello_count) > 0 &&
                ship_window_has_room(ship_link_get_window(f->link))) {
                return j;
            }
        }
        step(f);
    }
    fail_msg("no Hello");
    return -1;
}

static void
step_until(fixture *f, int index, const uint64_t *counter, uint64_t wanted)
{
    for (int i = 0; i < STEPS_MAX && peek(f, index, counter) < wanted; i++) {
        step(f);
    }
    assert_true(peek(f, index, counter) >= wanted);
}

static void
step_until_acknowledged(fixture *f)
{
    const ship_window *window = ship_link_get_window(f->link);
    for (int i = 0; i < STEPS_MAX && ship_window_get_unanswered(window) > 0; i++) {
        step(f);
    }
    assert_int_equal(ship_window_get_unanswered(window), 0);
}

// push waits for the answer to a Hello that is due.
static void
push(fixture *f)
{
    for (int i = 0; i < STEPS_MAX && !ship_window_has_room(ship_link_get_window(f->link)); i++) {
        step(f);
    }
    tail_piece piece = {.place = {.chunk = 1}};
    const ship_batch batch = {.session = f->session,
        .sequence = f->sequence++,
        .piece = &piece,
        .counters = LOUPE__WIRE__COUNTERS__INIT};
    lp_buf packed = {0};
    assert_int_equal(ship_message_pack_batch(&batch, &packed), LP_OK);
    ship_window_push(ship_link_get_window(f->link), &packed, f->now_ms);
    ship_link_send(f->link, f->now_ms);
}

// check_moved expects that the other one is told what the first has acknowledged, and gets the
// rest.
static void
check_moved(fixture *f, int first, uint64_t acknowledged)
{
    fake_collector *other = f->collectors[1 - first];
    assert_true(peek(f, 1 - first, &other->hello_count) >= 1);
    assert_int_equal(peek(f, 1 - first, &other->hello_next_sequence), acknowledged);
    assert_int_equal(peek(f, 1 - first, &other->batch_count), f->sequence - acknowledged);
    assert_int_equal(peek(f, 1 - first, &other->different_count), 0);
    assert_true(ship_window_take_forgotten(ship_link_get_window(f->link)));
}

static void
test_one_that_is_away_from_the_start_is_passed_by(void **state)
{
    fixture *f = *state;
    start(f, 1);
    assert_int_equal(find_place(f), 1);
    push(f);
    step_until_acknowledged(f);
    assert_int_equal(f->collectors[1]->batch_count, 1);
}

static void
test_one_that_ends_is_left(void **state)
{
    fixture *f = *state;
    start(f, 0);
    start(f, 1);
    int first = find_place(f);
    push(f);
    step_until_acknowledged(f);
    stop(f, first);
    push(f);
    push(f);
    step_until_acknowledged(f);
    check_moved(f, first, 1);
}

// What it was sent it has, perhaps. It has not said so.
static void
test_one_that_is_silent_is_left(void **state)
{
    fixture *f = *state;
    start(f, 0);
    start(f, 1);
    int first = find_place(f);
    fake_collector_set_answer(f->collectors[first], FAKE_COLLECTOR_SILENT);
    int64_t begin_ms = f->now_ms;
    for (int i = 0; i < SHIP_WINDOW_BATCHES_MAX; i++) { // as many as may be on their way
        push(f);
    }
    step_until_acknowledged(f);
    assert_in_range(f->now_ms - begin_ms, SHIP_ENDPOINTS_SILENT_MS, INT32_MAX);
    check_moved(f, first, 0);
}

static void
test_one_that_does_not_answer_hello_is_left(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < 2; i++) {
        f->collectors[i]->hello_answer = FAKE_COLLECTOR_SILENT;
        start(f, i);
    }
    while (peek(f, 0, &f->collectors[0]->hello_count) == 0 &&
           peek(f, 1, &f->collectors[1]->hello_count) == 0) {
        step(f);
    }
    int other = peek(f, 0, &f->collectors[0]->hello_count) > 0;
    step_until(f, other, &f->collectors[other]->hello_count, 1);
}

static void
set_drained(fixture *f, int index)
{
    (void)pthread_mutex_lock(&f->collectors[index]->mutex);
    f->collectors[index]->go_elsewhere = true;
    (void)pthread_mutex_unlock(&f->collectors[index]->mutex);
}

static void
test_one_that_is_drained_is_left_at_once(void **state)
{
    fixture *f = *state;
    start(f, 0);
    start(f, 1);
    int first = find_place(f);
    push(f);
    step_until_acknowledged(f);
    set_drained(f, first);
    push(f);
    step_until_acknowledged(f);
    step_until(f, 1 - first, &f->collectors[1 - first]->hello_count, 1);
    push(f);
    for (int i = 0;
         i < STEPS_MAX && peek(f, 1 - first, &f->collectors[1 - first]->batch_count) == 0; i++) {
        step(f);
    }
    step_until_acknowledged(f);
    check_moved(f, first, 2);
}

// The files of TLS are being replaced: what the agent has goes on, and it moves once they are
// there.
static void
test_one_stays_until_another_can_be_dialled(void **state)
{
    fixture *f = *state;
    start(f, 0);
    start(f, 1);
    f->step_ms = SLOW_STEP_MS;
    int first = find_place(f);
    push(f);
    step_until_acknowledged(f);
    f->step_ms = STEP_MS;
    if (peek(f, first, &f->collectors[first]->batch_count) == 0) {
        first = 1 - first; // a slow handshake was given up after Hello
    }
    uint64_t moves = ship_link_get_window(f->link)->moves;
    certificates_path aside = certificates_find(&f->certificates, "aside.pem");
    assert_int_equal(rename(f->ca.text, aside.text), 0);
    set_drained(f, first);
    for (int i = 0; i < 4; i++) { // for longer than until a move is tried again
        push(f);
        step_until_acknowledged(f);
        for (int j = 0; j < 1000 / STEP_MS; j++) {
            step(f);
        }
    }
    assert_int_equal(peek(f, first, &f->collectors[first]->hello_count), 1);
    assert_int_equal(peek(f, first, &f->collectors[first]->batch_count), f->sequence);
    assert_int_equal(ship_link_get_window(f->link)->moves, moves);
    assert_int_equal(rename(aside.text, f->ca.text), 0);
    f->step_ms = SLOW_STEP_MS;
    step_until(f, 1 - first, &f->collectors[1 - first]->hello_count, 1);
}

// Back and forth: each says Hello again to a session that it knows, and each batch is with one.
static void
test_it_goes_back_and_forth(void **state)
{
    fixture *f = *state;
    start(f, 0);
    start(f, 1);
    int place = find_place(f);
    for (int i = 0; i < 6; i++) {
        push(f);
        step_until_acknowledged(f);
        stop(f, place);
        push(f);
        step_until_acknowledged(f);
        start(f, place);
        place = 1 - place;
    }
    assert_int_equal(f->collectors[0]->batch_count + f->collectors[1]->batch_count, f->sequence);
    assert_true(peek(f, 0, &f->collectors[0]->hello_count) >= 3);
    assert_true(peek(f, 1, &f->collectors[1]->hello_count) >= 3);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_one_that_is_away_from_the_start_is_passed_by),
        TEST(test_one_that_ends_is_left),
        TEST(test_one_that_is_silent_is_left),
        TEST(test_one_that_does_not_answer_hello_is_left),
        TEST(test_one_that_is_drained_is_left_at_once),
        cmocka_unit_test_setup_teardown(
            test_one_stays_until_another_can_be_dialled, set_up_tls, tear_down),
        TEST(test_it_goes_back_and_forth),
    };
    return cmocka_run_group_tests_name("ship_move", tests, NULL, NULL);
}
