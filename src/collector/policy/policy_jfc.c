// SPDX-License-Identifier: Apache-2.0
#include "collector/policy/policy_jfc.h"

#include "collector/policy/policy_setting.h"
#include "common/base/lp_log.h"

#include <errno.h>
#include <expat.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    READ_BYTES = 16 * 1024,
    NAME_BYTES_MAX = 512,   // of an event type or setting; longer ones are not ours
    VALUE_BYTES_MAX = 2048, // of a setting; longer ones are cut, and invalid
};

// What is being read. A name is empty outside its element.
typedef struct jfc_reader {
    policy *policy;
    const char *path;
    XML_Parser parser;
    unsigned depth;
    unsigned event_depth;   // of the <event> that is open, 0: none
    unsigned setting_depth; // of the <setting> that is open, 0: none
    unsigned long setting_line;
    char event_name[NAME_BYTES_MAX + 1];
    char setting_name[NAME_BYTES_MAX + 1];
    char value[VALUE_BYTES_MAX + 1];
    size_t value_len;
    lp_err err; // why parsing was stopped
    lp_problem *out_problem;
} jfc_reader;

static unsigned long
line_of(const jfc_reader *reader)
{
    return (unsigned long)XML_GetCurrentLineNumber(reader->parser);
}

// stop ends the parsing; the first reason counts.
static void
stop(jfc_reader *reader, lp_err err, const char *reason)
{
    if (reader->err == LP_OK) {
        reader->err = lp_problem_set(
            reader->out_problem, err, "%s: line %lu: %s", reader->path, line_of(reader), reason);
        (void)XML_StopParser(reader->parser, XML_FALSE); // fails only when it is stopped already
    }
}

// trim_value cuts white space off both ends, and what would break a log line out of the middle.
static const char *
trim_value(jfc_reader *reader)
{
    static const char space[] = " \t\r\n";
    while (reader->value_len > 0 && strchr(space, reader->value[reader->value_len - 1]) != NULL) {
        reader->value_len--;
    }
    reader->value[reader->value_len] = '\0';
    for (size_t i = 0; i < reader->value_len; i++) {
        if (strchr(space, reader->value[i]) != NULL) {
            reader->value[i] = ' ';
        }
    }
    return reader->value + strspn(reader->value, " ");
}

static void
apply_setting(jfc_reader *reader)
{
    const policy_setting *setting = policy_setting_find(reader->event_name, reader->setting_name);
    if (setting == NULL) {
        return;
    }
    policy_event *event;
    lp_err err = policy_jfc_add_event(reader->policy, reader->event_name, &event);
    if (err != LP_OK) {
        stop(reader, err, err == LP_ELIMIT ? "too many event types" : lp_err_text(err));
        return;
    }
    const char *value = trim_value(reader);
    if (!setting->apply(event, value)) {
        lp_log(LP_LOG_WARN, "%s: line %lu: event type %s, setting %s: '%s' is not %s; %s is used",
            reader->path, reader->setting_line, reader->event_name, setting->name, value,
            setting->valid, setting->stand_in);
    }
}

// --- XML.

// copy_name gives the value of the attribute `name`; false if there is none or it is too long.
static bool
copy_name(char out_name[NAME_BYTES_MAX + 1], const char **attributes)
{
    for (; attributes[0] != NULL; attributes += 2) {
        if (strcmp(attributes[0], "name") == 0) {
            size_t len = strlen(attributes[1]);
            if (len == 0 || len > NAME_BYTES_MAX) {
                return false;
            }
            memcpy(out_name, attributes[1], len + 1);
            return true;
        }
    }
    return false;
}

static void
on_start(void *arg, const char *element, const char **attributes)
{
    jfc_reader *reader = arg;
    reader->depth++;
    if (reader->depth == 1) {
        if (strcmp(element, "configuration") != 0) {
            stop(reader, LP_ECORRUPT, "the root element is not <configuration>");
        }
    } else if (reader->event_depth == 0 && strcmp(element, "event") == 0) {
        if (copy_name(reader->event_name, attributes)) {
            reader->event_depth = reader->depth;
        } else {
            lp_log(LP_LOG_WARN, "%s: line %lu: an event without a name is passed over",
                reader->path, line_of(reader));
        }
    } else if (reader->event_depth != 0 && reader->depth == reader->event_depth + 1 &&
               strcmp(element, "setting") == 0 && copy_name(reader->setting_name, attributes)) {
        reader->setting_depth = reader->depth;
        reader->setting_line = line_of(reader);
        reader->value_len = 0;
    }
}

static void
on_text(void *arg, const char *text, int len)
{
    jfc_reader *reader = arg;
    if (reader->setting_depth == 0 || reader->depth != reader->setting_depth) {
        return;
    }
    size_t room = VALUE_BYTES_MAX - reader->value_len;
    size_t count = (size_t)len < room ? (size_t)len : room;
    memcpy(reader->value + reader->value_len, text, count);
    reader->value_len += count;
}

static void
on_end(void *arg, const char *element)
{
    (void)element;
    jfc_reader *reader = arg;
    if (reader->depth == reader->setting_depth) {
        apply_setting(reader);
        reader->setting_depth = 0;
    } else if (reader->depth == reader->event_depth) {
        reader->event_depth = 0;
    }
    reader->depth--;
}

// Without a document type declaration there are no entities but the five of XML, so nothing expands
// and nothing outside the file is read.
static void
on_doctype(
    void *arg, const char *name, const char *system_id, const char *public_id, int has_subset)
{
    (void)name;
    (void)system_id;
    (void)public_id;
    (void)has_subset;
    stop(arg, LP_ECORRUPT, "a document type declaration is not allowed");
}

static lp_err
parse_file(jfc_reader *reader, int fd)
{
    size_t total = 0;
    ssize_t count;
    do {
        void *bytes = XML_GetBuffer(reader->parser, READ_BYTES);
        if (bytes == NULL) {
            return lp_problem_set(
                reader->out_problem, LP_ENOMEM, "%s: out of memory", reader->path);
        }
        do {
            count = read(fd, bytes, READ_BYTES);
        } while (count < 0 && errno == EINTR);
        if (count < 0) {
            return lp_problem_set(
                reader->out_problem, LP_EIO, "%s: %s", reader->path, strerror(errno));
        }
        total += (size_t)count;
        if (total > POLICY_FILE_BYTES_MAX) {
            return lp_problem_set(reader->out_problem, LP_ELIMIT, "%s: larger than %d bytes",
                reader->path, POLICY_FILE_BYTES_MAX);
        }
        if (XML_ParseBuffer(reader->parser, (int)count, count == 0) == XML_STATUS_ERROR) {
            enum XML_Error code = XML_GetErrorCode(reader->parser);
            stop(reader, code == XML_ERROR_NO_MEMORY ? LP_ENOMEM : LP_ECORRUPT,
                XML_ErrorString(code));
            return reader->err;
        }
    } while (count > 0);
    return reader->err;
}

lp_err
policy_read(policy *self, const char *path, lp_problem *out_problem)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        lp_err err = errno == ENOENT ? LP_ENOENT : LP_EIO;
        return lp_problem_set(out_problem, err, "%s: %s", path, strerror(errno));
    }
    jfc_reader reader = {
        .policy = self, .path = path, .parser = XML_ParserCreate(NULL), .out_problem = out_problem};
    lp_err err;
    if (reader.parser == NULL || policy_jfc_set_path(self, path) != LP_OK) {
        err = lp_problem_set(out_problem, LP_ENOMEM, "%s: out of memory", path);
    } else {
        XML_SetUserData(reader.parser, &reader);
        XML_SetElementHandler(reader.parser, on_start, on_end);
        XML_SetCharacterDataHandler(reader.parser, on_text);
        XML_SetStartDoctypeDeclHandler(reader.parser, on_doctype);
        err = parse_file(&reader, fd);
    }
    XML_ParserFree(reader.parser); // NULL is fine
    (void)close(fd);
    return err;
}
