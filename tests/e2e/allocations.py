# SPDX-License-Identifier: Apache-2.0
"""Promised: where a recording has events of TLABs and no samples of allocations, the policy may want samples, and the sum
of their weights is what was allocated: within 5 % for each class, also if a throttle leaves a part of them.

Threads of a JVM, told to make no samples, allocate objects of four classes and count them, over several chunks. The JDK's
reader adds up the weights. Recordings that profilers made on older JVMs, whose metadata knows no samples, are judged
by the sums of their own events.
"""

import argparse
import collections
import os

from support import chunks, corpus, judge, structure
from support.elimination import compact, write_policy
from support.process import JUDGES, check, need_jdk, oracle, run, times

SAMPLE, IN_TLAB, OUTSIDE = EVENTS = ("jdk.ObjectAllocationSample", "jdk.ObjectAllocationInNewTLAB",
                                     "jdk.ObjectAllocationOutsideTLAB")
# Small, so that there are many, and sums are no matter of chance; but large enough for what is wasted at their ends, some
# hundred bytes, to be little.
VM = ("-XX:TLABSize=32k", "-XX:-ResizeTLAB", "-Xmn64m")
BATCHES = times(120, 250)  # of 4 MB, on each of four threads
DEVIATION_MAX = 0.05
WANTED = {"enabled": "true"}
# By async-profiler, in one chunk and in several; their metadata knows no samples.
OF_PROFILERS = ("example.jfr.gz", "goland-multichunk.jfr.gz")


def sums(path, feature):
    """Of each type, by class: how many events, and how many bytes."""
    status, output = oracle("AllocationSums", path, feature=feature)
    check(status == 0, f"the reader of JDK {feature} fails on {path}")
    found = {name: {} for name in EVENTS}
    for line in output.splitlines():
        name, of, count, size = line.split("\t")
        found[name][of] = int(count), int(size)
    return found


def total(of_type):
    return sum(count for count, _ in of_type.values()), sum(size for _, size in of_type.values())


def compacted(scenario, source, name, settings):
    out = scenario.path(f"{name}.jfr")
    done = compact(source, out, write_policy(scenario.path(f"{name}.jfc"), settings))
    check(done.returncode == 0, done.stderr.decode())
    with open(out, "rb") as file:
        structure.check(file.read())
    found = [sums(out, feature) for feature in JUDGES]
    check(all(one == found[0] for one in found), f"{name}: the readers do not agree")
    return out, found[0]


def check_classes(found, known):
    for of, size in known.items():
        count, weight = found[SAMPLE].get(of, (0, 0))
        deviation = weight / size - 1
        print(f"{of}: {size} bytes, {weight} in {count} samples: {100 * deviation:+.2f} %")
        check(abs(deviation) < DEVIATION_MAX, f"{of}: {weight} is not {size}")


def check_origin(source, out):
    """Each sample has the time and the thread of an event of its own."""
    events = collections.Counter((e.start, e.thread) for e in judge.dump(source) if e.type in (IN_TLAB, OUTSIDE))
    samples = collections.Counter((e.start, e.thread) for e in judge.dump(out) if e.type == SAMPLE)
    surplus = samples - events
    check(not surplus, f"made of nothing: {list(surplus)[:5]}")


def check_all_made(before, found):
    """Without a throttle, and without the events: a sample for each, of as many bytes."""
    count, size = map(sum, zip(total(before[IN_TLAB]), total(before[OUTSIDE])))
    check(total(found[SAMPLE]) == (count, size), f"{total(found[SAMPLE])} is not {count}, {size}")
    check(not found[IN_TLAB] and not found[OUTSIDE], "the events stayed")
    return count, size


def seconds(path):
    """From the first event of an allocation to the last."""
    _, _, ticks_per_s = chunks.clock(path)
    starts = [e.start for e in judge.dump(path) if e.type in (IN_TLAB, OUTSIDE)]
    return (max(starts) - min(starts)) / ticks_per_s


def of_jvm(feature, scenario):
    need_jdk(feature)
    source, counts = scenario.path("in.jfr"), scenario.path("counts.txt")
    scenario.jvm(feature, "AllocationE2E", source, counts, str(BATCHES), vm=VM).wait_exit(300)
    with open(counts, encoding="utf-8") as file:
        known = {of: int(size) for of, size in (line.split("\t") for line in file)}
    check(len(chunks.start_ticks(source)) > 2, "there are not several chunks")
    before = sums(source, JUDGES[-1])
    check(not before[SAMPLE] and before[IN_TLAB] and before[OUTSIDE], f"{ {k: total(v) for k, v in before.items()} }")

    _, found = compacted(scenario, source, "all", {SAMPLE: WANTED})
    offered, size = check_all_made(before, found)
    check_classes(found, known)

    rate = int(0.7 * offered / seconds(source))
    out, found = compacted(scenario, source, "throttled", {SAMPLE: {**WANTED, "throttle": f"{rate}/s"}})
    kept, weight = total(found[SAMPLE])
    print(f"{kept} of {offered} at {rate}/s")
    check(kept < 0.9 * offered, f"{kept} of {offered} is no sample")
    check(0.99 * size < weight <= size, f"{weight} of {size} bytes in {kept} of {offered} samples")
    check_classes(found, known)
    check_origin(source, out)

    _, found = compacted(scenario, source, "both", {"jdk.ObjectAllocation*": WANTED})
    check(found[IN_TLAB] == before[IN_TLAB] and found[OUTSIDE] == before[OUTSIDE], "the events did not stay")
    check(total(found[SAMPLE]) == (offered, size), "beside the events there are other samples")


def of_profilers(scenario):
    corpus.need()
    for path in corpus.recordings():
        name = os.path.basename(path)
        if name in OF_PROFILERS:
            source = corpus.unpack(path, scenario.path(name))
            out, found = compacted(scenario, source, f"out-{name}", {SAMPLE: WANTED})
            print(name, check_all_made(sums(source, JUDGES[-1]), found))
            check_origin(source, out)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, help="of the JVM; without: recordings of profilers")
    options = parser.parse_args()
    run("allocations", lambda scenario: of_jvm(options.jdk, scenario) if options.jdk else of_profilers(scenario))


main()
