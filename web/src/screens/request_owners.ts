// SPDX-License-Identifier: Apache-2.0
// request_owners: the threads that had the monitors that a context or a request waited for, each for how long it had them
// within the waits, and below it for whom it waited itself meanwhile.
import { counted, duration, typeName } from "../base/format";
import { html } from "../base/html";
import type { Children } from "../base/html";
import type { Owner } from "../base/shapes";

function OwnerRows({ of, depth }: { of: Owner; depth: number }): Children {
  const name = of.thread ?? "a thread without a name";
  return [
    html`<tr title=${`${counted(of.waits, "wait")} for ${of.monitor}`}>
      <td class="w" style=${{ paddingInlineStart: `calc(var(--s2) + ${depth} * var(--s4))` }}>
        ${depth > 0 && html`<span class="dim">waited for </span>`}<b>${name}</b>
      </td>
      <td class="w">${typeName(of.monitor)}</td>
      <td class="n">${duration(of.had)}</td>
    </tr>`,
    ...of.owners.map((one) => html`<${OwnerRows} of=${one} depth=${depth + 1} />`),
  ];
}

export function Owners({ of }: { of: readonly Owner[] }) {
  return (
    of.length > 0 &&
    html`<h2 class="second">Who had the monitor</h2>
      <table aria-label="Who had the monitor">
        <tbody>
          ${of.map((one) => html`<${OwnerRows} of=${one} depth=${0} />`)}
        </tbody>
      </table>`
  );
}
