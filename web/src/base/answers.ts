// SPDX-License-Identifier: Apache-2.0
// answers: fetches answers of the API while a component shows them.
import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { fetchPatiently, problemOf } from "./busy";
import { noteRefused } from "./login";

export interface Answer<T> {
  data: T | null; // the last one there was; also while the next is on its way, or the collector fails
  url: string | null; // what that answers
  problem: string | null; // why there is no newer one, in the API's words
  status: number; // of the last answer, 0 if there was none
  isLoading: boolean;
}

let waiting = 0; // questions that are on their way

// isWaiting returns whether an answer is on its way.
export function isWaiting(): boolean {
  return waiting > 0;
}

async function ask<T>(url: string, signal: AbortSignal): Promise<Answer<T>> {
  const response = await fetchPatiently(url, { signal, headers: { accept: "application/json" } });
  const { ok, status } = response;
  if (status === 401) {
    noteRefused();
  }
  const data = ok ? ((await response.json()) as T) : null;
  const problem = ok ? null : await problemOf(response);
  return { data, url, problem, status, isLoading: false };
}

// A question on its way; begin sends it.
interface Asking<T> {
  answer: Promise<Answer<T>>;
  abort: AbortController;
}

function begin<T>(url: string): Asking<T> {
  const abort = new AbortController();
  waiting++;
  return { answer: ask<T>(url, abort.signal).finally(() => waiting--), abort };
}

// useAnswer returns the API's answer for url; with null it fetches nothing. It aborts the request when the url changes
// or the component unmounts, and fetches again when `tick` changes.
export function useAnswer<T>(url: string | null, tick: unknown = 0): Answer<T> {
  const nothing: Answer<T> = {
    data: null,
    url: null,
    problem: null,
    status: 0,
    isLoading: url !== null,
  };
  const [answer, setAnswer] = useState(nothing);
  // While the component renders: the collector answers while the browser renders the rest of the screen.
  const asking = useMemo(() => (url === null ? null : begin<T>(url)), [url, tick]);
  useLayoutEffect(() => {
    if (asking === null) {
      setAnswer(nothing);
      return;
    }
    const { abort } = asking;
    setAnswer((before) => ({ ...before, isLoading: true }));
    const isRefused = ({ status }: Answer<T>) => status >= 400 && status < 500;
    const show = (next: Answer<T>) =>
      setAnswer((before) =>
        next.problem === null || isRefused(next)
          ? next
          : { ...next, data: before.data, url: before.url },
      );
    const fail = (error: unknown) => {
      const problem = `the collector cannot be reached: ${String(error)}`;
      show({ ...nothing, problem, isLoading: false });
    };
    const unlessGivenUp =
      <A>(then: (one: A) => void) =>
      (one: A) =>
        abort.signal.aborted || then(one);
    asking.answer.then(unlessGivenUp(show), unlessGivenUp(fail));
    return () => abort.abort();
  }, [asking]);
  return answer;
}
