// SPDX-License-Identifier: Apache-2.0
#include "common/base/lp_byte_count.h"

#include "common/base/lp_err.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool
lp_byte_count_parse(const char *text, uint64_t *out)
{
    static const char units[] = "KMGT";
    char *end;
    LP_REQUIRE(*text >= '0' && *text <= '9', false);
    errno = 0;
    unsigned long long count = strtoull(text, &end, 10);
    unsigned shift = 0;
    const char *unit = *end == '\0' ? NULL : strchr(units, *end);
    if (unit != NULL) {
        shift = 10 * (unsigned)(unit - units + 1);
        end++;
    }
    LP_REQUIRE(
        errno == 0 && *end == '\0' && count <= (unsigned long long)INT64_MAX >> shift, false);
    *out = (uint64_t)count << shift;
    return true;
}
