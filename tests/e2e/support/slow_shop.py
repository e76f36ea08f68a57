# SPDX-License-Identifier: Apache-2.0
"""A Spring Boot application (tests/java/causes) with the starter that has a route for each of many reasons why requests are slow,
and the service that it asks. What needs PostgreSQL is for a program that run_with_postgres started."""

import contextlib
import glob
import http.client
import http.server
import os
import threading
import time

from support import jars
from support.process import API_JAR, JAVA_DIR, LIB_DIR, LIMIT_S, check, javac

STARTER = [os.path.join(LIB_DIR, f"loupe-{name}.jar") for name in ("spring-boot-starter", "servlet")]
SERVICE_S = 0.3


class SlowService(http.server.BaseHTTPRequestHandler):
    """What the application asks."""

    protocol_version = "HTTP/1.1"  # connections stay

    def do_GET(self):
        time.sleep(SERVICE_S)
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 64  # whom it does not take at once asks again a second later


@contextlib.contextmanager
def served():
    """The address of a SlowService."""
    with Server(("127.0.0.1", 0), SlowService) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


def send(port, route):
    """Returns how long it took, in seconds."""
    began = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT_S)
    try:
        connection.request("GET", f"/{route}")
        reply = connection.getresponse()
        body = reply.read()
        check(reply.status == 200, f"{route}: {reply.status} {body[:500]}")
    finally:
        connection.close()
    return time.monotonic() - began


def start(scenario, jdk, agent, service, threads="platform"):
    """Returns its JVM. service is the address of a SlowService."""
    libraries = jars.need(jars.SPRING_APPLICATION + jars.POSTGRES)
    javac("-parameters", "-cp", f"{API_JAR}:{libraries}", "-d", scenario.dir, *glob.glob(f"{JAVA_DIR}/causes/*.java"))
    vm = [f"-Dcauses.service={service}"]
    if "LOUPE_POSTGRES" in os.environ:
        user, place = os.environ["LOUPE_POSTGRES"].removeprefix("postgresql://").split("@")
        name, password = user.split(":")
        vm.append(f"-Dcauses.database=jdbc:postgresql://{place}?user={name}&password={password}&sslmode=disable")
    return scenario.jvm(jdk, "CausesServer", "--server.port=0",
                        f"--spring.threads.virtual.enabled={str(threads == 'virtual').lower()}",
                        agent=agent, vm=vm, class_path=[scenario.dir, *STARTER, libraries, API_JAR])


def port_of(jvm):
    """Waits until it answers."""
    return int(jvm.wait_line(r"port (\d+)").group(1))
