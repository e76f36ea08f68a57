// SPDX-License-Identifier: Apache-2.0
// Messages and journals are those of tests/fixtures, the rest is written here.

#include "make_corpus.h"
#include "support/class_sample.h"
#include "support/files.h"

#include "collector/index/id_object.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_buf.h"

#include <dirent.h>
#include <lz4frame.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

static const lp_slice nothing = {(const uint8_t *)"", 0};

static lp_slice
text_of(const char *text)
{
    return (lp_slice){(const uint8_t *)text, strlen(text)};
}

static void
write_text(const char *target, const char *name, const char *text)
{
    make_corpus_write(target, name, text_of(text), nothing);
}

static void
append_le16(lp_buf *out, size_t value)
{
    const uint8_t bytes[] = {(uint8_t)value, (uint8_t)(value >> 8)};
    LP_ASSERT(value <= UINT16_MAX);
    lp_buf_append(out, bytes, sizeof(bytes));
}

// --- Messages and journals

static bool
ends_in(const char *name, const char *end)
{
    size_t len = strlen(name);
    return len >= strlen(end) && strcmp(name + len - strlen(end), end) == 0;
}

// each calls on_file for every file of a folder whose name ends so, in their order.
static void
each(const char *folder, const char *end,
    void (*on_file)(void *arg, const char *name, const lp_buf *content), void *arg)
{
    char path[4096];
    struct dirent **entries;
    lp_buf content = {0};
    int count = scandir(folder, &entries, NULL, alphasort);
    LP_ASSERT(count > 2);
    for (int i = 0; i < count; i++) {
        if (ends_in(entries[i]->d_name, end)) {
            (void)snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
            lp_buf_clear(&content);
            files_read(path, &content);
            on_file(arg, entries[i]->d_name, &content);
        }
        free(entries[i]);
    }
    free(entries);
    lp_buf_fini(&content);
}

// The messages of an agent, as many as there may be.
typedef struct sent_messages {
    lp_buf bytes;
    size_t count_max;
} sent_messages;

static void
append_message(void *arg, const char *name, const lp_buf *content)
{
    sent_messages *sent = arg;
    (void)name;
    if (sent->count_max > 0) {
        sent->count_max--;
        append_le16(&sent->bytes, content->len);
        lp_buf_append(&sent->bytes, content->ptr, content->len);
    }
}

// The steps of fuzz_reply.c.
enum { STEP_SEND, STEP_PUSH, STEP_ANSWER, STEP_FAIL, STEP_WAIT };

static void
append_answer(lp_buf *steps, uint8_t which, lp_slice answer)
{
    const uint8_t head[] = {STEP_ANSWER, which, (uint8_t)answer.len};
    LP_ASSERT(answer.len <= UINT8_MAX);
    lp_buf_append(steps, head, sizeof(head));
    lp_buf_append(steps, answer.ptr, answer.len);
}

// write_reply writes a session of an agent that gets this answer to its Hello and to a batch, while
// the others get OK, and one of them none.
static void
write_reply(void *arg, const char *name, const lp_buf *content)
{
    static const uint8_t push_send[] = {STEP_PUSH, STEP_PUSH, STEP_PUSH, STEP_SEND};
    static const uint8_t fail_wait[] = {STEP_FAIL, 0, STEP_WAIT, 200, STEP_SEND};
    static const uint8_t send = STEP_SEND;
    static const uint8_t ok[] = {1 << 3, 1};
    lp_buf steps = {0};
    (void)arg;
    lp_buf_append(&steps, &send, 1);
    append_answer(&steps, 0, lp_buf_slice(content));
    lp_buf_append(&steps, push_send, sizeof(push_send));
    append_answer(&steps, 1, lp_buf_slice(content));
    lp_buf_append(&steps, fail_wait, sizeof(fail_wait));
    append_answer(&steps, 0, (lp_slice){ok, sizeof(ok)});
    make_corpus_write("fuzz_reply", name, lp_buf_slice(&steps), nothing);
    lp_buf_fini(&steps);
}

// make_refusals writes the same with answers that the fixtures do not have: by status, and of other
// versions.
static void
make_refusals(void)
{
    static const uint8_t answers[][6] = {{8, 1, 16, 1, 32, 0}, {8, 2, 16, 2, 32, 0},
        {8, 1, 16, 2, 32, 0}, {8, 1, 16, 3, 32, 0}, {8, 1, 16, 9, 32, 5}, {8, 9, 16, 2, 32, 0},
        {8, 1, 16, 0, 32, 9}, {8, 1, 56, 3, 64, 1}, {255, 255, 255, 255, 255, 255}};
    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
        char name[20];
        lp_buf content = {0};
        lp_buf_append(&content, answers[i], sizeof(answers[i]));
        (void)snprintf(name, sizeof(name), "answer%zu", i);
        write_reply(NULL, name, &content);
        lp_buf_fini(&content);
    }
}

// make_messages writes what an agent of the fixtures has sent: all, or its Hello and a batch.
static void
make_messages(const char *service, const char *name, size_t count_max)
{
    char end[40];
    sent_messages sent = {.count_max = count_max};
    (void)snprintf(end, sizeof(end), "-%s.request", service);
    each(FIXTURES "/before", end, append_message, &sent);
    each(FIXTURES "/after", end, append_message, &sent);
    make_corpus_write("fuzz_intake", name, lp_buf_slice(&sent.bytes), nothing);
    lp_buf_fini(&sent.bytes);
}

// make_frames writes streams of messages, as they are on TCP and on a Unix socket.
static void
make_frames(void)
{
#define REQUESTER 0, 'S', 'P', 0, 0, 0x30, 0, 0
    static const uint8_t tcp[] = {0, 6, REQUESTER, 0, 0, 0, 0, 0, 0, 0, 7, 0x80, 0, 0, 1, 'a', 'b',
        'c', 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 5, 0x80, 0, 0, 2, 'd'};
    static const uint8_t local[] = {1, 0, REQUESTER, 1, 0, 0, 0, 0, 0, 0, 0, 7, 0x80, 0, 0, 1, 'a',
        'b', 'c', 1, 0, 0, 0, 0, 0, 0, 0, 4, 255, 255, 255, 255};
    static const uint8_t large[] = {0, 1, REQUESTER, 0, 0, 0, 0, 0, 7, 0, 0, 0x80, 0, 0, 1};
    static const uint8_t foreign[] = {0, 3, 'G', 'E', 'T', ' ', '/', ' ', 'H', 'T', 'T', 'P'};
#define WRITE(stream)                                                                              \
    make_corpus_write("fuzz_frames", #stream, (lp_slice){stream, sizeof(stream)}, nothing)
    WRITE(tcp);
    WRITE(local);
    WRITE(large);
    WRITE(foreign);
#undef WRITE
#undef REQUESTER
}

// Two journals of a session, one after the other.
typedef struct journals {
    lp_buf files[2];
    size_t count;
} journals;

static void
write_journals(const char *name, uint8_t bits, uint8_t ordinal, const journals *two)
{
    lp_buf head = {0};
    const uint8_t first[] = {bits, ordinal};
    lp_buf_append(&head, first, sizeof(first));
    append_le16(&head, two->files[0].len);
    lp_buf_append(&head, two->files[0].ptr, two->files[0].len);
    make_corpus_write("fuzz_journal", name, lp_buf_slice(&head), lp_buf_slice(&two->files[1]));
    lp_buf_fini(&head);
}

static void
add_journal(void *arg, const char *name, const lp_buf *content)
{
    journals *two = arg;
    (void)name;
    LP_ASSERT(two->count < 2);
    lp_buf_append(&two->files[two->count++], content->ptr, content->len);
}

// unframe appends the messages of a journal.
static void
unframe(const lp_buf *file, lp_buf *out)
{
    enum { FRAME_BYTES = 12, LENGTH_AT = 4 };
    for (size_t at = 0; at < file->len;) {
        size_t len = (size_t)file->ptr[at + LENGTH_AT] | (size_t)file->ptr[at + LENGTH_AT + 1] << 8;
        append_le16(out, len);
        lp_buf_append(out, file->ptr + at + FRAME_BYTES, len);
        at += FRAME_BYTES + len;
    }
}

static void
make_journals(const char *name, const char *folder, uint8_t ordinal)
{
    char other[60];
    journals files = {0};
    journals messages = {0};
    each(folder, ".log", add_journal, &files);
    LP_ASSERT(files.count == 2);
    write_journals(name, 0, ordinal, &files);
    for (size_t i = 0; i < 2; i++) {
        unframe(&files.files[i], &messages.files[i]);
    }
    (void)snprintf(other, sizeof(other), "%s_framed", name);
    write_journals(other, 1, ordinal, &messages);
    files.files[0].len -= 10;
    files.files[1].ptr[200] ^= 1;
    (void)snprintf(other, sizeof(other), "%s_damaged", name);
    write_journals(other, 0, ordinal, &files);
    for (size_t i = 0; i < 2; i++) {
        lp_buf_fini(&files.files[i]);
        lp_buf_fini(&messages.files[i]);
    }
}

// --- Policies

static void
make_policies(void)
{
    write_text("fuzz_policy", "all",
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<configuration version=\"2.0\" label=\"l\" description=\"d\" provider=\"p\">\n"
        "<event name=\"jdk.ThreadPark\"><setting name=\"enabled\">true</setting>"
        "<setting name=\"threshold\">20 ms</setting><setting name=\"stackTrace\">true</setting>"
        "<setting name=\"select\">if-context</setting>"
        "<setting name=\"filter\">has-entry route=&quot;/a b&quot; and has-null user</setting>"
        "</event>\n"
        "<event name=\"jdk.Socket*\"><setting name=\"throttle\">100/s</setting>"
        "<setting name=\"threshold\">infinity</setting></event>\n"
        "<event name=\"shop.Request\"><setting name=\"contextual\">true</setting>"
        "<setting name=\"select\">if-triggered</setting>"
        "<setting name=\"context-threshold\">60000 us</setting>"
        "<setting name=\"context-match\">route=&quot;/a b/&quot;*</setting>"
        "<setting name=\"context-throttle\">5/m</setting>"
        "<setting name=\"context-index\">orderId, &quot;a b&quot;</setting></event>\n"
        "<event name=\"*\"><setting name=\"throttle\">off</setting></event>\n"
        "</configuration>\n");
    write_text("fuzz_policy", "requests",
        "<configuration version=\"2.0\"><event name=\"dev.loupe.Request\">"
        "<setting name=\"request-keep\">whole</setting><setting name=\"keep-slow\">1 s</setting>"
        "<setting name=\"keep-slowest\">10/m</setting><setting name=\"keep-rare\">1/h</setting>"
        "<setting name=\"keep\">has-entry a=b and has-key c or has-key d</setting>"
        "<setting name=\"drop\">has-key e</setting><setting name=\"budget\">100M/h</setting>"
        "<setting name=\"request-by\">f,g</setting><setting name=\"request\">h</setting>"
        "</event></configuration>");
    write_text("fuzz_policy", "wrong",
        "<configuration version=\"2.0\"><event name=\"a\"><setting name=\"select\">some</setting>"
        "<setting name=\"threshold\">20 parsecs</setting><setting name=\"throttle\">-1/s</setting>"
        "<setting name=\"filter\">has-entry</setting><setting name=\"\">x</setting></event>"
        "<event><setting>y</setting></event><selection name=\"s\"/></configuration>");
    write_text("fuzz_policy", "entity",
        "<!DOCTYPE x [<!ENTITY a \"b\">]><configuration><event name=\"&a;\"/></configuration>");
    write_text("fuzz_policy", "no_xml", "select = all\n");
}

// --- HTTP

static void
make_http(void)
{
    write_text("fuzz_http", "contexts",
        "/api/v1/contexts?service=shop&context=Request&where=route^=/a&where=n>=5&from=2026-01-02T"
        "03:04:05Z&to=1767323045123456789&min_duration_ns=1&sort=blocked&limit=10&cursor=d.-2.1.1");
    write_text("fuzz_http", "graph",
        "/api/v1/flamegraph?base=rest&base_service=a&value=lock&max_nodes=5&thread=7&trace=4bf92f");
    write_text("fuzz_http", "one", "/api/v1/contexts/5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a/1-2?x=1");
    write_text("fuzz_http", "heatmap",
        "/api/v1/contexts/heatmap?from=2026-01-02T04:04:05 01:00&columns=100&where=a=b");
    write_text("fuzz_http", "events", "/api/v1/events?type=jdk.*&fields=a,b&limit=3&sort=start");
    write_text("fuzz_http", "timeline", "/api/v1/timeline?id=4d1c7be94f20-9f86d081&width=3");
    write_text("fuzz_http", "ids", "/api/v1/ids/ABC?from=1767323045123456789");
    write_text("fuzz_http", "recording",
        "/api/v1/recordings/5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a.jfr?sample-contexts=true\n"
        "Range: bytes=5-9\nRange: bytes=-3\nRange: bytes=2-\nIf-None-Match: W/\"9b0e\", \"x\"\n"
        "Accept: text/html;q=0.9, application/json;q=0.875, */*;q=0.1\n"
        "Name: a/b\\\"c\nName: caf\xc3\xa9");
    write_text("fuzz_http", "policy", "/api/v1/policies/a/b");
    write_text("fuzz_http", "page", "/s/shop?from=1h");
}

// --- Wrapped recordings

static void
write_packed(const char *name, size_t cut, const lp_buf *packed, lp_slice more)
{
    lp_buf whole = {0};
    append_le16(&whole, cut);
    lp_buf_append(&whole, packed->ptr, packed->len);
    make_corpus_write("fuzz_unpack", name, lp_buf_slice(&whole), more);
    lp_buf_fini(&whole);
}

static void
pack_gzip(lp_slice bytes, lp_buf *out)
{
    z_stream stream = {0};
    LP_ASSERT(
        deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK); // 16: gzip
    size_t room = deflateBound(&stream, bytes.len);
    stream.next_in = (z_const Bytef *)(uintptr_t)bytes.ptr;
    stream.avail_in = (uInt)bytes.len;
    stream.next_out = lp_buf_extend(out, room);
    stream.avail_out = (uInt)room;
    LP_ASSERT(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    out->len -= stream.avail_out;
    LP_ASSERT(deflateEnd(&stream) == Z_OK);
}

static void
make_packed(void)
{
    uint8_t bytes[3000];
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (uint8_t)(i * i >> 7);
    }
    const lp_slice content = {bytes, sizeof(bytes)};
    lp_buf gzip = {0};
    lp_buf lz4 = {0};
    lp_buf zstd = {0};
    pack_gzip(content, &gzip);
    size_t room = LZ4F_compressFrameBound(content.len, NULL);
    lz4.len = 0;
    void *out = lp_buf_extend(&lz4, room);
    lz4.len = LZ4F_compressFrame(out, room, content.ptr, content.len, NULL);
    room = ZSTD_compressBound(content.len);
    out = lp_buf_extend(&zstd, room);
    zstd.len = ZSTD_compress(out, room, content.ptr, content.len, 3);
    write_packed("gzip", 100, &gzip, nothing);
    write_packed("lz4", 100, &lz4, nothing);
    write_packed("zstd", 100, &zstd, nothing);
    write_packed("gzip_then_zstd", 60000, &gzip, lp_buf_slice(&zstd));
    write_packed("lz4_then_garbage", 60000, &lz4, content);
    write_packed("zstd_cut", 60000, &zstd, (lp_slice){zstd.ptr, zstd.len / 2});
    const lp_buf plain = {.ptr = bytes, .len = 100};
    write_packed("plain", 50, &plain, nothing);
    lp_buf_fini(&gzip);
    lp_buf_fini(&lz4);
    lp_buf_fini(&zstd);
}

// --- Catalogs

static void
make_catalogs(void)
{
    static const uint8_t sound[] = {0, 0, 24, 0, 0, 0}; // a byte that changes nothing
    static const uint8_t page[] = {
        0, 0, 8, 16, 0, 7, 0, 0, 32, 0, 9}; // two of the second and third page
    static const uint8_t log[] = {0, 1, 40, 0, 0, 1, 1, 0, 16, 0, 3};
    static const uint8_t cut[] = {1, 2, 0, 32, 0, 3, 100, 0, 0};
    static const uint8_t empty[] = {0, 2, 0, 0, 0, 3, 0, 0, 0};
    static const uint8_t later[] = {0, 7, 99};
    static const uint8_t number[] = {1, 4, 9, 0, 255, 255, 255, 255, 255, 255, 255, 255};
    static const uint8_t text[] = {0, 5, 0, 0, 6, '.', '.', '/', '.', '.', '/'};
    static const uint8_t bytes[] = {1, 6, 1, 0, 3, 0, 255, 0, 6, 60, 0, 2, 8, 1};
#define WRITE(steps)                                                                               \
    make_corpus_write("fuzz_catalog", #steps, (lp_slice){steps, sizeof(steps)}, nothing)
    WRITE(sound);
    WRITE(page);
    WRITE(log);
    WRITE(cut);
    WRITE(empty);
    WRITE(later);
    WRITE(number);
    WRITE(text);
    WRITE(bytes);
#undef WRITE
}

// --- Class files

static void
write_class(const char *name, lp_slice code)
{
    lp_buf file = {0};
    class_sample_put(&file, code, false);
    make_corpus_write("fuzz_rewrite", name, lp_buf_slice(&file), nothing);
    lp_buf_fini(&file);
}

static void
write_classes(void)
{
    write_class("tables", (lp_slice){class_sample_code, sizeof(class_sample_code)});
    write_class("switches", (lp_slice){class_sample_switches, sizeof(class_sample_switches)});
}

// --- Segments of the index of ids

enum { IDS = 3 };

static void
make_segments(void)
{
    const id_chunk chunk = {.session = {0xca, 1}, .ordinal = 7};
    const uint64_t hashes[IDS] = {1, 1ull << 40, UINT64_MAX};
    id_object_writer writer = {.from_wall_ns = 1};
    lp_buf object = {0};
    const lp_slice bytes = {(const uint8_t *)hashes, sizeof(hashes)};
    LP_ASSERT(id_object_writer_add(&writer, &chunk, 1, bytes) == LP_OK);
    LP_ASSERT(id_object_writer_finish(&writer, &object) == LP_OK);
    make_corpus_write("fuzz_segment", "segment", text_of("\2"), lp_buf_slice(&object));
    id_object_writer_fini(&writer);
    lp_buf_fini(&object);
}

void
make_corpus_outside(void)
{
    make_segments();
    write_classes();
    make_messages("basket", "basket", SIZE_MAX);
    make_messages("basket", "basket_begin", 2);
    make_messages("carts", "carts", SIZE_MAX);
    make_messages("carts", "carts_begin", 2);
    make_messages("orders", "orders", SIZE_MAX);
    make_messages("orders", "orders_begin", 3);
    each(FIXTURES "/before", ".reply", write_reply, NULL);
    make_refusals();
    make_frames();
    make_journals("orders", FIXTURES "/data/journal/0d000000000000000000000000000000", 3);
    make_journals("carts", FIXTURES "/data/journal/ca000000000000000000000000000000", 0);
    make_policies();
    make_http();
    make_packed();
    make_catalogs();
}
