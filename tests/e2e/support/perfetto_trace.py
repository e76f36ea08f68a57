# SPDX-License-Identifier: Apache-2.0
"""Traces for Perfetto, as Perfetto's library reads them (perfetto_judge.py)."""

import json
import os
import subprocess
import zlib

from support import pypi
from support.process import check

JUDGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "perfetto_judge.py")
LIMIT_S = 120
HAND_OVER, CALLS = "dev.loupe.HandOver", ("call", "called")


def read(*paths):
    """The processes, bars and arrows of each of these traces, which have to be valid. To start what reads them takes most of the time."""
    python = os.path.join(pypi.need(pypi.PERFETTO), "python3")
    done = subprocess.run([python, JUDGE, *paths], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=LIMIT_S, check=False)
    check(done.returncode == 0, done.stderr.decode()[-1000:])
    return json.loads(done.stdout)


def write(path, body):
    """Writes a trace. Returns its path."""
    with open(path, "wb") as file:
        file.write(body)
    return path


def deflated(path):
    with open(path, "rb") as file:
        return len(zlib.compress(file.read()))


def of_category(trace, category):
    return [bar for bar in trace["bars"] if bar["category"] == category]


def check_request(trace, found):
    """A trace of one request says what the answer about this request says: when it was, its attributes, on which thread it was
    when, what happened with which stack trace, and one arrow for each task that was handed over."""
    t0 = int(found["t0_ns"])
    requests = of_category(trace, "request")
    check([(bar["name"], bar["begin"], bar["end"] - bar["begin"]) for bar in requests] == [(found["type"], t0, found["duration"])],
          f"{found['id']}: {requests}")
    check(requests[0]["args"] == {key: value for key, value in found["attributes"].items() if value is not None},
          f"{found['id']}: {requests[0]['args']}, not {found['attributes']}")
    check_times(trace, found, t0)
    check_events(trace, found, t0)
    check_hand_overs(trace, found, t0)


def thread_of(found, one):
    return found["threads"][one["thread"]]["id"]


def check_times(trace, found, t0):
    """Each stay and each part is a bar of its thread."""
    drawn = [(bar["tid"], bar["begin"], bar["end"]) for bar in of_category(trace, "stay") + of_category(trace, "context")]
    parts = [(thread_of(found, one), t0 + one["start"], t0 + one["start"] + one["duration"]) for one in found["parts"]]
    stays = [(thread_of(found, one), t0 + one["start"], t0 + one["start"] + one["duration"]) for one in found["stays"]]
    wanted = parts + [one for one in stays if one not in parts]
    check(near(drawn, wanted), f"{found['id']}: bars {sorted(drawn, key=str)}, not {sorted(wanted, key=str)}")


def near(some, others):
    """They differ by no more than what rounding ticks does, and the crossing ones may be on a track without a thread id."""
    if len(some) != len(others):
        return False
    pairs = zip(sorted(some, key=lambda one: one[1:]), sorted(others, key=lambda one: one[1:]))
    return all(abs(a[1] - b[1]) <= 2 and abs(a[2] - b[2]) <= 2 and a[0] in (b[0], None) for a, b in pairs)


def check_events(trace, found, t0):
    """Each event is a bar, on its thread if it has one."""
    rows = [dict(zip(found["events"]["columns"], row)) for row in found["events"]["rows"]]
    drawn = sorted((bar["begin"] - t0, bar["name"], bar["stack"] or []) for bar in trace["bars"]
                   if bar["category"] not in ("request", "stay", "context", "call") and bar["name"] != HAND_OVER)
    wanted = sorted((row["start"], row["type"], row["stack"] or []) for row in rows)
    is_same = len(drawn) == len(wanted) and all(abs(a[0] - b[0]) <= 2 and a[1:] == b[1:] for a, b in zip(drawn, wanted))
    check(is_same, f"{found['id']}: events {drawn}, not {wanted}")


def check_hand_overs(trace, found, t0):
    drawn = sorted((trace["bars"][one]["begin"] - t0, trace["bars"][one]["thread"], trace["bars"][other]["begin"] - t0,
                    trace["bars"][other]["thread"]) for one, other in trace["arrows"]
                   if trace["bars"][one]["name"] == trace["bars"][other]["name"] == HAND_OVER)
    wanted = sorted((one["start"], name(one, "from"), one["start"] + one["duration"], name(one, "to"))
                    for one in found["hand_overs"])
    is_same = len(drawn) == len(wanted) and all(
        abs(a[0] - b[0]) <= 2 and abs(a[2] - b[2]) <= 3 and (a[1], a[3]) == (b[1], b[3]) for a, b in zip(drawn, wanted))
    check(is_same and len(trace["arrows"]) == len(wanted), f"{found['id']}: arrows {drawn}, not {wanted}")


def name(hand_over, end):
    return hand_over[end] or f"thread {hand_over[f'{end}_id']}"


def check_calls(trace):
    """Each outermost context of a trace that began after one of another JVM is called once, by one of another JVM. Returns the number
    of arrows."""
    called = {}
    for one, other in trace["arrows"]:
        ends = [trace["bars"][one], trace["bars"][other]]
        if [bar["name"] for bar in ends] == list(CALLS):
            check(ends[0]["process"] != ends[1]["process"], f"{ends}: in one JVM")
            called.setdefault(other, []).append(one)
    check(all(len(callers) == 1 for callers in called.values()), "several callers")
    expected = sum(has_caller(trace, bar) for bar in outermost(trace))
    check(len(called) == expected, f"{len(called)} calls, not {expected}")
    return expected


def outermost(trace):
    """The contexts with a trace that lie in no other one of their thread, on whatever track."""
    contexts = of_category(trace, "context")
    return [bar for bar in contexts if bar["trace"] and not any(lies_in(bar, one) for one in contexts if one is not bar)]


def lies_in(bar, other):
    return (bar["process"], bar["thread"]) == (other["process"], other["thread"]) and \
        other["begin"] <= bar["begin"] and bar["end"] <= other["end"]


def has_caller(trace, bar):
    return any(one["trace"].lower() == bar["trace"].lower() and one["process"] != bar["process"] and one["begin"] < bar["begin"]
               for one in outermost(trace))
