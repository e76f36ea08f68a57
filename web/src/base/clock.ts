// SPDX-License-Identifier: Apache-2.0
// clock: points in time as texts, in the one zone of the page: that of the browser, or UTC (zone=utc in the address).
import { computed } from "@preact/signals";
import { address } from "./address";

export const isUtc = computed(() => address.value.params.get("zone") === "utc");

const MS_NS = 1_000_000n;
const MINUTE_MS = 60_000;

const two = (value: number) => String(value).padStart(2, "0");

// offsetMs is what clocks are ahead of UTC then.
function offsetMs(ns: bigint, inUtc = isUtc.value): number {
  return inUtc ? 0 : -new Date(Number(ns / MS_NS)).getTimezoneOffset() * MINUTE_MS;
}

export function offsetNs(ns: bigint): bigint {
  return BigInt(offsetMs(ns)) * MS_NS;
}

// iso is "2026-01-02T03:04:05.006" on clocks of the zone.
const iso = (ns: bigint) =>
  new Date(Number(ns / MS_NS) + offsetMs(ns)).toISOString().replace("Z", "");

// clock is the time of day, as exact as `step` ns needs: "14:08", "14:08:41", "14:08:41.204".
export function clock(ns: bigint, step = 1_000_000): string {
  return iso(ns).slice(11, step >= 60e9 ? 16 : step >= 1e9 ? 19 : 23);
}

export function day(ns: bigint): string {
  return iso(ns).slice(0, 10);
}

// second is the day and the time of day, to the second: "2026-01-02 14:08:41".
export function second(ns: bigint): string {
  return iso(ns).slice(0, 19).replace("T", " ");
}

function hours(minutes: number): string {
  const [whole, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? "-" : "+"}${two(whole)}:${two(rest)}`;
}

// zoneName returns the name of the zone at that time: "UTC", "UTC+1", "UTC-3:30".
export function zoneName(ns: bigint, inUtc = isUtc.value): string {
  const minutes = offsetMs(ns, inUtc) / MINUTE_MS;
  const text = hours(minutes).replace(/^(.)0/, "$1").replace(":00", "");
  return minutes === 0 ? "UTC" : `UTC${text}`;
}

// rfc3339 is a point in time to the nanosecond.
export function rfc3339(ns: bigint): string {
  const minutes = offsetMs(ns) / MINUTE_MS;
  const fraction = String(ns % 1_000_000_000n).padStart(9, "0");
  return `${iso(ns).slice(0, 19)}.${fraction}${minutes === 0 ? "Z" : hours(minutes)}`;
}

// fieldOf is a point in time as a field of a form has it, to the second: "2026-01-02T14:08:41".
export function fieldOf(ns: bigint): string {
  return iso(ns).slice(0, 19);
}

// parseField reads what such a field has, on clocks of the zone; null if there is none.
export function parseField(text: string): bigint | null {
  const ms = Date.parse(isUtc.value ? `${text}Z` : text);
  return Number.isNaN(ms) ? null : BigInt(ms) * MS_NS;
}
