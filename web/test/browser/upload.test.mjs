// SPDX-License-Identifier: Apache-2.0
// A recording that is dropped on the page of `loupe open` is shown as the collector shows it from which it is; other
// collectors take none, and say what does.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { json } from "./api.mjs";
import { checkAccess, eventually, openUrl, part, scenario, url } from "./browser.mjs";
import { textOf } from "./texts.mjs";

const path = process.env.LOUPE_RECORDING;
const name = basename(path);

// drop drops files on the page, as a person does it: [bytes, name] of each.
async function drop(page, ...files) {
  const transfer = await page.evaluateHandle(
    (dropped) => {
      const made = new DataTransfer();
      for (const [base64, title] of dropped) {
        const content = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
        made.items.add(new File([content], title));
      }
      return made;
    },
    files.map(([bytes, title]) => [bytes.toString("base64"), title]),
  );
  await page.dispatchEvent("body", "dragover", { dataTransfer: transfer });
  await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
}

scenario(
  "a recording that is dropped on the page is shown as its collector shows it",
  async (page) => {
    await page.goto(openUrl + "/");
    await page.getByText("Drop a recording").waitFor();
    await checkAccess(page);
    await drop(page, [readFileSync(path), name]);
    await page.locator(".why tbody tr").first().waitFor();
    const at = new URL(page.url());
    assert.equal(at.pathname, `/s/${encodeURIComponent(name.replace(".jfr", ""))}`);
    assert.equal(await page.locator(".upload").count(), 0);
    const { requests, total_ns } = await json("/api/v1/why?service=lock&unit=requests");
    const its = await page.evaluate(
      async (from) => (await fetch(from)).json(),
      `/api/v1/why?unit=requests&from=${at.searchParams.get("from")}&to=${at.searchParams.get("to")}`,
    );
    assert.ok(requests > 0);
    assert.deepEqual([its.requests, its.total_ns], [requests, total_ns]);
    await checkAccess(page);
  },
);

scenario("a recording that is chosen is shown as one that is dropped", async (page) => {
  await page.goto(openUrl + "/?from=2020-01-01T00:00:00Z&to=2020-01-01T00:01:00Z");
  await page.getByLabel("recordings", { exact: true }).setInputFiles(path);
  await page.waitForURL(`**/s/${encodeURIComponent(name.replace(".jfr", ""))}?*`);
  await page.locator(".why tbody tr").first().waitFor();
});

async function checkNone(page) {
  await drop(page, [Buffer.from("not a recording"), "notes.txt"]);
  await page.getByRole("alert").getByText("notes.txt").waitFor();
  assert.match(await textOf(page, ".upload"), /^notes\.txt: .*recording/);
  await checkAccess(page);
  await page.getByRole("button", { name: "close" }).click();
  await eventually(async () => assert.equal(await page.locator(".upload").count(), 0));
  assert.equal(page.url(), openUrl + "/r");
}

scenario(
  "of several files each is shown, or named with what is wrong with it",
  async (page) => {
    await page.goto(openUrl + "/r");
    await part("a file that is none is refused in words, where the page is", () => checkNone(page));
    const bytes = readFileSync(path);
    await drop(page, [bytes, "one.jfr"], [Buffer.from("\xfd7zXZ\0\0", "latin1"), "two.xz"]);
    await drop(
      page,
      [Buffer.concat([bytes, bytes.subarray(0, 100)]), "three.jfr"],
      [bytes, "four.jfr"],
    );
    const alerts = page.locator(".upload [role=alert]");
    await alerts.getByText("three.jfr").waitFor();
    await eventually(async () => {
      const at = new URL(page.url());
      assert.equal(at.pathname, "/");
      assert.ok(BigInt(at.searchParams.get("from")) < BigInt(at.searchParams.get("to")));
      for (const one of ["three", "four"]) {
        assert.equal(await page.locator("tbody tr", { hasText: one }).count(), 1);
      }
    });
    const [first, second, ...others] = await alerts.allTextContents();
    assert.match(first, /^two\.xz: .*unxz/);
    assert.match(second, /^three\.jfr: .*offset \d+/);
    assert.deepEqual(others, []);
    await checkAccess(page);
    const { recordings } = await page.evaluate(async () =>
      (await fetch("/api/v1/recordings")).json(),
    );
    const services = new Set(recordings.map((one) => one.service));
    assert.ok(
      ["one", "three", "four"].every((one) => services.has(one)),
      [...services],
    );
  },
  { expected: [/status of 400/] },
);

scenario("a collector of agents takes no file, and says what does", async (page) => {
  const sent = [];
  page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
  await page.goto(url + "/");
  await drop(page, [readFileSync(path), name]);
  await page.getByRole("alert").getByText("loupe open 'lock saved.jfr'").waitFor();
  assert.deepEqual(sent, []);
});
