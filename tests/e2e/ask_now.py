# SPDX-License-Identifier: Apache-2.0
"""Promised: a heat map has what a running JVM did seconds ago, before any chunk of it is stored, in columns of 5 s, and counts each
request once, also when the chunk is stored meanwhile.
"""

import argparse
import os
import urllib.request

from support.elimination import write_policy
from support.process import API_JAR, BRIEF, LIB_DIR, LIMIT_S, Collector, check, jdk_home, need_jdk, run, wait_for

DEMO_JAR = os.path.join(LIB_DIR, "loupe-demo.jar")

REQUESTS = 10
COLUMN_NS = 5_000_000_000
LONG_S = 3600  # a chunk does not end by itself


def counts(collector, more=""):
    """The heat map of contexts: how many there are in each column, and the whole answer."""
    answer = collector.get(f"/api/v1/contexts/heatmap?service=now&from=10m&fine=1{more}")
    check(answer.status == 200, f"{answer.status} {answer.body[:300]}")
    found = answer.json()
    return [sum(cell[1] for cell in column) for column in found["columns"]], found


def begins(collector):
    found = collector.get("/api/v1/contexts?service=now&limit=1000").json()
    start = found["columns"].index("start")
    return [int(found["t0_ns"]) + row[start] for row in found["rows"]]


def check_columns(columns, found, starts):
    """Each kept context is in the column in which it began, or in that beside it: slices begin with the chunk."""
    check(found["step_ns"] == COLUMN_NS, f"{found['step_ns']}")
    for at in starts:
        column = (at - int(found["t0_ns"])) // COLUMN_NS
        check(sum(columns[max(0, column - 1):column + 2]) > 0, f"nothing near column {column}: {columns}")


def start_service(scenario, jdk, collector):
    """The demo's service, whose chunks do not end by themselves. Returns its process and its address."""
    policy = write_policy(scenario.path("all.jfc"), {"demo.Request": {"select": "all"}})
    agent = scenario.agent_argument(scenario.agent_options(collector, "now", segment=LONG_S, policy=policy))
    java = [f"{jdk_home(jdk)}/bin/java", "-Xmx128m", *BRIEF, agent, "-cp", os.pathsep.join((DEMO_JAR, API_JAR))]
    process = scenario.popen("now", [*java, "dev.loupe.demo.CheckoutService", scenario.dir], env=dict(os.environ))
    port = scenario.path("port")
    wait_for("the service's port", lambda: os.path.exists(port))
    with open(port, encoding="ascii") as file:
        return process, f"http://127.0.0.1:{file.read()}"


def scenario_of(jdk):
    def body(scenario):
        need_jdk(jdk)
        collector = Collector(scenario).start()
        process, address = start_service(scenario, jdk, collector)
        for _ in range(REQUESTS):
            request = urllib.request.Request(f"{address}/cart?items=1", headers={"X-Tenant": "acme"})
            with urllib.request.urlopen(request, timeout=LIMIT_S) as answer:
                answer.read()
        recording = collector.recording("now")

        def all_of_them():
            columns, found = counts(collector, "&pending=1")
            return (columns, found) if sum(columns) >= REQUESTS else None
        columns, found = wait_for("the contexts", all_of_them)
        stored = collector.get(f"/api/v1/recordings/{recording}").json()
        check(stored["chunks"] == [] and stored["is_running"], f"stored already: {stored['chunks']}")
        check(found["pending"] == {"recordings": 1, "left_out": 0}, f"{found['pending']}")
        check(found["all"] == REQUESTS and not found["is_truncated"], f"{found}")
        check_columns(columns, found, begins(collector))
        check(sum(counts(collector)[0]) == 0, "without pending=1 there is nothing yet")
        for more, count in (("service=now", REQUESTS), ("service=other", 0), ("instance=other", 0), ("version=other", 0)):
            of = collector.get(f"/api/v1/contexts/heatmap?from=10m&fine=1&pending=1&recording={recording}&{more}").json()
            check(of["all"] == count and of["pending"]["recordings"] == (count > 0), f"{more}: {of['all']}, {of['pending']}")
        process.terminate()
        process.wait(60)
        wait_for("the end", lambda: not collector.recordings("?service=now")[0]["is_running"])
        for more in ("", "&pending=1"):
            check(sum(counts(collector, more)[0]) == REQUESTS, f"{more}: {counts(collector, more)[1]}")
    return body


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    args = parser.parse_args()
    run(f"ask-now-{args.jdk}", scenario_of(args.jdk))


main()
