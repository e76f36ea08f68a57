// SPDX-License-Identifier: Apache-2.0
#include "query/perfetto/packets.h"

#include "perfetto.pb-c.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_proto.h"
#include "common/jfr/jfr_string.h"

#include <stdlib.h>
#include <string.h>

enum {
    SEQUENCE = 1, // all packets are of one sequence: its numbers of texts are valid for all of them
    CLEARS_NUMBERS = 1,
    NEEDS_NUMBERS = 2,
    CLOCK_OF_DAY = 1,
    CLOCK_OF_TRACE = 6, // that of a timestamp which names no other
};

void
query_packets_fini(query_packets *packets)
{
    lp_buf_fini(&packets->piece);
    lp_buf_fini(&packets->event);
    lp_buf_fini(&packets->text);
    lp_map_fini(&packets->number_of);
    LP_VEC_FINI(&packets->frames);
    *packets = (query_packets){0};
}

static void
packets_check(const query_packets *packets)
{
    LP_ASSERT(packets->on_bytes != NULL);
    LP_ASSERT(packets->number_of.count == 0 || packets->has_begun);
}

static ProtobufCBinaryData
data_of(lp_slice bytes)
{
    return (ProtobufCBinaryData){.len = bytes.len, .data = (uint8_t *)(uintptr_t)bytes.ptr};
}

// --- Packets

static lp_err
pass_on(query_packets *packets)
{
    packets_check(packets);
    packets->bytes += packets->piece.len;
    lp_err err = packets->on_bytes(packets->arg, lp_buf_slice(&packets->piece));
    lp_buf_clear(&packets->piece);
    return err;
}

static lp_err
write_packet(query_packets *packets, Loupe__Perfetto__TracePacket *packet)
{
    Loupe__Perfetto__Trace trace = LOUPE__PERFETTO__TRACE__INIT;
    packet->trusted_packet_sequence_id = SEQUENCE;
    packet->sequence_flags = packets->has_begun ? NEEDS_NUMBERS : CLEARS_NUMBERS;
    packets->has_begun = true;
    trace.n_packet = 1;
    trace.packet = &packet;
    LP_TRY(lp_proto_append(&trace.base, &packets->piece));
    return packets->piece.len >= QUERY_PACKETS_BYTES ? pass_on(packets) : LP_OK;
}

static lp_err
write_interned(query_packets *packets, Loupe__Perfetto__InternedData *interned)
{
    LP_ASSERT(packets->has_begun);
    Loupe__Perfetto__TracePacket packet = LOUPE__PERFETTO__TRACE_PACKET__INIT;
    packet.interned_data = interned;
    return write_packet(packets, &packet);
}

lp_err
query_packets_begin(query_packets *packets, int64_t wall_ns)
{
    Loupe__Perfetto__TracePacket packet = LOUPE__PERFETTO__TRACE_PACKET__INIT;
    Loupe__Perfetto__ClockSnapshot snapshot = LOUPE__PERFETTO__CLOCK_SNAPSHOT__INIT;
    Loupe__Perfetto__Clock clocks[] = {LOUPE__PERFETTO__CLOCK__INIT, LOUPE__PERFETTO__CLOCK__INIT};
    Loupe__Perfetto__Clock *list[] = {&clocks[0], &clocks[1]};
    LP_ASSERT(!packets->has_begun);
    clocks[0].clock_id = CLOCK_OF_TRACE;
    clocks[1].clock_id = CLOCK_OF_DAY;
    clocks[0].timestamp = clocks[1].timestamp = wall_ns < 0 ? 0 : (uint64_t)wall_ns;
    snapshot.n_clocks = 2;
    snapshot.clocks = list;
    packet.clock_snapshot = &snapshot;
    return write_packet(packets, &packet);
}

lp_err
query_packets_finish(query_packets *packets)
{
    packets_check(packets);
    return packets->piece.len == 0 ? LP_OK : pass_on(packets);
}

// --- Texts

// find_number writes the number of something that the caller knows by a number, and whether it was
// written.
static lp_err
find_number(query_packets *packets, query_text_kind kind, uint64_t known, uint64_t *out_number,
    bool *out_is_new)
{
    // The kinds of numbers fit above 56 bits: a frame is a name of 20 bits and a line of 24.
    uint64_t key = (uint64_t)kind << 56 | known;
    uint32_t number = lp_map_find(&packets->number_of, key);
    LP_ASSERT(kind < QUERY_NUMBER_KINDS && known >> 56 == 0);
    *out_is_new = number == LP_MAP_NONE;
    if (!*out_is_new) {
        *out_number = number;
        return LP_OK;
    }
    *out_number = ++packets->counts[kind];
    return lp_map_put(&packets->number_of, key, (uint32_t)*out_number);
}

static void
set_list(
    Loupe__Perfetto__InternedData *data, query_text_kind kind, Loupe__Perfetto__InternedText **list)
{
    LP_ASSERT(kind < QUERY_TEXT_KINDS);
    const struct {
        size_t *count;
        Loupe__Perfetto__InternedText ***items;
    } lists[QUERY_TEXT_KINDS] = {
        [QUERY_TEXT_CATEGORY] = {&data->n_event_categories, &data->event_categories},
        [QUERY_TEXT_NAME] = {&data->n_event_names, &data->event_names},
        [QUERY_TEXT_KEY] = {&data->n_debug_annotation_names, &data->debug_annotation_names},
        [QUERY_TEXT_VALUE] = {&data->n_debug_annotation_string_values,
            &data->debug_annotation_string_values},
        [QUERY_TEXT_FUNCTION] = {&data->n_function_names, &data->function_names},
    };
    *lists[kind].count = 1;
    *lists[kind].items = list;
}

// valid returns text as UTF-8, lent until the next call.
static lp_slice
valid(query_packets *packets, lp_slice text)
{
    lp_buf_clear(&packets->text);
    jfr_utf8_append_valid(&packets->text, text);
    return lp_buf_slice(&packets->text);
}

// number_of_text writes the number of a text. known is the caller's number for it.
static lp_err
number_of_text(query_packets *packets, query_text_kind kind, uint64_t known, lp_slice text,
    uint64_t *out_number)
{
    bool is_new;
    LP_TRY(find_number(packets, kind, known, out_number, &is_new));
    if (!is_new) {
        return LP_OK;
    }
    Loupe__Perfetto__InternedData data = LOUPE__PERFETTO__INTERNED_DATA__INIT;
    Loupe__Perfetto__InternedText interned = LOUPE__PERFETTO__INTERNED_TEXT__INIT;
    Loupe__Perfetto__InternedText *list = &interned;
    interned.iid = *out_number;
    interned.text = data_of(valid(packets, text));
    set_list(&data, kind, &list);
    LP_TRY(lp_buf_check(&packets->text));
    return write_interned(packets, &data);
}

static lp_slice
slice_of(const char *text)
{
    return (lp_slice){(const uint8_t *)text, strlen(text)};
}

static lp_err
number_of_name(query_packets *packets, query_text_kind kind, uint32_t name, uint64_t *out_number)
{
    return number_of_text(
        packets, kind, name, slice_of(query_names_text(packets->names, name)), out_number);
}

// --- Stack traces

static lp_err
number_of_frame(query_packets *packets, const query_stack_node *node, uint64_t *out_number)
{
    bool is_new;
    uint64_t known = (uint64_t)node->name << 24 | node->line;
    LP_ASSERT(node->line <= QUERY_STACK_LINE_MAX);
    LP_TRY(find_number(packets, QUERY_TEXT_FRAME, known, out_number, &is_new));
    if (!is_new) {
        return LP_OK;
    }
    Loupe__Perfetto__InternedData data = LOUPE__PERFETTO__INTERNED_DATA__INIT;
    Loupe__Perfetto__Frame frame = LOUPE__PERFETTO__FRAME__INIT;
    Loupe__Perfetto__Frame *list = &frame;
    LP_TRY(number_of_name(packets, QUERY_TEXT_FUNCTION, node->name, &frame.function_name_id));
    frame.iid = *out_number;
    frame.line_number = node->line;
    data.n_frames = 1;
    data.frames = &list;
    return write_interned(packets, &data);
}

// read_frames makes packets->frames the frames of a stack trace, the caller first.
static lp_err
read_frames(query_packets *packets, uint32_t stack)
{
    packets->frames.count = 0;
    for (; stack != QUERY_STACK_ROOT; stack = packets->stacks->nodes.items[stack].parent) {
        LP_TRY(LP_VEC_ADD(&packets->frames, stack));
    }
    for (size_t i = 0, last = packets->frames.count; i < last--; i++) {
        uint64_t other = packets->frames.items[last];
        packets->frames.items[last] = packets->frames.items[i];
        packets->frames.items[i] = other;
    }
    for (size_t i = 0; i < packets->frames.count; i++) {
        uint64_t *at = &packets->frames.items[i];
        LP_TRY(number_of_frame(packets, &packets->stacks->nodes.items[*at], at));
    }
    return LP_OK;
}

// number_of_stack writes the number of a stack trace; 0 for none.
static lp_err
number_of_stack(query_packets *packets, uint32_t stack, uint64_t *out_number)
{
    bool is_new;
    *out_number = 0;
    if (stack == QUERY_STACK_ROOT) {
        return LP_OK;
    }
    LP_TRY(find_number(packets, QUERY_TEXT_STACK, stack, out_number, &is_new));
    if (!is_new) {
        return LP_OK;
    }
    Loupe__Perfetto__InternedData data = LOUPE__PERFETTO__INTERNED_DATA__INIT;
    Loupe__Perfetto__Callstack callstack = LOUPE__PERFETTO__CALLSTACK__INIT;
    Loupe__Perfetto__Callstack *list = &callstack;
    LP_TRY(read_frames(packets, stack));
    callstack.iid = *out_number;
    callstack.n_frame_ids = packets->frames.count;
    callstack.frame_ids = packets->frames.items;
    data.n_callstacks = 1;
    data.callstacks = &list;
    return write_interned(packets, &data);
}

// --- Tracks and bars

lp_err
query_packets_add_track(
    query_packets *packets, const query_packets_track *track, uint64_t *out_uuid)
{
    LP_ASSERT(packets->has_begun && track->name != NULL);
    Loupe__Perfetto__TracePacket packet = LOUPE__PERFETTO__TRACE_PACKET__INIT;
    Loupe__Perfetto__TrackDescriptor descriptor = LOUPE__PERFETTO__TRACK_DESCRIPTOR__INIT;
    Loupe__Perfetto__ProcessDescriptor process = LOUPE__PERFETTO__PROCESS_DESCRIPTOR__INIT;
    Loupe__Perfetto__ThreadDescriptor thread = LOUPE__PERFETTO__THREAD_DESCRIPTOR__INIT;
    packets_check(packets);
    (void)valid(packets, slice_of(track->name));
    lp_buf_append(&packets->text, "", 1); // ends it
    LP_TRY(lp_buf_check(&packets->text));
    char *name = (char *)packets->text.ptr;
    descriptor.uuid = ++packets->tracks;
    if (track->tid != 0) {
        thread.pid = track->pid;
        thread.tid = track->tid;
        thread.thread_name = name;
        descriptor.thread = &thread;
    } else if (track->process == 0) {
        process.pid = track->pid;
        process.process_name = name;
        descriptor.process = &process;
    } else {
        descriptor.parent_uuid = track->process;
        descriptor.name = name;
    }
    packet.track_descriptor = &descriptor;
    *out_uuid = descriptor.uuid;
    return write_packet(packets, &packet);
}

lp_err
query_packets_add_step(query_packets *packets, const query_bar *bar, uint64_t track,
    query_bar_step step, int64_t wall_ns, lp_slice more)
{
    LP_ASSERT(packets->has_begun && track != 0 && step <= QUERY_BAR_INSTANT);
    static const uint32_t types[] = {
        [QUERY_BAR_BEGINS] = 1,
        [QUERY_BAR_ENDS] = 2,
        [QUERY_BAR_INSTANT] = 3,
    };
    Loupe__Perfetto__TracePacket packet = LOUPE__PERFETTO__TRACE_PACKET__INIT;
    Loupe__Perfetto__TrackEvent event = LOUPE__PERFETTO__TRACK_EVENT__INIT;
    packets_check(packets);
    event.type = types[step];
    event.track_uuid = track;
    lp_buf_clear(&packets->event);
    if (step != QUERY_BAR_ENDS) {
        LP_TRY(number_of_name(packets, QUERY_TEXT_CATEGORY, bar->category, &event.category_iids));
        LP_TRY(number_of_name(packets, QUERY_TEXT_NAME, bar->name, &event.name_iid));
        LP_TRY(number_of_stack(packets, bar->stack, &event.callstack_iid));
        packets->bars++;
    }
    LP_TRY(lp_proto_append(&event.base, &packets->event));
    lp_buf_append(&packets->event, more.ptr, more.len); // messages in sequence are one
    LP_TRY(lp_buf_check(&packets->event));
    packet.timestamp = wall_ns < 0 ? 0 : (uint64_t)wall_ns;
    packet.track_event = data_of(lp_buf_slice(&packets->event));
    return write_packet(packets, &packet);
}

// --- Further fields

// set_number sets an attribute's value as a number. False if it has none: it is a text then.
static bool
set_number(query_packets *packets, const query_attribute *attribute,
    Loupe__Perfetto__DebugAnnotation *annotation)
{
    if (!attribute->is_number) {
        return false;
    }
    if (query_number_read(attribute->value, &annotation->int_value)) {
        annotation->value_case = LOUPE__PERFETTO__DEBUG_ANNOTATION__VALUE_INT_VALUE;
        return true;
    }
    (void)valid(packets, attribute->value);
    lp_buf_append(&packets->text, "", 1); // ends it
    if (packets->text.is_failed) {
        return false;
    }
    annotation->double_value = strtod((const char *)packets->text.ptr, NULL);
    annotation->value_case = LOUPE__PERFETTO__DEBUG_ANNOTATION__VALUE_DOUBLE_VALUE;
    return true;
}

// set_text sets an attribute's value as a text, which has a number if it may come again.
static lp_err
set_text(query_packets *packets, const query_known_attribute *known,
    Loupe__Perfetto__DebugAnnotation *annotation)
{
    if (known->value != QUERY_NO_VALUE) {
        annotation->value_case = LOUPE__PERFETTO__DEBUG_ANNOTATION__VALUE_STRING_VALUE_IID;
        return number_of_text(packets, QUERY_TEXT_VALUE, known->value, known->attribute.value,
            &annotation->string_value_iid);
    }
    annotation->value_case = LOUPE__PERFETTO__DEBUG_ANNOTATION__VALUE_STRING_VALUE;
    annotation->string_value = data_of(valid(packets, known->attribute.value));
    return lp_buf_check(&packets->text);
}

static lp_err
pack_attribute(query_packets *packets, const query_known_attribute *known, lp_buf *more)
{
    Loupe__Perfetto__TrackEvent event = LOUPE__PERFETTO__TRACK_EVENT__INIT;
    Loupe__Perfetto__DebugAnnotation annotation = LOUPE__PERFETTO__DEBUG_ANNOTATION__INIT;
    Loupe__Perfetto__DebugAnnotation *list = &annotation;
    LP_TRY(number_of_text(packets, QUERY_TEXT_KEY, known->key, slice_of(known->attribute.name),
        &annotation.name_iid));
    if (!set_number(packets, &known->attribute, &annotation)) {
        LP_TRY(set_text(packets, known, &annotation));
    }
    event.n_debug_annotations = 1;
    event.debug_annotations = &list;
    return lp_proto_append(&event.base, more);
}

lp_err
query_packets_pack_attributes(
    query_packets *packets, const query_known_attribute *attributes, size_t count, lp_buf *more)
{
    lp_err err = LP_OK;
    packets_check(packets);
    for (size_t i = 0; i < count && err == LP_OK; i++) {
        err =
            attributes[i].attribute.is_null ? LP_OK : pack_attribute(packets, &attributes[i], more);
    }
    return err;
}

lp_err
query_packets_pack_trace(query_packets *packets, lp_slice trace, lp_buf *more)
{
    Loupe__Perfetto__TrackEvent event = LOUPE__PERFETTO__TRACK_EVENT__INIT;
    event.correlation_id_str = data_of(valid(packets, trace));
    LP_TRY(lp_buf_check(&packets->text));
    return lp_proto_append(&event.base, more);
}

lp_err
query_packets_pack_arrow(uint64_t arrow, bool is_head, lp_buf *more)
{
    Loupe__Perfetto__TrackEvent event = LOUPE__PERFETTO__TRACK_EVENT__INIT;
    event.flow_ids = is_head ? 0 : arrow;
    event.terminating_flow_ids = is_head ? arrow : 0;
    return lp_proto_append(&event.base, more);
}
