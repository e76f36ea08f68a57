# SPDX-License-Identifier: Apache-2.0
"""Promised (docs/run/cluster.md): whatever happens to several collectors, to PostgreSQL, to the object store and to the
networks between them, nothing of JVMs that go on is lost, and nothing is there twice.

Three collectors, a real PostgreSQL, a real object store, JVMs whose agents have all three addresses, and faults by a seed, of
which several may hold at a time. With them record sessions without JVMs (support/generated_sessions.c), which are so light that
there can be hundreds. After each dozen all is well for a while, as agents keep no more than they have room for; at
the end the JVMs end. Each recording has every tick and context once, the same bytes from each collector, no losses; nothing is
left in journals, and no object without a chunk.

With --log batches go through a topic of three brokers, of which one at a time may be killed.

A seed that was printed runs the same faults again with --seed, at the same moments. Most of those of one collector are of the one
that has the most sessions by then.
"""

import argparse
import dataclasses
import heapq
import os
import random
import shutil
import signal
import threading
import time

from support import gotool, object_server, sequence
from support.cuts import Cuts, enter_own_network
from support.kafka import Kafka
from support.object_server import CREDENTIALS, ObjectServer, Proxy
from support.postgres import PASSWORD, control, query, run_with_postgres, url
from support.process import BIN_DIR, BRIEF, LIMIT_S, Collector, Failed, Jvm, check, ended, need_jdk, run, suspend, wait_for
from support.stored import journals, metric
from support.takeovers import Takeovers

NODES = 3
SEGMENT_S = 2
GENERATED_SESSIONS = os.path.join(BIN_DIR, "generated_sessions")
GENERATED_RATE = 20  # ticks of a generated session in a second
TOPIC = "loupe"
# What is waited for on a busy machine, with 20 JVMs or some hundred sessions.
PATIENCE_S = 5 * LIMIT_S
# Kinds of faults, how, and for how many seconds. Each comes once before any comes again.
DECK = (
    ("kill", "kept", 0, 6),  # and starts again
    ("kill", "emptied", 0, 6),  # with an empty directory
    ("end", "SIGTERM", 0, 6),
    ("hang", "SIGSTOP", 9, 14),  # for longer than its lease
    ("agents", "to", 2, 12),  # nothing arrives of what agents send
    ("agents", "from", 2, 12),  # nor what they are answered
    ("catalog", "to", 2, 12),
    ("catalog", "from", 2, 12),
    ("store", "to from", 2, 12),
    ("PostgreSQL", "stop kill freeze", 1, 10),
    ("objects", "busy late hang", 2, 12),
    ("objects", "kill", 1, 8),
)
DECK_OF_LOG = (*DECK, ("broker", "kill", 2, 10))  # one of three
GAP_S = 0.5, 3.0  # between the beginnings of two
PART_BUSIEST = 0.7  # of the faults of one collector
BUSIEST, ALL = -1, -2


@dataclasses.dataclass
class Fault:
    number: int
    kind: str
    how: str
    node: int  # or BUSIEST, or ALL
    begin_s: float
    end_s: float

    def thing(self, node):
        """What cannot have another fault at the same time."""
        return "process" if self.kind in ("kill", "end", "hang") else self.kind, ALL if self.kind == "broker" else node

    def __str__(self):
        where = "" if self.node == ALL else f" {self.node}" if self.kind == "broker" else f" of node{self.node}"
        return f"{self.kind}{where}: {self.how}, for {self.end_s - self.begin_s:.1f} s"


def plan(seed, count, kinds):
    rng = random.Random(seed)
    faults, deck, at_s = [], [], 0.0
    for number in range(1, count + 1):
        if not deck:
            deck = list(kinds)
            rng.shuffle(deck)
        kind, ways, least_s, most_s = deck.pop()
        how = rng.choice(ways.split())
        node = BUSIEST if rng.random() < PART_BUSIEST and kind != "broker" else rng.randrange(NODES)
        is_of_all = kind == "PostgreSQL" or (kind, how) == ("objects", "kill")
        at_s += rng.uniform(*GAP_S)
        faults.append(Fault(number, kind, how, ALL if is_of_all else node, at_s, at_s + rng.uniform(least_s, most_s)))
    return faults


class Node:
    """A collector, its ways to the others, and the one that starts it again when it ends."""

    def __init__(self, scenario, number, cuts, server, log):
        self.collector = Collector(scenario, f"node{number}")
        self.proxy = Proxy(server)
        postgres_port = int(os.environ["LOUPE_POSTGRES_PORT"])
        self.ways = {"agents": cuts.way(self.collector.ports[0].number), "catalog": cuts.way(postgres_port, is_shared=True),
                     "store": cuts.way(self.proxy.port)}
        self.collector.env = {
            **CREDENTIALS, "LOUPE_PACK_SECONDS": "2", "LOUPE_NODE": self.collector.name,
            "LOUPE_STORE": server.url("shared", self.ways["store"].port),
            "LOUPE_CATALOG": url().replace(f":{postgres_port}/", f":{self.ways['catalog'].port}/"),
            "LOUPE_NODE_URL": f"http://127.0.0.1:{self.collector.http_port}", **({"LOUPE_JOURNAL": log.url(TOPIC)} if log else {})}
        self.address = f"tcp://127.0.0.1:{self.ways['agents'].port}"
        self.is_wanted = True
        self.launched_s = time.monotonic()
        self.collector.launch()

    def is_running(self):
        return self.collector.process.poll() is None

    def launch(self):
        self.is_wanted = True
        self.launched_s = time.monotonic()
        self.collector.launch()

    def kill(self):
        self.is_wanted = False
        self.collector.kill()

    def end(self):
        self.is_wanted = False
        if self.is_running():
            self.collector.process.send_signal(signal.SIGTERM)

    def wait_end(self):
        status = self.collector.process.wait(LIMIT_S)
        # 1: it could not start. It may have come before the collector waited for signals.
        check(status in (0, 1, -signal.SIGTERM), f"{self.collector.name} ended {ended(status)}")

    def keep(self):
        """One that could not start, as PostgreSQL is away, is started again, a second later."""
        if self.is_wanted and not self.is_running():
            status = self.collector.process.returncode
            check(status == 1, f"{self.collector.name} ended {ended(status)}")
            if time.monotonic() > self.launched_s + 1:
                self.launch()

    def is_ready(self):
        self.keep()
        return self.is_running() and self.collector.is_ready()


class Program:
    """What records until it is told to stop: a process, and a session for each of its services."""

    def __init__(self, scenario, name, services):
        self.name = name
        self.services = services
        self.stop_path = scenario.path(f"{name}.stop")
        self.jvm = None  # the process, which need not be a JVM

    def stop(self):
        with open(self.stop_path, "w", encoding="ascii"):
            pass

    def wait_exit(self):
        self.jvm.wait_exit(PATIENCE_S)

    def words(self, service):
        """What it said at its end that has to be in the session."""
        raise NotImplementedError


class JvmProgram(Program):
    def __init__(self, scenario, args, number, addresses):
        super().__init__(scenario, f"jvm{number}", [f"jvm{number}"])
        agent = scenario.agent_options(",collector=".join(addresses), self.name, segment=SEGMENT_S)
        self.jvm = scenario.jvm(args.jdk, "SequenceE2E", str(args.rate), f"until:{self.stop_path}", agent=agent, name=self.name,
                                vm=("-Xmx48m", *BRIEF))

    def words(self, service):
        return sequence.last_words(self.jvm)


class GeneratedProgram(Program):
    """The agent's shipping code, without a JVM, in many sessions."""

    def __init__(self, scenario, count, addresses):
        super().__init__(scenario, "generated", [f"generated{i}" for i in range(count)])
        self.jvm = Jvm(scenario, self.name, [GENERATED_SESSIONS, str(count), str(GENERATED_RATE), str(SEGMENT_S), self.stop_path,
                                             *addresses], env=None)

    def words(self, service):
        return sequence.last_words(self.jvm, f"{service} ")


def start_programs(scenario, args, addresses):
    programs = [JvmProgram(scenario, args, i, addresses) for i in range(args.jvms)]
    return programs + ([GeneratedProgram(scenario, args.generated, addresses)] if args.generated else [])


def session_of(service):
    found = query(f"SELECT id FROM session WHERE service = '{service}'")
    check(len(found) == 1, f"{len(found)} sessions of {service}, not one")
    return found[0]


class Cluster:
    def __init__(self, scenario, has_log):
        self.cuts = Cuts()
        print(f"networks: {self.cuts.name}", flush=True)
        self.log = Kafka(scenario, NODES).start() if has_log else None
        if has_log:
            self.log.make_topic(TOPIC, 2 * NODES)
        self.server = ObjectServer(scenario).start()
        self.nodes = [Node(scenario, i, self.cuts, self.server, self.log) for i in range(NODES)]
        wait_for("the collectors", lambda: all([node.is_ready() for node in self.nodes]), PATIENCE_S)
        self.takeovers = Takeovers([node.collector.data for node in self.nodes])
        self.holding = {}  # what has a fault now, and what takeovers returned of it

    def keep(self):
        for node in self.nodes:
            node.keep()

    # --- What faults do: how they begin, and how they end

    def choose(self, fault):
        """Whose fault it is; None where all that it could be of have one of that kind."""
        if fault.kind == "broker":
            return None if fault.thing(fault.node) in self.holding else fault.node
        if fault.node == ALL:
            return None if fault.thing(ALL) in self.holding else ALL
        busiest = sorted(range(NODES), key=self.takeovers.count, reverse=True)
        wanted = busiest if fault.node == BUSIEST else [fault.node, *busiest]
        return next((node for node in wanted if fault.thing(node) not in self.holding), None)

    def begin(self, fault):
        self.takeovers.disturb()
        begun = []
        if fault.kind in ("kill", "end", "hang", "agents"):
            begun = self.takeovers.begin(f"{fault.kind} {fault.how}", fault.node)
        self.holding[fault.thing(fault.node)] = begun
        node = self.nodes[fault.node]
        {"kill": lambda: node.kill(),
         "end": lambda: node.end(),
         "hang": lambda: node.is_running() and suspend(node.collector.process),
         "PostgreSQL": lambda: control(fault.how),
         "broker": lambda: self.log.kill(fault.node),
         "objects": lambda: self.server.kill() if fault.how == "kill" else node.proxy.set_mode(fault.how),
         }.get(fault.kind, lambda: self.cuts.cut(node.ways[fault.kind], fault.how))()
        if fault.how == "emptied":
            shutil.rmtree(node.collector.data)

    def end(self, fault):
        node = self.nodes[fault.node]
        {"kill": lambda: node.launch(),
         "end": lambda: (node.wait_end(), node.launch()),
         "hang": lambda: node.is_running() and node.collector.process.send_signal(signal.SIGCONT),
         "PostgreSQL": lambda: control("thaw" if fault.how == "freeze" else "start"),
         "broker": lambda: self.log.start(fault.node),
         "objects": lambda: self.server.start() if fault.how == "kill" else node.proxy.set_mode("pass"),
         }.get(fault.kind, lambda: self.cuts.mend(node.ways[fault.kind]))()
        self.takeovers.end(self.holding.pop(fault.thing(fault.node)))

    def run(self, faults, is_running):
        """Has the faults begin and end in their time; fails where a process ended by itself."""
        by_number = {fault.number: fault for fault in faults}
        steps = [(fault.begin_s, fault.number) for fault in faults]  # a heap
        clock = threading.Event()
        start_s = time.monotonic() - faults[0].begin_s
        left_out = 0
        while steps:
            at_s, number = heapq.heappop(steps)
            while (left_s := start_s + at_s - time.monotonic()) > 0:
                clock.wait(min(left_s, 0.25))
                self.keep()
                is_running()
            fault = by_number[number]
            if at_s != fault.begin_s:
                self.end(fault)
            elif (node := self.choose(fault)) is None:
                left_out += 1
            else:
                fault.node = node
                print(f"{at_s:7.2f} {number:3} {fault}", flush=True)
                self.begin(fault)
                heapq.heappush(steps, (fault.end_s, number))
        print(f"{len(faults) - left_out} faults until {time.monotonic() - start_s:.0f} s", flush=True)


def wait_well(cluster, sessions):
    """Until the collectors are ready and have stored of each session what it recorded since then, and all before that."""
    wait_for("collectors that are ready", lambda: all([node.is_ready() for node in cluster.nodes]), PATIENCE_S)
    stored = f"SELECT DISTINCT session_id FROM chunk WHERE start_wall_ns > {time.time_ns()}"
    wait_for("chunks of each session", lambda: len(query(stored)) == sessions, PATIENCE_S)


def check_recording(scenario, nodes, service, words):
    session = session_of(service)
    paths = [node.download(session, scenario.path(f"{service}-{node.name}.jfr")) for node in nodes]
    for node in nodes:
        shown = node.get(f"/api/v1/recordings/{session}").json()
        check(not any(shown["losses"].values()), f"{service}: {node.name} says that something is lost: {shown['losses']}")
    try:
        sequence.check_complete(paths[0], *words)
    except Failed as failure:
        raise Failed(f"{service}, session {session}: {failure}") from failure
    with open(paths[0], "rb") as first:
        content = first.read()
    for path in paths[1:]:
        with open(path, "rb") as other:
            check(other.read() == content, f"{path} has other bytes than {paths[0]}")
    for path in paths:
        os.remove(path)


def check_objects(server):
    """Each object with one chunk is that of a chunk that there is."""
    named = set(query("SELECT session_id || '/' || ordinal || '.jfr.zst' FROM chunk"))
    found = {key for key in server.objects("shared") if key.endswith(".jfr.zst")}
    check(found <= named, f"objects that no chunk names: {sorted(found - named)}")


def check_running(programs):
    for program in programs:
        check(program.jvm.process.poll() is None, f"{program.name} ended")


def cluster_faults(scenario, args):
    print(f"again: --seed {args.seed} --jvms {args.jvms} --generated {args.generated} --faults {args.faults} --rate {args.rate}"
          f"{' --log' if args.log else ''}", flush=True)
    cluster = Cluster(scenario, args.log)
    nodes = [node.collector for node in cluster.nodes]
    addresses = [node.address for node in cluster.nodes]
    programs = start_programs(scenario, args, addresses)
    sessions = args.jvms + args.generated
    wait_well(cluster, sessions)
    kinds = DECK_OF_LOG if args.log else DECK
    faults = plan(args.seed, args.faults, kinds)
    for at in range(0, len(faults), len(kinds)):
        cluster.run(faults[at:at + len(kinds)], lambda: check_running(programs))
        wait_well(cluster, sessions)
    cluster.takeovers.stop()
    for program in programs:
        program.stop()
    for program in programs:
        program.wait_exit()
    wait_for("no journals", lambda: not any(map(journals, nodes)), PATIENCE_S)
    wait_for("all sessions have ended", lambda: query("SELECT id FROM session WHERE is_ended = 0") == [], PATIENCE_S)
    check(len(query("SELECT id FROM session")) == sessions, "more sessions than there were")
    for program in programs:
        for service in program.services:
            check_recording(scenario, nodes, service, program.words(service))
    check_objects(cluster.server)
    cluster.takeovers.report()
    for node in nodes:
        print(f"{node.name}: {metric(node, 'loupe_sessions_taken_total')} sessions taken, "
              f"{metric(node, 'loupe_sessions_lost_total')} lost, {metric(node, 'loupe_log_rewinds_total')} rewinds", flush=True)
        check(len(node.recordings()) == sessions, f"{node.name} has {len(node.recordings())} recordings of {sessions} sessions")
        node.stop()
        check(PASSWORD not in scenario.log_of(node.name), "the password is in the log")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, default=25)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("LOUPE_TEST_SEED", random.randrange(1 << 32))))
    parser.add_argument("--jvms", type=int, default=3)
    parser.add_argument("--generated", type=int, default=8, help="sessions without JVMs")
    parser.add_argument("--faults", type=int, default=12)
    parser.add_argument("--rate", type=int, default=300, help="ticks of a JVM in a second")
    parser.add_argument("--log", action="store_true")
    args = parser.parse_args()
    os.environ["LOUPE_TEST_SEED"] = str(args.seed)  # of all, also when this runs itself again
    need_jdk(args.jdk)
    gotool.build_once(object_server.FOLDER)  # while the network is there that has it
    if args.log:
        Kafka.need()
    enter_own_network()
    run_with_postgres()
    run("cluster-faults", lambda scenario: cluster_faults(scenario, args))


main()
