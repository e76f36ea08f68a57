// SPDX-License-Identifier: Apache-2.0
// page.mjs DAY: how quick the page is in Chromium, on this machine, now. bench/README.md says how to read it.
//
// DAY is what make_rollups made: a day of 100 JVMs. LOUPE_BUILD is the build to measure (build/release).
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { chromium } = createRequire(join(root, "web/package.json"))("playwright-core");
const [day] = process.argv.slice(2);
const EXECUTABLE = ["/usr/bin/chromium", "/usr/bin/chromium-headless-shell"].find(existsSync);
const ROUNDS = 7;
const SETTLED_MS = 1500; // a new window loads parts of Chromium's own, which takes both CPUs
const NODES = 16384;
const ZOOMS = 60;
const REFRESHES = 720; // an hour of one each 5 s
const SERVICE = "/s/service-000?from=1767225600000000000&to=1767312000000000000";

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const ms = (value) => `${value.toFixed(1)} ms`;

async function startCollector() {
  const loupe = join(process.env.LOUPE_BUILD ?? join(root, "build/release"), "bin/loupe");
  const options = ["--agents", "tcp://127.0.0.1:0", "--http", "127.0.0.1:0", "--data", day];
  const collector = spawn(loupe, ["collect", ...options], { stdio: ["ignore", "pipe", "ignore"] });
  for await (const line of collector.stdout.setEncoding("utf8")) {
    const [, url] = /http (http:[^,]*)/.exec(line) ?? [];
    if (url) {
      return { url, stop: () => collector.kill() };
    }
  }
  throw new Error("the collector does not listen");
}

// From the address to the frames with the heat map and with the routes in them, and with a line over time for each of these,
// in a window that is open, with nothing in the browser's cache.
async function firstPaint(browser, url) {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 1000 } })).newPage();
  await new Promise((done) => setTimeout(done, SETTLED_MS));
  await page.goto(url + SERVICE, { waitUntil: "commit" });
  const times = await page.evaluate(async () => {
    const shown = async (selector) => {
      while (!document.querySelector(selector)) {
        await new Promise(requestAnimationFrame);
      }
      await new Promise(requestAnimationFrame);
      return performance.now();
    };
    return Promise.all([".heatmap .legend", ".routes tbody tr", ".routes .spark"].map(shown));
  });
  await page.context().close();
  return times;
}

// A flame graph of NODES frames of four children each, as deep as that is.
function flameOf() {
  const flame = { of: "time", unit: "ns", requests: 100, names: [], kinds: "", level: [], name: [], value: [], self: [] };
  const names = 2000;
  for (let i = 0; i < names; i++) {
    flame.names.push(`com.example.application.component${i % 40}.LongClassName${i}.methodWithALongName${i}`);
    flame.kinds += ".";
  }
  const add = (level, value) => {
    if (flame.level.length === NODES) {
      return;
    }
    flame.name.push((flame.level.length * 7919) % names);
    flame.level.push(level);
    flame.value.push(value);
    flame.self.push(value * 0.04);
    for (let child = 0; child < 4 && value > 1e5; child++) {
      add(level + 1, value * [0.6, 0.2, 0.1, 0.06][child]);
    }
  };
  add(0, 1e12);
  return { ...flame, total: 1e12, per_request: 1e10, of_kind: {}, cut: { nodes: 0, value: 0 }, is_truncated: false };
}

// How long the longest work and the frames are while somebody zooms in and out.
async function zooming(browser, url) {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 1400 } })).newPage();
  const one = ["recording", "shop.Request", 0, 1e9, 1, 0, "main", "1-1"];
  const columns = ["recording", "type", "start", "duration", "triggers", "blocked", "thread", "id"];
  const contexts = { t0_ns: "1767225600000000000", columns, rows: [one], matched: 1, next: null, is_truncated: false };
  await page.route("**/api/v1/contexts?**", (route) => route.fulfill({ json: contexts })); // DAY has statistics alone
  await page.route("**/api/v1/flamegraph?**", (route) => route.fulfill({ json: flameOf() }));
  await page.goto(`${url}${SERVICE}&box=1767225600000000000,1767225660000000000,0,999999999999`);
  const pane = page.getByRole("application", { name: "Flame graph" });
  await pane.focus();
  return pane.evaluate(async (pane, zooms) => {
    const press = (key) => pane.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    const frame = () => new Promise(requestAnimationFrame);
    const works = [];
    for (let i = 0; i < zooms; i++) {
      const begin = performance.now();
      for (const key of i % 6 === 5 ? ["Escape"] : ["ArrowDown", "Enter"]) {
        press(key);
      }
      await frame();
      await new Promise((done) => setTimeout(done)); // behind the frame: what it took is in the time
      works.push(performance.now() - begin);
    }
    return works;
  }, ZOOMS);
}

// The heap after each REFRESHES / 4 refreshes of a live page.
async function heap(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 1000 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const used = async () => {
    await session.send("HeapProfiler.collectGarbage");
    return (await session.send("Runtime.getHeapUsage")).usedSize / 1e6;
  };
  await page.goto(url + SERVICE);
  await page.locator(".heatmap .legend").waitFor();
  const sizes = [await used()];
  for (let round = 0; round < 4; round++) {
    for (let i = 0; i < REFRESHES / 4; i++) {
      const answered = page.waitForResponse((response) => response.url().includes("/heatmap"));
      await page.getByRole("button", { name: "refresh" }).click();
      await answered;
    }
    sizes.push(await used());
  }
  return sizes;
}

const collector = await startCollector();
const browser = await chromium.launch({ executablePath: EXECUTABLE, args: ["--no-sandbox"] });
try {
  const paints = [];
  for (let i = 0; i < ROUNDS; i++) {
    paints.push(await firstPaint(browser, collector.url));
  }
  for (const [index, what] of ["heat map", "routes", "lines of routes"].entries()) {
    const times = paints.map((one) => one[index]);
    console.log(`${what} of a day of 100 JVMs: median ${ms(median(times))}, ${ms(Math.min(...times))} to ${ms(Math.max(...times))}`);
  }
  const works = await zooming(browser, collector.url);
  console.log(`a zoom in ${NODES} frames, with its frame: median ${ms(median(works))}, longest ${ms(Math.max(...works))}`);
  const sizes = await heap(browser, collector.url);
  console.log(`heap after 0, 15, 30, 45, 60 minutes of refreshes each 5 s: ${sizes.map((size) => size.toFixed(1)).join(", ")} MB`);
} finally {
  await browser.close();
  collector.stop();
}
