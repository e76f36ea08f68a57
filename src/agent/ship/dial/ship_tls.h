// SPDX-License-Identifier: Apache-2.0
// ship_tls: the TLS files, for NNG's connections and for ship_handshake.
//
// The files are read anew for each dialer and each handshake, so replaced files take effect with
// the next dialer or handshake.
//
// Threads: any thread.
// Tests:   tests/unit/agent/ship/test_ship_tls.c

#pragma once

#include "common/base/lp_err.h"

#include <mbedtls/pk.h>
#include <mbedtls/x509_crt.h>
#include <nng/nng.h>
#include <stdbool.h>
#include <string.h>

enum { SHIP_TLS_BYTES_MAX = 1 << 20 }; // of each file

// Paths of files in PEM.
typedef struct ship_tls {
    const char *ca;   // the authorities for the collector's certificate
    const char *cert; // the agent's certificate and its intermediates; NULL: none
    const char *key;  // of cert; NULL: none
} ship_tls;

// The content of the files.
typedef struct ship_tls_content {
    char *ca_text; // these three have a 0 at their end
    char *cert_text;
    char *key_text;
    mbedtls_x509_crt ca;
    mbedtls_x509_crt cert;
    mbedtls_pk_context key;
} ship_tls_content;

// Returns whether a collector's URL asks for TLS.
static inline bool
ship_tls_is_url(const char *url)
{
    return strncmp(url, "tls+", 4) == 0;
}

// Reads the files, and checks that the key fits the certificate. The caller frees *out with
// ship_tls_content_fini. Errors: LP_EIO, LP_ECORRUPT, LP_ENOMEM
LP_MUST_USE lp_err ship_tls_read(
    const ship_tls *files, ship_tls_content *out, lp_problem *out_problem);
void ship_tls_content_fini(ship_tls_content *content);

// Sets the files that an NNG dialer for url uses. The dialer must not dial yet. Errors: as
// ship_tls_read
LP_MUST_USE lp_err ship_tls_give(
    const ship_tls *files, const char *url, nng_dialer dialer, lp_problem *out_problem);
