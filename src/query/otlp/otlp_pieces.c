// SPDX-License-Identifier: Apache-2.0
#include "query/otlp/otlp_pieces.h"

#include "otlp.pb-c.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_proto.h"

#include <assert.h>
#include <string.h>

enum {
    ITEM_BYTES = 48, // more than a tag, a length and the numbers of any item
    // A frame is at most a text, a function, a location and its index in the stack trace.
    FRAME_BYTES_MAX = QUERY_OTLP_TEXT_BYTES_MAX + 4 * ITEM_BYTES,
    // An attribute is at most two texts, one of them also as its value, and itself.
    ATTRIBUTE_BYTES_MAX = 3 * QUERY_OTLP_TEXT_BYTES_MAX + 4 * ITEM_BYTES,
    SAMPLE_BYTES_MAX = QUERY_STACK_LEVELS_MAX * FRAME_BYTES_MAX +
                       QUERY_OTLP_ATTRIBUTES_MAX * ATTRIBUTE_BYTES_MAX + 8 * ITEM_BYTES,
    PROFILES_MAX = QUERY_OTLP_PERIODS_MAX + QUERY_OTLP_MEASURES,
    // What is added when a JVM ends: facts, types and times of its profiles.
    JVM_BYTES_MAX = QUERY_OTLP_FACTS_MAX * (2 * QUERY_OTLP_TEXT_BYTES_MAX + 4 * ITEM_BYTES) +
                    PROFILES_MAX * 8 * ITEM_BYTES,
    // What is added when the piece ends: zero items, and the lengths of messages.
    PIECE_BYTES = 1024,
};

static_assert(SAMPLE_BYTES_MAX + JVM_BYTES_MAX + PIECE_BYTES < QUERY_OTLP_PIECE_BYTES_MAX,
    "a piece has room for a sample");

static const struct {
    const char *type;
    const char *unit;
    const char *period_type;
    const char *period_unit;
} measures[QUERY_OTLP_MEASURES] = {
    [QUERY_OTLP_CPU] = {"samples", "count", "cpu", "nanoseconds"},
    [QUERY_OTLP_WALL] = {"wall", "nanoseconds", "wall", "nanoseconds"},
    [QUERY_OTLP_ALLOC] = {"alloc_space", "bytes", "memory", "bytes"},
    [QUERY_OTLP_LOCK] = {"delay", "nanoseconds", "mutex", "count"},
    [QUERY_OTLP_PARK] = {"delay", "nanoseconds", "block", "count"},
    [QUERY_OTLP_IO] = {"delay", "nanoseconds", "io", "count"},
    [QUERY_OTLP_EVENTS] = {"events", "count", "events", "count"},
};

static void
pieces_check(const query_otlp_pieces *pieces)
{
    LP_ASSERT(pieces->wish != NULL && pieces->wish->on_piece != NULL);
    LP_ASSERT(pieces->profiles.count <= PROFILES_MAX);
    LP_ASSERT(pieces->new_samples > 0 || pieces->resources.len == 0);
}

static void
drop_profiles(query_otlp_pieces *pieces)
{
    LP_VEC_FINI_EACH(&pieces->profiles, lp_buf_fini(&at->samples));
    pieces->packed_bytes = 0;
}

void
query_otlp_pieces_fini(query_otlp_pieces *pieces)
{
    drop_profiles(pieces);
    query_otlp_dictionary_fini(&pieces->dictionary);
    lp_buf_fini(&pieces->resources);
    lp_buf_fini(&pieces->resource);
    lp_buf_fini(&pieces->text);
    *pieces = (query_otlp_pieces){0};
}

static lp_slice
slice_of(const char *text)
{
    return (lp_slice){(const uint8_t *)text, strlen(text)};
}

static ProtobufCBinaryData
data_of(const lp_buf *bytes)
{
    return (ProtobufCBinaryData){.len = bytes->len, .data = bytes->ptr};
}

// --- Samples

bool
query_otlp_pieces_has_room(const query_otlp_pieces *pieces)
{
    size_t max =
        pieces->wish->is_file ? QUERY_OTLP_FILE_BYTES_MAX : (size_t)QUERY_OTLP_PIECE_BYTES_MAX;
    size_t bytes = pieces->resources.len + pieces->packed_bytes + pieces->dictionary.bytes.len;
    return bytes + SAMPLE_BYTES_MAX + JVM_BYTES_MAX + PIECE_BYTES <= max;
}

static uint64_t
unsigned_of(int64_t wall_ns)
{
    return wall_ns < 0 ? 0 : (uint64_t)wall_ns;
}

// find_profile finds or adds the profile of a sample. NULL if memory ran out.
static struct query_otlp_profile *
find_profile(query_otlp_pieces *pieces, const query_otlp_sample *sample, int64_t period)
{
    for (size_t i = 0; i < pieces->profiles.count; i++) {
        struct query_otlp_profile *known = &pieces->profiles.items[i];
        if (known->measure == sample->measure && known->period == period) {
            return known;
        }
    }
    struct query_otlp_profile *made = LP_VEC_PUSH(&pieces->profiles);
    if (made != NULL) {
        made->measure = sample->measure;
        made->period = period;
        made->begin_wall_ns = UINT64_MAX;
    }
    return made;
}

// count_periods returns the number of sampling periods with a profile, and whether a period has
// one.
static size_t
count_periods(const query_otlp_pieces *pieces, int64_t period_ns, bool *out_is_known)
{
    size_t count = 0;
    *out_is_known = false;
    for (size_t i = 0; i < pieces->profiles.count; i++) {
        const struct query_otlp_profile *known = &pieces->profiles.items[i];
        count += known->measure == QUERY_OTLP_CPU ? 1 : 0;
        *out_is_known |= known->measure == QUERY_OTLP_CPU && known->period == period_ns;
    }
    return count;
}

// choose_period returns the period of the profile of a sample, and writes the sample's value there.
// Beyond the most periods, a sample's value is its period, in one profile.
static int64_t
choose_period(const query_otlp_pieces *pieces, const query_otlp_sample *sample, int64_t *out_value)
{
    bool is_known;
    *out_value = sample->value;
    if (sample->measure != QUERY_OTLP_CPU) {
        return 1; // a receiver that names profiles by their period ignores one of 0
    }
    size_t count = count_periods(pieces, sample->period_ns, &is_known);
    if (is_known || count < QUERY_OTLP_PERIODS_MAX - 1 || sample->period_ns <= 0) {
        return sample->period_ns < 0 ? 0 : sample->period_ns;
    }
    *out_value = sample->period_ns;
    return 1;
}

lp_err
query_otlp_pieces_add(query_otlp_pieces *pieces, const query_otlp_sample *sample)
{
    Loupe__Otlp__Profile packed = LOUPE__OTLP__PROFILE__INIT;
    Loupe__Otlp__Sample item = LOUPE__OTLP__SAMPLE__INIT;
    uint64_t wall_ns = unsigned_of(sample->wall_ns);
    int64_t value;
    int64_t period = choose_period(pieces, sample, &value);
    LP_ASSERT(sample->measure < QUERY_OTLP_MEASURES);
    LP_ASSERT(sample->attribute_count <= QUERY_OTLP_ATTRIBUTES_MAX);
    struct query_otlp_profile *profile = find_profile(pieces, sample, period);
    LP_REQUIRE(profile != NULL, LP_ENOMEM);
    item.stack_index = sample->stack;
    item.n_attribute_indices = sample->attribute_count;
    item.attribute_indices = (int32_t *)(uintptr_t)sample->attributes;
    item.link_index = sample->link;
    item.n_values = 1;
    item.values = &value;
    item.n_timestamps_unix_nano = 1;
    item.timestamps_unix_nano = &wall_ns;
    packed.n_samples = 1;
    packed.samples = &(Loupe__Otlp__Sample *){&item};
    size_t before = profile->samples.len;
    LP_TRY(lp_proto_append(&packed.base, &profile->samples));
    pieces->packed_bytes += profile->samples.len - before;
    uint64_t begin_ns = unsigned_of(sample->begin_wall_ns);
    uint64_t end_ns = unsigned_of(sample->end_wall_ns);
    profile->begin_wall_ns = begin_ns < profile->begin_wall_ns ? begin_ns : profile->begin_wall_ns;
    profile->end_wall_ns = end_ns > profile->end_wall_ns ? end_ns : profile->end_wall_ns;
    pieces->new_samples++;
    return LP_OK;
}

// --- JVMs

static lp_err
set_type(
    query_otlp_pieces *pieces, const char *type, const char *unit, Loupe__Otlp__ValueType *out_type)
{
    LP_TRY(
        query_otlp_dictionary_text(&pieces->dictionary, slice_of(type), &out_type->type_strindex));
    return query_otlp_dictionary_text(
        &pieces->dictionary, slice_of(unit), &out_type->unit_strindex);
}

// end_profile adds the other fields of a profile to its samples.
static lp_err
end_profile(query_otlp_pieces *pieces, struct query_otlp_profile *profile)
{
    pieces_check(pieces);
    Loupe__Otlp__Profile packed = LOUPE__OTLP__PROFILE__INIT;
    Loupe__Otlp__ValueType type = LOUPE__OTLP__VALUE_TYPE__INIT;
    Loupe__Otlp__ValueType period_type = LOUPE__OTLP__VALUE_TYPE__INIT;
    query_otlp_measure of = profile->measure;
    LP_TRY(set_type(pieces, measures[of].type, measures[of].unit, &type));
    LP_TRY(set_type(pieces, measures[of].period_type, measures[of].period_unit, &period_type));
    packed.sample_type = &type;
    packed.period_type = &period_type;
    packed.period = profile->period;
    packed.time_unix_nano = profile->begin_wall_ns;
    packed.duration_nano = profile->end_wall_ns > profile->begin_wall_ns
                               ? profile->end_wall_ns - profile->begin_wall_ns
                               : 0;
    return lp_proto_append(&packed.base, &profile->samples);
}

// pack_scope makes out the packed ScopeProfiles of the JVM at hand, and drops its profiles.
static lp_err
pack_scope(query_otlp_pieces *pieces, lp_buf *out)
{
    Loupe__Otlp__ScopeProfiles scope_profiles = LOUPE__OTLP__SCOPE_PROFILES__INIT;
    Loupe__Otlp__InstrumentationScope scope = LOUPE__OTLP__INSTRUMENTATION_SCOPE__INIT;
    ProtobufCBinaryData profiles[PROFILES_MAX];
    for (size_t i = 0; i < pieces->profiles.count; i++) {
        LP_TRY(end_profile(pieces, &pieces->profiles.items[i]));
        profiles[i] = data_of(&pieces->profiles.items[i].samples);
    }
    scope.name = "loupe";
    scope.version = LOUPE_VERSION;
    scope_profiles.scope = &scope;
    scope_profiles.n_profiles = pieces->profiles.count;
    scope_profiles.profiles = profiles;
    lp_err err = lp_proto_append(&scope_profiles.base, out);
    drop_profiles(pieces);
    return err;
}

// pack_resource makes out the packed ResourceProfiles of the JVM at hand.
static lp_err
pack_resource(query_otlp_pieces *pieces, lp_buf *out)
{
    Loupe__Otlp__ResourceProfiles resource = LOUPE__OTLP__RESOURCE_PROFILES__INIT;
    lp_buf scope = {0};
    lp_err err = pack_scope(pieces, &scope);
    ProtobufCBinaryData data = data_of(&scope);
    resource.resource = data_of(&pieces->resource);
    resource.n_scope_profiles = 1;
    resource.scope_profiles = &data;
    LP_THEN(err, lp_proto_append(&resource.base, out));
    lp_buf_fini(&scope);
    return err;
}

// end_jvm moves the JVM at hand to resources, if it has samples.
static lp_err
end_jvm(query_otlp_pieces *pieces)
{
    pieces_check(pieces);
    if (pieces->profiles.count == 0) {
        return LP_OK;
    }
    Loupe__Otlp__ProfilesData file = LOUPE__OTLP__PROFILES_DATA__INIT;
    lp_buf resource = {0};
    lp_err err = pack_resource(pieces, &resource);
    ProtobufCBinaryData data = data_of(&resource);
    file.n_resource_profiles = 1;
    file.resource_profiles = &data;
    LP_THEN(err, lp_proto_append(&file.base, &pieces->resources));
    lp_buf_fini(&resource);
    return err;
}

// add_fact adds a fact to the JVM at hand.
static lp_err
add_fact(query_otlp_pieces *pieces, const query_otlp_fact *fact)
{
    Loupe__Otlp__Resource resource = LOUPE__OTLP__RESOURCE__INIT;
    Loupe__Otlp__KeyValue item = LOUPE__OTLP__KEY_VALUE__INIT;
    Loupe__Otlp__AnyValue value = LOUPE__OTLP__ANY_VALUE__INIT;
    bool is_unknown = fact->text != NULL ? *fact->text == '\0' : fact->number == 0;
    if (is_unknown) {
        return LP_OK;
    }
    value.value_case = LOUPE__OTLP__ANY_VALUE__VALUE_INT_VALUE;
    value.int_value = fact->number;
    if (fact->text != NULL) {
        LP_TRY(query_otlp_text_make(
            &pieces->text, slice_of(fact->text), &pieces->dictionary.is_truncated));
        value.value_case = LOUPE__OTLP__ANY_VALUE__VALUE_STRING_VALUE;
        value.string_value = (char *)pieces->text.ptr;
    }
    item.key = (char *)(uintptr_t)fact->key;
    item.value = &value;
    resource.n_attributes = 1;
    resource.attributes = &(Loupe__Otlp__KeyValue *){&item};
    return lp_proto_append(&resource.base, &pieces->resource);
}

lp_err
query_otlp_pieces_begin_jvm(query_otlp_pieces *pieces, uint32_t source)
{
    query_otlp_fact facts[QUERY_OTLP_FACTS_MAX];
    LP_TRY(end_jvm(pieces));
    lp_buf_clear(&pieces->resource);
    size_t count = pieces->wish->describe(pieces->wish->describe_arg, source, facts);
    LP_ASSERT(count <= QUERY_OTLP_FACTS_MAX);
    lp_err err = LP_OK;
    for (size_t i = 0; i < count && err == LP_OK; i++) {
        LP_ASSERT(strlen(facts[i].key) <= QUERY_OTLP_TEXT_BYTES_MAX);
        err = add_fact(pieces, &facts[i]);
    }
    return err;
}

// --- Pieces

lp_err
query_otlp_pieces_pass(query_otlp_pieces *pieces)
{
    pieces_check(pieces);
    if (pieces->new_samples == 0) {
        return LP_OK;
    }
    Loupe__Otlp__ProfilesData file = LOUPE__OTLP__PROFILES_DATA__INIT;
    LP_TRY(end_jvm(pieces));
    file.dictionary = data_of(&pieces->dictionary.bytes);
    LP_TRY(lp_proto_append(&file.base, &pieces->resources));
    LP_ASSERT(pieces->wish->is_file || pieces->resources.len <= QUERY_OTLP_PIECE_BYTES_MAX);
    const query_otlp_piece piece = {
        .bytes = lp_buf_slice(&pieces->resources),
        .samples = pieces->new_samples,
    };
    lp_err err = pieces->wish->on_piece(pieces->wish->arg, &piece);
    pieces->samples += err == LP_OK ? pieces->new_samples : 0;
    pieces->bytes += piece.bytes.len;
    pieces->new_samples = 0;
    lp_buf_clear(&pieces->resources);
    query_otlp_dictionary_reset(&pieces->dictionary);
    return err;
}
