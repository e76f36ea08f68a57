// SPDX-License-Identifier: Apache-2.0

// tls_files: certificate, key and client authority in PEM files, which may be replaced while the
// collector runs.
//
// A connection keeps the set that was in use when it began. tls_files_look notices files changed in
// place, by renaming, or through symbolic links, and uses them once they are complete and match.
// Until then the previous set stays in use, one log line says why, and the metric tls_files_refused
// is 1.
//
// Threads: any thread, with a mutex inside; tls_files_look always on the same thread.

#pragma once

#include "common/base/lp_err.h"

#include <stdbool.h>

enum { TLS_FILES_BYTES_MAX = 1 << 20 }; // of each file

typedef struct tls_files tls_files;
typedef struct tls_set tls_set;

struct gnutls_session_int; // a gnutls_session_t points to one

typedef struct tls_files_config {
    const char *cert;      // the certificate, then its intermediates, in order
    const char *key;       // of the certificate, without a passphrase
    const char *client_ca; // authorities of agents' certificates; NULL: agents need none
} tls_files_config;

// tls_files_open reads the files. Errors: LP_EIO, LP_ECORRUPT, LP_ELIMIT, LP_ENOMEM; LP_EAGAIN if a
// file changed meanwhile
LP_MUST_USE lp_err tls_files_open(
    const tls_files_config *config, tls_files **out_files, lp_problem *out_problem);
void tls_files_close(tls_files *files); // sets with references stay; NULL is fine

// tls_files_look uses changed files. Cost: a system call for each file.
void tls_files_look(tls_files *files);

// tls_files_asks_clients returns whether agents need a certificate.
bool tls_files_asks_clients(const tls_files *files);

// tls_files_take returns the set in use; the caller owns a reference.
tls_set *tls_files_take(tls_files *files);
void tls_set_unref(tls_set *set); // NULL is fine

// tls_set_apply sets certificate, protocols and ciphers of a new GnuTLS session. The set must
// outlive the session. Errors: LP_ENOMEM
LP_MUST_USE lp_err tls_set_apply(const tls_set *set, struct gnutls_session_int *session);
