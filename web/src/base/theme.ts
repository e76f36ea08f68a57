// SPDX-License-Identifier: Apache-2.0
// theme: the colours of style.css for canvases, in the scheme that the system has now.
import { signal } from "@preact/signals";

// scheme changes when light becomes dark; what draws reads it.
export const scheme = signal(0);

let known = new Map<string, string>();

// color is the value of the CSS variable --token.
export function color(token: string): string {
  let value = known.get(token);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement)
      .getPropertyValue("--" + token)
      .trim();
    known.set(token, value);
  }
  return value;
}

export function startTheme(): void {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    known = new Map();
    scheme.value++;
  });
}
