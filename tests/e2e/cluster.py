# SPDX-License-Identifier: Apache-2.0
"""Promised: several collectors share a catalog in PostgreSQL and an object store. A JVM's session moves from one to another,
however the one that had it ends, and everything is there once: none of it is lost, any collector answers, and one that was
stopped and goes on changes nothing of what has moved.

--case move    a JVM behind one name: its collector is killed, stopped with SIGSTOP, cut off, ended
--case listed  the same where the JVM knows all of them, and one that is drained
--case asked   what is not stored yet is had of any collector, from the one that has it; and what is asked without its key
--case alone   who may start beside whom
--case pinned  a pin at one collector has what each of them dropped: of a recording that moved, and of a trace through two JVMs;
               and what one that is down has, once it is back. Its objects go with the recording

Several cases run one after the other.
"""

import argparse
import concurrent.futures
import http.client
import json
import os
import signal
import subprocess
import urllib.parse

from support import attacks, judge, sequence, wire
from support.elimination import write_policy
from support.forwarder import Forwarder
from support.object_server import CREDENTIALS, ObjectServer
from support.postgres import PASSWORD, empty, query, run_with_postgres, url
from support.process import LIMIT_S, LOUPE, Collector, check, run_each, suspend, wait_for
from support.stored import RATE, end_jvm, journals, metric, start_jvm

REFUSED = 2  # by proto/loupe.proto
AT_ONCE = 24
ROUNDS = ("cut", "hang", "kill", "end", "hang", "kill")


def start_nodes(scenario, server, count, **env):
    nodes = [Collector(scenario, f"node{i}") for i in range(count)]
    for node in nodes:
        node.env = {**CREDENTIALS, **env, "LOUPE_STORE": server.url("shared"), "LOUPE_CATALOG": url(), "LOUPE_NODE": node.name, "LOUPE_PACK_SECONDS": "2",
                    "LOUPE_NODE_URL": f"http://127.0.0.1:{node.http_port}"}
        node.start()
    return nodes


def chunks_of(collector, recording):
    return collector.get(f"/api/v1/recordings/{recording}").json()["chunks"]


def owner():
    """The name of the node that has the only session."""
    return query("SELECT node.name FROM session_owner JOIN node ON node.id = session_owner.node")[0]


def wait_moved(node, recording):
    """Until chunks are stored by a node that has just been given a session."""
    wait_for(f"{node.name} has it", lambda: owner() == node.name, 2 * LIMIT_S, 0.3)
    count = len(chunks_of(node, recording))
    wait_for("more chunks", lambda: len(chunks_of(node, recording)) > count, 2 * LIMIT_S)


def move(scenario, feature, rounds):
    nodes = start_nodes(scenario, ObjectServer(scenario).start(), 2)
    name = Forwarder(nodes[0])
    jvm, stop = start_jvm(scenario, feature, name.address, "move")
    recording = nodes[0].recording("move")
    wait_for("chunks", lambda: chunks_of(nodes[0], recording), 2 * LIMIT_S)
    for i, how in enumerate(ROUNDS[:rounds]):
        here, there = nodes[i % 2], nodes[(i + 1) % 2]
        check(owner() == here.name, f"{owner()} has the session, not {here.name}")
        {"cut": lambda: None, "kill": here.kill, "end": here.stop,
         "hang": lambda: suspend(here.process)}[how]()
        name.switch(there)
        wait_moved(there, recording)
        if how == "hang":
            here.process.send_signal(signal.SIGCONT)
            wait_for(f"{here.name} answers", here.is_ready)
        elif how in ("kill", "end"):
            here.start()
        wait_for(f"{here.name} has nothing of it", lambda here=here: not journals(here), 2 * LIMIT_S)
        check(owner() == there.name, f"{how}: {owner()} has the session")
    words = end_jvm(jvm, stop)
    wait_for("no journals", lambda: not any(map(journals, nodes)), 2 * LIMIT_S)
    downloads = [node.download(recording, scenario.path(f"{node.name}.jfr")) for node in nodes]
    sequence.check_complete(downloads[0], *words)
    with open(downloads[0], "rb") as file, open(downloads[1], "rb") as other:
        check(file.read() == other.read(), "another download from another collector")
    for node in nodes:
        shown = node.get(f"/api/v1/recordings/{recording}").json()
        check(not any(shown["losses"].values()), f"{node.name} says that something is lost: {shown['losses']}")
        check(len(node.recordings()) == 1, f"{node.name} has {len(node.recordings())} recordings of one JVM run")
        check(metric(node, "loupe_sessions_taken_total") or metric(node, "loupe_sessions_lost_total"), "nothing moved")
        node.stop()
        check(PASSWORD not in scenario.log_of(node.name), "the password is in the log")


def ask_for_pending(node, recording, key):
    address = urllib.parse.urlsplit(f"http://127.0.0.1:{node.http_port}")
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=LIMIT_S)
    connection.request("GET", f"/internal/v1/pending/{recording}", headers={"Authorization": f"Bearer {key}"} if key else {})
    answer = connection.getresponse()
    return answer.status, answer.read()


def admin(*arguments, status=0):
    done = subprocess.run([LOUPE, "admin", *arguments], timeout=LIMIT_S, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=dict(os.environ, LOUPE_CATALOG=url()), check=False)
    text = done.stdout.decode()
    check(done.returncode == status, f"admin {arguments}: status {done.returncode}: {text}")
    check(PASSWORD not in text, f"the password: {text}")
    return json.loads(text) if "--json" in arguments else text


def asked(scenario, feature, _):
    nodes = start_nodes(scenario, ObjectServer(scenario).start(), 3)
    stop = scenario.path("stop")
    # One chunk, which is not stored before the end.
    agent = scenario.agent_options(nodes[0], "asked", segment=600)
    jvm = scenario.jvm(feature, "SequenceE2E", str(RATE), f"until:{stop}", agent=agent)
    recording = nodes[1].recording("asked")
    for node in nodes:
        node.wait_for_growth(recording, 2)
        shown = wait_for("it is heard of", lambda node=node: node.recordings()[0]["last_heard"] and node.recordings()[0])
        check(shown["connected"] and shown["is_running"], f"{node.name}: a JVM that is connected: {shown}")
        wait_for("contexts of what is not stored",
                 lambda node=node: node.get(f"/api/v1/contexts?recording={recording}").json()["matched"] > 100)
    check(not query("SELECT 1 FROM chunk"), "a chunk is stored")
    # More at once than there are threads that ask.
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        answers = list(pool.map(lambda _: nodes[1].get(f"/api/v1/recordings/{recording}.jfr").status, range(AT_ONCE)))
    check(answers == [200] * AT_ONCE, f"many at once: {answers}")
    for node in nodes[1:]:
        check(metric(node, "loupe_pending_fetched_total") > 0, f"{node.name} did not ask")
        check(metric(node, "loupe_pending_not_fetched_total") == 0, f"{node.name} could not ask")

    keys = dict(line.split("|") for line in query("SELECT name, key FROM node"))
    for key in (None, "", "wrong", keys["node1"]):
        status, body = ask_for_pending(nodes[0], recording, key)
        check(status == 403, f"with the key {key}: {status} {body[:200]}")
    status, body = ask_for_pending(nodes[0], recording, keys["node0"])
    check(status == 200 and len(body) > 1000, f"with its own key: {status}")
    status, _ = ask_for_pending(nodes[1], recording, keys["node1"])
    check(status == 200, "a collector that does not have it says what is stored")

    found = admin("nodes", "--json")["nodes"]
    check([(n["name"], n["state"], n["sessions"]) for n in found] == [("node0", "there", 1), ("node1", "there", 0),
                                                                      ("node2", "there", 0)], f"nodes: {found}")
    found = admin("sessions", "--json")["sessions"]
    check([(s["id"], s["node"], s["term"]) for s in found] == [(recording, "node0", 1)], f"sessions: {found}")
    check("node2" in admin("nodes") and recording in admin("sessions"), "what is printed for people")
    check("nobody" in admin("drain", "nobody", status=1), "it drains a node that is not there")
    admin("drain", status=2)

    # To know a session's id is of no use: its agent's collector keeps it.
    stranger = wire.Connection(nodes[1].agents)
    answer = wire.reply(stranger.ask(attacks.hello(bytes.fromhex(recording), "asked")))
    stranger.close()
    check(answer["status"] == REFUSED, f"Hello of somebody else: {answer}")
    check(owner() == nodes[0].name, f"{owner()} has it, as somebody else said Hello")

    # One that cannot be asked is no reason to leave it out without a word.
    suspend(nodes[0].process)
    status = nodes[1].get(f"/api/v1/recordings/{recording}.jfr", {"Connection": "close"}).status
    check(status == 503, f"its collector hangs: {status}")
    nodes[0].process.send_signal(signal.SIGCONT)
    wait_for("it answers again", lambda: nodes[1].get(f"/api/v1/recordings/{recording}.jfr").status == 200)
    with open(stop, "w", encoding="ascii"):
        pass
    jvm.wait_exit()
    words = sequence.last_words(jvm)
    wait_for("no journals", lambda: not any(map(journals, nodes)), 2 * LIMIT_S)
    sequence.check_complete(nodes[2].download(recording, scenario.path("stored.jfr")), *words)
    answer = nodes[2].get(f"/api/v1/recordings/{recording}", method="DELETE")
    check(answer.status == 204, f"another collector removes it: {answer.status} {answer.body[:300]}")
    for node in nodes:
        check(node.recordings() == [], f"{node.name} has it still")
        node.stop()


def listed(scenario, feature, _):
    """The JVM knows all collectors, and nothing is between them."""
    nodes = start_nodes(scenario, ObjectServer(scenario).start(), 3)
    stop = scenario.path("stop")
    agent = scenario.agent_options(",collector=".join(node.agents for node in nodes), "listed", segment=2)
    jvm = scenario.jvm(feature, "SequenceE2E", str(RATE), f"until:{stop}", agent=agent)
    recording = nodes[0].recording("listed")
    wait_for("chunks", lambda: chunks_of(nodes[0], recording), 2 * LIMIT_S)
    for how in ("drain", "kill", "hang", "end"):
        here = next(node for node in nodes if node.name == owner())
        {"drain": lambda here=here: admin("drain", here.name), "kill": here.kill, "end": here.stop,
         "hang": lambda here=here: suspend(here.process)}[how]()
        wait_for(f"{how}: another one has it", lambda here=here: owner() != here.name, 2 * LIMIT_S, 0.3)
        there = next(node for node in nodes if node.name == owner())
        wait_moved(there, recording)
        if how == "drain":
            states = {node["name"]: node["state"] for node in admin("nodes", "--json")["nodes"]}
            check(states[here.name] == "draining", f"{here.name} is {states}")
            admin("undrain", here.name)
        elif how == "hang":
            here.process.send_signal(signal.SIGCONT)
        else:
            here.start()
        wait_for(f"{here.name} has nothing of it", lambda here=here: not journals(here), 2 * LIMIT_S)
    words = end_jvm(jvm, stop)
    wait_for("no journals", lambda: not any(map(journals, nodes)), 2 * LIMIT_S)
    sequence.check_complete(nodes[0].download(recording, scenario.path("listed.jfr")), *words)
    shown = nodes[0].get(f"/api/v1/recordings/{recording}").json()
    check(not any(shown["losses"].values()), f"something is lost: {shown['losses']}")
    for node in nodes:
        node.stop()


def ask_pin(node, **parameters):
    answer = node.get("/api/v1/pins?" + urllib.parse.urlencode(parameters), method="POST")
    check(answer.status in (200, 201), f"{node.name}: a pin of {parameters}: {answer.status} {answer.body[:300]}")
    return answer.json()


def wait_pinned(nodes, **parameters):
    """Until all collectors say that nothing of a pin waits, and agree."""
    def is_done():
        said = [ask_pin(node, **parameters) for node in nodes]
        counts = [{name: now[name] for name in ("kept", "waiting", "missing", "failed", "without", "unasked", "away")} for now in said]
        return all(now["waiting"] + now["unasked"] == 0 and now == counts[0] for now in counts) and counts[0]
    return wait_for(f"the pin {parameters['key']}", is_done)


def has_raw(node, chunks):
    """Whether a collector knows raw data of so many chunks, without the one that is being stored."""
    raw = node.get("/api/v1/recall").json()
    return raw["away"] == [] and raw["services"] and raw["services"][0]["chunks"] >= chunks - 1


def pinned(scenario, feature, _):
    server = ObjectServer(scenario).start()
    drops = write_policy(scenario.path("drops.jfc"), {"e2e.Tick": {"filter": "has-key nowhere"}, "e2e-order": {"context-index": "id"}})
    nodes = start_nodes(scenario, server, 2, LOUPE_RECALL="15m", LOUPE_POLICY=drops)
    name = Forwarder(nodes[0])
    jvm, stop = start_jvm(scenario, feature, name.address, "pinned")
    recording = nodes[0].recording("pinned")
    wait_for("chunks", lambda: len(chunks_of(nodes[0], recording)) >= 2, 2 * LIMIT_S)
    name.switch(nodes[1])
    wait_moved(nodes[1], recording)
    wait_for(f"{nodes[0].name} has nothing of it", lambda: not journals(nodes[0]), 2 * LIMIT_S)
    before = judge.dump(nodes[1].download(recording, scenario.path("before.jfr")))
    check(not any(event.type == "e2e.Tick" for event in before), "the policy drops no ticks")
    for node in nodes:
        wait_for(f"raw data of all chunks at {node.name}", lambda node=node: has_raw(node, len(chunks_of(node, recording))))

    # The context of a tick that the first collector stored is pinned at the other one, where nobody has heard of it.
    done = subprocess.run([LOUPE, "pin", "--url", f"http://127.0.0.1:{nodes[1].http_port}", "--trace", "100", "--wait"],
                          capture_output=True, text=True, timeout=LIMIT_S, check=False)
    check(done.returncode == 0 and ": 1 chunks kept" in done.stdout, f"loupe pin: {done}")
    ticks = [int(event.values["seq"]) for event in judge.dump(nodes[0].download(recording, scenario.path("marked.jfr")))
             if event.type == "e2e.Tick"]
    check(ticks == [100], f"the ticks of the context 100: {ticks}")

    # The other collector is down while all is pinned, and back before the end.
    nodes[0].kill()
    ask_pin(nodes[1], service="pinned", key="all")
    wait_for("it is missed", lambda: ask_pin(nodes[1], service="pinned", key="all")["away"] == ["node0"], 2 * LIMIT_S)
    nodes[0].start()
    words = end_jvm(jvm, stop)
    wait_for("no journals", lambda: not any(map(journals, nodes)), 2 * LIMIT_S)
    made = wait_pinned(nodes, service="pinned", key="all")
    check(made["kept"] == len(chunks_of(nodes[0], recording)) and made["missing"] + made["failed"] == 0 and not made["away"],
          f"{made} of {len(chunks_of(nodes[0], recording))} chunks")
    downloads = [node.download(recording, scenario.path(f"{node.name}.jfr")) for node in nodes]
    sequence.check_ticks(judge.dump(downloads[0]), 1, words[0])
    with open(downloads[0], "rb") as file, open(downloads[1], "rb") as other:
        check(file.read() == other.read(), "another download from another collector")
    answer = nodes[0].get(f"/api/v1/recordings/{recording}", method="DELETE")
    check(answer.status == 204, f"DELETE: {answer.status} {answer.body[:300]}")
    wait_for("no objects", lambda: not any("packs/" in key for key in server.objects("shared")), 2 * LIMIT_S)
    for node in nodes:
        node.stop()


def alone(scenario, *_):
    server = ObjectServer(scenario).start()
    node = start_nodes(scenario, server, 1)[0]
    other = Collector(scenario, "other")

    def said(*arguments):
        done = subprocess.run([LOUPE, "collect", "--agents", other.agents, "--http", f"127.0.0.1:{other.http_port}", "--data",
                               other.data, *arguments], timeout=2 * LIMIT_S, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env={**node.env, "LOUPE_NODE": "", "LOUPE_NODE_URL": "", "LOUPE_CATALOG": "", "LOUPE_STORE": ""},
                              check=False)
        text = done.stdout.decode()
        check(PASSWORD not in text, f"the password: {text}")
        return done.returncode, text

    status, text = said("--catalog", url(), "--store", server.url("shared"))
    check(status == 1 and "--node" in text, f"one that shares nothing starts beside one that does: {status} {text}")
    for arguments in (["--node", "a"], ["--node", "a", "--catalog", url()], ["--node-url", "http://a:1"]):
        status, text = said(*arguments)
        check(status == 2, f"{arguments}: {status} {text}")
    names = json.loads(query("SELECT json_agg(name) FROM node")[0])
    check(names == ["node0"], f"nodes: {names}")
    node.stop()
    check(query("SELECT lease_end_ms <= extract(epoch FROM now()) * 1000 FROM node") == ["t"], "its lease did not end with it")


def main():
    run_with_postgres(is_shared=True)
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int)
    cases = {"move": move, "listed": listed, "asked": asked, "alone": alone, "pinned": pinned}
    parser.add_argument("--case", choices=cases, nargs="+", required=True)
    parser.add_argument("--rounds", type=int, default=2, help=f"of {ROUNDS}, for the case move")
    args = parser.parse_args()

    def body(scenario, case):
        empty()
        cases[case](scenario, args.jdk, args.rounds)
    run_each({f"cluster-{case}": lambda scenario, case=case: body(scenario, case) for case in args.case})


main()
