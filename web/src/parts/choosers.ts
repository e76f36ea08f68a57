// SPDX-License-Identifier: Apache-2.0
// choosers: which type of contexts, which JVM, how long, on which threads.
import { useLayoutEffect, useRef } from "preact/hooks";
import { address, change } from "../base/address";
import type { Changes } from "../base/address";
import { count, duration, parseDuration } from "../base/format";
import { html } from "../base/html";
import { isNs } from "../base/selection";
import type { ContextType, Recording, RequestType } from "../base/shapes";
import { ofUnit } from "../base/units";
import type { Unit } from "../base/units";
import { ChooseBase } from "./choose_base";
import { Conditions } from "./conditions";

interface ChooseProps {
  name: string; // of the parameter
  all: string; // what no choice is called
  options: readonly (readonly [string, string])[]; // value, text
  changes?: Changes; // what else a choice changes
}

function Choose({ name, all, options, changes = {} }: ChooseProps) {
  const chosen = address.value.params.get(name) ?? "";
  const isKnown = chosen === "" || options.some(([value]) => value === chosen);
  const shown = isKnown ? options : [[chosen, chosen], ...options];
  const choose = (event: Event) =>
    change({ ...changes, [name]: (event.currentTarget as HTMLSelectElement).value || null });
  return html`<select aria-label=${name} onChange=${choose}>
    <option value="" selected=${chosen === ""}>${all}</option>
    ${shown.map(
      ([value, text]) => html`<option value=${value} selected=${value === chosen}>${text}</option>`,
    )}
  </select>`;
}

// A bound of the durations; a box has its own, and is taken away. What somebody writes stays while answers come.
function Bound({ name, placeholder }: { name: string; placeholder: string }) {
  const field = useRef<HTMLInputElement>(null);
  const ns = address.value.params.get(name);
  const text = ns && isNs(ns) ? duration(Number(ns)) : "";
  useLayoutEffect(() => {
    field.current!.value = text;
  }, [text]);
  const choose = () => {
    const input = field.current!;
    const value = parseDuration(input.value);
    input.setCustomValidity(value === null && input.value !== "" ? "such as 300 ms, or 1.5 s" : "");
    if (input.reportValidity()) {
      change({ [name]: value === null ? null : String(value), box: null });
    }
  };
  return html`<input
    class="duration"
    ref=${field}
    placeholder=${placeholder}
    aria-label=${placeholder}
    title="a duration, such as 300 ms or 1.5 s"
    onChange=${choose}
  />`;
}

interface Values {
  key: string;
  values: readonly { value: string }[];
}

// A name of threads, in which * stands for any characters.
function Thread({ unit }: { unit: Unit }) {
  const field = useRef<HTMLInputElement>(null);
  const text = address.value.params.get("thread") ?? "";
  useLayoutEffect(() => {
    field.current!.value = text;
  }, [text]);
  return html`<input
    class="thread"
    ref=${field}
    placeholder="thread"
    aria-label="thread"
    title="its name, such as http-nio-*, or its Java id"
    onChange=${() => change({ thread: field.current!.value.trim() || null, ...ofUnit(unit) })}
  />`;
}

interface Props {
  types: readonly (ContextType | RequestType)[]; // of the unit
  instances: readonly string[];
  versions: readonly string[]; // the newest first
  unit?: Unit; // that is counted, and stays so
  isWhole?: boolean; // of the whole service: contexts choose nothing
}

const countOf = (one: ContextType | RequestType) =>
  "requests_in" in one ? one.requests_in : one.contexts_in;

// namesOf are the JVMs and the versions of recordings, each once.
export function namesOf(recordings: readonly Recording[]) {
  const versions = recordings.map((one) => one.version).filter((version) => version !== "");
  return {
    instances: [...new Set(recordings.map((one) => one.instance))],
    versions: [...new Set(versions)],
  };
}

export function Choosers(props: Props) {
  const { types, instances, versions, unit = "contexts", isWhole = false } = props;
  const chosen = address.value.params.get("context");
  const attributes = types
    .filter(({ type }) => chosen === null || type === chosen)
    .flatMap((one): readonly Values[] => one.attributes);
  const values = attributes.flatMap((one) => one.values.map(({ value }) => value));
  const jvms = html`<${Choose}
    name="instance"
    all="all JVMs"
    options=${instances.map((instance) => [instance, instance])}
  />`;
  const version =
    (versions.length > 0 || address.value.params.has("version")) &&
    html`<${Choose}
      name="version"
      all="all versions"
      options=${versions.map((one) => [one, `version ${one}`])}
    />`;
  if (isWhole) {
    return html`<div class="choosers">${jvms} ${version} <${Conditions} isWhole /></div>`;
  }
  return html`<div class="choosers">
    <${Choose}
      name="context"
      all=${`all types of ${unit}`}
      options=${types.map((one) => [one.type, `${one.type} (${count(countOf(one))})`])}
      changes=${ofUnit(unit)}
    />
    ${jvms} ${version}
    <${ChooseBase} versions=${versions} instances=${instances} />
    <${Bound} name="min_duration_ns" placeholder="at least" />
    <${Bound} name="max_duration_ns" placeholder="at most" />
    <${Thread} unit=${unit} />
    <${Conditions}
      keys=${[...new Set(attributes.map(({ key }) => key))]}
      values=${[...new Set(values)]}
    />
  </div>`;
}
