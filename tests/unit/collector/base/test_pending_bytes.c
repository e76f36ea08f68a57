// SPDX-License-Identifier: Apache-2.0
// What a collector sends of a session comes out as it was: numbers and the bytes of the chunks, in
// memory or in a file, and without any. Cut anywhere, or with bytes behind it, it is refused, and
// so is what says that its chunks are larger than it is.

#include "support/temp_dir.h"

#include "collector/base/pending_bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct fixture {
    temp_dir dir;
    blobs *blobs;
} fixture;

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    char path[300];
    assert_non_null(f);
    f->dir = temp_dir_make();
    (void)snprintf(path, sizeof(path), "%s/blobs", f->dir.path);
    assert_int_equal(blobs_open(path, &f->blobs, NULL), LP_OK);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    blobs_close(f->blobs);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

// make makes a snapshot with chunks of 0, 1, 2, ... times 100 bytes.
static snapshot *
make(fixture *f, size_t chunk_count, snapshot_room *room)
{
    snapshot *made = snapshot_create(LP_OK);
    assert_non_null(made);
    made->next_chunk = 17;
    made->totals =
        (catalog_totals){1, 2, 3, 4, 5, 6, 7, 8, 9, 10, {11, 12, 13, 14, 15, 16, 17}, {18, 19}};
    made->waiting = (snapshot_waiting){.chunks = 9, .journal_bytes = 10, .duration_ns = -11};
    made->room = room;
    for (size_t i = 0; i < chunk_count; i++) {
        lp_buf chunk = {0};
        uint8_t *bytes = lp_buf_extend(&chunk, 100 * i);
        for (size_t k = 0; k < 100 * i; k++) {
            bytes[k] = (uint8_t)(i * 31 + k);
        }
        assert_int_equal(snapshot_add_chunk(made, f->blobs, &chunk), LP_OK);
        lp_buf_fini(&chunk);
    }
    return made;
}

// send appends what is sent of a snapshot.
static void
send(const snapshot *from, lp_buf *to)
{
    assert_int_equal(pending_bytes_encode(from, to), LP_OK);
    size_t head = to->len;
    uint8_t *bytes = lp_buf_extend(to, from->size_bytes);
    for (uint64_t done = 0; done < from->size_bytes;) {
        ssize_t got = snapshot_read(from, done, (char *)bytes + done, from->size_bytes - done);
        assert_true(got > 0);
        done += (uint64_t)got;
    }
    assert_int_equal(to->len, head + from->size_bytes);
}

static lp_err
receive(fixture *f, lp_slice bytes, snapshot **out_snapshot)
{
    int fd;
    assert_int_equal(blobs_spill(f->blobs, bytes, &fd), LP_OK);
    return pending_bytes_decode(fd, out_snapshot);
}

static void
assert_same(const snapshot *a, const snapshot *b)
{
    assert_int_equal(a->next_chunk, b->next_chunk);
    assert_memory_equal(&a->totals, &b->totals, sizeof(a->totals));
    assert_int_equal(a->waiting.chunks, b->waiting.chunks);
    assert_int_equal(a->waiting.journal_bytes, b->waiting.journal_bytes);
    assert_int_equal(a->waiting.duration_ns, b->waiting.duration_ns);
    assert_int_equal(a->chunks.count, b->chunks.count);
    assert_int_equal(a->size_bytes, b->size_bytes);
    for (size_t i = 0; i < a->chunks.count; i++) {
        lp_buf one = {0};
        lp_buf other = {0};
        assert_int_equal(a->chunks.items[i].content_hash, b->chunks.items[i].content_hash);
        assert_int_equal(snapshot_read_chunk(a, i, &one), LP_OK);
        assert_int_equal(snapshot_read_chunk(b, i, &other), LP_OK);
        assert_int_equal(one.len, other.len);
        assert_true(one.len == 0 || memcmp(one.ptr, other.ptr, one.len) == 0);
        lp_buf_fini(&one);
        lp_buf_fini(&other);
    }
}

static void
test_what_is_sent_comes_out(void **state)
{
    fixture *f = *state;
    snapshot_room small = {.bytes_max = 250}; // some chunks are in memory, and some are not
    for (size_t count = 0; count < 6; count++) {
        snapshot *sent = make(f, count, count % 2 == 0 ? NULL : &small);
        lp_buf bytes = {0};
        snapshot *received;
        send(sent, &bytes);
        assert_int_equal(receive(f, lp_buf_slice(&bytes), &received), LP_OK);
        assert_same(sent, received);
        snapshot_unref(received);
        snapshot_unref(sent);
        lp_buf_fini(&bytes);
    }
}

static void
test_what_is_not_whole_is_refused(void **state)
{
    fixture *f = *state;
    snapshot *sent = make(f, 4, NULL);
    lp_buf bytes = {0};
    snapshot *received;
    send(sent, &bytes);
    for (size_t len = 0; len < bytes.len; len++) {
        assert_int_equal(receive(f, (lp_slice){bytes.ptr, len}, &received), LP_ECORRUPT);
    }
    lp_buf_append(&bytes, "x", 1);
    assert_int_equal(receive(f, lp_buf_slice(&bytes), &received), LP_ECORRUPT);
    bytes.ptr[0] = 0x7f; // the head is larger than may be
    assert_int_equal(receive(f, lp_buf_slice(&bytes), &received), LP_ECORRUPT);
    lp_buf_fini(&bytes);
    snapshot_unref(sent);

    sent = make(f, 3, NULL);
    sent->chunks.items[1].size_bytes = UINT64_MAX - 10; // with the others it is less than there is
    assert_int_equal(pending_bytes_encode(sent, &bytes), LP_OK);
    assert_int_equal(receive(f, lp_buf_slice(&bytes), &received), LP_ECORRUPT);
    lp_buf_fini(&bytes);
    snapshot_unref(sent);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_what_is_sent_comes_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_not_whole_is_refused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
