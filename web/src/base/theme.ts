// SPDX-License-Identifier: Apache-2.0
// theme: the colours of tokens.css for canvases, in the scheme that the system has now.
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

// fontOf is the small type of canvases, in a family of tokens.css.
export function fontOf(family: "sans" | "mono"): string {
  return `${color("t1")} ${color(family)}`;
}

function channels(hex: string): number[] {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

// mix is `part` (0 to 1) of the way from one colour #rrggbb to another.
export function mix(from: string, to: string, part: number): string {
  const other = channels(to);
  const mixed = channels(from).map((one, index) => Math.round(one + (other[index]! - one) * part));
  return "#" + mixed.map((one) => one.toString(16).padStart(2, "0")).join("");
}

const LIGHT = 0.2; // relative luminance (WCAG) from which black is easier to read than white

// inkOn is black or white, whichever is read more easily on a colour #rrggbb.
export function inkOn(hex: string): string {
  const [red, green, blue] = channels(hex).map((one) => (one / 255) ** 2.2);
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue! > LIGHT ? "#101113" : "#ffffff";
}

export function startTheme(): void {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    known = new Map();
    scheme.value++;
  });
}
