# SPDX-License-Identifier: Apache-2.0
"""Promised: what a policy drops can be had back for some minutes. Of a real JVM whose policy drops every tick and context, `loupe
pin` of the id of a context gets the tick in it, and no other. A pin of the service gets all ticks, of the chunks
before the pin and of those after it; what was kept before is there unchanged; the numbers of the recording say so; and after
kill -9 nothing is missing and nothing is there twice, and the pin is still there.

Of a chain of three JVMs two keep nothing. Later, a pin of one trace has all of it: where the thread of the request waits for the
pool, and the pool for the next JVM; and in the last JVM the wait for the monitor, and what its owner did meanwhile. Of other
traces there is as little as before. If the first service wants whole traces, nobody needs a pin: the others keep their parts of
all traces that it kept. As its requests are slow, its rule pins it. Costs 7 s of CPU, each chain 2 of them.
"""

import argparse
import collections
import json
import os
import subprocess
import urllib.request

from support import judge, sequence
from support.elimination import write_policy
from support.process import LIMIT_S, LOUPE, Collector, check, run_each, wait_for

DROPS = {"e2e.Tick": {"filter": "has-key nowhere"}, "jdk.ThreadPark": {"select": "if-context"},
         "e2e-order": {"context-index": "id"}}
MARKED = 1000  # a tick, and the id of the context around it
CHAIN = ("front", "middle", "last")
WAITS = ("jdk.JavaMonitorEnter", "jdk.SocketRead", "jdk.ThreadPark", "jdk.ThreadSleep")
REQUESTS = (1, 2, 3)  # one after the other
PINNED = 2


def metric(collector, name):
    lines = collector.get("/metrics").body.decode().splitlines()
    return next(int(line.split()[-1]) for line in lines if line.startswith(name + " "))


def show(collector, recording):
    return collector.get(f"/api/v1/recordings/{recording}").json()


def pin(collector, status, **parameters):
    query = "&".join(f"{name}={value}" for name, value in parameters.items())
    answer = collector.get(f"/api/v1/pins?{query}", method="POST")
    check(answer.status == status, f"POST /api/v1/pins?{query}: {answer.status}")
    return answer.json()


def pin_marked(collector, scenario, recording, *options):
    """Pins the context MARKED, whichever service had it, and checks that all else stays as it is."""
    url = f"http://127.0.0.1:{collector.http_port}"
    result = subprocess.run([LOUPE, "pin", "--url", url, "--trace", str(MARKED), *options, "--wait", "--json"],
                            capture_output=True, text=True, timeout=LIMIT_S, check=False)
    check(result.returncode == 0, f"loupe pin: {result.returncode}: {result.stderr}")
    made = json.loads(result.stdout)
    check(made["kept"] == 1 and made["service"] is None and made["trace"] == str(MARKED), f"{made}")
    path = collector.download(recording, scenario.path("marked.jfr"))
    ticks = {int(event.values["seq"]) for event in judge.dump(path) if event.type == "e2e.Tick"}
    check(ticks == {MARKED}, f"{len(ticks)} ticks")
    missing = subprocess.run([LOUPE, "pin", "--url", url, "--trace", "7fffffff", "--wait"],
                             capture_output=True, text=True, timeout=LIMIT_S, check=False)
    check(missing.returncode == 1 and ": 0 chunks kept" in missing.stdout, f"{missing}")


def counted(path):
    """The events of the JDK and of the program, as often as they are there."""
    return collections.Counter((event.type, event.start, event.commit, event.thread, tuple(sorted(event.values.items())))
                               for event in judge.dump(path) if not event.type.startswith("dev.loupe"))


def body_of(feature):
    def body(scenario):
        collector = Collector(scenario)
        collector.env = {"LOUPE_RECALL": "15m", "LOUPE_POLICY": write_policy(scenario.path("drops.jfc"), DROPS)}
        collector.start()
        program = sequence.Program(scenario, feature, 3000, scenario.agent_options(collector, "pinned", segment=1))
        recording = collector.recording("pinned")
        wait_for("two chunks", lambda: len(show(collector, recording)["chunks"]) >= 2)
        before = collector.download(recording, scenario.path("before.jfr"))
        check(not any(event.type == "e2e.Tick" for event in judge.dump(before)), "the policy drops no ticks")
        pin_marked(collector, scenario, recording)
        program.wait_more()
        stored = len(show(collector, recording)["chunks"])
        raw = collector.get("/api/v1/recall").json()["services"][0]
        check(raw["service"] == "pinned" and raw["chunks"] >= stored and raw["bytes"] > 0, f"{raw}")
        check(raw["from"] <= show(collector, recording)["start"][:23] + "9" * 6, f"raw data is there from {raw['from']}")
        made = pin(collector, 201, service="pinned", key="alert")
        check(made["waiting"] >= stored, f"{made} of {stored} chunks")
        check(pin(collector, 200, service="pinned", key="alert")["key"] == "alert", "the same key makes another pin")
        program.wait_more()
        program.wait_more()
        ticks, _ = program.stop()
        wait_for("the end", lambda: not show(collector, recording)["is_running"])
        chunks = len(show(collector, recording)["chunks"])

        def is_done():
            now = pin(collector, 200, service="pinned", key="alert")
            check(now["missing"] + now["failed"] + now["left_out"] == 0, f"{now}")
            return now["kept"] == chunks and now["waiting"] == 0
        wait_for("all chunks", is_done)
        for name in "after.jfr", "restarted.jfr":
            after = collector.download(recording, scenario.path(name))
            sequence.check_ticks(judge.dump(after), 1, ticks)
            collector.kill()
            collector.start()
            wait_for("the pin of before", is_done)
        check(show(collector, recording)["events_out"] >= ticks, "the recording counts the ticks as dropped")
        check(not any(show(collector, recording)["losses"].values()), "losses")
        collector.stop()
        missing = counted(before) - counted(after)
        missing = {key: count for key, count in missing.items() if key[0] != "jdk.ActiveSetting"}
        check(not missing, f"events that were kept are gone: {list(missing)[:3]} and others, {len(missing)}")
        check(os.path.getsize(after) > os.path.getsize(before), "it did not grow")
    return body


# --- The chain

def trace(number):
    """As LockedE2E has it."""
    return f"{0xabc000 + number:032x}"


def run_chain(scenario, feature, collector):
    """Runs all requests through the JVMs. Returns when the JVMs have ended and the collector has everything."""
    waits = {name: {"enabled": "true", "stackTrace": "true", "threshold": "1 ms"} for name in WAITS}
    keeps = write_policy(scenario.path("keeps.jfc"), waits)
    drops = write_policy(scenario.path("drops.jfc"), {name: {**wait, "filter": "has-key nowhere"} for name, wait in waits.items()})
    jvms, port = [], []
    for name in reversed(CHAIN):
        agent = scenario.agent_options(collector, name, policy=keeps if name == CHAIN[0] else drops)
        jvms.insert(0, scenario.jvm(feature, "ChainE2E", *port, agent=agent, name=name))
        port = [jvms[0].wait_line(r"port (\d+)$").group(1)]
    for number in REQUESTS:
        with urllib.request.urlopen(f"http://127.0.0.1:{port[0]}/{number}", timeout=LIMIT_S) as answer:
            check(answer.status == 200, f"request {number}: {answer.status}")
    for name, jvm in zip(CHAIN, jvms):
        jvm.process.stdin.close()
        jvm.wait_exit()
        recording = collector.recording(name)
        wait_for("the end", lambda recording=recording: is_complete(show(collector, recording)))


def is_complete(recording):
    return not recording["is_running"] and not recording["waiting"]["chunks"]


def parts_of(collector, scenario, name):
    """(contexts of requests by their trace, contexts of the monitor's owners, waits) of a JVM."""
    path = collector.download(collector.recording(name), scenario.path(f"{name}.jfr"))
    events = judge.dump(path)
    contexts = [event for event in events if event.type == "loupe.RecordingContext"]
    traces = collections.defaultdict(list)
    for context in contexts:
        traces[context.values["trace_id"].removeprefix("=")].append(context)
    owners = traces.pop("-", [])  # they have no trace
    return traces, owners, [event for event in events if event.type in WAITS]


def types_in(waits, contexts):
    """The types of waits during one of the contexts, on its thread."""
    return {wait.type for wait in waits for context in contexts
            if wait.thread == context.thread and context.start <= wait.start and wait.commit <= context.commit}


def check_chain(scenario, collector, before):
    pinned = trace(PINNED)
    front, middle, last = (parts_of(collector, scenario, name) for name in CHAIN)
    check(front[0].keys() == before[0][0].keys(), f"the first JVM has the traces {list(front[0])}")
    for traces, _, waits in front, middle:
        threads = {context.thread for context in traces[pinned]}
        found = types_in(waits, traces[pinned])
        check(len(threads) == 2 and found == {"jdk.ThreadPark", "jdk.SocketRead"}, f"{found} on the threads {threads}")
    for traces, _, waits in middle, last:
        check(list(traces) == [pinned], f"traces that nobody wants: {list(traces)}")
    traces, owners, waits = last
    check(types_in(waits, traces[pinned]) == {"jdk.JavaMonitorEnter"}, f"{types_in(waits, traces[pinned])} in the last JVM")
    check(len(owners) == 1 and owners[0].thread != traces[pinned][0].thread, f"{len(owners)} owners")
    check(types_in(waits, owners) == {"jdk.ThreadSleep"}, f"the owner did {types_in(waits, owners)}")


def chain_of(feature):
    def body(scenario):
        collector = Collector(scenario)
        collector.env = {"LOUPE_RECALL": "15m"}
        collector.start()
        run_chain(scenario, feature, collector)
        before = [parts_of(collector, scenario, name) for name in CHAIN]
        check(before[0][0].keys() == set(map(trace, REQUESTS)), f"the first JVM keeps the traces {list(before[0][0])}")
        check(not any(part for parts in before[1:] for part in parts), "the policy of the others drops all")
        url = f"http://127.0.0.1:{collector.http_port}"
        done = subprocess.run([LOUPE, "pin", "--url", url, "--trace", trace(PINNED), "--wait"], capture_output=True, text=True,
                              timeout=LIMIT_S, check=False)
        check(done.returncode == 0 and ": 3 chunks kept" in done.stdout, f"loupe pin: {done}")
        check_chain(scenario, collector, before)
        collector.stop()
    return body


def check_rule(collector):
    """The first service is pinned by its rule: its requests wait for those of the others."""
    def is_done():
        pins = collector.get("/api/v1/pins").json()["pins"]
        return pins and pins[0]["waiting"] == 0 and pins[0]["kept"] >= 1
    wait_for("a pin by the rule", is_done)
    made = collector.get("/api/v1/pins").json()["pins"][-1]
    check(made["service"] == CHAIN[0] and made["missing"] + made["failed"] + made["over_budget"] == 0, f"{made}")
    words = made["reason"].split()
    check(words[:5] == ["p50>1ms", "for", "1m:", "p50", "was"] and words[-1] in ("ms", "s"), made["reason"])
    services = collector.get("/api/v1/recall").json()["services"]
    check({each["service"]: each["automatic"]["bytes"] > 0 for each in services} == dict.fromkeys(CHAIN, True), f"{services}")


def whole_of(feature):
    def body(scenario):
        collector = Collector(scenario)
        os.mkdir(scenario.path("policies"))
        with open(scenario.path(f"policies/{CHAIN[0]}.keep"), "w", encoding="utf-8") as file:
            file.write("trace whole\npin-when p50>1ms for 1m\n")
        collector.env = {"LOUPE_RECALL": "15m", "LOUPE_POLICY_DIR": scenario.path("policies")}
        collector.divisor = 40  # two minutes become three seconds, and the minute of the rule less than two
        collector.start()
        run_chain(scenario, feature, collector)
        wait_for("the others", lambda: metric(collector, "loupe_recall_trace_editions_total") == 2)
        kept = parts_of(collector, scenario, CHAIN[0])[0].keys()
        for name in CHAIN[1:]:
            traces, owners, waits = parts_of(collector, scenario, name)
            check(traces.keys() == kept == set(map(trace, REQUESTS)), f"{name} has the traces {list(traces)}")
            check(waits and bool(owners) == (name == CHAIN[-1]), f"{name} has {len(waits)} waits, {len(owners)} owners")
        check(metric(collector, "loupe_recall_trace_chunks_left_out_total") == 0, "chunks were left out")
        check_rule(collector)
        collector.stop()
    return body


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    args = parser.parse_args()
    run_each({f"pins-{args.jdk}": body_of(args.jdk), f"pins-chain-{args.jdk}": chain_of(args.jdk),
              f"pins-whole-{args.jdk}": whole_of(args.jdk)})


main()
