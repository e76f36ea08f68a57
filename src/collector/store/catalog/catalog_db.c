// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/catalog_db.h"

#include "common/base/lp_assert.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
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
catalog_db_check(const catalog *self)
{
    LP_ASSERT(self != NULL && self->driver != NULL);
    LP_ASSERT(self->node[0] == '\0' || strlen(self->node) == CATALOG_DB_NODE_CHARS);
    LP_ASSERT(self->driver->is_durable || self->driver->sync != NULL);
}

void
catalog_db_check_begun(const catalog *self)
{
    catalog_db_check(self);
    LP_ASSERT(self->has_begun);
}

static void
call_check(const catalog_db_call *call)
{
    LP_ASSERT(call->of != NULL && call->of->driver != NULL);
    LP_ASSERT(call->which < CATALOG_DB_STATEMENT_COUNT);
    LP_ASSERT(call->value_count <= CATALOG_DB_VALUES_MAX);
    LP_ASSERT(call->has_started || call->err != LP_OK);
    LP_ASSERT(!call->has_row || call->has_begun);
}

void
catalog_db_start(catalog *self, catalog_db_statement which, const catalog_db_value *values,
    size_t count, catalog_db_call *out_call)
{
    catalog_db_check(self);
    LP_ASSERT(which < CATALOG_DB_STATEMENT_COUNT && count <= CATALOG_DB_VALUES_MAX);

    *out_call = (catalog_db_call){.of = self, .which = which, .value_count = count};
    if (count > 0) {
        memcpy(out_call->values, values, count * sizeof(*values));
    }
    self->calls++;
    errno = 0;
    out_call->err = self->driver->start(out_call);
    out_call->error = out_call->err == LP_OK ? 0 : errno;
    out_call->has_started = out_call->err == LP_OK;
    call_check(out_call);
}

catalog_db_value
catalog_db_text(const char *text)
{
    catalog_db_value value = {.kind = CATALOG_DB_TEXT};
    if (text != NULL) {
        value.bytes = (lp_slice){(const uint8_t *)text, strlen(text)};
    }
    return value;
}

static bool
queue(catalog_db_call *call, bool has_answer)
{
    return call->err == LP_OK && call->of->driver->queue != NULL &&
           call->of->driver->queue(call, has_answer);
}

void
catalog_db_ask(catalog_db_call *call)
{
    call_check(call);
    LP_ASSERT(!call->has_begun);
    (void)queue(call, true); // if it is not queued, the first step asks
}

bool
catalog_db_step(catalog_db_call *call)
{
    call_check(call);
    call->has_row = call->err == LP_OK && call->of->driver->step(call);
    call->has_begun = true;
    return call->has_row;
}

static catalog_db_value
get(catalog_db_call *call, int column, catalog_db_kind kind)
{
    call_check(call);
    LP_ASSERT(call->has_row && column >= 0);
    return call->of->driver->get(call, column, kind);
}

int64_t
catalog_db_get_int(catalog_db_call *call, int column)
{
    return get(call, column, CATALOG_DB_INT).number;
}

const char *
catalog_db_get_text(catalog_db_call *call, int column)
{
    const char *text = (const char *)get(call, column, CATALOG_DB_TEXT).bytes.ptr;
    if (text == NULL && call->err == LP_OK) {
        call->err = LP_ENOMEM;
    }
    return text;
}

catalog_db_value
catalog_db_get_bytes(catalog_db_call *call, int column)
{
    return get(call, column, CATALOG_DB_BYTES);
}

static void
read_column(catalog_db_call *call, int column, const catalog_db_target *target)
{
    const catalog_db_chars *array = target->to;
    const char *text;
    switch (target->kind) {
    case CATALOG_DB_TO_NUMBER:
        *(int64_t *)target->to = catalog_db_get_int(call, column);
        break;
    case CATALOG_DB_TO_UINT32:
        *(uint32_t *)target->to = (uint32_t)catalog_db_get_int(call, column);
        break;
    case CATALOG_DB_TO_BOOL:
        *(bool *)target->to = catalog_db_get_int(call, column) != 0;
        break;
    case CATALOG_DB_TO_TEXT:
        *(const char **)target->to = catalog_db_get_text(call, column);
        break;
    case CATALOG_DB_TO_CHARS:
        text = catalog_db_get_text(call, column);
        (void)snprintf(array->text, array->bytes, "%s", text == NULL ? "" : text);
        break;
    case CATALOG_DB_TO_BYTES:
        *(lp_slice *)target->to = catalog_db_get_bytes(call, column).bytes;
        break;
    }
}

bool
catalog_db_next(catalog_db_call *call, const catalog_db_target *targets, size_t count)
{
    bool has_row = catalog_db_step(call);
    for (size_t i = 0; i < count && has_row; i++) {
        read_column(call, (int)i, &targets[i]);
    }
    return has_row && call->err == LP_OK;
}

lp_err
catalog_db_finish(catalog_db_call *call)
{
    call_check(call);
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
catalog_db_finish_with(catalog_db_call *call, lp_err err)
{
    lp_err failure = catalog_db_finish(call);
    return err == LP_OK ? failure : err;
}

lp_err
catalog_db_finish_row(catalog_db_call *call, bool has_row)
{
    lp_err err = catalog_db_finish(call);
    return err == LP_OK && !has_row ? LP_ENOENT : err;
}

lp_err
catalog_db_run(catalog *self, catalog_db_statement which, const catalog_db_value *values,
    size_t count, uint64_t *out_changed)
{
    catalog_db_call call;
    catalog_db_start(self, which, values, count, &call);
    if (out_changed != NULL || !queue(&call, false)) {
        (void)catalog_db_step(&call);
    }
    lp_err err = catalog_db_finish(&call);
    if (err == LP_OK && out_changed != NULL) {
        *out_changed = call.changed_count;
    }
    return err;
}

lp_err
catalog_db_write(catalog *self, catalog_db_statement which, const catalog_db_value *values,
    size_t count, uint64_t *out_changed)
{
    LP_TRY(catalog_db_begin(self));
    return catalog_db_end(self, catalog_db_run(self, which, values, count, out_changed));
}

static lp_err
run_plain(catalog *self, catalog_db_statement which)
{
    return catalog_db_run(self, which, NULL, 0, NULL);
}

lp_err
catalog_db_begin(catalog *self)
{
    LP_ASSERT(!self->has_begun);
    LP_TRY(run_plain(self, CATALOG_DB_BEGIN));
    self->has_begun = true;
    return LP_OK;
}

lp_err
catalog_db_end(catalog *self, lp_err err)
{
    catalog_db_check_begun(self);
    self->has_begun = false;
    LP_THEN(err, run_plain(self, CATALOG_DB_COMMIT));
    if (err != LP_OK) {
        // The database may have rolled back already: then this fails, which is fine.
        int error = errno;
        (void)!run_plain(self, CATALOG_DB_ROLLBACK);
        errno = error;
    }
    return err;
}
