# SPDX-License-Identifier: Apache-2.0
"""Which part of the time of the requests of a trace a collector explains.

The collector divides the time of the requests that it has kept. Of those that it has dropped its statistics know how many took
how long, in buckets that are 19 % wide, and how long they took together, to the nanosecond.
"""

import dataclasses
import math
import urllib.parse

from measuring.run import Failed
from support import process

# From, and before; requests under 1 ms are not asked about.
BANDS = {"1 to 20 ms": (1_000_000, 20_000_000), "20 to 100 ms": (20_000_000, 100_000_000),
         "100 ms and more": (100_000_000, 1 << 62)}
BUCKETS_OF_TWO = 4  # from a power of two to the next
KEPT_LIMIT_S = 120


@dataclasses.dataclass
class Time:
    """Of the requests of a band."""
    requests: float = 0
    all_ns: float = 0
    dropped_ns: float = 0
    unaccounted_ns: int = 0
    elsewhere_ns: int = 0

    def explained(self):
        return 1 - (self.dropped_ns + self.unaccounted_ns) / self.all_ns if self.all_ns else math.nan


def add(times):
    """One of all these."""
    return Time(*map(sum, zip(*map(dataclasses.astuple, times))))


def ask(collector, service, trace, sent):
    """The Time of each band, once the collector knows all requests that were sent."""
    recording = collector.recording(service)
    all_ns = process.wait_for(f"{sent} requests of {service}", lambda: known(collector, recording, trace, sent), KEPT_LIMIT_S,
                              look_s=1)
    kept = why(collector, recording, trace)
    dropped = Dropped(heat_map(collector, recording, trace), all_ns - kept["total_ns"])
    return {band: time_of(why(collector, recording, trace, *limits), *dropped.between(*limits))
            for band, limits in BANDS.items()}


def time_of(kept, dropped, dropped_ns):
    parts = {row["category"]: row["total_ns"] for row in kept["slices"] if not row["is_count"]}
    return Time(kept["requests"] + dropped, kept["total_ns"] + dropped_ns, dropped_ns, parts.get("unaccounted", 0),
                parts.get("elsewhere", 0))


class Dropped:
    """Requests that were not kept: how many in each bucket, and their durations in sum."""

    def __init__(self, counts, total_ns):
        self.counts = counts
        # Each is taken to be in the middle of its bucket. The sum is known, so all are set right by it.
        middles = sum(count * (low(bucket) + low(bucket + 1)) / 2 for bucket, count in counts.items())
        self.scale = total_ns / middles if middles else 0

    def between(self, begin_ns, end_ns):
        """How many, and their time. Of a bucket that is partly between, as large a part."""
        requests = time_ns = 0
        for bucket, count in self.counts.items():
            begin, end = max(low(bucket), begin_ns), min(low(bucket + 1), end_ns)
            if begin < end:
                part = count * (end - begin) / (low(bucket + 1) - low(bucket))
                requests += part
                time_ns += part * (begin + end) / 2 * self.scale
        return requests, time_ns


def low(bucket):
    """The shortest duration in it, in ns."""
    return 2 ** (bucket / BUCKETS_OF_TWO)


def get(collector, path, **query):
    answer = collector.get(f"/api/v1/{path}?{urllib.parse.urlencode(query)}")
    if answer.status != 200:
        raise Failed(f"{path}: {answer.status} {answer.body[:300]}")
    found = answer.json()
    if found["is_truncated"]:
        raise Failed(f"{path}: the answer is truncated")
    return found


def known(collector, recording, trace, sent):
    """The time of all requests of the trace, once there are so many."""
    types = get(collector, "contexts/types", recording=recording)["requests"]
    values = [value for one in types for key in one["attributes"] if key["key"] == "trace_id" for value in key["values"]
              if value["value"] == trace]
    found = sum(value["requests_in"] for value in values)
    if found > sent:
        raise Failed(f"{sent} requests were sent, the collector knows {found}")
    return sum(value["total_ns"] for value in values) if found == sent else None


def heat_map(collector, recording, trace):
    """How many requests were not kept, by bucket."""
    counts = {}
    answer = get(collector, "contexts/heatmap", recording=recording, unit="requests", where=f"trace_id={trace}")
    for column in answer["columns"]:
        for bucket, count, kept in column:
            counts[bucket] = counts.get(bucket, 0) + count - kept
    return counts


def why(collector, recording, trace, begin_ns=0, end_ns=None):
    limits = {"min_duration_ns": begin_ns, "max_duration_ns": end_ns - 1} if end_ns else {}
    return get(collector, "why", recording=recording, unit="requests", where=f"trace_id={trace}", **limits)
