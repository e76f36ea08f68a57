// SPDX-License-Identifier: Apache-2.0
#include "collector/base/secret_hash.h"

#include <nettle/memops.h>
#include <nettle/sha2.h>

_Static_assert((int)SECRET_HASH_BYTES == (int)SHA256_DIGEST_SIZE, "it is a SHA-256");

void
secret_hash_make(lp_slice secret, uint8_t out_hash[SECRET_HASH_BYTES])
{
    struct sha256_ctx context;
    sha256_init(&context);
    sha256_update(&context, secret.len, secret.ptr);
    sha256_digest(&context, SECRET_HASH_BYTES, out_hash);
}

bool
secret_hash_is_equal(const uint8_t a[SECRET_HASH_BYTES], const uint8_t b[SECRET_HASH_BYTES])
{
    return memeql_sec(a, b, SECRET_HASH_BYTES) != 0;
}
