// SPDX-License-Identifier: Apache-2.0
// Tests:   tests/unit/engine/write/test_account.c, tests/unit/engine/write/test_classes.c,
//          tests/unit/engine/job/rollup/test_rollup_requests.c,
//          tests/unit/engine/show/test_style.c, tests/unit/collector/server/test_losses.c
#include "common/base/lp_assert.h"
#include "common/jfr/jfr_string.h"
#include "engine/read/kinds.h"
#include "engine/read/text.h"
#include "engine/reason.h"
#include "engine/requests/requests.h"
#include "engine/write/account.h"
#include "engine/write/describe.h"
#include "engine/write/type_ids.h"
#include "engine/write/writer.h"

#include <stdlib.h>
#include <string.h>

enum { ID_MIN = COMPACT_TYPE_IDS_KNOWN + COMPACT_TYPE_IDS_KNOWN_MAX };

typedef struct own_class {
    const char *name;
    const char *label;
    const char *description;
    uint64_t wanted_id;                    // or the next free one below, down to ID_MIN
    const compact_described_field *fields; // numbers and texts
    size_t field_count;
} own_class;

static void
add_category(compact_classes *classes, uint32_t class)
{
    size_t place = classes->added.count;
    uint64_t id =
        compact_classes_use_named(classes, "jdk.jfr.Category", COMPACT_CLASSES_ANNOTATION);
    if (place < classes->added.count) {
        uint32_t category = classes->added.items[place].element;
        jfr_metadata_id text =
            jfr_metadata_id_text(compact_classes_use_named(classes, "java.lang.String", NULL));
        const char *attributes[] = {"name", "value", "class", text.text, "dimension", "1"};
        (void)compact_classes_append_element(classes, category, "field", attributes, 3);
    }
    jfr_metadata_id id_attribute = jfr_metadata_id_text(id);
    const char *attributes[] = {"class", id_attribute.text, "value-0", "Loupe"};
    (void)compact_classes_append_element(classes, class, "annotation", attributes, 2);
}

static bool
has_fields(const jfr_metadata *metadata, uint32_t element, const own_class *own)
{
    size_t count = 0;
    uint32_t child = metadata->elements.items[element].first_child;
    for (; child != JFR_NONE; child = metadata->elements.items[child].next_sibling) {
        if (!jfr_metadata_is_named(metadata, child, "field")) {
            continue;
        }
        const char *name = jfr_metadata_find_attribute(metadata, child, "name");
        const char *class = jfr_metadata_find_attribute(metadata, child, "class");
        uint32_t type =
            class == NULL ? JFR_NONE : jfr_metadata_find_type(metadata, strtoull(class, NULL, 10));
        if (count == own->field_count || name == NULL || type == JFR_NONE ||
            strcmp(name, own->fields[count].name) != 0 ||
            strcmp(jfr_metadata_type_name(metadata, type), own->fields[count].type) != 0 ||
            jfr_metadata_find_attribute(metadata, child, "constantPool") != NULL ||
            jfr_metadata_find_attribute(metadata, child, "dimension") != NULL) {
            return false;
        }
        count++;
    }
    return count == own->field_count;
}

// find returns the type of the input with the name and fields of own, or JFR_NONE.
static uint32_t
find(const jfr_metadata *metadata, const own_class *own)
{
    for (uint32_t i = 0; i < metadata->types.count; i++) {
        const jfr_type *type = &metadata->types.items[i];
        if (type->is_event && strcmp(jfr_metadata_text(metadata, type->name), own->name) == 0 &&
            has_fields(metadata, type->element, own)) {
            return i;
        }
    }
    return JFR_NONE;
}

// add_class adds the event type, or uses the input's with the same name and fields, and returns its
// id. Other versions' types of the name may exist. Call it once for a chunk.
static uint64_t
add_class(compact_classes *classes, const own_class *own)
{
    compact_classes_check(classes);
    uint32_t known = find(&classes->metadata, own);
    if (known != JFR_NONE) {
        compact_classes_use(classes, known);
        return classes->metadata.types.items[known].id;
    }
    uint64_t id = own->wanted_id;
    while (id > ID_MIN && compact_classes_has_id(classes, id)) {
        id--; // alike in all chunks of a file
    }
    uint32_t class = compact_classes_add(classes, own->name, COMPACT_CLASSES_EVENT, id, &id);
    compact_describe_annotation(classes, class, "jdk.jfr.Label", own->label);
    compact_describe_annotation(classes, class, "jdk.jfr.Description", own->description);
    add_category(classes, class);
    compact_describe_fields(classes, class, own->fields, own->field_count);
    return id;
}

static lp_buf *
begin_event(compact_writer *w, const jfr_chunk_info *info)
{
    lp_buf_clear(&w->scratch);
    jfr_varint_append(&w->scratch, (uint64_t)info->start_ticks);
    return &w->scratch;
}

// --- Dropped events and contexts (account.h)

static const compact_described_field accounting_fields[] = {
    {"startTime", "long", "Start Time", .timestamp = "TICKS"},
    {"duration", "long", "Duration", .timespan = "TICKS"},
    {"offered", "long", "Offered"},
    {"kept", "long", "Kept"},
#define COMPACT_REASON(id, name, field, label) {field, "long", "Dropped: " label},
#include "engine/reasons.def"
    {"eventTypes", "java.lang.String", "Event Types"},
};

static const own_class accounting_class = {
    .name = "dev.loupe.Accounting",
    .label = "Accounting",
    .description =
        "What Loupe left out of this recording: how many events a chunk of the JVM's recording "
        "had (offered), how many were written (kept), and how many each setting dropped; "
        "damaged ones could not be read. These are sums over the event types of which "
        "something was dropped, which Event Types lists with their own numbers. The time is "
        "that of the chunk.",
    .wanted_id = COMPACT_TYPE_IDS_ACCOUNTING,
    .fields = accounting_fields,
    .field_count = sizeof(accounting_fields) / sizeof(accounting_fields[0]),
};

static void
append_account(compact_writer *w, const jfr_chunk_info *info, const compact_account *account)
{
    uint64_t type_id = add_class(&w->classes, &accounting_class);
    lp_buf *payload = begin_event(w, info);
    jfr_varint_append(payload, compact_writer_duration_ticks(info));
    jfr_varint_append(payload, account->kept + compact_dropped_sum(&account->dropped));
    jfr_varint_append(payload, account->kept);
    for (size_t i = 0; i < COMPACT_REASON_COUNT; i++) {
        jfr_varint_append(payload, account->dropped.by[i]);
    }
    jfr_string_append(payload, lp_buf_slice(&account->types));
    compact_writer_end_event(w, type_id);
}

static void
add_types(const compact_writer *w, compact_account *account)
{
    LP_ASSERT(account->types.len == 0);
    const compact_view *view = w->view;
    const jfr_metadata *metadata = &view->schema->metadata;
    for (uint32_t i = 0; i < metadata->types.count; i++) {
        const compact_dropped dropped = compact_account_of_type(view, i, &w->out->by_type[i]);
        compact_account_add(
            account, jfr_metadata_type_name(metadata, i), w->out->by_type[i].events, &dropped);
    }
    for (size_t i = 0; i < w->frame->type_count; i++) {
        const compact_dropped dropped =
            compact_account_of_contexts(&w->decided->contexts_gone[i], w->out->lost_contexts[i]);
        compact_account_add(account, compact_context_class_name(w->arena, &w->decided->types[i]),
            w->out->by_context[i].events, &dropped);
    }
}

static void
append_accounts(compact_writer *w, const jfr_chunk_info *info)
{
    compact_account account = {0};
    add_types(w, &account);
    if (account.types.len > 0) {
        append_account(w, info, &account);
    }
    w->out->jfr.is_failed |= account.types.is_failed;
    compact_account_fini(&account);
}

// --- Requests that ended in the window: how many there were and were kept, their losses
// (request_losses.def), and why they were kept or dropped (request_reasons.def)

static const compact_described_field request_account_fields[] = {
    {"startTime", "long", "Start Time", .timestamp = "TICKS"},
    {"duration", "long", "Duration", .timespan = "TICKS"},
    {"offered", "long", "Offered"},
    {"kept", "long", "Kept"},
#define COMPACT_REQUEST_LOSS(id, field, label) {field, "long", label},
#include "engine/request_losses.def"
#define COMPACT_REQUEST_KEPT(id, name, field, label)    {field, "long", label},
#define COMPACT_REQUEST_DROPPED(id, name, field, label) {field, "long", label},
#include "engine/request_reasons.def"
};

static const own_class request_account_class = {
    .name = COMPACT_REQUEST_ACCOUNT_EVENT,
    .label = "Request Accounting",
    .description =
        "How many requests ended in a chunk of the JVM's recording (offered), how many "
        "of them are in this recording (kept), and which parts of requests were lost. The "
        "time is that of the chunk.",
    .wanted_id = COMPACT_TYPE_IDS_REQUEST_ACCOUNT,
    .fields = request_account_fields,
    .field_count = sizeof(request_account_fields) / sizeof(request_account_fields[0]),
};

static void
append_request_counts(compact_writer *w, const jfr_chunk_info *info,
    const compact_request_counts *counts, const compact_requests *requests)
{
    const compact_request_losses *losses = &requests->losses;
    const compact_request_reasons reasons = compact_requests_count_reasons(requests);
    uint64_t type_id = add_class(&w->classes, &request_account_class);
    lp_buf *payload = begin_event(w, info);
    jfr_varint_append(payload, compact_writer_duration_ticks(info));
    jfr_varint_append(payload, counts->in);
    jfr_varint_append(payload, counts->out);
#define COMPACT_REQUEST_LOSS(id, field, label) jfr_varint_append(payload, losses->id);
#include "engine/request_losses.def"
    for (size_t i = 1; i < COMPACT_REQUEST_KEPT_COUNT; i++) {
        jfr_varint_append(payload, reasons.kept[i]);
    }
    for (size_t i = 1; i < COMPACT_REQUEST_DROPPED_COUNT; i++) {
        jfr_varint_append(payload, reasons.dropped[i]);
    }
    compact_writer_end_event(w, type_id);
}

static void
append_request_account(compact_writer *w, const jfr_chunk_info *info)
{
    const compact_requests *requests = w->decided->requests;
    if (requests == NULL) {
        return;
    }
    compact_request_counts counts = compact_requests_count(requests);
    if (counts.in > 0 || compact_request_losses_sum(&requests->losses) > 0) {
        append_request_counts(w, info, &counts, requests);
    }
}

// --- Losses of the input, known to the caller (compact_options.losses), an event each

static const compact_described_field loss_fields[] = {
    {"startTime", "long", "Start Time", .timestamp = "TICKS"},
    {"duration", "long", "Duration", .timespan = "TICKS"},
    {"kind", "java.lang.String", "Kind"},
    {"amount", "long", "Amount"},
    {"message", "java.lang.String", "Message"},
};

static const own_class loss_class = {
    .name = "dev.loupe.Loss",
    .label = "Loss",
    .description = "What this recording lacks although no setting dropped it: it was lost on the "
                   "way, or damaged. The amount is in the unit that the kind's name has. The time "
                   "is that of the chunk in which it was noticed.",
    .wanted_id = COMPACT_TYPE_IDS_LOSS,
    .fields = loss_fields,
    .field_count = sizeof(loss_fields) / sizeof(loss_fields[0]),
};

static void
append_losses(compact_writer *w, const jfr_chunk_info *info)
{
    compact_writer_check(w);
    const compact_options *options = w->frame->options;
    if (options->loss_count == 0) {
        return;
    }
    uint64_t type_id = add_class(&w->classes, &loss_class);
    for (size_t i = 0; i < options->loss_count; i++) {
        const compact_loss *loss = &options->losses[i];
        lp_buf *payload = begin_event(w, info);
        jfr_varint_append(payload, compact_writer_duration_ticks(info));
        compact_text_append_string(payload, loss->kind == NULL ? "" : loss->kind);
        jfr_varint_append(payload, loss->amount);
        compact_text_append_string(payload, loss->message == NULL ? "" : loss->message);
        compact_writer_end_event(w, type_id);
    }
}

// --- Attributes of shown contexts in the styles `fields` and `ref`: context type and field of each

static const compact_described_field attribute_fields[] = {
    {"startTime", "long", "Start Time", .timestamp = "TICKS"},
    {"contextType", "java.lang.String", "Context Type"},
    {"attribute", "java.lang.String", "Attribute"},
    {"type", "java.lang.String", "Type"},
    {"field", "java.lang.String", "Field"},
    {"label", "java.lang.String", "Label"},
    {"description", "java.lang.String", "Description"},
};

static const own_class attribute_class = {
    .name = "dev.loupe.ContextAttribute",
    .label = "Context Attribute",
    .description = "An attribute of contexts that the events of this chunk show. Field is the name "
                   "of the field that has it. An event type that has a field of that name already "
                   "has a number behind it: _2, _3 and so on.",
    .wanted_id = COMPACT_TYPE_IDS_ATTRIBUTE,
    .fields = attribute_fields,
    .field_count = sizeof(attribute_fields) / sizeof(attribute_fields[0]),
};

static void
append_column(
    compact_writer *w, uint64_t type_id, const jfr_chunk_info *info, const compact_column *column)
{
    const compact_attribute *attribute = column->attribute;
    lp_buf *payload = begin_event(w, info);
    compact_text_append_string(payload, column->kind);
    compact_text_append_string(payload, attribute->name);
    compact_text_append_string(payload, attribute->reference == NULL
                                            ? compact_kinds_type_name(column->values)
                                            : attribute->reference);
    compact_text_append_string(payload, column->name);
    compact_text_append_string(payload, column->label);
    compact_text_append_string(payload, column->description);
    compact_writer_end_event(w, type_id);
}

static void
append_attributes(compact_writer *w, const jfr_chunk_info *info)
{
    const compact_columns *columns = w->style == NULL ? NULL : compact_style_columns(w->style);
    if (columns == NULL || columns->count == 0) {
        return;
    }
    uint64_t type_id = add_class(&w->classes, &attribute_class);
    for (size_t i = 0; i < columns->count; i++) {
        append_column(w, type_id, info, &columns->items[i]);
    }
}

void
compact_own_events_append(compact_writer *w, const jfr_chunk_info *info)
{
    compact_writer_check(w);
    LP_ASSERT(w->frame->type_count == 0 || w->decided->contexts_gone != NULL);
    append_request_account(w, info);
    append_accounts(w, info);
    append_losses(w, info);
    append_attributes(w, info);
}
