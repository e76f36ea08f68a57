// SPDX-License-Identifier: Apache-2.0
// A question reads chunks whatever sizes the catalog says that they have: rows that somebody
// changed by hand, or that are damaged, say less than the files have.

#include "support/temp_dir.h"

#include "collector/ask/work/ask_sources.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { SMALL = 100, LARGE = 8192, LARGE_BYTES = 2048 };

static const char *const IDS[] = {
    "0a000000000000000000000000000000", "0b000000000000000000000000000000"};

// open_both reads a small chunk of a recording and a large one of another, of which the catalog
// says that the first has size_bytes.
static void
open_both(size_t size_bytes)
{
    temp_dir dir = temp_dir_make();
    static const uint8_t bytes[LARGE];
    const lp_slice contents[] = {{bytes, SMALL}, {bytes, LARGE}};
    ask_recording recordings[2] = {0};
    ask_chunk chunks[2] = {{.size_bytes = size_bytes}, {.recording = 1, .size_bytes = LARGE}};
    ask_sources sources = {.kept_bytes_max = (size_t)2 * LARGE_BYTES};
    assert_int_equal(blobs_open(dir.path, &sources.blobs, NULL), LP_OK);
    for (size_t i = 0; i < 2; i++) {
        blobs_stored stored;
        assert_int_equal(blobs_put(sources.blobs, IDS[i], 0, contents[i], &stored), LP_OK);
        memcpy(recordings[i].id, IDS[i], strlen(IDS[i]) + 1);
        chunks[i].content_hash = stored.content_hash;
    }
    sources.recordings.items = recordings;
    sources.chunks.items = chunks;
    sources.recordings.count = sources.chunks.count = 2;
    for (size_t i = 0; i < 4; i++) { // each twice, in turns
        lp_slice got;
        lp_err err = ask_sources_open(&sources, i % 2, &got);
        assert_true(err == LP_OK || (err == LP_ECORRUPT && i % 2 == 0 && size_bytes != SMALL));
        if (i % 2 == 1 || size_bytes == SMALL) {
            assert_int_equal(got.len, contents[i % 2].len);
        }
        assert_in_range(sources.kept_bytes, 0, sources.kept_bytes_max);
    }
    ask_sources_release(&sources);
    for (size_t i = 0; i < sources.kept.count; i++) {
        lp_buf_fini(&sources.kept.items[i].bytes);
    }
    LP_VEC_FINI(&sources.kept);
    lp_buf_fini(&sources.bytes);
    blobs_close(sources.blobs);
    temp_dir_remove(&dir);
}

static void
test_sizes_of_the_catalog_may_be_wrong(void **state)
{
    (void)state;
    static const size_t sizes[] = {SMALL, 0, 1, SMALL - 1, SMALL + 1, LARGE_BYTES};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        open_both(sizes[i]);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sizes_of_the_catalog_may_be_wrong)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
