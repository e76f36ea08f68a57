// SPDX-License-Identifier: Apache-2.0
// choose_base: what is chosen is compared with: nothing, the day or the week before, another version or another JVM.
import { address, change } from "../base/address";
import { againstText, parseAgainst, wordsOf } from "../base/against";
import type { Against } from "../base/against";
import { html } from "../base/html";

interface Props {
  versions: readonly string[]; // the newest first
  instances: readonly string[];
}

// othersOf are the values to compare with, and which of them is chosen here then: what is chosen already, or else the
// newest other one. There are none where there is nothing else.
export function othersOf(values: readonly string[], chosen: string | null): [string, string][] {
  return values
    .filter((value) => value !== chosen)
    .flatMap((value): [string, string][] => {
      const here = chosen ?? values.find((other) => other !== value);
      return here === undefined ? [] : [[value, here]];
    });
}

export function ChooseBase({ versions, instances }: Props) {
  const { params } = address.value;
  const chosen = parseAgainst(params.get("against"));
  const options: { against: Against; here: string | null }[] = [
    { against: { kind: "day" }, here: null },
    { against: { kind: "week" }, here: null },
  ];
  for (const [kind, values] of [["version", versions] as const, ["instance", instances] as const]) {
    for (const [value, here] of othersOf(values, params.get(kind))) {
      options.push({ against: { kind, value }, here });
    }
  }
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
