# SPDX-License-Identifier: Apache-2.0
"""Promised: `loupe flamegraph` divides what `loupe why` divides, among whole stack traces, as docs/find/ask.md
says, to the nanosecond and the byte.

A program makes a recording of random contexts and events; another one computes the amounts of its stack traces naively,
by the JDK's reader (OracleQuery). The text has to have the same lines. All other forms have to have the same amounts:
JSON, whole, cut and compared with a base, and the page. What is asked wrongly is named, and an output that
cannot be written is none.

--readers: speedscope's own schema and pprof's own package (pprof/main.go) read what is made for them, and the amounts
are the same again; those of a thread or a trace are those of a query for it alone.
"""

import argparse
import json
import os
import random
import re
import subprocess

from support import corpus, gotool, npm
from support.elimination import LIMIT_S
from support.process import JUDGES, LOUPE, NEWEST, check, need_jdk, oracle, run, skip

HERE = os.path.dirname(os.path.abspath(__file__))
PPROF_VALUES_MAX = 100
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


def check_hot(recording, measure, time, *options):
    """The frames of `loupe hot` are those of the stack traces, whoever called them."""
    own, total = {}, {}
    for stack, amount in time.items():
        frames = stack.split(";")
        if len(frames) > 1 and frames[-1].startswith("["):
            frames.pop()  # what went on at the frame
        own[frames[-1]] = own.get(frames[-1], 0) + amount
        for frame in set(frames):
            total[frame] = total.get(frame, 0) + amount
    answer = json.loads(loupe("hot", recording, "--value", measure, "--json", "--limit", "1000000", *options).stdout)
    found = [(row["frame"], row["own"], row["total"]) for row in answer["frames"]]
    wanted = sorted(((frame, own.get(frame, 0), amount) for frame, amount in total.items()),
                    key=lambda row: (-row[1], -row[2], row[0].encode()))
    check(found == wanted, f"hot {measure} {options}: {[pair for pair in zip(found, wanted) if pair[0] != pair[1]][:3]}")
    check((answer["total"], answer["frame_count"]) == (sum(time.values()), len(wanted)), f"hot {measure}: sums")
    return answer


def check_threads(scenario, recording, jdk):
    for measure in ("time", "cpu", "alloc", "lock"):
        found = collapsed(scenario, recording, "--value", measure, "--unit", "threads")
        wanted = expected(recording, jdk, measure, ("unit=threads",))
        check(found == wanted, f"threads, {measure}: {difference(found, wanted)}")
        check_hot(recording, measure, found, "--unit", "threads")


def check_plain(scenario, recording):
    """A recording without contexts is one of its threads, and what there is to do is said."""
    plain, policy = scenario.path("plain.jfr"), scenario.path("plain.jfc")
    types = json.loads(loupe("compact", recording, "-o", plain, "--json").stdout)["types"]
    names = [name for name, counted in types.items() if counted["contextual"]]
    with open(policy, "w", encoding="utf-8") as file:
        file.write('<configuration version="2.0">' + "".join(
            f'<event name="{name}"><setting name="enabled">false</setting></event>' for name in names) + "</configuration>")
    loupe("compact", recording, "-o", plain, "--policy", policy)
    for command, *options in (("flamegraph", "-o", scenario.path("plain.collapsed")), ("hot", "--json")):
        done = loupe(command, plain, *options)
        check(done.stderr.decode() == f"loupe {command}: no contexts in the input: the answer is about its threads\n", f"{done.stderr}")
        whole = loupe(command, plain, *options, "--unit", "threads")
        check(whole.stdout == done.stdout and not whole.stderr, f"{command}: another answer with --unit threads")
    for command in ("contexts", "why"):
        done = loupe(command, plain)
        check(b"no contexts in the input: record with the agent" in done.stderr and b"loupe hot" in done.stderr, f"{done.stderr}")
    done = loupe("hot", plain, "--unit", "threads", "--where", "a=b", status=2)
    check(done.stderr == b"loupe hot: --where: only of contexts, not of threads\n", f"{done.stderr}")


def check_frames(scenario, recording, time):
    for pattern in (r"\[lock\]", r"^java\.lang\.Thread\.run$", r"\bl{1,2}o(c|x)k\b", "^(jdk|java)", "[Rr]andom.*Record", "nothing at all"):
        found = collapsed(scenario, recording, "--frame", pattern)
        wanted = {stack: amount for stack, amount in time.items()
                  if any(re.search(pattern, frame) for frame in stack.split(";"))}
        check(found == wanted, f"{pattern}: {difference(found, wanted)}")


def check_refusals(scenario, recording):
    page = scenario.path("x.html")
    for options, said in ((("-o", page, "--frame", "a{2"), "--frame 'a{2': not a regular expression: { begins {n}, "),
                          (("-o", page, "--frame", "(a"), "--frame '(a': not a regular expression"),
                          (("-o", page, "--value", "wall"), "--value wall: not time, cpu, "),
                          (("-o", page, "--max-nodes", "0"), "--max-nodes 0: not a number from 1 to 1048576"),
                          (("-o", page, "--base-where", "a"), "--base-where 'a': not KEY OP VALUE"),
                          (("-o", page, "--base", "x"), "--base 'x': not rest"),
                          (("-o", page, "--base", "rest", "--base-min-duration", "1ms"),
                           "--base: rest has no --base-min-duration"),
                          (("-o", recording), "--output: a name that ends with "),
                          (("-o", scenario.path("x.pb.gz"), "--base", "rest"), "a base is only in .html and --json"),
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
    check_hot(recording, "time", time)
    by_total = json.loads(loupe("hot", recording, "--value", "time", "--sort", "total", "--json", "--limit", "3").stdout)["frames"]
    check(by_total == sorted(by_total, key=lambda row: -row["total"]) and len(by_total) == 3, f"{by_total}")
    check_threads(scenario, recording, NEWEST)
    check_plain(scenario, recording)
    check_cut(recording, check_json(recording, "time", time))
    check(whole["of"] == "count" and whole["unit"] == "events", "of")
    check_frames(scenario, recording, time)
    check_base(recording, ("--min-duration", "1ms"), ("--base-max-duration", "1ms"))
    check_base(recording, ("--max-duration", "100us"), ("--base-min-duration", "50us"))
    check_page(scenario, recording)
    check_refusals(scenario, recording)


def add(amounts, stack, amount):
    if amount > 0:
        amounts[stack] = amounts.get(stack, 0) + amount


def check_speedscope(scenario, recording, measure, wanted, validator):
    text = draw(scenario, recording, ".speedscope.json", "--value", measure)
    file = json.loads(text)
    validator.validate(file)
    frames = [frame["name"] for frame in file["shared"]["frames"]]
    check(len(set(frames)) == len(frames), "a frame twice")
    found, threads = {}, {}
    for profile in file["profiles"]:
        check(sum(profile["weights"]) == profile["endValue"], f"{profile['name']}: end")
        check(profile["unit"] == {"alloc": "bytes", "count": "none"}.get(measure, "nanoseconds"), profile["unit"])
        check(profile["name"] not in threads, f"{profile['name']} twice")
        own = threads[profile["name"]] = {}
        for stack, amount in zip(profile["samples"], profile["weights"]):
            add(found, ";".join(frames[i] for i in stack), amount)
            add(own, ";".join(frames[i] for i in stack), amount)
    check(found == wanted, f"speedscope {measure}: {difference(found, wanted)}")
    return threads


def read_pprof(scenario, program, recording, *options):
    path = scenario.path("graph.pb.gz")
    loupe("flamegraph", recording, "-o", path, *options)
    done = subprocess.run([program, path], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=120, check=False)
    check(done.returncode == 0, f"pprof: {done.stderr.decode()}")
    return json.loads(done.stdout)


def fold(samples):
    amounts = {}
    for sample in samples:
        add(amounts, ";".join(sample["frames"] or ()), sample["values"][-1])
    return amounts


def check_pprof(scenario, program, recording, measure, wanted):
    file = read_pprof(scenario, program, recording, "--value", measure)
    samples = file["samples"] or []
    found = fold(samples)
    check(found == wanted, f"pprof {measure}: {difference(found, wanted)}")
    check(file["types"][-1].split("/")[0] == file["default"] and len(file["types"]) == (1 if measure == "count" else 2),
          f"{file['types']}")


def shown(value):
    """A value as a text, in which numbers are the same whoever wrote them."""
    try:
        return repr(float(value))
    except ValueError:
        return value


def check_labels(scenario, recording, file, listed, options):
    """Samples with a label are those of the contexts that have it. file is of events."""
    samples = file["samples"]
    first = min(int(listed["t0_ns"]) + row[listed["columns"].index("start")] for row in listed["rows"])
    check(int(file["time"]) == first, f"begins at {file['time']}, not {first}")
    check(any(line > 0 for sample in samples for line in sample["lines"] or ()), "no lines")
    for label, option in (("thread", "--thread"), ("trace_id", "--trace")):
        values = sorted({value for sample in samples for value in (sample["labels"] or {}).get(label, ())})
        check(values, f"no {label}")
        for value in random.sample(values, min(len(values), 3)):
            own = fold(sample for sample in samples if value in (sample["labels"] or {}).get(label, ()))
            wanted = collapsed(scenario, recording, "--value", "count", option, value, *options)
            # A context of the trace that lies within one of another counts there; a thread has all of its own.
            is_within = all(amount <= wanted.get(stack, 0) for stack, amount in own.items())
            check(own == wanted or (label == "trace_id" and is_within), f"{label}={value}: {difference(own, wanted)}")
        print(f"{label}: {len(values)} values", flush=True)
    known = {}
    for at, column in enumerate(listed["columns"]):
        if column.startswith("attr."):
            known[column[5:]] = {row[at] for row in listed["rows"] if row[at] is not None}
    used = {}
    for sample in samples:
        for labels in (sample["labels"] or {}, sample["numbers"] or {}):
            for key, values in labels.items():
                used.setdefault(key, set()).update(values)
    check(any(key in known for key in used), f"no attribute among {used.keys()}")
    for key, values in used.items():
        if key in known:
            check(len(known[key]) <= PPROF_VALUES_MAX, f"{key} has too many values")
            check(set(map(shown, values)) <= set(map(shown, known[key])),
                  f"{key}: {list(values)[:5]}, not of {list(known[key])[:5]}")


def readers_body(options, scenario):
    need_jdk(options.jdk)
    try:
        import jsonschema
    except ImportError:
        skip("no jsonschema (apt-get install python3-jsonschema)")
    validator = jsonschema.Draft7Validator(json.loads(
        npm.read(npm.SPEEDSCOPE, "dist/release/file-format-schema.json")))
    program = gotool.build_once(os.path.join(HERE, "pprof"))
    recording = scenario.path("in.jfr")
    scenario.jvm(options.jdk, "StyleRecording", recording, str(random.randrange(1 << 31))).wait_exit(LIMIT_S)
    for measure in MEASURES:
        wanted = collapsed(scenario, recording, "--value", measure)
        threads = check_speedscope(scenario, recording, measure, wanted, validator)
        check_pprof(scenario, program, recording, measure, wanted)
    for name in list(threads)[:3]:
        if not name.startswith("threads without"):
            own = collapsed(scenario, recording, "--value", "count", "--thread", name)
            check(own == threads[name], f"thread {name}: {difference(threads[name], own)}")
    requests = ("--context", "styles.Request")
    listed = json.loads(loupe("contexts", recording, "--json", "--limit", "10000", *requests).stdout)
    file = read_pprof(scenario, program, recording, "--value", "count", *requests)
    check_labels(scenario, recording, file, listed, requests)
    check_several(scenario, program, recording, validator)


def check_several(scenario, program, recording, validator):
    """Of two JVMs each sample and each thread says of which it is."""
    other = scenario.path("other.jfr")
    scenario.jvm(NEWEST, "RandomRecording", other, str(random.randrange(1 << 32)), "100", "300").wait_exit(LIMIT_S)
    wanted = collapsed(scenario, recording, "--value", "count")
    for stack, amount in collapsed(scenario, other, "--value", "count").items():
        add(wanted, stack, amount)
    path = scenario.path("both")
    loupe("flamegraph", recording, other, "--value", "count", "-o", path + ".speedscope.json")
    file = json.loads(read(path + ".speedscope.json"))
    validator.validate(file)
    check({profile["name"].rsplit(" in ", 1)[1] for profile in file["profiles"]} == {recording, other}, "recordings")
    loupe("flamegraph", recording, other, "--value", "count", "-o", path + ".pb.gz")
    done = subprocess.run([program, path + ".pb.gz"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=120,
                          check=True)
    samples = json.loads(done.stdout)["samples"]
    check(fold(samples) == wanted, "two JVMs")
    check({value for sample in samples for value in sample["labels"]["recording"]} == {recording, other}, "recordings")


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
    parser.add_argument("--readers", action="store_true", help="ask other people's readers")
    options = parser.parse_args()
    if options.jdk is None:
        corpus.need()
    chosen = corpus_body if options.jdk is None else readers_body if options.readers else body
    run("flamegraph", lambda scenario: chosen(options, scenario))


main()
