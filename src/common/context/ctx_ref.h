// SPDX-License-Identifier: Apache-2.0
// ctx_ref: the `id` of a context in answers. It is the same in stored chunks, in chunks that are
// not compacted yet, and in slices:
//
//   6f1a2b3c4d-9f86d081    the tick at which it begins, in hex, and 8 hex digits of a hash of the
//                          name of its type and of its thread
//
// If a context of the Loupe API spans chunks, its id refers to the begin of its first written
// event. Two contexts of a type on a thread that begin at the same tick have the same id.
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/common/context/test_ctx_ref.c

#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { CTX_REF_BYTES = 26 }; // of a text, with its end

typedef struct ctx_ref {
    int64_t begin; // ticks
    uint32_t hash;
} ctx_ref;

// ctx_ref_make returns the reference of a context. thread is the identity of its thread in the
// engine (engine/read/threads.h): the Java thread id, or else the operating system's.
ctx_ref ctx_ref_make(int64_t begin, const char *type_name, uint64_t thread);

void ctx_ref_format(ctx_ref ref, char out_text[CTX_REF_BYTES]);

// ctx_ref_parse reads what ctx_ref_format wrote; false for anything else.
bool ctx_ref_parse(const char *text, ctx_ref *out_ref);

static inline bool
ctx_ref_is_same(ctx_ref a, ctx_ref b)
{
    return a.begin == b.begin && a.hash == b.hash;
}
