// SPDX-License-Identifier: Apache-2.0

#include "collector/http/http_tls.h"

#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>
#include <stdint.h>

// on_connection gives each connection the files as they are when it begins. It keeps them to its
// end in its context.
static void
on_connection(void *arg, struct MHD_Connection *connection, void **context,
    enum MHD_ConnectionNotificationCode code)
{
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        tls_set_unref(*context);
        *context = NULL;
        return;
    }
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    if (info == NULL || info->tls_session == NULL) {
        return; // find_no_certificate ends it
    }
    tls_set *set = tls_files_take(arg);
    if (tls_set_apply(set, info->tls_session) == LP_OK) {
        *context = set;
    } else {
        tls_set_unref(set);
    }
}

// find_no_certificate is what libmicrohttpd wants to have in the place of files that never change.
// It is called for connections alone that could not be given theirs.
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
http_tls_get_options(tls_files *files, struct MHD_OptionItem out_options[HTTP_TLS_OPTIONS])
{
    const struct MHD_OptionItem options[HTTP_TLS_OPTIONS] = {
        {MHD_OPTION_HTTPS_CERT_CALLBACK, 0, (void *)(intptr_t)find_no_certificate},
        {MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)on_connection, files},
        {MHD_OPTION_END, 0, NULL},
    };
    for (int i = 0; i < HTTP_TLS_OPTIONS; i++) {
        out_options[i] = options[i];
    }
}
