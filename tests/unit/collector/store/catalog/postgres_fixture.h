// SPDX-License-Identifier: Apache-2.0
// postgres_fixture: rows of a catalog in PostgreSQL, and a catalog with a short time limit.

#pragma once

#include "support/catalog_fixture.h"

#include "collector/store/catalog/postgres/postgres_link.h"

#include <poll.h>
#include <string.h>

// Tries of a call that fails at once: two minutes.
enum { TRIES_MAX = 2400, TRY_MS = 50 };

static inline catalog_session
session_of(char digit, const char *service)
{
    catalog_session session = {
        .service = catalog_place_text(service),
        .instance = catalog_place_text("host:1"),
        .jvm_name = catalog_place_text("OpenJDK"),
        .jvm_version = catalog_place_text("25"),
        .start_wall_ns = 100,
        .end_wall_ns = 200,
    };
    memset(session.id, digit, CATALOG_ID_CHARS);
    return session;
}

static inline lp_err
put(catalog *on, char digit)
{
    const catalog_session session = session_of(digit, "shop");
    return catalog_put_session(on, &session);
}

static inline void
note_row(void *arg, const catalog_session *row)
{
    catalog_session *out = arg;
    memcpy(out->id, row->id, sizeof(out->id));
    out->expired_chunks = row->expired_chunks;
    memcpy(out->losses, row->losses, sizeof(out->losses));
}

static inline catalog_session
find(catalog *on, char digit)
{
    char id[CATALOG_ID_CHARS + 1] = {0};
    catalog_session found = {0};
    memset(id, digit, CATALOG_ID_CHARS);
    assert_int_equal(catalog_find(on, id, note_row, &found), LP_OK);
    return found;
}

// put_at_last puts a session once the server answers again.
static inline void
put_at_last(catalog *on, char digit)
{
    lp_err err = put(on, digit);
    for (int i = 0; i < TRIES_MAX && err != LP_OK; i++) {
        (void)poll(NULL, 0, TRY_MS);
        err = put(on, digit);
    }
    assert_int_equal(err, LP_OK);
}

static inline void
assert_failure_names_the_server(const char *failure)
{
    assert_non_null(strstr(failure, "PostgreSQL at 127.0.0.1:"));
    assert_non_null(strstr(failure, "database loupe"));
    assert_null(strstr(failure, "pass-9f2"));
}

// open_impatient reopens the catalog with a short time limit. On a busy machine, opening it and
// storing session a may need several tries.
static inline void
open_impatient(fixture *f, int ms_max)
{
    lp_err err = LP_EAGAIN;
    catalog_close(f->catalog);
    f->catalog = NULL;
    postgres_link_set_loop_ms_max(ms_max);
    for (int i = 0; i < TRIES_MAX && err != LP_OK; i++) {
        err = catalog_open(f->place.path, &f->catalog, NULL);
    }
    assert_int_equal(err, LP_OK);
    put_at_last(f->catalog, 'a');
}

// tear_down_patient tears down, and restores the time limit.
static inline int
tear_down_patient(void **state)
{
    postgres_link_set_loop_ms_max(POSTGRES_LINK_LOOP_MS_MAX);
    return teardown(state);
}
