// SPDX-License-Identifier: Apache-2.0
// login: as whom the page asks. Where the collector asks for tokens, one is given in exchange for a session, whose cookie
// no script sees.
import { signal } from "@preact/signals";

export interface Login {
  is_needed: boolean; // the collector asks for tokens
  identity: string | null; // whose session it is; null: nobody's
}

// login is null until the collector has said who is logged in.
export const login = signal<Login | null>(null);

// isOver is whether a session has ended by itself.
export const isOver = signal(false);

const URL = "/api/v1/login";
const HEADERS = { "loupe-page": "1" }; // whatever changes something has it: no page of elsewhere can send it

async function ask(method: string, headers: Record<string, string> = {}): Promise<string | null> {
  const answer = await fetch(URL, { method, headers: { ...HEADERS, ...headers } });
  const said = (await answer.json()) as Login & { error?: string };
  if (!answer.ok) {
    return String(said.error);
  }
  login.value = { is_needed: said.is_needed, identity: said.identity };
  return null;
}

// startLogin asks who is logged in. Where the collector does not answer, the page says that itself.
export function startLogin(): void {
  ask("GET").catch(() => (login.value = { is_needed: false, identity: null }));
}

// logIn returns why a token is not good for a session; null: it is.
export async function logIn(token: string): Promise<string | null> {
  if (!/^[\x21-\x7e]+$/.test(token)) {
    return "a token has no spaces, and no letters beyond ASCII";
  }
  try {
    const problem = await ask("POST", { authorization: `Bearer ${token}` });
    isOver.value &&= problem !== null;
    return problem;
  } catch (error) {
    return `the collector cannot be reached: ${String(error)}`;
  }
}

// logOut ends the session; the page goes on as nobody's even where the collector is away.
export async function logOut(): Promise<void> {
  await ask("DELETE").catch(() => null);
  login.value = { is_needed: true, identity: null };
  isOver.value = false;
}

// noteRefused notes that an answer was 401: the session is over, or there was none.
export function noteRefused(): void {
  isOver.value ||= login.value?.identity != null;
  login.value = { is_needed: true, identity: null };
}
