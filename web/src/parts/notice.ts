// SPDX-License-Identifier: Apache-2.0
// notice: what a panel says when it has nothing to show, or not all.
import type { Answer } from "../base/answers";
import { html } from "../base/html";
import type { Children } from "../base/html";
import type { Bounded } from "../base/shapes";

export function Notice({ title, children }: { title: string; children?: Children }) {
  return html`<div class="notice" role="status">
    <b>${title}</b>
    <div>${children}</div>
  </div>`;
}

// Problem is why an answer is not there, or not newer.
export function Problem({ answer }: { answer: Answer<unknown> }) {
  return answer.problem === null
    ? null
    : html`<div class="notice problem" role="alert">${answer.problem}</div>`;
}

// Missing is what an answer lacks, in words; nothing if it is whole.
export function Missing({ of }: { of: Bounded | null }) {
  const { chunks = 0, events = 0, places = 0 } = of?.left_out ?? {};
  const parts = [
    of?.is_truncated ? "a limit was met: not all is here" : "",
    chunks > 0 ? `${chunks} chunks could not be read` : "",
    events > 0 ? `${events} events could not be read` : "",
    places > 0 ? `${places} damaged places` : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? null : html`<span class="missing">${parts.join("; ")}</span>`;
}

interface PanelProps {
  title: Children;
  note?: Children; // beside the title: of what the panel speaks
  tools?: Children; // on the right
  answer?: Answer<unknown>; // dims the panel while the next is on its way, and shows its problem
  className?: string;
  children?: Children;
}

export function Panel({ title, note, tools, answer, className, children }: PanelProps) {
  const isStale = answer && answer.data !== null && (answer.isLoading || answer.problem !== null);
  return html`<section class=${className} aria-busy=${answer?.isLoading ? "true" : "false"}>
    <h2>
      <span>${title}</span><small>${note}</small>
      <span class="tools">${tools}</span>
    </h2>
    ${answer && html`<${Problem} answer=${answer} />`}
    <div class=${isStale ? "stale" : ""}>${children}</div>
  </section>`;
}
