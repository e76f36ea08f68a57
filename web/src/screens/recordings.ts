// SPDX-License-Identifier: Apache-2.0
// recordings (S6): runs of JVMs, how many events of each were kept, and which settings dropped the rest.
import { useState } from "preact/hooks";
import { address, hrefTo, pathOf, urlOf } from "../base/address";
import { second, zoneName } from "../base/clock";
import { useAnswer } from "../base/answers";
import { bytes, count, duration, percent, shownName } from "../base/format";
import { html } from "../base/html";
import { now, range } from "../base/range";
import { apiUrl } from "../base/selection";
import { parseTime } from "../base/times";
import type {
  Jvm,
  OneRecording,
  Policy,
  Recording,
  RecordingType,
  Recordings,
} from "../base/shapes";
import { Raw, fileUrl } from "../parts/downloads";
import { Dropped, sums } from "../parts/dropped";
import { JvmFactList } from "../parts/jvm/facts";
import { JvmPanel } from "../parts/jvm/panel";
import { NoJvm } from "../parts/no_jvm";
import { Missing, Notice, Panel, Problem } from "../parts/notice";
import { Shell } from "../parts/shell";
import { Table } from "../parts/table";
import type { Column } from "../parts/table";

const nsOf = (time: string) => parseTime(time) ?? 0n;
const lost = ({ losses }: Recording) => Object.values(losses).reduce((sum, one) => sum + one, 0);
const runNs = ({ start, end }: Recording) => (Date.parse(end) - Date.parse(start)) * 1e6;
const outOf = (out: number, all: number) =>
  html`${count(out)} <span class="dim">of ${count(all)}</span>`;

const columns = (): Column<Recording>[] => [
  {
    name: "service",
    cell: (one) => html`<b>${shownName(one.service)}</b>`,
    sort: (one) => one.service,
  },
  { name: "instance", cell: (one) => one.instance, sort: (one) => one.instance },
  { name: "JDK", cell: (one) => one.jvm_version, sort: (one) => one.jvm_version },
  {
    name: `start, ${zoneName(now.value)}`,
    cell: (one) => second(nsOf(one.start)),
    sort: (one) => one.start,
  },
  {
    name: "ran",
    cell: (one) => (one.is_running ? html`${duration(runNs(one))}, running` : duration(runNs(one))),
    isNumber: true,
    sort: runNs,
  },
  {
    name: "contexts kept",
    cell: (one) => outOf(one.contexts_out, one.contexts_in),
    isNumber: true,
    sort: (one) => one.contexts_out,
  },
  {
    name: "events kept",
    cell: (one) => outOf(one.events_out, one.events_in),
    isNumber: true,
    sort: (one) => one.events_out,
  },
  {
    name: "stored",
    cell: (one) => html`${bytes(one.bytes_out)} <span class="dim">of ${bytes(one.bytes_in)}</span>`,
    isNumber: true,
    sort: (one) => one.bytes_out,
  },
  {
    name: "lost",
    title: "events that the JVM recorded and that are missing; the recording has details",
    cell: (one) =>
      lost(one) ? html`<b class="missing">yes</b>` : html`<span class="dim">no</span>`,
  },
];

function List() {
  const { params } = address.value;
  const { from, to } = range.value;
  const query = new URLSearchParams({ from: String(from), to: String(to) });
  for (const name of ["service", "instance"]) {
    const value = params.get(name);
    if (value !== null) {
      query.set(name, value);
    }
  }
  const url = apiUrl("recordings", query);
  const answer = useAnswer<Recordings>(url, now.value);
  const rows = answer.data?.recordings ?? [];
  const tools = html`<${Missing} of=${answer.data} /><${Raw} url=${url} />`;
  const note = "runs of JVMs in this time, the newest first";
  return html`<${Shell}>
    <${Panel} title="Recordings" note=${note} tools=${tools} answer=${answer}>
      ${
        rows.length > 0 &&
        html`<${Table}
          label="Recordings"
          columns=${columns()}
          rows=${rows}
          rowKey=${(one: Recording) => one.id}
          href=${(one: Recording) => hrefTo(["r", one.id])}
        />`
      }
      ${answer.data && rows.length === 0 && html`<${NoJvm} />`}
    <//>
  <//>`;
}

type NamedType = [string, RecordingType];

const MARGIN_NS = 10_000_000_000n; // events of the first chunk may be older than the recording
const TYPES_FIRST = 12; // event types, those with most bytes, at first

const TYPE_COLUMNS: Column<NamedType>[] = [
  { name: "event type", cell: ([name]) => name, sort: ([name]) => name },
  {
    name: "recorded",
    cell: ([, of]) => count(of.events_in),
    isNumber: true,
    sort: ([, of]) => of.events_in,
  },
  {
    name: "kept",
    cell: ([, of]) => count(of.events_out),
    isNumber: true,
    sort: ([, of]) => of.events_out,
  },
  {
    name: "bytes",
    cell: ([, of]) => bytes(of.bytes_in),
    isNumber: true,
    sort: ([, of]) => of.bytes_in,
  },
  {
    name: "bytes kept",
    cell: ([, of]) => bytes(of.bytes_out),
    isNumber: true,
    sort: ([, of]) => of.bytes_out,
  },
  {
    name: "dropped by",
    cell: ([, of]) => html`<${Dropped} of=${sums({ of })} />`,
    sort: ([, of]) => of.offered - of.kept,
  },
];

function fact(value: unknown, name: string) {
  return html`<span><b>${value}</b>${name}</span>`;
}

function Facts({ of }: { of: OneRecording }) {
  const kept = of.contexts_in ? percent(of.contexts_out / of.contexts_in) : "";
  return html`<div class="facts">
    ${fact(of.is_running ? "running" : "ended", `${duration(runNs(of))} since ${second(nsOf(of.start))} ${zoneName(nsOf(of.start))}`)}
    ${fact(kept, `of ${count(of.contexts_in)} contexts kept`)}
    ${fact(count(of.events_out), `of ${count(of.events_in)} events kept`)}
    ${fact(bytes(of.bytes_out), `of ${bytes(of.bytes_in)} kept`)}
    ${fact(bytes(of.size_bytes), "stored")}
    ${
      of.waiting.chunks > 0 &&
      fact(
        duration(of.waiting.duration_ns),
        `not compacted yet, ${bytes(of.waiting.journal_bytes)}`,
      )
    }
    ${fact(of.jvm_version, of.jvm_name)} ${fact(of.pid, `process, on ${of.instance}`)}
  </div>`;
}

// What each count of `losses` means is in docs/reference/http-api.md and durability.md.
const LOSSES: Record<string, string> = {
  contexts_dropped: "contexts that found a full ring in the JVM",
  context_values_cut: "values of contexts cut because they were too long",
  context_bytes_dropped: "bytes of contexts: the collector was away for too long",
  chunk_bytes_dropped: "bytes of events: the collector was away for too long",
  jfr_restarts: "times that the agent's recording was stopped by others",
  late_contexts: "contexts that came too late for select=if-context in an earlier chunk",
  batches_lost: "batches that the collector received and lost",
  journal_bytes_lost: "bytes of journals that were damaged",
  gap_bytes: "missing bytes inside chunks of the JVM",
  chunks_unreadable: "chunks that could not be read, moved to damaged/",
  chunks_lost: "chunks whose files are missing or damaged",
  batches_late: "batches with events that came too late, moved to damaged/",
  carries_lost: "chunks without the contexts that were open at their start",
  statistics_lost: "chunks whose statistics of contexts were lost",
  chunks_not_resent: "chunks with losses that the agent no longer had whole",
  recording_contexts_refused: "contexts without their entries: the agent had no room",
  power_cuts: "power cuts; each may have lost a second",
  end_unknown: "no end: the JVM was killed, or stopped sending",
  constants_left_out: "methods, frames and the like that no tool can print",
};

function Losses({ of }: { of: OneRecording }) {
  const losses = Object.entries(of.losses).filter(([, value]) => value > 0);
  return losses.length === 0
    ? html`<span class="dim">Nothing.</span>`
    : html`<ul>
        ${losses.map(([name, value]) => html`<li>${count(value)} ${LOSSES[name] ?? name}</li>`)}
      </ul>`;
}

// Policy shows the policy of a service. It has hundreds of lines, so it is fetched when the reader opens it.
function PolicyPanel({ service }: { service: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return html`<section class="policy">
    <details
      open=${isOpen}
      onToggle=${(event: Event) => setIsOpen((event.currentTarget as HTMLDetailsElement).open)}
    >
      <summary>
        <b>Policy</b> <span class="dim">that is in force for ${shownName(service)} now</span>
      </summary>
      ${isOpen && html`<${PolicyTable} service=${service} />`}
    </details>
  </section>`;
}

function PolicyTable({ service }: { service: string }) {
  // Browsers take "", "." and ".." out of a path; no file has such a name, so the default holds.
  const name = /^\.{0,2}$/.test(service) ? "default" : encodeURIComponent(service);
  const url = apiUrl("policies/" + name, new URLSearchParams());
  const answer = useAnswer<Policy>(url, now.value);
  const { data } = answer;
  const settings = (one: Policy["events"][number]) =>
    Object.entries(one.settings).map(([name, value]) => `${name}=${value}`);
  return html`<${Problem} answer=${answer} />
    <p>
      ${data && (data.file ?? "none: the JVM's own settings")}
      <a href=${url} target="_blank">JSON</a>
    </p>
    ${data?.refused && html`<p class="missing">${data.refused.problem}</p>`}
    ${
      data &&
      data.events.length > 0 &&
      html`<${Table}
        label="Policy"
        rows=${data.events}
        rowKey=${(one: Policy["events"][number]) => one.event}
        columns=${[
          { name: "event", cell: (one: Policy["events"][number]) => one.event },
          {
            name: "settings",
            cell: (one: Policy["events"][number]) => settings(one).join(", "),
            className: "w",
          },
        ]}
      />`
    }`;
}

// Links lead to the recording's requests, with its own time range.
function Links({ of }: { of: OneRecording }) {
  const time = {
    from: String(nsOf(of.start) - MARGIN_NS),
    to: String(nsOf(of.end) + 1n),
    recording: of.id,
  };
  const link = (path: string[], more: Record<string, string>, text: string) =>
    html`<a class="link" href=${urlOf(pathOf(...path), new URLSearchParams({ ...time, ...more }))}
      >${text}</a
    >`;
  return html`<p class="links">
    ${link(["s", of.service], {}, "its requests")}
    ${link(["s", of.service], { unit: "threads" }, "all that its threads did")}
    ${link(["e"], { service: of.service }, "its events")}
  </p>`;
}

function One({ id }: { id: string }) {
  const url = apiUrl("recordings/" + encodeURIComponent(id), new URLSearchParams());
  const answer = useAnswer<OneRecording>(url, now.value);
  const { data } = answer;
  const crumbs = [{ name: data ? `${shownName(data.service)}, ${data.instance}` : id }];
  const whole = new URLSearchParams({ recording: id });
  if (data) {
    whole.set("from", String(nsOf(data.start) - MARGIN_NS));
    whole.set("to", String(nsOf(data.end) + 1n));
  }
  const jvmUrl = apiUrl("jvm", whole);
  const jvm = useAnswer<Jvm>(data && jvmUrl, now.value);
  const facts = jvm.data?.jvms[0];
  const tools = html`<a href=${fileUrl(id)} download>download .jfr</a><${Raw} url=${url} />`;
  const dropped = data ? sums(data.types) : [];
  return html`<${Shell} crumbs=${crumbs}>
    <${Panel} title="Recording" note=${id} tools=${tools} answer=${answer}>
      ${data && html`<${Facts} of=${data} /><${Links} of=${data} />`}
      ${facts && html`<${JvmFactList} of=${facts} />`}
      ${
        answer.status === 404 &&
        html`<${Notice} title="This collector has no such recording">
          <a href=${hrefTo(["r"])}>All recordings</a>
        <//>`
      }
    <//>
    ${
      data &&
      html`<${JvmPanel} answer=${jvm} url=${jvmUrl} />
        <${Panel}
          title="Dropped"
          note="events and contexts, by the setting of the policy that dropped them"
        >
          ${dropped.length > 0 ? html`<${Dropped} of=${dropped} />` : html`<span class="dim">Nothing.</span>`}
        <//>
        <${Panel} title="Lost" note="events that were lost"><${Losses} of=${data} /><//>
        <${Panel} title="Event types">
          <${Table}
            label="Event types"
            columns=${TYPE_COLUMNS}
            rows=${Object.entries(data.types).sort((a, b) => b[1].bytes_in - a[1].bytes_in)}
            rowKey=${([name]: NamedType) => name}
            rowsFirst=${TYPES_FIRST}
          />
        <//>
        <${PolicyPanel} service=${data.service} />`
    }
  <//>`;
}

export function RecordingsScreen() {
  const id = address.value.path[1];
  return id === undefined ? html`<${List} />` : html`<${One} id=${id} />`;
}
