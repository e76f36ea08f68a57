// SPDX-License-Identifier: Apache-2.0
#include "query/frames/application.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_quote.h"

#include <ctype.h>
#include <string.h>

static const char *const jdk_packages[] = {"java.", "javax.", "jdk.", "sun.", "com.sun."};

static const char *const library_packages[] = {
#define QUERY_LIBRARY(package) package,
#include "query/frames/library_packages.def"
#undef QUERY_LIBRARY
};

enum {
    JDK_PACKAGES = sizeof(jdk_packages) / sizeof(jdk_packages[0]),
    LIBRARY_PACKAGES = sizeof(library_packages) / sizeof(library_packages[0]),
};

// --- Packages

static bool
begins_with_one(const char *method, const char *const *packages, size_t count)
{
    return LP_FIND(packages, count, strncmp(method, *at, strlen(*at)) == 0) != NULL;
}

// is_in returns whether a method is in or below a package or class of len bytes.
static bool
is_in(const char *method, const char *package, size_t len)
{
    return len > 0 && strncmp(method, package, len) == 0 &&
           (method[len] == '.' || method[len] == '$');
}

static bool
is_in_one(const char *method, const char *packages)
{
    for (const char *at = packages;; at++) {
        size_t len = strcspn(at, ",");
        if (is_in(method, at, len)) {
            return true;
        }
        at += len;
        LP_REQUIRE(*at != '\0', false);
    }
}

query_code
query_application_code(const query_application *application, const char *method)
{
    const char *own = application->main_package;
    LP_DEBUG_ASSERT(memchr(own, '\0', QUERY_PACKAGE_BYTES) != NULL);
    if (application->packages != NULL && is_in_one(method, application->packages)) {
        return QUERY_CODE_APPLICATION;
    }
    if (begins_with_one(method, jdk_packages, JDK_PACKAGES)) {
        return QUERY_CODE_JDK;
    }
    if (begins_with_one(method, library_packages, LIBRARY_PACKAGES)) {
        return QUERY_CODE_LIBRARY;
    }
    bool is_application =
        application->packages == NULL && (own[0] == '\0' || is_in(method, own, strlen(own)));
    return is_application ? QUERY_CODE_APPLICATION : QUERY_CODE_OTHER;
}

// measure_name returns the length of the name at the begin of a text: parts of letters, digits, _,
// $ and non-ASCII bytes, separated by dots. 0 if there is none.
static size_t
measure_name(const char *text)
{
    size_t len = 0;
    bool begins = true;
    for (; text[len] != '\0'; len++) {
        unsigned char c = (unsigned char)text[len];
        bool is_letter = isalpha(c) != 0 || c == '_' || c == '$' || c >= 0x80;
        bool fits = begins ? is_letter : is_letter || isdigit(c) != 0 || c == '.';
        if (!fits) {
            break;
        }
        begins = c == '.';
    }
    return begins ? 0 : len;
}

lp_err
query_application_check(const char *parameter, const char *packages, lp_problem *out_problem)
{
    const char *at = packages;
    size_t len = measure_name(at);
    while (len > 0 && at[len] == ',') {
        at += len + 1;
        len = measure_name(at);
    }
    return len > 0 && at[len] == '\0'
               ? LP_OK
               : lp_problem_set(out_problem, LP_ECORRUPT,
                     "%s '%s': give names of packages, such as com.acme or com.acme,org.acme",
                     parameter, lp_quote_text(packages).text);
}

// --- The main class

// measure_owner returns the length of the first two parts of a package of len bytes.
static size_t
measure_owner(const char *package, size_t len)
{
    LP_ASSERT(package != NULL);
    const char *dot = memchr(package, '.', len);
    const char *second =
        dot == NULL ? NULL : memchr(dot + 1, '.', len - (size_t)(dot + 1 - package));
    return second == NULL ? len : (size_t)(second - package);
}

void
query_application_set_main(query_application *application, const char *command)
{
    size_t word = strcspn(command, " \t");
    const char *slash = memrchr(command, '/', word);
    const char *class = slash == NULL ? command : slash + 1; // behind its module
    size_t len = word - (size_t)(class - command);
    const char *dot = memrchr(class, '.', len);
    bool is_jar = len >= 4 && strncasecmp(class + len - 4, ".jar", 4) == 0;
    bool is_name = !is_jar && dot != NULL && measure_name(class) == len;
    size_t package = is_name ? measure_owner(class, (size_t)(dot - class)) : 0;
    bool is_of_others = begins_with_one(class, jdk_packages, JDK_PACKAGES) ||
                        begins_with_one(class, library_packages, LIBRARY_PACKAGES);
    if (package > 0 && package < QUERY_PACKAGE_BYTES && !is_of_others) {
        memcpy(application->main_package, class, package);
        application->main_package[package] = '\0';
    }
}

static void
set_main(query_application *application, query_chunk *chunk, const query_attribute *command)
{
    const char *text =
        command->is_null ? NULL : lp_arena_string(&chunk->view.arena, command->value);
    if (text != NULL) {
        query_application_set_main(application, text);
    }
}

static void
learn_from_jvm(query_application *application, query_chunk *chunk)
{
    static const char *const names[] = {"javaArguments"};
    query_attribute field;
    query_event event;
    jfr_cursor rest = query_chunk_events(chunk);
    if (query_chunk_next_of(chunk, "jdk.JVMInformation", &rest, &event)) {
        query_chunk_fields(chunk, &event, names, 1, &field);
        set_main(application, chunk, &field);
    }
}

static void
learn_from_properties(query_application *application, query_chunk *chunk)
{
    static const char *const names[] = {"key", "value"};
    static const char command[] = "sun.java.command";
    query_attribute fields[2];
    query_event event;
    jfr_cursor rest = query_chunk_events(chunk);
    while (query_chunk_next_of(chunk, "jdk.InitialSystemProperty", &rest, &event)) {
        query_chunk_fields(chunk, &event, names, 2, fields);
        if (!fields[0].is_null && fields[0].value.len == sizeof(command) - 1 &&
            memcmp(fields[0].value.ptr, command, sizeof(command) - 1) == 0) {
            set_main(application, chunk, &fields[1]);
            return;
        }
    }
}

void
query_application_learn(query_application *application, query_chunk *chunk)
{
    LP_DEBUG_ASSERT(memchr(application->main_package, '\0', QUERY_PACKAGE_BYTES) != NULL);
    if (application->packages != NULL || application->main_package[0] != '\0') {
        return;
    }
    learn_from_jvm(application, chunk);
    if (application->main_package[0] == '\0') {
        learn_from_properties(application, chunk);
    }
}
