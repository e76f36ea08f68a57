// SPDX-License-Identifier: Apache-2.0
// fuse_fault: makes the agent wrong about itself where a test asks for it, so that its own checks
// find that. The linker puts these in the place of the functions of their names.
//
// LOUPE_FAULT_SPOOL and LOUPE_FAULT_TYPE name files: once the first is there, the spool says that
// it has a block when it has none, on the agent's thread. Once the second is there, a type has more
// attributes than there is room for when it is copied, on a thread of the application.

#include "agent/context/ctx_registry.h"
#include "agent/ship/batch/ship_source.h"
#include "common/context/ctx_type.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

const ship_block *__real_ship_spool_find(const ship_spool *spool);
const ship_block *__wrap_ship_spool_find(const ship_spool *spool);
lp_err __real_ctx_registry_add(ctx_registry *registry, const ctx_type *type, uint16_t *out_id);
lp_err __wrap_ctx_registry_add(ctx_registry *registry, const ctx_type *type, uint16_t *out_id);

static bool
is_asked_for(const char *variable)
{
    const char *path = getenv(variable);
    return path != NULL && access(path, F_OK) == 0;
}

const ship_block *
__wrap_ship_spool_find(const ship_spool *spool)
{
    static const ship_block none;
    const ship_block *block = __real_ship_spool_find(spool);
    return block == NULL && is_asked_for("LOUPE_FAULT_SPOOL") ? &none : block;
}

lp_err
__wrap_ctx_registry_add(ctx_registry *registry, const ctx_type *type, uint16_t *out_id)
{
    if (is_asked_for("LOUPE_FAULT_TYPE")) {
        ctx_type large = *type;
        large.attribute_count = CTX_RECORDING_KEYS_MAX + 1;
        return ctx_type_copy(&large, &large);
    }
    return __real_ctx_registry_add(registry, type, out_id);
}
