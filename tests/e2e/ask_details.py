# SPDX-License-Identifier: Apache-2.0
"""Promised: what a collector says over HTTP of single contexts, of events and of attributes is what docs/find/ask.md
says it is.

A program with the agent makes random contexts and events on platform and virtual threads. Of each of its contexts, in
some order, what is around it and in it, and each field of each event in it, has to be what a naive program on the JDK's
reader (OracleQuery) finds in the download; so for lists of events, page by page, and for how many contexts have each
value of an attribute, beside those of a base.
"""

import argparse
import collections
import json
import math
import random
import struct
import urllib.parse

from support.elimination import LIMIT_S
from support.process import JUDGES, Collector, check, need_jdk, oracle, run, wait_for

DETAILS = 60
EXACT_MAX = 1 << 53
LANES_MAX, BOXES_MAX = 200, 5000


def ask(collector, route, parameters=()):
    answer = collector.get(f"/api/v1/{route}?{urllib.parse.urlencode(list(parameters))}")
    check(answer.status == 200, f"{route} {parameters}: {answer.status} {answer.body[:300]}")
    found = answer.json()
    check(found["left_out"] == {"chunks": 0, "events": 0, "places": 0}, f"{route}: something is left out")
    return found


def expected(recording, jdk, command, what, limit=0, selection=()):
    status, output = oracle("OracleQuery", recording, command, what, limit, *selection, feature=jdk)
    check(status == 0, output)
    return [json.loads(line) for line in output.splitlines()]


def same(found, wanted):
    """Whether a value is what the JDK has. Numbers are texts there, and of a float JDK 17 shows more digits."""
    if isinstance(wanted, dict):
        return isinstance(found, dict) and found.keys() == wanted.keys() and \
            all(same(found[key], wanted[key]) for key in wanted)
    if isinstance(wanted, list):
        return isinstance(found, list) and len(found) == len(wanted) and all(map(same, found, wanted))
    if isinstance(found, bool) or found is None or isinstance(found, str):
        return found == wanted
    if isinstance(found, int):
        return abs(found) < EXACT_MAX and str(found) == wanted
    return isinstance(wanted, str) and (math.isclose(found, float(wanted), rel_tol=1e-6) or
                                        struct.pack("f", found) == struct.pack("f", float(wanted)))


def check_event(row, t0, wanted, what):
    name, begin, duration, thread, stack, fields = wanted
    check([row[0], row[1] + t0, row[2], row[3] or None] == [name, begin, duration, thread or None],
          f"{what}: {row[:4]} at {t0}, not {wanted[:4]}")
    check(row[4] == stack, f"{what}: {name}: stack {row[4]}, not {stack}")
    for key in fields:
        check(same(row[5].get(key), fields[key]), f"{what}: {name}.{key}: {row[5].get(key)!r}, not {fields[key]!r}")
    check(row[5].keys() == fields.keys(), f"{what}: {name}: {row[5].keys()}, not {fields.keys()}")


def spans(t0, contexts):
    return [[context["type"], context["start"] + t0, context["duration"]] for context in contexts]


def check_details(collector, recording, path, jdk):
    """Each context whole."""
    sort = random.choice(("duration", "start", "triggers"))
    listed = ask(collector, "contexts", [("recording", recording), ("sort", sort), ("limit", DETAILS)])
    rows = [dict(zip(listed["columns"], row)) for row in listed["rows"]]
    wanted = expected(path, jdk, "details", sort, DETAILS)
    check(len(rows) == len(wanted) > 0, f"{len(rows)} contexts, not {len(wanted)}")
    events = 0
    for row, (parent, children, inside) in zip(rows, wanted):
        found = ask(collector, f"contexts/{recording}/{row['id']}")
        what = f"context {row['id']}"
        t0 = int(found["t0_ns"])
        check(not found["is_truncated"] or len(inside) > 1000, f"{what}: truncated")
        check((found["id"], found["type"], found["duration"], found["thread"], t0) ==
              (row["id"], row["type"], row["duration"], row["thread"], row["start"] + int(listed["t0_ns"])),
              f"{what}: {found}, not {row}")
        attributes = {key: value for key, value in found["attributes"].items() if value is not None}
        check(attributes == {key[5:]: value for key, value in row.items()
                             if key.startswith("attr.") and value is not None}, f"{what}: {attributes}")
        check((found["parent"] and spans(t0, [found["parent"]])[0]) == parent,
              f"{what}: parent {found['parent']}, not {parent}")
        check(spans(t0, found["children"]) == children, f"{what}: {found['children']} at {t0}, not {children}")
        check(len(found["events"]["rows"]) == min(len(inside), 1000),
              f"{what}: {len(found['events']['rows'])} events, not {len(inside)}")
        for event, wanted_event in zip(found["events"]["rows"], inside):
            check_event(event, t0, wanted_event, what)
        reasons = sum(reason["count"] for reason in found["kept_because"])
        check(reasons == row["triggers"], f"{what}: {found['kept_because']}, not {row['triggers']} events")
        check(found["why"]["total_ns"] == row["duration"], f"{what}: why {found['why']}")
        events += len(inside)
    return f"{len(rows)} contexts with {events} events"


def check_events(collector, recording, path, jdk, event, parameters, selection):
    """Lists of events are the same in pages of any size."""
    wanted = expected(path, jdk, "events", event, 0, selection)
    rows, cursor = [], ()
    asked = [("recording", recording), *parameters, *([] if event == "*" else [("event", event)])]
    while True:
        found = ask(collector, "events", [*asked, ("limit", random.choice((7, 100, 1000))), *cursor])
        rows += [(row, int(found["t0_ns"])) for row in found["rows"]]
        if found["next"] is None or len(rows) > 5000:
            break
        cursor = (("cursor", found["next"]),)
    check(len(rows) == len(wanted) or 5000 < len(rows) < len(wanted),
          f"events {asked}: {len(rows)}, not {len(wanted)}")
    for (row, t0), wanted_event in zip(rows, wanted):
        check_event(row, t0, wanted_event, f"events {asked}")
        check(row[6] == recording and (row[7] is not None or not parameters), f"events {asked}: {row[6:]}")
    return len(rows)


def contexts_of_events(collector, recording, *parameters):
    """How often there is which event in which context: of all events but contexts and pauses of the JVM."""
    types = ask(collector, "events/types", [("recording", recording)])["types"]
    kinds = {one["type"] for one in types if one["category"] == "context"}
    counts, cursor = collections.Counter(), ()
    while True:
        found = ask(collector, "events", [("recording", recording), ("limit", 1000), ("columns", "none"), *parameters, *cursor])
        for name, begin, duration, thread, stack, _, _, context, _ in found["rows"]:
            if thread is not None and name not in kinds:
                counts[name, begin + int(found["t0_ns"]), duration, thread, str(stack), context] += 1
        if found["next"] is None:
            return counts
        cursor = (("cursor", found["next"]),)


def check_event_contexts(collector, recording):
    """Each event has the context without a condition in which it is found with one that all contexts satisfy."""
    inside = contexts_of_events(collector, recording, ("max_duration_ns", 10**18))
    anywhere = contexts_of_events(collector, recording)
    found = collections.Counter({key: count for key, count in anywhere.items() if key[-1] is not None})
    check(found == inside and sum(inside.values()) > 0, f"{(found - inside)} instead of {(inside - found)}")
    return sum(inside.values())


def lift(count, contexts, base_count, base_contexts):
    return count / contexts / (base_count / base_contexts) if contexts and base_count else None


def check_facet(facet, wanted, totals, what):
    count, base_count, total = wanted
    check((facet["count"], facet["base_count"], int(facet["total_ns"])) == (count, base_count, total),
          f"{what}: {facet}, not {wanted}")
    expected_lift = lift(count, totals[0], base_count, totals[1])
    check(facet["lift"] == expected_lift or math.isclose(facet["lift"], expected_lift), f"{what}: {facet}")
    check(sum(pair[1] for pair in facet["histogram"]) == count, f"{what}: {facet['histogram']}")


def check_attributes(collector, recording, path, jdk, parameters, selection):
    limit = random.choice((1, 3, 100))
    found = ask(collector, "attributes", [("recording", recording), *parameters, ("base", "rest"), ("limit", limit)])
    totals, *values = expected(path, jdk, "attributes", "*", 0, selection)
    check([found["contexts"], found["base_contexts"]] == totals, f"{parameters}: {found}, not {totals}")
    keys = {}
    for key, value, *counts in values:
        keys.setdefault(key, {})[value] = counts
    keys = {key: known for key, known in keys.items() if any(counts[0] for counts in known.values())}
    check([key["key"] for key in found["keys"]] == sorted(keys), f"{[key['key'] for key in found['keys']]}")
    for key in found["keys"]:
        known = keys[key["key"]]
        ranked = sorted((value for value in known if known[value][0]), key=lambda v: (-known[v][0], v.encode()))
        check(key["search_only"] == (len(known) > 1000), f"{key['key']}: {len(known)} values")
        shown = [] if key["search_only"] else ranked[:limit]
        check(key["distinct"] == (None if key["search_only"] else len(ranked)), f"{key}")
        check([value["value"] for value in key["values"]] == shown, f"{key['key']}: {key['values']}, not {shown}")
        for value in key["values"]:
            check_facet(value, known[value["value"]], totals, f"{key['key']}={value['value']}")
        others = [sum(column) for column in zip(*(known[v] for v in known if v not in shown))] or [0, 0, 0]
        if others[0] == 0:
            check(key["other"] is None, f"{key['key']}: {key['other']}")
        elif key["search_only"]:
            check_facet(key["other"], others, totals, f"{key['key']}: other")
        else:
            check((key["other"]["count"], int(key["other"]["total_ns"])) == (others[0], others[2]),
                  f"{key['key']}: {key['other']}, not {others}")
    return len(keys)


def check_timeline(collector, recording):
    """Boxes of a level do not overlap, and there are not too many; no time is lost."""
    found = ask(collector, "timeline", [("recording", recording), ("width", 300)])
    boxes = [dict(zip(found["columns"], row)) for row in found["rows"]]
    check(0 < len(boxes) <= BOXES_MAX and len(found["lanes"]) <= LANES_MAX, f"{len(boxes)} boxes")
    ends = {}
    for box in boxes:
        place = box["lane"], box["level"]
        check(box["start"] >= ends.get(place, 0) or box["level"] == 63, f"{box} begins before {ends.get(place)}")
        ends[place] = box["start"] + box["duration"]
        check(0 <= box["start"] and ends[place] <= found["duration_ns"], f"{box} is outside of {found['duration_ns']}")
    check_lanes(collector, recording, found["lanes"])
    return len(boxes)


def check_lanes(collector, recording, lanes):
    """The id of a lane chooses contexts of the thread that has its name; pauses have neither."""
    check(len({(lane["recording"], lane["thread_id"]) for lane in lanes}) == len(lanes), f"a lane twice: {lanes}")
    for lane in lanes[:8]:
        if lane["thread_id"] is None:
            check(lane["thread"] is None, f"{lane}")
            continue
        of = ask(collector, "contexts", [("recording", recording), ("thread", str(lane["thread_id"])), ("limit", 1000)])
        names = {row[of["columns"].index("thread")] for row in of["rows"]}
        check(lane["thread"] in names, f"{lane}: {names}")  # a thread may be renamed


def body(options, scenario):
    need_jdk(options.jdk)
    collector = Collector(scenario).start()
    agent = scenario.agent_options(collector, "random", segment=2)
    scenario.jvm(options.jdk, "RandomRecording", scenario.path("own.jfr"), str(random.randrange(1 << 32)),
                 str(options.kilobytes), "300", agent=agent).wait_exit(LIMIT_S)
    wait_for("the end", lambda: [r for r in collector.recordings() if not r["is_running"]])
    recording = collector.recording("random")
    path = collector.download(recording, scenario.path("download.jfr"))
    longest = ask(collector, "contexts", [("recording", recording), ("limit", 100)])
    row = dict(zip(longest["columns"], random.choice(longest["rows"])))
    for jdk in JUDGES:
        print(f"JDK {jdk}: {check_details(collector, recording, path, jdk)}", flush=True)
        for event, parameters, selection in (("*", (("context", row["type"]),), (f"context={row['type']}",)),
                                             ("ThreadPark", (), ()), ("jdk.JavaMonitorEnter", (), ()),
                                             (row["type"], (), ())):
            count = check_events(collector, recording, path, jdk, event, parameters, selection)
            print(f"JDK {jdk}: {count} events {event} {parameters}", flush=True)
        for parameters, selection in ((("min_duration_ns", row["duration"]),), (f"min={row['duration']}",)), \
                ((("context", row["type"]),), (f"context={row['type']}",)):
            keys = check_attributes(collector, recording, path, jdk, parameters, selection)
            print(f"JDK {jdk}: {keys} keys {parameters}", flush=True)
    print(f"{check_event_contexts(collector, recording)} events in contexts, which are the same without a condition")
    print(f"{check_timeline(collector, recording)} boxes")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--kilobytes", type=int, default=600)
    options = parser.parse_args()
    run("ask_details", lambda scenario: body(options, scenario))


main()
