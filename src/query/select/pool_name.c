// SPDX-License-Identifier: Apache-2.0
#include "query/select/pool_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void
query_pool_name(const char *thread_name, char out_name[QUERY_POOL_NAME_BYTES])
{
    size_t len = strlen(thread_name);
    size_t end = len;
    while (end > 0 && isdigit((unsigned char)thread_name[end - 1])) {
        end--;
    }
    bool is_one_of = end > 0 && end < len && end < QUERY_POOL_NAME_BYTES - 1;
    size_t shown = is_one_of ? end : len;
    (void)snprintf(
        out_name, QUERY_POOL_NAME_BYTES, "%.*s%s", (int)shown, thread_name, is_one_of ? "*" : "");
}
