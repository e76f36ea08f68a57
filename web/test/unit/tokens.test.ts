// SPDX-License-Identifier: Apache-2.0
// Colours, space and type are those of tokens.css, in every style sheet.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const SRC = join(process.cwd(), "src");
const SCALED =
  /^\s*(padding|margin|gap|border-radius|font|font-size|font-weight|row-gap|column-gap)(-(top|right|bottom|left))?:/;

const sheets = readdirSync(SRC, { recursive: true })
  .map(String)
  .filter((name) => name.endsWith(".css") && name !== "tokens.css")
  .map((name): [string, string[]] => [name, readFileSync(join(SRC, name), "utf8").split("\n")]);

const linesThat = (is: (line: string) => boolean) =>
  sheets.flatMap(([name, lines]) => lines.filter(is).map((line) => `${name}: ${line.trim()}`));

test("no colour but the tokens'", () => {
  assert.ok(sheets.length > 5);
  assert.deepEqual(
    linesThat((line) => /#[0-9a-f]{3,8}\b|\brgba?\(/i.test(line)),
    [],
  );
});

test("no space, corner or size of type but the tokens'", () => {
  assert.deepEqual(
    linesThat((line) => SCALED.test(line) && /\d(px|em|rem|pt)\b|: [1-9]\d\d\b/.test(line)),
    [],
  );
});

test("each token that is used is there", () => {
  const tokens = readFileSync(join(SRC, "tokens.css"), "utf8");
  const defined = new Set([...tokens.matchAll(/^\s*--([\w-]+):/gm)].map(([, name]) => name!));
  const used = linesThat(() => true).join("\n");
  const names = [...used.matchAll(/var\(--([\w-]+)\)/g)].map(([, name]) => name!);
  assert.deepEqual(
    names.filter((name) => !defined.has(name)),
    [],
  );
});
