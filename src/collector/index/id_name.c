// SPDX-License-Identifier: Apache-2.0
#include "collector/index/id_name.h"

#include "common/base/lp_time.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const int64_t NS_PER_S = 1000000000;

void
id_name_hour(int64_t wall_ns, char out_text[ID_NAME_HOUR_CHARS + 1])
{
    const int64_t now_wall_ns = lp_time_now();
    wall_ns = wall_ns > now_wall_ns ? now_wall_ns : wall_ns;
    time_t s = (time_t)(wall_ns / NS_PER_S);
    struct tm utc;
    if (wall_ns < 0 || gmtime_r(&s, &utc) == NULL ||
        strftime(out_text, ID_NAME_HOUR_CHARS + 1, "%Y%m%d%H", &utc) != ID_NAME_HOUR_CHARS) {
        memset(out_text, '0', ID_NAME_HOUR_CHARS); // before 1970: with the oldest
        out_text[ID_NAME_HOUR_CHARS] = '\0';
    }
}

static size_t
stem_of(const char *name)
{
    return strcspn(name, ".");
}

bool
id_name_is_segment(const char *name)
{
    size_t digits = strspn(name, "0123456789");
    const char *rest = name + digits;
    if (digits == ID_NAME_HOUR_CHARS && rest[0] == '-') {
        rest += 1 + strspn(rest + 1, "0123456789");
    } else if (digits != ID_NAME_HOUR_CHARS && digits != ID_NAME_DAY_CHARS) {
        return false;
    }
    return strcmp(rest, ".ids") == 0 && strlen(name) < ID_NAME_BYTES;
}

bool
id_name_is_run(const char *name)
{
    return stem_of(name) > ID_NAME_HOUR_CHARS && name[ID_NAME_HOUR_CHARS] == '-';
}

bool
id_name_is_hour(const char *name)
{
    return stem_of(name) == ID_NAME_HOUR_CHARS;
}

bool
id_name_has_hour(const char *name)
{
    return stem_of(name) > ID_NAME_DAY_CHARS;
}

uint32_t
id_name_segment_number(const char *name)
{
    return (uint32_t)strtoul(name + ID_NAME_HOUR_CHARS + 1, NULL, 10);
}

int64_t
id_name_run_number(const char *name)
{
    static const char prefix[] = "run-";
    if (strncmp(name, prefix, sizeof(prefix) - 1) != 0) {
        return -1;
    }
    const char *number = name + sizeof(prefix) - 1;
    size_t digits = strspn(number, "0123456789");
    bool is_log = digits > 0 && digits < 10 && strcmp(number + digits, ".log") == 0;
    return is_log ? strtol(number, NULL, 10) : -1;
}
