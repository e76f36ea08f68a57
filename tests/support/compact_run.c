// SPDX-License-Identifier: Apache-2.0
#include "support/compact_run.h"

#include "support/temp_dir.h"

#include "common/base/lp_assert.h"

#include <string.h>

compact_carry *
compact_run_through_bytes(const compact_carry *carry)
{
    lp_buf bytes = {0};
    lp_buf again = {0};
    compact_carry *loaded;
    LP_ASSERT(compact_carry_save(carry, &bytes) == LP_OK);
    LP_ASSERT(compact_carry_load(lp_buf_slice(&bytes), &loaded) == LP_OK);
    LP_ASSERT(compact_carry_save(loaded, &again) == LP_OK);
    LP_ASSERT(bytes.len == again.len && memcmp(bytes.ptr, again.ptr, bytes.len) == 0);
    lp_buf_fini(&bytes);
    lp_buf_fini(&again);
    return loaded;
}

static void
run(const compact_source *chunks, size_t count, const compact_options *options,
    compact_run_carry how, compact_result *out_results)
{
    for (size_t i = 0; i < count; i++) {
        const compact_carry *carry = i == 0 ? NULL : out_results[i - 1].carry;
        compact_carry *loaded = NULL;
        if (how == COMPACT_RUN_SAVED && carry != NULL) {
            carry = loaded = compact_run_through_bytes(carry);
        }
        lp_problem problem = {0};
        lp_err err = compact_chunk(&chunks[i], i + 1 < count ? &chunks[i + 1] : NULL, carry,
            options, &out_results[i], &problem);
        if (err != LP_OK) {
            (void)fprintf(stderr, "chunk %zu: %s: %s at %llu\n", i, lp_err_text(err), problem.text,
                (unsigned long long)problem.offset);
            abort();
        }
        compact_carry_destroy(loaded);
    }
}

void
compact_run(const compact_source *chunks, size_t count, const policy *rules, compact_run_carry how,
    compact_result *out_results)
{
    const compact_options options = {.policy = rules, .is_strict = true};
    run(chunks, count, &options, how, out_results);
}

void
compact_run_with(const compact_source *chunks, size_t count, const compact_options *options,
    compact_result *out_results)
{
    run(chunks, count, options, COMPACT_RUN_AS_IT_IS, out_results);
}

policy *
compact_run_policy(const char *events)
{
    temp_dir dir = temp_dir_make();
    char path[300];
    (void)snprintf(path, sizeof(path), "%s/policy.jfc", dir.path);
    FILE *file = fopen(path, "w");
    LP_ASSERT(file != NULL);
    (void)fprintf(file, "<configuration version=\"2.0\">%s</configuration>", events);
    LP_ASSERT(fclose(file) == 0);
    policy *rules = policy_create();
    LP_ASSERT(rules != NULL && policy_read(rules, path, NULL) == LP_OK);
    temp_dir_remove(&dir);
    return rules;
}
