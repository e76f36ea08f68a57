// SPDX-License-Identifier: Apache-2.0
#include "engine/read/threads.h"

#include "common/base/lp_assert.h"

// identity_of_key folds the high bits of the key into the low ones, since an identity has 62.
static uint64_t
identity_of_key(uint64_t key)
{
    return (key ^ key >> 32) << 2 | COMPACT_IDENTITY_KEY;
}

typedef struct thread_number {
    bool is_there;
    jfr_program before;
} thread_number;

static thread_number
find_thread_number(const compact_schema *schema, const char *name)
{
    const jfr_type *type = &schema->metadata.types.items[schema->thread_type];
    uint32_t field = jfr_metadata_find_field(&schema->metadata, type, name);
    if (field == JFR_NONE || !jfr_layout_is_number(&schema->layout, &schema->metadata, field)) {
        return (thread_number){0};
    }
    return (thread_number){true, jfr_layout_before(&schema->layout, schema->thread_type, field)};
}

static int64_t
read_thread_number(
    const compact_view *view, const jfr_constant *constant, const thread_number *field)
{
    jfr_cursor cursor = compact_view_value(view, constant);
    uint64_t number;
    if (!field->is_there || !jfr_layout_walk(&view->schema->layout, field->before, &cursor) ||
        !jfr_varint_read(&cursor, &number)) {
        return 0;
    }
    return (int64_t)number;
}

// identify prefers the Java thread id, then the OS thread id (both above 0), then the key.
static uint64_t
identify(const compact_view *view, const jfr_constant *constant, const thread_number *java,
    const thread_number *os)
{
    int64_t java_id = read_thread_number(view, constant, java);
    if (java_id > 0) {
        return compact_identity_java(java_id);
    }
    int64_t os_id = read_thread_number(view, constant, os);
    if (os_id > 0) {
        return (uint64_t)os_id << 2 | COMPACT_IDENTITY_OS;
    }
    return identity_of_key(constant->key);
}

// add_thread returns the number of a new thread, or COMPACT_NO_THREAD without room.
static uint32_t
add_thread(compact_view *view, uint64_t key, uint64_t identity)
{
    size_t number = view->threads.count;
    LP_ASSERT(number <= COMPACT_NO_THREAD);
    if (number == COMPACT_NO_THREAD) {
        lp_arena_fail(&view->arena); // these constants take 12 GB already
        return COMPACT_NO_THREAD;
    }
    const compact_thread thread = {
        .key = key,
        .identity = identity,
        .last_plain = INT64_MIN,
        .last_span = INT64_MIN,
        .last_kept = INT64_MIN,
    };
    LP_ARENA_PUSH(&view->arena, &view->threads, thread);
    return view->threads.count > number ? (uint32_t)number : (uint32_t)COMPACT_NO_THREAD;
}

void
compact_threads_list(compact_view *view)
{
    compact_view_check(view);
    LP_ASSERT(view->threads.count == 0);         // it is done once
    if (view->schema->thread_type == JFR_NONE) { // no event has a thread
        return;
    }
    const jfr_pool *pool = &view->pools.pools[view->schema->thread_type];
    thread_number java = find_thread_number(view->schema, "javaThreadId");
    thread_number os = find_thread_number(view->schema, "osThreadId");
    for (size_t i = 0; i < pool->constants.count; i++) {
        const jfr_constant *constant = &pool->constants.items[i];
        (void)add_thread(view, constant->key, identify(view, constant, &java, &os));
    }
}

uint32_t
compact_threads_find(const compact_view *view, uint64_t key)
{
    if (view->schema->thread_type == JFR_NONE) {
        return LP_MAP_NONE;
    }
    uint32_t index = jfr_pools_find_index(&view->pools, view->schema->thread_type, key);
    return index != LP_MAP_NONE ? index : lp_map_find(&view->undescribed, key);
}

uint32_t
compact_threads_number(compact_view *view, uint64_t key)
{
    uint32_t thread = compact_threads_find(view, key);
    if (thread != LP_MAP_NONE) {
        return thread;
    }
    thread = add_thread(view, key, identity_of_key(key));
    if (thread != COMPACT_NO_THREAD) {
        lp_arena_put(&view->arena, &view->undescribed, key, thread);
    }
    return thread;
}
