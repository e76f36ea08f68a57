// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/catalog_db.h"

#include "common/base/lp_assert.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

static atomic_uint_fast64_t errors; // a number on its own

uint64_t
catalog_db_count_errors(void)
{
    return atomic_load_explicit(&errors, memory_order_relaxed);
}

static void
count_error(lp_err err)
{
    if (err != LP_OK) {
        atomic_fetch_add_explicit(&errors, 1, memory_order_relaxed);
    }
}

void
catalog_db_start(catalog *self, catalog_db_statement which, catalog_db_call *out_call)
{
    LP_ASSERT(which < CATALOG_DB_STATEMENT_COUNT);

    *out_call = (catalog_db_call){.of = self, .which = which};
    self->calls++;
    errno = 0;
    out_call->err = self->driver->start(out_call);
    out_call->error = out_call->err == LP_OK ? 0 : errno;
    out_call->has_started = out_call->err == LP_OK;
}

static void
bind(catalog_db_call *call, catalog_db_value value)
{
    LP_ASSERT(call->value_count < CATALOG_DB_VALUES_MAX);
    LP_ASSERT(!call->has_begun);
    call->values[call->value_count++] = value;
}

void
catalog_db_bind_text(catalog_db_call *call, const char *text)
{
    if (text == NULL) {
        bind(call, (catalog_db_value){.kind = CATALOG_DB_TEXT});
        return;
    }
    bind(call, (catalog_db_value){
                   .kind = CATALOG_DB_TEXT, .bytes = {(const uint8_t *)text, strlen(text)}});
}

void
catalog_db_bind_bytes(catalog_db_call *call, lp_slice bytes)
{
    bind(call, (catalog_db_value){.kind = CATALOG_DB_BYTES, .bytes = bytes});
}

void
catalog_db_bind_int(catalog_db_call *call, int64_t value)
{
    bind(call, (catalog_db_value){.kind = CATALOG_DB_INT, .number = value});
}

void
catalog_db_bind_null(catalog_db_call *call)
{
    bind(call, (catalog_db_value){.kind = CATALOG_DB_NULL});
}

void
catalog_db_bind_uint(catalog_db_call *call, uint64_t value)
{
    catalog_db_bind_int(call, (int64_t)value);
}

// queue returns whether the driver has queued the call.
static bool
queue(catalog_db_call *call, bool has_answer)
{
    return call->err == LP_OK && call->of->driver->queue != NULL &&
           call->of->driver->queue(call, has_answer);
}

void
catalog_db_ask(catalog_db_call *call)
{
    (void)queue(call, true); // else the first step asks
}

bool
catalog_db_step(catalog_db_call *call)
{
    LP_ASSERT(call->has_started || call->err != LP_OK);

    if (call->err != LP_OK) {
        return false;
    }
    bool has_row = call->of->driver->step(call);
    call->has_begun = true;
    return has_row;
}

int64_t
catalog_db_get_int(catalog_db_call *call, int column)
{
    LP_ASSERT(call->has_begun && column >= 0);
    return call->of->driver->get_int(call, column);
}

uint64_t
catalog_db_get_uint(catalog_db_call *call, int column)
{
    return (uint64_t)catalog_db_get_int(call, column);
}

const char *
catalog_db_get_text(catalog_db_call *call, int column)
{
    LP_ASSERT(call->has_begun && column >= 0);
    const char *text = call->of->driver->get_text(call, column);
    if (text == NULL && call->err == LP_OK) {
        call->err = LP_ENOMEM;
    }
    return text;
}

lp_slice
catalog_db_get_bytes(catalog_db_call *call, int column)
{
    LP_ASSERT(call->has_begun && column >= 0);
    return call->of->driver->get_bytes(call, column);
}

bool
catalog_db_has_bytes(catalog_db_call *call, int column)
{
    LP_ASSERT(call->has_begun && column >= 0);
    return call->of->driver->has_bytes(call, column);
}

lp_err
catalog_db_finish(catalog_db_call *call)
{
    LP_ASSERT(call->has_started || call->err != LP_OK);

    if (call->has_started) {
        call->of->driver->finish(call);
    }
    count_error(call->err);
    if (call->error != 0) {
        errno = call->error;
    }
    return call->err;
}

lp_err
catalog_db_run(catalog_db_call *call)
{
    if (!queue(call, false)) {
        (void)catalog_db_step(call);
    }
    return catalog_db_finish(call);
}

lp_err
catalog_db_run_counted(catalog_db_call *call, uint64_t *out_changed)
{
    (void)catalog_db_step(call);
    lp_err err = catalog_db_finish(call);
    if (err == LP_OK) {
        *out_changed = call->changed_count;
    }
    return err;
}

static lp_err
run_plain(catalog *self, catalog_db_statement which)
{
    catalog_db_call call;
    catalog_db_start(self, which, &call);
    return catalog_db_run(&call);
}

lp_err
catalog_db_begin(catalog *self)
{
    return run_plain(self, CATALOG_DB_BEGIN);
}

lp_err
catalog_db_end(catalog *self, lp_err err)
{
    LP_THEN(err, run_plain(self, CATALOG_DB_COMMIT));
    if (err != LP_OK) {
        // The database may have rolled back by itself, then this one fails and that is fine.
        int saved_errno = errno;
        lp_err ignored = run_plain(self, CATALOG_DB_ROLLBACK);
        (void)ignored;
        errno = saved_errno;
    }
    return err;
}
