// SPDX-License-Identifier: Apache-2.0
// search: where a text in the search box leads. Pure.
import type { Address, Changes } from "./address";
import { changed, hrefTo, pathOf, urlOf } from "./address";

const TRACE = /^[0-9a-fA-F]{16}([0-9a-fA-F]{16})?$/;
const CONDITION = /^[^=<>!^\s]+(=|!=|\^=|>=|<=)/;

// frameOf is the regular expression for a text: a $ that is not at the end is one of a name, as in Outer$Inner.run.
const frameOf = (text: string) => text.replace(/\$(?=.)/g, "\\$");

// searchUrl: a trace id opens the trace, attribute=value becomes a condition, anything else searches method names.
// The last two keep the shown service, or apply to all services.
export function searchUrl(text: string, { path, params }: Address): string {
  if (TRACE.test(text)) {
    return hrefTo(["t", text.toLowerCase()]);
  }
  const isService = path[0] === "s";
  const condition = CONDITION.test(text);
  if (!isService) {
    return hrefTo(["s"], condition ? { where: text } : { frame: frameOf(text) });
  }
  const others = params.getAll("where").filter((one) => one !== text);
  const change: Changes = condition ? { where: [...others, text] } : { frame: frameOf(text) };
  return urlOf(pathOf(...path), changed(params, change));
}
