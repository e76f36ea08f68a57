// SPDX-License-Identifier: Apache-2.0
#include "collector/store/s3/s3_xml.h"

#include "common/base/lp_assert.h"

#include <expat.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct reading {
    XML_Parser parser;
    void (*on_text)(void *arg, const char *name, const char *text);
    void *arg;
    bool is_leaf; // the last element that began has no child so far
    size_t length;
    char text[S3_XML_TEXT_BYTES];
} reading;

static void
reading_check(const reading *r)
{
    LP_ASSERT(r->parser != NULL && r->on_text != NULL);
    LP_ASSERT(r->length < sizeof(r->text));
}

static void XMLCALL
on_begin(void *arg, const XML_Char *name, const XML_Char **attributes)
{
    (void)name;
    (void)attributes;
    reading *r = arg;
    reading_check(r);
    r->is_leaf = true;
    r->length = 0;
}

static void XMLCALL
on_characters(void *arg, const XML_Char *text, int length)
{
    reading *r = arg;
    reading_check(r);
    if ((size_t)length >= sizeof(r->text) - r->length) {
        (void)XML_StopParser(r->parser, XML_FALSE);
        return;
    }
    memcpy(r->text + r->length, text, (size_t)length);
    r->length += (size_t)length;
}

static void XMLCALL
on_end(void *arg, const XML_Char *name)
{
    reading *r = arg;
    reading_check(r);
    if (r->is_leaf) {
        r->text[r->length] = '\0';
        r->on_text(r->arg, name, r->text);
    }
    r->is_leaf = false;
    r->length = 0;
}

// on_declaration rejects document types: only an attacker sends one, for its entities.
static void XMLCALL
on_declaration(void *arg, const XML_Char *name, const XML_Char *system_id,
    const XML_Char *public_id, int has_internal_subset)
{
    (void)name;
    (void)system_id;
    (void)public_id;
    (void)has_internal_subset;
    reading *r = arg;
    reading_check(r);
    (void)XML_StopParser(r->parser, XML_FALSE);
}

lp_err
s3_xml_read(lp_slice xml, void (*on_text)(void *arg, const char *name, const char *text), void *arg)
{
    reading r = {.parser = XML_ParserCreate(NULL), .on_text = on_text, .arg = arg};
    LP_REQUIRE(r.parser != NULL, LP_ENOMEM);
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, on_begin, on_end);
    XML_SetCharacterDataHandler(r.parser, on_characters);
    XML_SetStartDoctypeDeclHandler(r.parser, on_declaration);
    bool is_read = xml.len <= INT32_MAX && XML_Parse(r.parser, (const char *)xml.ptr, (int)xml.len,
                                               XML_TRUE) == XML_STATUS_OK;
    bool lacks_memory = !is_read && XML_GetErrorCode(r.parser) == XML_ERROR_NO_MEMORY;
    XML_ParserFree(r.parser);
    return is_read ? LP_OK : lacks_memory ? LP_ENOMEM : LP_ECORRUPT;
}

typedef struct finding_fields {
    const s3_xml_field *fields;
    size_t count;
    uint64_t found; // a bit for each
} finding_fields;

static void
on_field(void *arg, const char *name, const char *text)
{
    finding_fields *f = arg;
    for (size_t i = 0; i < f->count; i++) {
        uint64_t bit = (uint64_t)1 << i;
        if ((f->found & bit) == 0 && strcmp(f->fields[i].name, name) == 0) {
            f->found |= bit;
            if (strlen(text) < f->fields[i].size) {
                (void)snprintf(f->fields[i].out_text, f->fields[i].size, "%s", text);
            }
        }
    }
}

lp_err
s3_xml_find(lp_slice xml, const s3_xml_field *fields, size_t count)
{
    LP_ASSERT(count <= 64); // a bit for each
    finding_fields f = {.fields = fields, .count = count};
    return s3_xml_read(xml, on_field, &f);
}
