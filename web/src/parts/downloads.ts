// SPDX-License-Identifier: Apache-2.0
// downloads: the same as JSON, as curl, and as files.
import { useState } from "preact/hooks";
import { apiUrl } from "../base/selection";
import { html } from "../base/html";
import { login } from "../base/login";
import { root } from "../base/root";
import { Keep } from "./keep";
import { Menu } from "./menu";

// shellQuoted is text as one word of a shell.
export function shellQuoted(text: string): string {
  return /^[\w./:=,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

// curlOf is the command that asks for url, a path with a query, of the collector at `origin`, with a token where that
// needs one.
export function curlOf(url: string, origin: string, needsToken = false): string {
  const [path, query = ""] = url.split("?");
  const data = [...new URLSearchParams(query)].map(
    ([name, value]) => ` \\\n  --data-urlencode ${shellQuoted(`${name}=${value}`)}`,
  );
  const token = needsToken ? ' -H "Authorization: Bearer $TOKEN"' : "";
  return `curl -f${data.length > 0 ? "G" : ""}${token} ${shellQuoted(origin + path)}${data.join("")}`;
}

// Where the page is of another host by plain HTTP, there is no clipboard but that of the edit menu: it copies from a field,
// which is beside `button` meanwhile and has the focus.
async function copyText(text: string, button: HTMLElement): Promise<void> {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const field = document.createElement("textarea");
  field.value = text;
  button.after(field);
  field.select();
  document.execCommand("copy");
  field.remove();
  button.focus();
}

// Raw is the menu with the JSON that a panel shows, and the command that asks for it.
export function Raw({ url }: { url: string | null }) {
  return url === null
    ? null
    : html`<${Menu} text="⋯" label="JSON and curl" className="more-menu">
        ${() => html`<${RawItems} url=${url} />`}
      <//>`;
}

function RawItems({ url }: { url: string }) {
  const [copied, setCopied] = useState(false);
  const command = curlOf(url, location.origin, login.value?.is_needed);
  const copy = async ({ currentTarget }: Event) => {
    await copyText(command, currentTarget as HTMLElement);
    setCopied(true);
  };
  return html`<a href=${url} target="_blank" rel="noopener"
      >JSON<small>what this panel shows, in another tab</small></a
    >
    <button class="plain" onClick=${copy} title=${command}>
      ${copied ? "copied" : "curl"}<small
        >${copied ? "paste it into a shell" : "copies the command that asks for it"}</small
      >
    </button>`;
}

const FILES: readonly [string, string, string][] = [
  [".jfr", "slice.jfr", "a recording of these, for JDK Mission Control, IntelliJ, jfr"],
  [".jfr around", "slice.jfr", "with pauses of the JVM and the owners of monitors"],
  [".pftrace", "slice.pftrace", "a trace for ui.perfetto.dev"],
  ["collapsed", "slice.collapsed", "stack traces as text, for flame graph tools"],
  ["pprof", "slice.pprof", "for go tool pprof, Pyroscope, Parca"],
  ["speedscope.json", "slice.speedscope.json", "for speedscope"],
  ["Markdown", "slice.md", "where the time went, for a ticket"],
];

interface DownloadsProps {
  query: URLSearchParams; // a selection; its base is ignored
  value?: string; // the value of the flame graph, for files of stack traces
  frame?: string | null; // only stack traces with this frame
}

// Downloads offers a selection in each format.
export function Downloads({ query, value = "time", frame = null }: DownloadsProps) {
  const selected = new URLSearchParams([...query].filter(([name]) => !name.startsWith("base")));
  const isOfThreads = query.get("unit") === "threads";
  const stacks = { value: value === "time" ? null : value, frame };
  const href = (name: string, route: string) =>
    apiUrl(route, selected, {
      ...(name === ".jfr around" ? { around: "1" } : {}),
      ...(name === ".pftrace" ? { unit: query.get("unit") ?? "contexts" } : {}),
      ...(/collapsed|pprof|speedscope/.test(route) ? stacks : {}),
    });
  const profile = apiUrl("slice.speedscope.json", selected, stacks);
  const speedscope = new URLSearchParams({ profileURL: profile });
  const items = () =>
    html`${FILES.filter(
        ([, route]) => !isOfThreads || /collapsed|pprof|speedscope/.test(route),
      ).map(
        ([name, route, title]) =>
          html`<a href=${href(name, route)} download title=${title}
            >${name}<small>${title}</small></a
          >`,
      )}
      <a href=${root + "/speedscope/#" + speedscope.toString()} target="_blank" rel="noopener">
        open in speedscope<small>here, nothing leaves this collector</small>
      </a>
      <${Keep} query=${selected} className="plain" />`;
  return html`<${Menu} text="download">${items}<//>`;
}

// fileUrl is where a recording is.
export function fileUrl(recording: string): string {
  return `${root}/api/v1/recordings/${encodeURIComponent(recording)}.jfr`;
}
