# SPDX-License-Identifier: Apache-2.0
"""Promised: SIGTERM ends a collector by itself within END_WATCH_MS_MAX, whatever its threads wait for: a question that waits for a
lock in the catalog, a catalog that is frozen, a start that waits for a lock. All waits at the end share one deadline. The next
start has everything that was acknowledged, and agents resend the rest: each event and context is stored once.
"""

import argparse
import os
import signal
import subprocess
import threading

from support import sequence
from support.postgres import control, query, run_with_postgres, url
from support.process import LIMIT_S, Collector, Failed, check, run, wait_for
from support.stored import end_jvm, metric, start_jvm, wait_stored

END_S_MAX = 10 + 15  # a busy machine included
HOLDS = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'holder' AND state = 'idle in transaction'"
WAITS = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'loupe' AND wait_event_type = 'Lock'"


class Lock:
    """Holds a table of the catalog, so that each call that needs it waits."""

    def __init__(self, scenario, table):
        program = os.path.join(os.environ["LOUPE_POSTGRES_BIN"], "psql")
        self.process = scenario.popen("holder", [program, "-qtA", "-d", url()], env=dict(os.environ, PGAPPNAME="holder"),
                                      stdin=subprocess.PIPE)
        self.process.stdin.write(f"BEGIN; LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE;\n".encode())
        self.process.stdin.flush()
        wait_for("the lock", lambda: query(HOLDS) == ["1"])

    def release(self):
        self.process.stdin.close()
        self.process.wait(LIMIT_S)


def ask(collector, recording):
    """Asks a question, and returns at once."""
    def get():
        try:
            collector.get(f"/api/v1/contexts?recording={recording}")
        except OSError:
            pass
    threading.Thread(target=get, daemon=True).start()
    wait_for("the question", lambda: metric(collector, "loupe_asks_running"))


def end(collector):
    """SIGTERM. What the collector waits for would take 12 s and more."""
    collector.process.send_signal(signal.SIGTERM)
    try:
        status = collector.process.wait(END_S_MAX)
    except subprocess.TimeoutExpired:
        raise Failed(f"SIGTERM did not end the collector within {END_S_MAX} s") from None
    check(status == 0, f"the collector ended with status {status}")


def scenario_of(feature):
    def body(scenario):
        collector = Collector(scenario)
        collector.env = {"LOUPE_CATALOG": url()}
        collector.start()
        jvm, stop = start_jvm(scenario, feature, collector, "ending")
        recording = collector.recording("ending")

        collector.wait_for_growth(recording)
        lock = Lock(scenario, "session")
        ask(collector, recording)
        wait_for("the question waits", lambda: int(query(WAITS)[0]) > 0)
        end(collector)
        lock.release()

        lock = Lock(scenario, "chunk")
        collector.launch()
        wait_for("the start waits", lambda: int(query(WAITS)[0]) > 0)
        end(collector)
        check("ending before it was ready" in scenario.log_of(collector.name), "the start does not say that it ends")
        lock.release()

        collector.start()
        collector.wait_for_growth(recording)
        control("freeze")
        ask(collector, recording)
        end(collector)
        control("thaw")

        collector.start()
        words = end_jvm(jvm, stop)
        wait_stored(collector, recording)
        sequence.check_complete(collector.download(recording, scenario.path("all.jfr")), *words)
        check(len(collector.recordings()) == 1, "more than one recording of one JVM run")
        collector.stop()
    return body


def main():
    run_with_postgres()
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    args = parser.parse_args()
    run(f"ending-{args.jdk}", scenario_of(args.jdk))


main()
