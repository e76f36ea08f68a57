// SPDX-License-Identifier: Apache-2.0
#include "collector/http/wire/http_target.h"

#include "common/base/lp_assert.h"

#include <string.h>
#include <strings.h>

// find_host returns the host of a target in absolute form. NULL: the target is a path.
static const char *
find_host(const char *text)
{
    static const char *const schemes[] = {"http://", "https://"};
    for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
        size_t len = strlen(schemes[i]);
        if (strncasecmp(text, schemes[i], len) == 0) {
            return text + len;
        }
    }
    return NULL;
}

static void
read_host(http_target *target)
{
    LP_ASSERT(target->prefix_len == 0);
    const char *host = find_host(target->begin);
    if (host == NULL) {
        return;
    }
    size_t len = strcspn(host, "/?#");
    len = len > (size_t)(target->end - host) ? (size_t)(target->end - host) : len;
    target->prefix_len = (size_t)(host + len - target->begin);
    if (len < HTTP_TARGET_HOST_BYTES && memchr(host, '%', len) == NULL) {
        memcpy(target->host, host, len);
    }
}

// find_surplus returns the end of the last allowed parameter. NULL: there are no more.
static const char *
find_surplus(const http_target *target)
{
    LP_ASSERT(target->begin <= target->end);
    const char *at = memchr(target->begin, '?', (size_t)(target->end - target->begin));
    for (size_t count = 0; at != NULL && count < HTTP_TARGET_PARAMETERS_MAX; count++) {
        at++;
        at = memchr(at, '&', (size_t)(target->end - at));
    }
    return at;
}

http_target
http_target_find(const char *text)
{
    http_target target = {.begin = text, .end = text};
    while ((unsigned char)*target.end > 0x20 && *target.end != 0x7f) {
        target.end++;
    }
    read_host(&target);
    target.surplus = find_surplus(&target);
    LP_ASSERT(
        target.surplus == NULL || (target.surplus > target.begin && target.surplus < target.end));
    return target;
}

const char *
http_target_path(const http_target *target, const char *decoded)
{
    LP_ASSERT(target->prefix_len == 0 || target->begin != NULL);
    const char *path = decoded + target->prefix_len;
    return target->prefix_len > 0 && *path == '\0' ? "/" : path;
}
