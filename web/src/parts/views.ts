// SPDX-License-Identifier: Apache-2.0
// views: the two sides of a service: its requests, and all that its JVMs did.
import { address, changed, hrefWith, rangeParams } from "../base/address";
import type { Changes } from "../base/address";
import { html } from "../base/html";
import { parseBox } from "../base/selection";

// What only one of the sides has; a box leaves its time.
const LEFT: Changes = {
  unit: null,
  box: null,
  base_box: null,
  slowest: null,
  base: null,
  value: null,
  frame: null,
  zoom: null,
  whole: null, // was said of another time
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

// The time before a box took its place, which the way back to the requests has again.
const timeOf = (params: URLSearchParams) => String(changed(rangeParams(params), { zone: null }));

// timeBefore are the changes that take the time of the whole service back, where it is still that of the box.
export function timeBefore(params: URLSearchParams): Changes {
  const before = new URLSearchParams(params.get("before") ?? "");
  const isOfBox = before.get("box") === `${params.get("from")},${params.get("to")}`;
  const time = (name: string) => (isOfBox ? { [name]: before.get(name) } : {});
  return { ...time("from"), ...time("to"), ...time("last"), ...time("live"), before: null };
}

// wholeHref is the side of the whole service, in the time of the box that is chosen.
export function wholeHref(params: URLSearchParams): string {
  const box = parseBox(params.get("box"));
  const time: Changes = box
    ? {
        from: String(box.from),
        to: String(box.to),
        last: null,
        live: null,
        before: `box=${box.from},${box.to}&${timeOf(params)}`,
      }
    : {};
  const dropped = Object.fromEntries(OF_REQUESTS.map((name) => [name, null]));
  return hrefWith({ ...LEFT, ...dropped, ...time, unit: "threads" });
}

export function Views({ isWhole = false }: { isWhole?: boolean }) {
  const view = (name: string, href: string, isOn: boolean) =>
    html`<a href=${href} aria-current=${isOn ? "page" : undefined}>${name}</a>`;
  const { params } = address.value;
  const time = isWhole ? timeBefore(params) : {};
  const requests = hrefWith({ ...LEFT, ...time, thread: null, pool: null, jvm: null });
  return html`<nav class="views" aria-label="Of the service">
    ${view("requests", requests, !isWhole)} ${view("whole service", wholeHref(params), isWhole)}
  </nav>`;
}
