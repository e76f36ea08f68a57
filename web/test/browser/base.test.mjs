// SPDX-License-Identifier: Apache-2.0
// Below a path of a proxy's, with nginx itself: login, screens, links, answers, files and speedscope. The proxy takes the
// path away or leaves it; nothing is asked of the collector above it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkAccess, eventually, proxyUrl, scenario, token } from "./browser.mjs";

for (const base of proxyUrl ? ["/taken/loupe", "/left/loupe"] : []) {
  scenario(`the page works below ${base}`, async (page) => {
    const above = [];
    page.on("request", (request) => {
      const { pathname, protocol } = new URL(request.url());
      if (protocol === "http:" && !pathname.startsWith(base + "/")) {
        above.push(pathname);
      }
    });
    const at = (path) => proxyUrl + base + path;
    await page.goto(at("/?last=6h"));
    await page.getByLabel("Token").fill(token);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("region", { name: "Services" }).getByText("vault").click();
    await page.locator(".why tbody tr").first().waitFor();
    assert.ok(page.url().startsWith(at("/s/vault?")), page.url());
    const [cookie] = await page.context().cookies(at("/"));
    assert.equal(cookie.path, base);

    // An address that was sent by somebody, then a request, and back.
    const sent = page.url();
    await page.reload();
    await page.locator(".why tbody tr").first().waitFor();
    await page.locator(".requests tbody a").first().click();
    await page.waitForURL((url) => url.pathname.startsWith(base + "/q/"));
    await page.getByRole("heading").first().waitFor();
    await page.goBack();
    assert.equal(page.url(), sent);

    // What is copied and what is loaded name the path.
    await page.locator(".why tbody tr").first().waitFor();
    await page.locator(".requests summary", { hasText: "⋯" }).click();
    const curl = await page.getByRole("button", { name: /^curl/ }).getAttribute("title");
    assert.ok(curl.includes(` ${at("/api/v1/")}`), curl);
    await page.getByText("download", { exact: true }).first().click();
    const loaded = page.waitForEvent("download");
    await page.locator(".menu a").first().click();
    assert.ok((await loaded).url().startsWith(at("/api/v1/slice.jfr?")));
    const opened = page.context().waitForEvent("page");
    await page.getByText("download", { exact: true }).first().click();
    await page.getByText("open in speedscope").first().click();
    const speedscope = await opened;
    await eventually(async () => assert.match(await speedscope.title(), / - speedscope$/));
    await speedscope.close();

    // The API names its own files so, too.
    const { recordings } = await page.evaluate(
      async (from) => (await fetch(from)).json(),
      at("/api/v1/recordings"),
    );
    assert.ok(recordings[0].download.startsWith(`${base}/api/v1/recordings/`));
    if (base === "/taken/loupe") {
      await checkAccess(page); // the other one shows the same
    }
    await page.getByRole("button", { name: "log out" }).click();
    await page.getByRole("heading", { name: "Log in" }).waitFor();
    assert.deepEqual(await page.context().cookies(at("/")), []);
    assert.deepEqual(above, []);
  });
}

test("there is nginx", { skip: proxyUrl ? false : "there is none" }, () => {});
