# SPDX-License-Identifier: Apache-2.0
"""Several collectors over one catalog in a real PostgreSQL and one real object store (versitygw), with many JVMs that send to
them (bench/agents.c): what all of it has cost so far, in numbers that only grow."""

import collections
import os
import re
import subprocess
import time

from support import postgres, process
from support.kafka import Kafka
from support.object_server import CREDENTIALS, KEY_ID, ObjectServer
from support.process import check
from support.stored import metric

AGENTS = os.path.join(process.BIN_DIR, "agents")
DATABASE = "bench"
PREFIX = "shared"
TOPIC, PARTITIONS = "loupe-bench", 16
INTERVAL_MS = 1000
LOOK_S = 10
TICK_S = 1 / os.sysconf("SC_CLK_TCK")
METHODS = {"PUT": "s3_PutObject", "GET": "s3_GetObject", "DELETE": "s3_DeleteObject", "LIST": "s3_ListObjectsV2"}
# Figures of the collectors, and the metrics that have them.
METRICS = {"batches": "loupe_batches_acked_total", "batch_bytes": "loupe_acked_bytes_total",
           "sent_bytes": "loupe_object_sent_bytes_total", "received_bytes": "loupe_object_received_bytes_total",
           "compacted": "loupe_jobs_done_total", "pack_chunks": "loupe_pack_chunks_stored_total",
           "dropped_chunks": "loupe_pack_chunks_dropped_total", "pack_bytes": "loupe_pack_bytes_stored_total"}


def read_stat(pid):
    """The fields of /proc/PID/stat behind the name, or None once it has ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rsplit(")", 1)[1].split()
    except OSError:
        return None


def cpu_s(pid):
    """User and system time of a process, all its threads included."""
    fields = read_stat(pid) or [0] * 15
    return (int(fields[11]) + int(fields[12])) * TICK_S


def postgres_cpu_s():
    """That of PostgreSQL's first process, of those that it has started, and of those of them that have ended."""
    with open(os.path.join(os.environ["LOUPE_POSTGRES_DIR"], "data", "postmaster.pid"), encoding="ascii") as file:
        first = file.readline().strip()
    ended = read_stat(first)
    running = [pid for pid in filter(str.isdigit, os.listdir("/proc")) if (read_stat(pid) or [0, 0])[1] == first]
    return cpu_s(first) + (int(ended[13]) + int(ended[14])) * TICK_S + sum(map(cpu_s, running))


def read_access_log(path):
    """Requests that the object store has had with our key, by method and by the first part of the key behind the prefix, such as
    `packs` and `index`; and the bytes of the objects that it was sent."""
    requests, objects, put_bytes = collections.Counter(), collections.Counter(), 0
    methods = {operation: method for method, operation in METHODS.items()}
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            fields = line.split()
            if len(fields) < 14 or fields[5] != KEY_ID or fields[7] not in methods:
                continue
            method = methods[fields[7]]
            requests[method] += 1
            if method == "PUT":
                objects[fields[8].removeprefix(f"{PREFIX}/").split("/")[0]] += 1
                put_bytes += int(fields[13])
    return requests, objects, put_bytes


class Cluster:
    def __init__(self, scenario, count, options):
        self.scenario, self.options = scenario, options
        self.access_log = scenario.path("access.log")
        postgres.query(f"CREATE DATABASE {DATABASE}")
        self.server = ObjectServer(scenario, self.access_log).start()
        self.kafka = Kafka(scenario).start() if options.kafka else None
        if self.kafka:
            self.kafka.make_topic(TOPIC, PARTITIONS)
        self.collectors = [process.Collector(scenario, f"collector{i}") for i in range(count)]
        for collector in self.collectors:
            collector.env = self.environment(collector)
            collector.start()
        self.agents = []

    def environment(self, collector):
        found = {**CREDENTIALS, "LOUPE_STORE": self.server.url(PREFIX), "LOUPE_CATALOG": postgres.url(DATABASE),
                 "LOUPE_PACK_SECONDS": str(self.options.pack_seconds)}
        if self.kafka:
            found["LOUPE_JOURNAL"] = self.kafka.url(TOPIC)
        if not self.kafka or len(self.collectors) > 1:
            found |= {"LOUPE_NODE": collector.name, "LOUPE_NODE_URL": f"http://127.0.0.1:{collector.http_port}"}
        if self.options.policy_dir:
            found["LOUPE_POLICY_DIR"] = os.path.abspath(self.options.policy_dir)
        return found

    def start_agents(self, sessions, seconds):
        """Has each collector get its share of the sessions, and returns once all of them have begun."""
        count = len(self.collectors)
        for i, collector in enumerate(self.collectors):
            share = sessions * (i + 1) // count - sessions * i // count
            self.agents.append(subprocess.Popen(
                [AGENTS, "--port", str(collector.ports[0].number), "--sessions", str(share), "--seconds", str(seconds), "--ramp",
                 str(self.options.ramp), "--interval", str(INTERVAL_MS), "--capture", self.options.capture],
                stdout=subprocess.PIPE, text=True))
            self.scenario.processes.append(self.agents[-1])
        self.said = collections.Counter()
        self.wait_for_agents("started")

    def wait_for_agents(self, word):
        """Until all of them say so, or, without a word, end; sums up the numbers that they print."""
        for agents in self.agents:
            for line in agents.stdout:
                name, *value = line.split()
                if value:
                    self.said[name] += float(value[0])
                if name == word:
                    break
            else:
                check(word is None and agents.wait(process.LIMIT_S) == 0, f"agents ended with {agents.wait(process.LIMIT_S)}")

    def metrics(self, name):
        return sum(metric(collector, name) for collector in self.collectors)

    def read(self):
        """All figures by name, as a Counter."""
        requests, objects, put_bytes = read_access_log(self.access_log)
        figures = collections.Counter({name: self.metrics(of) for name, of in METRICS.items()})
        figures["collectors_cpu_s"] = sum(cpu_s(collector.process.pid) for collector in self.collectors)
        figures["postgres_cpu_s"] = postgres_cpu_s()
        figures["store_cpu_s"] = cpu_s(self.server.process.pid)
        figures["kafka_cpu_s"] = cpu_s(self.kafka.processes[0].pid) if self.kafka else 0
        figures.update(self.read_postgres())
        figures.update({f"{method}s": self.read_requests(method) for method in METHODS})
        figures.update({f"logged_{method}s": requests[method] for method in METHODS})
        figures.update({f"PUTs_of_{kind}": count for kind, count in objects.items()})
        figures["logged_put_bytes"] = put_bytes
        return figures

    def read_requests(self, method):
        return self.metrics(f'loupe_object_requests_total{{method="{method}"}}')

    @staticmethod
    def read_postgres():
        names = ("transactions", "rolled_back", "rows_written", "wal_bytes", "catalog_bytes")
        values = postgres.query(f"SELECT xact_commit, xact_rollback, tup_inserted + tup_updated + tup_deleted, "
                                f"pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0'), pg_database_size(datname) "
                                f"FROM pg_stat_database WHERE datname = '{DATABASE}'")[0].split("|")
        return dict(zip(names, map(int, values)))

    def differences(self):
        """What two counts say differently that have to be the same once nothing goes on, in words."""
        figures = self.read()
        chunks, chunk_bytes = map(int, postgres.query("SELECT count(*), coalesce(sum(stored_bytes), 0) FROM chunk",
                                                      DATABASE)[0].split("|"))
        files = self.server.objects(PREFIX).values()
        pairs = [(f"{method}s of the collectors' metrics and of the store's log", figures[f"{method}s"],
                  figures[f"logged_{method}s"]) for method in METHODS]
        pairs += [("PUTs less DELETEs, and objects", figures["PUTs"] - figures["DELETEs"], len(files)),
                  ("bytes of PUTs and of objects", figures["logged_put_bytes"], sum(map(os.path.getsize, files))),
                  ("bytes that were sent and that came", figures["sent_bytes"], figures["logged_put_bytes"]),
                  ("chunks that were stored, less those dropped, and that the catalog has",
                   figures["pack_chunks"] - figures["dropped_chunks"], chunks),
                  ("objects that are not committed and none", self.metrics("loupe_packs_waiting"), 0),
                  ("batches that agents had acknowledged and that were", self.said["acknowledged"], figures["batches"])]
        return [f"{what}: {one:.0f}, {other:.0f}" for what, one, other in pairs if one != other], chunk_bytes

    def check_agreement(self, limit_s):
        """Waits until each chunk that has ended is stored, and all counts agree. Returns the bytes of the chunks. It looks now and
        then only: each look is work for collectors and PostgreSQL, which is measured."""
        deadline = time.monotonic() + limit_s
        while True:
            found, chunk_bytes = self.differences()
            if not found:
                return chunk_bytes
            check(time.monotonic() < deadline, f"counts do not agree within {limit_s} s: {'; '.join(found)}")
            time.sleep(LOOK_S)

    def losses(self):
        """What was lost, by name, of the agents' counts and the collectors' metrics."""
        lost = {name: self.said[name] for name in ("unacknowledged", "unchecked", "lost", "lacking") if self.said[name]}
        for collector in self.collectors:
            text = collector.get("/metrics").body.decode()
            found = re.findall(r'^loupe_losses_total\{kind="(\w+)"\} (\d+)$', text, re.MULTILINE)
            check(found, "no losses are among the metrics")
            lost |= {name: int(value) for name, value in found if int(value)}
        return lost

    @staticmethod
    def end():
        postgres.query(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)")
