// SPDX-License-Identifier: Apache-2.0
// keep: pins what is selected, while its raw data is there.
import { useState } from "preact/hooks";
import { useAnswer } from "../base/answers";
import { pause, problemOf } from "../base/busy";
import { second } from "../base/clock";
import { html } from "../base/html";
import { HEADERS } from "../base/login";
import { apiUrl } from "../base/selection";

const AFTER_NS = 120_000_000_000n;

interface Recall {
  services: readonly { service: string; from: string | null }[];
}

interface Pin {
  key: string;
  waiting: number;
  unasked?: number; // collectors that have not heard of it yet
  kept: number;
}

// pinOf returns the parameters of a pin of a selection; null if that has no service.
export function pinOf(query: URLSearchParams): URLSearchParams | null {
  const given = (...names: string[]) =>
    names.flatMap((name) => (query.has(name) ? [[name, query.get(name)!]] : []));
  const [place] = given("recording", "service");
  const pin = new URLSearchParams(
    query.has("trace")
      ? given("trace")
      : [
          ...(place ? [place] : []),
          ...given("from"),
          ...(place?.[0] === "recording" ? given("request") : []),
        ],
  );
  const to = query.get("to");
  if (to && !pin.has("trace")) {
    pin.set("to", String(BigInt(to) + AFTER_NS)); // a request may last longer than a selection of its begin
  }
  return place || pin.has("trace") ? pin : null;
}

interface KeepProps {
  query: URLSearchParams;
  className?: string;
}

// Keep is a button, or an item of a menu; nothing where there is no raw data.
export function Keep({ query, className }: KeepProps) {
  const raw = useAnswer<Recall>(apiUrl("recall", new URLSearchParams())).data;
  const [said, setSaid] = useState("");
  const pin = pinOf(query);
  const service = pin?.get("service") ?? null;
  const from = (raw?.services ?? [])
    .flatMap((one) => (one.from && (service ?? one.service) === one.service ? [one.from] : []))
    .sort()
    .pop();
  if (!pin || !from) {
    return null;
  }
  const keep = async () => {
    for (let waiting = 1; waiting > 0; await pause(1000)) {
      const answer = await fetch(apiUrl("pins", pin), {
        method: "POST",
        headers: HEADERS,
      });
      if (!answer.ok) {
        return setSaid(await problemOf(answer));
      }
      const made = (await answer.json()) as Pin;
      pin.set("key", made.key); // then it is asked how far it is
      waiting = made.waiting + (made.unasked ?? 0);
      setSaid(`${made.kept} chunks kept, ${made.waiting} waiting`);
    }
  };
  return html`<button class=${className} onClick=${keep}>
    keep everything${" "}<small
      >${said || `what was dropped since ${second(BigInt(Date.parse(from)) * 1_000_000n)}, too`}</small
    >
  </button>`;
}
