// SPDX-License-Identifier: Apache-2.0
// What a message is made of is known before it is unpacked: protobuf-c finds no more in it, for any
// bytes; the largest batch of an agent is within the limits; and a message of nothing but empty
// messages, or fields, of whatever kind is not.

#include "support/chance.h"
#include "support/counted_unpack.h"

#include "common/base/lp_buf.h"
#include "common/wire/wire.h"
#include "common/wire/wire_scan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const ProtobufCMessageDescriptor *const request_kind = &loupe__wire__request__descriptor;

static lp_err
scan(lp_slice bytes, wire_counts *out_counts)
{
    return wire_scan(request_kind, bytes, out_counts);
}

static void
test_messages_and_fields_are_counted(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {
        0x08, 2,                // version
        0x1a, 23,               // a batch
        0x10, 5,                // its number
        0x52, 7,                // a context type
        0x08, 1,                // its id
        0x12, 1, 'A',           // its name
        0x2a, 0,                // an attribute, of nothing
        0x5a, 0,                // counters
        0x72, 3, 1, 0x80, 1,    // ids that have ended: two, in one field
        0xfa, 1, 2, 0xff, 0xff, // a field that nobody knows
    };
    wire_counts counts;
    assert_int_equal(scan((lp_slice){bytes, sizeof(bytes)}, &counts), LP_OK);
    assert_int_equal(counts.submessages, 4);
    assert_int_equal(counts.fields, 2 + 5 + 3 + 2);
    for (size_t i = 1; i < sizeof(bytes); i++) {
        lp_slice cut = {bytes, i};
        assert_int_equal(scan(cut, &counts) == LP_OK, i == 2); // behind the version
        assert_int_equal(counted_unpack_run(request_kind, cut).is_message, i == 2);
    }
}

// --- The largest of an agent

enum { MAPS = 1024, FILTERS = CTX_FILTERS_BATCH_MAX, RULES = 29000 };

typedef struct largest {
    Loupe__Wire__ContextType types[CTX_TYPES_MAX];
    Loupe__Wire__ContextType *type_pointers[CTX_TYPES_MAX];
    Loupe__Wire__ContextType__Attribute attribute;
    Loupe__Wire__ContextType__Attribute *attributes[CTX_TYPE_ATTRIBUTES_MAX];
    Loupe__Wire__RecordingContext maps[MAPS];
    Loupe__Wire__RecordingContext *map_pointers[MAPS];
    Loupe__Wire__RecordingContext__Entry entry;
    Loupe__Wire__RecordingContext__Entry *entries[CTX_RECORDING_ENTRIES_MAX];
    uint64_t ended[CTX_RECORDINGS_BATCH_MAX];
    Loupe__Wire__ContextFilter filters[FILTERS];
    Loupe__Wire__ContextFilter *filter_pointers[FILTERS];
    Loupe__Wire__ContextFilter__Rule rule;
    Loupe__Wire__ContextFilter__Rule *rules[RULES / FILTERS + 1];
} largest;

static void
fill_types(largest *all)
{
    static char name[] = "name";
    loupe__wire__context_type__attribute__init(&all->attribute);
    all->attribute.kind = CTX_STRING;
    all->attribute.is_root = true;
    all->attribute.name = all->attribute.label = all->attribute.description = name;
    for (size_t i = 0; i < CTX_TYPE_ATTRIBUTES_MAX; i++) {
        all->attributes[i] = &all->attribute;
    }
    for (size_t i = 0; i < CTX_TYPES_MAX; i++) {
        Loupe__Wire__ContextType *type = &all->types[i];
        loupe__wire__context_type__init(type);
        type->id = (uint32_t)i + 1;
        type->name = type->label = type->description = name;
        type->is_recording = true;
        type->completes = 1;
        type->is_hand_over = true;
        type->is_root = true;
        type->n_attributes = CTX_TYPE_ATTRIBUTES_MAX;
        type->attributes = all->attributes;
        all->type_pointers[i] = type;
    }
}

static void
fill_maps(largest *all)
{
    static char key[] = "key";
    loupe__wire__recording_context__entry__init(&all->entry);
    all->entry.key = key;
    all->entry.value = (ProtobufCBinaryData){40, (uint8_t *)all->types}; // any bytes
    for (size_t i = 0; i < CTX_RECORDING_ENTRIES_MAX; i++) {
        all->entries[i] = &all->entry;
    }
    for (size_t i = 0; i < MAPS; i++) {
        loupe__wire__recording_context__init(&all->maps[i]);
        all->maps[i].id = UINT64_MAX;
        all->maps[i].n_entries = CTX_RECORDING_ENTRIES_MAX;
        all->maps[i].entries = all->entries;
        all->map_pointers[i] = &all->maps[i];
    }
    for (size_t i = 0; i < CTX_RECORDINGS_BATCH_MAX; i++) {
        all->ended[i] = UINT32_MAX + i;
    }
}

static void
fill_filters(largest *all)
{
    static char type[] = "a.B";
    static char terms[] = "k=v";
    loupe__wire__context_filter__rule__init(&all->rule);
    all->rule.type = type;
    all->rule.terms = terms;
    for (size_t i = 0; i < sizeof(all->rules) / sizeof(all->rules[0]); i++) {
        all->rules[i] = &all->rule;
    }
    for (size_t i = 0; i < FILTERS; i++) {
        loupe__wire__context_filter__init(&all->filters[i]);
        all->filters[i].id = i + 1;
        all->filters[i].begin_ticks = INT64_MAX;
        all->filters[i].n_rules = sizeof(all->rules) / sizeof(all->rules[0]);
        all->filters[i].rules = all->rules;
        all->filter_pointers[i] = &all->filters[i];
    }
}

static void
test_the_largest_batch_of_an_agent_is_within_the_limits(void **state)
{
    (void)state;
    largest *all = calloc(1, sizeof(*all));
    assert_non_null(all);
    fill_types(all);
    fill_maps(all);
    fill_filters(all);
    Loupe__Wire__Counters counters = LOUPE__WIRE__COUNTERS__INIT;
    Loupe__Wire__Batch batch = LOUPE__WIRE__BATCH__INIT;
    batch.n_context_types = CTX_TYPES_MAX;
    batch.context_types = all->type_pointers;
    batch.n_recording_contexts = MAPS;
    batch.recording_contexts = all->map_pointers;
    batch.n_recording_contexts_ended = CTX_RECORDINGS_BATCH_MAX;
    batch.recording_contexts_ended = all->ended;
    batch.n_context_filters = FILTERS;
    batch.context_filters = all->filter_pointers;
    batch.counters = &counters;
    Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_BATCH;
    request.batch = &batch;
    lp_buf packed = {0};
    uint8_t *bytes = lp_buf_extend(&packed, loupe__wire__request__get_packed_size(&request));
    assert_non_null(bytes);
    (void)loupe__wire__request__pack(&request, bytes);
    wire_counts counts;
    assert_int_equal(scan(lp_buf_slice(&packed), &counts), LP_OK);
    assert_true(counts.submessages > 1 + CTX_TYPES_MAX + MAPS * CTX_RECORDING_ENTRIES_MAX + RULES);
    assert_true(counts.submessages < WIRE_SUBMESSAGES_MAX / 4 * 3 + WIRE_SUBMESSAGES_MAX / 16);
    assert_true(counts.fields < WIRE_FIELDS_MAX);
    assert_true(packed.len < WIRE_MESSAGE_BYTES_MAX);
    lp_buf_fini(&packed);
    free(all);
}

// --- What nobody sends

// repeat appends a field count times, each of them in as many messages as levels says.
static void
repeat(lp_buf *out, const char *field, size_t size, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        lp_buf_append(out, field, size);
    }
}

// wrap makes the bytes a field of a message with this key, with a size in 4 bytes.
static void
wrap(lp_buf *bytes, uint8_t key)
{
    lp_buf whole = {0};
    const uint8_t head[] = {key, (uint8_t)(bytes->len | 0x80), (uint8_t)(bytes->len >> 7 | 0x80),
        (uint8_t)(bytes->len >> 14 | 0x80), (uint8_t)(bytes->len >> 21)};
    lp_buf_append(&whole, head, sizeof(head));
    lp_buf_append(&whole, bytes->ptr, bytes->len);
    lp_buf_fini(bytes);
    *bytes = whole;
}

static void
test_a_message_of_nothing_but_messages_is_over_the_limit(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        const char *field;
        size_t size;
        uint8_t keys[3]; // of the messages around it, the innermost first; 0: no more
    } cases[] = {
        {"context types", "\x52\0", 2, {0x1a}},
        {"their attributes", "\x2a\0", 2, {0x52, 0x1a}},
        {"maps", "\x6a\0", 2, {0x1a}},
        {"their entries", "\x12\0", 2, {0x6a, 0x1a}},
        {"filters", "\x7a\0", 2, {0x1a}},
        {"their rules", "\x1a\0", 2, {0x7a, 0x1a}},
        {"counters, again and again", "\x5a\0", 2, {0x1a}},
        {"batches, again and again", "\x1a\0", 2, {0}},
        {"Hellos, again and again", "\x12\0", 2, {0}},
        {"policies", "\x22\0", 2, {0}},
        {"versions", "\x08\1", 2, {0}},
        {"sequence numbers", "\x10\1", 2, {0x1a}},
        {"unknown fields", "\x7d\0\0\0\0", 5, {0}},
        {"ids, one by one", "\x70\1", 2, {0x1a}},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        lp_buf bytes = {0};
        repeat(&bytes, cases[i].field, cases[i].size, 1900000 / cases[i].size);
        for (size_t j = 0; j < 3 && cases[i].keys[j] != 0; j++) {
            wrap(&bytes, cases[i].keys[j]);
        }
        wire_counts counts;
        lp_err err = scan(lp_buf_slice(&bytes), &counts);
        if (err != LP_ELIMIT) {
            fail_msg("%s: %d", cases[i].what, err);
        }
        assert_true(counts.submessages <= WIRE_SUBMESSAGES_MAX + 1);
        assert_true(counts.fields <= WIRE_FIELDS_MAX + 1);
        lp_buf_fini(&bytes);
    }
    lp_buf packed = {0}; // ids in one field
    repeat(&packed, "\1", 1, WIRE_FIELDS_MAX);
    wrap(&packed, 0x72);
    wrap(&packed, 0x1a);
    wire_counts counts;
    assert_int_equal(scan(lp_buf_slice(&packed), &counts), LP_ELIMIT);
    lp_buf_fini(&packed);
}

// --- Any bytes

static void
check_against_protobuf(lp_slice bytes)
{
    wire_counts counts;
    lp_err err = scan(bytes, &counts);
    counted_unpack made = counted_unpack_run(request_kind, bytes);
    assert_true(err == LP_OK || err == LP_ECORRUPT);
    if (err == LP_ECORRUPT) {
        assert_false(made.is_message);
        return;
    }
    size_t things = 1 + counts.submessages + counts.fields;
    assert_true(made.allocations <= 4 * things);
    assert_true(made.bytes <= 512 * things + 8 * bytes.len);
}

// make_message appends fields that the protocol has, now and then others, and what they hold.
static void
make_message(uint64_t *c, unsigned depth, lp_buf *out)
{
    static const uint8_t numbers[] = {1, 2, 3, 5, 10, 11, 13, 14, 15, 31};
    for (uint64_t i = chance_below(c, 6); i > 0; i--) {
        uint8_t number = numbers[chance_below(c, sizeof(numbers))];
        uint8_t type = depth == 0 ? 0 : 2;
        if (number > 15) {
            lp_buf_append(out, (const uint8_t[]){(uint8_t)(number << 3 | type | 0x80), 1}, 2);
        } else {
            lp_buf_append(out, (const uint8_t[]){(uint8_t)(number << 3 | type)}, 1);
        }
        if (type == 0) {
            lp_buf_append(out, (const uint8_t[]){(uint8_t)chance_below(c, 256), 1}, 2);
            continue;
        }
        lp_buf inner = {0};
        make_message(c, depth - 1, &inner);
        size_t size = inner.len < 128 ? inner.len : 127;
        lp_buf_append(out, (const uint8_t[]){(uint8_t)size}, 1);
        lp_buf_append(out, inner.ptr, size);
        lp_buf_fini(&inner);
    }
}

static void
test_protobuf_finds_no_more_than_was_counted(void **state)
{
    (void)state;
    uint64_t c = 1;
    for (unsigned i = 0; i < 20000; i++) {
        lp_buf bytes = {0};
        make_message(&c, 1 + (unsigned)chance_below(&c, 4), &bytes);
        check_against_protobuf(lp_buf_slice(&bytes));
        for (unsigned j = 0; j < 4 && bytes.len > 0; j++) {
            bytes.ptr[chance_below(&c, bytes.len)] = (uint8_t)chance_below(&c, 256);
            check_against_protobuf(lp_buf_slice(&bytes));
        }
        lp_buf_fini(&bytes);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages_and_fields_are_counted),
        cmocka_unit_test(test_the_largest_batch_of_an_agent_is_within_the_limits),
        cmocka_unit_test(test_a_message_of_nothing_but_messages_is_over_the_limit),
        cmocka_unit_test(test_protobuf_finds_no_more_than_was_counted),
    };
    return cmocka_run_group_tests_name("wire_scan", tests, NULL, NULL);
}
