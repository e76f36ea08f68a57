// SPDX-License-Identifier: Apache-2.0
// requests: the kept contexts of a selection, in pages. A row opens its context.
import { address, change } from "../base/address";
import { clock, count, day, duration, percent, rfc3339, typeName } from "../base/format";
import { html } from "../base/html";
import type { Children } from "../base/html";
import { contextHref } from "../base/links";
import type { Item, Pages } from "../base/pages";
import { begunIn, parseBox } from "../base/selection";
import type { Contexts, Value } from "../base/shapes";
import { Downloads, Raw } from "./downloads";
import { Missing, Panel } from "./notice";
import { Table } from "./table";
import type { Column } from "./table";

const ATTRIBUTES = 12; // columns; a context of its own has all
const SORTS: readonly [string, string][] = [
  ["duration", "slowest"],
  ["blocked", "longest blocked"],
  ["triggers", "most events"],
  ["start", "first"],
];

// sortOf is the order that the address chooses.
export function sortOf(params: URLSearchParams): string {
  const sort = params.get("sort");
  return SORTS.some(([name]) => name === sort) ? sort! : SORTS[0]![0];
}

interface Request {
  start: bigint; // ns since 1970
  recording: string;
  id: string;
  type: string;
  thread: string;
  duration: number; // ns
  blocked: number;
  triggers: number;
  attributes: Record<string, Value>;
}

function requestOf({ start, values }: Item): Request {
  const text = (name: string) => String(values[name] ?? "");
  const attributes = Object.entries(values)
    .filter(([name, value]) => name.startsWith("attr.") && value !== null)
    .map(([name, value]) => [name.slice(5), value]);
  return {
    start,
    recording: text("recording"),
    id: text("id"),
    type: text("type"),
    thread: text("thread"),
    duration: Number(values.duration),
    blocked: Number(values.blocked),
    triggers: Number(values.triggers),
    attributes: Object.fromEntries(attributes),
  };
}

function Blocked({ of: { blocked, duration: whole } }: { of: Request }) {
  const share = whole > 0 ? blocked / whole : 0;
  const title = `blocked ${duration(blocked)}, ${percent(share)}`;
  return html`<div class="stack" title=${title} role="img" aria-label=${title}>
    <div style=${{ width: `${share * 100}%` }}></div>
  </div>`;
}

const isSeveral = (rows: readonly Request[], of: (row: Request) => string) =>
  new Set(rows.map(of)).size > 1;

function columnsOf(rows: readonly Request[], instances: Map<string, string>): Column<Request>[] {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row.attributes)))];
  const days = isSeveral(rows, (row) => day(row.start));
  const start = (row: Request) =>
    html`<span title=${rfc3339(row.start)}>
      ${days ? `${day(row.start).slice(5)} ` : ""}${clock(row.start)}
    </span>`;
  const optional: [boolean, Column<Request>][] = [
    [isSeveral(rows, (row) => row.type), { name: "type", cell: (row) => typeName(row.type) }],
    [
      isSeveral(rows, (row) => row.recording),
      { name: "JVM", cell: (row) => instances.get(row.recording) ?? row.recording.slice(0, 8) },
    ],
  ];
  return [
    { name: "start", cell: start },
    { name: "duration", cell: (row) => html`<b>${duration(row.duration)}</b>`, isNumber: true },
    { name: "blocked", cell: (row) => html`<${Blocked} of=${row} />` },
    { name: "events", cell: (row) => count(row.triggers), isNumber: true },
    ...optional.flatMap(([isShown, column]) => (isShown ? [column] : [])),
    ...keys.slice(0, ATTRIBUTES).map((key) => ({
      name: key,
      cell: (row: Request) => attributeCell(row.attributes[key]),
      className: "cut",
    })),
    {
      name: "thread",
      cell: (row) => html`<span title=${row.thread}>${row.thread}</span>`,
      className: "dim cut",
    },
  ];
}

function attributeCell(value: Value | undefined): Children {
  const text =
    value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
  return html`<span title=${text}>${text}</span>`;
}

interface Props {
  pages: Pages<Contexts>;
  url: string; // of the first page
  query: URLSearchParams; // the selection
  instances: Map<string, string>; // by recording
  eventsHref: string;
}

function Sorts() {
  const sort = sortOf(address.value.params);
  const choose = (name: string) => change({ sort: name === SORTS[0]![0] ? null : name });
  return html`<span class="tabs" role="group" aria-label="Order">
    ${SORTS.map(
      ([name, text]) =>
        html`<button
          key=${name}
          aria-pressed=${sort === name ? "true" : "false"}
          onClick=${() => choose(name)}
        >
          ${text}
        </button>`,
    )}
  </span>`;
}

export function RequestsPanel({ pages, url, query, instances, eventsHref }: Props) {
  const { answer, items, more } = pages;
  const rows = items.map(requestOf);
  const tools = html`<${Missing} of=${answer.data} />
    <${Sorts} />
    <a href=${eventsHref}>events</a>
    <${Downloads} query=${query} value=${address.value.params.get("value") ?? undefined} />
    <${Raw} url=${url} />`;
  const box = parseBox(address.value.params.get("box"));
  const began = box && begunIn(box);
  const note =
    answer.data &&
    `${count(rows.length)} of ${count(answer.data.matched)}` +
      (began ? `, began ${clock(began.from, 1e9)} to ${clock(began.to, 1e9)}` : "");
  return html`<${Panel}
    title="Kept contexts"
    note=${note}
    tools=${tools}
    answer=${answer}
    className="requests"
  >
    ${
      rows.length > 0 &&
      html`<${Table}
        label="Kept contexts"
        columns=${columnsOf(rows, instances)}
        rows=${rows}
        rowKey=${(row: Request) => row.recording + row.id}
        href=${(row: Request) => contextHref(row.recording, row.id, row.start)}
      />`
    }
    ${more && html`<p><button onClick=${more}>more</button></p>`}
  <//>`;
}
