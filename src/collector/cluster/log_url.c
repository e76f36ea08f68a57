// SPDX-License-Identifier: Apache-2.0

#include "collector/cluster/log_url.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_io.h"
#include "common/base/lp_quote.h"
#include "common/base/lp_trim.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS  "0123456789"

static const char scheme[] = "kafka://";
static const char broker_chars[] = LETTERS DIGITS ".-_:[],";
static const char name_chars[] = LETTERS DIGITS "._-"; // Kafka allows these in topics

// copy copies length characters of text if all are in set (NULL: any), and they are at least one
// and fit. Returns false otherwise.
static bool
copy(char *out, size_t size, const char *text, size_t length, const char *set)
{
    LP_ASSERT(size > 0);
    if (length == 0 || length >= size || (set != NULL && strspn(text, set) < length)) {
        return false;
    }
    memcpy(out, text, length);
    out[length] = '\0';
    return true;
}

static bool
is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static lp_err
parse_parameter(const char *text, size_t length, log_url *url, lp_problem *out_problem)
{
    LP_ASSERT(length == strcspn(text, "&"));
    static const char group[] = "group=";
    static const char config[] = "config=";
    const size_t group_chars = sizeof(group) - 1;
    const size_t config_chars = sizeof(config) - 1;
    if (strncmp(text, group, group_chars) == 0) {
        return copy(url->group, sizeof(url->group), text + group_chars, length - group_chars,
                   name_chars)
                   ? LP_OK
                   : lp_problem_set(out_problem, LP_ECORRUPT,
                         "a group has letters, digits, '.', '_' and '-', at most %d",
                         LOG_URL_NAME_BYTES - 1);
    }
    if (strncmp(text, config, config_chars) == 0) {
        return copy(url->config, sizeof(url->config), text + config_chars, length - config_chars,
                   NULL)
                   ? LP_OK
                   : lp_problem_set(out_problem, LP_ECORRUPT,
                         "config needs a path of 1 to %d characters", LOG_URL_PATH_BYTES - 1);
    }
    return lp_problem_set(out_problem, LP_ECORRUPT,
        "unknown parameter '%s': allowed are group and config", lp_quote_text(text).text);
}

static lp_err
parse_parameters(const char *text, log_url *url, lp_problem *out_problem)
{
    for (;;) {
        size_t length = strcspn(text, "&");
        lp_err err = parse_parameter(text, length, url, out_problem);
        if (err != LP_OK || text[length] == '\0') {
            return err;
        }
        text += length + 1;
    }
}

lp_err
log_url_parse(const char *text, log_url *out_url, lp_problem *out_problem)
{
    log_url url = {.group = LOG_URL_GROUP};
    const size_t scheme_chars = sizeof(scheme) - 1;
    LP_REQUIRE(strncmp(text, scheme, scheme_chars) == 0,
        lp_problem_set(out_problem, LP_ECORRUPT,
            "must be kafka://HOST:PORT[,HOST:PORT...]/TOPIC[?group=NAME&config=FILE]"));
    text += scheme_chars;
    size_t length = strcspn(text, "/?");
    LP_REQUIRE(copy(url.brokers, sizeof(url.brokers), text, length, broker_chars),
        lp_problem_set(out_problem, LP_ECORRUPT,
            "brokers are HOST or HOST:PORT, separated by commas, at most %d characters",
            LOG_URL_BROKERS_BYTES - 1));
    text += length + (text[length] == '/' ? 1 : 0);
    length = strcspn(text, "?");
    LP_REQUIRE(copy(url.topic, sizeof(url.topic), text, length, name_chars) && !is_dots(url.topic),
        lp_problem_set(out_problem, LP_ECORRUPT,
            "the topic after the brokers has letters, digits, '.', '_' and '-', at most %d",
            LOG_URL_NAME_BYTES - 1));
    lp_err err =
        text[length] == '?' ? parse_parameters(text + length + 1, &url, out_problem) : LP_OK;
    if (err == LP_OK) {
        LP_ASSERT(url.topic[0] != '\0' && url.group[0] != '\0');
        *out_url = url;
    }
    return err;
}

void
log_url_format(const log_url *url, char out_title[LOG_URL_TITLE_BYTES])
{
    out_title[0] = '\0';
    if (url != NULL) {
        (void)snprintf(
            out_title, LOG_URL_TITLE_BYTES, "kafka topic %s group %s", url->topic, url->group);
    }
    LP_ASSERT(strlen(out_title) < LOG_URL_TITLE_BYTES - 1);
}

// --- The file of properties

static lp_err
parse_line(log_url_properties *out, char *line)
{
    LP_ASSERT(line != NULL);
    line = lp_trim(line);
    if (line[0] == '\0' || line[0] == '#') {
        return LP_OK;
    }
    char *equals = strchr(line, '=');
    LP_REQUIRE(equals != NULL && equals != line, LP_ECORRUPT);
    *equals = '\0';
    return LP_VEC_ADD(
        &out->items, (log_url_property){.name = lp_trim(line), .value = lp_trim(equals + 1)});
}

static lp_err
parse_text(const char *path, log_url_properties *out, lp_problem *out_problem)
{
    LP_ASSERT(out->text != NULL);
    unsigned number = 1;
    char *rest = out->text;
    for (char *line; (line = strsep(&rest, "\n")) != NULL; number++) {
        lp_err err = parse_line(out, line);
        if (err != LP_OK) {
            return lp_problem_set(out_problem, err, "%s: line %u: %s", path, number,
                err == LP_ECORRUPT ? "it is not NAME=VALUE" : lp_err_text(err));
        }
    }
    return LP_OK;
}

static lp_err
read_text(const char *path, log_url_properties *out)
{
    LP_ASSERT(out->text == NULL);
    size_t count;
    out->text = calloc(1, LOG_URL_PROPERTIES_BYTES_MAX + 1);
    LP_REQUIRE(out->text != NULL, LP_ENOMEM);
    lp_err err = lp_io_read_file(path, out->text, LOG_URL_PROPERTIES_BYTES_MAX, &count);
    return err == LP_OK && count == LOG_URL_PROPERTIES_BYTES_MAX ? LP_ELIMIT : err;
}

lp_err
log_url_read_properties(const char *path, log_url_properties *out, lp_problem *out_problem)
{
    *out = (log_url_properties){0};
    if (path[0] == '\0') {
        return LP_OK;
    }
    lp_err err = read_text(path, out);
    LP_REQUIRE(err == LP_OK, lp_problem_set(out_problem, err, "%s: %s", path, lp_err_reason(err)));
    return parse_text(path, out, out_problem);
}

void
log_url_properties_fini(log_url_properties *self)
{
    free(self->text);
    LP_VEC_FINI(&self->items);
    *self = (log_url_properties){0};
}
