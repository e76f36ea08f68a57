// SPDX-License-Identifier: Apache-2.0
// Requests: the routes of a service and their heat map; contexts stay where they were.
import assert from "node:assert/strict";
import { answerOf, json, slowest } from "./api.mjs";
import {
  NARROW,
  SCREEN,
  checkAccess,
  checkWidth,
  eventually,
  param,
  part,
  scenario,
  settled,
  url,
} from "./browser.mjs";
import { isAbout, nsOf, rowsOf } from "./texts.mjs";

const routesOf = (page) => page.getByRole("region", { name: "Routes", exact: true });
const heatmap = (page) => page.getByRole("application", { name: /by time and duration/ });
const isOf = (unit) => (query) => query.get("unit") === unit;

// openRoutes shows the routes of a service. Returns what the page has of them, and of their lines.
function openRoutes(page) {
  return eventually(async () => {
    const [types, series] = await Promise.all([
      answerOf(page, "contexts/types", () => page.goto(url + "/s/checkout")),
      answerOf(
        page,
        "requests/series",
        () => {},
        (query) => query.get("key") === "endpoint",
      ),
    ]);
    const [{ attributes }] = types.requests;
    const { values } = attributes.find(({ key }) => key === "endpoint");
    assert.equal(values.length, series.types[0].values.length); // no chunk with a new one came between them
    return values;
  });
}

scenario("the routes of a service, and what is chosen of them", async (page) => {
  const values = await openRoutes(page);
  await settled(page);
  const rest = page.getByRole("button", { name: "vs rest" });
  const link = routesOf(page).getByRole("link", { name: "/cart", exact: true });

  await part("they have the numbers of the API", async () => {
    const lines = routesOf(page).getByRole("img", { name: /^p99 of .* over time$/ });
    await eventually(async () => assert.equal(await lines.count(), values.length));
    const rows = await rowsOf(routesOf(page));
    assert.deepEqual(rows.map(([name]) => name).sort(), values.map(({ value }) => value).sort());
    for (const { value, requests_in, requests_out, p50_ns, p99_ns } of values) {
      const [, , median, p99, , , kept] = rows.find(([name]) => name === value);
      isAbout(median, p50_ns, nsOf);
      isAbout(p99, p99_ns, nsOf);
      assert.ok(Math.abs(parseFloat(kept) - (100 * requests_out) / requests_in) <= 0.5, kept);
    }
  });

  await part("where nothing is selected there is no rest to compare with", async () => {
    assert.ok(await rest.isDisabled());
    assert.match(await rest.getAttribute("title"), /select a box/);
  });

  await part("a click chooses one, and the next does not", async () => {
    const isCart = (query) => query.get("where") === "endpoint=/cart" && isOf("requests")(query);
    const chosen = await answerOf(page, "contexts/heatmap", () => link.click(), isCart);
    assert.ok(chosen.all >= values.find(({ value }) => value === "/cart").requests_in);
    await settled(page);
    assert.equal(await link.getAttribute("aria-current"), "true");
    assert.equal((await rowsOf(routesOf(page))).length, values.length);
    await checkAccess(page);
    assert.ok(await rest.isEnabled(), "there is a rest now");
    await link.click();
    await eventually(async () => assert.equal(param(page, "where"), null));
    await page.goBack();
    await eventually(async () => assert.equal(param(page, "where"), "endpoint=/cart"));
    await page.goForward();
    await eventually(async () => assert.equal(param(page, "where"), null));
  });

  await part("a type is one of requests, and choosing it leaves the unit", async () => {
    const types = page.getByRole("combobox", { name: "context", exact: true });
    assert.match(await types.innerText(), /all types of requests/);
    const isChosen = (query) => query.get("context") === "demo.Request" && isOf("requests")(query);
    const choose = () => types.selectOption("demo.Request");
    const chosen = await answerOf(page, "contexts/heatmap", choose, isChosen);
    assert.ok(chosen.all > 0);
    await settled(page);
    assert.equal(param(page, "unit"), "requests");
    await page.getByRole("heading", { name: /^All requests/ }).waitFor();
    await page.locator(".chip", { hasText: "type demo.Request" }).waitFor();
  });

  await part("they are divided by another attribute, and the address has it", async () => {
    await page.getByRole("combobox", { name: "divided by" }).selectOption("tenant");
    const shown = async () => {
      const names = (await rowsOf(routesOf(page))).map(([name]) => name);
      assert.ok(names.includes("acme"), names.join());
    };
    await eventually(shown);
    assert.equal(param(page, "key"), "tenant");
    await page.reload();
    await eventually(shown);
  });
});

scenario("what nothing matches is said of requests, and stays about them", async (page) => {
  const isNothing = (query) => query.get("where") === "endpoint=/nothing";
  const asked = `${url}/s/checkout?where=${encodeURIComponent("endpoint=/nothing")}`;
  const none = await answerOf(
    page,
    "contexts/heatmap",
    () => page.goto(asked),
    (query) => isNothing(query) && isOf("requests")(query),
  );
  assert.equal(none.all, 0);
  await page.getByText("No request is like this").waitFor();
  await settled(page);
  const units = page.getByRole("group", { name: "What is counted" });
  const pressed = units.locator("[aria-pressed=true]");
  assert.equal(await pressed.innerText(), "requests");
  assert.match(await page.locator(".facts").first().innerText(), /requests, 0/);
});

scenario(
  "a service of the list is shown by its slowest percent, against the rest",
  async (page) => {
    await page.goto(url + "/");
    await settled(page);
    const isOfAll = (query) => query.get("service") === "checkout" && isOf("requests")(query);
    const heat = await answerOf(
      page,
      "contexts/heatmap",
      () => page.getByRole("link", { name: "checkout", exact: true }).click(),
      isOfAll,
    );
    assert.equal(param(page, "slowest"), "1");
    const chip = page.getByRole("button", { name: /the slowest (1 %|10)/ });
    await chip.waitFor();
    await settled(page); // else its first answer may come before it is awaited, and be enough
    const isSlow = (query) => Number(query.get("min_duration_ns")) > 1;
    const why = await answerOf(
      page,
      "why",
      () => page.getByRole("button", { name: "refresh" }).click(),
      (query) => isSlow(query) && query.get("base") === "rest" && isOf("requests")(query),
    );
    assert.ok(why.requests > 0 && why.requests < heat.all / 4, `${why.requests} of ${heat.all}`);
    await settled(page);
    await checkAccess(page);
    const all = await answerOf(
      page,
      "why",
      () => chip.click(),
      (query) => !isSlow(query),
    );
    assert.ok(all.requests > why.requests);
    assert.equal(param(page, "slowest"), null);
  },
);

scenario(
  "a short range is of the last minute, in columns that are shorter than one",
  async (page) => {
    const isPending = (query) => query.get("pending") === "1" && isOf("requests")(query);
    const askMap = (ask) => answerOf(page, "contexts/heatmap", ask, isPending);
    let map = await askMap(() => page.goto(url + "/s/checkout?last=5m"));
    await part("the last minute is asked for once the rest is there", async () => {
      assert.equal(map.pending.recordings, 1);
      assert.ok(map.step_ns <= 5e9, String(map.step_ns));
      assert.ok(map.all > 0);
    });

    await part("columns reach to seconds before now", async () => {
      const isLate = () => {
        const last = map.columns.findLastIndex((column) => column.length > 0);
        return (
          Date.now() - Number(BigInt(map.t0_ns) / 1_000_000n) - (last + 1) * (map.step_ns / 1e6)
        );
      };
      const isFine = () => map.step_ns < 60e9 && isLate() < 10_000; // chunks have 2 s
      await eventually(async () => {
        if (!isFine()) {
          map = await askMap(() => page.getByRole("button", { name: "refresh" }).click());
        }
        assert.ok(isFine(), `columns of ${map.step_ns} ns, ${isLate()} ms late`);
      });
    });

    await part("a box of one is shorter than a minute", async () => {
      await settled(page);
      await page.locator(".heatmap canvas[tabindex]").focus();
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("Enter");
      await page.waitForURL(/box=/);
      const [from, to] = param(page, "box").split(",").map(Number);
      assert.ok(to - from < 60e9, `a box of ${to - from} ns`);
      await page.getByRole("button", { name: /^selected/ }).waitFor();
    });

    await page.goto(url + "/s/checkout?from=2h&to=1h"); // nothing of that is pending
    await settled(page);
  },
);

async function checkVersions(page) {
  const { recordings } = await json("/api/v1/recordings");
  const versionOf = (name) => recordings.find(({ service }) => service === name).version;
  assert.equal(versionOf("checkout"), "2.0,1"); // by OTEL_RESOURCE_ATTRIBUTES
  assert.equal(versionOf("lock"), "1.0");
  const { services } = await json("/api/v1/services");
  const { versions } = services.find(({ service }) => service === "lock");
  assert.deepEqual(versions, [{ version: "1.0", jvms: 1 }]);
  await page.getByRole("combobox", { name: "version" }).selectOption("1.0");
  await eventually(async () => assert.equal(param(page, "version"), "1.0"));
  await settled(page);
  await page.getByRole("region", { name: "Kept requests" }).waitFor();
  await page.goBack();
  await eventually(async () => assert.equal(param(page, "version"), null));
  await settled(page);
}

scenario(
  "the heat map is of requests, and of contexts by a click or by an address that has a box",
  async (page) => {
    const requests = await answerOf(
      page,
      "contexts/heatmap",
      () => page.goto(url + "/s/lock"),
      isOf("requests"),
    );
    await settled(page);
    const name = () => heatmap(page).getAttribute("aria-label");
    assert.match(await name(), /^All requests/);
    assert.equal(
      requests.all,
      (await json("/api/v1/services")).services.find(({ service }) => service === "lock").requests
        .requests_in,
    );
    await page.getByText("has some that were not kept").waitFor();
    await part("versions are those that the agent was told", () => checkVersions(page));
    const contexts = await answerOf(
      page,
      "contexts/heatmap",
      () => page.getByRole("button", { name: "contexts", exact: true }).click(),
      isOf(null),
    );
    assert.ok(contexts.all >= requests.all);
    await settled(page);
    assert.match(await name(), /^All contexts/);
    assert.equal(await routesOf(page).count(), 0);
    await page.getByRole("region", { name: "Kept contexts" }).waitFor();
    await page.goBack();
    await eventually(async () => assert.match(await name(), /^All requests/));
    const now = Date.now() * 1e6;
    await page.goto(`${url}/s/lock?box=${now - 3600e9},${now},0,100000000000`);
    await page.getByRole("region", { name: "Kept contexts" }).waitFor();
    assert.match(await name(), /^All contexts/);
  },
);

scenario(
  "a row of the requests opens one: its threads, why, beside those like it",
  async (page) => {
    const list = page.getByRole("region", { name: "Kept requests" });
    const first = list.getByRole("link").first();
    const { recording, id } = await eventually(async () => {
      const found = await slowest("checkout", "requests"); // another one may be slower by now
      await page.goto(url + "/s/checkout");
      const path = new URL(await first.getAttribute("href"), url).pathname;
      assert.equal(path, `/q/${found.recording}/${found.id}`);
      return found;
    });
    const one = await json(`/api/v1/requests/${recording}/${id}`);
    const like = await answerOf(
      page,
      "why",
      () => first.click(),
      (query) =>
        query.get("where") === `endpoint=${one.attributes.endpoint}` &&
        query.get("recording") === recording,
    );
    await page.waitForURL((to) => to.pathname === `/q/${recording}/${id}`);
    await settled(page);
    const why = await rowsOf(page.locator(".why"));
    const lines = [one.why, like].map(({ slices, requests }) => {
      const { total_ns } = slices.find(({ category }) => category === "unaccounted");
      return total_ns / requests;
    });
    const row = why.find(([name]) => name === "not accounted");
    assert.equal(row !== undefined, lines[0] > 0);
    if (row) {
      isAbout(row[1], lines[0], nsOf);
      isAbout(row[2], lines[1], nsOf);
    }
    const text = await page.locator("main").innerText();
    assert.match(text, new RegExp(`parts\\s+${one.part_count} context`));
    const events = page.getByRole("region", { name: "Events of the request" });
    assert.equal(await events.locator("tbody tr").count(), one.events.rows.length);
    const graph = page.getByRole("application", { name: /^Flame graph/ });
    await graph.waitFor();
    await page.getByRole("link", { name: "tempo.example" }).waitFor();
    await checkAccess(page);
    await checkWidth(page);
    const axis = page.getByRole("application", { name: /^Threads on one axis/ });
    await axis.focus();
    const said = page.locator(".seen-by-readers[aria-live]").first();
    const type = one.parts[0].type.split(".").pop();
    for (let text = ""; !text.includes(`, ${type} · `); ) {
      await page.keyboard.press("ArrowRight"); // events may have begun before the part that was kept
      text = await eventually(async () => {
        const next = await said.innerText();
        assert.notEqual(next, text);
        return next;
      });
    }
    await page.keyboard.press("Enter");
    await page.waitForURL((to) => to.pathname === `/c/${recording}/${one.parts[0].id}`);
    await page.goBack();
    await axis.waitFor();
  },
);

// The services of these tests hand nothing over: a request is made one that does.
scenario("tasks that were handed over are arrows, and rows of a table", async (page) => {
  const { recording, id } = await slowest("lock", "requests");
  const path = `requests/${recording}/${id}`;
  const { duration } = await json(`/api/v1/${path}`);
  const [begin, end] = [duration / 4, duration / 2];
  await page.route(`**/api/v1/${path}*`, async (route) => {
    const answer = await route.fetch();
    const one = await answer.json();
    const threads = [...one.threads, { name: "pool-7", id: 7 }];
    const stays = [...one.stays, { thread: threads.length - 1, start: end, duration: 1000 }];
    const [{ name: from, id: from_id }] = threads;
    const task = { from, from_id, to: "pool-7", to_id: 7, pool: "pool" };
    const hand_overs = [{ ...task, start: begin, duration: end - begin }];
    await route.fulfill({ response: answer, json: { ...one, threads, stays, hand_overs } });
  });
  await page.goto(`${url}/q/${recording}/${id}`);
  const table = page.getByRole("region", { name: "Hand-overs" });
  const [[after, from, to, waited]] = await eventually(async () => {
    const found = await rowsOf(table);
    assert.equal(found.length, 1);
    return found;
  });
  assert.deepEqual([from, to], ["server-lock", "pool-7"]);
  isAbout(after, begin, nsOf);
  isAbout(waited, end - begin, nsOf);
  await settled(page);
  const canvas = page.getByRole("application", { name: /^Threads on one axis/ }).locator("canvas");
  const hasArrow = (one) => {
    const { width, height } = one;
    const { data } = one.getContext("2d").getImageData(0, 0, width, height);
    const style = getComputedStyle(document.documentElement).getPropertyValue("--accent").trim();
    const [r, g, b] = [1, 3, 5].map((at) => parseInt(style.slice(at, at + 2), 16));
    const near = (a, c) => Math.abs(a - c) < 3;
    let found = 0;
    for (let i = 0; i < data.length; i += 4) {
      found += near(data[i], r) && near(data[i + 1], g) && near(data[i + 2], b);
    }
    return found;
  };
  await eventually(async () => assert.ok((await canvas.evaluate(hasArrow)) > 50));
  await checkAccess(page);
});

scenario("routes are compared with another time, which may be slower", async (page) => {
  const side = { count: 7000, kept: 1, per_s: 7, mean_ns: 5e6, p50_ns: 4e6, p99_ns: 9e6 };
  const base = { ...side, parts: [{ category: "lock", share: 0.25 }] };
  const compared = page.getByRole("region", { name: "Routes compared" });
  let asked = null;
  await page.route("**/api/v1/compare?*", async (route) => {
    asked = new URL(route.request().url()).searchParams;
    const answer = await route.fetch();
    const one = await answer.json();
    const values = one.types[0].attributes.find(({ key }) => key === "endpoint").values;
    assert.ok(values.length > 1 && values.every((value) => value.base === null));
    const cart = values.find(({ value }) => value === "/cart");
    cart.here.parts = [{ category: "lock", share: 0.5 }]; // on a busy machine most of it is others' time
    Object.assign(cart, { base, verdicts: { mean: null, p50: "faster", p99: "slower" } });
    values.push({ value: "/gone", here: null, base, verdicts: { ...one.types[0].verdicts } });
    await route.fulfill({ response: answer, json: one });
  });
  await page.goto(url + "/s/checkout");
  await page.getByRole("combobox", { name: "compare with" }).selectOption("day");
  await compared.waitFor();
  await settled(page);
  assert.equal(param(page, "against"), "day");
  const day = 24n * 3600n * 1_000_000_000n;
  assert.equal(BigInt(asked.get("from")) - BigInt(asked.get("base_from")), day);
  assert.equal(asked.get("base_service"), "checkout");
  for (const screen of [SCREEN, NARROW]) {
    await part(`${screen.width} wide`, async () => {
      await page.setViewportSize(screen);
      const rows = await rowsOf(compared);
      const cart = rows.find(([name]) => name === "/cart");
      assert.match(cart[3], /vs 4.00 ms faster$/);
      assert.match(cart[4], /vs 9.00 ms slower$/);
      assert.match(cart[5], /^lock 50 % ?vs 25 %$/);
      const gone = rows.find(([name]) => name === "/gone");
      assert.match(gone[1], /^- ?vs 7\/s$/);
      assert.equal(await routesOf(page).count(), 0);
      await checkAccess(page);
    });
  }
  await page.goBack();
  await routesOf(page).waitFor();
});

scenario("a service without requests is shown by its contexts", async (page) => {
  await page.route("**/api/v1/services?*", async (route) => {
    const answer = await route.fetch();
    const { services, ...rest } = await answer.json();
    const without = services.map((one) => ({
      ...one,
      requests: { ...one.requests, requests_in: 0 },
    }));
    await route.fulfill({ response: answer, json: { ...rest, services: without } });
  });
  await page.route("**/api/v1/contexts/types?*", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), requests: [] } });
  });
  await page.route("**/api/v1/contexts/heatmap?*unit=requests*", async (route) => {
    const answer = await route.fetch();
    const map = await answer.json();
    const columns = map.columns.map(() => []);
    await route.fulfill({ response: answer, json: { ...map, columns, all: 0, kept: 0 } });
  });
  const { services } = await json("/api/v1/services");
  const { contexts_in } = services.find(({ service }) => service === "lock");
  await page.goto(url + "/");
  const row = await eventually(async () => {
    const found = (await rowsOf(page.getByRole("region", { name: "Services" }))).find(
      ([service]) => service === "lock",
    );
    assert.ok(found);
    return found;
  });
  assert.equal(row[3], `${contexts_in} contexts`);
  await page.getByRole("link", { name: "lock", exact: true }).click();
  await page.getByRole("region", { name: "Kept contexts" }).waitFor();
  await settled(page);
  assert.match(await heatmap(page).getAttribute("aria-label"), /^All contexts/);
  assert.equal(await routesOf(page).count(), 0);
  assert.equal(await page.getByRole("button", { name: "requests", exact: true }).count(), 0);
});

scenario("attributes: what explains is first, ids are no rows, lift is seen", async (page) => {
  const isToRest = (query) => query.get("base") === "rest";
  const [why, one] = await eventually(async () => {
    const answers = await Promise.all([
      answerOf(page, "why", () => {}, isToRest),
      answerOf(
        page,
        "attributes",
        () => page.goto(url + "/s/checkout?min_duration_ns=20000000"),
        isToRest,
      ),
    ]);
    assert.equal(answers[0].base.requests, answers[1].base_contexts); // no chunk came between them
    return answers;
  });
  await settled(page);
  const table = page.locator(".why");
  await table.getByText("rest", { exact: true }).waitFor();
  const [most] = why.slices.filter(({ is_count, total_ns }) => !is_count && total_ns > 0);
  const [, each, besides] = (await rowsOf(table))[0];
  const isMost = ({ category }) => category === most.category;
  const { total_ns } = why.base.slices.find(isMost) ?? { total_ns: 0 };
  isAbout(each, most.total_ns / why.requests, nsOf);
  isAbout(besides, total_ns / why.base.requests, nsOf);
  const region = page.getByRole("region", { name: "Attributes" });
  const names = async () => (await rowsOf(region)).map(([name]) => name);
  const tenant = one.keys.find(({ key }) => key === "tenant");
  const acme = tenant.values.find(({ value }) => value === "acme"); // the demo's slow customer
  const place = (await names()).indexOf("tenant acme"); // the first, but on a machine where all is slow
  assert.ok(place >= 0, await names());
  const row = region.locator("tbody tr").nth(place);
  const [here, there] = await row.locator(".share").allInnerTexts();
  for (const [text, share] of [
    [here, acme.count / one.contexts],
    [there, acme.base_count / one.base_contexts],
  ]) {
    assert.ok(Math.abs(parseFloat(text) - 100 * share) <= 0.5, `${text}, not ${share}`);
  }
  const lift = row.locator(".lift-cell span"); // .lift itself is not there on a machine where all is slow
  assert.equal(await lift.innerText(), `×${acme.lift.toFixed(acme.lift < 10 ? 1 : 0)}`);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    const box = await lift.boundingBox();
    const card = await page.locator(".attributes").boundingBox();
    assert.ok(box.x >= card.x && box.x + box.width <= card.x + card.width, `at ${width}`);
  }
  const more = page.getByRole("button", { name: /^\d+ more, which explain less$/ });
  await more.click();
  assert.ok((await names()).length > 3);
  assert.ok(!(await names()).some((name) => name.startsWith("traceid")));
  await page.getByText(/^traceid: one value for each/).waitFor();
  await checkAccess(page);
});
