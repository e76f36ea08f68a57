# SPDX-License-Identifier: Apache-2.0
"""The processor time of a process, and of a JVM by what its threads are for."""

import os
import time

TICK_S = 1 / os.sysconf("SC_CLK_TCK")
# How the kernel knows them: by 15 bytes.
KINDS = {"JIT": ("C1 CompilerThre", "C2 CompilerThre"), "GC": ("GC Thread#", "G1 "), "JFR": ("JFR ",),
         "Loupe": ("loupe", "Loupe", "nng:")}


def read_text(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def cpu_s(pid):
    """User and system time of a process."""
    fields = read_text(f"/proc/{pid}/stat").rsplit(")", 1)[1].split()
    return int(fields[11]) * TICK_S, int(fields[12]) * TICK_S


def thread_times_ns(pid):
    """Of each thread its number and name, for how long it ran, and for how long it waited for a processor."""
    found = []
    for task in os.listdir(f"/proc/{pid}/task"):
        try:
            ran, waited, _ = read_text(f"/proc/{pid}/task/{task}/schedstat").split()
            found.append((task, read_text(f"/proc/{pid}/task/{task}/comm").strip(), int(ran), int(waited)))
        except OSError:
            continue  # it has ended
    return found


def waited_ns(pid, prefix):
    """For how long the threads whose names begin so waited for a processor."""
    return sum(waited for _, name, _, waited in thread_times_ns(pid) if name.startswith(prefix))


class Costs:
    """Of a JVM at a moment, after so many requests. Threads that have ended are in the sum of all."""

    def __init__(self, pid, requests):
        self.time_s, self.requests = time.monotonic(), requests
        threads = thread_times_ns(pid)
        self.us = {kind: sum(ran for _, name, ran, _ in threads if name.startswith(names)) / 1000
                   for kind, names in KINDS.items()}
        self.total_us = sum(cpu_s(pid)) * 1e6

    def per_request(self, before):
        """us of each kind; of all but the JIT's threads, and of all but the JIT's and the GC's. And requests a second."""
        requests = self.requests - before.requests
        found = {kind: (self.us[kind] - before.us[kind]) / requests for kind in KINDS}
        found["all"] = (self.total_us - before.total_us) / requests - found["JIT"]
        found["without GC"] = found["all"] - found["GC"]
        found["rate"] = requests / (self.time_s - before.time_s)
        return found
