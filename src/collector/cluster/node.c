// SPDX-License-Identifier: Apache-2.0

#include "collector/cluster/node.h"

#include "collector/base/metrics.h"
#include "collector/journal/place_mark.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { KEY_BYTES = CATALOG_NODE_KEY_CHARS / 2, ID_BYTES = CATALOG_NODE_ID_CHARS / 2 };

struct node {
    catalog *catalog;
    const char *name;
    const char *url;
    const char *log;
    char key[CATALOG_NODE_KEY_CHARS + 1];
    uint64_t due_ms; // when to renew the lease
    bool is_draining;
    bool is_in_charge;
    bool is_away; // the last renewal failed
};

// --- Its id

// make_hex writes count random bytes as hex. Errors: LP_EIO
static lp_err
make_hex(size_t count, char *out_hex)
{
    LP_ASSERT(count <= KEY_BYTES);
    uint8_t bytes[KEY_BYTES];
    LP_REQUIRE(getrandom(bytes, count, 0) == (ssize_t)count, LP_EIO);
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(out_hex + 2 * i, 3, "%02x", bytes[i]);
    }
    return LP_OK;
}

static lp_err
read_or_make(const char *path, char out_id[CATALOG_NODE_ID_CHARS + 1])
{
    char mark[PLACE_MARK_BYTES];
    lp_err err = place_mark_read(path, mark);
    LP_TRY(err);
    if (mark[0] == '\0') {
        err = make_hex(ID_BYTES, mark);
        LP_THEN(err, place_mark_write(path, mark));
    }
    if (err == LP_OK && !catalog_id_is_valid(mark)) {
        return LP_ECORRUPT;
    }
    LP_ASSERT(err != LP_OK || strlen(mark) == CATALOG_NODE_ID_CHARS);
    memcpy(out_id, mark, CATALOG_NODE_ID_CHARS + 1);
    return err;
}

lp_err
node_read_id(const data_dir *dir, char out_id[CATALOG_NODE_ID_CHARS + 1], lp_problem *out_problem)
{
    lp_err err = read_or_make(data_dir_at(dir, DATA_DIR_NODE).text, out_id);
    if (err != LP_OK) {
        (void)lp_problem_set(out_problem, err, "%s/node: %s", data_dir_get_path(dir),
            err == LP_ECORRUPT ? "not a node id, which is 32 characters of 0-9 and a-f"
                               : lp_err_reason(err));
    }
    return err;
}

// --- Its lease

static lp_err
join(node *self)
{
    LP_ASSERT(strlen(self->key) == CATALOG_NODE_KEY_CHARS);
    const catalog_node row = {.name = self->name,
        .url = self->url,
        .key = self->key,
        .version = LOUPE_VERSION,
        .log = self->log};
    return catalog_nodes_join(self->catalog, &row, NODE_LEASE_MS);
}

typedef struct other_log {
    const char *own;
    char name[CATALOG_NODE_NAME_BYTES_MAX + 1]; // of the first node with another log; "": none
    char log[CATALOG_NODE_LOG_BYTES_MAX + 1];
} other_log;

static void
note_other_log(void *arg, const catalog_node *row)
{
    other_log *other = arg;
    LP_ASSERT(other->own != NULL);
    if (row->left_ms > 0 && strcmp(row->log, other->own) != 0 && other->name[0] == '\0') {
        (void)snprintf(other->name, sizeof(other->name), "%s", row->name);
        (void)snprintf(
            other->log, sizeof(other->log), "%s", row->log[0] == '\0' ? "none" : row->log);
    }
}

// check_log returns LP_ELIMIT if a running node uses another log. The own row is in place by then:
// if two nodes start at once, at least one sees the other.
static lp_err
check_log(const node *self, lp_problem *out_problem)
{
    other_log other = {.own = self->log};
    lp_err err = catalog_nodes_list(self->catalog, note_other_log, &other);
    LP_REQUIRE(err == LP_OK,
        lp_problem_set(out_problem, err, "cannot read the catalog: %s", lp_err_reason(err)));
    return other.name[0] == '\0' ? LP_OK
                                 : lp_problem_set(out_problem, LP_ELIMIT,
                                       "all collectors of a catalog need the same --journal: the "
                                       "running node %s has %s",
                                       other.name, other.log);
}

lp_err
node_join(catalog *in, const char *name, const char *url, const char *log, node **out_node,
    lp_problem *out_problem)
{
    LP_ASSERT(name != NULL && url != NULL && log != NULL);
    if (strlen(name) > CATALOG_NODE_NAME_BYTES_MAX || strlen(url) > CATALOG_NODE_URL_BYTES_MAX) {
        return lp_problem_set(out_problem, LP_ELIMIT,
            "a node's name has at most %d bytes, and its URL at most %d",
            CATALOG_NODE_NAME_BYTES_MAX, CATALOG_NODE_URL_BYTES_MAX);
    }
    node *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, lp_problem_set(out_problem, LP_ENOMEM, "out of memory"));
    *self = (node){.catalog = in, .name = name, .url = url, .log = log};
    lp_err err = make_hex(KEY_BYTES, self->key);
    LP_THEN(err, join(self));
    LP_THEN(err, catalog_nodes_forget(in, NODE_FORGET_MS));
    if (err != LP_OK) {
        free(self);
        return lp_problem_set(out_problem, err, "cannot write the catalog: %s", lp_err_reason(err));
    }
    err = check_log(self, out_problem);
    if (err != LP_OK) {
        node_destroy(self);
        return err;
    }
    *out_node = self;
    return LP_OK;
}

// renew renews the lease, and joins again if the node's row was deleted.
static lp_err
renew(node *self)
{
    lp_err err = catalog_nodes_renew(self->catalog, NODE_LEASE_MS, &self->is_draining);
    return err == LP_ENOENT ? join(self) : err;
}

void
node_tick(node *self, uint64_t now_ms)
{
    LP_ASSERT(self->catalog != NULL);
    if (now_ms < self->due_ms) {
        return;
    }
    char first[CATALOG_NODE_ID_CHARS + 1];
    lp_err err = renew(self);
    LP_THEN(err, catalog_nodes_find_first(self->catalog, first));
    self->is_in_charge = err == LP_OK && strcmp(first, catalog_get_node(self->catalog)) == 0;
    if (err == LP_OK) {
        self->due_ms = now_ms + NODE_RENEW_MS;
    } else {
        metrics_add(METRICS_lease_errors, 1);
    }
    if ((err != LP_OK) != self->is_away) {
        self->is_away = err != LP_OK;
        lp_log(self->is_away ? LP_LOG_WARN : LP_LOG_INFO, "node %s: its lease %s%s%s", self->name,
            self->is_away ? "cannot be renewed: " : "is renewed again",
            self->is_away ? lp_err_reason(err) : "",
            self->is_away ? "; others may take its sessions" : "");
    }
}

bool
node_is_draining(const node *self)
{
    return self->is_draining;
}

bool
node_is_in_charge(const node *self)
{
    return self->is_in_charge;
}

const char *
node_get_key(const node *self)
{
    LP_ASSERT(strlen(self->key) == CATALOG_NODE_KEY_CHARS);
    return self->key;
}

void
node_destroy(node *self)
{
    bool ignored;
    if (self != NULL) { // if this fails, the lease expires
        lp_err failed = catalog_nodes_renew(self->catalog, 0, &ignored);
        (void)failed;
        free(self);
    }
}
