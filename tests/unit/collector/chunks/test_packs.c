// SPDX-License-Identifier: Apache-2.0

// Packs: chunks of many sessions become one object and are committed with it, not before. The
// chunks of a session are committed in order, with the carry-over of the last one. A chunk that
// grew, or that the catalog refuses, stops only the session's later chunks. Chunks that cannot be
// stored stay in their journals. Sweeps: objects without chunks are removed, sparse ones copied
// first, and orphans removed only if their chunks exist elsewhere. The store is in memory.

#include "unit/collector/keep/retention_rig.h"

#include "collector/chunks/pack_sweep.h"
#include "collector/chunks/packs.h"
#include "collector/session/session_note.h"
#include "collector/store/catalog/catalog_expiry.h"
#include "collector/store/catalog/catalog_objects.h"
#include "collector/store/chunks/object_pack.h"
#include "common/base/lp_io.h"
#include "common/base/lp_time.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { OBJECTS_MAX = 128, LONG_MS = 1 << 30 };

typedef struct object {
    char name[BLOB_OBJECT_CHARS + 1];
    lp_buf bytes;
} object;

// A store in memory. One thread at a time uses it: the loop's, while no worker runs.
typedef struct memory_store {
    chunk_store base;
    object objects[OBJECTS_MAX];
    size_t count;
    size_t puts;
    int put_error; // errno of the next PUTs; 0: none
} memory_store;

static memory_store *
store_of(chunk_store *store)
{
    return (memory_store *)(void *)store;
}

static object *
find_object(memory_store *store, const char *name)
{
    for (size_t i = 0; i < store->count; i++) {
        if (strcmp(store->objects[i].name, name) == 0) {
            return &store->objects[i];
        }
    }
    return NULL;
}

static object *
add_object(memory_store *store, const char *name)
{
    assert_true(store->count < OBJECTS_MAX);
    object *added = &store->objects[store->count++];
    *added = (object){.name = ""};
    (void)snprintf(added->name, sizeof(added->name), "%s", name);
    return added;
}

static lp_err
put_object(chunk_store *base, const char *name, int fd, uint64_t size_bytes, uint64_t footer_at)
{
    memory_store *store = store_of(base);
    store->puts++;
    assert_true(footer_at < size_bytes);
    assert_null(find_object(store, name));
    if (store->put_error != 0) {
        errno = store->put_error;
        return LP_EIO;
    }
    object *added = add_object(store, name);
    uint8_t *to = lp_buf_extend(&added->bytes, size_bytes);
    assert_non_null(to);
    return lp_io_pread_all(fd, to, size_bytes, 0);
}

static lp_err
get_object(chunk_store *base, const char *name, int to_fd)
{
    const object *found = find_object(store_of(base), name);
    return found == NULL ? LP_ENOENT : lp_io_write_all(to_fd, lp_buf_slice(&found->bytes));
}

static lp_err
list_objects(chunk_store *base, lp_err (*on_object)(void *arg, const char *name), void *arg)
{
    memory_store *store = store_of(base);
    lp_err err = LP_OK;
    for (size_t i = 0; i < store->count && err == LP_OK; i++) {
        err = on_object(arg, store->objects[i].name);
    }
    return err;
}

static lp_err
remove_object(chunk_store *base, const char *name)
{
    memory_store *store = store_of(base);
    object *found = find_object(store, name);
    if (found != NULL) {
        lp_buf_fini(&found->bytes);
        *found = store->objects[--store->count];
    }
    return LP_OK;
}

static lp_err
open_chunk(chunk_store *base, const blob_name *name, int *out_fd)
{
    const object *found = find_object(store_of(base), name->place.object);
    char path[] = "/tmp/loupe-test-packs-XXXXXX";
    if (found == NULL) {
        return LP_ENOENT;
    }
    *out_fd = mkstemp(path);
    assert_true(*out_fd >= 0);
    assert_int_equal(unlink(path), 0);
    assert_true(name->place.offset + name->stored_bytes <= found->bytes.len);
    return lp_io_write_all(
        *out_fd, (lp_slice){found->bytes.ptr + name->place.offset, (size_t)name->stored_bytes});
}

static const char *
get_name(const chunk_store *base)
{
    (void)base;
    return "memory";
}

static void
close_store(chunk_store *base)
{
    memory_store *store = store_of(base);
    for (size_t i = 0; i < store->count; i++) {
        lp_buf_fini(&store->objects[i].bytes);
    }
    free(store);
}

static memory_store *
make_store(void)
{
    static const chunk_store_objects objects = {
        .put = put_object, .get = get_object, .list = list_objects, .remove = remove_object};
    static const chunk_store_ops ops = {// only the calls of packs
        .is_remote = true,
        .get_name = get_name,
        .open = open_chunk,
        .close = close_store,
        .objects = &objects};
    memory_store *store = calloc(1, sizeof(*store));
    assert_non_null(store);
    store->base.ops = &ops;
    return store;
}

typedef struct fixture {
    retention_rig *rig;
    memory_store *store;
    id_index *ids;
    packs *packs;
    unsigned settled; // times that a session had fewer chunks
} fixture;

static void
on_session(void *arg, session *s)
{
    fixture *f = arg;
    session_check(s);
    f->settled++;
}

static void
start(fixture *f, uint64_t wait_ms)
{
    const packs_config config = {.loop = &f->rig->loop,
        .blobs = f->rig->blobs,
        .to = {.sessions = f->rig->sessions, .ids = f->ids, .retention = f->rig->retention},
        .wait_ms = wait_ms,
        .on_session = on_session,
        .arg = f};
    f->packs = packs_create(&config);
    assert_non_null(f->packs);
}

static int
setup(void **state)
{
    void *rig;
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    assert_int_equal(retention_rig_setup(&rig), 0);
    f->rig = rig;
    f->store = make_store();
    char ids_path[300];
    (void)snprintf(ids_path, sizeof(ids_path), "%s/ids", f->rig->dir.path);
    const id_index_config ids = {.dir = ids_path, .catalog_place = f->rig->catalog_path};
    bool is_new;
    assert_int_equal(id_index_open(&ids, &f->ids, &is_new, NULL), LP_OK);
    blobs_take_chunk_store(f->rig->blobs, &f->store->base);
    retention_rig_start(f->rig, (policy_keep){0}, SYNC_SECOND);
    start(f, LONG_MS);
    *state = f;
    return 0;
}

// run runs the loop until it is idle.
static void
run(const fixture *f)
{
    assert_int_equal(uv_run(&f->rig->loop, UV_RUN_DEFAULT), 0);
}

// stop stores all waiting chunks.
static void
stop(fixture *f)
{
    packs_stop(f->packs);
    run(f);
    packs_end(f->packs);
    run(f);
    packs_destroy(f->packs);
    f->packs = NULL;
}

static int
teardown(void **state)
{
    fixture *f = *state;
    void *rig = f->rig;
    if (f->packs != NULL) {
        stop(f);
    }
    id_index_close(f->ids);
    free(f);
    return retention_rig_teardown(&rig);
}

// begin_session makes a session with a number of waiting chunks of a second each.
static session *
begin_session(const fixture *f, char digit, uint32_t chunks)
{
    session *s;
    const catalog_session row = retention_rig_session(digit, "shop");
    assert_int_equal(catalog_put_session(f->rig->catalog, &row), LP_OK);
    assert_int_equal(sessions_add(f->rig->sessions, &row, &s), LP_OK);
    assert_int_equal(sessions_load_carry(f->rig->sessions, s), LP_OK);
    for (uint32_t i = 0; i < chunks; i++) {
        session_chunk *chunk;
        Loupe__Wire__Batch batch = LOUPE__WIRE__BATCH__INIT;
        batch.sequence = i;
        batch.chunk = i;
        batch.jfr_size = 10;
        batch.is_last = true;
        assert_int_equal(sessions_open_chunk(f->rig->sessions, s, i, &chunk), LP_OK);
        assert_int_equal(
            journal_append(chunk->journal, (lp_slice){(const uint8_t *)"message", 7}), LP_OK);
        session_note(s, chunk, &batch);
        s->row.next_sequence = i + 1;
    }
    return s;
}

static void
format_content(const session *s, uint32_t ordinal, char out_text[80])
{
    (void)snprintf(out_text, 80, "the content of chunk %u of session %s", ordinal, s->row.id);
}

// add compacts the next chunk of a session, like a job, and adds it to the packs.
static void
add(fixture *f, session *s)
{
    chunk_task task;
    size_t begin = session_get_begin(s);
    uint32_t ordinal = s->chunks[begin].ordinal;
    char content[80];
    char carry[40];
    assert_int_equal(chunk_task_init(&task, s, begin, NULL, 0, -1), LP_OK);
    (void)snprintf(carry, sizeof(carry), "carry of %u", ordinal - 1);
    if (ordinal > 0) { // it begins with the previous carry-over
        assert_int_equal(task.carry_in.len, strlen(carry));
        assert_memory_equal(task.carry_in.ptr, carry, strlen(carry));
    }
    format_content(s, ordinal, content);
    const lp_slice bytes = {(const uint8_t *)content, strlen(content)};
    chunk_task_output output = {.ordinal = ordinal, .part_count = 1, .size_bytes = bytes.len};
    rollup_init(&output.contexts);
    output.types_json = strdup("{}");
    (void)snprintf(carry, sizeof(carry), "carry of %u", ordinal);
    lp_buf_append(&output.carry, carry, strlen(carry));
    assert_int_equal(pack_files_append(packs_get_files(f->packs), bytes, &output.piece), LP_OK);
    output.stored = (blobs_stored){blobs_hash(bytes), output.piece.stored_bytes};
    assert_int_equal(packs_add(f->packs, s, &task, &output), LP_OK);
    chunk_task_output_fini(&output); // packs took all of it
    chunk_task_fini(&task);
    packs_tick(f->packs);
}

typedef struct stored_chunks {
    const fixture *f;
    session *session;
    uint32_t count;
} stored_chunks;

static void
check_chunk(void *arg, const catalog_chunk *chunk)
{
    stored_chunks *c = arg;
    char content[80];
    lp_buf bytes = {0};
    assert_int_equal(chunk->ordinal, c->count++);
    const blob_name name = {.session_id = c->session->row.id,
        .ordinal = chunk->ordinal,
        .size_bytes = chunk->size_bytes,
        .content_hash = chunk->content_hash,
        .stored_bytes = chunk->stored_bytes,
        .place = chunk->place};
    format_content(c->session, chunk->ordinal, content);
    assert_int_equal(blobs_read_chunk(c->f->rig->blobs, &name, &bytes), LP_OK);
    assert_int_equal(bytes.len, strlen(content));
    assert_memory_equal(bytes.ptr, content, bytes.len);
    lp_buf_fini(&bytes);
}

// check_stored expects that the first chunks of a session are committed and readable.
static void
check_stored(const fixture *f, session *s, uint32_t count)
{
    stored_chunks c = {.f = f, .session = s};
    assert_int_equal(catalog_list_chunks(f->rig->catalog, s->row.id, check_chunk, &c), LP_OK);
    assert_int_equal(c.count, count);
    assert_int_equal(s->row.next_chunk, count);
    if (count > 0) {
        char expected[40];
        uint8_t *carry;
        size_t size;
        (void)snprintf(expected, sizeof(expected), "carry of %u", count - 1);
        assert_int_equal(catalog_get_carry(f->rig->catalog, s->row.id, &carry, &size), LP_OK);
        assert_int_equal(size, strlen(expected));
        assert_memory_equal(carry, expected, size);
        free(carry);
    }
}

static void
test_chunks_of_many_sessions_are_one_object(void **state)
{
    fixture *f = *state;
    session *all[] = {begin_session(f, 'a', 2), begin_session(f, 'b', 3), begin_session(f, 'c', 1)};
    for (size_t i = 0; i < 3; i++) {
        add(f, all[i]);
    }
    add(f, all[1]);
    run(f);
    assert_int_equal(f->store->puts, 0); // nothing is due
    for (size_t i = 0; i < 3; i++) {
        check_stored(f, all[i], 0);
    }
    assert_int_equal(all[1]->chunk_count, 3); // as if they were not compacted
    stop(f);
    assert_int_equal(f->store->puts, 1);
    check_stored(f, all[0], 1);
    check_stored(f, all[1], 2);
    check_stored(f, all[2], 1);
    assert_int_equal(all[1]->chunk_count, 1);
    assert_int_equal(all[1]->packed_end, 0);
    assert_int_equal(f->settled, 4);

    object_pack_chunks named = {0};
    assert_int_equal(object_pack_read(lp_buf_slice(&f->store->objects[0].bytes), &named), LP_OK);
    assert_int_equal(named.count, 4);
    assert_string_equal(named.items[3].session_id, all[1]->row.id);
    assert_int_equal(named.items[3].ordinal, 1);
    LP_VEC_FINI(&named);
}

static void
test_a_pack_is_closed_once_its_first_chunk_has_waited(void **state)
{
    fixture *f = *state;
    stop(f);
    start(f, 0);
    session *s = begin_session(f, 'a', 2);
    add(f, s);
    run(f);
    check_stored(f, s, 1);
    add(f, s);
    run(f);
    check_stored(f, s, 2);
    assert_int_equal(f->store->puts, 2);
}

static void
test_a_session_with_many_chunks_closes_its_pack(void **state)
{
    fixture *f = *state;
    session *s = begin_session(f, 'a', PACKS_SESSION_CHUNKS_MAX + 1);
    for (uint32_t i = 0; i < PACKS_SESSION_CHUNKS_MAX; i++) {
        assert_int_equal(f->store->puts, 0);
        add(f, s);
    }
    run(f);
    check_stored(f, s, PACKS_SESSION_CHUNKS_MAX);
    assert_int_equal(f->store->puts, 1);
}

static void
test_a_chunk_that_grows_is_dropped_with_those_behind_it(void **state)
{
    fixture *f = *state;
    session *grown = begin_session(f, 'a', 3);
    session *other = begin_session(f, 'b', 1);
    for (int i = 0; i < 3; i++) {
        add(f, grown);
    }
    add(f, other);
    assert_int_equal(session_get_begin(grown), 3);
    assert_int_equal(
        journal_append(grown->chunks[1].journal, (lp_slice){(const uint8_t *)"more", 4}), LP_OK);
    stop(f);
    check_stored(f, grown, 1);
    check_stored(f, other, 1);
    assert_int_equal(grown->packed_end, 0);
    assert_int_equal(session_get_begin(grown), 0); // they are compacted again
    assert_int_equal(grown->chunk_count, 2);
    start(f, 0);
    add(f, grown);
    add(f, grown);
    run(f);
    check_stored(f, grown, 3);
}

static void
test_a_session_of_somebody_else_is_left_out(void **state)
{
    fixture *f = *state;
    session *lost = begin_session(f, 'a', 2);
    session *other = begin_session(f, 'b', 1);
    add(f, lost);
    add(f, lost);
    add(f, other);
    catalog_session later = lost->row;
    later.next_chunk = 9;
    assert_int_equal(catalog_put_session(f->rig->catalog, &later), LP_OK);
    stop(f);
    check_stored(f, other, 1);
    check_stored(f, lost, 0);
    assert_int_equal(lost->chunk_count, 2);
    assert_int_equal(lost->packed_end, 0);
}

static void
test_what_cannot_be_stored_stays_in_its_journals(void **state)
{
    fixture *f = *state;
    stop(f);
    start(f, 0);
    session *s = begin_session(f, 'a', 2);
    f->store->put_error = ETIMEDOUT;
    add(f, s);
    run(f);
    assert_int_equal(f->store->puts, 1);
    assert_true(packs_is_full(f->packs)); // so compaction stops
    packs_tick(f->packs);
    run(f);
    assert_int_equal(f->store->puts, 1); // it waits before the next try
    check_stored(f, s, 0);
    assert_int_equal(s->chunk_count, 2);
    f->store->put_error = 0;
    stop(f); // does not retry, and drops it
    check_stored(f, s, 0);
}

static void
test_what_the_session_lacks_is_said_once(void **state)
{
    fixture *f = *state;
    session *s = begin_session(f, 'a', 2);
    s->untold[CATALOG_LOSS_BATCHES_LATE] = 5;
    add(f, s);
    chunk_task task;
    s->untold[CATALOG_LOSS_BATCHES_LATE] += 2; // meanwhile
    assert_int_equal(chunk_task_init(&task, s, 1, NULL, 0, -1), LP_OK);
    assert_int_equal(task.untold[CATALOG_LOSS_BATCHES_LATE], 2);
    chunk_task_fini(&task);
    add(f, s);
    stop(f);
    check_stored(f, s, 2);
    assert_int_equal(s->untold[CATALOG_LOSS_BATCHES_LATE], 0);
    assert_int_equal(s->packed_told[CATALOG_LOSS_BATCHES_LATE], 0);
}

// --- Sweeping

// sweep_once runs one sweep to its end.
static void
sweep_once(fixture *f)
{
    const pack_sweep_config config = {.loop = &f->rig->loop,
        .blobs = f->rig->blobs,
        .catalog = f->rig->catalog,
        .catalog_place = f->rig->catalog_path,
        .packs = f->packs,
        .rounds = f->rig->rounds};
    pack_sweep *sweep = pack_sweep_create(&config);
    assert_non_null(sweep);
    pack_sweep_tick(sweep);
    run(f);
    retention_rig_run_round(f->rig); // removals wait for the disk
    pack_sweep_tick(sweep);
    pack_sweep_stop(sweep);
    run(f);
    pack_sweep_destroy(sweep);
}

static void
expire(const fixture *f, const session *s, uint32_t ordinal)
{
    catalog_old_chunk chunk = {.ordinal = ordinal, .is_in_object = true};
    memcpy(chunk.session_id, s->row.id, sizeof(chunk.session_id));
    assert_int_equal(catalog_expire(f->rig->catalog, &chunk, 1), LP_OK);
}

// store_chunks stores chunks of a session in their own object.
static session *
store_chunks(fixture *f, char digit, uint32_t count)
{
    session *s = begin_session(f, digit, count);
    for (uint32_t i = 0; i < count; i++) {
        add(f, s);
    }
    stop(f);
    start(f, LONG_MS);
    check_stored(f, s, count);
    return s;
}

static void
test_an_object_goes_with_its_last_chunk(void **state)
{
    fixture *f = *state;
    session *s = store_chunks(f, 'a', 1);
    sweep_once(f);
    assert_int_equal(f->store->count, 1);
    expire(f, s, 0);
    sweep_once(f);
    assert_int_equal(f->store->count, 0);
    uint64_t bytes;
    uint64_t live;
    assert_int_equal(catalog_sum_objects(f->rig->catalog, &bytes, &live), LP_OK);
    assert_int_equal(bytes, 0);
}

static void
test_an_object_that_is_read_stays(void **state)
{
    fixture *f = *state;
    blobs_reader reader = {0};
    const session *s = store_chunks(f, 'a', 1);
    const pack_sweep_config config = {.loop = &f->rig->loop,
        .blobs = f->rig->blobs,
        .catalog = f->rig->catalog,
        .catalog_place = f->rig->catalog_path,
        .rounds = f->rig->rounds};
    pack_sweep *sweep = pack_sweep_create(&config);
    assert_non_null(sweep);
    blobs_reader_begin(&reader, f->rig->blobs, s->row.id);
    expire(f, s, 0);
    pack_sweep_tick(sweep);
    run(f);
    retention_rig_run_round(f->rig);
    pack_sweep_tick(sweep);
    assert_int_equal(f->store->count, 1);
    blobs_reader_end(&reader);
    pack_sweep_tick(sweep);
    assert_int_equal(f->store->count, 0);
    pack_sweep_stop(sweep);
    pack_sweep_destroy(sweep);
}

static void
test_an_object_of_which_half_is_gone_is_copied(void **state)
{
    fixture *f = *state;
    session *gone = begin_session(f, 'a', 2);
    add(f, gone);
    add(f, gone);
    session *left = store_chunks(f, 'b', 1);
    assert_int_equal(f->store->count, 1);
    char before[BLOB_OBJECT_CHARS + 1];
    memcpy(before, f->store->objects[0].name, sizeof(before));
    sweep_once(f);
    assert_int_equal(f->store->puts, 1); // all of it is live
    expire(f, gone, 0);
    sweep_once(f);
    assert_false(packs_has_moves(f->packs));
    expire(f, gone, 1);
    sweep_once(f); // copies it into the open pack
    check_stored(f, left, 1);
    assert_true(packs_has_moves(f->packs));
    sweep_once(f);
    stop(f);
    start(f, LONG_MS);
    assert_int_equal(f->store->puts, 2);
    sweep_once(f);
    assert_int_equal(f->store->count, 1);
    assert_string_not_equal(f->store->objects[0].name, before);
    check_stored(f, left, 1);
    sweep_once(f);
    assert_int_equal(f->store->puts, 2);
}

// spread_pack adds an object to the store whose footer names a chunk.
static void
spread_pack(fixture *f, const char *name, const char *session_id, uint32_t ordinal)
{
    object *added = add_object(f->store, name);
    object_pack_chunk chunk = {.ordinal = ordinal, .stored_bytes = 4};
    lp_buf footer = {0};
    memset(chunk.session_id, session_id[0], CATALOG_ID_CHARS);
    object_pack_append(&footer, &chunk);
    object_pack_finish(&footer, 4);
    lp_buf_append(&added->bytes, "data", 4);
    lp_buf_append(&added->bytes, footer.ptr, footer.len);
    lp_buf_fini(&footer);
}

static void
test_only_what_is_elsewhere_is_an_orphan(void **state)
{
    fixture *f = *state;
    static const char orphan[] = "000000000001-0000000000000001-000001";
    static const char *const others[] = {
        "000000000001-0000000000000001-000002", // of a chunk that is not committed
        "000000000001-0000000000000001-000003", // of a session that the catalog does not have
        "000000000001-0000000000000001-000004", // damaged
        "999999999999-0000000000000001-000005", // young
        "000000000001-0000000000000001-000006", // of a chunk whose object is not there
    };
    session *s = store_chunks(f, 'a', 1);
    (void)store_chunks(f, 'b', 1);
    assert_int_equal(
        remove_object(&f->store->base, f->store->objects[1].name), LP_OK); // by somebody
    spread_pack(f, others[4], "b", 0);
    spread_pack(f, orphan, "a", 0);
    spread_pack(f, others[0], "a", 1);
    spread_pack(f, others[1], "e", 0);
    spread_pack(f, others[2], "a", 0);
    f->store->objects[f->store->count - 1].bytes.ptr[5] ^= 1;
    spread_pack(f, others[3], "a", 0);
    sweep_once(f);
    assert_null(find_object(f->store, orphan));
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        assert_non_null(find_object(f->store, others[i]));
    }
    check_stored(f, s, 1);
}

static void
test_an_orphan_behind_many_that_stay_is_found(void **state)
{
    fixture *f = *state;
    static const char orphan[] = "000000000001-0000000000000001-000999";
    session *s = store_chunks(f, 'a', 1);
    spread_pack(f, orphan, "a", 0);
    for (int i = 0; i < 100; i++) { // of chunks that are not committed
        char name[BLOB_OBJECT_CHARS + 1];
        (void)snprintf(name, sizeof(name), "000000000001-0000000000000001-%06d", i);
        spread_pack(f, name, "a", 1);
    }
    sweep_once(f);
    assert_null(find_object(f->store, orphan));
    assert_int_equal(f->store->count, 101);
    check_stored(f, s, 1);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_chunks_of_many_sessions_are_one_object),
        TEST(test_a_pack_is_closed_once_its_first_chunk_has_waited),
        TEST(test_a_session_with_many_chunks_closes_its_pack),
        TEST(test_a_chunk_that_grows_is_dropped_with_those_behind_it),
        TEST(test_a_session_of_somebody_else_is_left_out),
        TEST(test_what_cannot_be_stored_stays_in_its_journals),
        TEST(test_what_the_session_lacks_is_said_once),
        TEST(test_an_object_goes_with_its_last_chunk),
        TEST(test_an_object_that_is_read_stays),
        TEST(test_an_object_of_which_half_is_gone_is_copied),
        TEST(test_only_what_is_elsewhere_is_an_orphan),
        TEST(test_an_orphan_behind_many_that_stay_is_found),
    };
    return cmocka_run_group_tests_name("packs", tests, NULL, NULL);
}
