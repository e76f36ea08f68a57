// SPDX-License-Identifier: Apache-2.0
#include "collector/http/wire/http_query.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_quote.h"

#include <stdio.h>
#include <string.h>

enum { KEYS_BYTES = 256 };

static lp_err
refuse_unknown(const http_query *self, const char *key, lp_problem *out_problem)
{
    char keys[KEYS_BYTES] = "this path takes none";
    size_t len = 0;
    for (size_t i = 0; i < self->count; i++) {
        const char *before = i == 0 ? "use " : i + 1 < self->count ? ", " : " or ";
        len += (size_t)snprintf(keys + len, sizeof(keys) - len, "%s%s", before, self->texts[i].key);
        LP_ASSERT(len < sizeof(keys));
    }
    return lp_problem_set(
        out_problem, LP_ECORRUPT, "unknown parameter '%s': %s", lp_quote_text(key).text, keys);
}

lp_err
http_query_take(const http_query *self, const char *key, const char *value, lp_problem *out_problem)
{
    LP_ASSERT(key != NULL);
    for (size_t i = 0; i < self->count; i++) {
        const http_query_text *text = &self->texts[i];
        if (strcmp(text->key, key) != 0) {
            continue;
        }
        LP_REQUIRE(*text->out == NULL,
            lp_problem_set(out_problem, LP_ECORRUPT, "%s must be given once", key));
        *text->out = value == NULL ? "" : value;
        return LP_OK;
    }
    return refuse_unknown(self, key, out_problem);
}

// A query while it is read.
typedef struct reading {
    const http_query *query;
    lp_err err;
    lp_problem *problem;
} reading;

static enum MHD_Result
on_parameter(void *arg, enum MHD_ValueKind kind, const char *key, const char *value)
{
    (void)kind;
    reading *r = arg;
    r->err = http_query_take(r->query, key, value, r->problem);
    return r->err == LP_OK ? MHD_YES : MHD_NO;
}

lp_err
http_query_read(const http_query *self, struct MHD_Connection *connection, lp_problem *out_problem)
{
    LP_ASSERT(self->count == 0 || self->texts != NULL);
    reading r = {.query = self, .err = LP_OK, .problem = out_problem};
    (void)MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, on_parameter, &r);
    return r.err;
}
