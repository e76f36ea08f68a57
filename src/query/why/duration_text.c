// SPDX-License-Identifier: Apache-2.0
#include "query/why/duration_text.h"

#include <stddef.h>
#include <stdio.h>

void
query_duration_text(int64_t ns, char out_text[QUERY_DURATION_BYTES])
{
    static const struct {
        int64_t ns;
        const char *name;
    } units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "us"}, {1, "ns"}};
    size_t i = 0;
    while (units[i].ns > 1 && ns < units[i].ns) {
        i++;
    }
    double value = (double)ns / (double)units[i].ns;
    int decimals = units[i].ns == 1 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    (void)snprintf(out_text, QUERY_DURATION_BYTES, "%.*f %s", decimals, value, units[i].name);
}
