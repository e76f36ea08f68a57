// SPDX-License-Identifier: Apache-2.0
// requests: the kept requests of a selection, or its kept contexts, in pages. A row opens one.
import { address, change } from "../base/address";
import { clock, day, rfc3339, zoneName } from "../base/clock";
import { count, duration, percent, typeName } from "../base/format";
import { html } from "../base/html";
import type { Children } from "../base/html";
import { unitHref } from "../base/links";
import type { Item, Pages } from "../base/pages";
import { parseBox } from "../base/selection";
import type { Contexts, Value } from "../base/shapes";
import { unitOf } from "../base/units";
import type { Unit } from "../base/units";
import { Downloads, Raw } from "./downloads";
import { Missing, Panel } from "./notice";
import { Table } from "./table";
import type { Column } from "./table";

const ATTRIBUTES = 12; // columns; a context of its own has all
const SORTS: Record<Unit, readonly [string, string][]> = {
  contexts: [
    ["duration", "slowest"],
    ["blocked", "longest blocked"],
    ["triggers", "most events"],
    ["start", "first"],
  ],
  requests: [
    ["duration", "slowest"],
    ["start", "first"],
  ],
};

// sortOf is the order that the address chooses.
export function sortOf(params: URLSearchParams, unit: Unit): string {
  const sort = params.get("sort");
  return SORTS[unit].some(([name]) => name === sort) ? sort! : SORTS[unit][0]![0];
}

interface Request {
  start: bigint; // ns since 1970
  recording: string;
  id: string;
  type: string;
  thread: string;
  duration: number; // ns
  blocked: number; // of contexts alone, and so is triggers
  triggers: number;
  queued: number; // of requests alone, and so is what follows
  elsewhere: number;
  parts: number;
  keptBy: string;
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
    queued: Number(values.queued),
    elsewhere: Number(values.elsewhere),
    parts: Number(values.parts),
    keptBy: text("kept_by"),
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

// The columns of contexts and of requests: before the attributes, and after them.
const BEFORE: Record<Unit, Column<Request>[]> = {
  contexts: [
    { name: "blocked", cell: (row) => html`<${Blocked} of=${row} />` },
    { name: "events", cell: (row) => count(row.triggers), isNumber: true },
  ],
  requests: [
    { name: "parts", title: "its contexts", cell: (row) => count(row.parts), isNumber: true },
  ],
};
const BEHIND: Record<Unit, Column<Request>> = {
  contexts: {
    name: "thread",
    cell: (row) => html`<span title=${row.thread}>${row.thread}</span>`,
    className: "dim cut",
  },
  requests: { name: "kept by", cell: (row) => row.keptBy, className: "dim" },
};

const zoneOf = (rows: readonly Request[]) => (rows[0] ? zoneName(rows[0].start) : "");

function columnsOf(
  rows: readonly Request[],
  instances: Map<string, string>,
  unit: Unit,
): Column<Request>[] {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row.attributes)))];
  const days = isSeveral(rows, (row) => day(row.start));
  const start = (row: Request) =>
    html`<span title=${rfc3339(row.start)}>
      ${days ? `${day(row.start).slice(5)} ` : ""}${clock(row.start)}
    </span>`;
  const waited = (name: "queued" | "elsewhere", title: string): [boolean, Column<Request>] => [
    rows.some((row) => row[name] > 0),
    {
      name,
      title,
      cell: (row) => (row[name] > 0 ? duration(row[name]) : ""),
      isNumber: true,
    },
  ];
  const optional: [boolean, Column<Request>][] = [
    waited("queued", "its tasks waited for a thread"),
    waited("elsewhere", "no thread worked for it"),
    [isSeveral(rows, (row) => row.type), { name: "type", cell: (row) => typeName(row.type) }],
    [
      isSeveral(rows, (row) => row.recording),
      { name: "JVM", cell: (row) => instances.get(row.recording) ?? row.recording.slice(0, 8) },
    ],
  ];
  return [
    { name: `start, ${zoneOf(rows)}`, cell: start },
    { name: "duration", cell: (row) => html`<b>${duration(row.duration)}</b>`, isNumber: true },
    ...BEFORE[unit],
    ...optional.flatMap(([isShown, column]) => (isShown ? [column] : [])),
    ...keys.slice(0, ATTRIBUTES).map((key) => ({
      name: key,
      cell: (row: Request) => attributeCell(row.attributes[key]),
      className: "cut",
    })),
    BEHIND[unit],
  ];
}

function attributeCell(value: Value | undefined): Children {
  if (value === undefined) {
    return "";
  }
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return html`<span title=${text}>${text}</span>`;
}

interface Props {
  pages: Pages<Contexts>;
  url: string; // of the first page
  query: URLSearchParams; // the selection
  instances: Map<string, string>; // by recording
  eventsHref: string;
}

function Sorts({ unit }: { unit: Unit }) {
  const sorts = SORTS[unit];
  const sort = sortOf(address.value.params, unit);
  const choose = (name: string) => change({ sort: name === sorts[0]![0] ? null : name });
  return html`<span class="tabs" role="group" aria-label="Order">
    ${sorts.map(
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
  const unit = unitOf(query) as Unit; // threads have no list
  const tools = html`<${Missing} of=${answer.data} />
    <${Sorts} unit=${unit} />
    <a href=${eventsHref}>events</a>
    <${Downloads} query=${query} value=${address.value.params.get("value") ?? undefined} />
    <${Raw} url=${url} />`;
  const hasBox = parseBox(address.value.params.get("box")) !== null;
  const began = (name: string) => clock(BigInt(query.get(name)!), 1e9);
  const note =
    answer.data &&
    `${count(rows.length)} of ${count(answer.data.matched)}` +
      (hasBox ? `, began ${began("from")} to ${began("to")}` : "");
  return html`<${Panel}
    title=${`Kept ${unit}`}
    note=${note}
    tools=${tools}
    answer=${answer}
    className="requests"
  >
    ${
      rows.length > 0 &&
      html`<${Table}
        label=${`Kept ${unit}`}
        columns=${columnsOf(rows, instances, unit)}
        rows=${rows}
        rowKey=${(row: Request) => row.recording + row.id}
        href=${(row: Request) => unitHref(unit, row.recording, row.id, row.start)}
      />`
    }
    ${more && html`<p><button onClick=${more}>more</button></p>`}
  <//>`;
}
