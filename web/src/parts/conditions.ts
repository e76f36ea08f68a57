// SPDX-License-Identifier: Apache-2.0
// conditions: all choices but the time, each with a button that removes it, and a form for a condition on an attribute.
import { address, change } from "../base/address";
import { isGood } from "../base/faults";
import { duration, shownName } from "../base/format";
import { html } from "../base/html";

// The parameters that are shown, and how.
const SHOWN: readonly [string, (value: string) => string][] = [
  ["service", (value) => `service ${value}`],
  ["instance", (value) => `instance ${value}`],
  ["recording", (value) => `recording ${value.slice(0, 8)}…`],
  ["context", (value) => `type ${value}`],
  ["where", (value) => value],
  ["min_duration_ns", (value) => `≥ ${duration(Number(value))}`],
  ["max_duration_ns", (value) => `≤ ${duration(Number(value))}`],
  ["trace", (value) => `trace ${value}`],
  ["thread", (value) => `thread ${value}`],
  ["pool", (value) => `pool ${shownName(value)}`],
  ["event", (value) => `event ${value}`],
];

function remove(name: string, value: string): void {
  change({ [name]: address.value.params.getAll(name).filter((one) => one !== value) });
}

// Those that say something; the frame of the screen says which do not.
const good = (name: string) =>
  address.value.params.getAll(name).filter((value) => isGood(name, value));

function add(event: SubmitEvent): void {
  event.preventDefault();
  const form = event.currentTarget as HTMLFormElement;
  const field = (name: string) => (form.elements.namedItem(name) as HTMLInputElement).value.trim();
  if (field("key") !== "") {
    const where = field("key") + field("op") + field("value");
    change({ where: [...new Set([...address.value.params.getAll("where"), where])] });
    form.reset();
  }
}

interface Props {
  keys?: readonly string[]; // suggestions
  values?: readonly string[];
  isWhole?: boolean; // of the whole service: attributes choose nothing
}

// The parameters of SHOWN that select among everything that JVMs did.
const OF_WHOLE = ["service", "instance", "recording", "thread", "pool"];

export function Conditions({ keys = [], values = [], isWhole = false }: Props) {
  const shown = SHOWN.filter(([name]) => !isWhole || OF_WHOLE.includes(name));
  const chips = shown.flatMap(([name, text]) =>
    good(name).map(
      (value) =>
        html`<span class="chip" key=${name + value} title=${value}>
          ${text(value)}
          <button
            class="plain"
            aria-label=${`take away ${text(value)}`}
            onClick=${() => remove(name, value)}
          >
            ×
          </button>
        </span>`,
    ),
  );
  return html`<div class="chips conditions">
    ${chips} ${!isWhole && html`<${Form} keys=${keys} values=${values} />`}
  </div>`;
}

function Form({ keys, values }: { keys: readonly string[]; values: readonly string[] }) {
  return html`<form class="where" onSubmit=${add} aria-label="Add a condition on an attribute">
    <input
      name="key"
      list="where-keys"
      placeholder="attribute"
      aria-label="attribute"
      autocomplete="off"
    />
    <select name="op" aria-label="comparison">
      ${["=", "!=", "^=", ">=", "<="].map((op) => html`<option>${op}</option>`)}
    </select>
    <input
      name="value"
      list="where-values"
      placeholder="value"
      aria-label="value"
      autocomplete="off"
    />
    <button>add</button>
    <datalist id="where-keys">${keys.map((key) => html`<option value=${key} />`)}</datalist>
    <datalist id="where-values">${values.map((value) => html`<option value=${value} />`)}</datalist>
  </form>`;
}
