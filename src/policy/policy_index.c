// SPDX-License-Identifier: Apache-2.0
#include "policy/policy_index.h"

#include "common/base/lp_find.h"
#include "policy/policy_word.h"

#include <stdlib.h>
#include <string.h>

// read_name reads a name, the blanks around it, and a comma if another name follows.
static bool
read_name(const char **at, policy_index *index, char **to)
{
    const char *name = *to;
    *at += strspn(*at, " ");
    if (index->count == POLICY_INDEX_ATTRIBUTES_MAX || !policy_word_read(at, " \",", to)) {
        return false;
    }
    index->attributes[index->count++] = name;
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
    policy_index *index = calloc(1, sizeof(*index) + strlen(text) + 1);
    bool is_valid = index != NULL;
    char *to = is_valid ? index->text : NULL;
    do {
        is_valid = is_valid && read_name(&text, index, &to);
    } while (is_valid && *text != '\0');
    if (!is_valid) {
        free(index);
        return false;
    }
    *out_index = index;
    return true;
}

bool
policy_index_has(const policy_index *index, const char *attribute)
{
    return index != NULL && LP_ANY(index->attributes, index->count, strcmp(*at, attribute) == 0);
}
