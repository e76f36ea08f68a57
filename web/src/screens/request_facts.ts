// SPDX-License-Identifier: Apache-2.0
// request_facts: the facts about a context or a request, as items of a description list.
import { hrefTo } from "../base/address";
import { clock, day, rfc3339, zoneName } from "../base/clock";
import { shownName } from "../base/format";
import { html } from "../base/html";
import { traceOf } from "../base/links";
import type { OneRecording, Value } from "../base/shapes";
import type { Crumb } from "../parts/shell";
import { textOf } from "../parts/event_table";
import { TraceLink } from "../parts/outward";

// AttributeFacts are its attributes; a trace id leads to the trace, here and in another tool.
export function AttributeFacts({ of }: { of: Readonly<Record<string, Value>> }) {
  const trace = traceOf(of);
  const shown = (value: Value) =>
    value === trace && trace !== null
      ? html`<a class="link" href=${hrefTo(["t", trace])}>${trace}</a>${" "}
          <${TraceLink} trace=${trace} />`
      : textOf(value);
  return html`${Object.entries(of).map(([name, value]) => [
    html`<dt>${name}</dt>`,
    html`<dd>${shown(value)}</dd>`,
  ])}`;
}

export function StartFact({ at }: { at: bigint }) {
  return html`<dt>start</dt>
    <dd title=${rfc3339(at)}>${day(at)} ${clock(at)} ${zoneName(at)}</dd>`;
}

export function JvmFact({ recording, jvm }: { recording: string; jvm: OneRecording | null }) {
  return html`<dt>JVM</dt>
    <dd>
      <a class="link" href=${hrefTo(["r", recording])}>${jvm ? jvm.instance : recording}</a>
      ${jvm && html`<span class="dim"> ${jvm.service}, JDK ${jvm.jvm_version}</span>`}
    </dd>`;
}

// crumbsOf lead to it: from all services, and from its own once that is known.
export function crumbsOf(jvm: OneRecording | null, name: string): Crumb[] {
  const service = jvm && { name: shownName(jvm.service), href: hrefTo(["s", jvm.service]) };
  return [{ name: "services", href: hrefTo([]) }, ...(service ? [service] : []), { name }];
}
