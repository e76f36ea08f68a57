# SPDX-License-Identifier: Apache-2.0
"""Promised: `loupe flamegraph` divides what `loupe why` divides, among whole stack traces, as docs/operations/ask.md
says, to the nanosecond and the byte.

A program makes a recording of random contexts and events; another one computes the amounts of its stack traces naively,
by the JDK's reader (OracleQuery). The text has to have the same lines. All other forms have to have the same amounts:
JSON, whole, cut and compared with a base, and the page. What is asked wrongly is named, and an output that
cannot be written is none.
"""

import argparse
import json
import os
import random
import re
import subprocess

from support import corpus
from support.elimination import LIMIT_S
from support.process import JUDGES, LOUPE, NEWEST, check, need_jdk, oracle, run

MEASURES = ("time", "cpu", "alloc", "lock", "park", "io", "count")


def loupe(*arguments, status=0):
    done = subprocess.run([LOUPE, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=120, check=False)
    check(done.returncode == status, f"loupe {arguments}: status {done.returncode}: {done.stderr.decode()[:500]}")
    return done


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def draw(scenario, recording, suffix, *options):
    path = scenario.path("graph" + suffix)
    loupe("flamegraph", recording, "-o", path, *options)
    return read(path)


def collapsed(scenario, recording, *options):
    """Amounts by stack trace."""
    amounts = {}
    for line in draw(scenario, recording, ".collapsed", *options).splitlines():
        stack, amount = line.rsplit(" ", 1)
        check(stack not in amounts, f"twice: {line}")
        amounts[stack] = int(amount)
    return amounts


def expected(recording, jdk, measure, selection=()):
    status, output = oracle("OracleQuery", recording, "flamegraph", measure, 0, *selection, feature=jdk)
    check(status == 0, output)
    return dict(json.loads(line) for line in output.splitlines())


def difference(found, wanted):
    return [(stack[-200:], found.get(stack), wanted.get(stack)) for stack in sorted(found.keys() | wanted.keys())
            if found.get(stack) != wanted.get(stack)][:5]


def ask(recording, *options):
    graph = json.loads(loupe("flamegraph", recording, "--json", *options).stdout)
    check(not graph["is_truncated"], f"{options}: truncated")
    return graph


def paths(graph):
    """The path of each node, and whether the tree is one."""
    path, found = [], []
    for level, name in zip(graph["level"], graph["name"]):
        check(level <= len(path), f"level {level} below {path}")
        path = path[:level] + [graph["names"][name]]
        found.append(";".join(path[1:]))
    check(len(set(found)) == len(found) and found[0] == "", "two nodes with one path")
    return found


def check_tree(graph, value="value", own="self"):
    """The amount of a node is its own and those below it, but for what was cut; children are in order."""
    below = [0] * len(graph["level"])
    last = {}
    open_nodes = []
    for i, level in enumerate(graph["level"]):
        open_nodes = open_nodes[:level]
        if open_nodes:
            parent = open_nodes[-1]
            below[parent] += graph[value][i]
            if value == "value":
                check(graph[value][i] <= last.get(parent, graph[value][i]), f"order at {i}")
            last[parent] = graph[value][i]
        open_nodes.append(i)
    missing = [graph[value][i] - graph[own][i] - below[i] for i in range(len(below))]
    cut = graph["cut"]["value" if value == "value" else "base_value"]
    check(min(missing) >= 0 and sum(missing) == cut, f"{value}: {sum(missing)} missing, {cut} cut")
    check(sum(graph[own]) + cut == graph[value][0], f"{value}: own amounts do not add up")


def check_json(recording, measure, wanted, options=()):
    graph = ask(recording, "--value", measure, "--max-nodes", "1048576", *options)
    check_tree(graph)
    own = {path: amount for path, amount in zip(paths(graph), graph["self"]) if amount > 0}
    check(own == wanted, f"{measure}: JSON has other amounts: {difference(own, wanted)}")
    check(graph["total"] == graph["value"][0] == sum(wanted.values()) == sum(graph["of_kind"].values()), "total")
    check(len(graph["kinds"]) == len(graph["names"]), "kinds")
    for kind, name in zip(graph["kinds"], graph["names"]):
        check((kind != ".") == name.startswith("["), f"{name} is {kind}")
    return graph


def check_cut(recording, whole):
    amounts = dict(zip(paths(whole), whole["value"]))
    for most in (1, 2, 17, len(amounts) - 1, len(amounts)):
        graph = ask(recording, "--max-nodes", str(max(most, 1)))
        found = paths(graph)
        check(len(found) == min(max(most, 1), len(amounts)), f"{len(found)} nodes, not {most}")
        check(graph["cut"]["nodes"] == len(amounts) - len(found), f"cut: {graph['cut']}")
        check(all(amounts[path] == amount for path, amount in zip(found, graph["value"])), "values change by the cut")
        check_tree(graph)


def check_base(recording, options, base):
    """The base of a comparison is what it would be for itself, and so is the selection."""
    graph = ask(recording, "--max-nodes", "1048576", *options, *base)
    check_tree(graph)
    check_tree(graph, "base_value", "base_self")
    for prefix, alone in (("", ask(recording, "--max-nodes", "1048576", *options)),
                          ("base_", ask(recording, "--max-nodes", "1048576",
                                        *(option.replace("--base-", "--") for option in base)))):
        found = {path: amount for path, amount in zip(paths(graph), graph[prefix + "value"]) if amount > 0}
        wanted = {path: amount for path, amount in zip(paths(alone), alone["value"]) if amount > 0}
        check(found == wanted, f"{prefix}: {difference(found, wanted)}")
        check((graph[prefix + "requests"], graph[prefix + "total"]) == (alone["requests"], alone["total"]), prefix)


def check_page(scenario, recording):
    """The page has the JSON, and asks nobody for anything."""
    page = draw(scenario, recording, ".html", "--max-nodes", "50")
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    graph = json.loads(data.group(1))
    check(graph.pop("title") == os.path.basename(recording), "title")
    check(graph == ask(recording, "--max-nodes", "50"), "the page has another graph")
    check("http:" not in page and "https:" not in page and "<link" not in page, "the page asks for something")


def check_recording(scenario, recording, jdk):
    why = json.loads(loupe("why", recording, "--json").stdout)
    for measure in MEASURES:
        found = collapsed(scenario, recording, "--value", measure)
        wanted = expected(recording, jdk, measure)
        check(found == wanted, f"{measure}: {difference(found, wanted)}")
    time = collapsed(scenario, recording)
    check(sum(time.values()) == why["total_ns"], f"{sum(time.values())} ns, not {why['total_ns']}")
    return time


def check_frames(scenario, recording, time):
    for pattern in (r"\[lock\]", r"^java\.lang\.Thread\.run$", "^(jdk|java)", "[Rr]andom.*Record", "nothing at all"):
        found = collapsed(scenario, recording, "--frame", pattern)
        wanted = {stack: amount for stack, amount in time.items()
                  if any(re.search(pattern, frame) for frame in stack.split(";"))}
        check(found == wanted, f"{pattern}: {difference(found, wanted)}")


def check_refusals(scenario, recording):
    page = scenario.path("x.html")
    for options, said in ((("-o", page, "--frame", "a{2}"),
                           "--frame 'a{2}': repetitions {n,m} and \\1 are not for this; a brace is \\{"),
                          (("-o", page, "--frame", "(a"), "--frame '(a': not a regular expression"),
                          (("-o", page, "--value", "wall"), "--value wall: not time, cpu, "),
                          (("-o", page, "--max-nodes", "0"), "--max-nodes 0: not a number from 1 to 1048576"),
                          (("-o", page, "--base-where", "a"), "--base-where 'a': not KEY OP VALUE"),
                          (("-o", recording), "--output: a name that ends with "),
                          (("-o", page, "--json"), "say where it goes with either -o FILE or --json"),
                          ((), "say where it goes with either -o FILE or --json")):
        done = loupe("flamegraph", recording, *options, status=2)
        check(done.stderr.decode().startswith(f"loupe flamegraph: {said}") and not done.stdout, f"{options}: {done}")
        check(not os.path.exists(page), f"{options}: a page was written")
    link = scenario.path("in.html")
    os.link(recording, link)
    done = loupe("flamegraph", recording, "-o", link, status=2)
    check(b"is an input" in done.stderr, f"{done}")
    done = loupe("flamegraph", recording, "-o", "/dev/full/x.html", status=1)
    check(done.stderr.startswith(b"loupe flamegraph: /dev/full/x.html: "), f"{done}")


def body(options, scenario):
    need_jdk(options.jdk)
    recording = scenario.path("in.jfr")
    scenario.jvm(options.jdk, "RandomRecording", recording, str(random.randrange(1 << 32)), str(options.kilobytes),
                 str(options.chunk_ms)).wait_exit(LIMIT_S)
    for jdk in JUDGES:
        time = check_recording(scenario, recording, jdk)
        print(f"JDK {jdk}: {len(time)} stack traces", flush=True)
    for measure in MEASURES:
        whole = check_json(recording, measure, collapsed(scenario, recording, "--value", measure))
    check_cut(recording, check_json(recording, "time", time))
    check(whole["of"] == "count" and whole["unit"] == "events", "of")
    check_frames(scenario, recording, time)
    check_base(recording, ("--min-duration", "1ms"), ("--base-max-duration", "1ms"))
    check_base(recording, ("--max-duration", "100us"), ("--base-min-duration", "50us"))
    check_page(scenario, recording)
    check_refusals(scenario, recording)


def corpus_body(options, scenario):
    """Other people's recordings; few have contexts."""
    need_jdk(NEWEST)
    for source in corpus.recordings(options.kilobytes):
        recording = corpus.unpack(source, scenario.path(os.path.basename(source).removesuffix(".gz")))
        done = subprocess.run([LOUPE, "contexts", recording, "--json"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=False)
        if done.returncode == 0 and json.loads(done.stdout)["matched"] > 0:
            print(f"{source}: {len(check_recording(scenario, recording, NEWEST))} stack traces", flush=True)
        os.unlink(recording)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, help="what makes the recording; without it, those of the corpus are read")
    parser.add_argument("--kilobytes", type=int, default=600, help="how large it is at least; those of the corpus, at most")
    parser.add_argument("--chunk-ms", type=int, default=300, help="how often it begins a chunk")
    options = parser.parse_args()
    if options.jdk is None:
        corpus.need()
    run("flamegraph", lambda scenario: (corpus_body if options.jdk is None else body)(options, scenario))


main()
