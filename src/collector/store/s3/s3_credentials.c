// SPDX-License-Identifier: Apache-2.0
#include "collector/store/s3/s3_credentials.h"

#include "collector/store/s3/s3_sign.h"
#include "collector/store/s3/s3_xml.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_io.h"
#include "common/base/lp_time.h"
#include "common/base/lp_trim.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SECOND_NS = 1000 * 1000 * 1000 };

struct s3_credentials {
    char *file;       // of shared credentials; NULL: not used
    char *profile;    // in the file
    char *token_file; // of a web identity; NULL: not used
    char *role;
    char *sts;             // URL
    pthread_mutex_t mutex; // of the fields below
    s3_keys keys;
    bool has_keys;
    int64_t end_wall_ns; // INT64_MAX: they do not expire
};

// get_variable returns a variable of the environment; NULL if it is missing or empty.
static const char *
get_variable(const char *name)
{
    const char *value = getenv(name);
    return value == NULL || value[0] == '\0' ? NULL : value;
}

// copy copies a part of keys; NULL becomes "". False: it is too long, or has characters that no key
// has, such as a newline, which would end a header.
static bool
copy(char *out, size_t size, const char *text)
{
    text = text == NULL ? "" : text;
    for (const char *c = text; *c != '\0'; c++) {
        LP_REQUIRE(*c > ' ' && *c <= '~', false);
    }
    return (size_t)snprintf(out, size, "%s", text) < size;
}

// --- Where they come from

static lp_err
take_environment(s3_credentials *self, lp_problem *out_problem)
{
    const char *key_id = get_variable("AWS_ACCESS_KEY_ID");
    const char *secret = get_variable("AWS_SECRET_ACCESS_KEY");
    LP_REQUIRE(key_id != NULL && secret != NULL, LP_ENOENT);
    self->has_keys =
        copy(self->keys.key_id, sizeof(self->keys.key_id), key_id) &&
        copy(self->keys.secret, sizeof(self->keys.secret), secret) &&
        copy(self->keys.token, sizeof(self->keys.token), get_variable("AWS_SESSION_TOKEN"));
    self->end_wall_ns = INT64_MAX;
    return self->has_keys ? LP_OK
                          : lp_problem_set(out_problem, LP_ECORRUPT,
                                "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY or AWS_SESSION_TOKEN is "
                                "too long, or has a character that no key has, such as a newline");
}

// Errors: LP_ENOENT the environment has none; LP_ENOMEM
static lp_err
choose_web_identity(s3_credentials *self, const char *region)
{
    const char *token_file = get_variable("AWS_WEB_IDENTITY_TOKEN_FILE");
    const char *role = get_variable("AWS_ROLE_ARN");
    const char *sts = get_variable("AWS_ENDPOINT_URL_STS");
    LP_REQUIRE(token_file != NULL && role != NULL, LP_ENOENT);
    self->token_file = strdup(token_file);
    self->role = strdup(role);
    if (sts != NULL) {
        self->sts = strdup(sts);
    } else if (asprintf(&self->sts, "https://sts.%s.amazonaws.com/", region) < 0) {
        self->sts = NULL;
    }
    bool has_memory = self->token_file != NULL && self->role != NULL && self->sts != NULL;
    return has_memory ? LP_OK : LP_ENOMEM;
}

// Errors: LP_ENOENT as above; LP_ENOMEM
static lp_err
choose_file(s3_credentials *self)
{
    const char *file = get_variable("AWS_SHARED_CREDENTIALS_FILE");
    const char *home = get_variable("HOME");
    const char *profile = get_variable("AWS_PROFILE");
    LP_REQUIRE(file != NULL || home != NULL, LP_ENOENT);
    if (file != NULL) {
        self->file = strdup(file);
    } else if (asprintf(&self->file, "%s/.aws/credentials", home) < 0) {
        self->file = NULL;
    }
    self->profile = strdup(profile == NULL ? "default" : profile);
    return self->file != NULL && self->profile != NULL ? LP_OK : LP_ENOMEM;
}

lp_err
s3_credentials_create(const char *region, s3_credentials **out_credentials, lp_problem *out_problem)
{
    s3_credentials *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, lp_problem_set(out_problem, LP_ENOMEM, "out of memory"));
    (void)pthread_mutex_init(&self->mutex, NULL);
    lp_err err = take_environment(self, out_problem);
    err = err == LP_ENOENT ? choose_web_identity(self, region) : err;
    err = err == LP_ENOENT ? choose_file(self) : err;
    if (err == LP_OK) {
        *out_credentials = self;
        return LP_OK;
    }
    s3_credentials_destroy(self);
    LP_REQUIRE(err != LP_ENOMEM, lp_problem_set(out_problem, err, "out of memory"));
    return err != LP_ENOENT ? err
                            : lp_problem_set(out_problem, err,
                                  "no credentials: set AWS_ACCESS_KEY_ID and "
                                  "AWS_SECRET_ACCESS_KEY, or AWS_SHARED_CREDENTIALS_FILE, or "
                                  "AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN");
}

void
s3_credentials_destroy(s3_credentials *self)
{
    if (self == NULL) {
        return;
    }
    (void)pthread_mutex_destroy(&self->mutex);
    free(self->file);
    free(self->profile);
    free(self->token_file);
    free(self->role);
    free(self->sts);
    explicit_bzero(&self->keys, sizeof(self->keys));
    free(self);
}

// The caller holds the mutex.
static void
credentials_check(const s3_credentials *self)
{
    LP_ASSERT(self->has_keys || self->file != NULL || self->token_file != NULL);
    LP_ASSERT(self->file == NULL || self->profile != NULL);
    LP_ASSERT(self->token_file == NULL || (self->role != NULL && self->sts != NULL));
}

// --- Files

// read_text appends a file and a terminating zero. Errors: LP_EIO with errno, LP_ENOMEM
static lp_err
read_text(const char *path, lp_buf *out_text, lp_problem *out_problem)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    lp_err err = fd < 0 ? LP_EIO : LP_OK;
    ssize_t count = 1;
    while (err == LP_OK && count > 0) {
        uint8_t bytes[4096];
        count = lp_io_read(fd, bytes, sizeof(bytes));
        err = count < 0 ? LP_EIO : LP_OK;
        lp_buf_append(out_text, bytes, count < 0 ? 0 : (size_t)count);
        if (err == LP_OK && out_text->len > S3_CREDENTIALS_FILE_BYTES_MAX) {
            errno = EFBIG;
            err = LP_EIO;
        }
    }
    int error = errno == EIO ? EREMOTEIO : errno;
    lp_io_close(fd);
    lp_buf_append(out_text, "", 1);
    errno = error;
    LP_THEN(err, lp_buf_check(out_text));
    return err == LP_OK ? LP_OK
                        : lp_problem_set(out_problem, err, "%s: %s", path, lp_err_reason(err));
}

static bool
is_section(const char *line, const char *profile)
{
    size_t length = strlen(profile);
    return strncmp(line + 1, profile, length) == 0 && strcmp(line + 1 + length, "]") == 0;
}

static bool
take_setting(char *line, s3_keys *keys)
{
    char *equals = strchr(line, '=');
    if (equals == NULL) {
        return true;
    }
    *equals = '\0';
    const char *name = lp_trim(line);
    const char *value = lp_trim(equals + 1);
    if (strcmp(name, "aws_access_key_id") == 0) {
        return copy(keys->key_id, sizeof(keys->key_id), value);
    }
    if (strcmp(name, "aws_secret_access_key") == 0) {
        return copy(keys->secret, sizeof(keys->secret), value);
    }
    return strcmp(name, "aws_session_token") != 0 || copy(keys->token, sizeof(keys->token), value);
}

// parse_profile finds the keys of a profile in the text of a file. False: it has none.
static bool
parse_profile(char *text, const char *profile, s3_keys *out_keys)
{
    bool is_in = false;
    bool is_good = true;
    char *rest = text;
    for (char *line; (line = strsep(&rest, "\n")) != NULL && is_good;) {
        line = lp_trim(line);
        if (line[0] == '[') {
            is_in = is_section(line, profile);
        } else if (is_in && line[0] != '#' && line[0] != ';') {
            is_good = take_setting(line, out_keys);
        }
    }
    return is_good && out_keys->key_id[0] != '\0' && out_keys->secret[0] != '\0';
}

static lp_err
read_file(s3_credentials *self, lp_problem *out_problem)
{
    credentials_check(self);
    lp_buf text = {0};
    lp_err err = read_text(self->file, &text, out_problem);
    self->keys = (s3_keys){.key_id = ""};
    self->end_wall_ns = INT64_MAX;
    if (err == LP_OK && !parse_profile((char *)text.ptr, self->profile, &self->keys)) {
        err = lp_problem_set(out_problem, LP_EIO,
            "%s: the profile %s has no aws_access_key_id and aws_secret_access_key", self->file,
            self->profile);
        errno = EACCES;
    }
    lp_buf_fini(&text);
    return err;
}

// --- STS

static void
append_parameter(lp_buf *to, const char *name, const char *value)
{
    lp_buf_append(to, name, strlen(name));
    s3_sign_encode(value, false, to);
}

static bool
take_answer(s3_credentials *self, lp_slice xml)
{
    char end[40] = "";
    struct tm parts = {0};
    s3_keys *keys = &self->keys;
    const s3_xml_field fields[] = {
        {"AccessKeyId", keys->key_id, sizeof(keys->key_id)},
        {"SecretAccessKey", keys->secret, sizeof(keys->secret)},
        {"SessionToken", keys->token, sizeof(keys->token)},
        {"Expiration", end, sizeof(end)},
    };
    if (s3_xml_find(xml, fields, sizeof(fields) / sizeof(fields[0])) != LP_OK ||
        keys->key_id[0] == '\0' || keys->secret[0] == '\0' ||
        strptime(end, "%Y-%m-%dT%H:%M:%S", &parts) == NULL) {
        return false;
    }
    self->end_wall_ns = ((int64_t)timegm(&parts) - S3_CREDENTIALS_EARLY_S) * SECOND_NS;
    return true;
}

static lp_err
send_identity(s3_credentials *self, client_http *http, uint64_t deadline_mono_ms, lp_slice body,
    lp_problem *out_problem)
{
    credentials_check(self);
    static const client_http_pair headers[] = {
        {"Content-Type", "application/x-www-form-urlencoded"}};
    const client_http_request request = {.method = "POST",
        .url = self->sts,
        .headers = headers,
        .header_count = 1,
        .body = body,
        .to_fd = -1,
        .deadline_mono_ms = deadline_mono_ms};
    client_http_answer answer;
    lp_problem problem;
    lp_err err = client_http_ask(http, &request, &answer, &problem);
    int error = errno;
    if (err != LP_OK) {
        (void)lp_problem_set(out_problem, err, "%s: %s", self->sts, problem.text);
    } else if (answer.status != 200 || !take_answer(self, lp_buf_slice(&answer.body))) {
        char code[100] = "an answer without keys";
        const s3_xml_field field = {"Code", code, sizeof(code)};
        (void)!s3_xml_find(lp_buf_slice(&answer.body), &field, 1); // if it has one
        err = lp_problem_set(out_problem, LP_EIO, "%s does not give credentials: %u %s", self->sts,
            answer.status, code);
        error = answer.status >= 500 ? EREMOTEIO : EACCES;
    }
    lp_buf_fini(&answer.body);
    errno = error;
    return err;
}

static lp_err
ask_sts(s3_credentials *self, client_http *http, uint64_t deadline_mono_ms, lp_problem *out_problem)
{
    credentials_check(self);
    LP_ASSERT(http != NULL && self->token_file != NULL);
    lp_buf token = {0};
    lp_buf body = {0};
    self->keys = (s3_keys){.key_id = ""};
    lp_err err = read_text(self->token_file, &token, out_problem);
    if (err == LP_OK) {
        append_parameter(
            &body, "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=", self->role);
        append_parameter(&body, "&RoleSessionName=", "loupe");
        char *text = (char *)token.ptr;
        text[strcspn(text, "\r\n")] = '\0';
        append_parameter(&body, "&WebIdentityToken=", text);
        err = lp_buf_check(&body);
        err = err == LP_OK
                  ? send_identity(self, http, deadline_mono_ms, lp_buf_slice(&body), out_problem)
                  : lp_problem_set(out_problem, err, "out of memory");
    }
    lp_buf_fini(&token);
    lp_buf_fini(&body);
    return err;
}

lp_err
s3_credentials_get(s3_credentials *self, client_http *http, uint64_t deadline_mono_ms,
    s3_keys *out_keys, lp_problem *out_problem)
{
    lp_err err = LP_OK;
    (void)pthread_mutex_lock(&self->mutex);
    credentials_check(self);
    if (!self->has_keys || lp_time_now() >= self->end_wall_ns) {
        err = self->token_file != NULL ? ask_sts(self, http, deadline_mono_ms, out_problem)
                                       : read_file(self, out_problem);
        self->has_keys = err == LP_OK;
    }
    if (err == LP_OK) {
        *out_keys = self->keys;
    }
    (void)pthread_mutex_unlock(&self->mutex);
    return err;
}

void
s3_credentials_renew(s3_credentials *self)
{
    (void)pthread_mutex_lock(&self->mutex);
    // The environment's keys cannot be renewed.
    self->has_keys = self->file == NULL && self->token_file == NULL;
    credentials_check(self);
    (void)pthread_mutex_unlock(&self->mutex);
}
