// SPDX-License-Identifier: Apache-2.0

#include "collector/log/log_properties.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_io.h"
#include "common/base/lp_trim.h"

#include <stdlib.h>
#include <string.h>

static lp_err
parse_line(log_properties *out, char *line)
{
    LP_ASSERT(line != NULL);
    line = lp_trim(line);
    if (line[0] == '\0' || line[0] == '#') {
        return LP_OK;
    }
    char *equals = strchr(line, '=');
    LP_REQUIRE(equals != NULL && equals != line, LP_ECORRUPT);
    *equals = '\0';
    return LP_VEC_ADD(
        &out->items, (log_property){.name = lp_trim(line), .value = lp_trim(equals + 1)});
}

static lp_err
parse(const char *path, log_properties *out, lp_problem *out_problem)
{
    LP_ASSERT(out->text != NULL);
    unsigned number = 1;
    char *rest = out->text;
    for (char *line; (line = strsep(&rest, "\n")) != NULL; number++) {
        lp_err err = parse_line(out, line);
        if (err != LP_OK) {
            return lp_problem_set(out_problem, err, "%s: line %u: %s", path, number,
                err == LP_ECORRUPT ? "it is not NAME=VALUE" : lp_err_text(err));
        }
    }
    return LP_OK;
}

static lp_err
read_text(const char *path, log_properties *out)
{
    LP_ASSERT(out->text == NULL);
    size_t count;
    out->text = calloc(1, LOG_PROPERTIES_BYTES_MAX + 1);
    LP_REQUIRE(out->text != NULL, LP_ENOMEM);
    lp_err err = lp_io_read_file(path, out->text, LOG_PROPERTIES_BYTES_MAX, &count);
    return err == LP_OK && count == LOG_PROPERTIES_BYTES_MAX ? LP_ELIMIT : err;
}

lp_err
log_properties_read(const char *path, log_properties *out, lp_problem *out_problem)
{
    *out = (log_properties){0};
    if (path[0] == '\0') {
        return LP_OK;
    }
    lp_err err = read_text(path, out);
    LP_REQUIRE(err == LP_OK, lp_problem_set(out_problem, err, "%s: %s", path, lp_err_reason(err)));
    return parse(path, out, out_problem);
}

void
log_properties_fini(log_properties *self)
{
    free(self->text);
    LP_VEC_FINI(&self->items);
    *self = (log_properties){0};
}
