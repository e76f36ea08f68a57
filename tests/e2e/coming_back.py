# SPDX-License-Identifier: Apache-2.0
"""Promised: agents are back soon after a collector that was killed listens again, and a JVM that ends meanwhile loses
nothing.

A collector is killed again and again while JVMs send to it. It is back at once, or stays away for some seconds. The JVMs
end one after the other, each just as the collector was killed; then it is back at once. In the end each recording has all
numbers of its JVM. If the collector was not back in time, as the machine was too busy, this is not judged.

What the kernel says counts: when the port listens, and which JVM has a connection to it. The time without a connection
counts while the port listens, also over several lives of the collector. It is printed, and limited only by
--away-ms-max, as it depends on the machine's load. By hand, eight JVMs and sixty kills, beside so many busy processes:

    coming_back.py --jdk 25 --jvms 8 --kills 60 --load 20 --away-ms-max 2000
"""

import argparse
import os
import random
import sys
import threading
import time

from support import sequence
from support.process import LIMIT_S, Collector, check, run, wait_for

LOOK_S = 0.02
LIFE_S = 0.3, 2.0  # of the collector, from when it listens
AWAY_S = 1.0, 3.0  # once in AWAY_OF times
AWAY_OF = 4
END_S = 2.0  # from the end of a JVM until the collector listens; the agent waits for 5 s, 10 s over a second kill
TICKS_PER_S = 200
LISTENING, ESTABLISHED = "0A", "01"  # states in /proc/net/tcp


def read_sockets(port):
    """Returns whether the port listens, and the inodes of the sockets that are connected to it."""
    is_listening = False
    connected = set()
    with open("/proc/net/tcp", encoding="ascii") as file:
        for line in list(file)[1:]:
            fields = line.split()
            local, remote = (int(fields[i].split(":")[1], 16) for i in (1, 2))
            is_listening |= fields[3] == LISTENING and local == port
            if fields[3] == ESTABLISHED and remote == port:
                connected.add(fields[9])
    return is_listening, connected


def read_inodes(pid):
    """The inodes of the sockets of a process."""
    found = set()
    for name in os.listdir(f"/proc/{pid}/fd"):
        try:
            link = os.readlink(f"/proc/{pid}/fd/{name}")
        except OSError:
            continue
        if link.startswith("socket:["):
            found.add(link[8:-1])
    return found


class Absences:
    """Looks at the connections of JVMs to a port, in a thread of its own."""

    def __init__(self, port, jvms):
        self.port = port
        self.jvms = {jvm: None for jvm in jvms}  # the seconds of an absence; None: connected, or never was
        self.seen = set()
        self.found = []  # seconds, of all that are over
        self.looks = []  # how far apart these were
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()

    def watch(self):
        last = time.monotonic()
        while not self.is_over.wait(LOOK_S):
            is_listening, connected = read_sockets(self.port)
            now = time.monotonic()
            self.looks.append(now - last)
            for jvm in self.jvms:
                self.look_at(jvm, connected, now - last if is_listening else 0)
            last = now

    def look_at(self, jvm, connected, passed):
        try:
            is_connected = bool(read_inodes(jvm.process.pid) & connected)
        except OSError:
            self.end(jvm)  # it has ended
            return
        if is_connected:
            self.end(jvm)
            self.seen.add(jvm)
        elif jvm in self.seen and jvm.process.poll() is None:
            self.jvms[jvm] = (self.jvms[jvm] or 0) + passed

    def end(self, jvm):
        if self.jvms[jvm] is not None:
            self.found.append(self.jvms[jvm])
            self.jvms[jvm] = None

    def stop(self):
        self.is_over.set()
        self.thread.join(LIMIT_S)
        for jvm in self.jvms:
            self.end(jvm)
        return sorted(self.found)


def start_load(scenario, count):
    """Processes that compute, pause for a moment as others do, and end with this one."""
    program = ("import os, time\nparent = os.getppid()\nwhile os.getppid() == parent:\n"
               "    sum(range(100000))\n    time.sleep(0.001)\n")
    return [scenario.popen(f"load{i}", [sys.executable, "-c", program], env=os.environ) for i in range(count)]


def kill_often(collector, args, stop_paths):
    """Kills the collector; each of the last kills comes together with the end of a JVM. Returns the seconds from each end until
    the collector listened."""
    ended = []
    for i in range(args.kills):
        time.sleep(random.uniform(*LIFE_S))
        ends = i - (args.kills - len(stop_paths))
        began = time.monotonic()
        if ends >= 0:
            with open(stop_paths[ends], "w", encoding="ascii"):
                pass
        collector.kill()
        if ends < 0 and random.randrange(AWAY_OF) == 0:
            time.sleep(random.uniform(*AWAY_S))
        collector.launch()
        wait_for("a port that listens", lambda: read_sockets(collector.ports[0].number)[0])
        if ends >= 0:
            ended.append(time.monotonic() - began)
    return ended


def report(args, absences, looks):
    of = "absences while the collector listened"
    if absences:
        p50, p90 = (absences[int(len(absences) * part)] for part in (0.5, 0.9))
        of += f": p50 {p50:.2f} s, p90 {p90:.2f} s, max {absences[-1]:.2f} s"
    load = os.getloadavg()[0]
    print(f"{args.jvms} JVMs, {args.kills} kills, load {load:.0f}: {len(absences)} {of}; looks up to {max(looks):.2f} s apart")


def scenario_of(args):
    def body(scenario):
        collector = Collector(scenario).start()
        names = [f"back{i}" for i in range(args.jvms)]
        stop_paths = [scenario.path(f"stop-{name}") for name in names]
        jvms = [scenario.jvm(args.jdk, "SequenceE2E", str(TICKS_PER_S), f"until:{stop}", name=name,
                             agent=scenario.agent_options(collector, name, segment=2))
                for name, stop in zip(names, stop_paths)]
        recordings = [collector.recording(name) for name in names]
        for recording in recordings:
            collector.wait_for_growth(recording)
        load = start_load(scenario, args.load)
        absences = Absences(collector.ports[0].number, jvms)
        ended = kill_often(collector, args, stop_paths)
        for jvm in jvms:
            jvm.wait_exit()
        found = absences.stop()
        report(args, found, absences.looks)
        for process in load:
            process.kill()
        wait_for("collector ready", collector.is_ready)
        lost = []
        for name, jvm, recording in zip(names, jvms, recordings):
            ticks, first = sequence.last_words(jvm)
            losses = next(r for r in collector.recordings() if r["id"] == recording)["losses"]
            try:
                path = collector.download(recording, scenario.path(f"{name}.jfr"))
                sequence.check_complete(path, ticks, first)
                check(not any(losses.values()), f"nothing is lost, but it says {losses}")
            except Exception as problem:  # all are looked at
                lost.append(f"{name}: {problem}")
        print(f"{len(jvms) - len(lost)} of {len(jvms)} ends are whole; the collector was back after up to {max(ended):.1f} s",
              *lost, sep="\n")
        check(not lost or max(ended) > END_S, "\n".join(lost))
        check(args.away_ms_max is None or found[-1] * 1000 <= args.away_ms_max, "an agent was away for too long")
        collector.stop()
    return body


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--jvms", type=int, default=2)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--load", type=int, default=0, help="processes that compute meanwhile")
    parser.add_argument("--away-ms-max", type=int)
    args = parser.parse_args()
    run(f"coming-back-{args.jdk}", scenario_of(args))


main()
