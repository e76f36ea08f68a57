// SPDX-License-Identifier: Apache-2.0

#include "common/base/lp_log.h"

#include "common/base/lp_printable.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *const level_names[] = {"error", "warn", "info", "debug"};
static const char *log_who = "loupe";
static lp_log_level log_level_max = LP_LOG_INFO;

void
lp_log_init(const char *who, lp_log_level level_max)
{
    log_who = who;
    log_level_max = level_max;
}

int
lp_log_level_parse(const char *text)
{
    for (size_t i = 0; i < sizeof(level_names) / sizeof(level_names[0]); i++) {
        if (strcmp(text, level_names[i]) == 0) {
            return (int)i;
        }
    }
    return -1;
}

void
lp_log(lp_log_level level, const char *format, ...)
{
    if (level > log_level_max) {
        return;
    }
    // One buffer and one write, so that lines of several threads do not mix.
    char line[1024];
    struct timespec now;
    struct tm utc;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    (void)gmtime_r(&now.tv_sec, &utc);
    size_t len = strftime(line, sizeof(line), "%Y-%m-%dT%H:%M:%S", &utc);
    len += (size_t)snprintf(line + len, sizeof(line) - len,
        ".%03ldZ %s %s: ", now.tv_nsec / 1000000, level_names[level], log_who);

    char text[sizeof(line)] = "";
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    len += lp_printable(text, line + len, sizeof(line) - len);
    line[len++] = '\n';
    ssize_t written = write(STDERR_FILENO, line, len);
    (void)written; // nowhere left to report it
}
