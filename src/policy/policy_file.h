// SPDX-License-Identifier: Apache-2.0

// policy_file: a policy and its text. The text is stored with the chunks that the policy decides,
// so that the policy can be made again.
//
// Threads: made by one thread, then any; it does not change.
// Tests:   tests/unit/policy/test_policy_dir.c
// Owns:    counted references; policy_file_unref ends one.

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "policy/policy.h"
#include "policy/policy_jvm.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { POLICY_FILE_JVM_BYTES_MAX = 1000 * 1000 }; // of a policy's settings for JVMs, about

typedef struct policy_file policy_file;

// policy_file_parse makes a policy from the text of path, of POLICY_FILE_BYTES_MAX at most.
// Errors: as policy_read; LP_ELIMIT over POLICY_FILE_JVM_BYTES_MAX, too
LP_MUST_USE lp_err policy_file_parse(
    const char *path, lp_slice text, policy_file **out_file, lp_problem *out_problem);

// policy_file_parse_told does the same with a text that a JVM sent (policy_set_told), of
// POLICY_TOLD_BYTES_MAX at most. The policy has no settings for JVMs.
LP_MUST_USE lp_err policy_file_parse_told(
    const char *path, lp_slice text, policy_file **out_file, lp_problem *out_problem);

policy_file *policy_file_ref(policy_file *file);
void policy_file_unref(policy_file *file); // NULL is fine

// policy_file_is_shared returns whether there are references besides the caller's. They may end at
// any time.
bool policy_file_is_shared(const policy_file *file);

// policy_file_is_told returns whether policy_file_parse_told has made it.
bool policy_file_is_told(const policy_file *file);

// policy_file_measure returns about how many bytes of memory the file takes.
size_t policy_file_measure(const policy_file *file);

const char *policy_file_get_path(const policy_file *file);
lp_slice policy_file_get_text(const policy_file *file);

// policy_file_get_rules returns the policy; NULL if file is NULL. Only its marks of logged warnings
// may change.
policy *policy_file_get_rules(const policy_file *file);

const policy_jvm_settings *policy_file_get_jvm(const policy_file *file);

// policy_file_get_id returns a hash of the text and the settings for the JVM, the same in every
// process. It is 0 only if file is NULL.
uint64_t policy_file_get_id(const policy_file *file);

// policy_file_get_read_wall_ns returns the time at which the policy was made.
int64_t policy_file_get_read_wall_ns(const policy_file *file);

// policy_file_each calls on_setting for every setting of the text, in the order of the text, with
// the value that is used. event may be a pattern.
void policy_file_each(const policy_file *file,
    void (*on_setting)(void *arg, const char *event, const char *setting, const char *value),
    void *arg);
