// SPDX-License-Identifier: Apache-2.0
// Inputs of fuzz_tls: what peers do on the agents' port under TLS, as steps.

#include "fuzz_tls_steps.h"
#include "make_corpus.h"

#include <stddef.h>

#define OTHER(step) ((step) | 1 << 5) // by another peer
#define GREETING    FUZZ_TLS_SEND_RECORD, 8, 0, 'S', 'P', 0, 0, 48, 0, 0
// A request of one byte, and how much is answered.
#define REQUEST(byte) FUZZ_TLS_SEND_RECORD, 13, 0, 0, 0, 0, 0, 0, 0, 5, 128, 0, 0, 1, (byte)
#define CONNECTED(kind)                                                                            \
    FUZZ_TLS_COME_WITH_TLS, (kind), FUZZ_TLS_SHAKE_TO_THE_END, FUZZ_TLS_TURN, 3, GREETING,         \
        FUZZ_TLS_FLUSH, 0, FUZZ_TLS_TURN, 1

static const uint8_t nothing_of_tls[] = {0, FUZZ_TLS_COME, FUZZ_TLS_SEND_RAW, 16, 'G', 'E', 'T',
    ' ', '/', ' ', 'H', 'T', 'T', 'P', '/', '1', '.', '1', 13, 10, FUZZ_TLS_TURN, 2};
static const uint8_t hello_without_end[] = {0, FUZZ_TLS_COME, FUZZ_TLS_SEND_RAW, 9, 22, 3, 1, 64, 0,
    1, 0, 255, 0, FUZZ_TLS_TURN, 1, FUZZ_TLS_FILL_RAW, 63, 1, FUZZ_TLS_TURN, 7, FUZZ_TLS_FILL_RAW,
    63, 22, FUZZ_TLS_TURN, 7};
static const uint8_t silent[] = {0, FUZZ_TLS_COME, FUZZ_TLS_TURN, 1, OTHER(FUZZ_TLS_COME_WITH_TLS),
    0, OTHER(FUZZ_TLS_SHAKE), OTHER(FUZZ_TLS_FLUSH), 0, FUZZ_TLS_TURN, 1, FUZZ_TLS_WAIT, 6,
    FUZZ_TLS_TURN, 3};
static const uint8_t last_word_and_reset[] = {0, FUZZ_TLS_COME_WITH_TLS, 0,
    FUZZ_TLS_SHAKE_TO_THE_END, FUZZ_TLS_RESET, FUZZ_TLS_TURN, 2, OTHER(FUZZ_TLS_COME_WITH_TLS), 0,
    OTHER(FUZZ_TLS_SHAKE_TO_THE_END), FUZZ_TLS_TURN, 1};
static const uint8_t last_word_and_close[] = {1, FUZZ_TLS_COME_WITH_TLS, 3,
    FUZZ_TLS_SHAKE_TO_THE_END, FUZZ_TLS_CLOSE, FUZZ_TLS_TURN, 2, OTHER(FUZZ_TLS_COME_WITH_TLS), 0,
    OTHER(FUZZ_TLS_SHAKE_TO_THE_END), OTHER(FUZZ_TLS_SHUT), 1, FUZZ_TLS_TURN, 2};
static const uint8_t in_pieces[] = {0, FUZZ_TLS_COME_WITH_TLS, 0, FUZZ_TLS_SHAKE, FUZZ_TLS_FLUSH, 7,
    FUZZ_TLS_TURN, 0, FUZZ_TLS_FLUSH, 100, FUZZ_TLS_TURN, 0, FUZZ_TLS_FLUSH, 0, FUZZ_TLS_TURN, 1,
    FUZZ_TLS_SHAKE, FUZZ_TLS_TURN, 1, FUZZ_TLS_SHAKE, FUZZ_TLS_FLUSH, 20, FUZZ_TLS_TURN, 1,
    FUZZ_TLS_FLUSH, 0, FUZZ_TLS_TURN, 1, GREETING, REQUEST(1), FUZZ_TLS_FLUSH, 30, FUZZ_TLS_TURN, 1,
    FUZZ_TLS_FLUSH, 0, FUZZ_TLS_TURN, 1, FUZZ_TLS_ANSWER, FUZZ_TLS_TURN, 1, FUZZ_TLS_RECEIVE};
static const uint8_t changed[] = {0, FUZZ_TLS_COME_WITH_TLS, 1, FUZZ_TLS_SHAKE, FUZZ_TLS_TAMPER, 0,
    60, 1, FUZZ_TLS_FLUSH, 0, FUZZ_TLS_TURN, 2, FUZZ_TLS_SHAKE, FUZZ_TLS_FLUSH, 0, FUZZ_TLS_TURN, 2,
    OTHER(FUZZ_TLS_COME_WITH_TLS), 0, OTHER(FUZZ_TLS_SHAKE_TO_THE_END), FUZZ_TLS_TURN, 2,
    OTHER(FUZZ_TLS_SEND_RECORD), 3, 1, 2, 3, OTHER(FUZZ_TLS_TAMPER), 0, 9, 255,
    OTHER(FUZZ_TLS_FLUSH), 0, FUZZ_TLS_TURN, 2};
static const uint8_t with_certificate[] = {1, CONNECTED(2), REQUEST(1), REQUEST(0), FUZZ_TLS_FLUSH,
    0, FUZZ_TLS_TURN, 2, FUZZ_TLS_ANSWER, FUZZ_TLS_RECEIVE, FUZZ_TLS_SAY_BYE, 0, FUZZ_TLS_FLUSH, 0,
    FUZZ_TLS_CLOSE, FUZZ_TLS_TURN, 2};
static const uint8_t without_certificate[] = {
    1, CONNECTED(0), REQUEST(1), FUZZ_TLS_FLUSH, 0, FUZZ_TLS_TURN, 2, FUZZ_TLS_RECEIVE};
static const uint8_t takes_no_answers[] = {0, CONNECTED(0), REQUEST(200), REQUEST(100),
    FUZZ_TLS_FLUSH, 0, FUZZ_TLS_TURN, 2, FUZZ_TLS_ANSWER, FUZZ_TLS_TURN, 2, FUZZ_TLS_RECEIVE,
    FUZZ_TLS_TURN, 2, FUZZ_TLS_WAIT, 40, FUZZ_TLS_TURN, 2};
static const uint8_t keys[] = {0, CONNECTED(0), FUZZ_TLS_UPDATE_KEYS, 0, REQUEST(1), FUZZ_TLS_FLUSH,
    0, FUZZ_TLS_TURN, 1, FUZZ_TLS_ASK_UPDATE_KEYS, 0, REQUEST(2), FUZZ_TLS_FLUSH, 0, FUZZ_TLS_TURN,
    1, FUZZ_TLS_ANSWER, FUZZ_TLS_RECEIVE};
static const uint8_t again[] = {0, CONNECTED(1), FUZZ_TLS_SHAKE_AGAIN, 0, FUZZ_TLS_FLUSH, 0,
    FUZZ_TLS_TURN, 2, FUZZ_TLS_RECEIVE, REQUEST(1), FUZZ_TLS_FLUSH, 0, FUZZ_TLS_TURN, 2};
static const uint8_t large[] = {0, CONNECTED(0), FUZZ_TLS_SEND_RECORD, 8, 0, 0, 0, 0, 0, 0, 200, 0,
    FUZZ_TLS_SEND_RECORDS, 60, 128, FUZZ_TLS_FLUSH, 0, FUZZ_TLS_TURN, 4, FUZZ_TLS_ALERT, 0,
    FUZZ_TLS_FLUSH, 0, FUZZ_TLS_TURN, 2, FUZZ_TLS_WAIT, 31, FUZZ_TLS_TURN, 2};
static const uint8_t stopped[] = {0, CONNECTED(0), OTHER(FUZZ_TLS_COME_WITH_TLS), 0,
    OTHER(FUZZ_TLS_SHAKE), OTHER(FUZZ_TLS_FLUSH), 0, FUZZ_TLS_TURN, 1, REQUEST(100), FUZZ_TLS_FLUSH,
    0, FUZZ_TLS_TURN, 1, FUZZ_TLS_STOP, OTHER(FUZZ_TLS_RESET), FUZZ_TLS_TURN, 1, FUZZ_TLS_ANSWER,
    FUZZ_TLS_WAIT, 1, FUZZ_TLS_TURN, 2};

void
make_corpus_tls(void)
{
#define WRITE(steps)                                                                               \
    make_corpus_write("fuzz_tls", #steps, (lp_slice){steps, sizeof(steps)}, (lp_slice){steps, 0})
    WRITE(nothing_of_tls);
    WRITE(hello_without_end);
    WRITE(silent);
    WRITE(last_word_and_reset);
    WRITE(last_word_and_close);
    WRITE(in_pieces);
    WRITE(changed);
    WRITE(with_certificate);
    WRITE(without_certificate);
    WRITE(takes_no_answers);
    WRITE(keys);
    WRITE(again);
    WRITE(large);
    WRITE(stopped);
#undef WRITE
}
