// SPDX-License-Identifier: Apache-2.0
// browser: what tests in Chromium are made of.
//
//   scenario("the heat map shows all contexts", async (page) => {
//     await page.goto(url + "/s/planted");
//     await page.getByRole("table", { name: "Why" }).waitFor();      // waits for what has to come, never for a time
//     const why = await json("/api/v1/why?service=planted");
//     await eventually(async () => assert.equal(await textOf(page, ".requests"), String(why.requests)));
//     await checkAccess(page);
//   });
//
// A scenario fails, too, where the page writes an error to the console, throws, violates its policy, or asks for
// anything that is not on the collector that serves it.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, test } from "node:test";
import { chromium } from "playwright-core";

const LIMIT_MS = 60_000; // for whatever has to come: a busy machine is slow, and what hangs ends
const SCENARIO_LIMIT_MS = 240_000;
// The first has no window, and takes half of the CPU time of the others.
const EXECUTABLE = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
].find(existsSync);

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const url = process.env.LOUPE_URL;
export const emptyUrl = process.env.LOUPE_EMPTY_URL;
export const lockedUrl = process.env.LOUPE_LOCKED_URL; // asks for a token
export const proxyUrl = process.env.LOUPE_PROXY_URL; // nginx before it, which shows it under paths; "": there is none
export const openUrl = process.env.LOUPE_OPEN_URL; // of `loupe open`, which takes files
export const token = process.env.LOUPE_TOKEN; // it has this one
export const tokensFile = process.env.LOUPE_TOKENS_FILE; // of the collector there
export const eliminated = process.env.LOUPE_ELIMINATED; // a trace of which nothing was kept

const SCREEN = { width: 1280, height: 900 };

let browser = null;
let shared = null; // see open
let keeper = null; // a page that shared has until the end

async function launch() {
  const args = ["--no-sandbox", "--process-per-site"];
  browser ??= await chromium.launch({ executablePath: EXECUTABLE, args });
  return browser;
}

// open returns a new context of the browser, or the one that scenarios without options share: it has the programs of the page
// and of axe already read and compiled, in a process that ends with its last page, keeper.
async function open({ isAlone = false, ...options }) {
  const isShared = !isAlone && Object.keys(options).length === 0;
  const context =
    (isShared && shared) || (await (await launch()).newContext({ viewport: SCREEN, ...options }));
  context.setDefaultTimeout(LIMIT_MS);
  if (isShared && shared === null) {
    shared = context;
    keeper = await context.newPage();
    await keeper.goto(url + "/healthz");
  }
  return context;
}

// leave closes what a scenario had, and forgets as whom it asked.
async function leave(context) {
  if (context !== shared) {
    await context.close();
    return;
  }
  const left = context.pages().filter((page) => page !== keeper);
  await Promise.all(left.map((page) => page.close()));
  await context.clearCookies();
}

after(() => browser?.close());

// watch returns the list of what goes wrong on a page, which grows.
function watch(page) {
  const wrong = [];
  page.on("console", (message) => {
    if (message.type() === "error") {
      wrong.push(`console: ${message.text()}`);
    }
  });
  page.on("pageerror", (error) => wrong.push(`thrown: ${error.stack ?? error}`));
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (
      ![url, emptyUrl, lockedUrl, proxyUrl, openUrl].includes(origin) &&
      protocol !== "data:" &&
      protocol !== "blob:"
    ) {
      wrong.push(`asked of another host: ${request.url()}`);
    }
  });
  return wrong;
}

// scenario is a test with a page of its own. Options are those of playwright's newContext, such as timezoneId; viewport is
// the page's; isAlone is for what must not find anything in the browser's cache. expected has a regular expression for each kind of error that has to come, such as what Chromium writes to
// the console of a 404.
export function scenario(name, body, { expected = [], viewport = SCREEN, ...options } = {}) {
  test(name, { timeout: SCENARIO_LIMIT_MS }, async () => {
    const context = await open(options);
    const page = await context.newPage();
    await page.setViewportSize(viewport);
    const wrong = watch(page);
    try {
      await body(page);
    } catch (error) {
      console.log(`at ${page.url()}:\n${(await page.innerText("body")).slice(0, 2000)}`);
      throw error;
    } finally {
      await leave(context);
    }
    const unexpected = wrong.filter((one) => !expected.some((expression) => expression.test(one)));
    assert.deepEqual(unexpected, []);
    const missing = expected.filter((expression) => !wrong.some((one) => expression.test(one)));
    assert.deepEqual(missing, []);
  });
}

// param is a parameter of the page's address; null: it has none.
export const param = (page, name) => new URL(page.url()).searchParams.get(name);

// eventually returns what body returns, once it throws no more.
export async function eventually(body) {
  const end = Date.now() + LIMIT_MS;
  for (;;) {
    try {
      return await body();
    } catch (error) {
      if (Date.now() > end) {
        throw error;
      }
      await new Promise((done) => setTimeout(done, 50));
    }
  }
}

// settled returns once no panel waits for its answer.
export async function settled(page) {
  await eventually(async () => assert.equal(await page.locator("[aria-busy=true]").count(), 0));
}

// showBusy shows what is asked for again as what is settled: a page of now does that every few seconds, also meanwhile.
function showBusy() {
  const style = new CSSStyleSheet();
  style.replaceSync(".stale { opacity: 1 !important }");
  document.adoptedStyleSheets = [style];
}

// looksOf returns how the texts of a page look: what their contrast depends on.
function looksOf() {
  const known = new Map([[null, { colors: "", opacity: 1 }]]);
  const behind = (element) => {
    if (!known.has(element)) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
      const image = backgroundImage.replace(/[\d.]+%/g, "%"); // a bar is as long as its number
      const further = behind(element.parentElement);
      const isOpaque = backgroundColor.startsWith("rgb(") && opacity === "1";
      known.set(element, {
        colors: `${backgroundColor} ${image} ${isOpaque ? "" : further.colors}`,
        opacity: opacity * further.opacity,
      });
    }
    return known.get(element);
  };
  const isText = (node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== "";
  const looks = new Set();
  for (const element of document.body.querySelectorAll("*")) {
    if ([...element.childNodes].some(isText)) {
      const { color, fontSize, fontWeight } = getComputedStyle(element);
      const isLarge = parseFloat(fontSize) >= (fontWeight >= 700 ? 18.5 : 24);
      const { colors, opacity } = behind(element);
      looks.add(`${color} ${isLarge} ${opacity} ${colors}`);
    }
  }
  return [...looks];
}

const checkedLooks = new Set();

// checkAccess fails for whatever axe finds that keeps people out. Half of axe's time is for the contrast of texts, which it checks
// if some text looks as none did before.
export async function checkAccess(page) {
  await settled(page);
  await page.evaluate(showBusy);
  if (!(await page.evaluate(() => "axe" in globalThis))) {
    await page.evaluate(AXE); // the browser's own doing, which the page's policy does not hold up
  }
  const looks = await page.evaluate(looksOf);
  const isNew = looks.some((look) => !checkedLooks.has(look));
  const { violations } = await page.evaluate(
    (enabled) =>
      globalThis.axe.run(document, {
        resultTypes: ["violations"],
        selectors: false,
        rules: { "color-contrast": { enabled } },
      }),
    isNew,
  );
  looks.forEach((look) => checkedLooks.add(look));
  const texts = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join("\n")}`,
  );
  assert.deepEqual(texts, []);
}
