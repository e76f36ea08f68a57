// SPDX-License-Identifier: Apache-2.0
// notice: the message of a panel that shows nothing, or not everything.
import { address, change } from "../base/address";
import type { Answer } from "../base/answers";
import { faultsOf } from "../base/faults";
import type { Fault } from "../base/faults";
import { html } from "../base/html";
import { now } from "../base/range";
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

function FaultNotice({ name, value, why }: Fault) {
  const others = address.value.params.getAll(name).filter((one) => one !== value);
  return html`<div class="fault" role="alert">
    <span><b>${name}=${value}</b> is left out: ${why}.</span>
    <button onClick=${() => change({ [name]: others }, true)}>take it away</button>
  </div>`;
}

// Faults are the parameters of the address that say nothing, each with a way to take it away.
export function Faults() {
  return faultsOf(address.value.params, now.value).map(
    (fault) => html`<${FaultNotice} key=${`${fault.name} ${fault.value}`} ...${fault} />`,
  );
}

// Skeleton is where the first answer will be.
export function Skeleton({ lines }: { lines: number }) {
  return html`<div class="skeleton" aria-hidden="true">
    ${Array.from({ length: lines }, () => html`<div></div>`)}
  </div>`;
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
  note?: Children; // beside the title: what the panel is about
  tools?: Children; // on the right
  answer?: Answer<unknown>; // dims the panel while the next answer is fetched, and shows its error
  className?: string;
  lines?: number; // that stand for the first answer until it is there
  children?: Children;
}

const LINES = 5;

export function Panel(props: PanelProps) {
  const { title, note, tools, answer, className, lines = LINES, children } = props;
  const isStale = answer && answer.data !== null && (answer.isLoading || answer.problem !== null);
  return html`<section class=${className} aria-busy=${answer?.isLoading ? "true" : "false"}>
    <h2>
      <span>${title}</span><small>${note}</small>
      <span class="tools">${tools}</span>
    </h2>
    ${answer && html`<${Problem} answer=${answer} />`}
    ${answer?.data === null && answer.isLoading && lines > 0 && html`<${Skeleton} lines=${lines} />`}
    <div class=${isStale ? "stale" : ""}>${children}</div>
  </section>`;
}
