// SPDX-License-Identifier: Apache-2.0

// access_file: the rules in a file that may change while the collector runs (access_rules.h), for
// example to rotate tokens. If a new version is faulty, the earlier rules stay in force. A new
// version is read once two consecutive looks find it unchanged, so that no half-written file is
// used.
//
// Threads: any thread, with a mutex inside; access_file_look always on the same thread.
// Tests:   tests/unit/collector/access/test_access_file.c,
//          tests/unit/collector/http/routes/test_http_login.c

#pragma once

#include "collector/access/access_rules.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct access_file access_file;

// access_file_open reads the file at path. asks_certs: see access_rules_parse.
// Errors: as access_rules_parse; LP_EIO on a read error
LP_MUST_USE lp_err access_file_open(
    const char *path, bool asks_certs, access_file **out_access, lp_problem *out_problem);
void access_file_close(access_file *access); // NULL is fine

// access_file_look reads the file again if it has changed, and logs the outcome.
// Cost: a system call
void access_file_look(access_file *access);

// access_file_get_version returns a number, never 0, that grows with each change of the rules.
// Rules that are fetched after this call are of this version or a newer one.
uint64_t access_file_get_version(const access_file *access);

// access_file_get_rules returns the rules in force; the caller owns a reference.
access_rules *access_file_get_rules(access_file *access);
