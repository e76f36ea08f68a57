// SPDX-License-Identifier: Apache-2.0

// policy_dir: a directory with the policies of services. NAME.jfc is the policy of the service
// NAME, default.jfc that of services without a file. NAME.keep and default.keep limit the age and
// size of recordings, the bytes that agents may send, and raw data (policy_keep.h). Names that
// begin with a dot are ignored. Instead of a directory it may be one file: the default policy.
//
// Files may be changed at any time, in place, by renaming another over them, or through symbolic
// links: policy_dir_look notices. If a file cannot be used, its previous content stays in force. If
// it has no previous content, its service has the default policy. A file that is removed is no
// longer in force.
//
// Names of services are only compared with names of found files, and never become part of a path.
//
// Threads: any thread; a mutex protects the directory. Call policy_dir_look on one thread only.

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"
#include "policy/policy_file.h"
#include "policy/policy_keep.h"

#include <stdbool.h>
#include <stdint.h>

enum { POLICY_DIR_FILES_MAX = 1000 }; // of .jfc files, and of .keep files

typedef struct policy_dir policy_dir;

// policy_dir_open reads the files of the directory at path. Errors: LP_EIO if it cannot be read;
// LP_ENOMEM
LP_MUST_USE lp_err policy_dir_open(const char *path, policy_dir **out_dir, lp_problem *out_problem);

// policy_dir_open_file reads the file at path, the policy of all services from then on. It stays in
// force even if the file is removed. Errors: as policy_file_parse; LP_ENOENT, LP_EIO
LP_MUST_USE lp_err policy_dir_open_file(
    const char *path, policy_dir **out_dir, lp_problem *out_problem);

void policy_dir_close(policy_dir *dir); // NULL is fine

// policy_dir_look reads the files that are new or have changed, and logs the outcome. Returns the
// number of files over POLICY_DIR_FILES_MAX. If a file is removed, the next policy_dir_look reads
// one of these. Cost: a system call for each file.
size_t policy_dir_look(policy_dir *dir);

// policy_dir_find returns the policy in force for service; NULL: the defaults. The caller owns a
// reference. dir may be NULL.
policy_file *policy_dir_find(policy_dir *dir, const char *service);

// policy_dir_find_keep returns the limits in force for service: those of its file, else those of
// default.keep. All lines `pin-when` together count as one. dir may be NULL: no limits.
policy_keep policy_dir_find_keep(policy_dir *dir, const char *service);

// policy_dir_each_keep calls on_keep for each .keep file, with the limits in force for its service.
// on_keep must not use dir. policy_dir_get_keep_version returns a number that changes with these
// files and is never 0.
void policy_dir_each_keep(policy_dir *dir,
    void (*on_keep)(void *arg, const char *path, const policy_keep *keep), void *arg);
uint64_t policy_dir_get_keep_version(policy_dir *dir);

// policy_dir_has_whole_traces returns whether any file says `trace whole`. dir may be NULL.
bool policy_dir_has_whole_traces(policy_dir *dir);

// policy_dir_has_keep returns whether service has a .keep file, even one with a mistake. dir may be
// NULL.
bool policy_dir_has_keep(policy_dir *dir, const char *service);

// A policy of the directory.
typedef struct policy_dir_entry {
    char *name; // without .jfc
    char *path;
    policy_file *file;       // the policy in force; NULL: none
    lp_problem refused;      // why the file's content is not in force; empty: it is in force
    int64_t refused_wall_ns; // when it was refused
} policy_dir_entry;

typedef LP_VEC(policy_dir_entry) policy_dir_entries;

// policy_dir_list appends the policies, by name, to out. The caller ends out with
// policy_dir_entries_fini, also after an error. Errors: LP_ENOMEM
LP_MUST_USE lp_err policy_dir_list(policy_dir *dir, policy_dir_entries *out);
void policy_dir_entries_fini(policy_dir_entries *entries);
