// SPDX-License-Identifier: Apache-2.0
#include "sim/sim_agent.h"

#include "sim/sim_world.h"
#include "support/chunk_writer.h"
#include "support/temp_dir.h"

#include "agent/ship/batch/ship_sender.h"
#include "agent/ship/dial/ship_endpoints.h"
#include "agent/ship/link/ship_window.h"
#include "common/base/lp_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

enum {
    RESEND_MS = 3000, // NNG's time to send a request again, less than it is
    CHUNKS_MAX = 60,
    FLUSH_BYTES_MAX = 2000,
    RECORDS_MAX = 20, // at a time
    RECORD_BYTES = 32,
};

struct ctx_rings {
    int64_t written; // records, of which
    int64_t drained; // so many were
};

// A request of a slot of the window, as NNG keeps it.
typedef struct sent {
    uint64_t request; // 0: none
    lp_buf bytes;
    int64_t resend_ms;
} sent;

typedef struct sim_agent {
    uint8_t session[WIRE_SESSION_BYTES];
    uint8_t secret[WIRE_SECRET_BYTES];
    char id[2 * WIRE_SESSION_BYTES + 1];
    char repository[300];
    Loupe__Wire__Hello hello;
    ctx_rings rings;
    ship_known known;
    ship_source source;
    ship_window window;
    ship_endpoints endpoints;
    sent slots[SHIP_WINDOW_SLOTS];
    ship_sender sender;
    bool is_ending;
    chunk_writer chunks[CHUNKS_MAX];
    uint32_t chunk_count;
    int64_t chunk_ms; // when the last one began
} sim_agent;

static sim_agent agents[SIM_AGENTS_MAX];
static uint64_t last_request;

// --- The rings, each record of which has its own time

ctx_rings_counts
ctx_rings_get_counts(const ctx_rings *rings)
{
    (void)rings;
    return (ctx_rings_counts){0};
}

lp_err
ctx_rings_drain(ctx_rings *rings, ctx_packer *out)
{
    size_t count = (size_t)(rings->written - rings->drained);
    LP_ASSERT(ctx_packer_reserve(out, count * RECORD_BYTES) == LP_OK);
    while (rings->drained < rings->written) {
        uint8_t record[RECORD_BYTES] = {0};
        const ctx_record_header header = {
            .size_bytes = RECORD_BYTES,
            .type_id = 1,
            .kind = CTX_RECORD_SET,
            .thread_id = 1,
            .time_ticks = ++rings->drained,
        };
        memcpy(record, &header, sizeof(header));
        ctx_packer_put(out, &header, record);
    }
    return LP_OK;
}

unsigned
ctx_rings_get_load(const ctx_rings *rings)
{
    (void)rings;
    return 0; // they are never full
}

bool
ctx_rings_may_nap(const ctx_rings *rings)
{
    (void)rings;
    return true;
}

void
ctx_rings_note_pause(ctx_rings *rings, bool is_nap)
{
    (void)rings;
    (void)is_nap;
}

// --- NNG's half of the link

static void
transmit(sim_agent *self, sent *item)
{
    unsigned index = (unsigned)(self - agents);
    item->resend_ms = sim.now_ms + RESEND_MS;
    sim_net_send(&(sim_message){
        .agent = index,
        .collector = sim_net_get_collector(index),
        .request = item->request,
        .connection = sim_net_get_connection(index),
        .bytes = lp_buf_slice(&item->bytes),
    });
}

static void
send_due(sim_agent *self)
{
    for (ship_sending next; ship_window_take_due(&self->window, sim.now_ms, &next);) {
        sent *item = &self->slots[next.slot];
        lp_buf_clear(&item->bytes);
        lp_buf_append(&item->bytes, next.bytes.ptr, next.bytes.len);
        LP_ASSERT(lp_buf_check(&item->bytes) == LP_OK);
        item->request = ++last_request;
        transmit(self, item);
    }
}

static void
resend(sim_agent *self)
{
    for (unsigned i = 0; i < SHIP_WINDOW_SLOTS; i++) {
        sent *item = &self->slots[i];
        if (item->request != 0 && sim.now_ms >= item->resend_ms) {
            transmit(self, item);
        }
    }
}

void
sim_agent_reconnect(unsigned index)
{
    for (unsigned i = 0; i < SHIP_WINDOW_SLOTS; i++) {
        sent *item = &agents[index].slots[i];
        if (item->request != 0) {
            transmit(&agents[index], item);
        }
    }
}

void
sim_agent_take_reply(const sim_message *message)
{
    sim_agent *self = &agents[message->agent];
    for (unsigned i = 0; i < SHIP_WINDOW_SLOTS; i++) {
        if (self->slots[i].request == message->request) {
            self->slots[i].request = 0;
            ship_reply reply = ship_message_unpack_reply(message->bytes);
            ship_endpoints_note_answer(&self->endpoints, reply.go_elsewhere, sim.now_ms);
            ship_window_note_reply(&self->window, i, &reply, sim.now_ms);
            ship_message_reply_fini(&reply);
            return;
        }
    }
}

// --- Where the agent is

static const char *const urls[SIM_COLLECTORS_MAX] = {"sim-0", "sim-1", "sim-2"};

static void
go(sim_agent *self, const ship_address *to, ship_reason why)
{
    unsigned collector = 0;
    while (to->endpoint != urls[collector]) {
        collector++;
        LP_ASSERT(collector < SIM_COLLECTORS_MAX);
    }
    for (unsigned i = 0; i < SHIP_WINDOW_SLOTS && why != SHIP_BEGINS; i++) {
        if (self->slots[i].request != 0) {
            self->slots[i].request = 0;
            ship_window_note_dropped(&self->window, i, sim.now_ms);
        }
    }
    if (why != SHIP_BEGINS) {
        ship_window_note_moved(&self->window, sim.now_ms);
        sim.has_moved = true;
        lp_log(LP_LOG_INFO, "--- %" PRId64 " ms: agent %u moves to %s: %s", sim.now_ms,
            (unsigned)(self - agents), to->endpoint, ship_reason_text(why));
    }
    sim_net_move((unsigned)(self - agents), collector);
    ship_endpoints_note_dialled(&self->endpoints, to, why, sim.now_ms);
}

// travel does what ship_link does.
static void
travel(sim_agent *self, bool is_connected)
{
    const ship_connection connection = {
        .is_there = is_connected,
        .is_owing = ship_window_owes_answer(&self->window),
        .is_hurried = self->is_ending,
    };
    ship_reason why = ship_endpoints_look(&self->endpoints, &connection, sim.now_ms);
    const ship_address *to =
        why == SHIP_STAYS ? NULL : ship_endpoints_find(&self->endpoints, why, sim.now_ms);
    if (to != NULL) {
        go(self, to, why);
    }
}

static void
begin_endpoints(sim_agent *self, unsigned index)
{
    ship_address addresses[SIM_COLLECTORS_MAX];
    for (unsigned i = 0; i < sim.collectors; i++) {
        addresses[i] = (ship_address){.endpoint = urls[i]};
    }
    self->endpoints.seed = sim.chance + index;
    ship_endpoints_set(&self->endpoints, addresses, sim.collectors);
    go(self, ship_endpoints_find(&self->endpoints, SHIP_BEGINS, sim.now_ms), SHIP_BEGINS);
}

// --- The JVM

uint8_t
sim_agent_byte(unsigned index, uint32_t chunk, uint64_t offset)
{
    return chunk_writer_byte(index * CHUNKS_MAX + chunk, offset);
}

static chunk_writer *
last_chunk(sim_agent *self)
{
    return &self->chunks[self->chunk_count - 1];
}

static void
begin_chunk(sim_agent *self)
{
    char name[40];
    LP_ASSERT(self->chunk_count < CHUNKS_MAX);
    (void)snprintf(name, sizeof(name), "2026_01_01_00_00_00_%02u.jfr", self->chunk_count);
    unsigned seed = (unsigned)(self - agents) * CHUNKS_MAX + self->chunk_count;
    self->chunks[self->chunk_count] =
        chunk_writer_create(self->repository, name, seed, 1000 + self->chunk_count);
    chunk_writer_begin(&self->chunks[self->chunk_count++]);
    self->chunk_ms = sim.now_ms;
}

// set_duration sets that of the chunk, after a flush.
static void
set_duration(const sim_agent *self, const chunk_writer *chunk)
{
    uint8_t bytes[8];
    be64_put(bytes, (uint64_t)(sim.now_ms - self->chunk_ms) * 1000000);
    LP_ASSERT(pwrite(chunk->fd, bytes, sizeof(bytes), 40) == (ssize_t)sizeof(bytes));
}

static void
flush(sim_agent *self)
{
    chunk_writer *chunk = last_chunk(self);
    chunk_writer_append(chunk, 100 + sim_below(FLUSH_BYTES_MAX));
    chunk_writer_flush(chunk);
    set_duration(self, chunk);
}

static void
finish_chunk(sim_agent *self)
{
    chunk_writer *chunk = last_chunk(self);
    flush(self);
    chunk_writer_guard(chunk);
    chunk_writer_publish(chunk, 0);
    set_duration(self, chunk);
    (void)close(chunk->fd);
}

void
sim_agent_record(unsigned index)
{
    sim_agent *self = &agents[index];
    if (self->is_ending) {
        return;
    }
    self->rings.written += sim_below(RECORDS_MAX);
    if (sim_happens(5000)) {
        flush(self);
    }
    if (self->chunk_count < CHUNKS_MAX && sim_happens(2000)) {
        finish_chunk(self);
        begin_chunk(self);
    }
}

void
sim_agent_finish(unsigned index)
{
    if (!agents[index].is_ending) {
        finish_chunk(&agents[index]);
        agents[index].is_ending = true;
    }
}

// --- The agent

static void
begin_hello(sim_agent *self, unsigned index)
{
    static char text[] = "sim";
    for (size_t i = 0; i < sizeof(self->session); i++) {
        self->session[i] = (uint8_t)(i == 0 ? index + 1 : i);
        (void)snprintf(self->id + 2 * i, 3, "%02x", self->session[i]);
    }
    memset(self->secret, (int)index + 0x50, sizeof(self->secret));
    loupe__wire__hello__init(&self->hello);
    self->hello.session =
        (ProtobufCBinaryData){.len = sizeof(self->session), .data = self->session};
    self->hello.secret = (ProtobufCBinaryData){.len = sizeof(self->secret), .data = self->secret};
    self->hello.service = self->hello.instance = text;
    self->hello.jvm_name = self->hello.jvm_version = text;
    self->hello.agent_version = text;
    self->hello.start_wall_ns = 1;
}

// get_registry returns one with a type, which is there for good, as in a JVM.
static ctx_registry *
get_registry(void)
{
    static ctx_registry *registry;
    static char name[] = "type";
    static char none[] = "";
    if (registry == NULL) {
        const ctx_type type = {
            .name = name,
            .label = none,
            .description = none,
            .attribute_count = 1,
            .attributes = {{CTX_LONG, name, none, none}},
        };
        uint16_t id;
        registry = ctx_registry_create();
        LP_ASSERT(registry != NULL && ctx_registry_add(registry, &type, &id) == LP_OK && id == 1);
    }
    return registry;
}

void
sim_agent_begin(unsigned index, const char *parent)
{
    sim_agent *self = &agents[index];
    *self = (sim_agent){0};
    begin_hello(self, index);
    (void)snprintf(self->repository, sizeof(self->repository), "%s/jvm-%u", parent, index);
    LP_ASSERT(mkdir(self->repository, 0700) == 0);
    self->known = (ship_known){.registry = get_registry(),
        .recordings = ctx_recordings_create(),
        .filters = ctx_filters_create()};
    LP_ASSERT(ship_source_open(&self->source, self->repository, &self->rings, &self->known, NULL) ==
              LP_OK);
    ship_window_init(&self->window, &self->hello);
    begin_endpoints(self, index);
    self->sender = (ship_sender){.session = self->session,
        .source = &self->source,
        .known = &self->known,
        .window = &self->window};
    begin_chunk(self);
}

void
sim_agent_end(unsigned index)
{
    sim_agent *self = &agents[index];
    if (!self->is_ending) {
        (void)close(last_chunk(self)->fd);
    }
    ship_source_close(&self->source);
    (void)nftw(self->repository, temp_dir_on_entry, 16, FTW_DEPTH | FTW_PHYS);
    ship_spool_fini(&self->source.spool);
    ctx_recordings_destroy(self->known.recordings);
    ctx_filters_destroy(self->known.filters);
    LP_VEC_FINI(&self->known.next_recordings);
    LP_VEC_FINI(&self->known.next_filters);
    ship_window_fini(&self->window);
    for (unsigned i = 0; i < SHIP_WINDOW_SLOTS; i++) {
        lp_buf_fini(&self->slots[i].bytes);
    }
    wire_compressor_free(self->sender.compressor);
    lp_buf_fini(&self->sender.jfr);
    lp_buf_fini(&self->sender.jfr_zstd);
    LP_VEC_FINI(&self->sender.kept);
}

// As in the agent's thread (ship.c).
void
sim_agent_step(unsigned index, bool is_connected)
{
    sim_agent *self = &agents[index];
    ship_window *window = &self->window;
    resend(self);
    travel(self, is_connected);
    send_due(self);
    if (ship_window_take_forgotten(window)) {
        ship_known_forget(&self->known);
    }
    uint32_t lacking;
    if (ship_window_take_lacking(window, &lacking)) {
        ship_sender_go_back(&self->sender, lacking);
    }
    if (!self->source.is_all_read) {
        ship_source_step(&self->source, self->is_ending, sim.now_ms);
    }
    while (ship_sender_step(&self->sender, 0, sim.now_ms)) {
        send_due(self);
    }
}

bool
sim_agent_is_done(unsigned index)
{
    return ship_sender_is_done(&agents[index].sender);
}

const char *
sim_agent_get_id(unsigned index)
{
    return agents[index].id;
}

uint32_t
sim_agent_count_chunks(unsigned index)
{
    return agents[index].chunk_count;
}

uint64_t
sim_agent_get_size(unsigned index, uint32_t chunk)
{
    return agents[index].chunks[chunk].published;
}

int64_t
sim_agent_count_records(unsigned index)
{
    return agents[index].rings.written;
}
