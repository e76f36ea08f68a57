// SPDX-License-Identifier: Apache-2.0
// account: how many events of each type of a chunk were kept, and how many were dropped by which
// reason; and the same for contexts of the Loupe API: offered = kept + dropped.
//
// The event dev.loupe.Accounting of a chunk has the sums over all types of which something was
// dropped, and a text that lists these:
//
//   jdk.ExecutionSample offered=9011 kept=402 threshold=9 select=8600; jdk.ThreadPark offered=...
//
//   list    type ("; " type)*
//   type    name (" " key "=" number)+
//   name    in which space, all below it, ';', '%' and DEL are '%' and two hexadecimal digits
//   key     offered, kept, or compact_reason_field
//   number  decimal; those that are 0 are left out
//
// Threads: one thread at a time.

#ifndef LP_ENGINE_WRITE_ACCOUNT_H
#define LP_ENGINE_WRITE_ACCOUNT_H

#include "common/base/lp_buf.h"
#include "engine/carry/carry.h"
#include "engine/decide/decide.h"
#include "engine/frame.h"
#include "engine/read/view.h"

// compact_account_of_type returns how many events of a type were dropped by which reason, once all
// kept events are written; kept counts those. Events that no other reason has dropped were not
// selected.
compact_dropped compact_account_of_type(
    const compact_view *view, uint32_t type, const compact_amount *kept);

// compact_account_is_over returns whether a context of the new carry, which has this index in
// frame, too, is over by the end of the window and was not when the chunk began: so of each context
// that ends it is true in one chunk.
bool compact_account_is_over(
    const compact_frame *frame, const compact_context *context, size_t index);

// compact_account_contexts counts, by type, the contexts of the Loupe API that turned out in this
// chunk to have no kept event: those that are over by the end of the window and have no part, in
// this chunk or before. known are those of the new carry, which come first among those of frame;
// parts are what was decided. Each context is kept in one chunk or counted here in one, unless it
// is still open when the session ends.
void compact_account_contexts(const compact_frame *frame, const compact_contexts *known,
    const compact_parts *parts, compact_dropped *out_by_type);

// compact_account_of_contexts returns the same for the contexts of a type: those that
// compact_account_contexts counted, and those that ought to be in the output and cannot be written.
static inline compact_dropped
compact_account_of_contexts(const compact_dropped *gone, uint64_t lost)
{
    compact_dropped dropped = *gone;
    dropped.by[COMPACT_BY_DAMAGED] += lost;
    return dropped;
}

// The content of the event; {0} is that of a chunk of which nothing was dropped.
typedef struct compact_account {
    uint64_t kept; // of the types of which something was dropped
    compact_dropped dropped;
    lp_buf types; // the list; empty if nothing was dropped
} compact_account;

// compact_account_add adds a type, if anything of it was dropped. A failure is types.is_failed.
void compact_account_add(
    compact_account *account, const char *type_name, uint64_t kept, const compact_dropped *dropped);
void compact_account_fini(compact_account *account);

#endif // LP_ENGINE_WRITE_ACCOUNT_H
