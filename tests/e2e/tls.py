# SPDX-License-Identifier: Apache-2.0
"""Promised: with a certificate both ports speak TLS, and nothing is lost by that.

--case http:    HTTPS, of TLS 1.2 and 1.3 and nothing older; a certificate that is replaced is the next connection's. Options
                that do not go together are refused.
--case mutual:  agents have to show a certificate. While one sends, the collector's certificate is replaced, and the collector
                killed: everything arrives, over both certificates.
--case named:   an agent is let in by the name in its certificate, by its token, or by whichever of them the collector has a line
                for just now, and not where there is none; in the end everything has arrived.
--case shown:   an agent whose certificate has expired is refused and says so; once it has another, in the same files, everything
                arrives.
--case refused: an agent that does not trust the collector says why, once, and goes on trying, with as many descriptors after
                many attempts as after a few; once the collector has a certificate that is valid, everything arrives.
"""

import argparse
import http.client
import os
import re
import socket
import ssl
import subprocess

from support import sequence
from support.certificates import Certificates
from support.process import LIMIT_S, LOUPE, Collector, check, run, wait_for
from support.token_file import WithToken, refused_agents, rule, write


AGENT, READER = "the-token-of-an-agent", "the-token-of-a-reader"
OF_CERT = "shop ingest tls cert:agent-7.example\n"


def connect(collector, context):
    plain = socket.create_connection(("127.0.0.1", collector.http_port), LIMIT_S)
    return context.wrap_socket(plain, server_hostname="localhost")


def shown_serial(collector):
    with connect(collector, collector.certificates.context()) as connection:
        return connection.getpeercert()["serialNumber"]


def check_versions(collector):
    for version in ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3:
        context = collector.certificates.context()
        context.check_hostname = True
        context.minimum_version = context.maximum_version = version
        with connect(collector, context) as connection:
            check(connection.version() == version.name.replace("_", "."), f"{connection.version()}, not {version}")
    old = subprocess.run(["openssl", "s_client", "-tls1_1", "-cipher", "ALL@SECLEVEL=0", "-connect",
                          f"127.0.0.1:{collector.http_port}"],
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT_S,
                         check=False)
    check(old.returncode != 0, f"TLS 1.1 is spoken: {old.stdout.decode()}")
    plain = http.client.HTTPConnection("127.0.0.1", collector.http_port, timeout=LIMIT_S)
    try:
        plain.request("GET", "/healthz")
        raise AssertionError(f"HTTP without TLS is answered: {plain.getresponse().status}")
    except (OSError, http.client.HTTPException):
        pass
    finally:
        plain.close()


def check_refusal(collector):
    """What libmicrohttpd refuses by itself has one answer here, too."""
    with connect(collector, collector.certificates.context()) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n")
        received = b""
        try:
            for part in iter(lambda: connection.recv(65536), b""):
                received += part
        except OSError:  # it ends without a word of TLS
            pass
    check(received.startswith(b"HTTP/1.1 400 ") and received.count(b"HTTP/1.1") == 1 and received.endswith(b"}"),
          f"a bad Content-Length: {received}")


def check_options(scenario):
    cases = [
        (["--tls-cert", "a"], 2, "need each other"),
        (["--tls-key", "a"], 2, "need each other"),
        (["--agents", "tls+tcp://127.0.0.1:0"], 2, "needs --tls-cert and --tls-key"),
        (["--tls-cert", "a", "--tls-key", "b", "--tls-client-ca", "c"], 2, "needs tls"),
        (["--tls-cert", "none.pem", "--tls-key", "none.key"], 1, "none.pem: No such file"),
        (["--tokens", scenario.path("tokens")], 1, "line 2: expected sha256:HEX: cert:NAME needs --tls-client-ca"),
    ]
    write(scenario.path("tokens"), "# of agents\n" + OF_CERT)
    for arguments, status, why in cases:
        done = subprocess.run([LOUPE, "collect", "--data", scenario.path("unused"), *arguments], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=LIMIT_S, check=False)
        said = done.stderr.decode()
        check(done.returncode == status and why in said, f"{arguments}: {done.returncode} {said}")


def ask_health(collector, name):
    """(status, what it says) of loupe health with a certificate, or without one."""
    words = ["--tls-cert", collector.certificates.path(f"{name}.pem")] if name else []
    done = subprocess.run([LOUPE, "health", "--http", f"127.0.0.1:{collector.http_port}", *words], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=LIMIT_S, check=False)
    return done.returncode, done.stdout.decode()


def check_health(collector):
    """On its own machine a collector is asked whatever certificate it has, and whether or not the command knows of TLS."""
    for name in ("own", "stranger", "none", None):
        check(ask_health(collector, name) == (0, "ready\n"), f"not healthy by {name}: {ask_health(collector, name)}")


def https(_, scenario):
    check_options(scenario)
    certificates = Certificates(scenario.path("tls"), "server")
    collector = Collector(scenario).use_tls(certificates, False).start(is_by_flags=False)
    check_versions(collector)
    check_refusal(collector)
    check_health(collector)
    check(int(shown_serial(collector), 16) == int(certificates.serial("server"), 16), "another certificate is shown")
    check("https://" in scenario.log_of("collector"), "the first line has another address")
    with connect(collector, certificates.context()) as before:
        certificates.use("renewed")
        wait_for("the new certificate", lambda: int(shown_serial(collector), 16) == int(certificates.serial("renewed"), 16))
        before.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        check(b"alive" in b"".join(iter(lambda: before.recv(4096), b"")), "a connection of before is not served")
    metric = collector.get("/metrics").body.decode()
    check(re.search("^loupe_tls_files_refused 0$", metric, re.M), "the metric says that files are refused")
    with open(certificates.path("own.key"), "w", encoding="ascii") as file:
        file.write("half a ke")
    wait_for("the metric", lambda: b"loupe_tls_files_refused 1\n" in collector.get("/metrics").body)
    check(int(shown_serial(collector), 16) == int(certificates.serial("renewed"), 16), "half a key is in force")
    collector.stop()


def start_jvm(feature, scenario, collector, **options):
    stop = scenario.path("stop")
    files = {"ca": collector.certificates.path("ca.pem"), **options}
    agent = scenario.agent_options(collector, "tls", segment=5, **files)
    return scenario.jvm(feature, "SequenceE2E", "1000", f"until:{stop}", agent=agent), stop


def finish(scenario, collector, jvm, stop):
    collector.wait_for_growth(collector.recording("tls"))
    with open(stop, "w", encoding="ascii"):
        pass
    jvm.wait_exit()
    ticks, first_context = sequence.last_words(jvm)
    path = collector.download(collector.recording("tls"), scenario.path("download.jfr"))
    sequence.check_complete(path, ticks, first_context)
    collector.stop()


def mutual(feature, scenario):
    certificates = Certificates(scenario.path("tls"), "server")
    collector = Collector(scenario).use_tls(certificates, True).start()
    jvm, stop = start_jvm(feature, scenario, collector, cert=certificates.path("agent.pem"),
                          key=certificates.path("agent.key"))
    recording = collector.recording("tls")
    collector.wait_for_growth(recording)
    certificates.use("renewed")
    wait_for("the new certificate", lambda: int(shown_serial(collector), 16) == int(certificates.serial("renewed"), 16))
    collector.wait_for_growth(recording)
    collector.kill()
    collector.start()
    collector.wait_for_growth(recording)
    finish(scenario, collector, jvm, stop)


def named(feature, scenario):
    tokens, own = scenario.path("tokens"), scenario.path("token")
    others = "other ingest * cert:other.example\n" + rule("ops", "read", "*", READER)

    def allow(*lines):
        write(tokens, "".join(lines) + others)

    write(own, AGENT + "\n")
    allow(OF_CERT)
    certificates = Certificates(scenario.path("tls"), "server")
    collector = Collector(scenario).use_tls(certificates, True)
    collector.env = {"LOUPE_TOKENS": tokens}
    collector.start()
    WithToken(collector, READER)
    jvm, stop = start_jvm(feature, scenario, collector, cert=certificates.path("agent.pem"), key=certificates.path("agent.key"),
                          token=f"@{own}")
    recording = collector.recording("tls")
    for line in rule("shop", "ingest", "tls", AGENT), OF_CERT:
        collector.wait_for_growth(recording)
        refused = refused_agents(collector)
        allow()
        wait_for("a refusal", lambda refused=refused: refused_agents(collector) > refused)
        allow(line)
    allow(OF_CERT, rule("shop", "ingest", "tls", AGENT))
    finish(scenario, collector, jvm, stop)
    check("nor has it a rule for cert:agent-7.example" in scenario.log_of("collector"), "the name is not logged")


def shown(feature, scenario):
    certificates = Certificates(scenario.path("tls"), "server")
    collector = Collector(scenario).use_tls(certificates, True).start()
    certificates.use("agent-expired", "late")
    jvm, stop = start_jvm(feature, scenario, collector, cert=certificates.path("late.pem"), key=certificates.path("late.key"))
    wait_for("a reason", lambda: "does not accept the certificate" in scenario.log_of("SequenceE2E"))
    check("expired" in scenario.log_of("collector"), "the collector does not say who was refused")
    check(not collector.recordings("?service=tls"), "a JVM without a valid certificate has a recording")
    certificates.use("agent", "late")
    finish(scenario, collector, jvm, stop)


def refused(feature, scenario):
    certificates = Certificates(scenario.path("tls"), "expired")
    certificates.trusted = "own.pem"
    collector = Collector(scenario).use_tls(certificates, False)
    # Nobody checks its HTTPS while its certificate is not valid.
    certificates.context = ssl._create_unverified_context  # pylint: disable=protected-access
    collector.start()
    jvm, stop = start_jvm(feature, scenario, collector)

    def reasons():
        return re.findall("no TLS with the collector.*", scenario.log_of("SequenceE2E"))

    def count_attempts():
        body = collector.get("/metrics").body.decode()
        return int(re.search(r'^loupe_agent_connections_cut_total{limit="tls"} (\d+)', body, re.M).group(1))

    def count_descriptors():
        return len(os.listdir(f"/proc/{jvm.process.pid}/fd"))

    wait_for("a reason", reasons)
    check("its certificate has expired" in reasons()[0], f"another reason: {reasons()[0]}")
    first = count_attempts()
    wait_for("some attempts", lambda: count_attempts() >= first + 5)
    before = count_descriptors()
    wait_for("more attempts", lambda: count_attempts() >= first + 25, 120)
    check(count_descriptors() < before + 10, f"{count_descriptors()} descriptors, {before} before")
    check(len(reasons()) == 1, f"not once: {reasons()}")
    certificates.use("renewed")
    finish(scenario, collector, jvm, stop)


CASES = {"http": https, "mutual": mutual, "named": named, "refused": refused, "shown": shown}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int)
    parser.add_argument("--case", choices=sorted(CASES), required=True)
    args = parser.parse_args()
    run(f"tls-{args.case}-{args.jdk or 'none'}", lambda scenario: CASES[args.case](args.jdk, scenario))


main()
