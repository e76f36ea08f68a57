// SPDX-License-Identifier: Apache-2.0

#include "collector/server/agent_socket.h"

#include "collector/base/metrics.h"
#include "common/wire/wire.h"

#include <nng/nng.h>
#include <nng/protocol/reqrep0/rep.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Answers that may wait for NNG's own threads; sending blocks for a moment when it is full.
enum { ANSWERS_QUEUED_MAX = 1024 };

struct agent_socket_request {
    agent_socket_request *next;
    agent_socket *socket;
    nng_msg *message; // its header routes the answer
    size_t size_bytes;
};

struct agent_socket {
    nng_socket socket;
    nng_listener listener;
    nng_aio *receive;
    char *url;
    void (*on_waiting)(void *arg);
    void *arg;
    size_t taken_bytes; // of requests that were taken and have not ended

    pthread_mutex_t mutex; // guards what follows
    agent_socket_request *first;
    agent_socket_request **last;
    size_t queue_bytes;
    bool is_paused; // no receive is in flight because the queue is full
    bool is_stopped;
};

// enqueue returns whether to go on receiving.
static bool
enqueue(agent_socket *self, agent_socket_request *request)
{
    size_t size = request->size_bytes;
    metrics_add(METRICS_received_bytes, size);
    metrics_add(METRICS_ingest_queue_bytes, size);

    pthread_mutex_lock(&self->mutex);
    *self->last = request;
    self->last = &request->next;
    self->queue_bytes += size;
    self->is_paused = self->queue_bytes > AGENT_SOCKET_QUEUE_BYTES_MAX;
    if (self->is_paused) {
        metrics_add(METRICS_ingest_queue_full, 1);
    }
    bool is_going_on = !self->is_paused && !self->is_stopped;
    pthread_mutex_unlock(&self->mutex);
    return is_going_on;
}

static void
on_received(void *arg)
{
    agent_socket *self = arg;
    int failure = nng_aio_result(self->receive);
    if (failure == NNG_ECLOSED || failure == NNG_ECANCELED) {
        return; // stopping
    }
    bool is_going_on = true;
    if (failure == 0) {
        nng_msg *message = nng_aio_get_msg(self->receive);
        agent_socket_request *request = calloc(1, sizeof(*request));
        if (request == NULL) {
            nng_msg_free(message); // not answered, so it comes again
        } else {
            *request = (agent_socket_request){
                .socket = self, .message = message, .size_bytes = nng_msg_len(message)};
            is_going_on = enqueue(self, request);
            self->on_waiting(self->arg);
        }
    }
    if (is_going_on) {
        nng_recv_aio(self->socket, self->receive);
    }
}

// on_connection has no argument: connections may outlive the socket.
static void
on_connection(nng_pipe pipe, nng_pipe_ev event, void *arg)
{
    (void)pipe;
    (void)arg;
    if (event == NNG_PIPE_EV_ADD_POST) {
        metrics_add(METRICS_agent_connections, 1);
    } else {
        metrics_sub(METRICS_agent_connections, 1);
    }
}

static int
watch_connections(nng_socket socket)
{
    int failure = nng_pipe_notify(socket, NNG_PIPE_EV_ADD_POST, on_connection, NULL);
    return failure != 0 ? failure
                        : nng_pipe_notify(socket, NNG_PIPE_EV_REM_POST, on_connection, NULL);
}

// find_url keeps the URL that is listened on: config's URL, with the port that port 0 became.
static lp_err
find_url(agent_socket *self, const char *url)
{
    const char *colon = strrchr(url, ':');
    int port = 0;
    if (colon != NULL && strcmp(colon, ":0") == 0 &&
        nng_listener_get_int(self->listener, NNG_OPT_TCP_BOUND_PORT, &port) == 0) {
        int count = asprintf(&self->url, "%.*s:%d", (int)(colon - url), url, port);
        return count < 0 ? LP_ENOMEM : LP_OK;
    }
    self->url = strdup(url);
    return self->url == NULL ? LP_ENOMEM : LP_OK;
}

static lp_err
listen_on(agent_socket *self, const char *url, lp_problem *out_problem)
{
    int failure = nng_rep0_open_raw(&self->socket);
    if (failure == 0) {
        failure =
            nng_socket_set_size(self->socket, NNG_OPT_RECVMAXSZ, (size_t)WIRE_MESSAGE_BYTES_MAX);
    }
    if (failure == 0) {
        failure = nng_socket_set_int(self->socket, NNG_OPT_SENDBUF, ANSWERS_QUEUED_MAX);
    }
    if (failure == 0) {
        failure = watch_connections(self->socket);
    }
    if (failure == 0) {
        failure = nng_listen(self->socket, url, &self->listener, 0);
    }
    if (failure != 0) {
        lp_err err = failure == NNG_EADDRINVAL || failure == NNG_EINVAL || failure == NNG_ENOTSUP
                         ? LP_ECORRUPT
                         : LP_EIO;
        return lp_problem_set(
            out_problem, err, "cannot listen on %s: %s", url, nng_strerror(failure));
    }
    if (nng_aio_alloc(&self->receive, on_received, self) != 0 || find_url(self, url) != LP_OK) {
        return lp_problem_set(out_problem, LP_ENOMEM, "out of memory");
    }
    return LP_OK;
}

lp_err
agent_socket_start(
    const agent_socket_config *config, agent_socket **out_socket, lp_problem *out_problem)
{
    agent_socket *in = calloc(1, sizeof(*in));
    if (in == NULL) {
        return lp_problem_set(out_problem, LP_ENOMEM, "out of memory");
    }
    in->on_waiting = config->on_waiting;
    in->arg = config->arg;
    in->last = &in->first;
    pthread_mutex_init(&in->mutex, NULL);
    lp_err err = listen_on(in, config->url, out_problem);
    if (err != LP_OK) {
        agent_socket_destroy(in);
        return err;
    }
    nng_recv_aio(in->socket, in->receive);
    *out_socket = in;
    return LP_OK;
}

const char *
agent_socket_get_url(const agent_socket *self)
{
    return self->url;
}

agent_socket_request *
agent_socket_take(agent_socket *self)
{
    pthread_mutex_lock(&self->mutex);
    agent_socket_request *request = self->first;
    bool is_resuming = false;
    if (request != NULL) {
        self->first = request->next;
        if (self->first == NULL) {
            self->last = &self->first;
        }
        self->queue_bytes -= request->size_bytes;
        self->taken_bytes += request->size_bytes;
        metrics_sub(METRICS_ingest_queue_bytes, request->size_bytes);
        is_resuming = self->is_paused && !self->is_stopped &&
                      self->queue_bytes < AGENT_SOCKET_QUEUE_BYTES_MAX / 2;
        if (is_resuming) {
            self->is_paused = false;
        }
    }
    pthread_mutex_unlock(&self->mutex);
    if (is_resuming) {
        nng_recv_aio(self->socket, self->receive);
    }
    return request;
}

size_t
agent_socket_get_taken_bytes(const agent_socket *self)
{
    return self->taken_bytes;
}

lp_slice
agent_socket_get_bytes(const agent_socket_request *request)
{
    return (lp_slice){nng_msg_body(request->message), nng_msg_len(request->message)};
}

void
agent_socket_answer(agent_socket *self, agent_socket_request *request, lp_slice reply)
{
    // The request's message becomes the answer: its header already leads back.
    nng_msg *message = request->message;
    request->message = NULL;
    nng_msg_clear(message);
    if (nng_msg_append(message, reply.ptr, reply.len) != 0 ||
        nng_sendmsg(self->socket, message, 0) != 0) {
        nng_msg_free(message); // not answered, so the request comes again
    }
    agent_socket_drop(request);
}

void
agent_socket_drop(agent_socket_request *request)
{
    if (request == NULL) {
        return;
    }
    request->socket->taken_bytes -= request->size_bytes;
    if (request->message != NULL) {
        nng_msg_free(request->message);
    }
    free(request);
}

void
agent_socket_stop(agent_socket *self)
{
    pthread_mutex_lock(&self->mutex);
    self->is_stopped = true;
    pthread_mutex_unlock(&self->mutex);
    if (self->receive != NULL) {
        nng_aio_stop(self->receive); // returns when on_received does not run any more
    }
}

void
agent_socket_destroy(agent_socket *self)
{
    if (self == NULL) {
        return;
    }
    agent_socket_stop(self);
    for (agent_socket_request *request; (request = agent_socket_take(self)) != NULL;) {
        agent_socket_drop(request);
    }
    // Returns at once; see agent_socket.h on why not nng_close. A listener that was never opened is
    // invalid, which it refuses.
    (void)nng_listener_close(self->listener);
    if (self->receive != NULL) {
        nng_aio_free(self->receive);
    }
    pthread_mutex_destroy(&self->mutex);
    free(self->url);
    free(self);
}
