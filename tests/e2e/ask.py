# SPDX-License-Identifier: Apache-2.0
"""Promised: `loupe contexts` and `loupe why` say of a recording what docs/find/ask.md says they do, to the
nanosecond.

A program makes a recording of random contexts and events on platform and virtual threads; another one computes the
same numbers naively, by the JDK's reader (OracleQuery), and each number that Loupe prints has to be one of its. So for
what a collector has of a program with the agent, whose contexts go over several chunks, and for other people's
recordings that have contexts. The text output has the same rows, cut to the width of a terminal, and what is asked wrongly is named.
"""

import argparse
import errno
import json
import math
import os
import pty
import random
import re
import struct
import subprocess

from support import chunks, corpus, judge
from support.elimination import LIMIT_S
from support.journaled import JournaledRun
from support.process import JUDGES, LOUPE, NEWEST, Collector, check, need_jdk, oracle, run

COLUMNS = ["recording", "type", "start", "duration", "triggers", "blocked", "thread", "id"]
LIMIT = 500
OTHER_APP = "java.util.concurrent,jdk.internal"  # packages that stack traces of any recording have
LIBRARIES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../src/query/frames/library_packages.def")
SORTS = ("duration", "start", "triggers", "blocked")


def loupe(*arguments, status=0):
    done = subprocess.run([LOUPE, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=120, check=False)
    check(done.returncode == status, f"loupe {arguments}: status {done.returncode}: {done.stderr.decode()[:500]}")
    return done


def ask(command, recording, options=()):
    answer = json.loads(loupe(command, recording, "--json", *options).stdout)
    check(not answer["is_truncated"], f"{command} {options}: truncated")
    return answer


def expected(recording, jdk, command, sort="duration", limit=LIMIT, selection=()):
    status, output = oracle("OracleQuery", recording, command, sort, limit, f"libraries={LIBRARIES}", *selection,
                            feature=jdk)
    check(status == 0, output)
    return [json.loads(line) for line in output.splitlines()]


def number(text):
    try:
        return float(text)
    except ValueError:
        return math.nan


def same_value(text, value):
    """Whether a value in JSON is what Java's String.valueOf shows; of a float JDK 17 shows more digits, also where it has none."""
    if isinstance(value, int):
        return value == int(text)
    one, other = number(text), number(value)
    return value == text or math.isclose(one, other, rel_tol=1e-6) or 0 < abs(one - other) < 1e-45


def check_row(row, columns, t0, wanted):
    name, start, duration, triggers, blocked, thread, attributes, *_ = wanted
    check(columns[:len(COLUMNS)] == COLUMNS, f"columns {columns}")
    check(row[1:7] == [name, start - t0, duration, triggers, blocked, thread], f"{row[:7]} at {t0}, not {wanted}")
    found = {column: value for column, value in zip(columns[len(COLUMNS):], row[len(COLUMNS):]) if value is not None}
    check(found.keys() == {f"attr.{key}" for key in attributes}, f"{found}, not {attributes}")
    for key, text in attributes.items():
        check(same_value(text, found[f"attr.{key}"]), f"{key}: {found}, not {attributes}")


def check_ids(rows, wanted):
    """An id is the tick of the begin, and a hash that all contexts of one type on one thread have, and no others."""
    hashes = {}
    for row, (name, *_, begin, thread) in zip(rows, wanted):
        tick, of_thread = row[COLUMNS.index("id")].split("-")
        check(int(tick, 16) == begin % (1 << 64), f"id {row[7]} of what begins at {begin}")
        known = hashes.setdefault((name, thread.lstrip("0123456789")), of_thread)
        check(known == of_thread, f"id {row[7]} of {name} on {thread}, not {known}")
    check(len(set(hashes.values())) == len(hashes), f"a hash of two: {hashes}")


def check_contexts(recording, jdk, sort, limit, options, selection):
    answer = ask("contexts", recording, ("--sort", sort, "--limit", str(limit), *options))
    matched, *rows = expected(recording, jdk, "contexts", sort, limit, selection)
    check(answer["matched"] == matched and len(answer["rows"]) == len(rows),
          f"{options} {sort}: {answer['matched']} contexts, {len(answer['rows'])} rows, not {matched}, {len(rows)}")
    for row, wanted in zip(answer["rows"], rows):
        check(row[0] == recording, f"recording {row[0]}")
        check_row(row, answer["columns"], int(answer["t0_ns"]), wanted)
    check_ids(answer["rows"], rows)
    return matched, rows


def check_why(recording, jdk, options, selection):
    answer = ask("why", recording, options)
    (requests, total), *slices, (_, *repeats) = expected(recording, jdk, "why", selection=selection)
    check((answer["requests"], answer["total_ns"]) == (requests, total),
          f"why {options}: {answer['requests']} requests of {answer['total_ns']} ns, not {requests} of {total}")
    found = [[piece["category"], piece["total_ns"], piece["stopped_ns"], piece["events"], piece["is_count"],
              [[frame["frame"], frame["via"], frame["total_ns"], frame["events"]] for frame in piece["top"]]]
             for piece in answer["slices"]]
    found_repeats = [[one["category"], one["frame"], one["via"], one["requests"], one["events"], one["total_ns"]]
                     for one in answer["repeated"]]
    check(found_repeats == repeats, f"why {options}: repeated {found_repeats}, not {repeats}")
    for one, other in zip(found, slices):
        check(one == other, f"why {options}: {one}, not {other}")
    check(len(found) == len(slices), f"why {options}: {found}, not {slices}")
    check(sum(piece["total_ns"] for piece in answer["slices"]) == total, f"why {options}: rows do not add up: {answer}")
    for piece in answer["slices"]:
        check(piece["per_request_ns"] == (piece["total_ns"] // requests if requests else 0), f"per request: {piece}")
    return requests


def conditions(row):
    """What holds for a context: an option and its value, and the parameter and the value for the oracle."""
    name, start, duration, _, _, thread, attributes, *_ = row
    longest = duration + random.randrange(1000000)
    last = start + random.choice((1, 1000000, 1000000000))
    short_name = random.choice((name, name.rsplit(".", maxsplit=1)[-1]))
    yield "--context", short_name, "context", short_name
    yield "--min-duration", f"{duration}ns", "min", duration
    yield "--max-duration", f"{longest}ns", "max", longest
    yield "--from", start, "from", start
    yield "--to", last, "to", last
    if is_plain(thread):
        yield "--thread", thread, "thread", thread
    for key, value in attributes.items():
        for condition in wheres(key, value) if is_plain(value) else ():
            yield "--where", condition, "where", condition
        if is_plain(value) and key.replace("_", "").lower() == "traceid":
            yield "--trace", value.swapcase(), "trace", value


def wheres(key, value):
    is_whole = value.lstrip("-").isdigit()
    if is_whole:
        yield f"{key}>={int(value) - random.randrange(2)}"
        yield f"{key}<={int(value) + random.randrange(2)}"
    if is_whole or math.isnan(number(value)):  # of a fraction, JDK 17 shows more digits
        yield f"{key}={value}"
        yield f"{key}!={value}x"
        yield f"{key}^={value[:random.randint(1, len(value))].strip()}"


def is_plain(text):
    return bool(text) and text.isascii() and text.isprintable() and text.strip() == text


def selections(rows):
    """Some selections that rows suggest, as options and for the oracle."""
    yield (), ()
    for count in (1, 1, 3) if rows else ():
        known = list(conditions(random.choice(rows)))
        # Each parameter once: two conditions on one attribute might contradict each other.
        chosen = {one[2]: one for one in random.sample(known, min(count, len(known)))}.values()
        yield ([str(word) for one in chosen for word in one[:2]], [f"{one[2]}={one[3]}" for one in chosen])


def check_recording(recording, jdk, sorts=SORTS):
    matched, rows = check_contexts(recording, jdk, "duration", LIMIT, (), ())
    for sort in sorts:
        check_contexts(recording, jdk, sort, random.choice((1, 10, LIMIT)), (), ())
    requests = 0
    for options, selection in selections(rows):
        check_contexts(recording, jdk, "duration", LIMIT, options, selection)
        requests = max(requests, check_why(recording, jdk, options, selection))
    check_why(recording, jdk, ("--app", OTHER_APP), (f"app={OTHER_APP}",))
    return f"{matched} contexts, {requests} around all others"


def check_threads(recording, jdk):
    """Threads in place of contexts: all of them, one, those of a time."""
    _, rows = check_contexts(recording, jdk, "start", LIMIT, (), ())
    threads = sorted({row[5] for row in rows if is_plain(row[5])})
    starts = sorted(row[1] for row in rows)
    middle = ("--from", str(starts[len(starts) // 4]), "--to", str(starts[len(starts) * 3 // 4] + 1))
    for options in ((), ("--thread", random.choice(threads)), middle):
        words = [f"{name[2:]}={value}" for name, value in zip(options[::2], options[1::2])]
        count = check_why(recording, jdk, ("--unit", "threads", *options), ("unit=threads", *words))
        check(count > 0, f"{options}: no threads")


JVM_FIELDS = {"heap_used": ("jdk.GCHeapSummary", "heapUsed"), "cpu_jvm": ("jdk.CPULoad", "jvmUser", "jvmSystem"),
              "cpu_machine": ("jdk.CPULoad", "machineTotal"), "resident": ("jdk.ResidentSetSize", "size"),
              "threads": ("jdk.JavaThreadStatistics", "activeCount"),
              "classes": ("jdk.ClassLoadingStatistics", "loadedClassCount")}


def number_of(text):
    """A number as OracleDump has it: of a float its bits."""
    return struct.unpack(">f", int(text[1:], 16).to_bytes(4, "big"))[0] if text[0] == "f" else int(text)


def check_jvm(recording):
    """`loupe jvm`: least, mean and largest value, and the command line, by the JDK's reader."""
    types = sorted({type_name for type_name, *_ in JVM_FIELDS.values()})
    events = judge.dump(recording, "jdk.JVMInformation", *types)
    answer = json.loads(loupe("jvm", recording, "--json", "--columns", "1").stdout)
    lines = {line["line"]: line["points"] for line in answer["lines"]}
    found = 0
    for name, (type_name, *fields) in JVM_FIELDS.items():
        values = [sum(number_of(e.values[field]) for field in fields) for e in events if e.type == type_name]
        if not values:
            check(lines[name] == [], f"{name}: {lines[name]}, and the JDK has none")
            continue
        (column, count, *numbers), = lines[name]
        check((column, count) == (0, len(values)), f"{name}: {lines[name]}, and the JDK has {len(values)}")
        for wanted, got in zip((min(values), sum(values) / len(values), max(values)), numbers):
            check(math.isclose(wanted, got, rel_tol=1e-5, abs_tol=0.5 if wanted > 2 else 1e-6),
                  f"{name}: {got}, and the JDK has {wanted}")
        found += len(values)
    said = [e.values for e in events if e.type == "jdk.JVMInformation"]
    for jvm in answer["jvms"] if said else ():  # a random third of the types is not recorded
        check(any("=" + jvm["java_arguments"] == e["javaArguments"].replace("\\u0020", " ") for e in said), f"{jvm}, not one of {said}")
    return found


def check_text(recording):
    """The table is in the order of the JSON, and both commands end with 0 where nothing matches."""
    rows = ask("contexts", recording, ("--limit", "3"))["rows"]
    lines = loupe("contexts", recording, "--limit", "3").stdout.decode().splitlines()
    check(len(lines) == len(rows) + 2 and lines[-1].startswith(f"{len(rows)} of "), f"table: {lines}")
    for line, row in zip(lines[1:], rows):
        check(row[1] in line and row[6] in line, f"{line!r}, not {row}")
    text = loupe("why", recording).stdout.decode()
    for piece in ask("why", recording)["slices"]:
        check(piece["category"].replace("unaccounted", "not accounted") in text, f"{piece['category']} not in {text}")
    by_events = loupe("contexts", recording, "--sort", "events").stdout  # the column, which JSON calls triggers
    check(by_events == loupe("contexts", recording, "--sort", "triggers").stdout, "--sort events is not --sort triggers")
    counts = [int(line[52:60]) for line in by_events.decode().splitlines()[1:-1]]
    check(counts and counts == sorted(counts, reverse=True), f"--sort events: {counts}")
    check(loupe("contexts", recording, "--context", "no.Such").stdout == b"0 of 0 contexts\n", "no.Such")
    check(loupe("why", recording, "--context", "no.Such").stdout == b"0 contexts\n", "no.Such")


def on_terminal(columns, *arguments):
    """The lines that the command prints on a terminal of this width."""
    leader, follower = pty.openpty()
    output = b""
    with subprocess.Popen([LOUPE, *arguments], stdin=subprocess.DEVNULL, stdout=follower,
                          env={**os.environ, "COLUMNS": str(columns), "TERM": "dumb"}) as process:
        os.close(follower)
        try:
            while piece := os.read(leader, 1 << 16):
                output += piece
        except OSError as error:  # how a terminal ends
            check(error.errno == errno.EIO, f"reading the terminal: {error}")
    os.close(leader)
    check(process.returncode == 0, f"loupe {arguments} on a terminal: status {process.returncode}")
    return output.decode().split("\r\n")[:-1]


def check_terminal(recording):
    """On a terminal no line of a table is too long. A wide one shows all of it; a narrow one wraps it."""
    arguments = ("contexts", recording, "--limit", "50")
    plain = loupe(*arguments).stdout.decode().split("\n")[:-1]
    for columns in (130, 200):
        lines = on_terminal(columns, *arguments)
        check([line[:60] for line in lines] == [line[:60] for line in plain], f"{columns} columns: {lines}")
        long = [line for line in lines if len(line) > columns]
        check(not long, f"over {columns} columns: {long}")
        for line, whole in zip(lines, plain):
            check("\u2026" in line or line.split() == whole.split(), f"{columns} columns: {line!r}, not {whole!r}")
    lines = on_terminal(10000, *arguments)
    check([line.split() for line in lines] == [line.split() for line in plain], f"10000 columns: {lines}")
    lines = on_terminal(80, *arguments)
    check([line.split()[-1] for line in lines] == [line.split()[-1] for line in plain], f"80 columns: {lines}")


def check_threads_and_times(recording):
    """`*` in the name of a thread, and times that count back from now."""
    listed = ask("contexts", recording, ("--sort", "start", "--limit", "10000"))
    threads = [row[6] for row in listed["rows"]]
    check(len(threads) == listed["matched"], f"over 10000 contexts: {listed['matched']}")
    some = random.choice([name for name in threads if is_plain(name) and "*" not in name])
    for prefix in (some[:-1], some[:len(some) // 2], some + "x"):
        found = ask("contexts", recording, ("--thread", f"{prefix}*", "--sort", "start", "--limit", "10000"))
        wanted = [name for name in threads if name.startswith(prefix)]
        check([row[6] for row in found["rows"]] == wanted, f"--thread '{prefix}*': {found}, not {wanted}")
    for options, matched in ((("--from", "10d"), len(threads)), (("--to", "10d"), 0), (("--from", "10d", "--to", "0s"), len(threads))):
        found = json.loads(loupe("contexts", recording, "--json", *options).stdout)["matched"]
        check(found == matched, f"{options}: {found} contexts, not {matched}")


def check_frame(recording):
    """With --frame the rows are those of the stack traces that `loupe flamegraph` has, and with the others still the whole."""
    whole = ask("why", recording)
    names = sorted({frame["frame"] for piece in whole["slices"] for frame in piece["top"]})
    for pattern in (re.escape(random.choice(names)), "no.such.frame"):
        found = ask("why", recording, ("--frame", pattern))
        total = {piece["category"]: piece["total_ns"] for piece in found["slices"]}
        check(sum(total.values()) == found["total_ns"] == whole["total_ns"], f"--frame {pattern}: {found}")
        graph = json.loads(loupe("flamegraph", recording, "--json", "--frame", pattern).stdout)
        shown = found["total_ns"] - total["other_frames"] - total["unaccounted"]
        # Where samples make more than what is left, each of them is rounded in the graph.
        check(abs(shown - graph["total"]) <= 1000, f"--frame {pattern}: {shown} ns, flamegraph {graph['total']} ns")
    text = loupe("why", recording, "--frame", "no.such.frame").stdout.decode()
    check("  other frames\n" in text and len(text.splitlines()) == 4, f"--frame: {text}")
    done = loupe("why", recording, "--frame", "(", status=2)
    check(done.stderr.decode().startswith("loupe why: --frame '(': not a regular expression"), f"{done}")


def check_full_disk(recording):
    """An answer that cannot be written is a failure, and why is said."""
    for arguments in (("contexts", "--limit", "1"), ("contexts", "--limit", "1", "--json"), ("why",), ("why", "--json")):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([LOUPE, *arguments, recording], stdin=subprocess.DEVNULL, stdout=full,
                                  stderr=subprocess.PIPE, timeout=120, check=False)
        said = f"loupe {arguments[0]}: standard output: No space left on device\n"
        check((done.returncode, done.stderr.decode()) == (1, said), f"{arguments}: {done}")


def check_pieces(recording):
    """The chunks as files of their own, in any order, have the same contexts in the same order."""
    pieces = chunks.split(recording)
    check(len(pieces) > 1, "the recording has only one chunk")
    whole = ask("contexts", recording, ("--limit", str(LIMIT)))
    found = json.loads(loupe("contexts", *pieces[::-1], "--json", "--limit", str(LIMIT)).stdout)
    without_names = [[row[1:] for row in answer["rows"]] for answer in (whole, found)]
    check(without_names[0] == without_names[1], "the chunks as files of their own have other contexts")
    check(all(row[0] in pieces for row in found["rows"]), "a recording that was not asked")
    check(json.loads(loupe("why", *pieces, "--json").stdout) == ask("why", recording), "why of the chunks")
    odd = os.path.join(os.path.dirname(recording).encode(), b"odd \xff\n.jfr")
    os.link(recording, odd)
    rows = json.loads(loupe("contexts", odd, "--json").stdout)["rows"]
    check(rows[0][0].endswith("odd \ufffd\n.jfr"), f"{rows[0][0]!r}")
    os.unlink(odd)


def check_damaged_pieces(recording):
    """`loupe jvm` asks three times: chunks that cannot be read are named once, and the others still have their values."""
    pieces = chunks.split(recording)
    damaged = pieces[::2][:len(pieces) - 1]
    for piece in damaged:
        with open(piece, "r+b") as file:
            file.seek(24)  # the place of the metadata
            place = struct.unpack(">q", file.read(8))[0]
            file.seek(place + 8)
            file.write(b"\xff" * 64)
    done = loupe("jvm", *pieces, "--json")
    for piece in damaged:
        said = [line for line in done.stderr.decode().splitlines() if f"{os.path.basename(piece)}:" in line]
        check(len(said) == 1, f"{piece}: {said}")
    check(any(line["points"] for line in json.loads(done.stdout)["lines"]), "no values of chunks that are whole")


def check_refusals(recording):
    for options, said in ((("--where", "x"), "--where 'x': not KEY OP VALUE, with one of = != ^= >= <= as OP"),
                          (("--where", "a=1", "--where", "a=2"), "--where: two conditions on a that no value satisfies"),
                          (("--min-duration", "5"), "--min-duration '5': not a timespan such as 20 ms"),
                          (("--min-duration", "5s", "--max-duration", "4s"),
                           "--min-duration: longer than --max-duration"),
                          (("--from", "1700000000000000000", "--to", "1700000000000000000"), "--from: not before --to")):
        for command in ("contexts", "why"):
            done = loupe(command, recording, *options, status=2)
            check(done.stderr.decode() == f"loupe {command}: {said}\n" and not done.stdout, f"{options}: {done}")
    said = "loupe why: --app 'a.': give names of packages, such as com.acme or com.acme,org.acme\n"
    check(loupe("why", recording, "--app", "a.", status=2).stderr.decode() == said, "--app a.")
    for command in ("contexts", "why"):
        loupe(command, status=2)
        loupe(command, recording + ".none", status=1)


def body(options, scenario):
    need_jdk(options.jdk)
    recording = scenario.path("in.jfr")
    scenario.jvm(options.jdk, "RandomRecording", recording, str(random.randrange(1 << 32)), str(options.kilobytes),
                 str(options.chunk_ms)).wait_exit(LIMIT_S)
    for jdk in JUDGES:
        print(f"JDK {jdk}: {check_recording(recording, jdk)}", flush=True)
        check_threads(recording, jdk)
    print(f"{check_jvm(recording)} values of JVMs", flush=True)
    check_text(recording)
    check_terminal(recording)
    check_threads_and_times(recording)
    check_frame(recording)
    check_full_disk(recording)
    check_pieces(recording)
    check_damaged_pieces(recording)
    check_refusals(recording)


def agent_body(options, scenario):
    """Contexts of the Java API, parts of which are in several chunks."""
    need_jdk(options.jdk)
    collector = Collector(scenario).start()
    program = JournaledRun(scenario, collector, "ContextsE2E", options, platform=4, virtual=0, virtual_in_segments=4)
    program.wait_exit()
    recording = program.download("contexts.jfr")
    for jdk in JUDGES:
        print(f"JDK {jdk}: {check_recording(recording, jdk)}", flush=True)
    check(check_jvm(recording) > 0, "no JVM says anything of itself")
    parts = sum(e.is_contextual for e in judge.dump(recording))
    whole = ask("contexts", recording)["matched"]
    check(parts > whole, f"{parts} parts of {whole} contexts")


def corpus_body(options, scenario):
    """Other people's recordings; few have contexts."""
    need_jdk(NEWEST)
    found = 0
    for source in corpus.recordings(options.kilobytes):
        recording = corpus.unpack(source, scenario.path(os.path.basename(source).removesuffix(".gz")))
        done = subprocess.run([LOUPE, "contexts", recording, "--json"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=False)
        check(done.returncode in (0, 1), f"{source}: status {done.returncode}: {done.stderr.decode()[:500]}")
        if done.returncode == 0 and json.loads(done.stdout)["matched"] > 0:
            print(f"{os.path.basename(source)}: {check_recording(recording, NEWEST)}", flush=True)
            found += 1
        os.unlink(recording)
    print(f"{found} recordings have contexts")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, help="what makes the recording; without it, those of the corpus are read")
    parser.add_argument("--segment", type=int, help="a chunk's seconds, of a program with the agent")
    parser.add_argument("--threads", choices=("platform", "virtual"), default="virtual")
    parser.add_argument("--kilobytes", type=int, default=600, help="how large it is at least; those of the corpus, at most")
    parser.add_argument("--chunk-ms", type=int, default=300, help="how often it begins a chunk")
    options = parser.parse_args()
    if options.jdk is None:
        corpus.need()
    chosen = corpus_body if options.jdk is None else body if options.segment is None else agent_body
    run("ask", lambda scenario: chosen(options, scenario))


main()
