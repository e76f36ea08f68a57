// SPDX-License-Identifier: Apache-2.0
// account: counts kept and dropped events by type and reason, and the same for contexts of the
// Loupe API: offered = kept + dropped.
//
// The event dev.loupe.Accounting of a chunk has the sums over all types with dropped events, and a
// text that lists these types:
//
//   jdk.ExecutionSample offered=9011 kept=402 threshold=9 select=8600; jdk.ThreadPark offered=...
//
//   list    type ("; " type)*
//   type    name (" " key "=" number)+
//   name    space, control characters, ';', '%' and DEL are '%' and two hexadecimal digits
//   key     offered, kept, or compact_reason_field
//   number  decimal, above 0
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/write/test_account.c, tests/prop/test_account_prop.c

#pragma once

#include "common/base/lp_buf.h"
#include "engine/carry/carry.h"
#include "engine/decide/decide.h"
#include "engine/frame.h"
#include "engine/read/view.h"

// compact_account_of_type returns the dropped events of a type by reason. All kept events are
// written; kept is their number. Dropped events without another reason count as not selected. Where
// options->also has kept events that the policy dropped (also.h), the reasons of the type count the
// rest, and which of several reasons the kept ones had may be wrong.
compact_dropped compact_account_of_type(
    const compact_view *view, uint32_t type, const compact_amount *kept);

// compact_account_is_over returns whether a context of the new carry ends in this chunk: before the
// end of the window, and not before the begin of the chunk. index is the context's in the new carry
// and in frame. The result is true for one chunk of the session.
bool compact_account_is_over(
    const compact_frame *frame, const compact_context *context, size_t index);

// compact_account_contexts counts, by type, the API contexts that end in this chunk and had no kept
// event in any chunk. known are the contexts of the new carry, which are the first ones of frame.
// parts are the kept parts (decided.h). Each context counts once in the session, as kept or in
// out_by_type, unless the session ends before the context.
void compact_account_contexts(const compact_frame *frame, const compact_contexts *known,
    const compact_parts *parts, compact_dropped *out_by_type);

static inline compact_dropped
compact_account_of_contexts(const compact_dropped *gone, uint64_t lost)
{
    compact_dropped dropped = *gone;
    dropped.by[COMPACT_BY_DAMAGED] += lost;
    return dropped;
}

// The content of dev.loupe.Accounting; {0} for a chunk without dropped events.
typedef struct compact_account {
    uint64_t kept; // of the types with dropped events
    compact_dropped dropped;
    lp_buf types; // the list; empty if nothing was dropped
} compact_account;

// compact_account_add adds a type if it has dropped events. Errors: in account->types
void compact_account_add(
    compact_account *account, const char *type_name, uint64_t kept, const compact_dropped *dropped);
void compact_account_fini(compact_account *account);
