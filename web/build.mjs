// SPDX-License-Identifier: Apache-2.0
// build.mjs [DIR]: makes the page in DIR (dist, if not said): index.html, page.js, page.css; speedscope/, for
// flame graphs of other tools; LICENSES.txt, of all that is not ours in them.
import { copyFile, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const web = dirname(fileURLToPath(import.meta.url));
const dist = resolve(process.argv[2] ?? join(web, "dist"));
const packages = join(web, "node_modules");

// Indents of templates, and the ends of lines around their tags, are 8 KB of the page, and say nothing to htm.
const withoutIndents = {
  name: "without-indents",
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const lines = text.replace(/^ +/gm, "");
      return { contents: lines.replace(/\n(?=\/?>|<)|(?<=>)\n(?=\$)/g, ""), loader: "ts" };
    });
  },
};

// buildPage returns the names of the packages that the page has parts of.
async function buildPage() {
  const { metafile } = await build({
    absWorkingDir: web,
    entryPoints: { page: "src/main.ts" },
    outdir: dist,
    bundle: true,
    minify: true,
    format: "iife",
    target: ["chrome100", "firefox100", "safari15.4"],
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
    plugins: [withoutIndents],
  });
  await copyFile(join(web, "src/index.html"), join(dist, "index.html"));
  const names = Object.keys(metafile.inputs).map(
    (path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1],
  );
  return [...new Set(names)].filter((name) => name !== undefined).sort();
}

// copySpeedscope leaves out its example, and what reads recordings, as it gets profiles here.
async function copySpeedscope() {
  const [from, to] = [join(packages, "speedscope/dist/release"), join(dist, "speedscope")];
  await rm(to, { recursive: true, force: true });
  await mkdir(to);
  for (const name of await readdir(from)) {
    if (/^(index\.html|speedscope-.*\.(js|css)|.*\.(woff2|png|ico))$/.test(name)) {
      await copyFile(join(from, name), join(to, name));
    }
  }
}

// writeLicenses: what is what, then the licence of each.
async function writeLicenses(names) {
  const parts = ["What the page has of other people's work, and under which licence."];
  const add = async (name, path) => {
    const text = await readFile(join(packages, path), "utf8");
    parts.push(`${"-".repeat(80)}\n${name}\n\n${text.replace(/\r/g, "").trim()}`);
  };
  for (const name of names) {
    const { version, license } = JSON.parse(
      await readFile(join(packages, name, "package.json"), "utf8"),
    );
    await add(`${name} ${version} (${license})`, `${name}/LICENSE`);
  }
  await add("Source Code Pro, in speedscope", "speedscope/dist/release/source-code-pro.LICENSE.md");
  await writeFile(join(dist, "LICENSES.txt"), parts.join("\n\n") + "\n");
}

await mkdir(dist, { recursive: true });
const names = await buildPage();
await copySpeedscope();
await writeLicenses([...names, "speedscope"]);
