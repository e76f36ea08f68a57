// SPDX-License-Identifier: Apache-2.0
#include "cli/serve/feed.h"

#include "common/base/lp_ends_with.h"
#include "common/base/lp_io.h"
#include "common/base/lp_printable.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

// The wire is drawn in collector/net/sp_frame.h: this is its other side.
enum {
    GREETING_BYTES = 8,
    PREFIX_BYTES = 9,
    ID_BYTES = 4,
    UNIX_MESSAGE = 1,
};

static const uint8_t own_greeting[GREETING_BYTES] = {0, 'S', 'P', 0, 0, 0x30, 0, 0};
static const uint8_t its_greeting[GREETING_BYTES] = {0, 'S', 'P', 0, 0, 0x31, 0, 0};

static lp_err
fail(lp_problem *problem, lp_err err)
{
    return lp_problem_set(problem, err, "the collector cannot be reached: %s", lp_err_reason(err));
}

static lp_err
read_all(const feed *self, void *out, size_t size)
{
    for (size_t at = 0; at < size;) {
        ssize_t got = lp_io_read(self->fd, (uint8_t *)out + at, size - at);
        if (got <= 0) {
            errno = got == 0 ? ECONNRESET : errno;
            return LP_EIO;
        }
        at += (size_t)got;
    }
    return LP_OK;
}

static void
put_number(uint64_t number, size_t bytes, uint8_t *out)
{
    for (size_t i = 0; i < bytes; i++) {
        out[i] = (uint8_t)(number >> 8 * (bytes - 1 - i));
    }
}

static uint64_t
take_number(const uint8_t *in, size_t bytes)
{
    uint64_t number = 0;
    for (size_t i = 0; i < bytes; i++) {
        number = number << 8 | in[i];
    }
    return number;
}

lp_err
feed_open(const char *path, bool (*is_ending)(void *arg), feed *out, lp_problem *out_problem)
{
    *out = (feed){.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), .is_ending = is_ending};
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    LP_REQUIRE(strlen(path) < sizeof(address.sun_path),
        lp_problem_set(out_problem, LP_ELIMIT, "%s is too long for a socket", path));
    memcpy(address.sun_path, path, strlen(path) + 1);
    uint8_t greeting[GREETING_BYTES];
    if (out->fd < 0 || connect(out->fd, (const struct sockaddr *)&address, sizeof(address)) != 0 ||
        lp_io_write_all(out->fd, (lp_slice){own_greeting, GREETING_BYTES}) != LP_OK ||
        read_all(out, greeting, sizeof(greeting)) != LP_OK) {
        return fail(out_problem, LP_EIO);
    }
    return memcmp(greeting, its_greeting, GREETING_BYTES) == 0
               ? LP_OK
               : lp_problem_set(out_problem, LP_EIO, "no collector answers at %s", path);
}

void
feed_close(feed *self)
{
    if (self->fd >= 0) {
        (void)close(self->fd);
    }
    *self = (feed){.fd = -1};
}

// send_message sends a request. Errors: LP_EIO, LP_ENOMEM
static lp_err
send_message(feed *self, const Loupe__Wire__Request *request)
{
    lp_buf message = {0};
    size_t size = loupe__wire__request__get_packed_size(request);
    uint8_t *bytes = lp_buf_extend(&message, PREFIX_BYTES + ID_BYTES + size);
    LP_REQUIRE(bytes != NULL, LP_ENOMEM);
    bytes[0] = UNIX_MESSAGE;
    put_number(ID_BYTES + size, PREFIX_BYTES - 1, bytes + 1);
    put_number(UINT32_C(1) << 31 | ++self->request_id, ID_BYTES, bytes + PREFIX_BYTES);
    (void)loupe__wire__request__pack(request, bytes + PREFIX_BYTES + ID_BYTES);
    lp_err err = lp_io_write_all(self->fd, lp_buf_slice(&message));
    lp_buf_fini(&message);
    return err;
}

// receive waits for the answer. Errors: LP_EIO, LP_ENOMEM
static lp_err
receive(feed *self, Loupe__Wire__Reply **out_reply)
{
    uint8_t prefix[PREFIX_BYTES];
    lp_err err = read_all(self, prefix, sizeof(prefix));
    uint64_t size = take_number(prefix + 1, PREFIX_BYTES - 1);
    if (err != LP_OK || size < ID_BYTES || size > WIRE_REPLY_BYTES_MAX) {
        errno = err == LP_OK ? EPROTO : errno;
        return LP_EIO;
    }
    lp_buf message = {0};
    uint8_t *bytes = lp_buf_extend(&message, (size_t)size);
    err = bytes == NULL ? LP_ENOMEM : read_all(self, bytes, (size_t)size);
    if (err == LP_OK) {
        *out_reply = loupe__wire__reply__unpack(NULL, (size_t)size - ID_BYTES, bytes + ID_BYTES);
        errno = EPROTO;
        err = *out_reply == NULL ? LP_EIO : LP_OK;
    }
    lp_buf_fini(&message);
    return err;
}

// ask sends a request, again and again while the collector is busy.
static lp_err
ask(feed *self, Loupe__Wire__Request *request, lp_problem *out_problem)
{
    request->version = WIRE_VERSION;
    for (uint64_t put_off_ms = 0;;) {
        LP_REQUIRE(!self->is_ending(NULL),
            lp_problem_set(out_problem, LP_ECLOSED, "ended before all was read"));
        Loupe__Wire__Reply *reply;
        lp_err err = send_message(self, request);
        LP_THEN(err, receive(self, &reply));
        LP_REQUIRE(err == LP_OK, fail(out_problem, err));
        Loupe__Wire__Reply__Status status = reply->status;
        uint32_t again_ms = reply->again_after_ms == 0 ? FEED_AGAIN_MS : reply->again_after_ms;
        if (status != LOUPE__WIRE__REPLY__STATUS__OK) {
            (void)lp_problem_set(out_problem, LP_ECORRUPT, "%s", reply->message);
        }
        loupe__wire__reply__free_unpacked(reply, NULL);
        if (status != LOUPE__WIRE__REPLY__STATUS__BUSY) {
            return status == LOUPE__WIRE__REPLY__STATUS__OK ? LP_OK : LP_ECORRUPT;
        }
        put_off_ms += again_ms;
        if (put_off_ms > FEED_PUT_OFF_MS_MAX) {
            return LP_ELIMIT; // out_problem has the collector's reason
        }
        (void)nanosleep(&(struct timespec){.tv_sec = again_ms / 1000,
                            .tv_nsec = (long)(again_ms % 1000) * 1000000},
            NULL);
    }
}

// greet begins a session with an id and a secret of its own.
static lp_err
greet(feed *self, const char *file, int64_t start_wall_ns, lp_problem *out_problem)
{
    uint8_t secret[WIRE_SECRET_BYTES];
    self->sequence = 0;
    self->chunk = 0;
    if (getrandom(self->session, sizeof(self->session), 0) != (ssize_t)sizeof(self->session) ||
        getrandom(secret, sizeof(secret), 0) != (ssize_t)sizeof(secret)) {
        return lp_problem_set(out_problem, LP_EIO, "the system has no random bytes");
    }
    char service[FEED_NAME_BYTES];
    char instance[FEED_NAME_BYTES];
    feed_name_service(file, service);
    (void)lp_printable(file, instance, sizeof(instance));
    Loupe__Wire__Hello hello = LOUPE__WIRE__HELLO__INIT;
    hello.session = (ProtobufCBinaryData){sizeof(self->session), self->session};
    hello.secret = (ProtobufCBinaryData){sizeof(secret), secret};
    hello.service = service;
    hello.instance = instance;
    hello.start_wall_ns = start_wall_ns;
    Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_HELLO;
    request.hello = &hello;
    return ask(self, &request, out_problem);
}

// send_batch sends bytes of the chunk from an offset on; where it is the end, with its header.
static lp_err
send_batch(feed *self, lp_slice chunk, size_t offset, bool is_last, lp_problem *out_problem)
{
    size_t left = chunk.len - offset;
    lp_slice jfr = {
        chunk.ptr + offset, left < WIRE_BULK_BYTES_MAX ? left : (size_t)WIRE_BULK_BYTES_MAX};
    uint8_t header[JFR_CHUNK_HEADER_SIZE];
    lp_buf packed = {0};
    Loupe__Wire__Batch batch = LOUPE__WIRE__BATCH__INIT;
    if (wire_compress(jfr, &packed) != LP_OK) {
        lp_buf_fini(&packed);
        return fail(out_problem, LP_ENOMEM);
    }
    batch.session = (ProtobufCBinaryData){sizeof(self->session), self->session};
    batch.sequence = self->sequence++;
    batch.chunk = self->chunk;
    batch.chunk_offset = offset;
    batch.jfr_zstd = (ProtobufCBinaryData){packed.len, packed.ptr};
    batch.jfr_size = (uint32_t)jfr.len;
    if (jfr.len == left) {
        memcpy(header, chunk.ptr, sizeof(header));
        jfr_chunk_set_size(header, chunk.len); // also of one that was cut off
        batch.chunk_header = (ProtobufCBinaryData){sizeof(header), header};
        batch.is_last = is_last;
    }
    Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_BATCH;
    request.batch = &batch;
    lp_err err = ask(self, &request, out_problem);
    lp_buf_fini(&packed);
    return err;
}

lp_err
feed_session(
    feed *self, const char *file, const input_chunk *chunks, size_t count, lp_problem *out_problem)
{
    lp_err err = greet(self, file, chunks[0].info.start_wall_ns, out_problem);
    for (size_t i = 0; i < count && err == LP_OK; i++, self->chunk++) {
        lp_slice bytes = chunks[i].bytes;
        for (size_t at = 0; at < bytes.len && err == LP_OK; at += WIRE_BULK_BYTES_MAX) {
            err = send_batch(self, bytes, at, i + 1 == count, out_problem);
        }
        recording_file_release(chunks[i].file, bytes);
    }
    return err;
}

void
feed_name_service(const char *file, char out_name[FEED_NAME_BYTES])
{
    const char *slash = strrchr(file, '/');
    size_t len = lp_printable(slash == NULL ? file : slash + 1, out_name, FEED_NAME_BYTES);
    static const char *const suffixes[] = {".gz", ".lz4", ".zst", ".jfr"};
    for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
        size_t suffix = strlen(suffixes[i]);
        if (len > suffix && lp_ends_with(out_name, len, suffixes[i])) {
            len -= suffix;
            out_name[len] = '\0';
        }
    }
    if (len == 0) {
        (void)snprintf(out_name, FEED_NAME_BYTES, "unnamed");
    }
}
