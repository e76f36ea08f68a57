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
const [PAUSE_MS, PAUSE_MS_MAX] = [30, 400]; // between two looks
// The first has no window, and takes half of the CPU time of the others.
const EXECUTABLE = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
].find(existsSync);

// The compilers that optimize cost more than they save: a fifth of the renderer's time, in scenarios of a second.
const BRIEF = "--js-flags=--no-maglev,--no-turbofan";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const url = process.env.LOUPE_URL;
export const emptyUrl = process.env.LOUPE_EMPTY_URL;
export const lockedUrl = process.env.LOUPE_LOCKED_URL; // asks for a token
export const proxyUrl = process.env.LOUPE_PROXY_URL; // nginx before it, which shows it under paths; "": there is none
export const openUrl = process.env.LOUPE_OPEN_URL; // of `loupe open`, which takes files
export const token = process.env.LOUPE_TOKEN; // it has this one
export const tokensFile = process.env.LOUPE_TOKENS_FILE; // of the collector there
export const eliminated = process.env.LOUPE_ELIMINATED; // a trace of which nothing was kept

export const SCREEN = { width: 1280, height: 900 };
export const NARROW = { width: 390, height: 800 };

let browser = null;
let shared = null; // see open
let keeper = null; // a page that shared has until the end

async function launch() {
  const args = ["--no-sandbox", "--process-per-site", BRIEF];
  browser ??= await chromium.launch({ executablePath: EXECUTABLE, args });
  return browser;
}

// open returns a new context of the browser, or the one that all others share: it has the programs of the page and of axe already
// read and compiled, in a process that ends with its last page, keeper.
async function open(isAlone) {
  const context = (!isAlone && shared) || (await (await launch()).newContext({ viewport: SCREEN }));
  context.setDefaultTimeout(LIMIT_MS);
  if (!isAlone && shared === null) {
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

// watch returns the list of what goes wrong on a page, which grows. A collector that is busy answers 503 and when to ask again,
// which the page does: Chromium alone calls it an error.
function watch(page) {
  const wrong = [];
  page.on("console", (message) => {
    if (
      message.type() === "error" &&
      !/the server responded with a status of 503 /.test(message.text())
    ) {
      wrong.push(`console: ${message.text()}`);
    }
  });
  page.on("response", (response) => {
    if (response.status() === 503 && !response.headers()["retry-after"]) {
      wrong.push(`503 without a time to ask again: ${response.url()}`);
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

// setZone sets the time zone of the renderer, until the page is closed.
async function setZone(page, timezoneId) {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setTimezoneOverride", { timezoneId });
}

// scenario is a test with a page of its own. Options: expected has a regular expression for each kind of error that has to come,
// such as what Chromium writes to the console of a 404; viewport and timezoneId are the page's; a page that isAlone finds nothing
// in the browser's cache.
export function scenario(name, body, options = {}) {
  const { expected = [], viewport = SCREEN, timezoneId, isAlone = false } = options;
  test(name, { timeout: SCENARIO_LIMIT_MS }, async () => {
    const context = await open(isAlone);
    const page = await context.newPage();
    if (viewport !== SCREEN) {
      await page.setViewportSize(viewport);
    }
    if (timezoneId) {
      await setZone(page, timezoneId);
    }
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

// part is one promise of a scenario that keeps several on one page: its name is in the message if it is broken.
export async function part(name, body) {
  try {
    return await body();
  } catch (error) {
    error.message = `${name}: ${error.message}`;
    throw error;
  }
}

// param is a parameter of the page's address; null: it has none.
export const param = (page, name) => new URL(page.url()).searchParams.get(name);

// eventually returns what body returns, once it throws no more. It waits ever longer between two tries.
export async function eventually(body) {
  const end = Date.now() + LIMIT_MS;
  for (let pauseMs = PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, PAUSE_MS_MAX)) {
    try {
      return await body();
    } catch (error) {
      if (Date.now() > end) {
        throw error;
      }
      await new Promise((done) => setTimeout(done, pauseMs));
    }
  }
}

// settled returns once the screen is there, and no panel waits for its answer.
export async function settled(page) {
  const isSettled = () =>
    document.querySelector("main") !== null && document.querySelector("[aria-busy=true]") === null;
  await eventually(async () => assert.ok(await page.evaluate(isSettled), "a panel waits"));
}

// checkWidth fails where the page, or a table of it, has to be scrolled sideways, on a wide and on a narrow screen.
export async function checkWidth(page) {
  for (const { width, height } of [SCREEN, NARROW]) {
    const at = `${page.url()} at ${width}`;
    await page.setViewportSize({ width, height });
    await settled(page);
    await eventually(async () => {
      const shown = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(shown <= width, `${at} is ${shown} pixels wide`);
      const wide = await page.evaluate(() =>
        [...document.querySelectorAll(".scroll")]
          .filter((one) => one.scrollWidth > one.clientWidth)
          .map((one) => one.ariaLabel),
      );
      assert.deepEqual(wide, [], `${at} has tables that scroll sideways`);
    });
  }
  await page.setViewportSize(SCREEN);
}

// showBusy shows what is asked for again as what is settled: a page of now does that every few seconds, also meanwhile.
function showBusy() {
  const style = new CSSStyleSheet();
  style.replaceSync(".stale { opacity: 1 !important }");
  document.adoptedStyleSheets = [style];
}

// markLooks returns the looks of a page's texts and links that are not among the known, and gives elements of these looks the
// attribute data-new-look. A look is what the contrast of a text depends on; of a link also how it differs from the text that
// it is in, if there is some.
function markLooks(known) {
  const backs = new Map([[null, { colors: "", opacity: 1 }]]);
  const behind = (element) => {
    if (!backs.has(element)) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
      const image = backgroundImage.replace(/[\d.]+%/g, "%"); // a bar is as long as its number
      const further = behind(element.parentElement);
      const isOpaque = backgroundColor.startsWith("rgb(") && opacity === "1";
      backs.set(element, {
        colors: `${backgroundColor} ${image} ${isOpaque ? "" : further.colors}`,
        opacity: opacity * further.opacity,
      });
    }
    return backs.get(element);
  };
  const isText = (node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== "";
  const lengthOf = ({ textContent }) => textContent.replace(/\s+/g, "").length;
  const inText = (link) => {
    let block = link.parentElement;
    while (getComputedStyle(block).display.startsWith("inline")) {
      block = block.parentElement;
    }
    const others = [...block.querySelectorAll("a, button, select, summary")].map(lengthOf);
    const isIn = lengthOf(block) > others.reduce((sum, one) => sum + one, 0);
    const styleOf = (element) => {
      const { color, display, fontWeight, fontStyle, textDecoration, border } =
        getComputedStyle(element);
      return `${color} ${display} ${fontWeight} ${fontStyle} ${textDecoration} ${border}`;
    };
    return `${isIn} ${styleOf(link)} ${styleOf(block)}`;
  };
  const isKnown = new Set(known);
  const looks = new Set();
  for (const element of document.body.querySelectorAll("*")) {
    const isLink = element.matches("a[href]");
    if (isLink || [...element.childNodes].some(isText)) {
      const { color, fontSize, fontWeight } = getComputedStyle(element);
      const isLarge = parseFloat(fontSize) >= (fontWeight >= 700 ? 18.5 : 24);
      const { colors, opacity } = behind(element);
      const look = `${color} ${isLarge} ${opacity} ${colors} ${isLink ? inText(element) : ""}`;
      if (!isKnown.has(look)) {
        looks.add(look);
        element.setAttribute("data-new-look", "");
      }
    }
  }
  return [...looks];
}

// unmarkLooks takes back what markLooks does to a page.
function unmarkLooks() {
  for (const element of document.querySelectorAll("[data-new-look]")) {
    element.removeAttribute("data-new-look");
  }
}

// runAxe returns what axe finds. Most of its time is for colours: it looks at those that markLooks has marked.
async function runAxe(hasNewLooks) {
  const { axe } = globalThis;
  axe.configure({
    rules: [
      { id: "color-contrast", selector: "[data-new-look]", enabled: hasNewLooks },
      { id: "link-in-text-block", selector: "a[href][data-new-look]", enabled: hasNewLooks },
    ],
  });
  const { violations } = await axe.run(document, {
    resultTypes: ["violations"],
    selectors: false,
  });
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join("\n")}`,
  );
}

const checkedLooks = new Set();

// checkAccess fails for whatever axe finds that keeps people out.
export async function checkAccess(page) {
  await settled(page);
  await page.evaluate(showBusy);
  if (!(await page.evaluate(() => "axe" in globalThis))) {
    await page.evaluate(AXE); // the browser's own doing, which the page's policy does not hold up
  }
  const looks = await page.evaluate(markLooks, [...checkedLooks]);
  const violations = await page.evaluate(runAxe, looks.length > 0);
  await page.evaluate(unmarkLooks);
  assert.deepEqual(violations, []);
  looks.forEach((look) => checkedLooks.add(look));
}
