# SPDX-License-Identifier: Apache-2.0
"""Promised: what a collector is asked over HTTP about the contexts of its recordings, it answers as the commands do that
read the downloads.

Two JVMs with the agent send contexts that go over several chunks. While they run, what they have sent counts, stored or
not: a JVM that is held still has in the answers what its download has. When they have ended, each answer has to be the
same as that of the command for the downloads, for each recording and for both together, in each order, page by page, and
for selections that rows suggest. What is asked wrongly is named, and metrics count. Attributes that the collector's policy
marks as ids are found by their values, kept or eliminated, also when the index is made again.
"""

import argparse
import fnmatch
import gzip
import json
import os
import random
import re
import signal
import subprocess
import urllib.parse

from support import judge, perfetto_trace
from support.elimination import write_policy
from support.journaled import JournaledRun
from support.process import LOUPE, Collector, Failed, check, need_jdk, run, suspend, wait_for

VALUES = ("time", "cpu", "lock", "count")
SORTS = ("duration", "start", "triggers", "blocked")
LIMIT = 1000
MARKED = ("e2e-*", "e2e.Span")  # types of contexts whose attribute id is an id by the policy


def loupe(command, files, *options):
    done = subprocess.run([LOUPE, command, *files, "--json", *options], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=False)
    check(done.returncode == 0, f"loupe {command}: status {done.returncode}: {done.stderr.decode()[:500]}")
    return json.loads(done.stdout)


def ask(collector, route, parameters=()):
    answer = collector.get(f"/api/v1/{route}?{urllib.parse.urlencode(list(parameters))}")
    check(answer.status == 200, f"{route} {parameters}: {answer.status} {answer.body[:300]}")
    found = answer.json()
    check(found.pop("left_out") == {"chunks": 0, "events": 0, "places": 0}, f"{route}: something is left out")
    check(not found["is_truncated"], f"{route} {parameters}: truncated")
    return found


def lists(collector, parameters, page=LIMIT):
    """The rows of a list, page by page, its columns and how many match."""
    rows, columns, t0, cursor = [], [], 0, ()
    while True:
        found = ask(collector, "contexts", [*parameters, ("limit", page), *cursor])
        columns = columns or found["columns"]
        t0 = t0 or int(found["t0_ns"])
        check(len(found["rows"]) <= page, f"{len(found['rows'])} rows")
        rows += [dict(zip(found["columns"], row), start=row[found["columns"].index("start")] + int(found["t0_ns"]))
                 for row in found["rows"]]
        if found["next"] is None:
            return rows, found["matched"]
        cursor = (("cursor", found["next"]),)


def without_nulls(row):
    return {key: value for key, value in row.items() if value is not None}


def check_contexts(collector, files, parameters, options, page=LIMIT):
    """files: the ids of recordings, by the names of their downloads, in the order of their starts."""
    rows, matched = lists(collector, parameters, page)
    wanted = loupe("contexts", files, "--limit", "10000", *options)
    check(matched == wanted["matched"] == len(rows), f"{parameters}: {matched}, {len(rows)}, not {wanted['matched']}")
    for row, expected in zip(rows, wanted["rows"]):
        expected = dict(zip(wanted["columns"], expected))
        expected["recording"] = files[expected["recording"]]
        expected["start"] += int(wanted["t0_ns"])
        check(without_nulls(row) == without_nulls(expected), f"{parameters}: {row}, not {expected}")
    return rows


def read(form, content):
    """What a file has but its title."""
    if form == "speedscope.json":
        return {key: value for key, value in json.loads(content).items() if key != "name"}
    return gzip.decompress(content) if form == "pprof" else content


def check_graphs(scenario, collector, files, parameters, values):
    named = list(files.values())  # so the commands call them as the collector does
    for path, recording in files.items():
        os.link(path, scenario.path(recording))
    for value in values:
        found = ask(collector, "flamegraph", [*parameters, ("value", value)])
        check(found == loupe("flamegraph", files, "--value", value), f"flamegraph of {value} {parameters}")
        for form, suffix in (("collapsed", ".collapsed"), ("speedscope.json", ".speedscope.json"), ("pprof", ".pb.gz")):
            answer = collector.get(f"/api/v1/slice.{form}?{urllib.parse.urlencode([*parameters, ('value', value)])}")
            check(answer.status == 200, f"slice.{form} {parameters}: {answer.status} {answer.body[:300]}")
            path = scenario.path("graph" + suffix)
            subprocess.run([LOUPE, "flamegraph", *named, "--value", value, "-o", path], check=True, timeout=120,
                           cwd=os.path.dirname(path))
            with open(path, "rb") as file:
                check(read(form, answer.body) == read(form, file.read()), f"slice.{form} of {value} {parameters}")
    selection, options = (("min_duration_ns", 1000000), ("base", "rest")), ("--min-duration", "1ms", "--base", "rest")
    found = ask(collector, "flamegraph", [*parameters, *selection])
    check(found == loupe("flamegraph", files, *options) and found["base_requests"] > 0, "flamegraph against the rest")


def check_slices(scenario, collector, files, parameters, rows):
    """A slice is that of the downloads, to the byte."""
    lengths = sorted(row["duration"] for row in rows)
    for selection, options in (((), ()),
                               ((("around", "1"), ("min_duration_ns", lengths[len(lengths) // 2])),
                                ("--around", "--min-duration", f"{lengths[len(lengths) // 2]}ns")),
                               ((("around", "0"), ("to", rows[0]["start"] + 1)), ("--to", str(rows[0]["start"] + 1)))):
        answer = collector.get(f"/api/v1/slice.jfr?{urllib.parse.urlencode([*parameters, *selection])}")
        path = scenario.path("slice.jfr")
        said = loupe("slice", files, "-o", path, *options)
        with open(path, "rb") as file:
            check(answer.status == 200 and answer.body == file.read(), f"{selection}: {answer.status}, not the slice {said}")
        check(answer.headers["Content-Disposition"] == 'attachment; filename="slice.jfr"', str(answer.headers))
    answer = collector.get(f"/api/v1/slice.jfr?{urllib.parse.urlencode([*parameters, ('trace', 'none')])}")
    check((answer.status, answer.json()["error"]) == (404, "no context matches: there is no slice"),
          f"{answer.status} {answer.body}")
    answer = collector.get("/api/v1/slice.jfr?around=yes")
    check((answer.status, answer.json()["error"][:6]) == (400, "around"), f"{answer.status} {answer.body}")


def check_drawn(scenario, collector, parameters, rows):
    """A trace for Perfetto has a bar for each context, and arrows from JVM to JVM, if a trace is in both."""
    answer = collector.get(f"/api/v1/slice.pftrace?{urllib.parse.urlencode([*parameters, ('unit', 'contexts')])}")
    check(answer.status == 200, f"{answer.status} {answer.body[:300]}")
    trace, = perfetto_trace.read(perfetto_trace.write(scenario.path("contexts.pftrace"), answer.body))
    drawn = perfetto_trace.of_category(trace, "context")
    some = sorted((bar["name"], str(bar["args"].get("traceId"))) for bar in drawn)
    others = sorted((row["type"], str(row.get("attr.traceId"))) for row in rows)
    check(some == others, f"{len(some)} bars of {len(others)} contexts")
    moved = {row["start"] for row in rows} - {bar["begin"] for bar in drawn}  # by the order on their threads
    check(len(moved) < len(rows) / 10, f"{len(moved)} of {len(rows)} contexts are not where they began")
    calls = perfetto_trace.check_calls(trace)
    check(len(trace["processes"]) == 2, f"{trace['processes']}")
    print(f"a trace of {len(trace['bars'])} bars, {len(drawn)} of them contexts, {calls} calls", flush=True)


def check_all(collector, files, parameters):
    rows = []
    for sort in SORTS:
        page = random.choice((97, 300, LIMIT))
        rows = check_contexts(collector, files, [*parameters, ("sort", sort)], ("--sort", sort), page)
    check(ask(collector, "why", parameters) == loupe("why", files), f"why {parameters}")
    check(ask(collector, "why", [*parameters, ("app", "java.util")]) == loupe("why", files, "--app", "java.util"), "why of app")
    found = ask(collector, "why", [*parameters, ("frame", r"java\.")])
    check(found == loupe("why", files, "--frame", r"java\."), f"why of frames {parameters}")
    row = random.choice(rows)
    middle = sorted(row["start"] for row in rows)[len(rows) // 2]
    for name, option, value in (("context", "--context", row["type"]), ("thread", "--thread", row["thread"]),
                                ("min_duration_ns", "--min-duration", row["duration"]),
                                ("from", "--from", middle), ("to", "--to", middle)):
        if value == "":
            continue  # a virtual thread has no name
        selection = [*parameters, (name, value)]
        option = (option, f"{value}ns" if "duration" in name else str(value))
        check_contexts(collector, files, selection, option)
        check(ask(collector, "why", selection) == loupe("why", files, *option), f"why {selection}")
    return len(rows)


def check_late(collector, files, parameters, rows):
    """Of a late part: the period of samples is a setting that a JVM may have in its first chunk alone."""
    late = sorted(row["start"] for row in rows)[-len(rows) // 10]
    longest = max(row["duration"] for row in rows)
    found = ask(collector, "why", [*parameters, ("from", late), ("max_duration_ns", longest)])
    check(found == loupe("why", files, "--from", str(late), "--max-duration", f"{longest}ns"), f"why from {late}")


def check_threads(collector, files, parameters, rows):
    """All that JVMs did, also of a part of the time, of which the collector reads the chunks of that time alone."""
    starts = sorted(row["start"] for row in rows)
    part = starts[len(starts) // 3], starts[len(starts) // 2]
    for times, options in (((), ()), ((("from", part[0]), ("to", part[1])), ("--from", str(part[0]), "--to", str(part[1])))):
        selection = [*parameters, *times]
        threads = [*selection, ("unit", "threads")]
        wanted = loupe("why", files, "--unit", "threads", *options)
        check(wanted.pop("requests_are") == "threads" and ask(collector, "why", threads) == wanted, f"why {threads}")
        found = ask(collector, "flamegraph", [*threads, ("value", "cpu")])
        check(found == loupe("flamegraph", files, "--unit", "threads", "--value", "cpu", *options), f"flamegraph {threads}")
        wanted = loupe("jvm", files, "--limit", "100", "--columns", "1", *options)
        found = ask(collector, "threads", selection)
        check(found["pools"] == wanted["pools"] and found["pool_count"] == wanted["pool_count"] > 0, f"threads {selection}")
    ended = ("from", starts[0] - 60_000_000_000), ("to", starts[-1] + 60_000_000_000)
    check(loupe("jvm", files, "--from", str(part[1]))["jvms"] == loupe("jvm", files)["jvms"], "what JVMs are depends on the time")
    found, wanted = ask(collector, "jvm", [*parameters, *ended, ("columns", "1")]), loupe("jvm", files, "--columns", "1")
    check([line["points"] for line in found["lines"]] == [line["points"] for line in wanted["lines"]], f"{found}, {wanted}")
    check([{**one, "recording": files[one["recording"]]} for one in wanted["jvms"]] == found["jvms"], "what JVMs are")


def check_running(scenario, collector, program):
    """A JVM that is held still: what it has sent is stored in part."""
    recording = collector.recording(program.service)
    wait_for("contexts", lambda: ask(collector, "contexts", [("recording", recording)])["matched"] > 0)
    suspend(program.jvm.process)
    path = scenario.path("running.jfr")

    def is_same():  # what was under way when it was stopped arrives
        collector.download(recording, path)
        try:
            check_contexts(collector, {path: recording}, [("recording", recording)], ())
        except Failed:
            return False
        return ask(collector, "why", [("recording", recording)]) == loupe("why", [path])
    wait_for("the same answer", is_same)
    waiting = collector.get(f"/api/v1/recordings/{recording}").json()["waiting"]
    check(waiting["chunks"] > 0 and waiting["journal_bytes"] > 0, f"nothing waits: {waiting}")
    program.jvm.process.send_signal(signal.SIGCONT)


def pool_of(thread):
    numbered = re.fullmatch(r"(.*\D)\d+", thread)
    return f"{numbered[1]}*" if numbered else thread


def check_patterns(collector, parameters, rows):
    """`*` in the name of a thread, pools, and times that count back from now, of contexts and of recordings."""
    some = random.choice([row["thread"] for row in rows if row["thread"]])
    found, _ = lists(collector, [*parameters, ("thread", f"{some[:-1]}*")])
    wanted = [row for row in rows if row["thread"].startswith(some[:-1])]
    check([row["id"] for row in found] == [row["id"] for row in wanted], f"thread={some[:-1]}*: {len(found)}, not {len(wanted)}")
    for pool in {pool_of(some), ""}:
        matched = ask(collector, "contexts", [*parameters, ("pool", pool)])["matched"]
        count = sum(pool_of(row["thread"]) == pool for row in rows)
        check(matched == count, f"pool={pool}: {matched} contexts, not {count}")
    for name, count in (("from", len(rows)), ("to", 0)):
        matched = ask(collector, "contexts", [*parameters, (name, "10h")])["matched"]
        check(matched == count, f"{name}=10h: {matched} contexts, not {count}")
    for name, count in (("from", 2), ("to", 0)):
        listed = collector.get(f"/api/v1/recordings?{name}=10h").json()["recordings"]
        check(len(listed) == count, f"{name}=10h: {len(listed)} recordings, not {count}")


def check_attributes(collector, files, parameters):
    """As in `loupe attributes`, alone and beside a base."""
    for selection, options in (((), ()), ((("min_duration_ns", 1000000), ("base", "rest"), ("limit", 3)),
                                          ("--min-duration", "1ms", "--base", "rest", "--limit", "3"))):
        found = ask(collector, "attributes", [*parameters, *selection])
        local = loupe("attributes", files, *options)
        check(found == local and found["keys"], f"attributes {selection}: {found}, not {local}")
    text = subprocess.run([LOUPE, "attributes", *files], stdout=subprocess.PIPE, timeout=120, check=True).stdout.decode()
    for key in local["keys"]:
        check(f"\n{key['key']}\n" in text, f"{key['key']} is not in {text}")


def contexts_of(found):
    """The recordings and ids of a list."""
    columns = found["columns"]
    return {(row[columns.index("recording")], row[columns.index("id")]) for row in found["rows"]}


def check_trace_command(collector, files, id_):
    """`loupe trace` finds in the downloads what the collector finds."""
    wanted = contexts_of(ask(collector, f"ids/{id_}"))
    found = loupe("trace", [id_.upper(), *files])
    rows = [dict(zip(found["columns"], row)) for row in found["rows"]]
    check({(files[row["recording"]], row["id"]) for row in rows} == wanted, f"loupe trace {id_}: {rows}, not {wanted}")
    check([row["start"] for row in rows] == sorted(row["start"] for row in rows), f"loupe trace {id_}: {rows}")
    text = subprocess.run([LOUPE, "trace", id_, *files], stdout=subprocess.PIPE, timeout=120, check=True).stdout.decode()
    check(len(text.splitlines()) == len(wanted) + 2 and all(
        re.search(f"^{re.escape(path)} ", text, re.MULTILINE) for path in files if files[path] in dict(wanted)), text)
    done = subprocess.run([LOUPE, "trace", "nobody-has-this", *files], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=120, check=False)
    check((done.returncode, done.stderr) == (0, b"loupe trace: no context has the id nobody-has-this\n"), f"{done}")


def check_traces(collector, files, rows, programs):
    """Traces are found by their ids in all recordings; of those that came in and are not kept it is said that they did."""
    traces = {}
    for row in rows:
        if row.get("attr.traceId") is not None:
            traces.setdefault(str(row["attr.traceId"]), set()).add((row["recording"], row["id"]))
    check(traces, "no context has a trace id")
    for trace in random.sample(sorted(traces), min(8, len(traces))):
        found = ask(collector, f"traces/{trace}")
        ids = contexts_of(found)
        check((found["state"], ids) == ("kept", traces[trace]), f"trace {trace}: {found}")
        check_trace_command(collector, files, trace)
        check(set(found["recordings"]) == {recording for recording, _ in ids}, f"trace {trace}: {found['recordings']}")
    came = {str(e.values["traceId"]) for program in programs for e in program.raw
            if e.values.get("traceId") is not None}
    eliminated = sorted(came - set(traces))
    print(f"{len(traces)} traces are kept, {len(eliminated)} eliminated", flush=True)
    for trace, state in [(trace, "eliminated") for trace in eliminated[:20]] + [("nobody-has-this", "unknown")]:
        found = ask(collector, f"traces/{trace}")
        check((found["state"], found["rows"]) == (state, []), f"trace {trace}: {found}")


def check_ids(collector, ids):
    """ids: what is wanted of each: its state, the contexts, and the attributes that it is of these."""
    for value, wanted in ids:
        found = ask(collector, f"ids/{value}")
        check((found["state"], contexts_of(found), found["attributes"]) == wanted, f"id {value}: {found}, not {wanted}")


def is_marked(name):
    return any(fnmatch.fnmatchcase(name, pattern.replace("-", "_")) for pattern in MARKED)  # as answers have names


def check_marked(scenario, collector, rows, programs):
    """The attribute id of contexts of the API is an id by the policy; traces, whose id is none, have some of the same numbers."""
    kept = {}
    for row in rows:
        for name in ("id", "traceId") if is_marked(row["type"]) else ("traceId",):
            if row.get(f"attr.{name}") is not None:
                contexts, names = kept.setdefault(str(row[f"attr.{name}"]), (set(), set()))
                contexts.add((row["recording"], row["id"]))
                names.add(name)
    contexts = [context for program in programs for journal in [judge.Journal(program.journal_path)]
                for context in journal.contexts if journal.begin < context.begin_from]
    eliminated = sorted({context.values["id"] for context in contexts} - set(kept))
    print(f"{len(kept)} ids are kept, {len(eliminated)} eliminated", flush=True)
    check(len(kept) > 100 and eliminated, "too few")
    chosen = set(random.sample(sorted(kept), 20))
    marked = [row for row in rows if is_marked(row["type"])]
    for some in (sorted(marked, key=lambda row: -row["duration"])[:40],  # in several chunks
                 sorted(marked, key=lambda row: -row["start"] - row["duration"])[:40]):  # maybe open where the JVM ended
        chosen.update(str(row["attr.id"]) for row in some)
    kept = [(value, ("kept", kept[value][0], sorted(kept[value][1]))) for value in sorted(chosen)]
    last = {context.values["id"] for context in sorted(contexts, key=lambda context: -context.begin_from)[:40]}
    chosen = {*random.sample(eliminated, min(20, len(eliminated))), *last.intersection(eliminated)}
    eliminated = [(value, ("eliminated", set(), [])) for value in sorted(chosen)]
    check_ids(collector, [*kept, *eliminated, ("nobodys", ("unknown", set(), []))])
    collector.stop()
    subprocess.run([LOUPE, "index", "--rebuild", "--data", collector.data], check=True, timeout=120,
                   stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    collector.start()
    check_ids(collector, kept)
    answer = collector.get(f"/api/v1/ids/{kept[0][0]}")
    check(answer.json()["searched"]["is_whole"], f"the index that was made again: {answer.body}")


def check_refusals(collector):
    for query, said in (("limit=x", "limit 'x': not a whole number from 1 to 1000"),
                        ("where=x", "where 'x': not KEY OP VALUE, with one of = != ^= >= <= as OP"),
                        ("min_duration_ns=2&max_duration_ns=1", "min_duration_ns: longer than max_duration_ns")):
        answer = collector.get(f"/api/v1/contexts?{query}")
        check((answer.status, answer.json()) == (400, {"error": said}), f"{query}: {answer.status} {answer.body}")
    check(collector.get("/api/v1/contexts", method="POST").status == 405, "POST is not refused")


def check_metrics(collector):
    text = collector.get("/metrics").body.decode()
    values = {name: int(value) for name, value in re.findall(r"^loupe_(asks\w*) (\d+)$", text, re.MULTILINE)}
    check(values["asks_running"] == values["asks_waiting"] == 0 and values["asks_answered_total"] > 20, f"{values}")


def body(options, scenario):
    need_jdk(options.jdk)
    collector = Collector(scenario)
    collector.env["LOUPE_POLICY"] = write_policy(scenario.path("ids.jfc"), {
        name: {"context-index": "id"} for name in MARKED})
    collector.start()
    first = JournaledRun(scenario, collector, "ContextsE2E", options, platform=4, virtual=0, virtual_in_segments=8)
    check_running(scenario, collector, first)
    first.wait_exit()
    second = JournaledRun(scenario, collector, "ContextsE2E", options, platform=4, virtual=0, virtual_in_segments=8)
    second.wait_exit()
    found = wait_for("both recordings", lambda: [r for r in collector.recordings() if not r["is_running"]][1:]
                     and collector.recordings())
    files = {collector.download(r["id"], scenario.path(f"{r['id']}.jfr")): r["id"]
             for r in sorted(found, key=lambda r: int(r["start_ns"]))}
    single = {} if options.brief else files
    for path, recording in single.items():
        print(f"{recording}: {check_all(collector, {path: recording}, [('recording', recording)])} contexts", flush=True)
    print(f"both: {check_all(collector, files, [('service', first.service)])} contexts", flush=True)
    check_graphs(scenario, collector, files, [("service", first.service)], VALUES[:1] if options.brief else VALUES)
    for path, recording in single.items():
        rows, _ = lists(collector, [("recording", recording)])
        check_slices(scenario, collector, {path: recording}, [("recording", recording)], rows)
    rows, _ = lists(collector, [("service", first.service)])
    check_slices(scenario, collector, files, [("service", first.service)], rows)
    check_late(collector, files, [("service", first.service)], rows)
    check_threads(collector, files, [("service", first.service)], rows)
    check(ask(collector, "contexts", [("service", "other")])["matched"] == 0, "another service has contexts")
    check_patterns(collector, [("service", first.service)], rows)
    check_attributes(collector, files, [("service", first.service)])
    check_traces(collector, files, rows, (first, second))
    check_refusals(collector)
    check_metrics(collector)
    check_marked(scenario, collector, rows, (first, second))
    check_drawn(scenario, collector, [("service", first.service)], rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--segment", type=int, default=2, help="a chunk's seconds")
    parser.add_argument("--threads", choices=("platform", "virtual"), default="platform")
    parser.add_argument("--brief", action="store_true", help="ask of both recordings together only, and less of the graphs")
    options = parser.parse_args()
    run("ask_collector", lambda scenario: body(options, scenario))


main()
