// SPDX-License-Identifier: Apache-2.0
// loupe flamegraph: where the time of contexts went, by stack trace, as a file.
//
// Tests: tests/e2e/flamegraph.py

#include "cli/ask/ask.h"
#include "cli/base/cmd.h"
#include "common/base/lp_io.h"
#include "common/base/lp_printable.h"
#include "offline/output_file.h"
#include "query/graph/graph.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

static const char program[] = "loupe flamegraph";

static_assert(QUERY_MEASURE_TIME == 0 && QUERY_MEASURE_CPU == 1 && QUERY_MEASURE_ALLOC == 2 &&
                  QUERY_MEASURE_LOCK == 3 && QUERY_MEASURE_PARK == 4 && QUERY_MEASURE_IO == 5 &&
                  QUERY_MEASURE_COUNT == 6,
    "the choices of --value are in this order");

enum {
    TITLE_BYTES = 256, // the rest is cut off
    MORE_BYTES = 40,
};

static lp_err
on_context(void *arg, const query_answer *answer)
{
    return query_graph_add(arg, answer);
}

// print writes the graph to standard output.
static int
print(const lp_buf *text)
{
    bool is_printed = fwrite(text->ptr, 1, text->len, stdout) == text->len && fflush(stdout) == 0;
    return cmd_end(program, is_printed);
}

// write_file writes the graph to its file.
static int
write_file(const char *path, const lp_buf *text)
{
    output_file out = {0};
    lp_problem problem;
    lp_err err = output_file_open(path, &out, &problem);
    if (err == LP_OK && lp_io_write_all(out.fd, lp_buf_slice(text)) != LP_OK) {
        err = lp_problem_set(&problem, LP_EIO, "%s", strerror(errno));
    }
    LP_THEN(err, output_file_commit(&out, &problem));
    if (err != LP_OK) {
        cmd_complain(program, path, &problem);
    }
    output_file_close(&out);
    return err == LP_OK ? CMD_DONE : CMD_FAILED;
}

// say_empty prints why there is nothing in the graph, if that is so.
static void
say_empty(ask *a, const query_graph *graph)
{
    if (!ask_say_empty(a) && query_graph_is_empty(graph)) {
        lp_printable_line(stderr,
            "%s: no samples in the %" PRIu64
            " contexts: try another --value%s, or record more kinds of "
            "events",
            program, a->outcome.contexts, graph->wish.frame == NULL ? "" : " or --frame");
    }
}

static int
draw(ask *a, const options *opts, query_graph_wish *wish)
{
    wish->recording = ask_recording;
    wish->recording_arg = a;
    query_graph graph = query_graph_begin(wish, &a->names);
    query_question question = {.on_context = on_context, .arg = &graph};
    lp_buf text = {0};
    int code = CMD_FAILED;
    query_graph_prepare(&graph, &question);
    a->takes_threads = true;
    if (ask_run(a, &question)) {
        lp_err err = query_graph_write(&graph, &a->outcome, a->comparison.has_base, &text);
        lp_problem problem;
        if (err == LP_ELIMIT && wish->frame != NULL &&
            query_frame_filter_check(wish->frame, &problem) != LP_OK) {
            lp_printable_line(stderr, "%s: %s", program, problem.text);
        } else if (err != LP_OK) {
            ask_fail(a, err);
        } else {
            ask_say_truncated(a, query_graph_is_truncated(&graph));
            say_empty(a, &graph);
            code = opts->ask_is_json ? print(&text) : write_file(opts->flamegraph_output, &text);
        }
    }
    lp_buf_fini(&text);
    query_graph_fini(&graph);
    return code;
}

// make_title makes a title of the names of the recordings.
static void
make_title(const options *opts, char out_title[TITLE_BYTES])
{
    const char *slash = strrchr(opts->operands[0], '/');
    size_t more = opts->operand_count - 1;
    size_t len = lp_printable(
        slash == NULL ? opts->operands[0] : slash + 1, out_title, TITLE_BYTES - MORE_BYTES);
    if (more > 0) {
        (void)snprintf(out_title + len, MORE_BYTES, " and %zu more", more);
    }
}

// draw_input draws the graph, unless it has no place for a base or the output is an input.
static int
draw_input(ask *a, const options *opts)
{
    query_graph_wish *wish = a->own;
    LP_REQUIRE(!a->comparison.has_base || query_format_has_base(wish->format),
        cmd_refuse(opts, "a base is only in .html and --json"));
    bool is_input = opts->flamegraph_output != NULL && inputs_have(&a->in, opts->flamegraph_output);
    return is_input ? cmd_refuse_overwriting(program, opts->flamegraph_output)
                    : draw(a, opts, wish);
}

// check validates a call. Returns -1, or the exit code.
static int
check(const options *opts)
{
    LP_REQUIRE(opts->operand_count != 0, cmd_refuse(opts, "no input"));
    LP_REQUIRE((opts->flamegraph_output != NULL) != opts->ask_is_json,
        cmd_refuse(opts, "say where it goes with either -o FILE or --json"));
    if (opts->flamegraph_output != NULL &&
        query_format_find(opts->flamegraph_output) == QUERY_FORMATS) {
        return cmd_refuse(
            opts, "--output: a name that ends with .html, .collapsed, .speedscope.json or .pb.gz");
    }
    return -1;
}

int
cmd_flamegraph(const options *opts)
{
    char title[TITLE_BYTES];
    query_frame_filter frame;
    lp_problem problem;
    int code = check(opts);
    if (code >= 0) {
        return code;
    }
    query_graph_wish wish = {
        .format =
            opts->ask_is_json ? QUERY_FORMAT_JSON : query_format_find(opts->flamegraph_output),
        .measure = (query_measure)opts->flamegraph_value,
        .max_nodes = opts->flamegraph_max_nodes,
        .frame = opts->flamegraph_frame == NULL ? NULL : &frame,
        .title = title,
    };
    make_title(opts, title);
    if (wish.frame != NULL &&
        query_frame_filter_init(&frame, "--frame", opts->flamegraph_frame, &problem) != LP_OK) {
        lp_printable_line(stderr, "%s: %s", program, problem.text);
        return CMD_USAGE;
    }
    return ask_command(opts, (query_unit)opts->flamegraph_unit, draw_input, &wish);
}
