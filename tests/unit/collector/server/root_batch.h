// SPDX-License-Identifier: Apache-2.0
// root_batch: a batch with nothing but the begin or the end of a request, as the agent sends those
// of the Java API.

#pragma once

#include "support/ctx_packing.h"
#include "unit/collector/server/wire_client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// root_batch_send sends the begin of request 3, which brings the type along, or its end.
static inline void
root_batch_send(wire_client *client, uint64_t sequence, uint32_t chunk, int64_t ticks, bool is_end)
{
    static char name[] = "dev.loupe.Request";
    static char key_name[] = "request";
    static char end_name[] = "end";
    static char none[] = "";
    const struct {
        ctx_record_header header;
        uint64_t key;
        uint64_t is_end;
    } set = {{.size_bytes = sizeof(set),
                 .type_id = 1,
                 .kind = CTX_RECORD_SET,
                 .thread_id = 7,
                 .time_ticks = ticks},
        3, is_end};
    const lp_slice record = {(const uint8_t *)&set, sizeof(set)};
    ctx_packer packer = {.run_bytes = SIZE_MAX};
    lp_buf message = {0};
    uint8_t id[WIRE_SESSION_BYTES];
    memcpy(id, client->session, sizeof(id));
    assert_int_equal(ctx_packing_pack(record, &packer), LP_OK);
    Loupe__Wire__ContextType__Attribute key = LOUPE__WIRE__CONTEXT_TYPE__ATTRIBUTE__INIT;
    Loupe__Wire__ContextType__Attribute end = LOUPE__WIRE__CONTEXT_TYPE__ATTRIBUTE__INIT;
    Loupe__Wire__ContextType__Attribute *attributes[] = {&key, &end};
    key.kind = CTX_LONG;
    key.name = key_name;
    key.label = key.description = none;
    end.kind = CTX_BOOLEAN;
    end.name = end_name;
    end.label = end.description = none;
    Loupe__Wire__ContextType type = LOUPE__WIRE__CONTEXT_TYPE__INIT;
    Loupe__Wire__ContextType *types[] = {&type};
    type.id = 1;
    type.name = name;
    type.label = type.description = none;
    type.is_root = true;
    type.n_attributes = 2;
    type.attributes = attributes;
    Loupe__Wire__Batch batch = LOUPE__WIRE__BATCH__INIT;
    batch.session = (ProtobufCBinaryData){sizeof(id), id};
    batch.sequence = sequence;
    batch.chunk = chunk;
    batch.contexts_packed = (ProtobufCBinaryData){packer.packed.len, packer.packed.ptr};
    batch.contexts_size = sizeof(set);
    batch.n_context_types = is_end ? 0 : 1;
    batch.context_types = types;
    wire_client_pack_batch(&batch, &message);
    assert_int_equal(wire_client_ask(client, message.ptr, message.len).status, OK);
    lp_buf_fini(&message);
    ctx_packer_fini(&packer);
}
