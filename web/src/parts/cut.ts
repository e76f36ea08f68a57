// SPDX-License-Identifier: Apache-2.0
// cut: a name that takes the room that there is: where that is too little, the middle is left out, as the end of a
// name says most, and its beginning more than the rest.
import { html } from "../base/html";

const SHORT = 20; // letters, that are cut at their end
const TAIL_MAX = 16; // letters that are always seen

// tailOf is how many letters of a name its end has: from a dot or a capital on, if one is near.
export function tailOf(name: string): number {
  const end = name.slice(-TAIL_MAX);
  const word = end.search(/[.$/:]/);
  return word > 0 ? end.length - word : end.length;
}

export function Cut({ name, title = name }: { name: string; title?: string }) {
  if (name.length <= SHORT) {
    return html`<span class="cut-name" title=${title}><span>${name}</span></span>`;
  }
  const at = name.length - tailOf(name);
  return html`<span class="cut-name" title=${title}
    ><span>${name.slice(0, at)}</span><span>${name.slice(at)}</span></span
  >`;
}
