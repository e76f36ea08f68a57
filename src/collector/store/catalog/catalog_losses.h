// SPDX-License-Identifier: Apache-2.0
// catalog_losses: the losses of a session, with a row for each kind.
//
// Threads: as the catalog.
// Tests:   tests/unit/collector/store/catalog/test_catalog.c

#pragma once

#include "collector/store/catalog/catalog.h"

// catalog_losses_put writes the losses, within the transaction of the session's row.
LP_MUST_USE lp_err catalog_losses_put(catalog *catalog, const catalog_session *session);

// catalog_losses_read reads session->losses. It skips unknown kinds.
LP_MUST_USE lp_err catalog_losses_read(catalog *catalog, catalog_session *session);
