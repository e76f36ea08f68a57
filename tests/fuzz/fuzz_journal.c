// SPDX-License-Identifier: Apache-2.0
// Any bytes as the journals of a session: the collector starts, keeps what it cuts off, and puts
// together what it has read. After that a second start finds nothing more to cut off.
//
//   input: 1 byte: bits below; 2 bytes, little-endian: how many bytes of the first journal; it; the
//   second. With BIT_FRAMED a journal is messages, each behind its length in 2 bytes, which become
//   records with the right checksum.

#include "fuzz.h"
#include "fuzz_collector.h"

#include "common/wire/wire.h"

#include <fcntl.h>
#include <unistd.h>

enum { HEAD_BYTES = 4, BIT_FRAMED = 1 << 0 };

static const char ID[] = "5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a";

// append appends records to a journal. What is no message never comes into one.
static void
append(journal *file, lp_slice bytes)
{
    for (size_t at = 0; at + 2 <= bytes.len;) {
        size_t len = (size_t)bytes.ptr[at] | (size_t)bytes.ptr[at + 1] << 8;
        at += 2;
        len = len < bytes.len - at ? len : bytes.len - at;
        Loupe__Wire__Request *message = loupe__wire__request__unpack(NULL, len, bytes.ptr + at);
        if (message != NULL) {
            LP_ASSERT(journal_append(file, (lp_slice){bytes.ptr + at, len}) == LP_OK);
            loupe__wire__request__free_unpacked(message, NULL);
        }
        at += len;
    }
}

static void
write_journal(const data_dir *dir, uint32_t ordinal, lp_slice bytes, bool is_framed)
{
    const data_path path = data_dir_at(dir, DATA_DIR_JOURNAL, ID, ordinal);
    journal *file;
    if (is_framed) {
        LP_ASSERT(journal_open(path.text, &file) == LP_OK);
        append(file, bytes);
        journal_unref(file);
    } else {
        int fd = open(path.text, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        LP_ASSERT(fd >= 0 && write(fd, bytes.ptr, bytes.len) == (ssize_t)bytes.len);
        LP_ASSERT(close(fd) == 0);
    }
}

static void
write_journals(const data_dir *dir, uint8_t bits, uint8_t ordinal, lp_slice first, lp_slice second)
{
    LP_ASSERT(mkdir(data_dir_at(dir, DATA_DIR_SESSION_JOURNALS, ID).text, 0700) == 0);
    write_journal(dir, ordinal, first, (bits & BIT_FRAMED) != 0);
    write_journal(dir, ordinal + 1U, second, (bits & BIT_FRAMED) != 0);
}

static void
add_size(void *arg, session *s)
{
    for (size_t i = 0; i < s->chunk_count; i++) {
        *(uint64_t *)arg += journal_get_size(s->chunks[i].journal);
    }
}

// start starts a collector, and returns how many bytes of journals it has.
static uint64_t
start(fuzz_collector *c)
{
    uint64_t size_bytes = 0;
    LP_ASSERT(recovery_run(c->sessions, &(recovery_config){0}, NULL) == LP_OK);
    sessions_each(c->sessions, fuzz_collector_check, NULL);
    sessions_each(c->sessions, add_size, &size_bytes);
    sessions_destroy(c->sessions);
    return size_bytes;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    if (count < HEAD_BYTES) {
        return 0;
    }
    size_t first_bytes = (size_t)bytes[2] | (size_t)bytes[3] << 8;
    if (first_bytes > count - HEAD_BYTES) {
        return 0;
    }
    const lp_slice first = {bytes + HEAD_BYTES, first_bytes};
    const lp_slice second = {first.ptr + first_bytes, count - HEAD_BYTES - first_bytes};
    fuzz_collector c = fuzz_collector_begin();
    write_journals(c.dir, bytes[0], bytes[1], first, second);
    uint64_t size_bytes = start(&c);
    fuzz_collector_open_sessions(&c);
    LP_ASSERT(start(&c) == size_bytes);
    fuzz_collector_open_sessions(&c);
    fuzz_collector_end(&c);
    return 0;
}
