// SPDX-License-Identifier: Apache-2.0
// texts: what tests read off the page.
import assert from "node:assert/strict";

const UNITS_NS = { ns: 1, µs: 1e3, ms: 1e6, s: 1e9, min: 60e9, h: 3600e9 };

// nsOf reads a duration as the page writes it, "3 min 20 s", in ns.
export function nsOf(text) {
  const parts = [...text.matchAll(/([\d.,]+) (ns|µs|ms|s|min|h)\b/g)];
  assert.ok(parts.length > 0, `no duration: ${text}`);
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * UNITS_NS[unit], 0);
}

// isAbout fails where a text is not number to its three digits, whatever the separators. of reads the text.
export function isAbout(text, number, of = (digits) => Number(digits.replace(/[^\d.]/g, ""))) {
  const read = of(text);
  assert.ok(Math.abs(read - number) <= Math.abs(number) * 0.006, `${text}, not ${number}`);
}

// textOf is the text of the one element of a selector, with single spaces.
export async function textOf(page, selector) {
  return (await page.locator(selector).innerText()).replace(/\s+/g, " ").trim();
}

// rowsOf are the texts of a table's cells, row by row, without its head.
export async function rowsOf(table) {
  return table
    .locator("tbody tr")
    .evaluateAll((rows) =>
      rows.map((row) => [...row.cells].map((cell) => cell.innerText.replace(/\s+/g, " ").trim())),
    );
}
