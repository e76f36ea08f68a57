# SPDX-License-Identifier: Apache-2.0
"""Promised: `loupe slice` writes exactly the events that docs/find/ask.md says it does, each as it was, of any number of
JVMs; and what is asked of a slice has the same answer as when it is asked of the recording.

A program makes a recording of random contexts and events on platform and virtual threads; another one chooses events
naively, by the JDK's reader, and compares those of the slice with them, value by value (OracleSlice). So for what a
collector has of a program with the agent, whose contexts go over several chunks, and for two JVMs together.
"""

import argparse
import collections
import json
import os
import random
import subprocess

from support import chunks, readers, structure
from support.elimination import FIELDS, LIMIT_S, REF, judge, write_policy
from support.journaled import JournaledRun
from support.judge import diff as dump_diff
from support.judge import dump
from support.process import JUDGES, LOUPE, NEWEST, Collector, check, jdk_home, need_jdk, oracle, run

LISTED = 500
NOTHING = "loupe slice: no context matches: leave out or widen a condition (--where, --min-duration and so on)\n"


def loupe(*arguments, status=0):
    done = subprocess.run([LOUPE, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=LIMIT_S, check=False)
    check(done.returncode == status, f"loupe {arguments}: status {done.returncode}: {done.stderr.decode()[:500]}")
    return done


def ask(command, recordings, options=()):
    return json.loads(loupe(command, *recordings, "--json", *options).stdout)


def selections(recordings, most):
    """The selection of everything, and others that the contexts of recordings suggest, as options and for the oracle."""
    others = list(narrower(ask("contexts", recordings, ("--limit", str(LISTED)))))
    return [((), ()), *random.sample(others, min(most - 1, len(others)))]


def narrower(answer):
    if not answer["rows"]:
        return
    row = dict(zip(answer["columns"], random.choice(answer["rows"])))
    yield ("--context", row["type"]), (f"context={row['type']}",)
    yield ("--min-duration", f"{row['duration']}ns"), (f"min={row['duration']}",)
    texts = [(key[len("attr."):], value) for key, value in row.items()
             if key.startswith("attr.") and isinstance(value, str) and value.isascii() and value.isprintable()
             and value.strip() == value and len(value) > 0]
    if texts:
        key, value = random.choice(texts)
        yield ("--where", f"{key}={value}"), (f"where={key}={value}",)


def check_answers(out, recordings, options, has_around):
    """What is asked of the slice is what is asked of the recordings."""
    whole = ask("contexts", recordings, ("--limit", str(LISTED), *options))
    found = ask("contexts", (out,), ("--limit", str(LISTED), *options))
    check(found["matched"] == whole["matched"], f"{options}: {found['matched']} of {whole['matched']} contexts")
    rows = [[[row[0 if key == "recording" else at] if key != "start" else int(answer["t0_ns"]) + row[at]
              for at, key in enumerate(answer["columns"]) if key not in ("recording", "id")] for row in answer["rows"]]
            for answer in (whole, found)]
    if is_merged(recordings, options):  # on the line of each JVM's first chunk
        at = [key for key in whole["columns"] if key not in ("recording", "id")].index("start")
        apart_ns = max(map(chunks.drift_ns, recordings))
        starts = [sorted(row.pop(at) for row in answer) for answer in rows]
        check(all(abs(one - other) <= apart_ns for one, other in zip(*starts)), f"{options}: moved by over {apart_ns} ns in {out}")
    check(sorted(map(str, rows[0])) == sorted(map(str, rows[1])), f"{options}: other contexts in {out}")
    if has_around:
        check(ask("why", (out,), options) == ask("why", recordings, options), f"{options}: another why of {out}")


def is_merged(recordings, options):
    """The slice has events of one JVM only where the others have no matching contexts."""
    return sum(ask("contexts", (path,), options)["matched"] > 0 for path in recordings) > 1


def check_structure(out, recordings, options):
    with open(out, "rb") as file:
        structure.check(file.read(), is_merged=is_merged(recordings, options))
    known = set().union(*map(chunks.lines, recordings))
    check(is_merged(recordings, options) or chunks.lines(out) <= known, f"{options}: other clocks in {out}")


def check_slice(out, recordings, options, selection, has_around, jdks):
    around = ("--around",) if has_around else ()
    said = json.loads(loupe("slice", *recordings, "-o", out, "--json", *around, *options).stdout)
    for jdk in jdks:
        status, report = oracle("OracleSlice", out, "around" if has_around else "within", "\n".join(selection),
                                *recordings, feature=jdk, limit_s=LIMIT_S)
        check(status == 0, f"JDK {jdk}, {options} {around} of {recordings}: {report}")
    check(said["bytes"] == os.path.getsize(out) and not said["is_truncated"], f"{said}")
    check(said["contexts"] == ask("contexts", recordings, options)["matched"], f"{options}: {said}")
    check_answers(out, recordings, options, has_around)
    return said


def check_styles(scenario, out, recordings):
    """In another style the slice has the same events, and at each of them its contexts."""
    types = json.loads(loupe("summary", out, "--json").stdout)["types"]
    all_kept = write_policy(scenario.path("all.jfc"), {name: {"select": "all"} for name in types})
    outputs = [(style, all_kept, scenario.path(f"{style}.jfr")) for style in (FIELDS, REF)]
    for style, _, path in outputs:
        said = loupe("slice", *recordings, "-o", path, "--around", "--context-style", style, "--json").stdout
        plain = loupe("slice", *recordings, "-o", out, "--around", "--json").stdout
        check({**json.loads(said), "bytes": 0} == {**json.loads(plain), "bytes": 0}, f"{said} and {plain}")
    status, report = judge(out, outputs)
    check(status == 0, f"{status}\n{report}")


def check_merged_style(scenario, out, recordings):
    """The events of each JVM show the same contexts as in a slice of that JVM alone."""
    loupe("slice", *recordings, "-o", out, "--context-style", FIELDS)
    alone = collections.Counter()
    for recording in recordings:
        loupe("slice", recording, "-o", scenario.path("alone.jfr"), "--context-style", FIELDS)
        alone += shown(scenario.path("alone.jfr"))
    check(shown(out) == alone, f"merged: {dump_diff(alone, shown(out))}")
    check(sum(count for (_, values), count in alone.items() if values) > 100, f"{alone}")


def shown(path):
    """How often each type has events with these attributes, of types that all JVMs describe in the same way."""
    return collections.Counter(
        (event.type, tuple(sorted(item for item in event.values.items() if item[0].startswith(("Request_", "Span_"))
                                  and item[1] != "null"))) for event in dump(path, "") if event.type.startswith(("rnd.", "jdk.Thread")))


def check_recordings(scenario, recordings, jdks, most):
    out = scenario.path("slice.jfr")
    for options, selection in selections(recordings, most):
        judges = jdks if options == () else jdks[-1:]  # all of them read the slice of everything
        if ask("contexts", recordings, options)["matched"] == 0:
            check(loupe("slice", *recordings, "-o", out, *options, status=1).stderr.decode() == NOTHING, "nothing")
            continue
        within = check_slice(out, recordings, options, selection, False, judges)
        check_structure(out, recordings, options)
        around = check_slice(out, recordings, options, selection, True, judges)
        print(f"{options}: {within['contexts']} contexts, {within['events']} events, {around['events']} with what is around",
              flush=True)
        if options == ():
            (check_styles if len(recordings) == 1 else check_merged_style)(scenario, out, recordings)
        # A slice of the slice is the slice.
        again = scenario.path("again.jfr")
        check_slice(again, (out,), options, selection, True, jdks[-1:])


def record(scenario, jdk, options, name):
    path = scenario.path(name)
    scenario.jvm(jdk, "RandomRecording", path, str(random.randrange(1 << 32)), str(options.kilobytes),
                 str(options.chunk_ms)).wait_exit(LIMIT_S)
    return path


def check_refusals(scenario, recording):
    out = scenario.path("refused.jfr")
    for arguments, status, said in (
            (("slice",), 2, "loupe slice: no input"),
            (("slice", recording), 2, "loupe slice: no output: say where with -o OUT.jfr"),
            (("slice", recording, "-o", recording), 2, "is an input: name another file with -o"),
            (("slice", recording, "-o", out, "--where", "x"), 2, "loupe slice: --where 'x': not KEY OP VALUE"),
            (("slice", recording, "-o", out, "--context", "no.Such"), 1, NOTHING),
            (("slice", recording + ".none", "-o", out), 1, "No such file or directory"),
            (("slice", recording, "-o", os.path.join(out, "in", "no", "folder")), 1, "No such file or directory")):
        done = loupe(*arguments, status=status)
        check(said in done.stderr.decode() and not done.stdout, f"{arguments}: {done}")
        check(not os.path.exists(out), f"{arguments}: wrote a file")
    with open("/dev/full", "wb") as full:
        done = subprocess.run([LOUPE, "slice", recording, "-o", "/dev/stdout"], stdin=subprocess.DEVNULL, stdout=full,
                              stderr=subprocess.PIPE, timeout=120, check=False)
    check((done.returncode, done.stderr.decode()) == (1, "loupe slice: /dev/stdout: No space left on device\n"), f"{done}")


def check_pipe(scenario, recording):
    """Through a pipe it is the same, also where the chunks come as files of their own, in any order."""
    out = scenario.path("whole.jfr")
    text = loupe("slice", recording, "-o", out).stdout.decode()
    with open(out, "rb") as file:
        whole = file.read()
    check(text.endswith(f" chunks of {len(whole)} bytes\n"), text)
    done = loupe("slice", *chunks.split(recording)[::-1], "-o", "/dev/stdout")
    check(done.stdout == whole and done.stderr.decode() == text, "other bytes by a pipe")


def check_damage(scenario, recording):
    """Of a recording of which an end is missing the rest is cut."""
    cut = scenario.path("cut.jfr")
    with open(recording, "rb") as source, open(cut, "wb") as target:
        target.write(source.read()[:-1000])
    done = loupe("slice", cut, "-o", scenario.path("of-cut.jfr"))
    check(done.stderr != b"", "nothing is said of the damage")
    loupe("summary", scenario.path("of-cut.jfr"))


def body(options, scenario):
    need_jdk(options.jdk)
    recording = record(scenario, options.jdk, options, "in.jfr")
    check_recordings(scenario, (recording,), JUDGES, options.selections)
    check_refusals(scenario, recording)
    check_pipe(scenario, recording)
    check_damage(scenario, recording)


def several_body(options, scenario):
    """Of two JVMs, of two versions where there are two."""
    need_jdk(NEWEST)
    recordings = [record(scenario, 17 if jdk_home(17) else NEWEST, options, "one.jfr"),
                  record(scenario, NEWEST, options, "two.jfr")]
    check_recordings(scenario, recordings, JUDGES, options.selections)
    for jdk in JUDGES:
        check_answers_of_tool(scenario, jdk)


def check_answers_of_tool(scenario, jdk):
    """The JDK's tool reads the slice of several JVMs."""
    done = subprocess.run(readers.command(jdk, "JfrTool", "--add-opens", "jdk.jfr/jdk.jfr.internal.tool=ALL-UNNAMED")
                          + [scenario.path("slice.jfr")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT_S,
                          check=False)
    check(done.returncode == 0, done.stdout.decode()[-2000:])


def agent_body(options, scenario):
    """Contexts of the Java API, parts of which are in several chunks."""
    need_jdk(options.jdk)
    collector = Collector(scenario).start()
    program = JournaledRun(scenario, collector, "ContextsE2E", options, platform=4, virtual=0, virtual_in_segments=4)
    program.wait_exit()
    check_recordings(scenario, (program.download("contexts.jfr"),), JUDGES, options.selections)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--of", choices=("one", "several", "agent"), required=True)
    parser.add_argument("--jdk", type=int, help="what makes the recording of one")
    parser.add_argument("--segment", type=int, help="a chunk's seconds, of a program with the agent")
    parser.add_argument("--threads", choices=("platform", "virtual"), default="virtual")
    parser.add_argument("--kilobytes", type=int, default=600, help="how large it is at least")
    parser.add_argument("--chunk-ms", type=int, default=300, help="how often it begins a chunk")
    parser.add_argument("--selections", type=int, default=4, help="how many at most, that of everything among them")
    options = parser.parse_args()
    chosen = {"one": body, "several": several_body, "agent": agent_body}[options.of]
    run("slice", lambda scenario: chosen(options, scenario))


main()
