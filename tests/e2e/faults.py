# SPDX-License-Identifier: Apache-2.0
"""Promised: whatever fails once, a file's operation or an allocation, the collector does not crash, loses nothing, and says no
wrong thing. So does a collector that is killed while it removes something.

--case start: a start on the directory of tests/fixtures, which is compared with its files, and reads journals. It starts, or
              says why not and ends; the next one has everything.
--case ask:   each kind of request of a collector that runs. An answer is right, or an error, or says that chunks are left
              out; the next one is right.
--case remove: a recording is removed on demand, or chunks are not kept any longer. What was to go is gone after the next start at
              the latest, or where that was refused, still whole; no row lacks its file, and no file its row.
--case recall: chunks are compacted and sealed as raw data, pinned and stored again. No kept event is ever missing, none is there
              twice, and whatever the pins call kept has every event; after the next start nothing is left over (loupe fsck).
              Changes of files fail.
--case recall-killed: the same, but the collector is killed.
--case recall-expires: it is killed while raw data expires, with the same outcome.
--case agent: allocations of the agent, while its JVM runs. The JVM goes on, and what is lost is counted.
"""

import argparse
import glob
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import time

from support import faults, judge, sequence, upgrade
from support.process import DIVISOR, LIMIT_S, LOUPE, Collector, check, run, wait_for

FOLDER = upgrade.generations()[0]
IDS = {"basket": "ba" + 30 * "0", "orders": "0d" + 30 * "0", "carts": "ca" + 30 * "0"}  # the recordings
RUNNING = ("orders", "carts")  # what a start on the fixtures finds running
RANGE = upgrade.RANGE
ASKED = [
    "/api/v1/recordings", "/api/v1/recordings/{orders}", f"/api/v1/services?{RANGE}", f"/api/v1/contexts/types?{RANGE}",
    f"/api/v1/contexts/heatmap?service=orders&{RANGE}", f"/api/v1/accounting?{RANGE}", "/api/v1/ids/ba5ce701",
    "/api/v1/ids/0de50", "/api/v1/recordings/{basket}.jfr", "/api/v1/recordings/{orders}.jfr", "/api/v1/recordings/{carts}.jfr",
    "/api/v1/recordings/{orders}.jfr?sample-contexts=true", f"/api/v1/contexts?{RANGE}", f"/api/v1/why?service=orders&{RANGE}",
    f"/api/v1/contexts/{{orders}}/5cf8e135200-1d1a289c", f"/api/v1/timeline?service=orders&{RANGE}&width=800",
    f"/api/v1/flamegraph?service=basket&{RANGE}", f"/api/v1/events?service=basket&event=test.Plain&{RANGE}",
    f"/api/v1/events/types?service=orders&{RANGE}", f"/api/v1/attributes?service=orders&{RANGE}",
    f"/api/v1/slice.jfr?service=orders&{RANGE}", f"/api/v1/slice.md?service=basket&{RANGE}",
]


class Place:
    """A data directory that is put back for each fault, and its collector."""

    def __init__(self, scenario):
        self.scenario = scenario
        self.collector = Collector(scenario, "data")
        self.collector.divisor = 1  # 15 s until the JVMs of the fixtures, which are gone, count as killed
        self.faults = faults.Faults(scenario, self.collector.data)
        # Of what waits in journals nothing is compacted for good meanwhile.
        self.collector.env = {**self.faults.env, "LOUPE_CONTEXT_HOLD": "600"}
        self.log = scenario.path("start.log")
        self.right = {}  # answers by path
        self.late = {}  # those of the same data once its JVMs count as killed
        self.keeps = scenario.path("policies")  # of the case remove
        self.restore()

    def restore(self):
        upgrade.copy_data(FOLDER, self.collector.data)
        shutil.rmtree(self.keeps, ignore_errors=True)
        os.mkdir(self.keeps)

    def ask(self, path):
        return self.collector.get(path.format_map(IDS))

    def learn(self):
        """Finds out what the answers are where nothing fails."""
        self.right = {path: content(self.ask(path)) for path in ASKED}

    def learn_late(self):
        """The same for later: beside a full load it takes more than 15 s until all is asked."""
        self.restore()
        self.collector.divisor = DIVISOR
        check(start(self), "no start")
        self.wait_late()
        self.late = {path: content(self.ask(path)) for path in ASKED}
        end_of(self)
        self.collector.divisor = 1

    def count_running(self):
        return sum(row["is_running"] for row in self.collector.recordings())

    def wait_late(self):
        wait_for("the ends of all JVMs", lambda: self.count_running() == 0)

    def check_right(self, path, what):
        answer, right = self.ask(path), self.right[path]
        if self.late and content(answer) != right and self.count_running() < len(RUNNING):
            self.wait_late()
            answer, right = self.ask(path), self.late[path]
        check(answer.status == 200 and content(answer) == right,
              f"after {what}: {path}: {answer.status} {answer.body[:3000]}, not {right[:3000]}")


def content(answer):
    """What is the same whenever it is asked."""
    if answer.headers.get_content_type() != "application/json":
        return answer.body
    return json.dumps(upgrade.without_passing(answer.json()), sort_keys=True)


# --- Starts

def start(place):
    """Returns whether the collector is there. If not, it has ended."""
    collector = place.collector
    arguments = [LOUPE, "collect", "--agents", collector.agents, "--http", f"127.0.0.1:{collector.http_port}", "--data", collector.data]
    env = {**os.environ, **collector.divided(), **collector.env}
    with open(place.log, "wb") as log:
        collector.process = subprocess.Popen(arguments, env=env, stdin=subprocess.DEVNULL,
                                             stdout=subprocess.PIPE, stderr=log)
    place.scenario.processes = [collector.process]
    with collector.process.stdout as out:
        is_there = out.readline().startswith(b"loupe: agents ")
    if not is_there:
        collector.process.wait(LIMIT_S)
    return is_there


def check_refused(place, what):
    """A start that ended has said why."""
    with open(place.log, encoding="utf-8") as log:
        text = log.read()
    status = place.collector.process.returncode
    check(status == 1 and re.search("^loupe collect: .+", text, re.M), f"{what}: status {status}: {text}")


def fail_start(place, kind, number):
    """Returns what failed in the start, or soon after; None: nothing did."""
    place.restore()
    place.faults.arm(kind, number)
    is_there = start(place)
    what = place.faults.disarm()
    if is_there:
        place.collector.stop()
    else:
        check_refused(place, what)
    return what


def check_start(place, what):
    """A start without a fault has everything."""
    check(start(place), f"no start after {what}")
    for path in place.right:
        place.check_right(path, what)
    place.collector.stop()


def check_starts(scenario, options):
    place = Place(scenario)
    check(start(place), "no start")
    place.learn()
    end_of(place)
    place.learn_late()
    for kind in options.kinds:
        for number in faults.numbers(*options.numbers):
            what = fail_start(place, kind, number)
            if what is None:
                break
            options.note(kind, number, what)
            check_start(place, f"{faults.NAMES[kind]} {number}, {what}")


# --- Requests

def is_honest(place, path, answer):
    """Returns whether an answer is right, or says that it is not."""
    if answer.status != 200:
        return answer.status in (500, 503)
    left_out = re.search(rb'"left_out": *{"chunks": *[1-9]|Could not be read: [1-9]', answer.body)
    return content(answer) == place.right[path] or left_out or any(name in answer.headers for name in
                                                                   ("Loupe-Missing-Chunks", "Loupe-Chunks-Left-Out"))


def fail_request(place, path, kind, number):
    """Returns what failed in an answer; None: nothing did."""
    place.faults.arm(kind, number)
    try:
        answer = place.ask(path)
    except OSError:
        answer = None  # it broke off
    what = place.faults.disarm()
    check(place.collector.process.poll() is None, f"{path}: {what}: the collector ended")
    check(answer is None or is_honest(place, path, answer),
          f"{path}: {faults.NAMES[kind]} {number}, {what}: {answer and answer.status} {answer and answer.body[:3000]}, "
          f"not {place.right[path][:3000]}")
    if what is not None:
        place.check_right(path, f"{faults.NAMES[kind]} {number}, {what}")
    return what


def check_requests(scenario, options):
    place = Place(scenario)
    check(start(place), "no start")
    place.wait_late()
    place.learn()
    for path, kind in itertools.product(ASKED, options.kinds):
        for number in faults.numbers(*options.numbers):
            what = fail_request(place, path, kind, number)
            if what is None:
                break
            options.note(kind, number, what)
    place.collector.stop()


# --- Removals

class Deletion:
    """A recording that has ended is removed on demand."""
    name = "DELETE"

    def begin(self, place):
        """Returns whether it was said that it is gone."""
        try:
            answer = place.collector.get(f"/api/v1/recordings/{IDS['basket']}", method="DELETE")
        except OSError:
            return False  # killed
        check(answer.status in (204, 500, 503), f"DELETE: {answer.status} {answer.body[:300]}")
        return answer.status == 204

    def is_done(self, place):
        return not os.path.exists(os.path.join(place.collector.data, "chunks", IDS["basket"]))

    def check(self, place, what):
        """It is whole or gone, and the others are whole."""
        is_gone = self.is_done(place)
        has_row = IDS["basket"] in [row["id"] for row in place.collector.recordings()]
        check(has_row != is_gone, f"after {what}: the recording is {'' if has_row else 'not '}in the list")
        for path in place.right:
            if path.endswith(".jfr") and ("{basket}" not in path or not is_gone):
                place.check_right(path, what)


class Expiry:
    """The chunks of all recordings are not kept any longer."""
    name = "default.keep"

    def begin(self, place):
        path = os.path.join(place.keeps, "default.keep")
        with open(path + ".new", "w", encoding="ascii") as file:
            file.write("bytes 1\n")
        os.rename(path + ".new", path)
        return True

    def is_done(self, place):
        return not chunk_files(place)

    def check(self, place, what):
        """The limit holds."""
        check(re.search(rb'^loupe_stored_bytes\{state="kept"\} [01]$', place.collector.get("/metrics").body, re.M),
              f"after {what}: more is kept than should be")


def chunk_files(place):
    """(recording, ordinal) of the files in chunks/."""
    found = glob.glob(os.path.join(place.collector.data, "chunks", "*", "*.jfr*"))
    return {tuple(re.search(r"([0-9a-f]+)/(\d+)\.jfr(?:\.zst)?$", path).groups()) for path in found}


def chunk_rows(place):
    """Those of which the catalog knows; all of them can be downloaded."""
    found = set()
    for row in place.collector.recordings():
        shown = place.collector.get(f"/api/v1/recordings/{row['id']}")
        if shown.status == 404:  # it went meanwhile
            continue
        found |= {(row["id"], str(chunk["ordinal"])) for chunk in shown.json()["chunks"]}
        answer = place.collector.get(f"/api/v1/recordings/{row['id']}.jfr")
        check(answer.status in (200, 404) and "Loupe-Missing-Chunks" not in answer.headers,
              f"download of {row['id']}: {answer.status} {answer.headers}")
    return found


def end_of(place):
    """Ends the collector, unless it has been killed. Returns what it logged."""
    process = place.collector.process
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    status = process.wait(LIMIT_S)
    check(status in (0, -signal.SIGKILL), f"the collector ended with status {status}")
    with open(place.log, encoding="utf-8") as log:
        return log.read()


def fail_removal(place, way, kind, number):
    """Returns what failed, and whether the removal was promised."""
    place.restore()
    check(start(place), "no start")
    place.faults.arm(kind, number)
    is_promised = way.begin(place)
    wait_for("the removal, or a failure", lambda: way.is_done(place) or not place.faults.is_due())
    text = end_of(place)  # what is done at the end may fail as well
    what = place.faults.disarm()
    if kind == faults.CHANGES and what is not None and re.match(r"unlinkat /chunks", what):
        check("cannot be removed" in text, f"{what}: the log does not say so: {text}")
    return what, is_promised


def check_removal(place, way, is_promised, what):
    """A start without a fault finishes it."""
    check(start(place), f"no start after {what}")
    if is_promised:
        wait_for(f"the removal after {what}", lambda: way.is_done(place))
    wait_for(f"a row for each file after {what}", lambda: chunk_rows(place) == chunk_files(place))
    found = place.collector.get("/metrics").body
    check(not re.search(rb"^loupe_findings_total\{.*\} [1-9]", found, re.M), f"after {what}: {found.decode()}")
    way.check(place, what)
    end_of(place)


def check_goes_on(place, way):
    """What could not be removed is, ten seconds later, without a start; and all else meanwhile."""
    place.restore()
    check(start(place), "no start")
    block = os.path.join(place.collector.data, "chunks", IDS["basket"], "1.jfr.zst")
    os.unlink(block)
    os.makedirs(os.path.join(block, "in the way"))
    way.begin(place)
    wait_for("a failure", lambda: re.search(rb"^loupe_removal_errors_total [1-9]", place.collector.get("/metrics").body, re.M))
    shutil.rmtree(block)
    wait_for("the removal", lambda: way.is_done(place))
    check("cannot be removed: Is a directory" in end_of(place), "the log does not say why")


def check_removals(scenario, options):
    place = Place(scenario)
    place.collector.env.update({"LOUPE_SYNC": "always", "LOUPE_POLICY_DIR": place.keeps})
    check(start(place), "no start")
    place.learn()
    end_of(place)
    place.learn_late()
    for way, kind in itertools.product((Deletion(), Expiry()), (*options.kinds, faults.KILLED)):
        for number in faults.numbers(*options.numbers):
            what, is_promised = fail_removal(place, way, kind, number)
            if what is None:
                break
            options.note(kind, number, what)
            check_removal(place, way, is_promised, f"{way.name}: {faults.NAMES[kind]} {number}, {what}")
    check_goes_on(place, Deletion())


# --- Raw data and pins

PINS = [{"key": "all", "services": "carts", "recording": "", "kind": 0, "id": ""},
        {"key": "thread", "services": "orders", "recording": "", "kind": 3, "id": "1"}]
PINNED = {"carts": 2, "orders": 2}  # chunks that wait in journals


class Recall:
    """The journals of the fixtures become raw data, of which two pins want something."""

    def __init__(self, scenario):
        self.place = Place(scenario)
        self.collector = self.place.collector
        self.collector.divisor = 150  # the JVMs are gone, which is noticed at once
        self.collector.env.update({"LOUPE_CONTEXT_HOLD": "3", "LOUPE_RECALL": "22m", "LOUPE_SYNC": "always",
                                   "LOUPE_POLICY": os.path.join(FOLDER, "policies", "orders.jfc")})
        self.sealed = scenario.path("sealed")  # a copy of the directory with raw data and editions
        self.kept, self.all = {}, {}  # texts of events, by recording: without pins, and with them

    def restore(self, has_pins):
        self.place.restore()
        if has_pins:
            now = time.time_ns()
            pins = [{**pin, "reason": "", "owner": "", "from": 0, "to": now, "made": now, "outcomes": [0, 0, 0, 0], "left_out": 0,
                     "is_settled": False} for pin in PINS]
            with open(os.path.join(self.collector.data, "pins.json"), "w", encoding="ascii") as file:
                json.dump({"pins": pins}, file)

    def pins(self):
        return {pin["key"]: pin for pin in self.collector.get("/api/v1/pins").json()["pins"]}

    def is_done(self):
        """Whether all chunks are compacted, and the pins have theirs."""
        rows = self.collector.recordings()
        return not any(row["is_running"] for row in rows) and len(glob.glob(f"{self.collector.data}/journal/*/*.log")) == 0 and \
            all(pin["waiting"] == 0 for pin in self.pins().values())

    def texts(self):
        return {name: upgrade.texts(self.place.ask(f"/api/v1/recordings/{{{name}}}.jfr").body) for name in IDS}

    def learn(self):
        for has_pins, found in ((False, self.kept), (True, self.all)):
            self.restore(has_pins)
            check(start(self.place), "no start")
            wait_for("all chunks", self.is_done)
            found.update(self.texts())
            end_of(self.place)
        check(self.kept != self.all, "the pins add nothing")
        shutil.copytree(self.collector.data, self.sealed)

    def check_texts(self, pins, what):
        """Nothing is missing, and nothing is there twice."""
        for name, found in self.texts().items():
            check(not self.kept[name] - found, f"after {what}: {name} lacks {self.kept[name] - found}")
            check(not found - self.all[name], f"after {what}: {name} has {found - self.all[name]} too often")
            pin = pins[{"carts": "all", "orders": "thread"}[name]] if name in PINNED else None
            if pin and pin["kept"] == PINNED[name]:
                check(found == self.all[name], f"after {what}: {name} lacks {self.all[name] - found} of a pin: {pin}")

    def check_whole(self, what):
        """A start without a fault finishes it, and a look at the directory finds nothing wrong."""
        check(start(self.place), f"no start after {what}")
        wait_for(f"all chunks after {what}", self.is_done)
        pins = self.pins()
        check(all(pin["failed"] == 0 for pin in pins.values()), f"after {what}: {pins}")
        self.check_texts(pins, what)
        end_of(self.place)
        found = subprocess.run([LOUPE, "fsck", "--data", self.collector.data], capture_output=True, text=True, check=False)
        check(found.returncode == 0, f"after {what}: {found.stdout} {found.stderr}")
        return pins

    def fail_one(self, kind, number):
        """Returns what failed until all was done; None: nothing did."""
        self.restore(True)
        check(start(self.place), "no start")
        self.place.faults.arm(kind, number)  # no chunk waits for less than a second
        wait_for("all chunks, or the end", lambda: self.has_ended() or self.is_there_and_done())
        if not self.has_ended():
            self.check_texts({"all": {"kept": 0}, "thread": {"kept": 0}}, "a fault")
        end_of(self.place)
        return self.place.faults.disarm()

    def has_ended(self):
        """Whether the collector is killed, or can finish nothing before its next start."""
        with open(self.place.log, encoding="utf-8") as log:
            return self.collector.process.poll() is not None or "no journal is removed until the collector restarts" in log.read()

    def is_there_and_done(self):
        try:
            return self.is_done()
        except OSError:
            return False  # killed

    def expire(self, kind, number):
        """All raw data is over a limit. Returns what failed meanwhile."""
        shutil.rmtree(self.collector.data)
        shutil.copytree(self.sealed, self.collector.data)
        self.collector.env["LOUPE_RECALL_BYTES"] = "1"
        self.place.faults.arm(kind, number)
        if start(self.place):
            wait_for("no raw data, or the end", lambda: self.collector.process.poll() is not None or
                     not glob.glob(f"{self.collector.data}/recall/*/*.log"))
            end_of(self.place)
        del self.collector.env["LOUPE_RECALL_BYTES"]
        return self.place.faults.disarm()


def check_recall(scenario, kind, options):
    recall = Recall(scenario)
    recall.learn()
    for number in faults.numbers(*options.numbers):
        what = recall.fail_one(kind, number)
        if what is None:
            break
        pins = recall.check_whole(what)
        options.note(kind, number, f"{what}: {[(pin['kept'], pin['missing']) for pin in pins.values()]}")


def check_expiry(scenario, options):
    recall = Recall(scenario)
    recall.learn()
    for number in faults.numbers(*options.numbers):
        what = recall.expire(faults.KILLED, number)
        recall.check_whole(what)
        if what is None:
            break
        options.note(faults.KILLED, number, f"{what}: raw data expires")


# --- The agent

def check_agent(scenario, options):
    """A JVM runs on whatever fails in its agent, and what is missing in the end is counted."""
    collector = Collector(scenario).start()
    place = faults.Faults(scenario, collector.data)
    stop = scenario.path("stop")
    jvm = scenario.jvm(options.jdk, "SequenceE2E", "1000", f"until:{stop}", env=place.env_of_agent(),
                       agent=scenario.agent_options(collector, "agent", segment=1))
    recording = collector.recording("agent")
    collector.wait_for_growth(recording)
    for i in range(options.agent_faults):
        number = 1 + i * 7 % 50  # of some fifty for a second's batch
        place.arm(faults.MEMORY, number)
        wait_for("an allocation of the agent", lambda: not place.is_due())
        options.note(faults.MEMORY, number, place.disarm())
        check(jvm.process.poll() is None, f"the JVM ended after {number}")
    collector.wait_for_growth(recording)
    with open(stop, "w", encoding="ascii"):
        pass
    jvm.wait_exit()
    ticks, first_context = sequence.last_words(jvm)
    path = collector.download(recording, scenario.path("agent.jfr"))
    losses = collector.get(f"/api/v1/recordings/{recording}").json()["losses"]
    lost = {kind for kind, count in losses.items() if count}
    check(lost <= {"context_bytes_dropped", "contexts_dropped", "recording_contexts_refused"}, f"losses: {losses}")
    if not lost:
        sequence.check_complete(path, ticks, first_context)
    else:
        sequence.check_ticks(judge.dump(path), 1, ticks)
    for number in options.agent_numbers:
        place.arm(faults.MEMORY, number)
        jvm = scenario.jvm(options.jdk, "SequenceE2E", "1000", f"until:{stop}", env=place.env_of_agent(),
                           agent=scenario.agent_options(collector, f"start-{number}"))
        jvm.wait_exit()
        options.note(faults.MEMORY, number, place.disarm())
    collector.stop()


class Options:
    def __init__(self, case, is_all):
        self.kinds = (faults.CHANGES, faults.READS, faults.MEMORY)
        self.numbers = (1 << 30,) if is_all else {"start": (4, 50), "ask": (20, 50)}.get(case, (2, 100))
        self.agent_faults = 200 if is_all else 20
        self.agent_numbers = range(1, 60) if is_all else (1, 6, 32)  # in a JVM's start
        self.jdk = 25

    def note(self, kind, number, what):
        print(f"{faults.NAMES[kind]} {number}: {what}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    cases = {"start": check_starts, "ask": check_requests, "remove": check_removals,
             "recall": lambda scenario, options: check_recall(scenario, faults.CHANGES, options),
             "recall-killed": lambda scenario, options: check_recall(scenario, faults.KILLED, options),
             "recall-expires": check_expiry, "agent": check_agent}
    parser.add_argument("--case", choices=cases, required=True)
    parser.add_argument("--all", action="store_true", help="each fault, not only some of the later ones")
    parsed = parser.parse_args()
    options = Options(parsed.case, parsed.all)
    run(f"faults-{parsed.case}", lambda scenario: cases[parsed.case](scenario, options))


main()
