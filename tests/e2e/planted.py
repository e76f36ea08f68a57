# SPDX-License-Identifier: Apache-2.0
"""Promised: the first row of `loupe why` is the reason why requests are slow: a lock, a slow peer, a garbage collection,
garbage of their own, a pool without a free thread, their own computing, a driver that is asked for each row. The row names the
application's method, and the driver's below it; a method that waits again and again in a request is named as such; thrown
exceptions are counted where they are thrown. So it is in the JVM's recording, in what Loupe keeps of it,
and in the answer of a collector to which the JVM's agent has sent the same.

A program makes requests that are slow for one of these, on purpose. It waits for states of threads, not for times.
"""

import argparse
import json
import subprocess
import urllib.parse

from support.elimination import LIMIT_S, compact, write_policy
from support.planted import POLICY
from support.process import LOUPE, Collector, check, need_jdk, run, wait_for

REQUESTS, SERVICE = 8, "planted"
PROGRAM = "dev.loupe.testapps.PlantedE2E."
# The cause, the category that is first, and the frame in which most of its time went, if it has one.
CAUSES = (("lock", "lock", "reserve"), ("io", "io", "await"), ("repeat", "io", "find"), ("gc", "gc", None), ("allocation", "gc", None),
          ("pool", "park", "submit"), ("cpu", "cpu", None))

ROWS, THROWN = 12, 2000  # of PlantedE2E, in each request
DRIVER = "org.postgresql.jdbc.SlowStatement.receive"


def why(recording, cause):
    done = subprocess.run([LOUPE, "why", recording, "--where", f"cause={cause}", "--json"], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT_S, check=False)
    check(done.returncode == 0, f"why {cause}: {done.stderr.decode()}")
    return json.loads(done.stdout)


def ask(collector, cause):
    selection = {"service": SERVICE, "where": f"cause={cause}", "min_duration_ns": 1000000}
    answer = collector.get(f"/api/v1/why?{urllib.parse.urlencode(selection)}")
    check(answer.status == 200, f"why {cause}: {answer.status} {answer.body[:300]}")
    found = answer.json()
    check(found["left_out"] == {"chunks": 0, "events": 0, "places": 0} and not found["is_truncated"], f"{cause}: {found}")
    return found


def check_cause(answer, cause, category, method):
    check(answer["requests"] == REQUESTS, f"{cause}: {answer['requests']} requests")
    first = answer["slices"][0]
    # A busy machine may take its time to give a thread a CPU, which nothing accounts for.
    is_most = cause == "cpu" or first["total_ns"] > answer["slices"][-1]["total_ns"]
    check(first["category"] == category and is_most, f"{cause}: {json.dumps(answer, indent=1)}")
    if method:
        check(first["top"][0]["frame"] == PROGRAM + method, f"{cause}: {first}")
    if cause == "repeat":
        check_repetition(answer)
    check(cause == "repeat" or not answer["repeated"], f"{cause}: {answer['repeated']}")
    print(f"{cause}: {first['category']} {first['total_ns'] / answer['total_ns']:.0%}", flush=True)


def check_repetition(answer):
    """Each request waits for the driver once for each row."""
    first = answer["slices"][0]["top"][0]
    check(first["via"] == DRIVER, f"repeat: {first}")
    wanted = {"category": "io", "frame": PROGRAM + "find", "via": DRIVER, "requests": REQUESTS, "events": REQUESTS * ROWS,
              "per_request": ROWS, "total_ns": first["total_ns"], "each_ns": first["total_ns"] // (REQUESTS * ROWS)}
    check(answer["repeated"] == [wanted], f"repeat: {answer['repeated']}, not {wanted}")


def check_exceptions(answer):
    """Exceptions are counted where they are thrown, and take no time."""
    rows = [row for row in answer["slices"] if row["category"] == "exceptions"]
    check(len(rows) == 1 and rows[0]["is_count"] and rows[0]["total_ns"] == 0, f"exceptions: {rows}")
    thrown = {row["frame"]: row["events"] for row in rows[0]["top"]}
    check(thrown[PROGRAM + "look"] == REQUESTS * THROWN, f"exceptions: {thrown}")


def body(options, scenario):
    need_jdk(options.jdk)
    recording, out = scenario.path("in.jfr"), scenario.path("out.jfr")
    collector = Collector(scenario)
    collector.env["LOUPE_POLICY"] = policy = write_policy(scenario.path("all.jfc"), POLICY)
    agent = scenario.agent_options(collector.start(), SERVICE, policy=policy)
    scenario.jvm(options.jdk, "PlantedE2E", recording, str(REQUESTS), agent=agent).wait_exit(LIMIT_S)
    check(compact(recording, out).returncode == 0, "loupe compact failed")
    id_of = collector.recording(SERVICE)
    wait_for("the recording to end", lambda: not collector.get(f"/api/v1/recordings/{id_of}").json()["is_running"])
    for cause in CAUSES:
        check_cause(why(recording, cause[0]), *cause)
        check_cause(ask(collector, cause[0]), *cause)
        if cause[2]:  # of the others nothing may have happened on their threads: Loupe keeps no such contexts
            check_cause(why(out, cause[0]), *cause)
    if options.jdk < 25:  # whose exceptions have no time: JFR gives them that of its start
        check_exceptions(why(recording, "exceptions"))
        check_exceptions(ask(collector, "exceptions"))
    collector.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    options = parser.parse_args()
    run("planted", lambda scenario: body(options, scenario))


main()
