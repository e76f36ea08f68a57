# SPDX-License-Identifier: Apache-2.0
"""Networks that are cut, each direction by itself: packets are dropped by nftables in a network of the test's own, or where that
cannot be had (it takes root, unshare, ip and nft) bytes are held back in a Forwarder.

    enter_own_network()            # first of all: runs the program again
    cuts = Cuts()
    way = cuts.way(5432)           # to whoever listens there
    ... somebody connects with way.port ...
    cuts.cut(way, "to")            # what it sends does not arrive; "from": what it would be answered
    cuts.mend(way)
"""

import os
import shutil
import subprocess
import sys
import types

from support.forwarder import DIRECTIONS, Forwarder
from support.process import LIMIT_S, check

OWN = "LOUPE_TEST_OWN_NETWORK"
TABLE = "inet cuts"
PORT_OF = {"to": "dport", "from": "sport"}


def enter_own_network():
    """Has the program run again in a network of its own, where nothing but its loopback is, unless it does so already, or
    may not."""
    if OWN in os.environ or os.geteuid() != 0 or not all(map(shutil.which, ("unshare", "ip", "nft"))):
        return
    arguments = ["unshare", "--net", "--", sys.executable, *sys.argv]
    may = subprocess.run(["unshare", "--net", "ip", "link", "set", "lo", "up"], stderr=subprocess.DEVNULL, timeout=LIMIT_S,
                         check=False).returncode == 0
    if may:
        os.environ[OWN] = "1"
        os.execvp("unshare", arguments)


class Way:
    """How one party reaches another: by a port that nobody else uses."""

    def __init__(self, port, forwarder=None):
        self.port = port
        self.forwarder = forwarder


class Cuts:
    def __init__(self):
        self.drops = OWN in os.environ
        self.name = "packets are dropped by nftables" if self.drops else "bytes are held back in forwarders (no root, or no nft)"
        if self.drops:
            subprocess.run(["ip", "link", "set", "lo", "up"], timeout=LIMIT_S, check=True)
            chain = f"add table {TABLE}; add chain {TABLE} input {{ type filter hook input priority 0; }}"
            for direction, port in PORT_OF.items():
                chain += f"; add set {TABLE} {direction}_them {{ type inet_service; }}"
                chain += f"; add rule {TABLE} input tcp {port} @{direction}_them drop"
            self.nft(chain)

    @staticmethod
    def nft(commands):
        done = subprocess.run(["nft", commands], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT_S, check=False)
        check(done.returncode == 0, f"nft {commands}: {done.stdout.decode()}")

    def way(self, port, is_shared=False):
        """To the port of the party that listens; is_shared: others come to that, too."""
        if self.drops and not is_shared:
            return Way(port)
        forwarder = Forwarder(types.SimpleNamespace(ports=[types.SimpleNamespace(number=port)]))
        return Way(forwarder.port.number, forwarder)

    def cut(self, way, direction):
        if self.drops:
            self.nft(f"add element {TABLE} {direction}_them {{ {way.port} }}")
        else:
            way.forwarder.hold(direction)

    def mend(self, way):
        for direction in DIRECTIONS:
            if self.drops:
                self.nft(f"add element {TABLE} {direction}_them {{ {way.port} }}; "
                         f"delete element {TABLE} {direction}_them {{ {way.port} }}")
            else:
                way.forwarder.release(direction)
