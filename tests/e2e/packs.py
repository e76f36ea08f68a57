# SPDX-License-Identifier: Apache-2.0
"""Promised: the chunks of a while are one object of the store (--pack-seconds): so many PUTs and no more, whatever the number
of JVMs; nothing that was acknowledged is lost or there twice, whenever the collector is killed; and objects go, or are written
anew without what is gone, as their chunks go.

--case cost       several JVMs; PUTs are counted; what waits is in downloads; SIGTERM stores what waits; the bytes are those of files
--case kill       the collector is killed as a pack has just come into the store, and at other times; then the store is killed
                  while packs wait
--case retention  recordings that shared objects are removed, one after the other
--case orphans    what nobody has committed is removed when it is old, and nothing that may be nowhere else
--case postgres   kill and retention, with the catalog in PostgreSQL

Several cases run one after the other.
"""

import argparse
import os
import random
import shutil

from support import packs, sequence
from support.object_server import CREDENTIALS, ObjectServer
from support.postgres import empty, run_with_postgres, url
from support.process import LIMIT_S, Collector, check, run_each, wait_for
from support.stored import journals, metric, wait_stored

JVMS = 2  # of cost
KILLS = 3
SPARSE = 0.5  # the part of an object's bytes, at most, that is copied and does not stay
RATE = 300  # ticks a second
OLD = "000000000001-00000000000000aa-000001"


def start_collector(scenario, server, seconds, catalog):
    collector = Collector(scenario)
    collector.env = {**CREDENTIALS, **catalog, "LOUPE_STORE": server.url("prefix"), "LOUPE_PACK_SECONDS": str(seconds)}
    return collector.start()


def start_jvms(scenario, feature, collector, count):
    """(service, JVM, what ends it) of each."""
    started = []
    for number in range(count):
        service = f"packs{number}"
        stop = scenario.path(f"stop{number}")
        agent = scenario.agent_options(collector, service, segment=1)
        started.append((service, scenario.jvm(feature, "SequenceE2E", str(RATE), f"until:{stop}", agent=agent, name=service), stop))
    return started


def end(started):
    """The last words of each."""
    words = {}
    for _, _, stop in started:
        with open(stop, "w", encoding="ascii"):
            pass
    for service, jvm, _ in started:
        jvm.wait_exit()
        words[service] = sequence.last_words(jvm)
    return words


def check_all(scenario, collector, words, name, others=None):
    """Downloads each recording, which has to be complete, or to have the same bytes as another download. Returns their paths."""
    paths = {}
    for service, said in words.items():
        paths[service] = collector.download(collector.recording(service), scenario.path(f"{service}-{name}.jfr"))
        if others is None:
            sequence.check_complete(paths[service], *said)
    if others is not None:
        check_same(paths, others)
    check(len(collector.recordings()) == len(words), f"{len(collector.recordings())} recordings of {len(words)} JVM runs")
    return paths


def check_same(paths, others):
    for service, path in paths.items():
        with open(path, "rb") as file, open(others[service], "rb") as other:
            check(file.read() == other.read(), f"{service}: {others[service]} has other bytes than {path}")


def packs_of(server):
    objects = server.objects("prefix")
    check(all(key.startswith("packs/") for key in objects), f"objects: {sorted(objects)}")
    return objects


def part_of(server, session):
    """A session's part of the chunks' bytes in each object."""
    parts = {}
    for name, path in packs_of(server).items():
        sizes = [(of == session, len(content)) for of, _, content in packs.chunks(path)]
        parts[name] = sum(size for is_its, size in sizes if is_its) / sum(size for _, size in sizes)
    return parts


def check_as_files(scenario, collector, server, words, others):
    """Compares with the downloads of a collector that has the chunks as files."""
    files = Collector(scenario, "files")
    shutil.copytree(collector.data, files.data)
    os.remove(f"{files.data}/store")
    for path in packs_of(server).values():
        for session, ordinal, content in packs.chunks(path):
            os.makedirs(f"{files.data}/chunks/{session}", exist_ok=True)
            with open(f"{files.data}/chunks/{session}/{ordinal}.jfr.zst", "wb") as file:
                file.write(content)
    files.start()
    check_all(scenario, files, words, "files", others)
    files.stop()


def cost(scenario, feature, catalog):
    server = ObjectServer(scenario).start()
    collector = start_collector(scenario, server, 2, catalog)
    started = start_jvms(scenario, feature, collector, JVMS)
    wait_for("three packs", lambda: metric(collector, "loupe_packs_stored_total") >= 3, 2 * LIMIT_S)
    words = end(started)
    wait_for("something that waits", lambda: journals(collector))
    early = check_all(scenario, collector, words, "early")
    stored, chunks = (metric(collector, f"loupe_{name}_total") for name in ("packs_stored", "pack_chunks_stored"))
    puts = metric(collector, 'loupe_object_requests_total{method="PUT"}')
    check(puts == stored, f"{puts} PUTs for {stored} packs")
    check(chunks > JVMS * (stored - 1), f"{chunks} chunks of {JVMS} JVMs in {stored} packs: each of them is a second long")
    collector.stop()
    check(not journals(collector), "SIGTERM left chunks that were compacted in journals")
    check(len(packs_of(server)) <= stored + 2, f"{len(packs_of(server))} objects at the end, after {stored}")
    collector.start()
    for service in words:
        wait_stored(collector, collector.recording(service))
    check_all(scenario, collector, words, "late", early)
    collector.stop()
    check_as_files(scenario, collector, server, words, early)


def kill(scenario, feature, catalog):
    server = ObjectServer(scenario).start()
    collector = start_collector(scenario, server, 1, catalog)
    started = start_jvms(scenario, feature, collector, 2)
    wait_for("the first pack", lambda: packs_of(server))
    for _ in range(KILLS):
        before = set(packs_of(server))
        if random.randrange(3):  # as soon as it is there: its commit is under way, or was just done
            wait_for("another pack", lambda before=before: set(packs_of(server)) - before)
        else:
            wait_for("chunks in the open pack", lambda: metric(collector, "loupe_packs_waiting"))
        collector.kill()
        collector.start()
    kill_store(collector, server)
    words = end(started)
    for service in words:
        wait_stored(collector, collector.recording(service))
    first = check_all(scenario, collector, words, "first")
    collector.kill()
    collector.start()
    check_all(scenario, collector, words, "second", first)
    collector.stop()


def kill_store(collector, server):
    server.kill()
    before = set(packs_of(server))
    wait_for("a pack that cannot be stored", lambda: metric(collector, "loupe_pack_failures_total"))
    wait_for("journals", lambda: len(journals(collector)) > 8)
    check(collector.get("/readyz").status == 200, "batches are taken, but it is not ready")
    check(metric(collector, "loupe_packs_waiting") <= 3, "packs gather without a limit")
    check(set(packs_of(server)) == before, "somebody else stores objects")
    server.start()
    wait_for("more packs", lambda: set(packs_of(server)) - before, 2 * LIMIT_S)


def retention(scenario, feature, catalog):
    server = ObjectServer(scenario).start()
    collector = start_collector(scenario, server, 2, catalog)
    started = start_jvms(scenario, feature, collector, 3)
    sessions = {service: collector.recording(service) for service, _, _ in started}
    early = len(packs_of(server))
    wait_for("two packs of all", lambda: len(packs_of(server)) >= early + 2)
    words = end(started)
    for service in words:
        wait_stored(collector, collector.recording(service))
    whole = check_all(scenario, collector, words, "whole")
    parts = {service: part_of(server, session) for service, session in sessions.items()}
    left = min(words, key=lambda service: min(filter(None, parts[service].values())))  # at most half of a shared object
    sparse = {name for name, part in parts[left].items() if part <= SPARSE}
    for service in set(words) - {left}:
        answer = collector.get(f"/api/v1/recordings/{sessions[service]}", method="DELETE")
        check(answer.status == 204, f"DELETE: {answer.status}")
        del words[service]
    wait_for("none of the sparse objects", lambda: not sparse & set(packs_of(server)), 2 * LIMIT_S)
    check(metric(collector, "loupe_packs_repacked_total") > 0, "nothing was copied")
    check_all(scenario, collector, words, "left", whole)
    parts = part_of(server, sessions[left])
    check(all(part > SPARSE for part in parts.values()), f"the recording's parts of the objects that are left: {parts}")
    collector.kill()
    collector.start()
    check_all(scenario, collector, words, "again", whole)
    for service in words:
        collector.get(f"/api/v1/recordings/{collector.recording(service)}", method="DELETE")
    wait_for("no objects", lambda: not packs_of(server), 2 * LIMIT_S)
    collector.stop()


def orphans(scenario, feature, catalog):
    server = ObjectServer(scenario).start()
    collector = start_collector(scenario, server, 1, catalog)
    started = start_jvms(scenario, feature, collector, 1)
    wait_for("a pack", lambda: packs_of(server))
    words = end(started)
    wait_stored(collector, collector.recording("packs0"))
    collector.stop()
    path = sorted(packs_of(server).values())[0]
    folder = os.path.dirname(path)
    copied, unknown, broken = (f"{folder}/{OLD[:-1]}{digit}.pack" for digit in "123")
    young = f"{folder}/9{OLD[1:]}.pack"
    with open(path, "rb") as file:
        content = file.read()
    session = bytes.fromhex(next(packs.chunks(path))[0])
    for name, bytes_of_it in ((copied, content), (young, content), (broken, content[:-1]), (unknown, other_session(content, session))):
        with open(name, "wb") as file:
            file.write(bytes_of_it)
    collector.start()
    wait_for("the old copy to be removed", lambda: not os.path.exists(copied))
    wait_for("those that nobody knows", lambda: metric(collector, "loupe_packs_unknown") == 2)
    check(all(map(os.path.exists, (young, unknown, broken))), "an object was removed that may be somebody's")
    check_all(scenario, collector, words, "all")
    collector.stop()


def other_session(content, session):
    """A pack of a session that the catalog does not have. Its footer needs the hash, which Python has not: the seal is broken,
    so the chunk is named by nobody, and the object may be the only one that has it."""
    return content.replace(session, bytes(len(session)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int)
    cases = {"cost": (cost,), "kill": (kill,), "retention": (retention,), "orphans": (orphans,), "postgres": (kill, retention)}
    parser.add_argument("--case", choices=cases, nargs="+", required=True)
    args = parser.parse_args()
    if "postgres" in args.case:
        run_with_postgres(is_shared=True)

    def run_body(scenario, case, body):
        is_postgres = case == "postgres"
        if is_postgres:
            empty()
        body(scenario, args.jdk, {"LOUPE_CATALOG": url()} if is_postgres else {})
    run_each({f"packs-{case}-{body.__name__}": lambda scenario, case=case, body=body: run_body(scenario, case, body)
              for case in args.case for body in cases[case]})


main()
