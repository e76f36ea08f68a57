# SPDX-License-Identifier: Apache-2.0
"""One name for several collectors, as a load balancer or a service of Kubernetes has it."""

import socket
import threading

from support.process import HeldPort

DIRECTIONS = ("to", "from")  # the target


class Forwarder:
    """Listens where the agent connects to, and is connected with one collector at a time."""

    def __init__(self, target):
        self.target = target
        self.pairs = []
        self.held = set()  # directions in which bytes wait
        self.changed = threading.Condition()
        self.lock = threading.Lock()
        self.port = HeldPort()
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind(("127.0.0.1", self.port.number))
        self.listener.listen()
        self.address = f"tcp://127.0.0.1:{self.port.number}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            near, _ = self.listener.accept()
            with self.lock:
                try:
                    far = socket.create_connection(("127.0.0.1", self.target.ports[0].number))
                except OSError:
                    near.close()
                    continue
                for end in (near, far):  # else what follows a piece waits for its acknowledgement, 40 ms
                    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self.pairs.append((near, far))
            for pair in ((near, far, "to"), (far, near, "from")):
                threading.Thread(target=self.pass_on, args=pair, daemon=True).start()

    def pass_on(self, source, sink, direction):
        try:
            while data := source.recv(1 << 16):
                with self.changed:
                    self.changed.wait_for(lambda: direction not in self.held)
                sink.sendall(data)
        except OSError:
            pass
        with self.changed:
            self.changed.wait_for(lambda: direction not in self.held)
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def switch(self, target):
        with self.lock:
            self.target = target
            for pair in self.pairs:
                for end in pair:
                    try:
                        end.shutdown(socket.SHUT_RDWR)
                    except OSError:
                        pass
            self.pairs = []

    def hold(self, direction):
        """From now on nothing arrives in that direction, the end of a connection neither."""
        with self.changed:
            self.held.add(direction)

    def release(self, direction):
        with self.changed:
            self.held.discard(direction)
            self.changed.notify_all()
