// SPDX-License-Identifier: Apache-2.0
// Requests: the routes of a service and their heat map; contexts stay where they were.
import assert from "node:assert/strict";
import {
  answerOf,
  checkAccess,
  eventually,
  isAbout,
  json,
  nsOf,
  rowsOf,
  scenario,
  settled,
  url,
} from "./browser.mjs";

const routesOf = (page) => page.getByRole("region", { name: "Routes" });
const heatmap = (page) => page.getByRole("application", { name: /by time and duration/ });
const isOf = (unit) => (query) => query.get("unit") === unit;
const param = (page, name) => new URL(page.url()).searchParams.get(name);

scenario(
  "routes have the numbers of the API, a click chooses one and the next does not",
  async (page) => {
    const types = await answerOf(page, "contexts/types", () => page.goto(url + "/s/checkout"));
    await settled(page);
    const [of] = types.requests;
    const { values } = of.attributes.find(({ key }) => key === "endpoint");
    const rows = await rowsOf(routesOf(page));
    assert.deepEqual(rows.map(([name]) => name).sort(), values.map(({ value }) => value).sort());
    for (const { value, requests_in, requests_out, p50_ns, p99_ns } of values) {
      const [, , median, p99, , kept] = rows.find(([name]) => name === value);
      isAbout(median, p50_ns, nsOf);
      isAbout(p99, p99_ns, nsOf);
      assert.ok(Math.abs(parseFloat(kept) - (100 * requests_out) / requests_in) <= 0.5, kept);
    }
    const link = routesOf(page).getByRole("link", { name: "/cart", exact: true });
    const isCart = (query) => query.get("where") === "endpoint=/cart" && isOf("requests")(query);
    const chosen = await answerOf(page, "contexts/heatmap", () => link.click(), isCart);
    assert.ok(chosen.all >= values.find(({ value }) => value === "/cart").requests_in);
    await settled(page);
    assert.equal(await link.getAttribute("aria-current"), "true");
    assert.equal((await rowsOf(routesOf(page))).length, values.length);
    await checkAccess(page);
    await link.click();
    await eventually(async () => assert.equal(param(page, "where"), null));
    await page.goBack();
    await eventually(async () => assert.equal(param(page, "where"), "endpoint=/cart"));
  },
);

scenario("routes are divided by another attribute, and the address has it", async (page) => {
  await page.goto(url + "/s/checkout");
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

scenario("a row of the requests opens the context that its request began with", async (page) => {
  const { columns, rows } = await json("/api/v1/requests?service=lock&limit=1");
  const [recording, id] = ["recording", "id"].map((name) => rows[0][columns.indexOf(name)]);
  const one = await json(`/api/v1/requests/${recording}/${id}`);
  await page.goto(url + "/s/lock");
  const list = page.getByRole("region", { name: "Kept requests" });
  await list.getByRole("link").first().click();
  await page.waitForURL((to) => to.pathname === `/c/${recording}/${one.parts[0].id}`);
  await page.goBack();
  await list.waitFor();
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
  const one = await answerOf(
    page,
    "attributes",
    () => page.goto(url + "/s/checkout?min_duration_ns=20000000"),
    (query) => query.get("base") === "rest",
  );
  await settled(page);
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
  const lift = row.locator(".lift");
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
