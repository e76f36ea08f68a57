// SPDX-License-Identifier: Apache-2.0
// unit.mjs: runs test/unit/*.test.ts in node; what they test needs no browser.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const test = dirname(fileURLToPath(import.meta.url));
const out = mkdtempSync(join(tmpdir(), "loupe-web-test-"));
const names = readdirSync(join(test, "unit")).filter((name) => name.endsWith(".test.ts"));

await build({
  entryPoints: names.map((name) => join(test, "unit", name)),
  outdir: out,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  loader: { ".css": "empty" },
  logLevel: "warning",
});
const files = readdirSync(out).map((name) => join(out, name));
const { status } = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit" });
rmSync(out, { recursive: true });
process.exit(status ?? 1);
