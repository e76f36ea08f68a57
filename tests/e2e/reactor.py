# SPDX-License-Identifier: Apache-2.0
"""Promised: RecordingContexts are carried with Micrometer's context propagation and in chains of Reactor's, and with
loupe-spring-boot-starter.jar the requests to an application of Spring WebFlux are contexts, with their routes.

A real application (tests/java/reactor), in which nothing is about Loupe, gets real requests, several at a time; each says which
context it has to be in. Before, the same program has chains with contexts, and scopes of Micrometer's. On the same threads no
context applies outside. --by kotlin: its filters and handlers are suspending functions (tests/java/kotlin-spring), and
loupe-kotlin.jar is there. --without PART: a property says that this part does nothing. --alone: there is no agent. --requests: the
agent writes records to a file, and each request begins and ends once.
"""

import argparse
import collections
import concurrent.futures
import glob
import http.client
import os

from support import expected, jars, judge, records
from support.kotlin import compile_program
from support.process import API_JAR, JAVA_DIR, LIB_DIR, LIMIT_S, Collector, check, javac, run, skip

JARS = [f"{LIB_DIR}/loupe-{name}.jar" for name in ("spring-boot-starter", "webflux", "micrometer", "servlet", "kotlin")]
CONTEXT = "loupe.RecordingContext"
CLIENTS = 4
REQUESTS = 12  # of each kind
# By language and the first part of the path: the method, how many events are in the context with the route, and how many in
# one with another entry.
KINDS = {
    "java": {"plain": ("GET", 1, 0), "mono": ("GET", 2, 0), "flux": ("GET", 3, 0), "body": ("POST", 1, 0),
             "fail": ("GET", 2, 0), "function": ("GET", 3, 0)},
    "kotlin": {"suspend": ("GET", 4, 3), "router": ("GET", 4, 3), "flow": ("GET", 1, 0)},
}
IN_FILTER = {"java": 2, "kotlin": 3}


def send(port, by, number, kind):
    """Returns how many events are to be in which context."""
    method, at_handler, in_steps = KINDS[by][kind]
    trace = f"{number + 1:032x}"
    inside = f"http_method={method},http_path=/{kind}/{number} a,trace_id={trace}"
    handler = f"{inside},http_route=/{kind}/{{id}}"
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT_S)
    try:
        connection.request(method, f"/{kind}/{number}%20a;matrix=1?secret=2", f"{number} a" if method == "POST" else None, {
            "expected": handler, "inside": inside, "traceparent": f"00-{trace}-00f067aa0ba902b7-01",
            "Content-Type": "text/plain"})
        reply = connection.getresponse()
        text = reply.read().decode()
    finally:
        connection.close()
    check((reply.status, text) == (200, f"{number} a"), f"{kind}: {reply.status} {text}")
    return +collections.Counter({handler: at_handler, f"{handler},step=pay": in_steps, inside: IN_FILTER[by], "": 2})


def send_all(port, by):
    counts = collections.Counter()
    requests = [(number * len(KINDS[by]) + i, kind) for number in range(REQUESTS) for i, kind in enumerate(KINDS[by])]
    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as clients:
        for count in clients.map(lambda request: send(port, by, *request), requests):
            counts += count
    return counts


def order(port):
    """A request to the example's handler."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT_S)
    try:
        connection.request("GET", "/orders/17", headers={"inside": "http_method=GET,http_path=/orders/17"})
        reply = connection.getresponse().read()
    finally:
        connection.close()
    check(reply == b"order 17", f"the example answers {reply}")


def check_order(events):
    found = [contexts for _, contexts in expected.work_and_contexts(events, CONTEXT, "shop.OrderServed")]
    wanted = {"http_method=GET", "http_path=/orders/17", "http_route=/orders/{id}"}
    check(found == [[wanted]], f"the example's event is in {found}")


def to_file(scenario, args):
    return [records.agent_argument(scenario.path("records"))] if args.requests else []


def start_java(scenario, args, agent):
    libraries = jars.need(jars.WEBFLUX_APPLICATION)
    sources = [*glob.glob(f"{JAVA_DIR}/reactor/*.java"), *glob.glob(f"{JAVA_DIR}/../../java/examples/reactor/*.java"),
               *glob.glob(f"{JAVA_DIR}/../../java/examples/webflux/*.java")]
    javac("-parameters", "-cp", ":".join([API_JAR, *JARS, libraries]), "-d", scenario.dir, *sources)
    options = [f"--loupe.{args.without}=false"] if args.without else []
    return scenario.jvm(args.jdk, "ReactiveServer", "only" if args.without else "chains", *options, "--server.port=0",
                        agent=agent, vm=to_file(scenario, args), class_path=[scenario.dir, *JARS[:-1], libraries])


def start_kotlin(scenario, args, agent):
    class_path = [API_JAR, *JARS, *jars.need(jars.COROUTINES_APPLICATION).split(":")]
    classes = compile_program(scenario, class_path, glob.glob(f"{JAVA_DIR}/kotlin-spring/*.kt"))
    return scenario.jvm(args.jdk, "SuspendingServer", "--server.port=0", agent=agent, vm=to_file(scenario, args),
                        class_path=[classes, *class_path])


def body(scenario, args):
    if not all(map(os.path.exists, JARS)):
        skip("loupe-webflux.jar is not built, because Spring could not be had from Maven Central")
    has_collector = not (args.alone or args.requests)
    collector = Collector(scenario).start() if has_collector else None
    start = start_kotlin if args.by == "kotlin" else start_java
    jvm = start(scenario, args, scenario.agent_options(collector, "reactor") if has_collector else None)
    port = int(jvm.wait_line(r"port (\d+)").group(1))
    if args.by == "java":
        order(port)
    counts = send_all(port, args.by)
    jvm.process.stdin.close()
    jvm.wait_exit()
    if args.requests:
        rooted, _ = records.count_rooted(scenario.path("records"))
        wanted = REQUESTS * len(KINDS[args.by]) + (args.by == "java")
        check(rooted == wanted, f"{rooted} requests have roots, not {wanted}")
    if not has_collector:
        return
    path = collector.download(collector.recording("reactor"), scenario.path("download.jfr"))
    events = judge.dump(path, *judge.OWN, "shop.")
    collector.stop()
    if args.without:
        inside = sum(bool(found) for _, found in expected.work_and_contexts(events, CONTEXT))
        check(inside == 0, f"{inside} events are in contexts")
        return
    if args.by == "java":
        check_order(events)
    found = expected.judge_work(events, CONTEXT)
    of_requests = {context: found[context] for context in counts if context}
    wanted = {context: count for context, count in counts.items() if context}
    check(of_requests == wanted, f"events of requests {of_requests}, not {wanted}")
    chains = sum(count for context, count in found.items() if context and "http_" not in context)
    print(f"{sum(counts.values())} events of requests, {chains} in contexts of chains")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--by", choices=KINDS, default="java")
    parser.add_argument("--without", choices=("enabled", "webflux.enabled"))
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--requests", action="store_true")
    args = parser.parse_args()
    run(f"reactor-{args.by}-{args.jdk}", lambda scenario: body(scenario, args))


main()
