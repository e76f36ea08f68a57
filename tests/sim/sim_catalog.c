// SPDX-License-Identifier: Apache-2.0
#include "sim/sim_catalog.h"

#include "sim/sim_terms.h"
#include "sim/sim_world.h"
#include "support/temp_dir.h"

#include "collector/store/catalog/catalog_owners.h"
#include "common/base/lp_time.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 300 };

static const int64_t BEGIN_MS = 1767225600000; // 2026-01-01: what is shown as a time is one

static char directory[PATH_BYTES];
static catalog *admin; // that of `loupe admin`

// --- Failures

static bool
is_lost(void)
{
    return sim.is_catalog_away[sim.side] || sim_happens(sim.catalog_lost);
}

static const catalog_db_driver *sqlite; // what the driver below goes to
static catalog_db_driver driver;

// start fails where the connection is lost. To undo what was written is what a server does by
// itself then.
static lp_err
start(catalog_db_call *call)
{
    if (call->which != CATALOG_DB_ROLLBACK && is_lost()) {
        errno = ENOTCONN;
        return LP_EAGAIN;
    }
    return sqlite->start(call);
}

static bool
step(catalog_db_call *call)
{
    bool has_row = sqlite->step(call);
    sim_terms_note_step(call, has_row);
    if (call->which == CATALOG_DB_COMMIT && call->err == LP_OK && is_lost()) {
        call->err = LP_EAGAIN; // it is done
        call->error = ENOTCONN;
    }
    return has_row;
}

static lp_err
probe(catalog *self)
{
    (void)self;
    return sim.is_catalog_away[sim.side] ? LP_EAGAIN : LP_OK;
}

static const char *
get_failure(const catalog *self)
{
    (void)self;
    return sim.is_catalog_away[sim.side] ? "it is away" : "";
}

// --- Opening

lp_err __wrap_catalog_open_shared(
    const char *place, const char *node, catalog **out_catalog, lp_problem *out_problem);
lp_err __real_catalog_open_shared(
    const char *place, const char *node, catalog **out_catalog, lp_problem *out_problem);

static lp_err
open_shared(const char *node, catalog **out_catalog, lp_problem *out_problem)
{
    char path[PATH_BYTES + 20];
    (void)snprintf(path, sizeof(path), "%s/catalog.db", directory);
    return __real_catalog_open_shared(path, node, out_catalog, out_problem);
}

lp_err
__wrap_catalog_open_shared(
    const char *place, const char *node, catalog **out_catalog, lp_problem *out_problem)
{
    (void)place;
    if (is_lost()) {
        return lp_problem_set(out_problem, LP_EAGAIN, "the catalog is away");
    }
    lp_err err = open_shared(node, out_catalog, out_problem);
    if (err == LP_OK) {
        sqlite = (*out_catalog)->driver;
        driver = *sqlite;
        driver.is_durable = true;
        driver.start = start;
        driver.step = step;
        driver.open_log = NULL;
        driver.sync = NULL;
        driver.probe = probe;
        driver.get_failure = get_failure;
        (*out_catalog)->driver = &driver;
    }
    return err;
}

// --- The clock, and chance

int64_t __wrap_lp_time_now(void);

int64_t
__wrap_lp_time_now(void)
{
    return (BEGIN_MS + sim.now_ms + sim.catalog_ahead_ms) * 1000000;
}

ssize_t __wrap_getrandom(void *out, size_t size, unsigned flags);

ssize_t
__wrap_getrandom(void *out, size_t size, unsigned flags)
{
    (void)flags;
    for (size_t i = 0; i < size; i++) {
        ((uint8_t *)out)[i] = (uint8_t)sim_below(256);
    }
    return (ssize_t)size;
}

// --- The directory

static void
join(char *out, const char *name)
{
    (void)snprintf(out, PATH_BYTES + 20, "%s/%s", directory, name);
}

// copy_empty makes the catalog as a copy of one without rows: to make one takes longer than many
// runs.
static void
copy_empty(const char *parent)
{
    char from[PATH_BYTES];
    char to[PATH_BYTES + 20];
    struct stat info;
    catalog *made;
    (void)snprintf(from, sizeof(from), "%s/empty.db", parent);
    if (access(from, F_OK) != 0) {
        LP_ASSERT(catalog_open(from, &made, NULL) == LP_OK);
        catalog_close(made);
    }
    join(to, "catalog.db");
    int in = open(from, O_RDONLY | O_CLOEXEC);
    int out = open(to, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    LP_ASSERT(in >= 0 && out >= 0 && fstat(in, &info) == 0);
    LP_ASSERT(sendfile(out, in, NULL, (size_t)info.st_size) == info.st_size);
    (void)close(in);
    (void)close(out);
}

void
sim_catalog_begin(const char *parent)
{
    static const char nobody[] = "00000000000000000000000000000000";
    char path[PATH_BYTES + 20];
    LP_ASSERT(snprintf(directory, sizeof(directory), "%s/shared", parent) < PATH_BYTES);
    LP_ASSERT(mkdir(directory, 0700) == 0);
    join(path, "sim");
    LP_ASSERT(mkdir(path, 0700) == 0);
    copy_empty(parent);
    sim.shared = directory;
    sim_terms_begin();
    LP_ASSERT(open_shared(nobody, &admin, NULL) == LP_OK);
}

void
sim_catalog_end(void)
{
    catalog_close(admin);
    (void)nftw(directory, temp_dir_on_entry, 16, FTW_DEPTH | FTW_PHYS);
}

// --- Questions

void
sim_catalog_drain(const char *node, bool is_draining)
{
    uint64_t count;
    LP_ASSERT(catalog_nodes_drain(admin, node, is_draining, &count) == LP_OK);
}

static void
note_ended(void *arg, const catalog_session *row)
{
    *(bool *)arg = row->is_ended;
}

bool
sim_catalog_has_ended(const char *session_id)
{
    bool has_ended = false;
    lp_err err = catalog_find(admin, session_id, note_ended, &has_ended);
    LP_ASSERT(err == LP_OK || err == LP_ENOENT);
    return has_ended;
}
