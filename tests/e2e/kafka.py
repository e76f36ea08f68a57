# SPDX-License-Identifier: Apache-2.0
"""Promised: with --journal kafka://... what was acknowledged is in the log: nothing of it is lost, and nothing is there twice,
whatever collector and brokers do, also where the collector begins again with an empty directory.

--case kill     the collector is killed and starts with an empty directory, again and again; catalog and chunks are elsewhere
--case broker   the only broker is killed, and away for a while: agents are put off, and /readyz says why. With
                --restarted once more, and the collector is killed meanwhile
--case nodes    three collectors in one group at --brokers: they are killed, stopped, drained, ended, and of several brokers one is
                killed. A pin then has the raw data of all of them
--case place    what cannot be begun says why

Several cases run one after the other, at the same broker and topic.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess

from support import sequence
from support.kafka import Kafka
from support.object_server import CREDENTIALS, ObjectServer
from support.postgres import query, run_with_postgres, url
from support.process import LIMIT_S, LOUPE, Collector, check, run, suspend, wait_for
from support.stored import RATE, end_jvm, journals, metric, wait_stored

TOPIC = "loupe-batches"
KILLS = 4


def use(collector, kafka, parameters="", **more):
    collector.env = {"LOUPE_JOURNAL": kafka.url(TOPIC, parameters), **more}
    return collector


def chunks_of(collector, recording):
    answer = collector.get(f"/api/v1/recordings/{recording}")
    return answer.json()["chunks"] if answer.status == 200 else []


def wait_for_chunks(collector, recordings, more=1):
    """Until each of the recordings has so many more."""
    counts = {recording: len(chunks_of(collector, recording)) for recording in recordings}
    for recording, count in counts.items():
        wait_for("more chunks", lambda recording=recording, count=count: len(chunks_of(collector, recording)) >= count + more, 2 * LIMIT_S)


def has_ended(collector, recording):
    return collector.get(f"/api/v1/recordings/{recording}").json()["ended_how"] == "closed"


def check_end(scenario, collector, recordings, jvms):
    """Each JVM's recording is there once, as a whole."""
    words = [end_jvm(jvm, stop) for jvm, stop in jvms]
    for recording in recordings:
        wait_for("its end", lambda recording=recording: has_ended(collector, recording), 2 * LIMIT_S)
    for recording, of_jvm in zip(recordings, words):
        wait_stored(collector, recording)
        sequence.check_complete(collector.download(recording, scenario.path(f"{recording}.jfr")), *of_jvm)
    check(len(collector.recordings()) == len(jvms), "another number of recordings than JVMs")


def start_jvms(scenario, feature, collector, count):
    jvms = []
    for i in range(count):
        service = f"service-{i}"
        stop = scenario.path(f"stop-{i}")
        agent = scenario.agent_options(collector, service, segment=2)
        jvms.append((scenario.jvm(feature, "SequenceE2E", str(RATE), f"until:{stop}", agent=agent, name=service), stop))
    return [collector.recording(f"service-{i}") for i in range(count)], jvms


def kill(scenario, kafka, args):
    server = ObjectServer(scenario).start()
    elsewhere = {**CREDENTIALS, "LOUPE_STORE": server.url("chunks"), "LOUPE_CATALOG": url(),
                 "LOUPE_PACK_SECONDS": "2"}
    collector = use(Collector(scenario, "kill"), kafka, **elsewhere).start()
    recordings, jvms = start_jvms(scenario, args.jdk, collector, 2)
    for _ in range(KILLS):
        wait_for_chunks(collector, [random.choice(recordings)], random.randrange(3))
        collector.kill()
        shutil.rmtree(collector.data)
        collector.start()
    wait_for("batches", lambda: metric(collector, "loupe_batches_acked_total"))
    check_end(scenario, collector, recordings, jvms)
    named = set(query("SELECT DISTINCT object FROM chunk"))
    check(named <= {key.removeprefix("packs/").removesuffix(".pack") for key in server.objects("chunks")} | set(server.objects("chunks")),
          f"objects that are not there: {named - set(server.objects('chunks'))}")
    # What is committed to the log by now leaves nothing to read again.
    collector.kill()
    shutil.rmtree(collector.data)
    collector.start()
    before = {recording: collector.get(f"/api/v1/recordings/{recording}.jfr").body for recording in recordings}
    for recording in recordings:
        with open(scenario.path(f"{recording}.jfr"), "rb") as file:
            check(file.read() == before[recording], "another download after another start")
    collector.stop()


def broker(scenario, kafka, args):
    collector = use(Collector(scenario, "broker"), kafka).start()
    recordings, jvms = start_jvms(scenario, args.jdk, collector, 1)
    wait_for_chunks(collector, recordings)
    for is_restarted in (False, True)[:1 + args.restarted]:
        kafka.kill()
        wait_for("it is not ready", lambda: collector.get("/readyz").status == 503, 2 * LIMIT_S)
        said = collector.get("/readyz").body.decode()
        check("the log takes nothing" in said, f"/readyz: {said}")
        busy = metric(collector, "loupe_requests_busy_total")
        wait_for("agents are put off", lambda busy=busy: metric(collector, "loupe_requests_busy_total") > busy, 2 * LIMIT_S)
        if is_restarted:
            collector.kill()
        kafka.start()
        if is_restarted:
            collector.start()
        wait_for("it is ready", collector.is_ready, 2 * LIMIT_S)
        wait_for_chunks(collector, recordings)
    check_end(scenario, collector, recordings, jvms)
    collector.stop()
    lines = scenario.log_of("broker").count("the log takes nothing")
    check(lines <= 2 + 2 * args.restarted, f"{lines} lines about a log that was away")


def start_nodes(scenario, kafka, server, count):
    nodes = [Collector(scenario, f"node{i}") for i in range(count)]
    for node in nodes:
        use(node, kafka, **CREDENTIALS, LOUPE_STORE=server.url("chunks"), LOUPE_CATALOG=url(), LOUPE_PACK_SECONDS="2", LOUPE_RECALL="15m",
            LOUPE_NODE=node.name, LOUPE_NODE_URL=f"http://127.0.0.1:{node.http_port}").start()
    return nodes


def owners():
    """How many of the sessions each node has, by its name."""
    return dict(line.split("|") for line in query("SELECT node.name, count(*) FROM session_owner JOIN node ON node.id = session_owner.node "
                                                  "JOIN session ON session.id = session_id WHERE is_ended = 0 GROUP BY node.name"))


def drain(node, is_drained=True):
    subprocess.run([LOUPE, "admin", "drain" if is_drained else "undrain", node.name], timeout=LIMIT_S, check=True,
                   stdout=subprocess.DEVNULL, env=dict(os.environ, LOUPE_CATALOG=url()))


def check_pinned(nodes, recording):
    """Raw data is at the collectors that stored the chunks, but for the one whose directory was lost."""
    def ask():
        answer = nodes[0].get(f"/api/v1/pins?recording={recording}&key=all&from=1h", method="POST")
        check(answer.status in (200, 201), f"a pin: {answer.status} {answer.body[:300]}")
        now = answer.json()
        return now["waiting"] + now["unasked"] == 0 and now
    now = wait_for("a pin", ask)
    check(now["kept"] > 0 and now["failed"] == 0 and now["kept"] + now["missing"] == len(chunks_of(nodes[0], recording)), f"{now}")


def nodes_of_one_log(scenario, kafka, args):
    """Agents know all collectors; any of them takes their batches, and the group says which of them stores a session."""
    server = ObjectServer(scenario).start()
    nodes = start_nodes(scenario, kafka, server, 3)
    wait_for("the partitions are shared", lambda: sorted(metric(node, "loupe_log_partitions") for node in nodes) == [1, 1, 2], 2 * LIMIT_S)
    recordings, jvms = [], []
    while len(jvms) < args.jvms or (len(owners()) < 2 and len(jvms) < 12):  # their ids choose a partition
        i = len(jvms)
        stop = scenario.path(f"stop-{i}")
        agent = scenario.agent_options(",collector=".join(node.agents for node in nodes), f"service-{i}", segment=2)
        jvms.append((scenario.jvm(args.jdk, "SequenceE2E", str(RATE), f"until:{stop}", agent=agent, name=f"service-{i}"), stop))
        recordings.append(nodes[0].recording(f"service-{i}"))

    wait_for_chunks(nodes[0], recordings)
    check(len(owners()) > 1, f"one collector has all: {owners()}")
    for how, node in (("kill", nodes[0]), ("hang", nodes[1]), ("drain", nodes[2]), ("end", nodes[0])):
        others = [other for other in nodes if other is not node]
        {"kill": node.kill, "end": node.stop, "drain": lambda node=node: drain(node),
         "hang": lambda node=node: suspend(node.process)}[how]()
        wait_for(f"{how}: others have its sessions", lambda node=node: node.name not in owners(), 2 * LIMIT_S, 0.3)
        wait_for_chunks(others[0], recordings)
        if how == "drain":
            drain(node, False)
        elif how == "hang":
            node.process.send_signal(signal.SIGCONT)
        else:
            if how == "kill":
                shutil.rmtree(node.data)
            node.start()
        wait_for(f"{node.name} has partitions again", lambda node=node: metric(node, "loupe_log_partitions"), 2 * LIMIT_S)
    if args.brokers > 1:
        kafka.kill(1)
        wait_for_chunks(nodes[0], recordings)
    check_end(scenario, nodes[1], recordings, jvms)
    wait_for("no journals", lambda: not any(map(journals, nodes)), 2 * LIMIT_S)
    for recording in recordings:
        answers = {node.get(f"/api/v1/recordings/{recording}.jfr").body for node in nodes}
        check(len(answers) == 1, f"{recording}: other bytes from another collector")
        shown = nodes[0].get(f"/api/v1/recordings/{recording}").json()
        check(not any(shown["losses"].values()), f"it says that something is lost: {shown['losses']}")
    check_pinned(nodes, recordings[0])
    # What is committed to the log by now leaves nothing to read again.
    before = nodes[0].get(f"/api/v1/recordings/{recordings[0]}.jfr").body
    for node in nodes:
        node.stop()
    shutil.rmtree(nodes[0].data)
    nodes[0].start()
    check(nodes[0].get(f"/api/v1/recordings/{recordings[0]}.jfr").body == before, "another download after another start")
    nodes[0].stop()


def begin_without_brokers(scenario):
    """A collector that waits for brokers that are not there: for ten seconds."""
    command = [LOUPE, "collect", "--agents", "tcp://127.0.0.1:0", "--http", "127.0.0.1:0", "--data", scenario.path("unreachable"),
               "--journal", "kafka://127.0.0.1:1/topic"]
    return scenario.popen("unreachable", command, env=dict(os.environ))


def end_without_brokers(scenario, process):
    status, text = process.wait(2 * LIMIT_S), scenario.log_of("unreachable")
    check(status == 1 and "cannot reach the brokers 127.0.0.1:1" in text, f"no brokers: status {status}: {text}")


def place(scenario, kafka, _):
    collector = Collector(scenario)

    def refused(what, *arguments):
        command = [LOUPE, "collect", "--agents", collector.agents, "--http", f"127.0.0.1:{collector.http_port}", "--data",
                   collector.data, *arguments]
        done = subprocess.run(command, timeout=2 * LIMIT_S, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        text = done.stdout.decode()
        check(done.returncode == 1 and what in text, f"{arguments}: status {done.returncode}: {text}")

    secret = "pass-7c1"
    properties = scenario.path("properties")
    with open(properties, "w", encoding="ascii") as file:
        file.write(f"sasl.password={secret}\nno.such.property=1\n")
    refused("must be kafka://", "--journal", "/some/where")
    refused("librdkafka refuses the property no.such.property", "--journal", f"kafka://127.0.0.1:1/topic?config={properties}")
    refused("No such file", "--journal", "kafka://127.0.0.1:1/topic?config=/no/where")
    shutil.rmtree(collector.data)
    refused("the topic other: Broker: Unknown topic or partition; it has to be made beforehand", "--journal", kafka.url("other"))
    shutil.rmtree(collector.data)
    with open(properties, "w", encoding="ascii") as file:
        file.write("# what a broker may want\nsecurity.protocol = plaintext\n")
    use(collector, kafka, f"?config={properties}").start().stop()
    refused(f"its batches come from the log kafka topic {TOPIC} group loupe: pass that as --journal")
    refused("not from kafka topic", "--journal", kafka.url(TOPIC, "?group=another"))
    os.makedirs(f"{scenario.path('journals')}/journal/{'0' * 32}")
    collector.data = scenario.path("journals")
    refused("it has journals that no log has", "--journal", kafka.url(TOPIC))
    check(secret not in scenario.log_of("collector"), "the password is in the log")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int)
    cases = {"kill": kill, "broker": broker, "nodes": nodes_of_one_log, "place": place}
    parser.add_argument("--case", choices=cases, nargs="+", required=True)
    parser.add_argument("--restarted", action="store_true")
    parser.add_argument("--brokers", type=int, default=1)
    parser.add_argument("--jvms", type=int, default=2, help="of the case nodes, at least")
    args = parser.parse_args()
    if {"kill", "nodes"} & set(args.case):
        run_with_postgres(is_shared=True)

    def body(scenario):
        without_brokers = begin_without_brokers(scenario) if "place" in args.case else None
        kafka = Kafka(scenario, args.brokers).start()
        kafka.make_topic(TOPIC)
        for case in args.case:
            cases[case](scenario, kafka, args)
            print(f"{case}: passed", flush=True)
        if without_brokers:
            end_without_brokers(scenario, without_brokers)
    run("kafka", body)


main()
