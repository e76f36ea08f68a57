// SPDX-License-Identifier: Apache-2.0
// links: addresses of the page that more than one screen leads to.
import { hrefTo } from "./address";
import { isOfJdk } from "./kinds";
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

// traceLink is where a template leads from a trace: `{trace_id}` is its id.
export function traceLink(template: string, trace: string): string {
  return template.replaceAll("{trace_id}", encodeURIComponent(trace));
}

// The JVM that a stack trace is from; a recording is one JVM.
export interface Origin {
  service: string;
  version: string; // "" where it is not known
}

// sourceLink is where a template leads from a frame with a line, such as "com.acme.Shop$1.pay:42": `{path}` is the path
// of its class, `{line}`, `{service}` and `{version}`. null of frames of the JDK, and where something that it asks for is
// not known.
export function sourceLink(template: string, frame: string, origin: Origin | null): string | null {
  const [, type, line] = /^(.+)\.[^.]+:(\d+)$/.exec(frame) ?? [];
  const { service = "", version = "" } = origin ?? {};
  const lacks = (name: string, value: string) => !value && template.includes(`{${name}}`);
  if (!type || isOfJdk(frame) || lacks("service", service) || lacks("version", version)) {
    return null;
  }
  const path = type.replace(/\$.*/, "").split(".").map(encodeURIComponent).join("/");
  const values: Record<string, string> = {
    path,
    line: line!,
    service: encodeURIComponent(service),
    version: encodeURIComponent(version),
  };
  return template.replace(/\{(path|line|service|version)\}/g, (_, name: string) => values[name]!);
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
