// SPDX-License-Identifier: Apache-2.0
#include "unit/collector/keep/retention_rig.h"

#include "collector/store/catalog/catalog_rollups.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void
on_durable(void *arg, const char *session_id, uint64_t sequence)
{
    (void)arg;
    (void)session_id;
    (void)sequence;
}

static void
on_end(void *arg, uint64_t round, bool is_catalog_durable)
{
    (void)arg;
    (void)round;
    (void)is_catalog_durable;
}

void
retention_rig_start(retention_rig *f, policy_keep keep, sync_mode mode)
{
    const sync_rounds_config rounds = {.loop = &f->loop,
        .mode = mode,
        .journals_path = f->journals_path,
        .damaged_path = f->damaged_path,
        .catalog = f->catalog,
        .blobs = f->blobs,
        .on_durable = on_durable,
        .on_end = on_end};
    assert_int_equal(sync_rounds_create(&rounds, &f->rounds, NULL), LP_OK);
    const retention_config config = {.keep = keep,
        .policies = f->policies,
        .dir = f->data,
        .catalog = f->catalog,
        .blobs = f->blobs,
        .sessions = f->sessions,
        .rounds = f->rounds};
    assert_int_equal(retention_create(&config, &f->retention), LP_OK);
}

void
retention_rig_write_keep(retention_rig *f, const char *service, const char *text)
{
    char path[600];
    assert_true(mkdir(f->policies_path, 0700) == 0 || errno == EEXIST);
    (void)snprintf(path, sizeof(path), "%s/%s.keep", f->policies_path, service);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    policy_dir_close(f->policies);
    assert_int_equal(policy_dir_open(f->policies_path, &f->policies, NULL), LP_OK);
}

void
retention_rig_stop(retention_rig *f)
{
    retention_destroy(f->retention);
    f->retention = NULL;
    sync_rounds_stop(f->rounds);
    assert_int_equal(uv_run(&f->loop, UV_RUN_DEFAULT), 0);
    sync_rounds_destroy(f->rounds);
    f->rounds = NULL;
}

int
retention_rig_setup(void **state)
{
    retention_rig *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->dir = temp_dir_make();
    assert_int_equal(data_dir_open(f->dir.path, &f->data, NULL), LP_OK);
    (void)snprintf(f->catalog_path, sizeof(f->catalog_path), "%s/catalog.db", f->dir.path);
    (void)snprintf(f->blobs_path, sizeof(f->blobs_path), "%s/chunks", f->dir.path);
    (void)snprintf(f->journals_path, sizeof(f->journals_path), "%s/journal", f->dir.path);
    (void)snprintf(f->damaged_path, sizeof(f->damaged_path), "%s/damaged", f->dir.path);
    (void)snprintf(f->policies_path, sizeof(f->policies_path), "%s/policies", f->dir.path);
    assert_int_equal(catalog_open(f->catalog_path, &f->catalog, NULL), LP_OK);
    assert_int_equal(blobs_open(f->blobs_path, &f->blobs, NULL), LP_OK);
    blobs_set_durable(f->blobs, false);
    f->sessions = sessions_create(f->data, f->catalog);
    assert_non_null(f->sessions);
    assert_int_equal(uv_loop_init(&f->loop), 0);
    *state = f;
    return 0;
}

int
retention_rig_teardown(void **state)
{
    retention_rig *f = *state;
    if (f->retention != NULL) {
        retention_rig_stop(f);
    }
    assert_int_equal(uv_loop_close(&f->loop), 0);
    policy_dir_close(f->policies);
    sessions_destroy(f->sessions);
    blobs_close(f->blobs);
    catalog_close(f->catalog);
    data_dir_close(f->data);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

static char *
text_of(const char *literal)
{
    return (char *)(uintptr_t)literal; // never written to
}

catalog_session
retention_rig_session(char digit, const char *service)
{
    catalog_session row = {.service = text_of(service),
        .instance = text_of("i"),
        .jvm_name = text_of("j"),
        .jvm_version = text_of("v"),
        .is_ended = true};
    memset(row.id, digit, CATALOG_ID_CHARS);
    return row;
}

catalog_chunk
retention_rig_add(retention_rig *f, catalog_session *row, int64_t start_s)
{
    char content[64];
    (void)snprintf(content, sizeof(content), "%s %ld", row->id, start_s);
    lp_slice bytes = {(const uint8_t *)content, strlen(content)};
    blobs_stored stored;
    rollup sums;
    rollup_init(&sums);
    rollup_note_commits(&sums, start_s * S, start_s * S);
    catalog_chunk chunk = {.ordinal = row->next_chunk++,
        .start_wall_ns = start_s * S,
        .duration_ns = S,
        .size_bytes = bytes.len,
        .content_hash = blobs_hash(bytes),
        .rollup = &sums,
        .types_json = "{\"a\":{\"in\":5,\"out\":3}}"};
    assert_int_equal(blobs_put(f->blobs, row->id, chunk.ordinal, bytes, &stored), LP_OK);
    chunk.stored_bytes = stored.stored_bytes;
    assert_int_equal(catalog_add_chunk(f->catalog, row, &chunk, bytes), LP_OK);
    rollup_fini(&sums);
    return chunk;
}

void
retention_rig_note_ordinal(void *text, const catalog_chunk *chunk)
{
    char *all = text;
    (void)snprintf(all + strlen(all), 8, "%u ", chunk->ordinal);
}

void
retention_rig_check_chunks(
    const retention_rig *f, const char *id, const char *rows, const char *files)
{
    char found[200] = "";
    assert_int_equal(catalog_list_chunks(f->catalog, id, retention_rig_note_ordinal, found), LP_OK);
    assert_string_equal(found, rows);
    found[0] = '\0';
    for (unsigned i = 0; i < 10; i++) {
        char path[500];
        (void)snprintf(path, sizeof(path), "%s/%s/%u.jfr.zst", f->blobs_path, id, i);
        if (access(path, F_OK) == 0) {
            (void)snprintf(found + strlen(found), 8, "%u ", i);
        }
    }
    assert_string_equal(found, files);
}

void
retention_rig_copy_session(void *out_row, const catalog_session *row)
{
    *(catalog_session *)out_row = *row;
}

static lp_err
count_rollup(void *arg, const catalog_rollup *found)
{
    (void)found;
    ++*(unsigned *)arg;
    return LP_OK;
}

unsigned
retention_rig_count_rollups(const retention_rig *f, int64_t step_ns)
{
    unsigned count = 0;
    const catalog_rollup_query all = {
        .from_wall_ns = 0, .to_wall_ns = 1000 * CATALOG_LONG_SUM_NS, .step_ns = step_ns};
    assert_int_equal(catalog_rollups_list(f->catalog, &all, count_rollup, &count), LP_OK);
    return count;
}

static void
on_nothing(uv_timer_t *timer)
{
    (void)timer;
}

void
retention_rig_run_round(retention_rig *f)
{
    uint64_t round = sync_rounds_get_coming(f->rounds);
    uv_timer_t alive; // rounds do not keep the loop alive
    assert_int_equal(uv_timer_init(&f->loop, &alive), 0);
    assert_int_equal(uv_timer_start(&alive, on_nothing, 1000, 1000), 0);
    sync_rounds_hurry(f->rounds);
    while (!sync_rounds_is_over(f->rounds, round)) { // ctest's time limit ends it
        (void)uv_run(&f->loop, UV_RUN_ONCE);
    }
    uv_close((uv_handle_t *)&alive, NULL);
    (void)uv_run(&f->loop, UV_RUN_NOWAIT);
}
