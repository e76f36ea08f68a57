// SPDX-License-Identifier: Apache-2.0
// login: asks for a token at any address, and shows that address afterwards.
import { useState } from "preact/hooks";
import { html } from "../base/html";
import { isOver, logIn } from "../base/login";
import "./login.css";

export function LoginScreen() {
  const [problem, setProblem] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const input = (event.currentTarget as HTMLFormElement).elements.namedItem("token");
    setAsking(true);
    const next = await logIn((input as HTMLInputElement).value.trim());
    setAsking(false);
    setProblem(next);
    (input as HTMLInputElement).select();
  };
  return html`<header><span class="logo">Loupe</span></header>
    <main class="login">
      <section aria-busy=${isAsking ? "true" : "false"}>
        <h1>Log in</h1>
        ${isOver.value && html`<p role="status">Your session is over.</p>`}
        <form onSubmit=${submit}>
          <label for="token">Token</label>
          <input
            id="token"
            name="token"
            type="password"
            autocomplete="current-password"
            required
            autofocus
            ref=${(input: HTMLInputElement | null) => !problem && input?.focus()}
            aria-invalid=${problem === null ? "false" : "true"}
            aria-describedby="token-problem"
          />
          <button disabled=${isAsking}>Log in</button>
        </form>
        <p id="token-problem" class="problem" role="alert">${problem}</p>
        <p class="dim">
          This collector requires a token with the right to read. Ask the people who run it for one.
        </p>
      </section>
    </main>`;
}
