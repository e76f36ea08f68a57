// SPDX-License-Identifier: Apache-2.0
// exact_copy: bytes that end where their allocation does, so that ASan sees whoever reads on.

#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// exact_copy_make copies the first len bytes of a longer piece, or all of it.
// Owns: the caller frees the copy
static inline uint8_t *
exact_copy_make(const void *bytes, size_t len)
{
    uint8_t *copy = malloc(len == 0 ? 1 : len);
    if (copy == NULL) {
        perror("exact_copy_make");
        abort();
    }
    if (len > 0) {
        memcpy(copy, bytes, len);
    }
    return copy;
}
