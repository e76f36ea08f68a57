# SPDX-License-Identifier: Apache-2.0
"""A real Kafka, of one node or of several, in KRaft mode: each is broker and controller. Its jars come from Maven Central."""

import base64
import os
import socket
import struct
import sys

from support.process import LIMIT_S, HeldPort, check, need_jdk, skip, wait_for

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../scripts"))
import jars  # noqa: E402

HEAP = "-Xmx256m"
JAVA = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn")
CREATE_TOPICS = 19
BATCH_BYTES_MAX = 5 << 20  # more than the wire's largest message


def text(value):
    """A STRING of Kafka's protocol."""
    content = value.encode()
    return struct.pack(">h", len(content)) + content


def read_jars():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "kafka_jars.txt"), encoding="ascii") as file:
        return tuple(tuple(line.split()) for line in file)


class Kafka:
    def __init__(self, scenario, nodes=1, feature=17):
        self.class_path = self.need()
        self.scenario = scenario
        self.java = f"{need_jdk(feature)}/bin/java"
        self.ports = [(HeldPort(), HeldPort()) for _ in range(nodes)]  # for clients, and among themselves
        self.processes = [None] * nodes
        # A name that begins with a dash would be an option.
        self.cluster = "A" + base64.urlsafe_b64encode(os.urandom(16)).decode().rstrip("=")[1:]
        for node in range(nodes):
            self.write_settings(node)
            self.format(node)

    @staticmethod
    def need():
        """Gets its jars, or skips the test. Returns their class path."""
        try:
            return jars.class_path(read_jars())
        except jars.Missing as problem:
            skip(str(problem))

    @property
    def brokers(self):
        return ",".join(f"127.0.0.1:{clients.number}" for clients, _ in self.ports)

    def url(self, topic, parameters=""):
        return f"kafka://{self.brokers}/{topic}{parameters}"

    def settings(self, node):
        return self.scenario.path(f"kafka-{node}.properties")

    def write_settings(self, node):
        clients, others = self.ports[node]
        replicas = min(len(self.ports), 3)
        in_sync = 2 if replicas == 3 else 1
        voters = ",".join(f"{i}@127.0.0.1:{port.number}" for i, (_, port) in enumerate(self.ports))
        with open(self.settings(node), "w", encoding="ascii") as file:
            file.write(f"""process.roles=broker,controller
node.id={node}
controller.quorum.voters={voters}
listeners=PLAINTEXT://127.0.0.1:{clients.number},CONTROLLER://127.0.0.1:{others.number}
advertised.listeners=PLAINTEXT://127.0.0.1:{clients.number}
controller.listener.names=CONTROLLER
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs={self.scenario.path(f"kafka-{node}")}
num.partitions=4
default.replication.factor={replicas}
min.insync.replicas={in_sync}
offsets.topic.replication.factor={replicas}
offsets.topic.num.partitions=4
transaction.state.log.replication.factor={replicas}
transaction.state.log.min.isr={in_sync}
auto.create.topics.enable=false
group.initial.rebalance.delay.ms=0
message.max.bytes={BATCH_BYTES_MAX}
replica.fetch.max.bytes={BATCH_BYTES_MAX}
log.cleaner.dedupe.buffer.size=16777216
""")

    def format(self, node):
        """Writes what `kafka-storage format` writes, but for its choice of features, which are the latest without it."""
        folder = self.scenario.path(f"kafka-{node}")
        os.makedirs(folder)
        with open(os.path.join(folder, "meta.properties"), "w", encoding="ascii") as file:
            file.write(f"version=1\ncluster.id={self.cluster}\nnode.id={node}\n")

    def command(self, program, *arguments):
        return [self.java, HEAP, *JAVA, "-cp", self.class_path, program, *arguments]

    def start(self, *nodes):
        """These, or all."""
        nodes = nodes or range(len(self.ports))
        for node in nodes:
            self.processes[node] = self.scenario.popen(f"kafka-{node}", self.command("kafka.Kafka", self.settings(node)),
                                                       env=dict(os.environ))
        for node in nodes:
            wait_for(f"Kafka's node {node}", lambda node=node: self.is_ready(node), 3 * LIMIT_S)
        return self

    def is_ready(self, node):
        check(self.processes[node].poll() is None, f"Kafka's node {node} ended")
        try:  # only a broker that has joined its cluster listens for clients
            socket.create_connection(("127.0.0.1", self.ports[node][0].number), LIMIT_S).close()
            return True
        except OSError:
            return False

    def kill(self, *nodes):
        for node in nodes or range(len(self.ports)):
            self.processes[node].kill()
            self.processes[node].wait(LIMIT_S)

    def make_topic(self, name, partitions=4, *settings):
        """Asks the first broker for it (KIP-4, CreateTopics version 2): Kafka's own tool costs the start of a JVM."""
        config = [setting.split("=", 1) for setting in settings]
        topic = text(name) + struct.pack(">ihi", partitions, min(len(self.ports), 3), 0) + struct.pack(">i", len(config))
        topic += b"".join(text(key) + text(value) for key, value in config)
        head = struct.pack(">hhi", CREATE_TOPICS, 2, 1) + text("tests")
        request = head + struct.pack(">i", 1) + topic + struct.pack(">i?", LIMIT_S * 1000, False)
        with socket.create_connection(("127.0.0.1", self.ports[0][0].number), 2 * LIMIT_S) as broker, broker.makefile("rb") as answers:
            broker.sendall(struct.pack(">i", len(request)) + request)
            answer = answers.read(*struct.unpack(">i", answers.read(4)))
        begin = 12 + len(text(name)) + 4  # behind the correlation, the throttle time and the number of topics
        error, = struct.unpack(">h", answer[begin - 4:begin - 2])
        check(error == 0, f"the topic {name} is not made: error {error}, {answer}")
