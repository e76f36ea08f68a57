// SPDX-License-Identifier: Apache-2.0
// upload: recordings that are dropped on the page, or chosen, are sent to the collector, where that takes files, and shown.
import { signal } from "@preact/signals";
import "./upload.css";
import { go, pathOf, urlOf } from "../base/address";
import { fetchPatiently, problemOf } from "../base/busy";
import { html } from "../base/html";
import { apiUrl } from "../base/selection";
import type { Collector, Uploaded } from "../base/shapes";
import { shellQuoted } from "./downloads";

interface Said {
  name: string; // of a file
  text: string;
}

const reading = signal<string | null>(null); // the name of the file being sent
const said = signal<readonly Said[]>([]); // problems of files, until the reader closes them

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

const say = (name: string, text: string) => (said.value = [...said.value, { name, text }]);

function sayNotes(name: string, { notes, note_count }: Uploaded): void {
  const more = note_count > notes.length ? `; and ${note_count - notes.length} more` : "";
  if (note_count > 0) {
    say(name, `not all of it is shown: ${notes.join("; ")}${more}`);
  }
}

// addressOf is where the recordings of files are: on the screen of their service, if they have the same, in their time.
function addressOf(shown: readonly Uploaded[]): string {
  const services = new Set(shown.map((one) => one.service));
  const least = (a: string, b: string) => (BigInt(a) < BigInt(b) ? a : b);
  const most = (a: string, b: string) => (BigInt(a) < BigInt(b) ? b : a);
  const time = new URLSearchParams({
    from: shown.map((one) => one.from_ns).reduce(least),
    to: shown.map((one) => one.to_ns).reduce(most),
  });
  return urlOf(services.size === 1 ? pathOf("s", ...services) : pathOf(), time);
}

// show sends files one by one, because the collector accepts one at a time, and then shows their recordings.
async function show(files: readonly File[]): Promise<void> {
  const shown: Uploaded[] = [];
  for (const file of files) {
    reading.value = file.name;
    const sent = await send(file).catch((error: unknown) => `it cannot be sent: ${String(error)}`);
    if (typeof sent === "string") {
      say(file.name, sent);
    } else {
      shown.push(sent);
      sayNotes(file.name, sent);
    }
  }
  reading.value = null;
  if (shown.length > 0) {
    go(addressOf(shown));
  }
}

let drops: Promise<void> = Promise.resolve(); // each begins after the one before

// By default the browser would leave the page to show a dropped file.
function onDrag(event: DragEvent): void {
  if (event.dataTransfer?.types.includes("Files")) {
    event.preventDefault();
  }
}

function onDrop(event: DragEvent): void {
  const files = [...(event.dataTransfer?.files ?? [])];
  if (files.length > 0) {
    event.preventDefault();
    drops = drops.then(() => show(files));
  }
}

// ChooseFiles is for those who have nothing to drop with.
export function ChooseFiles() {
  const choose = (event: Event) => {
    const files = [...((event.currentTarget as HTMLInputElement).files ?? [])];
    drops = drops.then(() => show(files));
  };
  return html`<input type="file" multiple aria-label="recordings" onChange=${choose} />`;
}

export function startUpload(): void {
  addEventListener("dragover", onDrag);
  addEventListener("drop", onDrop);
}

// Uploading shows which file is being sent, and the problems of the files before.
export function Uploading() {
  if (reading.value === null && said.value.length === 0) {
    return null;
  }
  return html`<div class="upload">
    <div>
      ${said.value.map(({ name, text }) => html`<p role="alert"><b>${name}</b>: ${text}</p>`)}
      ${reading.value !== null && html`<p role="status">Reading ${reading.value} …</p>`}
    </div>
    ${said.value.length > 0 && html`<button onClick=${() => (said.value = [])}>close</button>`}
  </div>`;
}
