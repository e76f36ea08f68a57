// SPDX-License-Identifier: Apache-2.0
// A client of the TypeScript SDK, version 1: `http URL` or `stdio COMMAND...`.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { judge } from "./judge.mjs";

const [place, command, ...args] = process.argv.slice(2);
const transport =
  place === "http" ? new StreamableHTTPClientTransport(new URL(command)) : new StdioClientTransport({ command, args });
let version; // the transport is told it after initialize
const setVersion = transport.setProtocolVersion?.bind(transport);
transport.setProtocolVersion = (agreed) => {
  version = agreed;
  setVersion?.(agreed);
};
await judge(new Client({ name: "judge", version: "1" }), transport, () => version);
