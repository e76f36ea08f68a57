// SPDX-License-Identifier: Apache-2.0
#include "collector/http/routes/http_removal.h"

#include "collector/base/loopback.h"
#include "collector/http/routes/http_catalog.h"
#include "collector/http/wire/http_reply.h"

bool
http_removal_is_local(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return loopback_has_address(info == NULL ? NULL : info->client_addr);
}

enum MHD_Result
http_removal_reply(struct MHD_Connection *connection, const snapshot *done)
{
    if (done->err == LP_OK) {
        return http_reply_empty(connection, MHD_HTTP_NO_CONTENT);
    }
    if (done->err == LP_EAGAIN) {
        return http_reply_error(connection, MHD_HTTP_CONFLICT,
            "the recording is still running, or not all of it is compacted: try again later");
    }
    return http_catalog_reply_failure(connection, done->err, "removing the recording");
}
