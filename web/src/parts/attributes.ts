// SPDX-License-Identifier: Apache-2.0
// attributes: which values explain the selected contexts: their share here against that among others. A click adds one as a
// condition.
import { useState } from "preact/hooks";
import { address, hrefWith } from "../base/address";
import { useAnswer } from "../base/answers";
import { count, duration, percent } from "../base/format";
import { html } from "../base/html";
import { isId } from "../base/ids";
import { apiUrl } from "../base/selection";
import type { Attribute, AttributeValue, Attributes } from "../base/shapes";
import { Cut } from "./cut";
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

// sureShare is how much larger a value's share is than among the base, at least: with few contexts of either chance may
// have made it so. The bound of Agresti and Caffo for a difference of two shares; up to 0 it explains nothing.
export function sureShare(one: AttributeValue, contexts: number, baseContexts: number): number {
  const [all, base] = [contexts + 2, baseContexts + 2];
  const [share, baseShare] = [(one.count + 1) / all, ((one.base_count ?? 0) + 1) / base];
  const spread = (share * (1 - share)) / all + (baseShare * (1 - baseShare)) / base;
  return share - baseShare - CONFIDENCE * Math.sqrt(spread);
}

export interface Ranked {
  rows: LiftRow[]; // the best explanation first
  explaining: number; // how many of the first rows explain something; without a base, all
  ids: string[]; // attributes left out: one value for each context
}

// rankedOf returns the values of all attributes except ids and `chosen` ones, which conditions name. Values whose share is
// surely larger than in the base come first; without a base, the most frequent.
export function rankedOf(
  { contexts, base_contexts, keys }: Attributes,
  chosen: ReadonlySet<string>,
): Ranked {
  const isFree = ({ key, label }: Attribute) => !chosen.has(key) && !chosen.has(label);
  const ids = keys.filter((one) => isFree(one) && isId(one, contexts)).map(({ key }) => key);
  const weight = (one: LiftRow) =>
    base_contexts ? sureShare(one, contexts, base_contexts) : one.count;
  const weighed = keys
    .filter((one) => isFree(one) && !ids.includes(one.key))
    .flatMap(({ key, values }) => values.map((value) => ({ ...value, key })))
    .filter((one) => one.count > 0)
    .map((one): [LiftRow, number] => [one, weight(one)])
    .sort((a, b) => b[1] - a[1]);
  const explaining = weighed.filter(([, by]) => by > 0).length;
  return { rows: weighed.map(([one]) => one), explaining, ids };
}

function liftText({ lift, base_count }: LiftRow): string {
  return lift !== null
    ? `×${lift.toFixed(lift < 10 ? 1 : 0)}`
    : base_count === 0
      ? "only here"
      : "";
}

const shareOf = (part: number, all: number) => (all > 0 ? part / all : 0);

// Shares are two points on one line: here, and in the rest.
function Shares({ here, there }: { here: number; there: number }) {
  const left = (share: number) => ({ left: `${100 * share}%` });
  const between = { ...left(Math.min(here, there)), width: `${100 * Math.abs(here - there)}%` };
  return html`<div class="shares" aria-hidden="true">
    <i style=${between}></i><u style=${left(there)}></u><b style=${left(here)}></b>
  </div>`;
}

function columns({ contexts, base_contexts }: Attributes, against: string): Column<LiftRow>[] {
  const name: Column<LiftRow> = {
    name: "value",
    cell: ({ key, value }) =>
      html`<span class="key-value" title=${`${key}=${value}`}>
        <span class="dim">${key}</span> <b><${Cut} name=${value === "" ? "(empty)" : value} /></b>
      </span>`,
  };
  const here: Column<LiftRow> = {
    name: "here",
    title: "of the selected ones have it",
    cell: (one) =>
      html`<span title=${`${count(one.count)} of ${count(contexts)}`}
        >${percent(one.count / contexts)}</span
      >`,
    isNumber: true,
    className: "share",
  };
  const p99: Column<LiftRow> = {
    name: "p99",
    cell: (one) => (one.p99_ns === null ? "" : duration(one.p99_ns)),
    isNumber: true,
    className: "dim p99",
  };
  if (!base_contexts) {
    return [name, here, p99];
  }
  return [
    name,
    {
      name: html`here <span class="here">●</span> there ○`,
      cell: (one) =>
        html`<${Shares}
          here=${shareOf(one.count, contexts)}
          there=${shareOf(one.base_count ?? 0, base_contexts)}
        />`,
      className: "plot",
    },
    here,
    {
      name: "there",
      title: `in ${against}`,
      cell: (one) =>
        html`<span title=${`${count(one.base_count ?? 0)} of ${count(base_contexts)}`}
          >${percent(shareOf(one.base_count ?? 0, base_contexts))}</span
        >`,
      isNumber: true,
      className: "share dim",
    },
    p99,
    {
      name: "lift",
      title: "its share here, over its share there",
      cell: (one) =>
        html`<span class=${(one.lift ?? Infinity) >= 1.5 ? "lift" : "dim"}>${liftText(one)}</span>`,
      isNumber: true,
      className: "lift-cell",
    },
  ];
}

// whereHref adds key=value to the conditions.
function whereHref({ key, value }: LiftRow): string {
  const added = `${key}=${value}`;
  const others = address.value.params.getAll("where").filter((one) => one !== added);
  return hrefWith({ where: [...others, added] });
}

function Values({ data, against }: { data: Attributes; against: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const wheres = address.value.params.getAll("where");
  const chosen = new Set(wheres.map((one) => /^[^=<>!^]*/.exec(one)![0]));
  const { rows, explaining, ids } = rankedOf(data, chosen);
  const shown = isWhole ? rows : rows.slice(0, Math.min(VALUES_SHOWN, explaining));
  const left = rows.length - shown.length;
  return html`${
    explaining === 0 &&
    html`<p class="dim">No value is surely more frequent here than in ${against}.</p>`
  }
  ${
    shown.length > 0 &&
    html`<${Table}
      label="Attributes"
      columns=${columns(data, against)}
      rows=${shown}
      rowKey=${(one: LiftRow) => `${one.key}=${one.value}`}
      href=${whereHref}
      className="values"
    />`
  }
  ${
    left > 0 &&
    html`<button class="plain more" onClick=${() => setIsWhole(true)}>
      ${count(left)} more${shown.length === explaining ? ", which explain less" : ""}
    </button>`
  }
  ${
    ids.length > 0 &&
    html`<p class="dim">${ids.join(", ")}: one value for each, search for one above</p>`
  }`;
}

interface Props {
  query: URLSearchParams; // the selection and its base
  against: string; // the name of the base; "" if there is none
  tick?: unknown; // fetches again when it changes
}

export function AttributesPanel({ query, against, tick }: Props) {
  const url = apiUrl("attributes", query, { limit: String(VALUES_ASKED) });
  const answer = useAnswer<Attributes>(url, tick);
  const { data } = answer;
  const tools = html`<${Missing} of=${data} /><${Raw} url=${url} />`;
  return html`<${Panel}
    title="Attributes"
    note=${data?.base_contexts ? `more often than in ${against}` : ""}
    tools=${tools}
    answer=${answer}
    className="attributes"
  >
    ${data && data.contexts > 0 && html`<${Values} data=${data} against=${against} />`}
  <//>`;
}
