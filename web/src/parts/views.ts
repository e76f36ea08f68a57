// SPDX-License-Identifier: Apache-2.0
// views: the two sides of a service: its requests, and all that its JVMs did.
import { address, hrefWith } from "../base/address";
import type { Changes } from "../base/address";
import { html } from "../base/html";
import { parseBox } from "../base/selection";

// What only one of the sides has; a box leaves its time.
const LEFT: Changes = {
  unit: null,
  box: null,
  base_box: null,
  base: null,
  value: null,
  frame: null,
  zoom: null,
};
const OF_REQUESTS = [
  "context",
  "where",
  "trace",
  "id",
  "min_duration_ns",
  "max_duration_ns",
  "key",
  "view",
  "sort",
];

// wholeHref is the side of the whole service, in the time of the box that is chosen.
export function wholeHref(params: URLSearchParams): string {
  const box = parseBox(params.get("box"));
  const time: Changes = box ? { from: String(box.from), to: String(box.to), last: null } : {};
  const dropped = Object.fromEntries(OF_REQUESTS.map((name) => [name, null]));
  return hrefWith({ ...LEFT, ...dropped, ...time, unit: "threads" });
}

export function Views({ isWhole = false }: { isWhole?: boolean }) {
  const view = (name: string, href: string, isOn: boolean) =>
    html`<a href=${href} aria-current=${isOn ? "page" : undefined}>${name}</a>`;
  const requests = hrefWith({ ...LEFT, thread: null, jvm: null });
  return html`<nav class="views" aria-label="Of the service">
    ${view("requests", requests, !isWhole)}
    ${view("whole service", wholeHref(address.value.params), isWhole)}
  </nav>`;
}
