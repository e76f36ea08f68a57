// SPDX-License-Identifier: Apache-2.0
#include "agent/ship/dial/ship_absence.h"

#include "common/base/lp_log.h"

#include <string.h>

enum {
    ABSENT_MS = 10 * 1000, // until the log says that the collector does not answer
    PROBE_MS = 60 * 1000,  // between probes for HTTP
    SHAKE_MS = 1000,       // without a connection, until the first test handshake
    SHAKES_MS = 10 * 1000, // between test handshakes
};

void
ship_absence_init(ship_absence *absence, const ship_address *at, const ship_tls *tls, int wake_fd)
{
    *absence = (ship_absence){.at = at, .tls = tls, .wake_fd = wake_fd};
}

void
ship_absence_note_answer(ship_absence *absence, int64_t now_ms)
{
    if (absence->is_absent || absence->refused.text[0] != '\0') {
        lp_log(LP_LOG_INFO, "the collector at %s answers", absence->at->endpoint);
    }
    absence->is_absent = false;
    absence->refused.text[0] = '\0';
    absence->answered_ms = now_ms;
}

void
ship_absence_note_rest(ship_absence *absence, int64_t now_ms)
{
    if (!absence->is_absent) {
        absence->answered_ms = now_ms;
    }
}

// Logs once that the collector does not answer.
static void
note_silence(ship_absence *absence, bool is_owed, int64_t now_ms)
{
    if (absence->answered_ms == 0) {
        absence->answered_ms = now_ms;
        absence->begun_ms = now_ms;
    }
    if (is_owed && !absence->is_absent && now_ms - absence->answered_ms >= ABSENT_MS) {
        lp_log(LP_LOG_WARN,
            "no answer from a collector at %s for %d s; retrying, and keeping the recorded data",
            absence->at->endpoint, ABSENT_MS / 1000);
        absence->is_absent = true;
    }
}

// Logs once that the collector's address belongs to an HTTP server.
static void
suspect_port(ship_absence *absence, bool was_connected, int64_t now_ms)
{
    if (absence->is_absent && !absence->is_http_logged && !was_connected &&
        now_ms >= absence->probe_at_ms) {
        absence->probe_at_ms = now_ms + PROBE_MS;
        ship_probe_start(&absence->probe, absence->at->endpoint, absence->wake_fd);
    }
    if (ship_probe_step(&absence->probe) == SHIP_PROBE_HTTP) {
        lp_log(LP_LOG_WARN,
            "at %s there is an HTTP server: use the collector's port for agents (its option "
            "--agents, 7411 by default)",
            absence->at->endpoint);
        absence->is_http_logged = true;
    }
}

// Logs why there is no TLS connection, each reason once. Returns whether a new dialer could
// connect.
static bool
suspect_tls(ship_absence *absence, bool is_owed, bool was_connected, int64_t now_ms)
{
    bool is_lacking =
        absence->is_absent || (is_owed && !was_connected && now_ms - absence->begun_ms >= SHAKE_MS);
    if (is_lacking && now_ms >= absence->probe_at_ms) {
        absence->probe_at_ms = now_ms + SHAKES_MS;
        ship_handshake_start(&absence->shake, absence->tls, absence->at, absence->wake_fd);
    }
    ship_handshake_state state = ship_handshake_step(&absence->shake);
    if (state == SHIP_HANDSHAKE_REFUSED &&
        strcmp(absence->refused.text, absence->shake.problem.text) != 0) {
        absence->refused = absence->shake.problem;
        lp_log(LP_LOG_ERROR, "no TLS with the collector at %s: %s; still trying",
            absence->at->endpoint, absence->refused.text);
    }
    return state == SHIP_HANDSHAKE_DONE && is_lacking;
}

bool
ship_absence_step(ship_absence *absence, bool is_owed, bool was_connected, int64_t now_ms)
{
    note_silence(absence, is_owed, now_ms);
    if (absence->tls != NULL) {
        return suspect_tls(absence, is_owed, was_connected, now_ms);
    }
    suspect_port(absence, was_connected, now_ms);
    return false;
}
