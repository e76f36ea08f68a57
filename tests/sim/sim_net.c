// SPDX-License-Identifier: Apache-2.0
#include "sim/sim_net.h"

#include "sim/sim_world.h"

#include "common/base/lp_buf.h"
#include "common/base/lp_log.h"
#include "common/base/lp_vec.h"
#include "common/wire/wire.h"

#include <inttypes.h>
#include <string.h>

typedef struct flight {
    sim_message message;
    lp_buf bytes;
    int64_t due_ms;
    bool is_left_behind; // its connection has ended, and yet it comes
} flight;

static LP_VEC(flight) flights;
static uint64_t connections[SIM_AGENTS_MAX]; // of each agent
static unsigned collectors[SIM_AGENTS_MAX];  // at which it is
static bool is_stopped[SIM_COLLECTORS_MAX];
static uint64_t last_connection;
static void (*on_message)(const sim_message *message);

void
sim_net_begin(void (*on_message_)(const sim_message *message))
{
    on_message = on_message_;
    for (unsigned i = 0; i < SIM_AGENTS_MAX; i++) {
        connections[i] = ++last_connection;
        collectors[i] = 0;
    }
    memset(is_stopped, 0, sizeof(is_stopped));
}

void
sim_net_end(void)
{
    for (size_t i = 0; i < flights.count; i++) {
        lp_buf_fini(&flights.items[i].bytes);
    }
    LP_VEC_FINI(&flights);
}

uint64_t
sim_net_get_connection(unsigned agent)
{
    return connections[agent];
}

unsigned
sim_net_get_collector(unsigned agent)
{
    return collectors[agent];
}

// What the agent sent before may be with the collector's kernel already.
void
sim_net_move(unsigned agent, unsigned collector)
{
    for (size_t i = 0; i < flights.count; i++) {
        sim_message *message = &flights.items[i].message;
        if (message->agent == agent && !message->is_reply &&
            message->connection == connections[agent]) {
            flights.items[i].is_left_behind = sim_happens(5000);
        }
    }
    connections[agent] = ++last_connection;
    collectors[agent] = collector;
}

void
sim_net_stop(unsigned collector, bool is_stopped_)
{
    is_stopped[collector] = is_stopped_;
}

void
sim_net_cut(unsigned agent)
{
    connections[agent] = ++last_connection;
}

static void
add(const sim_message *message)
{
    flight *f = LP_VEC_PUSH(&flights);
    LP_ASSERT(f != NULL);
    *f = (flight){.message = *message, .due_ms = sim.now_ms + sim_below(sim.delay_ms_max + 1)};
    lp_buf_append(&f->bytes, message->bytes.ptr, message->bytes.len);
    LP_ASSERT(lp_buf_check(&f->bytes) == LP_OK);
}

void
sim_net_send(const sim_message *message)
{
    if (message->connection != connections[message->agent] || sim_below(100) < sim.lost_percent) {
        return;
    }
    add(message);
    if (sim_below(100) < sim.twice_percent) {
        add(message);
    }
}

// take_due removes a message whose time has come.
static bool
take_due(flight *out_flight)
{
    for (size_t i = 0; i < flights.count; i++) {
        const sim_message *message = &flights.items[i].message;
        bool is_held = !message->is_reply && is_stopped[message->collector];
        if (flights.items[i].due_ms <= sim.now_ms && !is_held) {
            *out_flight = flights.items[i];
            flights.items[i] = flights.items[--flights.count];
            return true;
        }
    }
    return false;
}

static void
log_reply(const sim_message *message)
{
    Loupe__Wire__Reply *reply =
        loupe__wire__reply__unpack(NULL, message->bytes.len, message->bytes.ptr);
    lp_log(LP_LOG_DEBUG,
        "%" PRId64 " ms: agent %u: answer %" PRIu64 ": status %d, next %" PRIu64
        ", durable %" PRIu64 ", lacking %" PRIu32,
        sim.now_ms, message->agent, message->request, (int)reply->status, reply->next_sequence,
        reply->durable_sequence, reply->lacking_chunk);
    loupe__wire__reply__free_unpacked(reply, NULL);
}

static void
log_request(const sim_message *message)
{
    Loupe__Wire__Request *request =
        loupe__wire__request__unpack(NULL, message->bytes.len, message->bytes.ptr);
    if (request->body_case == LOUPE__WIRE__REQUEST__BODY_HELLO) {
        lp_log(LP_LOG_DEBUG, "%" PRId64 " ms: agent %u: request %" PRIu64 ": hello from %" PRIu64,
            sim.now_ms, message->agent, message->request, request->hello->next_sequence);
    } else {
        const Loupe__Wire__Batch *batch = request->batch;
        lp_log(LP_LOG_DEBUG,
            "%" PRId64 " ms: agent %u: request %" PRIu64 ": batch %" PRIu64 ", chunk %" PRIu32
            " from %" PRIu64 " on, %" PRIu32 " bytes, %" PRIu32 " of records%s",
            sim.now_ms, message->agent, message->request, batch->sequence, batch->chunk,
            batch->chunk_offset, batch->jfr_size, batch->contexts_size,
            batch->begins_again ? ", again" : "");
    }
    loupe__wire__request__free_unpacked(request, NULL);
}

void
sim_net_step(void)
{
    for (flight due; take_due(&due);) {
        due.message.bytes = lp_buf_slice(&due.bytes);
        if (due.is_left_behind || due.message.connection == connections[due.message.agent]) {
            if (sim.is_traced) {
                (due.message.is_reply ? log_reply : log_request)(&due.message);
            }
            on_message(&due.message);
        }
        lp_buf_fini(&due.bytes);
    }
}
