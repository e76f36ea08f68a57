// SPDX-License-Identifier: Apache-2.0
// times: points in time and lengths of time as texts that people and addresses have. Pure.

const UNIT_S: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86400 };

// lastNs is the length of "15m"; null if it is none.
export function lastNs(text: string): bigint | null {
  const match = /^([1-9]\d{0,3})([smhd])$/.exec(text);
  return match ? BigInt(Number(match[1]) * UNIT_S[match[2]!]!) * 1_000_000_000n : null;
}

// parseTime reads nanoseconds since 1970 or a time with a date, RFC 3339; null if it is neither.
export function parseTime(text: string): bigint | null {
  if (/^\d{1,19}$/.test(text)) {
    return BigInt(text);
  }
  const [, whole, fraction = "", zone] =
    /^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(.*)$/.exec(text) ?? [];
  const ms = whole === undefined ? NaN : Date.parse(whole.replace(" ", "T") + (zone || "Z"));
  return Number.isNaN(ms) ? null : BigInt(ms) * 1_000_000n + BigInt(fraction.padEnd(9, "0"));
}

// pointOf is parseTime, and also reads a length of time, which counts back from now.
export function pointOf(text: string, now: bigint): bigint | null {
  const length = lastNs(text);
  return length === null ? parseTime(text) : now - length;
}
