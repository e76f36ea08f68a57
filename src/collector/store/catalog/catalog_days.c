// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/catalog_days.h"

#include "collector/store/catalog/catalog_db.h"
#include "common/base/lp_assert.h"

lp_err
catalog_days_put(catalog *self, const catalog_day *days, size_t count, int64_t day)
{
    LP_TRY(catalog_db_begin(self));
    lp_err err = CATALOG_DB_RUN(self, DROP_DAYS, day, self->node);
    for (size_t i = 0; i < count && err == LP_OK; i++) {
        LP_ASSERT(days[i].day == day);
        err = CATALOG_DB_RUN(self, PUT_DAY, days[i].service, day, days[i].bytes, days[i].put_off,
            days[i].bytes_max, self->node);
    }
    return catalog_db_end(self, err);
}

lp_err
catalog_days_list(catalog *self, void (*on_day)(void *arg, const catalog_day *day), void *arg)
{
    LP_ASSERT(on_day != NULL);
    catalog_db_call call;
    catalog_day day;
    CATALOG_DB_START(self, LIST_DAYS, &call, self->node);
    while (
        CATALOG_DB_NEXT(&call, &day.service, &day.day, &day.bytes, &day.put_off, &day.bytes_max)) {
        on_day(arg, &day);
    }
    return catalog_db_finish(&call);
}
