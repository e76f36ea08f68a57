# SPDX-License-Identifier: Apache-2.0
"""Promised: what Loupe writes is valid JFR to readers that know nothing of Loupe, and nothing is in it twice,
in vain or in the wrong place.

Recordings of the corpus (--of corpus; --of samples: those in which samples of allocations can be made) or made here
(--of recordings: JDK 17 and 25, several chunks, contexts, by several policies) go through `loupe compact`, some in all
context styles (--of styles); recordings of JVMs with the agent are downloaded from a collector (--of downloads;
--of ties: from threads on which each context begins at the tick at which another ends); so are slices (--of slices), and
recordings with clocks that drift (--of drifting). Each result is judged by
support/structure.py, by the `jfr` tool of JDK 17 and 25, by JDK Mission Control's parser and by the reader of
async-profiler's converter (tests/java/readers/*.java). The same input has to give the same bytes again, on any number of threads.

Without --of a few of all that is made here: each policy, style, JDK and kind once, in one run of each reader.
"""

import argparse
import itertools
import os
import random
import subprocess

from support import chunks as headers, corpus, jars, merging, readers, structure
from support.elimination import write_policy
from support.jfrbytes import Broken, chunks
from support.process import JUDGES, LOUPE, NEWEST, Collector, Failed, check, jdk_home, run, times

LIMIT_S = 600

POLICIES = {
    "covered": {"e2e.Mark": {"select": "if-context"}, "jdk.ObjectAllocationSample": {"select": "if-context"},
                "jdk.ActiveSetting": {"enabled": "false"}},
    "long": {"jdk.ThreadPark": {"threshold": "2 ms"}, "e2e.Trace": {"select": "all"}},
    "nothing": {"e2e.Mark": {"enabled": "false"}, "e2e.Trace": {"enabled": "false"}},
}

# Recordings with chunks of two JVMs, or of a JVM and a profiler, each with ids and a clock of its own: what becomes
# of them has other ids, in chunks in another order.
MIXED = ("event-with-type-zero.jfr.gz", "jdk15.jfr", "AZ0slzMAAAC9yoVJD_6NAwAA.jfr")
MERGED = "merged"
FEW_THREADS = (2, 12)  # JMC's judge takes most of the time
MERGE_DRIFT_NS = 1000000  # within that a merge has the line of a JVM's first chunk
# Recordings with events of allocations, whose metadata has no samples.
SAMPLED = ("example.jfr.gz", "goland-multichunk.jfr.gz")
SAMPLE = "jdk.ObjectAllocationSample"


class Pair:
    """A recording, unpacked, and what became of it; or one recording in the style `events` and in another."""

    def __init__(self, name, source, output, is_styled=False):
        self.name, self.source, self.output, self.is_styled = name, source, output, is_styled


def compact(source, output, *options):
    return subprocess.run([LOUPE, "compact", source, "-o", output, *options], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT_S, check=False)


def make_pair(scenario, name, source, *options):
    """Compacts source, which is not packed; None where it is refused."""
    output = scenario.path(f"{name}.out.jfr")
    if compact(source, output, *options).returncode != 0:
        return None
    with open(output, "rb") as file:
        expected = file.read()
    for more in times([("--threads", "4")], [(), ("--threads", "1"), ("--threads", "2"), ("--threads", "4")]):
        check(compact(source, output, *options, *more).returncode == 0, f"{name}: fails {more}")
        with open(output, "rb") as file:
            check(file.read() == expected, f"{name}: other bytes {' '.join(more) or 'the second time'}")
    return Pair(name, source, output)


# --- Where recordings come from


def corpus_pairs(scenario):
    corpus.need()
    for path in corpus.recordings():
        name = os.path.basename(path)
        yield make_pair(scenario, name, corpus.unpack(path, scenario.path(f"{name}.jfr")))


def contexts(scenario, feature, path, threads=(4, 40)):
    """Records contexts on so many platform and virtual threads, over several chunks. Returns path."""
    platform, virtual = threads
    scenario.jvm(feature, "ContextsE2E", scenario.path("journal.txt"), path, str(platform), str(virtual if feature > 17 else 0),
                 "0").wait_exit()
    return path


def few_pairs(scenario):
    """Of what the functions below make: both JDKs, each policy, each style."""
    recordings = {}
    for feature in (17, 25):
        if jdk_home(feature):
            recordings[feature] = contexts(scenario, feature, scenario.path(f"jdk{feature}.jfr"), FEW_THREADS)
    sources = list(recordings.values())
    for (name, settings), (feature, source) in zip(POLICIES.items(), itertools.cycle(recordings.items())):
        policy = write_policy(scenario.path(f"{name}.jfc"), settings)
        yield make_pair(scenario, f"jdk{feature}-{name}", source, "--policy", policy)
    yield make_pair(scenario, MERGED, glue(scenario, sources))
    for source, options in zip(sources, ((), ("--around",))):
        path = cut(scenario, f"slice{len(options)}", [source], options)
        yield Pair(os.path.basename(path), path, path)
    if len(sources) > 1:
        yield merged_slice(scenario, sources, ("--around",))
    yield from styled_pairs(scenario.part("styles"), is_few=True)
    yield from drifting_pairs(scenario.part("drifting"), recordings)
    for service, pairs in (("readers", downloaded_pairs), ("ties", tied_pairs)):
        yield from pairs(scenario.part(service), [NEWEST])


def recorded_pairs(scenario):
    sources = []
    for feature in (17, 25):
        if not jdk_home(feature):
            continue
        source = contexts(scenario, feature, scenario.path(f"jdk{feature}.jfr"))
        sources.append(source)
        yield make_pair(scenario, f"jdk{feature}", source)
        for name, settings in POLICIES.items():
            policy = write_policy(scenario.path(f"{name}.jfc"), settings)
            yield make_pair(scenario, f"jdk{feature}-{name}", source, "--policy", policy)
    yield make_pair(scenario, MERGED, glue(scenario, sources))


def sampled_pairs(scenario):
    """With samples of allocations that Loupe made; and what becomes of these."""
    corpus.need()
    wanted = ("--policy", write_policy(scenario.path("samples.jfc"), {SAMPLE: {"enabled": "true"}}))
    for path in corpus.recordings():
        name = os.path.basename(path)
        if name in SAMPLED:
            made = make_pair(scenario, f"{name}-made", corpus.unpack(path, scenario.path(name)), *wanted)
            yield make_pair(scenario, name, made.output)


def styled_pairs(scenario, is_few=False):
    """Of one JVM and of two; and again without what async-profiler's reader knows: it cannot read these where they have
    more fields than it expects."""
    sources = {}
    for feature in (17, 25):
        if jdk_home(feature):
            sources[f"jdk{feature}"] = scenario.path(f"jdk{feature}.jfr")
            scenario.jvm(feature, "StyleRecording", sources[f"jdk{feature}"], str(random.randrange(1 << 31))).wait_exit()
    if len(sources) > 1:
        sources[MERGED] = glue(scenario, list(sources.values()))
    unknown = write_policy(scenario.path("unknown.jfc"), {"jdk.ThreadPark": {"enabled": "false"}})
    cases = [(name, source, options) for name, source in sources.items() for options in ((), ("--policy", unknown))]
    for name, source, options in cases[:1] + cases[3::2] if is_few else cases:
        case = f"{name}-unknown" if options else name
        events = make_pair(scenario, f"{case}-events", source, *options)
        for style in ("fields", "ref"):
            styled = make_pair(scenario, f"{case}-{style}", source, "--context-style", style, *options)
            yield Pair(styled.name, events.output, styled.output, is_styled=True)


def sliced_pairs(scenario):
    """Slices, as they are; and of two JVMs, beside those of each."""
    sources = []
    for feature in (17, 25):
        if jdk_home(feature):
            sources.append(contexts(scenario, feature, scenario.path(f"jdk{feature}.jfr")))
    for options in ((), ("--around",)):
        for number, source in enumerate(sources):
            path = cut(scenario, f"slice{number}{len(options)}", [source], options)
            yield Pair(os.path.basename(path), path, path)
        if len(sources) > 1:
            yield merged_slice(scenario, sources, options)


def merged_slice(scenario, sources, options):
    merged = cut(scenario, f"{MERGED}{len(options)}", sources, options)
    slices = [cut(scenario, f"part{number}{len(options)}", [source], options) for number, source in enumerate(sources)]
    return Pair(os.path.basename(merged), glue(scenario, slices, f"glued{len(options)}.jfr"), merged)


def cut(scenario, name, sources, options):
    output = scenario.path(f"{name}.jfr")
    done = subprocess.run([LOUPE, "slice", *sources, "-o", output, "--min-duration", "1us", *options],
                          stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=LIMIT_S, check=False)
    check(done.returncode == 0, f"loupe slice {options}: {done.stderr.decode()}")
    return output


def glue(scenario, sources, name="glued.jfr"):
    """The chunks of all of them in one file. JMC reads each chunk by itself, so it shows what that holds."""
    glued = scenario.path(name)
    with open(glued, "wb") as out:
        for source in sources:
            with open(source, "rb") as file:
                out.write(file.read())
    return glued


def downloaded_pairs(scenario, features=(17, 25)):
    """What the collector serves, contexts of the API included. There is no file that it was made from."""
    for feature in features:
        if not jdk_home(feature):
            continue
        service = f"readers{feature}"
        collector = Collector(scenario, service).start()
        agent = scenario.agent_options(collector, service, segment=2)
        virtual = "8" if feature > 17 else "0"
        raw = scenario.path(f"raw{feature}.jfr")
        scenario.jvm(feature, "ContextsE2E", scenario.path("journal.txt"), raw, "2", virtual, "3", agent=agent,
                     name=service).wait_exit(120)
        path = collector.download(collector.recording(service), scenario.path(f"{service}.jfr"))
        collector.stop()
        yield Pair(service, path, path)


def drifting_pairs(scenario, recordings=None):
    """JVMs whose wall clock runs 12.5 % faster or slower than the ticks say, or is slewed from chunk to chunk; and two of them
    in one recording. recordings: few, by their JDK, in place of new ones."""
    clocks = {"fast": (25, lambda i, ns: ns * 9 // 8), "slow": (17, lambda i, ns: ns * 7 // 8),
              "slewed": (25, lambda i, ns: ns + i % 3 * 2000000)}
    if recordings:
        del clocks["fast"]
    sources, made = dict(recordings or {}), {}
    for name, (feature, clock) in clocks.items():
        if not jdk_home(feature):
            continue
        if feature not in sources:
            sources[feature] = contexts(scenario, feature, scenario.path(f"jdk{feature}.jfr"))
        drifting = headers.redate(sources[feature], scenario.path(f"{name}.jfr"), clock)
        check(headers.drift_ns(drifting) > MERGE_DRIFT_NS, f"{name}: the clock does not drift")
        made[name] = make_pair(scenario, name, drifting)
    yield from made.values()
    made.pop("fast", None)  # it is of the JVM of the slewed one
    if len(made) > 1:
        merged = make_pair(scenario, MERGED, glue(scenario, [pair.source for pair in made.values()]))
        for feature in JUDGES:
            merging.expect_same(feature, merged.output, [pair.output for pair in made.values()])
        yield merged


def tied_pairs(scenario, features=(17, 25)):
    """What the collector serves of a JVM in which contexts begin at the tick at which others end: JMC's parser has to see
    each of them, and once."""
    for feature in features:
        if not jdk_home(feature):
            continue
        service = f"ties{feature}"
        collector = Collector(scenario, service).start()
        scenario.jvm(feature, "RelayE2E", str(times(12, 32)), "1000", agent=scenario.agent_options(collector, service),
                     name=service).wait_exit(120)
        path = collector.download(collector.recording(service), scenario.path(f"{service}.jfr"))
        collector.stop()
        yield Pair(service, path, path)


# --- Judges


def judge_structure(pair):
    with open(pair.source, "rb") as source, open(pair.output, "rb") as output:
        content, made = source.read(), output.read()
    try:
        chunks(content)
    except Broken as problem:
        print(f"{pair.name}: damaged, and left to the readers: {problem}", flush=True)
        return None
    try:
        is_merged = pair.name in MIXED or pair.name.startswith(MERGED)
        structure.check(made, None if is_merged or pair.is_styled else content, is_merged=is_merged)
    except Broken as problem:
        return f"{pair.name}: {problem}"
    return None


def judge_by(feature, program, files, options=(), class_path=""):
    """Runs one of tests/java/readers/*.java over all files. Returns the lines that say that something failed."""
    done = subprocess.run(
        readers.command(feature, program, *options, class_path=class_path) + files,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT_S, check=False)
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    verdicts = [line for line in lines if line.startswith(("ok ", "FAILED "))]
    if done.returncode not in (0, 1) or not verdicts:
        raise Failed(f"{program}: {done.returncode} {done.stderr.decode('utf-8', 'replace')[-2000:]}")
    print(f"{program} of JDK {feature}: {len(verdicts)} verdicts", flush=True)
    return [f"{program} of JDK {feature}: {line[7:]}" for line in verdicts if line.startswith("FAILED ")]


def judge_by_tool(feature, pairs):
    """What the tool cannot print of an input it need not print of the output."""
    options = ("--add-opens", "jdk.jfr/jdk.jfr.internal.tool=ALL-UNNAMED")
    failures = []
    for line in judge_by(feature, "JfrTool", [pair.output for pair in pairs], options):
        pair = next(pair for pair in pairs if pair.output in line)
        if pair.source != pair.output and judge_by(feature, "JfrTool", [pair.source], options):
            print(f"{pair.name}: the jfr tool of JDK {feature} fails on the input as well", flush=True)
        else:
            failures.append(line)
    return failures


def body(scenario, pairs):
    # Of mixed recordings the ticks are others, too, and these two readers show ticks.
    alike = [pair for pair in pairs if pair.name not in MIXED]
    def files(is_merged, *styled):
        return [path for pair in alike if pair.name.startswith(MERGED) == is_merged and pair.is_styled in styled
                for path in (pair.source, pair.output)]
    by_kind = [*files(False, False), "--merged", *files(True, False),
               "--styled", *files(False, True), "--merged", *files(True, True)]
    failures = [problem for problem in map(judge_structure, pairs) if problem]
    print(f"structure: {len(pairs)} recordings", flush=True)
    for feature in JUDGES:
        failures += judge_by_tool(feature, pairs)
    check_none(failures)
    failures += judge_by(NEWEST, "JmcJudge", by_kind, class_path=jars.need(jars.JMC))
    failures += judge_by(NEWEST, "AsyncProfilerJudge", files(False, False, True) + files(True, False, True),
                         class_path=jars.need(jars.ASYNC_PROFILER))
    check_none(failures)
    scenario.check_sanitizers()


def check_none(failures):
    for line in failures:
        print("FAILED " + line, flush=True)
    check(not failures, f"{len(failures)} recordings, as said above")


FEW = "few"
SOURCES = {FEW: few_pairs, "corpus": corpus_pairs, "recordings": recorded_pairs, "samples": sampled_pairs, "styles": styled_pairs,
           "slices": sliced_pairs, "drifting": drifting_pairs,
           "downloads": downloaded_pairs, "ties": tied_pairs}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--of", choices=tuple(SOURCES), default=FEW)
    chosen = parser.parse_args().of
    run(f"readers-{chosen}", lambda scenario: body(scenario, [pair for pair in SOURCES[chosen](scenario) if pair]))


main()
