# SPDX-License-Identifier: Apache-2.0
"""OTLP profiles, as the OpenTelemetry Collector's library reads them (otlp/main.go)."""

import json
import os
import subprocess

from support import gotool
from support.process import check

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "otlp")
LIMIT_S = 120
TYPES = {"cpu": ("samples/count", "cpu/nanoseconds"), "time": ("wall/nanoseconds", "wall/nanoseconds"),
         "alloc": ("alloc_space/bytes", "memory/bytes"), "lock": ("delay/nanoseconds", "mutex/count"),
         "park": ("delay/nanoseconds", "block/count"), "io": ("delay/nanoseconds", "io/count")}


def read(path):
    """The JVMs of a valid file, with their profiles."""
    done = subprocess.run([gotool.build_once(PROGRAM), path], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=LIMIT_S, check=False)
    check(done.returncode == 0, f"{path}: {done.stderr.decode()[-1000:]}")
    jvms = json.loads(done.stdout)
    for one in (profile for jvm in jvms for profile in jvm["profiles"]):
        outside = [sample["time"] for sample in one["samples"] if not one["begin"] <= sample["time"] <= one["end"]]
        check(not outside, f"{one['type']}: {outside[:5]} are not from {one['begin']} to {one['end']}")
    return jvms


def write(path, body):
    """Writes a file, and returns its JVMs as they are read."""
    with open(path, "wb") as file:
        file.write(body)
    return read(path)


def samples(jvms, measure):
    """The samples of a measure, as (sample, amount): each sample of a running thread has its period."""
    kind = TYPES[measure]
    return [(sample, sample["value"] * (profile["period"] if measure == "cpu" else 1)) for jvm in jvms for profile in
            jvm["profiles"] if (profile["type"], profile["period_type"]) == kind for sample in profile["samples"]]


def folded(jvms, measure):
    """Amounts by stack trace, as `loupe flamegraph` writes them."""
    amounts = {}
    for sample, amount in samples(jvms, measure):
        stack = ";".join(sample["frames"])
        amounts[stack] = amounts.get(stack, 0) + amount
    return {stack: amount for stack, amount in amounts.items() if amount > 0}
