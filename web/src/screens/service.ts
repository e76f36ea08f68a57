// SPDX-License-Identifier: Apache-2.0
// service (S2): the requests or contexts of one service or of all: routes, heat map, and for the selection where the time
// went, common attributes, and a list.
import { useEffect, useMemo, useState } from "preact/hooks";
import { address, change, changed, hrefTo, pathOf, urlOf } from "../base/address";
import type { Changes } from "../base/address";
import { parseAgainst, shortOf, wordsOf } from "../base/against";
import { useAnswer } from "../base/answers";
import type { Answer } from "../base/answers";
import { bytes, count, duration, percent, shownName } from "../base/format";
import { html } from "../base/html";
import type { Children } from "../base/html";
import { isNarrow } from "../base/narrow";
import { usePages } from "../base/pages";
import { isLive, now, range, secondsOf } from "../base/range";
import type { Range } from "../base/range";
import {
  DURATIONS,
  apiUrl,
  comparedOf,
  hasConditionsOf,
  parseBox,
  restOf,
  rollupOf,
  selectionOf,
  serviceOf,
  wholeOf,
  withBase,
} from "../base/selection";
import type { Box } from "../base/selection";
import type {
  ContextTypes,
  Contexts,
  Flame,
  Heatmap,
  Jvm,
  Recording,
  Recordings,
} from "../base/shapes";
import { chosenUnit, inUnit } from "../base/units";
import type { Unit } from "../base/units";
import { AttributesPanel } from "../parts/attributes";
import { Choosers, namesOf } from "../parts/choosers";
import { ComparePanel } from "../parts/compare";
import { TopFrames } from "../parts/flame/frames";
import { FlamePanel, flameHref, flameUrl } from "../parts/flame/panel";
import { HeatmapPanel } from "../parts/heatmap/heatmap";
import { inAll, quantile, slowestOf } from "../parts/heatmap/layout";
import { JvmPanel } from "../parts/jvm/panel";
import { Nothing } from "../parts/nothing";
import { Notice, Skeleton } from "../parts/notice";
import { RequestsPanel, sortOf } from "../parts/requests";
import { RoutesPanel } from "../parts/routes";
import { Shell } from "../parts/shell";
import { Views } from "../parts/views";
import { WhyPanel } from "../parts/why";
import { WholeScreen } from "./whole";
import "./service.css";

const PAGE = 50; // contexts in the list at first, and more for each "more"
const PAGE_NARROW = 10; // the same where each takes several lines
const QUICK_NS = 6n * 3_600_000_000_000n; // the panels read the chunks of a longer range only if told to
const MINUTE_NS = 60_000_000_000n;
const RECENT_NS = 15n * MINUTE_NS; // what JVMs sent in the last minutes may not be compacted yet

// Conditions that choose among kept contexts, and which the statistics of all do not know.
const KEPT_ONLY = ["trace", "thread", "pool", "id"];

// heatRange begins at a whole minute while the page is live: then columns do not move with each second.
function heatRange({ from, to }: Range): Range {
  const start = isLive.value ? ((from + MINUTE_NS - 1n) / MINUTE_NS) * MINUTE_NS : from;
  return { from: start < to ? start : from, to };
}

// isKeptOnly returns whether the heat map has contexts that the selection has not, or may have.
function isKeptOnly(params: URLSearchParams, rollup: URLSearchParams): boolean {
  const wheres = params.getAll("where").length - rollup.getAll("where").length;
  return wheres > 0 || KEPT_ONLY.some((name) => params.has(name));
}

// baseWords returns the name of the base for panels about kept requests, and a short form.
function baseWords(params: URLSearchParams): readonly [string, string] {
  const against = parseAgainst(params.get("against"));
  if (params.has("base_box")) {
    return ["the other box", "other box"];
  }
  return against && !restOf(params) ? [wordsOf(against), shortOf(against)] : ["the rest", "rest"];
}

function countedSeconds({ t0_ns, step_ns, columns }: Heatmap, asked: Range): number {
  const isFilled = columns.map((column) => column.length > 0);
  return secondsOf(BigInt(t0_ns), step_ns, isFilled, asked);
}

interface FactsProps {
  data: Heatmap;
  isOfAll: boolean; // filters that the statistics do not know are chosen
  seconds: number;
  jvms: Recordings | null;
  unit: Unit;
  keptUrl: string | null; // of the kept ones that have the filters, where the statistics do not know them
}

const durationOr = (ns: number | null) => (ns === null ? "-" : duration(ns));

// Facts are of all requests where the statistics know the filters; else of all without them, and beside that of the kept
// ones with them. Each says so.
function Facts({ data, isOfAll, seconds, jvms, unit, keptUrl }: FactsProps) {
  const kept = useAnswer<Contexts>(keptUrl, now.value).data;
  const lengths = useMemo(() => inAll(data.columns), [data]);
  const time = (q: number) => durationOr(quantile(lengths, q));
  const sum = (of: (one: Recording) => number) =>
    (jvms?.recordings ?? []).reduce((total, one) => total + of(one), 0);
  const stored = sum((one) => one.bytes_out);
  const recorded = sum((one) => one.bytes_in);
  const fact = (value: string, name: string, title = "") =>
    html`<span title=${title}><b>${value}</b>${name}</span>`;
  return html`<div class="facts">
    ${fact(`${count(Number((data.all / seconds).toPrecision(3)))}/s`, `${unit}, ${count(data.all)}`)}
    ${jvms && fact(count(jvms.recordings.length), "JVMs", "that ran in this time")}
    ${fact(time(0.5), "median")} ${fact(time(0.99), "p99")}
    ${fact(data.all > 0 ? percent(data.kept / data.all) : "-", `kept, ${count(data.kept)}`)}
    ${recorded > 0 && fact(`${bytes(stored)} of ${bytes(recorded)}`, "stored of recorded", "by these JVMs, since they started")}
    ${isOfAll && html`<span class="dim">all ${unit}, without the filters</span>`}
    ${
      kept &&
      fact(
        count(kept.matched),
        `kept with the filters: median ${durationOr(kept.p50_ns)}, p99 ${durationOr(kept.p99_ns)}`,
      )
    }
  </div>`;
}

// slowestIn is the box of the slowest percent, where the address chooses it, and nothing else of durations.
function slowestIn(params: URLSearchParams, heat: Heatmap | null): Box | null {
  const isChosen =
    params.get("slowest") === "1" && !["box", ...DURATIONS].some((name) => params.has(name));
  return isChosen && heat ? slowestOf(heat) : null;
}

interface SelectedProps {
  heat: Answer<Heatmap>;
  slowest: Box | null;
  heatUrl: string; // of it with exemplars
  unit: Unit;
  recordings: readonly Recording[];
  isNarrowed: boolean;
}

// Selected has the panels about kept requests: of the box, or of the whole selection.
function Selected({ heat, slowest, heatUrl, unit, recordings, isNarrowed }: SelectedProps) {
  const bounds: Changes = slowest ? { slowest: null, min_duration_ns: String(slowest.min) } : {};
  const params = changed(address.value.params, bounds);
  const chosen = { ...address.value, params };
  const query = inUnit(selectionOf(chosen, range.value), unit);
  const compared = inUnit(comparedOf(chosen, range.value), unit);
  const tick = params.has("box") && isLive.value ? 0 : now.value;
  const isPart = ["where", ...DURATIONS, ...KEPT_ONLY].some((name) => query.has(name));
  const isCompared = [...compared.keys()].some((name) => name.startsWith("base"));
  const against = isCompared || !isPart ? compared : changed(compared, { base: "rest" });
  const [other, otherInShort] = baseWords(params);
  const url = apiUrl(unit, inUnit(query, "contexts"), { sort: sortOf(params, unit) });
  const pages = usePages<Contexts>(url, isNarrow.value ? PAGE_NARROW : PAGE, tick);
  const whole = useAnswer<Flame>(flameUrl(compared), tick);
  const { data } = pages.answer;
  if (data?.matched === 0 && !data.is_truncated && heat.data) {
    return html`<section>
      <${Nothing}
        heat=${heat.data}
        heatUrl=${heatUrl}
        query=${query}
        recordings=${recordings}
        isNarrowed=${isNarrowed}
      />
    </section>`;
  }
  const instances = new Map(recordings.map((one) => [one.id, one.instance]));
  const service = query.get("service");
  const others = { service, sort: null, view: null, unit: null, key: null };
  const events =
    params.has("box") && unit === "contexts"
      ? urlOf(pathOf("e"), changed(query, { zone: params.get("zone") }))
      : urlOf(pathOf("e"), changed(params, { ...others, box: null, base_box: null }));
  return html`<div class="one-and-two">
      <${WhyPanel} query=${against} against=${otherInShort} tick=${tick} hrefOf=${flameHref} />
      <${AttributesPanel} query=${against} tick=${tick} against=${other} />
      <${TopFrames} url=${flameUrl(compared)} answer=${whole} />
    </div>
    <${FlamePanel} query=${compared} tick=${tick} whole=${whole} />
    <${RequestsPanel}
      pages=${pages}
      url=${url}
      query=${query}
      instances=${instances}
      eventsHref=${events}
    />`;
}

function note(data: Heatmap | null, isNarrowed: boolean): Children {
  const parts = [
    data &&
      data.unknown > 0 &&
      `${count(data.unknown)} of which it is not known if they are like this`,
    isNarrowed && "without the filters: it supports one attribute=value",
    data && data.all > 0 && "drag to select, Shift+drag to compare",
  ];
  return parts.filter((part) => part).join("; ");
}

interface Heat {
  heat: Answer<Heatmap>;
  heatUrl: string; // of it with exemplars
  isOfAll: boolean;
}

// hasPending returns whether what JVMs have sent in the last minute may be in a heat map.
function hasPending({ from, to }: Range): boolean {
  return to - from <= 60n * MINUTE_NS && to > now.value - RECENT_NS;
}

// useHeat returns the heat map of the selection; of all requests, if statistics do not have a chosen value. Exemplars
// are most of the work, and the last minute has to be compacted first. So the first answer comes without both.
function useHeat(rollup: URLSearchParams, isPointedAt: boolean, isAsked: boolean): Heat {
  const heatUrl = (more: Changes) => apiUrl("contexts/heatmap", rollup, { fine: "1", ...more });
  const url = heatUrl({});
  const asksNamed = isPointedAt && !rollup.has("where");
  const pending = hasPending(range.value) ? "1" : null;
  const [isThere, setIsThere] = useState(false);
  const isMore = isAsked && isThere && (asksNamed || pending);
  const more = useAnswer<Heatmap>(
    isMore ? heatUrl({ pending, exemplars: asksNamed ? null : "0" }) : null,
    now.value,
  );
  const quickUrl = heatUrl({ exemplars: "0" });
  const quick = useAnswer<Heatmap>(isAsked && !more.data ? quickUrl : null, now.value);
  const answer = more.data ? more : quick;
  const hasQuick = quick.data !== null;
  useEffect(() => setIsThere((before) => before || hasQuick), [hasQuick]);
  const { data } = answer;
  const isUnknown = rollup.has("where") && data !== null && data.all === 0 && data.unknown > 0;
  const allUrl = heatUrl({ where: null });
  const all = useAnswer<Heatmap>(isUnknown ? allUrl : null, now.value);
  return isUnknown && all.data
    ? { heat: all, heatUrl: allUrl, isOfAll: true }
    : { heat: answer, heatUrl: url, isOfAll: false };
}

// useHeatOfUnit is that of requests, unless the address chooses contexts, or there are no requests at all: then it is
// that of contexts, as it is where chunks are older than requests. hasRequests is null until that is known.
function useHeatOfUnit(
  rollup: URLSearchParams,
  isPointedAt: boolean,
  hasRequests: boolean | null,
): Heat & { unit: Unit } {
  const chosen = chosenUnit(address.value.params);
  const requests = useHeat(inUnit(rollup, "requests"), isPointedAt, chosen !== "contexts");
  const { data } = requests.heat;
  const isNone = data !== null && data.all === 0 && data.unknown === 0;
  const isWhole = !rollup.has("where") && !rollup.has("context");
  const isWithout = isNone && (isWhole || hasRequests === false);
  const isOfContexts = chosen === "contexts" || (chosen === null && isWithout);
  const contexts = useHeat(rollup, isPointedAt, isOfContexts);
  return isOfContexts ? { ...contexts, unit: "contexts" } : { ...requests, unit: "requests" };
}

// JvmLines are heap, GC and CPU on the axis of the heat map above, once somebody opens them: chunks are read for it.
function JvmLines({ heat }: { heat: Heatmap }) {
  const isOpen = address.value.params.get("jvm") === "1";
  const from = BigInt(heat.t0_ns);
  const to = from + BigInt(heat.step_ns) * BigInt(heat.columns.length);
  const url = apiUrl("jvm", wholeOf(address.value, { from, to }));
  const answer = useAnswer<Jvm>(isOpen ? url : null, now.value);
  return isOpen
    ? html`<${JvmPanel} answer=${answer} url=${url} onClose=${() => change({ jvm: null })} />`
    : html`<section class="jvm-panel">
        <button class="plain" aria-expanded="false" onClick=${() => change({ jvm: "1" })}>
          ▸ <b>JVM</b> <span class="dim">heap, GC, CPU and threads in the same time</span>
        </button>
      </section>`;
}

export function ServiceScreen() {
  const isWhole = address.value.params.get("unit") === "threads";
  return isWhole ? html`<${WholeScreen} />` : html`<${RequestsScreen} />`;
}

function RequestsScreen() {
  const { params } = address.value;
  const { from, to } = range.value;
  const counted = heatRange(range.value);
  const rollup = rollupOf(address.value, counted);
  const [isPointedAt, setIsPointedAt] = useState(false);
  const [isPainted, setIsPainted] = useState(false); // later requests must not delay the first frame
  const common = changed(rollup, { where: null, context: null });
  const typesUrl = apiUrl("contexts/types", common);
  const isOfContexts = chosenUnit(params) === "contexts";
  const types = useAnswer<ContextTypes>(isPainted || !isOfContexts ? typesUrl : null, now.value);
  const requests = types.data?.requests ?? [];
  const hasRequests = types.data && requests.length > 0;
  const { heat, heatUrl, isOfAll, unit } = useHeatOfUnit(rollup, isPointedAt, hasRequests);
  const isThere = heat.data !== null || heat.problem !== null;
  useEffect(() => setIsPainted((before) => before || isThere), [isThere]);
  const seconds = heat.data && countedSeconds(heat.data, counted);
  const jvmsQuery = changed(common, { recording: null });
  const jvms = useAnswer<Recordings>(isPainted ? apiUrl("recordings", jvmsQuery) : null, now.value);
  const recordings = jvms.data?.recordings ?? [];
  const isOfSome = params.has("instance") || params.has("version");
  const anyUrl = apiUrl("recordings", changed(jvmsQuery, { instance: null, version: null }));
  const any = useAnswer<Recordings>(isPainted && isOfSome ? anyUrl : null, now.value);
  const options = (isOfSome ? any.data?.recordings : null) ?? recordings;
  const against = parseAgainst(params.get("against"));
  const isNarrowed = isOfAll || isKeptOnly(params, rollup);
  const isAsked =
    to - from <= QUICK_NS ||
    params.get("whole") === "1" ||
    parseBox(params.get("box")) !== null ||
    params.has("trace");
  const service = serviceOf(address.value);
  const crumbs = [
    { name: "services", href: hrefTo([]) },
    { name: service === null ? "all" : shownName(service) },
  ];
  const slowest = slowestIn(params, heat.data);
  // The slowest percent of the previous selection does not apply to this one.
  const isOfBefore =
    slowest !== null && !isOfAll && heat.url !== null && !hasConditionsOf(heat.url, rollup);
  const isOfFew = isNarrowed || DURATIONS.some((name) => params.has(name));
  const unboxed = { ...address.value, params: changed(params, { box: null }) };
  const filtered = inUnit(selectionOf(unboxed, range.value), "contexts");
  const keptUrl = isOfFew && isPainted && isAsked ? apiUrl(unit, filtered, { limit: "1" }) : null;
  const isEmpty = heat.data?.all === 0 && jvms.data !== null && recordings.length === 0;
  return html`<${Shell} crumbs=${crumbs}>
    ${
      heat.data
        ? html`<${Facts}
            data=${heat.data}
            isOfAll=${isOfFew}
            seconds=${seconds}
            jvms=${jvms.data}
            unit=${unit}
            keptUrl=${keptUrl}
          />`
        : heat.isLoading && html`<div class="facts"><${Skeleton} lines=${2} /></div>`
    }
    <${Views} />
    <${Choosers}
      types=${(unit === "requests" ? requests : types.data?.types) ?? []}
      unit=${unit}
      ...${namesOf(options)}
    />
    ${
      against &&
      isPainted &&
      html`<${ComparePanel}
        query=${withBase(changed(rollup, { where: null }), params)}
        against=${wordsOf(against)}
        unit=${unit}
      />`
    }
    ${
      unit === "requests" &&
      !against &&
      html`<${RoutesPanel}
        answer=${types}
        url=${typesUrl}
        requests=${requests}
        query=${isPainted ? common : null}
        tick=${now.value}
        seconds=${seconds}
      />`
    }
    ${
      !isEmpty &&
      html`<${HeatmapPanel}
        answer=${heat}
        slowest=${slowest}
        url=${heatUrl}
        unit=${unit}
        isEither=${requests.length > 0}
        note=${note(heat.data, isNarrowed)}
        onPoint=${() => setIsPointedAt(true)}
      />`
    }
    ${heat.data && recordings.length > 0 && html`<${JvmLines} heat=${heat.data} />`}
    ${isPainted && isAsked && isOfBefore && html`<section><${Skeleton} lines=${4} /></section>`}
    ${
      isPainted &&
      isAsked &&
      !isOfBefore &&
      html`<${Selected}
        key=${unit}
        heat=${heat}
        slowest=${slowest}
        heatUrl=${heatUrl}
        unit=${unit}
        recordings=${recordings}
        isNarrowed=${isNarrowed}
      />`
    }
    ${
      isPainted &&
      !isAsked &&
      html`<section>
        <${Notice} title="Drag a box in the heat map to see where its time went">
          <button onClick=${() => change({ whole: "1" })}>or read everything that is kept</button>
        <//>
      </section>`
    }
  <//>`;
}
