// SPDX-License-Identifier: Apache-2.0
// known_recording: a recording with known content: its first chunks in the store of an
// http_fixture, its last chunk in the snapshot.

#pragma once

#include "unit/collector/http/http_client.h"
#include "unit/collector/http/http_fixture.h"

#include "common/base/lp_buf.h"

#include <stddef.h>
#include <stdint.h>

#define KNOWN_RECORDING_PATH "/api/v1/recordings/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.jfr"

typedef struct known_recording {
    lp_buf bytes;      // the caller ends it
    size_t borders[8]; // where chunks end
    size_t count;
} known_recording;

// known_recording_add adds a chunk to the content, and to nothing else.
void known_recording_add(known_recording *content, size_t size_bytes);

lp_slice known_recording_chunk(const known_recording *content, size_t index);

// known_recording_set_tail sets the next snapshot: these bytes, after this number of chunks.
void known_recording_set_tail(http_fixture *f, uint32_t next_chunk, lp_slice bytes);

// known_recording_make stores all chunks but the last, which the journal still has;
// known_recording_make_small has chunks of 80, 68, 100 and 90 bytes.
known_recording known_recording_make(
    http_fixture *f, const size_t *sizes, size_t count, catalog_session *out_session);
known_recording known_recording_make_small(http_fixture *f, catalog_session *out_session);

http_answer known_recording_ask(const http_fixture *f, const char *headers);

// known_recording_check checks that the answer is this part of the content.
void known_recording_check(
    const http_answer *answer, const known_recording *content, size_t begin, size_t end);

// known_recording_copy_tag asks for the ETag of the whole content.
void known_recording_copy_tag(const http_fixture *f, char out_tag[64]);

// known_recording_await_none returns once no download is active.
void known_recording_await_none(const http_fixture *f);
