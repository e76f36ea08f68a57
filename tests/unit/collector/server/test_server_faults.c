// SPDX-License-Identifier: Apache-2.0
// The program meets one failure after the other while agents send to it: the 1st, 2nd, and so on
// operation on a file of its data directory fails with EIO, ENOSPC, EDQUOT or EMFILE, or the 1st,
// 2nd, and so on allocation of its own code (of the later ones some), until a whole recording goes
// through without one. Each
// time it goes on by itself, and in the end every batch is in the result once, and nothing is lost.

#include "support/faults.h"
#include "support/large.h"
#include "unit/collector/server/collector_rig.h"
#include "unit/collector/server/wire_client.h"

#include "collector/store/catalog/catalog.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    CHUNKS = 2,
    BATCHES = 2, // of a chunk
    TICKS = 2,   // of a batch
    NUMBERS = CHUNKS * BATCHES * TICKS,
    EACH_MAX = 200, // of many operations each of the first ones fails, and then some
    EACH_MAX_SHORT = 4,
    AGENTS_MAX = 255, // of one collector; their ids differ in a byte
    TRIES_MAX = 5000,
    QUIET_LOOKS = 10,
    LOOK_AGAIN_NS = 5000000,
};

typedef struct fixture {
    collector_rig rig;
    faults *faults;
    char path[300]; // of the file that is shared
} fixture;

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    collector_rig_init(&f->rig);
    (void)snprintf(f->path, sizeof(f->path), "%s.faults", f->rig.dir.path);
    int fd = open(f->path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_int_equal(ftruncate(fd, sizeof(*f->faults)), 0);
    f->faults = mmap(NULL, sizeof(*f->faults), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert_ptr_not_equal(f->faults, MAP_FAILED);
    (void)close(fd);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    (void)munmap(f->faults, sizeof(*f->faults));
    (void)unlink(f->path);
    collector_rig_fini(&f->rig);
    free(f);
    return 0;
}

static void
spawn(fixture *f)
{
    assert_int_equal(setenv("LD_PRELOAD", FAULTS_LIBRARY, 1), 0);
    assert_int_equal(setenv(FAULTS_FILE, f->path, 1), 0);
    assert_int_equal(setenv(FAULTS_ROOT, f->rig.dir.path, 1), 0);
    collector_rig_spawn(&f->rig, LOUPE_PROGRAM);
    assert_int_equal(unsetenv("LD_PRELOAD"), 0);
}

static void
check_alive(const fixture *f)
{
    if (waitpid(f->rig.pid, NULL, WNOHANG) != 0) {
        fail_msg("the collector ended when this failed: %s", f->faults->what);
    }
}

static void
look_again(const fixture *f, unsigned *tries)
{
    check_alive(f);
    if (++*tries > TRIES_MAX) {
        fail_msg("the collector does not go on after this failed: %s", f->faults->what);
    }
    (void)nanosleep(&(struct timespec){.tv_nsec = LOOK_AGAIN_NS}, NULL);
}

// greet says that batches below sequence were acknowledged: none of those are missing.
static void
greet(const fixture *f, wire_client *agent, uint64_t sequence)
{
    unsigned tries = 0;
    wire_answer answer;
    while ((answer = wire_client_hello(agent, sequence)).status != OK) {
        assert_int_equal(answer.status, BUSY);
        look_again(f, &tries);
    }
    assert_in_range(answer.next_sequence, sequence, sequence + 1); // its answer may be lost
    assert_int_equal(answer.lacking_chunk, 0);
}

static void
send_piece(const fixture *f, wire_client *agent, const wire_piece *piece)
{
    unsigned tries = 0;
    wire_answer answer;
    while ((answer = wire_client_send(agent, piece)).status != OK) {
        if (answer.status == UNKNOWN_SESSION) { // it ended, and the answer was lost
            greet(f, agent, piece->sequence);
        } else {
            assert_int_equal(answer.status, BUSY);
        }
        look_again(f, &tries);
    }
}

// send_all sends a whole recording.
static void
send_all(const fixture *f, wire_client *agent)
{
    greet(f, agent, 0);
    for (uint32_t chunk = 0; chunk < CHUNKS; chunk++) {
        tick_chunk ticks;
        tick_chunk_init(&ticks, 1700000000000000000 + (int64_t)chunk * 1000000000);
        for (uint64_t i = 0; i < BATCHES; i++) {
            uint64_t sequence = chunk * BATCHES + i;
            wire_piece piece = wire_piece_take(&ticks, sequence * TICKS, TICKS);
            piece.sequence = sequence;
            piece.chunk = chunk;
            piece.duration_ns = 1000000000;
            piece.is_last = sequence + 1 == CHUNKS * BATCHES;
            send_piece(f, agent, &piece);
        }
        tick_chunk_fini(&ticks);
    }
}

typedef struct result {
    bool is_there;
    uint64_t lost;
} result;

static void
look_at(void *arg, const catalog_session *row)
{
    result *found = arg;
    found->is_there = row->is_ended && row->next_chunk == CHUNKS;
    for (int i = 0; i < CATALOG_LOSS_COUNT; i++) {
        found->lost += row->losses[i];
    }
}

static result
find(const fixture *f, const char *id)
{
    char path[300];
    catalog *opened;
    result found = {0};
    (void)snprintf(path, sizeof(path), "%s/catalog.db", f->rig.dir.path);
    assert_int_equal(catalog_open_reader(path, &opened, NULL), LP_OK);
    assert_int_equal(catalog_find(opened, id, look_at, &found), LP_OK);
    catalog_close(opened);
    return found;
}

// fail_one has the n-th operation fail while an agent sends a recording, and returns once that is
// compacted, or the failure has happened and nothing else does: it is compacted later, and the next
// failure does not meet it. Returns false if it went through without one.
static bool
fail_one(fixture *f, unsigned number, faults_kind kind, unsigned n, int error)
{
    wire_client agent;
    char id[33];
    unsigned tries = 0;
    wire_client_open(&agent, f->rig.agents_url, (uint8_t)number);
    wire_client_id(&agent, id);
    f->faults->kind = kind;
    f->faults->error = error;
    f->faults->left = n;
    send_all(f, &agent);
    uint64_t asked = f->faults->asked;
    for (unsigned quiet = 0; quiet < QUIET_LOOKS && !find(f, id).is_there;) {
        look_again(f, &tries);
        quiet = f->faults->left == 0 && f->faults->asked == asked ? quiet + 1 : 0;
        asked = f->faults->asked;
    }
    bool has_failed = f->faults->left == 0;
    f->faults->left = 0;
    wire_client_close(&agent);
    return has_failed;
}

static void
check_recording(const fixture *f, unsigned number)
{
    wire_client agent;
    char id[33];
    unsigned counts[NUMBERS] = {0};
    wire_client_open(&agent, f->rig.agents_url, (uint8_t)number);
    wire_client_id(&agent, id);
    wire_client_close(&agent);
    collector_rig_await(&f->rig, id, CHUNKS, true);
    assert_int_equal(collector_rig_count(&f->rig, id, CHUNKS, counts, NUMBERS), 0);
    for (int i = 0; i < NUMBERS; i++) {
        assert_int_equal(counts[i], 1);
    }
    assert_int_equal(find(f, id).lost, 0);
}

// fail_some has one operation after the other fail, from the n-th on, in one run of the collector.
// Returns whether there are more.
static bool
fail_some(fixture *f, faults_kind kind, const int *errors, unsigned error_count, unsigned *n)
{
    unsigned agents = 0;
    bool has_failed = true;
    spawn(f);
    while (has_failed && agents < AGENTS_MAX) {
        agents++;
        has_failed = fail_one(f, agents, kind, *n, errors[*n % error_count]);
        print_message("%u: %s\n", *n, has_failed ? f->faults->what : "nothing failed");
        *n += 1 + *n / (is_large ? EACH_MAX : EACH_MAX_SHORT);
    }
    for (unsigned i = 1; i <= agents; i++) {
        check_recording(f, i);
    }
    check_alive(f);
    assert_int_equal(collector_rig_signal(&f->rig, SIGTERM), 0);
    return has_failed;
}

static void
test_each_operation_on_a_file(void **state)
{
    static const int errors[] = {EIO, ENOSPC, EDQUOT, EMFILE};
    unsigned n = 1;
    assert_false(fail_some(*state, FAULTS_FILES, errors, 4, &n));
    assert_true(n > 2);
}

static void
test_each_allocation(void **state)
{
    static const int errors[] = {ENOMEM};
    unsigned n = 1;
    while (fail_some(*state, FAULTS_MEMORY, errors, 1, &n)) {
        tear_down(state); // other agents need another collector
        set_up(state);
    }
    assert_true(n > 2);
}

int
main(int argc, char **argv)
{
    large_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_each_operation_on_a_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_each_allocation, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
