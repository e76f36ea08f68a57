// SPDX-License-Identifier: Apache-2.0
// What a collector does with any bytes that agents send: each request ends once, with an answer or
// without one; what was acknowledged is there after a restart; whatever came into the journals can
// be put together; and no message is more than what is counted before it is unpacked.
//
//   input: messages, each behind its length in 2 bytes, little-endian

#include "fuzz.h"
#include "fuzz_collector.h"
#include "fuzz_rounds.h"
#include "support/counted_unpack.h"

#include "collector/intake/day_quotas.h"
#include "collector/intake/journal_sink.h"
#include "collector/keep/retention.h"
#include "common/wire/wire_scan.h"

#include <string.h>

enum { MESSAGES_MAX = 64 };

// --- The socket, of which the target is the other side

struct agent_socket_request {
    lp_slice bytes;
    bool has_ended;
};

static agent_socket_request requests[MESSAGES_MAX];

lp_slice
agent_socket_get_bytes(const agent_socket_request *request)
{
    LP_ASSERT(!request->has_ended);
    return request->bytes;
}

size_t
agent_socket_get_taken_bytes(const agent_socket *socket)
{
    (void)socket;
    size_t total = 0;
    for (size_t i = 0; i < MESSAGES_MAX; i++) {
        total += requests[i].has_ended ? 0 : requests[i].bytes.len;
    }
    return total;
}

uint64_t
agent_socket_get_connection(const agent_socket_request *request)
{
    (void)request;
    return 1;
}

bool
agent_socket_is_sender_there(const agent_socket_request *request)
{
    (void)request;
    return true;
}

const char *
agent_socket_get_peer_name(const agent_socket_request *request)
{
    (void)request;
    return NULL;
}

uint64_t
agent_socket_get_peer(const agent_socket_request *request)
{
    (void)request;
    return 1;
}

bool
agent_socket_is_connected(const agent_socket *socket, uint64_t connection)
{
    (void)socket;
    (void)connection;
    return true;
}

void
agent_socket_drop(agent_socket_request *request)
{
    LP_ASSERT(request == NULL || !request->has_ended);
    if (request != NULL) {
        request->has_ended = true;
    }
}

void
agent_socket_forget_bytes(agent_socket_request *request)
{
    request->bytes.len = 0;
}

void
agent_socket_answer(agent_socket *socket, agent_socket_request *request, lp_slice reply)
{
    (void)socket;
    Loupe__Wire__Reply *message = loupe__wire__reply__unpack(NULL, reply.len, reply.ptr);
    LP_ASSERT(message != NULL && message->version > 0);
    LP_ASSERT((message->status == LOUPE__WIRE__REPLY__STATUS__OK) == (message->message[0] == '\0'));
    loupe__wire__reply__free_unpacked(message, NULL);
    agent_socket_drop(request);
}

// --- The disk, which nothing waits for here

static sync_rounds *rounds;
static blobs *files;

static void
on_batch(void *arg, session *s)
{
    (void)arg;
    session_check(s);
}

// --- Sessions before and after a restart

// compare expects a session from before the restart to be where it was.
static void
compare(void *arg, session *s)
{
    const session *now = sessions_find(arg, s->row.id);
    LP_ASSERT(now != NULL && now->row.next_sequence == s->row.next_sequence);
    LP_ASSERT(now->chunk_count == s->chunk_count);
}

static void
restart(fuzz_collector *c)
{
    sessions *before = c->sessions;
    sessions_each(before, fuzz_collector_check, NULL);
    fuzz_collector_open_sessions(c);
    LP_ASSERT(recovery_run(c->sessions, &(recovery_config){0}, NULL) == LP_OK);
    sessions_each(before, compare, c->sessions);
    sessions_destroy(before);
}

// check_scan expects protobuf-c to find no more in a message than was counted before.
static void
check_scan(lp_slice message)
{
    wire_counts counts;
    lp_err err = wire_scan(&loupe__wire__request__descriptor, message, &counts);
    counted_unpack made = counted_unpack_run(&loupe__wire__request__descriptor, message);
    LP_ASSERT(err == LP_OK || err == LP_ELIMIT || !made.is_message);
    LP_ASSERT(err != LP_OK || made.allocations <= 4 * (1 + counts.submessages + counts.fields));
}

// --- Quotas, which larger inputs reach

enum { DAILY_BYTES = 4096 };

static policy_dir *
open_policies(void)
{
    char path[300];
    (void)snprintf(path, sizeof(path), "%s/default.keep", fuzz_collector_root.path);
    FILE *file = fopen(path, "w");
    LP_ASSERT(file != NULL && fprintf(file, "daily %d\n", DAILY_BYTES) > 0 && fclose(file) == 0);
    policy_dir *policies;
    LP_ASSERT(policy_dir_open(fuzz_collector_root.path, &policies, NULL) == LP_OK);
    return policies;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    fuzz_collector c = fuzz_collector_begin();
    if (rounds == NULL) {
        static uv_loop_t loop;
        rounds = fuzz_rounds_make(&c, &loop, &files);
        blobs_set_durable(files, false);
    }
    c.sessions->rounds = rounds;
    const retention_config keep_all = {.dir = c.dir,
        .catalog = c.catalog,
        .blobs = files,
        .sessions = c.sessions,
        .rounds = rounds};
    retention *kept;
    LP_ASSERT(retention_create(&keep_all, &kept) == LP_OK);
    static policy_dir *policies;
    policies = policies == NULL ? open_policies() : policies;
    day_quotas *quotas;
    LP_ASSERT(day_quotas_create(c.catalog, policies, 0, &quotas) == LP_OK);
    disk_reserve none = {.path = fuzz_collector_root.path};
    agent_protocol protocol = {.rounds = rounds, .retention = kept, .quotas = quotas};
    journal_sink journals = {
        .sessions = c.sessions, .rounds = rounds, .reserve = &none, .on_batch = on_batch};
    journal_sink_bind(&journals, &protocol);
    size_t request_count = 0;
    memset(requests, 0, sizeof(requests));
    for (size_t at = 0; at + 2 <= count && request_count < MESSAGES_MAX;) {
        size_t len = (size_t)bytes[at] | (size_t)bytes[at + 1] << 8;
        at += 2;
        len = len < count - at ? len : count - at;
        requests[request_count].bytes = (lp_slice){bytes + at, len};
        check_scan(requests[request_count].bytes);
        agent_protocol_handle(&protocol, &requests[request_count], request_count);
        request_count++;
        at += len;
    }
    agent_protocol_release(&protocol);
    restart(&c);
    agent_protocol_fini(&protocol);
    day_quotas_save(quotas);
    day_quotas_destroy(quotas);
    retention_destroy(kept);
    fuzz_collector_end(&c);
    for (size_t i = 0; i < request_count; i++) {
        LP_ASSERT(requests[i].has_ended);
    }
    return 0;
}
