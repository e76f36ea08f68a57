// SPDX-License-Identifier: Apache-2.0

// http_tls: HTTPS, by libmicrohttpd, with certificates that may change while it is served.
//
// Threads: those of libmicrohttpd.
// Tests:   tests/e2e/tls.py

#ifndef LP_COLLECTOR_HTTP_HTTP_TLS_H
#define LP_COLLECTOR_HTTP_HTTP_TLS_H

#include "collector/base/tls_files.h"

#include <microhttpd.h>

enum { HTTP_TLS_OPTIONS = 3 };

// http_tls_get_options writes the options of a daemon with MHD_USE_TLS, for MHD_OPTION_ARRAY. files
// is borrowed until the daemon has stopped.
void http_tls_get_options(tls_files *files, struct MHD_OptionItem out_options[HTTP_TLS_OPTIONS]);

#endif // LP_COLLECTOR_HTTP_HTTP_TLS_H
