// SPDX-License-Identifier: Apache-2.0
// whole_request (S3): /q/{recording}/{id}, one request: its parts on all threads, the hand-overs between them, and why it took
// so long, beside the kept requests like it.
//
// at=START in the address, ns since 1970, is where it began: then chunks before that are not read.
import { useMemo } from "preact/hooks";
import { address, go } from "../base/address";
import { useAnswer } from "../base/answers";
import { count, counted, duration, typeName } from "../base/format";
import { html } from "../base/html";
import type { Children } from "../base/html";
import { contextHref } from "../base/links";
import { now } from "../base/range";
import { apiUrl } from "../base/selection";
import type { HandOver, OneRecording, OneRequest, Why } from "../base/shapes";
import { Downloads, Raw } from "../parts/downloads";
import { EventsPanel } from "../parts/event_table";
import { FlamePanel } from "../parts/flame/panel";
import { Lanes } from "../parts/lanes/lanes";
import type { Box, Lane } from "../parts/lanes/layout";
import { Missing, Panel, Problem } from "../parts/notice";
import { ROUTE_KEYS } from "../parts/routes";
import { Shell } from "../parts/shell";
import { Table } from "../parts/table";
import { WhyTable } from "../parts/why";
import { AttributeFacts, JvmFact, StartFact, crumbsOf } from "./request_facts";
import { useRequestLanes } from "./request_lanes";
import { Owners } from "./request_owners";
import { arrowsOf, itemsOfEvents, titleOf } from "./request_parts";
import "./request.css";

const LIKE_AROUND_NS = 300_000_000_000n; // those like it began that much before and after it
const HAND_OVERS_MAX = 100; // that are listed

const startOf = ({ t0_ns }: OneRequest) => BigInt(t0_ns);

// Why a request is kept, by the reason that the policy has for it.
const KEPT_BY: Record<string, string> = {
  parts: "something happened in its contexts",
  event: "something happened in it",
  slow: "it was slow",
  slowest: "it was among the slowest of its route",
  rare: "its route is rare",
  condition: "its attributes",
  open: "it was open when a chunk ended",
};

// oneQuery selects the request alone.
function oneQuery(request: OneRequest): URLSearchParams {
  const query = new URLSearchParams({ unit: "requests", recording: request.recording });
  query.set("request", request.id);
  query.set("from", String(startOf(request)));
  query.set("to", String(startOf(request) + 1n));
  return query;
}

// around is the time in which those like it began.
function around(query: URLSearchParams, start: bigint): URLSearchParams {
  query.set("from", String(start - LIKE_AROUND_NS));
  query.set("to", String(start + LIKE_AROUND_NS));
  return query;
}

// likeQuery selects the kept requests like it, and itself: of its JVM and type, and of its route if it has one.
function likeQuery(request: OneRequest): URLSearchParams {
  const { recording, type } = request;
  const query = new URLSearchParams({ unit: "requests", recording, context: type });
  const key = ROUTE_KEYS.find((name) => typeof request.attributes[name] === "string");
  if (key !== undefined) {
    query.set("where", `${key}=${request.attributes[key]}`);
  }
  return around(query, startOf(request));
}

// flameQuery compares it with others of its JVM, if the address says so.
function flameQuery(request: OneRequest): URLSearchParams {
  const query = oneQuery(request);
  if (address.value.params.get("base") === "rest") {
    query.set("base", "rest");
    query.set("context", request.type);
    return around(query, startOf(request));
  }
  return query;
}

interface OneProps {
  request: OneRequest;
  jvm: OneRecording | null;
}

function Facts({ request, jvm }: OneProps) {
  const { busy, queued, elsewhere, part_count, threads, state } = request;
  const waited = [
    [busy, "threads worked for it"],
    [queued, "queued"],
    [elsewhere, "elsewhere"],
  ] as const;
  const times = waited.filter(([ns]) => ns > 0).map(([ns, text]) => `${text} ${duration(ns)}`);
  return html`<dl class="kv">
    <${AttributeFacts} of=${request.attributes} />
    <${StartFact} at=${startOf(request)} />
    <dt>time</dt>
    <dd>
      ${times.join(", ")}${state === "over" ? "" : html` <span class="missing">${state}</span>`}
    </dd>
    <dt>parts</dt>
    <dd>${counted(part_count, "context")} on ${counted(threads.length, "thread")}</dd>
    <dt>kept</dt>
    <dd>${KEPT_BY[request.kept_by] ?? request.kept_by}</dd>
    <${JvmFact} recording=${request.recording} jvm=${jvm} />
  </dl>`;
}

function WhyOne({ request }: { request: OneRequest }) {
  const like = useAnswer<Why>(apiUrl("why", likeQuery(request)));
  const base = like.data;
  const isAny = base !== null && base.requests > 1; // it is one of them
  return html`<${Panel}
    title=${`Why ${duration(request.duration)}`}
    note=${isAny ? `beside ${count(base.requests - 1)} like it` : ""}
    tools=${html`<${Missing} of=${base} />`}
    className="why-panel"
  >
    <${Problem} answer=${like} />
    <${WhyTable} of=${request.why} base=${isAny ? base : null} against="like it" />
  <//>`;
}

function HandOvers({ of }: { of: readonly HandOver[] }) {
  return html`<${Panel} title="Hand-overs" note=${count(of.length)}>
    <${Table}
      label="Hand-overs"
      rows=${of}
      rowsMax=${HAND_OVERS_MAX}
      rowKey=${(one: HandOver) => `${one.from_id ?? one.from} ${one.to_id ?? one.to} ${one.start} ${one.duration}`}
      columns=${[
        { name: "after", cell: (one: HandOver) => "+" + duration(one.start) },
        { name: "from", cell: (one: HandOver): Children => titleOf(one.from), className: "name" },
        { name: "to", cell: (one: HandOver) => titleOf(one.to), className: "name" },
        {
          name: "waited",
          title: "until a thread took the task",
          cell: (one: HandOver) => html`<b>${duration(one.duration)}</b>`,
          isNumber: true,
          sort: (one: HandOver) => one.duration,
        },
      ]}
    />
  <//>`;
}

function Parts({ request, jvm }: OneProps) {
  const start = startOf(request);
  const lanes = useRequestLanes(request);
  const arrows = useMemo(() => arrowsOf(request), [request]);
  const items = useMemo(() => itemsOfEvents(request), [request]);
  const hrefOf = (lane: Lane, { id, start: begun }: Box) =>
    id === null ? null : contextHref(lane.recording, id, start + BigInt(Math.round(begun)));
  return html`<${Panel}
      title="On one axis"
      note="its threads, arrows for tasks that were handed over, who held it up, what stopped the JVM, and its trace; drag to zoom"
    >
      <${Lanes}
        label="Threads on one axis"
        lanes=${lanes}
        arrows=${arrows}
        all=${{ from: 0, to: Math.max(1, request.duration) }}
        hrefOf=${hrefOf}
        onOpen=${go}
      />
    <//>
    ${request.hand_overs.length > 0 && html`<${HandOvers} of=${request.hand_overs} />`}
    <${FlamePanel} query=${flameQuery(request)} tick=${now.value} />
    <${EventsPanel}
      items=${items}
      since=${start}
      origin=${jvm}
      otherwise="No events are kept of it"
    />`;
}

export function WholeRequestScreen() {
  const { path, params } = address.value;
  const [, recording = "", id = ""] = path;
  const at = params.get("at");
  const route = ["requests", recording, id].map(encodeURIComponent).join("/");
  const url = apiUrl(route, new URLSearchParams(), { from: at });
  const answer = useAnswer<OneRequest>(url, now.value);
  const jvm = useAnswer<OneRecording>(
    apiUrl(`recordings/${encodeURIComponent(recording)}`, new URLSearchParams()),
  ).data;
  const request = answer.data;
  const name = request ? `${typeName(request.type)}, ${duration(request.duration)}` : id;
  const tools = html`<${Missing} of=${request} />
    ${request && html`<${Downloads} query=${oneQuery(request)} />`} <${Raw} url=${url} />`;
  return html`<${Shell} crumbs=${crumbsOf(jvm, name)}>
    ${
      request
        ? html`<div class="two">
              <${Panel}
                title=${typeName(request.type)}
                note=${duration(request.duration)}
                tools=${tools}
                answer=${answer}
              >
                <${Facts} request=${request} jvm=${jvm} />
                <${Owners} of=${request.owners} />
              <//>
              <${WhyOne} request=${request} />
            </div>
            <${Parts} request=${request} jvm=${jvm} />`
        : html`<${Panel} title="Request" note=${id} tools=${tools} answer=${answer} />`
    }
  <//>`;
}
