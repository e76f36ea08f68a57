// SPDX-License-Identifier: Apache-2.0
// attributes: which values the selected contexts have more often than others. A click adds one as a condition.
import { useState } from "preact/hooks";
import { address, hrefWith } from "../base/address";
import { useAnswer } from "../base/answers";
import { count, duration, percent } from "../base/format";
import { html } from "../base/html";
import { apiUrl } from "../base/selection";
import type { AttributeValue, Attributes } from "../base/shapes";
import { Raw } from "./downloads";
import { Missing, Panel } from "./notice";
import { Table } from "./table";
import type { Column } from "./table";

const VALUES_ASKED = 100; // of each key, the most frequent
const VALUES_SHOWN = 10;
const CONFIDENCE = 1.96; // standard deviations: 95 %

export interface LiftRow extends AttributeValue {
  key: string;
}

// sureLift is how often a value is there more often than among the base, at least: with few contexts of either
// chance may have made it so. The usual bound of a ratio of two shares.
export function sureLift(one: AttributeValue, contexts: number, baseContexts: number): number {
  const share = (one.count + 0.5) / (contexts + 0.5);
  const baseShare = (one.base_count + 0.5) / (baseContexts + 0.5);
  const spread = Math.sqrt(
    1 / (one.count + 0.5) -
      1 / (contexts + 0.5) +
      1 / (one.base_count + 0.5) -
      1 / (baseContexts + 0.5),
  );
  return (share / baseShare) * Math.exp(-CONFIDENCE * spread);
}

// ranked are the values of attributes but those of `chosen`, which conditions name; those first that most surely are more frequent than in the base;
// without a base, the most frequent.
export function ranked(
  { contexts, base_contexts, keys }: Attributes,
  chosen: ReadonlySet<string>,
): LiftRow[] {
  const weight = (one: LiftRow) =>
    base_contexts > 0 ? sureLift(one, contexts, base_contexts) : one.count;
  return keys
    .filter(({ key, label }) => !chosen.has(key) && !chosen.has(label))
    .flatMap(({ key, values }) => values.map((value) => ({ ...value, key })))
    .filter((one) => one.count > 0)
    .map((one): [LiftRow, number] => [one, weight(one)])
    .sort((a, b) => b[1] - a[1])
    .map(([one]) => one);
}

function liftText({ lift, base_count }: LiftRow): string {
  return lift !== null
    ? `×${lift.toFixed(lift < 10 ? 1 : 0)}`
    : base_count === 0
      ? "only here"
      : "";
}

function columns({ contexts, base_contexts }: Attributes): Column<LiftRow>[] {
  const value = (one: LiftRow) => html`<b>${one.value === "" ? "(empty)" : one.value}</b>`;
  const all: Column<LiftRow>[] = [
    { name: "attribute", cell: (one) => one.key },
    { name: "value", cell: value, className: "cut" },
    {
      name: "p99",
      cell: (one) => (one.p99_ns === null ? "" : duration(one.p99_ns)),
      isNumber: true,
      className: "dim",
    },
    {
      name: "share",
      title: "of the selected contexts have it",
      cell: (one) =>
        html`<span title=${`${count(one.count)} of ${count(contexts)}`}>
          ${percent(one.count / contexts)}
        </span>`,
      isNumber: true,
    },
  ];
  const lift: Column<LiftRow> = {
    name: "lift",
    title: "its share here, over its share among those to compare with",
    cell: (one) =>
      html`<span
        class=${(one.lift ?? Infinity) >= 1.5 ? "lift" : "dim"}
        title=${`${count(one.base_count)} of ${count(base_contexts)} to compare with`}
      >
        ${liftText(one)}
      </span>`,
    isNumber: true,
  };
  return base_contexts > 0 ? [...all, lift] : all;
}

// whereHref adds key=value to the conditions.
function whereHref({ key, value }: LiftRow): string {
  const added = `${key}=${value}`;
  const others = address.value.params.getAll("where").filter((one) => one !== added);
  return hrefWith({ where: [...others, added] });
}

function Values({ data }: { data: Attributes }) {
  const [isWhole, setIsWhole] = useState(false);
  const wheres = address.value.params.getAll("where");
  const rows = ranked(data, new Set(wheres.map((one) => /^[^=<>!^]*/.exec(one)![0])));
  const shown = isWhole ? rows : rows.slice(0, VALUES_SHOWN);
  const searched = data.keys.filter((one) => one.search_only).map((one) => one.key);
  return html`<${Table}
      label="Attributes"
      columns=${columns(data)}
      rows=${shown}
      rowKey=${(one: LiftRow) => `${one.key}=${one.value}`}
      href=${whereHref}
    />
    ${
      shown.length < rows.length &&
      html`<button class="plain more" onClick=${() => setIsWhole(true)}>
        ${count(rows.length - shown.length)} more
      </button>`
    }
    ${
      searched.length > 0 &&
      html`<p class="dim">${searched.join(", ")}: over 1,000 values, search for one above</p>`
    }`;
}

interface Props {
  query: URLSearchParams; // the selection, and what it is compared with
  against: string; // what that is called; "" where there is nothing to compare with
  tick?: unknown; // asks again when it changes
}

export function AttributesPanel({ query, against, tick }: Props) {
  const url = apiUrl("attributes", query, { limit: String(VALUES_ASKED) });
  const answer = useAnswer<Attributes>(url, tick);
  const { data } = answer;
  const tools = html`<${Missing} of=${data} /><${Raw} url=${url} />`;
  return html`<${Panel}
    title="Attributes"
    note=${data && data.base_contexts > 0 ? `more often than in ${against}` : ""}
    tools=${tools}
    answer=${answer}
    className="attributes"
  >
    ${data && data.contexts > 0 && html`<${Values} data=${data} />`}
  <//>`;
}
