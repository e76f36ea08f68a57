// SPDX-License-Identifier: Apache-2.0
// address: the screen and every choice of the reader. The URL holds all of it.
//
// Parameters of the API keep their names. The page adds these:
//   last=15m     the time until now, where there is no from
//   live=1       ask again every few seconds
//   before=TIME  the range of the whole service before a box replaced it
//   zone=utc     show UTC, not the browser's time zone
//   slowest=1    select the slowest percent, if there are no durations and no box
//   key=KEY      the attribute whose values are shown
//   against=day  compare with the same time a day or a week before, version:VERSION, instance:INSTANCE;
//                version@NS:VERSION is the last time before NS in which that version ran
//   box, base_box=FROM,TO,MIN,MAX   a part of the heat map, and the one to compare with: ns since 1970, ns
import { signal } from "@preact/signals";
import { root, withoutRoot } from "./root";

export interface Address {
  path: readonly string[]; // decoded; [] is the first screen
  params: URLSearchParams;
}

export type Changes = Record<string, string | readonly string[] | null>;

// Browsers take "", "." and ".." out of a path, escaped or not. So they have a ~ in front, and so has what looks like
// one of them that has it.
const encoded = (name: string) => (/^~*\.{0,2}$/.test(name) ? "~" : "") + encodeURIComponent(name);

// decoded is a part of a path; as it is where it is no text in UTF-8.
function decoded(part: string): string {
  try {
    return decodeURIComponent(part).replace(/^~(?=~*\.{0,2}$)/, "");
  } catch {
    return part;
  }
}

// partsOf are the parts of a path; it undoes pathOf.
export function partsOf(path: string): string[] {
  return withoutRoot(path)
    .split("/")
    .filter((part) => part !== "")
    .map(decoded);
}

function read(): Address {
  return { path: partsOf(location.pathname), params: new URLSearchParams(location.search) };
}

export const address = signal<Address>({ path: [], params: new URLSearchParams() });

// pathOf is the URL's path of these parts; they may have any characters.
export function pathOf(...parts: readonly string[]): string {
  return root + "/" + parts.map(encoded).join("/");
}

// changed is params with changes: null takes a parameter away, a list has it several times.
export function changed(params: URLSearchParams, changes: Changes): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changes)) {
    next.delete(name);
    for (const one of value === null ? [] : typeof value === "string" ? [value] : value) {
      next.append(name, one);
    }
  }
  return next;
}

export function urlOf(path: string, params: URLSearchParams): string {
  const query = params.toString();
  return query === "" ? path : path + "?" + query;
}

// go shows another address. Back returns to the present one, unless the new one replaces it.
export function go(url: string, replaces = false): void {
  if (replaces) {
    history.replaceState(null, "", url);
  } else if (url !== location.pathname + location.search) {
    history.pushState(null, "", url);
  }
  address.value = read();
}

// change changes parameters of the present address.
export function change(changes: Changes, replaces = false): void {
  go(urlOf(location.pathname, changed(address.value.params, changes)), replaces);
}

// hrefWith is the URL of the present path with changes, for a link.
export function hrefWith(changes: Changes): string {
  return urlOf(pathOf(...address.value.path), changed(address.value.params, changes));
}

// rangeParams are the parameters that choose the time, which links to other screens keep.
export function rangeParams(params: URLSearchParams): URLSearchParams {
  const kept = new URLSearchParams();
  for (const name of ["from", "to", "last", "live", "zone"]) {
    const value = params.get(name);
    if (value !== null) {
      kept.set(name, value);
    }
  }
  return kept;
}

// hrefTo is the URL of another screen, in the time that is chosen now.
export function hrefTo(path: readonly string[], more: Changes = {}): string {
  return urlOf(pathOf(...path), changed(rangeParams(address.value.params), more));
}

// A click on a link to the page itself loads nothing.
function onClick(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey);
  if (!isPlain || event.defaultPrevented || !link || link.target || link.hasAttribute("download")) {
    return;
  }
  const isBelow = (link.pathname + "/").startsWith(root + "/");
  const isOwn = isBelow && !/^\/(api|speedscope|metrics)(\/|$)/.test(withoutRoot(link.pathname));
  if (link.origin === location.origin && isOwn) {
    event.preventDefault();
    go(link.pathname + link.search);
    scrollTo(0, 0);
  }
}

export function startAddress(): void {
  addEventListener("popstate", () => (address.value = read()));
  addEventListener("click", onClick);
  address.value = read();
}
