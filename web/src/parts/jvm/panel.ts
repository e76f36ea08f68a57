// SPDX-License-Identifier: Apache-2.0
// panel: heap, GC, CPU and threads of JVMs over the time, as they say themselves.
import { useMemo, useRef, useState } from "preact/hooks";
import type { Answer } from "../../base/answers";
import { clock } from "../../base/clock";
import { count } from "../../base/format";
import { html } from "../../base/html";
import type { Jvm, JvmLine } from "../../base/shapes";
import { useDrawing, useSize } from "../canvas";
import { Raw } from "../downloads";
import { Missing, Notice, Panel } from "../notice";
import { Table } from "../table";
import type { Column } from "../table";
import { Tip } from "../tip";
import type { Point } from "../tip";
import { CHARTS, lineName, linesOf, pointAt, sumOf, valueText } from "./layout";
import { HEIGHT, columnAt, paintJvm } from "./paint";
import "./jvm.css";

interface Hover {
  column: number;
  at: Point;
}

// ColumnTip shows the values of the lines in a column.
function ColumnTip({ data, hover }: { data: Jvm; hover: Hover }) {
  const from = BigInt(data.t0_ns) + BigInt(hover.column) * BigInt(data.step_ns);
  const rows = CHARTS.flatMap((chart) => linesOf(data, chart)).map(({ line, token }) => {
    const point = pointAt(line, hover.column);
    const [, events, least, mean, most] = point ?? [0, 0, 0, 0, 0];
    return html`<tr key=${line.line}>
      <th scope="row">
        <span class="dot" style=${{ background: `var(--${token})` }}></span>${lineName(line)}
      </th>
      <td class="n"><b>${point ? valueText(line, mean) : "-"}</b></td>
      <td class="n dim">
        ${events > 1 && `${valueText(line, least)} to ${valueText(line, most)}`}
      </td>
    </tr>`;
  });
  return html`<${Tip} at=${hover.at}>
    <b>${clock(from, 1e9)}</b>
    <table>
      ${rows}
    </table>
  <//>`;
}

function Chart({ data }: { data: Jvm }) {
  const ref = useRef<HTMLCanvasElement>(null);
  const size = useSize(ref);
  const [hover, setHover] = useState<Hover | null>(null);
  const draw = (to: CanvasRenderingContext2D) =>
    paintJvm(to, data, size.width, hover?.column ?? null);
  useDrawing(ref, size, draw, [data, hover?.column]);
  const point = (event: PointerEvent) => {
    const { clientX, clientY } = event;
    const left = ref.current!.getBoundingClientRect().left;
    const column = columnAt(data, size.width, clientX - left);
    setHover(column === null ? null : { column, at: { clientX, clientY } });
  };
  return html`<canvas
      ref=${ref}
      style=${{ height: `${HEIGHT}px` }}
      role="img"
      aria-label="Heap, GC pauses, CPU and threads over the time; the table below has the same"
      onPointerMove=${point}
      onPointerLeave=${() => setHover(null)}
    ></canvas>
    ${hover && html`<${ColumnTip} data=${data} hover=${hover} />`}`;
}

const number = (
  name: string,
  value: (sum: NonNullable<ReturnType<typeof sumOf>>) => number,
): Column<JvmLine> => ({
  name,
  isNumber: true,
  cell: (line) => {
    const sum = sumOf(line);
    return sum ? valueText(line, value(sum)) : html`<span class="dim">-</span>`;
  },
});

const COLUMNS: Column<JvmLine>[] = [
  { name: "line", cell: (line) => lineName(line) },
  number("least", (sum) => sum.least),
  number("mean", (sum) => sum.mean),
  number("most", (sum) => sum.most),
  {
    name: "events",
    isNumber: true,
    cell: (line) => html`<span title=${line.event}>${count(sumOf(line)?.count ?? 0)}</span>`,
  },
];

// The same in numbers, made when somebody opens it.
function AsTable({ data }: { data: Jvm }) {
  const [isOpen, setIsOpen] = useState(false);
  return html`<details
    class="as-table"
    onToggle=${(event: Event) => setIsOpen((event.currentTarget as HTMLDetailsElement).open)}
  >
    <summary>as a table</summary>
    ${
      isOpen &&
      html`<${Table}
        label="Lines of the JVM"
        columns=${COLUMNS}
        rows=${data.lines}
        rowKey=${(line: JvmLine) => line.line}
      />`
    }
  </details>`;
}

function note({ chunks: { read, all }, jvms }: Jvm): string {
  return read < all
    ? `by ${count(read)} of ${count(all)} chunks, evenly: short pauses may be missing`
    : jvms.length > 1
      ? "from JFR events of all selected JVMs"
      : "from JFR events of the JVM";
}

interface Props {
  answer: Answer<Jvm>;
  url: string;
  onClose?: () => void; // there is a way to close it
}

export function JvmPanel({ answer, url, onClose }: Props) {
  const { data } = answer;
  const isEmpty = data !== null && data.lines.every(({ points }) => points.length === 0);
  const lacks = data && {
    ...data,
    is_truncated: data.is_truncated && data.chunks.read === data.chunks.all,
  };
  const tools = html`<${Missing} of=${lacks} />${
      onClose && html`<button class="plain" onClick=${onClose}>close</button>`
    }<${Raw} url=${url} />`;
  const table = useMemo(() => data && html`<${AsTable} data=${data} />`, [data]);
  return html`<${Panel}
    title="JVM"
    note=${data && note(data)}
    tools=${tools}
    answer=${answer}
    className="jvm-panel"
  >
    ${data?.chunks.all === 0 && html`<${Notice} title="No chunk is stored for this time range" />`}
    ${
      isEmpty &&
      data.chunks.all > 0 &&
      html`<${Notice} title="No JVM metrics in this time range">
        Events such as jdk.GCHeapSummary and jdk.CPULoad are not recorded, or not kept.
      <//>`
    }
    ${data && !isEmpty && html`<${Chart} data=${data} />${table}`}
  <//>`;
}
