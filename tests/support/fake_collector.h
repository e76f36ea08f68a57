// SPDX-License-Identifier: Apache-2.0
// fake_collector: a real NNG REP socket that keeps every batch it is sent, and answers as it is
// told.
//
// It survives its own restarts: what was kept stays, as a journal would. A batch that comes twice
// must be the same, byte for byte.

#pragma once

#include "support/held_port.h"

#include "common/wire/wire.h"

#include <nng/nng.h>
#include <nng/protocol/reqrep0/rep.h>
#include <nng/supplemental/util/platform.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    FAKE_COLLECTOR_BATCHES_MAX = 4096,
    FAKE_COLLECTOR_WAIT_S_MAX = 60,
    FAKE_COLLECTOR_SILENT = -1, // an answer that is never sent
};

typedef struct fake_collector fake_collector;

struct fake_collector {
    held_port port; // of url; one that is a process of its own has none: who started it holds it
    char url[64];   // the same after a restart
    const char *identity; // for TLS: a file of its certificate and key in PEM; NULL: no TLS
    nng_socket socket;
    pthread_t thread;
    pthread_mutex_t mutex; // of everything below
    pthread_cond_t changed;
    int answer; // to batches: a Reply.Status, or FAKE_COLLECTOR_SILENT
    int hello_answer;
    bool go_elsewhere; // of every answer, as the next
    uint64_t durable_sequence;
    uint32_t lacking_chunk; // of the next answer to a Hello
    uint64_t policy_id; // of every answer; to a Hello comes a policy with a setting that says it
    uint64_t hello_count;
    uint64_t hello_next_sequence; // of the last Hello
    char service[64];
    char instance[64];
    uint64_t request_count;                     // batches, repeated ones too
    uint64_t different_count;                   // batches that came again with other content
    lp_buf batches[FAKE_COLLECTOR_BATCHES_MAX]; // acknowledged ones, by sequence number, packed
    uint64_t batch_count;
    bool has_last;
    bool is_forgetful; // keeps nothing
    FILE *journal;     // where batches are stored too, unless NULL: each its length and its bytes
};

static inline void
fake_collector_must(bool is_true, const char *what)
{
    if (!is_true) {
        (void)fprintf(stderr, "fake collector: %s\n", what);
        abort();
    }
}

// fake_collector_keep stores a batch under its number.
static inline void
fake_collector_keep(fake_collector *c, const Loupe__Wire__Batch *batch)
{
    fake_collector_must(batch->sequence < FAKE_COLLECTOR_BATCHES_MAX, "too many batches");
    lp_buf packed = {0};
    (void)loupe__wire__batch__pack(
        batch, lp_buf_extend(&packed, loupe__wire__batch__get_packed_size(batch)));
    lp_buf *kept = &c->batches[batch->sequence];
    if (kept->ptr == NULL) {
        *kept = packed;
        c->batch_count++;
        c->has_last |= batch->is_last != 0;
        if (c->journal != NULL) {
            uint64_t length = packed.len;
            (void)fwrite(&length, sizeof(length), 1, c->journal);
            (void)fwrite(packed.ptr, packed.len, 1, c->journal);
            (void)fflush(c->journal);
        }
        return;
    }
    c->different_count += kept->len != packed.len || memcmp(kept->ptr, packed.ptr, kept->len) != 0;
    lp_buf_fini(&packed);
}

// fake_collector_load takes the batches of a journal, of which the last may be torn, and says how
// long its whole part is.
static inline long
fake_collector_load(fake_collector *c, FILE *journal)
{
    uint64_t length;
    long whole = 0;
    while (fread(&length, sizeof(length), 1, journal) == 1) {
        uint8_t *bytes = malloc(length);
        fake_collector_must(bytes != NULL, "no memory");
        bool is_whole = fread(bytes, length, 1, journal) == 1;
        if (is_whole) {
            Loupe__Wire__Batch *batch = loupe__wire__batch__unpack(NULL, length, bytes);
            fake_collector_must(batch != NULL, "bad journal");
            fake_collector_keep(c, batch);
            loupe__wire__batch__free_unpacked(batch, NULL);
            whole = ftell(journal);
        }
        free(bytes);
    }
    return whole;
}

// fake_collector_handle decides on one request and returns its answer.
static inline int
fake_collector_handle(fake_collector *c, const Loupe__Wire__Request *request)
{
    if (request->version != WIRE_VERSION) {
        return LOUPE__WIRE__REPLY__STATUS__REFUSED;
    }
    if (request->body_case == LOUPE__WIRE__REQUEST__BODY_HELLO) {
        c->hello_count++;
        c->hello_next_sequence = request->hello->next_sequence;
        (void)snprintf(c->service, sizeof(c->service), "%s", request->hello->service);
        (void)snprintf(c->instance, sizeof(c->instance), "%s", request->hello->instance);
        // As a real one: with the session known again, batches are taken again.
        if (c->answer == LOUPE__WIRE__REPLY__STATUS__UNKNOWN_SESSION) {
            c->answer = LOUPE__WIRE__REPLY__STATUS__OK;
        }
        return c->hello_answer;
    }
    c->request_count++;
    if (c->answer == LOUPE__WIRE__REPLY__STATUS__OK && !c->is_forgetful) {
        fake_collector_keep(c, request->batch);
    }
    return c->answer;
}

static inline void
fake_collector_reply(fake_collector *c, int status, bool is_hello, bool has_policy)
{
    (void)pthread_mutex_lock(&c->mutex);
    uint64_t policy_id = c->policy_id;
    bool go_elsewhere = c->go_elsewhere;
    uint64_t durable_sequence = c->durable_sequence;
    uint32_t lacking_chunk = is_hello ? c->lacking_chunk : 0;
    c->lacking_chunk -= lacking_chunk;
    (void)pthread_mutex_unlock(&c->mutex);
    char value[24];
    (void)snprintf(value, sizeof(value), "%llu ns", (unsigned long long)policy_id);
    Loupe__Wire__JvmPolicy__Setting setting = LOUPE__WIRE__JVM_POLICY__SETTING__INIT;
    setting.event = (char *)(uintptr_t) "jdk.*";
    setting.setting = (char *)(uintptr_t) "threshold";
    setting.value = value;
    Loupe__Wire__JvmPolicy__Setting *settings[] = {&setting};
    Loupe__Wire__JvmPolicy policy = LOUPE__WIRE__JVM_POLICY__INIT;
    policy.n_settings = 1;
    policy.settings = settings;
    Loupe__Wire__Reply reply = LOUPE__WIRE__REPLY__INIT;
    static char words[] = "as the test wants it";
    reply.version = WIRE_VERSION;
    reply.status = (Loupe__Wire__Reply__Status)status;
    reply.message = words;
    reply.go_elsewhere = go_elsewhere;
    reply.durable_sequence = durable_sequence;
    reply.lacking_chunk = lacking_chunk;
    reply.policy_id = policy_id;
    reply.jvm_policy = has_policy && policy_id != 0 ? &policy : NULL;
    nng_msg *message;
    size_t size = loupe__wire__reply__get_packed_size(&reply);
    fake_collector_must(nng_msg_alloc(&message, size) == 0, "no memory");
    (void)loupe__wire__reply__pack(&reply, nng_msg_body(message));
    if (nng_sendmsg(c->socket, message, 0) != 0) {
        nng_msg_free(message);
    }
}

static inline void *
fake_collector_run(void *arg)
{
    fake_collector *c = arg;
    nng_msg *message;
    while (nng_recvmsg(c->socket, &message, 0) == 0) {
        Loupe__Wire__Request *request =
            loupe__wire__request__unpack(NULL, nng_msg_len(message), nng_msg_body(message));
        fake_collector_must(request != NULL, "bad request");
        (void)pthread_mutex_lock(&c->mutex);
        int status = fake_collector_handle(c, request);
        (void)pthread_mutex_unlock(&c->mutex);
        bool is_hello = request->body_case == LOUPE__WIRE__REQUEST__BODY_HELLO;
        if (status != FAKE_COLLECTOR_SILENT) {
            fake_collector_reply(c, status, is_hello, is_hello && request->hello->takes_policy);
        }
        (void)pthread_mutex_lock(&c->mutex);
        (void)pthread_cond_broadcast(&c->changed);
        (void)pthread_mutex_unlock(&c->mutex);
        loupe__wire__request__free_unpacked(request, NULL);
        nng_msg_free(message);
    }
    return NULL;
}

// fake_collector_create_at makes one that is away, at an address that somebody else holds.
static inline fake_collector *
fake_collector_create_at(const char *url)
{
    fake_collector *c = calloc(1, sizeof(*c));
    fake_collector_must(c != NULL, "no memory");
    (void)pthread_mutex_init(&c->mutex, NULL);
    (void)pthread_cond_init(&c->changed, NULL);
    (void)snprintf(c->url, sizeof(c->url), "%s", url);
    return c;
}

// fake_collector_create makes one that is away, and has an address of its own.
static inline fake_collector *
fake_collector_create(void)
{
    char url[64];
    held_port port = held_port_take();
    (void)snprintf(url, sizeof(url), "tcp://127.0.0.1:%d", port.number);
    fake_collector *c = fake_collector_create_at(url);
    c->port = port;
    return c;
}

static inline int
fake_collector_listen(const fake_collector *c)
{
    nng_listener listener;
    int error = nng_listener_create(&listener, c->socket, c->url);
    if (error == 0 && c->identity != NULL) {
        error = nng_listener_set_string(listener, NNG_OPT_TLS_CERT_KEY_FILE, c->identity);
    }
    error = error == 0 ? nng_listener_start(listener, 0) : error;
    if (error != 0) {
        (void)nng_listener_close(listener);
    }
    return error;
}

static inline void
fake_collector_start(fake_collector *c)
{
    fake_collector_must(nng_rep0_open(&c->socket) == 0, "open");
    int error = NNG_EADDRINUSE; // for as long as the one before it is being taken down
    for (int i = 0; i < FAKE_COLLECTOR_WAIT_S_MAX * 100 && error == NNG_EADDRINUSE; i++) {
        error = fake_collector_listen(c);
        if (error == NNG_EADDRINUSE) {
            nng_msleep(10);
        }
    }
    fake_collector_must(error == 0, "listen");
    fake_collector_must(pthread_create(&c->thread, NULL, fake_collector_run, c) == 0, "thread");
}

static inline void
fake_collector_stop(fake_collector *c)
{
    (void)nng_close(c->socket);
    (void)pthread_join(c->thread, NULL);
}

// fake_collector_destroy leaves the port held until the process ends: an agent that could not send
// everything goes on dialling it, and would send the rest to whatever collector is there next.
static inline void
fake_collector_destroy(fake_collector *c)
{
    for (size_t i = 0; i < FAKE_COLLECTOR_BATCHES_MAX; i++) {
        lp_buf_fini(&c->batches[i]);
    }
    (void)pthread_cond_destroy(&c->changed);
    (void)pthread_mutex_destroy(&c->mutex);
    free(c);
}

static inline void
fake_collector_set_answer(fake_collector *c, int answer)
{
    (void)pthread_mutex_lock(&c->mutex);
    c->answer = answer;
    (void)pthread_mutex_unlock(&c->mutex);
}

// fake_collector_ask_again has it lose the session, and ask for the chunks from this one on.
static inline void
fake_collector_ask_again(fake_collector *c, uint32_t chunk)
{
    (void)pthread_mutex_lock(&c->mutex);
    c->lacking_chunk = chunk + 1;
    c->answer = LOUPE__WIRE__REPLY__STATUS__UNKNOWN_SESSION;
    (void)pthread_mutex_unlock(&c->mutex);
}

// fake_collector_peek reads a counter of one that runs.
static inline uint64_t
fake_collector_peek(fake_collector *c, const uint64_t *counter)
{
    (void)pthread_mutex_lock(&c->mutex);
    uint64_t value = *counter;
    (void)pthread_mutex_unlock(&c->mutex);
    return value;
}

// fake_collector_wait returns once counter, one of c's, is at least wanted.
static inline void
fake_collector_wait(fake_collector *c, const uint64_t *counter, uint64_t wanted)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += FAKE_COLLECTOR_WAIT_S_MAX;
    (void)pthread_mutex_lock(&c->mutex);
    while (*counter < wanted) {
        int error = pthread_cond_timedwait(&c->changed, &c->mutex, &until);
        fake_collector_must(error == 0, "what was waited for did not come");
    }
    (void)pthread_mutex_unlock(&c->mutex);
}
