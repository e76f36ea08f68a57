// SPDX-License-Identifier: Apache-2.0

// sp_frame: NNG's wire protocol ("SP") on a stream. Numbers are big-endian.
//
//   greeting of each side:        0 'S' 'P' 0, its protocol (16 bits), 0 0
//   messages over TCP:            size (64 bits), and as many bytes
//   messages over a Unix socket:  1, size (64 bits), and as many bytes
//
// A request begins with a header, which the answer repeats. The header is a list of 32-bit ids, one
// for each socket that the request passed. The last id is the sender's, and has its highest bit
// set.
//
// An sp_reader parses the bytes of a requester. It provides the memory for the next bytes, so
// nothing is copied. It allocates a message only when its owner agrees.
//
// Threads: any thread.

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

enum {
    SP_GREETING_BYTES = 8,
    SP_PREFIX_BYTES_MAX = 9, // of the size, and the mark of a Unix socket
    SP_IDS_MAX = 16,         // of a header; NNG's limit, too
    SP_HEADER_BYTES_MAX = SP_IDS_MAX * 4,
    // The bytes of a larger message that arrive before memory for the rest is allocated.
    SP_FIRST_BYTES = 256 << 10,
    SP_READER_PIECES = 2,
};

typedef enum sp_transport { SP_TCP, SP_UNIX } sp_transport;

typedef enum sp_event {
    SP_WAITS,     // needs more bytes
    SP_ANNOUNCED, // a message of size_bytes follows; sp_reader_admit allocates it
    SP_MESSAGE,   // the message is complete; sp_reader_take takes it
    // After these, close the connection.
    SP_FOREIGN,   // the peer is not a requester, or does not speak SP
    SP_TOO_LARGE, // a message over the limit follows
    SP_NO_MEMORY,
} sp_event;

typedef struct sp_message {
    uint8_t *bytes; // malloc'ed
    size_t size_bytes;
} sp_message;

typedef struct sp_reader {
    sp_transport transport;
    size_t message_bytes_max; // header included
    bool is_greeted;
    bool is_admitted;
    uint8_t prefix[SP_PREFIX_BYTES_MAX]; // or the greeting
    size_t prefix_count;                 // bytes of it that were read
    sp_message message;                  // size_bytes as announced
    size_t count;                        // bytes of the message that were read
    size_t capacity;
} sp_reader;

// sp_reader_fini frees a message that was not taken.
void sp_reader_fini(sp_reader *reader);

// sp_reader_get_room writes to out_pieces where to read the next bytes to, and returns the number
// of pieces. 0: call sp_reader_next first.
int sp_reader_get_room(sp_reader *reader, struct iovec out_pieces[SP_READER_PIECES]);

// sp_reader_fill notes that count bytes were read into the pieces of sp_reader_get_room.
void sp_reader_fill(sp_reader *reader, size_t count);

sp_event sp_reader_next(sp_reader *reader);

// sp_reader_admit allocates the announced message. Errors: LP_ENOMEM
LP_MUST_USE lp_err sp_reader_admit(sp_reader *reader);

// sp_reader_take returns the message; the caller frees its bytes.
sp_message sp_reader_take(sp_reader *reader);

// sp_reader_is_partial returns whether a greeting or message has begun and is not complete.
bool sp_reader_is_partial(const sp_reader *reader);

// sp_find_header returns the size of a request's header; 0 if it has none.
size_t sp_find_header(lp_slice request);

// sp_greet writes the greeting of the answering side, which is the collector.
void sp_greet(uint8_t out_greeting[SP_GREETING_BYTES]);

// sp_encode_prefix writes the prefix of a message of size_bytes, and returns the prefix's size.
size_t sp_encode_prefix(
    sp_transport transport, size_t size_bytes, uint8_t out_prefix[SP_PREFIX_BYTES_MAX]);
