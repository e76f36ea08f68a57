// SPDX-License-Identifier: Apache-2.0

#include "collector/journal/journal_request.h"

#include <stddef.h>

lp_err
journal_request_next(journal_cursor *cursor, Loupe__Wire__Request **out_request)
{
    lp_slice message;
    lp_err err = journal_cursor_next(cursor, &message);
    if (err == LP_OK) {
        *out_request = loupe__wire__request__unpack(NULL, message.len, message.ptr);
        if (*out_request == NULL) {
            err = LP_ENOMEM; // it could be unpacked before it was written
        }
    }
    return err;
}

void
journal_request_free(Loupe__Wire__Request *request)
{
    loupe__wire__request__free_unpacked(request, NULL);
}
