# SPDX-License-Identifier: Apache-2.0
"""Promised: a collector that is far from its PostgreSQL goes on: no agent is refused, nothing is lost, and /readyz says when the
catalog is behind.

--case trips  how often the collector waits for PostgreSQL: for a Hello, a chunk, the rows of sessions
--case slow   --delay ms each way: what agents see
"""

import argparse
import os
import statistics
import threading
import time

from support import sequence
from support.attacks import batch, hello
from support.postgres import run_with_postgres, url
from support.process import LIMIT_S, Collector, check, run, wait_for
from support.slow_link import SlowLink, has
from support.stored import end_jvm, start_jvm, wait_stored
from support.wire import OK, Connection, reply

PROBES = 5
# How often the collector may wait for PostgreSQL: what it reads comes first, then what it writes, with the commit.
CHUNK_TRIPS = 2
ROWS_TRIPS = 1


def link_to_postgres():
    return SlowLink("127.0.0.1", int(os.environ["LOUPE_POSTGRES_PORT"]))


def use(collector, link):
    collector.env = {"LOUPE_CATALOG": f"{url()}&sslmode=disable".replace(os.environ["LOUPE_POSTGRES_PORT"], str(link.port))}
    return collector


def timed(what, times, action):
    begin = time.monotonic()
    result = action()
    times.setdefault(what, []).append(time.monotonic() - begin)
    return result


def probe(collector, times):
    """One more agent: it connects, says hello, sends a batch."""
    connection = timed("greeting", times, lambda: Connection(collector.agents))
    session = os.urandom(16)
    answer = reply(timed("hello", times, lambda: connection.ask(hello(session, "probe"))))
    check(answer["status"] == OK, f"a Hello is answered {answer}")
    for number in range(2):
        answer = reply(timed("batch", times, lambda number=number: connection.ask(batch(session, number, is_last=number == 1))))
        check(answer["status"] == OK, f"a batch is answered {answer}")
    connection.close()


def print_times(label, times):
    for what, found in times.items():
        print(f"{label}: {what:9} median {statistics.median(found):6.3f} s, max {max(found):6.3f} s of {len(found)}")


def trips(scenario, feature):
    link = link_to_postgres()
    collector = use(Collector(scenario), link).start()
    jvm, stop = start_jvm(scenario, feature, collector, "trips")
    recording = collector.recording("trips")
    wait_for("chunks", lambda: len(collector.get(f"/api/v1/recordings/{recording}").json()["chunks"]) > 3)
    first = len(link.trips)
    probe(collector, {})
    words = end_jvm(jvm, stop)
    wait_stored(collector, recording)
    sequence.check_complete(collector.download(recording, scenario.path("all.jfr")), *words)
    collector.stop()
    chunks = [len(found) for found in link.transactions() if has(found, "INSERT INTO chunk (")]
    rows = [len(found) for found in link.transactions(first) if has(found, "INSERT INTO session (") and
            not has(found, "INSERT INTO chunk (")]
    print(f"round trips: a chunk {chunks}, rows of sessions {rows}")
    check(chunks and max(chunks) <= CHUNK_TRIPS, f"round trips of chunks: {chunks}")
    check(rows and max(rows) <= ROWS_TRIPS, f"round trips of sessions' rows: {rows}")


def slow(scenario, feature, delay_ms):
    link = link_to_postgres()
    collector = use(Collector(scenario), link).start()
    link.delay_s = delay_ms / 1000
    jvm, stop = start_jvm(scenario, feature, collector, "slow")
    recording = wait_for("a recording", lambda: [r["id"] for r in collector.recordings("?service=slow")])[0]
    times, reasons = {}, set()
    for _ in range(PROBES):
        probe(collector, times)
        answer = timed("readyz", times, lambda: collector.get("/readyz"))
        reasons.add((answer.status, answer.body.decode().strip()))
    begin = time.monotonic()
    words = end_jvm(jvm, stop)
    times["JVM's end"] = [time.monotonic() - begin]
    print_times(f"{delay_ms} ms each way", times)
    print(f"/readyz: {sorted(reasons)}")
    wait_for("its end", lambda: not collector.get(f"/api/v1/recordings/{recording}").json()["is_running"])
    wait_stored(collector, recording)
    link.delay_s = 0
    sequence.check_complete(collector.download(recording, scenario.path("all.jfr")), *words)
    check("no answer from a collector" not in scenario.log_of("SequenceE2E"), "the agent had no answer for 10 s")
    collector.stop()


def main():
    run_with_postgres(is_shared=True)
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--case", choices=("trips", "slow"), required=True)
    parser.add_argument("--delay", type=int, default=200)
    args = parser.parse_args()
    if args.case == "trips":
        run("slow-catalog-trips", lambda scenario: trips(scenario, args.jdk))
    run(f"slow-catalog-{args.delay}", lambda scenario: slow(scenario, args.jdk, args.delay))


main()
