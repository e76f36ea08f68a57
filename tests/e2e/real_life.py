# SPDX-License-Identifier: Apache-2.0
"""Promised: what happens to real JVMs takes nothing from the recording but what docs/run/load.md says, and
the agent takes nothing from the application.

--case recordings: somebody has a recording of his own, begun before ours or after it, with other settings, and dumps.
--case stopped:    somebody stops our recording: it is started again, and counted.
--case flags:      other garbage collectors, and the interpreter alone.
--case xcheck:     -Xcheck:jni finds nothing that it would not find without the agent.
--case halt:       Runtime.halt; what was streamed before it is there.
--case hook:       System.exit in a shutdown hook.
--case memory:     no memory left, for a while.
--case exit:       -XX:+ExitOnOutOfMemoryError.
--case unload:     classes of events and contexts that come and go.
--case fork:       native code forks.
--case clock:      the wall clock is set back by ten minutes, twice.
--case disk:       the disk with JFR's repository is full for a while.
--case no_jfr:     a Java runtime without JFR.
"""

import argparse
import os
import re
import subprocess

from support import judge, sequence
from support.clock import BEHIND, FakeClock
from support.process import AGENT, LIB_DIR, LIMIT_S, Collector, check, need_jdk, run, skip, wait_for

HALTED = 7
RESTARTED = "somebody stopped the agent's recording"
PER_SECOND = "1000"
DISK_MB = 128
LEFT_MB = 20  # less than the agent wants, more than JFR takes in a few seconds


class Run:
    """SequenceE2E, or RealLife around it, with the agent and a collector."""

    def __init__(self, feature, scenario, *program, vm=(), env=None, **options):
        self.feature = feature
        self.scenario = scenario
        self.collector = Collector(scenario).start()
        self.stop_file = scenario.path("stop")
        name, *args = program or ["SequenceE2E"]
        self.jvm = scenario.jvm(feature, name, *args, PER_SECOND, f"until:{self.stop_file}", name="jvm", vm=vm, env=env,
                                agent=scenario.agent_options(self.collector, "life", **{"segment": 60, **options}))

    def jcmd(self, *arguments):
        return self.jvm.jcmd(self.feature, *arguments)

    def run_on(self):
        """Waits for another "at N", and returns the next tick that is surely still to come, N + 1000."""
        ats = [int(line.split()[1]) for line in list(self.jvm.lines) if line.startswith("at ")]
        at = max(ats, default=0) + 1000
        self.jvm.wait_line(f"at {at}$")
        return at + 1000

    def end(self, expected=0):
        with open(self.stop_file, "w", encoding="ascii"):
            pass
        self.jvm.wait_exit(expected=expected)

    def download(self, name="download.jfr"):
        return self.collector.download(self.collector.recording("life"), self.scenario.path(name))

    def check_all(self):
        ticks, first_context = sequence.last_words(self.jvm)
        sequence.check_complete(self.download(), ticks, first_context)

    def numbers(self):
        return self.collector.get(f"/api/v1/recordings/{self.collector.recording('life')}").json()


def ticks_of(path):
    return sorted(int(event.values["seq"]) for event in judge.dump(path) if event.type == "e2e.Tick")


def check_run(path, begun, until):
    """A user's own recording has each tick once, without a gap: it had begun before the tick begun and was there until
    ticks were at until."""
    ticks = ticks_of(path)
    check(ticks == list(range(ticks[0], ticks[-1] + 1)), f"{path}: {judge.diff(range(ticks[0], ticks[-1] + 1), ticks)}")
    is_right = ticks[0] <= begun and ticks[-1] >= until - 1000
    check(is_right, f"{path}: {ticks[0]} to {ticks[-1]}, begun before {begun}, until {until}")


def recordings(feature, scenario):
    first, second, dumped = (scenario.path(f"{name}.jfr") for name in ("first", "second", "dumped"))
    both = Run(feature, scenario, vm=[f"-XX:StartFlightRecording=name=first,filename={first},settings=default"],
               segment=1)
    both.run_on()
    both.jcmd("JFR.start", "name=second", "settings=none", "e2e.Tick#threshold=0ns", "jdk.ThreadPark#enabled=false")
    begin = both.run_on()
    for name in ("", "name=first", "name=loupe"):
        both.jcmd("JFR.dump", *name.split(), f"filename={dumped}")
        check_run(dumped, 1, begin)
    end = both.run_on()
    both.jcmd("JFR.stop", "name=second", f"filename={second}")
    both.jcmd("JFR.stop", "name=first", f"filename={first}")
    both.run_on()
    both.end()
    check_run(first, 1, end)
    check_run(second, begin, end)
    both.check_all()
    check(both.numbers()["losses"]["jfr_restarts"] == 0, "restarts are counted, and there were none")


def stopped(feature, scenario):
    theirs = scenario.path("theirs.jfr")
    life = Run(feature, scenario, "RealLife", "open")
    life.run_on()
    life.jcmd("JFR.stop", "name=loupe")
    wait_for_restarts(scenario, 1)
    again = life.run_on()
    life.jcmd("JFR.start", "name=theirs", "settings=default")
    begin = life.run_on()
    life.jcmd("JFR.stop", "name=loupe")
    wait_for_restarts(scenario, 2)
    end = life.run_on()
    life.jcmd("JFR.stop", "name=theirs", f"filename={theirs}")
    life.end()
    check_run(theirs, begin, end)
    last, _ = sequence.last_words(life.jvm)
    path = life.download()
    ticks = ticks_of(path)
    gaps = sum(after - before > 1 for before, after in zip([0, *ticks], [*ticks, last + 1]))
    # While theirs ran JFR did not stop, and the chunks that it wrote for them are in the same directory.
    check(gaps <= 1, f"{gaps} gaps")
    check(ticks[0] == 1 and ticks[-1] == last and set(range(again, last)) <= set(ticks), "more than the gap is missing")
    sequence.check_contexts_around(judge.dump(path), ticks)
    check_span(path)
    check_restarts(life, 2)
    life.collector.stop()
    life.collector.start()
    check(life.numbers()["losses"]["jfr_restarts"] == 2, "the restarts are forgotten")


def wait_for_restarts(scenario, count):
    wait_for(f"restart {count}", lambda: scenario.log_of("jvm").count(RESTARTED) == count)


def check_restarts(life, count):
    check(life.numbers()["losses"]["jfr_restarts"] == count, f"losses: {life.numbers()['losses']}")
    found = re.search(r"^loupe_jfr_restarts_total (\d+)$", life.collector.get("/metrics").body.decode(), re.MULTILINE)
    check(found and int(found[1]) == count, f"loupe_jfr_restarts_total: {found and found[1]}")


def check_span(path):
    """Every tick is in a part of the one context that was open all the time."""
    events = judge.dump(path)
    spans = sorted((e for e in events if e.type == "e2e.Span"), key=lambda e: e.start)
    check(spans and {e.values["id"] for e in spans} == {"1"}, f"e2e.Span: {[e.values for e in spans]}")
    check(len({e.values.get("contextId") for e in spans}) == 1, "its parts are not shown as one context")
    check(all(a.commit <= b.start for a, b in zip(spans, spans[1:])), "its parts overlap")
    for event in events:
        is_inside = event.type != "e2e.Tick" or any(e.start <= event.commit <= e.commit for e in spans)
        check(is_inside, f"tick {event.values.get('seq')} is not in the context that was open")


def flags(feature, scenario):
    sets = [["-Xint"], ["-XX:+UseZGC"], ["-XX:+UseG1GC"], ["-XX:+UseParallelGC"]]
    if feature >= 25:
        sets += [["-XX:+UseShenandoahGC", "-XX:+UseCompactObjectHeaders"]]
    collector = Collector(scenario).start()
    jvms = [scenario.jvm(feature, "SequenceE2E", PER_SECOND, "for:1500", name=f"jvm{number}", vm=vm,
                         agent=scenario.agent_options(collector, f"flags{number}"))
            for number, vm in enumerate(sets)]
    for number, jvm in enumerate(jvms):
        jvm.wait_exit()
        path = collector.download(collector.recording(f"flags{number}"), scenario.path(f"{number}.jfr"))
        sequence.check_complete(path, *sequence.last_words(jvm))


def xcheck(feature, scenario):
    collector = Collector(scenario).start()
    cases = {"alone": {}, "jfr": {"vm": ["-XX:StartFlightRecording"]},
             "loupe": {"agent": scenario.agent_options(collector, "life", segment=1)}}
    jvms = {}
    for name, options in cases.items():
        vm = ["-Xcheck:jni", *options.pop("vm", ())]
        jvms[name] = scenario.jvm(feature, "SequenceE2E", PER_SECOND, "for:2500", name=name, vm=vm, **options)
    found = {}
    for name, jvm in jvms.items():
        jvm.wait_exit()
        program = re.compile(r"ticks \d+ from|ready$|at \d+$|.*\[jfr,startup\]")
        found[name] = {re.sub(r"\d+", "N", line) for line in jvm.lines if not program.match(line)}
    surplus = found["loupe"] - found["alone"] - found["jfr"]
    check(not surplus, f"with the agent only: {surplus}")
    print(f"without the agent: {found['alone'] | found['jfr'] or 'nothing'}")


def halt(feature, scenario):
    life = Run(feature, scenario, "RealLife", "halt")
    before = wait_for("ticks", lambda: ticks_of(life.download()))
    life.end(HALTED)
    check_prefix(life, before[-1])
    wait_for("the end", lambda: not life.numbers()["is_running"])


def check_prefix(life, at_least):
    """All ticks that JFR had flushed are there, from 1 on, each tenth in its context."""
    path = life.download("prefix.jfr")
    ticks = ticks_of(path)
    check(ticks == list(range(1, len(ticks) + 1)), f"ticks: {judge.diff(range(1, ticks[-1] + 1), ticks)}")
    check(len(ticks) >= at_least, f"{len(ticks)} ticks, and {at_least} were there before")
    sequence.check_contexts_around(judge.dump(path), ticks)


def hook(feature, scenario):
    life = Run(feature, scenario, "RealLife", "hook")
    life.run_on()
    life.end(HALTED)
    life.check_all()
    wait_for("the end", lambda: not life.numbers()["is_running"])


def memory(feature, scenario):
    collector = Collector(scenario).start()
    stop = scenario.path("stop")
    jvm = scenario.jvm(feature, "Exhausted", "2500", stop, name="jvm", vm=["-Xmx32m"],
                       agent=scenario.agent_options(collector, "life", segment=1))
    jvm.wait_line("released$")
    recording = collector.recording("life")
    def count_chunks():
        return len(collector.get(f"/api/v1/recordings/{recording}").json()["chunks"])
    before = count_chunks()
    wait_for("new chunks, which the agent asks for", lambda: count_chunks() >= before + 3)
    with open(stop, "w", encoding="ascii"):
        pass
    jvm.wait_exit()
    last = int(jvm.wait_line(r"ticks (\d+)$")[1])
    path = collector.download(recording, scenario.path("download.jfr"))
    check_each_in_context(judge.dump(path), last)
    died = set(re.findall(r'Exception.* in thread "(.*?)"', scenario.log_of("jvm")))
    # The JDK's own thread may die of it. Then nothing is flushed until a chunk ends.
    check(died - {"JFR Periodic Tasks"} == {"hog"}, f"threads that died: {died}")


def exit_on(feature, scenario):
    food = scenario.path("food")
    life = Run(feature, scenario, "RealLife", "hog", food, vm=["-Xmx32m", "-XX:+ExitOnOutOfMemoryError"])
    before = wait_for("ticks", lambda: ticks_of(life.download()))
    with open(food, "w", encoding="ascii"):
        pass
    life.jvm.wait_exit(expected=3)
    check_prefix(life, before[-1])


def unload(feature, scenario):
    collector = Collector(scenario).start()
    raw = scenario.path("raw.jfr")
    jvm = scenario.jvm(feature, "Unload", raw, agent=scenario.agent_options(collector, "life", segment=1))
    jvm.wait_exit()
    jvm.wait_line("0 are kept$")
    last = int(jvm.wait_line(r"ticks (\d+)$")[1])
    check(ticks_of(raw) == list(range(1, last + 1)), "JFR itself has lost events")
    path = collector.download(collector.recording("life"), scenario.path("download.jfr"))
    check_each_in_context(judge.dump(path), last)


def check_each_in_context(events, last):
    sequence.check_ticks(events, 1, last)
    contexts = {int(e.values["id"]) for e in events if e.type == "e2e_order"}
    check(contexts == set(range(1, last + 1)), f"contexts: {judge.diff(range(1, last + 1), contexts)}")


def fork(feature, scenario):
    listing = scenario.path("descriptors")
    vm = [f"-Djava.library.path={LIB_DIR}", *(["--enable-native-access=ALL-UNNAMED"] if feature >= 22 else [])]
    life = Run(feature, scenario, "RealLife", "fork", listing, vm=vm)
    for how in range(3):
        life.jvm.wait_line(f"fork {how} 0$")
    with open(listing, encoding="ascii") as file:
        found = re.findall(r"^lr(.)x.*? (\d+) -> (.*)$", file.read(), re.MULTILINE)
    # JFR's own descriptors are left out: its chunk file, open for writing, and a socket that is not of TCP.
    with open("/proc/net/tcp", encoding="ascii") as file:
        tcp = {f"socket:[{line.split()[9]}]" for line in file}
    ours = re.compile(r"anon_inode:|/memfd:|.*/\d{4}_\d\d_\d\d_\d\d_\d\d_\d\d_\d+$")
    leaked = [line for line in found if line[2] in tcp or ours.match(line[2]) or line[2].endswith(".jfr") and line[0] == "-"]
    check(len(found) >= 3 and not leaked, f"a child has {leaked} of {found}")
    life.run_on()
    life.run_on()
    life.end()
    life.check_all()


def no_jfr(feature, scenario):
    image = scenario.path("image")
    subprocess.run([f"{need_jdk(feature)}/bin/jlink", "--add-modules", "java.base", "--output", image], timeout=LIMIT_S,
                   check=True, stdout=subprocess.DEVNULL)
    nobody = scenario.agent_options("tcp://127.0.0.1:9", "life")
    scenario.jvm(feature, "NoJfr", name="image", home=image, agent=nobody).wait_exit()
    limited = ["--limit-modules", "java.base"]
    scenario.jvm(feature, "NoJfr", name="limited", vm=limited, agent=nobody).wait_exit()
    scenario.jvm(feature, "NoJfr", name="disabled", vm=["-XX:-FlightRecorder"], agent=nobody).wait_exit()
    stop = scenario.path("stop")
    late = ["-XX:+EnableDynamicAgentLoading"] if feature >= 21 else []
    jvm = scenario.jvm(feature, "NoJfr", stop, name="attached", home=image, vm=late)
    jvm.wait_line("ready$")
    jvm.jcmd(feature, "JVMTI.agent_load", AGENT, f'"{nobody}"')
    with open(stop, "w", encoding="ascii"):
        pass
    jvm.wait_exit()
    reasons = {"image": "jdk.jfr", "limited": "jdk.jfr", "attached": "jdk.jfr", "disabled": "not available"}
    for name, reason in reasons.items():
        lines = [line for line in scenario.log_of(name).splitlines() if not re.search("Unknown module|VM warning", line)]
        check(len(lines) == 1 and reason in lines[0] and "does nothing" in lines[0], f"{name}: {lines}")


def clock(feature, scenario):
    wall = FakeClock(scenario)
    life = Run(feature, scenario, env=wall.env, segment=1, policy=wall.policy)
    life.run_on()
    if feature >= 25:  # JDK 17 begins chunks whatever the clock says
        wall.set(-600)
        wait_for("a line about the clock", lambda: BEHIND in scenario.log_of("jvm"))
        life.run_on()
        wall.set(0)
        before = len(life.numbers()["chunks"])
        wait_for("chunks after the clock has caught up", lambda: len(life.numbers()["chunks"]) >= before + 3)
    wall.set(-600)
    def count_told():
        return scenario.log_of("jvm").count(BEHIND)
    if feature >= 25:
        wait_for("another line about the clock", lambda: count_told() == 2)
    for _ in range(3):
        life.run_on()
    life.end() # long before the clock has caught up
    life.check_all()
    told = count_told()
    check(told == (2 if feature >= 25 else 0), f"the log says {told} times that the clock was set back")


def mount(path):
    os.mkdir(path)
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m", "none", path], stderr=subprocess.PIPE,
                          timeout=LIMIT_S, check=False)
    if done.returncode != 0:
        skip("no file system can be mounted here: " + done.stderr.decode().strip())


def follow_disk(feature, scenario, full):
    life = Run(feature, scenario, vm=[f"-XX:FlightRecorderOptions=repository={full}"])
    life.run_on()
    stopped_at = life.run_on()
    filler = os.path.join(full, "filler")
    with open(filler, "wb") as file:
        os.posix_fallocate(file.fileno(), 0, (DISK_MB - LEFT_MB) << 20)
    wait_for("the recording is stopped", lambda: "is stopped until it has" in scenario.log_of("jvm"))
    for _ in range(12):  # so long that the files of the recording go, too
        life.run_on()
    os.remove(filler)
    wait_for("the recording goes on", lambda: "there is room on the disk" in scenario.log_of("jvm"))
    again = life.run_on()
    life.run_on()
    life.end()
    last, _ = sequence.last_words(life.jvm)
    path = life.download()
    ticks = ticks_of(path)
    gaps = sum(after - before > 1 for before, after in zip(ticks, ticks[1:]))
    check(gaps == 1 and ticks[0] == 1 and ticks[-1] == last, f"{gaps} gaps, {ticks[0]} to {ticks[-1]} of {last}")
    check(set(range(1, stopped_at - 1000)) <= set(ticks) and set(range(again, last)) <= set(ticks), "more is missing")
    sequence.check_contexts_around(judge.dump(path), ticks)
    check_restarts(life, 1)


def disk(feature, scenario):
    full = scenario.path("full")
    mount(full)
    try:
        follow_disk(feature, scenario, full)
    finally:
        subprocess.run(["umount", "-l", full], timeout=LIMIT_S, check=False)


CASES = {"disk": disk, "clock": clock, "recordings": recordings, "stopped": stopped, "flags": flags, "xcheck": xcheck, "halt": halt, "hook": hook,
         "memory": memory, "exit": exit_on, "unload": unload, "fork": fork, "no_jfr": no_jfr}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--case", choices=sorted(CASES), required=True)
    args = parser.parse_args()
    run(f"life-{args.case}-{args.jdk}", lambda scenario: CASES[args.case](args.jdk, scenario))


main()
