// SPDX-License-Identifier: Apache-2.0
// The heat map, the flame graph, and the axis of a request: by pointer, by keyboard, and as tables with the numbers of the API.
import assert from "node:assert/strict";
import { answerOf, json, slowest } from "./api.mjs";
import { checkAccess, eventually, param, scenario, settled, url } from "./browser.mjs";
import { nsOf, rowsOf } from "./texts.mjs";

const ROW = 18; // px of a frame
const ACCENT = [11, 92, 192]; // what is found, in the light scheme

const flamePane = (page) => page.getByRole("application", { name: /^Flame graph/ });
const axisPane = (page) => page.getByRole("application", { name: /^Threads on one axis/ });

// isShown fails where a duration as the page writes it is not ns: three digits, whole nanoseconds.
function isShown(text, ns) {
  assert.ok(Math.abs(nsOf(text) - ns) <= Math.max(0.5, ns * 0.006), `${text}, not ${ns}`);
}

async function openFlame(page, path) {
  const flame = await answerOf(page, "flamegraph", () => page.goto(url + path));
  await settled(page);
  return flame;
}

// endOf is the node behind all that is below a node.
function endOf({ level }, node) {
  const next = level.findIndex((one, index) => index > node && one <= level[node]);
  return next < 0 ? level.length : next;
}

// sumOf is the sum of what is in nodes that `is` accepts, those below others not again.
function sumOf(flame, is) {
  let sum = 0;
  for (let node = 0; node < flame.level.length; node++) {
    if (is(flame.names[flame.name[node]])) {
      sum += flame.value[node];
      node = endOf(flame, node) - 1;
    }
  }
  return sum;
}

scenario("the heat map is asked for before the screen is laid out", async (page) => {
  await answerOf(page, "versions", () => page.goto(url + "/s/lock"));
  const asked = await page.evaluate(() =>
    ["contexts/heatmap", "versions"].map((route) => {
      const isOf = ({ name }) => new URL(name).pathname.endsWith("/" + route);
      return performance.getEntriesByType("resource").find(isOf).startTime;
    }),
  );
  assert.ok(asked[0] < asked[1], `asked at ${asked}`); // the choosers, which ask for versions, are within the screen
});

scenario("keys and clicks zoom in the flame graph, and the address has it", async (page) => {
  const flame = await openFlame(page, "/s/lock");
  const pane = flamePane(page);
  await pane.focus();
  await page.keyboard.press("ArrowDown"); // the cursor is on the root
  await page.keyboard.press("ArrowDown");
  const first = flame.names[flame.name[1]];
  await eventually(async () => {
    const said = await page.locator(".seen-by-readers[aria-live]").allInnerTexts();
    assert.ok(
      said.some((text) => text.startsWith(first + ",")),
      `${first} is not said: ${said}`,
    );
  });
  await page.keyboard.press("Enter");
  await page.waitForURL(/zoom=/);
  const zoom = param(page, "zoom");
  await page.reload();
  await page.getByRole("button", { name: "whole graph" }).waitFor();
  assert.equal(param(page, "zoom"), zoom);
  await flamePane(page).focus();
  await page.keyboard.press("Escape");
  await eventually(async () => assert.equal(param(page, "zoom"), null));
  await flamePane(page)
    .locator("canvas")
    .click({ position: { x: 3, y: ROW * 1.5 } });
  await eventually(async () => assert.equal(param(page, "zoom"), zoom));
  await page.goBack();
  await eventually(async () => assert.equal(param(page, "zoom"), null));
});

scenario(
  "what is looked for in the flame graph is painted, and its share is said",
  async (page) => {
    const flame = await openFlame(page, "/s/lock");
    const painted = () =>
      flamePane(page)
        .locator("canvas")
        .evaluate((canvas, [red, green, blue]) => {
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          let count = 0;
          for (let at = 0; at < data.length; at += 4) {
            count += data[at] === red && data[at + 1] === green && data[at + 2] === blue ? 1 : 0;
          }
          return count;
        }, ACCENT);
    assert.equal(await painted(), 0);
    const field = page.getByRole("searchbox", { name: "Find frames" });
    await field.fill("reserve");
    await eventually(async () => assert.ok((await painted()) > 0));
    assert.equal(param(page, "find"), "reserve");
    const share = (100 * sumOf(flame, (name) => name.includes("reserve"))) / flame.total;
    const said = await page.getByText(/% found$/).innerText();
    assert.ok(Math.abs(parseFloat(said) - share) <= 0.5, `${said}, not ${share}`);
  },
);

scenario("the flame graph as a table has the sums of its frames", async (page) => {
  const flame = await openFlame(page, "/s/lock?flame=table");
  const rows = await eventually(async () => {
    const found = await rowsOf(page.getByRole("region", { name: "Frames" }));
    assert.ok(found.length > 0);
    return found;
  });
  const names = [...new Set(flame.name.slice(1))].map((index) => flame.names[index]);
  assert.deepEqual(rows.map(([name]) => name).sort(), names.sort());
  for (const [name, own, total] of rows) {
    const nodes = [...flame.level.keys()].filter((node) => flame.names[flame.name[node]] === name);
    const self = nodes.reduce((sum, node) => sum + flame.self[node], 0);
    isShown(own, self / flame.requests);
    isShown(total, sumOf(flame, (one) => one === name) / flame.requests);
  }
});

scenario(
  "on a small screen the flame graph is the table, and the graph by a click",
  async (page) => {
    await page.goto(url + "/s/lock?min_duration_ns=10000000"); // the others are the rest
    const frames = page.getByRole("region", { name: "Frames" });
    const found = await eventually(async () => {
      const rows = await rowsOf(frames);
      assert.ok(rows.length > 0 && rows.length <= 15);
      return rows.map(([name]) => name);
    });
    assert.ok(
      found.some((name) => name.includes("reserve")),
      found.join(),
    );
    assert.equal(await flamePane(page).count(), 0);
    await checkAccess(page);
    await page.getByRole("button", { name: "vs rest" }).click();
    await frames.getByText("base own").first().waitFor();
    const cells = frames.locator("tbody td:first-child");
    const widths = await cells.evaluateAll((all) => all.map((one) => one.clientWidth));
    assert.ok(Math.min(...widths) > 200, `${widths}`); // a name has the line
    await page.getByRole("button", { name: "table", exact: true }).click();
    await flamePane(page).waitFor();
    assert.equal(new URL(page.url()).searchParams.get("flame"), "graph");
  },
  { viewport: { width: 390, height: 800 } },
);

scenario(
  "exemplars come once somebody points at the heat map, and a key opens one",
  async (page) => {
    const route = "contexts/heatmap";
    const quick = await answerOf(page, route, () => page.goto(url + "/s/lock"));
    await settled(page);
    const canvas = page.locator(".heatmap canvas[tabindex]");
    const named = await answerOf(page, route, () => canvas.focus());
    assert.ok(named.exemplars.length > 0);
    assert.deepEqual({ ...named, exemplars: [] }, quick);
    await settled(page);
    await page.keyboard.press("ArrowUp"); // the cursor is at the longest of the last column
    await page.keyboard.press("Alt+Enter");
    await page.waitForURL(/\/q\/[0-9a-f]{32}\//);
  },
);

scenario(
  "columns of a short range are shorter than a minute, and reach to seconds before now",
  async (page) => {
    const route = "contexts/heatmap";
    let map = await answerOf(page, route, () => page.goto(url + "/s/checkout?last=5m"));
    const isLate = () => {
      const last = map.columns.findLastIndex((column) => column.length > 0);
      return Date.now() - Number(BigInt(map.t0_ns) / 1_000_000n) - (last + 1) * (map.step_ns / 1e6);
    };
    const isFine = () => map.step_ns < 60e9 && isLate() < 10_000; // chunks have 2 s
    await eventually(async () => {
      if (!isFine()) {
        const ask = () => page.getByRole("button", { name: "refresh" }).click();
        map = await answerOf(page, route, ask);
      }
      assert.ok(isFine(), `columns of ${map.step_ns} ns, ${isLate()} ms late`);
    });
    await settled(page);
    await page.locator(".heatmap canvas[tabindex]").focus();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.waitForURL(/box=/);
    const [from, to] = param(page, "box").split(",").map(Number);
    assert.ok(to - from < 60e9, `a box of ${to - from} ns`);
    await page.getByRole("button", { name: /^selected/ }).waitFor();
  },
);

async function openSlowest(page) {
  const { t0_ns, start, recording, id, thread } = await slowest("lock");
  const at = BigInt(t0_ns) + BigInt(start);
  const timeline = await answerOf(
    page,
    "timeline",
    () => page.goto(`${url}/c/${recording}/${id}?at=${at}`),
    (query) => query.has("id"),
  );
  await settled(page);
  await axisPane(page).waitFor();
  return { timeline, thread };
}

scenario("each thread that had the monitor has a lane, up to a limit", async (page) => {
  await page.route("**/api/v1/contexts/*/*", async (route) => {
    const answer = await route.fetch();
    const one = await answer.json();
    const [first] = one.owners;
    assert.ok(first.had > 0 && first.end <= one.duration, JSON.stringify(first));
    const chain = { ...first, thread: "owner of owner", monitor: "shop.Chain", owners: [] };
    const owners = Array.from({ length: 7 }, (_, index) => ({
      ...first,
      thread: `owner ${index + 1}`,
      had: 7000 - index,
      owners: index === 0 ? [chain] : [],
    }));
    await route.fulfill({ response: answer, json: { ...one, owners } });
  });
  await openSlowest(page);
  const titles = page.locator(".lane-title");
  await titles.getByText("2 more").waitFor();
  await eventually(async () => {
    const owners = (await titles.allInnerTexts()).filter((text) => text.startsWith("owner "));
    assert.deepEqual(
      owners.map((text) => text.slice(0, 7)),
      [1, 2, 3, 4, 5].map((index) => `owner ${index}`),
    );
  });
  const rows = await rowsOf(page.getByRole("table", { name: "Who had the monitor" }));
  assert.equal(rows.length, 8);
  assert.equal(rows[1][0], "waited for owner of owner");
  assert.equal(rows[1][1], "Chain");
});

scenario("the axis of a request as a table has what the API has", async (page) => {
  const { timeline, thread } = await openSlowest(page);
  const summary = page.locator("summary", { hasText: "as a table" });
  await summary.focus();
  await page.keyboard.press("Enter");
  const lanes = timeline.lanes.flatMap((lane, index) => (lane.thread === thread ? [index] : []));
  const boxes = timeline.rows.filter(([lane]) => lanes.includes(lane));
  assert.ok(boxes.length > 1);
  const shown = await eventually(async () => {
    const rows = await rowsOf(page.getByRole("region", { name: "What is on the axis" }));
    const own = rows.filter(([title]) => title === thread);
    assert.equal(own.length, boxes.length);
    return own;
  });
  boxes.forEach(([, , , duration, , name], index) => {
    assert.equal(shown[index][2], name);
    isShown(shown[index][4], duration);
  });
});

scenario(
  "keys and dragging zoom on the axis of a request, and the address has it",
  async (page) => {
    await openSlowest(page);
    const pane = axisPane(page);
    await pane.focus();
    const said = () => page.locator(".seen-by-readers[aria-live]").first().innerText();
    await page.keyboard.press("ArrowRight");
    await eventually(async () => assert.match(await said(), / at /));
    const first = await said();
    await page.keyboard.press("ArrowRight");
    await eventually(async () => assert.notEqual(await said(), first));
    await page.keyboard.press("Enter");
    await page.waitForURL(/part=/);
    await page.keyboard.press("Escape");
    await eventually(async () => assert.equal(param(page, "part"), null));
    await pane.scrollIntoViewIfNeeded();
    const { x, y, width } = await pane.boundingBox();
    await page.mouse.move(x + width * 0.25, y + 10);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.75, y + 10, { steps: 3 });
    await page.mouse.up();
    await page.waitForURL(/part=/);
    await page.getByRole("button", { name: "whole time" }).click();
    await eventually(async () => assert.equal(param(page, "part"), null));
  },
);
