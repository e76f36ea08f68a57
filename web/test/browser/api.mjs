// SPDX-License-Identifier: Apache-2.0
// api: what the collector answers, to tests and to the page.
import assert from "node:assert/strict";
import { url } from "./browser.mjs";

// json is the API's answer at a path.
export async function json(path) {
  const answer = await fetch(url + path);
  assert.equal(answer.status, 200, path);
  return answer.json();
}

// slowest is the first row of a list of contexts or requests, by the names of its columns; of those that match where, if given.
export async function slowest(service, unit = "contexts", where = null) {
  const query = new URLSearchParams({ service, limit: 1, ...(where && { where }) });
  const { t0_ns, columns, rows } = await json(`/api/v1/${unit}?${query}`);
  const row = Object.fromEntries(columns.map((name, index) => [name, rows[0][index]]));
  return { ...row, t0_ns };
}

// LOCKED chooses requests that wait for the lock: on a busy machine another one may have been held up for longer.
export const LOCKED = ["lock", "contexts", "cause=lock"];

// answerOf is the JSON that the page itself gets of a route, while action runs: what it has to show. Where the page asks
// more than once, isIt chooses by the parameters, and what the page gave up is passed over. It is read at once, for
// Chromium forgets it when action goes to another page.
export async function answerOf(page, route, action, isIt = () => true) {
  const isAsked = async (answer) => {
    const asked = new URL(answer.url());
    const isOfRoute = asked.pathname === `/api/v1/${route}` && isIt(asked.searchParams);
    return isOfRoute && (await answer.finished()) === null;
  };
  const read = async () => (await page.waitForResponse(isAsked)).json();
  const [answer] = await Promise.all([read(), action()]);
  return answer;
}
