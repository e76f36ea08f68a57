// SPDX-License-Identifier: Apache-2.0
#include "collector/ask/list_room.h"

#include "query/select/json_parts.h"

#include <string.h>

static size_t
count_name(const query_names *names, uint32_t number)
{
    const char *name = query_names_text(names, number);
    return query_json_text_bytes((lp_slice){(const uint8_t *)name, strlen(name)});
}

static size_t
count_row(const query_listed *item, const query_names *names)
{
    size_t bytes =
        LIST_ROOM_ROW_BYTES + count_name(names, item->type) + count_name(names, item->thread);
    for (size_t i = 0; i < item->attribute_count; i++) {
        bytes += query_json_text_bytes(item->attributes[i].value);
    }
    return bytes;
}

bool
list_room_cut(query_listing *listing, const query_names *names, size_t bytes_max)
{
    size_t bytes = 0;
    for (size_t i = 0; i < listing->items.count; i++) {
        bytes += count_row(&listing->items.items[i], names);
        if (bytes > bytes_max && i > 0) {
            query_listing_cut(listing, i);
            return true;
        }
    }
    return false;
}
