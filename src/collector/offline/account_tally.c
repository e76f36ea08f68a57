// SPDX-License-Identifier: Apache-2.0
#include "collector/offline/account_tally.h"

#include "common/jfr/jfr_chunk.h"
#include "common/jfr/jfr_event.h"
#include "common/jfr/jfr_string.h"

#include <stdlib.h>
#include <string.h>

enum {
    TYPES_MAX = 1 << 17, // no JVM has that many event types
    FIELDS_MAX = 64,     // of the event
    FORMS_MAX = 16,      // versions of Loupe that a recording went through
};

// What a field of the event is: a compact_reason, or one of these.
typedef enum role {
    ROLE_UNKNOWN_REASON = COMPACT_REASON_COUNT,
    ROLE_TYPE,  // the name of the event type that it is about
    ROLE_OTHER, // a number that says nothing of what was dropped
    ROLE_NONE,  // nothing that can be read here
} role;

// How to read the events of one type.
typedef struct form {
    uint64_t type_id;
    size_t field_count;
    role fields[FIELDS_MAX];
} form;

// How to read the accounts of a chunk: what versions of Loupe with other reasons wrote, has other
// types of the same name.
typedef struct forms {
    size_t count;
    form items[FORMS_MAX];
} forms;

void
account_tally_fini(account_tally *tally)
{
    for (size_t i = 0; i < tally->types.count; i++) {
        free(tally->types.items[i].name);
    }
    LP_VEC_FINI(&tally->types);
    lp_names_fini(&tally->type_names);
    lp_buf_fini(&tally->name);
    *tally = (account_tally){0};
}

// --- The fields of the event

static role
role_of_number(const char *name)
{
    static const char *const others[] = {"startTime", "duration", "offered", "kept"};
    static const char *const reasons[COMPACT_REASON_COUNT] = {
#define COMPACT_REASON(id, name, field, label) [COMPACT_BY_##id] = field,
#include "collector/compact/compact_reasons.def"
#undef COMPACT_REASON
    };
    for (size_t i = 0; i < COMPACT_REASON_COUNT; i++) {
        if (strcmp(name, reasons[i]) == 0) {
            return (role)i;
        }
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        if (strcmp(name, others[i]) == 0) {
            return ROLE_OTHER;
        }
    }
    return ROLE_UNKNOWN_REASON;
}

static role
role_of(const jfr_metadata *metadata, const jfr_field *field)
{
    if (field->type == JFR_NONE || field->is_constant || field->is_array) {
        return ROLE_NONE;
    }
    const char *name = jfr_metadata_text(metadata, field->name);
    const char *type = jfr_metadata_text(metadata, metadata->types.items[field->type].name);
    if (strcmp(type, "long") == 0) {
        return role_of_number(name);
    }
    bool is_name = strcmp(type, "java.lang.String") == 0 && strcmp(name, "eventType") == 0;
    return is_name ? ROLE_TYPE : ROLE_NONE;
}

// make_form says how to read the events of a type. False if Loupe did not describe it.
static bool
make_form(const jfr_metadata *metadata, const jfr_type *type, form *out_form)
{
    size_t names = 0;
    if (type->field_count > FIELDS_MAX) {
        return false;
    }
    out_form->type_id = type->id;
    out_form->field_count = type->field_count;
    for (size_t i = 0; i < type->field_count; i++) {
        role found = role_of(metadata, &metadata->fields.items[type->field_begin + i]);
        if (found == ROLE_NONE) {
            return false;
        }
        names += found == ROLE_TYPE;
        out_form->fields[i] = found;
    }
    return names == 1;
}

static void
find_forms(const jfr_metadata *metadata, forms *out_forms)
{
    out_forms->count = 0;
    for (size_t i = 0; i < metadata->types.count && out_forms->count < FORMS_MAX; i++) {
        const jfr_type *type = &metadata->types.items[i];
        bool is_named =
            strcmp(jfr_metadata_text(metadata, type->name), "dev.loupe.Accounting") == 0;
        if (is_named && make_form(metadata, type, &out_forms->items[out_forms->count])) {
            out_forms->count++;
        }
    }
}

static const form *
find_form(const forms *all, uint64_t type_id)
{
    for (size_t i = 0; i < all->count; i++) {
        if (all->items[i].type_id == type_id) {
            return &all->items[i];
        }
    }
    return NULL;
}

bool
account_tally_is_in(const jfr_metadata *metadata)
{
    forms all;
    find_forms(metadata, &all);
    return all.count > 0;
}

// --- The types

const account_tally_type *
account_tally_find(const account_tally *tally, const char *name)
{
    uint32_t index = lp_names_find(&tally->type_names, name);
    return index == LP_MAP_NONE ? NULL : &tally->types.items[index];
}

static lp_err
find_or_add(
    account_tally *tally, const char *name, account_tally_type **out_type, lp_problem *problem)
{
    uint32_t index = lp_names_find(&tally->type_names, name);
    if (index != LP_MAP_NONE) {
        *out_type = &tally->types.items[index];
        return LP_OK;
    }
    if (tally->types.count >= TYPES_MAX) {
        return lp_problem_set(problem, LP_ELIMIT, "accounts of over %d types", TYPES_MAX);
    }
    char *copy = LP_VEC_ROOM(&tally->types) ? strdup(name) : NULL;
    if (copy == NULL || lp_names_add(&tally->type_names, copy) != LP_OK) {
        free(copy);
        return LP_ENOMEM;
    }
    *out_type = &tally->types.items[tally->types.count++];
    **out_type = (account_tally_type){.name = copy};
    return LP_OK;
}

// --- The events

// read_account reads an event; tally->name is that of the type.
// Errors: LP_ECORRUPT, LP_ENOMEM
static lp_err
read_account(
    account_tally *tally, const form *f, jfr_cursor payload, account_tally_dropped *out_dropped)
{
    account_tally_dropped dropped = {0};
    lp_buf_clear(&tally->name);
    for (size_t i = 0; i < f->field_count; i++) {
        uint64_t number;
        bool is_read = f->fields[i] == ROLE_TYPE ? jfr_string_read_utf8(&payload, &tally->name)
                                                 : jfr_varint_read(&payload, &number);
        if (!is_read) {
            return LP_ECORRUPT;
        }
        if (f->fields[i] < ROLE_UNKNOWN_REASON) {
            dropped.known.by[f->fields[i]] += number;
        } else if (f->fields[i] == ROLE_UNKNOWN_REASON) {
            dropped.unknown += number;
        }
    }
    lp_buf_append(&tally->name, "", 1);
    *out_dropped = dropped;
    return lp_buf_check(&tally->name);
}

static lp_err
add_account(account_tally *tally, const form *f, const jfr_event *event, uint64_t offset,
    lp_problem *problem)
{
    account_tally_dropped dropped;
    account_tally_type *type = NULL;
    lp_err err = read_account(tally, f, event->payload, &dropped);
    if (err == LP_ECORRUPT) {
        return lp_problem_at(
            problem, err, offset, "an event dev.loupe.Accounting that cannot be read");
    }
    if (err == LP_OK) {
        err = find_or_add(tally, (const char *)tally->name.ptr, &type, problem);
    }
    if (err == LP_OK) {
        compact_dropped_add(&type->dropped.known, &dropped.known);
        type->dropped.unknown += dropped.unknown;
    }
    return err;
}

lp_err
account_tally_add(
    account_tally *tally, const jfr_metadata *metadata, lp_slice chunk, lp_problem *out_problem)
{
    forms all;
    find_forms(metadata, &all);
    jfr_cursor rest = {chunk.ptr + JFR_CHUNK_HEADER_SIZE, chunk.ptr + chunk.len};
    jfr_event event;
    lp_err err;
    while ((err = jfr_event_next(&rest, &event)) == LP_OK) {
        const form *f = find_form(&all, event.type_id);
        uint64_t offset = (uint64_t)(event.begin - chunk.ptr);
        err = f == NULL ? LP_OK : add_account(tally, f, &event, offset, out_problem);
        if (err != LP_OK) {
            return err;
        }
    }
    return err == LP_EEND ? LP_OK : jfr_event_problem(chunk, &rest, out_problem);
}

// --- Sums

account_tally_dropped
account_tally_get_total(const account_tally *tally)
{
    account_tally_dropped total = {0};
    for (size_t i = 0; i < tally->types.count; i++) {
        const account_tally_dropped *dropped = &tally->types.items[i].dropped;
        compact_dropped_add(&total.known, &dropped->known);
        total.unknown += dropped->unknown;
    }
    return total;
}

uint64_t
account_tally_sum(const account_tally_dropped *dropped)
{
    return compact_dropped_sum(&dropped->known) + dropped->unknown;
}
