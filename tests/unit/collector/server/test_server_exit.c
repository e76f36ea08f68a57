// SPDX-License-Identifier: Apache-2.0

// The end of the real program: SIGTERM ends it with exit code 0, every time, whatever its agents do
// at that moment, and what it acknowledged is there when it starts again.
//
// Each round is a collector and several agents, processes of their own, that send large messages as
// fast as they are taken; in every other round some of the agents are killed, in mid-message for
// all that is known, just before. `test_server_exit agent URL BYTE` is such an agent; it writes the
// number of each batch that was acknowledged to standard output. `test_server_exit dribble URL 0`
// is never done with its one message and sends it byte by byte, so that the collector is nearly
// always between two reads of it.

#include "support/large.h"
#include "unit/collector/server/collector_rig.h"
#include "unit/collector/server/wire_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    ROUNDS = 8,
    ROUNDS_SHORT = 2, // of which an agent is killed in one
    AGENTS = 4,
    DRIBBLERS = 2,
    PAYLOAD_BYTES = 1 << 18, // many reads for the one who receives it
    DRIBBLE_BYTES = 1 << 20, // more than are sent in time
    ACKED_BEFORE_END = 3,    // batches of each agent
};

// --- The agent.

static wire_pending
start_batch(wire_client *client, uint64_t sequence, uint8_t *payload)
{
    lp_buf packed = {0};
    Loupe__Wire__Batch batch = LOUPE__WIRE__BATCH__INIT;
    batch.session = (ProtobufCBinaryData){sizeof(client->session), client->session};
    batch.sequence = sequence;
    batch.jfr_zstd = (ProtobufCBinaryData){PAYLOAD_BYTES, payload};
    batch.jfr_size = 1; // nobody looks into it before it is compacted
    wire_client_pack_batch(&batch, &packed);
    wire_pending pending = wire_client_start(client, packed.ptr, packed.len);
    lp_buf_fini(&packed);
    return pending;
}

// run_agent keeps the window full until it is killed.
static int
run_agent(const char *url, uint8_t session_byte)
{
    wire_client client = {0};
    wire_pending window[WIRE_WINDOW_MAX];
    uint8_t *payload = calloc(1, PAYLOAD_BYTES);
    assert_non_null(payload);
    wire_client_open(&client, url, session_byte);
    assert_int_equal(wire_client_hello(&client, 0).status, OK);
    for (uint64_t i = 0; i < WIRE_WINDOW_MAX; i++) {
        window[i] = start_batch(&client, i, payload);
    }
    for (uint64_t i = 0;; i++) {
        wire_pending *oldest = &window[i % WIRE_WINDOW_MAX];
        if (wire_client_finish(oldest).status != OK ||
            write(STDOUT_FILENO, &i, sizeof(i)) != sizeof(i)) {
            return 1;
        }
        *oldest = start_batch(&client, i + WIRE_WINDOW_MAX, payload);
    }
}

// run_dribbler says what NNG's TCP transport says: who it is, a length, and bytes.
static int
run_dribbler(const char *url)
{
    static const uint8_t opening[] = {
        0, 'S', 'P', 0, 0, 0x30, 0, 0,           // a REQ socket
        0, 0, 0, 0, 0, DRIBBLE_BYTES >> 16, 0, 0 // a message of this length
    };
    static const int on = 1;
    unsigned port;
    assert_int_equal(sscanf(url, "tcp://127.0.0.1:%u", &port), 1);
    const struct sockaddr_in address = {.sin_family = AF_INET,
        .sin_port = htons((uint16_t)port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)), 0);
    assert_int_equal(connect(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
    assert_int_equal(send(fd, opening, sizeof(opening), 0), sizeof(opening));
    const struct timespec pause = {.tv_nsec = 20000}; // or the collector would read many at once
    for (size_t i = 0; i < DRIBBLE_BYTES - 1 && send(fd, "", 1, MSG_NOSIGNAL) == 1; i++) {
        (void)nanosleep(&pause, NULL);
    }
    return 0;
}

// --- The test.

typedef struct agent {
    pid_t pid; // 0: dead
    uint8_t session_byte;
    FILE *acknowledgements;
    uint64_t acked_count;
} agent;

static void
agent_start(agent *a, char *mode, char *url, uint8_t session_byte)
{
    char self[] = "/proc/self/exe";
    char byte[4];
    char *const argv[] = {self, mode, url, byte, NULL};
    int fds[2];
    posix_spawn_file_actions_t actions;
    (void)snprintf(byte, sizeof(byte), "%u", session_byte);
    assert_int_equal(pipe(fds), 0);
    assert_int_equal(posix_spawn_file_actions_init(&actions), 0);
    assert_int_equal(posix_spawn_file_actions_adddup2(&actions, fds[1], STDOUT_FILENO), 0);
    assert_int_equal(posix_spawn_file_actions_addclose(&actions, fds[0]), 0);
    assert_int_equal(posix_spawn_file_actions_addclose(&actions, fds[1]), 0);
    *a = (agent){.session_byte = session_byte, .acknowledgements = fdopen(fds[0], "r")};
    assert_non_null(a->acknowledgements);
    assert_int_equal(posix_spawn(&a->pid, self, &actions, NULL, argv, environ), 0);
    assert_int_equal(posix_spawn_file_actions_destroy(&actions), 0);
    (void)close(fds[1]);
}

// agent_read waits for one more acknowledgement; false once the agent is dead and all were read.
static bool
agent_read(agent *a)
{
    uint64_t sequence;
    if (fread(&sequence, sizeof(sequence), 1, a->acknowledgements) != 1) {
        return false;
    }
    assert_int_equal(sequence, a->acked_count);
    a->acked_count++;
    return true;
}

// agent_kill is fine for one that is dead.
static void
agent_kill(agent *a)
{
    if (a->pid != 0) {
        assert_int_equal(kill(a->pid, SIGKILL), 0);
        assert_int_equal(waitpid(a->pid, NULL, 0), a->pid);
        a->pid = 0;
    }
}

static void
agent_fini(agent *a)
{
    agent_kill(a);
    while (agent_read(a)) {
    }
    (void)fclose(a->acknowledgements);
}

static void
assert_all_is_there(const collector_rig *rig, const agent *a)
{
    wire_client client = {0};
    wire_client_open(&client, rig->agents_url, a->session_byte);
    wire_answer answer = wire_client_hello(&client, 0);
    wire_client_close(&client);
    assert_int_equal(answer.status, OK);
    assert_in_range(answer.next_sequence, a->acked_count, a->acked_count + WIRE_WINDOW_MAX);
}

static void
run_round(int round)
{
    char agent_mode[] = "agent";
    char dribble_mode[] = "dribble";
    agent agents[AGENTS];
    agent dribblers[DRIBBLERS];
    collector_rig rig;
    collector_rig_init(&rig);
    collector_rig_spawn(&rig, LOUPE_PROGRAM);
    for (uint8_t i = 0; i < DRIBBLERS; i++) {
        agent_start(&dribblers[i], dribble_mode, rig.agents_url, 0);
    }
    for (uint8_t i = 0; i < AGENTS; i++) {
        agent_start(&agents[i], agent_mode, rig.agents_url, (uint8_t)(i + 1));
    }
    for (int i = 0; i < AGENTS; i++) {
        while (agents[i].acked_count < ACKED_BEFORE_END) {
            assert_true(agent_read(&agents[i]));
        }
    }
    for (int i = 0; i < AGENTS / 2 && round % 2 == 1; i++) {
        agent_kill(&agents[i]);
    }
    int status = collector_rig_signal(&rig, SIGTERM);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);

    for (int i = 0; i < DRIBBLERS; i++) {
        agent_fini(&dribblers[i]);
    }
    for (int i = 0; i < AGENTS; i++) {
        agent_fini(&agents[i]);
    }
    collector_rig_spawn(&rig, LOUPE_PROGRAM);
    for (int i = 0; i < AGENTS; i++) {
        assert_all_is_there(&rig, &agents[i]);
    }
    collector_rig_fini(&rig);
}

static void
test_sigterm_under_traffic_ends_the_program(void **state)
{
    (void)state;
    for (int round = 0; round < (is_large ? ROUNDS : ROUNDS_SHORT); round++) {
        run_round(round);
    }
}

int
main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "agent") == 0) {
        return run_agent(argv[2], (uint8_t)strtoul(argv[3], NULL, 10));
    }
    if (argc == 4 && strcmp(argv[1], "dribble") == 0) {
        return run_dribbler(argv[2]);
    }
    large_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sigterm_under_traffic_ends_the_program),
    };
    return cmocka_run_group_tests_name("server_exit", tests, NULL, NULL);
}
