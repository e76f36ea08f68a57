// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/catalog_days.h"

#include "collector/store/catalog/catalog_db.h"

static lp_err
put_day(catalog *self, const catalog_day *day)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_PUT_DAY, &call);
    catalog_db_bind_text(&call, day->service);
    catalog_db_bind_int(&call, day->day);
    catalog_db_bind_uint(&call, day->bytes);
    catalog_db_bind_uint(&call, day->put_off);
    catalog_db_bind_uint(&call, day->bytes_max);
    catalog_db_bind_text(&call, self->node);
    return catalog_db_run(&call);
}

static lp_err
drop_others(catalog *self, int64_t day)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_DROP_DAYS, &call);
    catalog_db_bind_int(&call, day);
    catalog_db_bind_text(&call, self->node);
    return catalog_db_run(&call);
}

lp_err
catalog_days_put(catalog *self, const catalog_day *days, size_t count, int64_t day)
{
    LP_TRY(catalog_db_begin(self));
    lp_err err = drop_others(self, day);
    for (size_t i = 0; i < count && err == LP_OK; i++) {
        err = put_day(self, &days[i]);
    }
    return catalog_db_end(self, err);
}

lp_err
catalog_days_list(catalog *self, void (*on_day)(void *arg, const catalog_day *day), void *arg)
{
    catalog_db_call call;
    catalog_db_start(self, CATALOG_DB_LIST_DAYS, &call);
    catalog_db_bind_text(&call, self->node);
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
