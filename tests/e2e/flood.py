# SPDX-License-Identifier: Apache-2.0
"""Promised: whatever a JVM floods the collector with, and however many read what it sends, the collector takes no more
memory than --memory says, and loses nothing but what is counted.

A JVM makes contexts and events as fast as it can, of each far more than would fit into that memory at once, while
eight clients download the running recording again and again. However slow the machine is: the JVM runs until each
client has the whole of it. Pages of files do not count: the kernel takes them back.
"""

import argparse
import os
import re
import subprocess
import threading
import time

from support.process import Collector, check, run, wait_for

CONTEXTS = 1_000_000  # these three are of --times 1
EVENTS = 50_000
MEMORY_MB = 256
CLIENTS = 8
LIMIT_S = 600


def is_in_memory(directory):
    """Whether a directory is in a tmpfs."""
    return subprocess.run(["stat", "-f", "-c", "%T", directory], stdout=subprocess.PIPE, check=True).stdout == b"tmpfs\n"


class Memory:
    """What a process takes of memory that only it can free. is_confined: where there is a cgroup to be had, it is not given
    more; but a cgroup counts files in memory, too, so not where its directory is there. The kernel works for that."""

    def __init__(self, process, limit_mb, directory, is_confined):
        self.status = f"/proc/{process.pid}/status"
        self.most_mb = 0
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self.watch)
        self.group = self.confine(process.pid, limit_mb) if is_confined and not is_in_memory(directory) else None
        self.thread.start()

    @staticmethod
    def confine(pid, limit_mb):
        group = f"/sys/fs/cgroup/memory/loupe-flood-{pid}"
        try:
            os.mkdir(group)
            for name, value in (("memory.limit_in_bytes", limit_mb << 20), ("cgroup.procs", pid)):
                with open(f"{group}/{name}", "w", encoding="ascii") as file:
                    file.write(str(value))
            return group
        except OSError:
            return None

    def watch(self):
        while not self.is_over.wait(0.02):
            with open(self.status, encoding="ascii") as file:
                own = re.search(r"^RssAnon:\s+(\d+) kB", file.read(), re.MULTILINE)
            if own:  # else it has ended
                self.most_mb = max(self.most_mb, int(own[1]) / 1024)

    def end(self):
        self.is_over.set()
        self.thread.join()


class Readers:
    """Clients that download a recording again and again, at least once each, until they are told to end."""

    def __init__(self, collector, recording):
        self.is_over = threading.Event()
        self.downloads = [0] * CLIENTS
        self.deadline = time.monotonic() + LIMIT_S
        self.threads = [threading.Thread(target=self.read, args=(collector, recording, i), daemon=True)
                        for i in range(CLIENTS)]
        for thread in self.threads:
            thread.start()

    def read(self, collector, recording, client):
        while not (self.is_over.is_set() and self.downloads[client]) and time.monotonic() < self.deadline:
            try:
                answer = collector.get(f"/api/v1/recordings/{recording}.jfr")
            except OSError:  # it took its time
                continue
            self.downloads[client] += answer.status == 200
            if answer.status == 503:  # not now: memory is short, or others wait already
                time.sleep(0.1)

    def end(self):
        self.is_over.set()
        for thread in self.threads:
            thread.join()


def ended(collector, recording):
    collector.check_runs()
    found = collector.get(f"/api/v1/recordings/{recording}").json()
    return None if found["is_running"] else found


def body(scenario, feature, times):
    limit_mb = MEMORY_MB * times
    collector = Collector(scenario)
    collector.env["LOUPE_MEMORY"] = f"{limit_mb}M"
    collector.start()
    memory = Memory(collector.process, limit_mb, collector.data, is_confined=times > 1)
    end = scenario.path("end")
    jvm = scenario.jvm(feature, "FloodE2E", str(CONTEXTS * times), str(EVENTS * times), end,
                       agent=scenario.agent_options(collector, "flood"))
    recording = collector.recording("flood")
    readers = Readers(collector, recording)
    jvm.wait_line("flooded$", LIMIT_S)
    readers.end()
    check(all(readers.downloads), f"not every client has a download within {LIMIT_S} s: {readers.downloads}")
    with open(end, "wb"):
        pass
    made = int(jvm.wait_line(r"over (\d+)$", LIMIT_S)[1])
    jvm.wait_exit(LIMIT_S)
    found = wait_for("the recording to end", lambda: ended(collector, recording), LIMIT_S)
    memory.end()
    most = memory.most_mb
    lost = {kind: amount for kind, amount in found["losses"].items() if amount > 0}
    confined = "confined" if memory.group else "not confined"
    print(f"{most:.0f} MB, {confined}, downloads {readers.downloads}, {found['contexts_in']} of {made} contexts, {lost}")
    collector.download(recording, scenario.path("download.jfr"))
    check(found["contexts_in"] + lost.get("contexts_dropped", 0) == made,
          f"{found['contexts_in']} of {made} contexts came, {lost}")
    check(most < limit_mb, f"the collector took {most:.0f} MB")
    collector.stop()
    if memory.group:
        os.rmdir(memory.group)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--times", type=int, default=1, help="so much more of everything; above 1 in a cgroup")
    args = parser.parse_args()
    run(f"flood-{args.jdk}", lambda scenario: body(scenario, args.jdk, args.times))


main()
