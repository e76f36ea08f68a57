// SPDX-License-Identifier: Apache-2.0
// Records of the log, byte by byte: the head has the documented format, and each truncation and
// each other magic is refused.

#include "collector/log/log_record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const uint8_t spelled[] = {
    'L', 'P', 'L', '1', 0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01, 'm', 'e'};

static void
test_the_head_is_as_it_is_drawn(void **state)
{
    (void)state;
    uint8_t head[LOG_RECORD_HEAD_BYTES];
    log_record_write(UINT64_C(0x0102030405060708), head);
    assert_memory_equal(head, spelled, sizeof(head));

    log_record record;
    assert_int_equal(log_record_read((lp_slice){spelled, sizeof(spelled)}, &record), LP_OK);
    assert_int_equal(record.acknowledged, UINT64_C(0x0102030405060708));
    assert_ptr_equal(record.message.ptr, spelled + LOG_RECORD_HEAD_BYTES);
    assert_int_equal(record.message.len, 2);
}

static void
test_every_truncation_of_the_head_is_refused(void **state)
{
    (void)state;
    log_record record;
    for (size_t size = 0; size < LOG_RECORD_HEAD_BYTES; size++) {
        assert_int_equal(log_record_read((lp_slice){spelled, size}, &record), LP_ECORRUPT);
    }
    assert_int_equal(log_record_read((lp_slice){spelled, LOG_RECORD_HEAD_BYTES}, &record), LP_OK);
    assert_int_equal(record.message.len, 0);
}

static void
test_another_magic_is_none_and_another_version_says_so(void **state)
{
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        uint8_t bytes[sizeof(spelled)];
        log_record record;
        memcpy(bytes, spelled, sizeof(bytes));
        bytes[i]++;
        assert_int_equal(log_record_read((lp_slice){bytes, sizeof(bytes)}, &record),
            i == 3 ? LP_EVERSION : LP_ECORRUPT);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_head_is_as_it_is_drawn),
        cmocka_unit_test(test_every_truncation_of_the_head_is_refused),
        cmocka_unit_test(test_another_magic_is_none_and_another_version_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
