// SPDX-License-Identifier: Apache-2.0
#include "collector/store/s3/s3_url.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_quote.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define LETTERS "abcdefghijklmnopqrstuvwxyz"
#define DIGITS  "0123456789"

static const char scheme[] = "s3://";
static const char bucket_chars[] = LETTERS DIGITS ".-";
// Safe in every store and path.
static const char prefix_chars[] = LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZ" DIGITS "._-/";
static const char region_chars[] = LETTERS DIGITS "-";
static const char host_chars[] = LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZ" DIGITS ".-:[]";

// copy copies length characters. False: one is not in set, or there are too many.
static bool
copy(char *out, size_t size, const char *text, size_t length, const char *set)
{
    LP_ASSERT(size > 0);
    LP_REQUIRE(length < size && strspn(text, set) >= length, false);
    memcpy(out, text, length);
    out[length] = '\0';
    return true;
}

// parse_prefix parses the prefix after the bucket. It may start and end with a slash.
static bool
parse_prefix(const char *text, size_t length, s3_url *url)
{
    if (length > 0 && text[0] == '/') {
        text++;
        length--;
    }
    length -= length > 0 && text[length - 1] == '/' ? 1 : 0;
    LP_REQUIRE(copy(url->prefix, sizeof(url->prefix) - 1, text, length, prefix_chars), false);
    for (const char *part = url->prefix; length > 0;) {
        size_t chars = strcspn(part, "/");
        bool is_dots = chars <= 2 && strspn(part, ".") == chars; // none, . or ..
        LP_REQUIRE(!is_dots, false);
        if (part[chars] == '\0') {
            break;
        }
        part += chars + 1;
    }
    if (length > 0) {
        url->prefix[length] = '/';
        url->prefix[length + 1] = '\0';
    }
    return true;
}

static bool
parse_endpoint(const char *text, size_t length, s3_url *url)
{
    size_t begin = strncmp(text, "https://", 8) == 0 ? 8 : strncmp(text, "http://", 7) == 0 ? 7 : 0;
    LP_REQUIRE(begin != 0 && length > begin, false);
    length -= text[length - 1] == '/' ? 1 : 0;
    if (length <= begin || length >= sizeof(url->origin) ||
        strspn(text + begin, host_chars) < length - begin) {
        return false;
    }
    memcpy(url->origin, text, length);
    url->origin[length] = '\0';
    return true;
}

static lp_err
parse_parameter(const char *text, size_t length, s3_url *url, lp_problem *out_problem)
{
    static const char endpoint[] = "endpoint=";
    static const char region[] = "region=";
    const size_t endpoint_chars = sizeof(endpoint) - 1;
    const size_t region_chars_count = sizeof(region) - 1;
    if (strncmp(text, endpoint, endpoint_chars) == 0) {
        return parse_endpoint(text + endpoint_chars, length - endpoint_chars, url)
                   ? LP_OK
                   : lp_problem_set(out_problem, LP_ECORRUPT,
                         "the endpoint must be http[s]://HOST[:PORT], without a path");
    }
    if (strncmp(text, region, region_chars_count) == 0) {
        return length > region_chars_count &&
                       copy(url->region, sizeof(url->region), text + region_chars_count,
                           length - region_chars_count, region_chars)
                   ? LP_OK
                   : lp_problem_set(out_problem, LP_ECORRUPT, "the region is malformed");
    }
    return lp_problem_set(out_problem, LP_ECORRUPT,
        "unknown parameter '%s': there are endpoint and region", lp_quote_text(text).text);
}

static lp_err
finish(s3_url *url, const char *region, lp_problem *out_problem)
{
    region = region == NULL ? "us-east-1" : region;
    if (url->region[0] == '\0' &&
        !copy(url->region, sizeof(url->region), region, strlen(region), region_chars)) {
        return lp_problem_set(out_problem, LP_ECORRUPT, "the region is malformed");
    }
    bool is_aws = url->origin[0] == '\0';
    // Certificates cover one label before .s3: a bucket with dots has several.
    bool is_host = is_aws && strchr(url->bucket, '.') == NULL;
    if (is_aws) {
        (void)snprintf(url->origin, sizeof(url->origin), "https://%s%ss3.%s.amazonaws.com",
            is_host ? url->bucket : "", is_host ? "." : "", url->region);
    }
    if (!is_host) {
        (void)snprintf(url->path, sizeof(url->path), "/%s", url->bucket);
    }
    LP_ASSERT(url->bucket[0] != '\0' && url->origin[0] != '\0');
    (void)snprintf(url->name, sizeof(url->name), "%s%s/%s", scheme, url->bucket, url->prefix);
    return LP_OK;
}

lp_err
s3_url_parse(const char *text, const char *region, s3_url *out_url, lp_problem *out_problem)
{
    s3_url url = {.bucket = ""};
    LP_REQUIRE(strncmp(text, scheme, sizeof(scheme) - 1) == 0,
        lp_problem_set(out_problem, LP_ECORRUPT,
            "'%s' must be s3://BUCKET[/PREFIX][?endpoint=URL&region=REGION]",
            lp_quote_text(text).text));
    text += sizeof(scheme) - 1;
    size_t bucket_length = strcspn(text, "/?");
    const char *behind = text + bucket_length;
    size_t prefix_length = strcspn(behind, "?");
    if (bucket_length < 3 ||
        !copy(url.bucket, sizeof(url.bucket), text, bucket_length, bucket_chars)) {
        return lp_problem_set(out_problem, LP_ECORRUPT,
            "the bucket must be 3 to %d characters of a-z, 0-9, . and -", S3_URL_BUCKET_BYTES - 1);
    }
    LP_REQUIRE(parse_prefix(behind, prefix_length, &url),
        lp_problem_set(out_problem, LP_ECORRUPT,
            "the prefix must be names of letters, digits, ., _ and -, with / between, of %d "
            "characters at most",
            S3_URL_PREFIX_BYTES - 3));
    for (behind += prefix_length; *behind != '\0';) {
        behind++; // ? or &
        size_t length = strcspn(behind, "&");
        LP_TRY(parse_parameter(behind, length, &url, out_problem));
        behind += length;
    }
    lp_err err = finish(&url, region, out_problem);
    if (err == LP_OK) {
        *out_url = url;
    }
    return err;
}

const char *
s3_url_get_host(const s3_url *url)
{
    LP_ASSERT(strstr(url->origin, "://") != NULL);
    return strstr(url->origin, "://") + 3;
}
