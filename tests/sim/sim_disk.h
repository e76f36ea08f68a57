// SPDX-License-Identifier: Apache-2.0
// sim_disk: the disk under the data directory of each collector, sim.side's each time: what of it
// is written and what is only the kernel's, copies of it, and when it is full.
//
// It sees the collector's own calls of fsync, fdatasync, writev and unlink, by the linker's --wrap.
// Of SQLite's log it knows that of the last sync and the present one; it is one or the other.
//
// Threads: the one of the test.

#pragma once

// sim_disk_begin begins with an empty data directory in parent, which has a catalog.
void sim_disk_begin(const char *parent);
void sim_disk_end(void);

const char *sim_disk_get_data(void);

// sim_disk_get_store returns the directory that has the catalog and the chunks: the data directory,
// or sim.shared.
const char *sim_disk_get_store(void);

// sim_disk_note_synced notes that the catalog is on the disk.
void sim_disk_note_synced(void);

// sim_disk_freeze keeps the data directory as it is; sim_disk_thaw goes back to that. In between
// the collector may be ended, without leaving a trace.
void sim_disk_freeze(void);
void sim_disk_thaw(void);

// sim_disk_cut_power takes away what is not on the disk, or some of it. Not while a collector runs.
void sim_disk_cut_power(void);

// sim_disk_empty replaces the data directory by a new one.
void sim_disk_empty(void);

// sim_disk_back_up copies the data directory; sim_disk_restore replaces it by the copy, if there is
// one.
void sim_disk_back_up(void);
void sim_disk_restore(void);
