// SPDX-License-Identifier: Apache-2.0
// Of all copies of the agent's library in a process one holds the claim, and the others can name
// it: whatever the copies are called, whether their files are still there, and on how many threads
// they ask at the same time. The copies are files that the test makes of one library (claim_copy).

#include "support/temp_dir.h"

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#ifdef __SANITIZE_THREAD__
enum { ROUNDS = 20 };
#else
enum { ROUNDS = 200 };
#endif
enum { COPIES = 4 };

typedef struct copy {
    char path[256];
    const char *(*take)(void);
    void (*release)(void);
} copy;

static temp_dir dir;
static copy copies[COPIES]; // in the order in which they were loaded

static void *
symbol_of(void *library, const char *name)
{
    void *found = dlsym(library, name);
    assert_non_null(found);
    return found;
}

static void
load_copy(copy *c, int number)
{
    char command[1024];
    (void)snprintf(c->path, sizeof(c->path), "%s/copy-%d.so", dir.path, number);
    (void)snprintf(command, sizeof(command), "cp '%s' '%s'", LOUPE_CLAIM_COPY, c->path);
    assert_int_equal(system(command), 0); // NOLINT(cert-env33-c)
    void *library = dlopen(c->path, RTLD_LAZY | RTLD_LOCAL);
    assert_non_null(library);
    void *take = symbol_of(library, "claim_copy_take");
    void *release = symbol_of(library, "claim_copy_release");
    memcpy(&c->take, &take, sizeof(c->take));
    memcpy(&c->release, &release, sizeof(c->release));
}

static int
load_copies(void **state)
{
    (void)state;
    dir = temp_dir_make();
    for (int i = 0; i < COPIES; i++) {
        load_copy(&copies[i], i);
    }
    assert_int_equal(unlink(copies[COPIES - 1].path), 0);
    return 0;
}

static int
remove_files(void **state)
{
    (void)state;
    temp_dir_remove(&dir);
    return 0;
}

static void
assert_names(const char *holder, const copy *expected)
{
    char name[512];
    (void)snprintf(name, sizeof(name), "%s, version " LOUPE_VERSION, expected->path);
    assert_non_null(holder);
    assert_string_equal(holder, name);
}

static void
test_one_copy_holds_it_and_all_others_can_name_that(void **state)
{
    (void)state;
    for (int holder = 0; holder < COPIES; holder++) {
        assert_null(copies[holder].take());
        for (int i = 0; i < COPIES; i++) { // again and itself, too
            assert_names(copies[i].take(), &copies[holder]);
        }
        copies[holder].release();
    }
}

static void
test_only_the_holder_can_give_it_back(void **state)
{
    (void)state;
    assert_null(copies[1].take());
    copies[0].release();
    copies[2].release();
    assert_names(copies[2].take(), &copies[1]);
    copies[1].release();
    assert_null(copies[2].take());
    copies[2].release();
}

typedef struct contest {
    pthread_barrier_t start;
    atomic_int count; // of those that got it
    atomic_int winner;
    const char *named[2 * COPIES]; // by thread
} contest;

typedef struct contestant {
    contest *in;
    int number;
} contestant;

static void *
contend(void *arg)
{
    contestant *self = arg;
    (void)pthread_barrier_wait(&self->in->start);
    const char *holder = copies[self->number % COPIES].take();
    self->in->named[self->number] = holder;
    if (holder == NULL) {
        atomic_fetch_add(&self->in->count, 1);
        atomic_store(&self->in->winner, self->number % COPIES);
    }
    return NULL;
}

static void
test_of_many_threads_in_all_copies_one_gets_it(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        contest c = {0};
        pthread_t threads[2 * COPIES];
        contestant contestants[2 * COPIES];
        assert_int_equal(pthread_barrier_init(&c.start, NULL, 2 * COPIES), 0);
        for (int i = 0; i < 2 * COPIES; i++) {
            contestants[i] = (contestant){&c, i};
            assert_int_equal(pthread_create(&threads[i], NULL, contend, &contestants[i]), 0);
        }
        for (int i = 0; i < 2 * COPIES; i++) {
            assert_int_equal(pthread_join(threads[i], NULL), 0);
        }
        assert_int_equal(pthread_barrier_destroy(&c.start), 0);
        assert_int_equal(c.count, 1);
        for (int i = 0; i < 2 * COPIES; i++) {
            if (c.named[i] != NULL) {
                assert_names(c.named[i], &copies[c.winner]);
            }
        }
        copies[c.winner].release();
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_copy_holds_it_and_all_others_can_name_that),
        cmocka_unit_test(test_only_the_holder_can_give_it_back),
        cmocka_unit_test(test_of_many_threads_in_all_copies_one_gets_it),
    };
    return cmocka_run_group_tests(tests, load_copies, remove_files);
}
