// SPDX-License-Identifier: Apache-2.0
// downloads: the same as JSON, as curl, and as files.
import { useState } from "preact/hooks";
import { apiUrl } from "../base/selection";
import { html } from "../base/html";
import { login } from "../base/login";
import { root } from "../base/root";

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

// Where the page is of another host by plain HTTP, there is no clipboard but that of the edit menu.
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

// Raw links to the JSON that a panel shows, and copies the command that asks for it.
export function Raw({ url }: { url: string | null }) {
  const [copied, setCopied] = useState(false);
  if (url === null) {
    return null;
  }
  const command = curlOf(url, location.origin, login.value?.is_needed);
  const copy = async () => {
    await copyText(command);
    setCopied(true);
  };
  return html`<span class="raw" onMouseLeave=${() => setCopied(false)}>
    <a href=${url} target="_blank" rel="noopener" title="the same as JSON">JSON</a>
    <button class="plain" onClick=${copy} title=${command}>${copied ? "copied" : "curl"}</button>
  </span>`;
}

const FILES: readonly [string, string, string][] = [
  [".jfr", "slice.jfr", "a recording of these, for JDK Mission Control, IntelliJ, jfr"],
  [".jfr around", "slice.jfr", "with pauses of the JVM and the owners of monitors"],
  ["collapsed", "slice.collapsed", "stack traces as text, for flame graph tools"],
  ["pprof", "slice.pprof", "for go tool pprof, Pyroscope, Parca"],
  ["speedscope.json", "slice.speedscope.json", "for speedscope"],
  ["Markdown", "slice.md", "where the time went, for a ticket"],
];

interface DownloadsProps {
  query: URLSearchParams; // a selection; what it is compared with does not matter
  value?: string; // what a flame graph shows, for files of stack traces
  frame?: string | null; // and of which stack traces
}

// Downloads offers a selection in each format.
export function Downloads({ query, value = "time", frame = null }: DownloadsProps) {
  const selected = new URLSearchParams([...query].filter(([name]) => !name.startsWith("base")));
  const stacks = { value: value === "time" ? null : value, frame };
  const href = (name: string, route: string) =>
    apiUrl(route, selected, {
      ...(name === ".jfr around" ? { around: "1" } : {}),
      ...(/collapsed|pprof|speedscope/.test(route) ? stacks : {}),
    });
  const profile = apiUrl("slice.speedscope.json", selected, stacks);
  const speedscope = new URLSearchParams({ profileURL: profile });
  return html`<details class="menu">
    <summary>download</summary>
    <div>
      ${FILES.map(
        ([name, route, title]) =>
          html`<a href=${href(name, route)} download title=${title}
            >${name}<small>${title}</small></a
          >`,
      )}
      <a href=${root + "/speedscope/#" + speedscope.toString()} target="_blank" rel="noopener">
        open in speedscope<small>here, nothing leaves this collector</small>
      </a>
    </div>
  </details>`;
}

// fileUrl is where a recording is.
export function fileUrl(recording: string): string {
  return `${root}/api/v1/recordings/${encodeURIComponent(recording)}.jfr`;
}
