// SPDX-License-Identifier: Apache-2.0

// Jobs wait for room in memory while new batches change their sessions.

#include "unit/collector/session/session_store.h"

#include "collector/chunks/chunk_queue.h"
#include "collector/session/session_note.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct fixture {
    session_store store;
    uv_loop_t loop;
    memory_room room;
    memory_room_user other; // has all of the room
    chunk_queue queue;
    session *session;
} fixture;

static void
ignore(void *arg)
{
    (void)arg;
}

static void
add_session(fixture *f)
{
    char empty[] = "";
    const catalog_session row = {
        .id = "5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a",
        .service = empty,
        .instance = empty,
        .jvm_name = empty,
        .jvm_version = empty,
    };
    assert_int_equal(sessions_add(f->queue.to.sessions, &row, &f->session), LP_OK);
}

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    f->store = session_store_open();
    assert_int_equal(uv_loop_init(&f->loop), 0);
    f->room.bytes_max = 1;
    f->other = (memory_room_user){.bytes = 1, .rank = MEMORY_ROOM_COMPACTION, .on_room = ignore};
    memory_room_ask(&f->room, &f->other);
    f->queue = (chunk_queue){
        .loop = &f->loop,
        .to.sessions = sessions_create(f->store.data, f->store.catalog),
        .memory = &f->room,
    };
    assert_non_null(f->queue.to.sessions);
    add_session(f);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    assert_int_equal(uv_loop_close(&f->loop), 0); // nothing was begun
    sessions_destroy(f->queue.to.sessions);
    session_store_close(&f->store);
    free(f);
    return 0;
}

// note adds a batch of chunk 0, with JFR bytes or as a restart of the chunk.
static void
note(fixture *f, uint64_t sequence, bool begins_again)
{
    session_chunk *chunk;
    Loupe__Wire__Batch batch = LOUPE__WIRE__BATCH__INIT;
    batch.sequence = sequence;
    batch.begins_again = begins_again;
    batch.jfr_size = begins_again ? 0 : 10;
    batch.is_last = !begins_again;
    assert_int_equal(sessions_open_chunk(f->queue.to.sessions, f->session, 0, &chunk), LP_OK);
    session_note(f->session, chunk, &batch);
}

static void
test_a_chunk_may_begin_again_while_its_job_waits(void **state)
{
    fixture *f = *state;
    note(f, 0, false);
    chunk_queue_consider(&f->queue, f->session);
    assert_true(f->session->has_job);
    note(f, 1, true); // the agent restarted it, so it is not due any more
    memory_room_leave(&f->room, &f->other);
    assert_false(f->session->has_job);
    assert_int_equal(f->room.bytes, 0);
    assert_int_equal(f->session->retry_ms, 0); // nothing has failed
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_a_chunk_may_begin_again_while_its_job_waits, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("chunk_queue", tests, NULL, NULL);
}
