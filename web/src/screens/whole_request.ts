// SPDX-License-Identifier: Apache-2.0
// whole_request: /q/{recording}/{id}, a request. It is shown by the context that it began with, which takes its place.
import { useEffect } from "preact/hooks";
import { address, go, hrefTo } from "../base/address";
import { useAnswer } from "../base/answers";
import { html } from "../base/html";
import { contextHref } from "../base/links";
import { apiUrl } from "../base/selection";
import type { OneRequest } from "../base/shapes";
import { Notice, Panel } from "../parts/notice";
import { Shell } from "../parts/shell";

export function WholeRequestScreen() {
  const { path, params } = address.value;
  const [, recording = "", id = ""] = path;
  const at = params.get("at");
  const route = ["requests", recording, id].map(encodeURIComponent).join("/");
  const answer = useAnswer<OneRequest>(apiUrl(route, new URLSearchParams(), { from: at }));
  const { data } = answer;
  const first = data?.parts[0];
  useEffect(() => {
    if (data && first) {
      const start = BigInt(data.t0_ns) + BigInt(Math.round(first.start));
      go(contextHref(recording, first.id, start), true);
    }
  }, [data]);
  const crumbs = [{ name: "services", href: hrefTo([]) }, { name: "request" }];
  return html`<${Shell} crumbs=${crumbs}>
    <${Panel} title="Request" note=${id} answer=${answer}>
      ${data && !first && html`<${Notice} title="Nothing that it did is kept" />`}
    <//>
  <//>`;
}
