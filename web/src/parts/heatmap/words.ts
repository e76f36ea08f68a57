// SPDX-License-Identifier: Apache-2.0
// words: names cells and boxes of the heat map.
import { clock } from "../../base/clock";
import { count, duration } from "../../base/format";
import type { Box } from "../../base/selection";

const MINUTE_NS = 60e9;

// boxWords is "14:07 to 14:09, 300 ms to 2.00 s".
export function boxWords({ from, to, min, max }: Box): string {
  const isOfMinutes = from % BigInt(MINUTE_NS) === 0n && to % BigInt(MINUTE_NS) === 0n;
  const time = (ns: bigint) => clock(ns, isOfMinutes ? MINUTE_NS : 1e9);
  const lengths = min <= 1 ? `up to ${duration(max)}` : `${duration(min)} to ${duration(max)}`;
  return `${time(from)} to ${time(to)}, ${lengths}`;
}

export function sumWords({ all, kept }: { all: number; kept: number }): string {
  return `${count(kept)} kept of ${count(all)}`;
}
