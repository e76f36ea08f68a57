// SPDX-License-Identifier: Apache-2.0
#include "collector/session/hello_file.h"

#include "common/base/lp_buf.h"
#include "common/base/lp_io.h"
#include "common/base/lp_proto.h"
#include "common/base/lp_utf8.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { HELLO_BYTES_MAX = 64 * 1024 }; // names are limited (session.h)

static bool
is_of_session(const Loupe__Wire__Hello *hello, const char *session_id)
{
    char id[2 * WIRE_SESSION_BYTES + 1] = "";
    for (size_t i = 0; i < hello->session.len && i < WIRE_SESSION_BYTES; i++) {
        (void)snprintf(id + 2 * i, 3, "%02x", hello->session.data[i]);
    }
    return hello->session.len == WIRE_SESSION_BYTES && strcmp(id, session_id) == 0 &&
           lp_utf8_is_text(hello->service) && lp_utf8_is_text(hello->instance) &&
           lp_utf8_is_text(hello->jvm_name) && lp_utf8_is_text(hello->jvm_version) &&
           lp_utf8_is_text(hello->version);
}

void
hello_file_set_owner(Loupe__Wire__Hello *hello, const catalog_session *row)
{
    hello->secret = hello->secret_hash = hello->token = (ProtobufCBinaryData){0};
    hello->identity = (char *)(uintptr_t)row->identity; // no const here either
    if (row->secret == CATALOG_SECRET_HASHED) {
        // protobuf-c has no const here; packing does not write.
        hello->secret_hash = (ProtobufCBinaryData){
            .len = sizeof(row->secret_hash), .data = (uint8_t *)(uintptr_t)row->secret_hash};
    }
}

void
hello_file_get_owner(const Loupe__Wire__Hello *hello, catalog_session *row)
{
    if (hello->secret_hash.len == sizeof(row->secret_hash)) {
        row->secret = CATALOG_SECRET_HASHED;
        memcpy(row->secret_hash, hello->secret_hash.data, sizeof(row->secret_hash));
    }
    if (lp_utf8_is_text(hello->identity)) {
        (void)snprintf(row->identity, sizeof(row->identity), "%s", hello->identity);
    }
}

lp_err
hello_file_read(const char *path, const char *session_id, Loupe__Wire__Hello **out_hello)
{
    lp_buf bytes = {0};
    size_t size;
    uint8_t *to = lp_buf_extend(&bytes, HELLO_BYTES_MAX);
    lp_err err = to == NULL ? LP_ENOMEM : lp_io_read_file(path, to, HELLO_BYTES_MAX, &size);
    if (err != LP_OK) {
        lp_buf_fini(&bytes);
        return err == LP_EIO && errno == ENOENT ? LP_ENOENT : err;
    }
    bool is_short;
    ProtobufCAllocator allocator = lp_proto_allocator(&is_short);
    Loupe__Wire__Hello *hello = loupe__wire__hello__unpack(&allocator, size, to);
    lp_buf_fini(&bytes);
    LP_REQUIRE(hello != NULL, lp_proto_err(is_short));
    if (!is_of_session(hello, session_id)) {
        loupe__wire__hello__free_unpacked(hello, NULL);
        return LP_ECORRUPT;
    }
    *out_hello = hello;
    return LP_OK;
}
