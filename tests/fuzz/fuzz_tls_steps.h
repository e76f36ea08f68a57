// SPDX-License-Identifier: Apache-2.0
// fuzz_tls_steps: what a step of an input of fuzz_tls does. Its first byte has it in 5 bits, and
// the peer that does it above these; then comes what is said here.

#pragma once

enum {
    FUZZ_TLS_COME,             // a peer of the socket alone
    FUZZ_TLS_COME_WITH_TLS,    // 1 byte: TLS 1.3 (0) or 1.2 (1), with a certificate (2)
    FUZZ_TLS_SEND_RAW,         // 1 byte: how many bytes follow; they go to the socket
    FUZZ_TLS_FILL_RAW,         // 1 byte: how many KiB; 1 byte: of what
    FUZZ_TLS_SHAKE,            // what the client can do of its handshake now
    FUZZ_TLS_SHAKE_TO_THE_END, // all of it; the loop has yet to see the last words
    FUZZ_TLS_FLUSH,            // 1 byte: so much of what is held goes to the socket; 0: all
    FUZZ_TLS_TAMPER,           // 2 bytes: where in what is held; 1 byte: what is changed there
    FUZZ_TLS_HOLD_BACK,        // 1 byte, unused; what is held is lost
    FUZZ_TLS_SEND_RECORD,      // 1 byte: how many bytes follow; they are one record
    FUZZ_TLS_SEND_RECORDS,     // 1 byte: how many of a KiB; 1 byte: of what
    FUZZ_TLS_UPDATE_KEYS,      // 1 byte, unused, here and below
    FUZZ_TLS_ASK_UPDATE_KEYS,  // the collector has to update its own, too
    FUZZ_TLS_SHAKE_AGAIN,      // a second handshake
    FUZZ_TLS_SAY_BYE,
    FUZZ_TLS_ALERT,   // 1 byte: which
    FUZZ_TLS_RECEIVE, // some of what is there
    FUZZ_TLS_SHUT,    // 1 byte: which direction
    FUZZ_TLS_CLOSE,
    FUZZ_TLS_RESET,
    FUZZ_TLS_TURN,   // 1 byte: of the loop, how often
    FUZZ_TLS_WAIT,   // 1 byte: so many times two seconds pass
    FUZZ_TLS_ANSWER, // all requests that wait for it; their first byte says how long that is
    FUZZ_TLS_DROP,   // these
    FUZZ_TLS_STOP,   // the collector accepts and reads nothing more
    FUZZ_TLS_STEP_COUNT,
};
