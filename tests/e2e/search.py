# SPDX-License-Identifier: Apache-2.0
"""Promised: with an object store the index of ids is there, too: segments of an hour, by which any collector with the same catalog
and store finds what another one has stored, however its directory was lost. Each search is complete, or says what it lacks.

--case suite   the unit tests of segments in objects, over a real store
--case lost    a collector's directory is thrown away, before and after its ids are in a segment; segments that are damaged, or
               gone, and made again; the store is away; segments go with the last chunk
--case killed  a collector is killed while it stores a segment, and when it has stored it
"""

import argparse
import glob
import os
import random
import shutil
import subprocess
import time

from support.elimination import write_policy
from support.object_server import CREDENTIALS, ObjectServer, Proxy
from support.postgres import query, run_with_postgres, url
from support.process import LIMIT_S, LOUPE, Collector, check, run, wait_for
from support.stored import end_jvm, metric, start_jvm, wait_stored

IDS = 12  # that are looked for
HOUR_LEFT_S = 90  # at the end of an hour, its ids become a segment
DIVISOR = 20  # a collector looks each 3 s for what it may put into a segment (ID_INDEX_LOOK_MS)


def make_collector(scenario, name, store):
    collector = Collector(scenario, name)
    collector.divisor = DIVISOR
    collector.env = {**CREDENTIALS, "LOUPE_STORE": store, "LOUPE_CATALOG": url(), "LOUPE_PACK_SECONDS": "2",
                     "LOUPE_POLICY": write_policy(scenario.path(f"{name}.jfc"), {"e2e-order": {"context-index": "id"}})}
    return collector


def segments(server):
    return {key: path for key, path in server.objects("prefix").items() if key.startswith("index/")}


def ask(collector, value):
    answer = collector.get(f"/api/v1/ids/{value}")
    check(answer.status == 200, f"/ids/{value}: {answer.status} {answer.body[:300]}")
    return answer.json()


def ids_of(collector, recording):
    """Some ids of contexts that were kept, each with the contexts that have it."""
    answer = collector.get(f"/api/v1/contexts?recording={recording}&context=e2e_order&limit=1000").json()
    at = {name: i for i, name in enumerate(answer["columns"])}
    found = {}
    for row in answer["rows"]:
        found.setdefault(str(row[at["attr.id"]]), set()).add(row[at["id"]])
    check(len(found) >= IDS, f"only {len(found)} ids were kept")
    return {value: found[value] for value in random.sample(sorted(found), IDS)}


def check_found(collector, ids, has_segments=None, is_whole=True):
    """Each id is found, with all of its contexts. The answer of the last one."""
    for value, contexts in ids.items():
        answer = ask(collector, value)
        at = answer["columns"].index("id")
        check(answer["state"] == "kept", f"/ids/{value}: {answer['state']}, {answer['searched']}")
        check({row[at] for row in answer["rows"]} == contexts, f"/ids/{value}: {answer['rows']}, expected {contexts}")
        check(answer["searched"]["is_whole"] == is_whole, f"{answer['searched']}")
        if has_segments is not None:
            check((answer["searched"]["segments"] > 0) == has_segments, f"{answer['searched']}")
    nobodys = ask(collector, "9999999999")
    check(nobodys["state"] != "kept", f"an id that nobody has: {nobodys['state']}")
    return answer


def record(scenario, feature, collector, name):
    """Records a JVM until it has some chunks, and ends it: its recording. All of it is in one hour, with time to look at it."""
    wait_for("the next hour", lambda: time.time() % 3600 < 3600 - HOUR_LEFT_S, 2 * HOUR_LEFT_S)
    jvm, stop = start_jvm(scenario, feature, collector, name)
    recording = collector.recording(name)
    wait_for("chunks", lambda: len(collector.get(f"/api/v1/recordings/{recording}").json().get("chunks", ())) > 4)
    end_jvm(jvm, stop)
    wait_stored(collector, recording)
    os.remove(stop)
    check(int(query("SELECT coalesce(sum(id_count), 0) FROM chunk_ids")[0]) >= IDS, "the catalog has too few ids")
    return recording


def end_hour(hours=1):
    """What is in the catalog is of an hour that is over."""
    query(f"UPDATE chunk_ids SET hour = hour - {hours}; UPDATE chunk SET ids_hour = ids_hour - {hours}")


def wait_gathered(server):
    wait_for("a segment", lambda: query("SELECT count(*) FROM chunk_ids") == ["0"] and segments(server), look_s=0.3)


def suite(scenario, _):
    server = ObjectServer(scenario).start()
    program = os.path.join(os.path.dirname(LOUPE), "test_id_index")
    env = dict(os.environ, **CREDENTIALS, LOUPE_TEST_STORE=server.url("some/where"))
    done = subprocess.run([program], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600, check=False)
    text = done.stdout.decode()
    check(done.returncode == 0 and "SKIPPED" not in text, f"{program}: {text[-4000:]}")


def lost(scenario, feature):
    server = ObjectServer(scenario).start()
    first = make_collector(scenario, "first", server.url("prefix")).start()
    recording = record(scenario, feature, first, "lost")
    ids = ids_of(first, recording)
    check_found(first, ids, has_segments=False)
    first.kill()
    shutil.rmtree(first.data)
    second = make_collector(scenario, "second", server.url("prefix")).start()
    check_found(second, ids, has_segments=False)
    second.kill()
    end_hour(3)  # nobody else gathers them sooner
    second.start()
    wait_gathered(server)
    check(len(segments(server)) == 1, f"one collector, one hour: {sorted(segments(server))}")
    check_found(second, ids, has_segments=True)
    second.stop()
    shutil.rmtree(second.data)
    third = make_collector(scenario, "third", server.url("prefix")).start()
    check_found(third, ids, has_segments=True)
    check_damaged(third, server, ids)
    check_away(third, server, ids)
    removed = third.get(f"/api/v1/recordings/{recording}", method="DELETE")
    check(removed.status == 204, f"DELETE: {removed.status}")
    wait_for("no segments", lambda: not segments(server), look_s=0.3)
    third.stop()


def check_damaged(collector, server, ids):
    """Segments that cannot be read: chunks are read in their place, until they are made again."""
    def start_without_cache():
        collector.kill()
        for path in glob.glob(f"{collector.data}/ids/*.head"):
            os.remove(path)
        collector.start()
    (path,) = segments(server).values()
    with open(path, "rb") as file:
        whole = file.read()
    changed = bytearray(whole)
    changed[100] ^= 1  # in its head
    in_block = whole[:-1] + bytes([whole[-1] ^ 1])  # of which a search that needs another one notices nothing
    for content in (bytes(changed), whole[:200], in_block, b""):
        with open(path, "wb") as file:
            file.write(content)
        start_without_cache()
        answer = check_found(collector, ids)
        check(answer["searched"]["chunks_without_segment"] > 0 or content == in_block, f"it does not say so: {answer['searched']}")
    os.remove(path)
    start_without_cache()
    check_found(collector, ids, has_segments=False)
    check("cannot read" in scenario_log(collector), "the log does not say so")
    collector.stop()
    done = subprocess.run([LOUPE, "index", "--rebuild", "--data", collector.data], env={**os.environ, **collector.env}, check=False,
                          timeout=2 * LIMIT_S, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    check(done.returncode == 0, f"index --rebuild: status {done.returncode}: {done.stdout.decode()}")
    collector.start()
    answer = check_found(collector, ids)
    check(answer["searched"]["chunks_without_segment"] == 0, f"made again: {answer['searched']}")
    wait_gathered(server)
    check_found(collector, ids, has_segments=True)


def scenario_log(collector):
    return collector.scenario.log_of(collector.name)


def check_away(collector, server, ids):
    """The store does not answer: the answer is not taken for all that there is."""
    server.kill()
    answer = ask(collector, next(iter(ids)))
    searched = answer["searched"]
    check(searched["segments_unread"] == 1 and not searched["is_whole"] and answer["is_truncated"], f"{searched}")
    check(metric(collector, "loupe_index_segments_unread_total") > 0, "it is not counted")
    server.start()
    wait_for("the store is asked again", lambda: ask(collector, next(iter(ids)))["searched"]["is_whole"])
    check_found(collector, ids, has_segments=True)


def killed(scenario, feature):
    server = ObjectServer(scenario).start()
    proxy = Proxy(server)
    collector = make_collector(scenario, "killed", server.url("prefix", port=proxy.port)).start()
    ids = ids_of(collector, record(scenario, feature, collector, "killed"))
    collector.kill()
    end_hour()
    for mode, stored in (("hang", 0), ("deaf", 1)):
        collector.kill()
        proxy.set_mode(mode)
        collector.start()
        counted = "hang" if mode == "hang" else "segments"
        wait_for("a segment on its way", lambda counted=counted: proxy.counts.get(counted, 0) > 0)
        collector.kill()
        check(len(segments(server)) == stored, f"{mode}: {sorted(segments(server))}")
        check(query("SELECT count(*) FROM id_segment") == ["0"], "a segment is there before it is stored")
        proxy.set_mode("pass")
    collector.start()
    wait_gathered(server)
    names = query("SELECT name FROM id_segment")
    check([f"index/{name}" for name in names] == sorted(segments(server)), f"{names}, {sorted(segments(server))}")
    check_found(collector, ids, has_segments=True)
    collector.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int)
    cases = {"suite": suite, "lost": lost, "killed": killed}
    parser.add_argument("--case", choices=cases, required=True)
    args = parser.parse_args()
    run_with_postgres(is_shared=True)
    run(f"search-{args.case}", lambda scenario: cases[args.case](scenario, args.jdk))


main()
