// SPDX-License-Identifier: Apache-2.0
// retention_rig: a data directory with a catalog, files of chunks, and its retention.
//
// Threads: one thread.

#pragma once

#include "support/temp_dir.h"

#include "collector/keep/retention.h"

#include <stdint.h>

static const int64_t S = 1000000000;

typedef struct retention_rig {
    temp_dir dir;
    char catalog_path[300];
    char blobs_path[300];
    char journals_path[300];
    char damaged_path[300];
    char policies_path[300];
    policy_dir *policies; // NULL: none
    data_dir *data;
    catalog *catalog;
    blobs *blobs;
    sessions *sessions;
    uv_loop_t loop;
    sync_rounds *rounds;
    retention *retention;
} retention_rig;

// For cmocka: *state is a retention_rig with a catalog, without chunks and a running retention.
int retention_rig_setup(void **state);
int retention_rig_teardown(void **state);

// These begin a retention, and end it.
void retention_rig_start(retention_rig *f, policy_keep keep, sync_mode mode);
void retention_rig_stop(retention_rig *f);

// retention_rig_write_keep writes the limits of a service, before a retention begins.
void retention_rig_write_keep(retention_rig *f, const char *service, const char *text);

// retention_rig_run_round runs the loop until the end of the coming round.
void retention_rig_run_round(retention_rig *f);

// retention_rig_session returns the row of a session that has ended, whose id is one digit.
catalog_session retention_rig_session(char digit, const char *service);

// retention_rig_add stores a chunk that lasts a second, with statistics. Its content differs from
// any other's.
catalog_chunk retention_rig_add(retention_rig *f, catalog_session *row, int64_t start_s);

// retention_rig_check_chunks expects the ordinals of a session's chunks in the catalog, and in
// files.
void retention_rig_check_chunks(
    const retention_rig *f, const char *id, const char *rows, const char *files);

// retention_rig_note_ordinal appends the ordinal of a chunk to a text. retention_rig_copy_session
// copies a row; its texts are borrowed.
void retention_rig_note_ordinal(void *text, const catalog_chunk *chunk);
void retention_rig_copy_session(void *out_row, const catalog_session *row);

// retention_rig_count_rollups returns the number of all sums of an hour, or of all chunks' rollups.
unsigned retention_rig_count_rollups(const retention_rig *f, int64_t step_ns);
