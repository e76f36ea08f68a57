// SPDX-License-Identifier: Apache-2.0
// root: the path under which a proxy shows the collector. The collector says it in the address of the page's script,
// which is right below it.

// rootOf is the path above a script's; "" where that is at the top.
export function rootOf(script: string): string {
  return new URL(script).pathname.replace(/\/[^/]*$/, "");
}

const script = globalThis.document?.currentScript as HTMLScriptElement | null | undefined; // none in node

// root is such as "/tools/loupe", or "".
export const root = script ? rootOf(script.src) : "";

// withoutRoot is a path below the root as the collector has it; others are as they are.
export function withoutRoot(path: string, top = root): string {
  return path === top || path.startsWith(top + "/") ? path.slice(top.length) : path;
}
