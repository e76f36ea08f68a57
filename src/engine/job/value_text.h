// SPDX-License-Identifier: Apache-2.0
// value_text: the value of a context as a text, as it is in answers.
//
// Threads: any thread.
// Tests:   tests/unit/engine/job/test_rollup_make.c

#ifndef LP_ENGINE_JOB_VALUE_TEXT_H
#define LP_ENGINE_JOB_VALUE_TEXT_H

#include "common/base/lp_buf.h"
#include "common/context/ctx_record.h"
#include "engine/contexts/value.h"

// compact_value_text replaces what is in text by that of a value that is not null. scratch is of
// the caller, for any use. Where memory runs out, either has failed.
void compact_value_text(ctx_kind kind, const compact_value *value, lp_buf *scratch, lp_buf *text);

#endif // LP_ENGINE_JOB_VALUE_TEXT_H
