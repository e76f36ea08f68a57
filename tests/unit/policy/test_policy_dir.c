// SPDX-License-Identifier: Apache-2.0
// A directory of policies: each service has its file's, the rest the default's, and no name of a
// service leads anywhere else; whatever way a file is changed, the next look finds it; what cannot
// be used leaves what was there in force.
//
// Every policy here has one threshold, which tells them apart.

#include "support/temp_dir.h"

#include "policy/policy_dir.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_BYTES = 600 };

typedef struct fixture {
    temp_dir dir; // of which the directory is a part
    char path[PATH_BYTES / 2];
    policy_dir *policies;
} fixture;

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->dir = temp_dir_make();
    (void)snprintf(f->path, sizeof(f->path), "%s/policies", f->dir.path);
    assert_int_equal(mkdir(f->path, 0700), 0);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    policy_dir_close(f->policies);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

static const char *
path_of(const fixture *f, const char *name)
{
    static char path[PATH_BYTES];
    (void)snprintf(path, sizeof(path), "%s/%s", f->path, name);
    return path;
}

static void
write_text(const fixture *f, const char *name, const char *text)
{
    FILE *file = fopen(path_of(f, name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void
write_policy(const fixture *f, const char *name, int threshold_ns)
{
    char text[200];
    (void)snprintf(text, sizeof(text),
        "<configuration><event name='t'><setting name='threshold'>%d ns</setting></event>"
        "</configuration>",
        threshold_ns);
    write_text(f, name, text);
}

static void
move(const fixture *f, const char *from, const char *to)
{
    char source[PATH_BYTES];
    (void)snprintf(source, sizeof(source), "%s", path_of(f, from));
    assert_int_equal(rename(source, path_of(f, to)), 0);
}

static void
open_dir(fixture *f)
{
    lp_problem problem;
    assert_int_equal(policy_dir_open(f->path, &f->policies, &problem), LP_OK);
}

// assert_policy checks which policy a service has; 0: none.
static void
assert_policy(fixture *f, const char *service, int threshold_ns)
{
    policy_file *file = policy_dir_find(f->policies, service);
    int64_t found_ns =
        file == NULL ? 0 : policy_find(policy_file_get_rules(file), "t", false).threshold_ns;
    policy_file_unref(file);
    if (found_ns != threshold_ns) {
        fail_msg("'%s' has %d, not %d", service, (int)found_ns, threshold_ns);
    }
}

static void
look_and_assert(fixture *f, const char *service, int threshold_ns)
{
    policy_dir_look(f->policies);
    assert_policy(f, service, threshold_ns);
}

// assert_refused checks what the list says of a file; word NULL: that nothing is wrong with it.
static void
assert_refused(fixture *f, const char *name, const char *word)
{
    policy_dir_entries list = {0};
    assert_int_equal(policy_dir_list(f->policies, &list), LP_OK);
    bool is_found = false;
    for (size_t i = 0; i < list.count; i++) {
        assert_true(i == 0 || strcmp(list.items[i - 1].name, list.items[i].name) < 0);
        if (strcmp(list.items[i].name, name) == 0) {
            is_found = true;
            const policy_dir_entry *entry = &list.items[i];
            if (word == NULL) {
                assert_string_equal(entry->refused.text, "");
            } else {
                assert_non_null(strstr(entry->refused.text, word));
                assert_non_null(strstr(entry->refused.text, entry->path));
                assert_true(entry->refused_wall_ns > 0);
            }
        }
    }
    assert_true(is_found);
    policy_dir_entries_fini(&list);
}

static void
test_each_service_has_its_file_and_the_rest_the_default(void **state)
{
    fixture *f = *state;
    write_policy(f, "checkout.jfc", 1);
    write_policy(f, "default.jfc", 2);
    write_policy(f,
        "Stra\xc3\x9f"
        "e 7.jfc",
        3);
    open_dir(f);
    assert_policy(f, "checkout", 1);
    assert_policy(f,
        "Stra\xc3\x9f"
        "e 7",
        3);
    assert_policy(f, "default", 2);
    static const char *const others[] = {"", "Checkout", "checkout.jfc", "checkout2", "check", "*"};
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        assert_policy(f, others[i], 2);
    }
}

static void
test_how_long_recordings_are_kept(void **state)
{
    fixture *f = *state;
    write_text(f, "default.keep", "age 7d\nbytes 1G");
    write_text(f, "checkout.keep", "age 1h");
    write_text(f, "wrong.keep", "age seven");
    open_dir(f);
    const struct {
        const char *service;
        int64_t hours;
        uint64_t bytes;
    } cases[] = {{"checkout", 1, 1 << 30}, {"other", 168, 1 << 30}, {"wrong", 168, 1 << 30}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        policy_keep keep = policy_dir_find_keep(f->policies, cases[i].service);
        assert_true(keep.age_ns == cases[i].hours * 3600000000000);
        assert_true(keep.bytes == cases[i].bytes);
    }
    write_text(f, "checkout.keep", "age 2h # longer");
    (void)policy_dir_look(f->policies);
    assert_true(policy_dir_find_keep(f->policies, "checkout").age_ns == 7200000000000);
    write_text(f, "checkout.keep", "age never"); // what it said before stays in force
    (void)policy_dir_look(f->policies);
    assert_true(policy_dir_find_keep(f->policies, "checkout").age_ns == 7200000000000);
    assert_int_equal(unlink(path_of(f, "checkout.keep")), 0);
    assert_int_equal(unlink(path_of(f, "default.keep")), 0);
    (void)policy_dir_look(f->policies);
    assert_true(policy_dir_find_keep(f->policies, "checkout").age_ns == 0);
    assert_true(policy_dir_find_keep(NULL, "checkout").bytes == 0);
    policy_dir_entries entries = {0};
    assert_int_equal(policy_dir_list(f->policies, &entries), LP_OK);
    assert_int_equal(entries.count, 0); // these are no policies
    policy_dir_entries_fini(&entries);
}

// read_look looks at the directory, and returns what the log says of it, lent until the next call.
static const char *
read_look(fixture *f)
{
    static char text[1000];
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    int kept = dup(STDERR_FILENO);
    assert_true(kept >= 0 && dup2(ends[1], STDERR_FILENO) == STDERR_FILENO);
    policy_dir_look(f->policies);
    (void)dup2(kept, STDERR_FILENO);
    assert_int_equal(close(kept), 0);
    assert_int_equal(close(ends[1]), 0);
    ssize_t count = read(ends[0], text, sizeof(text) - 1);
    assert_true(count >= 0);
    text[count] = '\0';
    assert_int_equal(close(ends[0]), 0);
    return text;
}

static void
test_the_log_says_whether_an_earlier_limit_stays(void **state)
{
    fixture *f = *state;
    static const char *const limits[] = {
        "age 1d", "bytes 1G", "daily 1G", "recall 1m", "pin-when crash", "trace whole"};
    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
        char name[32];
        (void)snprintf(name, sizeof(name), "s%zu.keep", i);
        write_text(f, name, limits[i]);
        if (f->policies == NULL) {
            open_dir(f);
        }
        policy_dir_look(f->policies);
        write_text(f, name, "daily much");
        assert_non_null(strstr(read_look(f), "its previous content stays in force"));
    }
    assert_true(policy_dir_find_keep(f->policies, "s2").daily_bytes == 1 << 30);
    assert_true(policy_dir_find_keep(f->policies, "s3").recall_ns == 60000000000);
    assert_int_equal(policy_dir_find_keep(f->policies, "s4").pin_when, POLICY_KEEP_PIN_CRASH);
    assert_int_equal(policy_dir_find_keep(f->policies, "s5").trace, POLICY_KEEP_TRACE_WHOLE);
    assert_int_equal(policy_dir_find_keep(f->policies, "s4").trace, POLICY_KEEP_TRACE_UNSET);
    // All lines of a key replace those of default.keep.
    write_text(f, "default.keep", "pin-when p99>1s for 1m\npin-pause 5m\nrecall-budget 1K/h");
    policy_dir_look(f->policies);
    const policy_keep own = policy_dir_find_keep(f->policies, "s4");
    assert_true(own.pin_when == POLICY_KEEP_PIN_CRASH && own.pin_rule.permille == 0);
    assert_true(own.pin_pause_ns == 300000000000 && own.recall_budget_bytes == 1024);
    assert_int_equal(policy_dir_find_keep(f->policies, "s3").pin_rule.permille, 990);
    assert_true(policy_dir_has_whole_traces(f->policies));
    write_text(f, "s5.keep", "trace none # whole");
    policy_dir_look(f->policies);
    assert_false(policy_dir_has_whole_traces(f->policies) || policy_dir_has_whole_traces(NULL));
    write_text(f, "new.keep", "daily much");
    assert_non_null(strstr(read_look(f), "the file is not used"));
    assert_true(policy_dir_has_keep(f->policies, "new"));
    assert_false(policy_dir_has_keep(f->policies, "other"));
    assert_false(policy_dir_has_keep(NULL, "new"));
}

static void
test_no_service_leads_out_of_the_directory(void **state)
{
    fixture *f = *state;
    assert_int_equal(mkdir(path_of(f, "below"), 0700), 0);
    write_policy(f, "checkout.jfc", 1);
    write_policy(f, "../outside.jfc", 5);
    write_policy(f, "below/inside.jfc", 6);
    write_policy(f, ".hidden.jfc", 7);
    write_policy(f, "checkout.jfc~", 8);
    write_policy(f, ".jfc", 9);
    open_dir(f);
    char absolute[PATH_BYTES];
    (void)snprintf(absolute, sizeof(absolute), "%s/outside", f->dir.path);
    char long_name[1025];
    memset(long_name, 'x', sizeof(long_name) - 1);
    long_name[sizeof(long_name) - 1] = '\0';
    const char *const services[] = {"../outside", "./checkout", "below/inside", "below/../checkout",
        "..", ".", "/", "", ".hidden", "checkout.jfc~", absolute, long_name};
    for (size_t i = 0; i < sizeof(services) / sizeof(services[0]); i++) {
        assert_policy(f, services[i], 0);
    }
    write_policy(f, "default.jfc", 2);
    policy_dir_look(f->policies);
    for (size_t i = 0; i < sizeof(services) / sizeof(services[0]); i++) {
        assert_policy(f, services[i], 2);
    }
}

static void
test_files_come_change_and_go(void **state)
{
    fixture *f = *state;
    open_dir(f);
    assert_policy(f, "checkout", 0);
    write_policy(f, "checkout.jfc", 1);
    look_and_assert(f, "checkout", 1);
    // Each as long as the one before, and within one step of the clock for files.
    for (int i = 2; i < 10; i++) {
        write_policy(f, "checkout.jfc", i);
        look_and_assert(f, "checkout", i);
    }
    write_policy(f, "default.jfc", 20);
    look_and_assert(f, "other", 20);
    assert_policy(f, "checkout", 9);
    assert_int_equal(unlink(path_of(f, "checkout.jfc")), 0);
    look_and_assert(f, "checkout", 20);
    write_policy(f, "new", 30);
    move(f, "new", "checkout.jfc");
    look_and_assert(f, "checkout", 30);
    write_policy(f, "new", 31);
    move(f, "new", "checkout.jfc");
    look_and_assert(f, "checkout", 31);
    move(f, "checkout.jfc", "other.jfc");
    look_and_assert(f, "checkout", 20);
    assert_policy(f, "other", 31);
}

// As Kubernetes has ConfigMaps: the name is a link through another one, which is replaced.
static void
test_links_are_followed_when_they_move(void **state)
{
    fixture *f = *state;
    assert_int_equal(mkdir(path_of(f, "..1"), 0700), 0);
    assert_int_equal(mkdir(path_of(f, "..2"), 0700), 0);
    write_policy(f, "..1/checkout.jfc", 1);
    write_policy(f, "..2/checkout.jfc", 2);
    assert_int_equal(symlink("..1", path_of(f, "..data")), 0);
    assert_int_equal(symlink("..data/checkout.jfc", path_of(f, "checkout.jfc")), 0);
    open_dir(f);
    assert_policy(f, "checkout", 1);
    assert_int_equal(symlink("..2", path_of(f, "..next")), 0);
    move(f, "..next", "..data");
    look_and_assert(f, "checkout", 2);
    // What a link outside leads to changes outside.
    write_policy(f, "../outside", 3);
    assert_int_equal(symlink("../outside", path_of(f, "linked.jfc")), 0);
    look_and_assert(f, "linked", 3);
    write_policy(f, "../outside", 44);
    look_and_assert(f, "linked", 44);
    assert_int_equal(unlink(path_of(f, "../outside")), 0);
    look_and_assert(f, "linked", 44);
    assert_refused(f, "linked", "No such file");
}

static void
test_what_cannot_be_used_leaves_the_old_in_force(void **state)
{
    static const struct {
        const char *text;
        const char *word;
    } broken[] = {
        {"", "line 1"},
        {"<configuration><event name='t'>", "line 1"},
        {"<configuration>\n<event></configuration>", "line 2"},
        {"<other/>", "configuration"},
        {"\xff", "line 1"},
    };
    fixture *f = *state;
    write_policy(f, "checkout.jfc", 1);
    write_policy(f, "default.jfc", 2);
    open_dir(f);
    for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
        write_text(f, "checkout.jfc", broken[i].text);
        look_and_assert(f, "checkout", 1);
        assert_refused(f, "checkout", broken[i].word);
        assert_refused(f, "default", NULL);
    }
    write_policy(f, "checkout.jfc", 3);
    look_and_assert(f, "checkout", 3);
    assert_refused(f, "checkout", NULL);
    // Back to what it was, and to what is no file at all.
    write_text(f, "checkout.jfc", "");
    policy_dir_look(f->policies);
    write_policy(f, "checkout.jfc", 3);
    look_and_assert(f, "checkout", 3);
    assert_refused(f, "checkout", NULL);
    assert_int_equal(unlink(path_of(f, "checkout.jfc")), 0);
    assert_int_equal(mkfifo(path_of(f, "checkout.jfc"), 0600), 0);
    look_and_assert(f, "checkout", 3);
    assert_refused(f, "checkout", "not a file");
    assert_int_equal(unlink(path_of(f, "checkout.jfc")), 0);
    look_and_assert(f, "checkout", 2);
}

static void
test_a_file_that_never_was_good_is_none(void **state)
{
    fixture *f = *state;
    write_text(f, "checkout.jfc", "no policy");
    write_policy(f, "default.jfc", 2);
    open_dir(f);
    assert_policy(f, "checkout", 2);
    assert_refused(f, "checkout", "line 1");
    write_policy(f, "checkout.jfc", 3);
    look_and_assert(f, "checkout", 3);
}

// look_without_fds looks where the directory can be read, but no file in it.
static void
look_without_fds(fixture *f)
{
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    int fd = dup(STDIN_FILENO); // the lowest that is free
    assert_true(fd >= 0);
    assert_int_equal(close(fd), 0);
    const struct rlimit one_more = {.rlim_cur = (rlim_t)fd + 1, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &one_more), 0);
    policy_dir_look(f->policies);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

static void
test_what_could_not_be_read_is_tried_again(void **state)
{
    fixture *f = *state;
    open_dir(f);
    // A file that is no longer young: those are read once.
    assert_int_equal(symlink(OLD_POLICY, path_of(f, "checkout.jfc")), 0);
    look_without_fds(f);
    assert_refused(f, "checkout", "checkout.jfc");
    policy_dir_look(f->policies);
    assert_refused(f, "checkout", NULL);
    policy_file *file = policy_dir_find(f->policies, "checkout");
    assert_non_null(file);
    policy_file_unref(file);
}

// Which ones are not read is up to the directory. One takes the place of one that is gone.
static void
test_files_that_are_too_many_are_counted(void **state)
{
    fixture *f = *state;
    enum { OVER = 3 };
    char name[32];
    for (int i = 0; i < POLICY_DIR_FILES_MAX; i++) {
        (void)snprintf(name, sizeof(name), "s%d.jfc", i);
        write_policy(f, name, 1);
    }
    open_dir(f);
    assert_int_equal(policy_dir_look(f->policies), 0);
    for (int i = 0; i < OVER; i++) {
        (void)snprintf(name, sizeof(name), "t%d.jfc", i);
        write_policy(f, name, 2);
        write_text(f, ".t.jfc", ""); // which is none
        assert_int_equal(policy_dir_look(f->policies), i + 1);
        assert_policy(f, "t0", 0);
    }
    for (int i = 0; i < OVER; i++) {
        (void)snprintf(name, sizeof(name), "s%d.jfc", 100 * i);
        assert_int_equal(unlink(path_of(f, name)), 0);
        assert_int_equal(policy_dir_look(f->policies), OVER - i);
        assert_int_equal(policy_dir_look(f->policies), OVER - i - 1);
    }
    assert_policy(f, "t0", 2);
    assert_policy(f, "t2", 2);
    assert_policy(f, "s0", 0);
}

static void
test_a_directory_that_is_away_changes_nothing(void **state)
{
    fixture *f = *state;
    write_policy(f, "checkout.jfc", 1);
    open_dir(f);
    move(f, "../policies", "../elsewhere");
    look_and_assert(f, "checkout", 1);
    assert_int_equal(mkdir(f->path, 0700), 0);
    write_policy(f, "checkout.jfc", 2);
    look_and_assert(f, "checkout", 2);
    policy_dir *none;
    lp_problem problem;
    assert_int_equal(policy_dir_open(path_of(f, "nowhere"), &none, &problem), LP_EIO);
    assert_non_null(strstr(problem.text, "nowhere"));
    assert_null(policy_dir_find(NULL, "checkout"));
}

static void
test_one_file_is_for_all_services(void **state)
{
    fixture *f = *state;
    write_policy(f, "all", 1);
    write_policy(f, "checkout.jfc", 2); // which is nobody's
    write_text(f, "default.keep", "age 1h");
    lp_problem problem;
    assert_int_equal(policy_dir_open_file(path_of(f, "all"), &f->policies, &problem), LP_OK);
    assert_policy(f, "checkout", 1);
    look_and_assert(f, "checkout", 1);
    assert_policy(f, "", 1);
    assert_true(policy_dir_find_keep(f->policies, "checkout").age_ns == 0);
    write_policy(f, "all", 3);
    look_and_assert(f, "checkout", 3);
    assert_refused(f, "default", NULL);
    write_text(f, "all", "<configuration>");
    look_and_assert(f, "checkout", 3);
    assert_refused(f, "default", "line 1");
    assert_int_equal(unlink(path_of(f, "all")), 0);
    look_and_assert(f, "checkout", 3);
    assert_refused(f, "default", "No such file");
    write_policy(f, "all", 4);
    look_and_assert(f, "checkout", 4);
    assert_refused(f, "default", NULL);
}

static void
test_a_file_that_cannot_be_used_does_not_open(void **state)
{
    fixture *f = *state;
    policy_dir *none;
    lp_problem problem;
    assert_int_equal(policy_dir_open_file(path_of(f, "nowhere"), &none, &problem), LP_ENOENT);
    assert_non_null(strstr(problem.text, "nowhere"));
    write_text(f, "wrong.jfc", "<configuration>");
    assert_true(policy_dir_open_file(path_of(f, "wrong.jfc"), &none, &problem) != LP_OK);
    assert_non_null(strstr(problem.text, "wrong.jfc"));
}

static void
test_a_pipe_is_read_once(void **state)
{
    fixture *f = *state;
    static const char text[] = "<configuration><event name='t'><setting name='threshold'>7 ns"
                               "</setting></event></configuration>";
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], text, sizeof(text) - 1), sizeof(text) - 1);
    assert_int_equal(close(ends[1]), 0);
    char path[40];
    (void)snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
    lp_problem problem;
    assert_int_equal(policy_dir_open_file(path, &f->policies, &problem), LP_OK);
    assert_policy(f, "checkout", 7);
    look_and_assert(f, "checkout", 7);
    assert_int_equal(close(ends[0]), 0);
    look_and_assert(f, "checkout", 7);
}

static void
test_what_is_too_large_for_the_wire_is_refused(void **state)
{
    static char text[POLICY_FILE_BYTES_MAX + 2];
    fixture *f = *state;
    write_policy(f, "checkout.jfc", 1);
    open_dir(f);
    memset(text, ' ', POLICY_FILE_BYTES_MAX + 1);
    memcpy(text, "<configuration/>", 16);
    write_text(f, "checkout.jfc", text);
    look_and_assert(f, "checkout", 1);
    assert_refused(f, "checkout", "larger than");
    text[POLICY_FILE_BYTES_MAX] = '\0';
    write_text(f, "checkout.jfc", text);
    look_and_assert(f, "checkout", 0);
    assert_refused(f, "checkout", NULL);
    size_t at = (size_t)snprintf(text, sizeof(text), "<configuration><event name='%0500d'>", 1);
    while (at < POLICY_FILE_BYTES_MAX - 200) {
        at += (size_t)snprintf(text + at, sizeof(text) - at, "<setting name='s'>v</setting>");
    }
    (void)snprintf(text + at, sizeof(text) - at, "</event></configuration>");
    write_text(f, "checkout.jfc", text);
    look_and_assert(f, "checkout", 0);
    assert_refused(f, "checkout", "for the JVM");
}

static void
test_ids_tell_policies_apart(void **state)
{
    fixture *f = *state;
    write_policy(f, "a.jfc", 1);
    write_policy(f, "b.jfc", 1);
    write_policy(f, "c.jfc", 2);
    write_text(f, "d.jfc",
        "<configuration><event name='t'><setting name='threshold'>1 ns</setting>"
        "<setting name='select'>if-context</setting></event></configuration>");
    open_dir(f);
    policy_file *files[4];
    for (int i = 0; i < 4; i++) {
        const char name[] = {(char)('a' + i), '\0'};
        files[i] = policy_dir_find(f->policies, name);
        assert_non_null(files[i]);
        assert_true(policy_file_get_id(files[i]) != 0);
    }
    assert_true(policy_file_get_id(files[0]) == policy_file_get_id(files[1]));
    assert_true(policy_file_get_id(files[0]) != policy_file_get_id(files[2]));
    assert_true(policy_file_get_id(files[0]) != policy_file_get_id(files[3]));
    for (int i = 0; i < 4; i++) {
        policy_file_unref(files[i]);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_each_service_has_its_file_and_the_rest_the_default),
        TEST(test_how_long_recordings_are_kept),
        TEST(test_the_log_says_whether_an_earlier_limit_stays),
        TEST(test_no_service_leads_out_of_the_directory),
        TEST(test_files_come_change_and_go),
        TEST(test_links_are_followed_when_they_move),
        TEST(test_what_cannot_be_used_leaves_the_old_in_force),
        TEST(test_a_file_that_never_was_good_is_none),
        TEST(test_what_could_not_be_read_is_tried_again),
        TEST(test_files_that_are_too_many_are_counted),
        TEST(test_a_directory_that_is_away_changes_nothing),
        TEST(test_one_file_is_for_all_services),
        TEST(test_a_file_that_cannot_be_used_does_not_open),
        TEST(test_a_pipe_is_read_once),
        TEST(test_what_is_too_large_for_the_wire_is_refused),
        TEST(test_ids_tell_policies_apart),
    };
    return cmocka_run_group_tests_name("policy_dir", tests, NULL, NULL);
}
