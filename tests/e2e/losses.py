# SPDX-License-Identifier: Apache-2.0
"""Promised: damage in the collector's directory costs what was in it, and the recording says so.

A JVM numbers its events and contexts, and is killed together with the collector. Of what the collector has then, copies are
damaged: one record of the journal each, or the file is cut, or deleted. Each is read by the JDK. An event is missing in one of
the copies with a damaged record at most, as each came in one batch; nothing is there that is not in the undamaged recording,
and no context is longer. What is lost is in the API, in the metrics and in the file. That the JVM was killed while the
collector was away is a loss, too.
"""

import argparse
import glob
import json
import os
import shutil
import subprocess

from support import judge
from support.process import JUDGES, LIMIT_S, LOUPE, NEWEST, Collector, check, jfr, oracle, run, wait_for
from support.wire import fields

MAGIC = b"LPJ1"
FRAME = 12
RECORDS = 5  # that are damaged
END = "end_unknown"
# Fields of proto/loupe.proto, and where a chunk's header has the offset of its metadata.
BATCH, CHUNK_OFFSET, CHUNK_HEADER = 3, 4, 7
METADATA = slice(24, 32)


def records(path):
    """(offset, size) of each record of a journal, as journal.h draws it."""
    with open(path, "rb") as file:
        content = file.read()
    found, at = [], 0
    while at < len(content):
        check(content[at:at + 4] == MAGIC, f"no record at {at} of {path}")
        size = FRAME + int.from_bytes(content[at + 4:at + 8], "little")
        found.append((at, size))
        at += size
    return found


def behind_metadata(path, found):
    """Those of the records that begin behind the chunk's metadata, without which no event can be read."""
    with open(path, "rb") as file:
        content = file.read()
    metadata, places = 0, []
    for at, size in found:
        batch = dict(fields(dict(fields(content[at + FRAME:at + size])).get(BATCH, b"")))
        if batch.get(CHUNK_HEADER):
            metadata = int.from_bytes(batch[CHUNK_HEADER][METADATA], "big")
        places.append((at, size, batch.get(CHUNK_OFFSET, 0)))
    check(metadata > 0, f"no header in {path}")
    return [(at, size) for at, size, offset in places if offset > metadata]


def without_end(losses):
    """Whether the collector knows by then that the JVM was killed depends on how slow the machine is."""
    return {kind: amount for kind, amount in losses.items() if kind != END}


class Copy:
    """What a collector makes of a copy of the data directory."""

    def __init__(self, scenario, original, name, damage):
        self.collector = Collector(scenario, name)
        shutil.copytree(original.data, self.collector.data)
        journal, = glob.glob(os.path.join(self.collector.data, "journal", "*", "0.log"))
        damage(journal)
        self.collector.start()
        recording, = self.collector.recordings()
        self.losses = without_end({kind: amount for kind, amount in recording["losses"].items() if amount > 0})
        self.metrics = self.collector.get("/metrics").body.decode()
        self.path = scenario.path(f"{name}.jfr")
        self.status = self.collector.get(f"/api/v1/recordings/{recording['id']}.jfr").status
        if self.status == 200:
            self.collector.download(recording["id"], self.path)
            self.read()
        self.collector.kill()

    def read(self):
        events = judge.dump(self.path)
        for feature in JUDGES:
            status, said = oracle("OracleDump", self.path, feature=feature)
            check(status == 0, f"{self.path} cannot be read by JDK {feature}: {said[:500]}")
        self.ticks = {int(e.values["seq"]) for e in events if e.type == "e2e.Tick"}
        self.contexts = {int(e.values["id"]): (e.start, e.commit) for e in events if e.type == "e2e_order"}
        summary = subprocess.run([LOUPE, "summary", self.path, "--json"], stdout=subprocess.PIPE, timeout=LIMIT_S, check=True)
        self.told = without_end(json.loads(summary.stdout)["losses"])

    def check_within(self, whole):
        check(self.ticks <= whole.ticks, f"events that there were not: {self.ticks - whole.ticks}")
        for number, (start, commit) in self.contexts.items():
            check(number in whole.contexts, f"context {number} was not there before")
            check(start == whole.contexts[number][0] and commit <= whole.contexts[number][1], f"context {number} is longer")

    def check_lost(self, **expected):
        check(self.losses == expected, f"losses: {self.losses}, not {expected}")
        for kind, amount in expected.items():
            check(f'loupe_losses_total{{kind="{kind}"}} {amount}\n' in self.metrics, f"{kind} is not in the metrics")


def flip(offset):
    def damage(journal):
        with open(journal, "r+b") as file:
            file.seek(offset)
            byte = file.read(1)[0]
            file.seek(offset)
            file.write(bytes([byte ^ 1]))
    return damage


def cut(size):
    return lambda journal: os.truncate(journal, size)


def check_flipped(scenario, collector, whole, found):
    """Records behind the metadata, but for the last one, one at a time."""
    lost = set()
    for at, size in found[:-1][::max(1, (len(found) - 1) // RECORDS)]:
        copy = Copy(scenario, collector, f"flipped-{at}", flip(at + size // 2))
        copy.check_within(whole)
        copy.check_lost(batches_lost=1, journal_bytes_lost=size)
        missing = whole.ticks - copy.ticks
        check(not missing & lost, f"events were in two batches: {missing & lost}")
        lost |= missing
        check(copy.told["batches_lost"] == 1 and copy.told["journal_bytes_lost"] == size, f"the file says {copy.told}")
        check(bool(missing) <= (copy.told.get("gap_bytes", 0) > 0), f"{len(missing)} events, the file says {copy.told}")
    check(lost, "nothing was lost")


def start_copy(scenario, original):
    """Starts a collector with a copy of the data directory, and leaves it running."""
    collector = Collector(scenario, "killed")
    shutil.copytree(original.data, collector.data)
    return collector.start()


def check_killed(scenario, collector):
    """A collector that was started after the JVM had been killed finds that out, and the file says since when."""
    recording = wait_for("killed", lambda: next((r for r in collector.recordings() if r["ended_how"] == "killed"), None))
    check({kind: amount for kind, amount in recording["losses"].items() if amount > 0} == {END: 1}, f"losses: {recording['losses']}")
    check(f'loupe_losses_total{{kind="{END}"}} 1\n' in collector.get("/metrics").body.decode(), "it is not in the metrics")
    path = collector.download(recording["id"], scenario.path("killed.jfr"))
    summary = subprocess.run([LOUPE, "summary", path], stdout=subprocess.PIPE, timeout=LIMIT_S, check=True).stdout.decode()
    check(f"Losses:   {END} 1\n" in summary, f"the summary does not say it: {summary}")
    said = jfr("print", "--events", "dev.loupe.Loss", path, feature=NEWEST)
    check(f"nothing after {recording['end'][:19]}" in said and "the JVM was killed" in said, f"the file says {said}")


def scenario_of(feature):
    def body(scenario):
        collector = Collector(scenario).start()
        agent = scenario.agent_options(collector, "losses", segment=600)  # one chunk, however slow the machine is
        jvm = scenario.jvm(feature, "SequenceE2E", "1000", f"until:{scenario.path('never')}", agent=agent)
        collector.wait_for_growth(collector.recording("losses"), 8)
        jvm.process.kill()
        jvm.process.wait(LIMIT_S)
        collector.kill()
        journal, = glob.glob(os.path.join(collector.data, "journal", "*", "0.log"))
        found = records(journal)
        killed = start_copy(scenario, collector)
        whole = Copy(scenario, collector, "whole", lambda journal: None)
        whole.check_lost()
        check(whole.told == {}, f"undamaged: {whole.told}")
        check_flipped(scenario, collector, whole, behind_metadata(journal, found))

        at, size = found[len(found) // 2]
        copy = Copy(scenario, collector, "cut", cut(at + size // 2))
        copy.check_within(whole)
        check(copy.ticks and min(whole.ticks) == min(copy.ticks), "what came before the cut is not there")
        check(set(copy.losses) <= {"batches_lost"}, f"cut: {copy.losses}")

        copy = Copy(scenario, collector, "deleted", os.unlink)
        check(set(copy.losses) <= {"batches_lost"}, f"deleted: {copy.losses}")
        check_killed(scenario, killed)
    return body


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    args = parser.parse_args()
    run(f"losses-{args.jdk}", scenario_of(args.jdk))


main()
