// SPDX-License-Identifier: Apache-2.0
// paint: the colours and texts of frames.
import { isOfJdk, kindOfLetter } from "../../base/kinds";
import type { Flame } from "../../base/shapes";
import { color, fontOf, inkOn, mix } from "../../base/theme";
import { difference } from "./layout";
import type { Found, Placed } from "./layout";

export const ROW = 18; // px
const LABEL_WIDTH_MIN = 22; // px
const PADDING = 4; // px, before a label
const SHADES = 5; // --frame-0 and so on

// packageOf is a method's name without its class and method.
function packageOf(name: string): string {
  return name.split(".").slice(0, -2).join(".");
}

// shadeOf returns the colour token of a frame without a kind: one for each package, and one for the JDK.
export function shadeOf(name: string): string {
  if (isOfJdk(name)) {
    return "frame-jdk";
  }
  let hash = 7;
  for (const letter of packageOf(name)) {
    hash = (hash * 31 + letter.codePointAt(0)!) % 9973;
  }
  return `frame-${hash % SHADES}`;
}

// coloursOf returns the colours of the names of an answer.
function coloursOf({ names, kinds }: Flame): string[] {
  return names.map((name, index) => {
    const kind = kindOfLetter(kinds[index] ?? ".");
    return color(index === 0 ? "frame-root" : kind ? kind.token : shadeOf(name));
  });
}

const STEPS = 32; // shades of more, and of less

export interface Shade {
  fill: string;
  ink: string; // that is read on it
}

const shade = (fill: string): Shade => ({ fill, ink: inkOn(fill) });

// shadesOf returns the colours of the nodes of an answer: by the kind of the name, or, if there is a base, red for more
// and blue for less of a request than in the base. Small differences show, too.
export function shadesOf(flame: Flame): Shade[] {
  if (flame.base_value === undefined) {
    const ofName = coloursOf(flame).map(shade);
    return flame.name.map((name) => ofName[name]!);
  }
  const ramp = (token: string) =>
    Array.from({ length: STEPS + 1 }, (_, step) =>
      shade(mix(color("frame-same"), color(token), step / STEPS)),
    );
  const [more, less] = [ramp("frame-more"), ramp("frame-less")];
  return flame.name.map((_, node) => {
    const part = node === 0 ? 0 : difference(flame, node);
    const step = Math.round(STEPS * Math.min(1, Math.sqrt(Math.abs(part)) * 1.4));
    return (part > 0 ? more : less)[step]!;
  });
}

// labelOf is as much of a name as there is room for, in letters: all, or without the package, or without the class. Other
// events are called by their type, as in "why".
export function labelOf(whole: string, room: number): string {
  const name = whole.replace(/^\[other: /, "[");
  if (name.length <= room || name.startsWith("[")) {
    return name.length <= room ? name : name.slice(0, room - 1) + "…";
  }
  const method = name.lastIndexOf(".") + 1;
  const type = name.lastIndexOf(".", method - 2) + 1;
  const short = [name.slice(type), name.slice(method)].find((one) => one.length <= room);
  return short ?? (room > 2 ? name.slice(method, method + room - 1) + "…" : "");
}

export interface Look {
  flame: Flame;
  shades: readonly Shade[]; // of nodes
  zoom: number;
  found: Found | null;
  marks: readonly number[]; // nodes with a line around them
}

// paintFrames draws what `place` placed; top: px of the drawing that are above.
export function paintFrames(
  context: CanvasRenderingContext2D,
  look: Look,
  placed: readonly Placed[],
  top: number,
): void {
  const { flame, shades, found, marks, zoom } = look;
  const ink = color("ink");
  const ofFound = shade(color("accent"));
  context.font = fontOf("mono");
  context.textBaseline = "middle";
  const letter = context.measureText("0123456789").width / 10;
  for (const { node, x, width, row } of placed) {
    const y = row * ROW - top;
    const name = flame.name[node]!;
    const isPale = node !== zoom && flame.level[node]! < flame.level[zoom]!;
    const isFound = found !== null && found.names[name] === 1;
    const isFaint = isPale || (found !== null && !isFound);
    const { fill, ink: onFill } = isFound ? ofFound : shades[node]!;
    context.globalAlpha = !isFaint ? 1 : 0.6;
    context.fillStyle = fill;
    context.fillRect(x, y, Math.max(width - 0.5, 0.5), ROW - 1);
    if (width >= LABEL_WIDTH_MIN) {
      const room = Math.floor((width - 2 * PADDING) / letter);
      context.globalAlpha = 1;
      context.fillStyle = isFaint ? ink : onFill;
      context.fillText(labelOf(flame.names[name]!, room), x + PADDING, y + ROW / 2);
    }
    if (marks.includes(node)) {
      context.globalAlpha = 1;
      context.strokeStyle = ink;
      context.lineWidth = 2;
      context.strokeRect(x + 1, y + 1, Math.max(width - 2, 1), ROW - 3);
    }
  }
}
