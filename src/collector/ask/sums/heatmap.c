// SPDX-License-Identifier: Apache-2.0
#include "collector/ask/sums/heatmap.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_order.h"
#include "common/base/lp_time.h"
#include "common/jfr/jfr_name.h"
#include "query/select/json_parts.h"

#include <string.h>

lp_err
heatmap_init(
    heatmap *map, const time_columns *columns, const query_selection *selection, rollup_unit unit)
{
    LP_ASSERT(columns->count > 0 && columns->step_ns > 0);
    LP_ASSERT(columns->count <= TIME_COLUMNS_MAX + 1);
    *map = (heatmap){.columns = *columns, .selection = selection, .unit = unit};
    rollup_init(&map->sums);
    map->cells = LP_ARENA_ARRAY(&map->sums.arena, rollup_type, columns->count);
    return rollup_err(&map->sums);
}

void
heatmap_fini(heatmap *map)
{
    rollup_fini(&map->sums);
    map->cells = NULL;
}

static void
map_check(const heatmap *map)
{
    LP_ASSERT(map->cells != NULL && map->selection != NULL);
    LP_ASSERT(map->columns.count > 0 && map->columns.step_ns > 0);
    LP_ASSERT(map->unit < ROLLUP_UNITS);
}

static void
add_histograms(heatmap *map, rollup_type *cell, const histogram *all, const histogram *kept)
{
    histogram_merge(&cell->numbers.all, &map->sums.arena, all);
    histogram_merge(&cell->numbers.kept, &map->sums.arena, kept);
}

// find_attribute finds an attribute by its name, or else by the name of its field in recordings,
// which differs if the attribute's name is not allowed in Java.
static const rollup_attribute *
find_attribute(const rollup_type *type, lp_slice key)
{
    const rollup_attribute *as_field = NULL;
    for (size_t i = 0; i < type->attributes.count; i++) {
        const rollup_attribute *attribute = &type->attributes.items[i];
        const lp_slice name = {(const uint8_t *)attribute->name, strlen(attribute->name)};
        if (lp_order_slices(key, name) == 0) {
            return attribute;
        }
        lp_buf field = {0};
        jfr_field_name_append(&field, attribute->name);
        bool is_it = as_field == NULL && lp_order_slices(key, lp_buf_slice(&field)) == 0;
        as_field = is_it ? attribute : as_field;
        lp_buf_fini(&field);
    }
    return as_field;
}

// add_value adds the contexts of a type that have the wanted value.
static void
add_value(heatmap *map, rollup_type *cell, const rollup_type *type)
{
    map_check(map);
    LP_ASSERT(map->selection->where_count == 1);
    const query_where *where = &map->selection->where[0];
    const rollup_attribute *attribute = find_attribute(type, where->key);
    if (attribute == NULL ? type->has_more_attributes : attribute->has_too_many) {
        rollup_add_ns(&map->unknown, type->numbers.all.count);
        return;
    }
    for (size_t i = 0; attribute != NULL && i < attribute->values.count; i++) {
        const rollup_value *value = &attribute->values.items[i];
        if (lp_order_slices(value->text, where->value) == 0) {
            add_histograms(map, cell, &value->numbers.all, &value->numbers.kept);
        }
    }
}

lp_err
heatmap_add(heatmap *map, size_t column, const rollup *found)
{
    map_check(map);
    LP_ASSERT(column < map->columns.count);
    rollup_type *cell = &map->cells[column];
    const rollup_types *types = rollup_get_types(found, map->unit);
    rollup_add_ns(&map->left_out, rollup_get_left_out(found, map->unit));
    for (size_t i = 0; i < types->count; i++) {
        const rollup_type *type = &types->items[i];
        if (!query_selection_has_type(map->selection, type->name)) {
            continue;
        }
        if (map->selection->where_count > 0) {
            add_value(map, cell, type);
            continue;
        }
        add_histograms(map, cell, &type->numbers.all, &type->numbers.kept);
        for (size_t k = 0; k < type->exemplars.count && !map->has_no_exemplars; k++) {
            rollup_add_exemplar(&map->sums, cell, &type->exemplars.items[k]);
        }
    }
    return rollup_err(&map->sums);
}

// cell_at returns the cell of a point in time; NULL if it lies in no column.
static rollup_type *
cell_at(const heatmap *map, int64_t wall_ns)
{
    map_check(map);
    const time_columns *columns = &map->columns;
    bool is_in = wall_ns >= columns->from_wall_ns && wall_ns < columns->to_wall_ns;
    return is_in ? &map->cells[time_columns_find(columns, wall_ns)] : NULL;
}

// add_slices adds each slice to the column of its middle, so that adjoining ranges share none. The
// middle of the current slice may be in the future: its begin counts.
static void
add_slices(heatmap *map, const rollup_type *type, int64_t slice_ns)
{
    LP_ASSERT(slice_ns > 0);
    for (size_t i = 0; i < type->slices.count; i++) {
        const rollup_slice *slice = &type->slices.items[i];
        int64_t middle_ns = lp_time_add(slice->begin_wall_ns, slice_ns / 2);
        bool goes_on = map->columns.is_until_now && middle_ns >= map->columns.to_wall_ns;
        rollup_type *cell = cell_at(map, goes_on ? slice->begin_wall_ns : middle_ns);
        if (cell != NULL) {
            add_histograms(map, cell, &slice->all, &slice->kept);
        }
    }
    for (size_t i = 0; i < type->exemplars.count && !map->has_no_exemplars; i++) {
        const rollup_exemplar *exemplar = &type->exemplars.items[i];
        rollup_type *cell = cell_at(map, exemplar->begin_wall_ns);
        if (cell != NULL) {
            rollup_add_exemplar(&map->sums, cell, exemplar);
        }
    }
}

lp_err
heatmap_add_slices(heatmap *map, const rollup *found)
{
    map_check(map);
    LP_ASSERT(found->slice_ns > 0);
    LP_ASSERT(map->selection->where_count == 0); // slices know no values
    const rollup_types *types = rollup_get_types(found, map->unit);
    rollup_add_ns(&map->left_out, rollup_get_left_out(found, map->unit));
    for (size_t i = 0; i < types->count; i++) {
        if (query_selection_has_type(map->selection, types->items[i].name)) {
            add_slices(map, &types->items[i], found->slice_ns);
        }
    }
    return rollup_err(&map->sums);
}

static json_t *
column_json(const rollup_numbers *numbers)
{
    json_t *rows = json_array();
    size_t count = 0;
    for (int bucket = HISTOGRAM_ZERO; bucket < HISTOGRAM_BUCKETS; bucket++) {
        uint64_t all = histogram_get(&numbers->all, bucket);
        uint64_t kept = histogram_get(&numbers->kept, bucket);
        if (all > 0 || kept > 0) {
            (void)json_array_append_new(
                rows, json_pack("[i, I, I]", bucket, (json_int_t)all, (json_int_t)kept));
            count++;
        }
    }
    return query_json_whole(rows, count);
}

// add_exemplars appends the exemplars of a column, and returns how many they are.
static size_t
add_exemplars(json_t *to, size_t column, const rollup_type *cell)
{
    size_t count = cell->exemplars.count; // in the order of their buckets
    size_t added = count < HEATMAP_EXEMPLARS_MAX ? count : HEATMAP_EXEMPLARS_MAX;
    for (size_t i = count - added; i < count; i++) {
        const rollup_exemplar *kept = &cell->exemplars.items[i];
        char id[ROLLUP_EXEMPLAR_ID_BYTES];
        rollup_exemplar_format(kept, id);
        (void)json_array_append_new(
            to, json_pack("[I, i, s, s]", (json_int_t)column, histogram_bucket(kept->duration_ns),
                    kept->recording, id));
    }
    return added;
}

json_t *
heatmap_json(const heatmap *map, bool is_truncated)
{
    map_check(map);
    json_t *columns = json_array();
    json_t *exemplars = json_array();
    size_t exemplar_count = 0;
    uint64_t all = 0;
    uint64_t kept = 0;
    for (size_t i = 0; i < map->columns.count; i++) {
        const rollup_type *cell = &map->cells[i];
        (void)json_array_append_new(columns, column_json(&cell->numbers));
        exemplar_count += add_exemplars(exemplars, i, cell);
        rollup_add_ns(&all, cell->numbers.all.count);
        rollup_add_ns(&kept, cell->numbers.kept.count);
    }
    json_t *json = time_columns_json(&map->columns);
    json = query_json_set(json, "scale", json_integer(HISTOGRAM_SCALE));
    json = query_json_set(json, "columns", query_json_whole(columns, map->columns.count));
    json = query_json_set(json, "exemplars", query_json_whole(exemplars, exemplar_count));
    json = query_json_set(json, "all", json_integer((json_int_t)all));
    json = query_json_set(json, "kept", json_integer((json_int_t)kept));
    json = query_json_set(json, "unknown", json_integer((json_int_t)map->unknown));
    return query_json_set(
        json, "is_truncated", json_boolean(is_truncated || map->unknown > 0 || map->left_out > 0));
}
