// SPDX-License-Identifier: Apache-2.0
// ship_to_file: stands in for src/agent/ship in the agent of the ring tests. It drains the rings as
// ship does, and puts what it gets into a file, so that a test sees the very records.
//
// The option collector is the path. Besides the records, PATH.types lists the registered types in
// lines of fields with tabs between them, and PATH.counts has the counters at the end and how many
// rings are owned then.

#include "support/ctx_packing.h"

#include "agent/context/ctx_layout.h"
#include "agent/ship/ship.h"
#include "common/base/lp_buf.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PATH_BYTES_MAX = 4096, DRAIN_PAUSE_NS = 1000000, RUN_BYTES = 1 << 20 };

struct ship {
    char path[PATH_BYTES_MAX];
    ctx_rings *rings;
    ctx_registry *registry;
    FILE *records;
    pthread_t thread;
    atomic_bool is_finishing;
};

static void
drain_once(ship *sink, ctx_packer *packer, lp_buf *buf)
{
    lp_buf_clear(buf);
    ctx_packer_clear(packer);
    if (ctx_rings_drain(sink->rings, packer) != LP_OK || ctx_packing_unpack(packer, buf) != LP_OK) {
        abort();
    }
    if (buf->len > 0 &&
        (fwrite(buf->ptr, 1, buf->len, sink->records) != buf->len || fflush(sink->records) != 0)) {
        abort();
    }
}

static void *
drain_all(void *arg)
{
    ship *sink = arg;
    lp_buf buf = {0};
    ctx_packer packer = {.run_bytes = RUN_BYTES};
    while (!atomic_load(&sink->is_finishing)) {
        drain_once(sink, &packer, &buf);
        (void)nanosleep(&(struct timespec){.tv_nsec = DRAIN_PAUSE_NS}, NULL);
    }
    drain_once(sink, &packer, &buf);
    ctx_packer_fini(&packer);
    lp_buf_fini(&buf);
    return NULL;
}

static FILE *
open_beside(const ship *sink, const char *suffix)
{
    char path[PATH_BYTES_MAX + 16];
    (void)snprintf(path, sizeof(path), "%s%s", sink->path, suffix);
    return fopen(path, "w");
}

lp_err
ship_start(const ship_config *config, ship **out_ship, lp_problem *out_problem)
{
    ship *sink = calloc(1, sizeof(*sink));
    if (sink == NULL) {
        return LP_ENOMEM;
    }
    sink->rings = config->rings;
    sink->registry = config->registry;
    (void)snprintf(sink->path, sizeof(sink->path), "%s", config->collectors[0]);
    sink->records = open_beside(sink, "");
    if (sink->records == NULL || pthread_create(&sink->thread, NULL, drain_all, sink) != 0) {
        free(sink);
        return lp_problem_set(out_problem, LP_EIO, "%s cannot be written", config->collectors[0]);
    }
    *out_ship = sink;
    return LP_OK;
}

static size_t
count_owned(const ship *sink)
{
    const ctx_rings_layout *layout = ctx_rings_get_layout(sink->rings);
    size_t owned = 0;
    for (size_t i = 0; i < CTX_RINGS_COUNT; i++) {
        owned += atomic_load(&layout->controls[i].owner) != 0;
    }
    return owned;
}

static void
write_types(const ship *sink, FILE *file)
{
    const ctx_type *type;
    for (size_t i = 0; (type = ctx_registry_find(sink->registry, i)) != NULL; i++) {
        (void)fprintf(file, "%u\t%s\t%s\t%s", type->id, type->name, type->label, type->description);
        for (size_t j = 0; j < type->attribute_count; j++) {
            const ctx_attribute *attribute = &type->attributes[j];
            int kind = (int)attribute->kind | (attribute->is_root_key ? CTX_LAYOUT_ROOT_KEY : 0);
            (void)fprintf(file, "\t%d\t%s\t%s\t%s", kind, attribute->name, attribute->label,
                attribute->description);
        }
        (void)fputc('\n', file);
    }
}

void
ship_move(ship *sink, const char *repository)
{
    (void)sink;
    (void)repository; // no chunks are read
}

void
ship_count_restart(ship *sink)
{
    (void)sink;
}

void
ship_drain_soon(ship *sink)
{
    (void)sink; // its thread drains again and again
}

bool
ship_is_chunk_full(const ship *self)
{
    (void)self;
    return false;
}

bool
ship_take_policy(ship *sink, ship_policy *out_policy)
{
    (void)sink;
    (void)out_policy;
    return false;
}

bool
ship_set_own_policy(ship *sink, int64_t from_wall_ns, const char *text)
{
    (void)sink;
    (void)from_wall_ns;
    (void)text;
    return true;
}

void
ship_watch_events(ship *sink, const uint64_t *types, size_t count)
{
    (void)sink;
    (void)types;
    (void)count;
}

tail_events_counts
ship_count_events(ship *sink)
{
    (void)sink;
    return (tail_events_counts){0};
}

void
ship_finish(ship *sink, int timeout_ms)
{
    (void)timeout_ms;
    atomic_store(&sink->is_finishing, true);
    (void)pthread_join(sink->thread, NULL);
    ctx_rings_counts counts = ctx_rings_get_counts(sink->rings);
    FILE *types_file = open_beside(sink, ".types");
    FILE *counts_file = open_beside(sink, ".counts");
    if (types_file == NULL || counts_file == NULL) {
        abort();
    }
    write_types(sink, types_file);
    (void)fprintf(counts_file, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %zu\n", counts.contexts_taken,
        counts.contexts_dropped, counts.values_cut, count_owned(sink));
    if (fclose(types_file) != 0 || fclose(counts_file) != 0 || fclose(sink->records) != 0) {
        abort();
    }
}
