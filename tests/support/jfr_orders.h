// SPDX-License-Identifier: Apache-2.0
// jfr_orders: a type of contexts with attributes that are ids only where a setting of the chunk
// says so. Its chunks have the types of jfr_sample as well.

#pragma once

#include "support/jfr_build.h"
#include "support/jfr_sample.h"

enum { JFR_ORDERS_TYPES_MAX = JFR_SAMPLE_TYPES_MAX + 2 };

// jfr_orders_types copies the types of jfr_sample and these into out_types, and returns how many
// there are: shop.Order, contextual, with orderId (a number) and city, and jdk.ActiveSetting.
size_t jfr_orders_types(jfr_build_type out_types[JFR_ORDERS_TYPES_MAX]);

// jfr_orders_add writes a shop.Order on thread 1.
void jfr_orders_add(
    jfr_build *build, int64_t start, int64_t duration, uint64_t order_id, const char *city);

// jfr_orders_mark writes the setting that attributes of shop.Order are ids.
void jfr_orders_mark(jfr_build *build, int64_t start, const char *attributes);
