// SPDX-License-Identifier: Apache-2.0
//
// rollup RECORDING with|without [requests]: compacts the chunks of a recording as a collector does,
// with or without statistics, of contexts alone or also of requests. Prints how many contexts and
// requests there are and how many bytes the statistics take.

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_chunk.h"
#include "common/rollup/rollup_bytes.h"
#include "engine/compact.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

// next_chunk returns the chunk at the begin of rest, which moves on; of no bytes at the end.
static lp_slice
next_chunk(lp_slice *rest)
{
    jfr_chunk_info info;
    lp_problem problem;
    lp_slice chunk = *rest;
    if (rest->len == 0 || jfr_chunk_parse_cut(chunk, &info, &problem) != LP_OK) {
        return (lp_slice){0};
    }
    chunk.len = info.size_bytes < rest->len ? (size_t)info.size_bytes : rest->len;
    rest->ptr += chunk.len;
    rest->len -= chunk.len;
    return chunk;
}

static int
run(lp_slice file, bool has_rollup, bool has_requests)
{
    const compact_options options = {.has_rollup = has_rollup, .has_requests = has_requests};
    compact_carry *carry = NULL;
    lp_buf bytes = {0};
    rollup total;
    rollup_init(&total);
    uint64_t contexts_in = 0;
    uint64_t contexts_out = 0;
    uint64_t requests_in = 0;
    uint64_t requests_out = 0;
    size_t ids = 0;
    lp_slice chunk = next_chunk(&file);
    while (chunk.len > 0) {
        lp_slice next = next_chunk(&file);
        const compact_source source = {.jfr = chunk};
        const compact_source ahead = {.jfr = next};
        compact_result result;
        lp_problem problem;
        if (compact_chunk(&source, &ahead, next.len > 0 ? 1 : 0, carry, &options, &result,
                &problem) != LP_OK) {
            (void)fprintf(stderr, "rollup: %s\n", problem.text);
            return 1;
        }
        LP_ASSERT(!has_rollup || rollup_bytes_encode(&result.rollup, &bytes) == LP_OK);
        rollup_add(&total, &result.rollup, "");
        contexts_in += result.stats.contexts_in;
        contexts_out += result.stats.contexts_out;
        requests_in += result.stats.requests_in;
        requests_out += result.stats.requests_out;
        ids += result.ids.kept.count + result.ids.dropped.count;
        compact_carry_destroy(carry);
        carry = result.carry;
        result.carry = NULL;
        compact_result_fini(&result);
        chunk = next;
    }
    uint64_t all = total.contexts_left_out;
    uint64_t kept = 0;
    for (size_t i = 0; i < total.types.count; i++) {
        all += total.types.items[i].numbers.all.count;
        kept += total.types.items[i].numbers.kept.count;
    }
    printf("contexts %" PRIu64 " in, %" PRIu64 " counted; %" PRIu64 " out, %" PRIu64
           " counted; requests %" PRIu64 " in, %" PRIu64 " out; %zu ids; %zu bytes\n",
        contexts_in, all, contexts_out, kept, requests_in, requests_out, ids, bytes.len);
    compact_carry_destroy(carry);
    lp_buf_fini(&bytes);
    rollup_fini(&total);
    return 0;
}

int
main(int argc, char **argv)
{
    struct stat status;
    bool has_rollup = argc >= 3 && strcmp(argv[2], "with") == 0;
    bool has_requests = argc == 4 && strcmp(argv[3], "requests") == 0;
    int file = argc >= 3 ? open(argv[1], O_RDONLY) : -1;
    if (file < 0 || fstat(file, &status) != 0) {
        perror("rollup RECORDING with|without [requests]");
        return 2;
    }
    size_t size = (size_t)status.st_size;
    const uint8_t *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes == MAP_FAILED) {
        perror(argv[1]);
        return 1;
    }
    return run((lp_slice){bytes, size}, has_rollup, has_requests);
}
