// SPDX-License-Identifier: Apache-2.0
#include "sim/sim_check.h"

#include "sim/sim_agent.h"
#include "sim/sim_collector.h"
#include "sim/sim_disk.h"
#include "sim/sim_reader.h"
#include "sim/sim_world.h"

#include "collector/store/catalog/catalog.h"
#include "common/base/lp_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { PATH_BYTES = 400, CHUNKS_MAX = 256 };

// What the collectors have of a session. What is neither in chunks nor was put aside is gone.
typedef struct found {
    unsigned agent;
    uint64_t losses;
    bool is_there;
    bool is_ended;
    bool is_wrong;
    uint64_t bytes_missing;
    uint64_t bytes_twice;
    uint64_t bytes_gone;
    uint8_t *records[SIM_COLLECTORS_MAX]; // how often each is there, by its time less 1
    uint8_t *late[SIM_COLLECTORS_MAX];    // how often each was put aside
    uint64_t records_missing;
    uint64_t records_twice;
    uint64_t records_gone;
    uint64_t chunks[SIM_COLLECTORS_MAX][CHUNKS_MAX]; // the hash of each; 0: it is not there
} found;

// What a collector has of a chunk.
typedef struct held {
    sim_content content;
    sim_content late;
} held;

static void
take_session(void *arg, const catalog_session *row)
{
    found *f = arg;
    f->is_there = true;
    f->is_ended = f->is_ended || row->is_ended;
    for (size_t i = 0; i < CATALOG_LOSS_COUNT; i++) {
        f->losses += row->losses[i];
        if (row->losses[i] > 0) {
            lp_log(LP_LOG_INFO, "agent %u: %s %" PRIu64, f->agent,
                catalog_loss_name((catalog_loss)i), row->losses[i]);
        }
    }
    f->losses += row->context_bytes_dropped + row->chunk_bytes_dropped;
}

static void
take_chunk(void *arg, const catalog_chunk *chunk)
{
    found *f = arg;
    LP_ASSERT(chunk->ordinal < sim_agent_count_chunks(f->agent));
    f->chunks[sim.side][chunk->ordinal] = chunk->content_hash;
}

static void
count_records(const found *f, const sim_content *content, uint8_t *counts)
{
    for (size_t i = 0; i < content->records.count; i++) {
        int64_t ticks = content->records.items[i].ticks;
        LP_ASSERT(ticks > 0 && ticks <= sim_agent_count_records(f->agent));
        counts[ticks - 1]++;
    }
}

static unsigned
count_at(const sim_content *content, size_t offset)
{
    return offset < content->counts.len ? content->counts.ptr[offset] : 0;
}

// load_chunk looks for what the collector at sim.side has of a chunk. The caller ends it.
static held
load_chunk(found *f, uint32_t ordinal)
{
    held h = {0};
    char path[PATH_BYTES];
    const char *id = sim_agent_get_id(f->agent);
    uint64_t hash = f->chunks[sim.side][ordinal];
    if (hash != 0) {
        sim_collector_chunk_path(id, ordinal, hash, path, sizeof(path));
        LP_ASSERT(sim_content_load(path, &h.content));
    }
    sim_collector_late_path(id, ordinal, path, sizeof(path));
    sim_reader_add_late(path, f->agent, &h.late);
    f->is_wrong = f->is_wrong || h.content.is_wrong || h.late.is_wrong ||
                  h.content.counts.len > sim_agent_get_size(f->agent, ordinal);
    count_records(f, &h.content, f->records[sim.side]);
    count_records(f, &h.late, f->late[sim.side]);
    return h;
}

// find_chunk looks for what was compacted of a chunk and what was put aside.
static void
find_chunk(found *f, uint32_t ordinal)
{
    held by_side[SIM_COLLECTORS_MAX] = {0};
    for (sim.side = 0; sim.side < sim.collectors; sim.side++) {
        by_side[sim.side] = load_chunk(f, ordinal);
    }
    for (size_t i = 0; i < sim_agent_get_size(f->agent, ordinal); i++) {
        unsigned there = 0;
        unsigned late = 0;
        for (unsigned j = 0; j < sim.collectors; j++) {
            there += count_at(&by_side[j].content, i);
            late += count_at(&by_side[j].late, i);
            f->bytes_twice += count_at(&by_side[j].content, i) > 1;
        }
        f->bytes_missing += there == 0;
        f->bytes_gone += there + late == 0;
    }
    for (unsigned j = 0; j < sim.collectors; j++) {
        sim_content_fini(&by_side[j].content);
        sim_content_fini(&by_side[j].late);
    }
}

static void
find_records(found *f, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        unsigned there = 0;
        unsigned late = 0;
        for (unsigned j = 0; j < sim.collectors; j++) {
            there += f->records[j][i];
            late += f->late[j][i];
            f->records_twice += f->records[j][i] > 1;
        }
        f->records_missing += there == 0;
        f->records_gone += there + late == 0;
    }
}

// find_session looks into the catalog of each collector, or the one that they share.
static void
find_session(found *f)
{
    const char *id = sim_agent_get_id(f->agent);
    const unsigned catalogs = sim.shared != NULL ? 1 : sim.collectors;
    for (sim.side = 0; sim.side < catalogs; sim.side++) {
        char path[PATH_BYTES];
        catalog *from;
        (void)snprintf(path, sizeof(path), "%s/catalog.db", sim_disk_get_store());
        LP_ASSERT(catalog_open_reader(path, &from, NULL) == LP_OK);
        lp_err err = catalog_find(from, id, take_session, f);
        LP_ASSERT(err == LP_OK || err == LP_ENOENT);
        LP_ASSERT(catalog_list_chunks(from, id, take_chunk, f) == LP_OK);
        catalog_close(from);
    }
}

static found
find(unsigned agent)
{
    found f = {.agent = agent};
    size_t records = (size_t)sim_agent_count_records(agent);
    for (unsigned j = 0; j < sim.collectors; j++) {
        f.records[j] = calloc(records + 1, 1);
        f.late[j] = calloc(records + 1, 1);
        LP_ASSERT(f.records[j] != NULL && f.late[j] != NULL);
    }
    find_session(&f);
    for (uint32_t i = 0; i < sim_agent_count_chunks(agent); i++) {
        find_chunk(&f, i);
    }
    find_records(&f, records);
    for (unsigned j = 0; j < sim.collectors; j++) {
        free(f.records[j]);
        free(f.late[j]);
    }
    return f;
}

// judge returns what is wrong with what is there; NULL: nothing. Where collectors have a catalog
// each, the one that an agent has left counts what went elsewhere.
static const char *
judge(const found *f, sim_allowed allowed)
{
    bool is_missing = f->bytes_missing + f->records_missing > 0;
    bool is_gone = f->bytes_gone + f->records_gone > 0;
    bool is_counted =
        allowed.is_lost || allowed.is_counted || (sim.collectors > 1 && sim.shared == NULL);
    return !f->is_there                        ? "the session is not there"
           : !f->is_ended                      ? "the session has not ended"
           : f->is_wrong                       ? "a byte is wrong"
           : f->bytes_twice + f->records_twice ? "something is there twice"
           : is_missing && f->losses == 0      ? "something is missing, and nothing says so"
           : is_gone && !allowed.is_lost       ? "something is gone"
           : f->losses > 0 && !is_counted      ? "a loss is counted where nothing may be lost"
                                               : NULL;
}

bool
sim_check_agents(uint64_t seed, unsigned count, sim_allowed allowed)
{
    bool is_right = true;
    for (unsigned i = 0; i < count; i++) {
        found f = find(i);
        const char *fault = judge(&f, allowed);
        if (fault != NULL) {
            is_right = false;
            printf("seed %" PRIu64 ": agent %u: %s: of %u chunks, %" PRId64
                   " records: bytes %" PRIu64 " missing, %" PRIu64 " gone, %" PRIu64
                   " twice; records %" PRIu64 " missing, %" PRIu64 " gone, %" PRIu64
                   " twice; losses %" PRIu64 "\n",
                seed, i, fault, sim_agent_count_chunks(i), sim_agent_count_records(i),
                f.bytes_missing, f.bytes_gone, f.bytes_twice, f.records_missing, f.records_gone,
                f.records_twice, f.losses);
        }
    }
    return is_right;
}
