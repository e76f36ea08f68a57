// SPDX-License-Identifier: Apache-2.0
// Tests: tests/unit/agent/ship/test_ship_probe.c

#include "agent/ship/dial/ship_absence.h"
#include "agent/ship/ship_thread.h"

#include <stdbool.h>
#include <string.h>

static char question[] = "HEAD / HTTP/1.0\r\n\r\n";
static const char answer_begins[] = "HTTP/";

static void
on_done(void *arg)
{
    ship_probe *probe = arg;
    int wake_fd = probe->wake_fd; // before is_done is stored: then the owner may start anew
    atomic_store_explicit(&probe->is_done, true, memory_order_release);
    ship_wake(wake_fd);
}

void
ship_probe_start(ship_probe *probe, const char *url, int wake_fd)
{
    if (probe->stage != SHIP_PROBE_NOT ||
        (probe->aio == NULL && nng_aio_alloc(&probe->aio, on_done, probe) != 0) ||
        nng_stream_dialer_alloc(&probe->dialer, url) != 0) {
        return;
    }
    probe->wake_fd = wake_fd;
    nng_aio_set_timeout(probe->aio, SHIP_PROBE_MS);
    probe->stage = SHIP_PROBE_DIALS;
    nng_stream_dialer_dial(probe->dialer, probe->aio);
}

static ship_probe_state
end(ship_probe *probe, ship_probe_state found)
{
    if (probe->stream != NULL) {
        nng_stream_close(probe->stream);
        nng_stream_free(probe->stream);
        probe->stream = NULL;
    }
    nng_stream_dialer_free(probe->dialer);
    probe->dialer = NULL;
    probe->stage = SHIP_PROBE_NOT;
    return found;
}

static void
transfer(ship_probe *probe, void (*begin)(nng_stream *, nng_aio *), void *bytes, size_t size)
{
    nng_iov iov = {.iov_buf = bytes, .iov_len = size};
    (void)nng_aio_set_iov(probe->aio, 1, &iov); // it fails for more than 8 pieces
    begin(probe->stream, probe->aio);
}

static bool
is_http(const ship_probe *probe)
{
    size_t len = sizeof(answer_begins) - 1;
    return nng_aio_count(probe->aio) >= len && memcmp(probe->answer, answer_begins, len) == 0;
}

ship_probe_state
ship_probe_step(ship_probe *probe)
{
    if (probe->stage == SHIP_PROBE_NOT) {
        return SHIP_PROBE_IDLE;
    }
    if (!atomic_exchange_explicit(&probe->is_done, false, memory_order_acquire)) {
        return SHIP_PROBE_BUSY;
    }
    if (nng_aio_result(probe->aio) != 0) {
        return end(probe, SHIP_PROBE_OTHER);
    }
    switch (probe->stage) {
    case SHIP_PROBE_DIALS:
        probe->stream = nng_aio_get_output(probe->aio, 0);
        probe->stage = SHIP_PROBE_ASKS;
        transfer(probe, nng_stream_send, question, sizeof(question) - 1);
        return SHIP_PROBE_BUSY;
    case SHIP_PROBE_ASKS: // so short a question goes out in one piece
        probe->stage = SHIP_PROBE_HEARS;
        transfer(probe, nng_stream_recv, probe->answer, sizeof(probe->answer));
        return SHIP_PROBE_BUSY;
    case SHIP_PROBE_HEARS:
    case SHIP_PROBE_NOT:
        break;
    }
    return end(probe, is_http(probe) ? SHIP_PROBE_HTTP : SHIP_PROBE_OTHER);
}
