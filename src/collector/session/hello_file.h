// SPDX-License-Identifier: Apache-2.0
// hello_file: what an agent said at the start of its session, its Hello, in a file beside the
// session's chunks (blobs_put_hello writes it). The catalog is made again of it.
//
// Threads: any thread.
// Tests:   tests/unit/collector/mend/test_reconcile_catalog.c

#ifndef LP_COLLECTOR_SERVER_HELLO_FILE_H
#define LP_COLLECTOR_SERVER_HELLO_FILE_H

#include "collector/store/catalog/catalog.h"
#include "common/base/lp_err.h"
#include "common/wire/wire.h"

// hello_file_set_owner has a Hello say what the row knows of whose the session is, in place of
// secret and token. It borrows from row.
void hello_file_set_owner(Loupe__Wire__Hello *hello, const catalog_session *row);

// hello_file_get_owner sets what a Hello of a file says of it in *row.
void hello_file_get_owner(const Loupe__Wire__Hello *hello, catalog_session *row);

// hello_file_read reads the file of a session, whose id is 32 hexadecimal digits.
//
// Owns:   the caller frees *out_hello.
// Errors: LP_ENOENT; LP_ECORRUPT it is none, or another session's; LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err hello_file_read(
    const char *path, const char *session_id, Loupe__Wire__Hello **out_hello);

#endif // LP_COLLECTOR_SERVER_HELLO_FILE_H
