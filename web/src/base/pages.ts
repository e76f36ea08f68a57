// SPDX-License-Identifier: Apache-2.0
// pages: a list of the API that goes on behind a cursor.
import { useEffect, useRef, useState } from "preact/hooks";
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

const ROWS_MAX = 1000; // of one answer

// The place in a list: `before`, and the number of rows to fetch behind the cursor.
export interface Place {
  url: string;
  tick: unknown;
  rows: number;
  cursor: string; // "": the beginning
  before: readonly Item[];
}

// Time is no part of which list it is: until now is another time with each question.
const listOf = (url: string) => url.replace(/(?<=[?&])(from|to)=[^&]*&?/g, "");

// placeAfter returns the place of a list of `shown` rows for its next request. If only tick changed, the list keeps as many
// rows as one answer may have; another url begins with one page.
export function placeAfter(
  place: Place,
  url: string,
  tick: unknown,
  shown: number,
  page: number,
): Place {
  if (place.url === url && place.tick === tick) {
    return place;
  }
  const isSame = place.tick !== tick && listOf(place.url) === listOf(url);
  const rows = isSame ? Math.min(ROWS_MAX, Math.max(page, shown)) : page;
  return { url, tick, rows, cursor: "", before: [] };
}

// usePages returns the list at url, page by page; url has no limit. A new url begins a new list; a new tick fetches all
// shown rows again.
export function usePages<T extends Listing>(url: string, page: number, tick: unknown): Pages<T> {
  const [shown, setShown] = useState<Item[]>([]);
  const [, setCursor] = useState("");
  const place = useRef<Place>({ url, tick, rows: page, cursor: "", before: [] });
  place.current = placeAfter(place.current, url, tick, shown.length, page);
  const { rows, cursor, before } = place.current;
  const behind = cursor ? `&cursor=${encodeURIComponent(cursor)}` : "";
  const answer = useAnswer<T>(`${url}&limit=${rows}${behind}`, tick);
  useEffect(() => {
    if (answer.data && !answer.isLoading) {
      setShown([...before, ...itemsOf(answer.data)]);
    }
  }, [answer.data]);
  const next = answer.isLoading ? null : (answer.data?.next ?? null);
  const more = () => {
    place.current = { url, tick, rows: page, cursor: next!, before: shown };
    setCursor(next!);
  };
  return { answer, items: shown, more: next === null ? null : more };
}
