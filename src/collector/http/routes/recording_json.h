// SPDX-License-Identifier: Apache-2.0
// recording_json: a session of the catalog as JSON. It writes text: a list of a thousand sessions
// as jansson's values would take ten times as long.
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/collector/http/routes/test_recording_json.c

#pragma once

#include "collector/http/wire/http_base.h"
#include "collector/store/catalog/catalog.h"
#include "common/base/lp_buf.h"

#include <jansson.h>
#include <stdbool.h>

// recording_json_append appends the object in jansson's format of JSON_INDENT(2), inside `depth`
// arrays or objects. base goes before the download's path. A failure is noted in *to.
void recording_json_append(lp_buf *to, const catalog_session *session, bool is_connected,
    const http_base *base, unsigned depth);

// recording_json_make returns the object as a value, which the caller owns. NULL: out of memory.
json_t *recording_json_make(
    const catalog_session *session, bool is_connected, const http_base *base);
