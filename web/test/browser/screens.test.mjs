// SPDX-License-Identifier: Apache-2.0
// The screens beside that of a service: what they show is what the API says.
import assert from "node:assert/strict";
import { LOCKED, answerOf, json, slowest } from "./api.mjs";
import {
  NARROW,
  checkAccess,
  checkWidth,
  eliminated,
  eventually,
  part,
  scenario,
  settled,
  url,
} from "./browser.mjs";
import { isAbout, nsOf, rowsOf } from "./texts.mjs";

const number = (text) => Number(text.replaceAll(",", ""));

scenario("a request: why, what kept it, and its events", async (page) => {
  const { recording, id } = await slowest(...LOCKED);
  const path = `/c/${recording}/${id}`;
  await page.goto(url + path);
  const one = await json(`/api/v1/contexts/${recording}/${id}`);
  await settled(page);
  const text = await page.locator("main").innerText();
  for (const { event } of one.kept_because) {
    assert.ok(text.includes(event.replace("jdk.", "")), `${event} is not named`);
  }
  assert.match(text, /lock/);
  const events = page.getByRole("region", { name: "Events" }).locator("tbody tr");
  assert.equal(await events.count(), one.events.rows.length);
  await checkAccess(page);
  await checkWidth(page);
  const stack = one.events.columns.indexOf("stack");
  const index = one.events.rows.findIndex((row) =>
    row[stack]?.some((frame) => frame.includes(".PlantedE2E.")),
  );
  await events.nth(index).getByRole("button").click();
  const source = page.getByRole("link", { name: /\.PlantedE2E\..*:\d+$/ }).first();
  const [, line] = /:(\d+)$/.exec(await source.innerText());
  assert.equal(
    await source.getAttribute("href"),
    `https://git.example/lock/dev/loupe/testapps/PlantedE2E.java#L${line}`,
  );
});

scenario("a trace has a row for each of its contexts", async (page) => {
  const { "attr.traceid": trace } = await slowest("checkout");
  const answer = await answerOf(page, `traces/${trace}`, () => page.goto(`${url}/t/${trace}`));
  const region = page.getByRole("region", { name: "Contexts of the trace" });
  const shown = await eventually(async () => {
    const found = await rowsOf(region);
    assert.equal(found.length, answer.rows.length);
    return found;
  });
  isAbout(shown[0][3], answer.rows[0][answer.columns.indexOf("duration")], nsOf);
  const outward = page.getByRole("link", { name: "tempo.example" });
  assert.equal(await outward.getAttribute("href"), `https://tempo.example/trace/${trace}`);
  await page.getByRole("application", { name: /^Flame graph/ }).waitFor();
  await checkAccess(page);
  await region.getByRole("link").first().click();
  await page.getByRole("application", { name: /^Threads on one axis/ }).waitFor();
  assert.match(page.url(), /\?at=\d+$/);
});

scenario("a trace that was eliminated is said to be so", async (page) => {
  await page.goto(`${url}/t/${eliminated}`);
  await page.getByRole("status").getByText("Seen, and eliminated").waitFor();
});

scenario("types of contexts, their values, the events in them", async (page) => {
  await page.goto(url + "/e");
  await checkWidth(page);
  await page.goto(`${url}/e?service=lock`);
  const types = page.getByRole("region", { name: "Types of contexts" });
  await types.getByRole("link", { name: "planted.Request" }).click();
  await page.waitForURL(/context=planted.Request/);
  const values = page.getByRole("region", { name: "Values of cause" });
  await values.getByRole("link", { name: "lock", exact: true }).click();
  await page.waitForURL(/where=cause%3Dlock/);
  const events = page.getByRole("region", { name: "Types of events" });
  const answer = await answerOf(page, "events", () =>
    events.getByRole("link", { name: "jdk.JavaMonitorEnter" }).click(),
  );
  await settled(page);
  assert.equal(
    (await rowsOf(page.getByRole("region", { name: "Events", exact: true }))).length,
    answer.rows.length,
  );
  const counted = await json(
    "/api/v1/events/types?service=lock&context=planted.Request&where=cause%3Dlock",
  );
  const row = (await rowsOf(events)).find(([name]) => name === "jdk.JavaMonitorEnter");
  assert.equal(
    number(row[1]),
    counted.types.find(({ type }) => type === "jdk.JavaMonitorEnter").count,
  );
  await checkAccess(page);
  await checkWidth(page);
});

scenario("a list that is asked for again keeps its rows", async (page) => {
  await page.goto(`${url}/e?service=checkout`);
  const rows = page.getByRole("region", { name: "Events", exact: true }).locator("tbody tr");
  const count = (expected) => eventually(async () => assert.equal(await rows.count(), expected));
  await count(100);
  await checkWidth(page);
  await page.getByRole("button", { name: "more", exact: true }).click();
  await count(200);
  const refreshed = await answerOf(page, "events", () =>
    page.getByRole("button", { name: "refresh" }).click(),
  );
  assert.equal(refreshed.rows.length, 200);
  await settled(page);
  await count(200);
});

scenario("a recording says what dropped its events", async (page) => {
  await page.goto(url + "/r");
  await page.getByRole("link", { name: "checkout" }).first().click();
  await page.waitForURL(/\/r\/[0-9a-f]{32}/);
  const id = new URL(page.url()).pathname.slice(3);
  const table = page.getByRole("region", { name: "Event types" });
  await table.waitFor();
  const { types } = await json(`/api/v1/recordings/${id}`);
  const dropped = Object.keys(types).filter((name) => Object.keys(types[name].dropped).length > 0);
  await page.getByRole("button", { name: /^\d+ more$/ }).click();
  await eventually(async () => {
    const names = (await rowsOf(table)).map(([shown]) => shown);
    dropped.forEach((name) => assert.ok(names.includes(name), `no row of ${name}`));
  });
  assert.ok(dropped.length > 0);
  const { jvms } = await json(`/api/v1/jvm?recording=${id}`);
  await page.locator("code", { hasText: jvms[0].java_arguments }).waitFor();
  const settings = page.getByRole("region", { name: "Policy" }).locator("tbody tr");
  assert.equal(await settings.count(), 0); // it is folded
  await page.locator(".policy summary").click();
  const policy = await json("/api/v1/policies/checkout");
  await eventually(async () => assert.equal(await settings.count(), policy.events.length));
  await checkAccess(page);
  await checkWidth(page);
  await page.getByRole("link", { name: "all that its threads did" }).click();
  await page.waitForURL(/unit=threads/);
  assert.equal(new URL(page.url()).searchParams.get("recording"), id);
});

scenario("the whole service: its JVMs, its threads by pool, what is kept of it", async (page) => {
  await page.goto(`${url}/s/lock?last=1h`);
  await settled(page);
  const lines = await answerOf(page, "jvm", () =>
    page.getByRole("button", { name: /^▸ JVM/ }).click(),
  );
  assert.match(page.url(), /jvm=1/);
  await page.locator(".jvm-panel canvas").waitFor();
  await page.locator(".jvm-panel .as-table summary").click();
  const shown = await eventually(async () => {
    const rows = await rowsOf(page.getByRole("region", { name: "Lines of the JVM" }));
    assert.equal(rows.length, lines.lines.length);
    return rows;
  });
  lines.lines.forEach(({ points }, index) =>
    assert.equal(
      number(shown[index].at(-1)),
      points.reduce((sum, [, count]) => sum + count, 0),
    ),
  );
  const pools = await answerOf(page, "threads", () =>
    page.getByRole("link", { name: "whole service" }).click(),
  );
  const table = page.getByRole("region", { name: "Threads by pool" });
  await eventually(async () => {
    const rows = await rowsOf(table);
    rows.forEach(([name, threads], index) => {
      assert.equal(name, pools.pools[index].pool || "(no name)");
      assert.equal(number(threads), pools.pools[index].threads);
    });
    assert.ok(rows.length > 0);
  });
  await settled(page);
  const { types } = await json("/api/v1/accounting?service=lock");
  const locks = types["jdk.JavaMonitorEnter"];
  const row = page.locator(".stored tbody tr", { hasText: "lock" }).first();
  assert.equal(number(await row.locator("td").nth(1).innerText()), locks.offered);
  await checkAccess(page);
  await checkWidth(page);
  const named = pools.pools.findIndex(({ pool, blocked_ns }) => pool !== "" && blocked_ns > 0);
  const why = await answerOf(page, "why", () => table.getByRole("link").nth(named).click());
  const { searchParams } = new URL(page.url());
  assert.equal(searchParams.get("pool"), pools.pools[named].pool);
  assert.equal(why.requests, pools.pools[named].threads);
  await page.locator(".conditions .chip", { hasText: pools.pools[named].pool }).waitFor();
});

scenario("a live page asks every few seconds, and shows what comes", async (page) => {
  let asked = 0;
  let isHeld = true;
  let answer = () => {};
  await page.route("**/api/v1/services?*", async (route) => {
    asked++;
    await (isHeld && new Promise((done) => (answer = done)));
    await route.continue();
  });
  await page.clock.install();
  await page.goto(`${url}/?live=1`);
  await eventually(async () => assert.equal(asked, 1));
  const rows = () => rowsOf(page.getByRole("region", { name: "Services" }));
  const rate = async () => (await rows()).find(([name]) => name === "checkout")?.[2];

  await part("answers that take longer are waited for", async () => {
    for (let i = 0; i < 5; i++) {
      await page.clock.fastForward(6000);
    }
    assert.equal(asked, 1);
    answer();
    await page.getByRole("region", { name: "Services" }).waitFor();
    await eventually(async () => {
      await page.clock.fastForward(6000);
      assert.equal(asked, 2);
    });
  });

  await part("it shows what comes", async () => {
    isHeld = false;
    answer();
    await settled(page);
    const before = await rate();
    assert.ok(before);
    await eventually(async () => {
      await page.clock.fastForward(6000);
      await settled(page);
      assert.notEqual(await rate(), before);
    });
  });
});

scenario(
  "a list has a skeleton until it is there, and stays where the collector fails",
  async (page) => {
    let answer = () => {};
    const services = "**/api/v1/services?*";
    await page.route(services, async (route) => {
      await new Promise((done) => (answer = done));
      await route.continue();
    });
    await page.goto(url + "/");
    const table = page.getByRole("region", { name: "Services" });
    await part("what is not there yet has a skeleton", async () => {
      const skeleton = page.locator(".skeleton");
      await skeleton.waitFor();
      answer();
      await table.waitFor();
      assert.equal(await skeleton.count(), 0);
    });
    await part("the last answer stays where the collector fails, and why is said", async () => {
      const refresh = page.getByRole("button", { name: "refresh" });
      await page.unroute(services);
      await page.route(services, (route) =>
        route.fulfill({ status: 500, json: { error: "out of order" } }),
      );
      await refresh.click();
      await page.getByRole("alert").getByText("out of order").waitFor();
      assert.ok(await table.isVisible());
      await page.unroute(services);
      await refresh.click();
      await page.getByRole("alert").waitFor({ state: "detached" });
    });
  },
  { expected: [/500/] },
);

scenario("the command of a panel is copied, also where a page has no clipboard", async (page) => {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, "clipboard", { value: undefined }),
  );
  await page.goto(url + "/r");
  await page.locator("tbody tr").first().waitFor();
  await checkWidth(page);
  await page.locator("summary", { hasText: "⋯" }).click();
  await page.getByRole("button", { name: /^curl/ }).click();
  await page.getByRole("button", { name: /^copied/ }).waitFor();
  const search = page.getByRole("search").getByRole("textbox");
  await search.focus();
  await page.keyboard.press("Control+V");
  assert.match(await search.inputValue(), /^curl -fG .*\/api\/v1\/recordings/);
});

scenario("names and values in the address have any characters", async (page) => {
  const where = "key=a=b é<b>";
  const path = `/s/${encodeURIComponent("a/b% c")}?where=${encodeURIComponent(where)}`;
  const asked = page.waitForRequest((request) => /contexts\/heatmap/.test(request.url()));
  await page.goto(url + path);
  const { searchParams } = new URL((await asked).url());
  assert.equal(searchParams.get("service"), "a/b% c");
  assert.equal(searchParams.get("where"), where);
  await page.locator(".crumb", { hasText: "a/b% c" }).waitFor();
  await page.locator(".chip", { hasText: where }).waitFor();
  await page.evaluate(() => history.pushState(null, "", "/s/100%"));
  await page.evaluate(() => dispatchEvent(new PopStateEvent("popstate")));
  await page.locator(".crumb", { hasText: "100%" }).waitFor();
});

scenario("services whose names browsers take out of a path have addresses", async (page) => {
  await page.route("**/api/v1/services?*", async (route) => {
    const answer = await route.fetch();
    const { services, ...rest } = await answer.json();
    const named = ["", ".", ".."].map((service) => ({ ...services[0], service }));
    await route.fulfill({ response: answer, json: { ...rest, services: named } });
  });
  await page.goto(url + "/");
  for (const [name, path, shown] of [
    ["", "/s/~", "(no name)"],
    [".", "/s/~.", "."],
    ["..", "/s/~..", ".."],
  ]) {
    const isAsked = (request) => {
      const { pathname, searchParams } = new URL(request.url());
      return /\/contexts\/heatmap$/.test(pathname) && searchParams.get("service") === name;
    };
    const link = page.getByRole("link", { name: shown, exact: true });
    await Promise.all([page.waitForRequest(isAsked), link.click()]);
    assert.equal(new URL(page.url()).pathname, path);
    await Promise.all([page.waitForRequest(isAsked), page.reload()]);
    assert.equal(new URL(page.url()).pathname, path);
    await page.locator(".crumb b", { hasText: shown }).waitFor();
    await page.goBack();
    await link.waitFor();
    await Promise.all([page.waitForRequest(isAsked), page.goForward()]);
    await page.goBack();
  }
});

scenario("a service has the same rate in the list as on its own screen", async (page) => {
  const range = new URLSearchParams({ from: (Date.now() - 3600e3) * 1e6, to: Date.now() * 1e6 });
  await page.goto(`${url}/?${range}`);
  const rows = await eventually(async () => {
    const found = await rowsOf(page.getByRole("region", { name: "Services" }));
    assert.ok(found.length > 0);
    return found;
  });
  await checkWidth(page);
  await page.goto(`${url}/s/lock?${range}`);
  await settled(page);
  await checkWidth(page);
  const fact = page.locator(".facts b").first();
  await fact.waitFor();
  assert.equal(await fact.innerText(), rows.find(([name]) => name === "lock")[2] + "/s");
});

scenario(
  "an address that no screen has says so",
  async (page) => {
    const answer = await page.goto(url + "/foo");
    assert.equal(answer.status(), 404);
    await page.getByText("There is nothing here").waitFor();
    await checkAccess(page);
    await page.getByRole("link", { name: "Show all services" }).click();
    await page.getByRole("region", { name: "Services" }).waitFor();
  },
  { expected: [/404/] },
);

scenario("parameters that say nothing are named, and the rest holds", async (page) => {
  const wrong = ["min_duration_ns=abc", "from=yesterday", "base=day", "form=10m"];
  await page.goto(`${url}/s/lock?${wrong.join("&")}&max_duration_ns=1000000`);
  const alerts = page.getByRole("alert");
  await eventually(async () => assert.equal(await alerts.count(), wrong.length));
  for (const [index, text] of wrong.entries()) {
    assert.match(await alerts.nth(index).innerText(), new RegExp(`^${text} is left out`));
  }
  await settled(page);
  assert.doesNotMatch(await page.locator("body").innerText(), /NaN|undefined/);
  await page.locator(".chip", { hasText: "≤ 1.00 ms" }).waitFor();
  await checkAccess(page);
  await alerts.first().getByRole("button").click();
  await eventually(async () => assert.equal(await alerts.count(), wrong.length - 1));
  assert.equal(
    new URL(page.url()).search,
    "?from=yesterday&base=day&form=10m&max_duration_ns=1000000",
  );
});

scenario("fields, menus and the search of a service", async (page) => {
  await page.goto(url + "/s/lock");
  await settled(page);

  await part(
    "what somebody writes stays while answers come, and goes with its condition",
    async () => {
      const field = page.getByRole("textbox", { name: "at least" });
      await field.pressSequentially("10");
      await page.evaluate(() => history.replaceState(null, "", "?last=30m"));
      await page.evaluate(() => dispatchEvent(new PopStateEvent("popstate"))); // all is asked for again
      await settled(page);
      assert.equal(await field.inputValue(), "10");
      await field.press("Enter");
      await page.waitForURL(/min_duration_ns=10000000/);
      await eventually(async () => assert.equal(await field.inputValue(), "10.0 ms"));
      await page.getByRole("button", { name: "take away ≥ 10.0 ms" }).click();
      await eventually(async () => assert.equal(await field.inputValue(), ""));
      const { thread } = await slowest("lock");
      const pattern = `${thread.slice(0, 4)}*`;
      const threads = page.getByRole("textbox", { name: "thread" });
      await threads.fill(pattern);
      const asked = await answerOf(
        page,
        "requests", // they stay what is counted
        () => threads.press("Enter"),
        (query) => query.get("thread") === pattern,
      );
      assert.equal(
        asked.matched,
        (await json(`/api/v1/requests?service=lock&limit=1&thread=${pattern}`)).matched,
      );
      const unfiltered = page.getByText("all requests, without the filters");
      await unfiltered.waitFor(); // of the numbers at the top
      const kept = page.locator(".facts span", { hasText: "kept with the filters: median" });
      assert.ok((await kept.innerText()).startsWith(String(asked.matched)));
      await page.getByRole("button", { name: `take away thread ${pattern}` }).click();
      await eventually(async () => assert.equal(await threads.inputValue(), ""));
      assert.equal(await unfiltered.count(), 0);
    },
  );

  await part("menus close by Escape, by a click elsewhere, and by what they offer", async () => {
    const menu = page.locator(".requests .menu", { hasText: "download" });
    const summary = menu.locator("summary");
    const file = menu.getByRole("link", { name: /^collapsed/ });
    const isOpen = (expected) =>
      eventually(async () => assert.equal(await file.count(), expected ? 1 : 0));
    await summary.click();
    await isOpen(true);
    await checkAccess(page);
    await page.keyboard.press("Escape");
    await isOpen(false);
    assert.ok(await summary.evaluate((one) => one === document.activeElement));
    await page.keyboard.press("Enter");
    await isOpen(true);
    await page.locator(".facts").click();
    await isOpen(false);
    await summary.click();
    await page.locator(".requests .menu summary", { hasText: "⋯" }).click();
    await isOpen(false);
    await page.getByRole("link", { name: /^JSON/ }).waitFor();
    await summary.click();
    await Promise.all([page.waitForEvent("download"), file.click()]);
    await isOpen(false);
  });

  await part("the search leads to a trace, a condition, a method", async () => {
    const search = page.getByRole("search").getByRole("textbox");
    await search.fill("cause=lock");
    await search.press("Enter");
    await page.waitForURL(/where=cause%3Dlock/);
    await search.fill("PlantedE2E.reserve");
    await search.press("Enter");
    await page.waitForURL(/frame=PlantedE2E\.reserve/);
    await search.fill("4BF92F3577B34DA6A3CE929D0E0E4736");
    await search.press("Enter");
    await page.waitForURL(/\/t\/4bf92f3577b34da6a3ce929d0e0e4736/);
  });
});

// Half an hour of a second before now, as fields have it, and in ns.
function lastHalfHour() {
  const last = Math.floor(Date.now() / 1000) * 1000 - 1000;
  const end = last % 60_000 === 0 ? last - 1000 : last; // a browser leaves seconds of 0 out of a field
  const begin = end - 1800_000;
  const fieldOf = (ms, ahead) => new Date(ms + ahead).toISOString().slice(0, 19);
  return { begin, end, fieldOf };
}

scenario(
  "a range between two points is chosen on the clocks of the page, and each axis says which",
  async (page) => {
    const { begin, end, fieldOf } = lastHalfHour();
    const kolkata = 5.5 * 3600_000;
    await page.goto(url + "/s/lock");
    await settled(page);
    const time = page.locator(".time");
    await time.locator("summary").click();
    await page.getByLabel("from", { exact: true }).fill(fieldOf(end, kolkata));
    await page.getByLabel("to", { exact: true }).fill(fieldOf(begin, kolkata));
    await page.getByRole("button", { name: "show" }).click();
    await page.getByRole("alert").getByText("The range must begin before it ends").waitFor();
    assert.equal(
      await page.getByLabel("from", { exact: true }).inputValue(),
      fieldOf(end, kolkata),
    );
    await page.getByLabel("from", { exact: true }).fill(fieldOf(begin, kolkata));
    await page.getByLabel("to", { exact: true }).fill(fieldOf(end, kolkata));
    await checkAccess(page);
    const isAsked = (query) => query.get("from") === `${begin}000000`;
    await answerOf(
      page,
      "why",
      () => page.getByRole("button", { name: "show" }).click(),
      (query) => isAsked(query) && query.get("to") === `${end}000000`,
    );
    assert.equal(await time.getByLabel("from").count(), 0);
    assert.match(await time.innerText(), /UTC\+5:30/);
    const began = page.getByRole("region", { name: "Kept requests" }).locator("tbody td").first();
    const head = page.getByRole("region", { name: "Kept requests" }).locator("th").first();
    await settled(page);
    assert.equal(await head.innerText(), "start, UTC+5:30");
    const before = await began.innerText();
    await time.locator("summary").click();
    await page.getByRole("button", { name: "UTC", exact: true }).click();
    await page.waitForURL(/zone=utc/);
    await page.keyboard.press("Escape");
    await eventually(async () => assert.equal(await head.innerText(), "start, UTC"));
    const clocks = [before, await began.innerText()].map((text) =>
      Date.parse(`2026-01-02T${text}Z`),
    );
    assert.equal((clocks[0] - clocks[1] + 86400_000) % 86400_000, kolkata);
    await page.getByRole("link", { name: "recordings" }).click();
    await page.getByText("start, UTC", { exact: true }).waitFor();
    await page.goBack();
    await time.locator("summary").click();
    await page.getByRole("link", { name: "last 15m" }).click();
    await page.waitForURL((to) => to.searchParams.get("last") === "15m");
    assert.equal(new URL(page.url()).search, "?zone=utc&last=15m");
    await page.goto(url + "/s/lock?from=20m");
    await settled(page);
    assert.match(await time.innerText(), /^last 20m/);
    assert.equal(await page.getByRole("alert").count(), 0);
  },
  { timezoneId: "Asia/Kolkata" },
);

scenario(
  "what the API refuses is shown in its words",
  async (page) => {
    await page.goto(url + "/s/lock?where=nonsense");
    await page.getByRole("alert").first().waitFor();
    assert.match(await page.getByRole("alert").first().innerText(), /where/);
  },
  { expected: [/400/] },
);

scenario(
  "the header takes one line of a small screen, and has the rest in a menu",
  async (page) => {
    await page.goto(`${url}/s/lock?from=2026-01-02T03:04:05Z`);
    await settled(page);
    const { height, width } = await page.locator("header").boundingBox();
    assert.ok(height < 60 && width <= 390, `${width} x ${height}`);
    await page.locator("header summary", { hasText: "☰" }).click();
    await checkAccess(page);
    const search = page.getByRole("search").getByRole("textbox");
    await search.fill("cause=lock");
    await search.press("Enter");
    await page.waitForURL(/where=cause%3Dlock/);
    await search.waitFor({ state: "detached" });
    await page.locator("header summary", { hasText: "☰" }).click();
    await page.getByRole("link", { name: "recordings" }).click();
    await page.getByRole("region", { name: "Recordings" }).waitFor();
  },
  { viewport: NARROW },
);
