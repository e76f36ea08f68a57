// SPDX-License-Identifier: Apache-2.0
// secret_hash: the SHA-256 that is stored in place of a secret. Secrets are long and random, so a
// plain hash resists guessing.
//
// Threads: pure functions, any thread.

#pragma once

#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stdint.h>

enum { SECRET_HASH_BYTES = 32 };

void secret_hash_make(lp_slice secret, uint8_t out_hash[SECRET_HASH_BYTES]);

// secret_hash_is_equal takes constant time.
bool secret_hash_is_equal(const uint8_t a[SECRET_HASH_BYTES], const uint8_t b[SECRET_HASH_BYTES]);
