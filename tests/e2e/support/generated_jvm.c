// SPDX-License-Identifier: Apache-2.0
#include "e2e/support/generated_jvm.h"

#include "unit/agent/context/ring_writer.h"

#include "common/base/lp_assert.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { ORDER = 1, RECORDING = 2 }; // type ids, in the order in which they are registered

static void
add_type(ctx_registry *registry, char *name, bool is_recording, uint16_t expected_id)
{
    static char attribute[] = "id";
    static char request[] = "request";
    static char none[] = "";
    const ctx_type type = {
        .name = name,
        .label = none,
        .description = none,
        .is_recording = is_recording,
        .attribute_count = is_recording ? 2 : 1,
        .attributes = {{CTX_LONG, attribute, none, none}, {CTX_LONG, request, none, none}},
    };
    uint16_t id;
    LP_ASSERT(ctx_registry_add(registry, &type, &id) == LP_OK && id == expected_id);
}

static void
create_contexts(generated_jvm *jvm)
{
    static char order[] = "e2e-order";
    static char recording[] = "loupe.RecordingContext";
    LP_ASSERT(ctx_rings_create(&jvm->rings) == LP_OK);
    jvm->registry = ctx_registry_create();
    jvm->recordings = ctx_recordings_create();
    LP_ASSERT(jvm->registry != NULL && jvm->recordings != NULL);
    add_type(jvm->registry, order, false, ORDER);
    add_type(jvm->registry, recording, true, RECORDING);
}

static void
start_ship(
    generated_jvm *jvm, const char *service, const char *const *addresses, size_t address_count)
{
    char instance[48];
    (void)snprintf(instance, sizeof(instance), "%s:%d", jvm->name, (int)getpid());
    const ship_config config = {
        .collectors = addresses,
        .collector_count = address_count,
        .service = service != NULL ? service : jvm->name,
        .instance = instance,
        .jvm_name = "generated",
        .jvm_version = "0",
        .repository = jvm->repository,
        .rings = jvm->rings,
        .registry = jvm->registry,
        .recordings = jvm->recordings,
        .filters = ctx_filters_create(),
    };
    lp_problem problem = {.text = "out of memory"};
    if (config.filters == NULL || ship_start(&config, &jvm->ship, &problem) != LP_OK) {
        (void)fprintf(stderr, "%s: %s\n", jvm->name, problem.text);
        abort();
    }
}

// next_ticks returns the time, later than that before it.
static int64_t
next_ticks(void *arg)
{
    generated_jvm *jvm = arg;
    struct timespec now;
    LP_ASSERT(clock_gettime(CLOCK_MONOTONIC, &now) == 0);
    int64_t ticks = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    jvm->now_ticks = ticks > jvm->now_ticks ? ticks : jvm->now_ticks + 1;
    return jvm->now_ticks;
}

// --- Chunks

typedef struct chunk_path {
    char text[GENERATED_JVM_PATH_BYTES + 16];
} chunk_path;

static chunk_path
path_of(const generated_jvm *jvm, unsigned chunk)
{
    chunk_path path;
    (void)snprintf(path.text, sizeof(path.text), "%s/%06u.jfr", jvm->repository, chunk);
    return path;
}

static generated_chunk
create_chunk(generated_jvm *jvm)
{
    if (jvm->chunk_count >= GENERATED_JVM_CHUNKS_MAX) {
        LP_ASSERT(unlink(path_of(jvm, jvm->chunk_count - GENERATED_JVM_CHUNKS_MAX).text) == 0);
    }
    return generated_chunk_create(path_of(jvm, jvm->chunk_count++).text);
}

void
generated_jvm_flush(generated_jvm *jvm)
{
    generated_chunk_flush(&jvm->chunk, next_ticks(jvm));
}

void
generated_jvm_rotate(generated_jvm *jvm)
{
    generated_chunk next = create_chunk(jvm);
    generated_chunk_finish(&jvm->chunk, next_ticks(jvm));
    jvm->chunk = next;
    generated_chunk_begin(&jvm->chunk, next_ticks(jvm));
}

// --- Ticks, and contexts around them

static ring_thread
thread_of(const generated_jvm *jvm)
{
    return (ring_thread){
        .layout = ctx_rings_get_layout(jvm->rings),
        .id = GENERATED_CHUNK_THREAD,
        .carrier = GENERATED_CHUNK_THREAD,
    };
}

static void
set(generated_jvm *jvm, uint16_t type, int64_t id)
{
    const int64_t values[] = {id, 0}; // of no request
    uint32_t count = type == RECORDING ? 2 : 1;
    LP_ASSERT(ring_writer_set(thread_of(jvm), type, next_ticks, jvm, count, values));
}

static void
unset(generated_jvm *jvm, uint16_t type)
{
    LP_ASSERT(ring_writer_unset(thread_of(jvm), type, next_ticks, jvm));
}

static bool
is_slow(const generated_jvm *jvm, uint64_t sequence)
{
    size_t trace = (size_t)(sequence / GENERATED_JVM_TRACE_TICKS) - 1;
    return trace < jvm->traces.count && jvm->traces.slow[trace] == jvm->number;
}

static ctx_entry
entry_of(const char *key, const char *value)
{
    return (ctx_entry){.key = key, .value = {(const uint8_t *)value, strlen(value)}};
}

// install begins a RecordingContext, and returns its id.
static uint64_t
install(generated_jvm *jvm, uint64_t sequence)
{
    char text[24];
    char trace[40];
    (void)snprintf(text, sizeof(text), "%" PRIu64, sequence);
    (void)snprintf(trace, sizeof(trace), "%032" PRIx64, sequence);
    ctx_entry entries[] = {
        entry_of("seq", text), entry_of("traceId", trace), entry_of("slow", "yes")};
    size_t count = jvm->traces.slow == NULL ? 1 : is_slow(jvm, sequence) ? 3 : 2;
    const ctx_recording map = {.entry_count = count, .entries = entries};
    uint64_t id;
    LP_ASSERT(ctx_recordings_add(jvm->recordings, &map, &id) == LP_OK);
    set(jvm, RECORDING, (int64_t)id);
    return id;
}

// tick has the chunk end after the event, if crosses.
static void
tick(generated_jvm *jvm, bool crosses)
{
    uint64_t sequence = ++jvm->sequence;
    bool is_in_contexts = sequence % GENERATED_JVM_TRACE_TICKS == 0;
    uint64_t recording = 0;
    if (is_in_contexts) {
        recording = install(jvm, sequence);
        set(jvm, ORDER, (int64_t)sequence);
    } else if (sequence % GENERATED_JVM_TRACE_TICKS == GENERATED_JVM_TRACE_TICKS / 2) {
        set(jvm, ORDER, -(int64_t)sequence);
        unset(jvm, ORDER);
    }
    generated_chunk_add(&jvm->chunk, next_ticks(jvm), sequence);
    if (crosses) {
        generated_jvm_rotate(jvm);
    }
    if (is_in_contexts) {
        unset(jvm, ORDER);
        unset(jvm, RECORDING);
        ctx_recordings_release(jvm->recordings, recording);
    }
}

void
generated_jvm_tick(generated_jvm *jvm)
{
    tick(jvm, false);
}

void
generated_jvm_cross(generated_jvm *jvm)
{
    tick(jvm, true);
}

// --- Its life

void
generated_jvm_start(generated_jvm *jvm, unsigned number, const char *service, const char *parent,
    const char *const *addresses, size_t address_count)
{
    *jvm = (generated_jvm){.number = number};
    (void)snprintf(jvm->name, sizeof(jvm->name), "generated%u", number);
    (void)snprintf(jvm->repository, sizeof(jvm->repository), "%s/%s", parent, jvm->name);
    LP_ASSERT(mkdir(jvm->repository, 0700) == 0);
    create_contexts(jvm);
    start_ship(jvm, service, addresses, address_count);
    jvm->chunk = create_chunk(jvm);
    generated_chunk_begin(&jvm->chunk, next_ticks(jvm));
}

void
generated_jvm_end(generated_jvm *jvm, int timeout_ms)
{
    generated_chunk_finish(&jvm->chunk, next_ticks(jvm));
    ship_finish(jvm->ship, timeout_ms);
}
