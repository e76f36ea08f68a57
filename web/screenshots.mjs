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
const viewport = { width: 1280, height: 900 };
const SLOW_NS = [2 ** 26 + 1, 2 ** 28]; // what the demo's cause makes slow: a box of whole cells

// rangeNs is the time in which the service has contexts, so that the heat map is not empty for the most part.
async function rangeNs() {
  const { recordings } = await (await fetch(new URL("/api/v1/recordings", url))).json();
  const [{ start, end }] = recordings;
  return [start, end].map((time) => String(BigInt(Date.parse(time)) * 1_000_000n));
}

const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
try {
  const [from, to] = await rangeNs();
  for (const colorScheme of ["light", "dark"]) {
    const page = await browser.newPage({ viewport, colorScheme });
    const box = [from, to, ...SLOW_NS].join(",");
    const query = new URLSearchParams({ from, to, context: "demo.Request", box });
    await page.goto(String(new URL(`/s/checkout?${query}`, url)), { waitUntil: "networkidle" });
    await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
    await page.screenshot({ path: join(dir, `service-${colorScheme}.png`) });
    await page.close();
  }
} finally {
  await browser.close();
}
