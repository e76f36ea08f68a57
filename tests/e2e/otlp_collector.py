# SPDX-License-Identifier: Apache-2.0
"""Promised: the OpenTelemetry Collector takes the metrics and the profiles that a collector of Loupe sends.

It prints all that it takes, by its exporter `debug`: the requests of the last export of metrics are those of /api/v1, in buckets
of scale 2, and there are profiles of the service. Nothing is refused, rejected or left out. A Collector without a pipeline of
profiles answers 404: Loupe says so once, and goes on with metrics.

Costs 2 s of CPU; to build the Collector once takes a minute more.
"""

import argparse
import os
import re

from support import gotool
from support.otlp_receiver import samples
from support.process import Collector, HeldPort, Jvm, check, need_jdk, run, wait_for

HERE = os.path.dirname(os.path.abspath(__file__))
POLICY = os.path.join(HERE, "..", "..", "policies", "loupe.jfc")
CONFIG = """
receivers: {{otlp: {{protocols: {{http: {{endpoint: "127.0.0.1:{port}"}}}}}}}}
exporters: {{debug: {{verbosity: detailed, sampling_initial: 1000000}}}}
service:
  telemetry: {{metrics: {{level: none}}}}
  pipelines: {{{pipelines}}}
"""
PIPELINE = "{signal}: {{receivers: [otlp], exporters: [debug]}}"


class OpenTelemetry:
    """An OpenTelemetry Collector with pipelines for some signals."""

    def __init__(self, scenario, name, signals):
        self.held = HeldPort()
        self.port = self.held.number
        self.log = scenario.path(f"{name}.log")
        config = scenario.path(f"{name}.yaml")
        with open(config, "w", encoding="ascii") as file:
            pipelines = ", ".join(PIPELINE.format(signal=signal) for signal in signals)
            file.write(CONFIG.format(port=self.port, pipelines=pipelines))
        program = gotool.build_once(os.path.join(HERE, "otlp_collector"))
        gate = ["--feature-gates=service.profilesSupport"] if "profiles" in signals else []
        self.process = Jvm(scenario, name, [program, "--config", config, *gate], dict(os.environ))
        wait_for("the Collector", lambda: "Everything is ready" in self.printed())

    def printed(self):
        with open(self.log, encoding="utf-8") as file:
            return file.read()


def counts_of(text):
    """The counts of requests by type in the last export of metrics."""
    found = {}
    for kind, count in re.findall(r"-> loupe\.request\.type: Str\(([^)]+)\)\nStartTimestamp: .*\nTimestamp: .*\nCount: (\d+)\n", text):
        found[kind] = int(count)
    return found


def start(scenario, name, to):
    collector = Collector(scenario, name)
    collector.env.update({"LOUPE_POLICY": POLICY, "LOUPE_OTLP": f"http://127.0.0.1:{to.port}", "LOUPE_OTLP_INTERVAL": "1s"})
    return collector.start()


def record(scenario, jdk, collector, name):
    agent = scenario.agent_options(collector, "shop", segment=1, policy=POLICY)
    scenario.jvm(jdk, "LockedE2E", "6", "120", agent=agent, name=name).wait_exit()
    wait_for("the end of the recording", lambda: [one for one in collector.recordings() if one["ended_how"] == "closed"])
    answer = collector.get("/api/v1/contexts/types?service=shop").json()
    return {one["type"]: one["requests_in"] for one in answer["requests"]}


def takes_both(scenario, jdk):
    to = OpenTelemetry(scenario, "otelcol", ("metrics", "profiles"))
    collector = start(scenario, "collector", to)
    wanted = record(scenario, jdk, collector, "shop")
    wait_for("all metrics", lambda: counts_of(to.printed()) == wanted)
    wait_for("all chunks", lambda: samples(collector)["loupe_otlp_chunks_waiting"] == 0)
    own, text = samples(collector), to.printed()
    check(own["loupe_otlp_chunks_sent_total"] > 0 == own["loupe_otlp_chunks_left_out_total"], f"{own}")
    for signal in ("metrics", "profiles"):
        failed = {name: own[f'loupe_otlp_{name}_total{{signal="{signal}"}}'] for name in
                  ("retries", "refused", "unconfirmed", "rejected")}
        check(sum(failed.values()) == 0 < own[f'loupe_otlp_taken_total{{signal="{signal}"}}'], f"{signal}: {failed}")
    check("loupe.requests.kept" in text and text.count("ResourceProfiles #") > 0, text[-3000:])
    buckets = [(float(low), float(high)) for low, high in re.findall(r"^Bucket \(([0-9.]+), ([0-9.]+)\], Count: [1-9]", text, re.M)]
    check(buckets and all(abs(high / low - 2 ** .25) < 1e-6 for low, high in buckets), f"{buckets}")
    check("-> service.name: Str(shop)" in text, text[-3000:])
    collector.stop()


def lacks_profiles(scenario, jdk):
    to = OpenTelemetry(scenario, "metrics_only", ("metrics",))
    collector = start(scenario, "second", to)
    wanted = record(scenario, jdk, collector, "second_shop")
    wait_for("all metrics", lambda: counts_of(to.printed()) == wanted)
    def refused():
        own = samples(collector)
        return own['loupe_otlp_refused_total{signal="profiles"}'] > 0 and own["loupe_otlp_chunks_waiting"] == 0
    wait_for("refused profiles", refused)
    check(samples(collector)["loupe_otlp_chunks_left_out_total"] > 0, "no chunk is left out")
    with open(scenario.path("second.log"), encoding="utf-8") as file:
        check(file.read().count("refuses profiles with 404: it has no such path") == 1, "404 is not told once")
    collector.stop()


def both(scenario, jdk):
    need_jdk(jdk)
    takes_both(scenario, jdk)
    lacks_profiles(scenario, jdk)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    args = parser.parse_args()
    run(f"otlp_collector-{args.jdk}", lambda scenario: both(scenario, args.jdk))


main()
