// SPDX-License-Identifier: Apache-2.0
// loupe admin: looks at the collectors that share a catalog, and drains one.
//
// Tests: tests/e2e/cluster.py

#include "cli/base/cmd.h"
#include "cli/serve/places.h"
#include "collector/store/catalog/catalog_owners.h"
#include "common/base/lp_printable.h"
#include "common/base/lp_time.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char program[] = "loupe admin";

// As which it writes: no collector has this id.
static const char nobody[] = "00000000000000000000000000000000";

typedef struct printing {
    json_t *list; // NULL: as text
    size_t count;
    bool has_failed;
} printing;

static void
append(printing *p, json_t *item)
{
    p->has_failed |= json_array_append_new(p->list, item) != 0;
}

// state_of returns a word for the state of a node.
static const char *
state_of(const catalog_node *node)
{
    if (node->left_ms <= 0) {
        return "gone";
    }
    return node->is_draining ? "draining" : "there";
}

static void
on_node(void *arg, const catalog_node *node)
{
    printing *p = arg;
    if (p->list != NULL) {
        append(p, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:I}", "id", node->id, "name",
                      node->name, "state", state_of(node), "url", node->url, "version",
                      node->version, "log", node->log, "lease_ms", (json_int_t)node->left_ms,
                      "sessions", (json_int_t)node->sessions));
        return;
    }
    if (p->count++ == 0) {
        (void)printf("%-20s %-9s %9s %8s  %-12s %s\n", "NODE", "STATE", "LEASE", "SESSIONS",
            "VERSION", "URL");
    }
    lp_printable_line(stdout, "%-20s %-9s %7.1f s %8" PRIu64 "  %-12s %s", node->name,
        state_of(node), (double)node->left_ms / 1000, node->sessions, node->version, node->url);
}

static void
on_session(void *arg, const catalog_running *session)
{
    printing *p = arg;
    char heard[LP_TIME_BYTES] = "never";
    if (session->heard_wall_ns != 0) {
        lp_time_format(session->heard_wall_ns, heard);
    }
    if (p->list != NULL) {
        append(p, json_pack("{s:s, s:s, s:s, s:s, s:I, s:b, s:s}", "id", session->id, "service",
                      session->service, "instance", session->instance, "node", session->node,
                      "term", (json_int_t)session->term, "node_is_there", session->is_there ? 1 : 0,
                      "last_heard", heard));
        return;
    }
    if (p->count++ == 0) {
        (void)printf("%-20s %5s  %-32s  %-30s  %s\n", "NODE", "TERM", "SESSION", "LAST HEARD",
            "SERVICE, INSTANCE");
    }
    lp_printable_line(stdout, "%-20s %5" PRIu64 "  %s  %-30s  %s, %s%s",
        session->node[0] == '\0' ? "-" : session->node, session->term, session->id, heard,
        session->service, session->instance, session->is_there ? "" : " (its node is gone)");
}

static lp_err
list(catalog *of, const char *what, printing *p)
{
    return strcmp(what, "nodes") == 0 ? catalog_nodes_list(of, on_node, p)
                                      : catalog_owners_list_running(of, on_session, p);
}

// print lists nodes or sessions. Returns the code to exit with.
static int
print(const options *chosen, const char *what)
{
    catalog *of = NULL;
    lp_problem problem;
    lp_err err = catalog_open_reader(chosen->admin_catalog, &of, &problem);
    if (err != LP_OK) {
        lp_printable_line(stderr, "%s: %s", program, problem.text);
        return CMD_FAILED;
    }
    printing p = {.list = chosen->admin_is_json ? json_array() : NULL};
    p.has_failed = chosen->admin_is_json && p.list == NULL;
    err = p.has_failed ? LP_ENOMEM : list(of, what, &p);
    catalog_close(of);
    if (err != LP_OK) {
        json_decref(p.list);
        lp_printable_line(
            stderr, "%s: the catalog cannot be read: %s", program, lp_err_reason(err));
        return CMD_FAILED;
    }
    bool is_printed = !chosen->admin_is_json ||
                      (cmd_print_json(stdout, json_pack("{s:o}", what, p.list)) && !p.has_failed);
    return cmd_end(program, is_printed);
}

// set_draining returns the code to exit with. The catalog is read first: one of another version is
// not brought up to date, or refused, by somebody who only wants to drain a node.
static int
set_draining(const options *chosen, const char *name, bool is_draining)
{
    catalog *of = NULL;
    lp_problem problem;
    uint64_t count = 0;
    lp_err err = catalog_open_reader(chosen->admin_catalog, &of, &problem);
    catalog_close(of);
    of = NULL;
    LP_THEN(err, catalog_open_shared(chosen->admin_catalog, nobody, &of, &problem));
    if (err == LP_OK) {
        err = catalog_nodes_drain(of, name, is_draining, &count);
        (void)lp_problem_set(
            &problem, err, "the catalog cannot be written: %s", lp_err_reason(err));
    }
    catalog_close(of);
    if (err == LP_OK && count == 0) {
        err = lp_problem_set(&problem, LP_ENOENT, "no node has the name or id '%s'", name);
    }
    if (err != LP_OK) {
        lp_printable_line(stderr, "%s: %s", program, problem.text);
        return CMD_FAILED;
    }
    return CMD_DONE;
}

int
cmd_admin(const options *opts)
{
    LP_REQUIRE(opts->admin_catalog != NULL, cmd_refuse(opts, "it needs --catalog"));
    lp_problem problem;
    LP_REQUIRE(places_check_catalog(opts->admin_catalog, &problem) == LP_OK,
        cmd_refuse(opts, "%s", problem.text));
    const char *what = opts->operand_count == 0 ? "" : opts->operands[0];
    bool is_list = strcmp(what, "nodes") == 0 || strcmp(what, "sessions") == 0;
    bool is_drain = strcmp(what, "drain") == 0;
    if (is_list && opts->operand_count == 1) {
        return print(opts, what);
    }
    if ((is_drain || strcmp(what, "undrain") == 0) && opts->operand_count == 2) {
        return set_draining(opts, opts->operands[1], is_drain);
    }
    return cmd_refuse(opts, "it needs one of: nodes, sessions, drain NODE, undrain NODE");
}
