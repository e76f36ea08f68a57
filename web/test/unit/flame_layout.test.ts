// SPDX-License-Identifier: Apache-2.0
// The layout of flame graphs, compared with recursion over random trees.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Flame } from "../../src/base/shapes";
import * as layout from "../../src/parts/flame/layout";

interface Node {
  name: number;
  self: number;
  baseSelf: number;
  children: Node[];
}

const NAMES = ["all", "shop.A.a", "shop.B.b", "java.lang.Thread.run", "shop.A.c", "[lock]"];

// random is the same sequence in each run, from 0 to below 1.
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function grow(next: () => number, depth: number): Node {
  const children = depth > 0 ? Array.from({ length: Math.floor(next() * 4) }) : [];
  return {
    name: 1 + Math.floor(next() * (NAMES.length - 1)),
    self: Math.floor(next() * 50),
    baseSelf: Math.floor(next() * 50),
    children: children.map(() => grow(next, depth - 1)),
  };
}

function sum(node: Node, of: (node: Node) => number): number {
  return of(node) + node.children.reduce((all, child) => all + sum(child, of), 0);
}

const valueOf = (node: Node) => sum(node, ({ self }) => self);
const baseOf = (node: Node) => sum(node, ({ baseSelf }) => baseSelf);

function flameOf(root: Node): { flame: Flame; nodes: Node[] } {
  const nodes: Node[] = [];
  const level: number[] = [];
  const visit = (node: Node, depth: number): void => {
    nodes.push(node);
    level.push(depth);
    node.children.forEach((child) => visit(child, depth + 1));
  };
  visit({ ...root, name: 0 }, 0);
  const flame: Flame = {
    of: "time",
    unit: "ns",
    requests: 4,
    total: valueOf(root),
    per_request: valueOf(root) / 4,
    of_kind: {},
    names: NAMES,
    kinds: ".....l",
    level,
    name: nodes.map(({ name }) => name),
    value: nodes.map(valueOf),
    self: nodes.map(({ self }) => self),
    base_requests: 2,
    base_total: baseOf(root),
    base_value: nodes.map(baseOf),
    base_self: nodes.map(({ baseSelf }) => baseSelf),
    cut: { nodes: 0, value: 0 },
    is_truncated: false,
  };
  return { flame, nodes };
}

const SEEDS = Array.from({ length: 50 }, (_, seed) => seed + 1);

function each(what: (flame: Flame, nodes: Node[], next: () => number) => void): void {
  for (const seed of SEEDS) {
    const next = random(seed);
    const { flame, nodes } = flameOf(grow(next, 7));
    what(flame, nodes, next);
  }
}

test("nodes are in those that called them, side by side, as wide as their amounts", () => {
  each((flame, nodes) => {
    const tree = layout.treeOf(flame);
    const visit = (node: Node, left: number): void => {
      const index = nodes.indexOf(node);
      assert.equal(tree.start[index], left);
      assert.equal(
        tree.end[index]! - index,
        sum(node, () => 1),
      );
      let at = left;
      for (const child of node.children) {
        assert.equal(tree.parent[nodes.indexOf(child)], index);
        visit(child, at);
        at += valueOf(child);
      }
      assert.ok(at <= left + valueOf(node));
    };
    visit(nodes[0]!, 0);
  });
});

test("what is seen of a zoomed node is what a recursion places, and callers are as wide as all", () => {
  const width = 400;
  each((flame, nodes, next) => {
    const tree = layout.treeOf(flame);
    const zoom = Math.floor(next() * nodes.length);
    if (flame.value[zoom] === 0) {
      return;
    }
    const placed = new Map(
      layout.place(tree, zoom, width, 0, 100).map((one) => [one.node, one] as const),
    );
    for (const node of layout.ancestors(tree, zoom)) {
      assert.deepEqual(placed.get(node), { node, x: 0, width, row: flame.level[node] });
      placed.delete(node);
    }
    const visit = (node: Node, left: number): void => {
      const index = nodes.indexOf(node);
      const wide = (width * valueOf(node)) / flame.value[zoom]!;
      const one = placed.get(index);
      if (wide >= 1 && index !== zoom) {
        assert.ok(Math.abs(one!.x - left) < 1e-6 && Math.abs(one!.width - wide) < 1e-6);
        assert.equal(layout.nodeAt(tree, zoom, width, left + wide / 2, one!.row), index);
      }
      placed.delete(index);
      let at = left;
      for (const child of node.children) {
        visit(child, at);
        at += (width * valueOf(child)) / flame.value[zoom]!;
      }
    };
    visit(nodes[zoom]!, 0);
    assert.equal(placed.size, 0);
  });
});

test("of nodes under a pixel there is one for each pixel", () => {
  const children = Array.from({ length: 1000 }, () => 1);
  const { flame } = flameOf({
    name: 0,
    self: 0,
    baseSelf: 0,
    children: children.map((self) => ({ name: 1, self, baseSelf: 0, children: [] })),
  });
  const placed = layout.place(layout.treeOf(flame), 0, 100, 0, 9).slice(1);
  assert.deepEqual(
    placed.map(({ x, width }) => [x, width]),
    Array.from({ length: 100 }, (_, x) => [x, 1]),
  );
});

test("rows that are not seen have no boxes", () => {
  each((flame) => {
    const rows = layout.place(layout.treeOf(flame), 0, 400, 2, 4).map(({ row }) => row);
    assert.ok(rows.every((row) => row === 2 || row === 3));
  });
});

test("what a search finds counts once where it calls itself", () => {
  const weigh = (node: Node): number =>
    NAMES[node.name]!.includes("shop.A")
      ? valueOf(node)
      : node.children.reduce((all, child) => all + weigh(child), 0);
  each((flame, nodes) => {
    const found = layout.find(layout.treeOf(flame), layout.matcherOf("/SHOP\\.a/")!);
    assert.equal(found.weight, weigh(nodes[0]!));
    assert.deepEqual([...found.names], [0, 1, 0, 0, 1, 0]);
  });
});

test("a search is a text or an expression", () => {
  assert.ok(layout.matcherOf("b.B")!("shop.b.B.run"));
  assert.ok(!layout.matcherOf("b.B")!("shop.bxB.run"));
  assert.ok(layout.matcherOf("/b.B/")!("shop.bxb.run"));
  assert.equal(layout.matcherOf("/(/"), null);
});

test("frames have their sums, recursion once", () => {
  const totalOf = (node: Node, name: number, of: (node: Node) => number): number =>
    node.name === name
      ? sum(node, of)
      : node.children.reduce((all, child) => all + totalOf(child, name, of), 0);
  each((flame, nodes) => {
    for (const frame of layout.framesOf(layout.treeOf(flame))) {
      const name = NAMES.indexOf(frame.name);
      const root = nodes[0]!;
      const own = (of: (node: Node) => number) =>
        sum(root, (one) => (one.name === name ? of(one) : 0));
      assert.deepEqual(frame, {
        name: frame.name,
        kind: flame.kinds[name],
        self: own(({ self }) => self),
        total: totalOf(root, name, ({ self }) => self),
        baseSelf: own(({ baseSelf }) => baseSelf),
        baseTotal: totalOf(root, name, ({ baseSelf }) => baseSelf),
      });
    }
  });
});

test("a node is found again by its path, also where amounts have changed their order", () => {
  const leaf = (name: number, self: number): Node => ({ name, self, baseSelf: 0, children: [] });
  const call = (name: number, children: Node[]): Node => ({ name, self: 0, baseSelf: 0, children });
  const before = flameOf(call(0, [call(1, [leaf(2, 9), leaf(4, 5)]), leaf(2, 1)]));
  const after = flameOf(call(0, [leaf(2, 30), call(1, [leaf(4, 8), leaf(2, 3)])]));
  const path = layout.pathOf(layout.treeOf(before.flame), 3);
  assert.equal(layout.nodeOf(layout.treeOf(before.flame), path), 3);
  assert.equal(layout.nodeOf(layout.treeOf(after.flame), path), 3);
  assert.equal(layout.pathOf(layout.treeOf(before.flame), 0), "");
  const gone = flameOf(call(0, [call(1, [leaf(2, 9)])]));
  assert.equal(layout.nodeOf(layout.treeOf(gone.flame), path), 1); // what called it
});

test("differences are of a request, and a share of what a request has", () => {
  const { flame } = flameOf({
    name: 0,
    self: 0,
    baseSelf: 0,
    children: [
      { name: 1, self: 300, baseSelf: 10, children: [] },
      { name: 2, self: 100, baseSelf: 70, children: [] },
    ],
  });
  // 4 requests of 100 each; in the base 2 of 40 each.
  assert.equal(layout.difference(flame, 1), (75 - 5) / 100);
  assert.equal(layout.difference(flame, 2), (25 - 35) / 100);
});

test("arrow keys lead to what is called, what calls, and what is beside", () => {
  const leaf = (name: number, self: number): Node => ({ name, self, baseSelf: 0, children: [] });
  const { flame } = flameOf({
    name: 0,
    self: 0,
    baseSelf: 0,
    children: [
      { name: 1, self: 1, baseSelf: 0, children: [leaf(2, 5)] }, // 1, 2
      leaf(2, 0), // 3: not seen
      { name: 4, self: 1, baseSelf: 0, children: [leaf(5, 2)] }, // 4, 5
    ],
  });
  const tree = layout.treeOf(flame);
  const moved = (node: number, key: string, zoom = 0) => layout.move(tree, zoom, node, key);
  assert.equal(moved(0, "ArrowDown"), 1);
  assert.equal(moved(2, "ArrowDown"), 2);
  assert.equal(moved(1, "ArrowUp"), 0);
  assert.equal(moved(0, "ArrowUp"), 0);
  assert.equal(moved(1, "ArrowRight"), 4);
  assert.equal(moved(4, "ArrowLeft"), 1);
  assert.equal(moved(2, "ArrowRight"), 5);
  assert.equal(moved(4, "ArrowRight"), 4);
  assert.equal(moved(4, "ArrowLeft", 4), 4); // beside it nothing is seen
  assert.equal(moved(0, "ArrowDown", 5), 4); // from a caller towards what is zoomed
});

test("the top frames are those that are not the JDK's, by what went on below them", () => {
  const leaf = (name: number, self: number): Node => ({ name, self, baseSelf: 1, children: [] });
  const { flame } = flameOf({
    name: 0,
    self: 0,
    baseSelf: 0,
    children: [
      // shop.A.a: 3 of its own, 20 in the JDK below it, 7 waiting for a lock in the JDK
      {
        name: 1,
        self: 3,
        baseSelf: 0,
        children: [{ name: 3, self: 20, baseSelf: 0, children: [leaf(5, 7)] }],
      },
      leaf(3, 4), // nothing but the JDK
      leaf(5, 2), // no stack trace
    ],
  });
  assert.deepEqual(layout.topOf(layout.treeOf(flame), 3), [
    { name: "shop.A.a", kind: "c", value: 23, base: 0 },
    { name: "shop.A.a", kind: "l", value: 7, base: 1 },
    { name: "java.lang.Thread.run", kind: "c", value: 4, base: 1 },
  ]);
});
