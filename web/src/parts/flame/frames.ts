// SPDX-License-Identifier: Apache-2.0
// frames: the frames of a flame graph as tables: all frames, and the largest few.
import { useMemo } from "preact/hooks";
import { address, change } from "../../base/address";
import type { Answer } from "../../base/answers";
import { amount, methodName, percent } from "../../base/format";
import { html } from "../../base/html";
import { categoryOf, kindOfLetter } from "../../base/kinds";
import { isNarrow } from "../../base/narrow";
import type { Flame } from "../../base/shapes";
import { Dot } from "../bars";
import { Cut } from "../cut";
import { Raw } from "../downloads";
import { Missing, Panel } from "../notice";
import { Table } from "../table";
import type { Column } from "../table";
import { framesOf, topOf, treeOf } from "./layout";
import type { Frame, Matcher, Top, Tree } from "./layout";

const ROWS_MAX = 500; // of a table
const ROWS_NARROW = 15; // at first, where it takes the place of the graph

function columnsOf(flame: Flame): Column<Frame>[] {
  const { unit, total, requests, base_requests } = flame;
  const each = (value: number) => amount(value / Math.max(1, requests), unit);
  const name = (frame: Frame) =>
    html`<button
      class=${isNarrow.value ? "plain dotted" : "plain"}
      title="${frame.name}: find it in the graph"
      onClick=${() => change({ find: frame.name, flame: isNarrow.value ? "graph" : null, zoom: null })}
    >
      <${KindDot} kind=${frame.kind} />${
        isNarrow.value ? html`<${Cut} name=${methodName(frame.name)} />` : frame.name
      }
    </button>`;
  const number = (
    title: string,
    value: (frame: Frame) => number,
    text = (frame: Frame) => each(value(frame)),
  ): Column<Frame> => ({ name: title, cell: text, isNumber: true, sort: value });
  const share = (frame: Frame) => percent(total > 0 ? frame.total / total : 0);
  const base = (value: number) => amount(value / Math.max(1, base_requests ?? 0), unit);
  const columns: Column<Frame>[] = [
    { name: "frame", cell: name, sort: (frame) => frame.name, className: "name" },
    number("own, each", (frame) => frame.self),
    number("total, each", (frame) => frame.total),
    ...(isNarrow.value ? [] : [number("share", (frame) => frame.total, share)]),
  ];
  return flame.base_value === undefined
    ? columns
    : columns.concat(
        number(
          "base own",
          (frame) => frame.baseSelf,
          (frame) => base(frame.baseSelf),
        ),
        number(
          "base total",
          (frame) => frame.baseTotal,
          (frame) => base(frame.baseTotal),
        ),
      );
}

function KindDot({ kind }: { kind: string }) {
  const token = kindOfLetter(kind)?.token ?? "frame-root";
  return html`<span class="dot" style=${{ background: `var(--${token})` }}></span>`;
}

// FramesTable lists frames, the largest own share first; during a search, only the matches.
export function FramesTable({ tree, matches }: { tree: Tree; matches: Matcher | null }) {
  const frames = framesOf(tree).filter((frame) => !matches || matches(frame.name));
  frames.sort((a, b) => b.self - a.self || b.total - a.total);
  return html`<div class="frames">
    <${Table}
      label="Frames"
      columns=${columnsOf(tree.flame)}
      rows=${frames}
      rowsMax=${ROWS_MAX}
      rowsFirst=${isNarrow.value ? ROWS_NARROW : undefined}
      rowKey=${(frame: Frame) => frame.name}
    />
  </div>`;
}

const TOP_FRAMES = 8;

interface TopProps {
  url: string;
  answer: Answer<Flame>; // the flame graph of time that they are read off
}

// frameText is a regular expression for a name, as the API knows them.
export function frameText(name: string): string {
  return name.replace(/[.*+?^$(){}|[\]\\]/g, "\\$&");
}

// TopFrames are the frames of the code under test with most time of a request; a click shows stack traces with one.
export function TopFrames({ url, answer }: TopProps) {
  const { data } = answer;
  const tops = useMemo(
    () => (data && data.requests > 0 ? topOf(treeOf(data), TOP_FRAMES) : []),
    [data],
  );
  const chosen = address.value.params.get("frame");
  const each = (value: number, requests = 0) => amount(value / Math.max(1, requests), "ns");
  const row = (top: Top) => {
    const frame = frameText(top.name);
    return html`<tr key=${top.name + top.kind}>
      <td class="name">
        <button
          class="plain dotted"
          aria-pressed=${chosen === frame ? "true" : "false"}
          onClick=${() => change({ frame: chosen === frame ? null : frame, zoom: null })}
        >
          <${Dot} category=${categoryOf(top.kind)} /><${Cut}
            name=${methodName(top.name)}
            title=${top.name}
          />
        </button>
      </td>
      <td class="n">${each(top.value, data?.requests)}</td>
      ${data?.base_value && html`<td class="n dim">${each(top.base, data.base_requests)}</td>`}
      <td class="n dim">${percent(top.value / Math.max(1, data?.total ?? 0))}</td>
    </tr>`;
  };
  const tools = html`<${Missing} of=${data} /><${Raw} url=${url} />`;
  return html`<${Panel} title="Top frames" tools=${tools} answer=${answer} className="top-frames">
    ${
      tops.length > 0 &&
      html`<table>
        <thead>
          <tr>
            <th scope="col" class="name">frame</th>
            <th scope="col" class="n">each</th>
            ${data?.base_value && html`<th scope="col" class="n">base</th>`}
            <th scope="col" class="n">share</th>
          </tr>
        </thead>
        <tbody>
          ${tops.map(row)}
        </tbody>
      </table>`
    }
  <//>`;
}
