// SPDX-License-Identifier: Apache-2.0
#include "common/jfr/rewrite/jfr_union.h"

#include "common/base/lp_buf.h"
#include "common/base/lp_hash.h"
#include "common/jfr/rewrite/jfr_turns.h"

#include <stdlib.h>
#include <string.h>

enum {
    // Rounds after which types count as different (see jfr_union_number). HotSpot's need five.
    ROUNDS_MAX = 64,
};

void
jfr_union_fini(jfr_union *u)
{
    LP_VEC_FINI(&u->members);
    LP_VEC_FINI(&u->types);
    free(u->ids);
    lp_map_fini(&u->taken);
    *u = (jfr_union){0};
}

lp_err
jfr_union_add(jfr_union *u, const jfr_metadata *metadata)
{
    struct jfr_union_member *member = LP_VEC_PUSH(&u->members);
    LP_REQUIRE(member != NULL, LP_ENOMEM);
    member->metadata = metadata;
    member->begin = u->types.count;
    for (size_t i = 0; i < metadata->types.count; i++) {
        LP_TRY(LP_VEC_ADD(&u->types, (jfr_union_type){.metadata = metadata, .type = (uint32_t)i}));
    }
    return LP_OK;
}

void
jfr_union_part(jfr_union *u, size_t member, uint32_t type, uint32_t variant)
{
    u->types.items[u->members.items[member].begin + type].variant = variant;
}

// --- Grouping

// By these the types of one round are known to differ.
typedef struct grouping {
    jfr_union *u;
    size_t member_begin; // of the types of the member that is being looked at
    lp_buf texts;        // the descriptions of the groups so far
    LP_VEC(struct group {
        size_t offset; // of its description in texts
        size_t size_bytes;
        uint32_t next; // with the same hash, or LP_MAP_NONE
    })
    groups;
    lp_map by_hash;
} grouping;

// describe_group appends the group of a type.
static void
describe_group(grouping *g, size_t type)
{
    uint32_t group = g->u->types.items[type].group;
    lp_buf_append(&g->texts, "#", 1);
    lp_buf_append(&g->texts, &group, sizeof(group));
}

// describe_text appends one text. The byte before it is its kind, so that descriptions are the
// same only if their parts are.
static void
describe_text(grouping *g, char tag, const char *text)
{
    lp_buf_append(&g->texts, &tag, 1);
    lp_buf_append(&g->texts, text, strlen(text) + 1);
}

// name_type appends the group of a type that a description names, and remembers the type.
static void
name_type(grouping *g, size_t type)
{
    uint32_t *slot = LP_VEC_PUSH(&g->u->named);
    if (slot == NULL) {
        g->texts.is_failed = true;
        return;
    }
    *slot = (uint32_t)type;
    describe_group(g, type);
}

static void
describe_attribute(grouping *g, const jfr_metadata *metadata, const jfr_attribute *attribute)
{
    const char *key = jfr_metadata_text(metadata, attribute->key);
    const char *value = jfr_metadata_text(metadata, attribute->value);
    describe_text(g, 'k', key);
    uint32_t type = strcmp(key, "class") == 0
                        ? jfr_metadata_find_type(metadata, strtoull(value, NULL, 10))
                        : JFR_NONE;
    if (type == JFR_NONE) {
        describe_text(g, 'v', value);
    } else {
        name_type(g, g->member_begin + type);
    }
}

static void
describe_element(grouping *g, const jfr_metadata *metadata, uint32_t element, bool is_class)
{
    const jfr_element *e = &metadata->elements.items[element];
    describe_text(g, '<', jfr_metadata_text(metadata, e->name));
    for (uint32_t i = 0; i < e->attribute_count; i++) {
        const jfr_attribute *attribute = &metadata->attributes.items[e->attribute_begin + i];
        if (!is_class || strcmp(jfr_metadata_text(metadata, attribute->key), "id") != 0) {
            describe_attribute(g, metadata, attribute);
        }
    }
    uint32_t child = e->first_child;
    for (; child != JFR_NONE; child = metadata->elements.items[child].next_sibling) {
        describe_element(g, metadata, child, false);
    }
    lp_buf_append(&g->texts, ">", 1);
}

// find_group finds the group with the description at the end of texts, from offset on, or makes it.
static lp_err
find_group(grouping *g, size_t offset, uint32_t *out_group)
{
    const uint8_t *text = g->texts.ptr + offset;
    size_t size = g->texts.len - offset;
    uint64_t hash = lp_hash_bytes(lp_hash_seed(), (lp_slice){text, size});
    uint32_t first = lp_map_find(&g->by_hash, hash);
    for (uint32_t i = first; i != LP_MAP_NONE; i = g->groups.items[i].next) {
        const struct group *group = &g->groups.items[i];
        if (group->size_bytes == size && memcmp(g->texts.ptr + group->offset, text, size) == 0) {
            g->texts.len = offset;
            *out_group = i;
            return LP_OK;
        }
    }
    struct group *group = LP_VEC_PUSH(&g->groups);
    LP_REQUIRE(group != NULL, LP_ENOMEM);
    *group = (struct group){.offset = offset, .size_bytes = size, .next = first};
    *out_group = (uint32_t)(g->groups.count - 1);
    return lp_map_put(&g->by_hash, hash, *out_group);
}

// describe_type appends the description that a round compares: in the first round the name and the
// variant, then the previous group and the description, with the previous groups of the referenced
// types. After the second round, descriptions in a group differ only in these groups, so later
// rounds compare nothing else.
static void
describe_type(grouping *g, unsigned round, size_t index)
{
    jfr_union_type *type = &g->u->types.items[index];
    const jfr_type *described = &type->metadata->types.items[type->type];
    if (round == 0) {
        describe_text(g, 'n', jfr_metadata_text(type->metadata, described->name));
        lp_buf_append(&g->texts, &type->variant, sizeof(type->variant));
        return;
    }
    describe_group(g, index);
    if (round == 1) {
        type->named_begin = g->u->named.count;
        describe_element(g, type->metadata, described->element, true);
        type->named_end = g->u->named.count;
        return;
    }
    for (size_t i = type->named_begin; i < type->named_end; i++) {
        describe_group(g, g->u->named.items[i]);
    }
}

// group_all groups the types by their descriptions in this round.
static lp_err
group_all(grouping *g, unsigned round, uint32_t *out_groups)
{
    for (size_t m = 0; m < g->u->members.count; m++) {
        const struct jfr_union_member *member = &g->u->members.items[m];
        g->member_begin = member->begin;
        for (size_t i = 0; i < member->metadata->types.count; i++) {
            size_t offset = g->texts.len;
            describe_type(g, round, member->begin + i);
            lp_err err = lp_buf_check(&g->texts);
            LP_THEN(err, find_group(g, offset, &out_groups[member->begin + i]));
            LP_REQUIRE(err == LP_OK, err);
        }
    }
    return LP_OK;
}

static lp_err
group_once(jfr_union *u, unsigned round, size_t *out_count)
{
    grouping g = {.u = u};
    uint32_t *groups = malloc((u->types.count + 1) * sizeof(*groups));
    lp_err err = groups == NULL ? LP_ENOMEM : group_all(&g, round, groups);
    for (size_t i = 0; i < u->types.count && err == LP_OK; i++) {
        u->types.items[i].group = groups[i];
    }
    *out_count = g.groups.count;
    free(groups);
    lp_buf_fini(&g.texts);
    LP_VEC_FINI(&g.groups);
    lp_map_fini(&g.by_hash);
    return err;
}

// group_same puts types into the same group if they are the same. It begins with groups by name,
// and splits them by the groups of the types they name until none is split any more. Absurd
// types, which take too many rounds, are the same as none but themselves.
static lp_err
group_same(jfr_union *u)
{
    size_t before = 0;
    for (unsigned round = 0; round < ROUNDS_MAX; round++) {
        size_t count;
        lp_err err = group_once(u, round, &count);
        if (err != LP_OK || (round > 0 && count == before)) {
            return err;
        }
        before = count;
    }
    for (size_t i = 0; i < u->types.count; i++) {
        u->types.items[i].group = (uint32_t)i;
    }
    return LP_OK;
}

// part_twins parts types of one member that are the same: a JVM has two of a class that two class
// loaders have loaded, and their constants must not get mixed up. The first of one member goes with
// the first of another, and so on.
static lp_err
part_twins(jfr_union *u)
{
    lp_map groups = {0}; // a group and how many of the member were met before, to a new group
    lp_err err = LP_OK;
    for (size_t m = 0; m < u->members.count && err == LP_OK; m++) {
        jfr_union_type *types = u->types.items + u->members.items[m].begin;
        lp_map met = {0};
        for (size_t i = 0; i < u->members.items[m].metadata->types.count && err == LP_OK; i++) {
            uint32_t before = lp_map_find(&met, types[i].group);
            before = before == LP_MAP_NONE ? 0 : before;
            uint64_t twin = (uint64_t)before << 32 | types[i].group;
            uint32_t group = lp_map_find(&groups, twin);
            err = lp_map_put(&met, types[i].group, before + 1);
            if (group == LP_MAP_NONE) {
                group = (uint32_t)groups.count;
                LP_THEN(err, lp_map_put(&groups, twin, group));
            }
            types[i].group = group;
        }
        lp_map_fini(&met);
    }
    lp_map_fini(&groups);
    return err;
}

// --- Ranks

// The JDK's reader fails if a type has an inline field of a simple type whose turn has not come yet
// (jfr_turns.h). Profilers write such types under ids that happen to be in order. So each type gets
// a rank above the simple types that are inline in it. Each rank has an eighth of the hashes.
enum { RANK_COUNT = 8, NO_RANK = RANK_COUNT };

// rank_of_id returns the rank that an id is good for; NO_RANK if it is too near another's.
static unsigned
rank_of_id(uint64_t id)
{
    uint64_t hash = jfr_turns_hash(id);
    unsigned place = hash >> 58 & 7; // in its eighth
    return place == 0 || place == 7 ? NO_RANK : (unsigned)(hash >> 61);
}

// raise_ranks looks once at each type of a member. ranks is by group: NO_RANK for types that have
// nothing to do with this. True if anything has changed.
static bool
raise_ranks(const jfr_union *u, const struct jfr_union_member *member, uint8_t *ranks)
{
    const jfr_metadata *metadata = member->metadata;
    const jfr_union_type *types = u->types.items + member->begin;
    bool is_changed = false;
    for (size_t i = 0; i < metadata->types.count; i++) {
        const jfr_type *type = &metadata->types.items[i];
        uint8_t *rank = &ranks[types[i].group];
        for (uint32_t k = 0; k < type->field_count; k++) {
            const jfr_field *field = &metadata->fields.items[type->field_begin + k];
            if (field->is_constant || field->type == JFR_NONE ||
                metadata->types.items[field->type].field_count == 0) {
                continue;
            }
            uint8_t *below = &ranks[types[field->type].group];
            bool is_above = jfr_turns_is_simple(metadata, field->type);
            if (is_above && *below == NO_RANK) {
                *below = 0;
                is_changed = true;
            }
            unsigned least = *below == NO_RANK ? 0 : *below + is_above;
            if (least > 0 && least < RANK_COUNT && (*rank == NO_RANK || *rank < least)) {
                *rank = (uint8_t)least;
                is_changed = true;
            }
        }
    }
    return is_changed;
}

static void
find_ranks(const jfr_union *u, uint8_t *ranks)
{
    memset(ranks, NO_RANK, u->types.count);
    bool is_changed = true;
    for (unsigned round = 0; round < RANK_COUNT && is_changed; round++) { // else it is absurd
        is_changed = false;
        for (size_t i = 0; i < u->members.count; i++) {
            is_changed |= raise_ranks(u, &u->members.items[i], ranks);
        }
    }
}

// --- Numbering

typedef struct numbering {
    jfr_union *u;
    lp_map wanted;                   // the ids that somebody has, to any value
    uint64_t *of_group;              // 0: none yet
    uint8_t *ranks;                  // by group
    uint64_t next_free[NO_RANK + 1]; // by rank: where to look for the next free id
} numbering;

static bool
is_free(const numbering *n, uint64_t id, unsigned rank)
{
    return id > JFR_TYPE_ID_CHECKPOINT && !jfr_union_has_id(n->u, id) &&
           (rank == NO_RANK || rank_of_id(id) == rank);
}

static lp_err
take_id(numbering *n, uint64_t wanted, unsigned rank, uint64_t *out_id)
{
    uint64_t id = wanted;
    if (!is_free(n, id, rank)) {
        id = n->next_free[rank];
        while (!is_free(n, id, rank) || lp_map_find(&n->wanted, id) != LP_MAP_NONE) {
            id++;
        }
        n->next_free[rank] = id;
    }
    *out_id = id;
    return lp_map_put(&n->u->taken, id, 0);
}

static lp_err
number_types(numbering *n)
{
    jfr_union *u = n->u;
    find_ranks(u, n->ranks);
    lp_err err = LP_OK;
    for (size_t i = 0; i < u->types.count && err == LP_OK; i++) {
        const jfr_union_type *type = &u->types.items[i];
        err = lp_map_put(&n->wanted, type->metadata->types.items[type->type].id, 0);
    }
    for (size_t i = 0; i < u->types.count && err == LP_OK; i++) {
        const jfr_union_type *type = &u->types.items[i];
        uint64_t *id = &n->of_group[type->group];
        if (*id == 0) {
            err = take_id(n, type->metadata->types.items[type->type].id, n->ranks[type->group], id);
        }
        u->ids[i] = *id;
    }
    return err;
}

lp_err
jfr_union_number(jfr_union *u)
{
    numbering n = {
        .u = u,
        .of_group = calloc(u->types.count + 1, sizeof(*n.of_group)),
        .ranks = malloc(u->types.count + 1),
    };
    u->ids = calloc(u->types.count + 1, sizeof(*u->ids));
    bool has_room = n.of_group != NULL && n.ranks != NULL && u->ids != NULL;
    bool has_types = u->types.count > 0; // else there are no items to point at
    lp_err err = has_room ? LP_OK : LP_ENOMEM;
    LP_THEN(err, has_types ? group_same(u) : LP_OK);
    LP_THEN(err, has_types ? part_twins(u) : LP_OK);
    LP_THEN(err, has_types ? number_types(&n) : LP_OK);
    LP_VEC_FINI(&u->named);
    lp_map_fini(&n.wanted);
    free(n.of_group);
    free(n.ranks);
    return err;
}

const uint64_t *
jfr_union_ids(const jfr_union *u, size_t member)
{
    return u->ids + u->members.items[member].begin;
}

bool
jfr_union_has_id(const jfr_union *u, uint64_t id)
{
    return lp_map_find(&u->taken, id) != LP_MAP_NONE;
}
