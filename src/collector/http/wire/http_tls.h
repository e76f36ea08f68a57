// SPDX-License-Identifier: Apache-2.0

// http_tls: HTTPS by libmicrohttpd, with certificates that may change at run time.
//
// Threads: those of libmicrohttpd.
// Tests:   tests/e2e/tls.py

#pragma once

#include "collector/base/tls_files.h"

#include <microhttpd.h>

enum { HTTP_TLS_OPTIONS = 2 };

// http_tls_get_options writes the options of a daemon with MHD_USE_TLS, for MHD_OPTION_ARRAY.
void http_tls_get_options(struct MHD_OptionItem out_options[HTTP_TLS_OPTIONS]);

// http_tls_begin gives a connection the present certificates. Returns a reference to them, which
// the connection keeps to its end. NULL: files is NULL (no TLS), or memory ran out and the
// handshake will fail.
tls_set *http_tls_begin(tls_files *files, struct MHD_Connection *connection);
