// SPDX-License-Identifier: Apache-2.0
// upload: a recording that is dropped on the page is sent to the collector, where that takes files, and shown.
import { signal } from "@preact/signals";
import "./upload.css";
import { go, pathOf, urlOf } from "../base/address";
import { fetchPatiently, problemOf } from "../base/busy";
import { html } from "../base/html";
import { apiUrl } from "../base/selection";
import type { Collector, Uploaded } from "../base/shapes";
import { shellQuoted } from "./downloads";

interface Upload {
  name: string; // of the file
  problem: string | null; // null: it is on its way
}

const upload = signal<Upload | null>(null);

const HEADERS = { accept: "application/json" };

// send returns where the recordings of a file are, or else why not.
async function send(file: File): Promise<Uploaded | string> {
  const about = await fetchPatiently(apiUrl("collector", new URLSearchParams()), {
    headers: HEADERS,
  });
  if (!about.ok) {
    return problemOf(about);
  }
  if (!((await about.json()) as Collector).takes_files) {
    return `this collector shows what agents send it. \`loupe open ${shellQuoted(file.name)}\` shows a file on your machine`;
  }
  const answer = await fetch(apiUrl("uploads", new URLSearchParams({ name: file.name })), {
    method: "POST",
    headers: { ...HEADERS, "loupe-page": "1" },
    body: file,
  });
  return answer.ok ? ((await answer.json()) as Uploaded) : problemOf(answer);
}

async function show(file: File): Promise<void> {
  upload.value = { name: file.name, problem: null };
  const sent = await send(file).catch((error: unknown) => `it cannot be sent: ${String(error)}`);
  if (typeof sent === "string") {
    upload.value = { name: file.name, problem: sent };
    return;
  }
  upload.value = null;
  const time = new URLSearchParams({ from: sent.from_ns, to: sent.to_ns });
  go(urlOf(pathOf("s", sent.service), time));
}

// What the browser would do with a file is to leave the page.
function onDrag(event: DragEvent): void {
  if (event.dataTransfer?.types.includes("Files")) {
    event.preventDefault();
  }
}

function onDrop(event: DragEvent): void {
  const [file] = event.dataTransfer?.files ?? [];
  if (file) {
    event.preventDefault();
    void show(file);
  }
}

export function startUpload(): void {
  addEventListener("dragover", onDrag);
  addEventListener("drop", onDrop);
}

// Uploading says what has become of the file.
export function Uploading() {
  if (upload.value === null) {
    return null;
  }
  const { name, problem } = upload.value;
  return problem === null
    ? html`<div class="upload" role="status">Reading ${name} …</div>`
    : html`<div class="upload" role="alert">
        <span><b>${name}</b>: ${problem}</span>
        <button onClick=${() => (upload.value = null)}>close</button>
      </div>`;
}
