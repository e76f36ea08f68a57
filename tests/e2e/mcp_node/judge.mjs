// SPDX-License-Identifier: Apache-2.0
// What a client of the TypeScript SDK does; see ../mcp/client.py.

const first = [
  { tool: "slow_requests", arguments: { service: "shop", where: ["http_route=/order"] } },
  { tool: "services", arguments: {} },
  { tool: "attributes", arguments: { min_ms: 1, base: "rest" } },
  { tool: "compare", arguments: { service: "shop", base: { to: "1m" } } },
  { tool: "policy_check", arguments: { text: "<configuration version='2.0'/>" } },
  { tool: "trace", arguments: { id: "4bf92f3577b34da6a3ce929d0e0e4736" } },
];

async function callAll(client) {
  let due = [...first];
  const called = [];
  while (due.length > 0) {
    const one = due.shift();
    if (called.includes(one.tool)) {
      continue;
    }
    const result = await client.callTool({ name: one.tool, arguments: one.arguments });
    const text = result.content[0].text;
    if (result.isError || Buffer.byteLength(text) > 4096) {
      throw new Error(`${JSON.stringify(one)}: ${text}`);
    }
    called.push(one.tool);
    due = [...(result.structuredContent.next ?? []), ...due];
  }
  return called;
}

// judge connects, asks, and prints what it got. version returns the revision that was agreed on.
export async function judge(client, transport, version) {
  await client.connect(transport);
  const { tools } = await client.listTools();
  const called = await callAll(client);
  const wrong = await client.callTool({ name: "why", arguments: { sevice: "shop" } });
  const refused = await client.callTool({ name: "no_such_tool", arguments: {} }).then(
    (result) => result.isError === true,
    () => true,
  );
  if (!refused) {
    throw new Error("an unknown tool is called");
  }
  const said = {
    version: version(),
    server: client.getServerVersion().name,
    tools: tools.map((tool) => tool.name),
    called,
    wrong: wrong.isError ? wrong.content[0].text : "",
  };
  await client.close();
  console.log(JSON.stringify(said));
}
