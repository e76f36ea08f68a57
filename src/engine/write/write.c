// SPDX-License-Identifier: Apache-2.0
#include "engine/write/write.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_event.h"
#include "common/jfr/rewrite/jfr_pools_mark.h"
#include "common/jfr/rewrite/jfr_printable.h"
#include "engine/read/kinds.h"
#include "engine/show/aware.h"
#include "engine/write/describe.h"
#include "engine/write/writer.h"

// duration_of returns the duration up to the start of the next chunk, if that follows without a
// gap: readers recognize consecutive chunks of a JVM by their headers, and starts may have been
// moved.
static int64_t
duration_of(const compact_writer *w, const jfr_chunk_info *moved)
{
    const compact_frame *frame = w->frame;
    __int128 duration = moved->duration_ns;
    if (frame->is_met) {
        duration = (__int128)frame->next_start_ns - moved->start_wall_ns;
    }
    bool is_sane = duration >= 0 && duration <= INT64_MAX;
    return is_sane ? (int64_t)duration : moved->duration_ns;
}

static jfr_chunk_info
header_of(const compact_writer *w)
{
    compact_writer_check(w);
    jfr_chunk_info info = w->view->info;
    info.state = JFR_CHUNK_STATE_FINISHED;
    info.is_last = false;
    if (w->frame->source->merge != NULL) {
        info.start_ticks = jfr_rewrite_time(&w->rewrite, info.start_ticks);
        info.start_wall_ns =
            (int64_t)((uint64_t)info.start_ticks + (uint64_t)w->rewrite.zero_wall_ns);
        info.ticks_per_s = 1000000000;
    } else {
        info.start_ticks = w->frame->shown.start_ticks;
        info.start_wall_ns = w->frame->shown.start_wall_ns;
    }
    info.duration_ns = duration_of(w, &info);
    return info;
}

static const char contextual[] = "jdk.jfr.Contextual";

static bool
has_mark(const jfr_metadata *metadata, uint32_t element)
{
    uint32_t child = metadata->elements.items[element].first_child;
    while (child != JFR_NONE && !jfr_metadata_is_annotation(metadata, child, contextual)) {
        child = metadata->elements.items[child].next_sibling;
    }
    return child != JFR_NONE;
}

// mark_fields adds the annotation to attributes without it. Returns whether the type has
// attributes.
static bool
mark_fields(compact_classes *classes, const jfr_metadata *metadata, uint32_t type)
{
    const jfr_type *t = &metadata->types.items[type];
    bool has_attribute = false;
    for (uint32_t i = t->field_begin; i < t->field_begin + t->field_count; i++) {
        uint32_t element = metadata->fields.items[i].element;
        if (!compact_kinds_is_attribute(metadata, type, i)) {
            continue;
        }
        has_attribute = true;
        if (!has_mark(metadata, element)) {
            compact_describe_annotation(classes, element, contextual, NULL);
        }
    }
    return has_attribute;
}

// mark_contextual_fields adds the annotations that show readers contextual event types without the
// policy: jdk.jfr.Contextual on attributes, as JDK 25's `jfr print` expects, and
// dev.loupe.jfr.Contextual on types whose other annotations contradict the policy.
static void
mark_contextual_fields(compact_classes *classes, const compact_schema *schema, uint32_t type)
{
    const jfr_type *t = &schema->metadata.types.items[type];
    bool is_contextual = schema->plans[type].rule == COMPACT_RULE_CONTEXTUAL;
    bool is_marked = is_contextual && mark_fields(classes, &schema->metadata, type);
    bool is_read_so = t->is_contextual || (is_marked && !t->is_denied);
    if (is_read_so != is_contextual) {
        compact_describe_annotation(
            classes, t->element, "dev.loupe.jfr.Contextual", is_contextual ? "true" : "false");
    }
}

static void
use_type(compact_writer *w, uint32_t type)
{
    compact_classes_use(&w->classes, type);
    mark_contextual_fields(&w->classes, w->view->schema, type);
    // If the annotations differ from the policy, a stored chunk needs one to be read without the
    // policy (restyle.h).
    const compact_schema *schema = w->view->schema;
    policy_with_context said = schema->plans[type].with_context;
    if (said != POLICY_WITH_CONTEXT_UNSAID &&
        said != compact_aware_annotated(&schema->metadata, type)) {
        compact_describe_annotation(&w->classes, schema->metadata.types.items[type].element,
            "dev.loupe.jfr.ContextAware", said == POLICY_WITH_CONTEXT_YES ? "true" : "false");
    }
    if ((w->tails[type] & COMPACT_TAIL_THREAD) != 0) {
        (void)compact_describe_labelled_field(&w->classes,
            w->classes.metadata.types.items[type].element, "eventThread", "java.lang.Thread",
            "Event Thread");
    }
}

// use_sign uses a type that shows whether types of a group show contexts, if no used type does.
static void
use_sign(compact_writer *w, bool is_of_jvm)
{
    uint32_t sign = compact_aware_find_sign(w->view->schema, w->classes.is_used, is_of_jvm);
    if (sign != JFR_NONE) {
        use_type(w, sign);
    }
}

static void
use_types(compact_writer *w)
{
    compact_writer_check(w);
    for (uint32_t i = 0; i < w->view->schema->metadata.types.count; i++) {
        bool is_event = w->view->schema->metadata.types.items[i].is_event;
        if (w->view->keeps[i] || (w->frame->is_first && is_event)) {
            use_type(w, i);
        }
    }
    use_sign(w, true);
    use_sign(w, false);
    if (w->style != NULL) {
        w->style_types = compact_shown_fields_add(w->style, w->view->schema, &w->classes);
    }
    compact_classes_complete(&w->classes);
}

// --- Constants

enum { PIECE_BYTES_MIN = 4096 }; // below that, a copy costs less than a piece

static bool
has_pool(const compact_writer *w, uint32_t type)
{
    return w->view->pools.pools[type].marked_count > 0;
}

typedef struct written_pool {
    const compact_writer *w;
    const jfr_pool *pool;
    uint32_t type;
    bool keeps_keys;   // keys are the input's
    bool keeps_values; // values are the input's, except nulls
    bool is_trace;     // its constants are stack traces
    jfr_printable_trace trace;
} written_pool;

static written_pool
written_pool_of(const compact_writer *w, uint32_t type)
{
    LP_ASSERT(type < w->view->pools.pool_count);
    // Texts mean the same in every file.
    bool is_text = jfr_layout_is_text(&w->view->schema->layout, type) &&
                   !jfr_pools_may_refer(&w->view->pools, type);
    bool has_own_terms = w->frame->source->merge != NULL;
    written_pool p = {
        .w = w,
        .pool = &w->view->pools.pools[type],
        .type = type,
        .keeps_keys = !has_own_terms,
        .keeps_values = !has_own_terms || is_text,
    };
    const compact_schema *schema = w->view->schema;
    p.is_trace = jfr_printable_find_trace(&schema->metadata, &schema->layout, type, &p.trace);
    p.keeps_values &= !p.is_trace || p.trace.pool != JFR_NONE;
    return p;
}

static bool
keeps_value(const written_pool *p, uint8_t mark)
{
    return p->keeps_values && (mark & JFR_MARK_HAS_NULL) == 0;
}

static void
append_trace(const written_pool *p, const jfr_constant *constant, lp_buf *payload)
{
    LP_ASSERT(p->is_trace);
    const compact_writer *w = p->w;
    const jfr_cursor cursor = compact_view_value(w->view, constant);
    uint64_t bytes;
    uint64_t left_out = jfr_printable_append_trace(&w->rewrite, &p->trace, cursor, payload, &bytes);
    if (left_out > 0) {
        lp_problem problem;
        (void)lp_problem_at(&problem, LP_ECORRUPT, constant->offset,
            "a stack trace has frames without a method: %llu", (unsigned long long)left_out);
        compact_damage_add_unprintable(&w->view->damage, &problem, bytes);
    }
}

static void
append_constant(const written_pool *p, size_t index, lp_buf *payload)
{
    const compact_writer *w = p->w;
    const jfr_constant *constant = &p->pool->constants.items[index];
    jfr_cursor cursor = compact_view_value(w->view, constant);
    uint8_t mark = p->pool->marks[index];
    jfr_varint_append(payload, jfr_rewrite_defined_key(&w->rewrite, p->type, constant->key));
    if (keeps_value(p, mark)) {
        lp_buf_append(payload, cursor.at, constant->size_bytes);
        return;
    }
    bool has_nulls = (mark & JFR_MARK_HAS_NULL) != 0;
    if (p->is_trace && (has_nulls || p->trace.pool == JFR_NONE)) {
        append_trace(p, constant, payload);
        return;
    }
    jfr_program program = w->view->schema->layout.types.items[p->type];
    bool is_whole = jfr_rewrite_value(&w->rewrite, program, has_nulls, &cursor, payload);
    LP_ASSERT(is_whole); // it was when it was added
}

// count_run returns how many constants from index on are unchanged and adjacent in the chunk, with
// each key in its shortest form.
static size_t
count_run(const written_pool *p, size_t index)
{
    const jfr_pool *pool = p->pool;
    size_t end = index;
    uint64_t offset = pool->constants.items[index].offset;
    while (p->keeps_keys && end < pool->constants.count &&
           (pool->marks[end] & JFR_MARK_NEEDED) != 0 && keeps_value(p, pool->marks[end]) &&
           pool->constants.items[end].offset == offset) {
        offset += pool->constants.items[end].size_bytes;
        end++;
        offset += end < pool->constants.count ? jfr_varint_size(pool->constants.items[end].key) : 0;
    }
    return end - index;
}

static void
append_run(const compact_writer *w, const jfr_constant *first, const jfr_constant *last)
{
    LP_ASSERT(first < last);
    const uint8_t *begin = w->view->chunk.ptr + first->offset;
    const uint8_t *end = w->view->chunk.ptr + last->offset + last->size_bytes;
    const lp_slice values = {begin, (size_t)(end - begin)};
    jfr_varint_append(&w->out->jfr, first->key);
    if (w->frame->is_in_pieces && values.len >= PIECE_BYTES_MIN) {
        compact_output_borrow(w->out, values);
    } else {
        lp_buf_append(&w->out->jfr, values.ptr, values.len);
    }
}

static void
append_pool(const compact_writer *w, uint32_t type)
{
    LP_ASSERT(has_pool(w, type));
    lp_buf *payload = &w->out->jfr;
    const written_pool p = written_pool_of(w, type);
    const jfr_pool *pool = p.pool;
    jfr_varint_append(payload, compact_writer_type_id(w, type));
    jfr_varint_append(payload, pool->marked_count);
    for (size_t i = 0; i < pool->constants.count; i++) {
        if ((pool->marks[i] & JFR_MARK_NEEDED) == 0) {
            continue;
        }
        size_t run = count_run(&p, i);
        if (run > 1) {
            const jfr_constant *first = &pool->constants.items[i];
            append_run(w, first, first + run - 1);
            i += run - 1;
        } else {
            append_constant(&p, i, payload);
        }
    }
}

static void
note_unprintable(const compact_writer *w)
{
    const jfr_metadata *metadata = &w->view->schema->metadata;
    for (uint32_t i = 0; i < w->view->pools.pool_count; i++) {
        const jfr_pool *pool = &w->view->pools.pools[i];
        for (size_t k = 0; k < pool->unprintable.count; k++) {
            const jfr_constant *constant = &pool->unprintable.items[k];
            lp_problem problem;
            (void)lp_problem_at(&problem, LP_ECORRUPT, constant->offset,
                "a constant of type %s lacks its name or a reference, or has a malformed one",
                jfr_metadata_type_name(metadata, i));
            compact_damage_add_unprintable(&w->view->damage, &problem, constant->size_bytes);
        }
    }
}

static void
append_constants(compact_writer *w, int64_t start_ticks)
{
    compact_writer_check(w);
    note_unprintable(w);
    lp_buf *jfr = &w->out->jfr;
    uint64_t pool_count = 0;
    for (uint32_t i = 0; i < w->view->pools.pool_count; i++) {
        pool_count += has_pool(w, i);
    }
    if (w->style != NULL) {
        pool_count += compact_style_pool_count(w->style, &w->style_types);
    }
    jfr_event_open event = jfr_event_begin(jfr, JFR_TYPE_ID_CHECKPOINT, w->view->pools.bytes);
    jfr_varint_append(jfr, (uint64_t)start_ticks);
    jfr_varint_append(jfr, 0); // duration
    jfr_varint_append(jfr, 0); // no checkpoint before this one
    lp_buf_append(jfr, "", 1); // flags
    jfr_varint_append(jfr, pool_count);
    for (uint32_t i = 0; i < w->view->pools.pool_count; i++) {
        if (has_pool(w, i)) {
            append_pool(w, i);
        }
    }
    if (w->style != NULL) {
        compact_style_append_pools(w->style, &w->style_types, jfr);
    }
    size_t moved = jfr->len;
    event.bytes_elsewhere = w->out->borrowed_bytes;
    jfr_event_end(jfr, event);
    moved = jfr->len - moved; // the head's final length may differ
    for (size_t i = 0; i < w->out->borrowed.count; i++) {
        w->out->borrowed.items[i].at += moved;
    }
}

// --- The chunk

typedef struct made_events {
    compact_context_events contexts;
    compact_request_events requests;
} made_events;

// append_events writes everything but constants and metadata. Contexts come first: the JDK's
// printer must see a context before the events inside it.
static void
append_events(compact_writer *w, const made_events *made, const jfr_chunk_info *info)
{
    compact_kept_events_append_spans(w);
    compact_context_events_append(&made->contexts, w);
    compact_request_events_append(&made->requests, w); // read as plain events later
    compact_kept_events_append_plain(w);
    if (w->frame->options->has_settings) {
        compact_settings_append(w, &made->contexts, &made->requests, info->start_ticks);
    }
    compact_own_events_append(w, info);
}

// bytes_to_come estimates the bytes of the output without rewriting.
static size_t
bytes_to_come(const compact_view *view, const compact_request_events *requests)
{
    enum { SPARE_BYTES = 65536, SPARE_SHARE = 16, REQUEST_BYTES = 96 };
    uint64_t events = 0; // of the input
    uint64_t kept = 0;
    for (size_t i = 0; i < view->schema->metadata.types.count; i++) {
        events += view->amounts[i].bytes;
        kept += view->marked_amounts[i].bytes;
    }
    uint64_t bytes = view->chunk.len - events + kept + // most other bytes are not kept
                     requests->request_count * REQUEST_BYTES;
    return (size_t)(bytes + bytes / SPARE_SHARE + SPARE_BYTES);
}

// append_chunk writes constants and metadata behind the events, as JVMs do: the events determine
// them.
static lp_err
append_chunk(compact_writer *w, const made_events *made)
{
    lp_buf *jfr = &w->out->jfr;
    jfr_chunk_info info = header_of(w);
    lp_buf_reserve(jfr, bytes_to_come(w->view, &made->requests));
    (void)lp_buf_extend(jfr, JFR_CHUNK_HEADER_SIZE);
    append_events(w, made, &info);
    LP_TRY(jfr_pools_mark_reachable(&w->view->pools));
    use_types(w);
    info.metadata_offset = jfr->len;
    uint64_t salt = w->frame->source->merge == NULL ? w->frame->metadata_salt
                                                    : (uint64_t)w->rewrite.zero_wall_ns;
    compact_classes_append(&w->classes, info.start_ticks, salt, jfr);
    info.checkpoint_offset = jfr->len;
    append_constants(w, info.start_ticks);
    lp_err err = compact_output_err(w->out);
    if (err == LP_OK) {
        LP_ASSERT(JFR_CHUNK_HEADER_SIZE <= info.metadata_offset &&
                  info.metadata_offset < info.checkpoint_offset &&
                  info.checkpoint_offset < jfr->len);
        info.size_bytes = compact_output_size(w->out);
        jfr_chunk_encode(&info, jfr->ptr);
    }
    return err;
}

static lp_err
run(compact_writer *w)
{
    compact_writer_check(w);
    made_events made;
    compact_context_events_init(&made.contexts, w);
    compact_request_events_init(&made.requests, w);
    lp_err err = lp_arena_err(w->arena);
    LP_THEN(err, w->style != NULL ? compact_style_apply(w->style, w->view, &w->rewrite) : LP_OK);
    if (err == LP_OK) {
        compact_kept_events_find_tails(w);
        err = append_chunk(w, &made);
    }
    compact_request_events_fini(&made.requests);
    return err;
}

lp_err
compact_write(const compact_frame *frame, const compact_decided *decided, compact_style *style,
    compact_output *out, lp_problem *out_problem)
{
    LP_ASSERT(compact_frame_is_open(frame));
    LP_TRY(compact_output_init(out, frame->view->schema->metadata.types.count, frame->type_count));
    compact_writer w;
    lp_err err = compact_writer_init(&w, frame, decided, style, out, out_problem);
    LP_THEN(err, run(&w));
    compact_writer_fini(&w);
    return err;
}
