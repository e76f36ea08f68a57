# SPDX-License-Identifier: Apache-2.0
"""What earlier versions left (tests/fixtures/README.md): their messages, their data directories, and what must become of them."""

import collections
import glob
import hashlib
import json
import os
import shutil

from support import jfrbytes, wire
from support.process import check, wait_for

FIXTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "fixtures")
TEXT_OF = {"test.Mark": "text", "test.Plain": "text", "test.Odd": "note", "test.Trace": "traceId"}
NO_ATTRIBUTES = ("contextId", "startTime", "duration", "eventThread")
SAMPLE = "jdk.ExecutionSample"
CONTEXTS = ("shop.Request", "loupe.RecordingContext")
RANGE = "from=2023-11-14T22:00:00Z&to=2023-11-15T02:00:00Z"  # all sessions are in it
# Asked as soon as the collector is there. {} are ids of recordings.
ASKED = ["/api/v1/recordings", "/api/v1/recordings/{basket}", "/api/v1/recordings/{orders}", "/api/v1/recordings/{carts}",
         f"/api/v1/services?{RANGE}", f"/api/v1/contexts/types?{RANGE}", f"/api/v1/contexts/heatmap?service=orders&{RANGE}",
         f"/api/v1/contexts/heatmap?service=basket&{RANGE}", f"/api/v1/accounting?{RANGE}", "/api/v1/ids/ba5ce701",
         "/api/v1/ids/0de50", "/api/v1/ids/0de55"]
# Not the same after each start, or only on the day on which the data came.
PASSING = ("segments", "eliminated_since", "today")


def generations():
    return sorted(glob.glob(os.path.join(FIXTURES, "[0-9]*")))


# --- What is planned

class Plan:
    """What make_requests put into the messages of a service: plan.txt."""

    def __init__(self, folder, service, phases=("before", "after")):
        self.texts = collections.Counter()  # of kept events
        self.contexts = []  # those that are kept, chunk by chunk
        self.counts = collections.Counter()  # by verdict and kind
        with open(os.path.join(folder, "plan.txt"), encoding="utf-8") as file:
            for line in file:
                phase, name, verdict, kind, rest = line.rstrip("\n").split(" ", 4)
                if name != service or phase not in phases:
                    continue
                self.counts[verdict, kind] += 1
                if kind == "piece":
                    self.contexts.append(rest)
                elif verdict == "kept" and kind != "context":
                    self.texts[SAMPLE if kind == "sample" else rest] += 1

    def count(self, *kinds, verdicts=("kept", "dropped")):
        return sum(self.counts[verdict, kind] for verdict in verdicts for kind in kinds)


def texts(content):
    """The texts of the events in a recording; the names of those without one."""
    found = collections.Counter()
    for chunk in jfrbytes.chunks(content):
        for event in chunk.plain_events():
            name = chunk.types[event.type].name
            if name in TEXT_OF:
                found[plain(chunk, chunk.event_value(event)[TEXT_OF[name]])] += 1
            elif name == SAMPLE:
                found[name] += 1
    return found


def plain(chunk, value):
    """What a value says, which may be a constant."""
    if isinstance(value, tuple):
        return chunk.value(value[1], chunk.constants[value[1:]][0])[0]
    return "null" if value is None else value


def contexts(content):
    """The contexts of the Java API in a recording, each as plan.txt has it."""
    found = []
    for chunk in jfrbytes.chunks(content):
        for event in chunk.plain_events():
            name = chunk.types[event.type].name
            if name in CONTEXTS:
                fields = {key: plain(chunk, value) for key, value in chunk.event_value(event).items()}
                begin = fields["startTime"]
                attributes = " ".join(f"{key}={value}" for key, value in fields.items() if key not in NO_ATTRIBUTES)
                found.append(f"{name} {begin} {begin + fields['duration']} {attributes}")
    return found


def check_texts(content, plan, what):
    found = texts(content)
    check(found == plan.texts, f"{what}: missing {plan.texts - found}, too many {found - plan.texts}")


def check_contexts(content, plan, what):
    found = contexts(content)
    check(sorted(found) == sorted(plan.contexts), f"{what}: contexts {sorted(found)}, not {sorted(plan.contexts)}")


# --- Messages

def requests(folder, service="*"):
    """The paths of messages in the order in which they were sent."""
    return sorted(glob.glob(os.path.join(folder, f"[0-9][0-9]-{service}.request")))


def read(path):
    with open(path, "rb") as file:
        return file.read()


def answers(collector, paths):
    """Sends these messages; (path, answer) of each."""
    connection = wire.Connection(collector.agents)
    for path in paths:
        yield path, connection.ask(read(path))
    connection.close()


def check_answers(collector, paths):
    """An agent of an earlier version gets the answers that it got then."""
    for path, answer in answers(collector, paths):
        now, then = wire.reply(answer), wire.reply(read(path.replace(".request", ".reply")))
        for name in ("version", "status", "next_sequence"):
            check(now[name] == then[name], f"{path}: {name} is {now[name]}, not {then[name]}")


# --- Data directories

def copy_data(folder, path):
    """Puts the directory that the earlier version left at path, in place of what is there."""
    shutil.rmtree(path, ignore_errors=True)
    shutil.copytree(os.path.join(folder, "data"), path)
    set_boot(path, read("/proc/sys/kernel/random/boot_id").decode().strip())


def set_boot(path, boot_id):
    """Says that the machine has been up since then: else its recordings have a power cut."""
    mark = os.path.join(path, "running")
    rest = read(mark).decode().split(" ", 1)[1]
    with open(mark, "w", encoding="ascii") as file:
        file.write(f"{boot_id} {rest}")


def ids(collector):
    return {row["service"]: row["id"] for row in collector.recordings()}


def ask(collector, path):
    answer = collector.get(path.format_map(ids(collector)))
    check(answer.status == 200, f"{path}: {answer.status} {answer.body[:300]}")
    return answer.json()


def without_passing(value):
    if isinstance(value, dict):
        return {key: without_passing(child) for key, child in value.items() if key not in PASSING}
    return [without_passing(child) for child in value] if isinstance(value, list) else value


def download(collector, service):
    answer = collector.get(f"/api/v1/recordings/{ids(collector)[service]}.jfr")
    check(answer.status == 200, f"download of {service}: {answer.status} {answer.body[:300]}")
    return answer.body


def save_answers(folder, collector):
    found = {path: without_passing(ask(collector, path)) for path in ASKED}
    found["sha256 of basket"] = hashlib.sha256(download(collector, "basket")).hexdigest()
    with open(os.path.join(folder, "answers.json"), "w", encoding="utf-8") as file:
        json.dump(found, file, indent=1)
        file.write("\n")


def check_covers(found, expected, what):
    """found has all that is expected; new fields may be there, and of what runs on more may be known."""
    if isinstance(expected, dict):
        check(isinstance(found, dict), f"{what}: {found}")
        for key, value in expected.items():
            check(key in found, f"{what}: {key} is missing")
            if key == "losses" and expected["is_running"]:
                check(all(found[key][kind] >= count for kind, count in value.items()), f"{what}: {found[key]}")
            elif not (key in ("end", "end_ns") and expected["is_running"] and found[key] > value):
                check_covers(found[key], value, f"{what}.{key}")
    elif isinstance(expected, list):
        check(isinstance(found, list) and len(found) == len(expected), f"{what}: {found}, not {expected}")
        for i, value in enumerate(expected):
            check_covers(found[i], value, f"{what}[{i}]")
    else:
        check(found == expected, f"{what}: {found}, not {expected}")


def check_saved_answers(folder, collector):
    with open(os.path.join(folder, "answers.json"), encoding="utf-8") as file:
        saved = json.load(file)
    digest = saved.pop("sha256 of basket")
    for path, expected in saved.items():
        check_covers(ask(collector, path), without_passing(expected), path)
    check(hashlib.sha256(download(collector, "basket")).hexdigest() == digest, "other bytes of basket")


def wait_stored(collector, service, chunk_count):
    def is_stored():
        return len(ask(collector, f"/api/v1/recordings/{{{service}}}")["chunks"]) == chunk_count
    wait_for(f"{chunk_count} chunks of {service}", is_stored)


def wait_ended(collector, service):
    """Returns what is said of the recording once all of it is stored."""
    def ended():
        row = ask(collector, f"/api/v1/recordings/{{{service}}}")
        return None if row["is_running"] or row["waiting"]["chunks"] else row
    return wait_for(f"the end of {service}", ended)
