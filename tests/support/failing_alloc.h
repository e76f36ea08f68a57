// SPDX-License-Identifier: Apache-2.0
// failing_alloc: memory that runs out, in a test that is linked with --wrap for malloc, calloc,
// realloc and strdup. Include it in one file.
//
// Threads: any; the one that fails is counted over all but those that are spared.

#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

// The linker sends allocations here; the one that makes allocations_left 0 fails.
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *ptr, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *ptr, size_t size);
char *__wrap_strdup(const char *text);

static _Atomic size_t allocations_left;     // 0: none fails
static _Thread_local bool is_thread_spared; // its allocations do not fail, nor count

static bool
is_refused(void)
{
    size_t left = is_thread_spared ? 0 : allocations_left;
    while (left > 0 && !atomic_compare_exchange_weak(&allocations_left, &left, left - 1)) {
    }
    return left == 1;
}

void *
__wrap_malloc(size_t size)
{
    return is_refused() ? NULL : __real_malloc(size);
}

void *
__wrap_calloc(size_t count, size_t size)
{
    return is_refused() ? NULL : __real_calloc(count, size);
}

void *
__wrap_realloc(void *ptr, size_t size)
{
    return is_refused() ? NULL : __real_realloc(ptr, size);
}

char *
__wrap_strdup(const char *text)
{
    return is_refused() ? NULL : __real_strdup(text);
}
