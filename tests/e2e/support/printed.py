# SPDX-License-Identifier: Apache-2.0
"""`jfr print`, taken apart: the Context: lines of each event."""

import re

HEAD = re.compile(r"^([\w.$-]+) \{$")
CONTEXT = re.compile(r"^  Context: ([\w-]+)\.(\w+) = (.*)$")
FIELD = re.compile(r"^  (\w+) = (.*)$")


class Printed:
    def __init__(self, kind):
        self.type = kind
        self.contexts = []  # (type's last name, attribute, printed value)
        self.request = {}  # printed values by attribute, of dev.loupe.Request
        self.fields = {}


def parse(text):
    """The events of the output of `jfr print`."""
    events = []
    event = None
    for line in text.split("\n"):
        head = HEAD.match(line)
        if event is None and head:
            event = Printed(head.group(1))
        elif event is not None and line == "}":
            events.append(event)
            event = None
        elif event is not None:
            read_line(event, line)
    return events


def read_line(event, line):
    context = CONTEXT.match(line)
    field = FIELD.match(line)
    if context and not event.fields and context.group(1) == "Request":
        event.request[context.group(2)] = context.group(3)
    elif context and not event.fields:
        event.contexts.append(context.groups())
    elif field:
        event.fields.setdefault(*field.groups())
