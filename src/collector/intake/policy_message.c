// SPDX-License-Identifier: Apache-2.0

#include "collector/intake/policy_message.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_proto.h"

#include <stdlib.h>

// Limits a text to a multiple of its compressed bytes. So its memory, some 8 times the text, is in
// proportion to the bytes of the message. Loupe's policies compress to a tenth.
enum { OWN_RATIO_MAX = 64 };

_Static_assert((int)POLICY_FILE_BYTES_MAX <= (int)WIRE_BULK_BYTES_MAX, "a text is one bulk field");
_Static_assert((int)POLICY_FILE_JVM_BYTES_MAX + 4096 <= (int)WIRE_REPLY_BYTES_MAX,
    "the settings and the rest of an answer");

lp_err
policy_message_init(policy_message *self, const policy_file *file)
{
    LP_ASSERT(file != NULL);
    const policy_jvm_settings *jvm = policy_file_get_jvm(file);
    size_t count = jvm->items.count;
    *self = (struct policy_message){
        .message = LOUPE__WIRE__JVM_POLICY__INIT,
        .settings = calloc(count + 1, sizeof(*self->settings)),
        .pointers = calloc(count + 1, sizeof(Loupe__Wire__JvmPolicy__Setting *)),
    };
    LP_REQUIRE(self->settings != NULL && self->pointers != NULL, LP_ENOMEM);
    for (size_t i = 0; i < count; i++) {
        const policy_jvm_setting *from = &jvm->items.items[i];
        Loupe__Wire__JvmPolicy__Setting *to = &self->settings[i];
        loupe__wire__jvm_policy__setting__init(to);
        // protobuf-c has no const.
        to->event = (char *)(uintptr_t)from->event;
        to->setting = (char *)(uintptr_t)from->setting;
        to->value = (char *)(uintptr_t)from->value;
        self->pointers[i] = to;
    }
    self->message.n_settings = count;
    self->message.settings = self->pointers;
    return LP_OK;
}

void
policy_message_fini(policy_message *self)
{
    free(self->settings);
    free((void *)self->pointers);
    *self = (struct policy_message){0};
}

lp_err
policy_message_append(const policy_file *file, bool is_own, journal *to)
{
    LP_ASSERT(to != NULL);
    lp_buf zstd = {0};
    lp_buf packed = {0};
    lp_slice text = file == NULL ? (lp_slice){0} : policy_file_get_text(file);
    lp_err err = file == NULL ? LP_OK : wire_compress(text, &zstd);
    if (err == LP_OK) {
        Loupe__Wire__ChunkPolicy message = LOUPE__WIRE__CHUNK_POLICY__INIT;
        if (file != NULL) {
            message.path = (char *)(uintptr_t)policy_file_get_path(file); // only read
        }
        message.text_zstd = (ProtobufCBinaryData){.len = zstd.len, .data = zstd.ptr};
        message.text_size = (uint32_t)text.len;
        message.is_own = is_own;
        Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
        request.version = WIRE_VERSION;
        request.body_case = LOUPE__WIRE__REQUEST__BODY_POLICY;
        request.policy = &message;
        err = lp_proto_append(&request.base, &packed);
        LP_THEN(err, journal_append(to, lp_buf_slice(&packed)));
    }
    lp_buf_fini(&zstd);
    lp_buf_fini(&packed);
    return err;
}

lp_err
policy_message_decode(const Loupe__Wire__ChunkPolicy *message, policy_cache *cache,
    policy_file **out_file, lp_problem *out_problem)
{
    if (message->is_own && message->text_size == 0 && message->text_zstd.len == 0) {
        *out_file = NULL;
        return LP_OK;
    }
    lp_buf text = {0};
    lp_slice frame = {message->text_zstd.data, message->text_zstd.len};
    uint32_t most = message->is_own ? POLICY_TOLD_BYTES_MAX : POLICY_FILE_BYTES_MAX;
    lp_err err =
        message->text_size > most ? LP_ELIMIT : wire_decompress(frame, message->text_size, &text);
    if (err != LP_OK) {
        (void)lp_problem_set(out_problem, err, "%s: %s", message->path, lp_err_text(err));
    } else {
        err = policy_cache_find(
            cache, message->path, lp_buf_slice(&text), message->is_own, out_file, out_problem);
    }
    lp_buf_fini(&text);
    return err;
}

lp_err
policy_message_decode_own(const Loupe__Wire__OwnPolicy *message, policy_cache *cache,
    policy_file **out_file, lp_problem *out_problem)
{
    // The same path for all services, so that they share the policy.
    static char path[] = "the own policy of a JVM";
    Loupe__Wire__ChunkPolicy own = LOUPE__WIRE__CHUNK_POLICY__INIT;
    own.path = path;
    own.text_zstd = message->text_zstd;
    own.text_size = message->text_size;
    own.is_own = true;
    return message->text_size > OWN_RATIO_MAX * own.text_zstd.len
               ? lp_problem_set(out_problem, LP_ELIMIT, "%s: %s", path, lp_err_text(LP_ELIMIT))
               : policy_message_decode(&own, cache, out_file, out_problem);
}
