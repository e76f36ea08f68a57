# SPDX-License-Identifier: Apache-2.0
"""Promised: `loupe compact` makes one recording of several JVMs' recordings, and every event in it is as in the recording
that it came from: type, values, thread, stack trace, and wall times to the nanosecond, in the readers of JDK 17 and 25.

With --of recordings JVMs are recorded, of each JDK there is, and two of the newest that are started at the same moment
and do the same, so that their threads, types and ids have the same names and numbers. A mere concatenation must not pass
for a merged recording. What other versions of Loupe wrote of the events that they dropped stays, and is added to.
With --of corpus the recordings are other people's, of many JVMs and profilers.
"""

import argparse
import collections
import json
import os
import re
import subprocess

from support import chunks, corpus, judge as judging, structure
from support.elimination import write_policy
from support.merging import LIMIT_S, compact, expect_same, judge
from support.process import JUDGES, LOUPE, NEWEST, check, jfr, oracle, run, skip

KILOBYTES, CHUNK_MS = "200", "10"
# What the JDK reads, by itself and rightly; from 2018 to 2025, with eight clock frequencies.
READABLE = ("9u0", "MetadataBaseline_11", "flush_incremental_metadata", "openjdk8u292", "char_attribute", "jdk21", "basic",
            "data-types", "async-profiler-wall", "profiler-multichunk", "string2", "dump1", "example",
            "cpool-uint64-constant-index", "goland-multichunk")
# Made within 100 days: JDK 25's reader computes with doubles from the start of the first chunk, and has whole nanoseconds
# no further than 104 days from there.
NEAR = ("dump1", "goland-multichunk", "jdk21")


def record(scenario):
    """Recordings of JVMs that run side by side; the last two are twins."""
    features = [17] * (NEWEST != 17) + [NEWEST, NEWEST]
    paths = [scenario.path(f"jvm{i}.jfr") for i in range(len(features))]
    jvms = [scenario.jvm(feature, "RandomRecording", path, "7", KILOBYTES, CHUNK_MS, name=f"jvm{i}")
            for i, (feature, path) in enumerate(zip(features, paths))]
    for jvm in jvms:
        jvm.wait_exit(LIMIT_S)
    return paths


def keep_all(scenario, recordings):
    """A policy by which every contextual event stays, too."""
    names = set()
    for path in recordings:
        status, lines = oracle("OracleDump", path, limit_s=LIMIT_S)
        check(status == 0, f"the JDK cannot read {path}")
        names |= {fields[0] for fields in (line.split("\t") for line in lines.splitlines()) if fields[2] == "1"}
    check(names, "no contextual events")
    return write_policy(scenario.path("all.jfc"), {name: {"select": "all"} for name in sorted(names)})


def counts(path, feature):
    """How many events of each type `jfr summary` sees."""
    found = {}
    for name, count in re.findall(r"^ (\S+) +(\d+) +\d+$", jfr("summary", path, feature=feature), re.MULTILINE):
        if name not in ("jdk.Metadata", "jdk.Checkpoint", "jdk.CheckPoint"):  # the latter is JDK 17's
            found[name] = found.get(name, 0) + int(count)
    return {name: count for name, count in found.items() if count > 0}


def check_summary(merged, parts, feature):
    expected = collections.Counter()
    for path in parts:
        expected.update(counts(path, NEWEST))
    found = counts(merged, feature)
    check(found == expected, f"jfr summary of JDK {feature}: {set(found.items()) ^ set(expected.items())}")


def recordings_body(scenario):
    recordings = record(scenario)
    merged, alone = scenario.path("merged.jfr"), [path.replace("jvm", "alone") for path in recordings]
    digest = compact(merged, *recordings)
    for source, out in zip(recordings, alone):
        compact(out, source)
    for feature in JUDGES:
        print(f"JDK {feature}: {expect_same(feature, merged, alone)} events", flush=True)
        check_summary(merged, alone, feature)

    everything = scenario.path("everything.jfr")
    compact(everything, *recordings, "--policy", keep_all(scenario, recordings))
    if NEWEST == 25:  # JDK 17 has another clock for each run of chunks with the same types
        print(f"nothing dropped: {expect_same(25, everything, recordings)} events", flush=True)
    check_naive(scenario, recordings, digest)
    check_versions(scenario, alone)
    check_later(scenario, recordings)

    again = scenario.path("again.jfr")
    compact(again, merged)  # what is merged can be compacted like any recording
    expect_same(NEWEST, again, [merged])


def of_another_version(source, path, every=1):
    """The recording as a version of Loupe wrote it, or each so many chunks of it, that had another reason to drop events.
    Returns path."""
    with open(source, "rb") as file:
        content = file.read()
    parts = [content[begin:end] for begin, end in chunks.bounds(content)]
    changed = [part if i % every else part.replace(b"contextMatch", b"fullMoonNigh") for i, part in enumerate(parts)]
    check(changed != parts and (every == 1 or changed[0] != parts[0] and len(parts) > 1), f"{source} has no accounts")
    with open(path, "wb") as file:
        file.write(b"".join(changed))
    return path


def dropped(paths):
    """How many events of each type were dropped, by the accounts of the recordings."""
    found = collections.Counter()
    for path in paths:
        found.update({name: sum(reasons.values()) for name, (_, _, reasons) in judging.accounts(path).items()})
    return found


def check_versions(scenario, alone):
    """Of one version and of another, and of a collector that became another meanwhile."""
    parts = [of_another_version(alone[0], scenario.path("version0.jfr")), *alone[1:-1],
             of_another_version(alone[-1], scenario.path("version.jfr"), every=2)]
    out = scenario.path("versions.jfr")
    compact(out, *parts)
    expect_same(NEWEST, out, parts)
    often = collections.Counter()
    for path in parts:
        often.update(event.type for event in judging.dump(path))
    name, count = often.most_common(1)[0]
    policy = write_policy(scenario.path("less.jfc"), {name: {"enabled": "false"}})
    for sources, is_merged in ((parts, True), (parts[-1:], False)):
        compact(out, *sources, "--policy", policy)
        left = collections.Counter(event.type for event in judging.dump(out))
        before = collections.Counter(event.type for path in sources for event in judging.dump(path))
        expected = dropped(sources) + (before - left)
        check(left[name] == 0 and dropped([out]) == expected, f"accounts say {dropped([out])}, missing are {expected}")
        done = subprocess.run([LOUPE, "summary", out, "--json"], stdout=subprocess.PIPE, check=True)
        said = json.loads(done.stdout)["types"]
        found = {of: sum(row["dropped"].values()) for of, row in said.items() if row["dropped"]}
        check(found == expected, f"summary says {found}, missing are {expected}")
        if is_merged:
            with open(out, "rb") as file:
                structure.check(file.read(), None, is_merged=True)
    print(f"other versions: {count} events of type {name} dropped besides")


def check_later(scenario, recordings):
    """What was merged, and with it what one of its JVMs recorded later: its clock and keys are not those of the merged."""
    with open(recordings[-1], "rb") as file:
        content = file.read()
    parts = [content[begin:end] for begin, end in chunks.bounds(content)]
    check(len(parts) >= 3, f"{recordings[-1]} has {len(parts)} chunks")
    half = len(parts) // 2
    for name, some in (("earlier", parts[:half]), ("later", parts[half + 1:])):
        with open(scenario.path(f"{name}.jfr"), "wb") as file:
            file.write(b"".join(some))
    early, later, both = (scenario.path(f"{name}.jfr") for name in ("early", "kept", "both"))
    compact(early, scenario.path("earlier.jfr"), recordings[0])
    compact(later, scenario.path("later.jfr"))
    compact(both, early, scenario.path("later.jfr"))
    print(f"merged, and more of a JVM: {expect_same(NEWEST, both, [early, later])} events", flush=True)


def check_naive(scenario, recordings, digest):
    """The judge sees what is wrong with a concatenation; `loupe compact` makes the same of it as of the files."""
    glued, again = scenario.path("glued.jfr"), scenario.path("again.jfr")
    with open(glued, "wb") as out:
        for path in recordings:
            with open(path, "rb") as file:
                out.write(file.read())
    for feature in JUDGES:
        status, _ = judge(feature, glued, recordings)
        check(status != 0, f"JDK {feature} takes a mere concatenation for a merged recording")
    check(compact(again, glued) == digest, "the same chunks in one file give another result")
    check(compact(again, *recordings[::-1]) == digest, "another order of the files gives another result")
    for threads in ("1", "3"):
        check(compact(again, *recordings, "--threads", threads) == digest, f"{threads} threads give another result")


def corpus_body(scenario):
    corpus.need()
    packed = {os.path.basename(path).split(".")[0]: path for path in corpus.recordings()}
    paths = {name: corpus.unpack(packed[name], scenario.path(f"{name}.jfr")) for name in READABLE if name in packed}
    if len(paths) < len(READABLE):
        skip(f"not in {corpus.FOLDER}: {set(READABLE) - set(packed)}")
    merged = scenario.path("merged.jfr")
    compact(merged, *paths.values())
    print(f"JDK 17: {expect_same(17, merged, paths.values())} events of {len(paths)} recordings", flush=True)
    if NEWEST == 25:
        near = [paths[name] for name in NEAR]
        compact(merged, *near)
        print(f"JDK 25: {expect_same(25, merged, near)} events of {len(near)} recordings", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--of", choices=("recordings", "corpus"), required=True)
    chosen = parser.parse_args().of
    run(f"merge-{chosen}", recordings_body if chosen == "recordings" else corpus_body)


main()
