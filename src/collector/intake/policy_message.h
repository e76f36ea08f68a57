// SPDX-License-Identifier: Apache-2.0

// policy_message: policies as messages of the protocol: to the agent the settings for the JVM, to a
// chunk's journal the whole, so that the chunk is decided by it whenever that happens.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/server/test_server_policy.c

#ifndef LP_COLLECTOR_SERVER_POLICY_MESSAGE_H
#define LP_COLLECTOR_SERVER_POLICY_MESSAGE_H

#include "collector/intake/policy_cache.h"
#include "collector/journal/journal.h"
#include "common/base/lp_err.h"
#include "common/wire/wire.h"
#include "policy/policy_file.h"

#include <stddef.h>

// The settings for the JVM, with the storage that message points into. Not to be moved.
typedef struct policy_message {
    Loupe__Wire__JvmPolicy message;
    Loupe__Wire__JvmPolicy__Setting *settings;
    Loupe__Wire__JvmPolicy__Setting **pointers;
} policy_message;

// policy_message_init borrows file until policy_message_fini, which is also for after an error.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err policy_message_init(policy_message *message, const policy_file *file);
void policy_message_fini(policy_message *message);

// policy_message_append writes file, which is_own if policy_message_decode_own has made it, into a
// chunk's journal, where it replaces the one before. NULL: the JVM's own is none, after all.
// Errors: as journal_append; LP_ENOMEM
LP_MUST_USE lp_err policy_message_append(const policy_file *file, bool is_own, journal *journal);

// policy_message_decode returns the policy of a journal, by policy_cache_find; NULL: the JVM has no
// own policy.
// Owns:   on LP_OK the caller a reference to *out_file.
// Errors: LP_ECORRUPT and LP_ELIMIT if it is none, or there is no room; LP_ENOMEM
LP_MUST_USE lp_err policy_message_decode(const Loupe__Wire__ChunkPolicy *message,
    policy_cache *cache, policy_file **out_file, lp_problem *out_problem);

// policy_message_decode_own returns the policy with the JVM's own settings in a batch.
// Owns and errors: as policy_message_decode
LP_MUST_USE lp_err policy_message_decode_own(const Loupe__Wire__OwnPolicy *message,
    policy_cache *cache, policy_file **out_file, lp_problem *out_problem);

#endif // LP_COLLECTOR_SERVER_POLICY_MESSAGE_H
