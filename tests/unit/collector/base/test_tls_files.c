// SPDX-License-Identifier: Apache-2.0

// Files of TLS: those that cannot be used are refused with the name of the file that is at fault;
// those that change are taken once they are whole and belong together, and not before; a set that
// somebody has stays as it was.

#include "support/certificates.h"

#include "collector/base/metrics.h"
#include "collector/base/tls_files.h"

#include <gnutls/gnutls.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static certificates made;

static lp_err
open_files(const char *cert, const char *key, const char *client_ca, tls_files **out,
    lp_problem *out_problem)
{
    certificates_path paths[3] = {certificates_find(&made, cert), certificates_find(&made, key)};
    if (client_ca != NULL) {
        paths[2] = certificates_find(&made, client_ca);
    }
    const tls_files_config config = {.cert = paths[0].text,
        .key = paths[1].text,
        .client_ca = client_ca == NULL ? NULL : paths[2].text};
    return tls_files_open(&config, out, out_problem);
}

static void
write_file(const char *name, const char *text, size_t size)
{
    certificates_path path = certificates_find(&made, name);
    FILE *file = fopen(path.text, "we");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void
test_files_that_belong_together_are_taken(void **state)
{
    static const char *const pairs[][2] = {
        {"server.pem", "server.key"}, {"chain.pem", "chain.key"}, {"expired.pem", "expired.key"}};
    (void)state;
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        tls_files *files;
        lp_problem problem;
        assert_int_equal(open_files(pairs[i][0], pairs[i][1], NULL, &files, &problem), LP_OK);
        assert_false(tls_files_asks_clients(files));
        tls_files_close(files);
    }
    tls_files *files;
    assert_int_equal(open_files("server.pem", "server.key", "ca.pem", &files, NULL), LP_OK);
    assert_true(tls_files_asks_clients(files));
    tls_files_close(files);
    tls_files_close(NULL);
}

static void
test_what_is_wrong_is_named(void **state)
{
    static const struct {
        const char *cert;
        const char *key;
        const char *client_ca;
        const char *at_fault;
        const char *why;
    } cases[] = {
        {"none.pem", "server.key", NULL, "none.pem", "No such file"},
        {"server.pem", "none.key", NULL, "none.key", "No such file"},
        {"server.pem", "server.key", "none.pem", "none.pem", "No such file"},
        {"server.key", "server.key", NULL, "server.key", "no chain of certificates in PEM"},
        {"empty", "server.key", NULL, "empty", "no chain of certificates in PEM"},
        {"disordered.pem", "chain.key", NULL, "disordered.pem", "no chain of certificates in PEM"},
        {"server.pem", "server.pem", NULL, "server.pem", "no key in PEM"},
        {"server.pem", "locked.key", NULL, "locked.key", "without a passphrase"},
        {"server.pem", "ca.key", NULL, "ca.key", "cannot be used for the certificate"},
        {"server.pem", "server.key", "server.key", "server.key", "no certificates in PEM"},
        {"server.pem", "server.key", "empty", "empty", "no certificates in PEM"},
        {"large", "server.key", NULL, "large", "over 1 MiB"},
        {"folder", "server.key", NULL, "folder", "not a file"},
    };
    (void)state;
    char *large = calloc(1, TLS_FILES_BYTES_MAX + 1);
    assert_non_null(large);
    write_file("large", large, TLS_FILES_BYTES_MAX + 1);
    write_file("empty", "", 0);
    free(large);
    (void)mkdir(certificates_find(&made, "folder").text, 0700);
    char command[3 * CERTIFICATES_PATH_BYTES];
    (void)snprintf(command, sizeof(command), "cat '%s' '%s' > '%s'",
        certificates_find(&made, "between.pem").text, certificates_find(&made, "chain.pem").text,
        certificates_find(&made, "disordered.pem").text);
    assert_int_equal(system(command), 0); // NOLINT(cert-env33-c): paths of ours
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tls_files *files = NULL;
        lp_problem problem = {.text = ""};
        lp_err err = open_files(cases[i].cert, cases[i].key, cases[i].client_ca, &files, &problem);
        print_message("%s\n", problem.text);
        assert_int_not_equal(err, LP_OK);
        assert_null(files);
        assert_non_null(strstr(problem.text, cases[i].at_fault));
        assert_non_null(strstr(problem.text, cases[i].why));
    }
}

// in_force returns the set that is in force, to be compared.
static const tls_set *
in_force(tls_files *files)
{
    tls_set *set = tls_files_take(files);
    tls_set_unref(set); // the files have it
    return set;
}

static void
test_files_that_change_are_taken_when_they_fit(void **state)
{
    (void)state;
    tls_files *files;
    lp_problem problem;
    certificates_copy(&made, "server.pem", "own.pem");
    certificates_copy(&made, "server.key", "own.key");
    certificates_copy(&made, "ca.pem", "clients.pem");
    assert_int_equal(open_files("own.pem", "own.key", "clients.pem", &files, &problem), LP_OK);
    tls_set *first = tls_files_take(files);
    tls_files_look(files);
    assert_ptr_equal(in_force(files), first);

    certificates_copy(&made, "renewed.pem", "own.pem"); // the key is yet to come
    for (int i = 0; i < 2; i++) {
        tls_files_look(files);
        assert_ptr_equal(in_force(files), first);
        assert_int_equal(metrics_get(METRICS_tls_files_refused), 1);
    }
    certificates_copy(&made, "renewed.key", "own.key");
    tls_files_look(files);
    const tls_set *second = in_force(files);
    assert_ptr_not_equal(second, first);
    assert_int_equal(metrics_get(METRICS_tls_files_refused), 0);

    write_file("clients.pem", "-----BEGIN CERT", 15); // in place, and not whole
    tls_files_look(files);
    assert_ptr_equal(in_force(files), second);
    assert_int_equal(metrics_get(METRICS_tls_files_refused), 1);
    assert_int_equal(remove(certificates_find(&made, "clients.pem").text), 0);
    tls_files_look(files);
    assert_ptr_equal(in_force(files), second);
    assert_int_equal(metrics_get(METRICS_tls_files_refused), 1);
    certificates_copy(&made, "other-ca.pem", "clients.pem");
    tls_files_look(files);
    assert_ptr_not_equal(in_force(files), second);
    assert_int_equal(metrics_get(METRICS_tls_files_refused), 0);

    gnutls_session_t session; // the first set still serves
    assert_true(gnutls_init(&session, GNUTLS_SERVER) >= 0);
    assert_int_equal(tls_set_apply(first, session), LP_OK);
    gnutls_deinit(session);
    tls_set_unref(first);
    tls_files_close(files);
}

static void
test_sets_outlive_files(void **state)
{
    (void)state;
    tls_files *files;
    assert_int_equal(open_files("server.pem", "server.key", NULL, &files, NULL), LP_OK);
    tls_set *set = tls_files_take(files);
    tls_files_close(files);
    gnutls_session_t session;
    assert_true(gnutls_init(&session, GNUTLS_SERVER) >= 0);
    assert_int_equal(tls_set_apply(set, session), LP_OK);
    gnutls_deinit(session);
    tls_set_unref(set);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files_that_belong_together_are_taken),
        cmocka_unit_test(test_what_is_wrong_is_named),
        cmocka_unit_test(test_files_that_change_are_taken_when_they_fit),
        cmocka_unit_test(test_sets_outlive_files),
    };
    made = certificates_make();
    int result = cmocka_run_group_tests_name("tls_files", tests, NULL, NULL);
    temp_dir_remove(&made.dir);
    return result;
}
