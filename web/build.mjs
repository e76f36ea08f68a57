// SPDX-License-Identifier: Apache-2.0
// build.mjs [DIR]: makes the page in DIR (dist, if not said): index.html, page.js, page.css.
import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const web = dirname(fileURLToPath(import.meta.url));
const dist = resolve(process.argv[2] ?? join(web, "dist"));

await mkdir(dist, { recursive: true });
await build({
  absWorkingDir: web,
  entryPoints: { page: "src/main.ts" },
  outdir: dist,
  bundle: true,
  minify: true,
  format: "iife",
  target: ["chrome100", "firefox100", "safari15.4"],
  legalComments: "none",
  logLevel: "warning",
});
await copyFile(join(web, "src/index.html"), join(dist, "index.html"));
