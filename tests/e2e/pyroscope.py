# SPDX-License-Identifier: Apache-2.0
"""Promised: Grafana reads a collector as a Pyroscope data source, with the rights of its token.

Pyroscope's own Go client calls each procedure, as protobuf and as JSON, with the same answers. The tree of a flame graph, taken
apart here from its levels, is that of /api/v1/flamegraph for the same service, time and type, node by node; the points of a
series add up to it, and those of requests to the heat map. Call sites, spans, traces and exemplars select what they name, and
both sides of a difference are Loupe's. Lists have the services, types and attributes that there are. A wrong
type, selector, time or number of nodes is invalid_argument; another format, selector or procedure is unimplemented. A token for
one service gets nothing of another. The files in deploy/grafana name only metrics that the collector has.

The collector also sends metrics and profiles by OTLP. OpenTelemetry's own library reads them, with the sums of /metrics and of the
flame graphs, and each request of a trace once, although requests go over chunks and the receiver first refuses, then rejects a
part (support/otlp_receiver.py).

Costs 6 s of CPU, most of them of two JVMs; to build the client once takes longer.
"""

import argparse
import http.client
import json
import os
import re
import subprocess
import time
import urllib.parse

from support import debian, gotool, otlp_receiver, token_file
from support.process import LIMIT_S, Collector, check, need_jdk, run, wait_for

HERE = os.path.dirname(os.path.abspath(__file__))
FILES = os.path.join(HERE, "..", "..", "deploy", "grafana")
POLICY = os.path.join(HERE, "..", "..", "policies", "loupe.jfc")
ORDERS, WAIT_MS = 6, 120
LONG_ORDERS, LONG_WAIT_MS = 7, 700  # of the bank: over five chunks and more, with requests over two
SHOP, BANK, ALL = "shop-token-0123456789", "bank-token-0123456789", "all-token-01234567890"
SERVICE = "querier.v1.QuerierService"
TIME, REQUESTS = "loupe:time:nanoseconds:time:nanoseconds", "loupe:requests:count:requests:count"
TYPES = {"process_cpu:cpu:nanoseconds:cpu:nanoseconds": ("cpu", "threads"),
         "wall:wall:nanoseconds:wall:nanoseconds": ("time", "threads"),
         "memory:alloc_sample_bytes:bytes:space:bytes": ("alloc", "threads"),
         "mutex:delay:nanoseconds:mutex:count": ("lock", "threads"),
         "block:delay:nanoseconds:block:count": ("park", "threads"),
         "memory:alloc_sample_objects:count:space:bytes": ("allocs", "threads"),
         "mutex:contentions:count:mutex:count": ("locks", "threads"),
         "block:contentions:count:block:count": ("parks", "threads"),
         TIME: ("time", "contexts")}


class Client:
    """Pyroscope's client."""

    def __init__(self, program, collector, token):
        self.command = [program, f"http://127.0.0.1:{collector.http_port}", token]

    def said(self, form, calls):
        lines = "".join(json.dumps({"procedure": name, "request": request}) + "\n" for name, request in calls)
        done = subprocess.run([*self.command, form], input=lines.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=LIMIT_S, check=False)
        check(done.returncode == 0, f"{calls}: {done.stderr.decode()[-2000:]}")
        return [json.loads(line) for line in done.stdout.splitlines()]

    def ask(self, calls):
        """What the client says of each call."""
        found = self.said("proto", calls)
        check(found == self.said("json", calls), f"JSON says otherwise: {found}")
        return found

    def answers(self, calls):
        found = self.ask(calls)
        check(all("code" not in one for one in found), f"{list(zip(calls, found))}")
        return [one.get("answer", {}) for one in found]


def tree_of_levels(graph, skips_empty=False):
    """The nodes of a flame graph in Pyroscope's form, as {path: (total, own)}. A node is below the one that it lies in."""
    found, above = {}, []
    for depth, level in enumerate(graph.get("levels", [])):
        values, end, here = [int(value) for value in level["values"]], 0, []
        for offset, total, own, name in zip(*(values[at::4] for at in range(4))):
            begin, end = end + offset, end + offset + total
            if skips_empty and total == 0:
                continue  # it has no place on this side
            path = () if depth == 0 else next(p for b, e, p in above if b <= begin and end <= e) + (graph["names"][name],)
            check(path not in found, f"{path} twice")
            found[path] = (total, own)
            here.append((begin, end, path))
        above = here
    return found


def tree_of_columns(graph, key="value", own="self"):
    found, path = {}, []
    for level, name, value, self in zip(graph["level"], graph["name"], graph[key], graph[own]):
        path = path[:max(0, level - 1)] + ([graph["names"][name]] if level > 0 else [])
        found[tuple(path)] = (value, self)
    return found


class Times:
    """The last ten minutes, in milliseconds as Pyroscope has them, and as parameters of Loupe's own questions."""

    def __init__(self):
        self.end = int(time.time() * 1000) + 60000
        self.start = self.end - 600000

    def of(self, **more):
        return {"start": str(self.start), "end": str(self.end), **more}

    def query(self, **more):
        return urllib.parse.urlencode({"from": self.start * 1000000, "to": self.end * 1000000, **more})


def own(collector, path):
    answer = collector.get(f"/api/v1/{path}")
    check(answer.status == 200, f"{path}: {answer.status} {answer.body[:300]}")
    return answer.json()


def selected(profile, times, selector='{service_name="shop"}', **more):
    return times.of(profileTypeID=profile, labelSelector=selector, **more)


def check_lists(client, times):
    types, names, services, routes, contexts, series = client.answers([
        ("ProfileTypes", times.of()), ("LabelNames", times.of(matchers=['{service_name="shop"}'])),
        ("LabelValues", times.of(name="service_name")),
        ("LabelValues", times.of(name="http_route", matchers=['{service_name="shop"}'])),
        ("LabelValues", times.of(name="context")),
        ("Series", times.of(labelNames=["service_name", "__profile_type__"]))])
    listed = [one["ID"] for one in types["profileTypes"]]
    check(set(listed) == {*TYPES, REQUESTS}, f"{listed}")
    for one in types["profileTypes"]:
        check(one["ID"] == ":".join(one[key] for key in ("name", "sampleType", "sampleUnit", "periodType", "periodUnit")), f"{one}")
    check({"service_name", "__profile_type__", "http_route"} <= set(names["names"]), f"{names}")
    check(sorted(services["names"]) == ["bank", "shop"], f"{services}")
    check(sorted(routes["names"]) == ["/order", "/refill"], f"{routes}")
    check(contexts["names"], f"{contexts}")
    pairs = {tuple(sorted((label["name"], label["value"]) for label in one["labels"])) for one in series["labelsSet"]}
    check(pairs == {(("__profile_type__", profile), ("service_name", service)) for profile in listed
                    for service in ("shop", "bank")}, f"{pairs}")


def check_graphs(collector, client, times):
    calls = [("SelectMergeStacktraces", selected(profile, times)) for profile in TYPES]
    seen = {}
    for (profile, (value, unit)), answer in zip(TYPES.items(), client.answers(calls)):
        graph = answer["flamegraph"]
        wanted = own(collector, "flamegraph?" + times.query(service="shop", value=value, unit=unit))
        check(tree_of_levels(graph) == tree_of_columns(wanted), f"{profile}: {graph} {wanted}")
        check(int(graph.get("total", 0)) == wanted["total"] and
              int(graph.get("maxSelf", 0)) == max(wanted["self"]), f"{profile}: {graph}")
        seen[profile] = wanted["total"]
    check(seen[TIME] >= ORDERS * WAIT_MS * 1000000 / 2 and seen["mutex:delay:nanoseconds:mutex:count"] > 0, f"{seen}")
    return seen


def check_selectors(collector, client, times):
    wanted = own(collector, "flamegraph?" + times.query(service="shop", value="lock", where="http_route=/order"))
    mutex = "mutex:delay:nanoseconds:mutex:count"
    by_route, none, few = client.answers([
        ("SelectMergeStacktraces", selected(mutex, times, '{service_name="shop", http_route=~"/order"}')),
        ("SelectMergeStacktraces", selected(mutex, times, '{service_name="nobody"}')),
        ("SelectMergeStacktraces", selected(mutex, times, maxNodes="2"))])
    check(wanted["total"] > 0 and tree_of_levels(by_route["flamegraph"]) == tree_of_columns(wanted), f"{by_route}")
    check(int(none["flamegraph"].get("total", 0)) == 0, f"{none}")
    check(len(tree_of_levels(few["flamegraph"])) == 2, f"{few}")


def check_ids(collector, client, times):
    """Traces, spans and exemplars select contexts or requests."""
    number = ORDERS - 1
    trace, span = f"{0xabc000 + number:032x}", f"{(1 << 63) + number:016x}"
    heat = own(collector, "contexts/heatmap?" + times.query(service="shop", unit="requests"))
    by_trace, by_span, by_profile, other, map_of_requests, map_of_contexts = client.answers([
        ("SelectMergeStacktraces", selected(TIME, times, traceIdSelector=[trace])),
        ("SelectMergeStacktraces", selected(TIME, times, spanSelector=[span])),
        ("SelectMergeSpanProfile", selected(TIME, times, spanSelector=[span])),
        ("SelectMergeSpanProfile", selected(TIME, times, spanSelector=["0" * 16])),
        ("SelectHeatmap", selected(REQUESTS, times, step=30, queryType=2, exemplarType=3)),
        ("SelectHeatmap", selected(TIME, times, step=30))])
    wanted = tree_of_columns(own(collector, "flamegraph?" + times.query(service="shop", trace=trace)))
    check(wanted[()][0] > WAIT_MS * 1000000 / 2, f"{wanted}")
    for found in (by_trace, by_span, by_profile):
        check(tree_of_levels(found["flamegraph"]) == wanted, f"{found} {wanted}")
    check(int(other["flamegraph"].get("total", 0)) == 0, f"{other}")
    contexts = own(collector, "contexts/heatmap?" + times.query(service="shop"))
    exemplars = []
    for answer, count in ((map_of_requests, heat["all"]), (map_of_contexts, contexts["all"])):
        slots = answer["series"][0]["slots"]
        check(len(slots) <= 64 and sum(sum(slot.get("counts", [])) for slot in slots) == count > 0, f"{answer} {count}")
        check(all(slot["yMin"] == sorted(slots[0]["yMin"]) for slot in slots), f"{slots}")
        exemplars += [one for slot in slots for one in slot.get("exemplars", [])]
    check(len(exemplars) == len(heat["exemplars"]) > 0, f"{exemplars} {heat['exemplars']}")
    one = exemplars[0]["profileId"]
    recording, request = one.split("/")
    wanted = own(collector, "flamegraph?" + times.query(service="shop", unit="requests", recording=recording, request=request))
    found = client.answers([("SelectMergeStacktraces", selected(TIME, times, profileIdSelector=[one]))])[0]
    check(wanted["total"] > 0 and tree_of_levels(found["flamegraph"]) == tree_of_columns(wanted), f"{found} {wanted}")


def check_site(collector, client, times):
    """A call site has the subtree of its last frame, and nothing beside it."""
    tree = tree_of_columns(own(collector, "flamegraph?" + times.query(service="shop", value="time")))
    frames = [path for path in tree if len(path) > 2 and not path[-1].startswith("[")]
    for site in (max(frames, key=len), frames[0][:1]):
        found = client.answers([("SelectMergeStacktraces", selected(TIME, times, maxNodes="5000", stackTraceSelector={
            "callSite": [{"name": name} for name in site]}))])[0]["flamegraph"]
        wanted = {path: amounts for path, amounts in tree.items() if path[:len(site)] == site}
        wanted.update({site[:depth]: (tree[site][0], 0) for depth in range(len(site))})
        check(tree_of_levels(found) == wanted, f"{site}: {found} {wanted}")


def check_diff(collector, client, times):
    found = client.answers([("Diff", {"left": selected(TIME, times), "right": selected(TIME, times, '{service_name="bank"}')})])
    graph = found[0]["flamegraph"]
    wanted = own(collector, "flamegraph?" + times.query(service="shop") + "&" + urllib.parse.urlencode(
        {f"base_{name}": value for name, value in urllib.parse.parse_qsl(times.query(service="bank"))}))
    sides = {"leftTicks": ("value", "self", 0), "rightTicks": ("base_value", "base_self", 3)}
    for key, (total, self, at) in sides.items():
        levels = [{"values": [values for node in range(0, len(level["values"]), 7)
                              for values in level["values"][node + at:node + at + 3] + level["values"][node + 6:node + 7]]}
                  for level in graph["levels"]]
        columns = tree_of_columns(wanted, total, self)
        amounts = sorted(amounts for amounts in columns.values() if amounts[0] > 0)
        check(int(graph[key]) == columns[()][0] > 0, f"{key}: {graph[key]} {columns[()]}")
        widths = [int(value) for level in levels for value in level["values"][1::4] if int(value) > 0]
        check(sorted(widths) == sorted(amount[0] for amount in amounts), f"{key}: {widths} {amounts}")
        check({path: both for path, both in tree_of_levels(dict(graph, levels=levels), True).items() if both[0] > 0} ==
              {path: both for path, both in columns.items() if both[0] > 0}, f"{key}: {levels} {columns}")


def check_series(collector, client, times, totals):
    def points(answer):
        return answer["series"][0]["points"]
    profiles = [profile for profile, total in totals.items() if total > 0]
    answers = client.answers([("SelectSeries", selected(profile, times, step=15)) for profile in profiles] +
                             [("SelectSeries", selected(TIME, times, step=60, groupBy=["http_route"])),
                              ("SelectSeries", selected(REQUESTS, times, "{}", step=60, groupBy=["service_name"])),
                              ("SelectHeatmap", selected(TIME, times, "{}", step=60, groupBy=["service_name"])),
                              ("SelectSeries", selected(REQUESTS, times, step=60, groupBy=["service_name"])),
                              ("SelectMergeStacktraces", selected(REQUESTS, times))])
    for profile, answer in zip(profiles, answers):
        found = points(answer)
        check([int(one["timestamp"]) for one in found] == list(range(times.start, times.end, 15000)), f"{found}")
        check(abs(sum(one.get("value", 0) for one in found) - totals[profile]) <= 1e-6 * totals[profile], f"{profile}: {found}")
    lists = own(collector, "contexts/types?" + times.query(service="shop"))
    heat = own(collector, "contexts/heatmap?" + times.query(service="shop", unit="requests"))
    count = sum(one["requests_in"] for one in lists["requests"])
    check(count == heat["all"] == sum(one.get("value", 0) for one in points(answers[-2])), f"{answers[-2]} {heat}")
    check(answers[-2]["series"][0]["labels"] == [{"name": "service_name", "value": "shop"}], f"{answers[-2]}")
    check(int(answers[-1]["flamegraph"].get("total", 0)) == count, f"{answers[-1]}")
    routes, services, maps = answers[len(profiles):-2]
    check_groups(collector, times, routes, "http_route",
                 lambda route: own(collector, "flamegraph?" + times.query(service="shop", where=f"http_route={route}"))["total"])
    for answer, unit in ((services, "requests"), (maps, "contexts")):
        check_groups(collector, times, answer, "service_name",
                     lambda service: own(collector, "contexts/heatmap?" + times.query(service=service, unit=unit))["all"])


def check_groups(collector, times, answer, label, wanted):
    """Each value of a label has a series, whose points or counts add up to `wanted(value)`."""
    check(answer["series"], f"{label}: no series")
    for series in answer["series"]:
        name = series["labels"][0]
        total = sum(one.get("value", 0) for one in series.get("points", [])) + sum(
            sum(slot.get("counts", [])) for slot in series.get("slots", []))
        check(name["name"] == label and abs(total - wanted(name["value"])) <= 1e-6 * total and total > 0, f"{name}: {total} {answer}")
    values = own(collector, "services?" + times.query())["services"]
    check(label != "service_name" or len(answer["series"]) == len(values) == 2, f"{answer} {values}")


def check_errors(collector, client, times):
    calls = {
        "invalid_argument": [
            ("SelectMergeStacktraces", selected("process_cpu:cpu", times)),
            ("SelectMergeStacktraces", selected(TIME, times, '{service_name="shop"')),
            ("SelectMergeStacktraces", selected(TIME, times, '{service_name=~"s.*"}')),
            ("SelectMergeStacktraces", selected(TIME, times, '{service_name!="shop"}')),
            ("SelectMergeStacktraces", selected(TIME, times, spanSelector=["nonsense"])),
            ("SelectMergeStacktraces", selected(TIME, times) | {"end": "0", "start": "0"}),
            ("SelectMergeSpanProfile", selected(TIME, times)),
            ("SelectMergeStacktraces", selected(TIME, times, profileIdSelector=["nonsense"])),
            ("Diff", {"left": selected(TIME, times)}),
            ("Diff", {"left": selected(TIME, times), "right": selected("wall:wall:nanoseconds:wall:nanoseconds", times)}),
            ("SelectHeatmap", selected(TIME, times)),
            ("SelectSeries", selected(TIME, times)),
            ("SelectSeries", selected(TIME, times, step=0.001)),
            ("LabelValues", times.of()),
            ("Series", times.of(matchers=["nonsense"]))],
        "unimplemented": [
            ("SelectMergeStacktraces", selected(TIME, times, format="PROFILE_FORMAT_TREE")),
            ("SelectMergeStacktraces", selected(TIME, times, format=77)),
            ("SelectSeries", selected(TIME, times, step=15, groupBy=["http_route", "context"])),
            ("SelectHeatmap", selected("wall:wall:nanoseconds:wall:nanoseconds", times, step=15)),
            ("SelectMergeStacktraces", selected(TIME, times, spanSelector=["0" * 16, "1" * 16])),
            ("GetProfileStats", {})]}
    for code, wrong in calls.items():
        for call, found in zip(wrong, client.ask(wrong)):
            check(found.get("code") == code and found["message"], f"{call}: {found}")
    for body, status, code in ((b"{", 400, "invalid_argument"), (b"\xff\xff", 400, "invalid_argument"),
                               (b'{"format":"PROFILE_FORMAT_OTHER"}', 501, "unimplemented"),
                               (b'{"start":true}', 400, "invalid_argument"), (b" " * 65537, 413, None)):
        found = post(collector, "SelectMergeStacktraces", body, ALL)
        check((found[0], found[1].get("code")) == (status, code), f"{body[:40]}: {found}")
    check(post(collector, "ProfileTypes", b"{}", "x" * 20)[0] == 401 and post(collector, "ProfileTypes", b"{}", None)[0] == 401,
          "without a token")
    check(post(collector, "ProfileTypes", b"{}", BANK)[0] == 403, "with a token that may only ingest")


def post(collector, procedure, body, token):
    connection = http.client.HTTPConnection("127.0.0.1", collector.http_port, timeout=LIMIT_S)
    try:
        connection.request("POST", f"/{SERVICE}/{procedure}", body, {"Authorization": f"Bearer {token}"} if token else {})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


# --- deploy/grafana

def expressions(dashboard):
    """The expressions of a dashboard, with values for its variables."""
    found = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"] if "expr" in target]
    check(len(found) > 20, f"{found}")
    return [text.replace("$__rate_interval", "5m").replace("$service", ".*") for text in found]


def check_dashboard(dashboard):
    """Panels have their own ids and places, and data sources that are variables of the dashboard."""
    variables = {"${" + one["name"] + "}": one["query"] for one in dashboard["templating"]["list"] if one["type"] == "datasource"}
    cells = [(x, y) for panel in dashboard["panels"] for place in [panel["gridPos"]]
             for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])]
    check(len(cells) == len(set(cells)) and all(0 <= x < 24 for x, _ in cells), "panels overlap, or are too wide")
    check(len({panel["id"] for panel in dashboard["panels"]}) == len(dashboard["panels"]), "two panels have one id")
    for panel in dashboard["panels"]:
        sources = [panel["datasource"], *(target["datasource"] for target in panel["targets"])]
        check(all(variables.get(one["uid"]) == one["type"] for one in sources), f"{panel['title']}: {sources}")
        types = [target["profileTypeId"] for target in panel["targets"] if "profileTypeId" in target]
        check(set(types) <= {*TYPES, REQUESTS}, f"{types}")


def check_files(scenario, collector):
    """The files for Grafana and Prometheus name only metrics that there are, and promtool accepts each expression."""
    with open(os.path.join(FILES, "loupe.json"), encoding="utf-8") as file:
        text = file.read()
    check_dashboard(json.loads(text))
    with open(os.path.join(FILES, "alerts.yml"), encoding="utf-8") as file:
        alerts = file.read()
    metrics = collector.get("/metrics").body.decode()
    known = set(re.findall(r"^(loupe_\w+)", metrics, re.MULTILINE))
    named = set(re.findall(r"\bloupe_\w+", text + alerts))
    check(len(named) > 30 and named <= known, f"no such metrics: {named - known}")
    promtool = debian.program("prometheus", "promtool")
    if promtool is None:
        print("no promtool", flush=True)
        return
    rules = {"groups": [{"name": "panels", "rules": [{"record": f"panel:{i}", "expr": one}
                                                     for i, one in enumerate(expressions(json.loads(text)))]}]}
    with open(scenario.path("panels.yml"), "w", encoding="utf-8") as file:
        json.dump(rules, file)
    done = subprocess.run([promtool, "check", "rules", "--lint-fatal", os.path.join(FILES, "alerts.yml"), scenario.path("panels.yml")],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT_S, check=False)
    check(done.returncode == 0, f"{done.stdout.decode()}")


def check_rights(client, times):
    services, series, other = client.answers([
        ("LabelValues", times.of(name="service_name")), ("Series", times.of(labelNames=["service_name"])),
        ("SelectMergeStacktraces", selected(TIME, times, '{service_name="bank"}'))])
    check(services["names"] == ["shop"], f"{services}")
    check(len(series["labelsSet"]) == 1 and "bank" not in json.dumps(series), f"{series}")
    check(int(other["flamegraph"].get("total", 0)) == 0, f"{other}")


def check_otlp(scenario, collector, receiver, times):
    """What the collector sent by OTLP is what it says itself."""
    counts, times_of = {}, {}
    for service in ("shop", "bank"):
        for one in own(collector, "contexts/types?" + times.query(service=service))["requests"]:
            counts[service, one["type"]] = one["requests_in"]
        whole = times.query(service=service, unit="requests")
        traces = {f"{0xabc000 + number:032x}" for number in range(ORDERS if service == "shop" else LONG_ORDERS)}
        by_trace = {trace: tree_of_columns(own(collector, f"flamegraph?{whole}&trace={trace}"))[()][0] for trace in traces}
        times_of[service] = own(collector, f"flamegraph?{whole}&value=time")["total"], by_trace
    check(sum(counts.values()) > ORDERS and min(total for total, _ in times_of.values()) > 0, f"{counts} {times_of}")
    otlp_receiver.check_metrics(receiver, collector, counts)
    otlp_receiver.check_profiles(receiver, collector, times_of)
    otlp_receiver.check_heads(receiver)
    otlp_receiver.check_counts(receiver, collector, scenario.path("collector.log"))


def with_collector(scenario, jdk):
    need_jdk(jdk)
    receiver = otlp_receiver.Receiver(scenario)
    program = gotool.build_once(os.path.join(HERE, "pyroscope"))
    collector = Collector(scenario)
    token_file.write(scenario.path("tokens"), token_file.rule("shop", "read,ingest", "shop", SHOP) +
                     token_file.rule("bank", "ingest", "bank", BANK) + token_file.rule("all", "read", "*", ALL))
    collector.env["LOUPE_POLICY"] = POLICY
    collector.env["LOUPE_TOKENS"] = scenario.path("tokens")
    collector.env.update(receiver.environment())
    token_file.WithToken(collector, ALL)
    collector.start()
    for service, token, orders, wait_ms in (("shop", SHOP, ORDERS, WAIT_MS), ("bank", BANK, LONG_ORDERS, LONG_WAIT_MS)):
        agent = scenario.agent_options(collector, service, segment=1, policy=POLICY, token=token)
        scenario.jvm(jdk, "LockedE2E", str(orders), str(wait_ms), agent=agent, name=service).wait_exit()
    wait_for("the ends of the recordings",
             lambda: len([one for one in collector.recordings() if one["ended_how"] == "closed"]) == 2)
    client, times = Client(program, collector, ALL), Times()
    check_otlp(scenario, collector, receiver, times)
    check_lists(client, times)
    totals = check_graphs(collector, client, times)
    check_selectors(collector, client, times)
    check_ids(collector, client, times)
    check_site(collector, client, times)
    check_diff(collector, client, times)
    check_series(collector, client, times, totals)
    check_errors(collector, client, times)
    check_files(scenario, collector)
    check_rights(Client(program, collector, SHOP), times)
    collector.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    args = parser.parse_args()
    run(f"pyroscope-{args.jdk}", lambda scenario: with_collector(scenario, args.jdk))


main()
