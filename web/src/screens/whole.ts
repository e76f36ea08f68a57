// SPDX-License-Identifier: Apache-2.0
// whole: all that the JVMs of a service did, in contexts or not: heap, GC and CPU, threads by pool, where their time and
// CPU went, and how much of it is kept.
import { address, change, changed, hrefTo } from "../base/address";
import { useAnswer } from "../base/answers";
import { shownName } from "../base/format";
import { html } from "../base/html";
import { now, range } from "../base/range";
import { apiUrl, restOf, serviceOf, wholeOf } from "../base/selection";
import type { Jvm, Recordings } from "../base/shapes";
import { inUnit } from "../base/units";
import { Choosers, namesOf } from "../parts/choosers";
import { FlamePanel, flameHref } from "../parts/flame/panel";
import { JvmPanel } from "../parts/jvm/panel";
import { Notice } from "../parts/notice";
import { PoolsPanel, usePools } from "../parts/pools";
import { Shell } from "../parts/shell";
import { StoredPanel } from "../parts/stored";
import { Views } from "../parts/views";
import { WhyPanel } from "../parts/why";

const QUICK_NS = 6n * 3_600_000_000_000n; // for longer ranges the panels read chunks only on request
const STANDARD = "cpu"; // the first value of the flame graph

const hrefOf = (category: string, frame: string | null) => flameHref(category, frame, STANDARD);

// Selected has the panels that read stored chunks.
function Selected({ query }: { query: URLSearchParams }) {
  const { params } = address.value;
  const selected = changed(query, { thread: params.get("thread"), pool: params.get("pool") });
  const compared = inUnit(changed(selected, { base: restOf(params) }), "threads");
  const pools = usePools(query, now.value);
  return html`<div class="one-and-two">
      <${PoolsPanel} answer=${pools} query=${query} />
      <${StoredPanel} query=${query} tick=${now.value} />
    </div>
    <${WhyPanel} query=${inUnit(selected, "threads")} tick=${now.value} hrefOf=${hrefOf} />
    <${FlamePanel} query=${compared} tick=${now.value} standard=${STANDARD} />`;
}

export function WholeScreen() {
  const { params } = address.value;
  const { from, to } = range.value;
  const query = wholeOf(address.value, range.value);
  const recordings = useAnswer<Recordings>(
    apiUrl("recordings", changed(query, { recording: null, instance: null, version: null })),
    now.value,
  );
  const jvmUrl = apiUrl("jvm", query);
  const jvm = useAnswer<Jvm>(jvmUrl, now.value);
  const service = serviceOf(address.value);
  const crumbs = [
    { name: "services", href: hrefTo([]) },
    { name: service === null ? "all" : shownName(service) },
  ];
  const known = recordings.data?.recordings ?? [];
  return html`<${Shell} crumbs=${crumbs}>
    <${Views} isWhole />
    <${Choosers} types=${[]} ...${namesOf(known)} isWhole />
    <${JvmPanel} answer=${jvm} url=${jvmUrl} />
    ${
      to - from <= QUICK_NS || params.get("whole") === "1"
        ? html`<${Selected} query=${query} />`
        : html`<section>
            <${Notice} title="Select a shorter range to load thread activity">
              <button onClick=${() => change({ whole: "1" })}>
                or read everything that is kept
              </button>
            <//>
          </section>`
    }
  <//>`;
}
