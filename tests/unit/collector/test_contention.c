// SPDX-License-Identifier: Apache-2.0
// Locks of modules that threads of the collector share: several threads use each module at the same
// time, and ThreadSanitizer reports a missing lock. The modules' own tests have one thread and
// check the results. Calls to an object store and to PostgreSQL fail at once, as nobody listens;
// the locks around them are the same.

#include "support/certificates.h"
#include "support/contend.h"
#include "support/files.h"
#include "unit/collector/session/session_store.h"

#include "collector/access/access_logins.h"
#include "collector/base/presence.h"
#include "collector/base/service_metrics.h"
#include "collector/base/tls_files.h"
#include "collector/chunks/pack_files.h"
#include "collector/index/id_filter.h"
#include "collector/index/id_index.h"
#include "collector/index/id_object.h"
#include "collector/index/id_segments.h"
#include "collector/session/lost_chunks.h"
#include "collector/session/sessions.h"
#include "collector/store/chunks/blobs.h"
#include "collector/store/chunks/chunk_objects.h"
#include "collector/store/s3/s3_credentials.h"
#include "common/base/lp_io.h"
#include "common/base/lp_large.h"
#include "policy/policy_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_BYTES = 300 };

// Nobody listens there.
#define NO_STORE    "s3://bucket?endpoint=http://127.0.0.1:1"
#define NO_POSTGRES "postgresql://127.0.0.1:1/none"

#define SESSION "0123456789abcdef0123456789abcdef"

// What one test shares.
typedef struct fixture {
    temp_dir dir;
    char path[PATH_BYTES];
    void *shared;
    access_rules *rules;
    const access_rule *rule;
    int dir_fd;
    certificates made;
    lp_buf head; // of a segment
    sessions *sessions;
} fixture;

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->dir = temp_dir_make();
    (void)snprintf(f->path, sizeof(f->path), "%s/one", f->dir.path);
    f->dir_fd = open(f->dir.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(f->dir_fd >= 0);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    (void)close(f->dir_fd);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

// must ends the program on a thread where cmocka's assertions cannot fail.
static void
must(bool is_so, const char *what)
{
    if (!is_so) {
        (void)fprintf(stderr, "%s\n", what);
        abort();
    }
}

static void
on_count(s3_count what, uint64_t amount)
{
    (void)what;
    (void)amount;
}

static s3_client_config
no_store(void)
{
    s3_client_config config = {.on_count = on_count};
    assert_int_equal(setenv("AWS_ACCESS_KEY_ID", "key", 1), 0);
    assert_int_equal(setenv("AWS_SECRET_ACCESS_KEY", "secret", 1), 0);
    assert_int_equal(s3_url_parse(NO_STORE, NULL, &config.url, NULL), LP_OK);
    return config;
}

// --- base, access, policy

static void
set_presence(void *arg, unsigned round)
{
    presence_set(((fixture *)arg)->shared, SESSION, round % 2 == 0);
}

static void
has_presence(void *arg, unsigned round)
{
    (void)round;
    (void)presence_has(((fixture *)arg)->shared, SESSION);
}

static void
test_presence(void **state)
{
    fixture *f = *state;
    f->shared = presence_create();
    contend(f, set_presence, set_presence, has_presence);
    presence_destroy(f->shared);
}

static void
add_service(void *arg, unsigned round)
{
    const compact_stats stats = {.misfits.count = 0};
    service_metrics_add(
        ((fixture *)arg)->shared, round % 2 == 0 ? "shop" : "bank", SESSION, &stats, NULL);
}

static void
write_services(void *arg, unsigned round)
{
    lp_buf text = {0};
    (void)round;
    service_metrics_write(((fixture *)arg)->shared, METRICS_OPENMETRICS, &text);
    lp_buf_fini(&text);
}

static void
test_service_metrics(void **state)
{
    fixture *f = *state;
    f->shared = service_metrics_create();
    contend(f, add_service, add_service, write_services);
    service_metrics_destroy(f->shared);
}

static void
begin_login(void *arg, unsigned round)
{
    const fixture *f = arg;
    char id[ACCESS_LOGIN_ID_CHARS + 1];
    must(access_logins_begin(f->shared, f->rule, round, id) == LP_OK, "cannot log in");
}

#define NO_LOGIN SESSION SESSION // no session has this id

static void
find_login(void *arg, unsigned round)
{
    const fixture *f = arg;
    (void)access_logins_find(f->shared, f->rules, NO_LOGIN, round);
}

static void
end_login(void *arg, unsigned round)
{
    (void)round;
    access_logins_end(((fixture *)arg)->shared, NO_LOGIN);
}

static void
test_access_logins(void **state)
{
    fixture *f = *state;
    static const char text[] =
        "team read * sha256:9f9f5111f7b27a781f1f1ddde5ebc2dd2b796bfc7365c9c28b548e564176929f\n";
    const lp_slice token = {(const uint8_t *)"0123456789abcdef", 16};
    const lp_slice rules = {(const uint8_t *)text, strlen(text)};
    assert_int_equal(strlen(NO_LOGIN), ACCESS_LOGIN_ID_CHARS);
    assert_int_equal(access_rules_parse("tokens", rules, false, &f->rules, NULL), LP_OK);
    f->rule = access_rules_find_token(f->rules, token);
    assert_non_null(f->rule);
    f->shared = access_logins_create();
    contend(f, begin_login, begin_login, find_login, end_login);
    access_logins_destroy(f->shared);
    access_rules_unref(f->rules);
}

static void
take_tls_set(void *arg, unsigned round)
{
    (void)round;
    tls_set_unref(tls_files_take(((fixture *)arg)->shared));
}

static void
look_at_tls_files(void *arg, unsigned round)
{
    fixture *f = arg;
    certificates_copy(&f->made, round % 2 == 0 ? "renewed.pem" : "server.pem", "used.pem");
    certificates_copy(&f->made, round % 2 == 0 ? "renewed.key" : "server.key", "used.key");
    tls_files_look(f->shared);
}

static void
test_tls_files(void **state)
{
    fixture *f = *state;
    tls_files *files;
    f->made = certificates_make();
    certificates_copy(&f->made, "server.pem", "used.pem");
    certificates_copy(&f->made, "server.key", "used.key");
    certificates_path cert = certificates_find(&f->made, "used.pem");
    certificates_path key = certificates_find(&f->made, "used.key");
    const tls_files_config config = {.cert = cert.text, .key = key.text};
    assert_int_equal(tls_files_open(&config, &files, NULL), LP_OK);
    f->shared = files;
    contend(f, take_tls_set, look_at_tls_files);
    tls_files_close(files);
    temp_dir_remove(&f->made.dir);
}

static void
find_policy(void *arg, unsigned round)
{
    (void)round;
    policy_file_unref(policy_dir_find(((fixture *)arg)->shared, "shop"));
}

static void
find_keep(void *arg, unsigned round)
{
    (void)round;
    (void)policy_dir_find_keep(((fixture *)arg)->shared, "shop");
}

static void
has_keep(void *arg, unsigned round)
{
    (void)round;
    (void)policy_dir_has_keep(((fixture *)arg)->shared, "shop");
}

static void
list_policies(void *arg, unsigned round)
{
    policy_dir_entries entries = {0};
    (void)round;
    must(policy_dir_list(((fixture *)arg)->shared, &entries) == LP_OK, "cannot list policies");
    policy_dir_entries_fini(&entries);
}

// look_at_policies has a policy and limits come, change, be refused, and go.
static void
look_at_policies(void *arg, unsigned round)
{
    static const char *const contents[] = {
        "<configuration version='2.0'/>", "<configuration version='2.0'></configuration>", "no"};
    static const char *const limits[] = {"age 1d\n", "age 2d\n", "no"};
    fixture *f = arg;
    char settings[PATH_BYTES + 20];
    char keep[PATH_BYTES + 20];
    (void)snprintf(settings, sizeof(settings), "%s/shop.jfc", f->dir.path);
    (void)snprintf(keep, sizeof(keep), "%s/shop.keep", f->dir.path);
    if (round % 4 == 3) {
        files_must(unlink(settings) == 0 && unlink(keep) == 0, settings);
    } else {
        files_write(settings, contents[round % 4], strlen(contents[round % 4]));
        files_write(keep, limits[round % 4], strlen(limits[round % 4]));
    }
    (void)policy_dir_look(f->shared);
}

static void
test_policy_dir(void **state)
{
    fixture *f = *state;
    policy_dir *policies;
    assert_int_equal(policy_dir_open(f->dir.path, &policies, NULL), LP_OK);
    f->shared = policies;
    contend(f, look_at_policies, find_policy, find_keep, has_keep, list_policies);
    policy_dir_close(policies);
}

static void
use_large_block(void *arg, unsigned round)
{
    const fixture *f = arg;
    (void)round;
    lp_large_begin(f->dir_fd, LP_LARGE_BYTES);
    void *block = lp_large_alloc(LP_LARGE_BYTES);
    must(block != NULL, "no memory");
    block = lp_large_grow(block, LP_LARGE_BYTES, (size_t)2 * LP_LARGE_BYTES);
    must(block != NULL, "no memory");
    lp_large_free(block);
    lp_large_end();
}

static void
test_lp_large(void **state)
{
    contend(*state, use_large_block, use_large_block);
}

// --- The index

static void
add_to_filter(void *arg, unsigned round)
{
    id_filter_add(((fixture *)arg)->shared, round, round);
}

static void
has_in_filter(void *arg, unsigned round)
{
    (void)id_filter_has(((fixture *)arg)->shared, round);
}

static void
get_filter_time(void *arg, unsigned round)
{
    (void)round;
    (void)id_filter_since_ns(((fixture *)arg)->shared);
}

static void
test_id_filter(void **state)
{
    fixture *f = *state;
    f->shared = id_filter_create();
    assert_non_null(f->shared);
    contend(f, add_to_filter, add_to_filter, has_in_filter, get_filter_time);
    id_filter_destroy(f->shared);
}

static const char *
name_of(unsigned round)
{
    return round % 2 == 0 ? "1/a.ids" : "2/b.ids";
}

static lp_err
write_head(void *arg, int fd)
{
    return lp_io_write_all(fd, lp_buf_slice(arg));
}

static void
fill_cache(void *arg, unsigned round)
{
    fixture *f = arg;
    must(id_files_fill(f->shared, name_of(round), write_head, &f->head, NULL) == LP_OK,
        "cannot fill the cache");
}

static void
find_in_cache(void *arg, unsigned round)
{
    id_file *head;
    if (id_files_find(((fixture *)arg)->shared, name_of(round), &head) == LP_OK) {
        id_files_give_back(((fixture *)arg)->shared, head);
    }
}

static void
drop_from_cache(void *arg, unsigned round)
{
    id_files_drop(((fixture *)arg)->shared, name_of(round));
}

static void
has_in_cache(void *arg, unsigned round)
{
    (void)id_files_has(((fixture *)arg)->shared, name_of(round));
}

static void
count_cache(void *arg, unsigned round)
{
    (void)round;
    (void)id_files_count_bytes(((fixture *)arg)->shared);
}

static void
test_id_files(void **state)
{
    fixture *f = *state;
    id_files *cache;
    id_object_writer writer = {.from_wall_ns = 0};
    const id_chunk chunk = {.ordinal = 1};
    const uint64_t hash = 77;
    const lp_slice hashes = {(const uint8_t *)&hash, sizeof(hash)};
    assert_int_equal(id_object_writer_add(&writer, &chunk, 1, hashes), LP_OK);
    assert_int_equal(id_object_writer_finish(&writer, &f->head), LP_OK);
    id_object_writer_fini(&writer);
    f->head.len -= sizeof(id_object_entry);
    assert_int_equal(id_files_open(f->path, ID_FILES_HEADS, UINT64_MAX, &cache, NULL), LP_OK);
    f->shared = cache;
    contend(f, fill_cache, fill_cache, find_in_cache, drop_from_cache, has_in_cache, count_cache);
    id_files_close(cache);
    lp_buf_fini(&f->head);
}

static void
on_chunk(void *arg, const id_chunk *chunk)
{
    (void)arg;
    (void)chunk;
}

static const catalog_segment searched = {
    .name = "1/a", .head_bytes = 100, .size_bytes = 200, .entry_count = 1};

static void
search_segment(void *arg, unsigned round)
{
    (void)round;
    (void)!id_segments_search(((fixture *)arg)->shared, &searched, 1, on_chunk, NULL);
}

static void
begin_search(void *arg, unsigned round)
{
    (void)round;
    id_segments_begin_search(((fixture *)arg)->shared);
}

static void
begin_and_end_search(void *arg, unsigned round)
{
    begin_search(arg, round);
    id_segments_end_search(((fixture *)arg)->shared);
}

static void
fetch_heads(void *arg, unsigned round)
{
    static const atomic_bool is_stopping = false;
    (void)round;
    id_segments_fetch_heads(((fixture *)arg)->shared, &searched, 1, &is_stopping);
}

static void
test_id_segments(void **state)
{
    fixture *f = *state;
    id_segments objects;
    const s3_client_config store = no_store();
    assert_int_equal(id_segments_open(&objects, f->path, &store, NULL), LP_OK);
    s3_client_interrupt(objects.client, CHUNK_STORE_END_MS);
    f->shared = &objects;
    contend(f, search_segment, search_segment, begin_search);
    objects.searches = 0;
    contend(f, search_segment, fetch_heads);
    contend(f, begin_and_end_search, begin_and_end_search);
    id_segments_close(&objects);
}

static void
count_leaving(void *arg, const char *name)
{
    (void)name;
    ++*(unsigned *)arg;
}

// The index's thread finds that the chunks of a segment are all gone, and the loop, which is the
// test's thread, writes so.
static void
test_id_index(void **state)
{
    fixture *f = *state;
    const s3_client_config store = no_store();
    const catalog_segment segment = {.name = "1/gone.ids", .head_bytes = 100, .size_bytes = 200};
    char place[PATH_BYTES];
    catalog *rows;
    id_index *shared;
    unsigned leaving = 0;
    (void)snprintf(place, sizeof(place), "%s/catalog", f->dir.path);
    assert_int_equal(catalog_open(place, &rows, NULL), LP_OK);
    const catalog_sealed sealed = {.group.collector = "0123456789abcdef"};
    assert_int_equal(catalog_ids_seal(rows, &segment, &sealed), LP_OK);
    bool is_new;
    const id_index_config config = {.dir = f->path, .store = &store, .catalog_place = place};
    assert_int_equal(id_index_open(&config, &shared, &is_new, NULL), LP_OK);
    id_index_interrupt(shared);
    for (uint64_t now_ms = 0; leaving == 0; now_ms += ID_INDEX_LOOK_MS) {
        id_index_tick(shared, rows, 0, now_ms);
        assert_int_equal(catalog_segments_list_leaving(rows, count_leaving, &leaving), LP_OK);
        (void)sched_yield();
    }
    id_index_close(shared);
    catalog_close(rows);
}

// --- Chunks

static void
add_lost_chunk(void *arg, unsigned round)
{
    (void)lost_chunks_add(((fixture *)arg)->shared, SESSION, round);
}

static void
mark_lost_chunks(void *arg, unsigned round)
{
    fixture *f = arg;
    (void)round;
    lost_chunks_mark(f->shared, f->sessions);
}

static void
test_lost_chunks(void **state)
{
    fixture *f = *state;
    session_store store = session_store_open();
    f->sessions = sessions_create(store.data, store.catalog);
    lost_chunks *lost = calloc(1, sizeof(*lost));
    assert_true(lost != NULL && f->sessions != NULL);
    f->shared = lost;
    lost_chunks_init(lost);
    contend(f, add_lost_chunk, mark_lost_chunks);
    contend(f, add_lost_chunk, add_lost_chunk);
    lost_chunks_fini(lost);
    free(lost);
    sessions_destroy(f->sessions);
    session_store_close(&store);
}

static blobs_reader readers[1000];

enum { READERS = sizeof(readers) / sizeof(readers[0]) };

static void
begin_reader(void *arg, unsigned round)
{
    if (round < READERS) {
        blobs_reader_begin(&readers[round], ((fixture *)arg)->shared, SESSION);
    }
}

static void
end_reader(void *arg, unsigned round)
{
    (void)arg;
    if (round < READERS) {
        blobs_reader_end(&readers[round]); // one that never began is fine
    }
}

static void
read_blobs(void *arg, unsigned round)
{
    blobs_reader reader = {0};
    (void)round;
    blobs_reader_begin(&reader, ((fixture *)arg)->shared, SESSION);
    blobs_reader_end(&reader);
}

static void
get_moment(void *arg, unsigned round)
{
    (void)round;
    (void)blobs_get_moment(((fixture *)arg)->shared);
}

static void
is_read(void *arg, unsigned round)
{
    (void)blobs_is_read(((fixture *)arg)->shared, SESSION, round);
}

static void
test_blobs(void **state)
{
    fixture *f = *state;
    blobs *opened;
    assert_int_equal(blobs_open(f->path, &opened, NULL), LP_OK);
    f->shared = opened;
    contend(f, read_blobs, read_blobs, get_moment, is_read);
    contend(f, begin_reader, is_read);
    contend(f, end_reader, is_read);
    for (unsigned i = 0; i < READERS; i++) {
        end_reader(f, i);
    }
    blobs_close(opened);
}

// append_piece appends a piece that is like no other, and finds it where it is said to be.
static void
append_piece(void *arg, unsigned round)
{
    static atomic_uint_fast64_t last;
    pack_files *shared = ((fixture *)arg)->shared;
    const uint64_t number = atomic_fetch_add_explicit(&last, 1, memory_order_relaxed);
    uint64_t found;
    pack_piece piece;
    const lp_slice bytes = {(const uint8_t *)&number, sizeof(number)};
    must(pack_files_append_packed(shared, bytes, &piece) == LP_OK, "cannot append");
    ssize_t size = pread(pack_file_get_fd(piece.file), &found, sizeof(found), (off_t)piece.offset);
    must(size == (ssize_t)sizeof(found) && found == number, "a piece is not where it should be");
    if (round % 8 == 7) {
        pack_files_close(shared, piece.file);
    }
    pack_files_settle(&piece);
}

static void
test_pack_files(void **state)
{
    fixture *f = *state;
    blobs *opened;
    assert_int_equal(blobs_open(f->path, &opened, NULL), LP_OK);
    f->shared = pack_files_create(opened);
    assert_non_null(f->shared);
    for (int i = 0; i < 10; i++) { // of a file that two threads write, they may miss each other
        contend(f, append_piece, append_piece);
    }
    pack_files_destroy(f->shared);
    blobs_close(opened);
}

static void
check_store(void *arg, unsigned round)
{
    chunk_store *shared = ((fixture *)arg)->shared;
    (void)round;
    (void)!shared->ops->check(shared);
}

static void
put_chunk(void *arg, unsigned round)
{
    chunk_store *shared = ((fixture *)arg)->shared;
    uint64_t stored_bytes;
    (void)!shared->ops->put(shared, SESSION, round, (lp_slice){0}, &stored_bytes);
}

// remove_chunk has a thread of the store delete it.
static void
remove_chunk(void *arg, unsigned round)
{
    chunk_store *shared = ((fixture *)arg)->shared;
    (void)!shared->ops->remove(shared, SESSION, round % 4);
}

static void
test_chunk_objects(void **state)
{
    fixture *f = *state;
    chunk_store *store;
    const s3_client_config config = no_store();
    assert_int_equal(chunk_objects_open(&config, f->dir_fd, &store, NULL), LP_OK);
    store->ops->interrupt(store);
    f->shared = store;
    contend(f, check_store, put_chunk, put_chunk, remove_chunk, remove_chunk);
    store->ops->close(store);
}

static void
ask_nobody(void *arg, unsigned round)
{
    const client_http_request request = {.method = "GET",
        .url = "http://127.0.0.1:1/",
        .to_fd = -1,
        .deadline_mono_ms = client_http_now_ms() + 10000};
    client_http_answer answer;
    lp_problem problem;
    (void)round;
    must(client_http_ask(((fixture *)arg)->shared, &request, &answer, &problem) == LP_EIO,
        "somebody listens");
    lp_buf_fini(&answer.body);
}

static void
interrupt_http(void *arg, unsigned round)
{
    client_http_interrupt(((fixture *)arg)->shared, 10000 + round);
}

static void
wait_for_http(void *arg, unsigned round)
{
    (void)round;
    client_http_wait(((fixture *)arg)->shared, 0);
}

static void
is_http_interrupted(void *arg, unsigned round)
{
    (void)round;
    (void)client_http_is_interrupted(((fixture *)arg)->shared);
}

static void
test_client_http(void **state)
{
    fixture *f = *state;
    f->shared = client_http_create();
    assert_non_null(f->shared);
    contend(f, ask_nobody, ask_nobody);
    contend(f, interrupt_http, interrupt_http, wait_for_http, is_http_interrupted);
    client_http_destroy(f->shared);
}

static void
get_credentials(void *arg, unsigned round)
{
    s3_keys keys;
    lp_problem problem;
    (void)round;
    must(
        s3_credentials_get(((fixture *)arg)->shared, NULL, 0, &keys, &problem) == LP_OK, "no keys");
}

static void
renew_credentials(void *arg, unsigned round)
{
    (void)round;
    s3_credentials_renew(((fixture *)arg)->shared);
}

static void
test_s3_credentials(void **state)
{
    static const char text[] = "[default]\naws_access_key_id = a\naws_secret_access_key = b\n";
    fixture *f = *state;
    s3_credentials *credentials;
    files_write(f->path, text, strlen(text));
    assert_int_equal(unsetenv("AWS_ACCESS_KEY_ID"), 0);
    assert_int_equal(setenv("AWS_SHARED_CREDENTIALS_FILE", f->path, 1), 0);
    assert_int_equal(s3_credentials_create("r", &credentials, NULL), LP_OK);
    f->shared = credentials;
    contend(f, get_credentials, get_credentials, renew_credentials);
    s3_credentials_destroy(credentials);
}

static void
open_reader(void *arg, unsigned round)
{
    catalog *reader;
    (void)arg;
    (void)round;
    must(catalog_open_reader(NO_POSTGRES, &reader, NULL) != LP_OK, "somebody listens");
}

static void
test_catalog_postgres(void **state)
{
    contend(*state, open_reader, open_reader);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_presence),
        TEST(test_service_metrics),
        TEST(test_access_logins),
        TEST(test_tls_files),
        TEST(test_policy_dir),
        TEST(test_lp_large),
        TEST(test_id_filter),
        TEST(test_id_files),
        TEST(test_id_segments),
        TEST(test_id_index),
        TEST(test_lost_chunks),
        TEST(test_blobs),
        TEST(test_pack_files),
        TEST(test_chunk_objects),
        TEST(test_client_http),
        TEST(test_s3_credentials),
        TEST(test_catalog_postgres),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
