// SPDX-License-Identifier: Apache-2.0

#include "collector/recall/edition/recall_job.h"

#include "collector/recall/edition/raw_task.h"
#include "collector/recall/raw/raw_ids.h"
#include "common/base/lp_assert.h"
#include "policy/policy.h"

#include <string.h>

static void
job_check(const recall_job *self)
{
    LP_ASSERT(self->dir != NULL && self->blobs != NULL && self->run != 0);
    LP_ASSERT((self->pinned.pin_id == 0) == (self->traces.count > 0));
    LP_ASSERT(self->before_edition < BLOB_EDITIONS);
}

static recall_counts
counts_of(const chunk_task_output *output)
{
    const compact_stats *stats = &output->stats;
    return (recall_counts){stats->events_out, stats->contexts_out, stats->bytes_out};
}

// prove compacts a chunk as the first time. *out_counts is what it has.
static lp_err
prove(recall_job *self, const raw_task *raw, recall_counts *out_counts)
{
    lp_buf jfr = {0};
    chunk_task_output first;
    LP_TRY(chunk_task_compact(&raw->task, &first, &jfr, &self->problem));
    bool is_same = blobs_hash(lp_buf_slice(&jfr)) == raw->content_hash;
    *out_counts = counts_of(&first);
    chunk_task_output_fini(&first);
    lp_buf_fini(&jfr);
    return is_same ? LP_OK
                   : lp_problem_set(&self->problem, LP_EVERSION,
                         "its raw data makes another chunk: it is damaged, or the policy or the "
                         "version of the collector have changed");
}

// make_all compacts a chunk with all events. A policy that drops nothing has no contexts in which
// nothing happened, and a JVM's own filters: what the pins want comes besides.
static lp_err
make_all(recall_job *self, raw_task *raw, const compact_also *also, lp_buf *out_jfr)
{
    size_t last = chunk_task_unit_end(&raw->task, 0) - 1;
    policy *all;
    LP_ASSERT(last < raw->task.part_count);
    bool is_empty = also->id_count + also->request_count + also->thread_count == 0;
    LP_TRY(policy_all_create(chunk_task_get_policy(&raw->task, last + 1), &all));
    policy_file *own = raw->task.policies[last];
    policy *rules = raw->task.policy;
    raw->task.policies[last] = NULL;
    raw->task.policy = all;
    raw->task.also = is_empty ? NULL : also;
    lp_err err = chunk_task_compact(&raw->task, &self->made, out_jfr, &self->problem);
    raw->task.also = NULL;
    raw->task.policy = rules;
    raw->task.policies[last] = own;
    policy_destroy(all);
    return err;
}

// make compacts a chunk with what is wanted.
static lp_err
make(recall_job *self, raw_task *raw, lp_buf *out_jfr)
{
    compact_also also;
    LP_TRY(recall_wants_view(&self->wants, &also));
    if (self->edition == BLOB_EDITION_ALL) {
        return make_all(self, raw, &also, out_jfr);
    }
    recall_wants_ask(&self->wants, &self->pinned, &also);
    raw->task.also = &also;
    lp_err err = chunk_task_compact(&raw->task, &self->made, out_jfr, &self->problem);
    raw->task.also = NULL;
    return err;
}

// store stores the edition, unless it has no more than the stored one.
static lp_err
store(recall_job *self, lp_slice jfr)
{
    const recall_counts *before = &self->before_counts;
    self->counts = counts_of(&self->made);
    self->has_nothing =
        self->edition != BLOB_EDITION_ALL && self->counts.events == before->events &&
        self->counts.contexts == before->contexts && self->counts.bytes == before->bytes;
    LP_REQUIRE(!self->has_nothing, LP_OK);
    self->stored = (blob_name){.session_id = self->pinned.chunk.session_id,
        .ordinal = self->pinned.chunk.ordinal,
        .place.offset = self->edition};
    lp_err err = blobs_put_edition(self->blobs, jfr, &self->stored);
    return err == LP_OK ? LP_OK
                        : lp_problem_set(&self->problem, err, "cannot store the chunk: %s",
                              lp_err_reason(err));
}

// is_without returns whether a chunk, and the next one, are known to lack the id of a pin: a
// context is noted in the chunk in which it ends, and may begin in the one before.
static bool
is_without(const recall_job *self, const raw_task_from *from, lp_slice ids)
{
    const pin_work *pinned = &self->pinned;
    const lp_slice id = {(const uint8_t *)pinned->selection.id, strlen(pinned->selection.id)};
    uint64_t hash;
    if (self->traces.count > 0 || pinned->selection.kind != PIN_TRACE ||
        !rollup_id_hash(id, &hash) || ids.len == 0 || raw_ids_may_have(ids, hash)) {
        return false;
    }
    lp_buf next = {0};
    lp_err err =
        raw_task_find_ids(from, pinned->chunk.session_id, pinned->chunk.ordinal + 1, &next);
    bool is_known = err == LP_OK && next.len > 0;
    bool has_none = is_known && !raw_ids_may_have(lp_buf_slice(&next), hash);
    lp_buf_fini(&next);
    return has_none;
}

// choose decides which edition to make, unless the pin is_known, or the traces are left out.
// has_record: what the stored edition has is known. is_in_vain: and wants may be more.
static lp_err
choose(recall_job *self, bool has_record, bool is_in_vain)
{
    bool is_new = true;
    bool is_part = self->before_edition >= BLOB_EDITION_PART;
    lp_err err = self->traces.count > 0
                     ? recall_wants_add_traces(&self->wants, &self->traces, &is_new)
                     : recall_wants_add(&self->wants, &self->pinned, &is_new);
    LP_REQUIRE(err == LP_OK || err == LP_ELIMIT, err);
    self->is_known = is_part && has_record && !is_in_vain && !is_new;
    self->edition = err == LP_ELIMIT || self->before_edition == BLOB_EDITION_PART_LAST ||
                            (is_part && !has_record)
                        ? BLOB_EDITION_ALL
                    : is_part ? self->before_edition + 1
                              : BLOB_EDITION_PART;
    LP_ASSERT(self->is_known || blob_edition_has_more(self->edition, self->before_edition));
    self->is_left_out =
        self->traces.count > 0 && self->edition == BLOB_EDITION_ALL && !self->is_known;
    return LP_OK;
}

// compact makes and stores the edition.
static lp_err
compact(recall_job *self, raw_task *raw)
{
    lp_buf jfr = {0};
    recall_counts first = raw->first_counts;
    bool is_of_run = raw->run == self->run;
    lp_err err = is_of_run ? LP_OK : prove(self, raw, &first);
    LP_THEN(err, make(self, raw, &jfr));
    if (err == LP_OK && is_of_run && self->made.read_damaged_bytes > 0) {
        err = prove(self, raw, &first);
    }
    self->before_counts = raw->counts.bytes > 0 ? raw->counts : first;
    LP_THEN(err, store(self, lp_buf_slice(&jfr)));
    lp_buf_fini(&jfr);
    return err;
}

void
recall_job_run(recall_job *self)
{
    job_check(self);
    const raw_task_from from = {.dir = self->dir,
        .policies = self->policies,
        .rules = self->rules,
        .edition = self->before_edition};
    raw_task raw;
    self->err =
        raw_task_open(&from, self->pinned.chunk.session_id, self->pinned.chunk.ordinal, &raw);
    if (self->err != LP_OK) {
        (void)lp_problem_set(&self->problem, self->err, "%s", lp_err_reason(self->err));
        return;
    }
    raw.task.large_fd = self->large_fd;
    self->before_hash = raw.content_hash;
    self->wants = raw.wants; // moves
    raw.wants = (recall_wants){0};
    self->is_without = is_without(self, &from, lp_buf_slice(&raw.ids));
    self->err = choose(self, raw.counts.bytes > 0, raw.is_in_vain);
    if (self->err == LP_OK && !self->is_without && !self->is_known && !self->is_left_out) {
        self->err = compact(self, &raw);
    }
    raw_task_close(&raw);
}

void
recall_job_fini(recall_job *self)
{
    LP_VEC_FINI(&self->traces);
    chunk_task_output_fini(&self->made);
    recall_wants_fini(&self->wants);
}
