// SPDX-License-Identifier: Apache-2.0
#include "policy/policy_index.h"

#include "common/base/lp_find.h"
#include "policy/policy_word.h"

#include <stdlib.h>
#include <string.h>

// read_name reads a name, the blanks around it, and a comma if another name follows.
static bool
read_name(const char **at, policy_index *index)
{
    *at += strspn(*at, " ");
    if (index->count == POLICY_INDEX_ATTRIBUTES_MAX ||
        policy_word_read(at, " \",", &index->attributes[index->count]) != LP_OK) {
        return false;
    }
    index->count++;
    *at += strspn(*at, " ");
    bool is_comma = **at == ',';
    *at += is_comma;
    return is_comma ? **at != '\0' : **at == '\0';
}

bool
policy_index_parse(const char *text, policy_index **out_index)
{
    *out_index = NULL;
    if (strcmp(text, "off") == 0) {
        return true;
    }
    policy_index *index = calloc(1, sizeof(*index));
    bool is_valid = index != NULL;
    do {
        is_valid = is_valid && read_name(&text, index);
    } while (is_valid && *text != '\0');
    if (!is_valid) {
        policy_index_destroy(index);
        return false;
    }
    *out_index = index;
    return true;
}

void
policy_index_destroy(policy_index *index)
{
    for (size_t i = 0; index != NULL && i < index->count; i++) {
        free(index->attributes[i]);
    }
    free(index);
}

bool
policy_index_has(const policy_index *index, const char *attribute)
{
    return index != NULL && LP_ANY(index->attributes, index->count, strcmp(*at, attribute) == 0);
}
