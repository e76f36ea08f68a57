// SPDX-License-Identifier: Apache-2.0

// collector_rig: a collector on a directory of its own, in this process or as the real program, and
// what a test asks of its results.

#pragma once

#include "support/held_port.h"
#include "support/temp_dir.h"
#include "unit/collector/server/tick_chunk.h"

#include "collector/server/server.h"
#include "policy/policy_dir.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// By which the times of common/base/lp_time_scale.h are divided, so that tests do not wait: a tick
// is 50 ms.
enum { COLLECTOR_RIG_DIVISOR = 20 };

typedef struct collector_rig {
    temp_dir dir;
    char policies_path[300]; // a directory of policies; empty: none
    policy_dir *policies;    // while a server runs in this process
    policy_file *policy;     // of all services, of a server in this process; NULL: none
    sync_mode sync;
    const log_url *log; // of a server in this process; NULL: none
    const char *node;   // of a server in this process; NULL: its catalog is not shared
    server *server;     // in this process; NULL: not running
    uint64_t idle_ms_max;
    uint64_t killed_ms_max;    // SERVER_KILLED_MS_MAX
    uint64_t linger_ms_max;    // 0
    uint64_t lack_ms_max;      // SERVER_LACK_MS_MAX
    presence *presence;        // NULL
    access_file *access;       // NULL: everybody may send
    uint64_t snapshot_kept_ms; // of a server in this process; 0 at first: snapshots are not kept
    int64_t context_hold_ns;   // of a server in this process
    int64_t recall_ns;         // of a server in this process
    uint64_t job_bytes;        // of memory of a server in this process; 0: as in the least plan
    pid_t pid;                 // as a program; 0: not running
    held_port port;            // for agents, while nobody listens there, too
    char agents_url[100];      // of it
} collector_rig;

void collector_rig_init(collector_rig *rig);

// collector_rig_fini stops what runs and removes the directory.
void collector_rig_fini(collector_rig *rig);

// These start a collector on the directory and the port, so that clients find it again.
void collector_rig_start(collector_rig *rig);
void collector_rig_stop(collector_rig *rig);
void collector_rig_spawn(collector_rig *rig, const char *program);

// collector_rig_signal ends the program with a signal and returns its status as of waitpid. A
// program that does not end fails the test.
int collector_rig_signal(collector_rig *rig, int signal_number);

// collector_rig_await returns once the catalog has next_chunk and is_ended for the session.
// collector_rig_await_end waits until the session, which is not compacted to its end, counts as
// ended like this.
void collector_rig_await_end(const collector_rig *rig, const char *session_id, catalog_ended how);
void collector_rig_await(
    const collector_rig *rig, const char *session_id, uint32_t next_chunk, bool is_ended);

// collector_rig_look returns what the catalog has of the session, without its texts.
catalog_session collector_rig_look(const collector_rig *rig, const char *session_id);

// collector_rig_check_losses expects that the catalog has so much of each loss.
void collector_rig_check_losses(
    const collector_rig *rig, const char *session_id, const uint64_t expected[CATALOG_LOSS_COUNT]);

// collector_rig_count counts the ticks in the chunks that are compacted, below next_chunk, and
// gives how many these say were dropped, as tick_chunk_count does.
uint64_t collector_rig_count(const collector_rig *rig, const char *session_id, uint32_t next_chunk,
    unsigned *counts, uint64_t limit);

// collector_rig_list_losses lists what the chunks that are compacted say they lack.
void collector_rig_list_losses(const collector_rig *rig, const char *session_id, tick_losses *out);

// collector_rig_snapshot asks for a snapshot and waits for it. The caller ends its share.
snapshot *collector_rig_snapshot(
    const collector_rig *rig, const char *session_id, snapshot_kind kind);

// collector_rig_count_messages counts those in the journal at path.
unsigned collector_rig_count_messages(const char *path);

// collector_rig_count_pending is tick_chunk_count for the chunks of a snapshot.
uint64_t collector_rig_count_pending(const snapshot *taken, unsigned *counts, uint64_t limit);
