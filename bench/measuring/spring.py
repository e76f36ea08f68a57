# SPDX-License-Identifier: Apache-2.0
"""A service of Spring Boot (bench/spring), requests for it at a fixed rate, and recordings of it under load."""

import glob
import http.client
import json
import os
import random
import shutil
import signal
import subprocess
import threading
import time

from measuring.inputs import Recording
from measuring.run import Failed, warm
from support import process
from support.jars import Missing, class_path

SERVLET_JAR = os.path.join(process.LIB_DIR, "loupe-servlet.jar")
SOURCES = os.path.join(os.path.dirname(__file__), "..", "spring")
CONNECTIONS = 8
START_LIMIT_S = 180
# What the service says is there when it starts.
PRODUCTS, CUSTOMERS = 500, 200
# JDK's "profile", more of it: what a service of many cores would fill in minutes takes one of two cores an hour.
SETTINGS = ("settings=profile", "jdk.ObjectAllocationSample#throttle=4000/s", "jdk.ExecutionSample#period=2 ms",
            "+shop.RequestEvent#enabled=true", "jdk.ThreadPark#threshold=1 ms", "jdk.SocketWrite#threshold=0 ns")
MORE_SAMPLES = ("-XX:-ResizeTLAB", "-XX:TLABSize=16k")  # the allocation that fills one may become an event
STEP_S = 1


def jars():
    """The class path of what the service is made of."""
    with open(os.path.join(SOURCES, "jars.txt"), encoding="ascii") as file:
        try:
            return class_path([line.split() for line in file])
        except Missing as problem:
            raise Failed(str(problem)) from problem


class Service:
    """The service in a JVM of its own, ready for requests. arguments: properties of Spring's, as --key=value."""

    def __init__(self, work, home, vm=(), arguments=()):
        self.held = process.HeldPort()
        self.port = self.held.number
        self.log_path = os.path.join(work, f"spring-{self.port}.log")
        with open(self.log_path, "wb") as log:
            self.process = subprocess.Popen(
                [f"{home}/bin/java", "-Xms256m", "-Xmx256m", *vm, "-cp", compile_service(work), "shop.Shop",
                 f"--server.port={self.port}", "--spring.jpa.hibernate.ddl-auto=create",
                 "--spring.jpa.open-in-view=true", *arguments],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=work)
        try:
            process.wait_for("the service answers", self.is_ready, START_LIMIT_S)
        except process.Failed as problem:
            self.stop()
            raise Failed(f"{problem}, see {self.log_path}") from problem

    def is_ready(self):
        process.check(self.process.poll() is None, f"the service ended with status {self.process.returncode}")
        try:
            return Client(self.port).send("GET", f"/products/{PRODUCTS}")
        except OSError:
            return False

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(process.LIMIT_S)


def compile_service(work):
    """The service's class path, for all JDKs."""
    libraries = f"{jars()}:{process.API_JAR}:{SERVLET_JAR}"
    classes = os.path.join(work, "spring-classes")
    sources = sorted(glob.glob(f"{SOURCES}/shop/*.java"))
    newest = max(map(os.path.getmtime, sources))
    done = os.path.join(classes, "done")
    if not os.path.exists(done) or os.path.getmtime(done) < newest:
        shutil.rmtree(classes, ignore_errors=True)
        home = process.jdk_home(17) or process.jdk_home(25)
        subprocess.run([f"{home}/bin/javac", "--release", "17", "-parameters", "-proc:none", "-d", classes, "-cp",
                        libraries, *sources], check=True)
        with open(done, "wb"):
            pass
    return f"{classes}:{libraries}"


class Client:
    """A connection that stays."""

    def __init__(self, port, headers=None):
        self.headers = headers or {}
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=process.LIMIT_S)

    def send(self, method, path, body=None):
        """Whether that was answered with 200."""
        try:
            kind = {"Content-Type": "application/json"} if body else {}
            self.connection.request(method, path, body, {**self.headers, **kind})
            answer = self.connection.getresponse()
            answer.read()
            return answer.status == 200
        except http.client.HTTPException:
            self.connection.close()
            return False


def any_request(chance):
    """A request as somebody would send it: method, path, body."""
    product, customer = chance.randint(1, PRODUCTS), chance.randint(1, CUSTOMERS)
    kind = chance.random()
    if kind < 0.4:
        return "GET", f"/products/{product}", None
    if kind < 0.6:
        return "GET", f"/products?category={chance.choice(('tools', 'toys', 'books'))}&below={product * 7}", None
    if kind < 0.75:
        amounts = {chance.randint(1, PRODUCTS): chance.randint(1, 9) for _ in range(chance.randint(1, 4))}
        return "POST", "/orders", json.dumps({"customer": customer, "amounts": amounts})
    if kind < 0.85:
        return "GET", f"/customers/{customer}/orders", None
    if kind < 0.95:
        return "GET", f"/customers/{customer}/recommendations", None
    return "GET", f"/quotes/{product}", None


class Load:
    """Threads that send so many requests a second, until they are stopped; late ones are sent at once. choose: any_request
    or the like, of which all loads send the same ones in the same order."""

    def __init__(self, port, rate, choose=any_request, headers=None):
        self.port, self.choose, self.headers = port, choose, headers
        self.period_s = CONNECTIONS / rate
        self.answered = [0] * CONNECTIONS
        self.failed = [0] * CONNECTIONS
        self.is_stopped = threading.Event()
        self.threads = [threading.Thread(target=self.work, args=(i,), daemon=True) for i in range(CONNECTIONS)]
        for thread in self.threads:
            thread.start()

    def work(self, index):
        chance, client = random.Random(index), Client(self.port, self.headers)
        due = time.monotonic() + self.period_s * index / CONNECTIONS
        while not self.is_stopped.wait(max(0, due - time.monotonic())):
            due += self.period_s
            try:
                is_answered = client.send(*self.choose(chance))
            except OSError:
                is_answered = False
            (self.answered if is_answered else self.failed)[index] += 1

    def stop(self):
        self.is_stopped.set()
        for thread in self.threads:
            thread.join(process.LIMIT_S)
        if sum(self.failed) > sum(self.answered) / 1000:
            raise Failed(f"{sum(self.failed)} requests failed, {sum(self.answered)} were answered")


def repository_bytes(folder):
    return sum(map(os.path.getsize, glob.glob(f"{folder}/**/*.jfr", recursive=True)))


def make(work, feature, megabytes, rate=300):
    """A recording of the service under load, by the JDK of that number alone, made if it is not there. Takes minutes."""
    path = os.path.join(work, f"spring{feature}-{megabytes}.jfr")
    if not os.path.exists(path):
        home = process.jdk_home(feature)
        if not home:
            raise Failed(f"no JDK {feature} under /usr/lib/jvm")
        print(f"making {path}", flush=True)
        parts = os.path.join(work, f"making-spring{feature}")
        shutil.rmtree(parts, ignore_errors=True)
        os.makedirs(parts)
        recording = f"-XX:StartFlightRecording:filename={path}.part,{','.join(SETTINGS)}"
        service = Service(work, home, [*MORE_SAMPLES, f"-XX:FlightRecorderOptions:repository={parts},stackdepth=128",
                                       recording])
        try:
            load = Load(service.port, rate)
            while repository_bytes(parts) < megabytes * 1_000_000:
                time.sleep(STEP_S)
            load.stop()
        finally:
            service.stop()
        shutil.rmtree(parts, ignore_errors=True)
        os.rename(path + ".part", path)
    warm(path)
    return Recording(path)
