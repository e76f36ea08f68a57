# SPDX-License-Identifier: Apache-2.0
"""Promised: what a policy drops can be had back for some minutes. Of a real JVM whose policy drops every tick and context, `loupe
pin` of the id of a context gets the tick in it, and no other. A pin of the service gets all ticks, of the chunks
before the pin and of those after it; what was kept before is there unchanged; the numbers of the recording say so; and after
kill -9 nothing is missing and nothing is there twice, and the pin is still there.
"""

import argparse
import collections
import json
import os
import subprocess

from support import judge, sequence
from support.elimination import write_policy
from support.process import LIMIT_S, LOUPE, Collector, check, run, wait_for

DROPS = {"e2e.Tick": {"filter": "has-key nowhere"}, "jdk.ThreadPark": {"select": "if-context"},
         "e2e-order": {"context-index": "id"}}
MARKED = 1000  # a tick, and the id of the context around it


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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    args = parser.parse_args()
    run(f"pins-{args.jdk}", body_of(args.jdk))


main()
