// SPDX-License-Identifier: Apache-2.0
// Credentials: the choice among the environment's, the profiles of a file, and reading a changed
// file again. The web identity is in tests/e2e/object_store.py.

#include "support/failing_alloc.h"
#include "support/files.h"
#include "support/temp_dir.h"

#include "collector/store/s3/s3_credentials.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const variables[] = {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN", "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_ROLE_ARN", "AWS_ENDPOINT_URL_STS",
    "AWS_SHARED_CREDENTIALS_FILE", "AWS_PROFILE", "HOME"};

typedef struct fixture {
    temp_dir dir;
    char file[300];
    client_http *http;
    s3_credentials *credentials;
    s3_keys keys;
    lp_problem problem;
} fixture;

static int
setup(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->dir = temp_dir_make();
    (void)snprintf(f->file, sizeof(f->file), "%s/credentials", f->dir.path);
    f->http = client_http_create();
    assert_non_null(f->http);
    for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
        assert_int_equal(unsetenv(variables[i]), 0);
    }
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    fixture *f = *state;
    s3_credentials_destroy(f->credentials);
    client_http_destroy(f->http);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

static lp_err
create(fixture *f)
{
    return s3_credentials_create("us-east-1", &f->credentials, &f->problem);
}

static lp_err
get(fixture *f)
{
    return s3_credentials_get(
        f->credentials, f->http, client_http_now_ms() + 10000, &f->keys, &f->problem);
}

static void
use_file(const fixture *f, const char *text)
{
    files_write(f->file, text, strlen(text));
    assert_int_equal(setenv("AWS_SHARED_CREDENTIALS_FILE", f->file, 1), 0);
}

static void
test_nothing(void **state)
{
    fixture *f = *state;
    assert_int_equal(create(f), LP_ENOENT);
    assert_non_null(strstr(f->problem.text, "AWS_ACCESS_KEY_ID"));
    assert_int_equal(setenv("AWS_ACCESS_KEY_ID", "half", 1), 0);
    assert_int_equal(setenv("AWS_SECRET_ACCESS_KEY", "", 1), 0);
    assert_int_equal(create(f), LP_ENOENT);
}

static void
test_what_is_no_key(void **state)
{
    fixture *f = *state;
    use_file(f, "[default]\naws_access_key_id=file\naws_secret_access_key=file\n");
    static const char *const texts[] = {
        "key\n", "key\r\nx-other: 1", "a key", "k\xc3\xa4y", "\x7f"};
    static const char *const parts[] = {
        "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"};
    for (size_t part = 0; part < 3; part++) {
        for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
            for (size_t other = 0; other < 3; other++) {
                assert_int_equal(setenv(parts[other], other == part ? texts[i] : "right", 1), 0);
            }
            assert_int_equal(create(f), LP_ECORRUPT);
            assert_non_null(strstr(f->problem.text, "a newline"));
        }
    }
}

static void
test_the_environment(void **state)
{
    fixture *f = *state;
    use_file(f, "[default]\naws_access_key_id=file\naws_secret_access_key=file\n");
    assert_int_equal(setenv("AWS_ACCESS_KEY_ID", "id", 1), 0);
    assert_int_equal(setenv("AWS_SECRET_ACCESS_KEY", "secret/+=", 1), 0);
    assert_int_equal(setenv("AWS_SESSION_TOKEN", "token", 1), 0);
    assert_int_equal(create(f), LP_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(get(f), LP_OK);
        assert_string_equal(f->keys.key_id, "id");
        assert_string_equal(f->keys.secret, "secret/+=");
        assert_string_equal(f->keys.token, "token");
        s3_credentials_renew(f->credentials); // there are no others
    }
}

static void
test_profiles(void **state)
{
    fixture *f = *state;
    use_file(f,
        "# a comment\n[default]\r\naws_access_key_id = one\r\naws_secret_access_key=a=b\r\n\n"
        "[other]\n region = x\n aws_access_key_id=two \naws_secret_access_key = c\n"
        "; aws_secret_access_key = d\naws_session_token=t\n[others]\naws_session_token=no\n");
    assert_int_equal(create(f), LP_OK);
    assert_int_equal(get(f), LP_OK);
    assert_string_equal(f->keys.key_id, "one");
    assert_string_equal(f->keys.secret, "a=b");
    assert_string_equal(f->keys.token, "");
    s3_credentials_destroy(f->credentials);
    assert_int_equal(setenv("AWS_PROFILE", "other", 1), 0);
    assert_int_equal(create(f), LP_OK);
    assert_int_equal(get(f), LP_OK);
    assert_string_equal(f->keys.key_id, "two");
    assert_string_equal(f->keys.secret, "c");
    assert_string_equal(f->keys.token, "t");
}

static void
test_a_file_that_does_not_do(void **state)
{
    fixture *f = *state;
    static const char *const texts[] = {"", "[default]\n", "[default]\naws_access_key_id=x\n",
        "aws_access_key_id=x\naws_secret_access_key=y\n",
        "[defaults]\naws_access_key_id=x\naws_secret_access_key=y\n", "[default"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        use_file(f, texts[i]);
        assert_int_equal(create(f), LP_OK);
        assert_int_equal(get(f), LP_EIO);
        assert_int_equal(errno, EACCES);
        assert_non_null(strstr(f->problem.text, f->file));
        s3_credentials_destroy(f->credentials);
        f->credentials = NULL;
    }
    files_must(remove(f->file) == 0, f->file);
    assert_int_equal(create(f), LP_OK);
    assert_int_equal(get(f), LP_EIO);
    assert_int_equal(errno, ENOENT);
}

static void
test_a_file_that_changes(void **state)
{
    fixture *f = *state;
    use_file(f, "[default]\naws_access_key_id=old\naws_secret_access_key=a\n");
    assert_int_equal(create(f), LP_OK);
    assert_int_equal(get(f), LP_OK);
    use_file(f, "[default]\naws_access_key_id=new\naws_secret_access_key=b\n");
    assert_int_equal(get(f), LP_OK);
    assert_string_equal(f->keys.key_id, "old");
    s3_credentials_renew(f->credentials);
    assert_int_equal(get(f), LP_OK);
    assert_string_equal(f->keys.key_id, "new");
    assert_string_equal(f->keys.secret, "b");
}

static void
test_a_file_at_home(void **state)
{
    fixture *f = *state;
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/.aws", f->dir.path);
    files_must(mkdir(path, 0700) == 0, path);
    (void)snprintf(path, sizeof(path), "%s/.aws/credentials", f->dir.path);
    const char *text = "[default]\naws_access_key_id=home\naws_secret_access_key=a";
    files_write(path, text, strlen(text));
    assert_int_equal(setenv("HOME", f->dir.path, 1), 0);
    assert_int_equal(create(f), LP_OK);
    assert_int_equal(get(f), LP_OK);
    assert_string_equal(f->keys.key_id, "home");
}

// Keys of another source would be used, or a web identity without its role.
static void
test_every_allocation_failure_is_clean(void **state)
{
    fixture *f = *state;
    lp_err err = LP_ENOMEM;
    assert_int_equal(setenv("AWS_WEB_IDENTITY_TOKEN_FILE", f->file, 1), 0);
    assert_int_equal(setenv("AWS_ROLE_ARN", "arn:aws:iam::1:role/loupe", 1), 0);
    assert_int_equal(setenv("AWS_ENDPOINT_URL_STS", "http://127.0.0.1:1/", 1), 0);
    assert_int_equal(setenv("HOME", f->dir.path, 1), 0);
    for (size_t nth = 1; err == LP_ENOMEM && nth < 100; nth++) {
        allocations_left = nth;
        err = create(f);
        bool has_failed = allocations_left == 0;
        allocations_left = 0;
        assert_int_equal(err, has_failed ? LP_ENOMEM : LP_OK);
    }
    assert_int_equal(err, LP_OK);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(test_what_is_no_key, setup, teardown),
        cmocka_unit_test_setup_teardown(test_the_environment, setup, teardown),
        cmocka_unit_test_setup_teardown(test_profiles, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_file_that_does_not_do, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_file_that_changes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_file_at_home, setup, teardown),
        cmocka_unit_test_setup_teardown(test_every_allocation_failure_is_clean, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
