// SPDX-License-Identifier: Apache-2.0

#include "collector/http/wire/http_tls.h"

#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>
#include <stdint.h>

tls_set *
http_tls_begin(tls_files *files, struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    LP_REQUIRE(files != NULL && info != NULL && info->tls_session != NULL, NULL);
    tls_set *set = tls_files_take(files);
    if (tls_set_apply(set, info->tls_session) != LP_OK) {
        tls_set_unref(set);
        return NULL; // find_no_certificate makes the handshake fail
    }
    return set;
}

// find_no_certificate is called for connections without certificates only. libmicrohttpd requires a
// callback or fixed files.
static int
find_no_certificate(gnutls_session_t session, const gnutls_datum_t *names, int names_count,
    const gnutls_pk_algorithm_t *kinds, int kinds_count, gnutls_pcert_st **out_certs,
    unsigned *out_count, gnutls_privkey_t *out_key)
{
    (void)session;
    (void)names;
    (void)names_count;
    (void)kinds;
    (void)kinds_count;
    (void)out_certs;
    (void)out_count;
    (void)out_key;
    return -1;
}

void
http_tls_get_options(struct MHD_OptionItem out_options[HTTP_TLS_OPTIONS])
{
    const struct MHD_OptionItem options[HTTP_TLS_OPTIONS] = {
        {MHD_OPTION_HTTPS_CERT_CALLBACK, 0, (void *)(intptr_t)find_no_certificate},
        {MHD_OPTION_END, 0, NULL},
    };
    for (int i = 0; i < HTTP_TLS_OPTIONS; i++) {
        out_options[i] = options[i];
    }
}
