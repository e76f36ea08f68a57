// SPDX-License-Identifier: Apache-2.0

#include "collector/base/tls_files.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_io.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"

#include <errno.h>
#include <fcntl.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_COUNT = 3, CERT = 0, KEY = 1, CLIENT_CA = 2 };

// TLS 1.3, and 1.2 with ephemeral keys, in GnuTLS's notation.
static const char priorities[] = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-RSA:-DHE-RSA:"
                                 "-CIPHER-ALL:+AES-256-GCM:+CHACHA20-POLY1305:+AES-128-GCM";

struct tls_set {
    atomic_uint references;
    gnutls_certificate_credentials_t credentials;
    gnutls_priority_t priorities;
    time_t begins; // of the certificate
    time_t ends;
};

// The attributes that change with a file's content.
typedef struct mark {
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec modified;
    struct timespec changed;
} mark;

struct tls_files {
    char *paths[FILE_COUNT]; // NULL: not given
    mark marks[FILE_COUNT];  // of the files last read, used or refused
    lp_problem refused;      // why they are refused; empty: they are used
    pthread_mutex_t mutex;   // guards set
    tls_set *set;
};

// --- Sets

tls_set *
tls_files_take(tls_files *self)
{
    (void)pthread_mutex_lock(&self->mutex);
    tls_set *set = self->set;
    LP_ASSERT(set != NULL);
    (void)atomic_fetch_add_explicit(&set->references, 1, memory_order_relaxed);
    (void)pthread_mutex_unlock(&self->mutex);
    return set;
}

void
tls_set_unref(tls_set *set)
{
    // Release and acquire: the owner that frees it sees the others' last use.
    unsigned before =
        set == NULL ? 0 : atomic_fetch_sub_explicit(&set->references, 1, memory_order_acq_rel);
    LP_ASSERT(set == NULL || before > 0);
    if (before == 1) {
        gnutls_certificate_free_credentials(set->credentials);
        gnutls_priority_deinit(set->priorities);
        free(set);
    }
}

lp_err
tls_set_apply(const tls_set *set, struct gnutls_session_int *session)
{
    bool is_done = gnutls_priority_set(session, set->priorities) >= 0 &&
                   gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, set->credentials) >= 0;
    return is_done ? LP_OK : LP_ENOMEM;
}

// --- Reading

static mark
mark_of(const struct stat *info)
{
    return (mark){.device = info->st_dev,
        .inode = info->st_ino,
        .size = info->st_size,
        .modified = info->st_mtim,
        .changed = info->st_ctim};
}

static bool
is_same_moment(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool
is_same(const mark *a, const mark *b)
{
    return a->device == b->device && a->inode == b->inode && a->size == b->size &&
           is_same_moment(a->modified, b->modified) && is_same_moment(a->changed, b->changed);
}

// read_all reads a file of this size. Errors: LP_EAGAIN if its size has changed
static lp_err
read_all(int fd, size_t size, lp_buf *out_bytes)
{
    uint8_t *to = lp_buf_extend(out_bytes, size + 1);
    size_t got = 0;
    ssize_t count;
    LP_REQUIRE(to != NULL, LP_ENOMEM);
    while (got <= size && (count = lp_io_read(fd, to + got, size + 1 - got)) != 0) {
        LP_REQUIRE(count >= 0, LP_EIO);
        got += (size_t)count;
    }
    LP_ASSERT(got <= size + 1);
    out_bytes->len = got;
    return got == size ? LP_OK : LP_EAGAIN;
}

// read_file reads a file, and notes its mark.
static lp_err
read_file(tls_files *self, int file, lp_buf *out_bytes, lp_problem *out_problem)
{
    LP_ASSERT(file >= 0 && file < FILE_COUNT && self->paths[file] != NULL);
    const char *path = self->paths[file];
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    LP_REQUIRE(fd >= 0, lp_problem_set(out_problem, LP_EIO, "%s: %s", path, strerror(errno)));
    lp_err err = fstat(fd, &info) == 0 ? LP_OK : LP_EIO;
    if (err == LP_OK) {
        self->marks[file] = mark_of(&info);
        err = !S_ISREG(info.st_mode)               ? LP_ECORRUPT
              : info.st_size > TLS_FILES_BYTES_MAX ? LP_ELIMIT
                                                   : read_all(fd, (size_t)info.st_size, out_bytes);
    }
    const char *reason = err == LP_ECORRUPT ? "not a file"
                         : err == LP_ELIMIT ? "over 1 MiB"
                         : err == LP_EAGAIN ? "changed while being read"
                                            : lp_err_reason(err);
    (void)close(fd);
    return err == LP_OK ? LP_OK : lp_problem_set(out_problem, err, "%s: %s", path, reason);
}

static gnutls_datum_t
datum_of(const lp_buf *bytes)
{
    LP_ASSERT(bytes->len <= TLS_FILES_BYTES_MAX);
    return (gnutls_datum_t){.data = bytes->ptr, .size = (unsigned)bytes->len};
}

static lp_err
refuse(const char *path, const char *what, int code, lp_problem *out_problem)
{
    LP_ASSERT(code < 0);
    return lp_problem_set(out_problem, code == GNUTLS_E_MEMORY_ERROR ? LP_ENOMEM : LP_ECORRUPT,
        "%s: %s: %s", path, what, gnutls_strerror(code));
}

// pair sets the certificate and the key, which must match.
static lp_err
pair(const tls_files *self, tls_set *set, const lp_buf *cert, const lp_buf *key,
    lp_problem *out_problem)
{
    LP_ASSERT(set->ends == 0);
    const gnutls_datum_t cert_text = datum_of(cert);
    const gnutls_datum_t key_text = datum_of(key);
    gnutls_x509_crt_t *chain = NULL;
    gnutls_x509_privkey_t own = NULL;
    unsigned count = 0;
    lp_err err = LP_OK;
    int code = gnutls_x509_crt_list_import2(
        &chain, &count, &cert_text, GNUTLS_X509_FMT_PEM, GNUTLS_X509_CRT_LIST_FAIL_IF_UNSORTED);
    LP_REQUIRE(
        code >= 0, refuse(self->paths[CERT], "no chain of certificates in PEM", code, out_problem));
    if ((code = gnutls_x509_privkey_init(&own)) < 0 ||
        (code = gnutls_x509_privkey_import2(own, &key_text, GNUTLS_X509_FMT_PEM, NULL, 0)) < 0) {
        err = refuse(self->paths[KEY], "no key in PEM without a passphrase", code, out_problem);
    } else if ((code = gnutls_certificate_set_x509_key(set->credentials, chain, (int)count, own)) <
               0) {
        err = refuse(self->paths[KEY], "cannot be used for the certificate", code, out_problem);
    } else {
        set->begins = gnutls_x509_crt_get_activation_time(chain[0]);
        set->ends = gnutls_x509_crt_get_expiration_time(chain[0]);
    }
    if (own != NULL) {
        gnutls_x509_privkey_deinit(own);
    }
    for (unsigned i = 0; i < count; i++) {
        gnutls_x509_crt_deinit(chain[i]);
    }
    gnutls_free(chain);
    return err;
}

static lp_err
read_pair(tls_files *self, tls_set *set, lp_problem *out_problem)
{
    lp_buf cert = {0};
    lp_buf key = {0};
    lp_err err;
    if ((err = read_file(self, CERT, &cert, out_problem)) == LP_OK &&
        (err = read_file(self, KEY, &key, out_problem)) == LP_OK) {
        err = pair(self, set, &cert, &key, out_problem);
    }
    if (key.ptr != NULL) {
        explicit_bzero(key.ptr, key.capacity);
    }
    lp_buf_fini(&cert);
    lp_buf_fini(&key);
    return err;
}

static lp_err
read_client_ca(tls_files *self, tls_set *set, lp_problem *out_problem)
{
    if (self->paths[CLIENT_CA] == NULL) {
        return LP_OK;
    }
    lp_buf text = {0};
    lp_err err = read_file(self, CLIENT_CA, &text, out_problem);
    if (err == LP_OK) {
        const gnutls_datum_t certs = datum_of(&text);
        int code =
            gnutls_certificate_set_x509_trust_mem(set->credentials, &certs, GNUTLS_X509_FMT_PEM);
        if (code <= 0) {
            err = refuse(self->paths[CLIENT_CA], "no certificates in PEM",
                code == 0 ? GNUTLS_E_NO_CERTIFICATE_FOUND : code, out_problem);
        }
    }
    lp_buf_fini(&text);
    return err;
}

// make_set returns an empty set with one reference. NULL if memory ran out.
static tls_set *
make_set(void)
{
    tls_set *set = calloc(1, sizeof(*set));
    LP_REQUIRE(set != NULL, NULL);
    if (gnutls_priority_init(&set->priorities, priorities, NULL) < 0) {
        free(set);
        return NULL;
    }
    if (gnutls_certificate_allocate_credentials(&set->credentials) < 0) {
        gnutls_priority_deinit(set->priorities);
        free(set);
        return NULL;
    }
    atomic_init(&set->references, 1);
    return set;
}

// read_set makes a set from the files.
static lp_err
read_set(tls_files *self, tls_set **out_set, lp_problem *out_problem)
{
    tls_set *set = make_set();
    LP_REQUIRE(set != NULL, lp_problem_set(out_problem, LP_ENOMEM, "out of memory"));
    lp_err err = read_pair(self, set, out_problem);
    LP_THEN(err, read_client_ca(self, set, out_problem));
    if (err != LP_OK) {
        tls_set_unref(set);
        return err;
    }
    *out_set = set;
    return LP_OK;
}

// log_set logs the certificate's validity.
static void
log_set(const tls_files *self)
{
    const tls_set *set = self->set;
    LP_ASSERT(set != NULL);
    char begins[LP_TIME_BYTES];
    char ends[LP_TIME_BYTES];
    time_t now = time(NULL);
    lp_time_format((int64_t)set->begins * 1000000000, begins);
    lp_time_format((int64_t)set->ends * 1000000000, ends);
    bool is_valid = set->begins <= now && now < set->ends;
    lp_log(is_valid ? LP_LOG_INFO : LP_LOG_WARN,
        "TLS: the certificate %s is valid from %.19sZ to %.19sZ%s", self->paths[CERT], begins, ends,
        is_valid ? "" : ", but not now: clients will reject it");
}

// --- Looking

static bool
have_changed(const tls_files *self)
{
    for (int i = 0; i < FILE_COUNT; i++) {
        struct stat info;
        if (self->paths[i] == NULL) {
            continue;
        }
        if (stat(self->paths[i], &info) != 0) {
            return true; // read_file reports the reason
        }
        const mark now = mark_of(&info);
        if (!is_same(&now, &self->marks[i])) {
            return true;
        }
    }
    return false;
}

static void
note_refused(tls_files *self, const lp_problem *problem)
{
    LP_ASSERT(problem->text[0] != '\0');
    if (strcmp(self->refused.text, problem->text) == 0) {
        return;
    }
    if (self->refused.text[0] == '\0') {
        metrics_add(METRICS_tls_files_refused, 1);
    }
    self->refused = *problem;
    lp_log(LP_LOG_ERROR, "TLS: %s; the files read before stay in use", problem->text);
}

void
tls_files_look(tls_files *self)
{
    LP_ASSERT(self->set != NULL);
    // Read refused files again: they may have been half written when their marks last changed.
    if (self->refused.text[0] == '\0' && !have_changed(self)) {
        return;
    }
    tls_set *set = NULL;
    lp_problem problem;
    if (read_set(self, &set, &problem) != LP_OK) {
        note_refused(self, &problem);
        return;
    }
    (void)pthread_mutex_lock(&self->mutex);
    tls_set *before = self->set;
    self->set = set;
    (void)pthread_mutex_unlock(&self->mutex);
    tls_set_unref(before);
    if (self->refused.text[0] != '\0') {
        self->refused.text[0] = '\0';
        metrics_sub(METRICS_tls_files_refused, 1);
    }
    log_set(self);
}

// --- Life

bool
tls_files_asks_clients(const tls_files *self)
{
    return self->paths[CLIENT_CA] != NULL;
}

lp_err
tls_files_open(const tls_files_config *config, tls_files **out_files, lp_problem *out_problem)
{
    LP_ASSERT(config->cert != NULL && config->key != NULL);
    const char *const paths[FILE_COUNT] = {config->cert, config->key, config->client_ca};
    tls_files *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, lp_problem_set(out_problem, LP_ENOMEM, "out of memory"));
    (void)pthread_mutex_init(&self->mutex, NULL); // Linux's cannot fail
    lp_err err = LP_OK;
    for (int i = 0; i < FILE_COUNT && err == LP_OK; i++) {
        self->paths[i] = paths[i] == NULL ? NULL : strdup(paths[i]);
        err = paths[i] != NULL && self->paths[i] == NULL ? LP_ENOMEM : LP_OK;
    }
    err = err == LP_OK ? read_set(self, &self->set, out_problem)
                       : lp_problem_set(out_problem, err, "out of memory");
    if (err != LP_OK) {
        tls_files_close(self);
        return err;
    }
    LP_ASSERT(self->set != NULL);
    log_set(self);
    *out_files = self;
    return LP_OK;
}

void
tls_files_close(tls_files *self)
{
    if (self == NULL) {
        return;
    }
    if (self->refused.text[0] != '\0') {
        metrics_sub(METRICS_tls_files_refused, 1);
    }
    tls_set_unref(self->set);
    for (int i = 0; i < FILE_COUNT; i++) {
        free(self->paths[i]);
    }
    (void)pthread_mutex_destroy(&self->mutex);
    free(self);
}
