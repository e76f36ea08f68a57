// SPDX-License-Identifier: Apache-2.0
#include "collector/store/s3/s3_sign.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_order.h"

#include <nettle/hmac.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DAY_CHARS = 8 }; // of a date

static const char algorithm[] = "AWS4-HMAC-SHA256";

static void
append_text(lp_buf *to, const char *text)
{
    lp_buf_append(to, text, strlen(text));
}

static void
format_hex(const uint8_t bytes[SHA256_DIGEST_SIZE], char out_text[S3_SIGN_HASH_BYTES])
{
    _Static_assert(S3_SIGN_HASH_BYTES == 2 * SHA256_DIGEST_SIZE + 1, "two digits a byte");
    for (size_t i = 0; i < SHA256_DIGEST_SIZE; i++) {
        (void)snprintf(out_text + 2 * i, 3, "%02x", bytes[i]);
    }
}

void
s3_sign_hash(lp_slice bytes, char out_hash[S3_SIGN_HASH_BYTES])
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    struct sha256_ctx context;
    sha256_init(&context);
    sha256_update(&context, bytes.len, bytes.ptr);
    sha256_digest(&context, sizeof(digest), digest);
    format_hex(digest, out_hash);
}

void
s3_sign_date(int64_t wall_ns, char out_date[S3_SIGN_DATE_BYTES])
{
    time_t seconds = (time_t)(wall_ns / 1000000000);
    struct tm parts;
    (void)gmtime_r(&seconds, &parts);
    size_t length = strftime(out_date, S3_SIGN_DATE_BYTES, "%Y%m%dT%H%M%SZ", &parts);
    LP_ASSERT(length == S3_SIGN_DATE_BYTES - 1);
}

static bool
is_unreserved(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_' || c == '~';
}

void
s3_sign_encode(const char *text, bool keeps_slashes, lp_buf *out_text)
{
    for (; *text != '\0'; text++) {
        char encoded[4];
        if (is_unreserved(*text) || (*text == '/' && keeps_slashes)) {
            lp_buf_append(out_text, text, 1);
        } else {
            (void)snprintf(encoded, sizeof(encoded), "%%%02X", (unsigned char)*text);
            lp_buf_append(out_text, encoded, 3);
        }
    }
}

static int
compare_encoded(const char *a, const char *b)
{
    lp_buf left = {0};
    lp_buf right = {0};
    s3_sign_encode(a, false, &left);
    s3_sign_encode(b, false, &right);
    lp_buf_append(&left, "", 1);
    lp_buf_append(&right, "", 1);
    // Without memory the order does not matter: the signature fails, too.
    bool is_made = lp_buf_check(&left) == LP_OK && lp_buf_check(&right) == LP_OK;
    int order = is_made ? strcmp((const char *)left.ptr, (const char *)right.ptr) : 0;
    lp_buf_fini(&left);
    lp_buf_fini(&right);
    return order;
}

LP_COMPARE(compare_pairs, client_http_pair,
    compare_encoded(one->name, other->name) ?: compare_encoded(one->value, other->value))

static void
sort_pairs(
    const client_http_pair *pairs, size_t count, client_http_pair out_sorted[S3_SIGN_PAIRS_MAX])
{
    LP_ASSERT(count <= S3_SIGN_PAIRS_MAX);
    if (count > 0) {
        memcpy(out_sorted, pairs, count * sizeof(*pairs));
        qsort(out_sorted, count, sizeof(*out_sorted), compare_pairs);
    }
}

void
s3_sign_query(const client_http_pair *query, size_t count, lp_buf *out_text)
{
    client_http_pair sorted[S3_SIGN_PAIRS_MAX];
    sort_pairs(query, count, sorted);
    for (size_t i = 0; i < count; i++) {
        append_text(out_text, i == 0 ? "" : "&");
        s3_sign_encode(sorted[i].name, false, out_text);
        append_text(out_text, "=");
        s3_sign_encode(sorted[i].value, false, out_text);
    }
}

// append_value appends a header's value, trimmed, with runs of blanks reduced to one.
static void
append_value(lp_buf *to, const char *value)
{
    bool has_blank = false;
    for (value += strspn(value, " "); *value != '\0'; value++) {
        if (*value == ' ') {
            has_blank = true;
            continue;
        }
        append_text(to, has_blank ? " " : "");
        lp_buf_append(to, value, 1);
        has_blank = false;
    }
}

static void
request_check(const s3_sign_request *request)
{
    LP_ASSERT(request->method != NULL && request->path != NULL && request->body_hash != NULL);
    LP_ASSERT(request->header_count <= S3_SIGN_PAIRS_MAX);
    LP_ASSERT(request->query_count <= S3_SIGN_PAIRS_MAX);
}

static void
scope_check(const s3_sign_scope *scope)
{
    LP_ASSERT(scope->key_id != NULL && scope->secret != NULL && scope->region != NULL);
    LP_ASSERT(scope->service != NULL && strlen(scope->date) == S3_SIGN_DATE_BYTES - 1);
}

static void
append_names(lp_buf *to, const client_http_pair *headers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        append_text(to, i == 0 ? "" : ";");
        append_text(to, headers[i].name);
    }
}

static void
append_canonical(lp_buf *to, const s3_sign_request *request, const client_http_pair *headers)
{
    request_check(request);
    append_text(to, request->method);
    append_text(to, "\n");
    append_text(to, request->path);
    append_text(to, "\n");
    s3_sign_query(request->query, request->query_count, to);
    append_text(to, "\n");
    for (size_t i = 0; i < request->header_count; i++) {
        append_text(to, headers[i].name);
        append_text(to, ":");
        append_value(to, headers[i].value);
        append_text(to, "\n");
    }
    append_text(to, "\n");
    append_names(to, headers, request->header_count);
    append_text(to, "\n");
    append_text(to, request->body_hash);
}

static void
derive(uint8_t key[SHA256_DIGEST_SIZE], size_t key_bytes, const uint8_t *from, const char *text,
    size_t text_chars)
{
    struct hmac_sha256_ctx context;
    hmac_sha256_set_key(&context, key_bytes, from);
    hmac_sha256_update(&context, text_chars, (const uint8_t *)text);
    hmac_sha256_digest(&context, SHA256_DIGEST_SIZE, key);
}

// sign_text signs with a key that is made of the secret, and good for the scope alone.
static lp_err
sign_text(const s3_sign_scope *scope, const char *text, char out_signature[S3_SIGN_HASH_BYTES])
{
    scope_check(scope);
    uint8_t key[SHA256_DIGEST_SIZE];
    lp_buf secret = {0};
    append_text(&secret, "AWS4");
    append_text(&secret, scope->secret);
    lp_err err = lp_buf_check(&secret);
    if (err == LP_OK) {
        derive(key, secret.len, secret.ptr, scope->date, DAY_CHARS);
        const char *const steps[] = {scope->region, scope->service, "aws4_request", text};
        for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
            derive(key, sizeof(key), key, steps[i], strlen(steps[i]));
        }
        format_hex(key, out_signature);
    }
    lp_buf_fini(&secret);
    return err;
}

static void
append_scope(lp_buf *to, const s3_sign_scope *scope)
{
    lp_buf_append(to, scope->date, DAY_CHARS);
    const char *const parts[] = {"/", scope->region, "/", scope->service, "/aws4_request"};
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        append_text(to, parts[i]);
    }
}

static lp_err
make_signature(const s3_sign_request *request, const s3_sign_scope *scope,
    const client_http_pair *headers, char out_signature[S3_SIGN_HASH_BYTES])
{
    request_check(request);
    char hash[S3_SIGN_HASH_BYTES];
    lp_buf canonical = {0};
    lp_buf text = {0};
    append_canonical(&canonical, request, headers);
    lp_err err = lp_buf_check(&canonical);
    if (err == LP_OK) {
        s3_sign_hash(lp_buf_slice(&canonical), hash);
        append_text(&text, algorithm);
        append_text(&text, "\n");
        append_text(&text, scope->date);
        append_text(&text, "\n");
        append_scope(&text, scope);
        append_text(&text, "\n");
        lp_buf_append(&text, hash, sizeof(hash)); // with its end
        err = lp_buf_check(&text);
    }
    LP_THEN(err, sign_text(scope, (const char *)text.ptr, out_signature));
    lp_buf_fini(&canonical);
    lp_buf_fini(&text);
    return err;
}

lp_err
s3_sign(const s3_sign_request *request, const s3_sign_scope *scope, lp_buf *out_authorization)
{
    request_check(request);
    scope_check(scope);
    char signature[S3_SIGN_HASH_BYTES];
    client_http_pair headers[S3_SIGN_PAIRS_MAX];
    sort_pairs(request->headers, request->header_count, headers);
    LP_TRY(make_signature(request, scope, headers, signature));
    append_text(out_authorization, algorithm);
    append_text(out_authorization, " Credential=");
    append_text(out_authorization, scope->key_id);
    append_text(out_authorization, "/");
    append_scope(out_authorization, scope);
    append_text(out_authorization, ", SignedHeaders=");
    append_names(out_authorization, headers, request->header_count);
    append_text(out_authorization, ", Signature=");
    lp_buf_append(out_authorization, signature, sizeof(signature)); // with its end
    return lp_buf_check(out_authorization);
}
