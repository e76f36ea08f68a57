// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { isOver, logOut, login, startLogin } from "../../src/base/login";

// A collector that answers as it is told, the last answer again and again.
let answers: [number, object][] = [];
let asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`);
  const [status, body] = answers.length > 1 ? answers.shift()! : answers[0]!;
  response.writeHead(status, { "content-type": "application/json", "retry-after": "0.001" });
  response.end(JSON.stringify(body));
});
await new Promise<void>((done) => server.listen(0, "127.0.0.1", () => done()));
after(() => (server.closeAllConnections(), server.close()));
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const fetchFrom = globalThis.fetch;
globalThis.fetch = (url, options) => fetchFrom(base + String(url), options);

function start(...next: [number, object][]): void {
  answers = next;
  asked = [];
  login.value = null;
  isOver.value = false;
}

const somebody = { is_needed: true, identity: "ops" };
const busy: [number, object] = [503, { error: "busy" }];

test("a collector that is busy is asked again who is logged in", async () => {
  start(busy, busy, [200, somebody]);
  await startLogin();
  assert.deepEqual(login.value, somebody);
  assert.equal(asked.length, 3);
});

test("where it is not said who is logged in, the screens say what is wrong", async () => {
  for (const answer of [busy, [500, { error: "failed" }], [401, {}]] as [number, object][]) {
    start(answer);
    await startLogin();
    assert.deepEqual(login.value, { is_needed: false, identity: null });
  }
});

test("a session that could not be ended goes on", async () => {
  start([500, { error: "no memory" }]);
  login.value = somebody;
  assert.equal(await logOut(), "no memory");
  assert.deepEqual(login.value, somebody);
  globalThis.fetch = () => Promise.reject(new TypeError("no network"));
  assert.match((await logOut())!, /^the collector cannot be reached: .*no network/);
  assert.deepEqual(login.value, somebody);
  globalThis.fetch = (url, options) => fetchFrom(base + String(url), options);
  start([200, { is_needed: true, identity: null }]);
  login.value = somebody;
  assert.equal(await logOut(), null);
  assert.deepEqual(login.value, { is_needed: true, identity: null });
  assert.deepEqual(asked, ["DELETE /api/v1/login"]);
});
