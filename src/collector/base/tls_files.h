// SPDX-License-Identifier: Apache-2.0

// tls_files: certificate, key and authority of clients, as files in PEM that may be replaced while
// connections are served.
//
// A connection begins with the set that is in force and keeps it to its end. tls_files_look finds
// out that files have changed, in place, by renaming others over them, or through symbolic links,
// and takes them once they are whole and belong together; until then the set before stays in force,
// one line of the log says why, and the metric tls_files_refused is 1.
//
// Threads: any thread; a mutex inside. look belongs to one thread.

#ifndef LP_COLLECTOR_BASE_TLS_FILES_H
#define LP_COLLECTOR_BASE_TLS_FILES_H

#include "common/base/lp_err.h"

#include <stdbool.h>

enum { TLS_FILES_BYTES_MAX = 1 << 20 }; // of each file

typedef struct tls_files tls_files;
typedef struct tls_set tls_set;

struct gnutls_session_int; // a gnutls_session_t points to one

typedef struct tls_files_config {
    const char *cert;      // the certificate, and those between it and its authority, in this order
    const char *key;       // of the certificate, without a passphrase
    const char *client_ca; // authorities of the certificates that agents show; NULL: none is asked
} tls_files_config;

// tls_files_open reads the files. Errors: LP_EIO, LP_ECORRUPT, LP_ELIMIT, LP_ENOMEM
LP_MUST_USE lp_err tls_files_open(
    const tls_files_config *config, tls_files **out_files, lp_problem *out_problem);
void tls_files_close(tls_files *files); // sets that were taken stay; NULL is fine

// tls_files_look takes files that have changed. Cost: a system call for each file.
void tls_files_look(tls_files *files);

// tls_files_asks_clients returns whether agents have to show a certificate.
bool tls_files_asks_clients(const tls_files *files);

// tls_files_take returns the set that is in force; the caller owns a reference.
tls_set *tls_files_take(tls_files *files);
void tls_set_unref(tls_set *set); // NULL is fine

// tls_set_apply gives a session of GnuTLS, which is to begin, the certificate and what is spoken.
// The set has to stay for as long as the session. Errors: LP_ENOMEM
LP_MUST_USE lp_err tls_set_apply(const tls_set *set, struct gnutls_session_int *session);

#endif // LP_COLLECTOR_BASE_TLS_FILES_H
