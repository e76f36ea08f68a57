// SPDX-License-Identifier: Apache-2.0
// failing_alloc: memory that runs out, in a test that is linked with --wrap for malloc, calloc,
// realloc and strdup. Include it in one file.
//
// Threads: one thread allocates at a time.

#ifndef LP_TESTS_SUPPORT_FAILING_ALLOC_H
#define LP_TESTS_SUPPORT_FAILING_ALLOC_H

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

static size_t allocations_left; // 0: none fails

static bool
is_refused(void)
{
    return allocations_left > 0 && --allocations_left == 0;
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

#endif // LP_TESTS_SUPPORT_FAILING_ALLOC_H
