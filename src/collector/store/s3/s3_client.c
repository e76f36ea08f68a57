// SPDX-License-Identifier: Apache-2.0
#include "collector/store/s3/s3_client.h"

#include "collector/client/client_http.h"
#include "collector/store/chunk_store.h"
#include "collector/store/s3/s3_credentials.h"
#include "collector/store/s3/s3_sign.h"
#include "collector/store/s3/s3_xml.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    CODE_BYTES = 64, // of an error's name
    RANGE_BYTES = 64,
};

typedef enum rest_kind {
    REST_ALL,    // all: the store does not answer
    REST_PUT,    // PUTs: the store rejects them
    REST_REMOVE, // DELETEs and LISTs
    REST_COUNT,
    REST_NONE = REST_COUNT,
} rest_kind;

typedef struct rest {
    uint64_t ms; // of the last rest; 0: no failure
    uint64_t until_mono_ms;
    int error;
} rest;

struct s3_client {
    s3_client_config config;
    client_http *http;
    s3_credentials *credentials;
    pthread_mutex_t mutex; // of the fields below
    rest rests[REST_COUNT];
};

typedef struct call {
    s3_count kind;
    const char *method;
    const char *key; // with the prefix; "": the bucket
    const client_http_pair *query;
    size_t query_count;
    lp_slice body;
    bool is_new; // PUT: only if the key is unused
    int to_fd;
    uint64_t range_offset;
    uint64_t range_bytes;    // from range_offset on; 0: the whole object
    uint64_t received_bytes; // of these, in to_fd before a try
    uint64_t deadline_mono_ms;
    bool has_renewed; // the credentials
    client_http_answer answer;
} call;

lp_err
s3_client_create(const s3_client_config *config, s3_client **out_client, lp_problem *out_problem)
{
    s3_client *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, lp_problem_set(out_problem, LP_ENOMEM, "out of memory"));
    self->config = *config;
    (void)pthread_mutex_init(&self->mutex, NULL);
    self->http = client_http_create();
    lp_err err = self->http == NULL ? lp_problem_set(out_problem, LP_ENOMEM, "out of memory")
                                    : s3_credentials_create(
                                          self->config.url.region, &self->credentials, out_problem);
    if (err != LP_OK) {
        s3_client_destroy(self);
        return err;
    }
    *out_client = self;
    return LP_OK;
}

void
s3_client_destroy(s3_client *self)
{
    if (self != NULL) {
        s3_credentials_destroy(self->credentials);
        client_http_destroy(self->http);
        (void)pthread_mutex_destroy(&self->mutex);
        free(self);
    }
}

static void
client_check(const s3_client *self)
{
    LP_ASSERT(self->http != NULL && self->credentials != NULL && self->config.on_count != NULL);
    LP_ASSERT(self->config.url.bucket[0] != '\0' && self->config.url.origin[0] != '\0');
}

const s3_url *
s3_client_get_url(const s3_client *self)
{
    client_check(self);
    return &self->config.url;
}

void
s3_client_interrupt(s3_client *self, uint64_t end_ms)
{
    client_check(self);
    client_http_interrupt(self->http, end_ms);
}

// --- Rest

// kind_of returns the calls that rest after the store rejects such a call.
static rest_kind
kind_of(s3_count call_kind)
{
    bool is_removal = call_kind == S3_COUNT_DELETE || call_kind == S3_COUNT_LIST;
    return call_kind == S3_COUNT_PUT ? REST_PUT : is_removal ? REST_REMOVE : REST_NONE;
}

// check_rest returns LP_EIO with errno while the store rests from such a call.
static lp_err
check_rest(s3_client *self, rest_kind kind)
{
    uint64_t now_ms = client_http_now_ms();
    int error = 0;
    (void)pthread_mutex_lock(&self->mutex);
    for (rest_kind i = 0; i < REST_COUNT; i++) {
        const rest *r = &self->rests[i];
        if ((i == REST_ALL || i == kind) && r->ms != 0 && now_ms < r->until_mono_ms) {
            error = r->error;
        }
    }
    (void)pthread_mutex_unlock(&self->mutex);
    if (error != 0) {
        errno = error;
    }
    return error != 0 ? LP_EIO : LP_OK;
}

lp_err
s3_client_check(s3_client *self)
{
    client_check(self);
    return check_rest(self, REST_PUT);
}

// end_rest forgets that something failed, as it is done again.
static void
end_rest(s3_client *self, rest_kind kind)
{
    if (kind == REST_NONE) {
        return;
    }
    (void)pthread_mutex_lock(&self->mutex);
    bool has_rested = self->rests[kind].ms != 0;
    self->rests[kind].ms = 0;
    (void)pthread_mutex_unlock(&self->mutex);
    if (has_rested) {
        lp_log(LP_LOG_INFO, "%s %s", self->config.url.name,
            kind == REST_ALL   ? "answers again"
            : kind == REST_PUT ? "takes objects again"
                               : "deletes objects again");
    }
}

static void
begin_rest(s3_client *self, rest_kind kind, int error, const char *why)
{
    if (kind == REST_NONE) {
        return;
    }
    (void)pthread_mutex_lock(&self->mutex);
    rest *r = &self->rests[kind];
    LP_ASSERT(kind < REST_COUNT && r->ms <= S3_CLIENT_REST_MS_MAX);
    bool is_first = r->ms == 0;
    uint64_t longer = is_first ? S3_CLIENT_REST_MS_MIN : 2 * r->ms;
    r->ms = longer < S3_CLIENT_REST_MS_MAX ? longer : S3_CLIENT_REST_MS_MAX;
    r->until_mono_ms = client_http_now_ms() + r->ms;
    r->error = error;
    (void)pthread_mutex_unlock(&self->mutex);
    if (is_first) {
        lp_log(LP_LOG_ERROR, "%s: %s; trying again until it %s", self->config.url.name, why,
            kind == REST_ALL ? "answers" : "does");
    }
}

// --- One try

static void
call_check(const call *c)
{
    LP_ASSERT(c->method != NULL && c->key != NULL && c->to_fd >= -1);
    LP_ASSERT(c->kind <= S3_COUNT_LIST && (!c->is_new || c->kind == S3_COUNT_PUT));
    LP_ASSERT(c->query_count == 0 || c->query != NULL);
}

static void
append_text(lp_buf *to, const char *text)
{
    lp_buf_append(to, text, strlen(text));
}

typedef struct request_texts {
    char date[S3_SIGN_DATE_BYTES];
    char hash[S3_SIGN_HASH_BYTES];
    char range[RANGE_BYTES];
    s3_keys keys;
    lp_buf path;
    lp_buf url;
    lp_buf authorization;
} request_texts;

static lp_err
make_url(const s3_client *self, const call *c, request_texts *texts)
{
    client_check(self);
    const s3_url *url = &self->config.url;
    append_text(&texts->path, url->path);
    append_text(&texts->path, "/");
    s3_sign_encode(c->key, true, &texts->path);
    lp_buf_append(&texts->path, "", 1);
    LP_TRY(lp_buf_check(&texts->path));
    append_text(&texts->url, url->origin);
    append_text(&texts->url, (const char *)texts->path.ptr);
    append_text(&texts->url, c->query_count > 0 ? "?" : "");
    s3_sign_query(c->query, c->query_count, &texts->url);
    lp_buf_append(&texts->url, "", 1);
    return lp_buf_check(&texts->url);
}

static bool
has_range(const call *c)
{
    return c->received_bytes > 0 || c->range_bytes > 0;
}

static void
format_range(const call *c, char out_text[RANGE_BYTES])
{
    uint64_t first = c->range_offset + c->received_bytes;
    if (c->range_bytes > 0) {
        (void)snprintf(out_text, RANGE_BYTES, "bytes=%" PRIu64 "-%" PRIu64, first,
            c->range_offset + c->range_bytes - 1);
    } else {
        (void)snprintf(out_text, RANGE_BYTES, "bytes=%" PRIu64 "-", first);
    }
}

static lp_err
sign_and_ask(s3_client *self, call *c, request_texts *texts, lp_problem *out_problem)
{
    call_check(c);
    enum { HEADERS_MAX = 6 }; // a PUT has no range
    client_http_pair headers[HEADERS_MAX] = {
        {"host", s3_url_get_host(&self->config.url)},
        {"x-amz-content-sha256", texts->hash},
        {"x-amz-date", texts->date},
    };
    size_t count = 3;
    if (texts->keys.token[0] != '\0') {
        headers[count++] = (client_http_pair){"x-amz-security-token", texts->keys.token};
    }
    if (c->is_new) {
        headers[count++] = (client_http_pair){"if-none-match", "*"};
    }
    if (has_range(c)) {
        format_range(c, texts->range);
        headers[count++] = (client_http_pair){"range", texts->range};
    }
    const s3_sign_request signed_request = {.method = c->method,
        .path = (const char *)texts->path.ptr,
        .query = c->query,
        .query_count = c->query_count,
        .headers = headers,
        .header_count = count,
        .body_hash = texts->hash};
    const s3_sign_scope scope = {.key_id = texts->keys.key_id,
        .secret = texts->keys.secret,
        .region = self->config.url.region,
        .service = "s3",
        .date = texts->date};
    lp_err err = s3_sign(&signed_request, &scope, &texts->authorization);
    LP_REQUIRE(err == LP_OK, lp_problem_set(out_problem, err, "out of memory"));
    LP_ASSERT(count < HEADERS_MAX);
    headers[count++] = (client_http_pair){"authorization", (const char *)texts->authorization.ptr};
    const client_http_request request = {.method = c->method,
        .url = (const char *)texts->url.ptr,
        .headers = headers,
        .header_count = count,
        .body = c->body,
        .to_fd = c->to_fd,
        .deadline_mono_ms = c->deadline_mono_ms};
    return client_http_ask(self->http, &request, &c->answer, out_problem);
}

// begin_try clears the previous answer. A GET resumes at the end of its file, which holds only
// bytes of the object, and no text of an error.
static void
begin_try(call *c)
{
    off_t end = c->to_fd < 0 ? 0 : lseek(c->to_fd, 0, SEEK_END);
    c->received_bytes = end < 0 ? 0 : (uint64_t)end; // seeking in a file cannot fail
    c->answer = (client_http_answer){0};
}

static lp_err
try_once(s3_client *self, call *c, lp_problem *out_problem)
{
    client_check(self);
    begin_try(c);
    request_texts texts = {.date = ""};
    lp_err err = s3_credentials_get(
        self->credentials, self->http, c->deadline_mono_ms, &texts.keys, out_problem);
    if (err == LP_OK) {
        s3_sign_date(lp_time_now(), texts.date);
        s3_sign_hash(c->body, texts.hash);
        err = make_url(self, c, &texts);
        err = err == LP_OK ? sign_and_ask(self, c, &texts, out_problem)
                           : lp_problem_set(out_problem, err, "out of memory");
        self->config.on_count(c->kind, 1);
        self->config.on_count(S3_COUNT_SENT_BYTES, err == LP_OK ? c->body.len : 0);
        self->config.on_count(S3_COUNT_RECEIVED_BYTES, c->answer.received_bytes);
    }
    explicit_bzero(&texts.keys, sizeof(texts.keys));
    lp_buf_fini(&texts.path);
    lp_buf_fini(&texts.url);
    lp_buf_fini(&texts.authorization);
    return err;
}

// --- Tries

typedef enum verdict {
    VERDICT_DONE,
    VERDICT_MISSING,
    VERDICT_EXISTS, // the key of a new object is used
    VERDICT_RENEW,  // renewed keys may help
    VERDICT_AGAIN,
    VERDICT_REFUSED,
} verdict;

// has_refused_keys returns whether the store rejected the keys or their rights.
static bool
has_refused_keys(unsigned status, const char *code)
{
    return status == 401 || status == 403 || strcmp(code, "ExpiredToken") == 0 ||
           strcmp(code, "InvalidToken") == 0;
}

static verdict
judge(const call *c, char code[CODE_BYTES])
{
    call_check(c);
    unsigned status = c->answer.status;
    const s3_xml_field field = {"Code", code, CODE_BYTES};
    code[0] = '\0';
    if (status / 100 != 2) {
        (void)!s3_xml_find(lp_buf_slice(&c->answer.body), &field, 1); // if it has one
    }
    if (status == (has_range(c) ? 206 : 200) || (c->kind == S3_COUNT_DELETE && status == 204)) {
        bool is_stores = c->kind != S3_COUNT_PUT || c->answer.has_etag;
        return is_stores ? VERDICT_DONE : VERDICT_AGAIN;
    }
    if (status == 404 && strcmp(code, "NoSuchKey") == 0) {
        return c->kind == S3_COUNT_DELETE ? VERDICT_DONE : VERDICT_MISSING;
    }
    if (status == 416 && c->range_bytes > 0) {
        return VERDICT_MISSING;
    }
    if (status == 412 && c->is_new) {
        return VERDICT_EXISTS;
    }
    if (has_refused_keys(status, code) && !c->has_renewed) {
        return VERDICT_RENEW;
    }
    // 409: another PUT of the same object is running.
    return (status == 409 && c->is_new) || status == 408 || status == 429 || status >= 500
               ? VERDICT_AGAIN
               : VERDICT_REFUSED;
}

// is_ours returns whether an errno is this machine's, not the store's or the network's.
static bool
is_ours(int error)
{
    return error == ECANCELED || error == ENOSPC || error == EDQUOT || error == EIO ||
           error == EFBIG;
}

// ask_once tries a call once and judges the answer. Sets errno unless the verdict is VERDICT_DONE.
static lp_err
ask_once(s3_client *self, call *c, verdict *out_verdict, lp_problem *out_problem)
{
    call_check(c);
    client_check(self);
    lp_err err = try_once(self, c, out_problem);
    if (err != LP_OK) {
        *out_verdict = is_ours(errno) ? VERDICT_REFUSED : VERDICT_AGAIN;
        return err;
    }
    char code[CODE_BYTES];
    *out_verdict = judge(c, code);
    if (*out_verdict == VERDICT_DONE || *out_verdict == VERDICT_MISSING) {
        return *out_verdict == VERDICT_DONE ? LP_OK : LP_ENOENT;
    }
    unsigned status = c->answer.status;
    (void)lp_problem_set(out_problem, LP_EIO, "%s %s: %u %s", c->method, c->key, status,
        status / 100 == 2 ? "without an ETag: not the answer of an object store" : code);
    errno = *out_verdict == VERDICT_EXISTS   ? EEXIST
            : has_refused_keys(status, code) ? EACCES
                                             : EREMOTEIO;
    return LP_EIO;
}

// wait_before waits before try 1 + number, twice as long each time, with jitter.
static void
wait_before(s3_client *self, unsigned number)
{
    uint64_t ms = (uint64_t)S3_CLIENT_WAIT_MS << number;
    client_http_wait(self->http, ms / 2 + (uint64_t)lp_time_now() / 1000 % (ms / 2));
}

// is_answered returns whether the store answered the call for good.
static bool
is_answered(verdict what)
{
    return what == VERDICT_DONE || what == VERDICT_MISSING || what == VERDICT_EXISTS;
}

// note_end begins a rest after a failed call, or ends the rest.
static void
note_end(s3_client *self, const call *c, lp_err err, verdict what, const char *why)
{
    client_check(self);
    int error = errno;
    bool is_done = is_answered(what);
    bool is_refused = what == VERDICT_REFUSED || what == VERDICT_RENEW;
    if (is_done || (is_refused && !is_ours(error))) {
        end_rest(self, REST_ALL); // it answers
    }
    if (is_done) {
        end_rest(self, kind_of(c->kind));
    } else if (err == LP_EIO && !is_ours(error)) {
        begin_rest(self, is_refused ? kind_of(c->kind) : REST_ALL, error, why);
    }
    errno = error;
}

// run tries a call until it succeeds or another try cannot help. The caller frees c->answer.body.
static lp_err
run(s3_client *self, call *c)
{
    call_check(c);
    client_check(self);
    verdict what = VERDICT_REFUSED;
    lp_problem problem = {.text = ""};
    lp_err err = check_rest(self, kind_of(c->kind));
    LP_REQUIRE(err == LP_OK, err);
    c->deadline_mono_ms = client_http_now_ms() + CHUNK_STORE_CALL_MS_MAX +
                          (uint64_t)c->body.len / CHUNK_STORE_BYTES_PER_MS;
    for (unsigned number = 0;;) {
        err = ask_once(self, c, &what, &problem);
        if (is_answered(what) || err == LP_ENOMEM) {
            break;
        }
        int error = errno;
        self->config.on_count(S3_COUNT_FAILED, 1);
        bool is_renewed = what == VERDICT_RENEW;
        if ((!is_renewed && what != VERDICT_AGAIN) || ++number == S3_CLIENT_TRIES ||
            client_http_is_interrupted(self->http) || client_http_now_ms() >= c->deadline_mono_ms) {
            errno = error;
            break;
        }
        if (is_renewed) {
            c->has_renewed = true;
            s3_credentials_renew(self->credentials);
        } else {
            wait_before(self, number);
        }
        lp_buf_fini(&c->answer.body);
    }
    note_end(self, c, err, what, problem.text);
    return err;
}

// with_prefix returns a key with the URL's prefix, which the caller frees; NULL if memory ran out.
static char *
with_prefix(const s3_client *self, const char *key)
{
    char *whole = NULL;
    return asprintf(&whole, "%s%s", self->config.url.prefix, key) < 0 ? NULL : whole;
}

static lp_err
run_key(s3_client *self, const char *key, call c)
{
    char *whole = with_prefix(self, key);
    c.key = whole;
    lp_err err = whole == NULL ? LP_ENOMEM : run(self, &c);
    lp_buf_fini(&c.answer.body);
    free(whole);
    return err;
}

// --- Calls

lp_err
s3_client_put(s3_client *self, const char *key, lp_slice bytes)
{
    return run_key(
        self, key, (call){.kind = S3_COUNT_PUT, .method = "PUT", .body = bytes, .to_fd = -1});
}

lp_err
s3_client_put_new(s3_client *self, const char *key, lp_slice bytes)
{
    return run_key(self, key,
        (call){.kind = S3_COUNT_PUT, .method = "PUT", .body = bytes, .is_new = true, .to_fd = -1});
}

lp_err
s3_client_get_range(
    s3_client *self, const char *key, uint64_t offset, uint64_t size_bytes, int to_fd)
{
    return run_key(self, key,
        (call){.kind = S3_COUNT_GET,
            .method = "GET",
            .to_fd = to_fd,
            .range_offset = offset,
            .range_bytes = size_bytes});
}

lp_err
s3_client_get(s3_client *self, const char *key, int to_fd)
{
    return run_key(self, key, (call){.kind = S3_COUNT_GET, .method = "GET", .to_fd = to_fd});
}

lp_err
s3_client_delete(s3_client *self, const char *key)
{
    return run_key(self, key, (call){.kind = S3_COUNT_DELETE, .method = "DELETE", .to_fd = -1});
}

typedef struct page {
    const char *begin;   // of the listed keys
    size_t prefix_chars; // not passed to on_key
    lp_err (*on_key)(void *arg, const char *key);
    void *arg;
    lp_err err;
    char next[S3_XML_TEXT_BYTES]; // token of the next page; "": this is the last
} page;

static void
on_text(void *arg, const char *name, const char *text)
{
    page *p = arg;
    bool is_asked_for = strncmp(text, p->begin, strlen(p->begin)) == 0;
    if (strcmp(name, "Key") == 0 && p->err == LP_OK && is_asked_for) {
        p->err = p->on_key(p->arg, text + p->prefix_chars);
    } else if (strcmp(name, "NextContinuationToken") == 0) {
        (void)snprintf(p->next, sizeof(p->next), "%s", text);
    }
}

static lp_err
read_page(s3_client *self, const char *begin, page *p)
{
    const client_http_pair query[] = {
        {"list-type", "2"}, {"prefix", begin}, {"continuation-token", p->next}};
    call c = {.kind = S3_COUNT_LIST,
        .method = "GET",
        .key = "",
        .query = query,
        .query_count = p->next[0] == '\0' ? 2 : 3,
        .to_fd = -1};
    lp_err err = run(self, &c);
    int error = errno;
    if (err == LP_OK) {
        page next = *p;
        next.next[0] = '\0';
        err = s3_xml_read(lp_buf_slice(&c.answer.body), on_text, &next);
        error = err == LP_ECORRUPT ? EREMOTEIO : error;
        err = err == LP_ECORRUPT ? LP_EIO : err == LP_OK ? next.err : err;
        if (err == LP_OK && p->next[0] != '\0' && strcmp(p->next, next.next) == 0) {
            err = LP_EIO; // the same page, for ever
            error = EREMOTEIO;
        }
        memcpy(p->next, next.next, sizeof(p->next));
    }
    lp_buf_fini(&c.answer.body);
    errno = error;
    return err;
}

lp_err
s3_client_list(
    s3_client *self, const char *begin, lp_err (*on_key)(void *arg, const char *key), void *arg)
{
    client_check(self);
    char *whole = with_prefix(self, begin);
    LP_REQUIRE(whole != NULL, LP_ENOMEM);
    page p = {.begin = whole,
        .prefix_chars = strlen(self->config.url.prefix),
        .on_key = on_key,
        .arg = arg};
    lp_err err;
    do {
        err = read_page(self, whole, &p);
    } while (err == LP_OK && p.next[0] != '\0');
    free(whole);
    return err;
}
