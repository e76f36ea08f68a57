// SPDX-License-Identifier: Apache-2.0
#include "common/base/lp_time.h"

#include "common/base/lp_err.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const int64_t NS_PER_S = 1000000000;

static int64_t
read_clock(clockid_t clock)
{
    struct timespec now;
    (void)clock_gettime(clock, &now); // cannot fail for these clocks
    return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

int64_t
lp_time_now(void)
{
    return read_clock(CLOCK_REALTIME);
}

int64_t
lp_time_mono_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

int64_t
lp_time_mono_ms(void)
{
    return lp_time_mono_ns() / 1000000;
}

// split returns whole seconds (rounded down) and the rest.
static struct tm
split(int64_t wall_ns, int64_t *out_rest_ns)
{
    time_t seconds = wall_ns / NS_PER_S;
    int64_t rest_ns = wall_ns % NS_PER_S;
    if (rest_ns < 0) {
        rest_ns += NS_PER_S;
        seconds--;
    }
    struct tm utc;
    (void)gmtime_r(&seconds, &utc); // 64 bits of nanoseconds end in the year 2262
    *out_rest_ns = rest_ns;
    return utc;
}

void
lp_time_format(int64_t wall_ns, char out_text[LP_TIME_BYTES])
{
    int64_t rest_ns;
    struct tm utc = split(wall_ns, &rest_ns);
    size_t len = strftime(out_text, LP_TIME_BYTES, "%Y-%m-%dT%H:%M:%S", &utc);
    (void)snprintf(out_text + len, LP_TIME_BYTES - len, ".%09dZ", (int)rest_ns);
}

void
lp_time_format_compact(int64_t wall_ns, char out_text[LP_TIME_COMPACT_BYTES])
{
    int64_t rest_ns;
    struct tm utc = split(wall_ns, &rest_ns);
    (void)strftime(out_text, LP_TIME_COMPACT_BYTES, "%Y%m%dT%H%M%SZ", &utc);
}

// take_digits reads exactly count digits.
static bool
take_digits(const char **text, int count, int *out_value)
{
    int value = 0;
    for (int i = 0; i < count; i++, (*text)++) {
        LP_REQUIRE(**text >= '0' && **text <= '9', false);
        value = value * 10 + (**text - '0');
    }
    *out_value = value;
    return true;
}

static bool
take_char(const char **text, const char *any_of)
{
    LP_REQUIRE(**text != '\0' && strchr(any_of, **text) != NULL, false);
    (*text)++;
    return true;
}

static bool
take_fraction(const char **text, int64_t *out_ns)
{
    int64_t ns = 0;
    int digit_count = 0;
    if (take_char(text, ".")) {
        for (; **text >= '0' && **text <= '9'; (*text)++, digit_count++) {
            LP_REQUIRE(digit_count != 9, false);
            ns = ns * 10 + (**text - '0');
        }
        LP_REQUIRE(digit_count != 0, false);
    }
    for (; digit_count < 9; digit_count++) {
        ns *= 10;
    }
    *out_ns = ns;
    return true;
}

static bool
take_offset(const char **text, int64_t *out_seconds)
{
    if (take_char(text, "Zz")) {
        *out_seconds = 0;
        return true;
    }
    bool is_west = **text == '-';
    int hours;
    int minutes;
    if (!take_char(text, "+- ") || !take_digits(text, 2, &hours) || !take_char(text, ":") ||
        !take_digits(text, 2, &minutes) || hours > 23 || minutes > 59) {
        return false;
    }
    *out_seconds = (int64_t)(hours * 60 + minutes) * (is_west ? -60 : 60);
    return true;
}

static bool
parse_rfc3339(const char *text, int64_t *out_wall_ns)
{
    struct tm utc = {0};
    int64_t fraction_ns;
    int64_t offset_s;
    if (!take_digits(&text, 4, &utc.tm_year) || !take_char(&text, "-") ||
        !take_digits(&text, 2, &utc.tm_mon) || !take_char(&text, "-") ||
        !take_digits(&text, 2, &utc.tm_mday) || !take_char(&text, "Tt ") ||
        !take_digits(&text, 2, &utc.tm_hour) || !take_char(&text, ":") ||
        !take_digits(&text, 2, &utc.tm_min) || !take_char(&text, ":") ||
        !take_digits(&text, 2, &utc.tm_sec) || !take_fraction(&text, &fraction_ns) ||
        !take_offset(&text, &offset_s) || *text != '\0') {
        return false;
    }
    // timegm would carry a value that is too large over into the next field.
    int month = utc.tm_mon;
    int day = utc.tm_mday;
    if (utc.tm_hour > 23 || utc.tm_min > 59 || utc.tm_sec > 60) { // 60: a leap second
        return false;
    }
    utc.tm_year -= 1900;
    utc.tm_mon--;
    struct tm date = {.tm_year = utc.tm_year, .tm_mon = utc.tm_mon, .tm_mday = day};
    (void)timegm(&date);
    LP_REQUIRE(date.tm_mon == month - 1 && date.tm_mday == day, false);
    int64_t seconds = (int64_t)timegm(&utc) - offset_s;
    return !__builtin_mul_overflow(seconds, NS_PER_S, out_wall_ns) &&
           !__builtin_add_overflow(*out_wall_ns, fraction_ns, out_wall_ns);
}

bool
lp_time_parse(const char *text, int64_t *out_wall_ns)
{
    int64_t wall_ns;
    size_t digit_count = strspn(text, "0123456789");
    if (digit_count > 0 && text[digit_count] == '\0') {
        errno = 0;
        wall_ns = strtoll(text, NULL, 10);
        LP_REQUIRE(errno == 0, false);
    } else if (!parse_rfc3339(text, &wall_ns)) {
        return false;
    }
    LP_REQUIRE(wall_ns >= LP_TIME_WALL_NS_MIN, false);
    *out_wall_ns = wall_ns;
    return true;
}
