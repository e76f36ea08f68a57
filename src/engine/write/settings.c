// SPDX-License-Identifier: Apache-2.0
// Tests:   tests/unit/engine/write/test_settings.c
#include "common/base/lp_assert.h"
#include "common/jfr/jfr_event.h"
#include "engine/read/kind_values.h"
#include "engine/read/text.h"
#include "engine/write/writer.h"

#include <string.h>

static const char active_setting[] = "jdk.ActiveSetting";

typedef struct writer {
    compact_view *view;
    uint32_t type; // jdk.ActiveSetting
    int64_t start_ticks;
    lp_buf payload;
    lp_buf *out;
    uint64_t of;  // id of the event type with the settings
    bool has_any; // it has settings
} writer;

// append_op writes a value: times, ids and texts are set, the rest is 0, null or empty. Returns
// false if it would be unreadable.
static bool
append_op(writer *w, const jfr_op *op, const char *text)
{
    static const uint8_t zero = 0;
    switch (op->code) {
    case JFR_OP_TIMESTAMP:
        jfr_varint_append(&w->payload, (uint64_t)w->start_ticks);
        return true;
    case JFR_OP_TYPE_ID:
        jfr_varint_append(&w->payload, w->of);
        return true;
    case JFR_OP_STRING:
        if (text != NULL) {
            compact_text_append_string(&w->payload, text);
        } else {
            compact_kind_append_null(&w->payload);
        }
        return true;
    case JFR_OP_BYTES:
        for (uint32_t i = 0; i < op->arg; i++) {
            lp_buf_append(&w->payload, &zero, 1);
        }
        return true;
    case JFR_OP_VARINT:
    case JFR_OP_TIMESPAN:
    case JFR_OP_DURATION:
    case JFR_OP_CONTEXT_ID:
    case JFR_OP_CONSTANT:
    case JFR_OP_ARRAY:
    case JFR_OP_CONSTANT_ARRAY:
        jfr_varint_append(&w->payload, 0);
        return true;
    case JFR_OP_UNKNOWN:
        break;
    }
    return false;
}

static void
on_setting(void *arg, const char *setting, const char *value)
{
    writer *w = arg;
    const compact_schema *schema = w->view->schema;
    const jfr_type *type = &schema->metadata.types.items[w->type];
    bool is_written = true;
    lp_buf_clear(&w->payload);
    for (uint32_t i = 0; i < type->field_count && is_written; i++) {
        uint32_t field = type->field_begin + i;
        const char *name =
            jfr_metadata_text(&schema->metadata, schema->metadata.fields.items[field].name);
        const char *text = strcmp(name, "name") == 0    ? setting
                           : strcmp(name, "value") == 0 ? value
                                                        : NULL;
        bool is_last = i + 1 == type->field_count;
        uint32_t end_op = is_last ? schema->layout.types.items[w->type].end
                                  : schema->layout.field_ops.items[field + 1];
        for (uint32_t op = schema->layout.field_ops.items[field]; op < end_op && is_written; op++) {
            is_written = append_op(w, &schema->layout.ops.items[op], text);
        }
    }
    if (is_written) {
        jfr_event_append(w->out, type->id, lp_buf_slice(&w->payload));
        w->out->is_failed |= w->payload.is_failed;
        w->view->keeps[w->type] = true;
        w->has_any = true;
    }
}

static void
on_setting_of_contexts(void *arg, const char *setting, const char *value)
{
    if (strcmp(setting, "context-index") == 0) {
        on_setting(arg, setting, value);
    }
}

static void
append_of_events(writer *w, const policy *rules)
{
    const compact_schema *schema = w->view->schema;
    const jfr_metadata *metadata = &schema->metadata;
    for (uint32_t i = 0; i < metadata->types.count; i++) {
        const jfr_type *of = &metadata->types.items[i];
        if (of->is_event) {
            w->of = of->id;
            w->has_any = false;
            bool is_contextual = schema->plans[i].rule == COMPACT_RULE_CONTEXTUAL;
            policy_each_own(
                rules, jfr_metadata_text(metadata, of->name), is_contextual, on_setting, w);
            w->view->keeps[i] |= w->has_any;
        }
    }
}

static void
append_of_contexts(writer *w, const compact_frame *frame, const compact_context_events *contexts)
{
    for (size_t i = 0; i < frame->type_count; i++) {
        w->of = contexts->type_ids[i];
        if (w->of != 0) {
            policy_each_own(
                frame->options->policy, frame->types[i].name, true, on_setting_of_contexts, w);
        }
    }
}

void
compact_settings_append(compact_writer *w, const compact_context_events *contexts,
    const compact_request_events *requests, int64_t start_ticks)
{
    compact_writer_check(w);
    LP_ASSERT(w->frame->options->has_settings);
    const policy *rules = w->frame->options->policy;
    const jfr_metadata *metadata = &w->view->schema->metadata;
    uint32_t type = jfr_metadata_find_type_named(metadata, active_setting);
    if (type == JFR_NONE || !metadata->types.items[type].is_event ||
        policy_find(rules, active_setting, false).is_disabled) {
        return;
    }
    writer settings = {
        .view = w->view, .type = type, .start_ticks = start_ticks, .out = &w->out->jfr};
    const char *source = w->frame->options->policy_source;
    source = source == NULL ? policy_get_path(rules) : source;
    if (source != NULL) {
        settings.of = metadata->types.items[type].id;
        on_setting(&settings, "policy", source);
    }
    append_of_events(&settings, rules);
    append_of_contexts(&settings, w->frame, contexts);
    settings.of = requests->request_id;
    if (settings.of != 0) {
        policy_each_of_requests(rules, on_setting, &settings);
    }
    lp_buf_fini(&settings.payload);
}
