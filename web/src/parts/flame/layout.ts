// SPDX-License-Identifier: Apache-2.0
// layout: the places of frames in a flame graph, search, and differences from the base. Pure. A node is an index into
// the columns of the answer, which are depth first; node 0 is the root.
import { compile, matches } from "../../base/expression";
import { isOfJdk } from "../../base/kinds";
import type { Flame } from "../../base/shapes";

export interface Tree {
  flame: Flame;
  weight: readonly number[]; // the width of each node: the amount of the selection, or of the base
  parent: Int32Array; // -1 above the root
  end: Int32Array; // the first node after a node's subtree
  start: Float64Array; // where a node begins, in the unit of weight
  depth: number; // visible levels
}

export interface Placed {
  node: number;
  x: number; // px
  width: number; // px
  row: number; // 0 is that of the root
}

// treeOf is the tree of an answer; isBase: as wide as the base is.
export function treeOf(flame: Flame, isBase = false): Tree {
  const { level } = flame;
  const weight = isBase ? (flame.base_value ?? flame.value) : flame.value;
  const parent = new Int32Array(level.length);
  const end = new Int32Array(level.length);
  const start = new Float64Array(level.length);
  const open: number[] = []; // the node, those around it, and where the next below each begins
  const next: number[] = [];
  let depth = 0;
  for (let node = 0; node < level.length; node++) {
    while (open.length > level[node]!) {
      end[open.pop()!] = node;
    }
    const above = level[node]! - 1;
    parent[node] = above < 0 ? -1 : open[above]!;
    start[node] = above < 0 ? 0 : next[above]!;
    if (above >= 0) {
      next[above]! += weight[node]!;
    }
    next[level[node]!] = start[node]!;
    open.push(node);
    depth = weight[node]! > 0 ? Math.max(depth, open.length) : depth;
  }
  open.forEach((node) => (end[node] = level.length));
  return { flame, weight, parent, end, start, depth };
}

// place returns the visible nodes of the rows [first, last) when node `zoom` and its callers are `width` px wide. Of nodes
// under a pixel it returns one for each pixel: so there are few, and no place looks empty.
export function place(
  tree: Tree,
  zoom: number,
  width: number,
  first: number,
  last: number,
): Placed[] {
  const { weight, start, end, flame } = tree;
  const placed: Placed[] = [];
  for (let node = tree.parent[zoom] ?? -1; node >= 0; node = tree.parent[node]!) {
    const row = flame.level[node]!;
    if (row >= first && row < last) {
      placed.push({ node, x: 0, width, row });
    }
  }
  const scale = width / (weight[zoom] || 1);
  const painted = new Float64Array(Math.max(0, last - first)); // px, of each row, from the left
  for (let node = zoom; node < (end[zoom] ?? 0);) {
    const row = flame.level[node]!;
    if (row >= last || (weight[node] === 0 && node !== zoom)) {
      node = end[node]!;
      continue;
    }
    const wide = node === zoom ? width : weight[node]! * scale;
    const x = (start[node]! - start[zoom]!) * scale;
    const left = wide < 1 ? Math.min(Math.floor(x), width - 1) : x;
    if (row >= first && (wide >= 1 || left >= painted[row - first]!)) {
      placed.push({ node, x: left, width: Math.max(wide, 1), row });
      painted[row - first] = left + Math.max(wide, 1);
    }
    node++;
  }
  return placed;
}

// nodeAt is the node in a row at x px, -1 if there is none.
export function nodeAt(tree: Tree, zoom: number, width: number, x: number, row: number): number {
  const { weight, start, end, flame } = tree;
  let node = zoom;
  for (; node > 0 && flame.level[node]! > row;) {
    node = tree.parent[node]!;
  }
  if (node !== zoom || flame.level[node] === row) {
    return flame.level.length > 0 && x >= 0 && x < width ? node : -1;
  }
  const at = start[zoom]! + (x * (weight[zoom] || 1)) / width;
  while (node < end[zoom]!) {
    const isAround = at >= start[node]! && at < start[node]! + weight[node]!;
    if (isAround && flame.level[node] === row) {
      return node;
    }
    node = isAround ? node + 1 : end[node]!;
  }
  return -1;
}

// move returns the node that an arrow key leads to, within the visible part of `zoom`.
export function move(tree: Tree, zoom: number, node: number, key: string): number {
  const { weight, end, parent, flame } = tree;
  const level = flame.level[node]!;
  switch (key) {
    case "ArrowUp":
      return Math.max(0, parent[node]!);
    case "ArrowDown":
      if (level < flame.level[zoom]!) {
        return ancestors(tree, zoom)[level + 1]!;
      }
      return node + 1 < end[node]! && weight[node + 1]! > 0 ? node + 1 : node;
    case "ArrowRight":
    case "ArrowLeft": {
      const step = key === "ArrowRight" ? 1 : -1;
      for (let next = node + step; next > zoom && next < end[zoom]!; next += step) {
        if (flame.level[next] === level && weight[next]! > 0) {
          return next;
        }
      }
      return node;
    }
    default:
      return node;
  }
}

// ancestors are the nodes from the root to `node`, both included.
export function ancestors(tree: Tree, node: number): number[] {
  const path: number[] = [];
  for (let one = node; one >= 0; one = tree.parent[one]!) {
    path.unshift(one);
  }
  return path;
}

const HASH_LETTERS = 4;

// Four letters for a name: short enough for a URL, and different enough for the frames that one frame calls.
function hashOf(name: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) {
    hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  }
  return ((hash >>> 0) % 36 ** HASH_LETTERS).toString(36).padStart(HASH_LETTERS, "0");
}

// pathOf is a text for a node that finds it in another answer as well; empty for the root.
export function pathOf(tree: Tree, node: number): string {
  const names = ancestors(tree, node).map((one) => tree.flame.names[tree.flame.name[one]!]!);
  return names.slice(1).map(hashOf).join("");
}

// nodeOf is the node of such a text, or the last one on its path that is there.
export function nodeOf(tree: Tree, path: string): number {
  const { names, name } = tree.flame;
  let node = 0;
  for (let at = 0; at < path.length; at += HASH_LETTERS) {
    const hash = path.slice(at, at + HASH_LETTERS);
    let child = node + 1;
    while (child < (tree.end[node] ?? 0) && hashOf(names[name[child]!]!) !== hash) {
      child = tree.end[child]!;
    }
    if (child >= (tree.end[node] ?? 0) || !(tree.weight[child]! > 0)) {
      break;
    }
    node = child;
  }
  return node;
}

export interface Matcher {
  (name: string): boolean;
  isOver: () => boolean; // the names take more steps than they may: those that are left do not match
}

const NAME_CHARS = 1024; // of a name that are searched
const STEPS_MAX = 50_000_000; // of an expression, for all names together: about a second

// matcherOf returns a matcher for text in names, or for /text/ as a regular expression; both ignore case. Null: not a
// valid expression.
export function matcherOf(text: string, stepsMax = STEPS_MAX): Matcher | null {
  const pattern = /^\/(.+)\/$/.exec(text);
  if (!pattern) {
    const small = text.toLowerCase();
    const isIn = (name: string) => name.toLowerCase().includes(small);
    return Object.assign(isIn, { isOver: () => false });
  }
  const expression = compile(pattern[1]!);
  const known = new Map<string, boolean>();
  const steps = { count: 0 };
  const isOver = () => steps.count > stepsMax;
  const isLike = (name: string) => {
    if (!known.has(name)) {
      known.set(name, !isOver() && matches(expression!, name.slice(0, NAME_CHARS), steps));
    }
    return known.get(name)!;
  };
  return expression && Object.assign(isLike, { isOver });
}

export interface Found {
  names: Uint8Array; // 1 for each name that matches
  weight: number; // of the nodes that match, those below others not again
}

export function find(tree: Tree, isFound: Matcher): Found {
  const { flame, end, weight } = tree;
  const names = Uint8Array.from(flame.names, (name) => (isFound(name) ? 1 : 0));
  let sum = 0;
  for (let node = 0; node < flame.level.length;) {
    const isHit = names[flame.name[node]!] === 1;
    sum += isHit ? weight[node]! : 0;
    node = isHit ? end[node]! : node + 1;
  }
  return { names, weight: sum };
}

const each = (amount: number, requests: number) => (requests > 0 ? amount / requests : 0);

// difference is how much more of a request a node has than in the base, of all that a request has, which is the larger
// of both: from -1 to 1.
export function difference({ value, base_value, requests, ...flame }: Flame, node: number): number {
  const base = flame.base_requests ?? 0;
  const whole = Math.max(each(flame.total, requests), each(flame.base_total ?? 0, base));
  const more = each(value[node]!, requests) - each(base_value?.[node] ?? 0, base);
  return whole > 0 ? more / whole : 0;
}

export interface Frame {
  name: string;
  kind: string; // a letter, as in `kinds`
  self: number;
  total: number; // where a frame calls itself, that counts once
  baseSelf: number;
  baseTotal: number;
}

// framesOf are the sums of each name, but the root, in the order of their first node.
export function framesOf(tree: Tree): Frame[] {
  const { flame, end } = tree;
  const frames = flame.names.map((name, index): Frame => {
    const kind = flame.kinds[index] ?? ".";
    return { name, kind, self: 0, total: 0, baseSelf: 0, baseTotal: 0 };
  });
  const open = new Int32Array(flame.names.length); // behind the last node of a name that counted
  for (let node = 1; node < flame.level.length; node++) {
    const name = flame.name[node]!;
    const frame = frames[name]!;
    frame.self += flame.self[node]!;
    frame.baseSelf += flame.base_self?.[node] ?? 0;
    if (node >= open[name]!) {
      open[name] = end[node]!;
      frame.total += flame.value[node]!;
      frame.baseTotal += flame.base_value?.[node] ?? 0;
    }
  }
  return frames.filter((_, index) => open[index]! > 0);
}

export interface Top {
  name: string;
  kind: string; // a letter: what went on below the frame; "c" where it ran
  value: number; // of its own, and of the JDK's frames below it
  base: number;
}

// The frame that a stack trace counts for: the topmost that is not the JDK's, else the topmost. Samples without a stack
// trace count for themselves.
function ownerOf({ flame, parent }: Tree, leaf: number): number {
  const isFrame = (node: number) => node > 0 && flame.kinds[flame.name[node]!] === ".";
  const top = isFrame(leaf) || !isFrame(parent[leaf]!) ? leaf : parent[leaf]!;
  for (let node = top; isFrame(node); node = parent[node]!) {
    if (!isOfJdk(flame.names[flame.name[node]!]!)) {
      return node;
    }
  }
  return top;
}

// The part of a column that no child has: a node's own amount, and cut nodes.
function rests({ flame, parent }: Tree, column: readonly number[] | undefined): Float64Array {
  const rest = Float64Array.from(flame.level, (_, node) => column?.[node] ?? 0);
  for (let node = 1; node < rest.length; node++) {
    rest[parent[node]!]! -= column?.[node] ?? 0;
  }
  return rest;
}

// topOf are the frames that most counts for, by what went on below them, `most` of them; what nothing explains is none.
export function topOf(tree: Tree, most: number): Top[] {
  const { flame } = tree;
  const values = rests(tree, flame.value);
  const bases = rests(tree, flame.base_value);
  const tops = new Map<string, Top>();
  for (let node = 1; node < flame.level.length; node++) {
    const letter = flame.kinds[flame.name[node]!] ?? ".";
    if (letter === "-" || (values[node] === 0 && bases[node] === 0)) {
      continue;
    }
    const kind = letter === "." ? "c" : letter;
    const name = flame.names[flame.name[ownerOf(tree, node)]!]!;
    const top = tops.get(kind + name) ?? { name, kind, value: 0, base: 0 };
    top.value += values[node]!;
    top.base += bases[node]!;
    tops.set(kind + name, top);
  }
  const sorted = [...tops.values()].filter((top) => top.value > 0);
  return sorted.sort((a, b) => b.value - a.value || (a.name < b.name ? -1 : 1)).slice(0, most);
}
