// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/catalog_days.h"

#include "collector/store/catalog/catalog_db.h"
#include "common/base/lp_assert.h"

lp_err
catalog_days_put(catalog *self, const catalog_day *days, size_t count, int64_t day)
{
    LP_TRY(catalog_db_begin(self));
    lp_err err = CATALOG_DB_RUN(self, DROP_DAYS, catalog_db_int(day), catalog_db_text(self->node));
    for (size_t i = 0; i < count && err == LP_OK; i++) {
        LP_ASSERT(days[i].day == day);
        err = CATALOG_DB_RUN(self, PUT_DAY, catalog_db_text(days[i].service), catalog_db_int(day),
            catalog_db_uint(days[i].bytes), catalog_db_uint(days[i].put_off),
            catalog_db_uint(days[i].bytes_max), catalog_db_text(self->node));
    }
    return catalog_db_end(self, err);
}

lp_err
catalog_days_list(catalog *self, void (*on_day)(void *arg, const catalog_day *day), void *arg)
{
    catalog_db_call call;
    CATALOG_DB_START(self, LIST_DAYS, &call, catalog_db_text(self->node));
    while (catalog_db_step(&call)) {
        const catalog_day day = {
            .service = catalog_db_get_text(&call, 0),
            .day = catalog_db_get_int(&call, 1),
            .bytes = catalog_db_get_uint(&call, 2),
            .put_off = catalog_db_get_uint(&call, 3),
            .bytes_max = catalog_db_get_uint(&call, 4),
        };
        if (day.service != NULL) {
            on_day(arg, &day);
        }
    }
    return catalog_db_finish(&call);
}
