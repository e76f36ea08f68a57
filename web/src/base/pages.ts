// SPDX-License-Identifier: Apache-2.0
// pages: a list of the API that goes on behind a cursor.
import { useEffect, useState } from "preact/hooks";
import type { Answer } from "./answers";
import { useAnswer } from "./answers";
import type { Listing, Value } from "./shapes";

// A row as an object: a value for each column, and its begin in ns since 1970.
export interface Item {
  start: bigint;
  values: Record<string, Value>;
}

export interface Pages<T extends Listing> {
  answer: Answer<T>; // the last page asked for
  items: Item[]; // of all pages so far
  more: (() => void) | null; // asks for the next page; null if there is none, or it is on its way
}

export function itemsOf({ t0_ns, columns, rows }: Listing): Item[] {
  const start = columns.indexOf("start");
  return rows.map((row) => ({
    start: BigInt(t0_ns) + BigInt(Math.round(Number(row[start] ?? 0))),
    values: Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null])),
  }));
}

// usePages is the list at url, a page at a time; it begins anew where url or tick change.
export function usePages<T extends Listing>(url: string | null, tick: unknown): Pages<T> {
  const key = `${url} ${String(tick)}`;
  const [at, setAt] = useState({ key, cursor: "", before: [] as Item[] });
  const { cursor, before } = at.key === key ? at : { cursor: "", before: [] };
  const paged = url && cursor ? `${url}&cursor=${encodeURIComponent(cursor)}` : url;
  const answer = useAnswer<T>(paged, tick);
  const [shown, setShown] = useState<Item[]>([]);
  useEffect(() => {
    if (answer.data && !answer.isLoading) {
      setShown([...before, ...itemsOf(answer.data)]);
    }
  }, [answer.data]);
  const next = answer.isLoading ? null : (answer.data?.next ?? null);
  const more = next === null ? null : () => setAt({ key, cursor: next, before: shown });
  return { answer, items: shown, more };
}
