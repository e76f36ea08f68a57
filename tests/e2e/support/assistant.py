# SPDX-License-Identifier: Apache-2.0
"""An assistant over the Model Context Protocol that understands nothing: it makes the calls that answers propose, the first
first."""

import http.client
import json

from support.process import LIMIT_S, check

VERSION = "2026-07-28"
TEXT_BYTES_MAX = 4096


class Assistant:
    """Asks a collector over HTTP."""

    def __init__(self, port):
        self.port = port
        self.calls = 0

    def send(self, method, params):
        """The result of a request."""
        body = {"jsonrpc": "2.0", "id": self.calls, "method": method, "params": {**params, "_meta": {
            "io.modelcontextprotocol/protocolVersion": VERSION, "io.modelcontextprotocol/clientCapabilities": {}}}}
        headers = {"Content-Type": "application/json", "MCP-Protocol-Version": VERSION, "Mcp-Method": method}
        if "name" in params:
            headers["Mcp-Name"] = params["name"]
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT_S)
        try:
            connection.request("POST", "/mcp", json.dumps(body), headers)
            answer = connection.getresponse()
            found = json.loads(answer.read())
        finally:
            connection.close()
        check(answer.status == 200 and "result" in found, f"{body}: {answer.status} {found}")
        return found["result"]

    def call(self, tool, arguments):
        """The text of an answer, and the calls that it proposes."""
        self.calls += 1
        result = self.send("tools/call", {"name": tool, "arguments": arguments})
        text = result["content"][0]["text"]
        check(not result["isError"], f"{tool} {arguments}: {text}")
        check(len(text.encode()) <= TEXT_BYTES_MAX, f"{tool}: {len(text.encode())} bytes")
        return text, [(one["tool"], one["arguments"]) for one in result["structuredContent"].get("next", [])]

    def follow(self, tool, arguments, is_found, calls_max=3):
        """Makes a call, and then those that its answer proposes, until is_found is true of a text. Returns how many calls that
        took, or None, and the texts."""
        due, done, texts = [(tool, arguments)], [], []
        while due and len(texts) < calls_max:
            one = due.pop(0)
            done.append(one)
            text, proposed = self.call(*one)
            texts.append(text)
            if is_found(text):
                return len(texts), texts
            due = [call for call in proposed if call not in done] + due
        return None, texts
