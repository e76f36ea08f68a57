// SPDX-License-Identifier: Apache-2.0

// A stranger who knows the id of a session, and can reach the port, gets nothing of it and does
// nothing to it: the agent whose session it is goes on, and all that it sent is there once, under
// its name.
//
// The stranger tries over a connection of his own, between any two batches of the agent's.

#include "unit/collector/server/collector_rig.h"
#include "unit/collector/server/tick_chunk.h"
#include "unit/collector/server/wire_client.h"

#include "collector/base/metrics.h"
#include "collector/intake/agent_protocol.h"

#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    TICKS_EACH = 5, // of a batch
    TICKS_MAX = 1000,
};

static const int64_t SECOND_NS = 1000000000;

typedef struct fixture {
    collector_rig rig;
    wire_client agent;
    wire_client stranger;
    char id[33]; // of the session
    tick_chunk ticks;
    size_t sent;
    uint64_t sequence;
    uint64_t number;
} fixture;

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    collector_rig_init(&f->rig);
    collector_rig_start(&f->rig);
    wire_client_open(&f->agent, f->rig.agents_url, 0x5a);
    wire_client_open(&f->stranger, f->rig.agents_url, 0x5a);
    memset(f->stranger.secret, 0xee, sizeof(f->stranger.secret));
    wire_client_id(&f->agent, f->id);
    tick_chunk_init(&f->ticks, 1700000000000000000);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    wire_client_close(&f->agent);
    wire_client_close(&f->stranger);
    collector_rig_fini(&f->rig);
    tick_chunk_fini(&f->ticks);
    free(f);
    return 0;
}

static void
hello(fixture *f)
{
    wire_answer answer = wire_client_hello(&f->agent, f->sequence);
    assert_string_equal(answer.message, "");
    assert_int_equal(answer.status, OK);
    assert_int_equal(answer.next_sequence, f->sequence);
}

// send_next has the agent send its next batch, which must be taken at once.
static void
send_next(fixture *f)
{
    for (int i = 0; i < TICKS_EACH; i++) {
        tick_chunk_add(&f->ticks, f->number++);
    }
    const wire_piece piece = {
        .sequence = f->sequence++, .ticks = &f->ticks, .from = f->sent, .duration_ns = SECOND_NS};
    f->sent = f->ticks.bytes.len;
    wire_answer answer = wire_client_send(&f->agent, &piece);
    assert_string_equal(answer.message, "");
    assert_int_equal(answer.status, OK);
    assert_int_equal(answer.next_sequence, f->sequence);
}

// Of the row in the catalog.
typedef struct seen {
    char service[64];
    bool is_ended;
    uint64_t lost;
} seen;

static void
note(void *arg, const catalog_session *row)
{
    seen *s = arg;
    (void)snprintf(s->service, sizeof(s->service), "%s", row->service);
    s->is_ended = row->is_ended;
    s->lost = 0;
    for (int i = 0; i < CATALOG_LOSS_COUNT; i++) {
        s->lost += row->losses[i];
    }
}

static seen
look(const fixture *f)
{
    char path[300];
    catalog *reader;
    seen s;
    (void)snprintf(path, sizeof(path), "%s/catalog.db", f->rig.dir.path);
    assert_int_equal(catalog_open_reader(path, &reader, NULL), LP_OK);
    assert_int_equal(catalog_find(reader, f->id, note, &s), LP_OK);
    catalog_close(reader);
    return s;
}

// end_and_check has the agent end its session, and looks that it is as if nobody else had been
// there.
static void
end_and_check(fixture *f)
{
    unsigned counts[TICKS_MAX] = {0};
    send_next(f);
    assert_false(look(f).is_ended);
    const wire_piece last = {.sequence = f->sequence++, .is_last = true};
    assert_int_equal(wire_client_send(&f->agent, &last).status, OK);
    collector_rig_await(&f->rig, f->id, 1, true);
    assert_int_equal(collector_rig_count(&f->rig, f->id, 1, counts, TICKS_MAX), 0);
    for (uint64_t i = 0; i < TICKS_MAX; i++) {
        assert_int_equal(counts[i], i < f->number ? 1 : 0);
    }
    const seen s = look(f);
    assert_string_equal(s.service, "shop");
    assert_int_equal(s.lost, 0);
}

static void
test_a_stranger_takes_over_no_session(void **state)
{
    fixture *f = *state;
    static const uint64_t numbers[] = {0, 1, 2, 3, 1000, UINT64_MAX - 1, UINT64_MAX};
    hello(f);
    send_next(f);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        assert_int_equal(wire_client_hello(&f->stranger, numbers[i]).status, REFUSED);
        send_next(f);
        f->stranger.secret_bytes =
            i % 2 == 0 ? 0 : WIRE_SECRET_BYTES; // without, or with another one
    }
    end_and_check(f);
}

static void
test_a_stranger_renames_no_service(void **state)
{
    fixture *f = *state;
    hello(f);
    send_next(f);
    f->stranger.service = "other";
    assert_int_equal(wire_client_hello(&f->stranger, 1).status, REFUSED);
    assert_string_equal(look(f).service, "shop");
    memcpy(f->stranger.secret, f->agent.secret, sizeof(f->agent.secret)); // not even its agent does
    assert_int_equal(wire_client_hello(&f->stranger, 1).status, REFUSED);
    assert_string_equal(look(f).service, "shop");
    end_and_check(f);
}

static void
test_a_stranger_adds_nothing_and_ends_nothing(void **state)
{
    fixture *f = *state;
    tick_chunk other;
    tick_chunk_init(&other, 1700000000000000000);
    tick_chunk_add(&other, 900);
    hello(f);
    send_next(f);
    for (uint64_t sequence = 0; sequence < 20; sequence++) {
        wire_piece piece = {.sequence = sequence, .ticks = &other, .duration_ns = SECOND_NS};
        assert_int_equal(wire_client_send(&f->stranger, &piece).status, UNKNOWN_SESSION);
        piece = (wire_piece){.sequence = sequence, .is_last = true};
        assert_int_equal(wire_client_send(&f->stranger, &piece).status, UNKNOWN_SESSION);
    }
    tick_chunk_fini(&other);
    end_and_check(f);
}

// A start of the collector does not forget whose a session is, wherever it knows the session from.
static void
test_a_restart_does_not_help_a_stranger(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < 3; i++) {
        hello(f);
        send_next(f);
        collector_rig_stop(&f->rig);
        collector_rig_start(&f->rig);
        assert_int_equal(wire_client_hello(&f->stranger, 77).status, REFUSED);
        const wire_piece last = {.sequence = f->sequence, .is_last = true};
        assert_int_equal(wire_client_send(&f->stranger, &last).status, UNKNOWN_SESSION);
    }
    hello(f);
    end_and_check(f);
    collector_rig_stop(&f->rig);
    collector_rig_start(&f->rig);
    assert_int_equal(wire_client_hello(&f->stranger, 77).status, REFUSED); // of what has ended
    assert_true(look(f).is_ended);
}

// A connection that breaks is one that its agent makes again: it says Hello, as after a restart.
static void
test_an_agent_comes_back_over_another_connection(void **state)
{
    fixture *f = *state;
    hello(f);
    send_next(f);
    wire_client_close(&f->agent);
    wire_client_open(&f->agent, f->rig.agents_url, 0x5a);
    const wire_piece next = {.sequence = f->sequence};
    assert_int_equal(wire_client_send(&f->agent, &next).status, UNKNOWN_SESSION);
    hello(f);
    end_and_check(f);
}

static void
test_the_numbers_of_batches_do_not_wrap(void **state)
{
    fixture *f = *state;
    assert_int_equal(wire_client_hello(&f->agent, UINT64_MAX).status, REFUSED);
    wire_answer answer = wire_client_hello(&f->agent, WIRE_SEQUENCE_MAX - 1);
    assert_int_equal(answer.status, OK);
    wire_piece piece = {.sequence = WIRE_SEQUENCE_MAX - 1};
    for (int i = 0; i < 3; i++) { // taken once, and the same when it comes again
        answer = wire_client_send(&f->agent, &piece);
        assert_int_equal(answer.status, OK);
        assert_true(answer.next_sequence == WIRE_SEQUENCE_MAX);
    }
    static const uint64_t numbers[] = {WIRE_SEQUENCE_MAX, WIRE_SEQUENCE_MAX + 1, UINT64_MAX};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        piece.sequence = numbers[i];
        assert_int_equal(wire_client_send(&f->agent, &piece).status, REFUSED);
    }
}

// An agent without a secret is served as ever, and stays without one.
static void
test_an_agent_without_a_secret_is_served(void **state)
{
    fixture *f = *state;
    f->agent.secret_bytes = 0;
    hello(f);
    send_next(f);
    assert_int_equal(wire_client_hello(&f->stranger, 1).status, REFUSED);
    collector_rig_stop(&f->rig);
    collector_rig_start(&f->rig);
    assert_int_equal(wire_client_hello(&f->stranger, 1).status, REFUSED);
    hello(f);
    end_and_check(f);
}

static const char *wanted; // by look_into
static size_t found;

static int
look_into(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)place;
    if (kind != FTW_F || info->st_size == 0) {
        return 0;
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    size_t size = (size_t)info->st_size;
    void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    assert_ptr_not_equal(bytes, MAP_FAILED);
    found += memmem(bytes, size, wanted, strlen(wanted)) != NULL;
    assert_int_equal(munmap(bytes, size) + close(fd), 0);
    return 0;
}

// count_files_with returns how many files of the collector have a text in them.
static size_t
count_files_with(const collector_rig *rig, const char *text)
{
    wanted = text;
    found = 0;
    assert_int_equal(nftw(rig->dir.path, look_into, 10, FTW_PHYS), 0);
    return found;
}

// A Hello whose secret has not the right size is refused before there is a session of it.
static void
test_a_secret_of_another_size_begins_nothing(void **state)
{
    fixture *f = *state;
    uint64_t before = metrics_get(METRICS_sessions_active);
    f->stranger.secret_bytes = 1;
    memset(f->stranger.session, 0x77, sizeof(f->stranger.session));
    assert_int_equal(wire_client_hello(&f->stranger, 0).status, REFUSED);
    assert_int_equal(metrics_get(METRICS_sessions_active), before);
    hello(f);
    end_and_check(f);
}

// In nothing that the collector has written is the secret.
static void
test_the_secret_is_kept_nowhere(void **state)
{
    fixture *f = *state;
    memcpy(f->agent.secret, "a-secret-of-ours", sizeof(f->agent.secret));
    hello(f);
    send_next(f);
    end_and_check(f);
    collector_rig_stop(&f->rig);
    assert_true(count_files_with(&f->rig, "shop") > 0); // the service: they are searched
    assert_int_equal(count_files_with(&f->rig, "a-secret-of-ours"), 0);
    collector_rig_start(&f->rig);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_stranger_takes_over_no_session, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_stranger_renames_no_service, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_stranger_adds_nothing_and_ends_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_restart_does_not_help_a_stranger, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_an_agent_comes_back_over_another_connection, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_numbers_of_batches_do_not_wrap, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_an_agent_without_a_secret_is_served, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_secret_of_another_size_begins_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_secret_is_kept_nowhere, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("server_owner", tests, NULL, NULL);
}
