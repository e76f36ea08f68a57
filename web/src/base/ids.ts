// SPDX-License-Identifier: Apache-2.0
// ids: which attributes tell requests apart, and so explain nothing. Pure.
import type { Attribute } from "./shapes";

const NAME = /(^|[._-])id$|[a-z]Id$|(trace|span|request|session)id$/;
const VALUES_MIN = 4; // with fewer nobody can know

// isIdName returns whether an attribute is called as ids are.
export function isIdName(key: string): boolean {
  return NAME.test(key);
}

// isId returns whether an attribute has about one value per context: no shown value occurs twice, or its name says id
// and it has more values than half of the contexts.
export function isId({ key, distinct, search_only, values }: Attribute, contexts: number): boolean {
  const isOnce = values.every((one) => one.count + (one.base_count ?? 0) <= 1);
  const isNamed = isIdName(key) && 2 * (distinct ?? 0) > contexts;
  return search_only || (values.length >= VALUES_MIN && (isOnce || isNamed));
}
