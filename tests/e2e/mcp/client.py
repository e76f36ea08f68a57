# SPDX-License-Identifier: Apache-2.0
"""A client of the Python SDK: `http URL` or `stdio COMMAND...`. Lists the tools, calls each once, those first that answers
propose, makes a call with a wrong argument and one of an unknown tool, and prints what it got as JSON."""

import asyncio
import json
import sys

import mcp
from mcp.client.stdio import StdioServerParameters, stdio_client

FIRST = [("slow_requests", {"service": "shop", "where": ["http_route=/order"]}), ("services", {}),
         ("attributes", {"min_ms": 1, "base": "rest"}), ("compare", {"service": "shop", "base": {"to": "1m"}}),
         ("policy_check", {"text": "<configuration version='2.0'/>"}), ("trace", {"id": "4bf92f3577b34da6a3ce929d0e0e4736"})]


async def call_all(client):
    due, called = list(FIRST), []
    while due:
        tool, arguments = due.pop(0)
        if tool in called:
            continue
        result = await client.call_tool(tool, arguments)
        text = result.content[0].text
        if result.is_error or len(text.encode()) > 4096:
            raise RuntimeError(f"{tool} {arguments}: {text}")
        called.append(tool)
        due = [(one["tool"], one["arguments"]) for one in result.structured_content.get("next", [])] + due
    return called


async def judge(place):
    server = place[1] if place[0] == "http" else stdio_client(StdioServerParameters(command=place[1], args=place[2:]))
    async with mcp.Client(server) as client:
        listed = await client.list_tools()
        called = await call_all(client)
        wrong = await client.call_tool("why", {"sevice": "shop"})
        try:
            await client.call_tool("no_such_tool", {})
            raise RuntimeError("an unknown tool is called")
        except mcp.MCPError:
            pass
        return {"version": client.protocol_version, "server": client.server_info.name, "tools": [tool.name for tool in listed.tools],
                "called": called, "wrong": wrong.content[0].text if wrong.is_error else ""}


print(json.dumps(asyncio.run(judge(sys.argv[1:]))))
