// SPDX-License-Identifier: Apache-2.0
// table: rows of cells under a header; sorted by a click where a column says how. On a narrow screen a row of many
// columns is several lines: the first cell, and below it the others with the names of their columns.
import { useState } from "preact/hooks";
import { count } from "../base/format";
import { html } from "../base/html";
import type { Children } from "../base/html";

export interface Column<Row> {
  name: Children;
  cell: (row: Row) => Children;
  isNumber?: boolean; // to the right
  title?: string; // of the header
  sort?: (row: Row) => number | string; // numbers: the largest first; texts: in order
  className?: string; // of its cells
}

const BESIDE_MAX = 4; // columns, that a narrow screen has room for

interface Props<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  href?: (row: Row) => string; // the link of the row and of its first cell
  rowsMax?: number; // rows to show, first in order
  rowsFirst?: number; // rows to show before a click shows the others
  label: string; // the table's name, for screen readers
  className?: string; // of a table with the full width and columns side by side on every screen
}

function compare(a: number | string, b: number | string): number {
  return typeof a === "number" && typeof b === "number" ? b - a : String(a) < String(b) ? -1 : 1;
}

export function Table<Row>({
  columns,
  rows,
  rowKey,
  href,
  rowsMax,
  rowsFirst,
  label,
  className,
}: Props<Row>) {
  const [sorted, setSorted] = useState<number | null>(null);
  const by = sorted === null ? undefined : columns[sorted]?.sort;
  const ordered = by ? [...rows].sort((a, b) => compare(by(a), by(b))) : rows;
  const [isWhole, setIsWhole] = useState(false);
  const shown = ordered.slice(0, isWhole ? rowsMax : (rowsFirst ?? rowsMax));
  const left = Math.min(rows.length, rowsMax ?? Infinity) - shown.length;
  const header = (column: Column<Row>, index: number) => {
    const order = sorted !== index ? "none" : column.isNumber ? "descending" : "ascending";
    const name = column.sort
      ? html`<button class="plain" onClick=${() => setSorted(index)}>${column.name}</button>`
      : column.name;
    return html`<th
      class=${(column.isNumber ? "n " : "") + (column.sort ? "sort " : "") + (column.className ?? "")}
      title=${column.title}
      scope="col"
      aria-sort=${column.sort ? order : undefined}
    >
      ${name}
    </th>`;
  };
  const cell = (row: Row, column: Column<Row>, index: number) => {
    const content = column.cell(row);
    return html`<td
      class=${(column.isNumber ? "n " : "") + (column.className ?? "")}
      data-name=${index > 0 ? column.name : undefined}
    >
      ${href && index === 0 ? html`<a href=${href(row)}>${content}</a>` : content}
    </td>`;
  };
  const more =
    left > 0 &&
    rowsFirst !== undefined &&
    html`<button class="plain more" onClick=${() => setIsWhole(true)}>${count(left)} more</button>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${label}>
      <table class=${className ?? (columns.length > BESIDE_MAX ? "stacks" : "")}>
        <thead class=${columns.some((column) => column.sort) ? "sorts" : ""}>
          <tr>
            ${columns.map(header)}
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            (row) =>
              html`<tr key=${rowKey(row)} class=${href ? "opens" : ""}>
                ${columns.map((column, index) => cell(row, column, index))}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${more}`;
}
