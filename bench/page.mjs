// SPDX-License-Identifier: Apache-2.0
// page.mjs DAY [NAME=PROGRAM ...]: how quick the page is in Chromium, on this machine, now. bench/README.md says how to read it.
//
// DAY is what make_rollups made: a day of 100 JVMs. PROGRAM is a loupe to measure (build/release/bin/loupe); several of them take
// turns. --first measures first paints alone.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, loadavg } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { chromium } = createRequire(join(root, "web/package.json"))("playwright-core");
const words = process.argv.slice(2);
const isFirst = words.includes("--first");
const [day, ...named] = words.filter((word) => word !== "--first");
const programs = named.length > 0 ? named.map((word) => word.split("=")) : [["loupe", join(root, "build/release/bin/loupe")]];
const EXECUTABLE = ["/usr/bin/chromium", "/usr/bin/chromium-headless-shell"].find(existsSync);
const ROUNDS = 7;
const SETTLED_MS = 1500; // a new window loads parts of Chromium's own, which takes both CPUs
const NODES = 16384;
const ZOOMS = 60;
const REFRESHES = 720; // an hour of one each 5 s
const RANGE = "from=1767225600000000000&to=1767312000000000000";
const SERVICE = `/s/service-000?${RANGE}`;
const GOAL_MS = 300; // of a first paint, and of a heat map

// What the first paints are of. The last is of one route of the heat map.
const VIEWS = [
  ["a service", SERVICE],
  ["a route of it", `${SERVICE}&where=endpoint%3D%2Fendpoint%2F3`],
];

const sorted = (values) => [...values].sort((a, b) => a - b);
const median = (values) => sorted(values)[Math.floor(values.length / 2)];
const ms = (value) => `${value.toFixed(1)} ms`;
const spread = (values) => [sorted(values)[0], median(values), sorted(values).at(-1)].map((one) => one.toFixed(1)).join(", ");

async function startCollector(loupe) {
  const options = ["--agents", "tcp://127.0.0.1:0", "--http", "127.0.0.1:0", "--data", day];
  const collector = spawn(loupe, ["collect", ...options], { stdio: ["ignore", "pipe", "ignore"] });
  for await (const line of collector.stdout.setEncoding("utf8")) {
    const [, url] = /http (http:[^,]*)/.exec(line) ?? [];
    if (url) {
      const ended = new Promise((done) => collector.once("exit", done));
      return { url, pid: collector.pid, stop: () => (collector.kill(), ended) };
    }
  }
  throw new Error("the collector does not listen");
}

// The processor time of a process, ms.
function cpuMs(pid) {
  const task = `/proc/${pid}/task`;
  const of = (thread) => Number(readFileSync(`${task}/${thread}/schedstat`, "utf8").split(" ")[0]);
  return readdirSync(task).reduce((sum, thread) => sum + of(thread), 0) / 1e6;
}

// The processor time of all windows of the browser, ms.
async function windowsCpuMs(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const windows = processInfo.filter(({ type }) => type === "renderer");
  return windows.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0);
}

// Runs in the page. Times are in ms since the address was asked for; a shown part is in a frame.
async function stepsOf(parts) {
  const shown = async (selector) => {
    while (!document.querySelector(selector)) {
      await new Promise(requestAnimationFrame);
    }
    await new Promise(requestAnimationFrame);
    return performance.now();
  };
  const tasks = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: "longtask", buffered: true });
  const times = await Promise.all(Object.values(parts).map(shown));
  const [navigation] = performance.getEntriesByType("navigation");
  const steps = { "document: answer": navigation.responseEnd };
  for (const one of performance.getEntriesByType("resource")) {
    const name = new URL(one.name).pathname.replace(/^\/(api\/v1\/)?/, "");
    if (!(`${name}: asked` in steps)) {
      steps[`${name}: asked`] = one.startTime;
      steps[`${name}: answer`] = one.responseEnd;
    }
  }
  for (const { name, startTime } of performance.getEntriesByType("paint")) {
    steps[name.replaceAll("-", " ")] = startTime;
  }
  Object.keys(parts).forEach((name, index) => (steps[name] = times[index]));
  steps["longest task"] = Math.max(0, ...tasks.map(({ duration }) => duration));
  return steps;
}

const PARTS = { "heat map": ".heatmap .legend", routes: ".routes tbody tr", "lines of routes": ".routes .spark" };

// The steps from the address to the frames with the heat map, the routes, and a line over time for each of these, in a
// window that is open, with nothing in the browser's cache.
async function firstPaint(browser, collector, path, asked) {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 1000 } })).newPage();
  page.on("request", (request) => asked.add(request.url().slice(collector.url.length)));
  await new Promise((done) => setTimeout(done, SETTLED_MS));
  const [asking, painting] = [cpuMs(collector.pid), await windowsCpuMs(browser)];
  await page.goto(collector.url + path, { waitUntil: "commit" });
  const steps = await page.evaluate(stepsOf, PARTS);
  steps["CPU time of the collector"] = cpuMs(collector.pid) - asking;
  steps["CPU time of the window"] = (await windowsCpuMs(browser)) - painting;
  await page.context().close();
  return steps;
}

// The steps of each program by round: programs take turns, and another one begins each round. `asked` gets all that the page
// asks for.
async function roundsOf(browser, path, asked) {
  const rounds = new Map(programs.map(([name]) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    const turn = programs.map((_, index) => programs[(round + index) % programs.length]);
    for (const [name, loupe] of turn) {
      const collector = await startCollector(loupe);
      rounds.get(name).push(await firstPaint(browser, collector, path, asked));
      await collector.stop();
    }
  }
  return rounds;
}

const table = (head, rows) =>
  [head, head.map((_, index) => (index === 0 ? "---" : "---:")), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

function printSteps(what, rounds) {
  const all = [...rounds.values()];
  const steps = Object.keys(all[0][0]).filter((step) => all.flat().every((one) => step in one)); // not what came too late
  const rowOf = (step) => {
    const values = all.map((of) => of.map((one) => one[step]));
    const ratios = values[0].map((value, index) => values.at(-1)[index] / value);
    const ratio = median(ratios);
    return [step, ...values.map(spread), rounds.size > 1 && Number.isFinite(ratio) ? ratio.toFixed(2) : ""];
  };
  console.log(`\n${what}: least, median and most of ${ROUNDS} rounds, ms; median of the rounds' ratios\n`);
  console.log(table(["step", ...rounds.keys(), "ratio"], steps.map(rowOf)));
  for (const [name, of] of rounds) {
    for (const step of ["first contentful paint", "heat map"]) {
      const is = median(of.map((one) => one[step])) < GOAL_MS ? "below" : "NOT below";
      console.log(`${name}: ${step} ${is} ${GOAL_MS} ms`);
    }
  }
}

// The collector's processor time for all that the page asks for, one after the other, and the bytes of the answers.
async function printAnswers(asked) {
  const rows = new Map([...asked].map((path) => [path, [path.replace(/[?&](from|to)=[^&]*/g, "").slice(0, 80)]]));
  for (const [, loupe] of programs) {
    const collector = await startCollector(loupe);
    for (const [path, row] of rows) {
      const times = [];
      let answer;
      for (let round = 0; round < ROUNDS; round++) {
        const begin = cpuMs(collector.pid);
        answer = await fetch(collector.url + path);
        row.bytes = (await answer.arrayBuffer()).byteLength;
        times.push(cpuMs(collector.pid) - begin);
      }
      row.push(spread(times));
      row.sent = Number(answer.headers.get("content-length")) || row.bytes;
    }
    await collector.stop();
  }
  const kb = (bytes) => (bytes / 1e3).toFixed(1);
  const head = ["answer: CPU time of the collector, ms", ...programs.map(([name]) => name), "KB sent", "KB"];
  console.log("\n" + table(head, [...rows.values()].map((row) => [...row, kb(row.sent), kb(row.bytes)])));
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

const load = () => loadavg()[0].toFixed(1);
console.log(`${cpus().length} CPUs, ${cpus()[0].model}; load ${load()}`);
const browser = await chromium.launch({ executablePath: EXECUTABLE, args: ["--no-sandbox"] });
try {
  console.log(`Chromium ${browser.version()}`);
  for (const [what, path] of VIEWS) {
    const asked = new Set();
    printSteps(what, await roundsOf(browser, path, asked));
    await printAnswers(asked);
  }
  const collector = isFirst ? null : await startCollector(programs.at(-1)[1]);
  if (collector) {
    const works = await zooming(browser, collector.url);
    console.log(`\na zoom in ${NODES} frames, with its frame: median ${ms(median(works))}, longest ${ms(Math.max(...works))}`);
    const sizes = await heap(browser, collector.url);
    console.log(`heap after 0, 15, 30, 45, 60 minutes of refreshes each 5 s: ${sizes.map((size) => size.toFixed(1)).join(", ")} MB`);
    await collector.stop();
  }
  console.log(`load ${load()} at the end`);
} finally {
  await browser.close();
}
