// SPDX-License-Identifier: Apache-2.0
#include "offline/unpack.h"

#include "common/base/lp_io.h"

#include <errno.h>
#include <lz4frame.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

enum {
    BUFFER_BYTES = 1 << 18,
    // The first bytes for a decoder. Then it asks for as many as it wants: with a block at a time,
    // everything before a damaged block has been unpacked, and the offset of the damage is the
    // block's.
    FIRST_BYTES = 5,
    // Bytes to read for a block. The decompressor asks for the next block together with the current
    // one; after damage it does not return the current block.
    LZ4_HEADER_BYTES = 4,
    ZSTD_HEADER_BYTES = 3,
};

// The outcome of one step of a decoder.
typedef enum step {
    STEP_MORE, // it wants to go on
    STEP_END,  // of the member or frame
    STEP_DAMAGED,
    STEP_NO_MEMORY,
} step;

// Input to be decoded, and room for the output. A decoder moves both.
typedef struct run {
    const uint8_t *in;
    size_t in_bytes;
    uint8_t *out;
    size_t out_bytes;
    size_t wanted_bytes; // of input, in the next run
    const char *why;     // of STEP_DAMAGED
} run;

// A kind of wrapping. A decoder is made for one member or frame.
typedef struct wrapping {
    const char *name; // if it has no decoder, the message that refuses it
    uint8_t magic[UNPACK_MAGIC_BYTES];
    uint8_t mask[UNPACK_MAGIC_BYTES]; // the bits of it that count
    void *(*create)(void);            // NULL: it is not unpacked
    step (*decode)(void *decoder, run *r);
    void (*destroy)(void *decoder);
} wrapping;

// without_header returns how many of the bytes that a decoder asks for are before the next header.
static size_t
without_header(size_t wanted_bytes, size_t header_bytes)
{
    return wanted_bytes > header_bytes ? wanted_bytes - header_bytes : wanted_bytes;
}

static void *
gzip_create(void)
{
    z_stream *stream = calloc(1, sizeof(*stream));
    if (stream != NULL && inflateInit2(stream, 15 + 16) != Z_OK) { // 15: any window; 16: gzip
        free(stream);
        return NULL;
    }
    return stream;
}

static step
gzip_decode(void *decoder, run *r)
{
    z_stream *stream = decoder;
    stream->next_in = (z_const Bytef *)(uintptr_t)r->in; // zlib only reads
    stream->avail_in = (uInt)r->in_bytes;
    stream->next_out = r->out;
    stream->avail_out = (uInt)r->out_bytes;
    int status = inflate(stream, Z_NO_FLUSH);
    r->in = stream->next_in;
    r->in_bytes = stream->avail_in;
    r->out = stream->next_out;
    r->out_bytes = stream->avail_out;
    r->wanted_bytes = BUFFER_BYTES;
    r->why = stream->msg == NULL ? "damaged" : stream->msg;
    switch (status) {
    case Z_OK:
    case Z_BUF_ERROR: // no progress with the available input
        return STEP_MORE;
    case Z_STREAM_END:
        return STEP_END;
    case Z_MEM_ERROR:
        return STEP_NO_MEMORY;
    default:
        return STEP_DAMAGED;
    }
}

static void
gzip_destroy(void *decoder)
{
    (void)inflateEnd(decoder);
    free(decoder);
}

static void *
lz4_create(void)
{
    LZ4F_dctx *context;
    return LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)) ? NULL : context;
}

static step
lz4_decode(void *decoder, run *r)
{
    size_t in_bytes = r->in_bytes;
    size_t out_bytes = r->out_bytes;
    size_t wanted = LZ4F_decompress(decoder, r->out, &out_bytes, r->in, &in_bytes, NULL);
    if (LZ4F_isError(wanted)) {
        r->why = LZ4F_getErrorName(wanted);
        return strcmp(r->why, "ERROR_allocation_failed") == 0 ? STEP_NO_MEMORY : STEP_DAMAGED;
    }
    r->in += in_bytes;
    r->in_bytes -= in_bytes;
    r->out += out_bytes;
    r->out_bytes -= out_bytes;
    r->wanted_bytes = without_header(wanted, LZ4_HEADER_BYTES);
    return wanted == 0 ? STEP_END : STEP_MORE;
}

static void
lz4_destroy(void *decoder)
{
    (void)LZ4F_freeDecompressionContext(decoder); // fails in the midst of a frame
}

static void *
zstd_create(void)
{
    return ZSTD_createDStream();
}

static step
zstd_decode(void *decoder, run *r)
{
    ZSTD_inBuffer in = {r->in, r->in_bytes, 0};
    ZSTD_outBuffer out = {r->out, r->out_bytes, 0};
    size_t wanted = ZSTD_decompressStream(decoder, &out, &in);
    if (ZSTD_isError(wanted)) {
        r->why = ZSTD_getErrorName(wanted);
        return ZSTD_getErrorCode(wanted) == ZSTD_error_memory_allocation ? STEP_NO_MEMORY
                                                                         : STEP_DAMAGED;
    }
    r->in += in.pos;
    r->in_bytes -= in.pos;
    r->out += out.pos;
    r->out_bytes -= out.pos;
    r->wanted_bytes = without_header(wanted, ZSTD_HEADER_BYTES);
    return wanted == 0 ? STEP_END : STEP_MORE;
}

static void
zstd_destroy(void *decoder)
{
    (void)ZSTD_freeDStream(decoder);
}

#define WHOLE_MAGIC                                                                                \
    {                                                                                              \
        0xff, 0xff, 0xff, 0xff                                                                     \
    }

static const wrapping wrappings[] = {
    {"gzip", {0x1f, 0x8b}, {0xff, 0xff}, gzip_create, gzip_decode, gzip_destroy},
    {"lz4", {0x04, 0x22, 0x4d, 0x18}, WHOLE_MAGIC, lz4_create, lz4_decode, lz4_destroy},
    {"zstd", {0x28, 0xb5, 0x2f, 0xfd}, WHOLE_MAGIC, zstd_create, zstd_decode, zstd_destroy},
    // A frame to be skipped: lz4 and zstd have the same, and pzstd begins files with one.
    {"zstd", {0x50, 0x2a, 0x4d, 0x18}, {0xf0, 0xff, 0xff, 0xff}, zstd_create, zstd_decode,
        zstd_destroy},
    {"compressed by xz; unpack it first (unxz)", {0xfd, '7', 'z', 'X'}, WHOLE_MAGIC, NULL, NULL,
        NULL},
    {"compressed by bzip2; unpack it first (bunzip2)", {'B', 'Z', 'h', '0'},
        {0xff, 0xff, 0xff, 0xf0}, NULL, NULL, NULL}, // a digit behind the h
    {"a zip archive; unpack it first (unzip)", {'P', 'K', 3, 4}, WHOLE_MAGIC, NULL, NULL, NULL},
};

static const wrapping *
find_wrapping(lp_slice begin)
{
    for (size_t i = 0; i < sizeof(wrappings) / sizeof(wrappings[0]); i++) {
        bool fits = begin.len >= UNPACK_MAGIC_BYTES;
        for (size_t k = 0; fits && k < UNPACK_MAGIC_BYTES; k++) {
            fits = (begin.ptr[k] & wrappings[i].mask[k]) == wrappings[i].magic[k];
        }
        if (fits) {
            return &wrappings[i];
        }
    }
    return NULL;
}

bool
unpack_is_packed(lp_slice begin)
{
    return find_wrapping(begin) != NULL;
}

// The state of unpack_copy.
typedef struct copy {
    int in;
    int out;
    const char *out_directory;
    lp_slice waiting; // input that was read and is not used yet: in in_bytes
    uint64_t offset;  // of it
    bool is_at_end;   // nothing more can be read
    lp_problem *damage;
    lp_problem *problem;
    uint8_t in_bytes[BUFFER_BYTES];
    uint8_t out_bytes[BUFFER_BYTES];
} copy;

static lp_err
write_out(copy *c, lp_slice bytes)
{
    if (lp_io_write_all(c->out, bytes) != LP_OK) {
        return lp_problem_set(c->problem, LP_EIO,
            "no room for it unpacked in %s (TMPDIR can name another directory): %s",
            c->out_directory, strerror(errno));
    }
    return LP_OK;
}

// fill reads until count bytes wait or nothing more comes.
static lp_err
fill(copy *c, size_t count)
{
    if (c->waiting.len > 0 && c->waiting.len < count) {
        memmove(c->in_bytes, c->waiting.ptr, c->waiting.len);
    }
    while (c->waiting.len < count && !c->is_at_end) {
        c->waiting.ptr = c->in_bytes;
        ssize_t got =
            lp_io_read(c->in, c->in_bytes + c->waiting.len, sizeof(c->in_bytes) - c->waiting.len);
        LP_REQUIRE(got >= 0, lp_problem_set(c->problem, LP_EIO, "%s", strerror(errno)));
        c->is_at_end = got == 0;
        c->waiting.len += (size_t)got;
    }
    return LP_OK;
}

static void
use(copy *c, size_t count)
{
    c->waiting.ptr += count;
    c->waiting.len -= count;
    c->offset += count;
}

// copy_rest copies the waiting input and all that follows it.
static lp_err
copy_rest(copy *c)
{
    lp_err err = LP_OK;
    while (err == LP_OK && c->waiting.len > 0) {
        err = write_out(c, c->waiting);
        use(c, c->waiting.len);
        LP_THEN(err, fill(c, 1));
    }
    return err;
}

// decode_some runs the decoder once and writes its output. *out_step may become STEP_DAMAGED.
static lp_err
decode_some(copy *c, const wrapping *w, void *decoder, run *r, step *out_step)
{
    LP_TRY(fill(c, 1));
    bool is_cut = c->waiting.len == 0;
    r->in = c->waiting.ptr;
    r->in_bytes = c->waiting.len < r->wanted_bytes ? c->waiting.len : r->wanted_bytes;
    r->out = c->out_bytes;
    r->out_bytes = sizeof(c->out_bytes);
    *out_step = w->decode(decoder, r);
    use(c, (size_t)(r->in - c->waiting.ptr));
    lp_slice out = {c->out_bytes, (size_t)(r->out - c->out_bytes)};
    LP_REQUIRE(*out_step != STEP_NO_MEMORY,
        lp_problem_set(c->problem, LP_ENOMEM, "%s: %s", w->name, lp_err_text(LP_ENOMEM)));
    if (*out_step == STEP_MORE && is_cut && out.len == 0) {
        *out_step = STEP_DAMAGED;
        r->why = "cut off";
    }
    return write_out(c, out);
}

// decode_member unpacks one member or frame. *out_is_damaged: it could not be read to its end.
static lp_err
decode_member(copy *c, const wrapping *w, bool *out_is_damaged)
{
    void *decoder = w->create();
    LP_REQUIRE(decoder != NULL,
        lp_problem_set(c->problem, LP_ENOMEM, "%s: %s", w->name, lp_err_text(LP_ENOMEM)));
    run r = {.wanted_bytes = FIRST_BYTES};
    step s = STEP_MORE;
    lp_err err = LP_OK;
    while (err == LP_OK && s == STEP_MORE) {
        err = decode_some(c, w, decoder, &r, &s);
    }
    *out_is_damaged = s == STEP_DAMAGED;
    if (*out_is_damaged) {
        (void)lp_problem_at(c->damage, LP_ECORRUPT, c->offset, "%s: %s", w->name, r.why);
    }
    w->destroy(decoder);
    return err;
}

static lp_err
copy_all(copy *c)
{
    bool is_damaged = false;
    while (!is_damaged) {
        lp_err err = fill(c, UNPACK_MAGIC_BYTES);
        if (err != LP_OK || c->waiting.len == 0) {
            return err;
        }
        const wrapping *w = find_wrapping(c->waiting);
        if (w == NULL && c->offset == 0) {
            return copy_rest(c);
        }
        LP_REQUIRE(w == NULL || w->create != NULL || c->offset != 0,
            lp_problem_set(c->problem, LP_ECORRUPT, "%s", w->name));
        if (w == NULL || w->create == NULL) {
            (void)lp_problem_at(c->damage, LP_ECORRUPT, c->offset,
                "what follows is not packed like what comes before");
            return LP_OK;
        }
        err = decode_member(c, w, &is_damaged);
        LP_REQUIRE(err == LP_OK, err);
    }
    return LP_OK;
}

lp_err
unpack_copy(
    int in, int out, const char *out_directory, lp_problem *out_damage, lp_problem *out_problem)
{
    copy *c = malloc(sizeof(*c));
    *out_damage = (lp_problem){.text = ""};
    LP_REQUIRE(c != NULL, lp_problem_set(out_problem, LP_ENOMEM, "%s", lp_err_text(LP_ENOMEM)));
    c->in = in;
    c->out = out;
    c->out_directory = out_directory;
    c->waiting = (lp_slice){0};
    c->offset = 0;
    c->is_at_end = false;
    c->damage = out_damage;
    c->problem = out_problem;
    lp_err err = copy_all(c);
    free(c);
    return err;
}
