// SPDX-License-Identifier: Apache-2.0

// policy_message: policies as messages of the protocol. An agent gets the settings for its JVM. A
// chunk's journal gets the whole policy, which applies to the chunk however late it is compacted.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/server/test_server_policy.c

#pragma once

#include "collector/intake/policy_cache.h"
#include "collector/journal/journal.h"
#include "common/base/lp_err.h"
#include "common/wire/wire.h"
#include "policy/policy_file.h"

// The settings for the JVM, with the storage that message points into. Do not move or copy it.
typedef struct policy_message {
    Loupe__Wire__JvmPolicy message;
    Loupe__Wire__JvmPolicy__Setting *settings;
    Loupe__Wire__JvmPolicy__Setting **pointers;
} policy_message;

// policy_message_init borrows file until policy_message_fini, which must be called even after an
// error. Errors: LP_ENOMEM
LP_MUST_USE lp_err policy_message_init(policy_message *message, const policy_file *file);
void policy_message_fini(policy_message *message);

// policy_message_append appends file to a chunk's journal, where it replaces an earlier policy.
// file NULL: the JVM has no policy of its own after all. is_own: policy_message_decode_own returned
// file. Errors: as journal_append; LP_ENOMEM
LP_MUST_USE lp_err policy_message_append(const policy_file *file, bool is_own, journal *journal);

// policy_message_decode returns the policy of a journal (policy_cache_find); NULL if the JVM has no
// policy of its own.
// Owns:   on LP_OK the caller owns a reference to *out_file
// Errors: LP_ECORRUPT if it is malformed; LP_ELIMIT if it is too large; LP_ENOMEM
LP_MUST_USE lp_err policy_message_decode(const Loupe__Wire__ChunkPolicy *message,
    policy_cache *cache, policy_file **out_file, lp_problem *out_problem);

// policy_message_decode_own returns the JVM's own policy, from a batch. Owns and errors: as
// policy_message_decode
LP_MUST_USE lp_err policy_message_decode_own(const Loupe__Wire__OwnPolicy *message,
    policy_cache *cache, policy_file **out_file, lp_problem *out_problem);
