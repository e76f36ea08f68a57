#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Promised: what the API records leaves the agent as it was written, and the API never harms its user.

A real JVM with the real agent, which ships into a file here. Each case is a function below.
"""

import argparse
import itertools
import math
import os
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from support import records  # pylint: disable=wrong-import-position
from support.process import BRIEF, Failed, check, javac, need_jdk  # pylint: disable=wrong-import-position
from support.records import SET, THREAD_END, UNSET  # pylint: disable=wrong-import-position

AGENT = os.environ["LOUPE_RINGS_AGENT"]
JAR = os.environ["LOUPE_RINGS_JAR"]
API_JAR = os.environ["LOUPE_API_JAR"]
PRELOAD = os.environ.get("LOUPE_AGENT_PRELOAD", "")
LIMIT_S = 240  # ends what hangs


class Run:
    def __init__(self, feature, directory):
        self.feature = feature
        self.java = f"{need_jdk(feature)}/bin/java"
        self.directory = directory
        self.records = os.path.join(directory, "records")
        self.log = ""
        self.agent = f"-agentpath:{AGENT}=collector={self.records},policy=default,segment=1"
        self.agent_env = dict(os.environ)
        if PRELOAD:
            # The JVM raises SIGSEGV on purpose, and its own memory is none of our business.
            self.agent_env["LD_PRELOAD"] = PRELOAD
            self.agent_env["ASAN_OPTIONS"] = "handle_segv=0:detect_leaks=0:abort_on_error=1"

    def run(self, arguments, env=None):
        done = subprocess.run([self.java, "-Xmx512m", "-XX:+UseSerialGC", *arguments], env=env, cwd=self.directory,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT_S, check=False)
        self.log = done.stderr.decode("utf-8", "replace")
        out = done.stdout.decode("utf-8", "replace")
        check(done.returncode == 0, f"{arguments}: status {done.returncode}\n{out[-2000:]}\n{self.log[-4000:]}")
        return out

    def with_agent(self, program, *args, vm=(), path=()):
        return self.run([*vm, self.agent, "-cp", ":".join([API_JAR, JAR, *path]), f"dev.loupe.rings.{program}", *args],
                        self.agent_env)

    def judge(self, program, *args):
        return self.run([*BRIEF, "-cp", JAR, f"dev.loupe.rings.{program}", self.records, *args])

    def dump(self):
        return self.judge("Dump").splitlines()

    def types(self):
        return records.types(self.records)

    def counts(self):
        with open(self.records + ".counts", encoding="utf-8") as file:
            return [int(word) for word in file.read().split()][:3]

    def owned(self):
        with open(self.records + ".counts", encoding="utf-8") as file:
            return int(file.read().split()[3])


def expect_lines(found, expected):
    for number, (one, other) in enumerate(itertools.zip_longest(found, expected)):
        check(one == other, f"line {number} is\n{str(one)[:4000]}\nand not\n{str(other)[:4000]}")


def load(run, threads, count, rounds):
    out = run.with_agent("Load", threads, str(count), str(rounds))
    print(run.judge("LoadJudge", threads, out.split()[1]).strip())


def platform(run):
    load(run, "platform", 8, 250_000)


def virtual(run):
    load(run, "virtual", 50_000, 40)


def values(run):
    run.with_agent("Cases", "kinds")
    flat = struct.unpack("<q", struct.pack("<d", math.pi))[0]
    single = struct.unpack("<I", struct.pack("<f", -1.5))[0]
    line = f"1 {SET} 1 1 -1 {0x20ac} -2 {-2**31} {-2**63} {single} {flat}"
    expect_lines(run.dump(), [line, f"1 {UNSET} 1"])
    kinds = [["1", "flag", "A flag", "It is on"], ["2", "b", "", ""], ["3", "c", "", ""], ["4", "s", "", ""],
             ["5", "i", "", ""], ["6", "l", "", ""], ["7", "f", "", ""], ["8", "d", "", ""]]
    expected = ["1", "kinds", "All kinds", "A type with every primitive kind"] + sum(kinds, [])
    check(run.types()[0] == expected, f"types: {run.types()}")
    orders = [["ordered", "z", "a", "m", "b"], ["pair", "y", "x", "w", "v"], ["ordered", "a", "b", "m", "z"]]
    check([[t[1], *t[5::4]] for t in run.types()[1:]] == orders, f"types: {run.types()}")


def texts(run):
    run.with_agent("Cases", "texts")
    expected = [
        ("null", "null"),
        ('""', '"\\u00e9\\u00e8"'),
        ('"\\u20ac\\ud83d\\ude00"', '"built"'),
        ('"' + "x" * 1024 + '"', '"' + "\\u00e9" * 512 + '"'),
        ('"' + "x" * 1023 + '"', '"xx' + "\\u20ac" * 340 + '"'),
        ('"x' + "\\ud83d\\ude00" * 255 + '"', '"' + "\\ud83d" * 341 + '"'),
        ('"' + "x" * 1024 + '"', "null"),
    ]
    # The main thread ends with a context open.
    expect_lines(run.dump(), [f'1 {SET} 1 {a} {b} "base"' for a, b in expected] + [f"1 {UNSET} 1"])
    check(run.counts() == [7, 0, 6], f"counts: {run.counts()}")
    names = [run.types()[0][i] for i in (1, 5, 9, 13)]
    check(names == ["dev.loupe.rings.Cases$Texts", "text", "sequence", "inherited"], f"names: {names}")


def ends(run):
    run.with_agent("Cases", "ends")
    # Threads are in stripes of their own, whose order is not fixed; they have numbers in the dump.
    found = [line.split() for line in run.dump()]
    by_thread = {}
    for type_id, kind, thread, *rest in found:
        by_thread.setdefault(thread, []).append((int(type_id), int(kind), *rest))
    expected = [[(1, SET, "1"), (2, SET, "2"), (1, UNSET), (2, UNSET)], [(1, SET, "4"), (1, UNSET)]]
    expected += [[(1, SET, "3"), (1, UNSET)]] * 100
    check(sorted(by_thread.values()) == sorted(expected), f"records: {found}")
    check(run.owned() == 0, f"{run.owned()} rings are kept by threads that have ended")


def vanished(run):
    run.with_agent("Cases", "vanished", run.records)
    found = [line.split() for line in run.dump()]
    by_thread = {}
    for _, kind, thread, *rest in found:
        by_thread.setdefault(thread, []).append((int(kind), *rest))
    lives = [(SET, "-1"), (SET, "-2"), (UNSET,)]
    check(sorted(by_thread.values()) == [lives] + [[(SET, "1"), (THREAD_END,)]] * 1000, f"records: {found[:40]}")
    # Those of the carriers, which live on, and of the thread that looked for the dead.
    check(run.owned() <= (os.cpu_count() or 1) + 1, f"{run.owned()} rings are kept by threads that have ended")


def stack(run):
    for mode in ((), ("-Xint",), ("-XX:TieredStopAtLevel=1",)):
        run.with_agent("Cases", "stack", run.records, vm=("-Xss256k", *mode))
        found = run.dump()
        expect_lines(found[-2:], [f"1 {SET} 1 -2", f"1 {UNSET} 1"])
        taken, dropped, _ = run.counts()
        print(f"{' '.join(mode)}: {taken} contexts, {dropped} dropped")


def race(run):
    out = run.with_agent("Cases", "race", run.records)
    expect_lines(run.dump()[-2:], [f'1 {SET} 1 "last" null "base"', f"1 {UNSET} 1"])
    taken, dropped, _ = run.counts()
    tries = int(re.search(r"^tries (\d+)$", out, re.MULTILINE)[1])
    check(taken + dropped == 100_000 + tries, f"{taken} taken, {dropped} dropped, {tries} tries")


def services(run):
    directory = os.path.join(run.directory, "classes")
    os.makedirs(f"{directory}/META-INF/services")
    with open(f"{directory}/META-INF/services/dev.loupe.ContextType$Registration", "w", encoding="ascii") as file:
        for name in ("BrokenService", "Missing", "Service"):
            file.write(f"dev.loupe.rings.Cases${name}\n")
    run.with_agent("Cases", "services", path=[directory])
    check([t[1] for t in run.types()] in ([], ["other", "number"]), f"types: {run.types()}")
    check("broken on purpose" in run.log and "Missing" in run.log, f"log: {run.log}")
    # What follows a service that cannot be loaded is not looked at; without it all is well.
    with open(f"{directory}/META-INF/services/dev.loupe.ContextType$Registration", "w", encoding="ascii") as file:
        file.write("dev.loupe.rings.Cases$BrokenService\ndev.loupe.rings.Cases$Service\n")
    run.with_agent("Cases", "services", path=[directory])
    check([t[1] for t in run.types()] == ["other", "number"], f"types: {run.types()}")
    expect_lines(run.dump(), [f"2 {SET} 1 1", f"2 {UNSET} 1"])


def compile_old(run):
    """An event that was compiled while the annotation was dev.loupe.Contextual, for all to use."""
    sources, classes = (os.path.join(run.directory, name) for name in ("old", "old-classes"))
    os.makedirs(f"{sources}/dev/loupe")
    with open(f"{sources}/dev/loupe/Contextual.java", "w", encoding="ascii") as file:
        file.write("package dev.loupe; import java.lang.annotation.*;"
                   "@Retention(RetentionPolicy.RUNTIME) public @interface Contextual {}")
    with open(f"{sources}/OldEvent.java", "w", encoding="ascii") as file:
        file.write('@jdk.jfr.Name("test.Old") @dev.loupe.Contextual public class OldEvent extends jdk.jfr.Event {'
                   '@dev.loupe.Contextual String traceId = "old"; }')
    javac("-d", classes, f"{sources}/OldEvent.java", f"{sources}/dev/loupe/Contextual.java", feature=run.feature)
    os.remove(f"{classes}/dev/loupe/Contextual.class")
    return classes


def contextual(run):
    """Loupe's annotation is recorded under the JDK's name, also beside the JDK's own, with the agent and without."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "ContextualEvents.java"), encoding="ascii") as file:
        source = file.read()
    expected = ["test.Field traceId jdk.jfr.Contextual", "test.Old type jdk.jfr.Contextual traceId jdk.jfr.Contextual",
                "test.Type type jdk.jfr.Contextual", "test.Work"]
    if run.feature >= 25:
        source = source.replace("// JDK 25: ", "")
        expected.insert(1, "test.Jdk traceId jdk.jfr.Contextual")
    with open(os.path.join(run.directory, "ContextualEvents.java"), "w", encoding="ascii") as file:
        file.write(source)
    arguments = [*BRIEF, "-cp", f"{API_JAR}:{compile_old(run)}", "ContextualEvents.java", os.path.join(run.directory, "events.jfr")]
    for agent in (False, True):
        out = run.run([*([run.agent] if agent else []), *arguments], run.agent_env if agent else None)
        expect_lines(sorted(line for line in out.splitlines() if line.startswith("test.")), sorted(expected))


def unnamed(run):
    """A field without a name is recorded only where its class, or the option, asks for it; one line of each class says so."""
    def attempt(expected_registered, expected_types, expected_values):
        out = run.with_agent("Cases", "unnamed")
        lines = [line for line in run.log.splitlines() if "without @Name: " in line]
        check(out.split() == expected_registered * 2, f"registered: {out}")
        check([[t[1], *t[5::4]] for t in run.types()] == expected_types, f"types: {run.types()}")
        expect_lines(run.dump()[:len(expected_values)], expected_values)
        check(len(lines) == 2 and all("password, count." in line for line in lines), f"log: {lines}")
        return lines

    lines = attempt(["true", "false"], [["secretive", "id", "all"]], [f"1 {SET} 1 3 1", f"1 {UNSET} 1"])
    check("Cases$Secretive: not recorded" in lines[0] and "fields=all" in lines[0], lines[0])
    check("Cases$Nameless: not recorded" in lines[1] and "is not registered" in lines[1], lines[1])
    run.agent += ",fields=all"
    lines = attempt(["true", "true"], [["secretive", "id", "password", "count", "all"],
                                       ["dev.loupe.rings.Cases$Nameless", "password", "count"]],
                    [f'1 {SET} 1 3 "secret" 4 1', f'2 {SET} 1 "secret" 5'])
    check(all("the option fields=all records" in line for line in lines), f"log: {lines}")


def misuse(run):
    run.with_agent("Cases", "misuse")
    check([t[1] for t in run.types()] == ["kinds", "sixteen", "seven", "number"], f"types: {run.types()}")
    for name, has, left in (("Seventeen", 17, 24), ("Texts", 3, 1), ("Other", 1, 0)):
        told = f"Cases${name} is not registered: it has {has} attributes, and a type can have 16; of the 32 of all types of this JVM {left} are left"
        check(run.log.count(told) == 1, f"no '{told}' in the log: {run.log}")
    told = [line for line in run.log.splitlines() if "Cases$Kinds" in line]
    check(len(told) == 1 and "norThat (java.lang.Object)" in told[0] and "primitive type, String or CharSequence" in told[0],
          f"of fields that cannot be recorded: {told}")
    check("norThis" not in told[0] and "notAnAttribute" not in told[0], told[0])
    check("norThose" not in run.log, f"a field of a type that is not recorded at all is named: {run.log}")
    expect_lines(run.dump(), [])


def bare(run):
    """Without the agent, with jdk.jfr and without, nothing internal is even loaded."""
    for modules in ((), ("--limit-modules", "java.base")):
        out = run.run([*modules, "-Xlog:class+load", "-cp", f"{API_JAR}:{JAR}", "dev.loupe.rings.Cases", "bare"])
        loaded = set(re.findall(r" (dev\.loupe\.internal\.\S+)", out))
        check(loaded == {"dev.loupe.internal.Agent"}, f"loaded: {loaded}")


def tasks(run):
    """The records of the two threads of a task with contexts, and of another that it runs itself."""
    main, worker = map(int, run.with_agent("Cases", "tasks").split())
    found = {main: [], worker: []}
    for type_id, kind, thread, time, values in records.read(run.records):
        found[thread].append((type_id, kind, time, values))
    begin, end = found[main]
    check(begin[:2] == (1, SET) and end[:2] == (1, UNSET), f"{found[main]}")
    (outer, carried, second, third, inner, again, restored, *rest) = found[worker]
    check([record[:2] for record in (outer, carried, second, third)] == [(2, SET)] + 3 * [(1, SET)], f"{found[worker]}")
    check([record[3][0] for record in (carried, second, third)] == [1, 2, 3], f"{found[worker]}")
    check(outer[3][0] == main and begin[2] <= outer[3][1] <= outer[2], f"handed over as {outer}, in {begin}")
    check(inner[:2] == (2, SET) and inner[3][0] == worker and second[2] <= inner[3][1] <= third[2], f"inside: {inner}")
    # The inner task had 2; behind it the thread has 3 again, until the end of the outer task.
    check((again[3], restored[3]) == ((2,), (3,)), f"{found[worker]}")
    check([record[:2] for record in rest] == [(1, UNSET)], f"{found[worker]}")
    check(run.types()[1][1] == "loupe.HandOver", f"{run.types()}")


def requests(run):
    """The contexts of a request have its id on both threads; roots say when it begins and ends, where the program does."""
    main, worker = map(int, run.with_agent("Cases", "requests").split())
    by_name = {t[1]: int(t[0]) for t in run.types()}
    kinds = [[int(kind) for kind in t[4::4]] for t in run.types()[:2]]
    check(kinds == [[records.STRING | records.ROOT_KEY, records.STRING], [records.HEX | records.ROOT_KEY, records.HEX]],
          f"types: {run.types()}")
    context, root = by_name["loupe.RecordingContext"], by_name["loupe.Request"]
    found, times = {main: [], worker: []}, {}
    for type_id, kind, thread, time, values in records.read(run.records):
        if type_id == context:
            found[thread].append(values[1] if kind == SET else None)
        elif type_id == root:
            check(kind == SET, f"a root with kind {kind}")
            found[thread].append(("end" if values[1] else "begin", values[0]))
            times.setdefault(values[0], []).append(time)
    one, two, three, four = dict.fromkeys(item for item in found[main] if isinstance(item, int))
    check(all(request > 0 for request in (one, two, three, four)), f"{found}")
    check([request % 2 for request in (one, two, three, four)] == [0, 1, 0, 1], f"{found}")
    outside = lambda request: [request, request, request, None]  # outer, inner, outer again, and its end
    expect_lines(found[main], [*outside(one), ("begin", two), *outside(two), *outside(three), ("begin", four), ("end", four), four, None])
    check(found[worker] == [*outside(one), *outside(two), *outside(three), ("end", two)], f"{found[worker]}")
    check(all(begin <= end for begin, end in times.values()), f"{times}")


CASES = {f.__name__: f for f in (tasks, requests, platform, virtual, values, texts, ends, vanished, stack, race, services, contextual, unnamed, misuse,
                                  bare)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--case", choices=sorted(CASES), required=True)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="loupe-rings-") as directory:
        try:
            CASES[args.case](Run(args.jdk, directory))
        except Failed as failure:
            sys.exit(f"{args.case}: FAILED: {failure}")


main()
