# SPDX-License-Identifier: Apache-2.0
"""Tokens: lines of the collector's file, and requests with one."""

import hashlib
import os


def rule(name, rights, services, token):
    return f"{name} {rights} {services} sha256:{hashlib.sha256(token.encode()).hexdigest()}\n"


def write(path, content):
    """A new file in the place of the old, as tools do."""
    with open(f"{path}.new", "w", encoding="ascii") as file:
        file.write(content)
    os.rename(f"{path}.new", path)


class WithToken:
    """A collector that is asked with a token, but for what is asked by get_without."""

    def __init__(self, collector, token):
        self.token, self.get_without = token, collector.get
        collector.get = self.get

    def get(self, path, headers=None, **options):
        return self.get_without(path, headers={"Authorization": f"Bearer {self.token}", **(headers or {})}, **options)


def refused_agents(collector):
    """How many Hellos were refused."""
    text = collector.get("/metrics").body.decode()
    line = next(line for line in text.splitlines() if line.startswith('loupe_logins_failed_total{port="agents"}'))
    return int(line.split()[-1])
