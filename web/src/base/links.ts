// SPDX-License-Identifier: Apache-2.0
// links: addresses of the page that more than one screen leads to.
import { hrefTo } from "./address";
import type { Unit } from "./units";

// contextHref is one context. `start`, where it is known (ns since 1970), saves reading all of its recording.
export function contextHref(recording: string, id: string, start?: bigint): string {
  return unitHref("contexts", recording, id, start);
}

// unitHref is a request or a context, with `start` in the same way.
export function unitHref(unit: Unit, recording: string, id: string, start?: bigint): string {
  const screen = unit === "requests" ? "q" : "c";
  return hrefTo([screen, recording, id], start === undefined ? {} : { at: String(start) });
}

// traceOf is the value of the attribute that is a trace id, in any spelling; null if there is none.
export function traceOf(attributes: Readonly<Record<string, unknown>>): string | null {
  for (const [name, value] of Object.entries(attributes)) {
    if (/^trace[._-]?id$/i.test(name) && typeof value === "string" && value !== "") {
      return value;
    }
  }
  return null;
}
