// SPDX-License-Identifier: Apache-2.0

// journal_list: the numbers of the chunks that a session has journals of.
//
// Threads: any thread.
// Tests:   tests/unit/collector/start/test_recovery.c

#ifndef LP_COLLECTOR_JOURNAL_JOURNAL_LIST_H
#define LP_COLLECTOR_JOURNAL_JOURNAL_LIST_H

#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef LP_VEC(uint32_t) journal_list;

// journal_list_read lists the journals in a session's directory, in ascending order; none if the
// directory is missing. The caller frees out_list->items. Errors: LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err journal_list_read(const char *path, journal_list *out_list);

bool journal_list_has(const journal_list *list, uint32_t ordinal);

#endif // LP_COLLECTOR_JOURNAL_JOURNAL_LIST_H
