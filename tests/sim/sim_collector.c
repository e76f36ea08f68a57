// SPDX-License-Identifier: Apache-2.0
#include "sim/sim_collector.h"

#include "sim/sim_agent.h"
#include "sim/sim_disk.h"
#include "sim/sim_loop.h"
#include "sim/sim_reader.h"
#include "sim/sim_world.h"

#include "collector/base/peers.h"
#include "collector/chunks/assembly.h"
#include "collector/chunks/chunk_task.h"
#include "collector/net/agent_socket.h"
#include "collector/server/server.h"
#include "common/base/lp_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 400, ASSEMBLY_BYTES_MAX = 1 << 20 };

static const int64_t RECALL_NS = INT64_C(900000000000);
static server *running[SIM_COLLECTORS_MAX];
static bool is_mute; // one is being killed: what it says comes to nobody

// --- The socket

struct agent_socket {
    agent_socket_config config;
    size_t taken_bytes;
    size_t open_requests;
};

struct agent_socket_request {
    agent_socket *socket;
    sim_message message;
    lp_buf bytes;
};

static agent_socket sockets[SIM_COLLECTORS_MAX];

lp_err
agent_socket_start(
    const agent_socket_config *config, agent_socket **out_socket, lp_problem *out_problem)
{
    (void)out_problem;
    sockets[sim.side] = (agent_socket){.config = *config};
    *out_socket = &sockets[sim.side];
    return LP_OK;
}

const char *
agent_socket_get_url(const agent_socket *socket)
{
    return socket->config.url;
}

size_t
agent_socket_get_taken_bytes(const agent_socket *socket)
{
    return socket->taken_bytes;
}

lp_slice
agent_socket_get_bytes(const agent_socket_request *request)
{
    return lp_buf_slice(&request->bytes);
}

void
agent_socket_forget_bytes(agent_socket_request *request)
{
    request->socket->taken_bytes -= request->bytes.len;
    lp_buf_fini(&request->bytes);
}

uint64_t
agent_socket_get_connection(const agent_socket_request *request)
{
    return request->message.connection;
}

bool
agent_socket_is_sender_there(const agent_socket_request *request)
{
    return request->message.connection == sim_net_get_connection(request->message.agent);
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
    return PEERS_NONE;
}

bool
agent_socket_is_connected(const agent_socket *socket, uint64_t connection)
{
    (void)socket;
    for (unsigned i = 0; i < SIM_AGENTS_MAX; i++) {
        if (sim_net_get_connection(i) == connection && sim_net_get_collector(i) == sim.side) {
            return true;
        }
    }
    return sim.is_cut_off[sim.side]; // what an agent ends is not seen to end
}

void
agent_socket_drop(agent_socket_request *request)
{
    if (request != NULL) {
        agent_socket_forget_bytes(request);
        request->socket->open_requests--;
        free(request);
    }
}

void
agent_socket_answer(agent_socket *socket, agent_socket_request *request, lp_slice reply)
{
    (void)socket;
    sim_message answer = request->message;
    answer.is_reply = true;
    answer.bytes = reply;
    if (!is_mute) {
        sim_net_send(&answer);
    }
    agent_socket_drop(request);
}

void
agent_socket_stop(agent_socket *socket)
{
    (void)socket;
}

void
agent_socket_close(agent_socket *socket)
{
    (void)socket;
}

void
agent_socket_destroy(agent_socket *socket)
{
    LP_ASSERT(socket == NULL || socket->open_requests == 0);
}

void
sim_collector_take_request(const sim_message *message)
{
    agent_socket *socket = &sockets[sim.side];
    if (running[sim.side] == NULL) {
        return;
    }
    agent_socket_request *request = calloc(1, sizeof(*request));
    LP_ASSERT(request != NULL);
    *request = (agent_socket_request){.socket = socket, .message = *message};
    lp_buf_append(&request->bytes, message->bytes.ptr, message->bytes.len);
    LP_ASSERT(lp_buf_check(&request->bytes) == LP_OK);
    socket->taken_bytes += request->bytes.len;
    socket->open_requests++;
    socket->config.on_request(socket->config.arg, request);
}

// --- Compaction

void
sim_collector_chunk_path(
    const char *session_id, uint32_t ordinal, uint64_t hash, char *out, size_t size)
{
    (void)snprintf(
        out, size, "%s/sim/%s-%u-%" PRIu64, sim_disk_get_store(), session_id, ordinal, hash);
}

void
sim_collector_late_path(const char *session_id, uint32_t ordinal, char *out, size_t size)
{
    (void)snprintf(out, size, "%s/damaged/%s-%u.late", sim_disk_get_data(), session_id, ordinal);
}

static unsigned
find_agent(const char *session_id)
{
    unsigned index = 0;
    while (strcmp(sim_agent_get_id(index), session_id) != 0) {
        index++;
        LP_ASSERT(index < SIM_AGENTS_MAX);
    }
    return index;
}

// compare expects the collector's assembly to have what content has. The record by which the
// assembly ends contexts where batches are missing is no one's.
static void
compare(const assembly *whole, const sim_content *content, unsigned agent, uint32_t ordinal)
{
    size_t count = 0;
    ctx_record_header header;
    for (size_t at = 0; at < whole->records.len; at += header.size_bytes) {
        memcpy(&header, whole->records.ptr + at, sizeof(header));
        if (header.kind == CTX_RECORD_SET) {
            LP_ASSERT(count < content->records.count);
            LP_ASSERT(content->records.items[count].ticks == header.time_ticks);
            count++;
        }
    }
    LP_ASSERT(count == content->records.count);
    LP_ASSERT(whole->jfr.len == content->counts.len);
    for (size_t i = JFR_CHUNK_HEADER_SIZE; i < content->counts.len; i++) {
        uint8_t expected = content->counts.ptr[i] == 0 ? 0 : sim_agent_byte(agent, ordinal, i);
        LP_ASSERT(whole->jfr.ptr[i] == expected);
    }
}

// save keeps what a compaction made, by its hash.
static void
save(const chunk_task *task, uint32_t ordinal, lp_slice bytes)
{
    char path[PATH_BYTES];
    sim_collector_chunk_path(task->session_id, ordinal, blobs_hash(bytes), path, sizeof(path));
    FILE *file = fopen(path, "wb");
    LP_ASSERT(file != NULL && fwrite(bytes.ptr, 1, bytes.len, file) == bytes.len);
    LP_ASSERT(fclose(file) == 0);
}

lp_err __wrap_chunk_task_compact(const chunk_task *task, chunk_task_output *out_output,
    lp_buf *out_jfr, lp_problem *out_problem);

// It has an event for each wish of pins, so that an edition has more than the one before.
lp_err
__wrap_chunk_task_compact(
    const chunk_task *task, chunk_task_output *out_output, lp_buf *out_jfr, lp_problem *out_problem)
{
    (void)out_problem;
    sim_content content = {0};
    assembly whole = {.jfr_bytes_max = ASSEMBLY_BYTES_MAX, .record_bytes_max = ASSEMBLY_BYTES_MAX};
    size_t end = chunk_task_unit_end(task, 0);
    unsigned agent = find_agent(task->session_id);
    for (size_t i = 0; i < end; i++) {
        const assembly_part *part = &task->parts[i];
        if (part->journal != NULL) {
            sim_reader_add(
                journal_get_path(part->journal), part->end_bytes, agent, part->ordinal, &content);
        }
        LP_ASSERT(assembly_add(&whole, part) == LP_OK);
    }
    uint32_t ordinal = task->parts[end - 1].ordinal;
    compare(&whole, &content, agent, ordinal);
    uint64_t wishes = task->also == NULL ? 0 : task->also->thread_count;
    *out_output = (chunk_task_output){
        .ordinal = ordinal,
        .part_count = end,
        .size_bytes = content.counts.len,
        .stats.events_out = wishes,
        .read_damaged_bytes = whole.damaged_bytes,
        .types_json = strdup("{}"),
    };
    lp_buf_append(&out_output->carry, "carry", 5);
    sim_content_pack(&content, out_jfr);
    lp_buf_append(out_jfr, &wishes, sizeof(wishes));
    lp_buf_append(out_jfr, (const uint8_t[JFR_CHUNK_HEADER_SIZE]){0}, JFR_CHUNK_HEADER_SIZE);
    save(task, ordinal, lp_buf_slice(out_jfr));
    assembly_fini(&whole);
    sim_content_fini(&content);
    return LP_OK;
}

lp_err __wrap_chunk_task_run(const chunk_task *task, blobs *to, pack_files *packs,
    chunk_task_output *out_output, lp_problem *out_problem);

lp_err
__wrap_chunk_task_run(const chunk_task *task, blobs *to, pack_files *packs,
    chunk_task_output *out_output, lp_problem *out_problem)
{
    (void)to;
    (void)packs;
    lp_buf bytes = {0};
    lp_err err = __wrap_chunk_task_compact(task, out_output, &bytes, out_problem);
    out_output->stored.content_hash = blobs_hash(lp_buf_slice(&bytes));
    lp_buf_fini(&bytes);
    return err;
}

// --- The server

// start creates the server, and starts it.
static lp_err
start(const server_config *config, lp_problem *out_problem)
{
    server **started = &running[sim.side];
    lp_err err = server_create(config, started, out_problem);
    if (err != LP_OK) {
        *started = NULL;
        return err;
    }
    err = server_join(*started, "http://sim", out_problem);
    err = err == LP_OK ? server_start(*started, out_problem) : err;
    if (err != LP_OK) {
        server_stop(*started);
        server_destroy(*started);
        *started = NULL;
    }
    return err;
}

bool
sim_collector_start(sync_mode mode)
{
    lp_problem problem = {.text = ""};
    const server_config config = {
        .agents_url = "sim",
        .data_dir = sim_disk_get_data(),
        .node = sim.shared == NULL ? NULL : sim_collector_get_name(),
        .sync = mode,
        .idle_ms_max = SERVER_IDLE_MS_MAX,
        .killed_ms_max = SERVER_KILLED_MS_MAX,
        .linger_ms_max = SERVER_LINGER_MS_MAX,
        .lack_ms_max = SERVER_LACK_MS_MAX,
        .snapshot_kept_ms = SERVER_SNAPSHOT_KEPT_MS,
        .recall_ns = sim.recall_bytes_max > 0 ? RECALL_NS : 0,
        .recall_bytes_max = sim.recall_bytes_max,
        .memory = memory_plan_make(MEMORY_PLAN_BYTES_LEAST),
    };
    lp_err err = start(&config, &problem);
    bool is_away = err == LP_EAGAIN && sim.shared != NULL;
    if (err != LP_OK) {
        lp_log(is_away ? LP_LOG_WARN : LP_LOG_ERROR, "%s", problem.text);
    }
    LP_ASSERT(err == LP_OK || is_away);
    sim_disk_note_synced(); // as catalog_open promises
    return err == LP_OK;
}

server *
sim_collector_get(void)
{
    return running[sim.side];
}

const char *
sim_collector_get_name(void)
{
    static const char *const names[SIM_COLLECTORS_MAX] = {"sim-0", "sim-1", "sim-2"};
    return names[sim.side];
}

void
sim_collector_drain(bool is_drained)
{
    server_drain(running[sim.side], is_drained);
}

void
sim_collector_stop(void)
{
    server_stop(running[sim.side]);
    server_destroy(running[sim.side]);
    running[sim.side] = NULL;
    for (unsigned i = 0; i < SIM_AGENTS_MAX; i++) {
        if (sim_net_get_collector(i) == sim.side) {
            sim_net_cut(i);
        }
    }
}

void
sim_collector_kill(void)
{
    bool was_away = sim.is_catalog_away[sim.side];
    sim_disk_freeze();
    is_mute = true;
    sim.is_catalog_away[sim.side] = true;
    sim_collector_stop();
    sim.is_catalog_away[sim.side] = was_away;
    is_mute = false;
    sim_disk_thaw();
}
