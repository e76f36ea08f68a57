// SPDX-License-Identifier: Apache-2.0
#include "offline/own_tally.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/jfr/jfr_chunk.h"
#include "common/jfr/jfr_event.h"
#include "common/jfr/jfr_string.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Events of one of Loupe's own types

// Versions of Loupe that a recording went through: each may write another type of the same name.
enum { OWN_TYPES_MAX = 16 };

// A field that a type has; NULL: of any name.
typedef struct own_field {
    const char *name;
    const char *type;
} own_field;

// Events of a name, of types that are as Loupe describes them.
typedef struct own_events {
    const char *name;
    bool (*is_own)(const jfr_metadata *metadata, const jfr_type *type);
    // Reads an event. Errors: LP_ECORRUPT if it cannot be read; others
    lp_err (*add)(void *tally, const jfr_metadata *metadata, const jfr_type *type,
        jfr_cursor payload, lp_problem *problem);
} own_events;

static bool
is_field(const jfr_metadata *metadata, const jfr_field *field, const own_field *expected)
{
    return field->type != JFR_NONE && !field->is_constant && !field->is_array &&
           (expected->name == NULL ||
               strcmp(jfr_metadata_text(metadata, field->name), expected->name) == 0) &&
           strcmp(jfr_metadata_text(metadata, metadata->types.items[field->type].name),
               expected->type) == 0;
}

// has_fields returns whether these are the first fields of an event type.
static bool
has_fields(
    const jfr_metadata *metadata, const jfr_type *type, const own_field *fields, size_t count)
{
    bool has_all = type->is_event && type->field_count >= count;
    for (size_t i = 0; i < count && has_all; i++) {
        has_all = is_field(metadata, &metadata->fields.items[type->field_begin + i], &fields[i]);
    }
    return has_all;
}

// find_types lists the types of such events, and returns their number.
static size_t
find_types(
    const own_events *own, const jfr_metadata *metadata, const jfr_type *out_types[OWN_TYPES_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < metadata->types.count && count < OWN_TYPES_MAX; i++) {
        const jfr_type *type = &metadata->types.items[i];
        if (type->id > JFR_TYPE_ID_CHECKPOINT &&
            strcmp(jfr_metadata_text(metadata, type->name), own->name) == 0 &&
            own->is_own(metadata, type)) {
            out_types[count++] = type;
        }
    }
    return count;
}

// add_each adds each of the events in a chunk.
// Errors: LP_ECORRUPT with the offset of the bad event in the chunk; any error of add
static lp_err
add_each(const own_events *own, void *tally, const jfr_metadata *metadata, lp_slice chunk,
    lp_problem *out_problem)
{
    LP_ASSERT(chunk.len >= JFR_CHUNK_HEADER_SIZE);
    const jfr_type *types[OWN_TYPES_MAX];
    size_t count = find_types(own, metadata, types);
    jfr_cursor rest = {chunk.ptr + JFR_CHUNK_HEADER_SIZE, chunk.ptr + chunk.len};
    jfr_event event;
    lp_err err = count == 0 ? LP_EEND : LP_OK;
    while (err == LP_OK && (err = jfr_event_next(&rest, &event)) == LP_OK) {
        const jfr_type **type = LP_FIND(types, count, (*at)->id == event.type_id);
        if (type == NULL) {
            continue;
        }
        err = own->add(tally, metadata, *type, event.payload, out_problem);
        if (err == LP_ECORRUPT) {
            return lp_problem_at(out_problem, err, (uint64_t)(event.begin - chunk.ptr),
                "an event %s that cannot be read", own->name);
        }
        LP_REQUIRE(err == LP_OK, err);
    }
    return err == LP_EEND ? LP_OK : jfr_event_problem(chunk, &rest, out_problem);
}

// --- Losses

static bool
is_loss(const jfr_metadata *metadata, const jfr_type *type)
{
    static const own_field fields[] = {{"startTime", "long"}, {"duration", "long"},
        {"kind", "java.lang.String"}, {"amount", "long"}, {"message", "java.lang.String"}};
    return has_fields(metadata, type, fields, LP_COUNT(fields));
}

void
loss_tally_fini(loss_tally *tally)
{
    lp_buf_fini(&tally->text);
    *tally = (loss_tally){0};
}

static loss_tally_kind *
find_loss(loss_tally *tally, const char *name)
{
    loss_tally_kind *kind = LP_FIND(
        tally->kinds, tally->count, strncmp(at->name, name, LOSS_TALLY_KIND_BYTES - 1) == 0);
    if (kind == NULL && tally->count == LOSS_TALLY_KINDS_MAX) {
        return &tally->kinds[LOSS_TALLY_KINDS_MAX - 1];
    }
    if (kind == NULL) {
        kind = &tally->kinds[tally->count++];
        (void)snprintf(kind->name, sizeof(kind->name), "%s", name);
    }
    return kind;
}

// add_loss adds an event. Errors: LP_ECORRUPT, LP_ENOMEM
static lp_err
add_loss(void *arg, const jfr_metadata *metadata, const jfr_type *type, jfr_cursor payload,
    lp_problem *problem)
{
    (void)metadata, (void)type, (void)problem;
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

static const own_events losses = {"dev.loupe.Loss", is_loss, add_loss};

lp_err
loss_tally_add(
    loss_tally *tally, const jfr_metadata *metadata, lp_slice chunk, lp_problem *out_problem)
{
    return add_each(&losses, tally, metadata, chunk, out_problem);
}

// --- Requests

static bool
is_request_account(const jfr_metadata *metadata, const jfr_type *type)
{
    static const own_field fields[] = {
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
    return has_fields(metadata, type, fields, LP_COUNT(fields));
}

// add_requests adds an event. Errors: LP_ECORRUPT
static lp_err
add_requests(void *arg, const jfr_metadata *metadata, const jfr_type *type, jfr_cursor payload,
    lp_problem *problem)
{
    (void)metadata, (void)type, (void)problem;
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
    LP_REQUIRE(is_whole, LP_ECORRUPT);
    tally->offered += one.offered;
    tally->kept += one.kept;
    compact_request_losses_add(&tally->losses, &one.losses);
    compact_request_reasons_add(&tally->reasons, &one.reasons);
    return LP_OK;
}

static const own_events requests = {
    "dev.loupe.RequestAccounting", is_request_account, add_requests};

lp_err
request_tally_add(
    request_tally *tally, const jfr_metadata *metadata, lp_slice chunk, lp_problem *out_problem)
{
    return add_each(&requests, tally, metadata, chunk, out_problem);
}

// --- Accounts of dropped events

enum { TYPES_MAX = 1 << 17 }; // no JVM has that many event types

// The fields of such an event: one list, and numbers that say nothing that the list does not.
static const own_field list_field = {"eventTypes", "java.lang.String"};
static const own_field number_field = {NULL, "long"};

void
account_tally_fini(account_tally *tally)
{
    LP_VEC_FINI_EACH(&tally->types, free(at->name));
    lp_names_fini(&tally->type_names);
    lp_buf_fini(&tally->text);
    *tally = (account_tally){0};
}

static bool
is_account(const jfr_metadata *metadata, const jfr_type *type)
{
    size_t lists = 0;
    size_t numbers = 0;
    for (size_t i = 0; i < type->field_count; i++) {
        const jfr_field *field = &metadata->fields.items[type->field_begin + i];
        lists += is_field(metadata, field, &list_field);
        numbers += is_field(metadata, field, &number_field);
    }
    return lists == 1 && lists + numbers == type->field_count;
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
    LP_REQUIRE(tally->types.count < TYPES_MAX,
        lp_problem_set(problem, LP_ELIMIT, "accounts of over %d types", TYPES_MAX));
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
    LP_REQUIRE(equals != key && *equals == '=' && isdigit((unsigned char)equals[1]), false);
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
        LP_REQUIRE(*to != '\0', false);
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
        LP_REQUIRE(**at == ' ' && take_number(at, &dropped), false);
    } while (**at == ' ');
    *name_end = '\0';
    *out_name = name;
    *out_dropped = dropped;
    return unescape(name);
}

// --- Accounts: the events

// read_list reads the list of an event, with a NUL behind it. Errors: LP_ECORRUPT, LP_ENOMEM
static lp_err
read_list(
    account_tally *tally, const jfr_metadata *metadata, const jfr_type *type, jfr_cursor payload)
{
    lp_buf_clear(&tally->text);
    for (size_t i = 0; i < type->field_count; i++) {
        const jfr_field *field = &metadata->fields.items[type->field_begin + i];
        uint64_t number;
        bool is_read = is_field(metadata, field, &list_field)
                           ? jfr_string_read_utf8(&payload, &tally->text)
                           : jfr_varint_read(&payload, &number);
        LP_REQUIRE(is_read, LP_ECORRUPT);
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
        LP_REQUIRE(take_type(&at, &name, &dropped), LP_ECORRUPT);
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
add_account(void *arg, const jfr_metadata *metadata, const jfr_type *type, jfr_cursor payload,
    lp_problem *problem)
{
    LP_TRY(read_list(arg, metadata, type, payload));
    return add_list(arg, problem);
}

static const own_events accounts = {"dev.loupe.Accounting", is_account, add_account};

lp_err
account_tally_add(
    account_tally *tally, const jfr_metadata *metadata, lp_slice chunk, lp_problem *out_problem)
{
    return add_each(&accounts, tally, metadata, chunk, out_problem);
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

// --- All

bool
own_tally_is_in(const jfr_metadata *metadata)
{
    const jfr_type *types[OWN_TYPES_MAX];
    return find_types(&losses, metadata, types) + find_types(&requests, metadata, types) +
               find_types(&accounts, metadata, types) >
           0;
}
