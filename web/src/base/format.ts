// SPDX-License-Identifier: Apache-2.0
// format: numbers as texts. Pure functions; three digits that count, units always.

function digits(value: number): string {
  return value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

// duration of ns: "412 ms", "1.20 s", "3 min 20 s", "2 h 5 min".
export function duration(ns: number): string {
  if (ns < 0) {
    return "-" + duration(-ns);
  }
  const units: [string, number][] = [
    ["ns", 1],
    ["µs", 1e3],
    ["ms", 1e6],
    ["s", 1e9],
  ];
  for (const [unit, scale] of units) {
    const value = ns / scale;
    if (value < (unit === "s" ? 99.5 : 999.5)) {
      return (unit === "ns" ? String(Math.round(value)) : digits(value)) + " " + unit;
    }
  }
  const seconds = Math.round(ns / 1e9);
  const minutes = Math.round(seconds / 60);
  return seconds < 7200
    ? `${Math.floor(seconds / 60)} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const UNIT_NS: Record<string, number> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  ms: 1e6,
  s: 1e9,
  min: 60e9,
  h: 3600e9,
};

// parseDuration reads "300 ms", "1.5s", "3 min 20 s", and a number without a unit as milliseconds; null if it is none.
export function parseDuration(text: string): number | null {
  let rest = text.trim();
  let sum: number | null = null;
  while (rest !== "") {
    const match = /^(\d{1,12}(?:\.\d{1,9})?)\s*(ns|us|µs|ms|min|s|h|$)\s*/.exec(rest);
    if (!match) {
      return null;
    }
    sum = (sum ?? 0) + Number(match[1]) * UNIT_NS[match[2] || "ms"]!;
    rest = rest.slice(match[0].length);
  }
  return sum === null ? null : Math.round(sum);
}

export function bytes(count: number): string {
  let value = count;
  for (const unit of ["B", "KB", "MB", "GB"]) {
    if (value < 999.5) {
      return (unit === "B" ? String(value) : digits(value)) + " " + unit;
    }
    value /= 1000;
  }
  return digits(value) + " TB";
}

// count: "33,210", "0.125"; from a million on "3.70 M". (toLocaleString loads a library first, which is seen.)
export function count(value: number): string {
  if (value < 999999.9995) {
    return String(Math.round(value * 1000) / 1000).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  }
  return value < 999.5e6 ? digits(value / 1e6) + " M" : digits(value / 1e9) + " G";
}

// counted is a count with its noun: "1 context", "2 contexts".
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

export function percent(share: number): string {
  const value = share * 100;
  return (value > 0 && value < 0.095 ? "<0.1" : value.toFixed(value < 9.95 ? 1 : 0)) + " %";
}

// amount is a value in the unit that the API names: ns, bytes, events.
export function amount(value: number, unit: string): string {
  return unit === "ns" ? duration(value) : unit === "bytes" ? bytes(value) : count(value);
}

// shownName is a name that may be empty.
export function shownName(name: string): string {
  return name || "(no name)";
}

// typeName is the last part of an event type's or class's name.
export function typeName(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

// methodName is a frame with its class but without the package: "Inventory.reserve".
export function methodName(frame: string): string {
  return frame.split(".").slice(-2).join(".");
}
