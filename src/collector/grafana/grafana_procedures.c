// SPDX-License-Identifier: Apache-2.0
#include "collector/grafana/grafana_procedures.h"

#include "pyroscope.pb-c.h"

#include "collector/grafana/grafana_types.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"

#include <string.h>

static lp_err
ask_profile_types(grafana_work *work, ask_query **out_query)
{
    LP_ASSERT(work->asked == 0);
    (void)out_query;
    json_t *list = json_array();
    const grafana_type *type = NULL;
    for (size_t i = 0; (type = grafana_types_get(i)) != NULL; i++) {
        (void)json_array_append_new(list, grafana_types_json(type));
    }
    return json_object_set_new(work->out, "profileTypes", list) == 0 ? LP_EEND : LP_ENOMEM;
}

static const grafana_procedure procedures[] = {
    {"ProfileTypes", &querier__v1__profile_types_request__descriptor,
        &querier__v1__profile_types_response__descriptor, ask_profile_types, NULL},
#define GRAFANA_PROCEDURE(name, message)                                                           \
    {name, &querier__v1__##message##_request__descriptor,                                          \
        &querier__v1__##message##_response__descriptor, grafana_ask_##message,                     \
        grafana_add_##message},
#include "collector/grafana/grafana_procedures.def"
#undef GRAFANA_PROCEDURE
};

const grafana_procedure *
grafana_procedures_find(const char *name)
{
    return LP_FIND(procedures, LP_COUNT(procedures), strcmp(at->name, name) == 0);
}
