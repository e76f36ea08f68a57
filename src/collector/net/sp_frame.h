// SPDX-License-Identifier: Apache-2.0

// sp_frame: the bytes of NNG's wire protocol ("SP") on a stream. Numbers are big-endian.
//
//   each side begins with 8 bytes:  0 'S' 'P' 0, its protocol (16 bits), 0 0
//   then messages, over TCP:        size (64 bits), and as many bytes
//                  over a Unix socket:  1, size (64 bits), and as many bytes
//
// A request begins with a header that the answer has as well: 32-bit ids, one from each socket that
// it came through. The last id, which is the sender's own, has its highest bit set.
//
// A reader reads what a requester sends. It says where the next bytes go, so that nothing is copied
// and nothing is read that has no place yet, and waits for its owner's leave before it takes memory
// for a message.
//
// Threads: any thread.

#ifndef LP_COLLECTOR_SERVER_SP_FRAME_H
#define LP_COLLECTOR_SERVER_SP_FRAME_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

enum {
    SP_GREETING_BYTES = 8,
    SP_PREFIX_BYTES_MAX = 9, // what comes before a message
    SP_IDS_MAX = 16,         // of a header; NNG's sockets let no more through
    SP_HEADER_BYTES_MAX = SP_IDS_MAX * 4,
    SP_FIRST_BYTES = 256 << 10, // the rest of a larger message gets memory once these are there
    SP_READER_PIECES = 2,
};

typedef enum sp_transport { SP_TCP, SP_UNIX } sp_transport;

typedef enum sp_event {
    SP_WAITS,     // for bytes
    SP_ANNOUNCED, // a message of size_bytes comes; sp_reader_admit has it read
    SP_MESSAGE,   // it is there; sp_reader_take takes it
    SP_FOREIGN,   // this is no requester, or nothing that speaks SP at all
    SP_TOO_LARGE, // a message over the limit comes
    SP_NO_MEMORY,
} sp_event;

// After the last three there is nothing to do but to end the connection.

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
    size_t prefix_count;                 // bytes of it that are there
    sp_message message;                  // size_bytes: announced
    size_t count;                        // bytes of the message that are there
    size_t capacity;
} sp_reader;

// sp_reader_fini frees a message that was not taken.
void sp_reader_fini(sp_reader *reader);

// sp_reader_get_room writes where the next bytes go, and returns the number of pieces: 0 if
// sp_reader_next has something to say first.
int sp_reader_get_room(sp_reader *reader, struct iovec out_pieces[SP_READER_PIECES]);

// sp_reader_fill notes that the first count bytes of that room are there.
void sp_reader_fill(sp_reader *reader, size_t count);

// sp_reader_next returns what has become of the bytes so far.
sp_event sp_reader_next(sp_reader *reader);

// sp_reader_admit takes memory for the message that was announced. Errors: LP_ENOMEM
LP_MUST_USE lp_err sp_reader_admit(sp_reader *reader);

// sp_reader_take returns the message; the caller frees its bytes.
sp_message sp_reader_take(sp_reader *reader);

// sp_reader_is_amid returns whether the end of something that has begun, the greeting or a message,
// is still to come.
bool sp_reader_is_amid(const sp_reader *reader);

// sp_find_header returns the size of the header that a request begins with; 0 if it has none.
size_t sp_find_header(lp_slice request);

// sp_greet writes how the side of the collector, which answers, begins.
void sp_greet(uint8_t out_greeting[SP_GREETING_BYTES]);

// sp_encode_prefix writes what comes before a message of size_bytes, and returns its size.
size_t sp_encode_prefix(
    sp_transport transport, size_t size_bytes, uint8_t out_prefix[SP_PREFIX_BYTES_MAX]);

#endif // LP_COLLECTOR_SERVER_SP_FRAME_H
