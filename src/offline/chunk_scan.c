// SPDX-License-Identifier: Apache-2.0
#include "offline/chunk_scan.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_event.h"
#include "common/jfr/jfr_metadata.h"
#include "common/jfr/jfr_string.h"
#include "common/jfr/jfr_varint.h"

#include <stdbool.h>
#include <string.h>

enum {
    WINDOW_BYTES = 1 << 24, // that are searched before they are passed on
    MAGIC_BYTES = 4,
    METADATA_STRINGS = 8,               // strings of metadata to check; all metadata has more
    METADATA_BYTES = 1 << 12,           // the checked strings lie in these bytes
    COPY_COUNT = JFR_CHUNK_HEADER_SIZE, // array length in front of a copied header
};

// The bytes of the file from offset on.
static lp_slice
rest_of(const chunk_scan *scan, uint64_t offset)
{
    return (lp_slice){scan->bytes.ptr + offset, (size_t)(scan->bytes.len - offset)};
}

// is_run_of_events returns whether events fill the range [begin, end) exactly.
static bool
is_run_of_events(const chunk_scan *scan, uint64_t begin, uint64_t end)
{
    jfr_cursor rest = {scan->bytes.ptr + begin, scan->bytes.ptr + end};
    jfr_event e;
    lp_err err;
    while ((err = jfr_event_next(&rest, &e)) == LP_OK) {
    }
    return err == LP_EEND;
}

// How bytes bear on the guess that something is there.
typedef enum evidence {
    EVIDENCE_AGAINST,
    EVIDENCE_NONE, // it would lie where the bytes have ended
    EVIDENCE_FOR,
} evidence;

// see_event checks for an event of that type at the offset that the header gives, followed by
// another event or the end of the chunk. bytes begin with the header.
static evidence
see_event(lp_slice bytes, const jfr_chunk_info *info, uint64_t offset, uint64_t type_id,
    jfr_event *out_event)
{
    bool is_cut = info->size_bytes > bytes.len;
    uint64_t end = is_cut ? bytes.len : info->size_bytes;
    if (offset == 0 || offset >= end) {
        return EVIDENCE_NONE;
    }
    jfr_cursor rest = {bytes.ptr + offset, bytes.ptr + end};
    jfr_event next;
    if (jfr_event_next(&rest, out_event) != LP_OK) {
        return is_cut ? EVIDENCE_NONE : EVIDENCE_AGAINST;
    }
    if (out_event->type_id != type_id || (jfr_event_next(&rest, &next) == LP_ECORRUPT && !is_cut)) {
        return EVIDENCE_AGAINST;
    }
    return EVIDENCE_FOR;
}

// begins_like_metadata looks at what follows the type of a metadata event.
static bool
begins_like_metadata(jfr_cursor payload)
{
    uint64_t string_count;
    if (jfr_cursor_left(&payload) > METADATA_BYTES) {
        payload.end = payload.at + METADATA_BYTES;
    }
    bool is_good = jfr_varint_skip_many(&payload, 3) && // start, duration, metadata id
                   jfr_varint_read(&payload, &string_count) && string_count >= METADATA_STRINGS;
    for (int i = 0; i < METADATA_STRINGS && is_good; i++) {
        uint64_t key;
        is_good = jfr_string_skip(&payload, &key) && key == 0;
    }
    return is_good;
}

static evidence
see_metadata(lp_slice bytes, const jfr_chunk_info *info)
{
    jfr_event e;
    evidence found = see_event(bytes, info, info->metadata_offset, JFR_TYPE_ID_METADATA, &e);
    return found == EVIDENCE_FOR && !begins_like_metadata(e.payload) ? EVIDENCE_AGAINST : found;
}

static evidence
see_checkpoint(lp_slice bytes, const jfr_chunk_info *info)
{
    jfr_event e;
    evidence found = see_event(bytes, info, info->checkpoint_offset, JFR_TYPE_ID_CHECKPOINT, &e);
    uint64_t delta; // to the checkpoint before: 0, or negative
    if (found == EVIDENCE_FOR && (!jfr_varint_skip_many(&e.payload, 2) || // start, duration
                                     !jfr_varint_read(&e.payload, &delta) ||
                                     (delta != 0 && 0 - delta > info->checkpoint_offset))) {
        found = EVIDENCE_AGAINST;
    }
    return found;
}

// is_copy returns whether what looks like a header is the constant that a chunk has of its own. The
// header in it was taken when the checkpoint that holds it was complete: it knows where that event
// begins, and that it ends with the copy.
static bool
is_copy(const chunk_scan *scan, uint64_t offset, const jfr_chunk_info *info)
{
    uint64_t before = info->size_bytes - JFR_CHUNK_HEADER_SIZE - info->checkpoint_offset;
    if (info->checkpoint_offset == 0 || before > offset) {
        return false;
    }
    const uint8_t *copy_end = scan->bytes.ptr + offset + JFR_CHUNK_HEADER_SIZE;
    jfr_cursor around = {scan->bytes.ptr + (offset - before), copy_end};
    jfr_event e;
    return jfr_event_next(&around, &e) == LP_OK && e.type_id == JFR_TYPE_ID_CHECKPOINT &&
           around.at == copy_end;
}

// is_like_before returns whether the header is one of the chunk before, which has begun only once.
static bool
is_like_before(const chunk_scan *scan, const jfr_chunk_info *info)
{
    return info->start_ticks == scan->before.start_ticks &&
           info->start_wall_ns == scan->before.start_wall_ns;
}

// has_start_within returns whether a chunk begins within what would be the header at offset, which
// then was cut off before that.
static bool
has_start_within(const chunk_scan *scan, uint64_t offset)
{
    lp_slice bytes = rest_of(scan, offset + 1);
    size_t size = bytes.len < JFR_CHUNK_HEADER_SIZE + MAGIC_BYTES - 2
                      ? bytes.len
                      : JFR_CHUNK_HEADER_SIZE + MAGIC_BYTES - 2;
    const uint8_t *magic = memmem(bytes.ptr, size, "FLR", MAGIC_BYTES);
    LP_REQUIRE(magic != NULL, false);
    lp_slice chunk = rest_of(scan, (uint64_t)(magic - scan->bytes.ptr));
    jfr_chunk_info info;
    return jfr_chunk_parse(chunk, &info, NULL) == LP_OK &&
           see_metadata(chunk, &info) == EVIDENCE_FOR;
}

// read_start reads the header at offset, where the previous chunk ends. Errors: as jfr_chunk_parse
static lp_err
read_start(
    const chunk_scan *scan, uint64_t offset, jfr_chunk_info *out_info, lp_problem *out_problem)
{
    lp_slice bytes = rest_of(scan, offset);
    lp_err err = jfr_chunk_parse_cut(bytes, out_info, out_problem);
    LP_REQUIRE(err != LP_OK || !has_start_within(scan, offset),
        lp_problem_set(out_problem, LP_ECORRUPT, "a header that is cut off"));
    if (err != LP_OK || offset == 0) {
        return err;
    }
    bool is_doubtful = is_copy(scan, offset, out_info);
    if ((is_doubtful || is_like_before(scan, out_info)) &&
        (see_metadata(bytes, out_info) != EVIDENCE_FOR ||
            (is_doubtful && see_checkpoint(bytes, out_info) != EVIDENCE_FOR))) {
        return lp_problem_set(out_problem, LP_ECORRUPT, "a chunk's copy of its own header");
    }
    return LP_OK;
}

static bool
is_start(const chunk_scan *scan, uint64_t offset)
{
    jfr_chunk_info info;
    return read_start(scan, offset, &info, NULL) == LP_OK;
}

// is_likely_start returns whether a chunk begins at offset (above 0), where magic is and nothing
// else known. The offsets in a header tell best: they lead somewhere. The rest is for chunks that
// are damaged there, or cut off.
static bool
is_likely_start(const chunk_scan *scan, uint64_t offset)
{
    lp_slice bytes = rest_of(scan, offset);
    jfr_chunk_info info;
    LP_REQUIRE(jfr_chunk_parse(bytes, &info, NULL) == LP_OK, false);
    evidence metadata = see_metadata(bytes, &info);
    evidence checkpoint = see_checkpoint(bytes, &info);
    if (metadata == EVIDENCE_FOR && checkpoint == EVIDENCE_FOR) {
        return true;
    }
    if (is_like_before(scan, &info) || is_copy(scan, offset, &info)) {
        return false;
    }
    if (metadata == EVIDENCE_FOR) {
        return true;
    }
    if (scan->bytes.ptr[offset - 1] == COPY_COUNT || has_start_within(scan, offset)) {
        return false;
    }
    bool is_last = info.size_bytes == bytes.len;
    bool is_before_chunk = info.size_bytes < bytes.len && is_start(scan, offset + info.size_bytes);
    jfr_cursor rest = {bytes.ptr + JFR_CHUNK_HEADER_SIZE, bytes.ptr + bytes.len};
    jfr_event first;
    bool has_event = jfr_event_next(&rest, &first) == LP_OK;
    return checkpoint == EVIDENCE_FOR || is_last || is_before_chunk ||
           (metadata == EVIDENCE_NONE && checkpoint == EVIDENCE_NONE && has_event);
}

static void
pass(const chunk_scan *scan, uint64_t begin, uint64_t end)
{
    if (scan->on_passed != NULL && end > begin) {
        scan->on_passed(scan->arg, begin, end - begin);
    }
}

// search returns the offset of the first chunk at from or behind it; that of the end if there is
// none.
static uint64_t
search(const chunk_scan *scan, uint64_t from)
{
    const uint8_t *bytes = scan->bytes.ptr;
    uint64_t end = scan->bytes.len;
    uint64_t passed = from;
    while (end - from >= JFR_CHUNK_HEADER_SIZE) {
        uint64_t window = end - from < WINDOW_BYTES ? end - from : WINDOW_BYTES;
        const uint8_t *magic = memmem(bytes + from, (size_t)window, "FLR", MAGIC_BYTES);
        if (magic == NULL) {
            from += window - (MAGIC_BYTES - 1);
        } else if (is_likely_start(scan, (uint64_t)(magic - bytes))) {
            pass(scan, passed, (uint64_t)(magic - bytes));
            return (uint64_t)(magic - bytes);
        } else {
            from = (uint64_t)(magic - bytes) + 1;
        }
        if (from - passed >= WINDOW_BYTES) {
            pass(scan, passed, from);
            passed = from;
        }
    }
    pass(scan, passed, end);
    return end;
}

// find_start is search, but looks only once.
static uint64_t
find_start(chunk_scan *scan, uint64_t from)
{
    if (scan->found < from) {
        scan->found = search(scan, from);
    }
    return scan->found;
}

// explain_cut words the reason why the chunk in piece does not have the size in its header.
static void
explain_cut(const chunk_scan *scan, const chunk_scan_piece *piece, lp_problem *problem)
{
    unsigned long long said = piece->info.size_bytes;
    unsigned long long found = piece->size_bytes;
    bool is_unfinished = piece->info.minor > 0 && piece->info.state != JFR_CHUNK_STATE_FINISHED;
    const char *end =
        piece->offset + piece->size_bytes == scan->bytes.len ? "the file ends" : "another begins";
    if (said == 0) {
        (void)lp_problem_at(problem, LP_ECORRUPT, piece->offset,
            "a chunk that was never finished: its header has no size");
    } else if (is_unfinished && said < found) {
        (void)lp_problem_at(problem, LP_ECORRUPT, piece->offset,
            "the JVM was stopped before it finished this chunk, %llu bytes after its last flush",
            found - said);
    } else {
        (void)lp_problem_at(problem, LP_ECORRUPT, piece->offset,
            "a chunk of %llu bytes, but %s after %llu: it was cut off, or is damaged", said, end,
            found);
    }
}

// is_size_right returns whether the chunk in piece has the size in its header, though no other
// begins there; the next one begins at next.
static bool
is_size_right(const chunk_scan *scan, const chunk_scan_piece *piece, uint64_t next)
{
    lp_slice bytes = rest_of(scan, piece->offset);
    jfr_chunk_info info;
    uint64_t end = piece->offset + piece->info.size_bytes;
    bool is_unfinished = piece->info.minor > 0 && piece->info.state != JFR_CHUNK_STATE_FINISHED;
    if (is_unfinished || piece->info.size_bytes > next - piece->offset ||
        jfr_chunk_parse(bytes, &info, NULL) != LP_OK ||
        !is_run_of_events(scan, piece->offset + JFR_CHUNK_HEADER_SIZE, end)) {
        return false;
    }
    // What speaks for it: that the last checkpoint ends there, as with most writers, that a header
    // is there, if a damaged one, or that what follows are no events.
    jfr_event e;
    return (see_event(bytes, &info, info.checkpoint_offset, JFR_TYPE_ID_CHECKPOINT, &e) ==
                   EVIDENCE_FOR &&
               info.checkpoint_offset + e.size == info.size_bytes) ||
           (next - end >= MAGIC_BYTES && memcmp(scan->bytes.ptr + end, "FLR", MAGIC_BYTES) == 0) ||
           !is_run_of_events(scan, end, next);
}

// cut_chunk fills piece, whose header leads nowhere, with what may belong to the chunk.
static void
cut_chunk(chunk_scan *scan, chunk_scan_piece *piece, lp_problem *problem)
{
    uint64_t begin = piece->offset;
    uint64_t next = find_start(scan, begin + JFR_CHUNK_HEADER_SIZE);
    if (is_size_right(scan, piece, next)) {
        piece->kind = CHUNK_SCAN_WHOLE; // it is what follows that is damaged
        piece->size_bytes = piece->info.size_bytes;
        return;
    }
    piece->kind = CHUNK_SCAN_CUT;
    piece->err = LP_ECORRUPT;
    piece->size_bytes =
        next - begin < CHUNK_SCAN_CUT_BYTES_MAX ? next - begin : CHUNK_SCAN_CUT_BYTES_MAX;
    explain_cut(scan, piece, problem);
}

// take_chunk completes a piece with a header.
static void
take_chunk(chunk_scan *scan, chunk_scan_piece *piece, lp_problem *problem)
{
    uint64_t left = scan->bytes.len - piece->offset;
    uint64_t size = piece->info.size_bytes;
    bool is_followed = size == left || (size >= JFR_CHUNK_HEADER_SIZE && size < left &&
                                           is_start(scan, piece->offset + size));
    scan->sure = is_followed ? piece->offset + size : 0;
    if (!is_followed) {
        cut_chunk(scan, piece, problem);
        return;
    }
    jfr_chunk_info checked;
    lp_err err = jfr_chunk_parse(rest_of(scan, piece->offset), &checked, problem);
    piece->kind = err == LP_OK ? CHUNK_SCAN_WHOLE : CHUNK_SCAN_CUT;
    piece->err = err;
    piece->size_bytes = size;
}

lp_err
chunk_scan_next(chunk_scan *scan, chunk_scan_piece *out_piece, lp_problem *out_problem)
{
    chunk_scan_piece piece = {.offset = scan->at};
    LP_REQUIRE(scan->at < scan->bytes.len, LP_EEND);
    bool is_sure = scan->at > 0 && scan->at == scan->sure;
    piece.err = is_sure ? jfr_chunk_parse_cut(rest_of(scan, scan->at), &piece.info, out_problem)
                        : read_start(scan, scan->at, &piece.info, out_problem);
    if (piece.err == LP_OK) {
        scan->before = piece.info;
        take_chunk(scan, &piece, out_problem);
    } else {
        piece.kind = CHUNK_SCAN_SKIPPED;
        piece.err = piece.err == LP_EEND ? LP_ECORRUPT : piece.err;
        piece.size_bytes = find_start(scan, scan->at + 1) - scan->at;
    }
    if (piece.kind != CHUNK_SCAN_WHOLE) {
        out_problem->offset = piece.offset;
        out_problem->has_offset = true;
    }
    LP_ASSERT(piece.size_bytes > 0 && piece.size_bytes <= scan->bytes.len - piece.offset);
    scan->at += piece.size_bytes;
    pass(scan, piece.offset, scan->at);
    *out_piece = piece;
    return LP_OK;
}
