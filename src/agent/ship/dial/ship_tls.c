// SPDX-License-Identifier: Apache-2.0
#include "agent/ship/dial/ship_tls.h"

#include "common/base/lp_io.h"

#include <errno.h>
#include <mbedtls/entropy.h>
#include <mbedtls/error.h>
#include <mbedtls/version.h>
#include <nng/supplemental/tls/tls.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

// --- Reading

// Mbed TLS 3 needs random numbers to check a key; 2.28 does not.
#if MBEDTLS_VERSION_MAJOR >= 3
static int
fill_random(void *arg, unsigned char *out, size_t size)
{
    (void)arg;
    while (size > 0) {
        ssize_t count = getrandom(out, size, 0);
        if (count <= 0) {
            return MBEDTLS_ERR_ENTROPY_SOURCE_FAILED;
        }
        out += count;
        size -= (size_t)count;
    }
    return 0;
}
#define WITH_RANDOM , fill_random, NULL
#else
#define WITH_RANDOM
#endif

// Reads a file into *out_text, with a 0 at its end. The caller frees it, also after an error.
static lp_err
read_file(const char *path, char **out_text, lp_problem *out_problem)
{
    size_t size = 0;
    *out_text = calloc(1, SHIP_TLS_BYTES_MAX + 2);
    LP_REQUIRE(*out_text != NULL, lp_problem_set(out_problem, LP_EIO, "%s: out of memory", path));
    if (lp_io_read_file(path, *out_text, SHIP_TLS_BYTES_MAX + 1, &size) != LP_OK) {
        const char *reason = errno == EINVAL ? "not a file" : strerror(errno);
        return lp_problem_set(out_problem, LP_EIO, "%s: %s", path, reason);
    }
    return size <= SHIP_TLS_BYTES_MAX ? LP_OK
                                      : lp_problem_set(out_problem, LP_EIO, "%s: over 1 MiB", path);
}

// Reports what mbedTLS's code means for a file.
static lp_err
refuse(const char *path, const char *what, int code, lp_problem *out_problem)
{
    char text[100];
    mbedtls_strerror(code, text, sizeof(text));
    return lp_problem_set(out_problem, LP_ECORRUPT, "%s: %s: %s", path, what, text);
}

static lp_err
read_certs(const char *path, char **out_text, mbedtls_x509_crt *out, lp_problem *out_problem)
{
    LP_TRY(read_file(path, out_text, out_problem));
    int code = mbedtls_x509_crt_parse(out, (const unsigned char *)*out_text, strlen(*out_text) + 1);
    LP_REQUIRE(code <= 0,
        lp_problem_set(out_problem, LP_ECORRUPT, "%s: %d certificates cannot be read", path, code));
    return code == 0 ? LP_OK : refuse(path, "no certificates in PEM", code, out_problem);
}

static lp_err
read_key(const ship_tls *files, ship_tls_content *out, lp_problem *out_problem)
{
    LP_TRY(read_file(files->key, &out->key_text, out_problem));
    int code = mbedtls_pk_parse_key(&out->key, (const unsigned char *)out->key_text,
        strlen(out->key_text) + 1, NULL, 0 WITH_RANDOM);
    if (code != 0) {
        return refuse(files->key, "no key in PEM without a passphrase", code, out_problem);
    }
    code = mbedtls_pk_check_pair(&out->cert.pk, &out->key WITH_RANDOM);
    return code == 0 ? LP_OK
                     : lp_problem_set(out_problem, LP_ECORRUPT,
                           "%s is not the key of the certificate %s", files->key, files->cert);
}

lp_err
ship_tls_read(const ship_tls *files, ship_tls_content *out, lp_problem *out_problem)
{
    *out = (ship_tls_content){0};
    mbedtls_x509_crt_init(&out->ca);
    mbedtls_x509_crt_init(&out->cert);
    mbedtls_pk_init(&out->key);
    lp_err err = read_certs(files->ca, &out->ca_text, &out->ca, out_problem);
    if (err == LP_OK && files->cert != NULL) {
        err = read_certs(files->cert, &out->cert_text, &out->cert, out_problem);
        LP_THEN(err, read_key(files, out, out_problem));
    }
    if (err != LP_OK) {
        ship_tls_content_fini(out);
    }
    return err;
}

void
ship_tls_content_fini(ship_tls_content *content)
{
    mbedtls_x509_crt_free(&content->ca);
    mbedtls_x509_crt_free(&content->cert);
    mbedtls_pk_free(&content->key);
    if (content->key_text != NULL) {
        explicit_bzero(content->key_text, strlen(content->key_text));
    }
    free(content->ca_text);
    free(content->cert_text);
    free(content->key_text);
    *content = (ship_tls_content){0};
}

// --- Giving

static int
give_content(const ship_tls_content *content, const char *host, nng_dialer dialer)
{
    nng_tls_config *config;
    int error = nng_tls_config_alloc(&config, NNG_TLS_MODE_CLIENT);
    LP_REQUIRE(error == 0, error);
    error = nng_tls_config_auth_mode(config, NNG_TLS_AUTH_MODE_REQUIRED);
    error = error != 0 ? error : nng_tls_config_server_name(config, host);
    error = error != 0 ? error : nng_tls_config_ca_chain(config, content->ca_text, NULL);
    if (content->cert_text != NULL) {
        error = error != 0
                    ? error
                    : nng_tls_config_own_cert(config, content->cert_text, content->key_text, NULL);
    }
    error = error != 0 ? error : nng_dialer_set_ptr(dialer, NNG_OPT_TLS_CONFIG, config);
    nng_tls_config_free(config); // the dialer has a reference of its own
    return error;
}

lp_err
ship_tls_give(const ship_tls *files, const char *url, nng_dialer dialer, lp_problem *out_problem)
{
    ship_tls_content content;
    nng_url *parts;
    LP_TRY(ship_tls_read(files, &content, out_problem));
    int error = nng_url_parse(&parts, url);
    if (error == 0) {
        error = give_content(&content, parts->u_hostname, dialer);
        nng_url_free(parts);
    }
    ship_tls_content_fini(&content);
    return error == 0 ? LP_OK
                      : lp_problem_set(out_problem, error == NNG_ENOMEM ? LP_ENOMEM : LP_ECORRUPT,
                            "TLS for %s: %s", url, nng_strerror(error));
}
