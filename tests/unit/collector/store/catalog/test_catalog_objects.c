// SPDX-License-Identifier: Apache-2.0
// Objects with several chunks in the catalog: a transaction commits the chunks with their places,
// except refused ones. The live bytes of an object are right even if a commit is repeated. No
// object is empty or sparse before it is settled. A chunk moves only from its present place. In
// both databases.

#include "support/catalog_fixture.h"

#include "collector/store/catalog/catalog_expiry.h"
#include "collector/store/catalog/catalog_objects.h"

#include <string.h>

enum { FIRST_BYTES = 300, SECOND_BYTES = 100, OBJECT_BYTES = 500 };

#define FIRST_OBJECT "000000000001-0000000000000001-000001"
#define OTHER_OBJECT "000000000002-0000000000000001-000002"

static catalog_session
session_of(char digit, uint32_t next_chunk)
{
    catalog_session session = {
        .service = catalog_place_text("shop"),
        .instance = catalog_place_text("host:1"),
        .jvm_name = catalog_place_text("OpenJDK"),
        .jvm_version = catalog_place_text("25"),
        .next_chunk = next_chunk,
    };
    memset(session.id, digit, CATALOG_ID_CHARS);
    return session;
}

static catalog_chunk
chunk_of(uint32_t ordinal, uint64_t offset, uint64_t stored_bytes)
{
    catalog_chunk chunk = {.ordinal = ordinal,
        .start_wall_ns = 1000 + ordinal,
        .duration_ns = 10,
        .size_bytes = 2 * stored_bytes,
        .stored_bytes = stored_bytes,
        .place = {.object = FIRST_OBJECT, .offset = offset},
        .types_json = "{}"};
    return chunk;
}

static catalog_object
object_of(const char *name, bool is_settled)
{
    catalog_object object = {.bytes = OBJECT_BYTES, .is_settled = is_settled};
    (void)snprintf(object.name, sizeof(object.name), "%s", name);
    return object;
}

// commit_two commits chunk 0 of sessions a and b, and returns whether the first was refused.
static bool
commit_two(const fixture *f, bool is_settled)
{
    const catalog_session sessions[] = {session_of('a', 1), session_of('b', 1)};
    const catalog_chunk chunks[] = {
        chunk_of(0, 0, FIRST_BYTES), chunk_of(0, FIRST_BYTES, SECOND_BYTES)};
    const lp_slice carry = {(const uint8_t *)"carry", 5};
    catalog_commit commits[] = {{.session = &sessions[0], .chunk = &chunks[0], .carry = carry},
        {.session = &sessions[1], .chunk = &chunks[1], .carry = carry}};
    const catalog_object object = object_of(FIRST_OBJECT, is_settled);
    assert_int_equal(catalog_commit_object(f->catalog, &object, commits, 2, NULL, 0), LP_OK);
    assert_false(commits[1].is_refused);
    return commits[0].is_refused;
}

static catalog_old_chunk
old_chunk(char digit)
{
    catalog_old_chunk chunk = {.is_in_object = true};
    memset(chunk.session_id, digit, CATALOG_ID_CHARS);
    return chunk;
}

static void
expire(const fixture *f, char digit)
{
    const catalog_old_chunk chunk = old_chunk(digit);
    assert_int_equal(catalog_expire(f->catalog, &chunk, 1), LP_OK);
}

static uint64_t
live_bytes(const fixture *f)
{
    uint64_t bytes;
    uint64_t live;
    assert_int_equal(catalog_sum_objects(f->catalog, &bytes, &live), LP_OK);
    return live;
}

// The names of objects, with a space behind each.
typedef struct names {
    char text[200];
} names;

static void
take_name(void *arg, const catalog_object *object)
{
    names *n = arg;
    size_t used = strlen(n->text);
    (void)snprintf(n->text + used, sizeof(n->text) - used, "%s ", object->name);
}

static void
assert_empty(const fixture *f, const char *expected)
{
    names found = {.text = ""};
    assert_int_equal(catalog_list_empty_objects(f->catalog, 10, take_name, &found), LP_OK);
    assert_string_equal(found.text, expected);
}

static void
assert_sparse(const fixture *f, const char *expected)
{
    names found = {.text = ""};
    assert_int_equal(catalog_list_sparse_objects(f->catalog, 10, take_name, &found), LP_OK);
    assert_string_equal(found.text, expected);
}

static void
assert_place(const fixture *f, char digit, const char *object, uint64_t offset)
{
    char id[CATALOG_ID_CHARS + 1] = "";
    blob_place place;
    uint64_t bytes;
    memset(id, digit, CATALOG_ID_CHARS);
    assert_int_equal(catalog_find_place(f->catalog, id, 0, &place, &bytes), LP_OK);
    assert_string_equal(place.object, object);
    assert_int_equal(place.offset, offset);
}

static void
take_chunk(void *arg, const catalog_chunk *chunk)
{
    *(catalog_chunk *)arg = *chunk;
}

static void
test_chunks_are_committed_with_their_place(void **state)
{
    const fixture *f = *state;
    assert_false(commit_two(f, true));
    catalog_chunk found = {0};
    char id[CATALOG_ID_CHARS + 1] = "";
    memset(id, 'b', CATALOG_ID_CHARS);
    assert_int_equal(catalog_list_chunks(f->catalog, id, take_chunk, &found), LP_OK);
    assert_string_equal(found.place.object, FIRST_OBJECT);
    assert_int_equal(found.place.offset, FIRST_BYTES);
    assert_int_equal(found.stored_bytes, SECOND_BYTES);
    uint8_t *carry;
    size_t size;
    assert_int_equal(catalog_get_carry(f->catalog, id, &carry, &size), LP_OK);
    assert_int_equal(size, 5);
    free(carry);
    assert_int_equal(live_bytes(f), FIRST_BYTES + SECOND_BYTES);
    assert_int_equal(catalog_has_object(f->catalog, FIRST_OBJECT), LP_OK);
    assert_int_equal(catalog_has_object(f->catalog, OTHER_OBJECT), LP_ENOENT);
    blob_place place;
    uint64_t bytes;
    assert_int_equal(catalog_find_place(f->catalog, id, 1, &place, &bytes), LP_ENOENT);
}

static void
test_a_refused_chunk_leaves_out_nothing_else(void **state)
{
    const fixture *f = *state;
    const catalog_session later = session_of('a', 7); // another collector committed it
    assert_int_equal(catalog_put_session(f->catalog, &later), LP_OK);
    assert_true(commit_two(f, true));
    char id[CATALOG_ID_CHARS + 1] = "";
    blob_place place;
    uint64_t bytes;
    memset(id, 'a', CATALOG_ID_CHARS);
    assert_int_equal(catalog_find_place(f->catalog, id, 0, &place, &bytes), LP_ENOENT);
    assert_place(f, 'b', FIRST_OBJECT, FIRST_BYTES);
    assert_int_equal(live_bytes(f), SECOND_BYTES); // the refused chunk's bytes are dead
    uint8_t *carry;
    size_t size;
    assert_int_equal(catalog_get_carry(f->catalog, id, &carry, &size), LP_OK);
    assert_int_equal(size, 0);
}

static void
test_what_is_done_twice_counts_once(void **state)
{
    const fixture *f = *state;
    assert_false(commit_two(f, false));
    assert_false(commit_two(f, true)); // its first answer was lost
    assert_int_equal(live_bytes(f), FIRST_BYTES + SECOND_BYTES);
    expire(f, 'a');
    expire(f, 'a');
    assert_int_equal(live_bytes(f), SECOND_BYTES);
}

// The answer to a commit is lost, and its chunk is compacted again.
static void
test_a_chunk_that_is_committed_elsewhere_leaves_its_object(void **state)
{
    const fixture *f = *state;
    assert_false(commit_two(f, true));
    const catalog_session session = session_of('b', 1);
    catalog_chunk chunk = chunk_of(0, 20, SECOND_BYTES + 7);
    (void)snprintf(chunk.place.object, sizeof(chunk.place.object), "%s", OTHER_OBJECT);
    catalog_commit commit = {.session = &session, .chunk = &chunk};
    const catalog_object object = object_of(OTHER_OBJECT, true);
    assert_int_equal(catalog_commit_object(f->catalog, &object, &commit, 1, NULL, 0), LP_OK);
    assert_place(f, 'b', OTHER_OBJECT, 20);
    assert_int_equal(live_bytes(f), FIRST_BYTES + SECOND_BYTES + 7);
    expire(f, 'a');
    assert_empty(f, FIRST_OBJECT " ");
}

static void
on_removal(void *arg, const char *session_id, int64_t ordinal)
{
    (void)session_id;
    (void)ordinal;
    ++*(unsigned *)arg;
}

static void
test_an_object_is_sparse_and_then_empty_and_then_forgotten(void **state)
{
    const fixture *f = *state;
    assert_false(commit_two(f, true));
    assert_sparse(f, "");
    expire(f, 'a'); // a fifth is left
    assert_sparse(f, FIRST_OBJECT " ");
    assert_empty(f, "");
    assert_int_equal(catalog_forget_object(f->catalog, FIRST_OBJECT), LP_OK);
    assert_int_equal(catalog_has_object(f->catalog, FIRST_OBJECT), LP_OK); // it is not empty
    expire(f, 'b');
    assert_sparse(f, "");
    assert_empty(f, FIRST_OBJECT " ");
    unsigned removals = 0;
    assert_int_equal(catalog_list_removals(f->catalog, on_removal, &removals), LP_OK);
    assert_int_equal(removals, 0); // none of them has a file
    assert_int_equal(catalog_forget_object(f->catalog, FIRST_OBJECT), LP_OK);
    assert_empty(f, "");
    assert_int_equal(catalog_has_object(f->catalog, FIRST_OBJECT), LP_ENOENT);
}

static void
test_half_of_the_bytes_are_sparse(void **state)
{
    const fixture *f = *state;
    const catalog_session session = session_of('a', 1);
    catalog_chunk chunk = chunk_of(0, 0, OBJECT_BYTES / CATALOG_OBJECTS_SPARSE + 1);
    catalog_commit commit = {.session = &session, .chunk = &chunk};
    catalog_object object = object_of(FIRST_OBJECT, true);
    assert_int_equal(catalog_commit_object(f->catalog, &object, &commit, 1, NULL, 0), LP_OK);
    object = object_of(OTHER_OBJECT, true);
    const catalog_session other = session_of('b', 1);
    chunk = chunk_of(0, 0, OBJECT_BYTES / CATALOG_OBJECTS_SPARSE);
    (void)snprintf(chunk.place.object, sizeof(chunk.place.object), "%s", OTHER_OBJECT);
    commit = (catalog_commit){.session = &other, .chunk = &chunk};
    assert_int_equal(catalog_commit_object(f->catalog, &object, &commit, 1, NULL, 0), LP_OK);
    assert_sparse(f, OTHER_OBJECT " ");
}

static void
test_what_is_not_settled_is_left_alone(void **state)
{
    const fixture *f = *state;
    assert_false(commit_two(f, false));
    expire(f, 'a');
    expire(f, 'b');
    assert_empty(f, "");
    assert_int_equal(catalog_forget_object(f->catalog, FIRST_OBJECT), LP_OK);
    assert_int_equal(catalog_has_object(f->catalog, FIRST_OBJECT), LP_OK);
    assert_int_equal(catalog_settle_objects(f->catalog, "000000000001"), LP_OK);
    assert_empty(f, ""); // it is not older
    assert_int_equal(catalog_settle_objects(f->catalog, "000000000002"), LP_OK);
    assert_empty(f, FIRST_OBJECT " ");
}

static catalog_move
move_of(char digit, uint64_t offset)
{
    catalog_move move = {.stored_bytes = SECOND_BYTES,
        .from = FIRST_OBJECT,
        .to = {.object = OTHER_OBJECT, .offset = offset}};
    memset(move.session_id, digit, CATALOG_ID_CHARS);
    return move;
}

static void
test_a_chunk_is_moved_from_where_it_is(void **state)
{
    const fixture *f = *state;
    assert_false(commit_two(f, true));
    expire(f, 'a');
    const catalog_move moves[] = {move_of('a', 0), move_of('b', 40)}; // the first was deleted
    const catalog_object object = object_of(OTHER_OBJECT, true);
    assert_int_equal(catalog_commit_object(f->catalog, &object, NULL, 0, moves, 2), LP_OK);
    assert_int_equal(catalog_commit_object(f->catalog, &object, NULL, 0, moves, 2), LP_OK);
    assert_place(f, 'b', OTHER_OBJECT, 40);
    assert_empty(f, FIRST_OBJECT " ");
    assert_int_equal(live_bytes(f), SECOND_BYTES);
    catalog_move again = move_of('b', 90); // it has moved
    again.to.object[0] = '9';
    assert_int_equal(catalog_commit_object(f->catalog, &object, NULL, 0, &again, 1), LP_OK);
    assert_place(f, 'b', OTHER_OBJECT, 40);
    assert_int_equal(live_bytes(f), SECOND_BYTES);
}

// Another edition has an object of its own, and is none of the object that it was in. The chunk may
// have moved since its first edition was read.
static void
test_another_edition_leaves_its_object(void **state)
{
    const fixture *f = *state;
    char id[CATALOG_ID_CHARS + 1] = "";
    const catalog_move moved = move_of('b', 40);
    catalog_object object = object_of(OTHER_OBJECT, true);
    bool is_changed;
    memset(id, 'b', CATALOG_ID_CHARS);
    assert_false(commit_two(f, true));
    expire(f, 'a');
    assert_int_equal(catalog_commit_object(f->catalog, &object, NULL, 0, &moved, 1), LP_OK);
    catalog_chunk to = chunk_of(0, 2, SECOND_BYTES * 3);
    to.place.object[0] = '3';
    to.content_hash = 9;
    catalog_edition edition = {.before_hash = 1, .to = &to};
    assert_int_equal(catalog_put_edition(f->catalog, id, &edition, &is_changed), LP_OK);
    assert_false(is_changed); // it is another chunk
    assert_int_equal(live_bytes(f), SECOND_BYTES);
    assert_empty(f, FIRST_OBJECT " 300000000001-0000000000000001-000001 ");
    edition.before_hash = 0; // of chunk_of
    for (int i = 0; i < 2; i++) {
        assert_int_equal(catalog_put_edition(f->catalog, id, &edition, &is_changed), LP_OK);
        assert_int_equal(is_changed, i == 0);
        assert_int_equal(live_bytes(f), SECOND_BYTES * 3);
        assert_place(f, 'b', "300000000001-0000000000000001-000001", 2);
    }
    assert_empty(f, FIRST_OBJECT " " OTHER_OBJECT " ");
    assert_sparse(f, "");
    to.place.offset = 3;
    to.place.object[0] = '4';
    edition = (catalog_edition){.before_edition = 2, .to = &to};
    assert_int_equal(catalog_put_edition(f->catalog, id, &edition, &is_changed), LP_OK);
    assert_true(is_changed);
    assert_int_equal(live_bytes(f), SECOND_BYTES * 3);
    expire(f, 'b');
    assert_int_equal(live_bytes(f), 0);
    to.place.object[0] = '5';
    assert_int_equal(catalog_put_edition(f->catalog, id, &edition, &is_changed), LP_OK);
    assert_false(is_changed); // the chunk is gone: the object is to be removed
    assert_int_equal(catalog_has_object(f->catalog, "500000000001-0000000000000001-000001"), LP_OK);
}

static void
note_old(void *arg, const char *service, const catalog_old_chunk *chunk)
{
    assert_string_equal(service, "shop");
    ++*(unsigned *)arg;
    assert_true(chunk->is_in_object);
}

static void
test_old_chunks_say_whether_they_have_a_file(void **state)
{
    const fixture *f = *state;
    unsigned count = 0;
    assert_false(commit_two(f, true));
    assert_int_equal(catalog_list_oldest(f->catalog, "shop", 10, note_old, &count), LP_OK);
    assert_int_equal(count, 2);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_chunks_are_committed_with_their_place),
        TEST(test_a_refused_chunk_leaves_out_nothing_else),
        TEST(test_what_is_done_twice_counts_once),
        TEST(test_a_chunk_that_is_committed_elsewhere_leaves_its_object),
        TEST(test_an_object_is_sparse_and_then_empty_and_then_forgotten),
        TEST(test_half_of_the_bytes_are_sparse),
        TEST(test_what_is_not_settled_is_left_alone),
        TEST(test_a_chunk_is_moved_from_where_it_is),
        TEST(test_another_edition_leaves_its_object),
        TEST(test_old_chunks_say_whether_they_have_a_file),
    };
    return cmocka_run_group_tests_name("catalog_objects", tests, NULL, NULL);
}
