# SPDX-License-Identifier: Apache-2.0
"""Promised: with loupe-otel.jar every event inside a request carries the request's trace id in the download, and no
event outside of requests carries any. The name of the local root is the one that it ends with.

A real server gets real requests with W3C headers from here, some of traces that are not sampled, with baggage. The
program does in each, and in a task that it hands over to other threads, what the JVM makes events of; it writes down
which thread worked for which trace when (tests/java/otel/OtelServer.java). With --by agent OpenTelemetry's agent makes the spans
and carries them to the other threads, and each test has the two agents in one of both orders; with --by sdk the
program itself does, with OpenTelemetry's SDK on its class path. With --first alone Loupe's agent is not there, and all
that is promised is that nobody notices the extension. With --by roots a program forgets spans that it has not ended
(tests/java/otel/OtelRoots.java): they are collected, and names of others are still the last ones. With --requests the agent
writes records to a file: each local root begins and ends once.
"""

import argparse
import bisect
import collections
import concurrent.futures
import http.client
import json
import os
import re
import time

from support import jars, judge, otlp, records
from support.elimination import write_policy
from support.process import JAVA_DIR, ORACLE_LIMIT_S, OTEL_JAR, TESTAPPS, Collector, check, javac, run, skip, times

CLIENTS = 6
REQUESTS = 48
CONTEXT = "otel.Span"
MORE_KEYS = [f"more{i}" for i in range(7)]  # 12 different ones are the most; in no baggage but the last
BAGGAGE_OPTION = "otel.loupe.baggage.keys=" + ",".join(
    ["tenant", "user.plan", "absent", "tenant", "other", "nobody's"] + MORE_KEYS)

# Without thresholds, so that each of them occurs in each request.
EVENTS = {
    "jdk.JavaMonitorEnter": {"threshold": "0 ns"},
    "jdk.ThreadPark": {"threshold": "0 ns"},
    "jdk.SocketRead": {"threshold": "0 ns"},
    "jdk.SocketWrite": {"threshold": "0 ns"},
    "jdk.ObjectAllocationSample": {"throttle": "1000/s"},
    "jdk.ExecutionSample": {"period": "10 ms"},
}
# JDK 25 makes no event of these where a virtual thread waits without its carrier.
NOT_OF_VIRTUAL_THREADS = ("jdk.JavaMonitorEnter", "jdk.ThreadPark")
MARK = "e2e.Mark"
ROOT = r"=GET\u0020/work/{id}"  # as the program's journal has texts


class Request:
    def __init__(self, number):
        self.trace = f"{number + 1:08x}" + "4bf92f3577b34da6a3ce929d"
        self.parent = f"{number + 1:016x}"
        self.is_sampled = number % 4 != 3
        self.tenant = f"tenant-{number % 5}"
        self.plan = "gr\u00fcn" if number % 2 else None

    def send(self, port):
        baggage = [f"tenant={self.tenant}", "other=thing", f"{MORE_KEYS[-1]}=last"]
        if self.plan:
            baggage.append("user.plan=gr%C3%BCn")
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=ORACLE_LIMIT_S)
        try:
            connection.request("GET", "/work", headers={
                "traceparent": f"00-{self.trace}-{self.parent}-0{int(self.is_sampled)}",
                "baggage": ",".join(baggage)})
            status = connection.getresponse().status
        finally:
            connection.close()
        check(status == 200, f"a request was answered with {status}")

    def attributes(self):
        return {"baggage.tenant": f"={self.tenant}", "baggage.user.plan": "=gr\\u00fcn" if self.plan else "-",
                "baggage.absent": "-", "baggage.other": "=thing", "baggage.nobody's": "-",
                **{f"baggage.{key}": "-" for key in MORE_KEYS[:-1]}, f"baggage.{MORE_KEYS[-1]}": "=last"}


# --- The program

# What OpenTelemetry's agent does with the JDK's classes; to look for a hundred other libraries costs 2 s of CPU.
INSTRUMENTED = ("java-http-server", "executors", "opentelemetry-api", "internal-class-loader", "internal-lambda",
                "internal-reflection", "internal-url-class-loader")
FEW_INSTRUMENTED = ["-Dotel.instrumentation.common.default-enabled=false",
                    *(f"-Dotel.instrumentation.{name}.enabled=true" for name in INSTRUMENTED)]
NO_EXPORTS = [f"-Dotel.{signal}.exporter=none" for signal in ("traces", "metrics", "logs")]


def compile_program(scenario, program, class_path):
    javac("-cp", f"{TESTAPPS}:{class_path}", "-d", scenario.dir, os.path.join(JAVA_DIR, "otel", f"{program}.java"))


def agents(scenario, collector, args):
    """The arguments for the JVM."""
    loupe = []
    if args.requests:
        loupe = [records.agent_argument(scenario.path("records"))]
    elif collector:
        policy = write_policy(scenario.path("policy.jfc"), {e: {"enabled": "true", **how} for e, how in EVENTS.items()})
        loupe = [scenario.agent_argument(scenario.agent_options(collector, "otel", policy=policy))]
    if args.by == "sdk":
        return loupe
    otel = [f"-javaagent:{jars.need(jars.OTEL_AGENT)}", f"-Dotel.javaagent.extensions={OTEL_JAR}",
            *times(FEW_INSTRUMENTED, [])]
    return loupe + otel if args.first == "loupe" else otel + loupe


def serve(scenario, collector, args):
    """Runs the program and sends the requests; returns them, and the path of the program's journal."""
    sdk = jars.need(jars.OTEL_SDK)
    compile_program(scenario, "OtelServer", sdk)
    vm = NO_EXPORTS + ["-D" + BAGGAGE_OPTION]
    vm += agents(scenario, collector, args)
    class_path = [scenario.dir, sdk] + ([OTEL_JAR] if args.by == "sdk" else [])
    journal = scenario.path("journal.txt")
    jvm = scenario.jvm(args.jdk, "OtelServer", journal, args.by, args.threads, vm=vm, class_path=class_path)
    port = int(jvm.wait_line(r"port (\d+)", ORACLE_LIMIT_S).group(1))
    requests = [Request(number) for number in range(REQUESTS)]
    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as clients:
        list(clients.map(lambda request: request.send(port), requests))
    jvm.process.stdin.close()
    jvm.wait_exit(ORACLE_LIMIT_S)
    return requests, journal


# --- What has to be in the recording


class Interval:
    def __init__(self, fields):
        self.kind = fields[0][1:]
        self.thread, self.start, self.end = map(int, fields[1:4])
        self.values = fields[4:]
        self.trace, self.span, self.root, self.root_id = (self.values + [None] * 4)[:4]

    def holds(self, moment):
        return self.start <= moment <= self.end


class Thread:
    """What the journal says of a thread, and which contexts it has in the recording."""

    def __init__(self):
        self.intervals = []
        self.contexts = []

    def of_kind(self, kind, moment):
        return next((i for i in self.intervals if i.kind == kind and i.holds(moment)), None)

    def has_outer(self):
        return any(i.kind == "OUTER" for i in self.intervals)

    # Contexts of one thread follow each other and meet in one moment.
    def contexts_at(self, moment):
        end = bisect.bisect_right(self.contexts, moment, key=lambda context: context.start)
        return [context for context in self.contexts[max(0, end - 2):end] if moment <= context.commit]


def read_journal(path):
    threads = collections.defaultdict(Thread)
    with open(path, encoding="ascii") as file:
        for line in file:
            interval = Interval(line.rstrip("\n").split("\t"))
            threads[interval.thread].intervals.append(interval)
    return threads


class Judge:
    def __init__(self, requests, threads, events, args):
        is_virtual = args.threads == "virtual"
        self.expected = [name for name in (*EVENTS, MARK) if not is_virtual or name not in NOT_OF_VIRTUAL_THREADS]
        # OpenTelemetry's agent carries the context of whoever is the first to need one of the JVM's own threads, such
        # as a poller, over to that thread, and leaves it there.
        self.is_leaking = is_virtual and args.by == "agent"
        self.by_trace = {request.trace: request for request in requests}
        self.threads = threads
        self.inside = collections.Counter()  # events, by type
        self.outside = collections.Counter()
        self.spans = set()  # that leaves were in
        self.root_ids = collections.defaultdict(set)  # by trace
        for event in events:
            if event.type == CONTEXT:
                threads[event.thread].contexts.append(event)
        for thread in threads.values():
            thread.contexts.sort(key=lambda context: (context.start, context.commit))
            self.check_order(thread.contexts)
        for context in (c for thread in threads.values() for c in thread.contexts):
            self.check_context(context)
        for event in events:
            if event.type in EVENTS or event.type == MARK:
                self.check_event(event, threads[event.thread])

    @staticmethod
    def check_order(contexts):
        for one, next_one in zip(contexts, contexts[1:]):
            check(one.commit <= next_one.start, f"two contexts at once: {one.values}, {next_one.values}")

    def check_context(self, context):
        values = dict(context.values)
        values.pop("contextId")
        check(re.match("=[0-9a-f]{16}$", values.pop("span_id")), f"span_id: {context.values}")
        request = self.by_trace.get(values.pop("trace_id")[1:])
        root = values.pop("local_root_span_name")
        root_id = values.pop("local_root_span_id")
        check(re.match("=[0-9a-f]{16}$", root_id), f"local_root_span_id: {context.values}")
        if request:
            self.root_ids[request.trace].add(root_id)
            check((root_id != "=" + "0" * 16) == request.is_sampled, f"local_root_span_id: {context.values}")
            check(values == request.attributes(), f"attributes: {values}, not {request.attributes()}")
            check(root == (ROOT if request.is_sampled else "-"), f"root: {root}")
        else:
            check(values.pop("baggage.tenant") in ("-", "=alone"), f"baggage out of nowhere: {context.values}")
            check(set(values.values()) == {"-"}, f"baggage out of nowhere: {values}")

    def check_event(self, event, thread):
        contexts = thread.contexts_at(event.commit)
        leaf = thread.of_kind("SPAN", event.commit)
        inner = leaf or thread.of_kind("INNER", event.commit)
        tenant = thread.of_kind("TENANT", event.commit)
        is_outside = thread.of_kind("NONE", event.commit) or not thread.intervals and not self.is_leaking \
            or thread.has_outer() and not thread.of_kind("OUTER", event.commit)
        about = f"{event.type} of thread {event.thread} at {event.commit}"
        if is_outside:
            check(not contexts, f"{about} is outside of all requests but in {[c.values for c in contexts]}")
            self.outside[event.type] += 1
        elif tenant:
            found = [context.values["baggage.tenant"] for context in contexts]
            check(found == tenant.values, f"{about} has the tenants {found}, not {tenant.values}")
        elif inner:
            check(contexts, f"{about} has no context, but happened in {inner.trace}")
            for context in contexts:
                check(context.values["trace_id"] == inner.trace, f"{about} is of {inner.trace}, but in {context.values}")
            if leaf:
                check([tuple(c.values[a] for a in ("span_id", "local_root_span_name", "local_root_span_id"))
                       for c in contexts] == [(leaf.span, leaf.root, leaf.root_id)],
                      f"{about} is of span {leaf.span} {leaf.root} {leaf.root_id}: {contexts[0].values}")
                self.spans.add(leaf.span)
            self.inside[event.type] += 1

    def check_counts(self):
        for request in self.by_trace.values():
            threads = [t for t in self.threads.values() if any(i.trace == "=" + request.trace for i in t.intervals)]
            check(len(threads) >= 2, f"{request.trace} was on {len(threads)} threads")
            check(len(self.root_ids[request.trace]) == 1, f"{request.trace} has {self.root_ids[request.trace]}")
        for name in self.expected:
            check(self.inside[name], f"no {name} inside of any request")
        for name in ("jdk.ThreadPark", "jdk.SocketRead", MARK):
            check(self.outside[name], f"no {name} outside of requests")
        # A span in each request and task, and those of the program that is alone.
        check(len(self.spans) == 2 * REQUESTS + 3, f"{len(self.spans)} spans")


def check_profiles(collector, requests, verdict):
    """The profile of a local root, by its id, is that of its trace."""
    request = next(request for request in requests if request.is_sampled)
    (root_id,) = verdict.root_ids[request.trace]
    wanted = collector.get(f"/api/v1/flamegraph?from=1h&trace={request.trace}").json()
    now_ms = int(time.time() * 1000)
    asked = {"profileTypeID": "loupe:time:nanoseconds:time:nanoseconds", "spanSelector": [root_id[1:]],
             "start": now_ms - 3600000, "end": now_ms + 60000}
    connection = http.client.HTTPConnection("127.0.0.1", collector.http_port, timeout=ORACLE_LIMIT_S)
    connection.request("POST", "/querier.v1.QuerierService/SelectMergeSpanProfile", json.dumps(asked))
    found = json.loads(connection.getresponse().read())
    connection.close()
    check(int(found["flamegraph"]["total"]) == wanted["total"] > 0, f"{request.trace} {root_id}: {found} {wanted}")


def check_links(scenario, collector, verdict):
    """Each sample of an OTLP profile links to the ids of a context in which it lies, and each kept context has samples."""
    answer = collector.get("/api/v1/slice.otlp?unit=contexts&from=1h")
    check(answer.status == 200, f"{answer.status} {answer.body[:300]}")
    jvms = otlp.write(scenario.path("contexts.otlp"), answer.body)
    listed = collector.get("/api/v1/contexts?from=1h&limit=1000&sort=start").json()
    check(listed["next"] is None, "more contexts than a page has")
    inside = {}
    for values in listed["rows"]:
        row = dict(zip(listed["columns"], values))
        begin = int(listed["t0_ns"]) + row["start"]
        inside.setdefault((row["attr.trace_id"], row["attr.span_id"]), []).append((begin, begin + row["duration"]))
    seen = set()
    for sample in (sample for jvm in jvms for profile in jvm["profiles"] for sample in profile["samples"]):
        link = (sample["trace"], sample["span"])
        check(any(begin <= sample["time"] <= end for begin, end in inside.get(link, ())), f"{sample}: not in {inside.get(link)}")
        seen.add(link)
    check(seen == set(inside) and {trace for trace, _ in seen} >= set(verdict.root_ids), f"{len(seen)} of {len(inside)} contexts")
    print(f"OTLP: {len(seen)} links")


def body(scenario, args):
    if not os.path.exists(OTEL_JAR):
        skip("loupe-otel.jar is not built, because OpenTelemetry's jars could not be had from Maven Central")
    if args.requests:
        judge_roots(scenario, *serve(scenario, None, args))
        return
    if args.first == "alone":
        serve(scenario, None, args)
        check_quiet(scenario.path("OtelServer.log"))
        return
    collector = Collector(scenario).start()
    requests, journal = serve(scenario, collector, args)
    path = collector.download(collector.recording("otel"), scenario.path("download.jfr"))
    verdict = Judge(requests, read_journal(journal), judge.dump(path, "otel"), args)
    verdict.check_counts()
    check_profiles(collector, requests, verdict)
    check_links(scenario, collector, verdict)  # with modules of Go's
    print("inside:", dict(verdict.inside))
    print("outside:", dict(verdict.outside))
    collector.stop()


def roots(scenario, args):
    if not os.path.exists(OTEL_JAR):
        skip("loupe-otel.jar is not built, because OpenTelemetry's jars could not be had from Maven Central")
    collector = Collector(scenario).start()
    sdk = jars.need(jars.OTEL_SDK)
    compile_program(scenario, "OtelRoots", sdk)
    policy = write_policy(scenario.path("policy.jfc"), {"e2e.Tick": {"enabled": "true"}})
    jvm = scenario.jvm(args.jdk, "OtelRoots", vm=NO_EXPORTS, class_path=[scenario.dir, sdk, OTEL_JAR],
                       agent=scenario.agent_options(collector, "otel", policy=policy))
    jvm.wait_exit(ORACLE_LIMIT_S)
    check(jvm.lines == ["collected", "profile ids true null", "running 70000"], f"the program says {jvm.lines}")
    events = judge.dump(collector.download(collector.recording("otel"), scenario.path("download.jfr")), "otel")
    names = [event.values["local_root_span_name"] for event in events if event.type == CONTEXT]
    check(names == ["=final\\u0020name"], f"contexts with the names {names}")
    told = scenario.log_of("OtelRoots").count("spans are running")
    check(told == 1, f"the log says {told} times that there are too many spans")
    collector.stop()


def judge_roots(scenario, requests, journal):
    path = scenario.path("records")
    (type_id, key_kind, key), = ((int(fields[0]), *fields[4:6]) for fields in records.types(path) if fields[1] == "otel.LocalRoot")
    check((int(key_kind), key) == (records.HEX, "local_root_span_id"), f"the roots have a key of kind {key_kind}, {key}")
    found = collections.defaultdict(list)
    for record in records.read(path):
        if record.type_id == type_id:
            found[f"={record.values[0] % 2**64:016x}"].append((record.values[1], record.time))
    said = collections.Counter(tuple(is_end for is_end, _ in roots) for roots in found.values())
    check(said == {(0, 1): len(found) - 1, (0,): 1}, f"begins and ends: {said}")  # the program forgets to end one
    check(all(roots[0][1] <= roots[-1][1] for roots in found.values()), f"{found}")
    shown = {interval.root_id for thread in read_journal(journal).values() for interval in thread.intervals
             if interval.kind == "SPAN" and interval.root_id not in ("=" + "0" * 16, None)}
    check(len(shown) >= sum(request.is_sampled for request in requests), f"the program had the local roots {shown}")
    check(shown <= set(found), f"no begin and end of {shown - set(found)}")
    print(f"{len(found)} local roots, {len(shown)} of them seen by the program")


def check_quiet(log):
    with open(log, encoding="utf-8") as file:
        found = re.search(r".*(?i:loupe|warn(?!ing: Sharing)|error|exception).*", file.read())
    check(not found, f"somebody complains: {found and found.group(0)}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--by", choices=("agent", "sdk", "roots"), required=True)
    parser.add_argument("--threads", choices=("platform", "virtual"), default="platform")
    parser.add_argument("--first", choices=("loupe", "otel", "alone"), default="loupe",
                        help="which agent comes first; alone: without Loupe's")
    parser.add_argument("--requests", action="store_true")
    args = parser.parse_args()
    run(f"otel-{args.by}-{args.jdk}-{args.threads}-{args.first}", lambda scenario: (roots if args.by == "roots" else body)(scenario, args))


main()
