# SPDX-License-Identifier: Apache-2.0
"""Promised: what a reader reads of a recording before `loupe compact`, it reads after, with the same results.

The readers (--by) are programs that people use and that know nothing of Loupe: async-profiler's converter (converter),
grafana's jfr-parser, with which Pyroscope ingests (grafana), and `jfr view` (view). Each shows a recording in views,
which count by key: collapsed stacks, events by type and thread, lines of tables. With --of corpus the recordings are
other people's; with --of recordings they are of JDK 17 and 25, with contexts, samples, allocations and locks. Where
Loupe dropped nothing that the reader knows, a view is the same before and after; where a policy drops some, nothing is
in it that was not there before; and a merged recording shows the sum of the recordings it was made of. What comes from
a collector has no recording before it, but must be readable. The tables of `jfr view` are compared where Loupe dropped
nothing and merged nothing; of all other recordings it must show them. jfr-parser also reads the context styles `fields`
and `ref`, which the converter cannot.

For the first two what was there before is read chunk by chunk, each as a file of its own. In a whole file both resolve
what a chunk does not define by what an earlier chunk defined: JVMs leave out the stack trace of some events that are
under way where a chunk ends. Loupe takes such a stack trace for missing, as the JDK's own reader does.
"""

import argparse
import collections
import json
import os
import re
import subprocess

from support import chunks, corpus, gotool, jars, readers
from support.elimination import FIELDS, REF, write_policy
from support.process import LOUPE, NEWEST, Collector, Failed, check, run, skip

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT_S = 600
SHOWN_MAX = 3

# What the readers know. The JDK's own defaults would give few of each.
RECORDED = {
    "jdk.ExecutionSample": {"enabled": "true", "period": "10 ms"},
    "jdk.NativeMethodSample": {"enabled": "true", "period": "10 ms"},
    "jdk.ObjectAllocationSample": {"enabled": "true", "throttle": "off", "stackTrace": "true"},
    "jdk.ObjectAllocationInNewTLAB": {"enabled": "true", "stackTrace": "true"},
    "jdk.ObjectAllocationOutsideTLAB": {"enabled": "true", "stackTrace": "true"},
    "jdk.JavaMonitorEnter": {"enabled": "true", "threshold": "0 ns", "stackTrace": "true"},
    "jdk.ThreadPark": {"enabled": "true", "threshold": "0 ns", "stackTrace": "true"},
}
POLICY = {"jdk.ThreadPark": {"threshold": "1 ms"}, "jdk.JavaMonitorEnter": {"select": "if-context"},
          "jdk.ExecutionSample": {"select": "if-context"}, "jdk.ObjectAllocationInNewTLAB": {"select": "if-context"}}


class Case:
    """A recording that Loupe wrote, and those that it was made of, with their chunks, each a file; is_whole if nothing
    was dropped that a reader knows."""

    def __init__(self, name, sources, output, is_whole=True):
        self.name, self.sources, self.output, self.is_whole = name, sources, output, is_whole
        self.chunks = [chunk for source in sources for chunk in chunks.split(source)]


def compacted(scenario, name, sources, *options):
    """The path of the recording that becomes of sources, or None where they are refused."""
    output = scenario.path(f"{name}.out.jfr")
    done = subprocess.run([LOUPE, "compact", *sources, "-o", output, *options], stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=LIMIT_S, check=False)
    return output if done.returncode == 0 else None


# --- Where recordings come from


def corpus_cases(scenario):
    corpus.need()
    for path in corpus.recordings():
        name = os.path.basename(path)
        source = corpus.unpack(path, scenario.path(f"{name}.jfr"))
        output = compacted(scenario, name, [source], "--strict")
        if output:
            yield Case(name, [source], output)


def recording_cases(scenario):
    sources = record(scenario)
    policy = write_policy(scenario.path("policy.jfc"), POLICY)
    for name, source in sources.items():
        yield Case(name, [source], compacted(scenario, name, [source]))
        less = compacted(scenario, f"{name}-policy", [source], "--policy", policy)
        yield Case(f"{name}-policy", [source], less, is_whole=False)
    merged = list(sources.values())
    yield Case("merged", merged, compacted(scenario, "merged", merged))
    yield download(scenario)


def styled_cases(scenario):
    """Contexts as fields and as constants, with texts short and long, and such as the JVM put into a pool."""
    source = scenario.path("styled.jfr")
    scenario.jvm(NEWEST, "StyleRecording", source, "7").wait_exit(LIMIT_S)
    # jfr-parser has no way past constants of type float and double.
    real = write_policy(scenario.path("real.jfc"), {"styles.Real": {"contextual": "false"}})
    for style in (FIELDS, REF):
        yield Case(f"styled-{style}", [source], compacted(scenario, style, [source], "--context-style", style, "--policy", real))


def record(scenario):
    """Recordings of JVMs that run side by side, by name; two of the newest JDK."""
    settings = write_policy(scenario.path("settings.jfc"), RECORDED)
    jvms, paths = [], {}
    for name, feature in (("jdk17", 17), ("newest", NEWEST), ("twin", NEWEST)):
        paths[name] = scenario.path(f"{name}.jfr")
        flag = f"-XX:StartFlightRecording:settings={settings},dumponexit=true,filename={paths[name]}"
        jvms.append(scenario.jvm(feature, "RandomRecording", scenario.path(f"{name}.random.jfr"), "7", "150", "50",
                                 vm=(flag,), name=name))
    for jvm in jvms:
        jvm.wait_exit(LIMIT_S)
    return paths


def download(scenario):
    """What a collector serves of a JVM, contexts of the API included."""
    service = "same"
    collector = Collector(scenario, service).start()
    agent = scenario.agent_options(collector, service, segment=2)
    scenario.jvm(NEWEST, "ContextsE2E", scenario.path("journal.txt"), scenario.path("raw.jfr"), "2", "0", "3",
                 agent=agent, name="agent").wait_exit(LIMIT_S)
    path = collector.download(collector.recording(service), scenario.path("download.jfr"))
    collector.stop()
    return Case("download", [], path)


# --- Readers: each returns for a list of files the views by file, and why it cannot make the others

KINDS, DETAILS = ("--cpu", "--wall", "--alloc", "--lock"), ("", "+--threads+--lines+--bci", "+--total")
VIEWS = tuple(kind + details for kind in KINDS for details in DETAILS)
TIMES = "--lock+--total"


DELAYS = ("block delay;", "mutex delay;")
VIEW = "all-views"
# These count all events, and contexts without any in them are dropped; or threads, as often as a chunk defines them; or
# the stack traces that a chunk leaves out; or they name threads: the JDK's reader takes the name of one that was renamed
# from the chunk before if that defines it, be it that no event there needs it.
LEFT_OUT = ("Recording Information", "Contention by Monitor Address", "Contention by Site", "Allocation by Thread",
            "Contention by Thread", "Thread Allocation", "Thread CPU Load", "Platform Thread")
# The rows of event types of which Loupe adds or drops events: its own, and types without a label, all in one row; the
# contexts of RandomRecording are among them.
TYPES = "Event Types by"
TYPES_LEFT_OUT = ("Accounting ", "N/A ")


class Readings:
    def __init__(self):
        self.views, self.problems = {}, {}  # by (file, view)

    def views_of(self, files):
        return sorted({view for file, view in (*self.views, *self.problems) if file in files})

    def total(self, files, view):
        return sum((self.views.get((file, view), collections.Counter()) for file in files), collections.Counter())


def read_by_converter(scenario, files):
    readings = Readings()
    folder = scenario.path("converted")
    os.makedirs(folder)
    done = java("Converter", folder, ",".join(VIEWS), *files, class_path=jars.need(jars.ASYNC_PROFILER))
    for line in done.splitlines():
        number, view, problem = line.split("\t")
        readings.problems[files[int(number)], view] = problem
    for number, file in enumerate(files):
        for view in VIEWS:
            if (file, view) not in readings.problems:
                readings.views[file, view] = collapsed(os.path.join(folder, f"{number}.{view}"))
    return readings


def collapsed(path):
    found = collections.Counter()
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            stack, _, count = line.rstrip("\n").rpartition(" ")
            found[stack] += int(count)
    return found


def java(program, *arguments, options=(), class_path=""):
    """Runs one of tests/java/readers/*.java. Returns its standard output."""
    done = subprocess.run(
        [*readers.command(NEWEST, program, *options, class_path=class_path), *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT_S, check=False)
    if done.returncode != 0:
        raise Failed(f"{program}: {done.returncode} {done.stderr.decode('utf-8', 'replace')[-2000:]}")
    return done.stdout.decode("utf-8", "replace")


def read_by_grafana(scenario, files):
    readings = Readings()
    program = gotool.build_once(os.path.join(HERE, "grafana"))
    done = subprocess.run([program, *files], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT_S,
                          check=False)
    check(done.returncode == 0, f"grafana: {done.stderr.decode('utf-8', 'replace')[-2000:]}")
    for line in done.stdout.decode("utf-8", "replace").splitlines():
        read = json.loads(line)
        for view, counts in read["Views"].items():
            readings.views[read["File"], view] = collections.Counter(counts)
        for view, problem in read["Problems"].items():
            readings.problems[read["File"], view] = problem
    return readings


def read_by_view(scenario, files):
    readings = Readings()
    folder = scenario.path("views")
    os.makedirs(folder)
    opened = ("--add-opens", "jdk.jfr/jdk.jfr.internal.tool=ALL-UNNAMED")
    for line in java("JfrTool", "--views", folder, *files, options=opened).splitlines():
        number, problem = line.split("\t")
        readings.problems[files[int(number)], VIEW] = problem
    for number, file in enumerate(files):
        if (file, VIEW) not in readings.problems:
            with open(os.path.join(folder, str(number)), encoding="utf-8") as shown:
                readings.views[file, VIEW] = tables(shown.read())
    return readings


def tables(text):
    """The lines of the tables that `jfr view` shows, each behind its title; what it has no events for is left out."""
    found, title = collections.Counter(), "messages"
    for paragraph in filter(None, re.split(r"\n{2,}", text.strip("\n"))):
        lines = paragraph.splitlines()
        is_form = len(lines) == 2 and set(lines[1]) == {"-"}
        if is_form or len(lines) == 1 and lines[0].startswith("  "):
            title = lines[0].strip()
        elif not lines[0].startswith("No events found") and not title.startswith(LEFT_OUT):
            if title.startswith(TYPES):  # columns are as wide as the rows that are left out want them
                lines = [" ".join(line.split()) for line in lines if not line.startswith((*TYPES_LEFT_OUT, "-"))]
            found.update(f"{title}: {line}" for line in lines)
    return found


# And whether what a reader shows of the chunks is, added up, what it shows of the recording.
READERS = {"converter": (read_by_converter, True), "grafana": (read_by_grafana, True), "view": (read_by_view, False)}


# --- What has to be the same


def judge(case, readings, is_additive):
    """The lines that say what a reader reads in another way than before, and how many views could be compared."""
    before = case.chunks if is_additive else case.sources
    is_comparable = is_additive or case.is_whole and len(before) == 1
    failures, judged = [], 0
    for view in readings.views_of([*before, case.output]):
        if any((file, view) in readings.problems for file in before):
            continue  # the reader cannot read what it was made of
        judged += 1
        problem = readings.problems.get((case.output, view))
        if problem:
            failures.append(f"{view}: {problem}")
        elif is_comparable:
            failures += difference(case, before, view, readings)
    return [f"{case.name}: {line}" for line in failures], judged


def difference(case, before, view, readings):
    after, before = readings.total([case.output], view), readings.total(before, view)
    if case.is_whole and len(case.sources) == 1 and after == readings.total(case.sources, view):
        return []
    if view == TIMES and len({chunks.clock(path)[2] for path in (*case.chunks, case.output)}) > 1:
        return []  # the output has another clock, as merged ones may, and nanoseconds are rounded
    before, after = comparable(before), comparable(after)
    more, fewer = after - before, before - after
    if len(case.sources) > 1:
        more, fewer = without_named(more, fewer)
    found = [f"{view}: {count} more of {key}" for key, count in more.items() if case.sources]
    found += [f"{view}: {count} fewer of {key}" for key, count in fewer.items() if case.is_whole]
    return found[:SHOWN_MAX]


def without_named(more, fewer):
    """Without the stacks of threads that got a name: JDK 17 may store an event in a chunk that does not describe its thread, and
    a merged chunk has what another one says of it."""
    for key, count in list(more.items()):
        nameless = re.sub(r"^\[[^]]+\];", "[];", key)
        named = min(count, fewer[nameless]) if nameless != key else 0
        more[key] -= named
        fewer[nameless] -= named
    return +more, +fewer


def comparable(view):
    """A view without what depends on the other events of a file: threads of a second JVM get other numbers, ticks
    become nanoseconds, for which jfr-parser takes them always, and the converter says by all events with a frame
    whether it is compiled (_[j]), inlined (_[i]) and so on."""
    found = collections.Counter()
    for key, count in view.items():
        if not key.startswith(DELAYS):
            found[re.sub(r"_\[[0jik1]\](?=;|$)|(?: |(?<=\[))tid=\d+(?=\])", "", key)] += count
    return found


def body(scenario, of, by):
    cases = list((corpus_cases if of == "corpus" else recording_cases)(scenario))
    for reader in by:
        styled = styled_cases(scenario) if of == "recordings" and reader == "grafana" else ()
        judge_by(scenario, reader, [*cases, *styled])


def judge_by(scenario, reader, cases):
    read, is_additive = READERS[reader]
    files = {file for case in cases for file in (*case.sources, *(case.chunks if is_additive else ()), case.output)}
    readings = read(scenario, sorted(files))
    failures, judged = [], 0
    for case in cases:
        lines, count = judge(case, readings, is_additive)
        failures += lines
        judged += count
    for line in failures:
        print(f"FAILED {reader}: {line}", flush=True)
    print(f"{reader}: {judged} views of {len(cases)} recordings", flush=True)
    check(judged and not failures, f"{reader}: {len(failures)} differences, as said above")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--of", choices=("corpus", "recordings"), required=True)
    parser.add_argument("--by", choices=tuple(READERS), nargs="+", required=True)
    chosen = parser.parse_args()
    by = [reader for reader in chosen.by if reader != "view" or NEWEST >= 21]
    if len(by) < len(chosen.by):
        reason = "no JDK of 21 or newer under /usr/lib/jvm: older ones have no jfr view"
        print(reason) if by else skip(reason)
    run(f"same-{chosen.of}", lambda scenario: body(scenario, chosen.of, by))


main()
