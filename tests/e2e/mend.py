# SPDX-License-Identifier: Apache-2.0
"""Promised: whatever of a data directory is damaged costs itself. The collector starts, and each recording has all events but
those that were in what is damaged, which are counted in its losses.

Two JVMs number their events; one of them is killed, so that journals of it wait. Then, each on a copy of the directory:
catalogs that are empty, cut off, gone, or have garbage in them; chunks that are gone, empty, cut off; journals that are
damaged, cut off, directories; and files that are none of the collector's. The events are counted by the JDK's reader. Where the
catalog is made again of the chunks, it has as many requests as before, by the same reasons.

`loupe fsck` finds each of these, changes nothing unless it is told to, and finds nothing any more after --repair.
"""

import argparse
import glob
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess

from support import judge
from support.process import LIMIT_S, LOUPE, Collector, check, run, wait_for

TICKS_EACH = 400  # a second
CHUNKS_LEAST = 3


class Store:
    """A data directory, and what its recordings have."""

    def __init__(self, scenario, collector):
        self.scenario, self.collector = scenario, collector
        self.good = scenario.path("good")
        self.ticks = {}
        self.requests = {}  # of recordings whose chunks are all compacted
        self.judged = {}  # bytes of a download: its ticks

    def restore(self):
        shutil.rmtree(self.collector.data)
        shutil.copytree(self.good, self.collector.data)

    def path(self, *names):
        return os.path.join(self.collector.data, *names)


def ticks_of(path):
    return sorted(int(e.values["seq"]) for e in judge.dump(path) if e.type == "e2e.Tick")


def download_ticks(store, recording):
    path = store.collector.download(recording, store.scenario.path("download.jfr"))
    with open(path, "rb") as file:
        content = file.read()
    if content not in store.judged:
        store.judged[content] = ticks_of(path)
    return store.judged[content]


def requests_of(collector, recording):
    """What the catalog says of its requests."""
    found = next(r for r in collector.recordings() if r["id"] == recording)
    return {name: value for name, value in found.items() if name.startswith("requests_")}


def keep_journals(scenario, collector, recording):
    """Links the journals that are there, and returns whether there was one: it may be deleted at any time."""
    for journal in glob.glob(os.path.join(collector.data, "journal", recording, "*.log")):
        try:
            os.link(journal, scenario.path(f"kept/{os.path.basename(journal)}"))
        except FileNotFoundError:
            pass
    return os.listdir(scenario.path("kept"))


def make(scenario, collector):
    store = Store(scenario, collector)
    collector.start()
    stop = scenario.path("stop")
    ended = scenario.jvm(25, "SequenceE2E", str(TICKS_EACH), f"until:{stop}", name="ended",
                         agent=scenario.agent_options(collector, "ended", segment=1))
    killed = scenario.jvm(25, "SequenceE2E", str(TICKS_EACH), f"until:{stop}", name="killed",
                          agent=scenario.agent_options(collector, "killed", segment=1))
    recordings = {name: collector.recording(name) for name in ("ended", "killed")}
    collector.wait_for_growth(recordings["killed"], 6)
    # Of one of the JVMs the journals as they become, though the collector deletes them.
    os.mkdir(scenario.path("kept"))
    wait_for("a journal", lambda: keep_journals(scenario, collector, recordings["ended"]))
    chunks = os.path.join(collector.data, "chunks", recordings["ended"])
    wait_for("chunks", lambda: len(glob.glob(f"{chunks}/*.jfr.zst")) >= CHUNKS_LEAST)
    killed.process.send_signal(signal.SIGKILL)
    with open(stop, "w", encoding="ascii"):
        pass
    ended.wait_exit()
    journals = os.path.join(collector.data, "journal", recordings["ended"])
    wait_for("the chunks of the JVM that ended", lambda: not glob.glob(f"{journals}/*.log"))
    collector.kill()
    shutil.copytree(collector.data, store.good)
    for left in glob.glob(os.path.join(store.good, "chunks", "*", "*.tmp")):
        os.unlink(left)  # of a write that the kill cut short
    collector.start()
    for name, recording in recordings.items():
        store.ticks[recording] = download_ticks(store, recording)
        check(len(store.ticks[recording]) > 30, f"{name}: {len(store.ticks[recording])} ticks")
    store.requests[recordings["ended"]] = requests_of(collector, recordings["ended"])
    check(store.requests[recordings["ended"]]["requests_out"] > 0, f"no requests: {store.requests}")
    check(glob.glob(os.path.join(store.good, "journal", recordings["killed"], "*.log")), "no journal waits")
    collector.kill()
    return store, recordings


def losses(collector, recording):
    """But for the end of the JVM that was killed: whether that is known by then depends on how slow the machine is."""
    found = next(r for r in collector.recordings() if r["id"] == recording)["losses"]
    return {kind: amount for kind, amount in found.items() if amount and kind != "end_unknown"}


def garbage(path, offset, size):
    with open(path, "r+b") as file:
        file.seek(offset)
        file.write(random.randbytes(size))


def compare(store, what, changed=None, requests=None):
    """Starts the collector. All ticks are there, but for some of changed, whose loss is counted, and these requests."""
    collector = store.collector
    collector.start()
    for recording, expected in (requests or {}).items():
        found = requests_of(collector, recording)
        check(found == expected, f"{what}: requests are {found}, not {expected}")
    for recording, expected in store.ticks.items():
        got = download_ticks(store, recording)
        check(len(got) == len(set(got)), f"{what}: ticks are there twice")
        missing = sorted(set(expected) - set(got))
        check(set(got) <= set(expected), f"{what}: ticks that never were")
        if recording == changed:
            check(missing, f"{what}: nothing is missing")
            check(len(missing) < len(expected), f"{what}: everything is missing")
            check(losses(collector, recording), f"{what}: {len(missing)} ticks are missing, and no loss is counted")
        else:
            check(not missing, f"{what}: {recording}: {len(missing)} of {len(expected)} ticks are missing")
    collector.stop()
    collector.start()  # and once more, from what the first start has made of it
    for recording in store.ticks:
        collector.download(recording, store.scenario.path("again.jfr"))
    collector.stop()
    store.restore()


def damage_catalog(store, rounds):
    catalog = store.path("catalog.db")
    size = os.path.getsize(catalog)
    with open(catalog, "w", encoding="ascii"):
        pass
    compare(store, "an empty catalog")
    for name in glob.glob(catalog + "*"):
        os.unlink(name)
    compare(store, "no catalog", requests=store.requests)
    os.truncate(catalog, size // 2)
    compare(store, "half a catalog")
    pages = size // 4096
    for page in sorted(random.sample(range(1, pages), rounds)) + [0]:
        garbage(catalog, page * 4096, 4096)
        compare(store, f"garbage on page {page} of {pages}")
    log = catalog + "-wal"
    if os.path.exists(log):
        for part in range(min(rounds, 2)):
            garbage(log, os.path.getsize(log) // 2 * part, 100)
            compare(store, f"garbage in part {part} of the log")


def damage_chunks(store, recording):
    chunks = sorted(glob.glob(store.path("chunks", recording, "*.jfr.zst")))
    check(len(chunks) >= CHUNKS_LEAST, f"{len(chunks)} chunks")
    chunk = chunks[1]
    os.unlink(chunk)
    compare(store, "a chunk is gone", recording)
    os.truncate(chunk, 0)
    compare(store, "a chunk is empty", recording)
    os.truncate(chunk, os.path.getsize(chunk) // 2)
    compare(store, "a chunk is cut off", recording)
    with open(chunk + ".tmp", "wb") as file:
        file.write(random.randbytes(1000))
    with open(store.path("chunks", recording, "strange"), "wb") as file:
        file.write(b"?")
    with open(store.path("chunks", recording, "99999.jfr.zst"), "wb") as file:
        file.write(random.randbytes(1000))
    compare(store, "files that are no chunks")
    check(not os.path.exists(chunk + ".tmp"), "restored")


def damage_journals(store, recording, rounds):
    journals = sorted(glob.glob(store.path("journal", recording, "*.log")), key=os.path.getsize)
    journal = journals[-1]
    size = os.path.getsize(journal)
    for part in range(rounds):
        garbage(journal, size // (rounds + 1) * (part + 1), 10)
        compare_any(store, f"garbage in a journal, part {part + 1} of {rounds}", recording)
    os.truncate(journal, size // 2)
    compare_any(store, "half a journal", recording)
    os.unlink(journal)
    os.mkdir(journal)
    compare_any(store, "a journal that is a directory", recording)
    shutil.rmtree(store.path("journal", recording))
    with open(store.path("journal", recording), "wb"):
        pass
    compare_any(store, "journals that are no directory", recording)


def compare_any(store, what, changed):
    """As compare, where what is damaged need not have had ticks."""
    collector = store.collector
    collector.start()
    for recording, expected in store.ticks.items():
        got = download_ticks(store, recording)
        check(len(got) == len(set(got)) and set(got) <= set(expected), f"{what}: other ticks")
        if recording != changed:
            check(got == expected, f"{what}: {recording}: {len(expected) - len(got)} ticks are missing")
    collector.stop()
    store.restore()


def damage_unseen(store, recording):
    """A chunk whose bytes changed, and their number did not: a download breaks there, and the next one leaves it out."""
    collector = store.collector
    chunk = sorted(glob.glob(store.path("chunks", recording, "*.jfr.zst")))[1]
    number = number_of(chunk)
    with open(chunk, "r+b") as file:
        file.seek(os.path.getsize(chunk) // 2)
        byte = file.read(1)[0]
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte ^ 1]))
    collector.start()
    try:
        collector.get(f"/api/v1/recordings/{recording}.jfr")
        check(False, "a damaged chunk was sent")
    except OSError:
        pass
    answer = wait_for("a download without it", lambda: whole(collector, recording))
    check(answer.headers["Loupe-Missing-Chunks"] == number, f"chunk {number}: {answer.headers}")
    check(losses(collector, recording) == {"chunks_lost": 1}, f"losses: {losses(collector, recording)}")
    got = download_ticks(store, recording)
    check(0 < len(got) < len(store.ticks[recording]), f"{len(got)} ticks")
    check(set(got) < set(store.ticks[recording]), "other ticks")
    collector.stop()
    fsck(store, "a chunk that is known to be damaged", [])
    store.restore()


def whole(collector, recording):
    try:
        return collector.get(f"/api/v1/recordings/{recording}.jfr")
    except OSError:
        return None


def fsck(store, what, expected, *options, status=None):
    """Runs loupe fsck, which finds these kinds."""
    done = subprocess.run([LOUPE, "fsck", "--json", "--data", store.collector.data, *options], timeout=LIMIT_S, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    check(done.returncode in (0, 1), f"{what}: {done}")
    answer = json.loads(done.stdout)
    kinds = sorted({found["kind"] for found in answer["findings"]})
    check(kinds == sorted(expected), f"{what}: {kinds}, not {expected}: {done.stdout}{done.stderr}")
    status = int(bool(expected)) if status is None else status
    check(done.returncode == status, f"{what}: status {done.returncode}: {done.stdout}{done.stderr}")
    return answer


def snapshot(store):
    """The names and contents of all files but SQLite's own and the lock."""
    found = {}
    for folder, _, names in os.walk(store.collector.data):
        for name in names:
            if not name.endswith(("-shm", "-wal", "lock")):
                with open(os.path.join(folder, name), "rb") as file:
                    found[os.path.join(folder, name)] = file.read()
    return found


def check_repair(store, what, kinds, expected_after=()):
    """fsck finds kinds and changes nothing; --repair mends them."""
    before = snapshot(store)
    fsck(store, what, kinds)
    check(snapshot(store) == before, f"{what}: changed without --repair")
    fsck(store, what + ", repaired", kinds, "--repair", status=int(bool(expected_after)))
    fsck(store, what + ", afterwards", expected_after)


def lose_segment(store):
    """The ids of all chunks are in a segment whose file is gone."""
    with sqlite3.connect(store.path("catalog.db")) as catalog:
        catalog.execute("DELETE FROM chunk_ids")
        catalog.execute("UPDATE chunk SET ids_hour = 5")
        catalog.execute("INSERT INTO id_segment (name, hour, from_wall_ns, to_wall_ns, head_bytes, size_bytes, entry_count)"
                        " VALUES ('1970010105/gone.ids', 5, 0, 1 << 62, 8192, 8208, 1)")


def check_fsck(store, ended, killed):
    chunks = sorted(glob.glob(store.path("chunks", ended, "*.jfr.zst")))
    fsck(store, "nothing damaged", [])
    os.unlink(chunks[1])
    check_repair(store, "a chunk is gone", ["chunk-missing"])
    store.restore()
    garbage(chunks[1], 100, 10)
    check_repair(store, "a chunk is damaged", ["chunk-damaged"])
    store.restore()
    for name in glob.glob(store.path("catalog.db*")):
        os.unlink(name)
    fsck(store, "no catalog", ["catalog-missing"])
    fsck(store, "no catalog, repaired", ["catalog-missing", "chunk-unknown", "session-unknown"], "--repair", status=0)
    fsck(store, "no catalog, afterwards", [])
    compare(store, "no catalog, repaired")
    for name in glob.glob(store.path("catalog.db-*")):
        os.unlink(name)  # else the log has its first page
    garbage(store.path("catalog.db"), 0, 4096)
    fsck(store, "a garbage catalog", ["catalog-damaged"])
    fsck(store, "a garbage catalog, repaired", ["catalog-damaged", "chunk-unknown", "session-unknown"], "--repair", status=0)
    compare(store, "a garbage catalog, repaired")
    lose_segment(store)
    check_repair(store, "no index", ["index-damaged"])
    store.restore()
    journal = max(glob.glob(store.path("journal", killed, "*.log")), key=os.path.getsize)
    garbage(journal, os.path.getsize(journal) // 2, 10)
    check_repair(store, "a damaged journal", ["journal-damaged"], ["journal-damaged"])
    store.restore()


def feed_back(store, recordings):
    """Journals in damaged/ are taken up: of a chunk that is waited for, of one that the collector went past, and of one
    whose file is lost."""
    killed, ended = recordings["killed"], recordings["ended"]
    waiting = min(glob.glob(store.path("journal", killed, "*.log")), key=lambda path: int(number_of(path)))
    os.rename(waiting, store.path("damaged", f"{killed}-{number_of(waiting)}.log"))
    fsck(store, "a journal to put back", ["piece-usable"])
    fsck(store, "a journal to put back", ["piece-usable"], "--repair", status=0)
    check(os.path.exists(waiting), "it is not put back")
    compare(store, "a journal that was put back")

    journal = min(glob.glob(store.scenario.path("kept/*.log")), key=lambda path: int(number_of(path)))
    number = number_of(journal)
    with sqlite3.connect(store.path("catalog.db")) as catalog:
        catalog.execute("DELETE FROM chunk WHERE session_id = ? AND ordinal = ?", (ended, number))
    catalog.close()
    os.unlink(store.path("chunks", ended, f"{number}.jfr.zst"))
    shutil.copy(journal, store.path("damaged", f"{ended}-{number}.log"))
    fsck(store, "a journal to compact", ["piece-usable"])
    fsck(store, "a journal to compact", ["piece-usable"], "--repair", status=0)
    fsck(store, "a journal that was compacted", [])
    compare(store, "a journal that was compacted")

    for name, path in (("damaged/", store.path("damaged", f"{ended}-{number}.log")),
                       ("damaged/, with a number", store.path("damaged", f"{ended}-{number}-2.log")),
                       ("journal/", store.path("journal", ended, f"{number}.log"))):
        what = f"a lost chunk whose journal is in {name}"
        os.truncate(store.path("chunks", ended, f"{number}.jfr.zst"), 100)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        shutil.copy(journal, path)
        fsck(store, what, ["chunk-damaged", "piece-usable"], "--repair", status=0)
        check(not os.path.exists(path), f"{what}: it is still there")
        fsck(store, f"{what}, afterwards", [])
        store.collector.start()
        check(not losses(store.collector, ended), f"{what}: losses {losses(store.collector, ended)}")
        store.collector.stop()
        compare(store, what)


def check_newer(store):
    """A catalog of a newer version is an error, and nobody says beside it that all is well."""
    with sqlite3.connect(store.path("catalog.db")) as catalog:
        catalog.execute("PRAGMA user_version = 1000")
    catalog.close()
    answer = fsck(store, "a newer catalog", [], status=1)
    check("version 1000" in answer["problem"], f"a newer catalog: {answer}")
    done = subprocess.run([LOUPE, "fsck", "--data", store.collector.data], timeout=LIMIT_S, check=False,
                          capture_output=True, text=True)
    check(done.returncode == 1 and answer["problem"] in done.stderr, f"a newer catalog: {done}")
    check("not everything was checked" in done.stdout and "well" not in done.stdout, f"a newer catalog: {done}")
    store.restore()


def number_of(path):
    return os.path.basename(path).split(".")[0]


def pend():
    """A signal that came before the program began, which waits until it is looked for."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    os.kill(os.getpid(), signal.SIGTERM)


def end_early(store):
    """SIGTERM ends a start, here one that would have to read all chunks; the next one does it."""
    for name in glob.glob(store.path("catalog.db*")):
        os.unlink(name)
    done = subprocess.run([LOUPE, "collect", "--agents", "tcp://127.0.0.1:0", "--http", "127.0.0.1:0", "--data",
                           store.collector.data], preexec_fn=pend, timeout=LIMIT_S, check=False, stdout=subprocess.PIPE)
    check(done.returncode == 0 and not done.stdout, f"a start that was told to end: {done}")
    compare(store, "a start that was told to end")


def body(scenario, rounds):
    store, recordings = make(scenario, Collector(scenario))
    compare(store, "nothing damaged")
    damage_catalog(store, rounds)
    damage_chunks(store, recordings["ended"])
    damage_journals(store, recordings["killed"], rounds)
    damage_unseen(store, recordings["ended"])
    check_fsck(store, recordings["ended"], recordings["killed"])
    check_newer(store)
    feed_back(store, recordings)
    end_early(store)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=1, help="places in which catalog and journals have garbage")
    rounds = parser.parse_args().rounds
    run("mend", lambda scenario: body(scenario, rounds))


main()
