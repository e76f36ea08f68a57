# SPDX-License-Identifier: Apache-2.0
"""Promised: Loupe counts the requests that a service's own access log has, and they take as long as it says.

A Spring Boot application (tests/java/accesslog) gets real requests, several at a time: synchronous ones, and two kinds of
asynchronous ones. Each has two contexts of the application's own. Tomcat's access log is the judge: the number of requests is
exact, median and 99th percentile are those of the log within a bucket of the histogram, and the slowest ten are the same ones
and are kept. --by starter: loupe-spring-boot-starter.jar says what a request is. --by otel: OpenTelemetry's agent does. --by
events: each request is a contextual event; there are synchronous ones alone. Costs 15 s, of which 5 of CPU.
"""

import argparse
import concurrent.futures
import http.client
import math
import os
import random
import re

from support import jars, printed
from support.elimination import write_policy
from support.process import API_JAR, JAVA_DIR, LIB_DIR, LIMIT_S, OTEL_JAR, Collector, check, javac, jfr, run, skip, wait_for

STARTER_JAR = os.path.join(LIB_DIR, "loupe-spring-boot-starter.jar")
SERVLET_JAR = os.path.join(LIB_DIR, "loupe-servlet.jar")
CLIENTS = 8
REQUESTS = 234
WARM = 6
ALL = REQUESTS + WARM
SLOWEST = 10
BUCKET = 2 ** 0.25  # from one bucket of the histogram to the next
POLICY = {"dev.loupe.Request": {"request-keep": "whole", "keep-slowest": "20/m"}, "e2e.Served": {"contextual": "true"},
          "e2e.Step": {"select": "if-context"}}


def durations():
    """How long each request takes, in ms: the slowest ones far from each other."""
    choose = random.Random(1)
    slowest = [400 + 20 * i for i in range(SLOWEST)]
    all_ms = slowest + [choose.choice((2, 4, 8, 20, 60)) for _ in range(REQUESTS - SLOWEST)]
    choose.shuffle(all_ms)
    return all_ms


def send(port, kind, number, ms):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT_S)
    try:
        connection.request("GET", f"/{kind}/{number}/{ms}")
        reply = connection.getresponse()
        check(reply.status == 200 and reply.read().decode() == str(number), f"{kind}: {reply.status}")
    finally:
        connection.close()


def send_all(port, kinds):
    # In the first ones Tomcat takes longer outside of what it calls than in it; they are counted, and not compared.
    for i in range(WARM):
        send(port, kinds[i % len(kinds)], REQUESTS + i, 2)
    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as clients:
        sent = [clients.submit(send, port, kinds[i % len(kinds)], i, ms) for i, ms in enumerate(durations())]
        for one in sent:
            one.result()


def start(scenario, args, agent):
    libraries = jars.need(jars.SPRING_APPLICATION)
    javac("-parameters", "-cp", f"{API_JAR}:{libraries}", "-d", scenario.dir, f"{JAVA_DIR}/accesslog/AccessLogServer.java")
    starter = [STARTER_JAR, SERVLET_JAR] if args.by == "starter" else []
    vm = [f"-De2e.events={str(args.by == 'events').lower()}"]
    if args.by == "otel":
        vm += [f"-javaagent:{jars.need(jars.OTEL_AGENT)}", f"-Dotel.javaagent.extensions={OTEL_JAR}", "-Dotel.traces.exporter=none",
               "-Dotel.metrics.exporter=none", "-Dotel.logs.exporter=none"]
    options = ["--server.port=0", f"--spring.threads.virtual.enabled={str(args.threads == 'virtual').lower()}",
               "--server.tomcat.accesslog.enabled=true", f"--server.tomcat.basedir={scenario.path('tomcat')}",
               "--server.tomcat.accesslog.pattern=%r %D", "--server.tomcat.accesslog.buffered=false"]
    return scenario.jvm(args.jdk, "AccessLogServer", *options, agent=agent, vm=vm,
                        class_path=[scenario.dir, *starter, libraries, API_JAR])


def read_log(scenario):
    """Microseconds by the number of the request."""
    directory = scenario.path("tomcat/logs")
    log = {}
    for name in os.listdir(directory):
        with open(os.path.join(directory, name), encoding="ascii") as file:
            for line in file:
                found = re.match(r"GET /\w+/(\d+)/\d+ HTTP/1.1 (\d+)$", line)
                check(found, f"the access log has {line!r}")
                log[int(found.group(1))] = int(found.group(2))
    return log


def quantile(values, share):
    return sorted(values)[math.ceil(share * len(values)) - 1]


def counted(metrics):
    """How many requests the histograms of /metrics have, over all types."""
    return sum(int(count) for count in re.findall(r'^loupe_request_duration_seconds_count\{.*\} (\d+)', metrics, re.M))


def check_reasons(collector, said):
    """Each request that is kept has one reason, which /metrics and the recording say."""
    text = collector.get("/metrics").body.decode()
    by = {name: int(number) for name, number in
          re.findall(r'^loupe_requests_kept_total\{reason="(\w+)"\} (\d+)', text, re.M)}
    check(by == said["requests_kept_by"], f"{by} in /metrics, {said['requests_kept_by']} in the recording")
    check(sum(by.values()) == said["requests_out"] and by["slowest"] > 0, f"{said['requests_out']} kept, by {by}")


def check_numbers(collector, log):
    numbers = collector.get("/api/v1/services").json()["services"][0]["requests"]
    check(numbers["requests_in"] == ALL, f"{numbers['requests_in']} requests in services")
    check(counted(collector.get("/metrics").body.decode()) == ALL, "/metrics has another number of requests")
    for name, share in (("p50_ns", 0.5), ("p99_ns", 0.99)):
        truth = quantile(log.values(), share) * 1000
        # The log and Loupe look at their clocks at different times.
        check(abs(numbers[name] - truth) < (BUCKET - 1) * truth + 1e6, f"{name} is {numbers[name]}, in the access log {truth}")


def kept(path):
    """Of the requests in a recording: how long they took, in ms, by the number that the steps in them have."""
    took = {}
    for event in printed.parse(jfr("print", path)):
        if event.type == "e2e.Step":
            check(set(event.request) == {"id", "requestDuration"}, f"a step shows {event.request}")
            took[int(event.fields["order"].strip('"'))] = to_ms(event.request["requestDuration"])
    return took


def to_ms(text):
    number, unit = text.split()
    return float(number) * {"ns": 1e-6, "us": 1e-3, "ms": 1, "s": 1000}[unit]


def slowest(took):
    return sorted((number for number in took if number < REQUESTS), key=took.get)[-SLOWEST:]


def ended(collector, recording):
    said = collector.get(f"/api/v1/recordings/{recording}").json()
    return said if said["ended_how"] == "closed" and not said["waiting"]["chunks"] else None


def body(scenario, args):
    if args.by == "starter" and not os.path.exists(STARTER_JAR):
        skip("loupe-spring-boot-starter.jar is not built, because Spring could not be had from Maven Central")
    collector = Collector(scenario)
    collector.env["LOUPE_POLICY"] = write_policy(scenario.path("policy.jfc"), POLICY)
    collector.start()
    agent = scenario.agent_options(collector, "shop")
    jvm = start(scenario, args, agent)
    send_all(int(jvm.wait_line(r"port (\d+)").group(1)), ("sync",) if args.by == "events" else ("sync", "callable", "future"))
    jvm.process.stdin.close()
    jvm.wait_exit()
    log = read_log(scenario)
    check(len(log) == ALL, f"{len(log)} requests in the access log")
    recording = collector.recording("shop")
    said = wait_for("the recording to end", lambda: ended(collector, recording), LIMIT_S)
    path = collector.download(recording, scenario.path("download.jfr"))
    check(said["requests_in"] == ALL, f"{said['requests_in']} requests, {ALL} in the access log")
    check_reasons(collector, said)
    check_numbers(collector, log)
    collector.stop()
    took = kept(path)
    check(set(slowest(took)) == set(slowest(log)), f"the slowest: {slowest(took)}, in the access log {slowest(log)}")
    print(f"median {quantile(log.values(), 0.5)} us, 99 % {quantile(log.values(), 0.99)} us; {len(took)} of {ALL} kept")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--by", choices=("starter", "otel", "events"), required=True)
    parser.add_argument("--threads", choices=("platform", "virtual"), default="platform")
    args = parser.parse_args()
    run(f"access-log-{args.by}-{args.jdk}-{args.threads}", lambda scenario: body(scenario, args))


main()
