// SPDX-License-Identifier: Apache-2.0
// choose_base: a menu for the base of a comparison: none, the day or the week before, another version, another JVM.
import { address, change } from "../base/address";
import { againstText, parseAgainst, wordsOf } from "../base/against";
import type { Against } from "../base/against";
import { useAnswer } from "../base/answers";
import { html } from "../base/html";
import { range } from "../base/range";
import { apiUrl, serviceOf } from "../base/selection";
import type { Version, Versions } from "../base/shapes";

interface Props {
  versions: readonly string[]; // of this time, the newest first
  instances: readonly string[];
}

const EARLIER_NS = 30n * 86_400_000_000_000n; // how far before the range to look for versions
const STORED_LATE_NS = 300_000_000_000n; // a version that still runs has stored chunks at most this old

interface Option {
  against: Against;
  here: string | null; // the chosen value of the same kind; null: none
}

// othersOf returns the values to compare with, and the default among them: the chosen one, else the newest other one of
// this time. Empty if there is no other value.
export function othersOf(
  values: readonly string[],
  chosen: string | null,
  ofThisTime = values,
): [string, string][] {
  return values
    .filter((value) => value !== chosen)
    .flatMap((value): [string, string][] => {
      const here = chosen ?? ofThisTime.find((other) => other !== value);
      return here === undefined ? [] : [[value, here]];
    });
}

// versionsOf are the versions to compare with: one that runs no more, by the last time in which it did.
export function versionsOf(
  known: readonly Version[],
  ofThisTime: readonly string[],
  chosen: string | null,
  to: bigint,
): Option[] {
  const names = known.map(({ version }) => version);
  const missing = ofThisTime.filter((version) => !names.includes(version));
  return othersOf([...names, ...missing], chosen, ofThisTime).map(([value, here]) => {
    const end = known.find(({ version }) => version === value)?.to_ns;
    const isOver = end !== undefined && BigInt(end) < to - STORED_LATE_NS;
    return { against: { kind: "version", value, ...(isOver && { until: BigInt(end) }) }, here };
  });
}

// useVersions are the versions of the service in the time that is chosen, and before it.
function useVersions(): readonly Version[] {
  const service = serviceOf(address.value);
  const { to } = range.value;
  const query = new URLSearchParams({ service: service ?? "", from: String(to - EARLIER_NS) });
  const url = apiUrl("versions", query, { to: String(to) });
  return useAnswer<Versions>(service === null ? null : url).data?.versions ?? [];
}

export function ChooseBase({ versions, instances }: Props) {
  const { params } = address.value;
  const chosen = parseAgainst(params.get("against"));
  const known = useVersions();
  const options: Option[] = [
    { against: { kind: "day" }, here: null },
    { against: { kind: "week" }, here: null },
    ...versionsOf(known, versions, params.get("version"), range.value.to),
    ...othersOf(instances, params.get("instance")).map(([value, here]): Option => ({
      against: { kind: "instance", value },
      here,
    })),
  ];
  const text = chosen && againstText(chosen);
  if (chosen && !options.some(({ against }) => againstText(against) === text)) {
    options.push({ against: chosen, here: "value" in chosen ? params.get(chosen.kind) : null });
  }
  const choose = (event: Event) => {
    const { value } = event.currentTarget as HTMLSelectElement;
    const option = options.find(({ against }) => againstText(against) === value);
    const here = option && "value" in option.against ? { [option.against.kind]: option.here } : {};
    change({ against: value || null, base: null, base_box: null, ...here });
  };
  return html`<select aria-label="compare with" onChange=${choose}>
    <option value="" selected=${chosen === null}>compare with nothing</option>
    ${options.map(({ against }) => {
      const value = againstText(against);
      return html`<option value=${value} selected=${value === text}>
        vs ${wordsOf(against)}
      </option>`;
    })}
  </select>`;
}
