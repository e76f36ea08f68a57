// SPDX-License-Identifier: Apache-2.0
#include "query/frames/class_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

// The part of a name behind one of these and a $ is generated.
static const char *const markers[] = {
    "$$Lambda",
    "$$EnhancerBySpringCGLIB",
    "$$FastClassBySpringCGLIB",
    "$$SpringCGLIB",
    "$$EnhancerByCGLIB",
    "$$FastClassByCGLIB",
    "$HibernateProxy",
    "$ByteBuddy",
};

// These end in a number.
static const char *const numbered[] = {
    "GeneratedMethodAccessor",
    "GeneratedConstructorAccessor",
    "GeneratedSerializationConstructorAccessor",
    "$Proxy",
};

enum {
    MARKERS = sizeof(markers) / sizeof(markers[0]),
    NUMBERED = sizeof(numbered) / sizeof(numbered[0]),
};

static bool
ends_with(const char *name, size_t len, const char *end)
{
    size_t size = strlen(end);
    return len >= size && memcmp(name + len - size, end, size) == 0;
}

// without_address returns the length up to the address of a hidden class: +0x, .0x or /0x.
static size_t
without_address(const char *name, size_t len)
{
    for (size_t i = 0; i + 3 < len; i++) {
        bool is_mark = name[i] == '+' || name[i] == '.' || name[i] == '/';
        if (is_mark && name[i + 1] == '0' && name[i + 2] == 'x' &&
            isxdigit((unsigned char)name[i + 3])) {
            return i;
        }
    }
    return len;
}

static size_t
without_suffix(const char *name, size_t len)
{
    for (size_t i = 0; i < MARKERS; i++) {
        const char *at = memmem(name, len, markers[i], strlen(markers[i]));
        size_t end = at == NULL ? len : (size_t)(at - name) + strlen(markers[i]);
        if (end < len && name[end] == '$') {
            return end;
        }
    }
    return len;
}

static size_t
without_number(const char *name, size_t len)
{
    size_t end = len;
    while (end > 0 && isdigit((unsigned char)name[end - 1])) {
        end--;
    }
    for (size_t i = 0; i < NUMBERED; i++) {
        if (ends_with(name, end, numbered[i])) {
            return end;
        }
    }
    return len;
}

// join_proxies removes the number of jdk.proxy2, a package of the JVM's proxies.
static size_t
join_proxies(char *name, size_t len)
{
    static const char package[] = "jdk.proxy";
    const size_t begin = sizeof(package) - 1;
    size_t end = begin;
    if (len < begin || memcmp(name, package, begin) != 0) {
        return len;
    }
    while (end < len && isdigit((unsigned char)name[end])) {
        end++;
    }
    if (end < len && name[end] != '.') {
        return len;
    }
    memmove(name + begin, name + end, len - end);
    return len - (end - begin);
}

size_t
query_class_name_join(char *name, size_t len)
{
    if (len == 0) {
        return 0;
    }
    len = without_address(name, len);
    len = without_suffix(name, len);
    len = without_number(name, len);
    return join_proxies(name, len);
}
