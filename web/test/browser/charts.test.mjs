// SPDX-License-Identifier: Apache-2.0
// The heat map, the flame graph, and the axis of a request: by pointer, by keyboard, and as tables with the numbers of the API.
import assert from "node:assert/strict";
import { LOCKED, answerOf, json, slowest } from "./api.mjs";
import {
  NARROW,
  checkAccess,
  eventually,
  param,
  part,
  scenario,
  settled,
  url,
} from "./browser.mjs";
import { nsOf, rowsOf } from "./texts.mjs";

const ROW = 18; // px of a frame
const ACCENT = [11, 92, 192]; // what is found, in the light scheme

const flamePane = (page) => page.getByRole("application", { name: /^Flame graph/ });
const axisPane = (page) => page.getByRole("application", { name: /^Threads on one axis/ });

// isShown fails where a duration as the page writes it is not ns: three digits, whole nanoseconds.
function isShown(text, ns) {
  assert.ok(Math.abs(nsOf(text) - ns) <= Math.max(0.5, ns * 0.006), `${text}, not ${ns}`);
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

// countPainted returns how many pixels of a canvas have the colour.
function countPainted(canvas, [red, green, blue]) {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let at = 0; at < data.length; at += 4) {
    count += data[at] === red && data[at + 1] === green && data[at + 2] === blue ? 1 : 0;
  }
  return count;
}

// checkTable fails where the flame graph as a table has not the sums of its frames.
async function checkTable(page, flame) {
  await page.getByRole("button", { name: "table", exact: true }).click();
  assert.equal(param(page, "flame"), "table");
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
}

scenario("the flame graph and the heat map of a service", async (page) => {
  const pane = flamePane(page);
  const [flame] = await Promise.all([
    answerOf(page, "flamegraph", () => page.goto(url + "/s/lock")),
    answerOf(page, "versions", () => {}),
  ]);
  await settled(page);

  await part("the heat map is asked for before the screen is laid out", async () => {
    const askedAt = () =>
      ["contexts/heatmap", "versions"].map((route) => {
        const isOf = ({ name }) => new URL(name).pathname.endsWith("/" + route);
        return performance.getEntriesByType("resource").find(isOf).startTime;
      });
    const asked = await eventually(() => page.evaluate(askedAt));
    assert.ok(asked[0] < asked[1], `asked at ${asked}`); // the choosers, which ask for versions, are within the screen
  });

  let [zoom, quick] = [null, null];
  await part("keys zoom in the flame graph, and the address has it", async () => {
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
    zoom = param(page, "zoom");
    quick = await answerOf(page, "contexts/heatmap", () => page.reload());
    await page.getByRole("button", { name: "whole graph" }).waitFor();
    assert.equal(param(page, "zoom"), zoom);
    await pane.focus();
    await page.keyboard.press("Escape");
    await eventually(async () => assert.equal(param(page, "zoom"), null));
  });

  await part("a click zooms, and the back button undoes it", async () => {
    await pane.locator("canvas").click({ position: { x: 3, y: ROW * 1.5 } });
    await eventually(async () => assert.equal(param(page, "zoom"), zoom));
    await page.goBack();
    await eventually(async () => assert.equal(param(page, "zoom"), null));
  });

  await part("what is looked for is painted, and its share is said", async () => {
    const painted = () => pane.locator("canvas").evaluate(countPainted, ACCENT);
    assert.equal(await painted(), 0);
    const field = page.getByRole("searchbox", { name: "Find frames" });
    await field.fill("reserve");
    await eventually(async () => assert.ok((await painted()) > 0));
    assert.equal(param(page, "find"), "reserve");
    const share = (100 * sumOf(flame, (name) => name.includes("reserve"))) / flame.total;
    const said = await page.getByText(/% found$/).innerText();
    assert.ok(Math.abs(parseFloat(said) - share) <= 0.5, `${said}, not ${share}`);
    await field.fill("");
    await eventually(async () => assert.equal(param(page, "find"), null));
  });

  await part("as a table it has the sums of its frames", () => checkTable(page, flame));

  await part("exemplars come once somebody points at the heat map", async () => {
    await settled(page);
    const canvas = page.locator(".heatmap canvas[tabindex]");
    const named = await answerOf(page, "contexts/heatmap", () => canvas.focus());
    assert.ok(named.exemplars.length > 0);
    assert.deepEqual({ ...named, exemplars: [] }, quick);
    await settled(page);
  });

  await part("a key opens an exemplar", async () => {
    await page.keyboard.press("ArrowUp"); // the cursor is at the longest of the last column
    await page.keyboard.press("Alt+Enter");
    await page.waitForURL(/\/q\/[0-9a-f]{32}\//);
  });
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
  { viewport: NARROW },
);

async function openSlowest(page) {
  const { t0_ns, start, recording, id, thread } = await slowest(...LOCKED);
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

scenario("the axis of a request: as a table, and zoomed by keys and by dragging", async (page) => {
  const { timeline, thread } = await openSlowest(page);
  const pane = axisPane(page);
  await part("as a table it has what the API has", async () => {
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
  await part("keys zoom, and the address has it", async () => {
    await pane.focus();
    const said = () => page.locator(".seen-by-readers[aria-live]").first().innerText();
    await page.keyboard.press("ArrowRight");
    await eventually(async () => assert.match(await said(), / at /));
    const first = await said();
    await page.keyboard.press("ArrowDown"); // a lane may have one event
    await eventually(async () => assert.notEqual(await said(), first));
    await page.keyboard.press("Enter");
    await page.waitForURL(/part=/);
    await page.keyboard.press("Escape");
    await eventually(async () => assert.equal(param(page, "part"), null));
  });
  await part("dragging zooms, and the address has it", async () => {
    await pane.scrollIntoViewIfNeeded();
    const { x, y, width } = await pane.boundingBox();
    await page.mouse.move(x + width * 0.25, y + 10);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.75, y + 10, { steps: 3 });
    await page.mouse.up();
    await page.waitForURL(/part=/);
    await page.getByRole("button", { name: "whole time" }).click();
    await eventually(async () => assert.equal(param(page, "part"), null));
  });
});
