// SPDX-License-Identifier: Apache-2.0
// recording_json: a session of the catalog as the JSON of its recording. A list has a thousand of
// them, which as values of jansson's would take ten times as long.
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/collector/http/routes/test_recording_json.c

#ifndef LP_COLLECTOR_HTTP_RECORDING_JSON_H
#define LP_COLLECTOR_HTTP_RECORDING_JSON_H

#include "collector/http/wire/http_base.h"
#include "collector/store/catalog/catalog.h"
#include "common/base/lp_buf.h"

#include <jansson.h>
#include <stdbool.h>

// Both: base is in front of the path of its file.

// recording_json_append appends the object as jansson writes it with JSON_INDENT(2) where depth
// arrays or objects are around it. A failure is in to.
void recording_json_append(lp_buf *to, const catalog_session *session, bool is_connected,
    const http_base *base, unsigned depth);

// recording_json_make returns it as a value, which the caller owns. NULL: memory ran out.
json_t *recording_json_make(
    const catalog_session *session, bool is_connected, const http_base *base);

#endif // LP_COLLECTOR_HTTP_RECORDING_JSON_H
