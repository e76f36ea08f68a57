// SPDX-License-Identifier: Apache-2.0
// A call of Pyroscope's API out of any bytes: it is answered once, after a bounded number of
// questions, and errors have a code.
//
//   input: 1 byte: the procedure; the body

#include "fuzz.h"

#include "collector/grafana/grafana_call.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"

static const char *const names[] = {
    "ProfileTypes",
#define GRAFANA_PROCEDURE(name, message) name,
#include "collector/grafana/grafana_procedures.def"
#undef GRAFANA_PROCEDURE
};

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    LP_REQUIRE(count > 0, 0);
    grafana_call call = {0};
    lp_buf out = {0};
    grafana_call_read(&call, names[bytes[0] % LP_COUNT(names)], (lp_slice){bytes + 1, count - 1});
    size_t asked = 0;
    for (ask_query *query; (query = grafana_call_next(&call)) != NULL; asked++) {
        LP_ASSERT(asked <= GRAFANA_COLUMNS_MAX);
        ask_query_destroy(query);
        static const char answer[] = "{\"total\":5,\"t0_ns\":\"0\",\"columns\":[[[1,2,3]]]}";
        grafana_call_add(&call, (lp_slice){(const uint8_t *)answer, sizeof(answer) - 1});
    }
    grafana_call_write(&call, &out);
    json_t *json = call.status == 200 ? NULL : json_loadb((const char *)out.ptr, out.len, 0, NULL);
    LP_ASSERT(out.is_failed || call.status == 200 || json_object_get(json, "code") != NULL);
    json_decref(json);
    lp_buf_fini(&out);
    grafana_call_fini(&call);
    return 0;
}
