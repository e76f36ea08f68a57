// SPDX-License-Identifier: Apache-2.0
// event_table: events, one a row; a click shows all fields and the stack trace.
import { useState } from "preact/hooks";
import { clock, rfc3339, zoneName } from "../base/clock";
import { count, duration, methodName, typeName } from "../base/format";
import { html } from "../base/html";
import { isOfJdk, kindOfType } from "../base/kinds";
import type { Origin } from "../base/links";
import type { Item } from "../base/pages";
import type { Value } from "../base/shapes";
import { Dot } from "./bars";
import { Notice, Panel } from "./notice";
import { Stack } from "./outward";

const FIRST = 100; // events of a request

// textOf is a field as a text, without quotes around texts.
export function textOf(value: Value): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function fieldsOf(item: Item): [string, Value][] {
  const fields = item.values["fields"];
  return fields && typeof fields === "object" && !Array.isArray(fields)
    ? Object.entries(fields)
    : [];
}

function stackOf(item: Item): string[] {
  const stack = item.values["stack"];
  return Array.isArray(stack) ? stack.map(String) : [];
}

// ownFrame is the first frame from the top that is not the JDK's, or else the topmost: as `why` chooses.
function ownFrame(stack: readonly string[]): string {
  return stack.find((frame) => !isOfJdk(frame)) ?? stack[0] ?? "";
}

interface DetailsProps {
  item: Item;
  columns: number;
  origin: Origin | null;
}

function Details({ item, columns, origin }: DetailsProps) {
  return html`<tr class="details">
    <td colspan=${columns} class="w">
      <dl>
        <dt>start</dt>
        <dd>${rfc3339(item.start)}</dd>
        ${fieldsOf(item).map(([name, value]) => [
          html`<dt>${name}</dt>`,
          html`<dd>${textOf(value)}</dd>`,
        ])}
      </dl>
      <${Stack} frames=${stackOf(item)} origin=${origin} />
    </td>
  </tr>`;
}

interface Props {
  items: readonly Item[];
  since?: bigint; // offsets from here instead of the time of day
  origin?: Origin | null; // of all of them, where it is known
  contextHref?: (recording: string, id: string) => string; // a column with the event's context
  label: string;
}

interface PanelProps extends Omit<Props, "label"> {
  since: bigint;
  otherwise: string; // the text if there are no events
}

// EventsPanel are the events of one request, the first of them until somebody asks for all.
export function EventsPanel({ items, otherwise, ...rest }: PanelProps) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? items : items.slice(0, FIRST);
  const left = items.length - shown.length;
  return html`<${Panel} title="Events" note=${count(items.length)}>
    ${
      items.length > 0
        ? html`<${EventTable} items=${shown} ...${rest} label="Events of the request" />`
        : html`<${Notice} title=${otherwise} />`
    }
    ${
      left > 0 &&
      html`<button class="plain more" onClick=${() => setIsWhole(true)}>
        ${count(left)} more
      </button>`
    }
  <//>`;
}

export function EventTable({ items, since, origin = null, contextHref, label }: Props) {
  const [open, setOpen] = useState<string | null>(null);
  const names = [
    since === undefined ? `time, ${items[0] ? zoneName(items[0].start) : ""}` : "after",
    "event",
    "duration",
    "thread",
    "method",
    "fields",
    ...(contextHref ? ["context"] : []),
  ];
  const row = (item: Item, index: number) => {
    const { type, duration: ns, thread, recording, context } = item.values;
    const at = since === undefined ? clock(item.start) : "+" + duration(Number(item.start - since));
    const fields = fieldsOf(item).map(([name, value]) => `${name}=${textOf(value)}`);
    const which = `${item.start} ${type} ${thread} ${recording}`; // rows move when the list is fetched again
    const isOpen = open === which;
    const toggle = () => setOpen(isOpen ? null : which);
    const link =
      contextHref && recording !== null && context
        ? contextHref(String(recording), String(context))
        : null;
    return html`<tr key=${index} class=${isOpen ? "open" : ""}>
        <td class="dim">
          <button class="plain" aria-expanded=${String(isOpen)} onClick=${toggle}>${at}</button>
        </td>
        <td title=${type}>
          <${Dot} category=${kindOfType(String(type))} />${typeName(String(type))}
        </td>
        <td class="n">${typeof ns === "number" ? duration(ns) : ""}</td>
        <td class="cut" data-name="thread" title=${thread}>${thread}</td>
        <td class="cut" data-name="method" title=${stackOf(item)[0]}>
          ${methodName(ownFrame(stackOf(item)))}
        </td>
        <td class="cut wide" title=${fields.join("\n")}>${fields.join(" ")}</td>
        ${contextHref && html`<td data-name="context">${link && html`<a href=${link}>open</a>`}</td>`}
      </tr>
      ${isOpen && html`<${Details} item=${item} columns=${names.length} origin=${origin} />`}`;
  };
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${label}>
    <table class="events stacks">
      <thead>
        <tr>
          ${names.map((name) => html`<th scope="col" class=${name === "duration" ? "n" : ""}>${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${items.map(row)}
      </tbody>
    </table>
  </div>`;
}
