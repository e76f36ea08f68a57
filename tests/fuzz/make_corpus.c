// SPDX-License-Identifier: Apache-2.0
// make_corpus FOLDER: writes the first inputs of the fuzz targets into the folders of FOLDER that
// are named like them. What fuzzing finds is added by hand.

#include "support/ctx_build.h"
#include "support/jfr_sample.h"

#include "collector/compact/compact.h"
#include "common/base/lp_assert.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static const char *root;

static void
write_input(const char *target, const char *name, lp_slice first, lp_slice second)
{
    char path[4096];
    (void)snprintf(path, sizeof(path), "%s/%s", root, target);
    (void)mkdir(path, 0777); // it may be there
    (void)snprintf(path, sizeof(path), "%s/%s/%s", root, target, name);
    FILE *file = fopen(path, "wb");
    LP_ASSERT(file != NULL);
    LP_ASSERT(fwrite(first.ptr, 1, first.len, file) == first.len);
    LP_ASSERT(fwrite(second.ptr, 1, second.len, file) == second.len);
    LP_ASSERT(fclose(file) == 0);
}

static const lp_slice nothing = {(const uint8_t *)"", 0};

static void
make_records(lp_buf *out)
{
    lp_buf values = {0};
    for (int64_t i = 0; i < 3; i++) {
        ctx_build_latin1(&values, "a1b2");
        ctx_build_le(&values, (uint64_t)i, 8);
        ctx_build_record(out, 1, 1, 1 + i % 2, 10 + i, &values);
    }
    ctx_build_null(&values);
    ctx_build_le(&values, 7, 8);
    ctx_build_record(out, 1, 1, 1, 20, &values);
    ctx_build_text(&values, "\x3d\xd8\x00\xde\x3d\xd8", 6, 1);
    ctx_build_le(&values, 7, 8);
    ctx_build_record(out, 1, 1, 2, 21, &values);
    ctx_build_record(out, 2, 1, 1, 30, NULL);
    ctx_build_record(out, 3, 0, 2, 40, NULL);
    lp_buf_fini(&values);
}

static void
make_chunk(jfr_build *build)
{
    static const uint64_t types[] = {JFR_SAMPLE_PLAIN, JFR_SAMPLE_TRACE, JFR_SAMPLE_MARK,
        JFR_SAMPLE_IDLE, JFR_SAMPLE_EXECUTION, JFR_SAMPLE_ODD, JFR_SAMPLE_SPAN, JFR_SAMPLE_BOTH};
    jfr_sample_begin(build, 0);
    for (size_t i = 0; i < 2 * sizeof(types) / sizeof(types[0]); i++) {
        (void)jfr_sample_event(build, &(jfr_sample){.type = types[i / 2],
                                          .start = (int64_t)(10 + i),
                                          .end = (int64_t)(20 + i),
                                          .thread = 1 + i % 2,
                                          .stack = 5,
                                          .text = "text"});
    }
    jfr_sample_thread(build, 1, 1);
    jfr_sample_thread(build, 2, 2);
    jfr_sample_stack(build, 5);
    jfr_build_checkpoint(build);
}

static void
make_carry(lp_slice chunk, lp_slice records)
{
    const ctx_type type = {.id = 1,
        .name = (char[]){"tracer"},
        .label = (char[]){"l"},
        .description = (char[]){"d"},
        .attribute_count = 2,
        .attributes = {{CTX_STRING, (char[]){"id"}, (char[]){""}, (char[]){""}},
            {CTX_LONG, (char[]){"n"}, (char[]){""}, (char[]){""}}}};
    compact_source source = {chunk, {records.ptr, 48}, &type, 1}; // the first record: still open
    compact_result result;
    lp_buf bytes = {0};
    LP_ASSERT(compact_chunk(&source, NULL, NULL, NULL, &result, NULL) == LP_OK);
    LP_ASSERT(compact_carry_save(result.carry, &bytes) == LP_OK);
    write_input("fuzz_carry", "open", lp_buf_slice(&bytes), nothing);
    compact_result_fini(&result);
    lp_buf_fini(&bytes);
}

int
main(int argc, char **argv)
{
    if (argc != 2) {
        (void)fprintf(stderr, "usage: make_corpus FOLDER\n");
        return 2;
    }
    root = argv[1];
    jfr_build build;
    lp_buf records = {0};
    lp_buf chunk_input = {0};
    make_chunk(&build);
    make_records(&records);
    lp_slice chunk = jfr_build_finish(&build);
    ctx_build_le(&chunk_input, records.len, 2);
    lp_buf_append(&chunk_input, records.ptr, records.len);
    write_input("fuzz_chunk", "both", lp_buf_slice(&chunk_input), chunk);
    write_input("fuzz_chunk", "events", (lp_slice){(const uint8_t *)"\0\0", 2}, chunk);
    write_input("fuzz_records", "all_kinds", lp_buf_slice(&records), nothing);
    write_input("fuzz_metadata", "sample", (lp_slice){(const uint8_t *)"\0", 1},
        jfr_build_payload(&build, build.metadata_offset));
    write_input(
        "fuzz_pools", "sample", jfr_build_payload(&build, build.checkpoint_offset), nothing);
    make_carry(chunk, lp_buf_slice(&records));
    jfr_build_fini(&build);
    lp_buf_fini(&records);
    lp_buf_fini(&chunk_input);
    return 0;
}
