# SPDX-License-Identifier: Apache-2.0
"""Promised: an agent that has several collectors, or a name with several addresses, goes to another one when its own does not
answer. A JVM numbers its events and contexts; what two collectors have of it, each with a catalog of its own, is all of them
together, and neither has anything twice.

killed    the agent's collector is killed, back, and the other one killed
stopped   it is stopped by SIGSTOP: its connections stay, and it answers nothing
finish    it is stopped when the JVM ends
tls       by TLS, to a name with two addresses, for which the certificates are
name      a name has two addresses, of which one is dead; later another one, of a collector that was not there before
"""

import argparse
import os
import re
import signal
import stat

from support import judge, sequence
from support.certificates import Certificates
from support.process import Collector, HeldPort, check, need_jdk, run_each, skip, suspend, wait_for

RATE = 1000
NOTICED_TICKS = RATE // 2  # within which an agent has noticed that the JVM began a chunk, on a busy machine, too
SHORT, LONG = 3, 600  # seconds of a chunk
NAME = "collector.example"
SERVICE = "several"


class Sequence(sequence.Program):
    def __init__(self, scenario, feature, addresses, segment, home=None, **options):
        agent = scenario.agent_options(",collector=".join(addresses), SERVICE, segment=segment, **options)
        super().__init__(scenario, feature, RATE, agent, home)
        self.scenario = scenario

    def moves(self):
        return self.scenario.log_of("SequenceE2E").count("moving from the collector")


def dump(scenario, collector):
    """The events that a collector has; none where it has no recording."""
    found = collector.recordings(f"?service={SERVICE}")
    check(len(found) <= 1, f"{len(found)} recordings of one JVM")
    if not found or collector.get(f"/api/v1/recordings/{found[0]['id']}.jfr").status == 503:
        return []
    return judge.dump(collector.download(found[0]["id"], scenario.path(f"{collector.name}.jfr")))


def ticks_of(events):
    return [int(e.values["seq"]) for e in events if e.type == "e2e.Tick"]


def find_place(scenario, program, collectors):
    """Returns which of the collectors, all of which run, gets what the program does from now on."""
    number = program.wait_more()

    def find():
        return next((c for c in collectors if max(ticks_of(dump(scenario, c)), default=0) >= number), None)
    return wait_for(f"tick {number} with one of {[c.name for c in collectors]}", find, look_s=0.3)


def check_goes_to(scenario, program, collector):
    check(find_place(scenario, program, [collector]) is collector, "another one")


def arrivals(collector):
    """How often an agent came to it from another one, says the collector."""
    return int(re.search(r"^loupe_agents_arrived_total (\d+)$", collector.get("/metrics").body.decode(), re.M).group(1))


def check_together(scenario, collectors, last, first_context):
    """The collectors have ticks 1 to last, and every tenth in its contexts, but for those whose records came with a chunk that
    the other one has: they began in that, or ended before the agent had noticed the next one."""
    by_collector = [dump(scenario, collector) for collector in collectors]
    everything, begins = set(), []
    for events in by_collector:
        ticks = sorted(ticks_of(events))
        check(len(ticks) == len(set(ticks)), "a tick is there twice")
        begins += [b for a, b in zip([0, *ticks], ticks) if b != a + 1]
        everything |= set(ticks)
        for kind, name in ("e2e_order", "id"), ("loupe.RecordingContext", "seq"):
            sequence.check_repeats([e for e in events if e.type == kind], name)
    check(everything == set(range(1, last + 1)), f"ticks: {judge.diff(range(1, last + 1), everything)}")
    check(first_context > 0, "contexts were never set")
    expected = {n for n in range(first_context, last + 1) if n % 10 == 0}
    excused = {n for n in expected if any(b <= n < b + NOTICED_TICKS for b in begins)}
    for kind, name in ("e2e_order", "id"), ("loupe.RecordingContext", "seq"):
        found = {int(e.values[name].removeprefix("=")) for events in by_collector for e in events if e.type == kind}
        missing = expected - excused - found
        check(not missing, f"{kind}: {sorted(missing)[:20]} of {len(missing)}, where collectors begin at {begins}")


def finish(scenario, program, collectors):
    last, first_context = program.stop()
    check_together(scenario, collectors, last, first_context)
    for collector in collectors:
        collector.stop()


def killed(feature, scenario):
    collectors = [Collector(scenario, name).start() for name in ("one", "two")]
    program = Sequence(scenario, feature, [c.agents for c in collectors], SHORT)
    place = find_place(scenario, program, collectors)
    other = collectors[place is collectors[0]]
    check(program.moves() == 0, "it has moved for no reason")
    check(arrivals(place) == 0, "it came from nowhere")
    place.kill()
    check_goes_to(scenario, program, other)
    check(arrivals(other) == 1, f"it has arrived {arrivals(other)} times")
    place.start()
    check(find_place(scenario, program, collectors) is other, "it does not stay with the other one")
    other.kill()
    check_goes_to(scenario, program, place)
    other.start()
    check(program.moves() >= 2, "the log does not say that it has moved")
    finish(scenario, program, collectors)


def stopped(feature, scenario):
    collectors = [Collector(scenario, name).start() for name in ("one", "two")]
    program = Sequence(scenario, feature, [c.agents for c in collectors], LONG)
    place = find_place(scenario, program, collectors)
    other = collectors[place is collectors[0]]
    suspend(place.process)
    check_goes_to(scenario, program, other)
    check("it does not answer" in scenario.log_of("SequenceE2E"), "another reason")
    place.process.send_signal(signal.SIGCONT)
    suspend(other.process)
    check_goes_to(scenario, program, place)
    other.process.send_signal(signal.SIGCONT)
    last, first_context = program.stop()
    # There is one chunk alone, so the last one has all of it.
    sequence.check_complete(place.download(place.recording(SERVICE), scenario.path("whole.jfr")), last, first_context)
    check_together(scenario, collectors, last, first_context)


def stopped_at_the_end(feature, scenario):
    collectors = [Collector(scenario, name).start() for name in ("one", "two")]
    program = Sequence(scenario, feature, [c.agents for c in collectors], LONG)
    place = find_place(scenario, program, collectors)
    suspend(place.process)
    last, first_context = program.stop()
    other = collectors[place is collectors[0]]
    sequence.check_complete(other.download(other.recording(SERVICE), scenario.path("whole.jfr")), last, first_context)
    place.process.send_signal(signal.SIGCONT)


class Hosts:
    """A JDK in whose JVMs names have the addresses that are set here: they have an /etc/hosts of their own."""

    def __init__(self, feature, scenario):
        if os.geteuid() != 0:
            skip("an /etc/hosts of its own takes a mount namespace, and that root")
        self.path = scenario.path("hosts")
        self.home = scenario.path("home")
        program = os.path.join(self.home, "bin", "java")
        self.set(NAME)
        os.makedirs(os.path.dirname(program))
        with open(program, "w", encoding="ascii") as file:
            file.write("#!/bin/sh\n"
                       "exec unshare --mount sh -c 'mount --bind \"$1\" /etc/hosts && shift && exec \"$@\"' sh "
                       f"'{self.path}' '{need_jdk(feature)}/bin/java' \"$@\"\n")
        os.chmod(program, stat.S_IRWXU)

    def set(self, name, *addresses):
        with open(self.path, "w", encoding="ascii") as file:  # in place: this file is mounted
            file.write("".join(f"{address} {name}\n" for address in addresses))


def hold_both(first, second):
    """Ports of two addresses, with the same number."""
    while True:
        port = HeldPort(first)
        try:
            return port, HeldPort(second, port.number)
        except OSError:  # somebody else has that one
            pass


def at(scenario, address, port, certificates=None):
    """A collector at that address, whose port it is, which does not run yet."""
    collector = Collector(scenario, f"at-{address}")
    if certificates:
        collector.use_tls(certificates, False)
    collector.ports = port, collector.ports[1]
    collector.agents = f"{'tls+' if certificates else ''}tcp://{address}:{collector.ports[0].number}"
    return collector


def tls(feature, scenario):
    hosts = Hosts(feature, scenario)
    certificates = Certificates(scenario.path("tls"), "server")
    ports = hold_both("127.0.0.3", "127.0.0.2")
    one = at(scenario, "127.0.0.3", ports[0], certificates).start()
    two = at(scenario, "127.0.0.2", ports[1], certificates).start()
    hosts.set("localhost", "127.0.0.2", "127.0.0.3")
    program = Sequence(scenario, feature, [f"tls+tcp://localhost:{ports[0].number}"], SHORT, hosts.home, ca=certificates.path("ca.pem"))
    place = find_place(scenario, program, [one, two])
    place.kill()
    check_goes_to(scenario, program, two if place is one else one)
    place.start()
    finish(scenario, program, [one, two])


def name(feature, scenario):
    hosts = Hosts(feature, scenario)
    ports = hold_both("127.0.0.1", "127.0.0.2")
    one = at(scenario, "127.0.0.1", ports[0]).start()
    two = at(scenario, "127.0.0.2", ports[1])
    hosts.set(NAME, "127.0.0.2", "127.0.0.1", "127.0.0.4")  # two of them dead
    program = Sequence(scenario, feature, [f"tcp://{NAME}:{ports[0].number}"], SHORT, hosts.home)
    check_goes_to(scenario, program, one)
    hosts.set(NAME, "127.0.0.2")
    check_goes_to(scenario, program, one)  # which it stays with, though its name has that address no more
    two.start()
    one.kill()
    check_goes_to(scenario, program, two)
    one.start()
    finish(scenario, program, [one, two])


CASES = {"killed": killed, "stopped": stopped, "finish": stopped_at_the_end, "tls": tls, "name": name}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--case", choices=sorted(CASES), nargs="+", required=True)
    args = parser.parse_args()
    run_each({f"endpoints-{case}-{args.jdk}": lambda scenario, case=case: CASES[case](args.jdk, scenario) for case in args.case})


main()
