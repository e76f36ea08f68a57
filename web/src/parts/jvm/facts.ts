// SPDX-License-Identifier: Apache-2.0
// facts: the command line, machine and garbage collector of a JVM, from its recording.
import { bytes } from "../../base/format";
import { html } from "../../base/html";
import type { JvmFacts } from "../../base/shapes";

const WITHOUT_COLLECTOR = "N/A"; // a collector without generations

function collectors(jvm: JvmFacts): string {
  const names = [jvm.young_collector, jvm.old_collector].filter(
    (name) => name !== undefined && name !== WITHOUT_COLLECTOR,
  );
  return [...new Set(names)].join(", ");
}

// commandOf is the line by which a JVM was started; null if it does not say.
export function commandOf(jvm: JvmFacts): string | null {
  const parts = [jvm.jvm_arguments, jvm.java_arguments].filter((part) => part);
  return parts.length === 0 ? null : ["java", ...parts].join(" ");
}

// systemOf returns the name of the operating system.
function systemOf({ os }: JvmFacts): string {
  const text = String(os ?? "");
  return /^PRETTY_NAME="(.*)"$/m.exec(text)?.[1] ?? text.split("\n")[0]!;
}

export function JvmFactList({ of }: { of: JvmFacts }) {
  const command = commandOf(of);
  const processors = of.hardware_threads === undefined ? "" : `${of.hardware_threads} × `;
  const rows: [string, unknown][] = [
    ["JVM", of.jvm_version],
    ["command line", command && html`<code>${command}</code>`],
    ["system", systemOf(of)],
    ["processor", of.cpu && `${processors}${of.cpu}`],
    ["memory", of.memory_bytes && bytes(Number(of.memory_bytes))],
    ["heap", of.heap_max_bytes && `${bytes(Number(of.heap_max_bytes))} at most`],
    ["GC", collectors(of)],
  ];
  return html`<div class="details">
    <dl>
      ${rows
        .filter(([, value]) => value)
        .map(
          ([name, value]) =>
            html`<dt>${name}</dt>
              <dd>${value}</dd>`,
        )}
    </dl>
  </div>`;
}
