// SPDX-License-Identifier: Apache-2.0
// flame: the flame graph, root on top. A click or Enter zooms to a frame, Escape shows all, Backspace shows the
// caller. Arrow keys move among frames; a screen reader hears the frame.
import { useCallback, useMemo, useState } from "preact/hooks";
import { amount, percent } from "../../base/format";
import { html } from "../../base/html";
import type { Flame } from "../../base/shapes";
import { scheme } from "../../base/theme";
import { Pane } from "../pane";
import type { Draw, Spot } from "../pane";
import { Tip } from "../tip";
import type { Point } from "../tip";
import { move, nodeAt, nodeOf, pathOf, place } from "./layout";
import type { Found, Tree } from "./layout";
import { ROW, paintFrames, shadesOf } from "./paint";

const ROWS_MAX = 24; // that are seen at a time
const CALLERS_SEEN = 3; // above the frame that is zoomed to, where not all fit

interface Props {
  tree: Tree;
  zoom: number; // a node
  found: Found | null;
  onZoom: (node: number) => void;
}

const share = (part: number, whole: number) => percent(whole > 0 ? part / whole : 0);

// said is a frame in a sentence.
function said({ names, name, value, self, total, unit, requests }: Flame, node: number): string {
  const each = amount(value[node]! / Math.max(1, requests), unit);
  const own = amount(self[node]! / Math.max(1, requests), unit);
  return `${names[name[node]!]}, ${share(value[node]!, total)}, ${each} each, own ${own}`;
}

interface Amounts {
  name: string;
  total: number;
  self: number;
  requests: number;
  whole: number;
}

function amountsOf(flame: Flame, node: number): Amounts[] {
  const { value, self, requests, total, base_value, base_self, base_requests, base_total } = flame;
  const own = { name: "", total: value[node]!, self: self[node]!, requests, whole: total };
  if (!base_value || !base_self) {
    return [own];
  }
  const base = {
    name: "base",
    total: base_value[node]!,
    self: base_self[node]!,
    requests: base_requests ?? 0,
    whole: base_total ?? 0,
  };
  return [{ ...own, name: "selection" }, base];
}

// Facts are a frame's amounts: with all below, and its own.
function Facts({ tree, node, zoom }: { tree: Tree; node: number; zoom: number }) {
  const { flame } = tree;
  const { unit, names, name, value } = flame;
  const sides = amountsOf(flame, node);
  const row = (title: string, part: (side: Amounts) => number) =>
    html`<tr>
      <th scope="row">${title}</th>
      ${sides.map(
        (side) =>
          html`<td class="n"><b>${amount(part(side) / Math.max(1, side.requests), unit)}</b></td>
            <td class="n">${share(part(side), side.whole)}</td>
            <td class="n dim">${amount(part(side), unit)}</td>`,
      )}
    </tr>`;
  return html`<b>${names[name[node]!]}</b>
    <table>
      ${
        sides.length > 1 &&
        html`<tr>
          <th></th>
          ${sides.map((side) => html`<th colspan="3" class="n">${side.name}</th>`)}
        </tr>`
      }
      <tr>
        <th></th>
        ${sides.map(
          () =>
            html`<th class="n">each</th>
              <th class="n">share</th>
              <th class="n">in all</th>`,
        )}
      </tr>
      ${row("total", (side) => side.total)} ${row("own", (side) => side.self)}
    </table>
    ${zoom > 0 && html`<div class="dim">${share(value[node]!, value[zoom]!)} of ${names[name[zoom]!]}</div>`}`;
}

export function FlameGraph({ tree, zoom, found, onZoom }: Props) {
  const { flame } = tree;
  const [pointed, setPointed] = useState<{ node: number; at: Point } | null>(null);
  const [path, setPath] = useState<string | null>(null); // of the cursor, so that a newer answer has it, too
  const cursor = useMemo(() => (path === null ? -1 : nodeOf(tree, path)), [tree, path]);
  const hovered = pointed?.node ?? -1;
  const shades = useMemo(() => shadesOf(flame), [flame, scheme.value]);
  const draw = useCallback<Draw>(
    (context, { width, top, height }) => {
      const first = Math.floor(top / ROW);
      const placed = place(tree, zoom, width, first, Math.ceil((top + height) / ROW));
      const marks = [cursor, hovered];
      paintFrames(context, { flame, shades, zoom, found, marks }, placed, top);
    },
    [tree, zoom, found, cursor, hovered, shades],
  );
  const nodeOn = ({ x, y, width }: Spot) => nodeAt(tree, zoom, width, x, Math.floor(y / ROW));
  const point = (spot: Spot) => {
    const node = nodeOn(spot);
    const { clientX, clientY } = spot.event;
    setPointed(node < 0 ? null : { node, at: { clientX, clientY } });
  };
  const open = (spot: Spot) => {
    const node = nodeOn(spot);
    if (node >= 0 && spot.event.button === 0) {
      onZoom(node);
    }
  };
  const go = (event: KeyboardEvent) => {
    const from = cursor < 0 ? zoom : cursor;
    if (event.key.startsWith("Arrow")) {
      const node = cursor < 0 ? zoom : move(tree, zoom, from, event.key);
      setPath(pathOf(tree, node));
      setPointed(null);
    } else if (event.key === "Enter") {
      onZoom(from);
    } else if (event.key === "Escape") {
      onZoom(0);
    } else if (event.key === "Backspace") {
      onZoom(Math.max(0, tree.parent[zoom]!));
    } else {
      return;
    }
    event.preventDefault();
  };
  const seen = cursor >= 0 ? cursor : zoom;
  const level = flame.level[seen]!;
  const reveal = [Math.max(0, level - CALLERS_SEEN) * ROW, (level + 1) * ROW] as const;
  return html`<${Pane}
      label="Flame graph. Arrow keys move, Enter zooms, Escape shows all"
      height=${tree.depth * ROW}
      heightMax=${ROWS_MAX * ROW}
      draw=${draw}
      reveal=${reveal}
      onPoint=${point}
      onUp=${open}
      onLeave=${() => setPointed(null)}
      onKey=${go}
    />
    <div class="seen-by-readers" aria-live="polite">${cursor >= 0 && said(flame, cursor)}</div>
    ${pointed && html`<${Tip} at=${pointed.at}><${Facts} tree=${tree} node=${pointed.node} zoom=${zoom} /><//>`}`;
}
