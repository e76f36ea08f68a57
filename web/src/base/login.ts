// SPDX-License-Identifier: Apache-2.0
// login: as whom the page asks. Where the collector asks for tokens, one is given in exchange for a session, whose cookie
// no script sees.
import { signal } from "@preact/signals";
import { fetchPatiently, problemOf } from "./busy";
import { root } from "./root";

export interface Login {
  is_needed: boolean; // the collector asks for tokens
  identity: string | null; // whose session it is; null: nobody's
}

// login is null until the collector has answered who is logged in.
export const login = signal<Login | null>(null);

// isOver is whether a session has ended by itself.
export const isOver = signal(false);

const URL = root + "/api/v1/login";
export const HEADERS = { "loupe-page": "1" }; // whatever changes something has it: no page of elsewhere can send it

const unreachable = (error: unknown) => `the collector cannot be reached: ${String(error)}`;

// take takes what an answer says; otherwise it returns why that says nothing.
async function take(answer: Response): Promise<string | null> {
  if (!answer.ok) {
    return problemOf(answer);
  }
  const said = (await answer.json()) as Login;
  login.value = { is_needed: said.is_needed, identity: said.identity };
  return null;
}

async function change(method: string, more: Record<string, string> = {}): Promise<string | null> {
  try {
    return await take(await fetch(URL, { method, headers: { ...HEADERS, ...more } }));
  } catch (error) {
    return unreachable(error);
  }
}

// startLogin asks who is logged in. If the collector does not answer, each screen says why it is empty.
export async function startLogin(): Promise<void> {
  const problem = await fetchPatiently(URL, { headers: HEADERS }).then(take).catch(unreachable);
  if (problem !== null) {
    login.value = { is_needed: false, identity: null };
  }
}

// logIn returns why a token is not good for a session; null: it is.
export async function logIn(token: string): Promise<string | null> {
  if (!/^[\x21-\x7e]+$/.test(token)) {
    return "a token has no spaces, and no letters beyond ASCII";
  }
  const problem = await change("POST", { authorization: `Bearer ${token}` });
  isOver.value &&= problem !== null;
  return problem;
}

// logOut ends the session. It returns why that goes on; null: it is over.
export async function logOut(): Promise<string | null> {
  const problem = await change("DELETE");
  isOver.value &&= problem !== null;
  return problem;
}

// noteRefused notes that an answer was 401: the session is over, or there was none.
export function noteRefused(): void {
  isOver.value ||= login.value?.identity != null;
  login.value = { is_needed: true, identity: null };
}
