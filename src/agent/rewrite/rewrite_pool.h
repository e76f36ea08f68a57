// SPDX-License-Identifier: Apache-2.0
// rewrite_pool: the constant pool of a class file, with added entries.
//
// Threads: one thread at a time.
// Tests:   tests/unit/agent/rewrite/test_rewrite_class.c

#pragma once

#include "agent/rewrite/rewrite_bytes.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Borrows the class file. A zeroed pool is empty.
typedef struct rewrite_pool {
    lp_slice file;
    uint32_t *offsets; // of the entries in the file, by index; 0: none
    uint16_t count;    // one more than the last index
    size_t end;        // of the pool in the file
    lp_buf added;      // the added entries
    size_t added_count;
    uint16_t helper_class; // 0: not added yet
} rewrite_pool;

// Reads the pool from file, whose position must be right after the version. Errors: LP_ECORRUPT,
// LP_ENOMEM. Call rewrite_pool_fini even after an error
LP_MUST_USE lp_err rewrite_pool_read(rewrite_pool *pool, rewrite_bytes *file);

void rewrite_pool_fini(rewrite_pool *pool);

// Returns whether the entry is this text.
bool rewrite_pool_is(const rewrite_pool *pool, uint16_t index, const char *text);

// Returns whether any entry is this text.
bool rewrite_pool_has(const rewrite_pool *pool, const char *text);

// Returns the name of a class entry, in the bytes of the file; an empty slice if it is no class.
lp_slice rewrite_pool_class_name(const rewrite_pool *pool, uint16_t index);

// Returns whether the entry is a method with this name and descriptor of this class or interface;
// class_name NULL: of any class.
bool rewrite_pool_calls(const rewrite_pool *pool, uint16_t index, const char *class_name,
    const char *name, const char *descriptor);

// Adds a static method of the helper class. Errors: LP_ELIMIT, LP_ENOMEM
LP_MUST_USE lp_err rewrite_pool_add_method(rewrite_pool *pool, const char *helper_class,
    const char *name, const char *descriptor, uint16_t *out_index);
