// SPDX-License-Identifier: Apache-2.0
// time: chooses the time range, until now or between two points, and the time zone of the page.
import { useState } from "preact/hooks";
import { address, change, hrefWith } from "../base/address";
import type { Changes } from "../base/address";
import { clock, day, fieldOf, isUtc, parseField, second, zoneName } from "../base/clock";
import { isGood } from "../base/faults";
import { html } from "../base/html";
import { RANGES, isLive, last, range, refresh } from "../base/range";
import { lastNs } from "../base/times";
import { Menu } from "./menu";

// Another time has other boxes.
const UNBOXED: Changes = { box: null, base_box: null };

const given = (name: string) => address.value.params.get(name) ?? "";
const isGiven = (name: string) => given(name) !== "" && isGood(name, given(name));

// lengthUntilNow is "15m"; null where the range is between two points.
function lengthUntilNow(): string | null {
  const from = isGiven("from") ? given("from") : last.value;
  return isGiven("to") || lastNs(from) === null ? null : from;
}

const MINUTE_NS = 60_000_000_000n;

// words returns the time range in words: "last 1h", or "2026-01-02 14:08:41 to 14:30:00".
function words(): string {
  const { from, to } = range.value;
  const length = lengthUntilNow();
  if (length !== null) {
    return `last ${length}`;
  }
  const isOfMinutes = from % MINUTE_NS === 0n && (to % MINUTE_NS === 0n || !isGiven("to"));
  const time = (ns: bigint) => clock(ns, isOfMinutes ? 60e9 : 1e9);
  const until = day(from) === day(to) ? time(to) : `${day(to)} ${time(to)}`;
  return `${day(from)} ${time(from)} to ${isGiven("to") ? until : "now"}`;
}

function Lengths() {
  const known: readonly string[] = RANGES;
  const chosen = lengthUntilNow();
  const length = chosen ?? last.value;
  const options = known.includes(length) ? known : [length, ...known];
  return html`<div class="lengths">
    ${options.map(
      (one) =>
        html`<a
          key=${one}
          href=${hrefWith({ last: one, from: null, to: null, ...UNBOXED })}
          aria-current=${one === chosen ? "true" : undefined}
          >last ${one}</a
        >`,
    )}
  </div>`;
}

// Between has two fields for points in time. Typed text stays until the range is shown, whatever else changes. An
// unchanged field keeps its point exact to the nanosecond.
function Between({ close }: { close: () => void }) {
  const [problem, setProblem] = useState("");
  const { from, to } = range.value;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const read = (name: string, before: bigint) => {
      const text = (form.elements.namedItem(name) as HTMLInputElement).value;
      return text === fieldOf(before) ? before : parseField(text);
    };
    const [begin, end] = [read("from", from), read("to", to)];
    if (begin === null || end === null) {
      setProblem("Both need a day and a time.");
    } else if (begin >= end) {
      setProblem("The range must begin before it ends.");
    } else {
      close();
      const times = { from: String(begin), to: String(end) };
      change({ ...times, last: null, live: null, ...UNBOXED });
    }
  };
  const field = (name: string, ns: bigint) =>
    html`<label
      >${name} <input type="datetime-local" step="1" name=${name} defaultValue=${fieldOf(ns)}
    /></label>`;
  return html`<form class="between" onSubmit=${submit}>
    ${field("from", from)} ${field("to", to)}
    <button>show</button>
    <span class="problem" role="alert">${problem}</span>
  </form>`;
}

// Zones chooses the clocks; which they are is in the address, so that somebody else sees the same.
function Zones() {
  const { to } = range.value;
  const choice = (utc: boolean, text: string) =>
    html`<button
      aria-pressed=${isUtc.value === utc ? "true" : "false"}
      onClick=${() => change({ zone: utc ? "utc" : null }, true)}
    >
      ${text}
    </button>`;
  return html`<div class="tabs" role="group" aria-label="Clocks">
    ${choice(false, `local, ${zoneName(to, false)}`)} ${choice(true, "UTC")}
  </div>`;
}

export function Time() {
  const { from, to } = range.value;
  const text = html`${words()} <span class="dim">${zoneName(to)}</span>`;
  return html`<${Menu}
    text=${text}
    title=${`${second(from)} to ${second(to)} ${zoneName(to)}`}
    className="time"
  >
    ${(close: () => void) =>
      html`<${Lengths} /><${Between} key=${isUtc.value} close=${close} /><${Zones} />`}
  <//>`;
}

// Refresh asks again: now, and every few seconds where the address says so.
export function Refresh() {
  return html`<button onClick=${refresh} title="ask again">refresh</button>
    <button
      aria-pressed=${isLive.value ? "true" : "false"}
      onClick=${() => change({ live: isLive.value ? null : "1" }, true)}
      title="ask again every 5 seconds"
    >
      live
    </button>`;
}
