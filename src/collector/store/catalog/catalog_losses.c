// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/catalog_losses.h"

#include "collector/store/catalog/catalog_db.h"
#include "common/base/lp_assert.h"

#include <string.h>

static const char *const names[CATALOG_LOSS_COUNT] = {
#define LOUPE_LOSS(id, name, help) [CATALOG_LOSS_##id] = (name),
#include "collector/store/catalog/losses.def"
#undef LOUPE_LOSS
};

const char *
catalog_loss_name(catalog_loss loss)
{
    LP_ASSERT(loss < CATALOG_LOSS_COUNT);
    return names[loss];
}

void
catalog_loss_take_back(uint64_t *loss, uint64_t amount)
{
    *loss -= amount < *loss ? amount : *loss;
}

bool
catalog_is_end_unknown(catalog_ended how)
{
    return how == CATALOG_ENDED_KILLED || how == CATALOG_ENDED_TIMED_OUT;
}

static lp_err
put_loss(catalog *self, const catalog_session *session, catalog_loss loss)
{
    const char *name = catalog_loss_name(loss);
    uint64_t amount = session->losses[loss];
    return amount != 0
               ? CATALOG_DB_RUN(self, PUT_LOSS, session->id, name, amount, session->next_chunk)
               : CATALOG_DB_RUN(self, CLEAR_LOSS, session->id, name, session->next_chunk);
}

// is_put returns whether the amount is written: it is not 0, or it may have shrunk to 0, because
// batches came again or a chunk could be read after all. END_UNKNOWN follows from the session's
// row.
static bool
is_put(const catalog_session *session, catalog_loss loss)
{
    LP_REQUIRE(loss != CATALOG_LOSS_END_UNKNOWN, false);
    return session->losses[loss] != 0 || loss == CATALOG_LOSS_BATCHES_LOST ||
           loss == CATALOG_LOSS_JOURNAL_BYTES_LOST || loss == CATALOG_LOSS_CHUNKS_UNREADABLE;
}

lp_err
catalog_losses_put(catalog *self, const catalog_session *session)
{
    catalog_db_check_begun(self);
    lp_err err = LP_OK;
    for (catalog_loss loss = 0; loss < CATALOG_LOSS_COUNT && err == LP_OK; loss++) {
        err = is_put(session, loss) ? put_loss(self, session, loss) : LP_OK;
    }
    return err;
}

static void
read_loss(const char *kind, uint64_t amount, catalog_session *session)
{
    for (catalog_loss loss = 0; loss < CATALOG_LOSS_COUNT; loss++) {
        if (strcmp(kind, names[loss]) == 0) {
            session->losses[loss] = amount;
        }
    }
}

lp_err
catalog_losses_read(catalog *self, catalog_session *session)
{
    catalog_db_call call;
    const char *kind;
    uint64_t amount;
    CATALOG_DB_START(self, LIST_LOSSES, &call, session->id);
    while (CATALOG_DB_NEXT(&call, &kind, &amount)) {
        read_loss(kind, amount, session);
    }
    return catalog_db_finish(&call);
}
