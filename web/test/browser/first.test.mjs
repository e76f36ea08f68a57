// SPDX-License-Identifier: Apache-2.0
// What every screen stands on: the page loads, under its policy, says what the API says, and helps where there is nothing.
import assert from "node:assert/strict";
import { answerOf } from "./api.mjs";
import { checkAccess, emptyUrl, eventually, part, scenario, url } from "./browser.mjs";
import { isAbout, nsOf, rowsOf } from "./texts.mjs";

scenario("services are listed with the numbers of the API", async (page) => {
  const { services } = await answerOf(page, "services", () => page.goto(url + "/"));
  const table = page.getByRole("region", { name: "Services" });
  const rows = await eventually(async () => {
    const found = await rowsOf(table);
    assert.equal(found.length, services.length);
    return found;
  });
  const causes = process.env.LOUPE_CAUSES.split(" ");
  assert.deepEqual(rows.map(([name]) => name).sort(), ["checkout", ...causes].sort());
  for (const { service, jvms, requests } of services) {
    const [, shownJvms, , counted, median, p99] = rows.find(([name]) => name === service);
    assert.equal(shownJvms, String(jvms));
    assert.equal(counted.replace(",", ""), `${requests.requests_in} requests`);
    isAbout(median, requests.p50_ns, nsOf);
    isAbout(p99, requests.p99_ns, nsOf);
  }
  await checkAccess(page);
  await part("a collector that asks for no token has nothing to log out of", async () =>
    assert.equal(await page.getByRole("button", { name: "log out" }).count(), 0),
  );
});

scenario("the page is answered with its policy, and reads no inline script", async (page) => {
  const answer = await page.goto(url + "/s/lock");
  const policy = (await answer.headerValue("content-security-policy")).split("; ");
  for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]) {
    assert.ok(policy.includes(part), `${policy} lacks ${part}`);
  }
  assert.equal(await page.locator("script:not([src]), [style*=url]").count(), 0);
});

scenario(
  "what a page must not do is noticed",
  async (page) => {
    await page.goto(url + "/");
    await page.evaluate(() => fetch("http://localhost:9/").catch(() => null));
    await page.evaluate(() => setTimeout(() => null.nothing));
    await page.evaluate(() => console.error("a complaint"));
    await page.evaluate(() => new Promise((done) => setTimeout(done)));
  },
  { expected: [/Content Security Policy/, /thrown: TypeError/, /console: a complaint/] },
);

scenario("a trace that nobody has seen is said to be so", async (page) => {
  await page.goto(url + "/t/nobody-has-this");
  await page.getByRole("status").getByText("Not seen").waitFor();
  await checkAccess(page);
});

scenario("without any JVM the page says how to start one", async (page) => {
  await page.goto(emptyUrl + "/");
  await page.getByText("-agentpath:").waitFor();
  await checkAccess(page);
});

scenario("speedscope opens a slice, and asks nobody else", async (page) => {
  const slice = "/api/v1/slice.speedscope.json?service=lock";
  const answered = page.waitForResponse((answer) => answer.url() === url + slice);
  const imported = page.waitForEvent("console", (message) => /import: /.test(message.text()));
  await page.goto(`${url}/speedscope/#profileURL=${encodeURIComponent(slice)}`);
  assert.equal((await answered).status(), 200);
  await imported;
  await eventually(async () => assert.match(await page.title(), / - speedscope$/));
});
