# SPDX-License-Identifier: Apache-2.0
"""Promised: with Loupe's small jars for them, gRPC's calls, Kafka's records, Quartz's jobs, Vert.x's requests and OpenTracing's
spans are contexts, of each event that belongs to them and of no other.

One JVM runs a program for each (tests/java/adapters), which uses the real library, threads that work for several in turn, and
what fails. Each event says itself which context it has to be in. The examples of the docs (java/examples/adapters) compile
with the same jars.

--of NAME...  which of them
--kafka       records come from a real broker; otherwise from Kafka's own stand-in for a consumer
--vertx4      with Vert.x 4
--alone       there is no agent: all works as before
--requests    the agent writes records to a file: each call and each run of a job begins and ends once, as a request
"""

import argparse
import os
import re

from support import expected, jars, judge, records
from support.kafka import Kafka
from support.process import API_JAR, JAVA_DIR, LIB_DIR, LIMIT_S, TESTAPPS, Collector, check, javac, run, skip

# The program, the example, and the library.
ADAPTERS = {
    "grpc": ("GrpcCalls", "GrpcOrders", jars.GRPC_SERVER),
    "kafka": ("KafkaRecords", "KafkaOrders", jars.KAFKA + jars.SLF4J),
    "quartz": ("QuartzJobs", "QuartzReports", jars.QUARTZ + jars.SLF4J),
    "vertx": ("VertxRequests", "VertxOrders", jars.VERTX_SERVER),
    "opentracing": ("TracedSpans", "TracedOrders", jars.JAEGER + jars.SLF4J),
}
KINDS = ("loupe.RecordingContext", "opentracing.Span")
# Calls and runs, on JDK 17, which are requests with roots; and the contexts of the programs' own, which have none.
REQUESTS = {"grpc": (1 + 2 * 16 * 4, 1), "quartz": (8, 1)}
EVENTS_MIN = 10  # each program makes more
EXAMPLES = os.path.join(JAVA_DIR, "..", "..", "java", "examples", "adapters")


def compile_programs(scenario, names, class_path):
    sources = [f"{JAVA_DIR}/adapters/Adapters.java"]
    for program, example, _ in (ADAPTERS[name] for name in names):
        sources += [f"{JAVA_DIR}/adapters/{program}.java", f"{EXAMPLES}/{example}.java"]
    javac("-nowarn", "-proc:none", "-d", scenario.dir, "-cp", f"{API_JAR}:{TESTAPPS}:{class_path}", *sources)


def use(scenario, args):
    """The class path, and options of the JVM."""
    found = [f"{LIB_DIR}/loupe-{name}.jar" for name in args.of]
    for jar in found:
        if not os.path.exists(jar):
            skip(f"{os.path.basename(jar)} is not built, because its library could not be had from Maven Central")
    libraries = dict(jar for name in args.of for jar in ADAPTERS[name][2])
    if args.vertx4:
        libraries = dict(jars.VERTX_4_SERVER)
    found.append(jars.need(tuple(libraries.items())))
    vm = []
    if args.kafka:
        kafka = Kafka(scenario).start()
        kafka.make_topic("orders", 2)
        vm.append(f"-Dkafka.brokers={kafka.brokers}")
    return ":".join(found), vm


def check_kind(events, kind):
    """Those that say which context of this type they are in. Returns how many there are."""
    of_kind = [event for event in events
               if event.type == kind or event.type == expected.WORK and expected.text(event.values["type"]) == kind]
    counts = expected.judge_work(of_kind, kind)
    print(f"{kind}: {sum(counts.values())} events, {counts['']} of them outside")
    return sum(counts.values())


def body(scenario, args):
    class_path, vm = use(scenario, args)
    compile_programs(scenario, args.of, class_path)
    has_collector = not (args.alone or args.requests)
    collector = Collector(scenario).start() if has_collector else None
    if args.requests:
        vm.append(records.agent_argument(scenario.path("records")))
    programs = [ADAPTERS[name][0] for name in args.of]
    jvm = scenario.jvm(args.jdk, "Adapters", *programs, class_path=[scenario.dir, class_path], vm=vm,
                       agent=scenario.agent_options(collector, "adapters") if has_collector else None)
    jvm.wait_exit(2 * LIMIT_S)
    said = [re.fullmatch(r"(\w+) (\d+)", line) for line in jvm.lines]
    made = {match.group(1): int(match.group(2)) for match in said if match}
    check(list(made) == programs and min(made.values()) > EVENTS_MIN, f"the programs say {jvm.lines}")
    if args.requests:
        found = records.count_rooted(scenario.path("records"))
        wanted = tuple(sum(REQUESTS[name][i] for name in args.of) for i in range(2))
        check(found == wanted, f"requests with roots and without: {found}, not {wanted}")
    if not has_collector:
        return
    path = collector.download(collector.recording("adapters"), scenario.path("download.jfr"))
    events = judge.dump(path, "e2e", *KINDS)
    found = sum(check_kind(events, kind) for kind in KINDS)
    check(found == sum(made.values()), f"{found} events, not {made}")
    print(made)
    collector.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--of", choices=ADAPTERS, nargs="+", default=list(ADAPTERS))
    parser.add_argument("--kafka", action="store_true")
    parser.add_argument("--vertx4", action="store_true")
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--requests", action="store_true")
    args = parser.parse_args()
    run(f"adapters-{args.jdk}", lambda scenario: body(scenario, args))


main()
