// SPDX-License-Identifier: Apache-2.0
// make_corpus FOLDER: writes the first inputs of the fuzz targets into the folders of FOLDER that
// are named like them. What fuzzing finds is added by hand.

#include "make_corpus.h"

#include "support/alloc_build.h"
#include "support/compact_run.h"
#include "support/ctx_build.h"
#include "support/ctx_packing.h"
#include "support/jfr_sample.h"

#include "common/base/lp_assert.h"
#include "common/rollup/rollup_bytes.h"
#include "engine/compact.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static const char *root;

void
make_corpus_write(const char *target, const char *name, lp_slice first, lp_slice second)
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
    ctx_build_le(&values, 1, 8); // completes the second
    ctx_build_latin1(&values, "late");
    ctx_build_record(out, 1, 2, 1, 50, &values);
    lp_buf_fini(&values);
}

// make_typed makes inputs of types (fuzz_records.c) and records.
static void
make_typed(lp_slice records)
{
    // A text and a long, and what completes that: the long and the text.
    static const uint8_t two[] = {
        2, 1, 0, 0, 2, CTX_STRING | 1 << 4, CTX_LONG, 2, 0, 1, 2, CTX_LONG, CTX_STRING | 1 << 4};
    // The same, and what completes it is said to be of RecordingContexts, and has a long alone.
    static const uint8_t unfit[] = {
        2, 1, 0, 0, 2, CTX_STRING | 1 << 4, CTX_LONG, 2, 1, 1, 1, CTX_LONG};
    make_corpus_write("fuzz_records", "all_kinds", (lp_slice){two, sizeof(two)}, records);
    make_corpus_write(
        "fuzz_records", "recording_that_completes", (lp_slice){unfit, sizeof(unfit)}, records);
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

// make_settings_chunk makes a chunk that describes jdk.ActiveSetting, which has a field of each
// kind that can be written: with it the output says what the policy is.
static void
make_settings_chunk(jfr_build *build)
{
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX];
    size_t count = jfr_sample_types(types);
    types[count++] = (jfr_build_type){.id = 500,
        .name = "jdk.ActiveSetting",
        .super = "jdk.jfr.Event",
        .fields = {{.name = "startTime",
                       .type = JFR_SAMPLE_LONG,
                       .annotation = JFR_SAMPLE_TIMESTAMP,
                       .annotation_value = "TICKS"},
            {.name = "id", .type = JFR_SAMPLE_LONG}, {.name = "name", .type = JFR_SAMPLE_STRING},
            {.name = "value", .type = JFR_SAMPLE_STRING},
            {.name = "eventThread", .type = JFR_SAMPLE_THREAD, .is_constant = true},
            {.name = "point", .type = JFR_SAMPLE_POINT}, {.name = "on", .type = JFR_SAMPLE_BOOLEAN},
            {.name = "names", .type = JFR_SAMPLE_STRING, .is_array = true}}};
    make_chunk(build);
    jfr_build_metadata(build, 2, types, count);
}

static void
make_carry(const char *name, lp_slice chunk, lp_slice records)
{
    const ctx_type types[] = {
        {.id = 1,
            .name = (char[]){"tracer"},
            .label = (char[]){"l"},
            .description = (char[]){"d"},
            .attribute_count = 2,
            .attributes = {{CTX_STRING, (char[]){"id"}, (char[]){""}, (char[]){""}},
                {CTX_LONG, (char[]){"n"}, (char[]){""}, (char[]){""}}}},
        {.id = 2,
            .name = (char[]){"loupe.RecordingContext"},
            .label = (char[]){""},
            .description = (char[]){""},
            .is_recording = true,
            .attribute_count = 2,
            .attributes = {{CTX_LONG, (char[]){"id"}, (char[]){""}, (char[]){""}},
                {CTX_LONG, (char[]){"request"}, (char[]){""}, (char[]){""}}}},
        {.id = 3,
            .name = (char[]){"completion"},
            .label = (char[]){""},
            .description = (char[]){""},
            .completes = 1,
            .attribute_count = 2,
            .attributes = {{CTX_LONG, (char[]){"n"}, (char[]){""}, (char[]){""}},
                {CTX_STRING, (char[]){"id"}, (char[]){""}, (char[]){""}}}},
    };
    ctx_entry entries[] = {
        {.key = "endpoint", .value = {(const uint8_t *)"/pay", 4}},
        {.key = "user", .is_null = true},
    };
    const ctx_recording maps[] = {{1, 2, entries}, {2, 0, entries}};
    ctx_filter_rule filter_rules[] = {{"test.Mark", "has-entry \"a b\"=\"\\\"\" and has-null k"},
        {"", "has-no-context"}, {"test.Plain", ""}};
    const ctx_filter filters[] = {{3, 5, 3, filter_rules}, {4, 25, 0, filter_rules}};
    compact_source source = {.jfr = chunk,
        .records = records,
        .types = types,
        .type_count = 3,
        .recordings = maps,
        .recording_count = 2,
        .filters = filters,
        .filter_count = 2};
    policy *rules = compact_run_policy(
        "<event name='test.Mark'><setting name='throttle'>5/s</setting></event>"
        "<event name='test.Plain'><setting name='throttle'>1/m</setting></event>"
        "<event name='jdk.ObjectAllocationSample'><setting name='enabled'>true</setting>"
        "<setting name='throttle'>1/m</setting></event>"
        "<event name='test.Trace'><setting name='context-throttle'>1/s</setting></event>"
        "<event name='tracer'><setting name='context-throttle'>2/h</setting></event>");
    const compact_options options = {.policy = rules};
    compact_result result;
    lp_buf bytes = {0};
    LP_ASSERT(compact_chunk(&source, &source, 1, NULL, &options, &result, NULL) == LP_OK);
    policy_destroy(rules);
    LP_ASSERT(compact_carry_save(result.carry, &bytes) == LP_OK);
    make_corpus_write("fuzz_carry", name, lp_buf_slice(&bytes), nothing);
    compact_result_fini(&result);
    lp_buf_fini(&bytes);
}

// write_session writes an input of fuzz_whole.
static void
write_session(const char *name, unsigned bits, lp_slice records, lp_slice chunk, lp_slice next)
{
    lp_buf head = {0};
    lp_buf rest = {0};
    ctx_build_le(&head, bits, 1);
    ctx_build_le(&head, records.len, 2);
    ctx_build_le(&head, chunk.len, 2);
    lp_buf_append(&head, records.ptr, records.len);
    lp_buf_append(&rest, chunk.ptr, chunk.len);
    lp_buf_append(&rest, next.ptr, next.len);
    make_corpus_write("fuzz_whole", name, lp_buf_slice(&head), lp_buf_slice(&rest));
    lp_buf_fini(&head);
    lp_buf_fini(&rest);
}

// make_whole writes the inputs of fuzz_whole: every policy, strict and not, alone and not, with the
// second chunk cut off, too.
static void
make_whole(lp_slice chunk, lp_slice records)
{
    for (unsigned i = 0; i < 12; i++) {
        char name[20];
        unsigned bits = i * 9 % 64 + (i % 3 == 2 ? 64 : 0) + (i >= 8 ? 128 : 0); // of every kind
        (void)snprintf(name, sizeof(name), "session%u", i);
        write_session(name, bits, i % 2 == 0 ? records : nothing, chunk,
            (lp_slice){chunk.ptr, i % 4 < 2 ? chunk.len : chunk.len * 2 / 3});
    }
}

// make_samples writes what there is for samples of allocations: sessions, two JVMs in one file, and
// a carry-over that has weights.
static void
make_samples(void)
{
    jfr_build builds[2];
    lp_slice chunks[2];
    for (uint64_t i = 0; i < 2; i++) {
        alloc_build_begin(&builds[i], 0, i == 0 ? ALLOC_JDK_11 : ALLOC_JDK_17);
        for (uint64_t k = 0; k < 4; k++) {
            (void)alloc_build_event(
                &builds[i], &(alloc_event){.type = k % 2 == 0 ? ALLOC_IN_TLAB : ALLOC_OUTSIDE,
                                .time = (int64_t)(10 + k),
                                .thread = k % 3,
                                .class = ALLOC_CLASS,
                                .bytes = 1000});
        }
        alloc_build_class(&builds[i], ALLOC_CLASS);
        jfr_sample_thread(&builds[i], 1, 1);
        jfr_sample_thread(&builds[i], 2, 2);
        jfr_build_checkpoint(&builds[i]);
        chunks[i] = jfr_build_finish(&builds[i]);
    }
    write_session("samples", 0x23, nothing, chunks[0], chunks[0]);
    write_session("samples_as_fields", 0xa3, nothing, chunks[1], chunks[1]);
    write_session("samples_of_two", 0x43, nothing, chunks[0], chunks[1]);
    make_carry("samples", chunks[0], nothing);
    jfr_build_fini(&builds[0]);
    jfr_build_fini(&builds[1]);
}

// make_settings writes those in which the policy goes into the output.
static void
make_settings(void)
{
    jfr_build build;
    make_settings_chunk(&build);
    lp_slice chunk = jfr_build_finish(&build);
    for (unsigned i = 1; i < 4; i++) {
        char name[20];
        (void)snprintf(name, sizeof(name), "settings%u", i);
        write_session(name, i | 0x20, nothing, chunk, nothing); // by policy i; again
    }
    jfr_build_fini(&build);
}

// make_file writes the inputs of fuzz_header: a file of three chunks with copies of their headers
// in them, as it is and with what damage does to headers.
static void
make_file(void)
{
    lp_buf file = {0};
    size_t second = 0;
    for (int64_t i = 0; i < 3; i++) {
        jfr_build build;
        make_chunk(&build);
        build.clock.start_wall_ns += 1000000000 * i;
        build.clock.start_ticks += 1000000000 * i;
        jfr_build_flush(&build, JFR_SAMPLE_THREAD);
        lp_slice chunk = jfr_build_finish(&build);
        second = i == 1 ? file.len : second;
        lp_buf_append(&file, chunk.ptr, chunk.len);
        jfr_build_fini(&build);
    }
    LP_ASSERT(!file.is_failed);
    make_corpus_write("fuzz_header", "whole", lp_buf_slice(&file), nothing);
    make_corpus_write("fuzz_header", "cut_off", (lp_slice){file.ptr, file.len - 100}, nothing);
    make_corpus_write("fuzz_header", "garbage_between", (lp_slice){file.ptr, second},
        (lp_slice){file.ptr + 50, file.len - 50});
    file.ptr[second + 64] = 7; // not finished
    make_corpus_write("fuzz_header", "unfinished", (lp_slice){file.ptr, file.len - 5000}, nothing);
    file.ptr[second + 12] ^= 1;
    make_corpus_write("fuzz_header", "wrong_size", lp_buf_slice(&file), nothing);
    file.ptr[second] = 'X';
    make_corpus_write("fuzz_header", "no_magic", lp_buf_slice(&file), nothing);
    lp_buf_fini(&file);
}

static void
make_packed(lp_slice records)
{
    const uint16_t size = (uint16_t)records.len;
    ctx_packer packer = {.run_bytes = SIZE_MAX};
    LP_ASSERT(ctx_packing_pack(records, &packer) == LP_OK);
    make_corpus_write("fuzz_pack", "all_kinds", (lp_slice){(const uint8_t *)&size, sizeof(size)},
        lp_buf_slice(&packer.packed));
    ctx_packer_fini(&packer);
}

// make_rollup makes a rollup with a value, an exemplar and an attribute of too many values.
static void
make_rollup(void)
{
    rollup sums;
    rollup_init(&sums);
    rollup_type *type = rollup_add_type(&sums, "shop.Request");
    histogram_add(&type->numbers.all, &sums.arena, 1000000);
    histogram_add(&type->numbers.kept, &sums.arena, 1000000);
    type->numbers.time_ns[TIME_LOCK] = 400000;
    type->numbers.left_ns = 600000;
    rollup_add_exemplar(&sums, type,
        &(rollup_exemplar){.duration_ns = 1000000, .begin_wall_ns = 7, .trace = "4bf92f"});
    rollup_attribute *attribute = rollup_add_attribute(&sums, type, "endpoint");
    const lp_slice text = {(const uint8_t *)"/cart", 5};
    rollup_value *value = rollup_add_value(&sums, attribute, text);
    LP_ASSERT(value != NULL);
    histogram_add(&value->numbers.all, &sums.arena, 1000000);
    rollup_attribute_drop(rollup_add_attribute(&sums, type, "traceId"));
    rollup_note_begin(&sums, 7);
    rollup_note_commits(&sums, 8, 9);
    lp_buf bytes = {0};
    LP_ASSERT(rollup_bytes_encode(&sums, &bytes) == LP_OK);
    make_corpus_write("fuzz_rollup", "small", lp_buf_slice(&bytes), nothing);
    lp_buf_fini(&bytes);
    rollup_fini(&sums);
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
    make_chunk(&build);
    make_records(&records);
    lp_slice chunk = jfr_build_finish(&build);
    lp_slice metadata = jfr_build_payload(&build, build.metadata_offset);
    size_t events = (size_t)(metadata.ptr + metadata.len - chunk.ptr);
    make_file();
    make_whole(chunk, lp_buf_slice(&records));
    make_settings();
    make_corpus_write("fuzz_events", "all_types",
        (lp_slice){chunk.ptr + events, build.checkpoint_offset - events}, nothing);
    make_typed(lp_buf_slice(&records));
    make_packed(lp_buf_slice(&records));
    make_corpus_write("fuzz_metadata", "sample", (lp_slice){(const uint8_t *)"\0", 1}, metadata);
    make_corpus_write(
        "fuzz_pools", "sample", jfr_build_payload(&build, build.checkpoint_offset), nothing);
    make_carry("open", chunk, (lp_slice){records.ptr, 48}); // the first record: still open
    lp_buf completed = {0};
    lp_buf name = {0};
    lp_buf_append(&completed, records.ptr, 48);
    ctx_build_le(&name, 0, 8);
    ctx_build_latin1(&name, "late");
    ctx_build_record(&completed, CTX_RECORD_SET, 3, 1, 50, &name);
    make_carry("completed", chunk, lp_buf_slice(&completed));
    lp_buf_fini(&name);
    lp_buf_fini(&completed);
    lp_buf bare = {0};
    ctx_build_record(&bare, CTX_RECORD_SET, 1, 1, 10, NULL);
    make_carry("context_without_values", chunk, lp_buf_slice(&bare));
    make_samples();
    make_rollup();
    make_corpus_outside();
    make_corpus_tls();
    lp_buf_fini(&bare);
    jfr_build_fini(&build);
    lp_buf_fini(&records);
    return 0;
}
