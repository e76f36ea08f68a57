// SPDX-License-Identifier: Apache-2.0
// http_file_name: the file name of a download: SERVICE-INSTANCE-START.jfr. It never leaves the
// folder or breaks the header, whatever the names of service and instance.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/http/test_http_parts.c

#pragma once

#include "collector/store/catalog/catalog.h"

enum {
    HTTP_FILE_NAME_PART_BYTES_MAX = 96, // of service and of instance; the rest is cut
    // Both parts percent-encoded (3 bytes each) and as ASCII (1), and the text around them.
    HTTP_FILE_NAME_DISPOSITION_BYTES = 4 * 2 * HTTP_FILE_NAME_PART_BYTES_MAX + 160,
};

// http_file_name_format writes the value of Content-Disposition. In filename, characters other than
// letters, digits, '.', '_' and '-' become '_'; if some are not ASCII, filename* (RFC 6266) keeps
// them.
void http_file_name_format(
    const catalog_session *session, char out_disposition[HTTP_FILE_NAME_DISPOSITION_BYTES]);
