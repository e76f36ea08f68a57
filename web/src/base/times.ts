// SPDX-License-Identifier: Apache-2.0
// times: points in time and lengths of time as texts that people and addresses have. Pure.

const UNIT_NS: Record<string, bigint> = {
  ns: 1n,
  us: 1000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
  d: 86_400_000_000_000n,
};

// lastNs is the length of "15m", in the spellings of the API; null if it is none, or longer than 64 bits say.
export function lastNs(text: string): bigint | null {
  const [, count, unit] = /^(\d{1,19}) *(ns|us|ms|s|m|h|d)$/.exec(text) ?? [];
  const length = count === undefined ? 0n : BigInt(count) * UNIT_NS[unit!]!;
  return length > 0n && length < 1n << 63n ? length : null;
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
