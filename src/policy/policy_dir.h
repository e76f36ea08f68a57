// SPDX-License-Identifier: Apache-2.0

// policy_dir: a directory with the policies of services: NAME.jfc for the service NAME, default.jfc
// for all that have no file of their own; and how long their recordings are kept, and how many
// bytes their agents may send (policy_keep.h): NAME.keep and default.keep. Names that begin with a
// dot are ignored. It may be one file instead, wherever that is: then this is the default, and
// there is nothing else.
//
// Files may be changed at any time, in place, by renaming another over them, or through symbolic
// links: policy_dir_look finds out. A file that cannot be used leaves its earlier content in force,
// of which there is none at the start: its service then has the default. A file that is gone does
// not.
//
// Names of services are compared with those of the files that were found and are part of no path,
// so there is none that leads out of the directory.
//
// Threads: any thread; a mutex inside. look belongs to one thread.

#ifndef LP_POLICY_POLICY_DIR_H
#define LP_POLICY_POLICY_DIR_H

#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"
#include "policy/policy_file.h"
#include "policy/policy_keep.h"

#include <stdbool.h>
#include <stdint.h>

enum { POLICY_DIR_FILES_MAX = 1000 }; // of each of the two kinds

typedef struct policy_dir policy_dir;

// policy_dir_open reads the files of the directory at path. Errors: LP_EIO if it cannot be read;
// LP_ENOMEM
LP_MUST_USE lp_err policy_dir_open(const char *path, policy_dir **out_dir, lp_problem *out_problem);

// policy_dir_open_file reads the file at path, which is the policy of all services from then on. A
// file that is gone later stays in force, too. Errors: as policy_file_parse; LP_ENOENT, LP_EIO
LP_MUST_USE lp_err policy_dir_open_file(
    const char *path, policy_dir **out_dir, lp_problem *out_problem);

void policy_dir_close(policy_dir *dir); // NULL is fine

// policy_dir_look reads the files that are new or have changed, and logs the outcome. Returns how
// many are left out, as there are more than POLICY_DIR_FILES_MAX; one of them is read in place of a
// file that is gone one look later.
// Cost: a system call for each file.
size_t policy_dir_look(policy_dir *dir);

// policy_dir_find returns the policy that is in force for service; NULL: none, defaults hold. The
// caller owns a reference. dir may be NULL: then there is none.
policy_file *policy_dir_find(policy_dir *dir, const char *service);

// policy_dir_find_keep returns what is in force of how long recordings of service are kept: what
// its file says, and what it does not say as the default has it. dir may be NULL: then nothing is
// said.
policy_keep policy_dir_find_keep(policy_dir *dir, const char *service);

// policy_dir_has_keep returns whether service has such a file of its own, also one with a mistake.
// dir may be NULL: then it has none.
bool policy_dir_has_keep(policy_dir *dir, const char *service);

// A policy of the directory.
typedef struct policy_dir_entry {
    char *name;              // without .jfc
    char *path;              //
    policy_file *file;       // the policy in force; NULL: it never could be used
    lp_problem refused;      // why its present content is not in force; no text: it is
    int64_t refused_wall_ns; // since when
} policy_dir_entry;

typedef LP_VEC(policy_dir_entry) policy_dir_entries;

// policy_dir_list appends the policies, by name, to out, which the caller ends with
// policy_dir_entries_fini, also after an error. Errors: LP_ENOMEM
LP_MUST_USE lp_err policy_dir_list(policy_dir *dir, policy_dir_entries *out);
void policy_dir_entries_fini(policy_dir_entries *entries);

#endif // LP_POLICY_POLICY_DIR_H
