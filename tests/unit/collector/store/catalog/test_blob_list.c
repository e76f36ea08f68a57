// SPDX-License-Identifier: Apache-2.0
// A directory of chunks is listed by the names of its files, in order, without other files.

#include "support/temp_dir.h"

#include "collector/store/catalog/blob_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cmocka.h>

static const char first[] = "00112233445566778899aabbccddeeff";
static const char second[] = "ffeeddccbbaa99887766554433221100";

static void
make_dir(const temp_dir *dir, const char *name)
{
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/%s", dir->path, name);
    assert_int_equal(mkdir(path, 0700), 0);
}

static void
make_file(const temp_dir *dir, const char *session, const char *name, size_t size)
{
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/%s/%s", dir->path, session, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (size_t i = 0; i < size; i++) {
        (void)fputc('x', file);
    }
    assert_int_equal(fclose(file), 0);
}

static void
test_sessions_are_listed(void **state)
{
    (void)state;
    temp_dir dir = temp_dir_make();
    make_dir(&dir, second);
    make_dir(&dir, first);
    make_dir(&dir, "00112233445566778899AABBCCDDEEFF");
    make_dir(&dir, "0");
    blob_list_sessions sessions;
    assert_int_equal(blob_list_read_sessions(dir.path, &sessions), LP_OK);
    assert_int_equal(sessions.count, 2);
    assert_string_equal(sessions.items[0].id, first);
    assert_string_equal(sessions.items[1].id, second);
    assert_true(blob_list_has_session(&sessions, first));
    assert_false(blob_list_has_session(&sessions, "0"));
    free(sessions.items);
    temp_dir_remove(&dir);
    assert_int_equal(blob_list_read_sessions(dir.path, &sessions), LP_OK);
    assert_int_equal(sessions.count, 0);
    assert_false(blob_list_has_session(&sessions, first));
}

static void
test_files_are_listed(void **state)
{
    static const char *const others[] = {"7.jfr", "07.jfr.zst", "x.jfr.zst", "-1.jfr.zst",
        "4294967296.jfr.zst", ".jfr.zst", "7.5.jfr.zst", "7.0.jfr.zst", "7.jfr.zst.tmp.tmp",
        "7.jfr.zstx", "session.pb"};
    (void)state;
    temp_dir dir = temp_dir_make();
    make_dir(&dir, first);
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        make_file(&dir, first, others[i], 1);
    }
    make_file(&dir, first, "10.jfr.zst", 3);
    make_file(&dir, first, "9.jfr.zst", 2);
    make_file(&dir, first, "9.jfr.zst.tmp", 1);
    make_file(&dir, first, "10.all.jfr.zst", 5);
    make_file(&dir, first, "10.all.jfr.zst.tmp", 1);
    make_file(&dir, first, "4294967295.jfr.zst", 0);
    make_file(&dir, first, "11.1.jfr.zst", 1);
    make_file(&dir, first, "11.4.jfr.zst", 1);
    for (int has_sizes = 0; has_sizes < 2; has_sizes++) {
        blob_list_files files;
        assert_int_equal(blob_list_read_files(dir.path, first, has_sizes != 0, &files), LP_OK);
        assert_int_equal(files.count, 8);
        assert_int_equal(files.items[0].ordinal, 9);
        assert_int_equal(files.items[0].kind, BLOB_LIST_CHUNK);
        assert_int_equal(files.items[0].file_bytes, has_sizes != 0 ? 2 : 0);
        assert_int_equal(files.items[1].ordinal, 9);
        assert_int_equal(files.items[1].kind, BLOB_LIST_TEMPORARY);
        assert_ptr_equal(blob_list_find(&files, BLOB_LIST_CHUNK, 10), &files.items[2]);
        assert_ptr_equal(blob_list_find(&files, BLOB_LIST_CHUNK, UINT32_MAX), &files.items[7]);
        assert_ptr_equal(blob_list_find(&files, BLOB_LIST_ALL, 10), &files.items[3]);
        assert_int_equal(files.items[4].kind, BLOB_LIST_TEMPORARY);
        assert_null(blob_list_find(&files, BLOB_LIST_ALL, 9));
        assert_ptr_equal(blob_list_find(&files, BLOB_LIST_PART, 11), &files.items[5]);
        assert_ptr_equal(
            blob_list_find(&files, (blob_list_kind)BLOB_EDITION_PART_LAST, 11), &files.items[6]);
        assert_null(blob_list_find(&files, BLOB_LIST_CHUNK, 8));
        free(files.items);
    }
    blob_list_files none;
    assert_int_equal(blob_list_read_files(dir.path, second, true, &none), LP_OK);
    assert_int_equal(none.count, 0);
    assert_null(blob_list_find(&none, BLOB_LIST_CHUNK, 0));
    temp_dir_remove(&dir);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sessions_are_listed),
        cmocka_unit_test(test_files_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
