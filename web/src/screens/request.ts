// SPDX-License-Identifier: Apache-2.0
// request (S3): one context: its attributes, why it took so long, and everything that happened meanwhile.
//
// at=START in the address is its begin, ns since 1970: then the collector reads only the part of the recording around it.
import { useMemo } from "preact/hooks";
import { address, go } from "../base/address";
import { useAnswer } from "../base/answers";
import { count, duration, typeName } from "../base/format";
import { html } from "../base/html";
import { kindOfType } from "../base/kinds";
import { contextHref } from "../base/links";
import type { Origin } from "../base/links";
import { now } from "../base/range";
import { apiUrl } from "../base/selection";
import type { ContextRef, OneContext, OneRecording } from "../base/shapes";
import { Dot } from "../parts/bars";
import { Downloads, Raw } from "../parts/downloads";
import { EventsPanel } from "../parts/event_table";
import { FlamePanel } from "../parts/flame/panel";
import { Lanes } from "../parts/lanes/lanes";
import type { Box, Lane } from "../parts/lanes/layout";
import { Missing, Panel } from "../parts/notice";
import { Shell } from "../parts/shell";
import { Table } from "../parts/table";
import { WhyTable } from "../parts/why";
import { AttributeFacts, JvmFact, StartFact, crumbsOf } from "./request_facts";
import { useLanes } from "./request_lanes";
import { Owners } from "./request_owners";
import { itemsOfEvents } from "./request_parts";
import "./request.css";

const REST_AROUND_NS = 300_000_000_000n; // the others to compare with began that much before and after it
const CHILDREN_MAX = 100; // that are listed

const startOf = ({ t0_ns }: OneContext) => BigInt(t0_ns);

// oneQuery selects the context alone, and has only the part of the recording around it read.
function oneQuery(context: OneContext): URLSearchParams {
  const start = startOf(context);
  const query = new URLSearchParams({ recording: context.recording, id: context.id });
  query.set("from", String(start));
  query.set("to", String(start + 1n));
  return query;
}

// flameQuery compares it with others of its type, if the address says so.
function flameQuery(context: OneContext): URLSearchParams {
  const query = oneQuery(context);
  if (address.value.params.get("base") === "rest") {
    const start = startOf(context);
    query.set("from", String(start - REST_AROUND_NS));
    query.set("to", String(start + REST_AROUND_NS));
    query.set("context", context.type);
    query.set("base", "rest");
  }
  return query;
}

interface FactsProps {
  context: OneContext;
  jvm: OneRecording | null;
}

function Facts({ context, jvm }: FactsProps) {
  return html`<dl class="kv">
    <${AttributeFacts} of=${context.attributes} />
    <${StartFact} at=${startOf(context)} />
    <dt>thread</dt>
    <dd>${context.thread}</dd>
    <${JvmFact} recording=${context.recording} jvm=${jvm} />
    ${
      context.parent && [
        html`<dt>within</dt>`,
        html`<dd>
          <a class="link" href=${refHref(context, context.parent)}
            >${typeName(context.parent.type)}, ${duration(context.parent.duration)}</a
          >
        </dd>`,
      ]
    }
  </dl>`;
}

function refHref(context: OneContext, { id, start }: ContextRef): string {
  return contextHref(context.recording, id, startOf(context) + BigInt(Math.round(start)));
}

function Kept({ context }: { context: OneContext }) {
  return html`<table>
      <tbody>
        ${context.kept_because.map(
          ({ event, count: events, setting }) =>
            html`<tr key=${event}>
              <td title=${event}>
                <${Dot} category=${kindOfType(event)} />${count(events)} × ${typeName(event)}
              </td>
              <td class="dim w">${setting}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${context.kept_because.length === 0 && html`<p class="dim">the contexts in it</p>`}
    <${Owners} of=${context.owners} />`;
}

function Children({ context }: { context: OneContext }) {
  return html`<${Panel} title="Contexts in it" note=${count(context.children.length)}>
    <${Table}
      label="Contexts in it"
      rows=${context.children}
      rowsMax=${CHILDREN_MAX}
      rowKey=${(one: ContextRef) => one.id}
      href=${(one: ContextRef) => refHref(context, one)}
      columns=${[
        {
          name: "context",
          cell: (one: ContextRef) => html`<span title=${one.type}>${one.type}</span>`,
          className: "name",
        },
        { name: "after", cell: (one: ContextRef) => "+" + duration(one.start), isNumber: true },
        {
          name: "duration",
          cell: (one: ContextRef) => duration(one.duration),
          isNumber: true,
          sort: (one: ContextRef) => one.duration,
        },
      ]}
    />
  <//>`;
}

interface PartsProps {
  context: OneContext;
  origin: Origin | null;
  tick: unknown;
}

function Parts({ context, origin, tick }: PartsProps) {
  const query = useMemo(() => oneQuery(context), [context]);
  const lanes = useLanes(context, query);
  const items = useMemo(() => itemsOfEvents(context), [context]);
  const hrefOf = (lane: Lane, { id, start }: Box) =>
    id === null || id === context.id
      ? null
      : contextHref(lane.recording, id, startOf(context) + BigInt(Math.round(start)));
  const tools = html`<${Raw} url=${apiUrl("timeline", query)} />`;
  return html`<${Panel}
      title="On one axis"
      note="this thread, who held it up, what stopped the JVM, and its trace; drag to zoom"
      tools=${tools}
    >
      <${Lanes}
        label="Threads on one axis"
        lanes=${lanes}
        all=${{ from: 0, to: Math.max(1, context.duration) }}
        hrefOf=${hrefOf}
        onOpen=${go}
      />
    <//>
    ${context.children.length > 0 && html`<${Children} context=${context} />`}
    <${FlamePanel} query=${flameQuery(context)} tick=${tick} />
    <${EventsPanel}
      items=${items}
      since=${startOf(context)}
      origin=${origin}
      otherwise="No events are kept of it but those in the contexts in it"
    />`;
}

export function RequestScreen() {
  const { path, params } = address.value;
  const [, recording = "", id = ""] = path;
  const at = /^\d{1,19}$/.test(params.get("at") ?? "") ? BigInt(params.get("at")!) : null;
  const range = new URLSearchParams(at === null ? {} : { from: String(at), to: String(at + 1n) });
  const route = ["contexts", recording, id].map(encodeURIComponent).join("/");
  const url = apiUrl(route, range);
  const answer = useAnswer<OneContext>(url, now.value);
  const jvm = useAnswer<OneRecording>(
    apiUrl(`recordings/${encodeURIComponent(recording)}`, new URLSearchParams()),
  ).data;
  const context = answer.data;
  const name = context ? `${typeName(context.type)}, ${duration(context.duration)}` : id;
  const query = context && oneQuery(context);
  const tools = html`<${Missing} of=${context} /> ${query && html`<${Downloads} query=${query} />`}
    <${Raw} url=${url} />`;
  return html`<${Shell} crumbs=${crumbsOf(jvm, name)}>
    ${
      context
        ? html`<div class="three">
              <${Panel}
                title=${typeName(context.type)}
                note=${duration(context.duration)}
                tools=${tools}
                answer=${answer}
              >
                <${Facts} context=${context} jvm=${jvm} />
              <//>
              <${Panel} title=${`Why ${duration(context.duration)}`} className="why-panel">
                <${WhyTable} of=${context.why} base=${null} />
              <//>
              <${Panel} title="Kept because"><${Kept} context=${context} /><//>
            </div>
            <${Parts} context=${context} origin=${jvm} tick=${now.value} />`
        : html`<${Panel} title="Request" tools=${tools} answer=${answer} />`
    }
  <//>`;
}
