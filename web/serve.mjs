// SPDX-License-Identifier: Apache-2.0
// serve.mjs [COLLECTOR] [PORT]: the page for those who work on it: built anew for each load, with the answers of a
// collector (http://127.0.0.1:7412) behind it. http://127.0.0.1:7400, if PORT is not said.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const web = dirname(fileURLToPath(import.meta.url));
const collector = new URL(process.argv[2] ?? "http://127.0.0.1:7412");
const port = Number(process.argv[3] ?? 7400);
const dist = mkdtempSync(join(tmpdir(), "loupe-web-"));
const types = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css" };

function pass(from, to) {
  const { method, url: path, headers } = from;
  const answer = request({ host: collector.hostname, port: collector.port, method, path, headers });
  answer.on("response", (reply) => reply.pipe(to.writeHead(reply.statusCode, reply.headers)));
  answer.on("error", (error) => to.writeHead(502).end(String(error)));
  from.pipe(answer);
}

createServer((from, to) => {
  if (/^\/(api|speedscope|metrics)(\/|$)/.test(from.url)) {
    pass(from, to);
    return;
  }
  const asked = ["/page.js", "/page.css"].find((path) => path === from.url) ?? "/index.html";
  if (asked === "/index.html") {
    execFileSync(process.execPath, [join(web, "build.mjs"), dist], { stdio: "inherit" });
  }
  to.writeHead(200, { "content-type": types[extname(asked)], "cache-control": "no-store" });
  to.end(readFileSync(join(dist, asked)));
}).listen(port, "127.0.0.1", () => console.log(`http://127.0.0.1:${port}`));
