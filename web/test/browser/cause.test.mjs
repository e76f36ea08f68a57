// SPDX-License-Identifier: Apache-2.0
// Three clicks lead to the cause of slow requests: the service, a box in the heat map, the top row. Each of these services
// has requests that are slow for one reason, and twenty times as many in which nothing happens.
import assert from "node:assert/strict";
import { answerOf, json } from "./api.mjs";
import { checkAccess, eventually, param, part, scenario, settled, url } from "./browser.mjs";
import { isAbout, nsOf } from "./texts.mjs";

const FOLLOWED_MS = 10_000; // until a link that was pressed has led on
const SLOW = 8; // requests that are; on a busy machine others are, too
const PROGRAM = "dev.loupe.testapps.PlantedE2E.";
// The service, the row that is the first, how the page calls it, and the frame in which most of its time went.
const CAUSES = [
  ["lock", "lock", "lock", "reserve"],
  ["io", "io", "I/O", "await"],
  ["gc", "gc", "GC", null],
  ["allocation", "gc", "GC", null],
  ["pool", "park", "park", "submit"],
];

// dragSlow selects the upper part of the heat map: quick requests take microseconds, slow ones from 100 ms on.
export async function dragSlow(page) {
  const canvas = page.locator(".heatmap canvas");
  await page.locator(".heatmap .legend").waitFor();
  await settled(page); // what is above moves it until then
  await canvas.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await canvas.boundingBox();
  await page.mouse.move(x + 70, y + 8);
  await page.mouse.down();
  await page.mouse.move(x + width - 3, y + height * 0.5, { steps: 4 });
  await page.mouse.up();
}

function firstRow(page) {
  return page.locator(".why tbody tr").first();
}

const planted = process.env.LOUPE_CAUSES.split(" ");
for (const [service, category, name, method] of CAUSES.filter(([one]) => planted.includes(one))) {
  scenario(`three clicks lead to the cause: ${service}`, async (page) => {
    await page.goto(url + "/");
    await page.getByRole("link", { name: service, exact: true }).click();
    const why = await answerOf(
      page,
      "why",
      () => dragSlow(page),
      (query) => query.has("max_duration_ns"), // of a box, not of the slowest that are selected at first
    );
    assert.ok(why.requests >= SLOW, `${why.requests} requests`);
    assert.equal(why.slices[0].category, category);
    await eventually(async () =>
      assert.match(await firstRow(page).innerText(), new RegExp(`^\\s*${name}`)),
    );
    await settled(page);
    isAbout(
      await firstRow(page).locator("td.n").first().innerText(),
      why.slices[0].total_ns / why.requests,
      nsOf,
    );
    if (method) {
      assert.equal(why.slices[0].top[0].frame, PROGRAM + method);
      const frame = page.locator(".why tr.frame").first();
      assert.match(await frame.innerText(), new RegExp(`PlantedE2E\\.${method}`));
      const flame = await answerOf(page, "flamegraph", () => frame.getByRole("link").click());
      isAbout(String(flame.total), why.slices[0].top[0].total_ns);
    }
    await checkAccess(page);
  });
}

// Routes of "shop", whose requests wait for each other or for another service, without a slow quick one beside: the first
// row, how the page calls it, and where most of its time went.
const APPLICATION = "dev.loupe.testapps.Slow";
const ROUTES = [
  ["convoy", "lock", "lock", `${APPLICATION}Waits.sign`],
  ["queue", "queued", "queued", "report-*"],
  ["connection", "io", "I/O", `${APPLICATION}Calls.askByConnection`],
  ["pool", "park", "park", `${APPLICATION}Queries.borrow`],
  ["rows", "io", "I/O", `${APPLICATION}Queries.find`],
];

const asked = (process.env.LOUPE_ROUTES ?? "").split(" ");
for (const [route, category, name, frame] of ROUTES.filter(([one]) => asked.includes(one))) {
  scenario(
    `two clicks lead from the front page to the cause of a route: ${route}`,
    async (page) => {
      await page.goto(url + "/");
      await page.getByRole("link", { name: "shop", exact: true }).click();
      const routes = page.getByRole("region", { name: "Routes", exact: true });
      const why = await answerOf(
        page,
        "why",
        () => routes.getByRole("link", { name: `/${route}`, exact: true }).click(),
        (query) => query.getAll("where").includes(`http_route=/${route}`),
      );
      assert.equal(why.slices[0].category, category);
      assert.equal(why.slices[0].top[0].frame, frame);
      await settled(page);
      await eventually(async () =>
        assert.match(await firstRow(page).innerText(), new RegExp(`^\\s*${name}`)),
      );
      const first = page.locator(".why tr.frame").first();
      assert.ok((await first.textContent()).includes(frame.split(".").slice(-2).join(".")));
      await checkAccess(page);
    },
  );
}

scenario("a box: its answers, its address, and the way back", async (page) => {
  await page.goto(url + "/s/lock");
  await dragSlow(page);
  await page.waitForURL(/box=/);
  await settled(page);
  await part("the answers are those of the API for its time and durations", async () => {
    const [from, to, min, max] = param(page, "box").split(",").map(BigInt);
    const half = 30_000_000_000n; // statistics are by chunk, of a minute at most
    const selection = new URLSearchParams({
      service: "lock",
      from: from - half,
      to: to + half,
      min_duration_ns: min,
      max_duration_ns: max,
    });
    const requests = await json(`/api/v1/requests?${selection}`);
    assert.ok(requests.matched >= SLOW);
    const rows = page.getByRole("region", { name: "Kept requests" }).locator("tbody tr");
    assert.equal(await rows.count(), requests.matched);
    const longest = requests.rows[0][requests.columns.indexOf("duration")];
    isAbout(await rows.first().locator("td.n").first().innerText(), longest, nsOf);
  });
  const shown = await page.locator(".why").innerText();
  await part("the address shows the same to somebody else", async () => {
    const other = await page.context().newPage();
    await other.goto(page.url());
    await eventually(async () => assert.equal(await other.locator(".why").innerText(), shown));
  });
  await part("the back button undoes it", async () => {
    await page.goBack();
    assert.ok(!page.url().includes("box="));
    await settled(page);
    await eventually(async () => assert.notEqual(await page.locator(".why").innerText(), shown));
  });
});

const LONG = `com.example.${"Very".repeat(20)}LongClass.aMethodOfIt`;

scenario("why is one bar with rows below: nothing is 0, nothing leaves its card", async (page) => {
  await page.route("**/api/v1/why?*", async (route) => {
    const answer = await route.fetch();
    const why = await answer.json();
    const [lock] = why.slices;
    lock.top = [{ ...lock.top[0], frame: LONG, via: `java.${LONG}` }];
    const none = { ...lock, category: "sleep", total_ns: 0, events: 0, top: [] };
    await route.fulfill({ response: answer, json: { ...why, slices: [...why.slices, none] } });
  });
  const why = await answerOf(page, "why", () => page.goto(url + "/s/lock"));
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await settled(page);
    const bar = page.locator(".stacked");
    const label = await bar.getAttribute("aria-label");
    const shown = why.slices.filter(({ total_ns }) => total_ns > 0);
    assert.equal(label.split(", ").length, shown.length);
    const widths = await bar
      .locator("span")
      .evaluateAll((all) => all.map((one) => one.offsetWidth));
    const whole = await bar.evaluate((one) => one.clientWidth);
    const first = shown[0].total_ns / why.total_ns;
    assert.ok(Math.abs(widths[0] / whole - first) < 0.05, `${widths} of ${whole}, not ${first}`);
    const names = await page.locator(".why th[scope=row]").allInnerTexts();
    assert.ok(!names.some((name) => name.includes("sleep")), names.join());
    const card = await page.locator(".why-panel").boundingBox();
    const end = await page.locator(".why .cut-name span:nth-child(2)").first().boundingBox();
    assert.ok(end.width > 0 && end.x + end.width <= card.x + card.width);
    const ends = await page
      .locator(".why :is(td, th)")
      .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().right));
    assert.ok(Math.max(...ends) <= card.x + card.width + 1, `${ends}`);
    const each = page.locator(".why tr.frame td.n").first();
    assert.ok(await each.evaluate((one) => one.scrollWidth <= one.clientWidth));
    await checkAccess(page);
  }
});

scenario("the keyboard alone leads to the cause", async (page) => {
  await page.goto(url + "/");
  const link = page.getByRole("link", { name: "lock", exact: true });
  await link.waitFor();
  await follow(page, link, /\/s\/lock/);
  const canvas = page.locator(".heatmap canvas[tabindex]");
  await canvas.waitFor();
  await tabTo(page, canvas);
  await page.keyboard.press("ArrowUp"); // the cursor is at the longest of the last column
  const why = await answerOf(
    page,
    "why",
    () => page.keyboard.press("Enter"),
    (query) => query.has("max_duration_ns"), // of a box
  );
  assert.match(page.url(), /box=/);
  const [{ category, total_ns }] = why.slices; // the lock, but where a busy machine held up another request
  await settled(page);
  const most = firstRow(page).locator("td.n").first();
  isAbout(await most.innerText(), total_ns / why.requests, nsOf);
  await follow(page, firstRow(page).getByRole("link"), new RegExp(`value=${category}`));
  await tabTo(page, canvas, "Shift+Tab");
  await page.keyboard.press("Escape");
  await eventually(async () => assert.ok(!page.url().includes("box=")));
});

// follow opens a link by the keyboard. Where another link takes its place before the key is pressed, it does so again.
async function follow(page, link, address) {
  await eventually(async () => {
    if (!address.test(page.url())) {
      await tabTo(page, link);
      await page.keyboard.press("Enter");
    }
    await page.waitForURL(address, { timeout: FOLLOWED_MS });
  });
}

// tabTo presses a key until the element has the focus.
async function tabTo(page, element, key = "Tab") {
  let handle = await element.elementHandle();
  for (let i = 0; i < 200; i++) {
    const isThere = (one) => (one.isConnected ? one === document.activeElement : null);
    const has = await handle.evaluate(isThere);
    if (has) {
      return;
    }
    if (has === null) {
      handle = await element.elementHandle(); // another one is in its place
    }
    await page.keyboard.press(key);
  }
  assert.fail("no key leads there");
}
