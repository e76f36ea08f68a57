// SPDX-License-Identifier: Apache-2.0
#include "offline/own_tally.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_chunk.h"
#include "common/jfr/jfr_event.h"
#include "common/jfr/jfr_string.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Events of one of Loupe's own types

// A type is Loupe's own if it has this name and its first fields are these.
typedef struct own_events_field {
    const char *name;
    const char *type;
} own_events_field;

typedef struct own_events_type {
    const char *name;
    const own_events_field *fields;
    size_t field_count;
} own_events_type;

static bool
is_field(const jfr_metadata *metadata, const jfr_field *field, const own_events_field *expected)
{
    return field->type != JFR_NONE && !field->is_constant && !field->is_array &&
           strcmp(jfr_metadata_text(metadata, field->name), expected->name) == 0 &&
           strcmp(jfr_metadata_text(metadata, metadata->types.items[field->type].name),
               expected->type) == 0;
}

// is_own returns whether a type is one that Loupe describes.
static bool
is_own(const jfr_metadata *metadata, const jfr_type *type, const own_events_type *own)
{
    if (!type->is_event || type->field_count < own->field_count ||
        strcmp(jfr_metadata_text(metadata, type->name), own->name) != 0) {
        return false;
    }
    for (size_t i = 0; i < own->field_count; i++) {
        const jfr_field *field = &metadata->fields.items[type->field_begin + i];
        if (!is_field(metadata, field, &own->fields[i])) {
            return false;
        }
    }
    return true;
}

static bool
own_events_are_in(const jfr_metadata *metadata, const own_events_type *type)
{
    for (size_t i = 0; i < metadata->types.count; i++) {
        if (is_own(metadata, &metadata->types.items[i], type)) {
            return true;
        }
    }
    return false;
}

// own_events_each calls on_event for each event of the type in a chunk. on_event returns
// LP_ECORRUPT for an event that it cannot read.
// Errors: LP_ECORRUPT with the offset of the bad event in the chunk; any error of on_event
static lp_err
own_events_each(const jfr_metadata *metadata, const own_events_type *type, lp_slice chunk,
    lp_err (*on_event)(void *arg, jfr_cursor payload), void *arg, lp_problem *out_problem)
{
    LP_ASSERT(chunk.len >= JFR_CHUNK_HEADER_SIZE);
    jfr_cursor rest = {chunk.ptr + JFR_CHUNK_HEADER_SIZE, chunk.ptr + chunk.len};
    jfr_event event;
    lp_err err;
    while ((err = jfr_event_next(&rest, &event)) == LP_OK) {
        uint32_t found = event.type_id <= JFR_TYPE_ID_CHECKPOINT
                             ? JFR_NONE
                             : jfr_metadata_find_type(metadata, event.type_id);
        if (found == JFR_NONE || !is_own(metadata, &metadata->types.items[found], type)) {
            continue;
        }
        err = on_event(arg, event.payload);
        if (err == LP_ECORRUPT) {
            return lp_problem_at(out_problem, err, (uint64_t)(event.begin - chunk.ptr),
                "an event %s that cannot be read", type->name);
        }
        if (err != LP_OK) {
            return err;
        }
    }
    return err == LP_EEND ? LP_OK : jfr_event_problem(chunk, &rest, out_problem);
}

// --- Losses

static const own_events_field loss_fields[] = {{"startTime", "long"}, {"duration", "long"},
    {"kind", "java.lang.String"}, {"amount", "long"}, {"message", "java.lang.String"}};

static const own_events_type loss = {
    "dev.loupe.Loss", loss_fields, sizeof(loss_fields) / sizeof(loss_fields[0])};

void
loss_tally_fini(loss_tally *tally)
{
    lp_buf_fini(&tally->text);
    *tally = (loss_tally){0};
}

bool
loss_tally_is_in(const jfr_metadata *metadata)
{
    return own_events_are_in(metadata, &loss);
}

static loss_tally_kind *
find_loss(loss_tally *tally, const char *name)
{
    for (size_t i = 0; i < tally->count; i++) {
        if (strncmp(tally->kinds[i].name, name, LOSS_TALLY_KIND_BYTES - 1) == 0) {
            return &tally->kinds[i];
        }
    }
    if (tally->count == LOSS_TALLY_KINDS_MAX) {
        return &tally->kinds[LOSS_TALLY_KINDS_MAX - 1];
    }
    loss_tally_kind *kind = &tally->kinds[tally->count++];
    (void)snprintf(kind->name, sizeof(kind->name), "%s", name);
    return kind;
}

// add_loss adds an event. Errors: LP_ECORRUPT, LP_ENOMEM
static lp_err
add_loss(void *arg, jfr_cursor payload)
{
    loss_tally *tally = arg;
    uint64_t amount;
    lp_buf_clear(&tally->text);
    if (!jfr_varint_skip_many(&payload, 2) || // startTime, duration
        !jfr_string_read_utf8(&payload, &tally->text) || !jfr_varint_read(&payload, &amount)) {
        return LP_ECORRUPT;
    }
    lp_buf_append(&tally->text, "", 1);
    lp_err err = lp_buf_check(&tally->text);
    if (err == LP_OK) {
        find_loss(tally, (const char *)tally->text.ptr)->amount += amount;
    }
    return err;
}

lp_err
loss_tally_add(
    loss_tally *tally, const jfr_metadata *metadata, lp_slice chunk, lp_problem *out_problem)
{
    return own_events_each(metadata, &loss, chunk, add_loss, tally, out_problem);
}

// --- Requests

static const own_events_field request_fields[] = {
    {"startTime", "long"},
    {"duration", "long"},
    {"offered", "long"},
    {"kept", "long"},
#define COMPACT_REQUEST_LOSS(id, field, label) {field, "long"},
#include "engine/request_losses.def"
#define COMPACT_REQUEST_KEPT(id, name, field, label)    {field, "long"},
#define COMPACT_REQUEST_DROPPED(id, name, field, label) {field, "long"},
#include "engine/request_reasons.def"
};

static const own_events_type request_account = {"dev.loupe.RequestAccounting", request_fields,
    sizeof(request_fields) / sizeof(request_fields[0])};

bool
request_tally_is_in(const jfr_metadata *metadata)
{
    return own_events_are_in(metadata, &request_account);
}

// add_requests adds an event. Errors: LP_ECORRUPT
static lp_err
add_requests(void *arg, jfr_cursor payload)
{
    request_tally *tally = arg;
    request_tally one = {0};
    bool is_whole = jfr_varint_skip_many(&payload, 2) && // startTime, duration
                    jfr_varint_read(&payload, &one.offered) &&
                    jfr_varint_read(&payload, &one.kept) && one.kept <= one.offered;
#define COMPACT_REQUEST_LOSS(id, field, label)                                                     \
    is_whole = is_whole && jfr_varint_read(&payload, &one.losses.id);
#include "engine/request_losses.def"
    for (size_t i = 1; i < COMPACT_REQUEST_KEPT_COUNT; i++) {
        is_whole = is_whole && jfr_varint_read(&payload, &one.reasons.kept[i]);
    }
    for (size_t i = 1; i < COMPACT_REQUEST_DROPPED_COUNT; i++) {
        is_whole = is_whole && jfr_varint_read(&payload, &one.reasons.dropped[i]);
    }
    if (!is_whole) {
        return LP_ECORRUPT;
    }
    tally->offered += one.offered;
    tally->kept += one.kept;
    compact_request_losses_add(&tally->losses, &one.losses);
    compact_request_reasons_add(&tally->reasons, &one.reasons);
    return LP_OK;
}

lp_err
request_tally_add(
    request_tally *tally, const jfr_metadata *metadata, lp_slice chunk, lp_problem *out_problem)
{
    return own_events_each(metadata, &request_account, chunk, add_requests, tally, out_problem);
}

// --- Accounts of dropped events

enum {
    TYPES_MAX = 1 << 17, // no JVM has that many event types
    FIELDS_MAX = 64,     // of the event
    FORMS_MAX = 16,      // versions of Loupe that a recording went through
};

// The meaning of a field of the event.
typedef enum role {
    ROLE_TYPES,  // the list
    ROLE_NUMBER, // which says nothing that the list does not
    ROLE_NONE,   // nothing that can be read here
} role;

// How to read the events of one type.
typedef struct form {
    uint64_t type_id;
    size_t field_count;
    role fields[FIELDS_MAX];
} form;

// How to read the accounts of a chunk: a version of Loupe with other reasons writes another type of
// the same name.
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
    lp_buf_fini(&tally->text);
    *tally = (account_tally){0};
}

// --- Accounts: the fields of the event

static role
role_of(const jfr_metadata *metadata, const jfr_field *field)
{
    if (field->type == JFR_NONE || field->is_constant || field->is_array) {
        return ROLE_NONE;
    }
    const char *type = jfr_metadata_text(metadata, metadata->types.items[field->type].name);
    if (strcmp(type, "long") == 0) {
        return ROLE_NUMBER;
    }
    bool is_list = strcmp(type, "java.lang.String") == 0 &&
                   strcmp(jfr_metadata_text(metadata, field->name), "eventTypes") == 0;
    return is_list ? ROLE_TYPES : ROLE_NONE;
}

// make_form makes the form of a type's events. False if Loupe did not describe it.
static bool
make_form(const jfr_metadata *metadata, const jfr_type *type, form *out_form)
{
    size_t lists = 0;
    if (type->field_count > FIELDS_MAX) {
        return false;
    }
    *out_form = (form){.type_id = type->id, .field_count = type->field_count};
    for (size_t i = 0; i < type->field_count; i++) {
        role found = role_of(metadata, &metadata->fields.items[type->field_begin + i]);
        if (found == ROLE_NONE) {
            return false;
        }
        lists += found == ROLE_TYPES;
        out_form->fields[i] = found;
    }
    return lists == 1;
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

// --- Accounts: the types

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
    char *copy;
    if (!LP_VEC_ROOM(&tally->types) ||
        lp_names_add_copy(&tally->type_names, name, &copy) != LP_OK) {
        return LP_ENOMEM;
    }
    *out_type = &tally->types.items[tally->types.count++];
    **out_type = (account_tally_type){.name = copy};
    return LP_OK;
}

// --- Accounts: the lists

static void
count(account_tally_dropped *dropped, const char *name, uint64_t number)
{
    for (size_t i = 0; i < COMPACT_REASON_COUNT; i++) {
        if (strcmp(name, compact_reason_field((compact_reason)i)) == 0) {
            dropped->known.by[i] += number;
            return;
        }
    }
    if (strcmp(name, "offered") != 0 && strcmp(name, "kept") != 0) {
        dropped->unknown += number;
    }
}

// take_number counts the number behind *at, a space, and moves *at behind that. False if there is
// none.
static bool
take_number(char **at, account_tally_dropped *dropped)
{
    char *key = *at + 1;
    char *equals = key + strcspn(key, "=; ");
    if (equals == key || *equals != '=' || !isdigit((unsigned char)equals[1])) {
        return false;
    }
    *equals = '\0';
    errno = 0;
    uint64_t number = strtoull(equals + 1, at, 10);
    count(dropped, key, number);
    return errno == 0;
}

// escaped_byte returns what '%' and two digits stand for, 0 if that is no byte that gets escaped:
// those are ASCII, so a name stays UTF-8.
static char
escaped_byte(const char *text)
{
    if (!isxdigit((unsigned char)text[1]) || !isxdigit((unsigned char)text[2])) {
        return '\0';
    }
    const char digits[] = {text[1], text[2], '\0'};
    unsigned long byte = strtoul(digits, NULL, 16);
    return byte < 0x80 ? (char)byte : '\0';
}

// unescape makes a name of its form in a list. False if it is none.
static bool
unescape(char *name)
{
    char *to = name;
    for (const char *from = name; *from != '\0'; to++) {
        bool is_escape = *from == '%';
        *to = is_escape ? escaped_byte(from) : *from;
        if (*to == '\0') {
            return false;
        }
        from += is_escape ? 3 : 1;
    }
    *to = '\0';
    return true;
}

// take_type reads the type of a list that begins at *at and moves *at behind it. False if there is
// none. The name lies in the list, which is changed.
static bool
take_type(char **at, char **out_name, account_tally_dropped *out_dropped)
{
    char *name = *at;
    account_tally_dropped dropped = {0};
    *at += strcspn(*at, " ;");
    char *name_end = *at;
    do {
        if (**at != ' ' || !take_number(at, &dropped)) {
            return false;
        }
    } while (**at == ' ');
    *name_end = '\0';
    *out_name = name;
    *out_dropped = dropped;
    return unescape(name);
}

// --- Accounts: the events

// read_list reads the list of an event, with a NUL behind it. Errors: LP_ECORRUPT, LP_ENOMEM
static lp_err
read_list(account_tally *tally, const form *f, jfr_cursor payload)
{
    lp_buf_clear(&tally->text);
    for (size_t i = 0; i < f->field_count; i++) {
        uint64_t number;
        bool is_read = f->fields[i] == ROLE_TYPES ? jfr_string_read_utf8(&payload, &tally->text)
                                                  : jfr_varint_read(&payload, &number);
        if (!is_read) {
            return LP_ECORRUPT;
        }
    }
    lp_buf_append(&tally->text, "", 1);
    return lp_buf_check(&tally->text);
}

static lp_err
add_type(account_tally *tally, const char *name, const account_tally_dropped *dropped,
    lp_problem *problem)
{
    account_tally_type *type = NULL;
    lp_err err = find_or_add(tally, name, &type, problem);
    if (err == LP_OK) {
        compact_dropped_add(&type->dropped.known, &dropped->known);
        type->dropped.unknown += dropped->unknown;
    }
    return err;
}

// add_list adds the types of tally->text.
static lp_err
add_list(account_tally *tally, lp_problem *problem)
{
    char *at = (char *)tally->text.ptr;
    const char *end = at + tally->text.len - 1;
    for (;;) {
        char *name;
        account_tally_dropped dropped;
        if (!take_type(&at, &name, &dropped)) {
            return LP_ECORRUPT;
        }
        lp_err err = add_type(tally, name, &dropped, problem);
        if (err != LP_OK || at == end) {
            return err;
        }
        if (at[0] != ';' || at[1] != ' ') {
            return LP_ECORRUPT;
        }
        at += 2;
    }
}

static lp_err
add_account(account_tally *tally, const form *f, const jfr_event *event, uint64_t offset,
    lp_problem *problem)
{
    lp_err err = read_list(tally, f, event->payload);
    LP_THEN(err, add_list(tally, problem));
    return err == LP_ECORRUPT ? lp_problem_at(problem, err, offset,
                                    "an event dev.loupe.Accounting that cannot be read")
                              : err;
}

lp_err
account_tally_add(
    account_tally *tally, const jfr_metadata *metadata, lp_slice chunk, lp_problem *out_problem)
{
    LP_ASSERT(chunk.len >= JFR_CHUNK_HEADER_SIZE);
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

// --- Accounts: sums

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
