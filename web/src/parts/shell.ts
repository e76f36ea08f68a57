// SPDX-License-Identifier: Apache-2.0
// shell: the frame around each screen: where one is, the search, the time.
import { useState } from "preact/hooks";
import { address, go, hrefTo } from "../base/address";
import { html } from "../base/html";
import type { Children } from "../base/html";
import { logOut, login } from "../base/login";
import { isNarrow } from "../base/narrow";
import { searchUrl } from "../base/search";
import { Menu } from "./menu";
import { Faults } from "./notice";
import { Refresh, Time } from "./time";

function Search({ onDone }: { onDone?: () => void }) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const input = (event.currentTarget as HTMLFormElement).elements.namedItem("q");
    const text = (input as HTMLInputElement).value.trim();
    if (text !== "") {
      go(searchUrl(text, address.value));
      (input as HTMLInputElement).value = "";
      onDone?.();
    }
  };
  const hint = "trace id, attribute=value, or a method";
  return html`<form class="search" role="search" onSubmit=${submit}>
    <input name="q" placeholder=${hint} aria-label="Search: ${hint}" autocomplete="off" />
  </form>`;
}

// Who shows who is logged in.
function Who() {
  const [problem, setProblem] = useState<string | null>(null);
  const identity = login.value?.identity;
  const leave = async () => setProblem(await logOut());
  return identity == null
    ? null
    : html`<span class="who">
        <span title="the name of your token">${identity}</span>
        <button onClick=${leave}>log out</button>
        <span class="problem" role="alert">${problem && `still logged in: ${problem}`}</span>
      </span>`;
}

export interface Crumb {
  name: string;
  href?: string;
}

const SCREENS = [
  ["services", ""],
  ["events", "e"],
  ["recordings", "r"],
] as const;

// Shell is the frame around each screen; crumbs lead back to the chosen screen.
export function Shell({
  crumbs = [],
  children,
}: {
  crumbs?: readonly Crumb[];
  children?: Children;
}) {
  const first = address.value.path[0] ?? "";
  const link = ([name, path]: (typeof SCREENS)[number]) =>
    html`<a href=${hrefTo(path ? [path] : [])} aria-current=${path === first ? "page" : undefined}>
      ${name}
    </a>`;
  const crumb = ({ name, href }: Crumb, index: number) => [
    index > 0 ? " / " : "",
    href ? html`<a href=${href}>${name}</a>` : html`<b>${name}</b>`,
  ];
  const nav = html`<nav class="screens" aria-label="Screens">${SCREENS.map(link)}</nav>`;
  const logo = html`<a class="logo" href=${hrefTo([])}>Loupe</a>`;
  const shown = isNarrow.value ? crumbs.slice(-1) : crumbs;
  const title = crumbs.at(-1)?.name ?? SCREENS.find(([, path]) => path === first)?.[0] ?? "Loupe";
  const path = html`<span class="crumb">${shown.map(crumb)}</span>`;
  const more = (close: () => void) =>
    html`${nav}<${Search} onDone=${close} />
      <div class="row"><${Refresh} /></div>
      <${Who} />`;
  return html`<header>
      ${
        isNarrow.value
          ? html`${logo} ${path} <${Time} />
              <${Menu} text="☰" label="screens, search, refresh" className="all">${more}<//>`
          : html`${logo} ${nav} ${path} <${Search} /> <${Time} /><${Refresh} /> <${Who} />`
      }
    </header>
    <main>
      <h1 class="seen-by-readers">${title}</h1>
      <${Faults} />${children}
    </main>`;
}
