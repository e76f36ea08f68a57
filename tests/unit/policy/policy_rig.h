// SPDX-License-Identifier: Apache-2.0
// policy_rig: a policy, a file for it, and what reading it logs.
//
// Threads: one thread at a time.

#pragma once

#include "support/temp_dir.h"

#include "policy/policy.h"

typedef struct policy_rig {
    temp_dir dir;
    char path[300];
    policy *policy;
    lp_problem problem;
    policy_unmet_log unmet;
    char log[16384]; // of the last call
} policy_rig;

// policy_rig_setup and policy_rig_teardown are cmocka's; the state is a policy_rig.
int policy_rig_setup(void **state);
int policy_rig_teardown(void **state);

void policy_rig_write_file(const policy_rig *f, const char *bytes, size_t count);

// policy_rig_read_path and policy_rig_check_... call policy_read and policy_check_... with standard
// error caught in f->log.
void policy_rig_check_type(policy_rig *f, const char *event_type_name, bool is_contextual);
void policy_rig_check_api_type(policy_rig *f, const char *type_name);
void policy_rig_check_index(policy_rig *f, const char *type_name, const char *attribute);
void policy_rig_check_unmet(policy_rig *f, bool is_over, int64_t now_wall_ns);
lp_err policy_rig_read_path(policy_rig *f, const char *path);

// policy_rig_read_text writes the text to f->path and reads it.
lp_err policy_rig_read_text(policy_rig *f, const char *text);

// policy_rig_read_setting reads one setting, of the event type t.
lp_err policy_rig_read_setting(policy_rig *f, const char *name, const char *value);
