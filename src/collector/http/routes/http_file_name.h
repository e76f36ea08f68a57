// SPDX-License-Identifier: Apache-2.0
// http_file_name: the file name that a download suggests: SERVICE-INSTANCE-START.jfr. Nothing in it
// can leave the folder or break the header, whatever service and instance are called.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/http/test_http_parts.c

#ifndef LP_COLLECTOR_HTTP_HTTP_FILE_NAME_H
#define LP_COLLECTOR_HTTP_HTTP_FILE_NAME_H

#include "collector/store/catalog/catalog.h"

enum {
    HTTP_FILE_NAME_PART_BYTES_MAX = 96, // of service and instance each; the rest is cut off
    // Every byte of both parts percent-encoded, once more as ASCII, and the text around them.
    HTTP_FILE_NAME_DISPOSITION_BYTES = 4 * 2 * HTTP_FILE_NAME_PART_BYTES_MAX + 160,
};

// http_file_name_format writes the value of Content-Disposition. Other characters than letters,
// digits, '.', '_' and '-' become '_' in filename; where some of them are not ASCII, filename* (RFC
// 6266) has them.
void http_file_name_format(
    const catalog_session *session, char out_disposition[HTTP_FILE_NAME_DISPOSITION_BYTES]);

#endif // LP_COLLECTOR_HTTP_HTTP_FILE_NAME_H
