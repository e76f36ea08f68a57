// SPDX-License-Identifier: Apache-2.0
// range: the chosen time range and the page's clock. `now` moves with live=1 in the address and on request; then
// the page fetches all answers until now again.
import { computed, effect, signal } from "@preact/signals";
import { address } from "./address";
import { isWaiting } from "./answers";
import { lastNs, pointOf } from "./times";

export interface Range {
  from: bigint; // ns since 1970
  to: bigint; // exclusive
}

export const RANGES = ["5m", "15m", "1h", "6h", "1d", "7d", "30d"] as const;
const DEFAULT_LAST = "1h";
const LIVE_INTERVAL_MS = 5000;

const nowNs = () => BigInt(Date.now()) * 1_000_000n;
export const now = signal(nowNs());

export function refresh(): void {
  now.value = nowNs();
}

export const last = computed(() => {
  const text = address.value.params.get("last") ?? DEFAULT_LAST;
  return lastNs(text) === null ? DEFAULT_LAST : text;
});

export const isLive = computed(() => address.value.params.get("live") === "1");

export const range = computed<Range>(() => {
  const { params } = address.value;
  const to = pointOf(params.get("to") ?? "", now.value) ?? now.value;
  const from = pointOf(params.get("from") ?? "", now.value);
  return { from: from !== null && from < to ? from : to - lastNs(last.value)!, to };
});

const COUNTED_LATE_NS = 180e9; // a chunk of a minute, and its way into the statistics, and a column

// secondsOf is how much of the time is counted in statistics of columns, of which isFilled has one that is true for
// each that has contexts: the last minutes come late.
export function secondsOf(
  t0: bigint,
  stepNs: number,
  isFilled: readonly boolean[],
  { from, to }: Range,
): number {
  const last = isFilled.lastIndexOf(true);
  const late = Number(to - t0) - (last + 1) * stepNs;
  const isLate = last >= 0 && late > 0 && late <= COUNTED_LATE_NS;
  return Math.max(1, (Number(to - from) - (isLate ? late : 0)) / 1e9);
}

export function startRange(): void {
  let timer = 0;
  effect(() => {
    clearInterval(timer);
    if (isLive.value) {
      // Answers that take longer than that are waited for: to ask anew would give them up.
      const tick = () => document.hidden || isWaiting() || refresh();
      timer = window.setInterval(tick, LIVE_INTERVAL_MS);
    }
  });
}
