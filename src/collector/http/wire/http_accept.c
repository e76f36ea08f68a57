// SPDX-License-Identifier: Apache-2.0
#include "collector/http/wire/http_accept.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_err.h"

#include <string.h>
#include <strings.h>

enum { WEIGHT_MAX = 1000 };

// read_weight returns the number of a "q=" in thousandths; 0 if it is malformed.
static int
read_weight(const char *text)
{
    if (text[0] != '0' && text[0] != '1') {
        return 0;
    }
    int weight = (text[0] - '0') * WEIGHT_MAX;
    int unit = WEIGHT_MAX / 10;
    for (const char *digit = text + 2; text[1] == '.' && *digit >= '0' && *digit <= '9'; digit++) {
        weight += (*digit - '0') * unit;
        unit /= 10;
    }
    return weight > WEIGHT_MAX ? WEIGHT_MAX : weight;
}

// weight_of returns the greatest weight of a type in Accept; -1: not named.
static int
weight_of(const char *accept, const char *type)
{
    int greatest = -1;
    for (const char *item = accept; *item != '\0'; item += *item == ',') {
        item += strspn(item, " \t");
        size_t len = strcspn(item, ",");
        size_t name_len = strcspn(item, ",; \t");
        if (name_len == strlen(type) && strncasecmp(item, type, name_len) == 0) {
            int weight = WEIGHT_MAX;
            for (const char *p = item; (p = memchr(p, ';', (size_t)(item + len - p))) != NULL;) {
                p++;
                p += strspn(p, " \t");
                weight = strncasecmp(p, "q=", 2) == 0 ? read_weight(p + 2) : weight;
            }
            greatest = weight > greatest ? weight : greatest;
        }
        item += len;
    }
    return greatest;
}

bool
http_accept_prefers(const char *accept, const char *type, const char *other)
{
    LP_ASSERT(strcmp(type, other) != 0);
    LP_REQUIRE(accept != NULL, false);
    int weight = weight_of(accept, type);
    return weight > 0 && weight >= weight_of(accept, other);
}
