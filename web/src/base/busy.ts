// SPDX-License-Identifier: Apache-2.0
// busy: fetches from a collector that may be busy (503): it is asked again when it says so.

const RETRIES_MAX = 5;
const RETRY_DEFAULT_S = 1;

// pause waits, or until `abort`.
export function pause(ms: number, abort?: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    abort?.addEventListener("abort", () => (clearTimeout(timer), done()));
  });
}

// fetchPatiently is fetch for requests that change nothing; the answer is the last one.
export async function fetchPatiently(
  url: string,
  options: { headers: Record<string, string>; signal?: AbortSignal },
): Promise<Response> {
  for (let tries = 0; ; tries++) {
    const response = await fetch(url, options);
    if (response.status !== 503 || tries === RETRIES_MAX) {
      return response;
    }
    const seconds = Number(response.headers.get("retry-after")) || RETRY_DEFAULT_S;
    await pause(seconds * 1000, options.signal);
  }
}

// problemOf is why an answer is none, in the API's words.
export async function problemOf(response: Response): Promise<string> {
  try {
    return String(((await response.json()) as { error: string }).error);
  } catch {
    return `the collector answers ${response.status}`;
  }
}
