// SPDX-License-Identifier: Apache-2.0
#include "collector/http/routes/http_audit.h"

#include "collector/http/wire/http_connection.h"
#include "collector/http/wire/http_reply.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_time.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct member {
    const char *name;
    const char *value; // NULL: left out
} member;

enum { MEMBERS = 7 };

// list_members lists the members of a line in their order.
static void
list_members(const http_audit_entry *entry, const char *address, member out[MEMBERS])
{
    LP_ASSERT(entry->event != NULL);
    bool has_recording = entry->recording != NULL && entry->recording[0] != '\0';
    const member members[MEMBERS] = {
        {"event", entry->event},
        {"identity", entry->identity},
        {"address", address},
        {"recording", has_recording ? entry->recording : NULL},
        {"service", entry->service},
        {"path", entry->path},
        {"why", entry->why},
    };
    memcpy(out, members, sizeof(members));
}

// make_text returns a JSON string of text, cut to HTTP_AUDIT_TEXT_BYTES_MAX.
static json_t *
make_text(const char *text)
{
    char cut[HTTP_AUDIT_TEXT_BYTES_MAX + sizeof("...")];
    int len = snprintf(cut, sizeof(cut), "%.*s", HTTP_AUDIT_TEXT_BYTES_MAX, text);
    if (text[len] != '\0') {
        (void)snprintf(cut + len, sizeof(cut) - (size_t)len, "...");
    }
    return http_reply_text_json(cut);
}

static json_t *
make_line(const member members[MEMBERS])
{
    json_t *line = json_object();
    bool is_made = line != NULL;
    for (size_t i = 0; i < MEMBERS && is_made; i++) {
        const member *one = &members[i];
        if (one->value != NULL) {
            bool is_nobody = one->value[0] == '\0'; // an identity without tokens
            is_made = json_object_set_new(
                          line, one->name, is_nobody ? json_null() : make_text(one->value)) == 0;
        }
    }
    if (!is_made) {
        json_decref(line);
        return NULL;
    }
    return line;
}

// hash_members returns a hash that is equal for repeated lines.
static uint64_t
hash_members(const member members[MEMBERS])
{
    LP_ASSERT(members[0].value != NULL);
    uint64_t hash = lp_hash_seed();
    for (size_t i = 0; i < MEMBERS; i++) {
        hash = lp_hash_text(hash, members[i].value == NULL ? "" : members[i].value);
    }
    return hash;
}

// hash_stranger is hash_members for an unknown caller. It leaves out the parts that a client can
// vary in each request: the path, and half of an IPv6 address.
static uint64_t
hash_stranger(struct MHD_Connection *connection, const http_audit_entry *entry)
{
    LP_ASSERT(entry->identity == NULL);
    uint64_t hash = lp_hash_text(http_connection_find_peer(connection), entry->event);
    return lp_hash_text(hash, entry->why == NULL ? "" : entry->why);
}

// is_repeated returns whether a line was written recently, and remembers it.
static bool
is_repeated(http_audit *self, uint64_t hash)
{
    int64_t now_s = lp_time_mono_ms() / 1000;
    (void)pthread_mutex_lock(&self->mutex);
    http_audit_recent *place = &self->recent[hash % HTTP_AUDIT_RECENT_MAX];
    bool is_known = place->hash == hash && now_s < place->until_s;
    if (!is_known) {
        *place = (http_audit_recent){hash, now_s + HTTP_AUDIT_REPEAT_S};
    }
    (void)pthread_mutex_unlock(&self->mutex);
    return is_known;
}

void
http_audit_note(http_audit *self, struct MHD_Connection *connection, const http_audit_entry *entry)
{
    if (self->log == NULL) {
        return;
    }
    char address[PEERS_ADDRESS_BYTES];
    member members[MEMBERS];
    http_connection_format_peer(connection, address);
    list_members(entry, address, members);
    if (!entry->is_once ||
        !is_repeated(self,
            entry->identity == NULL ? hash_stranger(connection, entry) : hash_members(members))) {
        audit_log_push(self->log, make_line(members));
    }
}
