// SPDX-License-Identifier: Apache-2.0
// Pages of other origins may link to a collector, and not ask it for anything: neither one of another site (localhost is one
// to 127.0.0.1) nor one of another port, whether the collector asks for tokens or not.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { eventually, lockedUrl, scenario, url } from "./browser.mjs";

const BLANK = "<!doctype html><title>another page</title><body></body>";
// What Chromium writes of these; of the answer to the form it may look for an icon.
const expected = [/status of 40[34]|CORS policy|net::ERR_FAILED/, /asked of another host/];

// withPage serves an empty page on a port of its own while body runs.
async function withPage(host, body) {
  const server = createServer((request, response) => {
    response.writeHead(200, { "Content-Type": "text/html" });
    response.end(BLANK);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  try {
    await body(`http://${host}:${server.address().port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

// statusesOf returns what a collector answers at a path, once it does, as it is on the wire: of what Chromium keeps from a
// page playwright tells nothing. The browser says in any order what was asked and what was answered.
async function statusesOf(page, collector) {
  const session = await page.context().newCDPSession(page);
  const urls = new Map(); // by request
  const answers = []; // [request, status], the last one first
  session.on("Network.requestWillBeSent", ({ requestId, request }) =>
    urls.set(requestId, request.url),
  );
  session.on("Network.responseReceivedExtraInfo", ({ requestId, statusCode }) =>
    answers.unshift([requestId, statusCode]),
  );
  await session.send("Network.enable");
  return (path) => answers.find(([request]) => urls.get(request) === collector + path)?.[1];
}

for (const host of ["localhost", "127.0.0.1"]) {
  for (const [name, collector, firstHost] of [
    ["with tokens", lockedUrl, "localhost"],
    ["without tokens", url, "127.0.0.1"],
  ]) {
    if (!process.env.LOUPE_ALL && host !== firstHost) {
      continue; // each host and each collector once
    }
    scenario(
      `a page of ${host} can link to a collector ${name}, and not ask it`,
      (page) =>
        withPage(host, async (foreign) => {
          const statusOf = await statusesOf(page, collector);
          await page.goto(foreign);
          const outcomes = await page.evaluate(async (to) => {
            const load = (tag, path) =>
              new Promise((done) => {
                const element = document.createElement(tag);
                element.onload = () => done("loaded");
                element.onerror = () => done("failed");
                element.src = to + path;
                document.body.append(element);
              });
            const ask = (path, options) =>
              fetch(to + path, options).then(
                (answer) => answer.type,
                () => "failed",
              );
            return [
              await ask("/api/v1/services", {}),
              await ask("/api/v1/why", { mode: "no-cors" }),
              await load("img", "/api/v1/recordings"),
              await load("script", "/page.js"),
            ];
          }, collector);
          assert.deepEqual(outcomes, ["failed", "opaque", "failed", "failed"]);
          await page.evaluate((to) => {
            document.body.innerHTML = `<form method="post" action="${to}/api/v1/login"><button>go</button></form>`;
          }, collector);
          await page.getByRole("button").click();
          await page.getByText("a page of another site may only link here").waitFor();
          const paths = ["services", "why", "recordings", "login"].map((one) => `/api/v1/${one}`);
          for (const path of [...paths, "/page.js"]) {
            await eventually(async () => assert.equal(statusOf(path), 403, path));
          }

          await page.goto(foreign);
          await page.evaluate((to) => {
            document.body.innerHTML = `<a href="${to}/">the collector</a>`;
          }, collector);
          await page.getByText("the collector").click();
          const shown = collector === url ? "region" : "heading";
          await page
            .getByRole(shown, { name: collector === url ? "Services" : "Log in" })
            .waitFor();
          await eventually(async () => {
            assert.equal(statusOf("/"), 200);
            assert.equal(statusOf("/page.js"), 200);
          });
        }),
      { expected, isAlone: true },
    );
  }
}
