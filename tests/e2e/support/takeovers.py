# SPDX-License-Identifier: Apache-2.0
"""How long sessions are without a collector: from the moment that theirs fails until a batch of theirs is in a journal again, of
another collector, or of the same one once it is well. Journals are looked at each LOOK_S, so that is how exact it is."""

import dataclasses
import glob
import os
import statistics
import threading
import time

LOOK_S = 0.1
RECENT_S = 3.0  # an agent sends each second


@dataclasses.dataclass
class Waiting:
    what: str  # the fault
    node: int  # whose session it was
    begin_s: float
    end_s: float = float("inf")  # of the fault
    is_alone: bool = True  # no other fault meanwhile


class Takeovers:
    def __init__(self, folders):
        """folders: the data directory of each collector."""
        self.folders = folders
        self.sizes = [{} for _ in folders]  # of journals, by path
        self.grown = {}  # session: (collector, when)
        self.waiting = {}  # session: Waiting
        self.found = []  # (seconds, Waiting)
        self.lock = threading.Lock()
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()

    def watch(self):
        while not self.is_over.wait(LOOK_S):
            now_s = time.monotonic()
            with self.lock:
                for node, folder in enumerate(self.folders):
                    self.look(node, folder, now_s)

    def look(self, node, folder, now_s):
        sizes = {}
        for path in glob.glob(f"{folder}/journal/*/*.log"):
            try:
                sizes[path] = os.path.getsize(path)
            except OSError:  # it has just gone
                continue
            if sizes[path] > self.sizes[node].get(path, 0):
                self.note_batch(node, os.path.basename(os.path.dirname(path)), now_s)
        self.sizes[node] = sizes

    def note_batch(self, node, session, now_s):
        waiting = self.waiting.get(session)
        if waiting and (node != waiting.node or now_s > waiting.end_s):
            self.found.append((now_s - waiting.begin_s, waiting))
            del self.waiting[session]
        self.grown[session] = node, now_s

    def count(self, node):
        """The sessions that a collector has."""
        with self.lock:
            return sum(at == node for at, _ in self.grown.values())

    def begin(self, what, node):
        """The sessions of a collector are without it from now on. Returns what end() takes."""
        now_s = time.monotonic()
        with self.lock:
            begun = [session for session, (at, when_s) in self.grown.items()
                     if at == node and now_s - when_s < RECENT_S and session not in self.waiting]
            self.waiting.update((session, Waiting(what, node, now_s, is_alone=not self.waiting)) for session in begun)
            return [self.waiting[session] for session in begun]

    def end(self, begun):
        with self.lock:
            for waiting in begun:
                waiting.end_s = time.monotonic()

    def disturb(self):
        """Another fault begins: what waits does not wait for the first one alone."""
        with self.lock:
            for waiting in self.waiting.values():
                waiting.is_alone = False

    def stop(self):
        self.is_over.set()
        self.thread.join()

    def report(self):
        for what in sorted({waiting.what for _, waiting in self.found}):
            self.print_times(what, [s for s, waiting in self.found if waiting.what == what])
        self.print_times("all", [s for s, _ in self.found])
        self.print_times("without another fault meanwhile", [s for s, waiting in self.found if waiting.is_alone])
        print(f"takeover: {len(self.waiting)} sessions had no other collector before their JVM ended", flush=True)

    @staticmethod
    def print_times(what, times):
        times.sort()
        if times:
            print(f"takeover, {what}: {len(times)} sessions, median {statistics.median(times):.1f} s, "
                  f"90% {times[len(times) * 9 // 10]:.1f} s, max {times[-1]:.1f} s", flush=True)
