// SPDX-License-Identifier: Apache-2.0
#include "collector/http/http_target.h"

http_target
http_target_find(const char *text)
{
    const char *end = text;
    while ((unsigned char)*end > 0x20 && *end != 0x7f) {
        end++;
    }
    return (http_target){text, end};
}
