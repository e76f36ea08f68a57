// SPDX-License-Identifier: Apache-2.0
#include "collector/session/session_owner.h"

#include "collector/base/secret_hash.h"
#include "common/base/lp_assert.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

_Static_assert((int)CATALOG_SECRET_HASH_BYTES == (int)SECRET_HASH_BYTES, "the catalog has it");

// may_be_called returns whether a session of this service can have another name. An agent keeps its
// service while its JVM runs, but the catalog may have lost it.
static bool
may_be_called(const char *service, const char *name)
{
    return service[0] == '\0' || strcmp(service, CATALOG_NAME_UNKNOWN) == 0 ||
           strcmp(service, name) == 0;
}

void
session_owner_of(const Loupe__Wire__Hello *hello, const char *identity, catalog_session *out_claim)
{
    *out_claim = (catalog_session){.service = hello->service, .secret = CATALOG_SECRET_NONE};
    (void)snprintf(out_claim->identity, sizeof(out_claim->identity), "%s", identity);
    if (hello->secret.len != 0) {
        out_claim->secret = CATALOG_SECRET_HASHED;
        secret_hash_make((lp_slice){hello->secret.data, hello->secret.len}, out_claim->secret_hash);
    }
}

const char *
session_owner_compare(const catalog_session *row, const catalog_session *claim)
{
    LP_ASSERT(claim->secret != CATALOG_SECRET_UNKNOWN);
    LP_REQUIRE(row->secret != CATALOG_SECRET_HASHED ||
                   (claim->secret == CATALOG_SECRET_HASHED &&
                       secret_hash_is_equal(claim->secret_hash, row->secret_hash)),
        "another agent began it: the secrets differ");
    LP_REQUIRE(row->secret != CATALOG_SECRET_NONE || claim->secret != CATALOG_SECRET_HASHED,
        "another agent began it: that one had no secret");
    LP_REQUIRE(row->identity[0] == '\0' || claim->identity[0] == '\0' ||
                   strcmp(row->identity, claim->identity) == 0,
        "it belongs to another identity");
    LP_REQUIRE(may_be_called(row->service, claim->service), "it belongs to another service");
    return NULL;
}

void
session_owner_take(catalog_session *row, const catalog_session *claim)
{
    LP_ASSERT(claim->secret != CATALOG_SECRET_UNKNOWN);
    if (row->identity[0] == '\0') {
        memcpy(row->identity, claim->identity, sizeof(row->identity));
    }
    if (row->secret == CATALOG_SECRET_UNKNOWN) {
        row->secret = claim->secret;
        memcpy(row->secret_hash, claim->secret_hash, sizeof(row->secret_hash));
    }
}
