// SPDX-License-Identifier: Apache-2.0
// sim_catalog: the catalog that collectors share: a file of SQLite's, which is to them as one in
// PostgreSQL is. A commit is on the disk when it returns; calls fail with LP_EAGAIN while the
// catalog is away, for one collector (sim.is_catalog_away), or a connection is lost
// (sim.catalog_lost); and then a commit may be done. Leases are by its clock.
//
// Threads: the one of the test.

#pragma once

#include <stdbool.h>

// sim_catalog_begin begins with an empty catalog and no chunks, in a directory in parent, which
// sim.shared is from then on.
void sim_catalog_begin(const char *parent);
void sim_catalog_end(void);

// sim_catalog_drain has a node drain, or not any more, as an administrator does.
void sim_catalog_drain(const char *node, bool is_draining);

// sim_catalog_has_ended returns whether the row of a session says so.
bool sim_catalog_has_ended(const char *session_id);
