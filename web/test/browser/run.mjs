// SPDX-License-Identifier: Apache-2.0
// run.mjs URL EMPTY_URL LOCKED_URL TOKEN TOKENS ELIMINATED [NAME...]: runs NAME.test.mjs of this folder, or all, in Chromium:
// one browser, a new page for each test. At URL is a collector with what tests/e2e/page.py says, at EMPTY_URL one that
// nobody has sent anything; the one at LOCKED_URL lets in who has TOKEN, as its file TOKENS says. ELIMINATED is the id of
// a trace of which nothing was kept. At LOUPE_PROXY_URL is nginx, if not empty, as tests/e2e/page.py has it; at LOUPE_OPEN_URL is `loupe open`, and LOUPE_RECORDING a file with the recording of the service "lock". LOUPE_CAUSES has the services that are slow for a reason,
// LOUPE_ROUTES the routes of the service "shop", none without LOUPE_ALL; with LOUPE_ALL the tests of foreign
// pages combine each of their hosts with each collector.
import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.url));
const [url, emptyUrl, lockedUrl, token, tokens, eliminated, ...names] = process.argv.slice(2);
if (!eliminated) {
  console.error("run.mjs URL EMPTY_URL LOCKED_URL TOKEN TOKENS ELIMINATED [NAME...]");
  process.exit(2);
}
process.env.LOUPE_URL = url;
process.env.LOUPE_EMPTY_URL = emptyUrl;
process.env.LOUPE_LOCKED_URL = lockedUrl;
process.env.LOUPE_TOKEN = token;
process.env.LOUPE_TOKENS_FILE = tokens;
process.env.LOUPE_ELIMINATED = eliminated;
const all = readdirSync(folder).filter((file) => file.endsWith(".test.mjs"));
const chosen = names.length === 0 ? all : names.map((name) => `${name}.test.mjs`);
for (const file of chosen) {
  await import(`./${file}`);
}
