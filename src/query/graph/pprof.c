// SPDX-License-Identifier: Apache-2.0
// pprof: writes a profile in the format of pprof (profile_formats.h).
//
// Tests: tests/unit/query/graph/test_graph.c, tests/e2e/flamegraph.py

#include "pprof.pb-c.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_names.h"
#include "common/base/lp_proto.h"
#include "common/jfr/jfr_string.h"
#include "common/rollup/rollup_id.h"
#include "query/graph/profile_formats.h"

#include <string.h>
#include <zlib.h>

enum {
    TYPES_MAX = 2,
    LABELS_MAX = COMPACT_KIND_ATTRIBUTES_MAX + 4,
    GZIP_WINDOW = 15 + 16, // zlib's way to say gzip
    PIECE_BYTES = 64 << 10,
    MAPPING = 1, // its id
};

// --- Groups

// The bytes of a group: this head, its labels, its trace id, its span id.
typedef struct head {
    uint32_t session;
    uint32_t thread_name;
    uint32_t count;
    uint32_t trace_len;
    uint32_t span_len;
} head;

void
query_label_sets_fini(query_label_sets *sets)
{
    query_attributes_fini(&sets->attributes);
    lp_buf_fini(&sets->bytes);
    LP_VEC_FINI(&sets->begins);
    lp_map_fini(&sets->group_of);
    lp_buf_fini(&sets->made);
    *sets = (query_label_sets){0};
}

static void
labels_check(const query_label_sets *sets)
{
    LP_ASSERT(sets->bytes.len <= QUERY_LABEL_BYTES_MAX);
    LP_ASSERT(sets->group_of.count <= sets->begins.count);
}

// make makes the bytes of a context's group.
static void
make(query_label_sets *sets, const query_answer *answer)
{
    query_label labels[COMPACT_KIND_ATTRIBUTES_MAX];
    head h = {.session = answer->first_source, .thread_name = answer->context->thread_name};
    lp_slice trace = {0};
    lp_slice span = {0};
    for (size_t i = 0; i < answer->attribute_count; i++) {
        const query_known_attribute *known = &answer->attributes[i];
        if (known->attribute.is_null) {
            continue;
        }
        if (rollup_id_is_trace(known->attribute.name)) {
            trace = known->attribute.value;
        } else if (rollup_id_is_span(known->attribute.name)) {
            span = known->attribute.value;
        } else if (known->value != QUERY_NO_VALUE && h.count < COMPACT_KIND_ATTRIBUTES_MAX) {
            labels[h.count++] = (query_label){known->key, known->value};
        }
    }
    h.trace_len = (uint32_t)trace.len;
    h.span_len = (uint32_t)span.len;
    lp_buf_clear(&sets->made);
    lp_buf_append(&sets->made, &h, sizeof(h));
    lp_buf_append(&sets->made, labels, h.count * sizeof(*labels));
    lp_buf_append(&sets->made, trace.ptr, trace.len);
    lp_buf_append(&sets->made, span.ptr, span.len);
}

// find_slot returns the slot of the made bytes in group_of, and their group, LP_MAP_NONE if the
// slot is free. Bytes with the same hash take the next free slot.
static uint64_t
find_slot(const query_label_sets *sets, uint32_t *out_group)
{
    const lp_buf *made = &sets->made;
    for (uint64_t slot = lp_hash_bytes(lp_hash_seed(), lp_buf_slice(made));; slot++) {
        *out_group = lp_map_find(&sets->group_of, slot);
        if (*out_group == LP_MAP_NONE) {
            return slot;
        }
        size_t begin = sets->begins.items[*out_group - 1];
        if (sets->bytes.len - begin >= made->len &&
            memcmp(sets->bytes.ptr + begin, made->ptr, made->len) == 0) {
            return slot;
        }
    }
}

lp_err
query_label_sets_group(query_label_sets *sets, const query_answer *answer, uint32_t *out_group)
{
    labels_check(sets);
    make(sets, answer);
    LP_REQUIRE(!sets->made.is_failed, LP_ENOMEM);
    uint64_t slot = find_slot(sets, out_group);
    if (*out_group != LP_MAP_NONE) {
        return LP_OK;
    }
    if (sets->bytes.len + sets->made.len > QUERY_LABEL_BYTES_MAX) {
        sets->is_truncated = true;
        *out_group = 0;
        return LP_OK;
    }
    LP_TRY(LP_VEC_ADD(&sets->begins, (uint32_t)sets->bytes.len));
    *out_group = (uint32_t)sets->begins.count;
    lp_buf_append(&sets->bytes, sets->made.ptr, sets->made.len);
    lp_err err = lp_buf_check(&sets->bytes);
    return err == LP_OK ? lp_map_put(&sets->group_of, slot, *out_group) : err;
}

void
query_label_sets_get(const query_label_sets *sets, uint32_t group, query_label_set *out)
{
    labels_check(sets);
    LP_ASSERT(group != 0 && group <= sets->begins.count);
    const uint8_t *at = sets->bytes.ptr + sets->begins.items[group - 1];
    head h;
    memcpy(&h, at, sizeof(h));
    at += sizeof(h);
    *out = (query_label_set){.session = h.session, .thread_name = h.thread_name, .count = h.count};
    memcpy(out->items, at, h.count * sizeof(query_label));
    at += h.count * sizeof(query_label);
    out->trace = (lp_slice){at, h.trace_len};
    out->span = (lp_slice){at + h.trace_len, h.span_len};
}

void
query_pprof_fini(query_pprof *pprof)
{
    query_label_sets_fini(&pprof->labels);
    *pprof = (query_pprof){0};
}

void
query_pprof_prepare(query_pprof *pprof, query_profile *profile, query_question *question)
{
    LP_ASSERT(profile->cells.count == 0);
    LP_ASSERT(pprof->labels.begins.count == 0);
    question->attributes = &pprof->labels.attributes;
    question->wants_thread_names = true;
    profile->stacks.has_lines = true;
}

lp_err
query_pprof_group(query_pprof *pprof, const query_answer *answer, uint32_t *out_group)
{
    labels_check(&pprof->labels);
    int64_t begin = answer->begin_wall_ns;
    int64_t end;
    if (__builtin_add_overflow(begin, answer->duration_ns, &end)) {
        end = begin;
    }
    bool is_first = !pprof->has_times;
    pprof->has_times = true;
    pprof->begin_wall_ns = is_first || begin < pprof->begin_wall_ns ? begin : pprof->begin_wall_ns;
    pprof->end_wall_ns = is_first || end > pprof->end_wall_ns ? end : pprof->end_wall_ns;
    pprof->session = is_first ? answer->first_source : pprof->session;
    pprof->has_several |= pprof->session != answer->first_source;
    return query_label_sets_group(&pprof->labels, answer, out_group);
}

// --- Writing pieces

// The file is written in pieces: protobuf messages that follow one another are merged.
typedef struct writer {
    const query_pprof *pprof;
    const query_profile *profile;
    const char *(*recording)(const void *arg, uint32_t source);
    const void *arg;
    z_stream gzip;
    lp_buf piece;
    lp_buf text;
    lp_names strings;   // by index
    lp_arena arena;     // of their texts
    lp_map string_of;   // by the number of a name
    lp_map function_of; // the same: ids
    lp_map location_of; // by name and line: ids
    lp_buf *out;
} writer;

static lp_err
pack(writer *w, int flush)
{
    w->gzip.next_in = w->piece.ptr;
    w->gzip.avail_in = (uInt)w->piece.len;
    do {
        uint8_t *at = lp_buf_extend(w->out, PIECE_BYTES);
        LP_REQUIRE(at != NULL, LP_ENOMEM);
        w->gzip.next_out = at;
        w->gzip.avail_out = PIECE_BYTES;
        if (deflate(&w->gzip, flush) == Z_STREAM_ERROR) {
            return LP_ENOMEM; // not possible: the stream is intact
        }
        w->out->len -= w->gzip.avail_out;
    } while (w->gzip.avail_out == 0);
    lp_buf_clear(&w->piece);
    return LP_OK;
}

static lp_err
write_piece(writer *w, const Loupe__Pprof__Profile *piece)
{
    LP_TRY(lp_proto_append(&piece->base, &w->piece));
    return w->piece.len >= PIECE_BYTES ? pack(w, Z_NO_FLUSH) : LP_OK;
}

// --- Strings

// string_of returns the index of a text. If memory runs out, the arena fails.
static int64_t
string_of(writer *w, const char *text)
{
    uint32_t index = lp_names_find(&w->strings, text);
    if (index == LP_MAP_NONE) {
        index = (uint32_t)w->strings.items.count;
        lp_arena_note(&w->arena, lp_names_add(&w->strings, lp_arena_text(&w->arena, text)));
    }
    return index;
}

static int64_t
string_of_name(writer *w, uint32_t name)
{
    uint32_t index = lp_map_find(&w->string_of, name);
    if (index == LP_MAP_NONE) {
        index = (uint32_t)string_of(w, query_names_text(w->profile->names, name));
        lp_arena_put(&w->arena, &w->string_of, name, index);
    }
    return index;
}

static int64_t
string_of_slice(writer *w, lp_slice text)
{
    lp_buf_clear(&w->text);
    jfr_utf8_append_valid(&w->text, text);
    lp_buf_append(&w->text, "", 1); // ends it
    lp_arena_note(&w->arena, lp_buf_check(&w->text));
    return w->text.is_failed ? 0 : string_of(w, (const char *)w->text.ptr);
}

static lp_err
write_strings(writer *w)
{
    LP_TRY(lp_arena_err(&w->arena));
    for (size_t i = 0; i < w->strings.items.count; i++) {
        Loupe__Pprof__Profile piece = LOUPE__PPROF__PROFILE__INIT;
        char *text = (char *)(uintptr_t)w->strings.items.items[i];
        piece.n_string_table = 1;
        piece.string_table = &text;
        LP_TRY(write_piece(w, &piece));
    }
    return LP_OK;
}

// --- Frames

static lp_err
write_function(writer *w, uint32_t name, uint64_t *out_id)
{
    uint32_t known = lp_map_find(&w->function_of, name);
    *out_id = known;
    if (known != LP_MAP_NONE) {
        return LP_OK;
    }
    *out_id = w->function_of.count + 1;
    Loupe__Pprof__Profile piece = LOUPE__PPROF__PROFILE__INIT;
    Loupe__Pprof__Function function = LOUPE__PPROF__FUNCTION__INIT;
    Loupe__Pprof__Function *functions = &function;
    function.id = *out_id;
    function.name = string_of_name(w, name);
    function.system_name = function.name;
    piece.n_function = 1;
    piece.function = &functions;
    lp_err err = lp_map_put(&w->function_of, name, (uint32_t)*out_id);
    return err == LP_OK ? write_piece(w, &piece) : err;
}

// write_location writes a frame, unless it was written, and returns its id.
static lp_err
write_location(writer *w, const query_stack_node *node, uint64_t *out_id)
{
    uint64_t key = (uint64_t)node->name << 32 | node->line;
    uint32_t known = lp_map_find(&w->location_of, key);
    *out_id = known;
    if (known != LP_MAP_NONE) {
        return LP_OK;
    }
    Loupe__Pprof__Profile piece = LOUPE__PPROF__PROFILE__INIT;
    Loupe__Pprof__Location location = LOUPE__PPROF__LOCATION__INIT;
    Loupe__Pprof__Line line = LOUPE__PPROF__LINE__INIT;
    Loupe__Pprof__Location *locations = &location;
    Loupe__Pprof__Line *lines = &line;
    lp_err err = write_function(w, node->name, &line.function_id);
    *out_id = w->location_of.count + 1;
    line.line = node->line;
    location.id = *out_id;
    location.mapping_id = MAPPING;
    location.n_line = 1;
    location.line = &lines;
    piece.n_location = 1;
    piece.location = &locations;
    LP_THEN(err, lp_map_put(&w->location_of, key, (uint32_t)*out_id));
    return err == LP_OK ? write_piece(w, &piece) : err;
}

// --- Labels

static void
set_text(writer *w, Loupe__Pprof__Label *label, const char *key, lp_slice text)
{
    label->key = string_of(w, key);
    label->str = string_of_slice(w, text);
}

// set_attribute makes the label of an attribute. False if it has none.
static bool
set_attribute(writer *w, Loupe__Pprof__Label *label, const query_label *item)
{
    const query_attributes *attributes = &w->pprof->labels.attributes;
    const query_key *key = &attributes->keys.items[item->key];
    lp_slice value = attributes->values.items[item->value].text;
    LP_REQUIRE(!key->is_search_only && key->value_count <= QUERY_PPROF_VALUES_MAX, false);
    bool is_number = key->is_number && query_number_read(value, &label->num);
    label->key = string_of(w, key->name);
    label->str = is_number ? 0 : string_of_slice(w, value);
    return is_number || value.len > 0; // pprof reads an empty text as the number 0
}

static lp_slice
slice_of(const char *text)
{
    return (lp_slice){(const uint8_t *)text, strlen(text)};
}

// set_labels makes the labels of a group, and returns their number.
static size_t
set_labels(writer *w, uint32_t group, Loupe__Pprof__Label labels[LABELS_MAX])
{
    query_label_set set;
    size_t count = 0;
    for (size_t i = 0; i < LABELS_MAX; i++) {
        loupe__pprof__label__init(&labels[i]);
    }
    if (group == 0) {
        return 0;
    }
    query_label_sets_get(&w->pprof->labels, group, &set);
    const char *thread = query_names_text(w->profile->names, set.thread_name);
    const char *recording = w->pprof->has_several ? w->recording(w->arg, set.session) : "";
    if (*thread != '\0') {
        set_text(w, &labels[count++], "thread", slice_of(thread));
    }
    if (*recording != '\0') {
        set_text(w, &labels[count++], "recording", slice_of(recording));
    }
    if (set.trace.len > 0) {
        set_text(w, &labels[count++], "trace_id", set.trace);
    }
    if (set.span.len > 0) {
        set_text(w, &labels[count++], "span_id", set.span);
    }
    for (size_t i = 0; i < set.count; i++) {
        count += set_attribute(w, &labels[count], &set.items[i]) ? 1 : 0;
    }
    return count;
}

// --- Samples

// find_locations writes the locations of a stack trace, the topmost first.
static lp_err
find_locations(
    writer *w, uint32_t stack, uint64_t out_ids[QUERY_STACK_LEVELS_MAX], size_t *out_count)
{
    *out_count = 0;
    for (; stack != QUERY_STACK_ROOT; stack = w->profile->stacks.nodes.items[stack].parent) {
        LP_TRY(write_location(w, &w->profile->stacks.nodes.items[stack], &out_ids[(*out_count)++]));
    }
    return LP_OK;
}

static lp_err
write_sample(writer *w, const query_cell *cell)
{
    uint64_t ids[QUERY_STACK_LEVELS_MAX];
    Loupe__Pprof__Profile piece = LOUPE__PPROF__PROFILE__INIT;
    Loupe__Pprof__Sample sample = LOUPE__PPROF__SAMPLE__INIT;
    Loupe__Pprof__Sample *samples = &sample;
    Loupe__Pprof__Label labels[LABELS_MAX];
    Loupe__Pprof__Label *label_list[LABELS_MAX];
    int64_t values[TYPES_MAX] = {(int64_t)cell->sides[0].events, cell->sides[0].value};
    lp_err err = find_locations(w, cell->stack, ids, &sample.n_location_id);
    for (size_t i = 0; i < LABELS_MAX; i++) {
        label_list[i] = &labels[i];
    }
    sample.location_id = ids;
    sample.n_value = query_measure_is_count(w->profile->measure) ? 1 : 2;
    sample.value = values;
    sample.n_label = set_labels(w, cell->group, labels);
    sample.label = label_list;
    piece.n_sample = 1;
    piece.sample = &samples;
    return err == LP_OK ? write_piece(w, &piece) : err;
}

static lp_err
write_samples(writer *w, bool *out_is_truncated)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < w->profile->cells.count && err == LP_OK; i++) {
        const query_cell *cell = &w->profile->cells.items[i];
        if (cell->sides[0].value == 0 && cell->sides[0].events == 0) {
            continue;
        }
        if (w->out->len >= QUERY_PROFILE_BYTES_MAX) {
            *out_is_truncated = true;
            break;
        }
        err = write_sample(w, cell);
    }
    return err;
}

// write_head writes the types, the mapping and the times.
static lp_err
write_head(writer *w)
{
    static const char *const types[QUERY_MEASURES][2 * TYPES_MAX] = {
        [QUERY_MEASURE_TIME] = {"events", "count", "time", "nanoseconds"},
        [QUERY_MEASURE_CPU] = {"samples", "count", "cpu", "nanoseconds"},
        [QUERY_MEASURE_ALLOC] = {"samples", "count", "alloc_space", "bytes"},
        [QUERY_MEASURE_LOCK] = {"contentions", "count", "delay", "nanoseconds"},
        [QUERY_MEASURE_PARK] = {"parks", "count", "delay", "nanoseconds"},
        [QUERY_MEASURE_IO] = {"operations", "count", "delay", "nanoseconds"},
        [QUERY_MEASURE_COUNT] = {"events", "count"},
        [QUERY_MEASURE_ALLOCS] = {"samples", "count"},
        [QUERY_MEASURE_LOCKS] = {"contentions", "count"},
        [QUERY_MEASURE_PARKS] = {"parks", "count"},
    };
    const char *const *names = types[w->profile->measure];
    Loupe__Pprof__Profile piece = LOUPE__PPROF__PROFILE__INIT;
    Loupe__Pprof__ValueType type[TYPES_MAX];
    Loupe__Pprof__ValueType *type_list[TYPES_MAX];
    Loupe__Pprof__Mapping mapping = LOUPE__PPROF__MAPPING__INIT;
    Loupe__Pprof__Mapping *mappings = &mapping;
    (void)string_of(w, ""); // pprof wants it first
    for (size_t i = 0; i < TYPES_MAX && names[2 * i] != NULL; i++) {
        loupe__pprof__value_type__init(&type[i]);
        type[i].type = string_of(w, names[2 * i]);
        type[i].unit = string_of(w, names[2 * i + 1]);
        type_list[i] = &type[i];
        piece.n_sample_type = i + 1;
        piece.default_sample_type = type[i].type;
    }
    piece.sample_type = type_list;
    mapping.id = MAPPING;
    mapping.filename = string_of(w, "JVM");
    mapping.has_functions = true;
    mapping.has_line_numbers = true;
    piece.n_mapping = 1;
    piece.mapping = &mappings;
    piece.time_nanos = w->pprof->begin_wall_ns;
    if (__builtin_sub_overflow(
            w->pprof->end_wall_ns, w->pprof->begin_wall_ns, &piece.duration_nanos)) {
        piece.duration_nanos = 0;
    }
    return write_piece(w, &piece);
}

lp_err
query_pprof_write(query_pprof *pprof, const query_profile *profile,
    const char *(*recording)(const void *arg, uint32_t source), const void *arg, lp_buf *out)
{
    labels_check(&pprof->labels);
    LP_ASSERT(recording != NULL && profile->measure < QUERY_MEASURES);
    writer w = {.pprof = pprof, .profile = profile, .recording = recording, .arg = arg, .out = out};
    LP_REQUIRE(
        deflateInit2(&w.gzip, Z_BEST_SPEED, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) == Z_OK,
        LP_ENOMEM);
    lp_err err = write_head(&w);
    LP_THEN(err, write_samples(&w, &pprof->is_truncated));
    LP_THEN(err, write_strings(&w));
    LP_THEN(err, pack(&w, Z_FINISH));
    (void)deflateEnd(&w.gzip);
    lp_buf_fini(&w.piece);
    lp_buf_fini(&w.text);
    lp_names_fini(&w.strings);
    lp_arena_fini(&w.arena);
    lp_map_fini(&w.string_of);
    lp_map_fini(&w.function_of);
    lp_map_fini(&w.location_of);
    return err;
}
