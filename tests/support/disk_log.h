// SPDX-License-Identifier: Apache-2.0
// disk_log: a disk that forgets what was not synced. It logs what this program writes below a
// directory, and makes of the log what a disk may have if the power goes at some moment.
//
// Of a file it has all that was written before its last fsync began, and of each page, and of the
// size, any later state; a page may be torn between its sectors. Of the names in a directory it has
// all before that directory's last fsync, and of the later ones either those up to some moment for
// all directories, as a file system with a journal does, or up to another one for each.
//
// The program that is linked with it has its own open, write, fsync and so on, which do what they
// are for, but that no fsync waits for a disk; it takes a moment by chance, for others to go on.
// Not seen are stdio's files and memory maps; SQLite's -shm, which is one, is nothing after a power
// cut.
//
// Threads: any thread writes; the rest one thread, and disk_log_cut while nothing is written below
//          the directory.

#pragma once

#include <stddef.h>
#include <stdint.h>

// disk_log_start begins a log of what is done below root, an empty directory.
void disk_log_start(const char *root, uint64_t seed);

// disk_log_stop ends it; the log stays until the next one.
void disk_log_stop(void);

// disk_log_count returns the operations so far: a moment. Any thread.
size_t disk_log_count(void);

// disk_log_cut makes in the empty directory `to` what the disk has if the power went at a moment.
void disk_log_cut(size_t moment, uint64_t seed, const char *to);
