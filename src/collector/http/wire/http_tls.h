// SPDX-License-Identifier: Apache-2.0

// http_tls: HTTPS, by libmicrohttpd, with certificates that may change while it is served.
//
// Threads: those of libmicrohttpd.
// Tests:   tests/e2e/tls.py

#ifndef LP_COLLECTOR_HTTP_HTTP_TLS_H
#define LP_COLLECTOR_HTTP_HTTP_TLS_H

#include "collector/base/tls_files.h"

#include <microhttpd.h>

enum { HTTP_TLS_OPTIONS = 2 };

// http_tls_get_options writes the options of a daemon with MHD_USE_TLS, for MHD_OPTION_ARRAY.
void http_tls_get_options(struct MHD_OptionItem out_options[HTTP_TLS_OPTIONS]);

// http_tls_begin gives a connection the files as they are when it begins, and returns the share of
// them that it keeps to its end; NULL: memory ran out, and its handshake will fail. files NULL: no
// TLS.
tls_set *http_tls_begin(tls_files *files, struct MHD_Connection *connection);

#endif // LP_COLLECTOR_HTTP_HTTP_TLS_H
