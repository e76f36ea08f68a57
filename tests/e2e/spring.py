# SPDX-License-Identifier: Apache-2.0
"""Promised: with loupe-spring-boot-starter.jar on its class path the requests of a Spring Boot application are contexts, with
their routes, and so are the tasks that they hand over.

A real application (tests/java/spring), in which nothing is about Loupe, gets real requests, several at a time; each says which
context it has to be in. Callables go to Spring's executor, @Async to one of the application's, which has a decorator of its
own; others are forwarded or fail. On the same threads no context applies outside of requests. Scheduled methods and a job of
Quartz are in contexts of their own, one that a request has scheduled too. --threads virtual: Spring has
virtual threads for requests and tasks (JDK 25). --without PART: a property says that this part does nothing. --alone: there is
no agent. --requests: the agent writes records to a file, and each request and each run of a job begins and ends once.
"""

import argparse
import collections
import concurrent.futures
import glob
import http.client
import os

from support import expected, jars, judge, records
from support.process import API_JAR, JAVA_DIR, LIB_DIR, LIMIT_S, Collector, check, javac, run, skip

STARTER_JAR = os.path.join(LIB_DIR, "loupe-spring-boot-starter.jar")
SERVLET_JAR = os.path.join(LIB_DIR, "loupe-servlet.jar")
QUARTZ_JAR = os.path.join(LIB_DIR, "loupe-quartz.jar")
CONTEXT = "loupe.RecordingContext"
CLIENTS = 4
REQUESTS = 12  # of each kind
# By the first part of the path: the answer's status, how many events are in the handler's context, the route of where the answer
# is written, and how many events are there.
KINDS = {
    "plain": (200, 1, "/plain/{id}", 1),
    "callable": (200, 2, "/callable/{id}", 1),
    "async": (200, 2, "/async/{id}", 1),
    "forward": (200, 1, "/forwarded/{id}", 2),
    "fail": (500, 1, "/error", 1),
}
JOBS = {f"job_name=dev.loupe.testapps.SpringServer${name}": 2
        for name in ("Jobs.rate", "Jobs.delay", "Jobs.cron", "Jobs.once", "Sweep", "LateJob.late")}
JOBS[""] = 2  # behind jobs that fail
JOBS["job_name=nightly,job_group=reports"] = 1  # Quartz', besides its id
DISPATCHED = ("callable", "async")  # once more, after the first thread has left it


def send(port, number, kind):
    """Returns how many events are to be in which context."""
    status, at_handler, route, at_answer = KINDS[kind]
    trace = f"{number + 1:032x}"
    context = f"http_method=GET,http_path=/{kind}/{number},trace_id={trace},http_route="
    handler, answer = f"{context}/{kind}/{{id}}", context + route
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT_S)
    try:
        connection.request("GET", f"/{kind}/{number}", headers={
            "expected": handler, "inside": answer, "traceparent": f"00-{trace}-00f067aa0ba902b7-01"})
        reply = connection.getresponse()
        text = reply.read().decode()
    finally:
        connection.close()
    check(reply.status == status and (status != 200 or text == str(number)), f"{kind}: {reply.status} {text}")
    return collections.Counter({handler: at_handler}) + collections.Counter(
        {answer: at_answer, "": 2 * (1 + (kind in DISPATCHED))})


def send_all(port):
    counts = collections.Counter(JOBS)
    requests = [(number * len(KINDS) + i, kind) for number in range(REQUESTS) for i, kind in enumerate(KINDS)]
    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as clients:
        for count in clients.map(lambda request: send(port, *request), requests):
            counts += count
    return counts


def start(scenario, args, agent):
    libraries = jars.need(jars.SPRING_APPLICATION + jars.SPRING_QUARTZ + jars.SPRING_TX)
    javac("-parameters", "-cp", f"{API_JAR}:{libraries}", "-d", scenario.dir, f"{JAVA_DIR}/servlet/OutsideValve.java",
          *glob.glob(f"{JAVA_DIR}/spring/*.java"))
    options = [f"--loupe.{args.without}=false"] if args.without else []
    options += ["--server.port=0", f"--spring.threads.virtual.enabled={str(args.threads == 'virtual').lower()}"]
    vm = [records.agent_argument(scenario.path("records"))] if args.requests else []
    return scenario.jvm(args.jdk, "SpringServer", *options, agent=agent, vm=vm,
                        class_path=[scenario.dir, STARTER_JAR, SERVLET_JAR, QUARTZ_JAR, libraries])


def agent_options(scenario, collector, args):
    # Without a part, nothing but the starter has contexts go with tasks.
    return scenario.agent_options(collector, "spring", propagate="off" if args.without else "tasks")


def body(scenario, args):
    if not os.path.exists(STARTER_JAR):
        skip("loupe-spring-boot-starter.jar is not built, because Spring could not be had from Maven Central")
    has_collector = not (args.alone or args.requests)
    collector = Collector(scenario).start() if has_collector else None
    jvm = start(scenario, args, agent_options(scenario, collector, args) if has_collector else None)
    counts = send_all(int(jvm.wait_line(r"port (\d+)").group(1)))
    jvm.process.stdin.close()
    jvm.wait_exit()
    if args.requests:
        rooted, others = records.count_rooted(scenario.path("records"))
        check(rooted >= REQUESTS * len(KINDS) + len(JOBS) and others == 0, f"{rooted} requests have roots, {others} have none")
    if not has_collector:
        return
    path = collector.download(collector.recording("spring"), scenario.path("download.jfr"))
    events = judge.dump(path)
    if args.without:
        check_without(events, args.without, counts)
    else:
        found = collections.Counter()
        for context, count in expected.judge_work(events, CONTEXT).items():
            found[context.split(",job_run=")[0]] += count
        check(found == counts, f"events {dict(found)}, not {dict(counts)}")
        print(f"{sum(counts.values())} events, {counts['']} of them outside of requests and jobs")
    collector.stop()


def check_without(events, part, counts):
    inside = sum(bool(found) for _, found in expected.work_and_contexts(events, CONTEXT))
    jobs, tasks = sum(JOBS.values()) - JOBS[""], len(DISPATCHED) * REQUESTS
    wanted = {"enabled": 0, "servlet.enabled": jobs, "tasks.enabled": sum(counts.values()) - counts[""] - tasks,
              "jobs.enabled": sum(counts.values()) - counts[""] - jobs}[part]
    check(inside == wanted, f"{inside} events are in contexts, not {wanted}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--threads", choices=("platform", "virtual"), default="platform")
    parser.add_argument("--without", choices=("enabled", "servlet.enabled", "tasks.enabled", "jobs.enabled"))
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--requests", action="store_true")
    args = parser.parse_args()
    run(f"spring-{args.jdk}-{args.threads}", lambda scenario: body(scenario, args))


main()
