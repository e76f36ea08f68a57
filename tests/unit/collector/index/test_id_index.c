// SPDX-License-Identifier: Apache-2.0
// The index of ids, in an object store. Each id of each chunk is found before it is in a segment,
// while it is gathered, and afterwards, by its collector and by another one without a cache. An
// hour makes one segment, which is put once; ids of the present hour stay rows, and another
// collector gathers those of an ended collector. If segments are missing, cut or damaged, their
// chunks are found instead, until the chunks are added again. An unreachable store is counted.
// Segments are removed after their chunks. Without a cache a search reads a page of a segment, and
// no more if that excludes the id; with one it asks the store for entries only. A damaged cache is
// read from the store.
//
// The object store is the one in LOUPE_TEST_STORE (tests/e2e/search.py starts one); without it
// these tests are skipped. In files: the same; files of a killed process are removed, and many ids
// are not gathered at once.

#include "support/catalog_place.h"

#include "collector/index/id_gather.h"
#include "collector/index/id_index.h"
#include "collector/store/catalog/catalog_expiry.h"
#include "collector/store/s3/s3_url.h"
#include "common/base/lp_time.h"

#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { CHUNKS = 40, IDS = 200, TRIES_MAX = 2400, TRY_MS = 25 };

static const int64_t HOUR_NS = 3600 * (int64_t)1000000000;
static const int64_t NOW_NS = 500000 * (3600 * (int64_t)1000000000) + 77;

static atomic_uint_fast64_t counts[S3_COUNT_RECEIVED_BYTES + 1];

static void
on_count(s3_count what, uint64_t amount)
{
    atomic_fetch_add(&counts[what], amount);
}

typedef struct fixture {
    catalog_place place;
    catalog *catalog;
    catalog *reader;
    char url[400];
    id_index *first;
    id_index *second;
    uint64_t mono_ms; // of the clock that looks are due by
} fixture;

static s3_client_config
config_of(const char *url)
{
    lp_problem problem = {.text = ""};
    s3_client_config config = {.on_count = on_count};
    if (s3_url_parse(url, NULL, &config.url, &problem) != LP_OK) {
        fail_msg("%s", problem.text);
    }
    return config;
}

static id_index *
open_shared(const fixture *f, const char *name)
{
    char path[300];
    id_index *opened;
    bool is_new;
    s3_client_config store;
    lp_problem problem = {.text = ""};
    (void)snprintf(path, sizeof(path), "%s/%s", f->place.dir.path, name);
    bool is_there = access(path, F_OK) == 0;
    id_index_config config = {.dir = path, .catalog_place = f->place.path};
    if (f->url[0] != '\0') {
        store = config_of(f->url);
        config.store = &store;
    }
    if (id_index_open(&config, &opened, &is_new, &problem) != LP_OK) {
        fail_msg("%s", problem.text);
    }
    assert_int_equal(is_new, !is_there);
    return opened;
}

static void
open_catalog(fixture *f)
{
    f->place = catalog_place_make();
    assert_int_equal(catalog_open(f->place.path, &f->catalog, NULL), LP_OK);
    assert_int_equal(catalog_open_reader(f->place.path, &f->reader, NULL), LP_OK);
}

static int
setup(void **state)
{
    static unsigned number;
    const char *store = getenv("LOUPE_TEST_STORE");
    const char *query = store == NULL ? NULL : strchr(store, '?');
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    *state = f;
    if (query == NULL) {
        return 0;
    }
    (void)snprintf(f->url, sizeof(f->url), "%.*s/%u-%u%s", (int)(query - store), store,
        (unsigned)getpid(), ++number, query);
    open_catalog(f);
    f->first = open_shared(f, "first");
    f->second = open_shared(f, "second");
    return 0;
}

static int
setup_files(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    open_catalog(f);
    f->first = open_shared(f, "first");
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    fixture *f = *state;
    if (f->catalog != NULL) {
        id_index_close(f->first);
        id_index_close(f->second); // NULL in files
        catalog_close(f->reader);
        catalog_close(f->catalog);
        catalog_place_remove(&f->place);
    }
    free(f);
    return 0;
}

static bool
is_skipped(const fixture *f)
{
    if (f->catalog == NULL) {
        skip();
    }
    return f->catalog == NULL;
}

static uint64_t
hash_of(uint32_t ordinal, size_t id)
{
    return (ordinal * (uint64_t)IDS + id + 1) * 0x9e3779b97f4a7c15u;
}

static catalog_session
session_of(char digit)
{
    static char text[] = "x";
    catalog_session session = {
        .service = text, .instance = text, .jvm_name = text, .jvm_version = text};
    memset(session.id, digit, CATALOG_ID_CHARS);
    return session;
}

// make_chunk makes a chunk of a collector at a time, and fills its hashes. Chunks start a second
// apart.
static catalog_chunk
make_chunk(id_index *by, uint32_t ordinal, int64_t now_wall_ns, uint64_t hashes[IDS])
{
    for (size_t i = 0; i < IDS; i++) {
        hashes[i] = hash_of(ordinal, i);
    }
    return (catalog_chunk){.ordinal = ordinal,
        .start_wall_ns = NOW_NS + ordinal,
        .types_json = "{}",
        .ids = id_index_note(by, NOW_NS + ordinal,
            &(rollup_ids){.kept = {.items = hashes, .count = IDS}}, now_wall_ns)};
}

static void
add_chunk(fixture *f, id_index *by, uint32_t ordinal, int64_t now_wall_ns)
{
    const catalog_session session = session_of('a');
    uint64_t hashes[IDS];
    const catalog_chunk chunk = make_chunk(by, ordinal, now_wall_ns, hashes);
    assert_int_equal(catalog_add_chunk(f->catalog, &session, &chunk, (lp_slice){0}), LP_OK);
}

static void
add_chunks(fixture *f, id_index *by, int64_t now_wall_ns)
{
    for (uint32_t i = 0; i < CHUNKS; i++) {
        add_chunk(f, by, i, now_wall_ns);
    }
}

typedef struct found {
    size_t count;
    uint32_t last;
} found;

static void
on_chunk(void *arg, const char *session_id, uint32_t ordinal)
{
    found *f = arg;
    assert_int_equal(strlen(session_id), CATALOG_ID_CHARS);
    assert_int_equal(session_id[0], 'a');
    f->count++;
    f->last = ordinal;
}

static found
find(fixture *f, id_index *in, uint64_t hash, id_search_counts *out_counts)
{
    found result = {0};
    const id_search search = {.hash = hash,
        .from_wall_ns = INT64_MIN,
        .to_wall_ns = INT64_MAX,
        .on_chunk = on_chunk,
        .arg = &result};
    id_search_seen seen = {.of = NULL};
    assert_int_equal(id_index_find(in, f->reader, &search, &seen, out_counts), LP_OK);
    id_search_seen_fini(&seen);
    return result;
}

// check_all searches for two ids of each chunk, and for an unknown id.
static void
check_all(fixture *f, id_index *in, size_t segments)
{
    id_search_counts c;
    for (uint32_t i = 0; i < CHUNKS; i++) {
        for (size_t k = 0; k < IDS; k += IDS - 1) {
            found result = find(f, in, hash_of(i, k), &c);
            assert_int_equal(result.count, 1);
            assert_int_equal(result.last, i);
            assert_int_equal(c.segments, segments);
            assert_int_equal(c.unread + c.damaged + c.uncovered, 0);
        }
    }
    assert_int_equal(find(f, in, 1, &c).count, 0);
}

static void
on_segment(void *arg, const catalog_segment *segment)
{
    *(catalog_segment *)arg = *segment;
}

static void
on_name(void *arg, const char *name)
{
    (void)name;
    ++*(size_t *)arg;
}

static void
on_listed(void *arg, const catalog_segment *segment)
{
    (void)segment;
    ++*(size_t *)arg;
}

static size_t
count_segments(fixture *f)
{
    size_t count = 0;
    assert_int_equal(
        catalog_segments_list(f->reader, INT64_MIN, INT64_MAX, on_listed, &count), LP_OK);
    assert_int_equal(catalog_segments_list_leaving(f->reader, on_name, &count), LP_OK);
    return count;
}

// look runs a collector's looks at a time until a number of segments exists: each look is a tick
// that starts it, and one that commits.
static void
look(fixture *f, id_index *by, int64_t now_wall_ns, size_t segments)
{
    for (unsigned i = 0; i < TRIES_MAX; i++) {
        f->mono_ms += ID_INDEX_LOOK_MS;
        id_index_tick(by, f->catalog, now_wall_ns, f->mono_ms);
        if (count_segments(f) == segments) {
            return;
        }
        (void)poll(NULL, 0, TRY_MS);
    }
    fail_msg("%zu segments, not %zu", count_segments(f), segments);
}

// look_idle runs two looks of a collector to the end.
static void
look_idle(fixture *f, id_index *by, int64_t now_wall_ns)
{
    uint64_t before = atomic_load(&counts[S3_COUNT_PUT]);
    for (unsigned i = 0; i < 8; i++) {
        f->mono_ms += ID_INDEX_LOOK_MS;
        id_index_tick(by, f->catalog, now_wall_ns, f->mono_ms);
        (void)poll(NULL, 0, TRY_MS);
    }
    assert_int_equal(atomic_load(&counts[S3_COUNT_PUT]), before);
}

static void
test_ids_are_found_wherever_they_are(void **state)
{
    fixture *f = *state;
    if (is_skipped(f)) {
        return;
    }
    add_chunks(f, f->first, NOW_NS);
    check_all(f, f->first, 0);
    check_all(f, f->second, 0);
    look_idle(f, f->first, NOW_NS);            // the hour goes on
    look_idle(f, f->second, NOW_NS + HOUR_NS); // the first one sees to it
    uint64_t puts = atomic_load(&counts[S3_COUNT_PUT]);
    look(f, f->first, NOW_NS + HOUR_NS, 1);
    assert_int_equal(atomic_load(&counts[S3_COUNT_PUT]), puts + 1);
    check_all(f, f->first, 1);
    check_all(f, f->second, 1);
    add_chunk(f, f->first, CHUNKS, NOW_NS + HOUR_NS);
    id_search_counts c;
    assert_int_equal(find(f, f->second, hash_of(CHUNKS, 3), &c).last, CHUNKS);
}

static void
test_another_one_gathers_what_nobody_does(void **state)
{
    fixture *f = *state;
    if (is_skipped(f)) {
        return;
    }
    add_chunks(f, f->first, NOW_NS);
    look_idle(f, f->second, NOW_NS + ID_INDEX_ADOPT_HOURS * HOUR_NS);
    look(f, f->second, NOW_NS + (ID_INDEX_ADOPT_HOURS + 1) * HOUR_NS, 1);
    check_all(f, f->second, 1);
    check_all(f, f->first, 1);
}

static void
on_group(void *arg, const catalog_ids_group *group)
{
    id_gather_group *out = arg;
    *out = (id_gather_group){.hour = group->hour, .id_count = group->id_count};
    memcpy(out->collector, group->collector, sizeof(out->collector));
}

static id_segments
open_objects(const fixture *f)
{
    id_segments objects;
    char path[300];
    const s3_client_config config = config_of(f->url);
    (void)snprintf(path, sizeof(path), "%s/third", f->place.dir.path);
    assert_int_equal(id_segments_open(&objects, path, &config, NULL), LP_OK);
    return objects;
}

static void
test_a_segment_that_was_put_before_is_not_put_twice(void **state)
{
    fixture *f = *state;
    if (is_skipped(f)) {
        return;
    }
    id_segments objects = open_objects(f);
    id_gather_group group;
    id_gathered gathered;
    id_gathered again;
    add_chunks(f, f->first, NOW_NS);
    assert_int_equal(catalog_ids_list_groups(f->reader, on_group, &group), LP_OK);
    // As a process that is killed before it commits, and the next one.
    assert_int_equal(id_gather_put(&objects, f->reader, &group, &gathered), LP_OK);
    check_all(f, f->first, 0);
    assert_int_equal(id_gather_put(&objects, f->reader, &group, &again), LP_OK);
    assert_string_equal(again.segment.name, gathered.segment.name);
    assert_int_equal(again.last_number, gathered.last_number);
    assert_int_equal(id_gather_commit(f->catalog, &again), LP_OK);
    assert_int_equal(id_gather_commit(f->catalog, &gathered), LP_OK);
    assert_int_equal(count_segments(f), 1);
    check_all(f, f->first, 1);
    assert_int_equal(id_segments_check(&objects, &gathered.segment), LP_OK);
    assert_int_equal(id_gather_put(&objects, f->reader, &group, &again), LP_ENOENT);
    id_segments_close(&objects);
}

// put_object puts bytes in the place of a segment; NULL: it is deleted.
static void
put_object(const fixture *f, const catalog_segment *segment, const lp_slice *bytes)
{
    char key[200];
    s3_client *client;
    const s3_client_config config = config_of(f->url);
    (void)snprintf(key, sizeof(key), "index/%s", segment->name);
    assert_int_equal(s3_client_create(&config, &client, NULL), LP_OK);
    assert_int_equal(
        bytes == NULL ? s3_client_delete(client, key) : s3_client_put(client, key, *bytes), LP_OK);
    s3_client_destroy(client);
}

static catalog_segment
get_segment(const fixture *f)
{
    catalog_segment segment = {.hour = 0};
    assert_int_equal(
        catalog_segments_list(f->reader, INT64_MIN, INT64_MAX, on_segment, &segment), LP_OK);
    return segment;
}

// replace_object puts other bytes in the place of the only segment.
static void
replace_object(const fixture *f, const lp_slice *bytes)
{
    const catalog_segment segment = get_segment(f);
    put_object(f, &segment, bytes);
}

static void
test_chunks_of_a_segment_that_cannot_be_read_are_found(void **state)
{
    fixture *f = *state;
    if (is_skipped(f)) {
        return;
    }
    static uint8_t zeros[100000];
    const lp_slice contents[] = {{zeros, sizeof(zeros)}, {zeros, 10}, {zeros, 0}};
    add_chunks(f, f->first, NOW_NS);
    look(f, f->first, NOW_NS + HOUR_NS, 1);
    for (size_t i = 0; i <= 3; i++) {
        id_search_counts c;
        replace_object(f, i < 3 ? &contents[i] : NULL);
        assert_int_equal(find(f, f->second, hash_of(3, 3), &c).count, CHUNKS);
        assert_int_equal(c.damaged, 1);
        assert_int_equal(c.uncovered, CHUNKS);
        assert_false(c.has_more);
        // The first one has the head, and notices it at the block.
        assert_int_equal(find(f, f->first, hash_of(3, 3), &c).count, CHUNKS);
        assert_int_equal(c.damaged, 1);
    }
}

static void
count_group(void *arg, const catalog_ids_group *group)
{
    (void)group;
    ++*(size_t *)arg;
}

// The requests to the store since a moment.
typedef struct asked {
    uint64_t gets;
    uint64_t bytes;
} asked;

static asked
count_asked(const asked *since)
{
    return (asked){
        atomic_load(&counts[S3_COUNT_GET]) - (since == NULL ? 0 : since->gets),
        atomic_load(&counts[S3_COUNT_RECEIVED_BYTES]) - (since == NULL ? 0 : since->bytes),
    };
}

// path_of_head writes the path of the only segment's head in a cache, and returns its length.
static uint64_t
path_of_head(const fixture *f, const char *dir, char out_path[400])
{
    catalog_segment segment = get_segment(f);
    *strchr(segment.name, '/') = '-';
    (void)snprintf(out_path, 400, "%s/%s/%s.head", f->place.dir.path, dir, segment.name);
    return segment.head_bytes;
}

// wait_for_head runs a collector's looks until it has the head of the only segment.
static void
wait_for_head(fixture *f, id_index *by, const char *dir)
{
    char path[400];
    (void)path_of_head(f, dir, path);
    for (unsigned i = 0; access(path, F_OK) != 0; i++) {
        assert_in_range(i, 0, TRIES_MAX);
        f->mono_ms += ID_INDEX_LOOK_MS;
        id_index_tick(by, f->catalog, NOW_NS + HOUR_NS, f->mono_ms);
        (void)poll(NULL, 0, TRY_MS);
    }
}

static void
test_a_search_reads_no_more_than_it_needs(void **state)
{
    fixture *f = *state;
    if (is_skipped(f)) {
        return;
    }
    id_search_counts c;
    add_chunks(f, f->first, NOW_NS);
    look(f, f->first, NOW_NS + HOUR_NS, 1);
    asked before = count_asked(NULL);
    assert_int_equal(find(f, f->second, 1, &c).count, 0);
    asked after = count_asked(&before);
    assert_int_equal(after.gets, 1);
    assert_int_equal(after.bytes, ID_OBJECT_PAGE_BYTES);
    before = count_asked(NULL);
    assert_int_equal(find(f, f->second, hash_of(3, 3), &c).count, 1);
    after = count_asked(&before);
    assert_int_equal(after.gets, 3); // the root, and the entries of a page
    assert_in_range(after.bytes, 2 * ID_OBJECT_PAGE_BYTES + 16,
        2 * ID_OBJECT_PAGE_BYTES + (CHUNKS * IDS - 1) * sizeof(id_object_entry));
    wait_for_head(f, f->second, "second");
    before = count_asked(NULL);
    assert_int_equal(find(f, f->second, 1, &c).count, 0);
    assert_int_equal(count_asked(&before).gets, 0);
    assert_int_equal(find(f, f->second, hash_of(3, 3), &c).count, 1);
    assert_int_equal(count_asked(&before).gets, 1);
}

static void
test_heads_come_when_nobody_searches(void **state)
{
    fixture *f = *state;
    if (is_skipped(f)) {
        return;
    }
    char path[400];
    id_search_counts c;
    id_search_seen seen = {.of = NULL};
    found result = {0};
    const id_search search = {.hash = hash_of(3, 3),
        .from_wall_ns = INT64_MIN,
        .to_wall_ns = INT64_MAX,
        .on_chunk = on_chunk,
        .arg = &result};
    add_chunks(f, f->first, NOW_NS);
    look(f, f->first, NOW_NS + HOUR_NS, 1);
    (void)path_of_head(f, "second", path);
    assert_int_equal(id_index_find(f->second, f->reader, &search, &seen, &c), LP_OK);
    look_idle(f, f->second, NOW_NS + HOUR_NS);
    assert_int_equal(access(path, F_OK), -1);
    id_search_seen_fini(&seen);
    wait_for_head(f, f->second, "second");
}

// damage_pages changes each byte of the pages of the only head in a cache.
static void
damage_pages(const fixture *f, const char *dir)
{
    char path[400];
    uint64_t head_bytes = path_of_head(f, dir, path);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    for (off_t at = ID_OBJECT_PAGE_BYTES; at < (off_t)head_bytes; at++) {
        uint8_t byte;
        assert_int_equal(pread(fd, &byte, 1, at), 1);
        byte ^= 0xff;
        assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    }
    assert_int_equal(close(fd), 0);
}

static void
test_what_is_damaged_in_the_cache_is_read_from_the_store(void **state)
{
    fixture *f = *state;
    if (is_skipped(f)) {
        return;
    }
    add_chunks(f, f->first, NOW_NS);
    look(f, f->first, NOW_NS + HOUR_NS, 1);
    wait_for_head(f, f->first, "first");
    check_all(f, f->first, 1);
    damage_pages(f, "first");
    check_all(f, f->first, 1);
    wait_for_head(f, f->first, "first"); // it was dropped
    check_all(f, f->first, 1);
}

static void
test_a_search_again_asks_only_segments_that_are_new(void **state)
{
    fixture *f = *state;
    if (is_skipped(f)) {
        return;
    }
    id_search_counts c;
    id_search_seen seen = {.of = NULL};
    found result = {0};
    const id_search search = {.hash = hash_of(3, 3),
        .from_wall_ns = INT64_MIN,
        .to_wall_ns = INT64_MAX,
        .on_chunk = on_chunk,
        .arg = &result};
    add_chunks(f, f->first, NOW_NS);
    look(f, f->first, NOW_NS + HOUR_NS, 1);
    asked before = count_asked(NULL);
    for (size_t i = 1; i <= 3; i++) { // the page, the root and the entries, once
        assert_int_equal(id_index_find(f->second, f->reader, &search, &seen, &c), LP_OK);
        assert_int_equal(result.count, i);
        assert_int_equal(c.segments, 1);
        assert_int_equal(count_asked(&before).gets, 3);
    }
    add_chunk(f, f->first, CHUNKS, NOW_NS + HOUR_NS);
    look(f, f->first, NOW_NS + 2 * HOUR_NS, 2);
    before = count_asked(NULL);
    assert_int_equal(id_index_find(f->second, f->reader, &search, &seen, &c), LP_OK);
    assert_int_equal(c.segments, 2);
    assert_int_equal(result.count, 4);
    assert_int_equal(count_asked(&before).gets, 1);
    id_search_seen_fini(&seen);
}

// look_gathered runs a collector's looks until the catalog has no ids.
static void
look_gathered(fixture *f, id_index *by, int64_t now_wall_ns)
{
    size_t groups = 1;
    for (unsigned i = 0; i < TRIES_MAX && groups > 0; i++) {
        f->mono_ms += ID_INDEX_LOOK_MS;
        id_index_tick(by, f->catalog, now_wall_ns, f->mono_ms);
        groups = 0;
        assert_int_equal(catalog_ids_list_groups(f->reader, count_group, &groups), LP_OK);
        (void)poll(NULL, 0, TRY_MS);
    }
    assert_int_equal(groups, 0);
}

static void
test_a_segment_that_leaves_is_made_again(void **state)
{
    fixture *f = *state;
    if (is_skipped(f)) {
        return;
    }
    id_segments objects = open_objects(f);
    id_gather_group group;
    id_gathered gathered;
    uint64_t hashes[IDS];
    static uint8_t zeros[1000];
    const lp_slice damaged = {zeros, sizeof(zeros)};
    const catalog_session session = session_of('a');
    add_chunks(f, f->first, NOW_NS);
    assert_int_equal(catalog_ids_list_groups(f->reader, on_group, &group), LP_OK);
    assert_int_equal(id_gather_put(&objects, f->reader, &group, &gathered), LP_OK);
    assert_int_equal(id_gather_commit(f->catalog, &gathered), LP_OK);
    id_segments_close(&objects);
    replace_object(f, &damaged);
    // As reindex_objects_run does: the same chunks make a segment of the same name.
    assert_int_equal(catalog_ids_uncover(f->catalog, &gathered.segment), LP_OK);
    for (uint32_t i = 0; i < CHUNKS; i++) {
        const catalog_chunk chunk = make_chunk(f->first, i, NOW_NS, hashes);
        assert_int_equal(catalog_ids_add(f->catalog, session.id, &chunk), LP_OK);
    }
    look_gathered(f, f->first, NOW_NS + HOUR_NS);
    assert_int_equal(count_segments(f), 1);
    check_all(f, f->first, 1);
    check_all(f, f->second, 1);
}

static void
test_a_store_that_is_away_is_counted(void **state)
{
    fixture *f = *state;
    if (is_skipped(f)) {
        return;
    }
    id_search_counts c;
    add_chunks(f, f->first, NOW_NS);
    look(f, f->first, NOW_NS + HOUR_NS, 1);
    add_chunk(f, f->first, CHUNKS, NOW_NS + HOUR_NS);
    (void)snprintf(f->url, sizeof(f->url), "s3://nobody/serves?endpoint=http://127.0.0.1:1");
    id_index *away = open_shared(f, "away");
    id_index_interrupt(away); // or it would try again
    assert_int_equal(find(f, away, hash_of(3, 3), &c).count, 0);
    assert_int_equal(c.unread, 1);
    assert_int_equal(find(f, away, hash_of(CHUNKS, 3), &c).count, 1); // that is in the catalog
    id_index_close(away);
}

static void
test_segments_go_with_their_last_chunk(void **state)
{
    fixture *f = *state;
    if (is_skipped(f)) {
        return;
    }
    add_chunks(f, f->first, NOW_NS);
    look(f, f->first, NOW_NS + HOUR_NS, 1);
    catalog_old_chunk old[CHUNKS] = {{.ordinal = 0}};
    for (uint32_t i = 0; i < CHUNKS; i++) {
        memset(old[i].session_id, 'a', CATALOG_ID_CHARS);
        old[i].ordinal = i;
    }
    assert_int_equal(catalog_expire(f->catalog, old, CHUNKS - 1), LP_OK);
    look_idle(f, f->first, NOW_NS + HOUR_NS);
    assert_int_equal(count_segments(f), 1);
    assert_int_equal(catalog_expire(f->catalog, old + CHUNKS - 1, 1), LP_OK);
    uint64_t deletes = atomic_load(&counts[S3_COUNT_DELETE]);
    look(f, f->first, NOW_NS + HOUR_NS, 0);
    assert_int_equal(atomic_load(&counts[S3_COUNT_DELETE]), deletes + 1);
}

// --- In files

// path_of_segment writes the path of the only segment.
static void
path_of_segment(const fixture *f, char out_path[400])
{
    const catalog_segment segment = get_segment(f);
    char flat[ID_FILES_NAME_BYTES];
    id_files_flatten(segment.name, flat);
    (void)snprintf(out_path, 400, "%s/first/%s", f->place.dir.path, flat);
}

static void
reopen(fixture *f)
{
    id_index_close(f->first);
    f->first = open_shared(f, "first");
}

static void
test_segments_are_files(void **state)
{
    fixture *f = *state;
    char path[400];
    id_search_counts c;
    add_chunks(f, f->first, NOW_NS);
    check_all(f, f->first, 0);
    look_idle(f, f->first, NOW_NS); // the hour goes on
    reopen(f);
    check_all(f, f->first, 0);
    look(f, f->first, NOW_NS + HOUR_NS, 1);
    path_of_segment(f, path);
    assert_int_equal(access(path, F_OK), 0);
    check_all(f, f->first, 1);
    reopen(f);
    check_all(f, f->first, 1);
    add_chunk(f, f->first, CHUNKS, NOW_NS + HOUR_NS);
    assert_int_equal(find(f, f->first, hash_of(CHUNKS, 3), &c).last, CHUNKS);
    assert_int_equal(find(f, f->first, hash_of(3, 3), &c).last, 3);
}

// damage_file changes a byte, or cuts the file there, or removes it.
static void
damage_file(const char *path, off_t at, bool is_cut)
{
    uint8_t byte;
    int fd = open(path, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    if (is_cut) {
        assert_int_equal(ftruncate(fd, at), 0);
    } else {
        assert_int_equal(pread(fd, &byte, 1, at), 1);
        byte ^= 1;
        assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    }
    assert_int_equal(close(fd), 0);
}

// Each piece: a search notices any damage in magic, root, page and entries.
static void
test_chunks_of_a_damaged_file_are_found(void **state)
{
    fixture *f = *state;
    char path[400];
    id_search_counts c;
    add_chunks(f, f->first, NOW_NS);
    look(f, f->first, NOW_NS + HOUR_NS, 1);
    path_of_segment(f, path);
    const catalog_segment segment = get_segment(f);
    const off_t places[] = {0, 50, ID_OBJECT_PAGE_BYTES + 200, (off_t)segment.size_bytes - 1};
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        damage_file(path, places[i], false);
        reopen(f);
        const uint64_t hash = i < 2 ? hash_of(3, 3) : UINT64_MAX; // of the last page
        found result = find(f, f->first, i == 3 ? hash_of(3, 3) : hash, &c);
        if (c.damaged > 0) {
            assert_int_equal(result.count, CHUNKS);
            assert_int_equal(c.uncovered, CHUNKS);
        } else { // of another page
            assert_in_range(i, 2, 3);
        }
        damage_file(path, places[i], false);
    }
    reopen(f);
    check_all(f, f->first, 1);
    damage_file(path, (off_t)segment.size_bytes - 1, true);
    reopen(f);
    assert_int_equal(find(f, f->first, 1, &c).count, CHUNKS);
    assert_int_equal(unlink(path), 0);
    reopen(f);
    assert_int_equal(find(f, f->first, 1, &c).count, CHUNKS);
    assert_int_equal(c.damaged, 1);
}

static void
test_files_that_the_catalog_does_not_know_go(void **state)
{
    fixture *f = *state;
    char path[300];
    char file[400];
    id_segments objects;
    id_gather_group group;
    id_gathered gathered;
    add_chunks(f, f->first, NOW_NS);
    id_index_close(f->first);
    // As a process that is killed before it commits.
    (void)snprintf(path, sizeof(path), "%s/first", f->place.dir.path);
    assert_int_equal(id_segments_open(&objects, path, NULL, NULL), LP_OK);
    assert_int_equal(catalog_ids_list_groups(f->reader, on_group, &group), LP_OK);
    assert_int_equal(id_gather_put(&objects, f->reader, &group, &gathered), LP_OK);
    id_segments_close(&objects);
    id_files_flatten(gathered.segment.name, path);
    (void)snprintf(file, sizeof(file), "%s/first/%s", f->place.dir.path, path);
    assert_int_equal(access(file, F_OK), 0);
    f->first = open_shared(f, "first");
    check_all(f, f->first, 0);
    add_chunk(f, f->first, CHUNKS, NOW_NS); // so that the segment is another one
    look(f, f->first, NOW_NS + HOUR_NS, 1);
    check_all(f, f->first, 1);
    assert_int_equal(access(file, F_OK), -1);
}

static void
test_files_go_with_their_last_chunk(void **state)
{
    fixture *f = *state;
    char path[400];
    add_chunks(f, f->first, NOW_NS);
    look(f, f->first, NOW_NS + HOUR_NS, 1);
    path_of_segment(f, path);
    catalog_old_chunk old[CHUNKS] = {{.ordinal = 0}};
    for (uint32_t i = 0; i < CHUNKS; i++) {
        memset(old[i].session_id, 'a', CATALOG_ID_CHARS);
        old[i].ordinal = i;
    }
    assert_int_equal(catalog_expire(f->catalog, old, CHUNKS), LP_OK);
    look(f, f->first, NOW_NS + HOUR_NS, 0);
    assert_int_equal(access(path, F_OK), -1);
}

static void
test_many_ids_become_a_file_before_their_hour_is_over(void **state)
{
    fixture *f = *state;
    enum { MANY = ID_GATHER_FILE_ENTRIES_MAX / 2 + 1 };
    const catalog_session session = session_of('a');
    uint64_t *hashes = calloc(MANY, sizeof(*hashes));
    id_search_counts c;
    assert_non_null(hashes);
    for (uint64_t i = 0; i < MANY; i++) {
        hashes[i] = (i + 1) * 0x9e3779b97f4a7c15u;
    }
    for (uint32_t i = 0; i < 3; i++) { // two of them do not fit into one
        const rollup_ids ids = {.kept = {.items = hashes, .count = MANY}};
        const catalog_chunk chunk = {.ordinal = i,
            .start_wall_ns = NOW_NS,
            .types_json = "{}",
            .ids = id_index_note(f->first, NOW_NS, &ids, NOW_NS)};
        assert_int_equal(catalog_add_chunk(f->catalog, &session, &chunk, (lp_slice){0}), LP_OK);
    }
    look(f, f->first, NOW_NS, 3);
    assert_int_equal(find(f, f->first, hashes[MANY - 1], &c).count, 3);
    assert_int_equal(c.segments, 3);
    free(hashes);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_ids_are_found_wherever_they_are, setup, teardown),
        cmocka_unit_test_setup_teardown(test_another_one_gathers_what_nobody_does, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_segment_that_was_put_before_is_not_put_twice, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_chunks_of_a_segment_that_cannot_be_read_are_found, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_segment_that_leaves_is_made_again, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_store_that_is_away_is_counted, setup, teardown),
        cmocka_unit_test_setup_teardown(test_segments_go_with_their_last_chunk, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_search_reads_no_more_than_it_needs, setup, teardown),
        cmocka_unit_test_setup_teardown(test_heads_come_when_nobody_searches, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_what_is_damaged_in_the_cache_is_read_from_the_store, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_search_again_asks_only_segments_that_are_new, setup, teardown),
        cmocka_unit_test_setup_teardown(test_segments_are_files, setup_files, teardown),
        cmocka_unit_test_setup_teardown(
            test_chunks_of_a_damaged_file_are_found, setup_files, teardown),
        cmocka_unit_test_setup_teardown(
            test_files_that_the_catalog_does_not_know_go, setup_files, teardown),
        cmocka_unit_test_setup_teardown(test_files_go_with_their_last_chunk, setup_files, teardown),
        cmocka_unit_test_setup_teardown(
            test_many_ids_become_a_file_before_their_hour_is_over, setup_files, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
