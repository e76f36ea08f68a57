// SPDX-License-Identifier: Apache-2.0
// events (S5): types of contexts, the values that they have, the events in them; and events in none.
// The address chooses: context, `key` (whose values are shown), where, event.
import { address, change, hrefWith } from "../base/address";
import { useAnswer } from "../base/answers";
import { count, duration } from "../base/format";
import { html } from "../base/html";
import { kindOfType } from "../base/kinds";
import { contextHref } from "../base/links";
import { isNarrow } from "../base/narrow";
import { usePages } from "../base/pages";
import { now, range } from "../base/range";
import { apiUrl, selectionOf } from "../base/selection";
import type {
  Attributes,
  ContextAttribute,
  ContextType,
  ContextTypes,
  EventType,
  EventTypes,
  Listing,
} from "../base/shapes";
import { Dot } from "../parts/bars";
import { Conditions } from "../parts/conditions";
import { Raw } from "../parts/downloads";
import { EventTable } from "../parts/event_table";
import { NoJvm } from "../parts/no_jvm";
import { Missing, Notice, Panel } from "../parts/notice";
import { Shell } from "../parts/shell";
import { Table } from "../parts/table";

const TYPES_FIRST = 15; // of events, those with most
const PAGE = 100; // events in the list at first, and more for each "more"
const PAGE_NARROW = 20; // the same where each takes several lines

const time = (ns: number | null) => (ns === null ? "" : duration(ns));
const isChosen = (name: string, value: string) => address.value.params.getAll(name).includes(value);

// A value that is chosen with a click, and no longer with the next.
function Choice({ href, on, name }: { href: string; on: boolean; name: string }) {
  return html`<a
    href=${href}
    class=${on ? "on" : ""}
    aria-current=${on ? "true" : undefined}
    title=${name}
    >${name}</a
  >`;
}

function Types({ types }: { types: readonly ContextType[] }) {
  const href = (type: string) =>
    hrefWith({
      context: isChosen("context", type) ? null : type,
      key: null,
      where: null,
      event: null,
    });
  return html`<${Table}
    label="Types of contexts"
    rows=${types}
    rowKey=${(one: ContextType) => one.type}
    columns=${[
      {
        name: "type",
        cell: ({ type }: ContextType) =>
          html`<${Choice} href=${href(type)} on=${isChosen("context", type)} name=${type} />`,
        className: "name",
      },
      { name: "all", cell: (one: ContextType) => count(one.contexts_in), isNumber: true },
      { name: "kept", cell: (one: ContextType) => count(one.contexts_out), isNumber: true },
      { name: "median", cell: (one: ContextType) => time(one.p50_ns), isNumber: true },
      { name: "p99", cell: (one: ContextType) => time(one.p99_ns), isNumber: true },
    ]}
  />`;
}

interface ValueRow {
  value: string;
  all: number | null;
  kept: number;
  p99_ns: number | null;
}

function ValueTable({ name, rows }: { name: string; rows: readonly ValueRow[] }) {
  const href = (value: string) => {
    const where = `${name}=${value}`;
    const others = address.value.params
      .getAll("where")
      .filter((one) => !one.startsWith(name + "="));
    return hrefWith({ where: isChosen("where", where) ? others : [...others, where], event: null });
  };
  return html`<${Table}
    label=${`Values of ${name}`}
    rows=${rows}
    rowKey=${(one: ValueRow) => one.value}
    columns=${[
      {
        name,
        cell: ({ value }: ValueRow) =>
          html`<${Choice}
            href=${href(value)}
            on=${isChosen("where", `${name}=${value}`)}
            name=${value || "(empty)"}
          />`,
        className: "w",
      },
      {
        name: "all",
        cell: (one: ValueRow) => (one.all === null ? "" : count(one.all)),
        isNumber: true,
      },
      { name: "kept", cell: (one: ValueRow) => count(one.kept), isNumber: true },
      { name: "p99", cell: (one: ValueRow) => time(one.p99_ns), isNumber: true },
    ]}
  />`;
}

// The values of an attribute with too many for the statistics: from kept contexts.
function KeptValues({ name }: { name: string }) {
  const query = selectionOf(address.value, range.value);
  query.delete("where");
  const answer = useAnswer<Attributes>(apiUrl("attributes", query, { limit: "100" }), now.value);
  const key = answer.data?.keys.find((one) => one.key === name);
  const rows = (key?.values ?? []).map((one) => ({
    value: one.value,
    all: null,
    kept: one.count,
    p99_ns: one.p99_ns,
  }));
  return html`<p class="dim">
      ${
        key?.search_only
          ? "A value for almost every context: search for one with where, or in the box above."
          : "Too many values for the statistics: the list has up to 100 values of kept contexts."
      }
    </p>
    ${rows.length > 0 && html`<${ValueTable} name=${name} rows=${rows} />`}`;
}

function Values({ of }: { of: ContextType | undefined }) {
  const chosen = address.value.params.get("key");
  const attribute = of?.attributes.find((one) => one.key === chosen) ?? of?.attributes[0];
  if (!of || !attribute) {
    return html`<p class="dim">Choose a type of contexts to see the values that it has.</p>`;
  }
  const rows = [...attribute.values]
    .sort((a, b) => b.contexts_in - a.contexts_in)
    .map((one) => ({
      value: one.value,
      all: one.contexts_in,
      kept: one.contexts_out,
      p99_ns: one.p99_ns,
    }));
  const tab = ({ key }: ContextAttribute) =>
    html`<button
      key=${key}
      aria-pressed=${String(key === attribute.key)}
      onClick=${() => change({ key }, true)}
    >
      ${key}
    </button>`;
  return html`<div class="tabs">${of.attributes.map(tab)}</div>
    ${
      attribute.has_too_many
        ? html`<${KeptValues} name=${attribute.key} />`
        : html`<${ValueTable} name=${attribute.key} rows=${rows} />`
    }`;
}

function EventTypesTable({ of }: { of: EventTypes }) {
  const href = (type: string) => hrefWith({ event: isChosen("event", type) ? null : type });
  return html`<${Table}
    label="Types of events"
    rows=${of.types}
    rowsFirst=${TYPES_FIRST}
    rowKey=${(one: EventType) => one.type}
    columns=${[
      {
        name: "event",
        cell: ({ type }: EventType) =>
          html`<${Dot} category=${kindOfType(type)} /><${Choice}
              href=${href(type)}
              on=${isChosen("event", type)}
              name=${type}
            />`,
        sort: (one: EventType) => one.type,
        className: "name",
      },
      {
        name: "count",
        cell: (one: EventType) => count(one.count),
        isNumber: true,
        sort: (one: EventType) => one.count,
      },
      {
        name: "time",
        title: "the sum of their durations",
        cell: (one: EventType) => (one.total_ns ? duration(one.total_ns) : ""),
        isNumber: true,
        sort: (one: EventType) => one.total_ns,
      },
    ]}
  />`;
}

function Events({ query }: { query: URLSearchParams }) {
  const event = address.value.params.get("event");
  const url = apiUrl("events", query, { event });
  const { answer, items, more } = usePages<Listing>(
    url,
    isNarrow.value ? PAGE_NARROW : PAGE,
    now.value,
  );
  const tools = html`<${Missing} of=${answer.data} /><${Raw} url=${url} />`;
  const note = event ?? "of all types; choose one above";
  return html`<${Panel} title="Events" note=${note} tools=${tools} answer=${answer}>
    ${
      items.length > 0 &&
      html`<${EventTable}
        label="Events"
        items=${items}
        origin=${{ service: query.get("service") ?? "", version: query.get("version") ?? "" }}
        contextHref=${contextHref}
      />`
    }
    ${more && html`<p><button onClick=${more}>more</button></p>`}
    ${answer.data && items.length === 0 && html`<${Notice} title="No events here" />`}
  <//>`;
}

export function EventsScreen() {
  const current = address.value;
  const query = selectionOf(current, range.value);
  const typesUrl = apiUrl("contexts/types", typesQuery(query));
  const types = useAnswer<ContextTypes>(typesUrl, now.value);
  const eventTypesUrl = apiUrl("events/types", query);
  const events = useAnswer<EventTypes>(eventTypesUrl, now.value);
  const chosen = types.data?.types.find((one) => one.type === current.params.get("context"));
  const note =
    events.data && `${count(events.data.events)} events` + inContexts(events.data.contexts);
  return html`<${Shell}>
    <${Conditions} />
    <div class="three">
      <${Panel}
        title="Context types"
        note="all contexts, also those not kept"
        tools=${html`<${Raw} url=${typesUrl} />`}
        answer=${types}
      >
        ${types.data && types.data.types.length > 0 && html`<${Types} types=${types.data.types} />`}
        ${types.data?.types.length === 0 && html`<${NoJvm} />`}
      <//>
      <${Panel} title="Context values" note=${chosen?.type}><${Values} of=${chosen} /><//>
      <${Panel}
        title="Event types"
        note=${note}
        tools=${html`<${Missing} of=${events.data} /><${Raw} url=${eventTypesUrl} />`}
        answer=${events}
      >
        ${events.data && events.data.types.length > 0 && html`<${EventTypesTable} of=${events.data} />`}
      <//>
    </div>
    <${Events} query=${query} />
  <//>`;
}

const inContexts = (contexts: number | null) =>
  contexts === null ? ", in contexts or not" : ` in ${count(contexts)} contexts`;

// The part of a selection that statistics can count.
function typesQuery(query: URLSearchParams): URLSearchParams {
  const known = new URLSearchParams();
  for (const name of ["service", "instance", "recording", "from", "to"]) {
    const value = query.get(name);
    if (value !== null) {
      known.set(name, value);
    }
  }
  return known;
}
