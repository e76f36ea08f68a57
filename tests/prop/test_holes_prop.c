// SPDX-License-Identifier: Apache-2.0

// Chunks of which batches are missing: random ones, cut into batches as an agent does it, and every
// set of those, or many where they are too many. What is put together lies end to end; each event
// in it is one of the JVM's, byte by byte at its own offset; and there is each event that came
// whole and of which it can be known where it begins. The test knows that from its own list of
// events, not from reading bytes.

#include "support/be64.h"
#include "support/chance.h"
#include "support/large.h"
#include "support/temp_dir.h"

#include "collector/chunks/assembly.h"
#include "common/wire/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    ROUNDS = 60,
    ROUNDS_SHORT = 20,
    SETS_MAX = 600,
    EVENTS_MAX = 400,
    PIECES_MAX = 40,
    HEADER_BYTES = 68,
    TYPE_METADATA = 0,
    TYPE_CHECKPOINT = 1,
    TYPES = 60,
    BYTES_MAX = 1 << 20,
};

typedef struct event {
    size_t begin;
    size_t end;
    uint64_t type;
    size_t before; // of a checkpoint, the offset of the one before; 0: none
} event;

typedef struct piece {
    size_t begin;
    size_t end;
    bool begins_event; // and says so
    bool has_header;
    size_t checkpoint; // in its header
    size_t metadata;
    bool is_there;
} piece;

typedef struct made {
    uint8_t bytes[BYTES_MAX];
    size_t size;
    event events[EVENTS_MAX];
    size_t event_count;
    piece pieces[PIECES_MAX];
    size_t piece_count;
    size_t checkpoint; // the last one so far
    size_t metadata;
    bool is_old; // the agent does not say where events begin
} made;

static size_t
put_varint(uint8_t *at, uint64_t value)
{
    size_t count = 0;
    for (; count < 8 && value >= 0x80; count++) {
        at[count] = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    at[count++] = (uint8_t)value; // the ninth byte is taken as it is
    return count;
}

// add_event appends an event with this payload. Its size has one byte or four, as HotSpot has it.
static void
add_event(made *m, uint64_t type, const uint8_t *payload, size_t payload_size)
{
    uint8_t id[9];
    size_t id_size = put_varint(id, type);
    size_t size = 1 + id_size + payload_size;
    size_t begin = m->size;
    assert_true(m->event_count < EVENTS_MAX && begin + size + 3 <= BYTES_MAX);
    if (size < 0x80) {
        m->bytes[m->size++] = (uint8_t)size;
    } else {
        size += 3;
        for (unsigned i = 0; i < 4; i++) {
            m->bytes[m->size++] = (uint8_t)((size >> (7 * i) & 0x7f) | (i < 3 ? 0x80 : 0));
        }
    }
    memcpy(m->bytes + m->size, id, id_size);
    m->size += id_size;
    memcpy(m->bytes + m->size, payload, payload_size);
    m->size += payload_size;
    m->events[m->event_count++] = (event){.begin = begin, .end = m->size, .type = type};
}

static void
add_random(made *m, uint64_t *seed, uint64_t type)
{
    uint8_t payload[600];
    size_t size =
        (size_t)(chance_below(seed, 8) == 0 ? chance_below(seed, 600) : 4 + chance_below(seed, 40));
    for (size_t i = 0; i < size; i++) { // small numbers look like events
        payload[i] = (uint8_t)chance_below(seed, chance_below(seed, 2) == 0 ? 12 : 256);
    }
    add_event(m, type, payload, size);
}

static void
add_checkpoint(made *m, uint64_t *seed)
{
    uint8_t payload[300] = {9, 0}; // start, duration
    size_t size = 2;
    size += put_varint(
        payload + size, m->checkpoint == 0 ? 0 : (uint64_t)m->checkpoint - (uint64_t)m->size);
    payload[size++] = 3;
    payload[size++] = 0;
    size += (size_t)chance_below(seed, 200); // as constants would
    size_t before = m->checkpoint;
    m->checkpoint = m->size;
    add_event(m, TYPE_CHECKPOINT, payload, size);
    m->events[m->event_count - 1].before = before;
}

// cut_flush makes pieces of what was published at once: the bytes from begin on.
static void
cut_flush(made *m, uint64_t *seed, size_t begin)
{
    size_t cuts = (size_t)chance_below(seed, 3);
    size_t at = begin;
    for (size_t i = 0; i <= cuts && at < m->size; i++) {
        size_t least = at == 0 ? HEADER_BYTES + 1 : 1; // the header comes in one piece
        size_t left = m->size - at;
        size_t size =
            i == cuts || left <= least ? left : least + (size_t)chance_below(seed, left - least);
        assert_true(m->piece_count < PIECES_MAX);
        m->pieces[m->piece_count++] = (piece){
            .begin = at,
            .end = at + size,
            .begins_event = at == begin && at > 0 && !m->is_old,
            .has_header = at + size == m->size,
            .checkpoint = m->checkpoint,
            .metadata = m->metadata,
        };
        at += size;
    }
}

static void
make_chunk(made *m, uint64_t *seed)
{
    m->size = HEADER_BYTES;
    m->event_count = m->piece_count = m->checkpoint = m->metadata = 0;
    m->is_old = chance_below(seed, 2) == 0;
    size_t flushes = 1 + (size_t)chance_below(seed, 6);
    for (size_t flush = 0; flush < flushes; flush++) {
        size_t begin = flush == 0 ? 0 : m->size;
        for (uint64_t count = chance_below(seed, 12); count > 0; count--) {
            add_random(m, seed, 2 + chance_below(seed, TYPES));
        }
        if (flush == 0 || chance_below(seed, 3) == 0) {
            m->metadata = m->size;
            add_random(m, seed, TYPE_METADATA);
        }
        for (uint64_t count = 1 + chance_below(seed, 3); count > 0; count--) {
            add_checkpoint(m, seed);
        }
        cut_flush(m, seed, begin);
    }
}

static void
put_be(uint8_t *bytes, uint64_t value)
{
    for (size_t i = 8; i > 0; i--) {
        bytes[i - 1] = (uint8_t)value;
        value >>= 8;
    }
}

static void
put_header(uint8_t header[HEADER_BYTES], size_t size, size_t checkpoint, size_t metadata)
{
    memset(header, 0, HEADER_BYTES);
    memcpy(header, "FLR\0\0\2\0\1", 8);
    put_be(header + 8, size);
    put_be(header + 16, checkpoint);
    put_be(header + 24, metadata);
    put_be(header + 56, 1000000000);
    memcpy(header + 64, "\1\0\0\1", 4);
}

static void
journal_piece(journal *file, const made *m, size_t index)
{
    const piece *p = &m->pieces[index];
    uint8_t header[HEADER_BYTES];
    lp_buf packed = {0};
    lp_buf message = {0};
    const lp_slice jfr = {m->bytes + p->begin, p->end - p->begin};
    assert_int_equal(wire_compress(jfr, &packed), LP_OK);
    Loupe__Wire__Batch batch = LOUPE__WIRE__BATCH__INIT;
    batch.sequence = index;
    batch.chunk_offset = p->begin;
    batch.jfr_zstd = (ProtobufCBinaryData){packed.len, packed.ptr};
    batch.jfr_size = (uint32_t)jfr.len;
    batch.begins_event = p->begins_event;
    if (p->has_header) {
        put_header(header, p->end, p->checkpoint, p->metadata);
        batch.chunk_header = (ProtobufCBinaryData){sizeof(header), header};
    }
    Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_BATCH;
    request.batch = &batch;
    uint8_t *at = lp_buf_extend(&message, loupe__wire__request__get_packed_size(&request));
    assert_non_null(at);
    (void)loupe__wire__request__pack(&request, at);
    assert_int_equal(journal_append(file, lp_buf_slice(&message)), LP_OK);
    lp_buf_fini(&packed);
    lp_buf_fini(&message);
}

// --- What is to be expected

// before_checkpoint returns the offset of the checkpoint before the one at offset; 0 if there is
// none.
static size_t
before_checkpoint(const made *m, size_t offset)
{
    for (size_t i = 0; i < m->event_count; i++) {
        if (m->events[i].begin == offset) {
            return m->events[i].before;
        }
    }
    return 0;
}

// first_known returns the first offset in the pieces [first, end), which all came, where it is
// known that an event begins; SIZE_MAX if there is none.
static size_t
first_known(const made *m, size_t first, size_t end)
{
    size_t run_begin = m->pieces[first].begin;
    size_t known = first == 0 ? HEADER_BYTES : SIZE_MAX;
    for (size_t i = first; i < end && known == SIZE_MAX; i++) {
        const piece *p = &m->pieces[i];
        if (p->begins_event) {
            known = p->begin;
        } else if (p->has_header) {
            known = p->end;
            for (size_t at = p->checkpoint; at >= run_begin && at > 0;
                 at = before_checkpoint(m, at)) {
                known = at < known ? at : known;
            }
            known = p->metadata >= run_begin && p->metadata < known ? p->metadata : known;
        }
    }
    return known;
}

// expect sets which events are to be there, and returns whether there is a chunk at all.
static bool
expect(const made *m, bool is_expected[EVENTS_MAX], size_t *out_end)
{
    bool has_header = m->pieces[0].is_there;
    bool has_hole = false;
    bool is_missing = false;
    size_t covered = 0;
    *out_end = 0;
    memset(is_expected, 0, EVENTS_MAX * sizeof(is_expected[0]));
    for (size_t i = 0; i < m->piece_count; i++) {
        const piece *p = &m->pieces[i];
        is_missing |= !p->is_there;
        has_hole |= is_missing && p->is_there;
        covered = p->is_there && p->has_header ? p->end : covered;
        *out_end = p->is_there ? p->end : *out_end;
    }
    if (*out_end == 0 || (covered == 0 && (!has_header || !has_hole))) {
        return false;
    }
    for (size_t first = 0; first < m->piece_count;) {
        size_t end = first;
        while (end < m->piece_count && m->pieces[end].is_there) {
            end++;
        }
        if (end > first) {
            size_t known = first_known(m, first, end);
            size_t last = has_hole ? m->pieces[end - 1].end : covered;
            for (size_t i = 0; i < m->event_count; i++) {
                is_expected[i] |= m->events[i].begin >= known && m->events[i].end <= last;
            }
        }
        first = end + 1;
    }
    return true;
}

// --- What is there

static size_t
read_varint(const uint8_t *at, const uint8_t *end, uint64_t *out_value)
{
    *out_value = 0;
    for (size_t i = 0; i < 9; i++) {
        assert_true(at + i < end);
        uint64_t bits = i == 8 ? at[i] : at[i] & 0x7fu;
        *out_value |= bits << (7 * i);
        if (i == 8 || (at[i] & 0x80) == 0) {
            return i + 1;
        }
    }
    return 9;
}

static bool
is_missing_in(const made *m, size_t begin, size_t end)
{
    for (size_t i = 0; i < m->piece_count; i++) {
        const piece *p = &m->pieces[i];
        if (!p->is_there && p->begin < end && p->end > begin) {
            return true;
        }
    }
    return false;
}

// check_filler is for what is no event of the JVM's: a checkpoint of nothing, in place of bytes
// that are missing.
static void
check_filler(const made *m, lp_slice jfr, size_t at, size_t size)
{
    uint64_t value;
    const uint8_t *end = jfr.ptr + at + size;
    size_t head = read_varint(jfr.ptr + at, end, &value);
    head += read_varint(jfr.ptr + at + head, end, &value);
    assert_int_equal(value, TYPE_CHECKPOINT);
    assert_true(size - head >= 5);
    for (size_t i = head; i < size; i++) {
        assert_int_equal(jfr.ptr[at + i], 0);
    }
    assert_true(is_missing_in(m, at, at + size));
}

static void
check_events(const made *m, lp_slice jfr, const bool is_expected[EVENTS_MAX], uint64_t lost_bytes,
    size_t end_bytes)
{
    size_t next = 0; // of the JVM's events
    size_t used = 0;
    assert_int_equal(be64_get(jfr.ptr + 8), jfr.len);
    for (size_t at = HEADER_BYTES; at < jfr.len;) {
        uint64_t size;
        (void)read_varint(jfr.ptr + at, jfr.ptr + jfr.len, &size);
        assert_true(size > 1 && size <= jfr.len - at);
        while (next < m->event_count && m->events[next].begin < at) {
            assert_false(is_expected[next]);
            next++;
        }
        bool is_own = next < m->event_count && m->events[next].begin == at && is_expected[next];
        if (is_own) {
            assert_int_equal(size, m->events[next].end - at);
            assert_memory_equal(jfr.ptr + at, m->bytes + at, size);
            used += size;
            next++;
        } else {
            check_filler(m, jfr, at, (size_t)size);
        }
        at += size;
    }
    for (; next < m->event_count; next++) {
        assert_false(is_expected[next]);
    }
    assert_int_equal(lost_bytes, end_bytes - HEADER_BYTES - used);
}

static void
check_set(const made *m, const char *path)
{
    journal *file;
    bool is_expected[EVENTS_MAX];
    size_t end_bytes;
    assert_int_equal(journal_open(path, &file), LP_OK);
    assert_int_equal(journal_cut(file, 0), LP_OK);
    for (size_t i = 0; i < m->piece_count; i++) {
        if (m->pieces[i].is_there) {
            journal_piece(file, m, i);
        }
    }
    const assembly_part part = {
        .journal = file, .end_bytes = journal_get_size(file), .has_jfr = true};
    assembly whole = {.jfr_bytes_max = BYTES_MAX, .record_bytes_max = BYTES_MAX};
    assert_int_equal(assembly_add(&whole, &part), LP_OK);
    lp_err err = assembly_finish(&whole, NULL);
    bool is_there = expect(m, is_expected, &end_bytes);
    if (end_bytes > 0) { // else there is nothing to put together, and that is no damage
        assert_int_equal(err, is_there ? LP_OK : LP_ECORRUPT);
    }
    if (is_there) {
        check_events(m, assembly_view(&whole).jfr, is_expected, whole.lost_bytes, end_bytes);
    }
    assembly_fini(&whole);
    journal_unref(file);
}

static void
test_what_came_whole_is_there(void **state)
{
    (void)state;
    made *m = malloc(sizeof(*m));
    assert_non_null(m);
    temp_dir dir = temp_dir_make();
    char path[300];
    (void)snprintf(path, sizeof(path), "%s/0.log", dir.path);
    for (uint64_t round = 0; round < (is_large ? ROUNDS : ROUNDS_SHORT); round++) {
        uint64_t seed = round;
        make_chunk(m, &seed);
        put_header(m->bytes, m->pieces[0].end, 0, 0);
        bool is_all = m->piece_count < 10 && (size_t)1 << m->piece_count <= SETS_MAX;
        size_t sets = is_all ? (size_t)1 << m->piece_count : SETS_MAX;
        for (size_t set = 0; set < sets; set++) {
            uint64_t rarity = 1 + chance_below(&seed, 6);
            for (size_t i = 0; i < m->piece_count; i++) {
                m->pieces[i].is_there =
                    is_all ? (set >> i & 1) != 0 : chance_below(&seed, rarity + 1) > 0;
            }
            check_set(m, path);
        }
    }
    temp_dir_remove(&dir);
    free(m);
}

int
main(int argc, char **argv)
{
    large_init(argc, argv);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_what_came_whole_is_there)};
    return cmocka_run_group_tests_name("holes", tests, NULL, NULL);
}
