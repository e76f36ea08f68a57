// SPDX-License-Identifier: Apache-2.0
#include "policy/policy_jfc.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_buf.h"
#include "policy/policy_known.h"
#include "policy/policy_name.h"
#include "policy/policy_store.h"
#include "policy/policy_text.h"

#include <expat.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    VALUE_BYTES_MAX = 64 * 1024, // of a setting; longer ones are ignored
    WARNING_BYTES = 2048,
};

static const char with_context[] = "withContext"; // also an attribute of an event

// The place in the file. A name is empty outside its element.
typedef struct jfc_reader {
    policy *policy;
    const char *path;
    const policy_jfc_listener *listener;
    XML_Parser parser;
    unsigned depth;
    unsigned event_depth;   // of the open <event>; 0: none
    unsigned setting_depth; // of the open <setting>; 0: none
    unsigned long setting_line;
    char event_name[POLICY_NAME_BYTES_MAX + 1];
    char setting_name[POLICY_NAME_BYTES_MAX + 1];
    lp_buf value;
    lp_err err; // why parsing was stopped
    lp_problem *out_problem;
} jfc_reader;

static unsigned long
line_of(const jfc_reader *reader)
{
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9 // they deprecate the other function
    return (unsigned long)XML_GetCurrentLineNumber64(reader->parser);
#else
    return (unsigned long)XML_GetCurrentLineNumber(reader->parser);
#endif
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

// trim_value trims white space, and replaces tabs and line ends by blanks. NULL if memory ran out.
static const char *
trim_value(lp_buf *value)
{
    lp_buf_append(value, "", 1);
    LP_REQUIRE(!value->is_failed, NULL);
    char *text = (char *)value->ptr;
    for (char *at = text; *(at += strcspn(at, "\t\r\n")) != '\0';) {
        *at = ' ';
    }
    for (size_t len = value->len - 1; len > 0 && text[len - 1] == ' ';) {
        text[--len] = '\0';
    }
    return text + strspn(text, " ");
}

static void __attribute__((format(printf, 2, 3)))
warn(const jfc_reader *reader, const char *format, ...)
{
    char text[WARNING_BYTES];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    reader->listener->on_warning(reader->listener->arg, text);
}

// check_other warns of mistakes in a setting that is valid for Loupe or not Loupe's.
static void
check_other(const jfc_reader *reader, const policy_line *line)
{
    const char *valid = policy_known_invalid(line->event, line->setting, line->value);
    const char *owner = policy_known_owner(line->event, line->setting);
    const char *meant;
    if (valid != NULL) {
        warn(reader, "line %lu: event type %s, setting %s: invalid value '%.200s', expected %s",
            line->number, line->event, line->setting, line->value, valid);
    } else if (owner != NULL) {
        warn(reader,
            "line %lu: event type %s, setting %s: a pattern cannot set it; use the name %s",
            line->number, line->event, line->setting, owner);
    } else if (policy_known_is_mistaken(line->event, line->setting, &meant)) {
        warn(reader, "line %lu: event type %s: unknown setting %s" POLICY_KNOWN_HINT, line->number,
            line->event, line->setting, POLICY_KNOWN_HINT_ARGS(meant));
    }
}

static void
apply_value(jfc_reader *reader, const char *setting, unsigned long number)
{
    if (reader->value.len > VALUE_BYTES_MAX) {
        warn(reader, "line %lu: event type %s, setting %s: value longer than %d bytes; ignored",
            number, reader->event_name, setting, VALUE_BYTES_MAX);
        return;
    }
    const policy_line line = {
        .event = reader->event_name,
        .setting = setting,
        .value = trim_value(&reader->value),
        .number = number,
    };
    policy_invalid invalid = {0};
    lp_err err = line.value == NULL ? LP_ENOMEM : policy_store_add(reader->policy, &line, &invalid);
    if (err != LP_OK) {
        stop(reader, err, err == LP_ELIMIT ? "too many event types or patterns" : lp_err_text(err));
    } else if (invalid.valid != NULL) {
        warn(reader,
            "line %lu: event type %s, setting %s: invalid value '%.200s', expected %s; using %s",
            line.number, line.event, line.setting, line.value, invalid.valid, invalid.stand_in);
    } else if (reader->listener->is_thorough) {
        check_other(reader, &line);
    }
}

// --- XML.

// find_attribute returns the value of an attribute; NULL: none.
static const char *
find_attribute(const char **attributes, const char *name)
{
    while (attributes[0] != NULL && strcmp(attributes[0], name) != 0) {
        attributes += 2;
    }
    return attributes[0] == NULL ? NULL : attributes[1];
}

// copy_name copies the value of the attribute `name`; false if there is none or it is too long.
static bool
copy_name(char out_name[POLICY_NAME_BYTES_MAX + 1], const char **attributes)
{
    const char *name = find_attribute(attributes, "name");
    size_t len = name == NULL ? 0 : strlen(name);
    LP_REQUIRE(len != 0 && len <= POLICY_NAME_BYTES_MAX, false);
    memcpy(out_name, name, len + 1);
    return true;
}

// has_version returns whether JFR reads a configuration with these attributes.
static bool
has_version(const char **attributes)
{
    const char *version = find_attribute(attributes, "version");
    return version != NULL && strncmp(version, "2.", 2) == 0;
}

static void
check_event(const jfc_reader *reader)
{
    const char *meant;
    if (policy_known_is_no_event(reader->event_name, &meant)) {
        warn(reader, "line %lu: event type %s: not in JDK 17 to 25" POLICY_KNOWN_HINT,
            line_of(reader), reader->event_name, POLICY_KNOWN_HINT_ARGS(meant));
    }
}

static void
start_event(jfc_reader *reader, const char **attributes)
{
    if (!copy_name(reader->event_name, attributes)) {
        warn(reader, "line %lu: event without a valid name; ignored", line_of(reader));
        return;
    }
    reader->event_depth = reader->depth;
    if (reader->listener->is_thorough) {
        check_event(reader);
    }
    const char *value = find_attribute(attributes, with_context); // XML has each once
    if (value != NULL) {
        lp_buf_clear(&reader->value);
        lp_buf_append(&reader->value, value, strlen(value));
        apply_value(reader, with_context, line_of(reader));
    }
}

static void
start_setting(jfc_reader *reader, const char *element, const char **attributes)
{
    if (strcmp(element, "setting") != 0) {
        if (reader->listener->is_thorough) {
            warn(reader, "line %lu: event type %s: unknown element <%.200s>; ignored",
                line_of(reader), reader->event_name, element);
        }
    } else if (copy_name(reader->setting_name, attributes)) {
        reader->setting_depth = reader->depth;
        reader->setting_line = line_of(reader);
        lp_buf_clear(&reader->value);
    } else {
        warn(reader, "line %lu: event type %s: setting without a valid name; ignored",
            line_of(reader), reader->event_name);
    }
}

static void
on_start(void *arg, const char *element, const char **attributes)
{
    jfc_reader *reader = arg;
    reader->depth++;
    if (reader->depth == 1) {
        if (strcmp(element, "configuration") != 0) {
            stop(reader, LP_ECORRUPT, "the root element is not <configuration>");
        } else if (reader->listener->is_thorough && !has_version(attributes)) {
            warn(reader, "line %lu: the version is not 2.x; JFR itself refuses the file",
                line_of(reader));
        }
    } else if (reader->event_depth == 0 && strcmp(element, "event") == 0) {
        start_event(reader, attributes);
    } else if (reader->event_depth != 0 && reader->depth == reader->event_depth + 1) {
        start_setting(reader, element, attributes);
    }
}

static void
on_text(void *arg, const char *text, int len)
{
    jfc_reader *reader = arg;
    if (reader->setting_depth == 0 || reader->depth != reader->setting_depth) {
        return;
    }
    if (reader->value.len <= VALUE_BYTES_MAX) {
        lp_buf_append(&reader->value, text, (size_t)len);
    }
}

static void
on_end(void *arg, const char *element)
{
    (void)element;
    jfc_reader *reader = arg;
    if (reader->depth == reader->setting_depth) {
        apply_value(reader, reader->setting_name, reader->setting_line);
        reader->setting_depth = 0;
    } else if (reader->depth == reader->event_depth) {
        reader->event_depth = 0;
    }
    reader->depth--;
}

// Without a document type declaration there are only XML's five entities: nothing expands, and no
// other file is read.
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
parse_text(jfc_reader *reader, lp_slice text)
{
    if (XML_Parse(reader->parser, (const char *)text.ptr, (int)text.len, 1) == XML_STATUS_ERROR) {
        enum XML_Error code = XML_GetErrorCode(reader->parser);
        stop(reader, code == XML_ERROR_NO_MEMORY ? LP_ENOMEM : LP_ECORRUPT, XML_ErrorString(code));
    }
    return reader->err;
}

lp_err
policy_jfc_parse(policy *self, const char *path, lp_slice text, const policy_jfc_listener *listener,
    lp_problem *out_problem)
{
    LP_ASSERT(text.len <= POLICY_FILE_BYTES_MAX);

    jfc_reader reader = {
        .policy = self,
        .path = path,
        .listener = listener,
        .parser = XML_ParserCreate(NULL),
        .out_problem = out_problem,
    };
    lp_err err;
    if (reader.parser == NULL || policy_store_set_path(self, path) != LP_OK) {
        err = lp_problem_set(out_problem, LP_ENOMEM, "%s: out of memory", path);
    } else {
        XML_SetUserData(reader.parser, &reader);
        XML_SetElementHandler(reader.parser, on_start, on_end);
        XML_SetCharacterDataHandler(reader.parser, on_text);
        XML_SetStartDoctypeDeclHandler(reader.parser, on_doctype);
        err = parse_text(&reader, text);
    }
    lp_buf_fini(&reader.value);
    XML_ParserFree(reader.parser); // NULL is fine
    return err;
}

lp_err
policy_jfc_read(
    policy *self, const char *path, const policy_jfc_listener *listener, lp_problem *out_problem)
{
    lp_buf text = {0};
    lp_err err = policy_text_load(path, &text, out_problem);
    LP_THEN(err, policy_jfc_parse(self, path, lp_buf_slice(&text), listener, out_problem));
    lp_buf_fini(&text);
    return err;
}
