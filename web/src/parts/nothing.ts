// SPDX-License-Identifier: Apache-2.0
// nothing: why a selection has no kept context or request, and what can be done about it.
import { useMemo } from "preact/hooks";
import { address, change, hrefTo } from "../base/address";
import { useAnswer } from "../base/answers";
import { count, duration } from "../base/format";
import { html } from "../base/html";
import type { Children } from "../base/html";
import { unitHref } from "../base/links";
import { apiUrl, boxText, parseBox } from "../base/selection";
import type { Box } from "../base/selection";
import type { Heatmap, OneRecording, Recording } from "../base/shapes";
import { nounOf, unitOf } from "../base/units";
import type { Unit } from "../base/units";
import { Dropped, sums } from "./dropped";
import type { Grid } from "./heatmap/layout";
import { exemplarsIn, gridOf, rangeOf, sumIn } from "./heatmap/layout";
import { NoJvm } from "./no_jvm";
import { Notice } from "./notice";
import { wholeHref } from "./views";

const EXEMPLARS = 3;

// BySetting is what dropped the events of a JVM.
function BySetting({ of }: { of: Recording }) {
  const answer = useAnswer<OneRecording>(
    apiUrl(`recordings/${encodeURIComponent(of.id)}`, new URLSearchParams()),
  );
  const dropped = answer.data && sums(answer.data.types);
  return dropped && dropped.length > 0
    ? html`<p>
        Settings of the policy that dropped events of${" "}
        <a class="link" href=${hrefTo(["r", of.id])}>${of.instance}</a>, since it started:
        <${Dropped} of=${dropped} />
      </p>`
    : null;
}

// The box with a column more on either side.
function wider(box: Box, step: bigint): string {
  return boxText({ ...box, from: box.from - step, to: box.to + step });
}

// InChunk: the heat map counts contexts of the box as kept, which began before or after it.
interface InChunkProps {
  grid: Grid;
  heatUrl: string;
  box: Box;
  kept: number;
  unit: Unit;
}

function InChunk({ grid, heatUrl, box, kept, unit }: InChunkProps) {
  const { data } = useAnswer<Heatmap>(heatUrl);
  const step = duration(Number(grid.step)).replace(/ 0 (s|min)$/, "");
  const examples = data
    ? exemplarsIn(gridOf(data, Infinity, Infinity), box).slice(0, EXEMPLARS)
    : [];
  const example = ({ recording, id }: { recording: string; id: string }, index: number) =>
    html`<a class="link" key=${id} href=${unitHref(unit, recording, id)}>${index + 1}</a>${" "}`;
  return html`<${Notice} title=${`No kept ${nounOf(unit)} began in this box`}>
    <p>
      The heat map has ${count(kept)} kept ones here: it counts a ${nounOf(unit)} in the column in
      which the middle of its chunk lies, and chunks that are longer than a minute reach farther
      than that.
    </p>
    <p>
      <button onClick=${() => change({ box: wider(box, grid.step) })}>
        ${step} more on either side
      </button>
      ${examples.length > 0 && html`${" "}or open one of them: ${examples.map(example)}`}
    </p>
  <//>`;
}

interface Props {
  heat: Heatmap;
  heatUrl: string; // of it with exemplars
  query: URLSearchParams; // the selection
  recordings: readonly Recording[];
  isNarrowed: boolean; // by conditions that the heat map does not know
}

export function Nothing({ heat, heatUrl, query, recordings, isNarrowed }: Props) {
  const grid = useMemo(() => gridOf(heat, Infinity, Infinity), [heat]);
  const chosen = parseBox(address.value.params.get("box"));
  const isBounded = ["where", "min_duration_ns", "max_duration_ns", "context"].some((name) =>
    query.has(name),
  );
  const bound = (name: string, otherwise: number) => Number(query.get(name) ?? otherwise);
  const box = chosen ?? {
    ...rangeOf(grid),
    min: bound("min_duration_ns", 0),
    max: bound("max_duration_ns", Infinity),
  };
  const { all, kept } = sumIn(grid, box);
  const unit = unitOf(query);
  const noun = nounOf(unit);
  const newest = recordings[0];
  if (recordings.length === 0) {
    return html`<${NoJvm} />`;
  }
  const is = (title: string, text: Children) => html`<${Notice} title=${title}>${text}<//>`;
  if (isNarrowed) {
    return is(`No kept ${noun} is like this`, "Take a condition away to see more.");
  }
  if (all === 0 && chosen) {
    return is(`No ${noun} is in this box`, "Choose a coloured cell.");
  }
  if (all === 0 && isBounded) {
    return is(`No ${noun} is like this`, "Take a condition away, or look at a longer time.");
  }
  if (all === 0) {
    return is(
      `No ${unit} in this time`,
      html`${
          recordings.some((one) => one.is_running)
            ? "A JVM is running, and none of its requests is counted yet."
            : "JVMs ran, but had no contexts: docs/instrument/java-api.md says how a service gets some."
        }${" "} <a class="link" href=${wholeHref(address.value.params)}>What their threads did</a>`,
    );
  }
  if (kept > 0 && chosen) {
    return html`<${InChunk}
      grid=${grid}
      heatUrl=${heatUrl}
      box=${chosen}
      kept=${kept}
      unit=${unit}
    />`;
  }
  return html`<${Notice} title=${`Nothing is kept of these ${count(all)} ${unit}`}>
    <p>They are counted, but nothing happened in them that the policy keeps.</p>
    ${newest && html`<${BySetting} of=${newest} />`}
  <//>`;
}
