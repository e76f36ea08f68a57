// SPDX-License-Identifier: Apache-2.0
// s3_xml: reads the texts in an XML answer of an object store.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/store/s3/test_s3_xml.c

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stddef.h>

enum { S3_XML_TEXT_BYTES = 4096 }; // with the final 0; tokens have some thousand bytes

// s3_xml_read calls on_text with the name and text of each element without children; both are
// borrowed until on_text returns. Errors: LP_ECORRUPT if the input is no XML, or a text is too
// long; LP_ENOMEM
LP_MUST_USE lp_err s3_xml_read(
    lp_slice xml, void (*on_text)(void *arg, const char *name, const char *text), void *arg);

typedef struct s3_xml_field {
    const char *name;
    char *out_text; // unchanged if the element is missing or its text does not fit
    size_t size;
} s3_xml_field;

// s3_xml_find copies the text of the first element with each name. Errors: as s3_xml_read
LP_MUST_USE lp_err s3_xml_find(lp_slice xml, const s3_xml_field *fields, size_t count);
