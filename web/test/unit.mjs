// SPDX-License-Identifier: Apache-2.0
// unit.mjs: runs test/unit/*.test.ts in node; what they test needs no browser. They are one program, as node starts one for
// each file.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const test = dirname(fileURLToPath(import.meta.url));
const out = mkdtempSync(join(tmpdir(), "loupe-web-test-"));
const names = readdirSync(join(test, "unit")).filter((name) => name.endsWith(".test.ts"));
const program = join(out, "unit.mjs");

await build({
  stdin: {
    contents: names.map((name) => `import "./unit/${name}";`).join("\n"),
    resolveDir: test,
  },
  outfile: program,
  bundle: true,
  platform: "node",
  format: "esm",
  loader: { ".css": "empty" },
  logLevel: "warning",
});
const { status } = spawnSync(process.execPath, ["--test", program], { stdio: "inherit" });
rmSync(out, { recursive: true });
process.exit(status ?? 1);
