# SPDX-License-Identifier: Apache-2.0
"""Promised: the HTTP API, while a JVM is running and afterwards.

Downloads of a running session are valid and grow; lists filter; ranges and ETags work; /metrics, /healthz and /readyz
answer; SIGTERM ends the collector with status 0 and a new one serves the recordings.
"""

import argparse
import re
import time
import urllib.parse

from support import judge, sequence
from support.process import Collector, check, run, wait_for

SAMPLE = re.compile(r"^[a-zA-Z_:][\w:]*(\{[^}]*\})? [-+]?(\d+(\.\d+)?([eE][-+]?\d+)?|Inf|NaN)$")
TYPE = re.compile(r"^# TYPE [a-zA-Z_:][\w:]* (counter|gauge|histogram|summary|untyped)$")


def scenario_of(feature):
    def body(scenario):
        collector = Collector(scenario).start(is_by_flags=False)
        check(collector.recordings() == [], "recordings in a new directory")
        stop = scenario.path("stop")
        agent = scenario.agent_options(collector, "api", instance="one", segment=2)
        jvm = scenario.jvm(feature, "SequenceE2E", "1000", f"until:{stop}", agent=agent)
        recording = collector.recording("api")
        check_growth(scenario, collector, recording)
        check_list(collector, recording)
        check_errors(collector)
        check_parameters(collector, recording, "api")
        check_metrics(collector)
        with open(stop, "w", encoding="ascii"):
            pass
        jvm.wait_exit()
        ticks, first_context = sequence.last_words(jvm)
        collector.stop()
        collector.start()
        path = collector.download(recording, scenario.path("last.jfr"))
        sequence.check_complete(path, ticks, first_context)
        check_statistics(collector, recording, path)
        check_ranges(collector, recording)
        collector.stop()
    return body


def ticks_in(path):
    return {int(e.values["seq"]) for e in judge.dump(path) if e.type == "e2e.Tick"}


def check_growth(scenario, collector, recording):
    """Three downloads, each a valid file with all that the one before had, and no gaps."""
    last = 0
    for _ in range(3):
        def newer():
            path = collector.download(recording, scenario.path("growing.jfr"))
            found = ticks_in(path)
            check(found == set(range(1, len(found) + 1)), "a download of a running session has gaps")
            check(len(found) >= last, f"a download shrank from {last} ticks to {len(found)}")
            return len(found) if len(found) > last else 0
        last = wait_for("a longer download", newer, 120)


def check_list(collector, recording):
    def ids(query):
        return [found["id"] for found in collector.recordings(query)]
    check(re.fullmatch("[0-9a-f]{32}", recording), f"id {recording}")
    for query in ("", "?service=api", "?instance=one", "?service=api&instance=one"):
        check(ids(query) == [recording], f"{query} does not find it")
    for query in ("?service=other", "?instance=two", "?service=api&instance=two"):
        check(ids(query) == [], f"{query} finds it")
    now = int(time.time())
    stamp = "%Y-%m-%dT%H:%M:%SZ"
    past, future = (time.strftime(stamp, time.gmtime(now + d)) for d in (-3600, 3600))
    check(ids(f"?from={past}&to={future}") == [recording], "from and to around it do not find it")
    check(ids(f"?from={future}") == [], "from the future finds it")
    check(ids(f"?to={past}") == [], "to the past finds it")
    one = collector.get(f"/api/v1/recordings/{recording}")
    check(one.status == 200 and one.json()["id"] == recording, f"one: {one.status} {one.body[:300]}")
    check(one.json()["service"] == "api" and one.json()["instance"] == "one", f"one: {one.body[:300]}")
    check("json" in one.headers["Content-Type"], f"type {one.headers['Content-Type']}")


def check_errors(collector):
    unknown = "0" * 32
    for path, expected in ((f"/api/v1/recordings/{unknown}", 404), (f"/api/v1/recordings/{unknown}.jfr", 404),
                           ("/api/v1/recordings/../../etc/passwd", 404), ("/api/v1/recordings/xyz.jfr", 404),
                           ("/nowhere", 404), ("/api/v1/recordings?from=yesterday", 400)):
        answer = collector.get(path)
        check(answer.status == expected, f"GET {path}: {answer.status}, not {expected}")
    check(collector.get("/api/v1/recordings", method="DELETE").status == 405, "DELETE is not refused with 405")
    for path in ("/healthz", "/readyz"):
        check(collector.get(path).status == 200, f"{path} is not well")


ROUTES = ("recordings", "recordings/{id}", "recordings/{id}.jfr", "services", "versions", "contexts", "requests", "requests/{id}/{one}",
          "requests/series", "contexts/heatmap", "compare", "contexts/types", "why", "slice.md", "timeline", "flamegraph",
          "slice.collapsed", "slice.speedscope.json", "slice.pprof", "threads", "jvm", "contexts/{id}/{context}", "events", "events/types",
          "ids/abc", "traces/abc", "attributes", "slice.jfr", "accounting", "policies", "policies/{service}", "login", "collector")
# A value that a parameter cannot have: where it is one of a route, and where it is not.
BAD = {"base": "day", "unit": "years", "from": "yesterday", "to": "soon", "limit": "0", "sort": "beauty", "columns": "0", "width": "0",
       "fine": "2", "pending": "2", "exemplars": "x", "value": "gold", "frame": "(", "max_nodes": "0", "around": "2",
       "context-style": "loud", "sample-contexts": "perhaps", "where": "nonsense", "min_duration_ns": "abc", "max_duration_ns": "-1",
       "recording": "short", "request": "zz", "cursor": "garbage"}
FREE = {("events", "columns")}  # names of fields, which may be any


def check_parameters(collector, recording, service):
    """No route leaves out a parameter in silence: one that it has not, and a value that cannot be."""
    for route in ROUTES:
        path = "/api/v1/" + route.format(id=recording, service=service, one="0" * 15 + "1", context="1-00000001")
        for name, value in {"nosuch": "1", **BAD}.items():
            if (route, name) not in FREE:
                answer = collector.get(f"{path}?{name}={urllib.parse.quote(value)}")
                check(answer.status == 400, f"{path}?{name}={value}: {answer.status} {answer.body[:200]}")
                said = answer.json()["error"]
                check(name in said, f"{path}?{name}={value}: {said}")


def check_metrics(collector):
    answer = collector.get("/metrics")
    check(answer.status == 200 and answer.headers["Content-Type"].startswith("text/plain"), "no metrics")
    samples = 0
    for line in answer.body.decode("utf-8").splitlines():
        if line.startswith("# TYPE"):
            check(TYPE.match(line), f"metrics: {line}")
        elif line and not line.startswith("#"):
            check(SAMPLE.match(line), f"metrics: {line}")
            samples += 1
    check(samples > 5, f"only {samples} metrics")


def check_statistics(collector, recording, path):
    """The totals of the recording's JSON are those of the file."""
    def ended():
        found = collector.get(f"/api/v1/recordings/{recording}").json()
        return None if found["is_running"] else found
    found = wait_for("the recording to end", ended)
    events = judge.dump(path)
    contexts = sum(1 for e in events if e.is_contextual)
    check(found["events_out"] == len(events) - contexts, f"{len(events)} events, {contexts} contexts: {found}")
    check(found["contexts_out"] == contexts, f"{contexts} contexts: {found}")
    check(found["contexts_in"] > contexts, f"nothing was eliminated: {found}")


def check_ranges(collector, recording):
    path = f"/api/v1/recordings/{recording}.jfr"
    whole = collector.get(path)
    size = len(whole.body)
    etag = whole.headers["ETag"]
    check(etag and re.fullmatch('(W/)?"[^"]+"', etag), f"ETag {etag}")
    check(whole.headers.get("Accept-Ranges") == "bytes", "Accept-Ranges is missing")
    check(collector.get(path).headers["ETag"] == etag, "another ETag for the same content")
    check(collector.get(path, {"If-None-Match": etag}).status == 304, "If-None-Match gives no 304")
    check(collector.get(path, {"If-None-Match": '"other"'}).status == 200, "another If-None-Match gives no 200")
    head = collector.get(path, method="HEAD")
    check(head.status == 200 and int(head.headers["Content-Length"]) == size and not head.body, "HEAD")
    for asked, begin, end in (("0-67", 0, 68), ("68-99", 68, 100), (f"{size - 10}-", size - 10, size),
                              ("-100", size - 100, size), (f"10-{size * 2}", 10, size), ("0-", 0, size)):
        part = collector.get(path, {"Range": f"bytes={asked}"})
        check(part.status == 206, f"Range {asked}: {part.status}")
        check(part.headers["Content-Range"] == f"bytes {begin}-{end - 1}/{size}", part.headers["Content-Range"])
        check(part.body == whole.body[begin:end], f"Range {asked}: other bytes")
    beyond = collector.get(path, {"Range": f"bytes={size}-"})
    check(beyond.status == 416 and beyond.headers["Content-Range"] == f"bytes */{size}", f"beyond: {beyond.status}")
    stale = collector.get(path, {"Range": "bytes=0-9", "If-Range": '"other"'})
    check(stale.status == 200 and len(stale.body) == size, "a stale If-Range must give the whole")
    fresh = collector.get(path, {"Range": "bytes=0-9", "If-Range": etag})
    check(etag.startswith("W/") or fresh.status == 206, f"If-Range: {fresh.status}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    args = parser.parse_args()
    run(f"api-{args.jdk}", scenario_of(args.jdk))


main()
