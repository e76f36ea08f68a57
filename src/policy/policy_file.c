// SPDX-License-Identifier: Apache-2.0
#include "policy/policy_file.h"

#include "common/base/lp_buf.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_time.h"
#include "policy/policy_store.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SETTING_OVERHEAD_BYTES = 20 }; // on the wire, beside its texts

struct policy_file {
    // Acquire and release: the thread that drops the last reference sees all writes of the others.
    atomic_uint refs;
    char *path;
    lp_buf text;
    policy *rules;
    policy_jvm_settings jvm;
    uint64_t id;
    int64_t read_wall_ns;
};

policy_file *
policy_file_ref(policy_file *self)
{
    (void)atomic_fetch_add_explicit(&self->refs, 1, memory_order_relaxed);
    return self;
}

void
policy_file_unref(policy_file *self)
{
    if (self == NULL || atomic_fetch_sub_explicit(&self->refs, 1, memory_order_acq_rel) > 1) {
        return;
    }
    policy_jvm_fini(&self->jvm);
    policy_destroy(self->rules);
    lp_buf_fini(&self->text);
    free(self->path);
    free(self);
}

// list_jvm finds the settings for the JVM, and the id.
static lp_err
list_jvm(policy_file *self, lp_problem *out_problem)
{
    lp_err err = policy_jvm_list(self->rules, &self->jvm);
    if (err != LP_OK) {
        return lp_problem_set(out_problem, err, "%s: %s", self->path, lp_err_text(err));
    }
    size_t bytes = 0;
    self->id = lp_hash_bytes(LP_HASH_FIXED, lp_buf_slice(&self->text));
    for (size_t i = 0; i < self->jvm.items.count; i++) {
        const policy_jvm_setting *item = &self->jvm.items.items[i];
        self->id = lp_hash_text(self->id, item->event);
        self->id = lp_hash_text(self->id, item->setting);
        self->id = lp_hash_text(self->id, item->value);
        bytes += strlen(item->event) + strlen(item->setting) + strlen(item->value) +
                 SETTING_OVERHEAD_BYTES;
    }
    self->id += self->id == 0;
    if (bytes > POLICY_FILE_JVM_BYTES_MAX) {
        return lp_problem_set(out_problem, LP_ELIMIT,
            "%s: the settings for the JVM take more than %d bytes", self->path,
            POLICY_FILE_JVM_BYTES_MAX);
    }
    return LP_OK;
}

// fill sets all members but path and text.
static lp_err
fill(policy_file *self, bool is_told, lp_problem *out_problem)
{
    self->rules = policy_create();
    LP_REQUIRE(self->path != NULL && self->rules != NULL && lp_buf_check(&self->text) == LP_OK,
        lp_problem_set(out_problem, LP_ENOMEM, "out of memory"));
    if (is_told) {
        policy_set_told(self->rules);
    }
    self->read_wall_ns = lp_time_now();
    lp_err err = policy_parse(self->rules, self->path, lp_buf_slice(&self->text), out_problem);
    if (is_told) { // no JVM gets it
        self->id = lp_hash_bytes(LP_HASH_FIXED, lp_buf_slice(&self->text));
        self->id += self->id == 0;
        return err;
    }
    return err == LP_OK ? list_jvm(self, out_problem) : err;
}

static policy_file *
create(const char *path)
{
    policy_file *self = calloc(1, sizeof(*self));
    if (self != NULL) {
        atomic_init(&self->refs, 1);
        self->path = strdup(path);
    }
    return self;
}

static lp_err
parse(
    const char *path, lp_slice text, bool is_told, policy_file **out_file, lp_problem *out_problem)
{
    policy_file *self = create(path);
    LP_REQUIRE(self != NULL, lp_problem_set(out_problem, LP_ENOMEM, "out of memory"));
    lp_buf_append(&self->text, text.ptr, text.len);
    lp_err err = fill(self, is_told, out_problem);
    if (err != LP_OK) {
        policy_file_unref(self);
        return err;
    }
    *out_file = self;
    return LP_OK;
}

lp_err
policy_file_parse(const char *path, lp_slice text, policy_file **out_file, lp_problem *out_problem)
{
    return parse(path, text, false, out_file, out_problem);
}

lp_err
policy_file_parse_told(
    const char *path, lp_slice text, policy_file **out_file, lp_problem *out_problem)
{
    return parse(path, text, true, out_file, out_problem);
}

bool
policy_file_is_shared(const policy_file *self)
{
    return atomic_load_explicit(&self->refs, memory_order_relaxed) > 1;
}

bool
policy_file_is_told(const policy_file *self)
{
    return self->rules->is_told;
}

size_t
policy_file_measure(const policy_file *self)
{
    return sizeof(*self) + strlen(self->path) + 1 + self->text.len +
           self->jvm.items.capacity * sizeof(policy_jvm_setting) +
           policy_store_measure(self->rules);
}

const char *
policy_file_get_path(const policy_file *self)
{
    return self->path;
}

lp_slice
policy_file_get_text(const policy_file *self)
{
    return lp_buf_slice(&self->text);
}

policy *
policy_file_get_rules(const policy_file *self)
{
    return self == NULL ? NULL : self->rules;
}

const policy_jvm_settings *
policy_file_get_jvm(const policy_file *self)
{
    return &self->jvm;
}

uint64_t
policy_file_get_id(const policy_file *self)
{
    return self == NULL ? 0 : self->id;
}

int64_t
policy_file_get_read_wall_ns(const policy_file *self)
{
    return self->read_wall_ns;
}

void
policy_file_each(const policy_file *self,
    void (*on_setting)(void *arg, const char *event, const char *setting, const char *value),
    void *arg)
{
    for (size_t i = 0; i < self->rules->lines.count; i++) {
        const policy_line *line = &self->rules->lines.items[i];
        on_setting(arg, line->event, line->setting, line->value);
    }
}
