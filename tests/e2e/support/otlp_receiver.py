# SPDX-License-Identifier: Apache-2.0
"""A receiver of OTLP (tests/e2e/otlp_receiver), and what a collector that sends to it promises: each request is in the metrics and
the profiles once, although the receiver refuses the first export of each signal for a second and rejects a part of the second."""

import collections
import json
import os
import re

from support import gotool
from support.process import Jvm, check, wait_for

SECRET = "Bearer otlp-secret-0123456789"
METRICS, PROFILES = "/base/v1/metrics", "/base/v1development/profiles"
RETRY_AFTER_MS = 1000


class Receiver:
    def __init__(self, scenario):
        self.scenario = scenario
        program = gotool.build_once(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "otlp_receiver"))
        self.process = Jvm(scenario, "receiver", [program], dict(os.environ))
        self.url = f"http://127.0.0.1:{self.process.wait_line(r'([0-9]+)$').group(1)}/base/"

    def environment(self):
        """What a collector needs to send here."""
        path = self.scenario.path("otlp-headers")
        with open(path, "w", encoding="ascii") as file:
            file.write(f"# of the receiver\nAuthorization: {SECRET}\n")
        return {"LOUPE_OTLP": self.url, "LOUPE_OTLP_INTERVAL": "1s", "LOUPE_OTLP_HEADERS": path}

    def exports(self, path, status=200):
        found = [json.loads(line) for line in list(self.process.lines)[1:]]
        check(all(one["path"] in (METRICS, PROFILES) and one["status"] in (200, 503) for one in found), f"{found}")
        return [one for one in found if one["path"] == path and one["status"] == status]


def samples(collector):
    """The samples of /metrics, as {name and labels: value}."""
    text = collector.get("/metrics").body.decode()
    return {name: float(value) for name, value in re.findall(r"^(loupe_\S+) (\S+)$", text, re.MULTILINE)}


def check_heads(receiver):
    """Each signal is sent again once, not before Retry-After has passed; each export has the header of the file."""
    for path in (METRICS, PROFILES):
        again, taken = receiver.exports(path, 503), receiver.exports(path)
        check(len(again) == 1 and taken and taken[0]["at"] - again[0]["at"] >= RETRY_AFTER_MS, f"{path}: {again} {taken[:1]}")
        for one in again + taken:
            heads = one["headers"]
            check((heads["Content-Type"], heads["Content-Encoding"], heads["Authorization"]) ==
                  (["application/x-protobuf"], ["gzip"], [SECRET]) and heads["User-Agent"][0].startswith("loupe/"), f"{heads}")


def check_metrics(receiver, collector, counts):
    """counts: of requests by service and type. The last export has them, and what /metrics has."""
    own = samples(collector)
    def last():
        exports = receiver.exports(METRICS)
        found = exports[-1]["metrics"] if exports else []
        return found if sum(one["count"] for one in found if one["unit"] == "ns") == sum(counts.values()) else None
    found = wait_for("all requests in the metrics", last)
    starts, seen = set(), {}
    for one in found:
        service = one["resource"]["service.name"]
        check(one["cumulative"] and 0 < one["start"] <= one["time"] and one["scope"] == "loupe", f"{one}")
        check(one["resource"]["service.instance.id"] == f"http://{one['resource']['service.instance.id'][7:]}", f"{one}")
        starts.add(one["start"])
        if one["name"] == "loupe.request.duration":
            kind = one["attributes"]["loupe.request.type"]
            labels = f'{{service="{service}",type="{kind}"}}'
            check((one["scale"], one["unit"], one["zero_below"]) == (2, "ns", 1), f"{one}")
            check(sum(one["buckets"]) + one["zero"] == one["count"], f"{one}")
            check(abs(one["sum"] - own["loupe_request_duration_seconds_sum" + labels] * 1e9) < 1, f"{one} {labels}")
            low = sum(count * 2 ** ((one["offset"] + at) / 4) for at, count in enumerate(one["buckets"]))
            check(low <= one["sum"] <= low * 2 ** .25 + one["zero"], f"{one}")
            seen[service, kind] = one["count"]
        else:
            check(one["monotonic"] and one["unit"] == "{request}", f"{one}")
            which, reason = one["name"].removeprefix("loupe.requests."), one["attributes"]["loupe.reason"]
            check(own[f'loupe_service_requests_{which}_total{{service="{service}",reason="{reason}"}}'] == one["count"], f"{one}")
    check(len(starts) == 1 and seen == counts, f"{starts} {seen} {counts}")


def sums_of(exports):
    """The sums of all profiles by (service, type of sample), and of these by trace."""
    sums, traces = collections.Counter(), collections.Counter()
    for export in exports:
        for one in export["profiles"]:
            key = one["resource"]["service.name"], one["type"]
            for trace, value in one["sums"].items():
                sums[key] += value
                traces[(*key, trace)] += value
    return sums, traces


def check_profiles(receiver, collector, times_of):
    """times_of: {service: ns of its requests, {trace: ns of its requests}}. Each request is sent once."""
    def all_sent():
        own = samples(collector)
        return own["loupe_otlp_chunks_sent_total"] > 0 and own["loupe_otlp_chunks_waiting"] == 0
    wait_for("all chunks sent", all_sent)
    sums, traces = sums_of(receiver.exports(PROFILES))
    for service, (total, by_trace) in times_of.items():
        check(sums[service, "wall/nanoseconds"] == total, f"{service}: {sums} {total}")
        found = {trace: value for (of, kind, trace), value in traces.items() if (of, kind) == (service, "wall/nanoseconds") and trace}
        check(found == by_trace, f"{service}: {found} {by_trace}")


def check_counts(receiver, collector, log_path):
    own = samples(collector)
    for path, signal in ((METRICS, "metrics"), (PROFILES, "profiles")):
        def of(name, signal=signal):
            return own[f'loupe_otlp_{name}_total{{signal="{signal}"}}']
        check((of("retries"), of("refused"), of("unconfirmed"), of("rejected")) == (1, 0, 0, 1), f"{signal}: {own}")
        check(0 < of("taken") <= len(receiver.exports(path)) and of("sent_bytes") > 0, f"{signal}")
    check(own["loupe_otlp_chunks_left_out_total"] == 0, f"{own}")
    def log():
        with open(log_path, encoding="utf-8") as file:
            return file.read()
    for wanted in (f"OTLP: sends metrics to {receiver.url}v1/metrics and profiles to {receiver.url}v1development/profiles, by "
                   "version 1.11 ", "asks to send metrics later, with 503", "asks to send profiles later, with 503",
                   "rejected 1 data points: one point is odd", "rejected 1 profiles: one profile is odd", "takes metrics again"):
        wait_for(wanted, lambda wanted=wanted: wanted in log())
        check(log().count(wanted) == 1, f"{wanted}: {log()}")
    check("otlp-secret" not in log(), "a secret in the log")
