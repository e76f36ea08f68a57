# SPDX-License-Identifier: Apache-2.0
"""Promised: the requests of a program whose tasks go from thread to thread are listed, one by one and with their parts on
all threads, by `loupe requests` and by a collector alike (docs/find/ask.md).

The parts of each request's time make up its duration, each of its parts lies in one of its stays, and a slice of it has
it alone. A trace of it for Perfetto has its times, events and hand-overs; tables for SQL have them, too, and OTLP profiles have its
time. Requests are no contexts: neither lists nor statistics of contexts have them. A recording without requests is
said to have none.

Cost: some 40 seconds, most of them for the program.
"""

import argparse
import json
import os
import subprocess
import urllib.parse

from support import otlp, perfetto_trace, sql
from support.jdk25 import compile_program
from support.process import LOUPE, Collector, check, run

COLUMNS = ["recording", "type", "start", "duration", "busy", "queued", "elsewhere", "parts", "state", "kept_by", "id"]
SAMPLE = 12


def loupe(*arguments, status=0):
    done = subprocess.run([LOUPE, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=120, check=False)
    check(done.returncode == status, f"loupe {arguments}: status {done.returncode}: {done.stderr.decode()[:500]}")
    return done


def ask(collector, path, **parameters):
    answer = collector.get(f"/api/v1/{path}?{urllib.parse.urlencode(parameters)}")
    check(answer.status == 200, f"{path} {parameters}: {answer.status} {answer.body[:300]}")
    found = answer.json()
    check(not found["is_truncated"], f"{path}: truncated")
    found.pop("left_out", None)
    return found


def list_all(collector, recording, sort, page):
    """All pages, as rows by column."""
    rows, cursor = [], {}
    while True:
        found = ask(collector, "requests", recording=recording, sort=sort, limit=page, **cursor)
        check(found["columns"][:len(COLUMNS)] == COLUMNS, f"columns {found['columns']}")
        rows += [dict(zip(found["columns"], row), t0=int(found["t0_ns"])) for row in found["rows"]]
        if found["next"] is None:
            check(len(rows) == found["matched"], f"{len(rows)} rows of {found['matched']}")
            return rows
        cursor = {"cursor": found["next"]}


def facts_of(row):
    return {key: value for key, value in row.items() if value is not None and key not in ("recording", "t0", "start")} | {
        "begin": row["t0"] + row["start"]}


def check_lists(collector, recording, path):
    for sort, page in (("duration", 700), ("start", 1000)):
        rows = list_all(collector, recording, sort, page)
        local = json.loads(loupe("requests", path, "--json", "--sort", sort, "--limit", "10000").stdout)
        expected = [dict(zip(local["columns"], row), t0=int(local["t0_ns"])) for row in local["rows"]]
        check([facts_of(row) for row in rows] == [facts_of(row) for row in expected], f"{sort}: other rows")
    check(len(rows) > 0 and len({row["id"] for row in rows}) == len(rows), "ids are not of one request each")
    for row in rows:
        check(row["busy"] + row["queued"] + row["elsewhere"] <= row["duration"] + 3, f"{row}: more than its duration")
    return rows


def check_request(collector, recording, path, row):
    """One request, whose parts of time make up its duration, and whose parts lie in its stays."""
    found = ask(collector, f"requests/{recording}/{row['id']}")
    local = json.loads(loupe("requests", path, "--json", "--request", row["id"]).stdout)
    check({**local, "recording": recording} == found, f"{row['id']}: {local}, not {found}")
    why = found["why"]
    check(sum(piece["total_ns"] for piece in why["slices"]) == why["total_ns"] == found["duration"] == row["duration"],
          f"{row['id']}: {why}")
    for part in found["parts"]:
        inside = [stay for stay in found["stays"] if stay["thread"] == part["thread"] and
                  stay["start"] - 1 <= part["start"] <= stay["start"] + stay["duration"] + 1]
        check(inside, f"{row['id']}: {part} is in no stay of {found['stays']}")
    text = loupe("requests", path, "--request", row["id"]).stdout.decode()
    check(row["id"] in text and "not accounted" in text, text)
    return found


def check_slice(scenario, collector, recording, row):
    """A slice of a request has it, and no other."""
    answer = collector.get(f"/api/v1/slice.jfr?unit=requests&recording={recording}&request={row['id']}")
    check(answer.status == 200, f"slice of {row['id']}: {answer.status} {answer.body[:300]}")
    path = scenario.path("slice.jfr")
    with open(path, "wb") as file:
        file.write(answer.body)
    local = json.loads(loupe("requests", path, "--json").stdout)
    found = [dict(zip(local["columns"], cells)) for cells in local["rows"]]
    check([(one["id"], one["duration"]) for one in found] == [(row["id"], row["duration"])], f"{row['id']}: {found}")


def check_traces(scenario, collector, recording, path, rows, found, cut):
    """The trace of a request says what the answer about it says; that of all is the same of a file and of a collector; that of
    a recording without requests has its contexts."""
    paths = []
    for one in found:
        answer = collector.get(f"/api/v1/slice.pftrace?recording={recording}&request={one['id']}")
        check(answer.status == 200, f"trace of {one['id']}: {answer.status} {answer.body[:300]}")
        paths.append(perfetto_trace.write(scenario.path(f"{one['id']}.pftrace"), answer.body))
    out = scenario.path("all.pftrace")
    said = json.loads(loupe("slice", path, "-o", out, "--json").stdout)
    answer = collector.get(f"/api/v1/slice.pftrace?recording={recording}")
    whole = perfetto_trace.write(scenario.path("whole.pftrace"), answer.body)
    local, whole, contexts, *traces = perfetto_trace.read(out, whole, draw_contexts(cut), *paths)
    check_trace_of_contexts(cut, contexts)
    for trace, one in zip(traces, found):
        perfetto_trace.check_request(trace, one)
    check(said == {"contexts": len(rows), "bars": len(local["bars"]), "bytes": os.path.getsize(out), "is_truncated": False,
                   "requests_are": "requests"}, f"{said}")
    check(whole["processes"][0].startswith("carried ") and local["processes"] == ["download.jfr"], f"{whole['processes']}")
    for bar in whole["bars"] + local["bars"]:
        bar.pop("process")
    check((whole["bars"], whole["arrows"]) == (local["bars"], local["arrows"]), "other bars of the file than of the collector")
    check(len(perfetto_trace.of_category(whole, "request")) == len(rows), "not a bar for each request")
    threads = {bar["thread"] for bar in perfetto_trace.of_category(whole, "stay")}
    print(f"a trace of {len(whole['bars'])} bars, {len(whole['arrows'])} arrows, {len(threads)} threads; deflated "
          f"{perfetto_trace.deflated(out) / len(rows):.0f} bytes for each of {len(rows)} requests")


def check_trace_refusals(scenario, collector, recording, path):
    """A collector draws no contexts unless it is asked to; a recording's options are refused."""
    answer = collector.get(f"/api/v1/slice.pftrace?recording={recording}&where=nothing=1")
    check(answer.status == 404 and b"unit=contexts" in answer.body, f"{answer.status} {answer.body}")
    check(collector.get("/api/v1/slice.pftrace?around=1").status == 400, "around=1")
    out = scenario.path("refused.pftrace")
    for options in (("--around",), ("--context-style", "ref")):
        loupe("slice", path, "-o", out, *options, status=2)
    check(b"no request matches" in loupe("slice", path, "-o", out, "--where", "nothing=1", status=1).stderr, "nothing=1")
    check(not os.path.exists(out), "a file without a trace")


def amounts_of(scenario, path, measure):
    """The amounts of requests by stack trace, as `loupe flamegraph` has them."""
    out, amounts = scenario.path("amounts.collapsed"), {}
    loupe("flamegraph", path, "-o", out, "--value", measure, "--unit", "requests")
    with open(out, encoding="utf-8") as file:
        for stack, amount in (line.rsplit(" ", 1) for line in file):
            amounts[stack] = int(amount)
    return amounts


def check_profiles(scenario, collector, recording, path, rows, found):
    """OTLP profiles have the amounts of Loupe's own, of a file and of a collector alike, and each time lies in a request."""
    out = scenario.path("all.otlp")
    said = json.loads(loupe("slice", path, "-o", out, "--json").stdout)
    local = otlp.read(out)
    answer = collector.get(f"/api/v1/slice.otlp?recording={recording}")
    whole = otlp.write(scenario.path("whole.otlp"), answer.body)
    count = sum(len(profile["samples"]) for profile in local[0]["profiles"])
    check(said == {"contexts": len(rows), "samples": count, "bytes": os.path.getsize(out), "is_truncated": False,
                   "requests_are": "requests"}, f"{said} {count}")
    check(len(whole) == len(local) == 1 and whole[0]["profiles"] == local[0]["profiles"], "other profiles of the file than of the collector")
    facts = whole[0]["attributes"]
    check(facts["service.name"] == "carried" and facts["service.instance.id"] and facts["process.pid"] > 1, f"{facts}")
    check(facts["loupe.recording"] == recording and facts["telemetry.sdk.language"] == "java", f"{facts}")
    check(local[0]["attributes"]["service.name"] == os.path.basename(path), f"{local[0]['attributes']}")
    totals = {}
    for measure in otlp.TYPES:
        wanted, amounts = amounts_of(scenario, path, measure), otlp.folded(whole, measure)
        totals[measure] = sum(amounts.values())
        check(totals[measure] == sum(wanted.values()), f"{measure}: {totals[measure]}, not {sum(wanted.values())}")
        # The time of samples is fitted to each request here, and to all of them there.
        check(measure == "time" or amounts == wanted, f"{measure}: {amounts} {wanted}")
    check(totals["time"] == sum(row["duration"] for row in rows) and totals["cpu"] > 0, f"{totals}")
    check(any(sample["attributes"].get("thread.name") for sample, _ in otlp.samples(whole, "cpu")), "no thread has a name")
    check(any(line > 0 for sample, _ in otlp.samples(whole, "cpu") for line in sample["lines"]), "no lines")
    for one in found:
        check_profile_of_request(scenario, collector, recording, one)
    print(f"OTLP: {count} samples in {os.path.getsize(out)} bytes; {totals}")


def check_profile_of_request(scenario, collector, recording, one):
    answer = collector.get(f"/api/v1/slice.otlp?recording={recording}&request={one['id']}")
    jvms = otlp.write(scenario.path("one.otlp"), answer.body)
    time = otlp.samples(jvms, "time")
    check(sum(amount for _, amount in time) == one["duration"], f"{one['id']}: {time}")
    begin = int(one["t0_ns"])
    check(all(begin <= sample["time"] <= begin + one["duration"] for sample, _ in time), f"{one['id']}: {time}")
    waits = {piece["category"]: piece["total_ns"] for piece in one["why"]["slices"]}
    for kind in ("lock", "park", "io"):
        amount = sum(amount for _, amount in otlp.samples(jvms, kind))
        check(amount == waits.get(kind, 0), f"{one['id']}: {amount} ns of {kind}, not {waits}")


TABLES = ("requests", "events", "frames")
DIVIDED = ("lock", "park", "wait", "sleep", "io", "gc", "safepoint", "queued", "elsewhere")


def check_tables(scenario, collector, recording, path, rows, found):
    """Tables have the same rows in both formats and of a collector, and the sums of the commands. Each recipe runs."""
    same = []
    for table in TABLES:
        said = {}
        for end in ("parquet", "ndjson.zst"):
            said[end] = json.loads(loupe("export", path, f"--{table}", "-o", scenario.path(f"{table}.{end}"), "--json").stdout)
            check(said[end]["bytes"] == os.path.getsize(scenario.path(f"{table}.{end}")), f"{table}: {said}")
        check(said["parquet"]["rows"] == said["ndjson.zst"]["rows"] > 0, f"{table}: {said}")
        same += [scenario.path(f"{table}.parquet"), scenario.path(f"{table}.ndjson.zst"), said["parquet"]["rows"], 1000000]
        save_served(scenario, collector, recording, table)
    sql.judge("same", *same)
    recipes = sql.recipes()
    served = [f"SELECT * EXCLUDE recording FROM read_json('{name}', format = 'newline_delimited') ORDER BY ALL"
              for table in TABLES for name in (f"served-{table}.ndjson.zst", f"{table}.ndjson.zst")]
    facts, times, own, pools, events, *rest = sql.ask(scenario.dir, [
        "SELECT request, type, start_ns, duration_ns, busy_ns, queued_ns, elsewhere_ns, parts, state, kept_by "
        "FROM 'requests.parquet' ORDER BY start_ns, request",
        "SELECT category, sum(own_ns) FROM 'events.parquet' GROUP BY ALL",
        "SELECT frame, count(*) FROM 'frames.parquet' WHERE depth = 0 GROUP BY ALL",
        "SELECT DISTINCT frame FROM 'events.parquet' WHERE category = 'queued'",
        "SELECT request, type, fields FROM 'events.parquet' WHERE fields IS NOT NULL", *served, *recipes])
    check_fields(events, found)
    for table in TABLES:
        one, other = rest.pop(0), rest.pop(0)
        check(one == other and one["rows"], f"{table}: other rows of the collector")
    listed = sorted(((row["t0"] + row["start"], row["id"], *(row[key] for key in COLUMNS[3:10]), row["type"]) for row in rows))
    check(sorted((row[2], row[0], *row[3:], row[1]) for row in facts["rows"]) == listed, "other requests than the list's")
    why = json.loads(loupe("why", path, "--unit", "requests", "--json").stdout)
    wanted = {piece["category"]: piece["total_ns"] for piece in why["slices"] if piece["category"] in DIVIDED}
    divided = {category: int(total) for category, total in times["rows"] if category in DIVIDED and int(total) > 0}
    check(divided == {category: total for category, total in wanted.items() if total > 0}, f"times {divided}, not {wanted}")
    hot = json.loads(loupe("hot", path, "--unit", "requests", "--value", "count", "--json", "--limit", "1000000").stdout)
    tops = {frame["frame"]: frame["events"] for frame in hot["frames"]
            if frame["own"] > 0 and not frame["frame"].startswith("[") and [frame["frame"]] not in pools["rows"]}
    check(dict(own["rows"]) == tops, f"frames {own['rows']}, not {tops}")
    empty = [recipe for recipe, answer in zip(recipes, rest) if not answer["rows"] and "trace_id" not in recipe]
    check(len(recipes) == 10 and not empty, f"{len(recipes)} recipes; no rows of {empty}")


def check_fields(events, found):
    """The events of a request are those of the answer about it, with the same fields."""
    for one in found:
        rows = [dict(zip(one["events"]["columns"], row)) for row in one["events"]["rows"]]
        wanted = sorted(((row["type"], row["fields"]) for row in rows), key=str)
        written = sorted(((kind, json.loads(fields)) for request, kind, fields in events["rows"] if request == one["id"]), key=str)
        check(written == wanted, f"{one['id']}: events {written}, not {wanted}")


def save_served(scenario, collector, recording, table):
    """Saves the rows that a collector has, which are to be the same."""
    unit = {} if table == "requests" else {"unit": "requests"}
    query = urllib.parse.urlencode({"format": "ndjson", "recording": recording, **unit})
    answer = collector.get(f"/api/v1/{table}?{query}")
    check(answer.status == 200 and answer.headers["Content-Type"] == "application/zstd" and
          answer.headers["Content-Disposition"] == f'attachment; filename="{table}.ndjson.zst"', f"{answer.status} {answer.headers}")
    with open(scenario.path(f"served-{table}.ndjson.zst"), "wb") as file:
        file.write(answer.body)


def check_table_refusals(scenario, collector, path):
    for wrong in ("requests?format=csv", "requests?format=ndjson&limit=5", "events?format=ndjson&event=x", "events?unit=requests",
                  "frames?format=json", "frames?limit=1"):
        answer = collector.get(f"/api/v1/{wrong}")
        check(answer.status == 400, f"{wrong}: {answer.status} {answer.body[:300]}")
    out = scenario.path("none.parquet")
    for options in (("-o", out), ("-o", out, "--requests", "--events"), ("--requests",), ("--requests", "-o", out + ".csv")):
        loupe("export", path, *options, status=2)
    done = loupe("export", path, "--events", "-o", out, "--where", "nothing=1", status=1)
    check(b"no request matches" in done.stderr and not os.path.exists(out), f"{done.stderr}")


def check_sums(collector, recording, path, rows):
    """What is divided is the same here and there, and is the sum of the durations."""
    total = sum(row["duration"] for row in rows)
    found = ask(collector, "why", recording=recording, unit="requests")
    local = json.loads(loupe("why", path, "--unit", "requests", "--json").stdout)
    check(local.pop("requests_are") == "requests" and local == found, f"why: {local}, not {found}")
    check(found["total_ns"] == total and found["requests"] == len(rows), f"why: {found['total_ns']}, not {total}")
    graph = ask(collector, "flamegraph", recording=recording, unit="requests")
    check(graph["total"] == total, f"flamegraph: {graph['total']}, not {total}")
    check(graph == json.loads(loupe("flamegraph", path, "--unit", "requests", "--json").stdout), "flamegraph")
    middle = sorted(row["duration"] for row in rows)[len(rows) // 2]
    beside = ask(collector, "flamegraph", recording=recording, unit="requests", min_duration_ns=middle, base="rest")
    check((beside["requests"] + beside["base_requests"], beside["total"] + beside["base_total"]) == (len(rows), total) and
          beside["base_requests"] > 0, f"beside the rest: {beside['requests']}, {beside['base_requests']}")
    facets = ask(collector, "attributes", recording=recording, unit="requests", min_duration_ns=middle, base="rest")
    check(facets["contexts"] + facets["base_contexts"] == len(rows), f"attributes: {facets}")
    loupe("flamegraph", path, "--unit", "requests", "-o", path + ".html")
    with open(path + ".html", encoding="utf-8") as file:
        page = file.read()
    unknown = [letter for letter in set(graph["kinds"]) - set(".-") if f'{letter}: "' not in page]
    check("q" in graph["kinds"] and not unknown, f"the page of a graph does not know {unknown}")
    hot = json.loads(loupe("hot", path, "--unit", "requests", "--value", "time", "--json", "--limit", "1000000").stdout)
    check(hot["total"] == total == sum(frame["own"] for frame in hot["frames"]), f"hot: {hot['total']}")
    return {piece["category"] for piece in found["slices"]}


def check_contexts(collector, recording, path):
    """Requests are no contexts."""
    types = ask(collector, "contexts/types", service="carried")["types"]
    check(types and not [one for one in types if one["type"] == "dev.loupe.Request"], f"{types}")
    for path_of, count in (("contexts", "matched"), ("attributes", "contexts")):
        found = ask(collector, path_of, recording=recording, context="dev.loupe.Request")
        check(found[count] == 0, f"{path_of}: {found}")
    keys = {one["key"] for one in ask(collector, "attributes", recording=recording)["keys"]}
    check(keys and "requestDuration" not in keys, f"{keys}")
    done = loupe("contexts", path, "--context", "Request", "--json")
    check(not [row for row in json.loads(done.stdout)["rows"] if row[1] == "dev.loupe.Request"], "a context")


def check_refusals(collector, recording, path):
    answer = collector.get(f"/api/v1/requests/{recording}/00000000000fffff")
    check(answer.status == 404, f"{answer.status} {answer.body}")
    for wrong in ("requests?sort=blocked", "requests?id=1-00000000", f"requests/{recording}/1", "why?unit=tasks",
                  "contexts?unit=requests", f"contexts?request={16 * '1'}"):
        answer = collector.get(f"/api/v1/{wrong}")
        check(answer.status == 400, f"{wrong}: {answer.status} {answer.body}")
    loupe("requests", path, "--request", "00000000000fffff", status=1)
    loupe("requests", path, "--request", "1", status=2)


def check_again(scenario, path):
    """A recording that is compacted again says the same of its requests."""
    again = scenario.path("again.jfr")
    loupe("compact", path, "-o", again)
    answers = [json.loads(loupe("requests", one, "--limit", "10000", "--json").stdout) for one in (path, again)]
    check([row[1:] for row in answers[0]["rows"]] == [row[1:] for row in answers[1]["rows"]], "compacted again: other requests")
    whys = [loupe("why", one, "--unit", "requests", "--json").stdout for one in (path, again)]
    check(whys[0] == whys[1], f"compacted again: {whys[1]}, not {whys[0]}")


def check_without(scenario, path):
    """A recording that has contexts and no requests. Returns it."""
    cut = scenario.path("contexts.jfr")
    loupe("slice", path, "-o", cut)
    done = loupe("requests", cut)
    check(b"no requests in the input" in done.stderr and b"loupe compact" in done.stderr, done.stderr.decode())
    return cut


def draw_contexts(cut):
    """What has no requests is drawn by its contexts. Returns the path of the trace."""
    done = loupe("slice", cut, "-o", cut + ".pftrace")
    check(done.stderr == b"loupe slice: no requests in the input: the answer is about its contexts\n", f"{done.stderr}")
    return cut + ".pftrace"


def check_trace_of_contexts(cut, drawn):
    contexts = json.loads(loupe("contexts", cut, "--json").stdout)["matched"]
    check(len(perfetto_trace.of_category(drawn, "context")) == contexts > 0, f"not a bar for each of {contexts} contexts")


def body(scenario, feature):
    collector = Collector(scenario).start()
    is_new = feature >= 25
    program, vm, path = "CarriedE2E", [], []
    if is_new:
        program, vm = "CarriedThreads", ["--enable-preview"]
        path = [compile_program(scenario, program)]
    jvm = scenario.jvm(feature, program, scenario.path("journal.txt"), "tasks", vm=vm, class_path=path,
                       agent=scenario.agent_options(collector, "carried"))
    jvm.wait_exit()
    recording = collector.recording("carried")
    download = collector.download(recording, scenario.path("download.jfr"))
    rows = check_lists(collector, recording, download)
    sample = sorted(rows, key=lambda row: -row["parts"])[:SAMPLE]
    found = [check_request(collector, recording, download, row) for row in sample]
    check(any(len(one["threads"]) > 1 and one["hand_overs"] for one in found), "no request is on several threads")
    check_slice(scenario, collector, recording, sample[0])
    check_trace_refusals(scenario, collector, recording, download)
    check_table_refusals(scenario, collector, download)
    categories = check_sums(collector, recording, download, rows)
    check_contexts(collector, recording, download)
    check_refusals(collector, recording, download)
    check_again(scenario, download)
    cut = check_without(scenario, download)
    check_traces(scenario, collector, recording, download, rows, found, cut)  # from here on with modules of PyPI's
    check_tables(scenario, collector, recording, download, rows, found)
    check_profiles(scenario, collector, recording, download, rows, found)  # with modules of Go's
    print(f"{len(rows)} requests, up to {sample[0]['parts']} parts, {len(categories)} categories: {sorted(categories)}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    args = parser.parse_args()
    run(f"ask-requests-{args.jdk}", lambda scenario: body(scenario, args.jdk))


main()
