// SPDX-License-Identifier: Apache-2.0
#include "collector/server/session_owner.h"

#include "collector/base/secret_hash.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

_Static_assert((int)CATALOG_SECRET_HASH_BYTES == (int)SECRET_HASH_BYTES, "the catalog has it");

// may_be_called returns whether a session of this service can be one of another name: an agent
// keeps its service for as long as its JVM runs, but the catalog may have lost it.
static bool
may_be_called(const char *service, const char *name)
{
    return service[0] == '\0' || strcmp(service, CATALOG_NAME_UNKNOWN) == 0 ||
           strcmp(service, name) == 0;
}

static bool
has_secret(const catalog_session *row, lp_slice secret)
{
    uint8_t hash[SECRET_HASH_BYTES];
    secret_hash_make(secret, hash);
    return secret.len == WIRE_SECRET_BYTES && secret_hash_is_equal(hash, row->secret_hash);
}

const char *
session_owner_check(
    const catalog_session *row, const Loupe__Wire__Hello *hello, const char *identity)
{
    lp_slice secret = {hello->secret.data, hello->secret.len};
    if (secret.len != 0 && secret.len != WIRE_SECRET_BYTES) {
        return "its secret has not the right size";
    }
    if (row->secret == CATALOG_SECRET_HASHED && !has_secret(row, secret)) {
        return "it began with another secret: it is another agent's";
    }
    if (row->secret == CATALOG_SECRET_NONE && secret.len != 0) {
        return "it began without a secret: it is another agent's";
    }
    if (row->identity[0] != '\0' && identity[0] != '\0' && strcmp(row->identity, identity) != 0) {
        return "it is of another identity";
    }
    if (!may_be_called(row->service, hello->service)) {
        return "it is of another service";
    }
    return NULL;
}

void
session_owner_note(catalog_session *row, const Loupe__Wire__Hello *hello, const char *identity)
{
    if (row->identity[0] == '\0') {
        (void)snprintf(row->identity, sizeof(row->identity), "%s", identity);
    }
    if (row->secret != CATALOG_SECRET_UNKNOWN) {
        return;
    }
    row->secret = hello->secret.len == 0 ? CATALOG_SECRET_NONE : CATALOG_SECRET_HASHED;
    if (row->secret == CATALOG_SECRET_HASHED) {
        secret_hash_make((lp_slice){hello->secret.data, hello->secret.len}, row->secret_hash);
    }
}
