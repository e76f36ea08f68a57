// SPDX-License-Identifier: Apache-2.0
#include "collector/access/access_rules.h"

#include "common/base/lp_arena.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_find.h"
#include "common/base/lp_quote.h"
#include "common/base/lp_utf8.h"
#include "common/base/lp_vec.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\r";
static const char byte_order_mark[] = "\xef\xbb\xbf"; // some editors write it first
static const char hash_prefix[] = "sha256:";
static const char cert_prefix[] = "cert:";

struct access_rule {
    const char *name;
    unsigned rights; // bits of access_right
    bool is_of_all;  // services
    LP_VEC(const char *) services;
    access_key key;
    uint8_t line[SECRET_HASH_BYTES]; // of the line's words
};

struct access_rules {
    atomic_int owner_count;
    bool asks_certs;
    lp_arena arena; // of the names
    LP_VEC(access_rule) items;
};

// --- The words of a line. Each function returns NULL, or the expected form.

static const char *
take_name(access_rules *rules, const char *word, access_rule *rule)
{
    LP_ASSERT(rule->name == NULL);
    if (strlen(word) > ACCESS_NAME_BYTES_MAX || !lp_utf8_is_text(word)) {
        return "a name of at most 64 bytes in UTF-8";
    }
    rule->name = lp_arena_text(&rules->arena, word);
    return NULL;
}

static const char *
take_rights(char *words, access_rule *rule)
{
    LP_ASSERT(rule->rights == 0);
    static const struct {
        const char *name;
        access_right right;
    } names[] = {{"ingest", ACCESS_INGEST}, {"read", ACCESS_READ}, {"admin", ACCESS_ADMIN},
        {"pin", ACCESS_PIN}};
    for (char *word; (word = strsep(&words, ",")) != NULL;) {
        unsigned before = rule->rights;
        for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
            rule->rights |= strcmp(word, names[i].name) == 0 ? (unsigned)names[i].right : 0;
        }
        if (rule->rights == before) {
            return "rights: ingest, read, pin and admin, each once, joined by commas";
        }
    }
    return NULL;
}

static int
digit_of(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *found = c == '\0' ? NULL : strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c);
    return found == NULL ? -1 : (int)(found - digits);
}

// unescape replaces each %XX in a word by its byte. Returns false if one is malformed.
static bool
unescape(char *word)
{
    char *to = word;
    for (const char *from = word; *from != '\0'; from++) {
        if (*from != '%') {
            *to++ = *from;
            continue;
        }
        LP_ASSERT(to <= from);
        int high = digit_of(from[1]);
        int low = high < 0 ? -1 : digit_of(from[2]);
        LP_REQUIRE(low >= 0 && high + low != 0, false);
        *to++ = (char)(high * 16 + low);
        from += 2;
    }
    *to = '\0';
    return true;
}

static const char *
take_services(access_rules *rules, char *words, access_rule *rule)
{
    LP_ASSERT(!rule->is_of_all && rule->services.count == 0);
    if (strcmp(words, "*") == 0) {
        rule->is_of_all = true;
        return NULL;
    }
    for (char *word; (word = strsep(&words, ",")) != NULL;) {
        if (word[0] == '\0' || !unescape(word) || !lp_utf8_is_text(word)) {
            return "names of services in UTF-8, joined by commas, or *";
        }
        const char **service = LP_VEC_PUSH(&rule->services);
        if (service == NULL) {
            return ""; // out of memory; take_lines reports it
        }
        *service = lp_arena_text(&rules->arena, word);
    }
    return NULL;
}

static const char *
take_cert(const access_rules *rules, char *name, access_rule *rule)
{
    if (!rules->asks_certs) {
        return "sha256:HEX: cert:NAME needs --tls-client-ca, without which no agent shows a "
               "certificate";
    }
    if (rule->rights != ACCESS_INGEST) {
        return "the right ingest alone with cert:, as HTTP asks for no certificate";
    }
    if (name[0] == '\0' || !unescape(name) || strlen(name) > ACCESS_CERT_NAME_BYTES_MAX ||
        !lp_utf8_is_text(name)) {
        return "cert: and a name of at most 255 bytes in UTF-8";
    }
    rule->key.kind = ACCESS_CERT;
    secret_hash_make((lp_slice){(const uint8_t *)name, strlen(name)}, rule->key.hash);
    return NULL;
}

static const char *
take_token(const char *word, access_rule *rule)
{
    static const char wanted[] =
        "sha256: and the 64 hexadecimal digits of a token's SHA-256, or cert: and a name";
    size_t prefix_len = sizeof(hash_prefix) - 1;
    if (strncmp(word, hash_prefix, prefix_len) != 0 ||
        strlen(word) != prefix_len + 2 * (size_t)SECRET_HASH_BYTES) {
        return wanted;
    }
    const char *digits = word + prefix_len;
    for (size_t i = 0; i < SECRET_HASH_BYTES; i++) {
        int high = digit_of(digits[2 * i]);
        int low = digit_of(digits[2 * i + 1]);
        if (high < 0 || low < 0) {
            return wanted;
        }
        rule->key.hash[i] = (uint8_t)(high * 16 + low);
    }
    rule->key.kind = ACCESS_TOKEN;
    return NULL;
}

static const char *
take_secret(const access_rules *rules, char *word, access_rule *rule)
{
    LP_ASSERT(rule->name != NULL && rule->rights != 0);
    size_t prefix_len = sizeof(cert_prefix) - 1;
    return strncmp(word, cert_prefix, prefix_len) == 0 ? take_cert(rules, word + prefix_len, rule)
                                                       : take_token(word, rule);
}

// next_word cuts the next word off *rest; "": none.
static char *
next_word(char **rest)
{
    LP_ASSERT(*rest != NULL);
    char *word = *rest + strspn(*rest, blanks);
    char *end = word + strcspn(word, blanks);
    *rest = *end == '\0' ? end : end + 1;
    *end = '\0';
    return word;
}

enum { LINE_WORDS = 4 };

// hash_line hashes the hashes of the words, so that moving a word boundary changes the hash.
static void
hash_line(char *const words[LINE_WORDS], uint8_t out_hash[SECRET_HASH_BYTES])
{
    uint8_t hashes[LINE_WORDS * SECRET_HASH_BYTES];
    for (size_t i = 0; i < LINE_WORDS; i++) {
        secret_hash_make((lp_slice){(const uint8_t *)words[i], strlen(words[i])},
            hashes + i * SECRET_HASH_BYTES);
    }
    secret_hash_make((lp_slice){hashes, sizeof(hashes)}, out_hash);
}

// take_line parses a line, which it changes. Returns NULL, or the expected form.
static const char *
take_line(access_rules *rules, char *line)
{
    line[strcspn(line, "#")] = '\0';
    char *name = next_word(&line);
    LP_REQUIRE(name[0] != '\0', NULL);
    char *rights = next_word(&line);
    char *services = next_word(&line);
    char *secret = next_word(&line);
    if (secret[0] == '\0' || next_word(&line)[0] != '\0') {
        return "the four words NAME RIGHTS SERVICES SECRET";
    }
    access_rule *rule = LP_VEC_PUSH(&rules->items);
    if (rule == NULL) {
        return "";
    }
    hash_line((char *const[LINE_WORDS]){name, rights, services, secret}, rule->line);
    const char *wanted = take_name(rules, name, rule);
    wanted = wanted == NULL ? take_rights(rights, rule) : wanted;
    wanted = wanted == NULL ? take_services(rules, services, rule) : wanted;
    wanted = wanted == NULL ? take_secret(rules, secret, rule) : wanted;
    bool is_known = wanted == NULL && access_rules_find(rules, &rule->key) != rule;
    return is_known ? "a token or a certificate name that no other line has" : wanted;
}

// --- The file

static void
destroy(access_rules *self)
{
    for (size_t i = 0; i < self->items.count; i++) {
        LP_VEC_FINI(&self->items.items[i].services);
    }
    LP_VEC_FINI(&self->items);
    lp_arena_fini(&self->arena);
    free(self);
}

// take_lines reads the lines of a text that ends in 0.
static lp_err
take_lines(access_rules *self, const char *path, char *rest, lp_problem *out_problem)
{
    for (unsigned number = 1; rest != NULL; number++) {
        const char *wanted = take_line(self, strsep(&rest, "\n"));
        if (lp_arena_err(&self->arena) != LP_OK || (wanted != NULL && wanted[0] == '\0')) {
            return lp_problem_set(out_problem, LP_ENOMEM, "%s: out of memory", path);
        }
        LP_REQUIRE(wanted == NULL, lp_problem_set(out_problem, LP_ECORRUPT,
                                       "%s: line %u: expected %s", path, number, wanted));
        LP_REQUIRE(self->items.count <= ACCESS_RULES_MAX,
            lp_problem_set(out_problem, LP_ELIMIT, "%s: line %u: more than %d rules", path, number,
                ACCESS_RULES_MAX));
    }
    return LP_OK;
}

lp_err
access_rules_parse(const char *path, lp_slice text, bool asks_certs, access_rules **out_rules,
    lp_problem *out_problem)
{
    access_rules *self = calloc(1, sizeof(*self));
    lp_buf copy = {0};
    lp_buf_append(&copy, text.ptr, text.len);
    lp_buf_append(&copy, "", 1);
    lp_err err = self == NULL ? LP_ENOMEM : lp_buf_check(&copy);
    if (err != LP_OK) {
        (void)lp_problem_set(out_problem, err, "%s: out of memory", path);
    } else if (strlen((const char *)copy.ptr) < text.len) {
        err = lp_problem_set(out_problem, LP_ECORRUPT, "%s: not a text", path);
    } else {
        atomic_init(&self->owner_count, 1);
        self->asks_certs = asks_certs;
        bool has_mark = strncmp((char *)copy.ptr, byte_order_mark, strlen(byte_order_mark)) == 0;
        size_t begin = has_mark ? strlen(byte_order_mark) : 0;
        err = take_lines(self, path, (char *)copy.ptr + begin, out_problem);
    }
    lp_buf_fini(&copy);
    if (err != LP_OK) {
        if (self != NULL) {
            destroy(self);
        }
        return err;
    }
    LP_ASSERT(self->items.count <= ACCESS_RULES_MAX);
    *out_rules = self;
    return LP_OK;
}

access_rules *
access_rules_ref(access_rules *self)
{
    int before = atomic_fetch_add_explicit(&self->owner_count, 1, memory_order_relaxed);
    LP_ASSERT(before > 0);
    return self;
}

void
access_rules_unref(access_rules *self)
{
    // Release and acquire: the last owner frees them after all others are done.
    if (self != NULL) {
        int before = atomic_fetch_sub_explicit(&self->owner_count, 1, memory_order_acq_rel);
        LP_ASSERT(before > 0);
        if (before == 1) {
            destroy(self);
        }
    }
}

size_t
access_rules_count(const access_rules *self)
{
    return self->items.count;
}

const access_rule *
access_rules_find(const access_rules *self, const access_key *key)
{
    const access_rule *found = NULL;
    for (size_t i = 0; i < self->items.count; i++) { // constant time
        const access_rule *rule = &self->items.items[i];
        bool is_equal = secret_hash_is_equal(rule->key.hash, key->hash);
        found = is_equal && rule->key.kind == key->kind && found == NULL ? rule : found;
    }
    LP_ASSERT(found == NULL || found->key.kind == key->kind);
    return found;
}

const access_rule *
access_rules_find_token(const access_rules *self, lp_slice token)
{
    access_key key = {.kind = ACCESS_TOKEN};
    LP_REQUIRE(token.len >= ACCESS_TOKEN_BYTES_MIN && token.len <= ACCESS_TOKEN_BYTES_MAX, NULL);
    secret_hash_make(token, key.hash);
    return access_rules_find(self, &key);
}

const access_rule *
access_rules_find_cert(const access_rules *self, const char *name)
{
    access_key key = {.kind = ACCESS_CERT};
    LP_REQUIRE(name != NULL, NULL);
    secret_hash_make((lp_slice){(const uint8_t *)name, strlen(name)}, key.hash);
    return access_rules_find(self, &key);
}

const access_rule *
access_rules_find_line(const access_rules *self, const uint8_t line[SECRET_HASH_BYTES])
{
    LP_ASSERT(self->items.count <= ACCESS_RULES_MAX);
    return LP_FIND(
        self->items.items, self->items.count, memcmp(at->line, line, SECRET_HASH_BYTES) == 0);
}

const char *
access_rule_get_name(const access_rule *rule)
{
    LP_ASSERT(rule->name != NULL);
    return rule->name;
}

const access_key *
access_rule_get_key(const access_rule *rule)
{
    LP_ASSERT(rule->key.kind == ACCESS_TOKEN || rule->key.kind == ACCESS_CERT);
    return &rule->key;
}

const uint8_t *
access_rule_get_line(const access_rule *rule)
{
    return rule->line;
}

bool
access_rule_has(const access_rule *rule, access_right right)
{
    LP_ASSERT(right != 0);
    return (rule->rights & (unsigned)right) != 0;
}

bool
access_rule_allows(const access_rule *rule, access_right right, const char *service)
{
    LP_ASSERT(rule->is_of_all || rule->services.count > 0);
    if (!access_rule_has(rule, right) || rule->is_of_all) {
        return access_rule_has(rule, right);
    }
    return service != NULL &&
           LP_ANY(rule->services.items, rule->services.count, strcmp(*at, service) == 0);
}

lp_err
access_rule_list(
    const access_rule *rule, access_right right, char separator, char *out_names, size_t size_bytes)
{
    LP_ASSERT(size_bytes > 0);
    LP_REQUIRE(access_rule_has(rule, right), LP_ENOENT);
    size_t len = 0;
    for (size_t i = 0; i < rule->services.count && !rule->is_of_all; i++) {
        size_t more = strlen(rule->services.items[i]);
        LP_REQUIRE(len + more + 1 < size_bytes, LP_ELIMIT);
        memcpy(out_names + len, rule->services.items[i], more);
        len += more;
        out_names[len++] = separator;
    }
    out_names[len == 0 ? 0 : len - 1] = '\0';
    return LP_OK;
}
