// SPDX-License-Identifier: Apache-2.0
// A collector that asks for tokens: the page asks for one, exchanges it for a session that no script sees, and asks again
// once that is over.
import assert from "node:assert/strict";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import {
  checkAccess,
  eventually,
  lockedUrl,
  part,
  scenario,
  token,
  tokensFile,
} from "./browser.mjs";

const REFUSED = /status of 401/; // as Chromium writes it to the console

async function logIn(page, word = token) {
  await page.getByLabel("Token").fill(word);
  await page.getByRole("button", { name: "Log in" }).click();
}

const form = (page) => page.getByRole("heading", { name: "Log in" });

scenario(
  "nobody sees anything without a token, or with a wrong one",
  async (page) => {
    const asked = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(lockedUrl + "/s/vault?last=6h");
    await form(page).waitFor();
    await part("without a token the page asks for one, and for nothing else", async () => {
      await checkAccess(page);
      assert.deepEqual(asked.filter((path) => path.startsWith("/api/")).sort(), ["/api/v1/login"]);
      assert.equal(await page.getByRole("button", { name: "log out" }).count(), 0);
      const hasFocus = (input) => input === document.activeElement;
      assert.ok(await page.getByLabel("Token").evaluate(hasFocus));
    });
    await part("a wrong one is refused in words", async () => {
      await logIn(page, "a-token-that-nobody-knows");
      await page.getByRole("alert").getByText("unknown token: check").waitFor();
      await checkAccess(page);
      await logIn(page, "caf\u00e9");
      await page.getByRole("alert").getByText("no letters beyond ASCII").waitFor();
    });
    await part("a right one shows what was asked for", async () => {
      await logIn(page, ` ${token} `); // as it is copied
      await page.locator(".why tbody tr").first().waitFor();
      assert.equal(page.url(), lockedUrl + "/s/vault?last=6h");
      await checkAccess(page);
    });
    await part("no script can read the cookie, nor has the page the token anywhere", async () => {
      assert.equal(await page.evaluate(() => document.cookie), "");
      const kept = await page.evaluate(() =>
        JSON.stringify({ ...localStorage, ...sessionStorage }),
      );
      assert.equal(kept, "{}");
      const [cookie] = await page.context().cookies(lockedUrl);
      assert.ok(cookie.httpOnly && cookie.sameSite === "Strict" && cookie.expires === -1);
    });
  },
  { expected: [REFUSED] },
);

scenario("a session is there in other tabs, loads files, and ends by logging out", async (page) => {
  await page.goto(lockedUrl + "/r");
  await logIn(page);
  await page.getByText("readers").waitFor();
  const tab = await page.context().newPage();
  await tab.goto(lockedUrl + "/s/vault?last=6h");
  await tab.locator(".why tbody tr").first().waitFor();
  await tab.getByText("download", { exact: true }).first().click();
  const [file] = await Promise.all([
    tab.waitForEvent("download"),
    tab.locator(".menu a").first().click(),
  ]);
  assert.equal(
    readFileSync(await file.path())
      .subarray(0, 3)
      .toString(),
    "FLR",
  );
  await tab.close();
  await page.getByRole("button", { name: "log out" }).click();
  await form(page).waitFor();
  assert.equal(await page.getByText("Your session is over").count(), 0);
  assert.deepEqual(await page.context().cookies(lockedUrl), []);
  await page.reload();
  await form(page).waitFor();
});

scenario(
  "a session ends with the line of its token, and the page says so where it is",
  async (page) => {
    const lines = readFileSync(tokensFile, "utf8");
    const write = (text) => {
      writeFileSync(tokensFile + ".new", text);
      renameSync(tokensFile + ".new", tokensFile);
    };
    await page.goto(lockedUrl + "/?last=6h");
    await logIn(page);
    await page.getByRole("region", { name: "Services" }).getByText("vault").waitFor();
    write(lines.replace(/^readers .*\n/m, ""));
    try {
      await eventually(async () => {
        const refresh = page.getByRole("button", { name: "refresh" });
        if ((await refresh.count()) > 0) {
          await refresh.click({ timeout: 1000 }).catch(() => null); // it may go away meanwhile
        }
        assert.equal(await form(page).count(), 1);
      });
      await page.getByRole("status").getByText("Your session is over").waitFor();
      await checkAccess(page);
    } finally {
      write(lines);
    }
    const headers = { authorization: `Bearer ${token}` };
    await eventually(async () => {
      const { status } = await fetch(lockedUrl + "/api/v1/recordings", { headers });
      assert.equal(status, 200); // before a login, of which few may fail
    });
    await logIn(page);
    await page.getByRole("region", { name: "Services" }).waitFor();
    assert.equal(page.url(), lockedUrl + "/?last=6h");
  },
  { expected: [REFUSED] },
);
