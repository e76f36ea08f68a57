// SPDX-License-Identifier: Apache-2.0
#include "collector/client/client_http.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_end.h"
#include "common/base/lp_io.h"
#include "common/base/lp_time.h"
#include "common/base/lp_time_scale.h"

#include <curl/curl.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MS = 1000 * 1000 }; // in nanoseconds

static atomic_uint_fast64_t running; // exchanges: an independent number

struct client_http {
    pthread_mutex_t mutex; // of the fields below
    pthread_cond_t interrupted;
    CURL *idle[CLIENT_HTTP_IDLE_MAX];
    size_t idle_count;
    int64_t end_mono_ms; // of all exchanges; LP_END_NEVER: not interrupted
};

typedef struct exchange {
    client_http *http;
    const client_http_request *request;
    client_http_answer *answer;
    CURL *curl;
    size_t sent;
    int error; // of writing to to_fd
    struct curl_slist *headers;
    char reason[CURL_ERROR_SIZE];
} exchange;

static void
begin_curl(void)
{
    (void)curl_global_init(CURL_GLOBAL_DEFAULT); // if it fails, so does each handle
}

uint64_t
client_http_now_ms(void)
{
    return (uint64_t)lp_time_mono_ms();
}

lp_err
client_http_check_url(const char *url, lp_problem *out_problem)
{
    CURLU *parsed = curl_url();
    LP_REQUIRE(parsed != NULL, lp_problem_set(out_problem, LP_ENOMEM, "out of memory"));
    CURLUcode code = curl_url_set(parsed, CURLUPART_URL, url, 0);
    curl_url_cleanup(parsed);
    return code == CURLUE_OK ? LP_OK
           : code == CURLUE_OUT_OF_MEMORY
               ? lp_problem_set(out_problem, LP_ENOMEM, "out of memory")
               : lp_problem_set(out_problem, LP_ECORRUPT, "%s", curl_url_strerror(code));
}

client_http *
client_http_create(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, begin_curl);
    client_http *self = calloc(1, sizeof(*self));
    if (self != NULL) {
        self->end_mono_ms = LP_END_NEVER;
        pthread_condattr_t monotonic;
        (void)pthread_condattr_init(&monotonic); // Linux's cannot fail
        (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
        (void)pthread_mutex_init(&self->mutex, NULL);
        (void)pthread_cond_init(&self->interrupted, &monotonic);
        (void)pthread_condattr_destroy(&monotonic);
    }
    return self;
}

void
client_http_destroy(client_http *self)
{
    if (self == NULL) {
        return;
    }
    for (size_t i = 0; i < self->idle_count; i++) {
        curl_easy_cleanup(self->idle[i]);
    }
    (void)pthread_cond_destroy(&self->interrupted);
    (void)pthread_mutex_destroy(&self->mutex);
    free(self);
}

// The caller holds the mutex.
static void
idle_check(const client_http *self)
{
    LP_ASSERT(self->idle_count <= CLIENT_HTTP_IDLE_MAX);
    LP_ASSERT(self->idle_count == 0 || self->idle[self->idle_count - 1] != NULL);
}

void
client_http_interrupt(client_http *self, uint64_t end_ms)
{
    (void)pthread_mutex_lock(&self->mutex);
    idle_check(self);
    self->end_mono_ms = lp_time_mono_ms() + (int64_t)end_ms;
    (void)pthread_cond_broadcast(&self->interrupted);
    (void)pthread_mutex_unlock(&self->mutex);
}

static int64_t
get_end(client_http *self)
{
    (void)pthread_mutex_lock(&self->mutex);
    idle_check(self);
    int64_t end_mono_ms = self->end_mono_ms;
    (void)pthread_mutex_unlock(&self->mutex);
    return end_mono_ms;
}

// is_over returns whether exchanges have to end now.
static bool
is_over(client_http *self)
{
    int64_t now_ms = lp_time_mono_ms();
    return now_ms >= get_end(self) || now_ms >= lp_end_get();
}

bool
client_http_is_interrupted(client_http *self)
{
    return get_end(self) != LP_END_NEVER || is_over(self);
}

void
client_http_wait(client_http *self, uint64_t ms)
{
    uint64_t until_ms = client_http_now_ms() + (uint64_t)lp_end_limit((int64_t)ms);
    const struct timespec until = {
        .tv_sec = (time_t)(until_ms / 1000), .tv_nsec = (long)(until_ms % 1000) * MS};
    int error = 0;
    (void)pthread_mutex_lock(&self->mutex);
    while (self->end_mono_ms == LP_END_NEVER && error == 0) {
        error = pthread_cond_timedwait(&self->interrupted, &self->mutex, &until);
    }
    (void)pthread_mutex_unlock(&self->mutex);
}

// --- Handles: each has a connection

static CURL *
take_handle(client_http *self)
{
    CURL *curl = NULL;
    (void)pthread_mutex_lock(&self->mutex);
    idle_check(self);
    if (self->idle_count > 0) {
        curl = self->idle[--self->idle_count];
    }
    (void)pthread_mutex_unlock(&self->mutex);
    return curl == NULL ? curl_easy_init() : curl;
}

static void
give_handle_back(client_http *self, CURL *curl)
{
    curl_easy_reset(curl); // its connection stays
    LP_ASSERT(curl != NULL);
    (void)pthread_mutex_lock(&self->mutex);
    idle_check(self);
    if (self->idle_count < CLIENT_HTTP_IDLE_MAX) {
        self->idle[self->idle_count++] = curl;
        curl = NULL;
    }
    (void)pthread_mutex_unlock(&self->mutex);
    curl_easy_cleanup(curl); // NULL is fine
}

// --- What libcurl calls

static void
exchange_check(const exchange *x)
{
    LP_ASSERT(x->http != NULL && x->request != NULL && x->answer != NULL && x->curl != NULL);
    LP_ASSERT(x->sent <= x->request->body.len);
}

static size_t
on_send(char *out, size_t size, size_t count, void *arg)
{
    exchange *x = arg;
    exchange_check(x);
    size_t left = x->request->body.len - x->sent;
    size_t taken = size * count < left ? size * count : left;
    if (taken > 0) {
        memcpy(out, x->request->body.ptr + x->sent, taken);
    }
    x->sent += taken;
    return taken;
}

static int
on_seek(void *arg, curl_off_t offset, int origin)
{
    exchange *x = arg;
    exchange_check(x);
    if (origin != SEEK_SET || offset < 0 || (uint64_t)offset > x->request->body.len) {
        return CURL_SEEKFUNC_FAIL;
    }
    x->sent = (size_t)offset;
    return CURL_SEEKFUNC_OK;
}

static size_t
on_receive(char *bytes, size_t size, size_t count, void *arg)
{
    exchange *x = arg;
    exchange_check(x);
    const lp_slice piece = {(const uint8_t *)bytes, size * count};
    long status = 0;
    (void)curl_easy_getinfo(x->curl, CURLINFO_RESPONSE_CODE, &status);
    if (x->request->to_fd >= 0 && (status == 200 || status == 206)) {
        if (lp_io_write_all(x->request->to_fd, piece) != LP_OK) {
            x->error = errno;
            return 0;
        }
    } else {
        if (x->answer->body.len + piece.len > CLIENT_HTTP_ANSWER_BYTES_MAX) {
            return 0;
        }
        lp_buf_append(&x->answer->body, piece.ptr, piece.len);
    }
    x->answer->received_bytes += piece.len;
    return piece.len;
}

// libcurl calls on_progress at least once a second, and aborts the exchange unless it returns 0.
static int
on_progress(void *arg, curl_off_t down_all, curl_off_t down, curl_off_t up_all, curl_off_t up)
{
    (void)down_all;
    (void)down;
    (void)up_all;
    (void)up;
    const exchange *x = arg;
    exchange_check(x);
    return is_over(x->http);
}

// --- An exchange

static lp_err
add_headers(exchange *x)
{
    for (size_t i = 0; i < x->request->header_count; i++) {
        char *line = NULL;
        if (asprintf(&line, "%s: %s", x->request->headers[i].name, x->request->headers[i].value) <
            0) {
            return LP_ENOMEM;
        }
        struct curl_slist *longer = curl_slist_append(x->headers, line);
        free(line);
        LP_REQUIRE(longer != NULL, LP_ENOMEM);
        x->headers = longer;
    }
    return LP_OK;
}

#define SET(option, value) (err = err == CURLE_OK ? curl_easy_setopt(x->curl, option, value) : err)

static CURLcode
set_body(const exchange *x)
{
    CURLcode err = CURLE_OK;
    bool is_put = strcmp(x->request->method, "PUT") == 0;
    if (is_put) {
        SET(CURLOPT_UPLOAD, 1L);
        SET(CURLOPT_READFUNCTION, on_send);
        SET(CURLOPT_READDATA, x);
        SET(CURLOPT_SEEKFUNCTION, on_seek);
        SET(CURLOPT_SEEKDATA, x);
        SET(CURLOPT_INFILESIZE_LARGE, (curl_off_t)x->request->body.len);
    } else if (x->request->body.len > 0) {
        SET(CURLOPT_POSTFIELDS, (const char *)x->request->body.ptr);
        SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)x->request->body.len);
    }
    SET(CURLOPT_CUSTOMREQUEST, x->request->method);
    return err;
}

static CURLcode
set_limits(const exchange *x)
{
    CURLcode err = CURLE_OK;
    uint64_t now_ms = client_http_now_ms();
    uint64_t left_ms =
        x->request->deadline_mono_ms > now_ms ? x->request->deadline_mono_ms - now_ms : 1;
    SET(CURLOPT_QUICK_EXIT, 1L); // do not wait for a hanging name resolution
    SET(CURLOPT_CONNECTTIMEOUT_MS, (long)CLIENT_HTTP_CONNECT_MS_MAX);
    SET(CURLOPT_TIMEOUT_MS, (long)left_ms);
    SET(CURLOPT_LOW_SPEED_LIMIT, (long)CLIENT_HTTP_SLOW_BYTES);
    uint64_t slow_s_max = x->request->slow_s_max;
    slow_s_max = slow_s_max == 0 ? lp_time_scale_ms((uint64_t)CLIENT_HTTP_SLOW_S_MAX * 1000) / 1000
                                 : slow_s_max;
    SET(CURLOPT_LOW_SPEED_TIME, slow_s_max == 0 ? 1L : (long)slow_s_max);
    if (x->request->is_direct && err == CURLE_OK) {
        SET(CURLOPT_NOPROXY, "*");
    }
    SET(CURLOPT_NOPROGRESS, 0L);
    SET(CURLOPT_XFERINFOFUNCTION, on_progress);
    SET(CURLOPT_XFERINFODATA, x);
    return err;
}

static CURLcode
set_all(exchange *x)
{
    exchange_check(x);
    CURLcode err = CURLE_OK;
    SET(CURLOPT_ERRORBUFFER, x->reason);
    SET(CURLOPT_NOSIGNAL, 1L); // keep the handlers of SIGPIPE and SIGALRM
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_PATH_AS_IS, 1L); // as it is signed
    SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    SET(CURLOPT_URL, x->request->url);
    SET(CURLOPT_HTTPHEADER, x->headers);
    SET(CURLOPT_WRITEFUNCTION, on_receive);
    SET(CURLOPT_WRITEDATA, x);
    err = err == CURLE_OK ? set_body(x) : err;
    return err == CURLE_OK ? set_limits(x) : err;
}

// error_of returns the errno of a failure, for callers that cannot show a text.
static int
error_of(const exchange *x, CURLcode code)
{
    static const struct {
        CURLcode code;
        int error;
    } errors[] = {
        {CURLE_COULDNT_RESOLVE_PROXY, EHOSTUNREACH},
        {CURLE_COULDNT_RESOLVE_HOST, EHOSTUNREACH},
        {CURLE_COULDNT_CONNECT, ECONNREFUSED},
        {CURLE_OPERATION_TIMEDOUT, ETIMEDOUT},
        {CURLE_ABORTED_BY_CALLBACK, ECANCELED},
        {CURLE_SSL_CONNECT_ERROR, EPROTO},
        {CURLE_PEER_FAILED_VERIFICATION, EPROTO},
    };
    if (code == CURLE_WRITE_ERROR) {
        return x->error != 0 ? x->error : EMSGSIZE;
    }
    for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
        if (errors[i].code == code) {
            return errors[i].error;
        }
    }
    return ECONNRESET;
}

// read_header writes a header of the answer, or "". Returns whether the answer has it.
static bool
read_header(const exchange *x, const char *name, char out_value[CLIENT_HTTP_VALUE_BYTES])
{
    exchange_check(x);
    struct curl_header *found = NULL;
    bool has_it = curl_easy_header(x->curl, name, 0, CURLH_HEADER, -1, &found) == CURLHE_OK;
    (void)snprintf(out_value, CLIENT_HTTP_VALUE_BYTES, "%s", has_it ? found->value : "");
    return has_it;
}

static lp_err
perform(exchange *x, lp_problem *out_problem)
{
    exchange_check(x);
    CURLcode code = set_all(x);
    code = code == CURLE_OK ? curl_easy_perform(x->curl) : code;
    LP_REQUIRE(code != CURLE_OUT_OF_MEMORY && lp_buf_check(&x->answer->body) == LP_OK,
        lp_problem_set(out_problem, LP_ENOMEM, "out of memory"));
    if (code != CURLE_OK) {
        int error = error_of(x, code);
        const char *why = x->error != 0          ? strerror(x->error)
                          : x->reason[0] != '\0' ? x->reason
                                                 : curl_easy_strerror(code);
        (void)lp_problem_set(out_problem, LP_EIO, "%s", why);
        errno = error;
        return LP_EIO;
    }
    long status = 0;
    (void)curl_easy_getinfo(x->curl, CURLINFO_RESPONSE_CODE, &status);
    x->answer->status = (unsigned)status;
    char etag[CLIENT_HTTP_VALUE_BYTES];
    x->answer->has_etag = read_header(x, "etag", etag);
    (void)read_header(x, "content-type", x->answer->content_type);
    curl_off_t retry_after_s = 0;
    (void)curl_easy_getinfo(x->curl, CURLINFO_RETRY_AFTER, &retry_after_s);
    x->answer->retry_after_s = retry_after_s > 0 ? (uint64_t)retry_after_s : 0;
    return LP_OK;
}

lp_err
client_http_ask(client_http *self, const client_http_request *request,
    client_http_answer *out_answer, lp_problem *out_problem)
{
    LP_ASSERT(request->method != NULL && request->url != NULL && request->to_fd >= -1);
    *out_answer = (client_http_answer){0};
    exchange x = {
        .http = self, .request = request, .answer = out_answer, .curl = take_handle(self)};
    atomic_fetch_add_explicit(&running, 1, memory_order_relaxed);
    lp_err err = x.curl == NULL ? LP_ENOMEM : add_headers(&x);
    err =
        err == LP_OK ? perform(&x, out_problem) : lp_problem_set(out_problem, err, "out of memory");
    int error = errno;
    if (x.curl != NULL) {
        give_handle_back(self, x.curl);
    }
    curl_slist_free_all(x.headers);
    atomic_fetch_sub_explicit(&running, 1, memory_order_relaxed);
    errno = error;
    return err;
}

uint64_t
client_http_count_running(void)
{
    return atomic_load_explicit(&running, memory_order_relaxed);
}
