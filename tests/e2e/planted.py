# SPDX-License-Identifier: Apache-2.0
"""Promised: the first row of `loupe why` is the reason why requests are slow: a lock, a slow peer, a garbage collection,
garbage of their own, a pool without a free thread, their own computing. So it is in the JVM's recording, and in what Loupe keeps of it.

A program makes requests that are slow for one of these, on purpose. It waits for states of threads, not for times.
"""

import argparse
import json
import subprocess

from support.elimination import compact
from support.process import LOUPE, check, need_jdk, run

REQUESTS = 8
PROGRAM = "dev.loupe.testapps.PlantedE2E."
# The cause, the category that is first, and the frame in which most of its time went, if it has one.
CAUSES = (("lock", "lock", "reserve"), ("io", "io", "fetch"), ("gc", "gc", None), ("allocation", "gc", None),
          ("pool", "park", "submit"), ("cpu", "cpu", None))


def why(recording, cause):
    done = subprocess.run([LOUPE, "why", recording, "--where", f"cause={cause}", "--json"], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, check=False)
    check(done.returncode == 0, f"why {cause}: {done.stderr.decode()}")
    return json.loads(done.stdout)


def check_cause(recording, cause, category, method):
    answer = why(recording, cause)
    check(answer["requests"] == REQUESTS, f"{cause}: {answer['requests']} requests")
    first = answer["slices"][0]
    # A busy machine may take its time to give a thread a CPU, which nothing accounts for.
    is_most = cause == "cpu" or first["total_ns"] > answer["slices"][-1]["total_ns"]
    check(first["category"] == category and is_most, f"{cause}: {json.dumps(answer, indent=1)}")
    if method:
        check(first["top"][0]["frame"] == PROGRAM + method, f"{cause}: {first}")
    print(f"{cause}: {first['category']} {first['total_ns'] / answer['total_ns']:.0%}", flush=True)


def body(options, scenario):
    need_jdk(options.jdk)
    recording, out = scenario.path("in.jfr"), scenario.path("out.jfr")
    scenario.jvm(options.jdk, "PlantedE2E", recording, str(REQUESTS)).wait_exit()
    check(compact(recording, out).returncode == 0, "loupe compact failed")
    for cause in CAUSES:
        check_cause(recording, *cause)
        if cause[2]:  # of the others nothing may have happened on their threads: Loupe keeps no such contexts
            check_cause(out, *cause)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    options = parser.parse_args()
    run("planted", lambda scenario: body(options, scenario))


main()
