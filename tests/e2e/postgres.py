# SPDX-License-Identifier: Apache-2.0
"""Promised: with --catalog postgres://... everything is as with the catalog in its file: recordings and answers are the same,
and nothing that was acknowledged is lost, whatever PostgreSQL does.

--case same   the same journals come to the same recordings and answers in both
--case kill   PostgreSQL and the collector are stopped and killed while a JVM records, and PostgreSQL hangs
--case place  what cannot be opened says why, without the password; a directory goes on where it began

Several cases run one after the other.
"""

import argparse
import os
import shutil
import subprocess

from support import sequence
from support.postgres import PASSWORD, control, empty, query, run_with_postgres, url
from support.process import LIMIT_S, LOUPE, Collector, check, run_each, wait_for
from support.stored import end_jvm, journals, metric, start_jvm, wait_stored

FAULTS = "stop", "kill", "freeze"


def use(collector):
    collector.env = {"LOUPE_CATALOG": url()}
    return collector


def chunks_of(collector, recording):
    return collector.get(f"/api/v1/recordings/{recording}").json()["chunks"]


def same(scenario, feature):
    first = Collector(scenario, "first")
    # A store that nobody serves: nothing is compacted, and all stays in journals.
    first.env = {"LOUPE_STORE": "s3://nowhere/at/all?endpoint=http://127.0.0.1:1", "AWS_ACCESS_KEY_ID": "a",
                 "AWS_SECRET_ACCESS_KEY": "b"}
    first.start()
    jvm, stop = start_jvm(scenario, feature, first, "same")
    recording = first.recording("same")
    wait_for("many journals", lambda: len(journals(first)) > 9)
    end_jvm(jvm, stop)
    first.kill()
    collectors = [Collector(scenario, "file"), use(Collector(scenario, "postgres"))]
    for collector in collectors:
        os.makedirs(collector.data)
        shutil.copytree(f"{first.data}/journal", f"{collector.data}/journal")
        collector.start()
        wait_for("chunks", lambda collector=collector: len(chunks_of(collector, recording)) > 4, 3 * LIMIT_S)
    # Both go on compacting: what they answer is compared when both have the same chunks.
    answers = []
    wait_for("the same chunks", lambda: have_same_chunks(collectors, recording, answers), 3 * LIMIT_S)
    for path, body in answers[0].items():
        check(answers[1][path] == body, f"{path}: {answers[1][path][:600]}, in a file {body[:600]}")
    check(int(query("SELECT count(*) FROM chunk")[0]) > 4, "no chunks are in PostgreSQL")
    check(not os.path.exists(f"{collectors[1].data}/catalog.db"), "there is a catalog in a file")
    for collector in collectors:
        collector.stop()


def have_same_chunks(collectors, recording, answers):
    """Asks both, and returns whether they had the same chunks before and after that."""
    def compacted():
        return [chunks_of(collector, recording) for collector in collectors]
    before = compacted()
    span = "from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z"
    paths = [f"/api/v1/recordings/{recording}", f"/api/v1/recordings/{recording}.jfr", f"/api/v1/services?{span}",
             f"/api/v1/contexts?recording={recording}", f"/api/v1/event-types?recording={recording}", "/api/v1/recordings"]
    answers[:] = [{path: collector.get(path).body for path in paths} for collector in collectors]
    return before[0] == before[1] and compacted() == before


def kill(scenario, feature):
    collector = use(Collector(scenario)).start()
    jvm, stop = start_jvm(scenario, feature, collector, "kill")
    recording = collector.recording("kill")
    wait_for("chunks", lambda: chunks_of(collector, recording))
    for fault in FAULTS:
        control(fault)
        wait_for("it is not ready", lambda: collector.get("/readyz").status == 503, 2 * LIMIT_S)
        said = collector.get("/readyz").body.decode()
        check("the catalog" in said and PASSWORD not in said, f"/readyz: {said}")
        for path in ("/api/v1/recordings", f"/api/v1/contexts?recording={recording}", "/api/v1/services"):
            asked = collector.get(path, limit_s=LIMIT_S)  # a question waits 15 s (60 s, scaled) for a server that does not answer
            said = asked.body.decode()
            check(asked.status == 503 and "try again later" in said and PASSWORD not in said, f"{path}: {asked.status} {said[:300]}")
        # What comes now is journalled, and stays so.
        before = metric(collector, "loupe_batches_acked_total")
        wait_for("batches", lambda before=before: metric(collector, "loupe_batches_acked_total") > before)
        is_killed = fault == "kill"
        if is_killed:
            collector.kill()
        control("thaw" if fault == "freeze" else "start")
        if is_killed:
            collector.start()
            wait_for("batches", lambda: metric(collector, "loupe_batches_acked_total"))  # after a Hello, which is in the catalog
        count = len(chunks_of_when_there(collector, recording))
        wait_for("more chunks", lambda count=count: len(chunks_of(collector, recording)) > count, 2 * LIMIT_S)
        wait_for("it is ready", collector.is_ready)
    words = end_jvm(jvm, stop)
    wait_stored(collector, recording)
    first = collector.download(recording, scenario.path("first.jfr"))
    sequence.check_complete(first, *words)
    collector.kill()
    collector.start()
    second = collector.download(recording, scenario.path("second.jfr"))
    with open(first, "rb") as file, open(second, "rb") as other:
        check(file.read() == other.read(), "another download after a restart")
    check(len(collector.recordings()) == 1, "more than one recording of one JVM run")
    collector.stop()
    check(PASSWORD not in scenario.log_of("collector"), "the password is in the log")


def chunks_of_when_there(collector, recording):
    wait_for("the catalog", lambda: collector.get(f"/api/v1/recordings/{recording}").status == 200, 2 * LIMIT_S)
    return chunks_of(collector, recording)


def place(scenario, _):
    collector = use(Collector(scenario)).start()
    check(query("SELECT version FROM loupe_schema"), "no tables")
    # With the filter of system calls, the program that it is.
    encrypted = query("SELECT bool_and(ssl), count(*) > 1 FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)"
                      " WHERE application_name = 'loupe' AND datname = current_database()")
    check(encrypted == ["t|t"], f"connections, encrypted: {encrypted}")
    other = Collector(scenario, "other")

    def said(*arguments, data=collector.data):
        done = subprocess.run([LOUPE, *arguments, "--data", data], timeout=2 * LIMIT_S, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        text = done.stdout.decode()
        check(done.returncode == 1, f"{arguments}: status {done.returncode}: {text}")
        check(PASSWORD not in text and "pass-other" not in text, f"the password: {text}")
        return text

    def refused(what, *arguments, **more):
        text = said("collect", "--agents", other.agents, "--http", f"127.0.0.1:{other.http_port}", *arguments, **more)
        check(what in text, f"{arguments}: {text}")

    refused("another collector has the catalog", "--catalog", url(), data=other.data)
    collector.stop()
    here = "its catalog is in postgresql://127.0.0.1:"
    refused(here)
    check(here in said("fsck"), "fsck takes all for lost")
    check(here in said("index", "--rebuild"), "the index is made again of nothing")
    refused(here, "--catalog", url("postgres"))
    refused("password authentication failed", "--catalog", url(password="pass-other"))
    refused('database "nowhere" does not exist', "--catalog", url("nowhere"), data=other.data)
    refused("must begin with postgres://", "--catalog", "/some/where")
    version = query("SELECT version FROM loupe_schema")[0]
    query("UPDATE loupe_schema SET version = 99")
    refused("catalog of version 99, this program reads version", "--catalog", url())
    query(f"UPDATE loupe_schema SET version = {version}")
    files = Collector(scenario, "files").start()
    files.stop()
    refused("its catalog is the file", "--catalog", url(), data=files.data)
    collector.start()
    collector.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int)
    cases = {"same": same, "kill": kill, "place": place}
    parser.add_argument("--case", choices=cases, nargs="+", required=True)
    args = parser.parse_args()
    run_with_postgres(is_shared="kill" not in args.case)

    def body(scenario, case):
        empty()
        cases[case](scenario, args.jdk)
    run_each({f"postgres-{case}": lambda scenario, case=case: body(scenario, case) for case in args.case})


main()
