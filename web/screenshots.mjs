// SPDX-License-Identifier: Apache-2.0
// screenshots.mjs URL DIR: pictures of the page over the demo's service in DIR, light and dark: service-*.png, its slow
// requests and why they are slow. URL is the page's.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [url, dir] = process.argv.slice(2);
if (!url || !dir) {
  console.error("screenshots.mjs URL DIR");
  process.exit(2);
}
const viewport = { width: 1280, height: 1160 };
const LONGEST_MS = 15 * 60_000; // up to here columns are as short as chunks are
const SLOW_NS = [2 ** 26 + 1, 2 ** 28]; // what the demo's cause makes slow: a box of whole cells

// rangeNs is the time in which the service has requests, whole minutes, so that the heat map is not empty for the most part.
async function rangeNs() {
  const answer = await fetch(new URL("/api/v1/recordings?service=checkout", url));
  const [{ start, end }] = (await answer.json()).recordings;
  const from = Math.ceil(Date.parse(start) / 60_000) * 60_000;
  const to = Math.floor(Date.parse(end) / 60_000) * 60_000;
  return [Math.max(from, to - LONGEST_MS), to].map((ms) => String(BigInt(ms) * 1_000_000n));
}

const executablePath = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
].find(existsSync);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
try {
  const [from, to] = await rangeNs();
  for (const colorScheme of ["light", "dark"]) {
    const page = await browser.newPage({ viewport, colorScheme });
    const box = [from, to, ...SLOW_NS].join(",");
    const query = new URLSearchParams({ from, to, unit: "requests", box });
    await page.goto(String(new URL(`/s/checkout?${query}`, url)), { waitUntil: "networkidle" });
    await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
    await page.screenshot({ path: join(dir, `service-${colorScheme}.png`) });
    await page.close();
  }
} finally {
  await browser.close();
}
