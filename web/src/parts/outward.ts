// SPDX-License-Identifier: Apache-2.0
// outward: links to other tools, where the collector has templates of them (--trace-link, --source-link).
import { useAnswer } from "../base/answers";
import { html } from "../base/html";
import type { Children } from "../base/html";
import { sourceLink, traceLink } from "../base/links";
import type { Origin } from "../base/links";
import { apiUrl } from "../base/selection";
import type { Collector } from "../base/shapes";

const useCollector = () => useAnswer<Collector>(apiUrl("collector", new URLSearchParams())).data;

interface OutwardProps {
  href: string;
  children?: Children;
}

function Outward({ href, children }: OutwardProps) {
  return html`<a class="link" href=${href} target="_blank" rel="noopener noreferrer"
    >${children}</a
  >`;
}

// TraceLink leads to a trace in another tool, and is called as that tool's host.
export function TraceLink({ trace }: { trace: string }) {
  const template = useCollector()?.trace_link;
  const [host = ""] = /[^/]+(?=\/|$)/.exec(template?.replace(/^https?:\/\//, "") ?? "") ?? [];
  return template ? html`<${Outward} href=${traceLink(template, trace)}>${host} ↗<//>` : null;
}

// Stack is a stack trace, with links to its source where there are any.
export function Stack({ frames, origin }: { frames: readonly string[]; origin: Origin | null }) {
  const template = useCollector()?.source_link ?? null;
  const shown = (frame: string) => {
    const href = template && sourceLink(template, frame, origin);
    return href ? html`<${Outward} href=${href}>${frame}<//>` : frame;
  };
  return html`<ol>
    ${frames.map((frame) => html`<li>${shown(frame)}</li>`)}
  </ol>`;
}
