// SPDX-License-Identifier: Apache-2.0
// A client of the TypeScript SDK, version 2: `http URL` or `stdio COMMAND...`.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { judge } from "./judge.mjs";

const [place, command, ...args] = process.argv.slice(2);
const client = new Client({ name: "judge", version: "1" }, { versionNegotiation: { mode: "auto" } });
const transport =
  place === "http" ? new StreamableHTTPClientTransport(new URL(command)) : new StdioClientTransport({ command, args });
await judge(client, transport, () => client.getNegotiatedProtocolVersion());
