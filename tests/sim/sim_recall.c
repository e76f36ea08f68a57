// SPDX-License-Identifier: Apache-2.0
#include "sim/sim_recall.h"

#include "sim/sim_agent.h"
#include "sim/sim_collector.h"
#include "sim/sim_disk.h"
#include "sim/sim_world.h"

#include "collector/recall/recall.h"
#include "collector/store/catalog/catalog.h"
#include "collector/store/chunks/blobs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 400 };

void
sim_recall_pin(unsigned number, bool wants_all)
{
    pins *to = recall_get_pins(server_get_recall(sim_collector_get()));
    pin asked = {.to_wall_ns = INT64_MAX / 2,
        .made_wall_ns = sim.now_ms * 1000000,
        .selection.kind = wants_all ? PIN_ALL : PIN_THREAD};
    pin_chunks found = {0};
    raw_list_span span;
    bool is_new;
    (void)snprintf(asked.service, sizeof(asked.service), "sim"); // of all agents
    (void)snprintf(asked.key, sizeof(asked.key), "pin-%u", number);
    if (!wants_all) {
        (void)snprintf(asked.selection.id, sizeof(asked.selection.id), "thread-%u", number);
    }
    if (pins_add(to, &asked, &asked, &is_new) == LP_OK) { // else there are too many
        LP_ASSERT(raw_list_find(recall_get_list(server_get_recall(sim_collector_get())), &asked,
                      &found, &span) == LP_OK);
        pins_fill(to, asked.id, &found, &asked);
    }
    LP_VEC_FINI(&found);
}

typedef struct pin_counts {
    uint64_t waiting;
    uint64_t all;     // pins of everything
    uint64_t lacking; // those that lack chunks
} pin_counts;

static void
count_pin(void *arg, const pin *of)
{
    pin_counts *counts = arg;
    counts->waiting += of->waiting;
    if (of->selection.kind == PIN_ALL) {
        counts->all++;
        counts->lacking += of->outcomes[PIN_MISSING] + of->outcomes[PIN_FAILED] + of->left_out > 0;
    }
}

static pin_counts
count_pins(void)
{
    pin_counts counts = {0};
    pins_each(recall_get_pins(server_get_recall(sim_collector_get())), count_pin, &counts);
    return counts;
}

bool
sim_recall_is_done(void)
{
    return count_pins().waiting == 0;
}

bool
sim_recall_is_whole(void)
{
    pin_counts counts = count_pins();
    return counts.all > 0 && counts.lacking == 0;
}

// --- What is there in the end

typedef struct looking {
    uint64_t seed;
    unsigned agent;
    bool wants_all;
    bool is_right;
    blobs *blobs;
} looking;

static void
complain(looking *l, uint32_t ordinal, const char *what)
{
    l->is_right = false;
    printf("seed %" PRIu64 ": agent %u: chunk %u: %s\n", l->seed, l->agent, ordinal, what);
}

// The first edition is no file in a simulation.
static void
look_at(void *arg, const catalog_chunk *chunk)
{
    looking *l = arg;
    uint64_t edition = chunk->place.offset;
    const blob_name name = {.session_id = sim_agent_get_id(l->agent),
        .ordinal = chunk->ordinal,
        .size_bytes = chunk->size_bytes,
        .content_hash = chunk->content_hash,
        .place = chunk->place};
    if (edition != BLOB_EDITION_FIRST && blobs_verify(l->blobs, &name) != LP_OK) {
        complain(l, chunk->ordinal, "the file of its edition is not there, or another one");
    }
    if (edition != BLOB_EDITION_ALL && l->wants_all) {
        complain(l, chunk->ordinal, "a pin that has it does not have all");
    }
}

bool
sim_recall_check_agent(uint64_t seed, unsigned agent, bool wants_all)
{
    char path[PATH_BYTES];
    catalog *from;
    looking l = {.seed = seed, .agent = agent, .wants_all = wants_all, .is_right = true};
    (void)snprintf(path, sizeof(path), "%s/chunks", sim_disk_get_data());
    LP_ASSERT(blobs_open(path, &l.blobs, NULL) == LP_OK);
    (void)snprintf(path, sizeof(path), "%s/catalog.db", sim_disk_get_store());
    LP_ASSERT(catalog_open_reader(path, &from, NULL) == LP_OK);
    LP_ASSERT(catalog_list_chunks(from, sim_agent_get_id(agent), look_at, &l) == LP_OK);
    catalog_close(from);
    blobs_close(l.blobs);
    return l.is_right;
}
