// SPDX-License-Identifier: Apache-2.0

// ctx_record: the records that the Java API writes into a ring. The agent ships them and the
// collector reads them unchanged.
//
// Records are native little-endian, start at multiples of 8 and are multiples of 8 bytes long:
//
//   OFFSET  SIZE  FIELD
//        0     4  size of the whole record in bytes
//        4     2  type id, as registered; 0 with CTX_RECORD_THREAD_END
//        6     1  kind, ctx_record_kind
//        7     1  0; in a ring CTX_RECORD_LOOSE, if other rings have records of the thread, too
//        8     8  Java thread id (Thread.threadId); virtual threads are threads of their own
//       16     8  time, JFR ticks
//       24     -  with CTX_RECORD_SET: the attributes' values, in the order of the type
//
// A value of a primitive kind is 8 bytes: integers sign-extended, char and boolean zero-extended,
// float as its zero-extended and double as its plain IEEE-754 bits. A string is
//
//        0     4  length in bytes, at most CTX_STRING_BYTES_MAX: a longer one is damage;
//                 CTX_STRING_NULL for null: only the coder follows then
//        4     4  coder as in java.lang.String: 0 = Latin-1, 1 = UTF-16 little-endian
//        8     -  the bytes, padded with zeros to a multiple of 8
//
// CTX_RECORD_SET ends the thread's open context of this type, if any, and begins a new one at the
// same tick. CTX_RECORD_UNSET ends the open one; it has no effect if none is open.
// CTX_RECORD_THREAD_END ends every open context of the thread (type id 0). If records of any thread
// may have been lost from a time on, the agent writes CTX_RECORD_THREAD_END with that time and the
// thread id CTX_THREAD_ALL. It ends every open context of every thread at that time; a context that
// began later ends at its own begin.
//
// A type may complete another type (ctx_type.completes) whose contexts get one of their values
// late. The completing type has two attributes of the other type, with the same names: a key and a
// text. Its CTX_RECORD_SET begins no context; it gives the text to all contexts with this key,
// whenever they began. The CTX_RECORD_UNSET after it is for collectors that do not know such types.
//
// A type may be the type of hand-overs (ctx_type.is_hand_over). Its CTX_RECORD_SET begins no
// context: the thread starts a task at that time and sets the task's contexts afterwards. Its two
// values, longs, are the id of the thread that handed the task over and the time at which it did
// so, in JFR ticks.
//
// A type may be the type of roots (ctx_type.is_root). Its CTX_RECORD_SET begins no context: a
// request begins or ends at that time, on any thread. Its two values are the key of the request and
// whether it ends. The name of the key's attribute says which values of contexts are keys of
// requests. CTX_ROOT_API means the request ids of RecordingContexts; any other name means the
// attributes with that name.
//
// Records of one thread are always in order; those of different threads are not.
//
// This layout is part of the wire protocol: see proto/README.md.
//
// Threads: a layout only; the users of the bytes say who may read and write them.
// Tests:   tests/unit/common/context/test_ctx_pack.c

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    CTX_RECORD_HEADER_BYTES = 24,
    CTX_STRING_HEADER_BYTES = 8,
    CTX_TYPE_ATTRIBUTES_MAX = 16,           // of one type
    CTX_ATTRIBUTES_MAX = 32,                // of all registered types of a JVM
    CTX_TYPES_MAX = CTX_ATTRIBUTES_MAX + 3, // with the three built-in ones; also the highest
                                            // type id of a JVM
    CTX_RECORDING_KEYS_MAX = 64,            // distinct keys in the RecordingContexts of a JVM
    CTX_VALUE_BYTES_MAX = 1024,             // of one string, as UTF-8
    CTX_STRING_BYTES_MAX = 2 * CTX_VALUE_BYTES_MAX, // of one string in a record: UTF-16
    // The largest record: each attribute a UTF-16 string of the longest kind.
    CTX_RECORD_BYTES_MAX =
        CTX_RECORD_HEADER_BYTES +
        CTX_TYPE_ATTRIBUTES_MAX * (CTX_STRING_HEADER_BYTES + CTX_STRING_BYTES_MAX),
};

static const uint32_t CTX_STRING_NULL = 0xffffffff;
static const int64_t CTX_THREAD_ALL = 0; // Java's thread ids begin at 1

typedef enum ctx_record_kind {
    CTX_RECORD_SET = 1,
    CTX_RECORD_UNSET = 2,
    CTX_RECORD_THREAD_END = 3,
} ctx_record_kind;

enum { CTX_RECORD_LOOSE = 1 }; // a flag; never leaves the agent

typedef enum ctx_kind {
    CTX_BOOLEAN = 1,
    CTX_BYTE,
    CTX_CHAR,
    CTX_SHORT,
    CTX_INT,
    CTX_LONG,
    CTX_FLOAT,
    CTX_DOUBLE,
    CTX_STRING,
    CTX_HEX, // a long, shown to people as 16 hexadecimal digits
} ctx_kind;

#define CTX_ROOT_API "request"

// A bit in the request ids of RecordingContexts. If it is set, records of roots say when the
// request begins and ends.
enum { CTX_REQUEST_ROOTED = 1 };

typedef struct ctx_record_header {
    uint32_t size_bytes;
    uint16_t type_id;
    uint8_t kind;
    uint8_t flags;
    int64_t thread_id;
    int64_t time_ticks;
} ctx_record_header;

_Static_assert(sizeof(ctx_record_header) == CTX_RECORD_HEADER_BYTES, "see above");

// ctx_record_read returns the header of the record at `at`. It reads each byte once.
static inline ctx_record_header
ctx_record_read(const uint8_t *at)
{
    uint64_t first; // the fields come from registers, unlike those of a copied ctx_record_header
    int64_t thread_id;
    int64_t time_ticks;
    memcpy(&first, at, sizeof(first));
    memcpy(&thread_id, at + sizeof(first), sizeof(thread_id));
    memcpy(&time_ticks, at + sizeof(first) + sizeof(thread_id), sizeof(time_ticks));
    return (ctx_record_header){
        .size_bytes = (uint32_t)first,
        .type_id = (uint16_t)(first >> 32),
        .kind = (uint8_t)(first >> 48),
        .flags = (uint8_t)(first >> 56),
        .thread_id = thread_id,
        .time_ticks = time_ticks,
    };
}

// ctx_record_is_valid returns whether a record can have this header, with `left` bytes from its
// begin on.
static inline bool
ctx_record_is_valid(const ctx_record_header *header, size_t left)
{
    bool is_end = header->kind == CTX_RECORD_THREAD_END;
    return header->size_bytes >= CTX_RECORD_HEADER_BYTES &&
           header->size_bytes <= CTX_RECORD_BYTES_MAX && header->size_bytes % 8 == 0 &&
           header->size_bytes <= left && (header->type_id != 0) != is_end &&
           (header->kind == CTX_RECORD_SET || header->kind == CTX_RECORD_UNSET || is_end);
}

// A context type, as registered. Strings are UTF-8 and never NULL; label and description may be
// empty.
typedef struct ctx_attribute {
    ctx_kind kind;
    char *name;
    char *label;
    char *description;
    bool is_root_key; // contexts with the same value are of one request
} ctx_attribute;

typedef struct ctx_type {
    uint16_t id; // 1 and up, unique in a session
    char *name;
    char *label;
    char *description;
    // Its contexts are RecordingContexts: the first attribute is the id of the map
    // (ctx_recording.h), the second the id of the request, 0 for none. The collector writes the
    // keys of the map as attributes instead.
    bool is_recording;
    // Its records are hand-overs of tasks. The collector does not write this type.
    bool is_hand_over;
    // Its records say when requests begin and end. The collector does not write this type.
    bool is_root;
    uint16_t completes;     // the id of the type that it completes; 0: none
    size_t attribute_count; // 1..CTX_TYPE_ATTRIBUTES_MAX as it is registered
    ctx_attribute attributes[CTX_RECORDING_KEYS_MAX];
} ctx_type;
