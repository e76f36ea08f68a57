// SPDX-License-Identifier: Apache-2.0
// hello_file: the Hello that began a session, in a file beside the session's chunks.
// blobs_put_hello writes it. Mending a catalog reads it.
//
// Threads: any thread.
// Tests:   tests/unit/collector/mend/test_reconcile_catalog.c

#pragma once

#include "collector/store/catalog/catalog.h"
#include "common/base/lp_err.h"
#include "common/wire/wire.h"

// hello_file_set_owner replaces secret and token of a Hello by the owner in row: hash and identity.
// The Hello borrows from row.
void hello_file_set_owner(Loupe__Wire__Hello *hello, const catalog_session *row);

// hello_file_get_owner copies the owner from the Hello of a file to *row.
void hello_file_get_owner(const Loupe__Wire__Hello *hello, catalog_session *row);

// hello_file_read reads the file of a session, whose id is 32 hexadecimal digits.
//
// Owns:   the caller frees *out_hello.
// Errors: LP_ENOENT; LP_ECORRUPT not a Hello, or of another session; LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err hello_file_read(
    const char *path, const char *session_id, Loupe__Wire__Hello **out_hello);
