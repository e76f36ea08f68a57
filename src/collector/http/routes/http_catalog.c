// SPDX-License-Identifier: Apache-2.0
#include "collector/http/routes/http_catalog.h"

#include "collector/http/wire/http_reply.h"
#include "common/base/lp_assert.h"

enum MHD_Result
http_catalog_reply_failure(struct MHD_Connection *connection, lp_err err, const char *what)
{
    LP_ASSERT(err != LP_OK);
    switch ((int)err) {
    case LP_ENOENT:
        return http_reply_error(connection, MHD_HTTP_NOT_FOUND,
            "no such recording: /api/v1/recordings lists the recordings");
    case LP_EAGAIN:
    case LP_ELIMIT:
    case LP_ECLOSED:
        return http_reply_error(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
            "%s is not available (%s): try again later", what, lp_err_text(err));
    case LP_ENOMEM:
        return http_reply_out_of_memory(connection);
    default:
        return http_reply_error(connection, MHD_HTTP_INTERNAL_SERVER_ERROR,
            "%s failed (%s): see the collector's log", what, lp_err_text(err));
    }
}
