// SPDX-License-Identifier: Apache-2.0
#include "unit/agent/ship/ship_rig.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SHIPS_MAX = 64 }; // of a program

static void *left_behind[4 * SHIPS_MAX]; // so that it counts as reachable
static size_t left_behind_count;

static void
leave_behind(void *object)
{
    assert_true(left_behind_count < sizeof(left_behind) / sizeof(left_behind[0]));
    left_behind[left_behind_count++] = object;
}

int
ship_rig_set_up(void **state)
{
    ship_rig *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->dir = temp_dir_make();
    f->collector = fake_collector_create();
    f->url = f->collector->url;
    assert_int_equal(ctx_rings_create(&f->rings), LP_OK);
    f->registry = ctx_registry_create();
    assert_non_null(f->registry);
    leave_behind(f->registry);
    f->recordings = ctx_recordings_create();
    assert_non_null(f->recordings);
    leave_behind(f->recordings);
    f->filters = ctx_filters_create();
    assert_non_null(f->filters);
    leave_behind(f->filters);
    *state = f;
    return 0;
}

int
ship_rig_tear_down(void **state)
{
    ship_rig *f = *state;
    fake_collector_destroy(f->collector);
    temp_dir_remove(&f->dir);
    free(f); // rings and registry belong to the ship now
    return 0;
}

ship_config
ship_rig_config(const ship_rig *f)
{
    return (ship_config){
        .collectors = &f->url,
        .collector_count = 1,
        .service = "checkout",
        .instance = "host:1",
        .jvm_name = "a JVM",
        .jvm_version = "25",
        .repository = f->dir.path,
        .rings = f->rings,
        .registry = f->registry,
        .recordings = f->recordings,
        .filters = f->filters,
    };
}

void
ship_rig_start(ship_rig *f)
{
    const ship_config config = ship_rig_config(f);
    lp_problem problem;
    assert_int_equal(ship_start(&config, &f->ship, &problem), LP_OK);
    leave_behind(f->ship);
}

void
ship_rig_add_type(ship_rig *f)
{
    static char name[] = "trace";
    static char empty[] = "";
    ctx_type type = {.name = name, .label = empty, .description = empty, .attribute_count = 1};
    type.attributes[0] = (ctx_attribute){CTX_LONG, name, empty, empty};
    uint16_t id;
    assert_int_equal(ctx_registry_add(f->registry, &type, &id), LP_OK);
    assert_int_equal(id, 1);
}

void
ship_rig_put_record(ship_rig *f, ctx_record_kind kind, int64_t thread, int64_t ticks)
{
    const ctx_rings_layout *layout = ctx_rings_get_layout(f->rings);
    ctx_rings_control *control = &layout->controls[0];
    const ctx_record_header record = {
        .size_bytes = sizeof(record),
        .type_id = 1,
        .kind = (uint8_t)kind,
        .thread_id = thread,
        .time_ticks = ticks,
    };
    uint32_t head = atomic_load(&control->head);
    while (head + sizeof(record) - atomic_load(&control->tail) > CTX_RINGS_RING_BYTES) {
        sched_yield();
    }
    memcpy(control->ring + head % CTX_RINGS_RING_BYTES, &record, sizeof(record));
    atomic_store(&control->head, head + (uint32_t)sizeof(record));
}

uint64_t
ship_rig_add_map(ship_rig *f)
{
    char value[16];
    int len = snprintf(value, sizeof(value), "%u", f->map_count++); // like no other
    ctx_entry entry = {.key = "key", .value = {(const uint8_t *)value, (size_t)len}};
    const ctx_recording map = {.entry_count = 1, .entries = &entry};
    uint64_t id = 0;
    assert_int_equal(ctx_recordings_add(f->recordings, &map, &id), LP_OK);
    return id;
}

size_t
ship_rig_count_maps(ship_rig *f)
{
    ctx_recording_list list = {0};
    bool is_all;
    assert_int_equal(
        ctx_recordings_list(f->recordings, 0, SIZE_MAX, SIZE_MAX, &list, &is_all), LP_OK);
    size_t count = list.count;
    LP_VEC_FINI(&list);
    return count;
}

chunk_writer
ship_rig_write_chunk_in(const char *directory, unsigned number, size_t bytes)
{
    char name[32];
    (void)snprintf(name, sizeof(name), "%u.jfr", number);
    chunk_writer chunk = chunk_writer_create(directory, name, number, 1000 + number);
    chunk_writer_begin(&chunk);
    chunk_writer_append(&chunk, bytes);
    chunk_writer_flush(&chunk);
    return chunk;
}

chunk_writer
ship_rig_write_chunk(ship_rig *f, unsigned number, size_t bytes)
{
    return ship_rig_write_chunk_in(f->dir.path, number, bytes);
}

chunk_writer
ship_rig_begin(ship_rig *f, size_t bytes)
{
    fake_collector_start(f->collector);
    ship_rig_start(f);
    return ship_rig_write_chunk(f, 0, bytes);
}

received
ship_rig_finish_all(ship_rig *f, const chunk_writer *chunks, unsigned count)
{
    ship_finish(f->ship, SHIP_RIG_NEVER_MS);
    fake_collector_stop(f->collector);
    received r = received_assemble(f->collector, NULL, NULL);
    assert_int_equal(r.chunk_count, count);
    for (unsigned i = 0; i < count; i++) {
        received_check_chunk(&r, i, &chunks[i]);
    }
    assert_int_equal(r.last_count, 1);
    return r;
}

received
ship_rig_finish(ship_rig *f, chunk_writer *chunk)
{
    chunk_writer_finish(chunk);
    ship_finish(f->ship, SHIP_RIG_NEVER_MS);
    fake_collector_stop(f->collector);
    received r = received_assemble(f->collector, NULL, NULL);
    received_check_chunk(&r, 0, chunk);
    return r;
}
