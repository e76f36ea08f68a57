// SPDX-License-Identifier: Apache-2.0
// panel: the flame graph of a selection, with its value, its base, and a table in place of the graph.
//
// Parameters of the address, besides those of the API (value, base, frame):
//   zoom=PATH     the frame at full width
//   find=TEXT     highlights text or /regex/
//   flame=table   the table
//   width=base    widths are those of the base
import { useMemo } from "preact/hooks";
import { address, change, changed, hrefWith } from "../../base/address";
import { FLAME_VALUES } from "../../base/faults";
import { useAnswer } from "../../base/answers";
import type { Answer } from "../../base/answers";
import { amount, count, counted, percent } from "../../base/format";
import { html } from "../../base/html";
import { categoryOf, kindOf } from "../../base/kinds";
import { isNarrow } from "../../base/narrow";
import { apiUrl, restOf } from "../../base/selection";
import type { Flame } from "../../base/shapes";
import { nounOf, unitOf } from "../../base/units";
import { Dot } from "../bars";
import { Downloads, Raw } from "../downloads";
import { Missing, Notice, Panel } from "../notice";
import { FlameGraph } from "./flame";
import "./flame.css";
import { FramesTable, frameText } from "./frames";
import { find, matcherOf, nodeOf, pathOf, treeOf } from "./layout";
import type { Found, Matcher } from "./layout";

const NAMES = { cpu: "CPU", io: "I/O", alloc: "allocation", count: "events" };
const VALUES = FLAME_VALUES.map((one): [string, string] => [
  one,
  { ...NAMES }[one as "cpu"] ?? one,
]);

// What leaves a rest to compare with.
const PARTS = ["where", "min_duration_ns", "max_duration_ns", "trace", "thread", "pool", "id"];

interface ToggleProps {
  isOn: boolean;
  onChange: () => void;
  title?: string;
  isOff?: boolean; // it can do nothing
  children: string;
}

function Toggle({ isOn, onChange, title, isOff, children }: ToggleProps) {
  const pressed = isOn ? "true" : "false";
  return html`<button aria-pressed=${pressed} title=${title} disabled=${isOff} onClick=${onChange}>
    ${children}
  </button>`;
}

function valueOf(params: URLSearchParams, standard: string): string {
  const value = params.get("value") ?? "";
  return VALUES.some(([one]) => one === value) ? value : standard;
}

// flameHref links a row of "why" to its stack traces: of a kind, or with a frame.
export function flameHref(category: string, frame: string | null, standard = "time"): string {
  const isValue = ["lock", "park", "io", "cpu"].includes(category);
  const value = isValue ? category : "time";
  const kind = `[${category === "unaccounted" ? "not accounted" : category}]`;
  return hrefWith({
    value: value === standard ? null : value,
    frame: frame !== null ? frameText(frame) : isValue ? null : frameText(kind),
    zoom: null,
  });
}

function Values({ value, standard }: { value: string; standard: string }) {
  return html`<span class="tabs" role="group" aria-label="Of what">
    ${VALUES.map(
      ([one, name]) =>
        html`<${Toggle}
          key=${one}
          isOn=${one === value}
          onChange=${() => change({ value: one === standard ? null : one, zoom: null })}
          >${name}<//
        >`,
    )}
  </span>`;
}

// The base: a second box of the heat map is always compared, all others after a click.
function Base({ flame, hasRest }: { flame: Flame | null; hasRest: boolean }) {
  const { params } = address.value;
  const isBox = params.get("base_box") !== null;
  const isRest = !isBox && restOf(params) !== null;
  const drop = { base: null, base_box: null, width: null };
  const isOn = isBox || isRest;
  const rest = hasRest
    ? "compare with all others of the range"
    : "there is no rest: select a box, a route or another part first";
  return html`<${Toggle}
      isOn=${isOn}
      isOff=${!isOn && !hasRest}
      title=${isBox ? "compare with the second box" : rest}
      onChange=${() => change(isOn ? drop : { base: "rest" })}
      >${isBox ? "vs second box" : "vs rest"}<//
    >${
      flame?.base_value &&
      html`<${Toggle}
        isOn=${params.get("width") === "base"}
        title="as wide as in the base"
        onChange=${() => change({ width: params.get("width") === "base" ? null : "base" })}
        >width of the base<//
      >`
    }`;
}

interface SearchProps {
  found: Found | null;
  flame: Flame | null;
  matches: Matcher | null;
}

function Search({ found, flame, matches }: SearchProps) {
  const text = address.value.params.get("find") ?? "";
  const isBad = text !== "" && matches === null;
  const whole = (address.value.params.get("width") === "base" && flame?.base_total) || flame?.total;
  const share = found && whole ? percent(found.weight / whole) : percent(0);
  const outcome = matches?.isOver() ? "too much to compare" : found ? `${share} found` : "";
  const type = (event: Event) => {
    const { value } = event.currentTarget as HTMLInputElement;
    change({ find: value === "" ? null : value }, true);
  };
  return html`<input
      type="search"
      placeholder="find: text or /regex/"
      aria-label="Find frames"
      value=${text}
      onInput=${type}
    /><span role="status">${isBad ? "no regular expression" : outcome}</span>`;
}

function FrameChip() {
  const frame = address.value.params.get("frame");
  return frame === null
    ? null
    : html`<button
        class="chip"
        title="only stack traces with a frame like this; a click shows all"
        onClick=${() => change({ frame: null, zoom: null })}
      >
        frame ${frame} ×
      </button>`;
}

// Legend names the colours, with shares; in a comparison, more and less.
function Legend({ flame }: { flame: Flame }) {
  const swatch = (token: string, text: string) =>
    html`<span><i class="dot" style=${{ background: `var(--${token})` }}></i>${text}</span>`;
  const sums = Object.entries(flame.of_kind).sort((a, b) => b[1] - a[1]);
  const ran = flame.of === "alloc" ? "allocation, with a stack trace" : "CPU, by samples";
  const share = (sum: number) => percent(flame.total > 0 ? sum / flame.total : 0);
  return html`<div class="legend">
    ${
      flame.base_value && [
        swatch("frame-more", "more of a request than in the base"),
        swatch("frame-less", "less"),
      ]
    }
    ${
      !flame.base_value &&
      sums.map(([letter, sum]) =>
        letter === "."
          ? swatch("frame-root", `${ran} ${share(sum)}`)
          : html`<span>
              <${Dot} category=${categoryOf(letter)} />${kindOf(categoryOf(letter)).name}
              ${" " + share(sum)}
            </span>`,
      )
    }
    ${
      flame.cut.nodes > 0 &&
      html`<span>${count(flame.cut.nodes)} small frames cut, ${share(flame.cut.value)}</span>`
    }
  </div>`;
}

function noteOf({ requests, total, unit, ...flame }: Flame, noun: string): string {
  const each = amount(total / Math.max(1, requests), unit);
  const base = flame.base_requests ?? 0;
  const before = amount((flame.base_total ?? 0) / Math.max(1, base), unit);
  const compared = flame.base_value ? `; base: ${count(base)}, ${before} each` : "";
  return `${counted(requests, noun)}, ${each}${requests === 1 ? "" : " each"}${compared}`;
}

interface Props {
  query: URLSearchParams; // the selection and its base: comparedOf() of selection.ts
  tick?: unknown; // fetches again when it changes
  whole?: Answer<Flame>; // the answer at flameUrl() of the query, if the screen has fetched it
  standard?: string; // the default value
}

// flameUrl is where all stack traces of a selection are, by time.
export function flameUrl(query: URLSearchParams): string {
  return apiUrl("flamegraph", query, { value: "time", frame: null });
}

export function FlamePanel({ query, tick, whole, standard = "time" }: Props) {
  const { params } = address.value;
  const value = valueOf(params, standard);
  const frame = params.get("frame");
  const asked = changed(query, { value, frame });
  const url = apiUrl("flamegraph", asked);
  const isWhole = whole !== undefined && url === flameUrl(query);
  const own = useAnswer<Flame>(isWhole ? null : url, tick);
  const before = own.problem === null ? (whole?.data ?? null) : null; // until it is there
  const answer = isWhole ? whole : { ...own, data: own.data ?? before };
  const flame = answer.data;
  const isBase = params.get("width") === "base" && flame?.base_value !== undefined;
  const tree = useMemo(() => flame && treeOf(flame, isBase), [flame, isBase]);
  const text = params.get("find") ?? "";
  const matches = useMemo(() => (text === "" ? null : matcherOf(text)), [text]);
  const found = useMemo(() => tree && matches && find(tree, matches), [tree, matches]);
  const [usual, other] = isNarrow.value ? ["table", "graph"] : ["graph", "table"]; // a graph needs room
  const isTable = (params.get("flame") === other ? other : usual) === "table";
  const isEmpty = !tree || tree.weight.length === 0 || !(tree.weight[0]! > 0);
  const zoom = tree ? nodeOf(tree, params.get("zoom") ?? "") : 0;
  const graph =
    tree &&
    html`<${FlameGraph}
      tree=${tree}
      zoom=${zoom}
      found=${found}
      onZoom=${(node: number) => change({ zoom: pathOf(tree, node) || null })}
    />`;
  const tools = html`<${Missing} of=${flame} /><${Downloads}
      query=${query}
      value=${value}
      frame=${frame}
    /><${Raw} url=${url} />`;
  const note = flame ? noteOf(flame, nounOf(unitOf(query))) : "";
  return html`<${Panel} title="Flame graph" note=${note} tools=${tools} answer=${answer}>
    <div class="flame-tools">
      <${Values} value=${value} standard=${standard} />
      <${FrameChip} />
      <${Base} flame=${flame} hasRest=${PARTS.some((name) => query.has(name))} />
      <${Search} found=${found} flame=${flame} matches=${matches} />
      ${zoom > 0 && html`<button onClick=${() => change({ zoom: null })}>whole graph</button>`}
      <${Toggle}
        isOn=${isTable}
        onChange=${() => change({ flame: params.get("flame") === other ? null : other })}
        title="all frames as a table"
        >table<//
      >
    </div>
    ${
      flame &&
      isEmpty &&
      html`<${Notice} title="No ${VALUES.find(([one]) => one === value)![1]} in this selection" />`
    }
    ${!isEmpty && (isTable ? html`<${FramesTable} tree=${tree} matches=${matches} />` : graph)}
    ${flame && !isEmpty && html`<${Legend} flame=${flame} />`}
  <//>`;
}
