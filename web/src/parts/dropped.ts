// SPDX-License-Identifier: Apache-2.0
// dropped: how many events each setting of the policy dropped.
import { count } from "../base/format";
import { html } from "../base/html";
import type { RecordingType } from "../base/shapes";

// The name of a setting in a policy: `dropped` has _ for -.
export function settingName(name: string): string {
  return name.replaceAll("_", "-");
}

// sums adds `dropped` over event types, the largest sum first.
export function sums(types: Record<string, RecordingType>): [string, number][] {
  const total = new Map<string, number>();
  for (const { dropped } of Object.values(types)) {
    for (const [setting, events] of Object.entries(dropped)) {
      total.set(setting, (total.get(setting) ?? 0) + events);
    }
  }
  return [...total].sort((a, b) => b[1] - a[1]);
}

// Dropped lists settings with how many events they dropped.
export function Dropped({ of }: { of: readonly (readonly [string, number])[] }) {
  if (of.length === 0) {
    return null;
  }
  return html`<span class="chips">
    ${of.map(
      ([setting, events]) =>
        html`<span class="chip" key=${setting}
          >${settingName(setting)} <b>${count(events)}</b></span
        >`,
    )}
  </span>`;
}
