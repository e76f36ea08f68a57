# SPDX-License-Identifier: Apache-2.0
"""Promised: statistics are of all contexts and requests, also of those of which nothing was kept.

A service under load counts its requests and how long they took. The histograms of /metrics, the heat map and the list of
services come to the same numbers, by type and by path; what is kept is a part of them; what an exemplar names is
there. The requests are the outermost contexts. /metrics can be read by Prometheus' own client library, in both of its formats.
"""

import argparse
import json
import os
import subprocess

from support.process import LIMIT_S, Collector, check, run, wait_for

THREADS, REQUESTS, SEGMENT_S = 4, 4000, 2
DURATION = "loupe_context_duration_seconds"
REQUEST_DURATION = "loupe_request_duration_seconds"
OUTERMOST = "order"
TYPES = {"order": "e2e_order", "trace": "e2e.Trace"}
ATTRIBUTES = {"order": "text", "trace": "user"}
CLOCKS_DIFFER = 0.01  # the JVM's two clocks, in how long the same took
OPENMETRICS = "application/openmetrics-text"
READER = "/usr/bin/python3", os.path.join(os.path.dirname(__file__), "support", "prometheus_json.py")


class Counted:
    """What the program says of a kind (and a path)."""

    def __init__(self):
        self.count = self.inner_ns = self.outer_ns = 0

    def add(self, count, inner_ns, outer_ns):
        self.count += count
        self.inner_ns += inner_ns
        self.outer_ns += outer_ns

    def check_time(self, seconds, what):
        least, most = self.inner_ns / 1e9 * (1 - CLOCKS_DIFFER), self.outer_ns / 1e9 * (1 + CLOCKS_DIFFER)
        check(least <= seconds <= most, f"{what}: {seconds} s, not {least} to {most}")


def read_counts(lines):
    kinds, paths = {}, {}
    for line in lines:
        kind, path, *numbers = line.split(" ")
        for table, key in ((kinds, kind), (paths, (kind, path))):
            table.setdefault(key, Counted()).add(*map(int, numbers))
    check(set(kinds) == set(TYPES) and len(paths) == 6, f"the program says: {lines}")
    return kinds, paths


def metrics(collector, accept):
    """Lists of samples by the name of the metric."""
    answer = collector.get("/metrics", {"Accept": accept})
    check(answer.headers["Content-Type"].startswith(accept), f"{accept} is answered with {answer.headers}")
    done = subprocess.run([*READER, "openmetrics" if accept == OPENMETRICS else "text"], input=answer.body,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT_S, check=False)
    check(done.returncode == 0, f"{accept}: {done.stderr.decode()}")
    return json.loads(done.stdout)


def series(samples, kind, name=DURATION):
    """The buckets of a type by le, their sum and count, and their exemplars."""
    samples = [s for s in samples if s["labels"] == {**s["labels"], "service": "counted", "type": TYPES[kind]}]
    buckets = {float(s["labels"]["le"]): s["value"] for s in samples if s["name"] == f"{name}_bucket"}
    values = {s["name"]: s["value"] for s in samples}
    return buckets, values[f"{name}_sum"], values[f"{name}_count"], [s["exemplar"] for s in samples if s["exemplar"]]


def check_histogram(samples, kind, counted, name=DURATION):
    buckets, sum_s, count, exemplars = series(samples, kind, name)
    check(count == counted.count, f"{kind}: {count} in the histogram, {counted.count} requests")
    check(buckets[float("inf")] == count and len(buckets) == 21, f"{kind}: {buckets}")
    check(list(buckets.values()) == sorted(buckets.values()), f"{kind}: {buckets}")
    counted.check_time(sum_s, kind)
    return exemplars


def check_metrics(collector, kinds):
    found = metrics(collector, OPENMETRICS)
    exemplars = [e for kind, counted in kinds.items() for e in check_histogram(found[DURATION], kind, counted)]
    check(exemplars, "no exemplars")
    for exemplar in exemplars:
        check_exemplar(collector, exemplar["labels"]["recording"], exemplar["labels"]["context_id"], exemplar["value"])
    as_text = metrics(collector, "text/plain")
    for kind, counted in kinds.items():
        check(not check_histogram(as_text[DURATION], kind, counted), "exemplars in text/plain")
    check(set(as_text) == set(found), f"formats differ in {set(as_text) ^ set(found)}")
    types = {s["labels"]["type"] for s in found[DURATION]}
    check(types == set(TYPES.values()), f"types: {types}")
    check_request_metrics(found, kinds[OUTERMOST])
    recording = collector.recordings("?service=counted")[0]
    for name in ("events_in", "events_out", "contexts_in", "contexts_out", "late_events", "requests_in", "requests_out"):
        sample, = found[f"loupe_service_{name}"]
        check(sample["labels"] == {"service": "counted"} and sample["value"] == recording[name], f"{name}: {sample}")


def check_request_metrics(found, counted):
    exemplars = check_histogram(found[REQUEST_DURATION], OUTERMOST, counted, REQUEST_DURATION)
    check(exemplars and all(len(e["labels"]["request_id"]) == 16 for e in exemplars), f"exemplars: {exemplars}")
    types = {s["labels"]["type"] for s in found[REQUEST_DURATION]}
    check(types == {TYPES[OUTERMOST]}, f"types of requests: {types}")


def check_exemplar(collector, recording, context, seconds):
    found = collector.get(f"/api/v1/contexts?recording={recording}&id={context}").json()
    check(found["matched"] == 1, f"exemplar {context} of {recording}: {found}")
    duration_ns = found["rows"][0][found["columns"].index("duration")]
    check(seconds is None or abs(duration_ns / 1e9 - seconds) < 1e-6, f"{duration_ns} ns, the exemplar says {seconds} s")


def heatmap(collector, query):
    answer = collector.get(f"/api/v1/contexts/heatmap?service=counted&{query}")
    check(answer.status == 200, f"heat map {query}: {answer.body[:300]}")
    found = answer.json()
    cells = [cell for column in found["columns"] for cell in column]
    check(found["all"] == sum(cell[1] for cell in cells) and found["kept"] == sum(cell[2] for cell in cells), f"{found}")
    check(all(cell[1] >= cell[2] for cell in cells), f"more kept than there were: {cells}")
    check(found["unknown"] == 0 and not found["is_truncated"], f"something is missing: {found}")
    return found


def check_heatmap(collector, kinds, paths):
    for columns in (240, 5, 1):
        for kind, counted in kinds.items():
            found = heatmap(collector, f"context={TYPES[kind]}&columns={columns}")
            check(found["all"] == counted.count, f"{kind}: {found['all']} in the heat map, {counted.count} requests")
            check(counted.count / 10 <= found["kept"], f"{kind}: only {found['kept']} were kept")
            check(found["exemplars"], "no exemplars")
        for (kind, path), counted in paths.items():
            found = heatmap(collector, f"context={TYPES[kind]}&where={ATTRIBUTES[kind]}={path}&columns={columns}")
            check(found["all"] == counted.count, f"{kind} {path}: {found['all']} in the heat map, {counted.count} requests")
    for _, _, recording, context in heatmap(collector, "columns=240")["exemplars"]:
        check_exemplar(collector, recording, context, None)


def check_requests(collector, kinds, paths):
    """The heat map, the types and the services have as many requests as there were outermost contexts."""
    counted = kinds[OUTERMOST]
    found = heatmap(collector, "unit=requests&columns=5")
    check(found["all"] == counted.count and counted.count / 10 <= found["kept"], f"requests in the heat map: {found}")
    check(all(len(request) == 16 for _, _, _, request in found["exemplars"]) and found["exemplars"], f"{found['exemplars']}")
    of_type, = collector.get("/api/v1/contexts/types?service=counted").json()["requests"]
    check(of_type["type"] == TYPES[OUTERMOST] and of_type["requests_in"] == counted.count, f"{of_type}")
    check(of_type["requests_out"] == found["kept"] and of_type["top"]["category"] == "park", f"{of_type}")
    counted.check_time(of_type["total_ns"] / 1e9, "requests")
    attribute, = (a for a in of_type["attributes"] if a["key"] == ATTRIBUTES[OUTERMOST])
    values = {v["value"]: v["requests_in"] for v in attribute["values"]}
    check(values == {path: c.count for (kind, path), c in paths.items() if kind == OUTERMOST}, f"{attribute}")
    service, = collector.get("/api/v1/services").json()["services"]
    check(service["requests"]["requests_in"] == counted.count, f"{service}")


def check_types(collector, kinds, paths):
    found = collector.get("/api/v1/contexts/types?service=counted").json()
    types = {t["type"]: t for t in found["types"]}
    check(set(types) == set(TYPES.values()) and not found["is_truncated"], f"types: {found}")
    for kind, counted in kinds.items():
        check(types[TYPES[kind]]["contexts_in"] == counted.count, f"{kind}: {types[TYPES[kind]]}")
        counted.check_time(types[TYPES[kind]]["total_ns"] / 1e9, kind)
    for (kind, path), counted in paths.items():
        attribute, = (a for a in types[TYPES[kind]]["attributes"] if a["key"] == ATTRIBUTES[kind])
        value, = (v for v in attribute["values"] if v["value"] == path)
        check(value["contexts_in"] == counted.count and not attribute["has_too_many"], f"{kind} {path}: {attribute}")
        counted.check_time(value["total_ns"] / 1e9, path)


def check_accounting(collector, recording):
    """That of a service with one JVM is that of the JVM."""
    found = collector.get("/api/v1/accounting?service=counted").json()
    one = collector.get(f"/api/v1/recordings/{recording}").json()
    check(found == {"recordings": 1, "types": one["types"], "is_truncated": False}, f"{found}, not {one['types']}")


def check_services(collector, kinds):
    service, = collector.get("/api/v1/services").json()["services"]
    check(service["service"] == "counted" and service["jvms"] == 1, f"{service}")
    types = {t["type"]: t for t in service["types"]}
    for kind, counted in kinds.items():
        check(types[TYPES[kind]]["contexts_in"] == counted.count, f"{kind}: {service}")
    check(service["contexts_in"] == sum(counted.count for counted in kinds.values()), f"{service}")
    check(0 < service["p50_ns"] <= service["p99_ns"] and service["top"]["category"] == "park", f"{service}")


def body(options, scenario):
    collector = Collector(scenario).start()
    agent = scenario.agent_options(collector, "counted", segment=SEGMENT_S)
    program = scenario.jvm(options.jdk, "CountedE2E", str(THREADS), str(REQUESTS), agent=agent)
    program.wait_exit()
    kinds, paths = read_counts(program.lines)

    def ended():
        found, = collector.recordings("?service=counted")
        return None if found["is_running"] else found
    recording = wait_for("the recording to end", ended)
    check(recording["losses"]["contexts_dropped"] == 0, f"contexts were lost: {recording}")
    check_metrics(collector, kinds)
    check_heatmap(collector, kinds, paths)
    check_services(collector, kinds)
    check_requests(collector, kinds, paths)
    check_types(collector, kinds, paths)
    check_accounting(collector, recording["id"])
    collector.stop()
    collector.start()  # metrics are of a process, the others are stored
    check_heatmap(collector, kinds, paths)
    check_services(collector, kinds)
    check(not metrics(collector, OPENMETRICS)[DURATION], "a new process has counted already")
    collector.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    options = parser.parse_args()
    run("counted", lambda scenario: body(options, scenario))


main()
